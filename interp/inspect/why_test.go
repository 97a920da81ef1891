package inspect_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// whyText is what Why says of an element of a tensor.
func whyText(t testing.TB, file *source.File, l *inspect.Launch, tensor, element int, lang diag.Lang) string {
	t.Helper()
	w, err := l.Why(t.Context(), tensor, element)
	if err != nil {
		t.Fatal(err)
	}
	return originsText(file, w, lang)
}

// originsText writes origins as a person reads them: line, step, sentence.
func originsText(file *source.File, w *inspect.Why, lang diag.Lang) string {
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

// TestWhyValue: what a lane of a step's value comes from. The step is the last one with a value on the line that ends in
// "# here".
func TestWhyValue(t *testing.T) {
	one := [3]int{1, 1, 1}
	golden := map[diag.Lang]*strings.Builder{diag.English: {}, diag.Chinese: {}}
	for _, c := range []struct {
		name, body string
		lane       int
	}{
		{"a load", "    i = tl.arange(0, 8)\n    a = tl.load(x + 2 * i) # here\n    tl.store(z + i, a)\n", 3},
		{"an expression", "    a = tl.load(x + tl.arange(0, 8))\n    tl.store(z + tl.arange(0, 8), a * a + n) # here\n", 2},
		{"pointers", "    i = tl.arange(0, 4)\n    p = x + i[:, None] * 8 + i[None, :] # here\n    tl.store(z + i, tl.sum(tl.load(p), 1))\n", 6},
		{"a dimension more", "    i = tl.arange(0, 4) + n\n    j = i[:, None] # here\n    tl.store(z + j, j)\n", 2},
		{"three axes", "    c = tl.reshape(tl.load(x + tl.arange(0, 16)), (2, 2, 4)) # here\n    tl.store(z, tl.sum(tl.reshape(c, (16,)), 0))\n", 13},
		{"an accumulator", "    s = tl.zeros((4,), tl.int32)\n    for i in range(3):\n        s += tl.load(x + 4 * i + tl.arange(0, 4)) # here\n    tl.store(z + tl.arange(0, 4), s)\n", 1},
		{"the index of a loop", "    for i in range(n): # here\n        tl.store(z + i, i)\n", 0},
		{"a masked load", "    a = tl.load(x + tl.arange(0, 8), mask=tl.arange(0, 8) < n, other=-1) # here\n    tl.store(z + tl.arange(0, 8), a)\n", 5},
		{"a choice", "    v = n * 5 if n > 2 else n * 7 # here\n    tl.store(z, v)\n", 0},
		{"an atomic operation", "    old = tl.atomic_add(z + 1, n) # here\n    tl.store(z, old)\n", 0},
	} {
		file, l := kernel(t, c.body, one, vector, vector)
		line := 0
		for n, text := range strings.Split(file.Text, "\n") {
			if strings.HasSuffix(text, "# here") {
				line = n + 1
			}
		}
		r, step := run(t, l, [3]int{}, 0), -1
		for i, s := range r.Steps {
			if s.Value != nil && file.Position(s.Span.Start).Line == line {
				step = i
			}
		}
		w, err := l.WhyValue(t.Context(), [3]int{}, step, c.lane)
		if err != nil || w == nil {
			t.Fatal(c.name, step, w, err)
		}
		for lang, out := range golden {
			fmt.Fprintf(out, "# %s: %s = %s%s\n\n", c.name, w.Element, w.Value, originsText(file, w, lang))
		}
	}
	for lang, out := range golden {
		compare(t, filepath.Join("testdata", "why-value-"+lang.String()+".txt"), out.String())
	}
}

// TestNoWhyValue: a step without a value, a lane, a step and a program that are not there have no origins.
func TestNoWhyValue(t *testing.T) {
	_, l := kernel(t, "    a = tl.load(x)\n    tl.store(z, a)\n", [3]int{1, 1, 1}, vector, vector)
	for _, c := range []struct {
		program    [3]int
		step, lane int
	}{{step: 1}, {lane: 1}, {lane: -1}, {step: 2}, {program: [3]int{1}}, {step: -1}} {
		if w, err := l.WhyValue(t.Context(), c.program, c.step, c.lane); w != nil || err != nil {
			t.Errorf("%+v: %+v, %v", c, w, err)
		}
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

// TestWhyValueAgrees: lanes of the solutions' values are those of the inspection, its steps have loaded the elements that
// origins name, and the values depend on these elements and on no others.
func TestWhyValueAgrees(t *testing.T) {
	for _, p := range puzzles.All() {
		c, l := caseOf(t, p, solution(t, p), 0)
		last := c.Launch.Grid
		for axis := range last {
			last[axis]--
		}
		r := run(t, l, last, 0)
		depend := false
		for _, at := range floatSteps(r) {
			value := r.Steps[at].Value
			for _, lane := range []int{0, len(value.Lanes) / 2} {
				w, err := l.WhyValue(t.Context(), last, at, lane)
				if err != nil || w == nil {
					t.Fatal(p.Slug, at, err)
				}
				if w.Value != value.LaneText(lane) || w.Origins[0].Step != at {
					t.Errorf("%s: step %d, lane %d: %s, not %s", p.Slug, at, lane, w.Value, value.LaneText(lane))
				}
				read := map[[2]int]bool{}
				for _, o := range w.Origins {
					if o.Tensor < 0 {
						continue
					}
					read[[2]int{o.Tensor, o.Element}] = true
					if a := r.Steps[o.Step].Access; a == nil || a.Tensor != o.Tensor || !slices.Contains(a.Elements, int32(o.Element)) {
						t.Errorf("%s: step %d: %q", p.Slug, o.Step, o.Sentence.In(diag.English))
					}
				}
				after := func(changes func(at [2]int) bool) string {
					r := run(t, changed(t, c, changes), last, 0)
					return r.Steps[at].Value.LaneText(lane)
				}
				if got := after(func(at [2]int) bool { return !read[at] }); w.Left == 0 && got != w.Value {
					t.Errorf("%s: step %d, lane %d is %s, and %s where other elements are", p.Slug, at, lane, w.Value, got)
				}
				for one := range read {
					depend = depend || after(func(at [2]int) bool { return at == one }) != w.Value
				}
			}
		}
		if !depend && len(floatSteps(r)) > 0 {
			t.Errorf("%s: no value depends on what it has read", p.Slug)
		}
	}
}

// floatSteps are the last step that gives floats, and some before it.
func floatSteps(r *inspect.Result) (out []int) {
	for i := range slices.Backward(r.Steps) {
		v := r.Steps[i].Value
		if v != nil && !v.Type.Pointer && v.Type.DType.Info().Float && len(out) < 6 {
			out = append(out, i)
		}
	}
	return out
}

// changed is a test of a puzzle with some elements of its tensors changed: floats have the other sign.
func changed(t *testing.T, c *judge.CaseLaunch, changes func(at [2]int) bool) *inspect.Launch {
	t.Helper()
	args, err := launch.Copied(c.Args)
	if err != nil {
		t.Fatal(err)
	}
	var shapes []launch.Shape
	for _, a := range args {
		if a.Tensor == nil {
			continue
		}
		of := a.Tensor.DType.Info()
		for i := range len(a.Tensor.Data) / of.Bytes {
			switch element := a.Tensor.Data[i*of.Bytes:][:of.Bytes]; {
			case !changes([2]int{len(shapes), i}):
			case of.Float:
				element[of.Bytes-1] ^= 0x80
			default:
				element[0] ^= 1
			}
		}
		shapes = append(shapes, launch.Shape{Sizes: c.Arrays[len(shapes)].Shape})
	}
	l, why := inspect.New(c.Kernel, args, shapes, c.Launch)
	if why != nil {
		t.Fatal(why)
	}
	return l
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
