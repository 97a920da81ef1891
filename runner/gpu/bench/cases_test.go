package main

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// scaled has a kernel with an argument of each kind, in two configurations.
const scaled = `import triton
import triton.language as tl

@triton.jit(do_not_specialize=["first"])
def scale(x_ptr, y_ptr, at_ptr, none_ptr, n, one, first, by, flag, D: tl.constexpr, HOW: tl.constexpr, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    x = tl.load(x_ptr + tl.load(at_ptr + i, mask=i < n, other=0), mask=i < n)
    if HOW == "twice":
        x = x * 2
    tl.store(y_ptr + i * one + first, (x * by).to(D), mask=(i < n) & flag)

CASES = [dict(name="scale", size=str(n), kernel=scale, args=dict(
    x_ptr=("fp16", (4, n // 4)), y_ptr=("fp32", (n,), ("uniform", 0, 1)), at_ptr=("i32", (n,), "arange"), none_ptr=None,
    n=n, one=1, first=0, by=0.5, flag=True, D=tl.float32, HOW="twice"),
    configs=[dict(B=128, num_warps=2)], also=[dict(B=256)], grid=lambda c, n=n: (triton.cdiv(n, c["B"]),), out=["y_ptr"])
    for n in (1000, 4096)]
`

// TestCases compiles the cases of a file as their launches do.
func TestCases(t *testing.T) {
	file := source.NewFile("scaled.py", scaled)
	list, err := launchJobs(t.Context(), file)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d jobs: %v", len(list), err)
	}
	const signature = "x_ptr=*fp16:16, y_ptr=*fp32:16, at_ptr=*i32:16, none_ptr=None, n=%, one=i32:1, first=i32, " +
		"by=fp32, flag=i1, D=tl.fp32, HOW='twice', B=128"
	for i, n := range []string{"i32", "i32:16"} {
		if want := strings.Replace(signature, "%", n, 1); list[2*i].Signature != want {
			t.Errorf("the signature is\n%s\nwant\n%s", list[2*i].Signature, want)
		}
	}
	if j := list[1]; j.Contest || j.Config["num_warps"] != 4 || j.Config["num_stages"] != 3 || j.Grid != [3]int{4, 1, 1} {
		t.Errorf("the second job is %+v", j)
	}
	w := &writer{folder: t.TempDir(), file: file}
	for i := range list {
		e, text := w.compileCase(t.Context(), &list[i], "scale")
		switch {
		case e.Problem != "":
			t.Errorf("%+v: %s", list[i].Config, e.Problem)
		case e.Threads != 32*list[i].Config["num_warps"] || len(e.Params) < 6 || e.Cost <= 0:
			t.Errorf("the entry is %+v", e)
		case !strings.Contains(text, ".entry scale"):
			t.Errorf("the PTX is\n%s", text)
		}
	}
}

// TestCasesProblems: what cannot be compiled or launched is a problem of its entry, with words for people.
func TestCasesProblems(t *testing.T) {
	for old, want := range map[string]string{
		`x = x * 2`:                      "undefined_name",
		`at_ptr=("i32", (n,), "arange")`: "outside",
	} {
		with := map[string]string{`x = x * 2`: "x = x * undefined_name",
			`at_ptr=("i32", (n,), "arange")`: `at_ptr=("i32", (8,), "arange")`}[old]
		file := source.NewFile("scaled.py", strings.Replace(scaled, old, with, 1))
		list, err := launchJobs(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		w := &writer{folder: t.TempDir(), file: file}
		if e, text := w.compileCase(t.Context(), &list[0], "scale"); !strings.Contains(e.Problem, want) || text != "" {
			t.Errorf("the problem is %q", e.Problem)
		}
	}
	if _, err := launchJobs(t.Context(), source.NewFile("none.py", "x = 1\n")); err == nil {
		t.Error("a file without CASES has jobs")
	}
}
