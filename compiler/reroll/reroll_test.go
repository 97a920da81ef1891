package reroll_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/opt"
	"github.com/newtlab/newt/compiler/reroll"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/tile"
)

// lowered is a kernel of these lines with its loops unrolled.
func lowered(t *testing.T, lines string) *lower.Result {
	t.Helper()
	text := "@triton.jit\ndef kernel(x_ptr, z_ptr, f_ptr, n):\n    i = tl.arange(0, 16)\n    " +
		strings.ReplaceAll(strings.TrimSpace(lines), "\n", "\n    ") + "\n"
	m, list := syntax.Parse(source.NewFile("kernel.py", text))
	if list.HasErrors() {
		t.Fatalf("%v\n%s", list, text)
	}
	res, list := lower.Lower(m, lower.Kernels(m)[0], lower.Options{Args: []lower.Arg{{Type: types.PointerTo(num.Int32)},
		{Type: types.PointerTo(num.Int32)}, {Type: types.PointerTo(num.Float32)}, {Type: types.Scalar(num.Int32)}}})
	if res.Func == nil {
		t.Fatalf("%s\n%s", list[0].Code, text)
	}
	return res
}

// outcome is what a function leaves in memory.
func outcome(t *testing.T, fn *ir.Func) []byte {
	t.Helper()
	if errs := ir.Verify(fn); len(errs) > 0 {
		t.Fatalf("%v\n%s", errs[0], fn)
	}
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatalf("%v\n%s", err, fn)
	}
	buffer := func(d num.DType) tile.Buffer { return tile.Buffer{DType: d, Data: make([]byte, 4*4096)} }
	x, z, f := buffer(num.Int32), buffer(num.Int32), buffer(num.Float32)
	for i := range x.Data {
		x.Data[i] = byte(i * i % 251 * (1 - i%4/3)) // not negative
	}
	report, fault := k.Run(t.Context(), tile.Launch{Grid: [3]int{1, 1, 1},
		Args: []tile.Arg{x, z, f, tile.Scalar{Scalar: num.FromInt(num.Int32, 3)}}})
	if fault != nil || len(report.Violations) > 0 {
		t.Fatalf("%v %v\n%s", fault, report, fn)
	}
	return slices.Concat(z.Data, f.Data)
}

// loops counts the loops of a function.
func loops(fn *ir.Func) (n int) {
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.For {
			n++
		}
	})
	return n
}

// TestLoops has what becomes loops and what does not, and what both compute.
func TestLoops(t *testing.T) {
	const long = "a = a * 3 + tl.load(x_ptr + i + k)\n    b = (b ^ a) - k\n    c = tl.where(b > k, a, c) + (a >> 3)\n"
	const begin = "a = i\nb = i * 7\nc = i + 100\n"
	const end = "tl.store(z_ptr + i, a)\ntl.store(z_ptr + 16 + i, b)\ntl.store(z_ptr + 32 + i, c)"
	for _, c := range []struct {
		name, loop string
		want       int // loops
	}{
		{"range", "for k in tl.static_range(20):\n    " + long, 1},
		{"down", "for k in tl.static_range(60, 0, -3):\n    " + long, 1},
		{"short", "for k in tl.static_range(3):\n    " + long, 0},
		{"little", "for k in tl.static_range(4):\n    a += k\n", 0},
		{"nested", "for j in tl.static_range(8):\n    for k in tl.static_range(20):\n        c += k * j\n        " +
			strings.ReplaceAll(long, "\n", "\n    "), 1},
		{"tuple", "for k in (1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34):\n    " + long, 1},
		{"not in steps", "for k in (1, 4, 7, 10, 13, 16, 20, 22, 25, 28, 31, 34):\n    " + long, 0},
		{"a branch in the middle", "for k in tl.static_range(30):\n    if k == 13:\n        a = a * 2\n    " + long, 2},
		{"a branch in the first", "for k in tl.static_range(30):\n    if k == 0:\n        a = a * 2\n    " + long, 1},
		{"other branches each time", "for k in tl.static_range(30):\n    if k % 2 == 0:\n        a = a * 2\n    " + long, 0},
		{"a float", "for k in tl.static_range(30):\n    f = k * 0.5\n    tl.store(f_ptr + k, f)\n    " + long, 0},
		{"a float of a tensor", "s = n\nfor k in tl.static_range(30):\n    tl.store(f_ptr + k, (s + k) * 0.5)\n    " + long, 1},
		{"swapped", "for k in tl.static_range(30):\n    a, b = b, a\n    " + long, 1},
		{"two iterations late", "p = a\nq = b\nfor k in tl.static_range(30):\n    p, q = q, a\n    c += p\n    " + long, 0},
		{"used behind", "for k in tl.static_range(30):\n    t = a + k\n    " + long + "a += t\n", 1},
		{"a value of the middle", "for k in tl.static_range(30):\n    " + long + "    if k == 11:\n        kept = b\na += kept\n", 2},
		{"a shape", "for k in tl.static_range(4):\n    s = tl.sum(tl.load(x_ptr + tl.arange(0, 2 ** k)), 0)\n    a += s\n    " + long, 0},
		{"a first number", "s = 0\nfor k in tl.static_range(30):\n    s += tl.sum(a, 0) & 15\n    " + long + "c += s\n", 1},
		{"a break", "for k in tl.static_range(30):\n    if tl.sum(a, 0) > 1000000:\n        break\n    " + long, 0},
		{"a branch at run time", "for k in tl.static_range(30):\n    if tl.sum(a, 0) > k * k:\n        a -= k\n    " + long, 0},
		{"constants of a branch at run time", "for k in tl.static_range(30):\n    if tl.sum(a, 0) > 7 * k:\n        a -= k\n    " + long, 1},
		{"in a reduction", "for k in tl.static_range(30):\n    c += tl.reduce(a, 0, lambda x, y: (x ^ y) + k)\n    " + long, 0},
		{"a constant of a reduction", "for k in tl.static_range(30):\n    c += tl.reduce(a, 0, lambda x, y: (x ^ y) + 3)\n    " + long, 1},
		{"another type at first", "s = n.to(tl.int8)\nfor k in tl.static_range(30):\n    s = (s.to(tl.int32) * 3 + k).to(tl.int16)\n    c += s\n    " + long, 1},
		{"int64", "for k in tl.static_range(30):\n    c += ((a.to(tl.int64) + k * 5000000000) >> 33).to(tl.int32)\n    " + long, 1},
		{"tiles", "for k in tl.static_range(30):\n    c += tl.full((16,), 3 * k, tl.uint8)\n    " + long, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := lowered(t, begin+c.loop+end)
			want := outcome(t, res.Func)
			unrolled := ir.Print(res.Func)
			reroll.Func(res.Func, res.Unrolled, 0)
			if got := outcome(t, res.Func); !bytes.Equal(got, want) {
				t.Errorf("another result of\n%s\nthan of\n%s", res.Func, unrolled)
			}
			if n := loops(res.Func); n != c.want {
				t.Errorf("%d loops, not %d, in\n%s", n, c.want, res.Func)
			}
		})
	}
}

// TestLimit: nothing is changed in a function within the limit, nor in the body of a loop that is.
func TestLimit(t *testing.T) {
	nest := "a = i\nfor j in tl.static_range(8):\n    for k in tl.static_range(40):\n        a = (a ^ k) * 3 + j\ntl.store(z_ptr + i, a)"
	size := func(fn *ir.Func) (n int) {
		fn.Body.Walk(func(*ir.Instr) { n++ })
		return n
	}
	whole := size(lowered(t, nest).Func)
	for limit, want := range map[int]int{whole: 0, whole - 1: 1, whole / 4: 1, whole / 20: 2} {
		res := lowered(t, nest)
		reroll.Func(res.Func, res.Unrolled, limit)
		if n := loops(res.Func); n != want {
			t.Errorf("of %d instructions, with a limit of %d: %d loops, not %d", whole, limit, n, want)
		}
	}
}

// statements are lines of random loops; K stands for the loop's variable, R for a small number.
var statements = []string{
	"a = b + K", "b = a * 3 - K * 5", "a, b = b, a", "c = tl.where(a > K, b, c)", "a += tl.load(x_ptr + i + K * 16)",
	"if K == R:\n    b = a + 1", "if K > R:\n    c = c ^ a", "t = a - b\nc += t", "s += K", "s = s * 2 - K * R", "p = a",
	"c += p", "if s > R:\n    s = s - 7 * K", "tl.store(z_ptr + 1024 + K * 16 + i, a)", "f += K * 0.5", "f = f * 0.5 + K",
	"b += tl.full((16,), K * R, tl.uint8)", "c += ((a.to(tl.int64) + K * 5000000000) >> 33).to(tl.int32)",
	"c += tl.sum(b, 0) & 255", "for m in range(0, n):\n    a += m * K", "b = tl.cumsum(b, 0) & 65535", "last = b ^ K",
	"if s > 100:\n    a += K\nelse:\n    c, b = b, c", "q = R + K", "b -= q", "if tl.sum(a, 0) == R:\n    return",
}

// randomLoops is a kernel with unrolled loops of random statements.
func randomLoops(r *rand.Rand) string {
	var sb strings.Builder
	sb.WriteString("a = i\nb = i * 7\nc = i + 100\np = b\ns = n\nq = 1\nlast = a\nf = i * 0.25\n")
	ranges := []string{"tl.static_range(%d)", "tl.static_range(2, %d)", "tl.static_range(%d, 0, -1)", "tl.static_range(3, %d, 2)"}
	var body func(indent, variable string, depth int)
	body = func(indent, variable string, depth int) {
		for range 2 + r.IntN(7) {
			if depth < 2 && r.IntN(8) == 0 {
				inner := []string{"j", "l"}[depth]
				fmt.Fprintf(&sb, "%sfor %s in "+ranges[r.IntN(4)]+":\n", indent, inner, 4+r.IntN(4))
				body(indent+"    ", inner, depth+1)
				continue
			}
			line := strings.NewReplacer("K", variable, "R", fmt.Sprint(r.IntN(20))).Replace(statements[r.IntN(len(statements))])
			sb.WriteString(indent + strings.ReplaceAll(line, "\n", "\n"+indent) + "\n")
		}
	}
	for range 1 + r.IntN(3) {
		fmt.Fprintf(&sb, "for k in "+ranges[r.IntN(4)]+":\n", 4+r.IntN(20))
		body("    ", "k", 0)
	}
	for i, name := range strings.Fields("a b c p last s q") {
		fmt.Fprintf(&sb, "tl.store(z_ptr + %d + i, %s)\n", 16*i, name)
	}
	return sb.String() + "tl.store(f_ptr + i, f)"
}

// TestRandomLoops: random loops compute the same, and what becomes a loop again survives the passes.
func TestRandomLoops(t *testing.T) {
	made := 0
	for seed := range uint64(60) {
		lines := randomLoops(rand.New(rand.NewPCG(seed, 0)))
		res := lowered(t, lines)
		want, before := outcome(t, res.Func), loops(res.Func)
		reroll.Func(res.Func, res.Unrolled, int(seed%3)*100)
		if loops(res.Func) > before {
			made++
		}
		if got := outcome(t, res.Func); !bytes.Equal(got, want) {
			t.Fatalf("seed %d: another result of\n%s\nas\n%s", seed, lines, res.Func)
		}
		opt.Run(res.Func, opt.Options{})
		if got := outcome(t, res.Func); !bytes.Equal(got, want) {
			t.Fatalf("seed %d: another result, optimized, of\n%s\nas\n%s", seed, lines, res.Func)
		}
	}
	if made < 20 {
		t.Errorf("of 60 kernels %d have loops made of unrolled ones", made)
	}
}
