package puzzles

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
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
	list, problems := Load(sample())
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
	for _, c := range []struct{ file, old, new, say string }{
		{"puzzle.json", `"number": 1`, `"number": 2`, "number 2 does not agree"},
		{"puzzle.json", `"number": 1`, `"nummer": 1`, "unknown field"},
		{"puzzle.json", `"zh": "复制"`, `"zh": " "`, "title is missing"},
		{"puzzle.json", `{"en": "s", "zh": "s"}`, `{"en": "s"}`, "name is missing"},
		{"puzzle.json", `"zh": "复制"`, `"zh": "a\u0007"`, "control character"},
		{"puzzle.json", `"copy_kernel"`, `"copy kernel"`, "not a name"},
		{"puzzle.json", `"copy_kernel"`, `"copy_spec"`, "used twice"},
		{"puzzle.json", `"float32"`, `"complex64"`, "complex64"},
		{"puzzle.json", `"dtype": "float32", `, ``, "no dtype"},
		{"puzzle.json", `["N0 * 2"]`, `["N0 / 5"]`, "remainder"},
		{"puzzle.json", `["N0 * 2"]`, `[]`, "dimensions"},
		{"puzzle.json", `"blocks": ["B0"]`, `"blocks": ["B0"], "optional": ["B1"]`, "not among the blocks"},
		{"puzzle.json", `"rtol": 1e-4`, `"rtol": 0`, "tolerance"},
		{"puzzle.json", `"B0": 8`, `"B0": 6`, "power of two"},
		{"puzzle.json", `"seed": 1`, `"seed": -1`, "seed"},
		{"puzzle.json", `"scale": 2`, `"scale": -1e9`, "scale"},
		{"puzzle.json", `"scale": 2}]}`, `"scale": 2}]} {}`, "more than one"},
		{"spec.py", "copy_spec", "other", "does not define copy_spec"},
		{"starter.py", "copy_kernel", "other", "does not define copy_kernel"},
		{"statement.zh.md", "复制。\n", " ", "empty"},
		{"statement.en.md", "Copy.", "\x00", "not UTF-8"},
		{"statement.en.md", "Copy.", "\xff", "not UTF-8"},
		{"statement.en.md", "Copy.", strings.Repeat("x", maxFile), "more than"},
		{"text.json", `"solution.py"`, `"../../solution.py"`, "not called"},
		{"text.json", `"solution.py"`, `"solution_b.py"`, "missing"},
		{"text.json", `[{"en": "h", "zh": "h"}]`, `[]`, "hints"},
		{"picture.svg", "<desc>d</desc>", "", "title and a desc"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "grid": ["cdiv(N0, B1)"]`, "the grid"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "grid": ["1", "1", "1", "1"]`, "three axes"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "constants": {"N0": 1}`, "used twice"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "constants": {"eps": [1]}`, "a constant is"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N1": {}}`, "the sizes and blocks are"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"equals": "N1"}}`, "the sizes and blocks are"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"step": -1}}`, "not a range"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"equals": "N0"}}`, "not a range"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"max": 2}}`, "not what"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "free": {"N0": {"step": 2}}`, "not what"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "goals": [{"count": "seconds", "most": [3, 2, 1]}]`, "none of sectors"},
		{"puzzle.json", `"sizes": ["N0"]`, `"sizes": ["N0"], "goals": [{"count": "sectors", "most": [1]}]`, "3 limits"},
		{"puzzle.json", `"shape": ["N0 * 2"]}],`, `"shape": ["N0 * 2"], "fill": "sevens"}],`, "none of arange"},
	} {
		fsys := sample()
		name := "01_copy/" + c.file
		before := string(fsys[name].Data)
		after := strings.ReplaceAll(before, c.old, c.new)
		if after == before {
			t.Errorf("%s does not hold %q", c.file, c.old)
		}
		fsys[name].Data = []byte(after)
		checkRefused(t, fsys, c.say)
	}
}

func TestLoadRefusesMissingFiles(t *testing.T) {
	optional := map[string]bool{"01_copy/text.json": true, "01_copy/picture.svg": true}
	for name := range sample() {
		fsys := sample()
		delete(fsys, name)
		if !optional[name] {
			checkRefused(t, fsys, name+": the file is missing")
		} else if list, problems := Load(fsys); len(list) != 1 || len(problems) != 0 {
			t.Errorf("without %s: %d puzzles, problems %v", name, len(list), problems)
		} else if s := list[0].Text.Solutions; len(s) != 1 || s[0].File != "solution.py" || s[0].Title.Zh == "" {
			t.Errorf("without %s: solutions %+v", name, s)
		}
	}
	checkRefused(t, fstest.MapFS{}, "no puzzle folder")
}

func TestLoadRefusesASecondPuzzleOfTheSameNumber(t *testing.T) {
	fsys := sample()
	for name, file := range sample() {
		fsys[strings.Replace(name, "01_copy", "1_again", 1)] = file
	}
	list, problems := Load(fsys)
	if len(list) != 1 || len(problems) != 1 || !strings.Contains(problems[0].Error(), "belongs to 01_copy") {
		t.Errorf("%d puzzles, problems %v", len(list), problems)
	}
}

func checkRefused(t *testing.T, fsys fs.FS, say string) {
	t.Helper()
	list, problems := Load(fsys)
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
		list, problems := Load(fsys)
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
