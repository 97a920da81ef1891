package host

import (
	"fmt"
	"path"
	"strings"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// RunTests runs the tests of the document, which has run, as pytest -q does: functions test…, classes Test…, with their
// fixtures and marks. The status is pytest's: 0, 1 after a failure, 5 where there are no tests.
func (s *Session) RunTests() (out Outcome) {
	m := s.m
	m.budget.reset()
	return m.runOutcome(func() {
		if n, _ := python.AsInt(m.runTests()); m.truthOf(n) {
			small, _ := n.Int64()
			out.Status, out.Exited = int(small), true
		}
	}, &out)
}

// runTests runs tests by the words of pytest's command line and gives its exit code: the document's where no other
// paths are named.
func (m *machine) runTests(words ...Value) Value {
	runner := m.modules.mustModule("_pytest")
	defer func(before func(*frame, *syntax.Assert)) { m.explain = before }(m.explain)
	m.explain = assertExplainer(m.attrOf(runner, "differences"))
	begin := func(m *machine, _ arguments) Value { m.budget.reset(); return none }
	conftests := func(m *machine, _ arguments) Value {
		m.loadConftests()
		return &List{Items: m.conftests}
	}
	return m.callWith(m.attrOf(runner, "main"), newBuiltin("", "places(exception)", placesOf),
		newBuiltin("", "begin()", begin), python.Str(m.document), newBuiltin("", "conftests()", conftests),
		&List{Items: words})
}

// pytestFunctions are those that prelude/pytest.py stands on.
func pytestFunctions() map[string]method {
	return map[string]method{"main(args=(), plugins=None)": func(m *machine, a arguments) Value {
		words := a.positional[0]
		if text, ok := words.(python.Str); ok {
			words = Tuple{text}
		}
		return m.runTests(m.itemsOf(words)...)
	}}
}

// LoadConftests runs the module conftest of each folder around the document, the outermost first, as pytest does before
// it imports the tests.
func (s *Session) LoadConftests() (out Outcome) {
	s.m.budget.reset()
	return s.m.runOutcome(s.m.loadConftests, &out)
}

func (m *machine) loadConftests() {
	if m.conftests != nil {
		return
	}
	m.conftests = []Value{}
	folder, pkg := m.options.Folder, m.options.Package
	for folder != path.Dir(folder) {
		name := strings.TrimPrefix(pkg+".conftest", ".")
		file := path.Join(folder, "conftest.py")
		if m.files.hasFile(file) {
			if l, hasPath := m.modules.libraryNamed("sys"); hasPath && pkg == "" {
				if list, ok := l.members["path"].(*List); ok { // its modules are found from there
					list.Items = append([]Value{python.Str(folder)}, list.Items...)
				}
			}
			n, _ := m.modules.loadModule(name, file)
			m.conftests = append([]Value{n}, m.conftests...)
		}
		pkg, _, _ = cutLast(pkg)
		folder = path.Dir(folder)
	}
}

// placesOf lists the frames of an exception, outermost first: file, function, line, column, last line and its column,
// and the file's text. Lines count from 1, columns from 0.
func placesOf(m *machine, a arguments) Value {
	out := &List{}
	e, ok := a.positional[0].(*Exception)
	if !ok {
		return out
	}
	for _, l := range e.frames() {
		file := m.sources.File(l.at)
		start, end := file.Position(l.at.Start), file.Position(l.at.End)
		out.Items = append(out.Items, Tuple{python.Str(file.Name), python.Str(l.title), intValue(start.Line),
			intValue(start.Column - 1), intValue(end.Line), intValue(end.Column - 1), python.Str(file.Text)})
	}
	return out
}

// assertExplainer runs assert statements as pytest rewrites them: what fails says which values it has compared.
// differences is a Python function of an operator and its operands, which gives the lines that follow a comparison.
func assertExplainer(differences Value) func(f *frame, s *syntax.Assert) {
	return func(f *frame, s *syntax.Assert) {
		x := &assertion{f, differences}
		v, said := x.eval(s.Test)
		if f.m.truthOf(v) {
			return
		}
		text := "assert " + said().String()
		if s.Msg != nil {
			text = f.m.strOf(f.evalExpr(s.Msg)) + "\n" + text
		}
		e := newException(exceptions["AssertionError"])
		e.args = Tuple{python.Str(text)}
		panic(&raised{exception: e, span: s.Span(), placed: true, at: s.Span()})
	}
}

// assertion evaluates the test of one assert statement.
type assertion struct {
	f           *frame
	differences Value
}

// explanation is how an expression came to its value: the expression with the values in it, and where they are from.
type explanation struct {
	text  string
	where []explanation
}

// String is the explanation in pytest's form, a line for each place that a value is from.
func (e explanation) String() string {
	var b strings.Builder
	b.WriteString(e.text)
	var list func(where []explanation, indent string)
	list = func(where []explanation, indent string) {
		for i, w := range where {
			word := "where"
			if i > 0 {
				word = "and  "
			}
			fmt.Fprintf(&b, "\n +%s%s %s", indent, word, w.text)
			list(w.where, indent+"  ")
		}
	}
	list(e.where, "  ")
	return b.String()
}

// eval computes an expression, each part once. said explains the value, and is only called where the assertion fails.
func (x *assertion) eval(e syntax.Expr) (v Value, said func() explanation) {
	f, m := x.f, x.f.m
	switch e := e.(type) {
	case *syntax.Compare:
		return x.compare(e)
	case *syntax.BoolOp:
		var parts []func() explanation
		for _, operand := range e.Values {
			v, said = x.eval(operand)
			parts = append(parts, said)
			if m.truthOf(v) == (e.Op == "or") {
				break
			}
		}
		return v, func() (all explanation) {
			texts := make([]string, len(parts))
			for i, part := range parts {
				p := part()
				texts[i], all.where = p.text, append(all.where, p.where...)
			}
			all.text = "(" + strings.Join(texts, " "+e.Op+" ") + ")"
			return all
		}
	case *syntax.UnaryOp:
		if e.Op == "not" {
			operand, inner := x.eval(e.Operand)
			return python.Bool(!m.truthOf(operand)), func() explanation {
				i := inner()
				return explanation{"not " + i.text, i.where}
			}
		}
	case *syntax.Call:
		callee := f.evalExpr(e.Func)
		a := f.compilation().arguments(e)(f)
		v = m.callAt(e.Span(), callee, a)
		return v, func() explanation { return x.from(v, f.unit.file.Slice(e.Func.Span())+x.argumentsText(a), nil) }
	case *syntax.Attribute:
		object, inner := x.eval(e.Value)
		m.at = e.Span()
		v = m.attrOf(object, e.Attr)
		return v, func() explanation { i := inner(); return x.from(v, i.text+"."+e.Attr, i.where) }
	case *syntax.Name:
		v = f.evalExpr(e)
		return v, func() explanation {
			if _, named := m.findAttr(v, "__name__"); named {
				return explanation{text: e.ID}
			}
			return explanation{text: x.short(v)}
		}
	}
	v = f.evalExpr(e)
	return v, func() explanation { return explanation{text: x.short(v)} }
}

// from explains a value by the text that it comes from.
func (x *assertion) from(v Value, text string, where []explanation) explanation {
	short := x.short(v)
	return explanation{short, []explanation{{short + " = " + text, where}}}
}

// compare computes a comparison; the explanation is about the pair that decides it.
func (x *assertion) compare(e *syntax.Compare) (v Value, said func() explanation) {
	m := x.f.m
	left, leftSaid := x.eval(e.Left)
	for i, op := range e.Ops {
		right, rightSaid := x.eval(e.Comparators[i])
		m.at = e.Span()
		v = m.compareValues(op, left, right)
		l, ls := left, leftSaid
		said = func() explanation {
			operands := arguments{positional: []Value{python.Str(op), l, right}}
			if lines := m.itemsOf(m.callValue(x.differences, operands)); len(lines) > 0 {
				text := x.short(l) + " " + op + " " + x.short(right)
				for _, line := range lines {
					text += "\n  " + m.strOf(line)
				}
				return explanation{text: text}
			}
			a, b := ls(), rightSaid()
			return explanation{a.text + " " + op + " " + b.text, append(a.where, b.where...)}
		}
		if i < len(e.Ops)-1 && !m.truthOf(v) {
			break
		}
		left, leftSaid = right, rightSaid
	}
	return v, said
}

func (x *assertion) argumentsText(a arguments) string {
	var texts []string
	for _, v := range a.positional {
		texts = append(texts, x.short(v))
	}
	for _, k := range a.keywords {
		texts = append(texts, k.name+"="+x.short(k.value))
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

// maxShort is how many characters of a value pytest shows.
const maxShort = 240

// short is the repr of a value on one line, its middle left out where it is long.
func (x *assertion) short(v Value) string {
	text := []rune(x.f.m.reprOf(v))
	if len(text) > maxShort {
		head := (maxShort - len("...")) / 2
		tail := maxShort - len("...") - head
		text = []rune(string(text[:head]) + "..." + string(text[len(text)-tail:]))
	}
	return strings.ReplaceAll(string(text), "\n", `\n`)
}

// isTestFile reports whether pytest looks for tests in a file, by its name.
func isTestFile(file string) bool {
	base := file[strings.LastIndexAny(file, `/\`)+1:]
	name, isPython := strings.CutSuffix(base, ".py")
	return isPython && (strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test"))
}

// HasTests reports whether a script is one of tests for pytest, by its name, and leaves it to pytest to run them.
func HasTests(file, text string) bool {
	if !isTestFile(file) {
		return false
	}
	tree, _ := syntax.Parse(source.NewFile(file, text))
	tests, runsThem := map[string]bool{}, false
	for _, s := range tree.Body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			tests[s.Name] = strings.HasPrefix(s.Name, "test")
		case *syntax.ClassDef:
			tests[s.Name] = strings.HasPrefix(s.Name, "Test")
		case *syntax.If, *syntax.ExprStmt, *syntax.For:
			syntax.Walk(s, func(n syntax.Node) bool {
				name, ok := n.(*syntax.Name)
				runsThem = runsThem || ok && (name.ID == "__name__" || tests[name.ID])
				return true
			})
		}
	}
	for _, is := range tests {
		if is {
			return !runsThem
		}
	}
	return false
}
