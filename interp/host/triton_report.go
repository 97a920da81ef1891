package host

import (
	"math"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/figure"
)

// benchmarkParams are the parameters of triton.testing.Benchmark with their defaults.
var benchmarkParams = []keyword{
	{"x_names", nil}, {"x_vals", nil}, {"line_arg", nil}, {"line_vals", nil}, {"line_names", nil}, {"plot_name", nil},
	{"args", nil}, {"xlabel", python.Str("")}, {"ylabel", python.Str("")}, {"x_log", python.Bool(false)},
	{"y_log", python.Bool(false)}, {"styles", none},
}

// benchmarkClass is triton.testing.Benchmark: which arguments a function is to be measured with, and how to draw that.
var benchmarkClass = &Class{Name: "Benchmark", shared: true, attrs: namesOf(map[string]Value{
	"__init__": &Builtin{"__init__", func(m *machine, a arguments) Value {
		object := a.positional[0].(*Instance)
		fields := bindParams("Benchmark.__init__", arguments{a.positional[1:], a.keywords}, benchmarkParams...)
		for name, v := range fields {
			object.attrs.put(name, v)
		}
		return none
	}},
})}

// mark is a function under triton.testing.perf_report.
type mark struct {
	function   Value
	benchmarks Value // a Benchmark or a list of them
}

// Type is the name of Triton's class.
func (*mark) Type() string { return "Mark" }

func perfReport(_ *machine, a arguments) Value {
	benchmarks := bindParams("perf_report", a, keyword{"benchmarks", nil})["benchmarks"]
	return &Builtin{"wrapper", func(_ *machine, a arguments) Value {
		a.want("wrapper", 1, 1)
		return &mark{a.positional[0], benchmarks}
	}}
}

func (k *mark) attr(_ *machine, name string) (Value, bool) {
	v, ok := map[string]Value{"fn": k.function, "benchmarks": k.benchmarks,
		"run": &Builtin{"run", k.run}}[name]
	return v, ok
}

// runParams are the parameters of Mark.run; other keywords go to the function.
var runParams = []keyword{{"show_plots", python.Bool(false)}, {"print_data", python.Bool(false)},
	{"save_path", python.Str("")}, {"return_df", python.Bool(false)}, {"diff_col", python.Bool(false)},
	{"save_precision", intValue(6)}}

// run measures, prints the tables and shows the figures.
func (k *mark) run(m *machine, a arguments) Value {
	p := map[string]Value{}
	for i, param := range runParams {
		if i >= 4 && i < len(a.positional) {
			raise("TypeError", "Mark.run() takes from 1 to 5 positional arguments but %d were given",
				len(a.positional)+1)
		}
		p[param.name] = a.parameter(i, param.name, param.value)
		a.take(param.name)
	}
	one, single := k.benchmarks.(*Instance)
	list := []Value{one}
	if !single {
		list = m.itemsOf(k.benchmarks)
	}
	tables := &List{}
	for _, v := range list {
		b, ok := v.(*Instance)
		if !ok || !b.class.inherits(benchmarkClass) {
			raise("AttributeError", "'%s' object has no attribute 'line_names'", v.Type())
		}
		tables.Items = append(tables.Items, k.measure(m, b, a.keywords, p))
	}
	switch {
	case !m.truthOf(p["return_df"]):
		return none
	case single:
		return tables.Items[0]
	}
	return tables
}

// measure runs one benchmark: the function for every x and every line.
func (k *mark) measure(m *machine, b *Instance, more []keyword, p map[string]Value) Value {
	xNames, lines := m.itemsOf(b.attrs.at("x_names")), m.itemsOf(b.attrs.at("line_vals"))
	names := m.itemsOf(b.attrs.at("line_names"))
	columns := textsOf(m, b.attrs.at("x_names"))
	unit := " (" + m.strOf(b.attrs.at("ylabel")) + ")" // in parentheses even where there is none, as Triton has it
	for _, suffix := range []string{unit, "-min", "-max"} {
		for _, name := range names {
			columns = append(columns, m.strOf(name)+suffix)
		}
	}
	table := &dataFrame{columns: columns}
	points, number, began := m.itemsOf(b.attrs.at("x_vals")), 0, time.Now()
	total := len(points) * len(lines)
sweep:
	for _, x := range points {
		xs := xValues(m, x, len(xNames))
		call := arguments{}
		for i, name := range xNames {
			call.keywords = append(call.keywords, keyword{m.strOf(name), xs[i]})
		}
		results := [3][]Value{}
		for i, line := range lines {
			at := SweepPoint{m.strOf(b.attrs.at("plot_name")), number + 1, total, time.Since(began)}
			if ask := m.options.Sweeping; ask != nil && !ask(at) {
				// The table has whole rows: a point with a part of its lines is left out.
				left := total - len(table.rows)*len(lines)
				m.said.Add(advice(diag.New("sweep-ended", m.at, at.Name, left, total)))
				break sweep
			}
			m.clock.compiled = nil
			provider := keyword{m.strOf(b.attrs.at("line_arg")), line}
			a := arguments{keywords: append(slices.Clone(call.keywords), provider)}
			if args, ok := b.attrs.at("args").(*Dict); ok {
				args.each(func(name, v Value) { a.keywords = append(a.keywords, keyword{m.strOf(name), v}) })
			}
			a.keywords = append(a.keywords, more...)
			measured := meanMinMax(m, m.callValue(k.function, a))
			for j, v := range measured {
				results[j] = append(results[j], v)
			}
			number++
			reportMeasurement(m, Measurement{Name: m.strOf(b.attrs.at("plot_name")),
				Label: pointLabel(m, names, i, call.keywords), Number: number,
				Total: total, Value: firstFloat(m, measured[0])})
		}
		table.append(slices.Concat(xs, results[0], results[1], results[2]))
	}
	return k.report(m, b, table, len(xNames), p)
}

// pointLabel names a line's value at a point: "Triton, N=1024".
func pointLabel(m *machine, names []Value, line int, point []keyword) string {
	var words []string
	if line < len(names) {
		words = append(words, m.strOf(names[line]))
	}
	for _, k := range point {
		words = append(words, k.name+"="+m.reprOf(k.value))
	}
	return strings.Join(words, ", ")
}

// xValues are the values of n x arguments at one point: a sequence of n, or one value for all.
func xValues(m *machine, x Value, n int) []Value {
	var xs []Value
	switch x.(type) {
	case *List, Tuple:
		xs = m.itemsOf(x)
	default:
		xs = slices.Repeat([]Value{x}, n)
	}
	if len(xs) != n {
		raise("ValueError", "Expected %d values, got %s", n, m.reprOf(x))
	}
	return xs
}

// meanMinMax is what a benchmarked function returned: three numbers, or one without a spread.
func meanMinMax(m *machine, v Value) [3]Value {
	switch v.(type) {
	case *List, Tuple:
		items := m.itemsOf(v)
		if len(items) != 3 {
			raise("ValueError", "not enough values to unpack (expected 3, got %d)", len(items))
		}
		return [3]Value{plain(items[0]), plain(items[1]), plain(items[2])}
	}
	return [3]Value{plain(v), none, none}
}

// report shows and prints what was measured.
func (k *mark) report(m *machine, b *Instance, table *dataFrame, xs int, p map[string]Value) Value {
	name, folder := m.strOf(b.attrs.at("plot_name")), m.strOf(p["save_path"])
	if show := m.truthOf(p["show_plots"]); name != "" && (show || folder != "") {
		f := reportFigure(m, b, table, xs)
		if folder != "" {
			writeFigure(m, f, path.Join(folder, name+".png"))
		}
		showFigure(m, f)
	}
	shown := table.first(xs + len(m.itemsOf(b.attrs.at("line_names"))))
	if m.truthOf(p["diff_col"]) && len(shown.columns) == 2 {
		shown.columns = append(shown.columns, "Diff")
		for i, row := range shown.rows {
			shown.rows[i] = append(slices.Clone(row), m.binaryOp("-", row[1], row[0]))
		}
	}
	if m.truthOf(p["print_data"]) {
		printTo(m, nil, name+":\n"+shown.text()+"\n")
	}
	if folder != "" {
		m.files.writeText(path.Join(folder, name+".csv"), shown.csv(int(asIndex(p["save_precision"]))))
	}
	return shown
}

// reportFigure draws a benchmark: a line for each of line_names over the first of x_names, with a band from the least
// to the greatest value where the function gives them.
func reportFigure(m *machine, b *Instance, table *dataFrame, xs int) *figure.Figure {
	of := func(name string) Value { return b.attrs.at(name) }
	ax := &figure.Axes{Legend: true}
	ax.X.Label, ax.Y.Label = m.strOf(of("xlabel")), m.strOf(of("ylabel"))
	if ax.X.Label == "" {
		ax.X.Label = table.columns[0]
	}
	for axis, log := range map[*figure.Axis]string{&ax.X: "x_log", &ax.Y: "y_log"} {
		if m.truthOf(of(log)) {
			axis.Base = 10
		}
	}
	x := plotNumbers(m, &List{table.column(0)}, &ax.X)
	names := textsOf(m, of("line_names"))
	var styles []Value
	if v := of("styles"); v != none {
		styles = m.itemsOf(v)
	}
	for i, name := range names {
		column := func(block int) figure.Numbers {
			return plotNumbers(m, &List{table.column(xs + block*len(names) + i)}, nil)
		}
		line := figure.Mark{Kind: figure.Line, Label: name, X: x, Y: column(0), Cycle: i, Style: "-", Width: 1.5,
			Alpha: 1}
		if i < len(styles) {
			styleLine(m, &line, styles[i])
		}
		if low, high := column(1), column(2); !allNaN(low) && !allNaN(high) {
			ax.Marks = append(ax.Marks, figure.Mark{Kind: figure.Band, X: x, Y: high, Base: low, Color: line.Color,
				Cycle: i, Alpha: 0.15})
		}
		ax.Marks = append(ax.Marks, line)
	}
	return &figure.Figure{Title: m.strOf(of("plot_name")), Width: plotWidth, Height: plotHeight, Rows: 1, Columns: 1,
		Axes: []*figure.Axes{ax}}
}

// styleLine applies one of a Benchmark's styles: a color and a line style, either of which may be None.
func styleLine(m *machine, k *figure.Mark, style Value) {
	for i, v := range m.itemsOf(style) {
		switch {
		case v == none:
		case i == 0:
			k.Color, _ = colorsOf(m, v)
		default:
			k.Style = lineStyle(m.strOf(v))
		}
	}
}

func allNaN(list figure.Numbers) bool {
	return !slices.ContainsFunc(list, func(f float64) bool { return !math.IsNaN(f) })
}
