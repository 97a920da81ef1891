package syntax

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func parseText(text string) (*Module, diag.List) { return Parse(source.NewFile("t.py", text)) }

// TestGolden compares the trees of the sources in testdata with the dumps beside them, which were
// checked against Python's own ast module.
func TestGolden(t *testing.T) {
	sources, _ := filepath.Glob("testdata/*.py")
	if len(sources) < 5 {
		t.Fatalf("only %d sources", len(sources))
	}
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, list := parseText(string(text))
		for _, d := range list {
			t.Errorf("%s: %s %v at %v", path, d.Code, d.Args, m.File.Position(d.Primary.Span.Start))
		}
		got, golden := Dump(m), strings.TrimSuffix(path, ".py")+".ast"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range max(len(gotLines), len(wantLines)) {
			if i >= len(gotLines) || i >= len(wantLines) || gotLines[i] != wantLines[i] {
				t.Errorf("%s: line %d differs\n got  %s\n want %s", golden, i+1, line(gotLines, i), line(wantLines, i))
				break
			}
		}
		checkSpans(t, m)
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// checkSpans checks that each node lies in the file and in its parent, and is not empty unless bad.
func checkSpans(t *testing.T, m *Module) {
	t.Helper()
	var visit func(parent source.Span, n Node)
	visit = func(parent source.Span, n Node) {
		s := n.Span()
		if s.Start < parent.Start || s.End > parent.End || s.Start > s.End {
			t.Fatalf("%T %v is not inside %v: %q", n, s, parent, m.File.Slice(parent))
		}
		children(n, func(c Node) { visit(s, c) })
	}
	visit(m.Span(), m)
}

func TestSpans(t *testing.T) {
	for text, want := range map[string]string{
		"(a) + b":               "BinOp (a) + b; Name a; Name b",
		"f (a, *b, k=c)[1:, 2]": "Subscript f (a, *b, k=c)[1:, 2]; Call f (a, *b, k=c); Name f; Name a; Starred *b; Name b; Name c; Tuple 1:, 2; Slice 1:; Constant 1; Constant 2",
		"(a, b)":                "Tuple (a, b); Name a; Name b",
		"a.b":                   "Attribute a.b; Name a",
		"x, = y, z":             "Tuple x,; Name x; Tuple y, z; Name y; Name z",
		"f'{a!r:>{w}}é' 'b'":    "JoinedStr f'{a!r:>{w}}é' 'b'; FormattedValue {a!r:>{w}}; Name a; JoinedStr >{w}; Constant >; FormattedValue {w}; Name w; Constant é' 'b'",
		"not a < b":             "UnaryOp not a < b; Compare a < b; Name a; Name b",
		"(x for x in y)":        "Comp (x for x in y); Name x; Name x; Name y",
		"f(x for x in y)":       "Call f(x for x in y); Name f; Comp x for x in y; Name x; Name x; Name y",
	} {
		m, list := parseText(text)
		if len(list) > 0 {
			t.Errorf("%s: %s", text, list[0].Code)
		}
		var got []string
		Walk(m, func(n Node) bool {
			if e, ok := n.(Expr); ok {
				got = append(got, strings.TrimPrefix(fmt.Sprintf("%T ", e), "*syntax.")+m.File.Slice(e.Span()))
			}
			return true
		})
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s:\n got  %s\n want %s", text, s, want)
		}
	}
}

// TestString checks that expressions are written as they are here, and read back the same.
func TestString(t *testing.T) {
	for _, text := range []string{
		"a + b * c", "(a + b) * c", "a - (b - c)", "-x ** 2", "(-x) ** 2", "2 ** -1", "a ** b ** c", "(a ** b) ** c",
		"~-x", "a @ b",
		"not a == b", "(not a) == b", "a or b and not c", "(a or b) and c", "a < b <= c", "(a < b) < c",
		"a not in b", "a is not None",
		"x if a else y if b else z", "(x if a else y) if b else z", "lambda: 0", "lambda a, /, b=1, *c, d, **e: a",
		"lambda *, k: k", "lambda a, /: a",
		"f(a, *b, k=1, **c)", "x[1]", "x[1, 2]", "x[:, None]", "x[1:2:3, ...]", "x[a := 1]", "x[a,]", "(1).real",
		"1.5.real", "'a'.join(b)",
		"(a, b)[0]", "()", "a,", "[a, *b]", "{a, b}", "{}", "{a: b, **c}", "[x for x in y if z if w for v in x]",
		"{k: v for k, v in x}", "(x for x in y)",
		"f((x for x in y))", "'it\\'s\\n\\x00'", "b'\\x00\\xff'", "1e+22", "1e999", "0.1", "3.0j", "True", "None",
		"...", "f'a{x!r:>{w}}{{}}{y}'",
		"f'{(lambda: x)}'", "f'{x=}'", "f'{ {1} }'", "(yield)", "(yield x, y)", "(yield from x)", "(a := b, c)",
		"(await x).y", "await x ** 2", "f(a := 1)", "(*a, b)[0]", "(lambda: a)()", "(-1).x",
	} {
		m, list := parseText("def f():\n    " + text + "\n")
		if len(list) > 0 {
			t.Errorf("%s: %s %v", text, list[0].Code, list[0].Args)
			continue
		}
		e := m.Body[0].(*FunctionDef).Body[0].(*ExprStmt).Value
		got := String(e)
		again, list := parseText("async def f():\n    (" + got + ")\n")
		if len(list) > 0 {
			t.Errorf("%s becomes %s: %s", text, got, list[0].Code)
			continue
		}
		if d := Dump(again.Body[0].(*FunctionDef).Body[0].(*ExprStmt).Value); d != Dump(e) {
			t.Errorf("%s becomes %s\n got  %s\n want %s", text, got, d, Dump(e))
		}
		if outer := strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"); got != text && got != outer &&
			!strings.Contains(text, "{1}") {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}
