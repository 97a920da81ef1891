package host

import (
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/figure"
)

// axesMethods are those of matplotlib.axes.Axes.
var axesMethods map[string]method

// axesClass is matplotlib.axes.Axes; artistClass is what its methods return for what they drew.
var axesClass, artistClass *Class

func makeAxesClass() {
	axesMethods = map[string]method{
		"plot":     func(m *machine, a arguments) Value { return drawLines(m, a, "") },
		"loglog":   func(m *machine, a arguments) Value { return drawLines(m, a, "xy") },
		"semilogx": func(m *machine, a arguments) Value { return drawLines(m, a, "x") },
		"semilogy": func(m *machine, a arguments) Value { return drawLines(m, a, "y") },
		"step":     func(m *machine, a arguments) Value { return drawLines(m, a, "") },
		"scatter":  drawScatter, "bar": drawBars(figure.Bars), "barh": drawBars(figure.SideBars), "hist": drawHistogram,
		"errorbar": drawErrorBars, "fill_between": drawBand, "imshow": drawImage, "matshow": drawImage,
		"axhline": drawRule(figure.Horizontal), "axvline": drawRule(figure.Vertical), "text": drawText,
		"annotate": drawAnnotation, "legend": showLegend, "grid": showGrid, "axis": setAxis,
		"set_title":  setText(func(ax *figure.Axes) *string { return &ax.Title }),
		"set_xlabel": setText(func(ax *figure.Axes) *string { return &ax.X.Label }),
		"set_ylabel": setText(func(ax *figure.Axes) *string { return &ax.Y.Label }),
		"set_xscale": setScale(axisX), "set_yscale": setScale(axisY),
		"set_xlim": setLimits(axisX, "left", "right", "xmin", "xmax"), "get_xlim": getLimits(axisX),
		"set_ylim": setLimits(axisY, "bottom", "top", "ymin", "ymax"), "get_ylim": getLimits(axisY),
		"set_xticks": setTicks(axisX), "set_xticklabels": setTickNames(axisX),
		"set_yticks": setTicks(axisY), "set_yticklabels": setTickNames(axisY),
		"set_axis_off": func(_ *machine, a arguments) Value { native[*plotAxes](a).Hidden = true; return none },
		"set_axis_on":  func(_ *machine, a arguments) Value { native[*plotAxes](a).Hidden = false; return none },
		"set_aspect": func(m *machine, a arguments) Value {
			native[*plotAxes](a).Equal = a.parameter(1, "aspect", none) != python.Str("auto")
			return none
		},
		"set": setProperties,
		"clear": func(_ *machine, a arguments) Value {
			ax := native[*plotAxes](a)
			*ax.Axes, ax.marks = figure.Axes{Row: ax.Row, Column: ax.Column, Marks: []figure.Mark{}}, 0
			return none
		},
		"invert_yaxis": func(_ *machine, a arguments) Value {
			ax := native[*plotAxes](a)
			ax.Y.Low, ax.Y.High = ax.limits(axisY)
			ax.Y.Low, ax.Y.High = ax.Y.High, ax.Y.Low
			return none
		},
		"get_title":  func(_ *machine, a arguments) Value { return python.Str(native[*plotAxes](a).Title) },
		"get_figure": func(_ *machine, a arguments) Value { return native[*plotAxes](a).of.object },
		"bar_label":  labelBars,
	}
	axesMethods["cla"] = axesMethods["clear"]
	for _, name := range []string{"tick_params", "margins", "minorticks_on", "set_facecolor", "ticklabel_format",
		"set_axisbelow", "autoscale"} { // how it looks is the drawer's
		axesMethods[name] = ignore
	}
	axesClass = nativeClass("matplotlib.axes", "Axes", axesMethods)
	axesClass.define("figure", getter(axesMethods["get_figure"]))
	artistClass = nativeClass("matplotlib.artist", "Artist", artistMethods)
}

// artist is a mark of some axes, as what drew it returns it.
type artist struct {
	ax *plotAxes
	at int // among the axes' marks
}

func (k *artist) mark() *figure.Mark { return &k.ax.Marks[k.at] }

var artistMethods = map[string]method{
	"set_label": func(m *machine, a arguments) Value {
		native[*artist](a).mark().Label = m.strOf(a.parameter(1, "s", none))
		return none
	},
	"get_label": func(_ *machine, a arguments) Value { return python.Str(native[*artist](a).mark().Label) },
	"get_color": func(_ *machine, a arguments) Value { return python.Str(native[*artist](a).mark().Color) },
	"get_xdata": func(_ *machine, a arguments) Value { return &List{floatValues(native[*artist](a).mark().X)} },
	"get_ydata": func(_ *machine, a arguments) Value { return &List{floatValues(native[*artist](a).mark().Y)} },
	"set_clim": func(m *machine, a arguments) Value {
		image := native[*artist](a).mark().Image
		image.Low, image.High = m.floatOf(a.parameter(1, "vmin", none)), m.floatOf(a.parameter(2, "vmax", none))
		return none
	},
}

// draw adds a mark with the keywords of a call, and returns its artist.
func (ax *plotAxes) draw(m *machine, k figure.Mark, a arguments) Value {
	k.Alpha = 1
	ax.style(m, &k, a.keywords)
	m.budget.chargeItems(1 + len(k.X) + len(k.Y))
	ax.Marks = append(ax.Marks, k)
	return m.newNative(artistClass, &artist{ax, len(ax.Marks) - 1})
}

// markKeywords are the keywords that say how a mark looks.
var markKeywords = map[string]func(m *machine, k *figure.Mark, v Value){
	"label":     func(m *machine, k *figure.Mark, v Value) { k.Label = strings.TrimPrefix(m.strOf(v), "_nolegend_") },
	"color":     func(m *machine, k *figure.Mark, v Value) { k.Color, k.Colors = colorsOf(m, v) },
	"linestyle": func(m *machine, k *figure.Mark, v Value) { k.Style = lineStyle(m.strOf(v)) },
	"linewidth": func(m *machine, k *figure.Mark, v Value) { k.Width = m.floatOf(v) },
	"marker":    func(m *machine, k *figure.Mark, v Value) { k.Marker = strings.TrimPrefix(m.strOf(v), "None") },
	"alpha":     func(m *machine, k *figure.Mark, v Value) { k.Alpha = m.floatOf(v) },
}

// sameKeyword are the short names of keywords.
var sameKeyword = map[string]string{"c": "color", "facecolor": "color", "ls": "linestyle", "lw": "linewidth"}

// looks are keywords that only say how a mark looks, in ways that drawers decide.
var looks = strings.Fields(`markersize ms zorder markeredgecolor mec markerfacecolor mfc markeredgewidth mew edgecolor ec
	edgecolors linewidths rotation fontsize fontweight fontfamily ha va horizontalalignment verticalalignment clip_on
	antialiased drawstyle where hatch capsize capthick elinewidth ecolor fontdict family size weight bbox arrowprops xycoords
	textcoords transform pad loc interpolation aspect align rasterized interpolate fontstyle style density log visible
	markevery dashes solid_capstyle fillstyle labelpad backgroundcolor`)

// style applies keywords to a mark; the color of one without is the next of the cycle.
func (ax *plotAxes) style(m *machine, k *figure.Mark, keywords []keyword) {
	for _, w := range keywords {
		name := w.name
		if long := sameKeyword[name]; long != "" {
			name = long
		}
		set := markKeywords[name]
		switch {
		case set == nil && !slices.Contains(looks, name):
			raise("AttributeError", "Artist.set() got an unexpected keyword argument '%s'", w.name)
		case set != nil && w.value != none:
			set(m, k, w.value)
		}
	}
	if k.Color == "" && len(k.Colors) == 0 && k.Kind != figure.Text && k.Kind != figure.Picture {
		k.Cycle = ax.marks
		ax.marks++
	}
}

// lineStyles are the names of line styles.
var lineStyles = map[string]string{"solid": "-", "dashed": "--", "dashdot": "-.", "dotted": ":", "None": "", "none": "",
	" ": "", "": "", "-": "-", "--": "--", "-.": "-.", ":": ":"}

func lineStyle(name string) string {
	style, ok := lineStyles[name]
	if !ok {
		raise("ValueError", "%s is not a valid value for ls; supported values are '-', '--', '-.', ':', 'None', ' ', "+
			"'', 'solid', 'dashed', 'dashdot', 'dotted'", python.Repr(python.Str(name)))
	}
	return style
}

// colorsOf is a color, or the colors of the points: a name, three or four numbers, or a sequence of these.
func colorsOf(m *machine, v Value) (one string, several []string) {
	if name, ok := v.(python.Str); ok {
		hex, known := figure.Color(string(name))
		if !known {
			raise("ValueError", "%s is not a valid value for color", m.reprOf(v))
		}
		return hex, nil
	}
	items := m.itemsOf(v)
	if len(items) == 3 || len(items) == 4 {
		if rgb, ok := floatsIn(m, items); ok {
			return figure.RGB(rgb[0], rgb[1], rgb[2]), nil
		}
	}
	for _, item := range items {
		hex, _ := colorsOf(m, item)
		several = append(several, hex)
	}
	return "", several
}

// floatsIn are numbers; ok is false where there are others than numbers among the items.
func floatsIn(m *machine, items []Value) (out figure.Numbers, ok bool) {
	for _, item := range items {
		f, isNumber, _ := python.AsFloat(plain(item))
		if !isNumber {
			return nil, false
		}
		out = append(out, f)
	}
	return out, true
}

// markers are matplotlib's letters for the shapes of points.
const markers = ".,ov^<>12348spP*hH+xXDd|_"

// applyFormat reads a format such as "r--o": a color, a line style and a marker, in any order.
func applyFormat(m *machine, k *figure.Mark, text string) {
	k.Style, k.Marker = "", ""
	rest := text
	for rest != "" {
		switch {
		case strings.HasPrefix(rest, "--"), strings.HasPrefix(rest, "-."):
			k.Style, rest = rest[:2], rest[2:]
		case rest[0] == '-' || rest[0] == ':':
			k.Style, rest = rest[:1], rest[1:]
		case rest[0] == 'C' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			k.Color, _ = figure.Color(rest[:2])
			rest = rest[2:]
		case strings.IndexByte(markers, rest[0]) >= 0:
			k.Marker, rest = rest[:1], rest[1:]
		default:
			hex, ok := figure.Color(rest[:1])
			size := 1
			if !ok {
				hex, ok = figure.Color(rest)
				size = len(rest)
			}
			if !ok {
				raise("ValueError", "%s is not a valid format string (unrecognized character '%s')",
					python.Repr(python.Str(text)), rest[:1])
			}
			k.Color, rest = hex, rest[size:]
		}
	}
	if k.Style == "" && k.Marker == "" { // a color alone
		k.Style = "-"
	}
}

// drawLines is plot, with a logarithmic scale along the axes that log names: groups of [x], y and [format].
func drawLines(m *machine, a arguments, log string) Value {
	ax, given := native[*plotAxes](a), a.positional[1:]
	base, ok := a.take("base")
	if !ok {
		base = intValue(10)
	}
	for _, axis := range log {
		axisNamed(axis)(ax.Axes).Base = m.floatOf(base)
	}
	lines := &List{}
	for len(given) > 0 {
		y := given[0]
		var x Value = none
		given = given[1:]
		if len(given) > 0 {
			if _, isFormat := given[0].(python.Str); !isFormat {
				x, y, given = y, given[0], given[1:]
			}
		}
		k := figure.Mark{Kind: figure.Line, Style: "-", Width: 1.5}
		if len(given) > 0 {
			if text, ok := given[0].(python.Str); ok {
				applyFormat(m, &k, string(text))
				given = given[1:]
			}
		}
		xs := plotColumns(m, x, &ax.X)
		for i, column := range plotColumns(m, y, &ax.Y) {
			line := k
			line.Y = column
			if len(xs) > 0 {
				line.X = xs[min(i, len(xs)-1)]
			} else {
				line.X = countTo(len(column))
			}
			sameLength(line.X, line.Y)
			lines.Items = append(lines.Items, ax.draw(m, line, a))
		}
	}
	return lines
}

func countTo(n int) figure.Numbers {
	out := make(figure.Numbers, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

func sameLength(x, y figure.Numbers) {
	if len(x) != len(y) {
		raise("ValueError", "x and y must have same first dimension, but have shapes (%d,) and (%d,)", len(x), len(y))
	}
}

// pointsOf are the first two arguments as numbers of one length.
func (ax *plotAxes) pointsOf(m *machine, a arguments, x, y string) (xs, ys figure.Numbers) {
	xs = plotNumbers(m, a.parameter(1, x, none), &ax.X)
	ys = plotNumbers(m, a.parameter(2, y, none), &ax.Y)
	if len(ys) == 1 && len(xs) > 1 { // one height for all bars
		ys = slices.Repeat(ys, len(xs))
	}
	if len(xs) != len(ys) {
		raise("ValueError", "x and y must be the same size")
	}
	return xs, ys
}

// without is the arguments without some keywords, which the caller has read.
func (a arguments) without(names ...string) arguments {
	a.keywords = slices.DeleteFunc(slices.Clone(a.keywords),
		func(k keyword) bool { return slices.Contains(names, k.name) })
	return a
}

// drawScatter is scatter(x, y, s, c, …).
func drawScatter(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	k := figure.Mark{Kind: figure.Scatter, Marker: "o"}
	k.X, k.Y = ax.pointsOf(m, a, "x", "y")
	if sizes := a.parameter(3, "s", none); sizes != none {
		k.Sizes = plotNumbers(m, sizes, nil)
	}
	if c := a.parameter(4, "c", none); c != none {
		if values, ok := valuesToColor(m, c, len(k.X)); ok {
			k.Colors = mappedColors(m, values, a)
		} else {
			k.Color, k.Colors = colorsOf(m, c)
		}
	}
	return ax.draw(m, k, a.without("x", "y", "s", "c", "cmap", "vmin", "vmax"))
}

// valuesToColor are n numbers that a colormap is to color.
func valuesToColor(m *machine, v Value, n int) (figure.Numbers, bool) {
	if _, isName := v.(python.Str); isName {
		return nil, false
	}
	if _, isTensor := arrayOf(m, v); isTensor {
		return plotNumbers(m, v, nil), true
	}
	values, ok := floatsIn(m, m.itemsOf(v))
	return values, ok && len(values) == n
}

// mappedColors are the colors of numbers, by the keywords cmap, vmin and vmax.
func mappedColors(m *machine, values figure.Numbers, a arguments) []string {
	image := figure.Image{Rows: 1, Columns: len(values), Channels: 1, Values: values}
	scaleImage(m, &image, a)
	out := make([]string, len(values))
	for i := range values {
		c := image.At(0, i)
		out[i] = figure.RGB(float64(c.R)/255, float64(c.G)/255, float64(c.B)/255)
	}
	return out
}

// drawBars is bar(x, height, width, bottom) or barh(y, width, height, left).
func drawBars(kind figure.Kind) method {
	position, length, thickness, base, axis := "x", "height", "width", "bottom", axisX
	if kind == figure.SideBars {
		position, length, thickness, base, axis = "y", "width", "height", "left", axisY
	}
	return func(m *machine, a arguments) Value {
		ax := native[*plotAxes](a)
		k := figure.Mark{Kind: kind, Width: m.floatOf(a.parameter(3, thickness, python.Float(0.8)))}
		k.X = plotNumbers(m, a.parameter(1, position, none), axis(ax.Axes))
		k.Y = plotNumbers(m, a.parameter(2, length, none), nil)
		if len(k.Y) == 1 {
			k.Y = slices.Repeat(k.Y, len(k.X))
		}
		if len(k.X) != len(k.Y) {
			raise("ValueError", "shape mismatch: objects cannot be broadcast to a single shape.  "+
				"Mismatch is between arg 0 with shape (%d,) and arg 1 with shape (%d,).", len(k.X), len(k.Y))
		}
		k.Base = make(figure.Numbers, len(k.X))
		if v := a.parameter(4, base, none); v != none {
			bases := plotNumbers(m, v, nil)
			for i := range k.Base {
				k.Base[i] = bases[min(i, len(bases)-1)]
			}
		}
		return ax.draw(m, k, a.without(position, length, thickness, base, "xerr", "yerr", "tick_label"))
	}
}

// labelBars is bar_label(bars, labels): the heights, or the labels, over the bars.
func labelBars(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	of, ok := a.parameter(1, "container", none).(*Instance)
	if !ok {
		raise("TypeError", "bar_label() takes what bar() returned")
	}
	bars, ok := of.native.(*artist)
	if !ok || bars.mark().Base == nil {
		raise("TypeError", "bar_label() takes what bar() returned")
	}
	var labels []Value
	if v := a.parameter(2, "labels", none); v != none {
		labels = m.itemsOf(v)
	}
	k := *bars.mark()
	for i := range k.X {
		text := general(python.Float(k.Y[i]))
		if i < len(labels) {
			text = m.strOf(labels[i])
		}
		x, y := k.X[i], k.Base[i]+k.Y[i]
		if k.Kind == figure.SideBars {
			x, y = y, x
		}
		ax.Marks = append(ax.Marks, figure.Mark{Kind: figure.Text, X: figure.Numbers{x}, Y: figure.Numbers{y},
			Text: text, Alpha: 1})
	}
	return none
}

// drawHistogram is hist(x, bins, range): the counts, the edges, and the bars.
func drawHistogram(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	values := plotNumbers(m, a.parameter(1, "x", none), nil)
	low, high := bounds(values)
	if v := a.parameter(3, "range", none); v != none {
		ends := m.itemsOf(v)
		if len(ends) != 2 {
			raise("ValueError", "range must have two numbers, not %d", len(ends))
		}
		low, high = m.floatOf(ends[0]), m.floatOf(ends[1])
	}
	edges := figure.Numbers{}
	switch bins := plain(a.parameter(2, "bins", intValue(10))).(type) {
	case python.Int:
		n := int(asIndex(bins))
		if n < 1 || n > 100_000 {
			limit("ValueError", "a histogram has 1 to 100000 bins, not %d", n)
		}
		if low == high {
			low, high = low-0.5, high+0.5
		}
		for i := range n + 1 {
			edges = append(edges, low+(high-low)*float64(i)/float64(n))
		}
	default:
		edges = plotNumbers(m, bins, nil)
	}
	k := figure.Mark{Kind: figure.Bars}
	for i := range len(edges) - 1 {
		k.X, k.Width = append(k.X, (edges[i]+edges[i+1])/2), edges[i+1]-edges[i]
	}
	k.Y, k.Base = make(figure.Numbers, len(k.X)), make(figure.Numbers, len(k.X))
	for _, v := range values {
		for i := range k.Y { // the last bin has its upper edge
			if v >= edges[i] && (v < edges[i+1] || i == len(k.Y)-1 && v == edges[i+1]) {
				k.Y[i]++
			}
		}
	}
	m.budget.chargeItems(len(values) * len(k.Y) / 8)
	bars := ax.draw(m, k, a.without("x", "bins", "range"))
	return Tuple{&List{floatValues(k.Y)}, &List{floatValues(edges)}, bars}
}

// drawErrorBars is errorbar(x, y, yerr): a line, and a band as wide as the errors.
func drawErrorBars(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	k := figure.Mark{Kind: figure.Line, Style: "-", Width: 1.5}
	k.X, k.Y = ax.pointsOf(m, a, "x", "y")
	if text, ok := a.take("fmt"); ok {
		applyFormat(m, &k, m.strOf(text))
	}
	errors := a.parameter(3, "yerr", none)
	line := ax.draw(m, k, a.without("x", "y", "yerr", "xerr", "fmt"))
	if errors != none {
		band := *line.(*Instance).native.(*artist).mark()
		e := plotNumbers(m, errors, nil)
		band.Kind, band.Label, band.Alpha, band.Y, band.Base = figure.Band, "", 0.2, nil, nil
		for i, y := range k.Y {
			err := e[min(i, len(e)-1)]
			band.Y, band.Base = append(band.Y, y+err), append(band.Base, y-err)
		}
		ax.Marks = append(ax.Marks, band)
	}
	return line
}

// drawBand is fill_between(x, y1, y2).
func drawBand(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	k := figure.Mark{Kind: figure.Band}
	k.X, k.Y = ax.pointsOf(m, a, "x", "y1")
	k.Base = plotNumbers(m, a.parameter(3, "y2", intValue(0)), nil)
	if len(k.Base) == 1 {
		k.Base = slices.Repeat(k.Base, len(k.X))
	}
	sameLength(k.X, k.Base)
	return ax.draw(m, k, a.without("x", "y1", "y2"))
}

// drawRule is axhline(y) or axvline(x).
func drawRule(kind figure.Kind) method {
	name := map[figure.Kind]string{figure.Horizontal: "y", figure.Vertical: "x"}[kind]
	return func(m *machine, a arguments) Value {
		at := figure.Numbers{m.floatOf(a.parameter(1, name, intValue(0)))}
		k := figure.Mark{Kind: kind, Style: "-", Width: 1.5, X: at}
		if kind == figure.Horizontal {
			k.X, k.Y = nil, at
		}
		return native[*plotAxes](a).draw(m, k, a.without("x", "y", "xmin", "xmax", "ymin", "ymax"))
	}
}

// drawText is text(x, y, s).
func drawText(m *machine, a arguments) Value {
	k := figure.Mark{Kind: figure.Text, X: figure.Numbers{m.floatOf(a.parameter(1, "x", none))},
		Y: figure.Numbers{m.floatOf(a.parameter(2, "y", none))}, Text: m.strOf(a.parameter(3, "s", none))}
	return native[*plotAxes](a).draw(m, k, a.without("x", "y", "s"))
}

// drawAnnotation is annotate(text, xy, xytext): the text, at xytext if that is given.
func drawAnnotation(m *machine, a arguments) Value {
	place := m.itemsOf(given(a.parameter(3, "xytext", none), a.parameter(2, "xy", none)))
	if len(place) != 2 {
		raise("ValueError", "not enough values to unpack (expected 2, got %d)", len(place))
	}
	k := figure.Mark{Kind: figure.Text, X: figure.Numbers{m.floatOf(place[0])}, Y: figure.Numbers{m.floatOf(place[1])},
		Text: m.strOf(a.parameter(1, "text", none))}
	return native[*plotAxes](a).draw(m, k, a.without("text", "xy", "xytext"))
}

// showLegend is legend(), or legend(labels) and legend(handles, labels).
func showLegend(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	ax.Legend = true
	labels := a.parameter(len(a.positional)-1, "labels", none)
	if len(a.positional) == 1 {
		labels = a.parameter(1, "labels", none)
	}
	if labels == none {
		return none
	}
	at := 0
	for _, v := range m.itemsOf(labels) {
		for at < len(ax.Marks) && slices.Contains([]figure.Kind{figure.Text, figure.Picture}, ax.Marks[at].Kind) {
			at++
		}
		if at < len(ax.Marks) {
			ax.Marks[at].Label = m.strOf(v)
		}
		at++
	}
	return none
}

// showGrid is grid(): on, off, or changed.
func showGrid(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	switch visible := a.parameter(1, "visible", none); {
	case visible != none:
		ax.Grid = m.truthOf(visible)
	case len(a.keywords) > 0:
		ax.Grid = true
	default:
		ax.Grid = !ax.Grid
	}
	return none
}

// setAxis is axis("off"), axis("equal") and their like, and axis([left, right, bottom, top]).
func setAxis(m *machine, a arguments) Value {
	ax := native[*plotAxes](a)
	switch v := a.parameter(1, "arg", none).(type) {
	case python.Str:
		switch v {
		case "off", "on":
			ax.Hidden = v == "off"
		case "equal", "scaled", "square", "image":
			ax.Equal = true
		case "auto", "tight":
			ax.Equal = false
		default:
			raise("ValueError", "Unrecognized string %s to axis; try 'on' or 'off'", m.reprOf(v))
		}
	case python.Bool:
		ax.Hidden = !bool(v)
	case *List, Tuple:
		n := plotNumbers(m, v, nil)
		if len(n) != 4 {
			raise("TypeError", "the first argument to axis() must be an iterable of the form [xmin, xmax, ymin, ymax]")
		}
		ax.X.Low, ax.X.High, ax.Y.Low, ax.Y.High = &n[0], &n[1], &n[2], &n[3]
	}
	return none
}

// setText is a method that sets one of the texts of axes.
func setText(of func(*figure.Axes) *string) method {
	return func(m *machine, a arguments) Value {
		if len(a.positional) < 2 && len(a.keywords) == 0 {
			raise("TypeError", "missing 1 required positional argument: 'label'")
		}
		text := a.parameter(1, "label", none)
		if text == none {
			text, _ = a.take("xlabel")
		}
		if text == nil {
			text, _ = a.take("ylabel")
		}
		if text == nil {
			return none
		}
		*of(native[*plotAxes](a).Axes) = m.strOf(text)
		return none
	}
}

func axisX(ax *figure.Axes) *figure.Axis { return &ax.X }
func axisY(ax *figure.Axes) *figure.Axis { return &ax.Y }

func axisNamed(name rune) func(*figure.Axes) *figure.Axis {
	if name == 'x' {
		return axisX
	}
	return axisY
}

// setScale is set_xscale("log", base=2) and its like.
func setScale(of func(*figure.Axes) *figure.Axis) method {
	return func(m *machine, a arguments) Value {
		base, given := a.take("base")
		if !given {
			base = intValue(10)
		}
		axis := of(native[*plotAxes](a).Axes)
		switch name := m.strOf(a.parameter(1, "value", none)); name {
		case "linear":
			axis.Base = 0
		case "log":
			axis.Base = m.floatOf(base)
		case "symlog", "logit", "asinh":
			lack("NotImplementedError", "scale "+name, []string{"log", "linear"})
		default:
			raise("ValueError", "%s is not a valid value for scale; supported values are 'linear', 'log', 'symlog', "+
				"'asinh', 'logit'", python.Repr(python.Str(name)))
		}
		return none
	}
}

// setLimits is set_xlim(left, right), set_xlim((left, right)), and the same by keywords.
func setLimits(of func(*figure.Axes) *figure.Axis, low, high, oldLow, oldHigh string) method {
	return func(m *machine, a arguments) Value {
		axis, ends := of(native[*plotAxes](a).Axes), [2]Value{none, none}
		copy(ends[:], a.positional[1:])
		if pair, ok := ends[0].(Tuple); ok && len(pair) == 2 {
			ends = [2]Value{pair[0], pair[1]}
		} else if list, ok := ends[0].(*List); ok && len(list.Items) == 2 {
			ends = [2]Value{list.Items[0], list.Items[1]}
		}
		for _, k := range a.keywords {
			switch k.name {
			case low, oldLow:
				ends[0] = k.value
			case high, oldHigh:
				ends[1] = k.value
			}
		}
		for i, end := range []**float64{&axis.Low, &axis.High} {
			if ends[i] != none {
				f := m.floatOf(ends[i])
				*end = &f
			}
		}
		return none
	}
}

// limits are the ends of an axis, of its marks where none were set.
func (ax *plotAxes) limits(of func(*figure.Axes) *figure.Axis) (low, high *float64) {
	axis := of(ax.Axes)
	var all figure.Numbers
	for _, k := range ax.Marks {
		if axis == &ax.X {
			all = append(all, k.X...)
		} else {
			all = append(all, k.Y...)
		}
	}
	l, h := bounds(all)
	low, high = axis.Low, axis.High
	if low == nil {
		low = &l
	}
	if high == nil {
		high = &h
	}
	return low, high
}

func getLimits(of func(*figure.Axes) *figure.Axis) method {
	return func(_ *machine, a arguments) Value {
		low, high := native[*plotAxes](a).limits(of)
		return Tuple{python.Float(*low), python.Float(*high)}
	}
}

// setTicks is set_xticks(ticks, labels) or xticks of the same.
func setTicks(of func(*figure.Axes) *figure.Axis) method {
	return func(m *machine, a arguments) Value {
		axis := of(native[*plotAxes](a).Axes)
		if ticks := a.parameter(1, "ticks", none); ticks != none {
			axis.Ticks, axis.Names = append(figure.Numbers{}, plotNumbers(m, ticks, nil)...), nil
		}
		if labels := a.parameter(2, "labels", none); labels != none {
			axis.Names = textsOf(m, labels)
		}
		return none
	}
}

func setTickNames(of func(*figure.Axes) *figure.Axis) method {
	return func(m *machine, a arguments) Value {
		of(native[*plotAxes](a).Axes).Names = textsOf(m, a.parameter(1, "labels", none))
		return none
	}
}

// setProperties is set(title=…, xlabel=…, …): each is a method's argument.
func setProperties(m *machine, a arguments) Value {
	for _, k := range a.keywords {
		f, ok := axesMethods["set_"+k.name]
		if !ok {
			raise("AttributeError", "Axes.set() got an unexpected keyword argument '%s'", k.name)
		}
		f(m, arguments{positional: []Value{a.positional[0], k.value}})
	}
	return none
}

// bounds are the least and the greatest of numbers that are finite; 0 and 1 where there are none.
func bounds(values figure.Numbers) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return 0, 1
	}
	return low, high
}
