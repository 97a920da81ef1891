package api

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/puzzles"
)

func TestLinks(t *testing.T) {
	for name, state := range map[string]LinkState{
		"puzzle": {Source: "x = 'é 🦎'\n", Puzzle: 8, Lang: "zh", Strict: true, View: "result"},
		"free": {Source: "k", Free: &LinkFree{Kernel: "k", Grid: "4", Seed: -1, Args: []FreeArg{
			{Name: "x", Kind: "tensor", DType: "float32", Shape: "4, 4", Fill: "rand"}, {Name: "n", Kind: "int", Value: "16"}}}},
		"results": {Results: &LinkResults{Pass: true, Message: "Solved", Made: 1795000000,
			Tensors: []LinkTensor{{"z", "float32", "[2]", "tensor([1., 2.])"}}, Prints: []string{"a", "b"}}},
		"look": {Source: "x = 1\n", View: "memory", Look: &LinkLook{Test: 2, Program: []int{6, 0, 0}, Step: 12}},
		"code": {View: "ptx", Code: &LinkCode{Stage: "plan", Target: "sm_80", Unchecked: true,
			Base: &LinkBase{Stage: "cse", Target: "sm_90a", NumWarps: 8, NumStages: 3, Source: "y"}}},
		"document": {Source: "import helper\n", View: "document", Document: &LinkDocument{Name: "main.py", Format: "python",
			Files: []LinkFile{{"data.bin", "AP/+"}, {"helper.py", "eCA9IDEK"}}}},
		"custom": {Custom: &Custom{Folder: "01_own", Files: []File{{"puzzle.json", "{}"}, {"spec.py", "x"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			packed := ask(t, Request{Lang: "en", Pack: &PackRequest{state}}).Pack
			if packed.Error != "" {
				t.Fatal(packed.Error)
			}
			got := ask(t, Request{Lang: "en", Unpack: &UnpackRequest{packed.Payload}}).Unpack
			if got.Error != "" || !reflect.DeepEqual(*got.State, state) {
				t.Errorf("got %+v (%s), want %+v", got.State, got.Error, state)
			}
		})
	}
}

func TestBadLinks(t *testing.T) {
	good := ask(t, Request{Pack: &PackRequest{LinkState{Source: strings.Repeat("x = 1\n", 50)}}}).Pack.Payload
	for name, payload := range map[string]string{
		"empty": "", "letters": "not a link!", "truncated": good[:len(good)-6], "changed": good[:8] + "A" + good[9:], "long": strings.Repeat("A", 1<<20),
	} {
		for _, lang := range []string{"en", "zh"} {
			got := ask(t, Request{Lang: lang, Unpack: &UnpackRequest{payload}}).Unpack
			if got.State != nil || got.Error == "" || strings.Contains(got.Error, "link-") {
				t.Errorf("%s, %s: %+v", name, lang, got)
			}
		}
	}
	got := ask(t, Request{Pack: &PackRequest{LinkState{Source: strings.Repeat("x", 5<<20)}}}).Pack
	if !got.TooLarge || !strings.Contains(got.Error, "4096 KiB") || !strings.Contains(got.Error, "768 KiB") {
		t.Errorf("a source of 5 MiB: %+v", got)
	}
}

// own is puzzle 2 as somebody's own folder.
func own() Custom {
	p, _ := puzzles.Get(2)
	c := Custom{Folder: "02_own"}
	for name, text := range map[string]string{
		"spec.py": p.SpecSource, "starter.py": p.Text.Starter, "solution.py": p.Text.Solutions[0].Source,
		"statement.en.md": p.Text.Statement.En, "statement.zh.md": p.Text.Statement.Zh, "picture.svg": p.Text.Picture,
		"text.json": `{"hints": [{"en": "a hint", "zh": "提示"}], "learned": {"en": "masks", "zh": "掩码"},
			"solutions": [{"file": "solution.py", "title": {"en": "ours", "zh": "我们的"}}]}`,
		"puzzle.json": `{"number": 2, "title": {"en": "Own", "zh": "自己的"}, "kernel": "add_mask2_kernel", "spec": "add_spec",
			"inputs": [{"name": "x", "dtype": "float32", "shape": ["N0"]}], "output": {"name": "z", "dtype": "float32", "shape": ["N0"]},
			"sizes": ["N0"], "blocks": ["B0"],
			"tolerance": {"classic": {"rtol": 0.001, "atol": 0.001}, "strict": {"rtol": 0.0001, "atol": 1e-6}},
			"classic": {"name": {"en": "a", "zh": "甲"}, "sizes": {"N0": 200}, "blocks": {"B0": 32}, "seed": 0},
			"strict": [{"name": {"en": "b", "zh": "乙"}, "sizes": {"N0": 33}, "blocks": {"B0": 32}, "seed": 1}]}`,
	} {
		c.Files = append(c.Files, File{name, text})
	}
	return c
}

func TestCustomPuzzle(t *testing.T) {
	c := own()
	p, _ := puzzles.Get(2)
	var spec, solution string
	for i := range c.Files {
		switch c.Files[i].Name {
		case "spec.py":
			spec = c.Files[i].Text
		case "solution.py":
			solution = c.Files[i].Text
		}
	}
	if !strings.Contains(spec, "def "+p.Spec) {
		t.Fatal("the spec of puzzle 2 has another name")
	}
	loaded := ask(t, Request{Lang: "zh", Load: &LoadRequest{c}}).Load
	if !loaded.OK || loaded.Title != "自己的" || loaded.Kernel != p.Kernel || len(loaded.Hints) == 0 {
		t.Fatalf("%+v", loaded)
	}
	if v := ask(t, Request{Lang: "en", Puzzle: &PuzzleRequest{Custom: &c, Source: solution}}).Verdict; !v.Pass {
		t.Errorf("the solution fails: %s", v.Message)
	}
	if v := ask(t, Request{Lang: "en", Puzzle: &PuzzleRequest{Custom: &c, Source: p.Text.Starter}}).Verdict; v.Pass {
		t.Error("the starter passes")
	}
	if d := ask(t, Request{Lang: "en", Check: &CheckRequest{Custom: &c, Source: "x ="}}).Check.Diagnostics; len(d) == 0 {
		t.Error("no diagnostics for a custom puzzle")
	}
	c.Files = slices.DeleteFunc(c.Files, func(f File) bool { return f.Name == "starter.py" })
	if bad := ask(t, Request{Lang: "en", Load: &LoadRequest{c}}).Load; bad.OK || len(bad.Problems) == 0 {
		t.Errorf("a puzzle without its starter loads: %+v", bad)
	}
}

// TestMake makes a puzzle of the free page's form; it is sound, and its answer passes.
func TestMake(t *testing.T) {
	p, _ := puzzles.Get(2)
	of := FreeRequest{Source: p.Text.Solutions[0].Source, Kernel: p.Kernel, Grid: "triton.cdiv(N0, B0)", Seed: 3, Args: []FreeArg{
		{Name: "x_ptr", Kind: "tensor", DType: "float32", Shape: "N0", Fill: "rand"},
		{Name: "z_ptr", Kind: "tensor", DType: "float32", Shape: "N0", Fill: "zeros"},
		{Name: "N0", Kind: "int", Value: "200"}, {Name: "B0", Kind: "constexpr", Value: "32"},
	}}
	made := ask(t, Request{Lang: "en", Make: &MakeRequest{Of: of, Number: 13}}).Make
	if made.Custom == nil || made.Custom.Folder != "13_add_mask2_kernel" {
		t.Fatalf("made %+v", made)
	}
	loaded := ask(t, Request{Lang: "en", Load: &LoadRequest{*made.Custom}}).Load
	if !loaded.OK || loaded.Picture != "" || len(loaded.Hints) != 0 || len(loaded.Solutions) != 1 {
		t.Errorf("loaded as %+v", loaded)
	}
	verdict := ask(t, Request{Lang: "en", Puzzle: &PuzzleRequest{Custom: made.Custom, Source: of.Source}}).Verdict
	if !verdict.Pass || verdict.Tests < 4 {
		t.Errorf("the kernel's verdict: %+v", verdict)
	}
	of.Grid = "cdiv(N0, B0)"
	if bad := ask(t, Request{Lang: "zh", Make: &MakeRequest{Of: of}}).Make; bad.Custom != nil || !strings.Contains(bad.Problem, "cdiv") {
		t.Errorf("a form with a wrong field makes %+v", bad)
	}
}
