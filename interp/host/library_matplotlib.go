package host

import (
	"path"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/figure"
)

// plots are the figures of a session that matplotlib.pyplot has open, the current one last.
type plots struct {
	m      *machine
	open   []*plot
	number int // of the newest figure
}

// plot is a figure that a script draws: what matplotlib.figure.Figure holds.
type plot struct {
	*figure.Figure
	of      *plots
	object  *Instance
	number  int
	axes    []*plotAxes
	current *plotAxes
	names   []string // of the files that it was saved as, and not shown since
}

// plotAxes is one plot of a figure: what matplotlib.axes.Axes holds.
type plotAxes struct {
	*figure.Axes
	of     *plot
	object *Instance
	marks  int // without a color of their own
}

// plotWidth and plotHeight are matplotlib's default size of a figure, in inches.
const plotWidth, plotHeight = 6.4, 4.8

// maxPlots bounds the axes of a figure.
const maxPlots = 100

// matplotlibClasses makes matplotlib's classes when a program first asks for its modules; an init function would link
// them into every program.
var matplotlibClasses sync.Once

// matplotlibModules are matplotlib and the modules below it.
func matplotlibModules() map[string]maker {
	matplotlibClasses.Do(func() {
		makeFigureClass()
		makeAxesClass()
		makeAxesGridClass()
	})
	return map[string]maker{
		"matplotlib": func(*machine) map[string]Value {
			return map[string]Value{"use": &Builtin{"use", ignore}, "rcParams": newDict(),
				"__version__": python.Str("3.10.7")}
		},
		"matplotlib.axes":   fixed(func() map[string]Value { return map[string]Value{"Axes": axesClass} }),
		"matplotlib.figure": fixed(func() map[string]Value { return map[string]Value{"Figure": figureClass} }),
		"matplotlib.pyplot": pyplotLibrary,
	}
}

// currentAxes are the functions of pyplot that call a method of the current axes, with the method's name.
var currentAxes = map[string]string{
	"plot": "plot", "loglog": "loglog", "semilogx": "semilogx", "semilogy": "semilogy", "scatter": "scatter", "bar": "bar",
	"barh": "barh", "hist": "hist", "imshow": "imshow", "matshow": "matshow", "step": "step",
	"fill_between": "fill_between", "axhline": "axhline", "axvline": "axvline", "text": "text", "annotate": "annotate",
	"errorbar": "errorbar", "title": "set_title", "xlabel": "set_xlabel", "ylabel": "set_ylabel", "xlim": "set_xlim",
	"ylim": "set_ylim", "xscale": "set_xscale", "yscale": "set_yscale", "xticks": "set_xticks", "yticks": "set_yticks",
	"legend": "legend", "grid": "grid", "axis": "axis", "cla": "clear", "tick_params": "tick_params",
	"margins": "margins", "minorticks_on": "minorticks_on", "bar_label": "bar_label",
}

// currentFigure are those that call a method of the current figure.
var currentFigure = map[string]string{
	"savefig": "savefig", "suptitle": "suptitle", "tight_layout": "tight_layout", "clf": "clear", "colorbar": "colorbar",
	"subplots_adjust": "subplots_adjust", "subplot": "add_subplot",
}

// pyplotLibrary is matplotlib.pyplot. Figures that are open at the end of a cell are shown, as a notebook shows them.
func pyplotLibrary(m *machine) map[string]Value {
	s := &plots{m: m}
	m.atEnd = append(m.atEnd, s.end)
	members := map[string]Value{"rcParams": m.attrOf(m.modules.mustModule("matplotlib"), "rcParams"),
		"Figure": figureClass, "Axes": axesClass,
		"style": simpleNamespaceOf("style", "<module 'matplotlib.style'>", keyword{"use", &Builtin{"use", ignore}})}
	for _, name := range []string{"ion", "ioff", "pause", "draw", "switch_backend"} {
		members[name] = &Builtin{name, ignore}
	}
	for name, method := range currentAxes {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			a.positional = slices.Insert(slices.Clone(a.positional), 0, Value(s.current().axesNow().object))
			return axesMethods[method](m, a)
		}}
	}
	for name, method := range currentFigure {
		members[name] = &Builtin{name, func(m *machine, a arguments) Value {
			a.positional = slices.Insert(slices.Clone(a.positional), 0, Value(s.current().object))
			return figureMethods[method](m, a)
		}}
	}
	for name, f := range map[string]func(*machine, arguments) Value{
		"figure": s.figure, "subplots": s.subplots, "show": s.show, "close": s.close,
		"gcf": func(*machine, arguments) Value { return s.current().object },
		"gca": func(*machine, arguments) Value { return s.current().axesNow().object },
		"sca": func(m *machine, a arguments) Value {
			ax := native[*plotAxes](a)
			ax.of.current = ax
			return none
		},
		"get_fignums": func(*machine, arguments) Value {
			list := &List{}
			for _, p := range s.open {
				list.Items = append(list.Items, intValue(p.number))
			}
			return list
		},
	} {
		members[name] = &Builtin{name, f}
	}
	return members
}

// add opens a new figure; size is its figsize, None for the default.
func (s *plots) add(m *machine, size Value) *plot {
	m.budget.chargeItems(1)
	s.number++
	p := &plot{of: s, number: s.number,
		Figure: &figure.Figure{Width: plotWidth, Height: plotHeight, Rows: 1, Columns: 1}}
	p.object = m.newNative(figureClass, p)
	if size != nil && size != none {
		wide := m.itemsOf(size)
		if len(wide) != 2 {
			raise("ValueError", "figsize must have two numbers, not %d", len(wide))
		}
		p.Width, p.Height = m.floatOf(wide[0]), m.floatOf(wide[1])
	}
	s.open = append(s.open, p)
	return p
}

// current is the figure that functions without one draw into.
func (s *plots) current() *plot {
	if len(s.open) == 0 {
		return s.add(s.m, none)
	}
	return s.open[len(s.open)-1]
}

// axesNow are the axes that functions without one draw into.
func (p *plot) axesNow() *plotAxes {
	if p.current == nil {
		p.place(0, 0)
	}
	return p.current
}

// place makes axes at a place of the grid.
func (p *plot) place(row, column int) *plotAxes {
	m := p.of.m
	if len(p.axes) >= maxPlots {
		limit("ValueError", "a figure has at most %d plots", maxPlots)
	}
	m.budget.chargeItems(1)
	ax := &plotAxes{Axes: &figure.Axes{Row: row, Column: column, Marks: []figure.Mark{}}, of: p}
	ax.object = m.newNative(axesClass, ax)
	p.axes, p.current = append(p.axes, ax), ax
	p.Axes = append(p.Axes, ax.Axes)
	return ax
}

// figure is plt.figure(num, figsize): a new figure, or an open one by its number.
func (s *plots) figure(m *machine, a arguments) Value {
	size, _ := a.take("figsize")
	if num := given(a.parameter(0, "num", none), nil); num != nil {
		for i, p := range s.open {
			if m.equalValues(num, intValue(p.number)) {
				s.open = append(slices.Delete(s.open, i, i+1), p)
				return p.object
			}
		}
	}
	return s.add(m, size).object
}

// subplots is plt.subplots(nrows, ncols, figsize=…): the figure and its axes, in an array where there are several.
func (s *plots) subplots(m *machine, a arguments) Value {
	size, _ := a.take("figsize")
	p := s.add(m, size)
	return Tuple{p.object, p.subplots(m, a)}
}

func (p *plot) subplots(m *machine, a arguments) Value {
	rows := int(asIndex(a.parameter(0, "nrows", intValue(1))))
	columns := int(asIndex(a.parameter(1, "ncols", intValue(1))))
	squeeze := true
	if v, ok := a.take("squeeze"); ok {
		squeeze = m.truthOf(v)
	}
	if rows < 1 || columns < 1 || rows*columns > maxPlots {
		limit("ValueError", "a figure has 1 to %d plots, not %d by %d", maxPlots, rows, columns)
	}
	p.Rows, p.Columns = rows, columns
	grid := axesGrid{shape: []int{rows, columns}}
	for i := range rows * columns {
		grid.items = append(grid.items, p.place(i/columns, i%columns).object)
	}
	p.current = p.axes[0]
	switch {
	case !squeeze:
	case rows*columns == 1:
		return grid.items[0]
	case rows == 1 || columns == 1:
		grid.shape = []int{rows * columns}
	}
	return m.newNative(axesGridClass, &grid)
}

// axesGrid is the array of axes that subplots returns.
type axesGrid struct {
	shape []int
	items []Value
}

var axesGridClass *Class

var axesGridMethods = map[string]method{
	"__len__": func(_ *machine, a arguments) Value { return intValue(native[*axesGrid](a).shape[0]) },
	"__iter__": func(m *machine, a arguments) Value {
		return sliceIterator("iterator", native[*axesGrid](a).rows(m))
	},
	"__getitem__": func(m *machine, a arguments) Value {
		g, index := native[*axesGrid](a), a.positional[1]
		places, isTuple := index.(Tuple)
		if !isTuple {
			places = Tuple{index}
		}
		v := a.positional[0]
		for _, place := range places {
			inner, ok := v.(*Instance).native.(*axesGrid)
			if !ok {
				raise("IndexError", "too many indices for array: array is %d-dimensional, but %d were indexed", len(g.shape),
					len(places))
			}
			v = m.itemOf(&List{inner.rows(m)}, place)
		}
		return v
	},
	"flatten": func(m *machine, a arguments) Value { return native[*axesGrid](a).flat(m) },
	"ravel":   func(m *machine, a arguments) Value { return native[*axesGrid](a).flat(m) },
	"tolist":  func(m *machine, a arguments) Value { return &List{native[*axesGrid](a).rows(m)} },
}

func makeAxesGridClass() {
	axesGridClass = nativeClass("numpy", "ndarray", axesGridMethods)
	axesGridClass.define("flat", getter(func(m *machine, a arguments) Value { return native[*axesGrid](a).flat(m) }))
	axesGridClass.define("size", getter(func(m *machine, a arguments) Value {
		return intValue(len(native[*axesGrid](a).items))
	}))
	axesGridClass.define("shape", getter(func(m *machine, a arguments) Value {
		return Size(native[*axesGrid](a).shape).tuple()
	}))
}

// rows are what the array's first index selects.
func (g *axesGrid) rows(m *machine) []Value {
	if len(g.shape) == 1 {
		return g.items
	}
	var out []Value
	for row := range slices.Chunk(g.items, g.shape[1]) {
		out = append(out, m.newNative(axesGridClass, &axesGrid{g.shape[1:], row}))
	}
	return out
}

func (g *axesGrid) flat(m *machine) Value {
	return m.newNative(axesGridClass, &axesGrid{[]int{len(g.items)}, g.items})
}

// show is plt.show(): it shows the open figures and closes them.
func (s *plots) show(m *machine, _ arguments) Value {
	for _, p := range s.open {
		p.display(m)
	}
	s.open = nil
	return none
}

// display shows a figure, under each of the names that it was saved as.
func (p *plot) display(m *machine) {
	for _, name := range append(p.names, "")[:max(1, len(p.names))] {
		p.Name = name
		showFigure(m, p.Figure)
	}
	p.names = nil
}

// close is plt.close(): of the current figure, of one, or of "all". Figures that were saved are shown first.
func (s *plots) close(m *machine, a arguments) Value {
	which := a.parameter(0, "fig", none)
	s.open = slices.DeleteFunc(s.open, func(p *plot) bool {
		closed := which == none && p == s.current() || which == python.Str("all") || which == Value(p.object) ||
			m.equalValues(which, intValue(p.number))
		if closed && len(p.names) > 0 {
			p.display(m)
		}
		return closed
	})
	return none
}

// end shows what a notebook shows at the end of a cell, the open figures, and forgets them; a script shows only those
// that it has saved.
func (s *plots) end(m *machine, notebook bool) {
	for _, p := range s.open {
		if notebook || len(p.names) > 0 {
			p.display(m)
		}
	}
	if notebook {
		s.open = nil
	}
}

// figureMethods are those of matplotlib.figure.Figure.
var figureMethods map[string]method

// figureClass is matplotlib.figure.Figure.
var figureClass *Class

func makeFigureClass() {
	figureMethods = map[string]method{
		"__repr__": func(_ *machine, a arguments) Value { return python.Str(native[*plot](a).String()) },
		"savefig":  saveFigure,
		"suptitle": func(m *machine, a arguments) Value {
			native[*plot](a).Title = m.strOf(a.parameter(1, "t", none))
			return none
		},
		"add_subplot": addSubplot,
		"subplots":    func(m *machine, a arguments) Value { return native[*plot](a).subplots(m, a.tail()) },
		"gca":         func(_ *machine, a arguments) Value { return native[*plot](a).axesNow().object },
		"colorbar": func(_ *machine, a arguments) Value {
			for _, ax := range native[*plot](a).axes {
				for i := range ax.Marks {
					if image := ax.Marks[i].Image; image != nil {
						image.Colorbar = image.Channels == 1
					}
				}
			}
			return none
		},
		"legend": func(_ *machine, a arguments) Value {
			for _, ax := range native[*plot](a).axes {
				ax.Legend = true
			}
			return none
		},
		"clear": func(_ *machine, a arguments) Value {
			p := native[*plot](a)
			p.axes, p.Axes, p.current, p.Title = nil, nil, nil, ""
			return none
		},
		"set_size_inches": func(m *machine, a arguments) Value {
			p, size := native[*plot](a), a.positional[1:]
			if len(size) == 1 {
				size = m.itemsOf(size[0])
			}
			if len(size) != 2 {
				raise("TypeError", "set_size_inches() takes a width and a height")
			}
			p.Width, p.Height = m.floatOf(size[0]), m.floatOf(size[1])
			return none
		},
		"show": func(m *machine, a arguments) Value { native[*plot](a).display(m); return none },
	}
	for _, name := range []string{"tight_layout", "subplots_adjust", "autofmt_xdate", "set_tight_layout"} {
		figureMethods[name] = ignore
	}
	figureClass = nativeClass("matplotlib.figure", "Figure", figureMethods)
	figureClass.define("axes", getter(func(_ *machine, a arguments) Value {
		list := &List{}
		for _, ax := range native[*plot](a).axes {
			list.Items = append(list.Items, ax.object)
		}
		return list
	}))
	figureClass.define("number", getter(func(_ *machine, a arguments) Value {
		return intValue(native[*plot](a).number)
	}))
}

// addSubplot is fig.add_subplot(rows, columns, index), fig.add_subplot(221) or plt.subplot of the same.
func addSubplot(m *machine, a arguments) Value {
	p, place := native[*plot](a), []int{1, 1, 1}
	switch given := a.positional[1:]; len(given) {
	case 0:
	case 1: // three digits
		n := int(asIndex(given[0]))
		place = []int{n / 100, n / 10 % 10, n % 10}
	case 3:
		for i, v := range given {
			place[i] = int(asIndex(v))
		}
	default:
		raise("TypeError", "add_subplot() takes 1 or 3 positional arguments but %d were given", len(given))
	}
	rows, columns, index := place[0], place[1], place[2]
	if rows < 1 || columns < 1 || rows*columns > maxPlots || index < 1 || index > rows*columns {
		raise("ValueError", "num must be an integer with 1 <= num <= %d, not %d", rows*columns, index)
	}
	p.Rows, p.Columns = rows, columns
	row, column := (index-1)/columns, (index-1)%columns
	for _, ax := range p.axes {
		if ax.Row == row && ax.Column == column {
			p.current = ax
			return ax.object
		}
	}
	return p.place(row, column).object
}

// saveFigure is fig.savefig(file): the picture is a file of the session, and is shown under its name.
func saveFigure(m *machine, a arguments) Value {
	p, name := native[*plot](a), pathText(m, a.parameter(1, "fname", none))
	if path.Ext(name) == "" {
		name += ".png"
	}
	writeFigure(m, p.Figure, name)
	p.names = append(p.names, p.Name)
	return none
}
