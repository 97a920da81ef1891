package puzzles

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/newtlab/newt/compiler/diag"
)

func TestAllAreValid(t *testing.T) {
	_, problems := all()
	for _, p := range problems {
		t.Error(p)
	}
	if _, ok := Get(13); ok {
		t.Error("there is a puzzle 13")
	}
}

// sample is a folder with one small valid puzzle.
func sample() fstest.MapFS {
	files := map[string]string{
		"puzzle.json": `{"number": 1, "title": {"en": "Copy", "zh": "复制"}, "kernel": "copy_kernel", "spec": "copy_spec",
			"inputs": [{"name": "x", "dtype": "float32", "shape": ["N0 * 2"]}],
			"output": {"name": "z", "dtype": "float32", "shape": ["N0 * 2"]},
			"sizes": ["N0"], "blocks": ["B0"],
			"tolerance": {"classic": {"rtol": 1e-3, "atol": 1e-3}, "strict": {"rtol": 1e-4, "atol": 1e-6}},
			"classic": {"name": {"en": "c", "zh": "c"}, "sizes": {"N0": 8}, "blocks": {"B0": 8}, "seed": 0},
			"strict": [{"name": {"en": "s", "zh": "s"}, "sizes": {"N0": 3}, "blocks": {"B0": 2}, "seed": 1, "scale": 2}]}`,
		"text.json": `{"hints": [{"en": "h", "zh": "h"}], "learned": {"en": "l", "zh": "l"},
			"solutions": [{"file": "solution.py", "title": {"en": "t", "zh": "t"}}]}`,
		"spec.py":         "def copy_spec(x):\n    return x\n",
		"starter.py":      "def copy_kernel(x_ptr):\n    return\n",
		"solution.py":     "def copy_kernel(x_ptr):\n    pass\n",
		"statement.en.md": "Copy.\n",
		"statement.zh.md": "复制。\n",
		"picture.svg":     `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>t</title><desc>d</desc></svg>`,
	}
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys["01_copy/"+name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

func TestLoadSample(t *testing.T) {
	list, problems := Load(sample(), nil)
	if len(list) != 1 || len(problems) != 0 {
		t.Fatalf("%d puzzles, problems %v", len(list), problems)
	}
	p := list[0]
	if p.Slug != "01_copy" || p.Text.Statement.In("zh") != "复制。\n" || p.Text.Statement.In("fr") != "Copy.\n" {
		t.Errorf("slug %q, statement %+v", p.Slug, p.Text.Statement)
	}
	if p.Strict[0].Scale != 2 || p.Inputs[0].DType.String() != "fp32" {
		t.Errorf("strict %+v, inputs %+v", p.Strict, p.Inputs)
	}
	if list, problems = load(sample(), nil); len(problems) != 0 || list[0].Text != nil {
		t.Errorf("without text: %v, text %v", problems, list[0].Text)
	}
}

func TestLoadRefuses(t *testing.T) {
	for _, c := range []struct{ file, old, new, code, at string }{
		{"puzzle.json", `"number": 1`, `"number": 2`, "puzzle-number", "2"},
		{"puzzle.json", `"number": 1`, `"nummer": 1`, "puzzle-json-field", `"nummer"`},
		{"puzzle.json", `"zh": "复制"`, `"zh": " "`, "puzzle-phrase", `" "`},
		{"puzzle.json", `{"en": "s", "zh": "s"}`, `{"en": "s"}`, "puzzle-phrase", `{"en": "s"}`},
		{"puzzle.json", `"zh": "复制"`, `"zh": "a\u0007"`, "puzzle-phrase", `"a\u0007"`},
		{"puzzle.json", `"copy_kernel"`, `"copy kernel"`, "puzzle-name", `"copy kernel"`},
		{"puzzle.json", `"copy_kernel"`, `"copy_spec"`, "puzzle-name-twice", `"copy_spec"`},
		{"puzzle.json", `"float32"`, `"complex64"`, "puzzle-choice", `"complex64"`},
		{"puzzle.json", `"dtype": "float32", `, ``, "puzzle-missing", `{"name": "x", "shape": ["N0 * 2"]}`},
		{"puzzle.json", `["N0 * 2"]`, `["N0 / 5"]`, "puzzle-expression", `{"name": {"en": "c", "zh": "c"}, "sizes": {"N0": 8}, "blocks": {"B0": 8}, "seed": 0}`},
		{"puzzle.json", `["N0 * 2"]`, `[]`, "puzzle-count", "[]"},
		{"puzzle.json", `"blocks": ["B0"]`, `"blocks": ["B0"], "optional": ["B1"]`, "puzzle-choice", `"B1"`},
		{"puzzle.json", `"blocks": ["B0"]`, `"blocks": ["B0"], "scratch": ["z"]`, "puzzle-choice", `"z"`},
		{"puzzle.json", `"rtol": 1e-4`, `"rtol": 0`, "puzzle-tolerance", "0"},
		{"puzzle.json", `"B0": 8`, `"B0": 6`, "puzzle-block", "6"},
		{"puzzle.json", `"seed": 1`, `"seed": -1`, "puzzle-range", "-1"},
		{"puzzle.json", `"scale": 2`, `"scale": -1e9`, "puzzle-range", "-1e9"},
		{"puzzle.json", `"scale": 2}]}`, `"scale": 2}]} {}`, "puzzle-json", "{"},
		{"spec.py", "copy_spec", "other", "puzzle-function", "def other(x):"},
		{"starter.py", "copy_kernel", "other", "puzzle-function", "def other(x_ptr):"},
		{"statement.zh.md", "复制。\n", " ", "puzzle-file-empty", ""},
		{"statement.en.md", "Copy.", "\x00", "puzzle-file-encoding", ""},
		{"statement.en.md", "Copy.", "\xff", "puzzle-file-encoding", ""},
		{"statement.en.md", "Copy.", strings.Repeat("x", maxFile), "puzzle-file-large", ""},
		{"text.json", `"solution.py"`, `"../../solution.py"`, "puzzle-solution-name", `"../../solution.py"`},
		{"text.json", `"solution.py"`, `"solution_b.py"`, "puzzle-file-missing", ""},
		{"picture.svg", "<desc>d</desc>", "", "puzzle-picture", `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><title>t</title></svg>`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "grid": ["cdiv(N0, B1)"]`, "puzzle-expression", `{"name": {"en": "c", "zh": "c"}, "sizes": {"N0": 8}, "blocks": {"B0": 8}, "seed": 0}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "grid": ["1", "1", "1", "1"]`, "puzzle-count", `["1", "1", "1", "1"]`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "constants": {"N0": 1}`, "puzzle-name-twice", `"N0"`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "constants": {"eps": [1]}`, "puzzle-json-type", "[1]"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N1": {}}`, "puzzle-choice", `"N1"`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"equals": "N1"}}`, "puzzle-choice", `"N1"`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"step": -1}}`, "puzzle-free-range", `{"step": -1}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"equals": "N0"}}`, "puzzle-free-range", `{"equals": "N0"}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"max": 2}}`, "puzzle-free", "8"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"step": 2}}`, "puzzle-free", "3"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "goals": [{"count": "seconds", "most": [3, 2, 1]}]`, "puzzle-choice", `"seconds"`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "goals": [{"count": "sectors", "most": [1]}]`, "puzzle-goal-limits", `{"count": "sectors", "most": [1]}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "timing": {"N1": 8}`, "puzzle-choice", `"N1"`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "timing": {"B0": 6}`, "puzzle-block", "6"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "timing": {"N0": 1000000}`, "puzzle-expression", `{"N0": 1000000}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"max": 9}}, "timing": {"N0": 10}`, "puzzle-free", "10"},
		{"puzzle.json", `"shape": ["N0 * 2"]}],`, `"shape": ["N0 * 2"], "fill": "sevens"}],`, "puzzle-choice", `"sevens"`},
		{"puzzle.json", `"seed": 0}`, `"seed": 0},`, "puzzle-json", ","},
		{"puzzle.json", `"seed": 0},`, `"seed": 0}`, "puzzle-json", `"`},
		{"puzzle.json", `"scale": 2}]}`, `"scale": 2}]`, "puzzle-json-end", "]"},
		{"puzzle.json", `"number": 1`, `"number": "1"`, "puzzle-json-type", `"1"`},
		{"puzzle.json", `"N0": 3}`, `"N0": 3.5}`, "puzzle-json-type", "3.5"},
		{"puzzle.json", `"N0": 3}`, `"N1": 3}`, "puzzle-choice", `"N1"`},
		{"puzzle.json", `"N0": 3}`, `"N0": 3, "N1": 4}`, "puzzle-choice", `"N1"`},
		{"puzzle.json", `["N0 * 2"]`, `["N0 * 4000000"]`, "puzzle-expression", `{"name": {"en": "c", "zh": "c"}, "sizes": {"N0": 8}, "blocks": {"B0": 8}, "seed": 0}`},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": "N0"`, "puzzle-json-type", `"N0"`},
		{"puzzle.json", `{"en": "s", "zh": "s"}`, `{"en": "s", "fr": "s"}`, "puzzle-json-field", `"fr"`},
		{"puzzle.json", `"sizes": {"N0": 3}`, `"sizes": {}`, "puzzle-size-missing", "{}"},
		{"text.json", `"learned"`, `"refused": ["pointer-indexed", "shape-mismatch"], "learned"`, "puzzle-question", `["pointer-indexed", "shape-mismatch"]`},
		{"text.json", `"learned"`, `"refused": ["pointer-indexed", "shape-mismatch", "arange-power-of-tow"], "learned"`, "puzzle-question-code", `"arange-power-of-tow"`},
	} {
		fsys := sample()
		name := "01_copy/" + c.file
		before := string(fsys[name].Data)
		after := strings.ReplaceAll(before, c.old, c.new)
		if after == before {
			t.Errorf("%s does not hold %q", c.file, c.old)
		}
		fsys[name].Data = []byte(after)
		list, problems := Load(fsys, nil)
		if len(list) != 0 || len(problems) != 1 {
			t.Errorf("%s: %d puzzles, problems %v", c.new, len(list), problems)
			continue
		}
		file, d := problems[0].Diagnostic()
		if got := file.Slice(d.Primary.Span); d.Code != c.code || got != c.at {
			t.Errorf("%s: %s at %q, want %s at %q", c.new, d.Code, got, c.code, c.at)
		}
		if problems[0].Error() == "" || strings.Contains(d.In(diag.Chinese).Headline, "%!") {
			t.Errorf("%s: %s", c.new, d.In(diag.Chinese).Headline)
		}
	}
}

func TestLoadRefusesMissingFiles(t *testing.T) {
	optional := map[string]bool{"01_copy/text.json": true, "01_copy/picture.svg": true}
	for name := range sample() {
		fsys := sample()
		delete(fsys, name)
		if !optional[name] {
			checkRefused(t, fsys, name+": `"+strings.TrimPrefix(name, "01_copy/")+"` is missing")
		} else if list, problems := Load(fsys, nil); len(list) != 1 || len(problems) != 0 {
			t.Errorf("without %s: %d puzzles, problems %v", name, len(list), problems)
		} else if s := list[0].Text.Solutions; len(s) != 1 || s[0].File != "solution.py" || s[0].Title.Zh == "" {
			t.Errorf("without %s: solutions %+v", name, s)
		}
	}
	checkRefused(t, fstest.MapFS{}, "no puzzle's folder")
}

func TestLoadRefusesASecondPuzzleOfTheSameNumber(t *testing.T) {
	fsys := sample()
	for name, file := range sample() {
		fsys[strings.Replace(name, "01_copy", "1_again", 1)] = file
	}
	list, problems := Load(fsys, nil)
	if len(list) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "`01_copy` already has the number 1") {
		t.Errorf("%d puzzles, problems %v", len(list), problems)
	}
}

func checkRefused(t *testing.T, fsys fs.FS, say string) {
	t.Helper()
	list, problems := Load(fsys, nil)
	if len(list) != 0 || len(problems) != 1 || !strings.Contains(problems[0].Error(), say) {
		t.Errorf("%d puzzles, problems %v do not say %q", len(list), problems, say)
	}
}

func TestConstants(t *testing.T) {
	for text, want := range map[string]any{`null`: nil, `true`: true, `3`: int64(3), `3.0`: 3.0, `0.5`: 0.5, `1e+30`: 1e30, `"relu"`: "relu"} {
		var c Constant
		if err := json.Unmarshal([]byte(text), &c); err != nil || c.Value != want {
			t.Errorf("%s is read as %#v (%v), want %#v", text, c.Value, err, want)
		}
		if again, err := json.Marshal(c); err != nil || string(again) != text {
			t.Errorf("%s is written as %s (%v)", text, again, err)
		}
	}
}

func FuzzPuzzleJSON(f *testing.F) {
	f.Add(string(sample()["01_copy/puzzle.json"].Data))
	f.Add(`{"number": 1, "inputs": [{"shape": ["1 / 0"]}]}`)
	f.Fuzz(func(t *testing.T, source string) {
		fsys := sample()
		fsys["01_copy/puzzle.json"] = &fstest.MapFile{Data: []byte(source)}
		list, problems := Load(fsys, nil)
		if len(list)+len(problems) != 1 {
			t.Fatalf("%d puzzles, problems %v", len(list), problems)
		}
		for _, p := range list {
			for _, c := range append(p.Strict, p.Classic) {
				if _, err := p.Instance(c); err != nil {
					t.Errorf("a loaded puzzle's case fails: %v", err)
				}
			}
		}
	})
}
