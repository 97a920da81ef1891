package host

import (
	"slices"

	"github.com/newtlab/newt/compiler/python"
)

// benchmarkParams are the parameters of triton.testing.Benchmark with their defaults.
var benchmarkParams = []keyword{
	{"x_names", nil}, {"x_vals", nil}, {"line_arg", nil}, {"line_vals", nil}, {"line_names", nil}, {"plot_name", nil},
	{"args", nil}, {"xlabel", python.Str("")}, {"ylabel", python.Str("")}, {"x_log", python.Bool(false)},
	{"y_log", python.Bool(false)}, {"styles", none},
}

// benchmarkClass is triton.testing.Benchmark: which arguments a function is to be measured with, and how to draw that.
var benchmarkClass = &Class{Name: "Benchmark", attrs: namesOf(map[string]Value{
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
			raise("TypeError", "Mark.run() takes from 1 to 5 positional arguments but %d were given", len(a.positional)+1)
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
	columns := m.textsOf(b.attrs.at("x_names"))
	unit := " (" + m.strOf(b.attrs.at("ylabel")) + ")" // in parentheses even where there is none, as Triton has it
	for _, suffix := range []string{unit, "-min", "-max"} {
		for _, name := range names {
			columns = append(columns, m.strOf(name)+suffix)
		}
	}
	table := &dataFrame{columns: columns}
	for _, x := range m.itemsOf(b.attrs.at("x_vals")) {
		xs := m.xValues(x, len(xNames))
		call := arguments{}
		for i, name := range xNames {
			call.keywords = append(call.keywords, keyword{m.strOf(name), xs[i]})
		}
		results := [3][]Value{}
		for _, line := range lines {
			a := arguments{keywords: append(slices.Clone(call.keywords), keyword{m.strOf(b.attrs.at("line_arg")), line})}
			if args, ok := b.attrs.at("args").(*Dict); ok {
				args.each(func(name, v Value) { a.keywords = append(a.keywords, keyword{m.strOf(name), v}) })
			}
			a.keywords = append(a.keywords, more...)
			for i, v := range m.meanMinMax(m.callValue(k.function, a)) {
				results[i] = append(results[i], v)
			}
		}
		table.append(slices.Concat(xs, results[0], results[1], results[2]))
	}
	return k.report(m, b, table, len(xNames), p)
}

// xValues are the values of n x arguments at one point: a sequence of n, or one value for all.
func (m *machine) xValues(x Value, n int) []Value {
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
func (m *machine) meanMinMax(v Value) [3]Value {
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
	name := m.strOf(b.attrs.at("plot_name"))
	if name != "" && (m.truthOf(p["show_plots"]) || m.truthOf(p["save_path"])) {
		m.writeText(m.options.Stderr, "newt draws no figures yet: the table of "+name+" has the values\n")
	}
	shown := table.first(xs + len(m.itemsOf(b.attrs.at("line_names"))))
	if m.truthOf(p["diff_col"]) && len(shown.columns) == 2 {
		shown.columns = append(shown.columns, "Diff")
		for i, row := range shown.rows {
			shown.rows[i] = append(slices.Clone(row), m.binaryOp("-", row[1], row[0]))
		}
	}
	if m.truthOf(p["print_data"]) {
		m.writeText(m.options.Stdout, name+":\n"+shown.text()+"\n")
	}
	return shown
}
