package diag

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// withRows puts rows for tests into the catalogue while one runs.
func withRows(t *testing.T) {
	t.Helper()
	entries()["test-shape"] = Entry{
		Code: "test-shape",
		En: Message{
			Headline: "`{0}` and `{1}` need the same shape",
			Label:    "`{0}` has shape {2}",
			Why:      "one reads {x} {0}",
			Help:     "write `{1}`",
		},
		Zh: Message{
			Headline: "`{0}` 和 `{1}` 的形状必须相同",
			Label:    "`{0}` 的形状是 {2}",
			Why:      "原因 {0}",
			Help:     "写成 `{1}`",
		},
	}
	phrases()["test-made"] = Phrase{"test-made", "this makes {0}", "这里得到 {0}"}
	t.Cleanup(func() {
		delete(entries(), "test-shape")
		delete(phrases(), "test-made")
	})
}

func at(f *source.File, part string) source.Span {
	i := strings.Index(f.Text, part)
	return source.Span{Start: int32(i), End: int32(i + len(part))}
}

func shape(f *source.File, primary, related string) *Diagnostic {
	d := New("test-shape", at(f, primary), "mask", "pointer", "[32]").Because(at(f, related), "test-made", "64")
	return d.Suggest(true, Text{"test-made", []any{"{0}"}}, Edit{at(f, primary), "n"})
}

func TestPrint(t *testing.T) {
	withRows(t)
	f := source.NewFile("add.py", "a = 1\noffs = arange(0, 64)\nb = 2\nc = 3\nv = load(x, mask=m)\n")
	got := Printer{}.Print(f, List{shape(f, "m)", "arange(0, 64)")})
	want := "error[test-shape]: `mask` and `pointer` need the same shape\n" +
		"  add.py:5:18\n" +
		"  2 | offs = arange(0, 64)\n" +
		"    |        ------------- this makes 64\n" +
		"    …\n" +
		"  5 | v = load(x, mask=m)\n" +
		"    |                  ^^ `mask` has shape [32]\n" +
		"  why: one reads {x} mask\n" +
		"  try: write `pointer`\n" +
		"  fix: this makes {0}\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestFrames checks what is hard to line up: several lines, tabs, wide characters, long lines.
func TestFrames(t *testing.T) {
	withRows(t)
	for _, c := range []struct{ name, text, part, want string }{
		{"several lines", "x = f(1,\n      2,\n      3)\n", "f(1,\n      2,\n      3)",
			"  1 | x = f(1,\n    |     ^^^^ …\n    …\n  3 |       3)\n    |       ^^ 的"},
		{"two lines", "f(\n1)", "f(\n1)", "  1 | f(\n    | ^^ …\n  2 | 1)\n    | ^^ 的"},
		{"tabs", "\tx\t= y\n", "y", "  1 |     x   = y\n    |           ^ 的"},
		{"wide", "x = '中文' + y\n", "y", "  1 | x = '中文' + y\n    |              ^ 的"},
		{"wide mark", "名 = 1\n", "名", "  1 | 名 = 1\n    | ^^ 的"},
		{"end of line", "x = (\n", "\n", "  1 | x = (\n    |      ^ 的"},
		{"control characters", "x = '\x1b[31m\u202e' + y", "y", "  1 | x = '\ufffd[31m\ufffd' + y\n    |                ^ 的"},
		{"long line", "x = '" + strings.Repeat("中", 300) + "' + y + '" + strings.Repeat("z", 300), "y",
			"  1 | …" + strings.Repeat("中", 12) + "' + y + '" + strings.Repeat("z", 115) + "…\n    | " + strings.Repeat(" ", 29) + "^ 的"},
	} {
		f := source.NewFile("t.py", c.text)
		d := New("test-shape", at(f, c.part), "a", "b", "c")
		d.Primary.Text = Text{Key: "的"}
		text := Printer{Lang: Chinese}.One(f, d)
		_, frame, _ := strings.Cut(text, "t.py:")
		_, frame, _ = strings.Cut(frame, "\n")
		frame, _, _ = strings.Cut(frame, "\n  原因：")
		if frame != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, frame, c.want)
		}
	}
}

func TestPrintOutsideTheFile(t *testing.T) {
	withRows(t)
	f := source.NewFile("t.py", "")
	binary := source.NewFile("t.py", strings.Repeat("\x80", 4000)+"A")
	if text := (Printer{}).One(binary, New("test-shape", source.Span{Start: 4000, End: 4001})); len(text) > 4*maxColumns {
		t.Errorf("a long line of bytes is shown as %q", text)
	}
	for _, s := range []source.Span{{}, {Start: 5, End: 9}, {Start: -1, End: -1}} {
		if text := (Printer{Color: true}).One(f, New("test-shape", s)); !strings.Contains(text, "t.py:1:1") {
			t.Errorf("%v: got %q", s, text)
		}
	}
}

func TestJSON(t *testing.T) {
	withRows(t)
	f := source.NewFile("add.py", "é = arange\nload(m)\n")
	data, err := json.Marshal(ToJSON(f, List{shape(f, "m", "arange")}, Chinese))
	want := `[{"code":"test-shape","severity":"error","headline":"` + "`mask` 和 `pointer`" + ` 的形状必须相同","label":"` + "`mask`" + ` 的形状是 [32]",` +
		`"why":"原因 mask","help":"写成 ` + "`pointer`" + `","file":"add.py","place":{"start":17,"end":18,"line":2,"column":6,"endLine":2,"endColumn":7},` +
		`"related":[{"place":{"start":5,"end":11,"line":1,"column":5,"endLine":1,"endColumn":11},"text":"这里得到 64"}],` +
		`"fixes":[{"title":"这里得到 {0}","safe":true,"edits":[{"place":{"start":17,"end":18,"line":2,"column":6,"endLine":2,"endColumn":7},"new":"n"}]}]}]`
	if err != nil || string(data) != want {
		t.Errorf("got\n%s\nwant\n%s", data, want)
	}
	if data, _ := json.Marshal(ToJSON(f, nil, English)); string(data) != "[]" {
		t.Errorf("no diagnostics encode as %s", data)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"load", "store", "arange", "program_id", "x", "y", "n", "lenght", "BLOCK_SIZE"}
	for name, want := range map[string]string{
		"laod": "load", "stor": "store", "arrange": "arange", "progam_id": "program_id", "length": "lenght", "BLOCKSIZE": "BLOCK_SIZE",
		"z": "", "dot": "", "load": "", "": "", "programid": "program_id", strings.Repeat("a", 100): "",
	} {
		if got, ok := Nearest(name, names); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestMeant(t *testing.T) {
	names := []string{"load", "store", "static_range", "static_print", "log", "x_ptr"}
	for name, want := range map[string]string{"sto": "store", "laod": "load", "stat": "static_print", "x_p": "x_ptr", "x_": "", "store": "", "dot": ""} {
		if got, ok := Meant(name, names); got != want || ok != (want != "") {
			t.Errorf("%s: got %q, %v; want %q", name, got, ok, want)
		}
	}
}

func TestFill(t *testing.T) {
	for text, want := range map[string]string{
		"{0} {1}": "a 2", "{2}": "{2}", "{x {0}": "{x a", "{": "{", "{}": "{}", "{0": "{0", "{-1}{00}": "{-1}a", "{{0}}": "{a}",
	} {
		if got := fill(English, text, []any{"a", 2}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestParseLang(t *testing.T) {
	for tag, want := range map[string]Lang{"zh": Chinese, "zh-CN": Chinese, "ZH_Hans.UTF-8": Chinese, "en": English, "": English, "de": English} {
		if got := ParseLang(tag); got != want {
			t.Errorf("%q: got %s", tag, got)
		}
	}
}

// TestSingular: what a message counts is in the singular where there is one of it, whatever follows.
func TestSingular(t *testing.T) {
	for text, want := range map[string]string{
		"it has {0} elements":                    "it has 1 element",
		"at {0} places in the source":            "at 1 place in the source",
		"{0} of {0} elements are wrong, at z":    "1 of 1 element is wrong, at z",
		"{0} launches, {0} bytes.":               "1 launch, 1 byte.",
		"{0} of {1} programs have finished":      "1 of 7 programs has finished",
		"lane {0} accesses index 3":              "lane 1 accesses index 3",
		"argument {0} is wrong":                  "argument 1 is wrong",
		"{0}":                                    "1",
		"index {0} reads elements":               "index 1 reads elements",
		"Reconnecting failed for {0} seconds.":   "Reconnecting failed for 1 second.",
		"at most {1} bytes and {1} programs are": "at most 7 bytes and 7 programs are",
	} {
		if got := fill(English, text, []any{1, 7}); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}
