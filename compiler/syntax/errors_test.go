package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// summary is one diagnostic as "code@line:column".
func summary(m *Module, list diag.List) string {
	var out []string
	for _, d := range list {
		at := m.File.Position(d.Primary.Span.Start)
		out = append(out, fmt.Sprintf("%s@%d:%d", d.Code, at.Line, at.Column))
	}
	return strings.Join(out, " ")
}

// TestRecovery checks that each cause gives one diagnostic, at its place, and that what follows is read.
func TestRecovery(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"several errors", "x = 1 +\ny = = 2\nif z\n    w = 3\n",
			"expected-expression-at-end@1:8 expected-expression@2:5 missing-colon@3:5"},
		{"unclosed call", "x = f(1,\n      2\ny = 3\nz = )\n", "unclosed-bracket@2:8 unmatched-bracket@4:5"},
		{"unclosed before a keyword", "x = [1, 2,\nfor\nwhile x:\n    pass\n", "unclosed-bracket@2:4"},
		{"unclosed list, then assignment", "x = [1, 2,\ny = 3\n", "unclosed-bracket@1:11"},
		{"unclosed before a block", "def f(n):\n    x = g(n\n    if n == 3:  # why\n        y = f(x\n    else:\n        y = [1\n    for i in n:\n        z = = i\n",
			"unclosed-bracket@2:12 unclosed-bracket@4:16 unclosed-bracket@6:15 expected-expression@8:13"},
		{"comprehension over lines", "x = [i\nfor i in y\nif i]\nz = (1\nif x\nelse 2)\n", ""},
		{"unclosed def", "def f(a, b:\n    return a\nx = 1\n", "unclosed-bracket@1:12"},
		{"unclosed, then a decorator", "x = f(1\n@g\ndef h():\n    pass\n", "unclosed-bracket@1:8"},
		{"unclosed at the end", "x = f(1, [2", "unclosed-bracket@1:12"},
		{"string swallows a bracket", "print('a)\nx = 1\n", "unterminated-string@1:7"},
		{"triple quotes", "x = '''abc\ny\n", "unterminated-string@1:5"},
		{"missing colon, one line", "if x return\n", "missing-colon@1:5 outside-function@1:6"},
		{"missing colon after def", "def f(x)\n    return x\n", "missing-colon@1:9"},
		{"error in a header", "for i on y:\n    if i = 3:\n        pass\nelse:\n    pass\n",
			"expected-token@1:7 assign-in-condition@2:10"},
		{"elif after an error", "if (:\n    pass\nelif y = 1:\n    pass\n",
			"unclosed-bracket@1:6 assign-in-condition@3:8"},
		{"else if", "if x:\n    a\nelse if y:\n    b\nelse:\n    c\n", "else-if@3:1"},
		{"no block", "def f():\n\nx = 1\nclass A:\n", "expected-block@1:9 expected-block@4:9"},
		{"unexpected indent", "x = 1\n  y = 2\n  z = 3\nw = 4\n", "unexpected-indent@2:1"},
		{"bad dedent", "if x:\n    y\n  z\nw\n", "bad-dedent@3:1"},
		{"tabs", "if x:\n    a\n\tb\n", "mixed-indentation@3:1"},
		{"magics", "!pip install x\n%matplotlib inline\nx = 1\n  \n%%time\nf?\nif x:\n    !ls \\\n  more\ny = 2\n",
			"ipython-magic@1:1 ipython-magic@2:1 ipython-magic@5:1 ipython-magic@6:2 ipython-magic@8:5"},
		{"Chinese input method", "x = f（1，2）\nif x＝＝1：\n    y = “a”\n",
			"lookalike-character@1:6 lookalike-character@1:8 lookalike-character@1:10 lookalike-character@2:5 lookalike-character@2:8 lookalike-character@3:9"},
		{"C habits", "if a && !b || c:\n    i++\n    x--;\n",
			"c-operator@1:6 c-operator@1:9 c-operator@1:12 increment-operator@2:6 increment-operator@3:6"},
		{"Python 2", "print x, y\nprint 'a'; z = 1\n", "print-statement@1:1 print-statement@2:1"},
		{"match", "match x:\n    case 1:\n        a b\n    case [a, 1 +]:\n        pass\ny = = 1\n",
			"unexpected-token@3:11 expected-expression@4:17 expected-expression@6:5"},
		{"match cut short", "match x:\n    case (1:\n        a\n    else:\n        b\nmatch y:\n    case A(b=\n",
			"unclosed-bracket@3:10 unexpected-token@4:5 unclosed-bracket@7:14"},
		{"targets", "f(x) = 1\nx + 1 += 2\n(a, 1) = b\nfor 1 in x: pass\nNone = 1\nf() : int = 3\n",
			"bad-assign-target@1:1 bad-assign-target@2:1 bad-assign-target@3:5 bad-assign-target@4:5 bad-assign-target@5:1 unexpected-token@6:5"},
		{"parameters", "def f(a, a): pass\ndef g(a=1, b): pass\ndef h(*, **k): pass\ndef i(/, a): pass\ndef j(**k, a): pass\ndef k(*a, *b): pass\nlambda x, x: 0\n",
			"duplicate-parameter@1:10 default-order@2:12 bad-parameter-order@3:7 bad-parameter-order@4:7 bad-parameter-order@5:12 bad-parameter-order@6:11 duplicate-parameter@7:11"},
		{"arguments", "f(a=1, b)\nf(a=1, a=2)\nf(a b)\nf(**a, *b)\nf(a.b=1)\n",
			"positional-after-keyword@1:8 repeated-keyword@2:8 missing-comma@3:4 assign-in-expression@5:6"},
		{"f-strings", "f'{'\nf'{x'\nf'}'\nf'{}'\nf'{x!z}'\nf'{x:{y}'\nf'{x' + y\nf'{a b}'\nf'{x!}'\nok = 1\n",
			"fstring-unclosed-field@1:4 fstring-unclosed-field@2:5 fstring-brace@3:3 fstring-empty@4:4 fstring-conversion@5:6 fstring-unclosed-field@6:9 fstring-unclosed-field@7:5 expected-token@8:6 fstring-conversion@9:6"},
		{"f-string cut off", "x = f'{a +\ny = 1\nz = f'''{b\n", "unterminated-string@1:5 unterminated-string@3:5"},
		{"numbers", "a = 012\nb = 1__0\nc = 0x\nd = 1e\ne = 5abc\nf = 0b12\ng = 1_\nh = 1.2.3\n",
			"leading-zeros@1:5 bad-number@2:5 bad-number@3:5 bad-number@4:5 bad-number@5:5 bad-number@6:5 bad-number@7:5 unexpected-token@8:8"},
		{"escapes", "'\\x4'\n'\\u12'\n'\\U00110000'\n'\\N{DASH}'\n'\\N'\nb'\\u1'\nb'é'\n'a' b'c'\n",
			"bad-escape@1:2 bad-escape@2:2 bad-escape@3:2 named-escape@4:2 bad-escape@5:2 bytes-not-ascii@7:3 mixed-bytes@8:1"},
		{"places", "return 1\nbreak\nif x:\n    continue\nyield x\nfor i in x:\n    def f():\n        break\n",
			"outside-function@1:1 outside-loop@2:1 outside-loop@4:5 outside-function@5:1 outside-loop@8:9"},
		{"clauses", "else:\n    x\nexcept:\n    y\ntry:\n    a\nb\n@dec\nx = 1\n",
			"stray-clause@1:1 stray-clause@3:1 try-alone@5:1 decorator-alone@8:2"},
		{"keywords as names", "def class(): pass\nx.if = 1\nimport from\nlambda None: 0\n",
			"keyword-as-name@1:5 keyword-as-name@2:3 keyword-as-name@3:8 keyword-as-name@4:8"},
		{"stars", "*a\nx = *b\nreturn_ = (*c)\nprint(*a)\n", "bad-star@1:1 bad-star@2:5 bad-star@3:12"},
		{"bytes that are no text", "x = 1\x00\ny = '\xff'\nz = 2 \xfe\nw w\n",
			"nul-byte@1:6 invalid-utf8@2:6 unexpected-token@4:3"},
		{"characters", "x = $1\ny = a ? b\nz = `c`\nw = 1 \\ 2\n",
			"invalid-character@1:5 invalid-character@2:7 invalid-character@3:5 invalid-character@3:7 stray-backslash@4:7"},
		{"Markdown fence", "```python\nx = 1\n```\n", "markdown-fence@1:1"},
		{"comparison typo", "if x === 1:\n    pass\nif x =! 1:\n    pass\n",
			"unexpected-token@1:6 assign-in-condition@3:6 c-operator@3:7"},
		{"brackets", "x = (1, 2]\ny = [1, (2]\nz = }\n",
			"mismatched-bracket@1:10 mismatched-bracket@2:11 unmatched-bracket@3:5"},
	} {
		m, list := parseText(c.text)
		if got := summary(m, list); got != c.want {
			t.Errorf("%s:\n got  %s\n want %s", c.name, got, c.want)
		}
	}
}

// apply carries out the first fix of a diagnostic.
func apply(text string, d *diag.Diagnostic) string {
	edits := d.Fixes[0].Edits
	for i := len(edits) - 1; i >= 0; i-- {
		text = text[:edits[i].Span.Start] + edits[i].New + text[edits[i].Span.End:]
	}
	return text
}

func TestFixes(t *testing.T) {
	for text, want := range map[string]string{
		"if x = 3:\n    y\n":              "if x == 3:\n    y\n",
		"while x\n    y\n":                "while x:\n    y\n",
		"x = f(1, [2\ny = 3\n":            "x = f(1, [2])\ny = 3\n",
		"x = f(1))\n":                     "x = f(1)\n",
		"if x:\n    a\n\tb\n":             "if x:\n    a\n    b\n",
		"!ls\n":                           "# !ls\n",
		"if x:\n    y\nelse if z:\n    w": "if x:\n    y\nelif z:\n    w",
		"i++\n":                           "i += 1\n",
		"i --":                            "i -= 1",
		"x = a && b\n":                    "x = a and b\n",
		"x = a||b\n":                      "x = a or b\n",
		"x = !a\n":                        "x = not a\n",
		"print 'a', b; c\n":               "print('a', b); c\n",
		"x = f（1)\n":                      "x = f(1)\n",
		"x = “a\"b”\n":                    "x = 'a\"b'\n",
		"x := 3\n":                        "x = 3\n",
		"f'a}'\n":                         "f'a}}'\n",
		"x = f(a b)\n":                    "x = f(a, b)\n",
	} {
		_, list := parseText(text)
		if len(list) != 1 || len(list[0].Fixes) != 1 {
			t.Errorf("%q: %d diagnostics", text, len(list))
			continue
		}
		got := apply(text, list[0])
		if _, again := parseText(got); got != want || len(again) > 0 && list[0].Code != "c-operator" {
			t.Errorf("%q becomes %q, want %q; then %d diagnostics", text, got, want, len(again))
		}
	}
}

// TestBindingsSurviveErrors checks that a statement with an error still says what it assigns to.
func TestBindingsSurviveErrors(t *testing.T) {
	m, _ := parseText("x = tl.load(a +)\nfor i in range(:\n    y = i\ndef f(a b):\n    return a\n")
	want := "Assign Targets=[(Name ID=\"x\")]"
	if d := Dump(m); !strings.Contains(d, want) || !strings.Contains(d, "For Target=(Name ID=\"i\")") ||
		!strings.Contains(d, "Name=\"f\"") {
		t.Errorf("got\n%s", d)
	}
}

// TestHostile checks that sources made to exhaust a parser end with a diagnostic.
func TestHostile(t *testing.T) {
	repeat := strings.Repeat
	const n = 10000
	for name, c := range map[string]struct{ text, code string }{
		"too large":          {repeat("x = 1\n", 2_000_000), "source-too-large"},
		"parentheses":        {"x = " + repeat("(", n) + "1" + repeat(")", n), "too-deep"},
		"only opening":       {"x = " + repeat("(", n), "unclosed-bracket"},
		"brackets":           {"x = " + repeat("[", n) + repeat("]", n), "too-deep"},
		"braces":             {repeat("{1:", n) + "1" + repeat("}", n), "too-deep"},
		"calls in calls":     {repeat("f(", n) + repeat(")", n), "too-deep"},
		"subscripts":         {repeat("x[", n) + "1" + repeat("]", n), "too-deep"},
		"prefixes":           {"x = " + repeat("-", n) + "1", "too-deep"},
		"not":                {"x = " + repeat("not ", n) + "1", "too-deep"},
		"power":              {"x = 1" + repeat("**1", n), "too-deep"},
		"sums":               {"x = 1" + repeat("+1", n), "too-deep"},
		"attributes":         {"x" + repeat(".a", n), "too-deep"},
		"calls of calls":     {"f" + repeat("()", n), "too-deep"},
		"lambdas":            {repeat("lambda: ", n) + "1", "too-deep"},
		"conditionals":       {"x = " + repeat("1 if a else ", n) + "1", "too-deep"},
		"blocks":             {blocks(n / 10), "too-deep"},
		"elif":               {"if x: y\n" + repeat("elif x: y\n", n), "too-deep"},
		"f-strings":          {"x = " + repeat("f'{", n) + "1" + repeat("}'", n), "too-deep"},
		"f-string quotes":    {"x = f'" + repeat("{'", n) + repeat("'}", n) + "'", ""},
		"formats":            {"x = f'{x" + repeat(":{x", n) + repeat("}", n) + "'", "fstring-unclosed-field"},
		"stars":              {"x = " + repeat("*", n) + "a,", "expected-expression"},
		"decorators":         {repeat("@a\n", n) + "def f(): pass", ""},
		"await":              {"x = " + repeat("await ", n) + "a", ""},
		"annotated":          {"def f(a: " + repeat("(", n) + "1" + repeat(")", n) + "): pass", "too-deep"},
		"default sums":       {"def f(a=1" + repeat("+1", n) + "): pass", "too-deep"},
		"wide":               {"x = [" + repeat("a.b + 1, ", n) + "]", "-"},
		"comparisons":        {"x = 1" + repeat(" < 1", n), "-"},
		"long integer":       {"x = " + repeat("9", n), "number-too-long"},
		"long name":          {"def " + repeat("f", n) + "(): pass", "name-too-long"},
		"long hexadecimal":   {"x = 0x" + repeat("f", n), "number-too-long"},
		"many errors":        {repeat("x = = 1\n", n), "expected-expression"},
		"many quotes":        {repeat("'\n", n), "unterminated-string"},
		"unclosed f-strings": {repeat("f'{", n), ""},
		"mixed indentation":  {repeat("\tx\n        y\n", n), "mixed-indentation"},
		"dedents":            {repeat(" ", n) + "x\n", "unexpected-indent"},
		"only NUL":           {repeat("\x00", n), "nul-byte"},
		"only \\xff":         {repeat("\xff", n), "invalid-utf8"},
		"backslashes":        {repeat("\\\n", n), "-"},
		"empty":              {"", "-"},
	} {
		m, list := parseText(c.text)
		if len(list) > maxDiagnostics {
			t.Errorf("%s: %d diagnostics", name, len(list))
		}
		first := "-"
		if len(list) > 0 {
			first = list[0].Code
		}
		if c.code != "" && first != c.code {
			t.Errorf("%s: got %s, want %s", name, first, c.code)
		}
		if h := heightOf(m, 1<<20); h > maxHeight+3*maxBlocks {
			t.Errorf("%s: the tree is %d levels high", name, h)
		}
	}
}

// blocks is n blocks inside each other.
func blocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "if x:\n")
	}
	return b.String() + strings.Repeat(" ", n) + "y\n"
}

// FuzzParse checks that Parse ends, that spans are nested and inside the file, that the diagnostics
// can be shown, and that what is parsed without errors is written back to the same tree.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"x = f(1, [2\ny = 3", "if x = 3:\n\ty", "f'{x!r:>{w}}{{'", "def f(a, *, b=1) -> c: return lambda: (yield)",
		"@a\nclass B(c=d): pass",
		"!ls\n%time\nx?", "x = “a”（1，2）", "match x:\n case 1: y",
		"match x, y:\n case A(b, c=-1) | {'k': [*_, z], **r} as s if z: y\n case (a.b, *c), None: pass", "try: a\nexcept* B: c",
		"'\\x4' b'\\xff' r'\\'",
		"[x for x in y if (z := w)]", "0x_1 1__2 1e5j .5 5..real",
		"try: a\nexcept B as c: d\nelse: e\nfinally: f", "with (a as b, c): pass\nwith (a, b)[0]: pass",
		"a < b not in c is not d", "\ufeffx\r\ny\rz\f",
		"if x:\n  a\n b\n\tc", "''f''", "f'''{\nx\n}''' 'a' f\"{'b'}\"", "x = (1, 2]\n}", "print x\ni++\nx := 1",
		"from .. import (a as b,)\nimport c.d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, list := parseText(text)
		checkSpans(t, m)
		size := int32(len(text))
		inside := func(s source.Span) bool { return 0 <= s.Start && s.Start <= s.End && s.End <= size }
		for _, d := range list {
			ok := inside(d.Primary.Span)
			for _, l := range d.Related {
				ok = ok && inside(l.Span)
			}
			for _, fix := range d.Fixes {
				for _, e := range fix.Edits {
					ok = ok && inside(e.Span)
				}
			}
			if !ok {
				t.Fatalf("%s %v points outside the file", d.Code, d.Primary.Span)
			}
		}
		_ = diag.Printer{Color: true}.Print(m.File, list)
		if len(list) == 0 {
			checkUnparse(t, m)
		}
	})
}

// checkUnparse checks String on every expression statement of a module without errors.
func checkUnparse(t *testing.T, m *Module) {
	t.Helper()
	for _, s := range m.Body {
		e, ok := s.(*ExprStmt)
		if !ok || strings.Contains(m.File.Slice(e.Span()), "=") &&
			strings.ContainsAny(m.File.Slice(e.Span()), "fF") { // the text of {x=} is kept as it was
			continue
		}
		text := "(" + String(e.Value) + ")"
		again, list := parseText(text)
		if len(list) > 0 || len(again.Body) != 1 || Dump(again.Body[0]) != Dump(s) {
			t.Fatalf("%q is written as %q", m.File.Slice(e.Span()), text)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	const kernel = `
@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < n
    x = tl.load(x_ptr + offs, mask=mask)
    y = tl.load(y_ptr + offs, mask=mask, other=0.0)
    tl.store(out_ptr + offs, x + y, mask=mask)
`
	f := source.NewFile("add.py", strings.Repeat(kernel, 20))
	b.SetBytes(int64(len(f.Text)))
	for b.Loop() {
		Parse(f)
	}
}
