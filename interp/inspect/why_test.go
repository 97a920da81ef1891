package inspect_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// whyText writes the origins of an element as a person reads them: line, step, sentence.
func whyText(t testing.TB, file *source.File, l *inspect.Launch, tensor, element int, lang diag.Lang) string {
	t.Helper()
	w, err := l.Why(t.Context(), tensor, element)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range w.Origins {
		fmt.Fprint(&b, "\n", strings.Repeat("  ", o.Depth))
		if o.Step >= 0 {
			fmt.Fprintf(&b, "%d: ", file.Position(o.Span.Start).Line)
		}
		fmt.Fprint(&b, o.Sentence.In(lang))
	}
	if w.Left > 0 {
		fmt.Fprintf(&b, "\n%d left", w.Left)
	}
	return b.String()
}

// TestWhy: what wrote an element of z, or why nothing did, and what its value comes from. x holds 0 to 63, and n is 3.
func TestWhy(t *testing.T) {
	one := [3]int{1, 1, 1}
	golden := map[diag.Lang]*strings.Builder{diag.English: {}, diag.Chinese: {}}
	for _, c := range []struct {
		name, body string
		grid       [3]int
		element    int
	}{
		{"a sum of blocks", "    i = tl.program_id(0) * 8 + tl.arange(0, 8)\n    a = tl.load(x + i)\n    tl.store(z + i, a * 2 + n)\n", [3]int{8, 1, 1}, 13},
		{"a mask", "    i = tl.arange(0, 8)\n    m = i < n\n    tl.store(z + i, i, mask=m)\n", one, 5},
		{"a load that is masked off", "    i = tl.arange(0, 8)\n    a = tl.load(x + i, mask=i < n, other=7)\n    tl.store(z + i, a)\n", one, 4},
		{"no store", "    i = tl.program_id(0) * 4 + tl.arange(0, 8)\n    tl.store(z + i, 1)\n", [3]int{2, 1, 1}, 40},
		{"several writers", "    i = tl.program_id(0) * 4 + tl.arange(0, 8)\n    tl.store(z + i, i)\n", [3]int{2, 1, 1}, 6},
		{"no writer", "    tl.load(x)\n", one, 6},
		{"broadcast and transposition", "    r = tl.load(x + tl.arange(0, 4))\n    c = tl.load(x + 8 + tl.arange(0, 4))\n    v = tl.trans(r[:, None] * c[None, :])\n    tl.store(z + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 4)[None, :], v)\n", one, 10},
		{"a reduction", "    v = tl.load(x + tl.arange(0, 4)[:, None] * 8 + tl.arange(0, 4)[None, :])\n    s = tl.sum(v * n, 1)\n    tl.store(z + tl.arange(0, 4), s)\n", one, 2},
		{"a long reduction", "    tl.store(z, tl.max(tl.load(x + tl.arange(0, 32)), 0))\n", one, 0},
		{"a loop", "    s = 0\n    for i in range(n):\n        a = tl.load(x + 10 + i)\n        s += a\n    tl.store(z, s)\n", one, 0},
		{"a branch", "    v = n\n    if n > 2:\n        v = n * 5\n    else:\n        v = n * 7\n    tl.store(z + 3, v)\n", one, 3},
		{"a while loop", "    i = n\n    while i < 20:\n        i = i * 2\n    tl.store(z, i)\n", one, 0},
		{"dot", "    r = tl.arange(0, 16)\n    a = tl.full((16, 16), 1.0, tl.float32)\n    b = (r[:, None] + r[None, :]).to(tl.float32)\n    d = tl.dot(a, b)\n    tl.store(z + r[:, None] * 16 + r[None, :], d.to(tl.int32), mask=(r < 4)[:, None])\n", one, 18},
		{"scan", "    v = tl.load(x + 2 * tl.arange(0, 8))\n    tl.store(z + tl.arange(0, 8), tl.cumsum(v, 0))\n", one, 2},
		{"where", "    i = tl.arange(0, 8)\n    v = tl.where(i > n, i * 10, i)\n    tl.store(z + i, v)\n", one, 5},
		{"join and split", "    a, b = tl.split(tl.join(tl.arange(0, 8) + 1, tl.arange(0, 8) * 3))\n    tl.store(z + tl.arange(0, 8), b)\n", one, 2},
		{"gather", "    i = tl.arange(0, 8)\n    v = tl.load(x + 20 + i)\n    g = tl.gather(v, 7 - i, 0)\n    tl.store(z + i, g)\n", one, 1},
		{"cat", "    c = tl.cat(tl.arange(0, 8) + 1, tl.arange(0, 8) + 100, can_reorder=True)\n    tl.store(z + tl.arange(0, 16), c)\n", one, 10},
		{"an atomic operation", "    tl.atomic_add(z + 2, n + tl.program_id(0))\n", [3]int{3, 1, 1}, 2},
		{"a function of the user", "    tl.store(z, helper(n + 1))\n", one, 0},
		{"a function written in Triton", "    v = tl.softmax(tl.arange(0, 2).to(tl.float32)) * 100\n    tl.store(z + tl.arange(0, 2), v.to(tl.int32))\n", one, 1},
		{"a launch that stops", "    tl.device_assert(n < 2)\n    tl.store(z, n)\n", one, 0},
		{"a constant", "    B: tl.constexpr = 4\n    tl.store(z + B, B * n)\n", one, 4},
		{"reading outside", "    tl.store(z + tl.arange(0, 8), tl.load(x + 60 + tl.arange(0, 8)))\n", one, 6},
	} {
		file, l := kernel(t, c.body, c.grid, vector, vector)
		for lang, out := range golden {
			fmt.Fprintf(out, "# %s%s\n\n", c.name, whyText(t, file, l, 1, c.element, lang))
		}
	}
	for lang, out := range golden {
		compare(t, filepath.Join("testdata", "why-"+lang.String()+".txt"), out.String())
	}
}

// TestWhyInMatrix: lanes past the end of a row are not what a mask leaves out of the next one.
func TestWhyInMatrix(t *testing.T) {
	const body = `    r, c = tl.arange(0, 2)[:, None], tl.program_id(0) * 4 + tl.arange(0, 4)[None, :]
    tl.store(z + r * 8 + c, 1, mask=(c < 8) & (c > 0))
`
	file, l := kernel(t, body, [3]int{3, 1, 1}, matrix, matrix)
	want := "no program writes z[1, 0]: program 0, lane [1, 0] points at it, but its mask is False"
	if got := whyText(t, file, l, 1, 8, diag.English); !strings.Contains(got, want) {
		t.Errorf("got%s\nwant %s", got, want)
	}
}

// TestWhyIsBounded: of long loops the newest iterations are listed, what came before them is counted, and a value from
// before the loop is still known.
func TestWhyIsBounded(t *testing.T) {
	const body = `    first = tl.load(x + 9)
    s = tl.load(x + tl.arange(0, 64))
    for i in range(40000):
        s = s + 1
    tl.store(z + tl.arange(0, 64), s + first)
`
	file, l := kernel(t, body, [3]int{1, 1, 1}, vector, vector)
	got := whyText(t, file, l, 1, 5, diag.English)
	for _, want := range []string{
		"z[5] = 40014 ", "first = 9, from `tl.load(x + 9)`; it reads x[9]", "s = 40005, from `s + 1` (lane 5, iteration 39999)",
		"1 left",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in%s", want, got)
		}
	}
	if n := strings.Count(got, "\n"); n != 201 {
		t.Errorf("%d lines", n)
	}
}

// TestWhyAgrees: what is said of the outputs of the solutions is what the summary of all programs says.
func TestWhyAgrees(t *testing.T) {
	for _, p := range puzzles.All() {
		_, l := caseOf(t, p, solution(t, p), 0)
		r := run(t, l, [3]int{}, 0)
		output := len(r.Tensors) - 1
		z := &r.Tensors[output]
		values := judge.Array{Array: puzzles.Array{DType: z.DType, Shape: z.Shape}, Data: z.After}
		texts := values.Texts(values.Len())
		for _, i := range []int{0, len(texts) / 2, len(texts) - 1} {
			w, err := l.Why(t.Context(), output, i)
			if err != nil {
				t.Fatal(err)
			}
			if w.Value != texts[i] || w.Program != r.Index(z.Writers[i]) {
				t.Errorf("%s: element %d is %s, of program %v", p.Slug, i, w.Value, w.Program)
			}
			loads := 0
			for _, o := range w.Origins {
				if o.Tensor >= 0 {
					loads++
				}
			}
			if loads == 0 || len(w.Origins) > 200 {
				t.Errorf("%s: %d loads in %d origins", p.Slug, loads, len(w.Origins))
			}
		}
	}
}

// TestWhyCancelled: an answer that is not wanted any longer ends with an error.
func TestWhyCancelled(t *testing.T) {
	_, l := kernel(t, "    tl.store(z, n)\n", [3]int{1, 1, 1}, vector, vector)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Why(ctx, 1, 0); err != context.Canceled {
		t.Error(err)
	}
}

func BenchmarkWhy(b *testing.B) {
	for _, p := range puzzles.All() {
		_, l := caseOf(b, p, solution(b, p), 0)
		r := run(b, l, [3]int{}, 0)
		b.Run(p.Slug, func(b *testing.B) {
			for b.Loop() {
				if _, err := l.Why(b.Context(), len(r.Tensors)-1, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
