package judge

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
)

// TestSolutionsAtOtherSizes: what the statements promise of sizes is true of every solution.
func TestSolutionsAtOtherSizes(t *testing.T) {
	for _, p := range puzzles.All() {
		names, err := filepath.Glob(filepath.Join("..", p.Slug, "solution*.py"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found := TryOtherSizes(t.Context(), New(p), source.NewFile(name, string(text)), Options{})
			if tried := len(puzzles.OtherCases(p, constants(source.NewFile(name, string(text))))); found.Failure != nil || len(found.Right) != tried {
				t.Errorf("%s: right at %d of %d: %s", name, len(found.Right), tried, found.Message().In(diag.English))
			}
			t.Logf("%s: %s %s", p.Slug, found.Message().In(diag.English), found.Message().In(diag.Chinese))
		}
	}
}

// slips are changes of the solutions that pass every test, with the smallest sizes at which they are wrong.
var slips = []struct {
	puzzle             int
	name               string
	from, to           string
	sizes, en, zh, fix string // fix is an edit's text; empty where there is none
}{
	{1, "the mask is that of the largest test", "z_ptr + i, x + 10.0", "z_ptr + i, x + 10.0, mask=i < 256",
		"N0 = 512, B0 = 512", "no program writes `z[256:512]`, 256 of 512 elements", "没有程序写入 `z[256:512]`：512 个元素中的 256 个", ""},
	{2, "the grid is that of the largest test", "mask = i < N0", "mask = (i < N0) & (pid < 8)",
		"N0 = 257", "no program writes `z[256]`, 1 of 257 elements", "", ""},
	{2, "a block counts as whole", "x = tl.load(x_ptr + i, mask=mask)",
		"x = tl.load(x_ptr + i, mask=mask)\n    if pid == 1:\n        x = tl.load(x_ptr + i)",
		"N0 = 33", "`x` is read at index 33, but it has 33 elements (program 1)", "（程序 1）", ", mask=i < N0"},
	{3, "rows beyond those of the tests", "i[None, :], z)", "i[None, :], z, mask=j[:, None] < 64)",
		"N0 = 1, N1 = 128, B0 = 1, B1 = 128", "no program writes `z[64:128, 0]`, 64 of 128 elements", "", ""},
	{4, "a column block counts as whole", "mask=i < N0", "mask=(i < N0) | (tl.program_id(0) == 2)",
		"N0 = 65, N1 = 1", "`x` is read at index 65, but it has 65 elements (program 2)", "", ""},
	{5, "rows are those of the tests", "mask=j < N1)\n", "mask=j < tl.minimum(N1, 90), other=0.0)\n",
		"N0 = 2, N1 = 91", "no program reads `y[90]`, 1 of 91 elements; the first wrong element is `z[90, 0]`: got 0, want", "没有程序读取 `y[90]`：91 个元素中的 1 个", ""},
	{6, "the wrong stride for one column", "tile = j[:, None] * N0 + i[None, :]",
		"tile = j[:, None] * tl.maximum(N0, 2) + i[None, :]", "N0 = 1, N1 = 2", "`x` is read at index 2, but it has 2 elements (program 0)", "", ""},
	{7, "a trip count", "tl.range(0, T, B1)", "tl.range(0, 1024, B1)", "N0 = 1, T = 1025", "no program reads `x[0, 1024]`, 1 of 1025 elements; the first wrong element is `z[0]`: got", "得到", ""},
	{8, "a trip count in one loop of three", "    for start in tl.range(0, T, B1):\n        j = start + tl.arange(0, B1)\n        mask = (i[:, None] < N0) & (j[None, :] < T)\n        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=float(\"-inf\"))\n        s +=",
		"    for start in tl.range(0, 256, B1):\n        j = start + tl.arange(0, B1)\n        mask = (i[:, None] < N0) & (j[None, :] < T)\n        x = tl.load(x_ptr + i[:, None] * T + j[None, :], mask=mask, other=float(\"-inf\"))\n        s +=",
		"N0 = 1, T = 257", "are wrong", "", ""},
	{9, "a trip count", "tl.range(0, T, B1)", "tl.range(0, 224, B1)", "N0 = 1, T = 225", "no program reads `k[224]`, 1 of 225 elements; the first wrong element is `z[0]`", "", ""},
	{10, "images as high as in the tests", "for h in tl.range(0, H):", "for h in tl.range(0, min(H, 8)):",
		"N0 = 1, H = 9, W = 1", "no program writes `z[0, 8, 0]`, 1 of 9 elements", "", ""},
	{11, "a trip count", "tl.range(0, MID, B_MID)", "tl.range(0, 96, B_MID)", "N0 = 1, N1 = 1, N2 = 1, MID = 97", "wrong", "", ""},
	{12, "columns are those of the tests", "(col < N1))", "(col < min(N1, 47)))", "N0 = 1, N1 = 48, MID = 8",
		"no program writes `z[0, 47]`, 1 of 48 elements", "", ""},
}

// slipOf is a solution with a change.
func slipOf(t *testing.T, p *puzzles.Puzzle, from, to string) *source.File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", p.Slug, "solution.py"))
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.ReplaceAll(string(text), from, to)
	if changed == string(text) {
		t.Fatalf("the solution of puzzle %d lacks %q", p.Number, from)
	}
	return source.NewFile("slip.py", changed)
}

func TestOtherSizesFindSlips(t *testing.T) {
	for _, c := range slips {
		t.Run(c.name, func(t *testing.T) {
			p, _ := puzzles.Get(c.puzzle)
			file := slipOf(t, p, c.from, c.to)
			j := New(p)
			if v := j.Check(t.Context(), file, Options{}); !v.Pass() {
				explain(t, v)
				t.Fatal("the slip does not pass the tests")
			}
			found := TryOtherSizes(t.Context(), j, file, Options{})
			en, zh := found.Message().In(diag.English), found.Message().In(diag.Chinese)
			if found.Failure == nil {
				t.Fatal(en)
			}
			if got := puzzles.Describe(p, found.Failure.Case.Case); got != c.sizes {
				t.Errorf("fails at %s, want %s", got, c.sizes)
			}
			if !strings.Contains(en, c.en) || !strings.Contains(zh, c.zh) {
				t.Errorf("says %q and %q, want %q and %q", en, zh, c.en, c.zh)
			}
			t.Log(en)
			t.Log(zh)
			if fix := fixOf(found.Failure.Diagnostics); fix != c.fix {
				t.Errorf("the fix is %q, want %q", fix, c.fix)
			}
		})
	}
}

func fixOf(list diag.List) string {
	for _, d := range list {
		for _, f := range d.Fixes {
			return f.Edits[0].New
		}
	}
	return ""
}

// TestOtherSizesEnd: an answer that fails its first test is not tried at others, nor is any where the context has ended.
func TestOtherSizesEnd(t *testing.T) {
	p, _ := puzzles.Get(2)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		text string
	}{
		"wrong": {t.Context(), p.Text.Starter}, "does not compile": {t.Context(), "x ="}, "ended": {ended, p.Text.Solutions[0].Source},
	} {
		found := TryOtherSizes(c.ctx, New(p), source.NewFile("kernel.py", c.text), Options{})
		if found.Failure != nil || len(found.Right) > 0 || found.Message().Key != "" {
			t.Errorf("%s: %s", name, found.Message().In(diag.English))
		}
	}
}

// TestPromisesAreChecked: sizes at which the puzzle's own solution fails are none of the puzzle's.
func TestPromisesAreChecked(t *testing.T) {
	ours, _ := puzzles.Get(2)
	p, text := *ours, *ours.Text
	text.Solutions = []puzzles.Solution{{File: "solution.py", Source: slipOf(t, ours, "mask = i < N0", "mask = (i < N0) & (pid < 8)").Text}}
	p.Text = &text
	found := TryOtherSizes(t.Context(), New(&p), source.NewFile("kernel.py", text.Solutions[0].Source), Options{})
	if found.Failure != nil || len(found.Right) == 0 {
		t.Error(found.Message().In(diag.English))
	}
}

// TestLaunchAtOtherSizes: the launch that fails can be made again.
func TestLaunchAtOtherSizes(t *testing.T) {
	p, _ := puzzles.Get(2)
	file := source.NewFile("kernel.py", p.Text.Solutions[0].Source)
	l, list := New(p).Launch(t.Context(), file, 1, map[string]int{"N0": 7}, Options{})
	if l == nil || l.Arrays[1].Len() != 7 || l.Launch.Grid[0] != 1 || !l.Launch.Poison {
		t.Errorf("%v %v", l, list)
	}
	for name, v := range map[string]int{"N0": 1 << 30, "M": 3, "B0": 0} {
		if l, list := New(p).Launch(t.Context(), file, 1, map[string]int{name: v}, Options{}); l != nil || !list.HasErrors() {
			t.Errorf("%s = %d is launched", name, v)
		}
	}
}
