package ptx_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// A trial of the language is a kernel in Triton, of what lowering makes many operations: descriptors, block pointers,
// tuples, map_elementwise, dot_scaled, libdevice. Operations of the IR by themselves are those of irgen.

// sourceType is an element type of such kernels. Each has an input and an output.
type sourceType struct {
	dtype     num.DType
	name      string // in the language
	signature string
}

var elements = []sourceType{
	{num.Int32, "int32", "*i32:16"}, {num.Float32, "float32", "*fp32:16"}, {num.Float16, "float16", "*fp16:16"},
	{num.Uint8, "uint8", "*u8:16"}, {num.Int64, "int64", "*i64:16"}, {num.Float64, "float64", "*fp64:16"},
	{num.Float8E4M3, "float8e4nv", "*fp8e4nv:16"}, {num.Float8E5M2, "float8e5", "*fp8e5:16"},
}

// computed are the elements that variables have; floats hold what inputs do, or what is computed without rounding that
// engines may do differently.
var computed = elements[:6]

const sourceInput = 8192 // elements of an input

// sourceHelpers are what the kernels call.
const sourceHelpers = `from typing import NamedTuple

import triton
import triton.language as tl
from triton.language.extra import libdevice


class Pair(NamedTuple):
    first: tl.tensor
    second: tl.tensor


@triton.jit
def swapped(t):
    return t[1], t[0]


@triton.jit
def turned(p):
    return Pair(p.second, p.first + p.second)


@triton.jit
def branching(a, b):
    r = a
    if a > b:
        r = a - b
    while r > 100:
        r = r // 2
    return r


@triton.jit
def two(a, b):
    return a ^ b, a & b


@triton.jit
def packed(a0, a1, b0, b1):
    return a0 + b1, a1 - b0


@triton.jit
def affine(a, b, c, d):
    return a * c, b * c + d


`

// variable is a tile of the kernel.
type variable struct {
	name  string
	of    sourceType
	shape []int
}

// sourceWriter writes a kernel: each step appends lines.
type sourceWriter struct {
	*rand.Rand
	lines   strings.Builder
	indent  string
	scope   []variable
	scalars []sourceScalar
	wide    bool              // tiles of up to 4,096 elements
	used    map[num.DType]int // elements of outputs
	names   int
	// chainedRows are those of a loop of two dots, if there is one.
	chainedRows int
}

// newSourceTrial is a trial of a kernel of the language, and its text; nil, and why, where newt does not compile it.
func newSourceTrial(seed uint64) (*trial, string) {
	w := &sourceWriter{Rand: rand.New(rand.NewPCG(seed, 3)), indent: "    ", used: map[num.DType]int{}}
	c := &trial{seed: seed, grid: [3]int{1 + w.IntN(2), 1, 1}, proved: w.IntN(2) == 0}
	c.opt = ptx.Options{Target: []string{anyTarget(seed), "sm_90a"}[w.IntN(2)], NumWarps: 1 << w.IntN(4), NumStages: 1 + w.IntN(4),
		PrintBytes: 256, Exact: w.IntN(2) == 0, MmaSync: w.IntN(2) == 0}
	if w.IntN(8) == 0 { // alone, by warpgroup MMA: for persistent thread blocks
		c.grid[0], c.proved = 1+w.IntN(6), true
		c.opt.Target, c.opt.NumWarps, c.opt.Exact, c.opt.MmaSync = "sm_90a", w.product()/16, false, false
	} else {
		w.wide = w.IntN(4) == 0
		steps := sourceSteps
		if w.IntN(2) == 0 {
			steps = tailSteps
		}
		for range 4 + w.IntN(12) {
			choose(w, steps...)(w)
		}
	}
	if w.chainedRows > 0 && w.IntN(2) == 0 { // by warpgroup MMA, with the second dot delayed
		c.opt.Target, c.opt.NumWarps, c.opt.Exact, c.opt.MmaSync = "sm_90a", choose(w, 4, w.chainedRows/16), false, false
	}
	for _, v := range w.scope {
		w.store(v)
	}
	for _, s := range w.scalars {
		w.line("tl.store(%s, %s)", w.reserve(s.of, 1), s.name)
	}
	var params, signature, begin []string
	program := &irgen.Program{}
	for _, e := range elements {
		params, signature = append(params, "in_"+e.name, "out_"+e.name), append(signature, e.signature, e.signature)
		size := max(16, w.used[e.dtype])
		begin = append(begin, fmt.Sprintf("    out_%s += tl.program_id(0) * %d\n", e.name, size))
		program.Args = append(program.Args, irgen.Param{Name: "in_" + e.name, DType: e.dtype, Len: sourceInput},
			irgen.Param{Name: "out_" + e.name, DType: e.dtype, Len: size * c.grid[0], Output: true})
	}
	program.Args = append(program.Args, irgen.Param{Name: "n", DType: num.Int32},
		irgen.Param{Name: "scale", DType: num.Float32})
	text := sourceHelpers + "@triton.jit\ndef kernel(" + strings.Join(params, ", ") + ", n, scale):\n" +
		strings.Join(begin, "") + w.lines.String()
	args, err := compiler.ParseSignature(strings.Join(signature, ", ") + ", i32, fp32")
	if err != nil {
		return nil, err.Error()
	}
	art, list := compiler.Compile(source.NewFile("random.py", text), compiler.Options{Kernel: "kernel", Args: args})
	if art == nil {
		d := list[slices.IndexFunc(list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })]
		at := int(d.Primary.Span.Start)
		line, _, _ := strings.Cut(text[strings.LastIndex(text[:at], "\n")+1:], "\n")
		return nil, fmt.Sprintf("seed %d: %s: %s\n%s", seed, line, d.In(diag.English).Headline, text)
	}
	program.Func, c.program = art.Func, program
	number(art.Func)
	return c, text
}

func (w *sourceWriter) step() { sourceSteps[w.IntN(len(sourceSteps))](w) }

func (w *sourceWriter) line(format string, args ...any) {
	fmt.Fprintf(&w.lines, w.indent+format+"\n", args...)
}

func (w *sourceWriter) fresh() string {
	w.names++
	return fmt.Sprint("v", w.names)
}

// let gives an expression of that type a name.
func (w *sourceWriter) let(e sourceType, shape []int, format string, args ...any) variable {
	v := variable{w.fresh(), e, shape}
	w.line("%s = %s", v.name, fmt.Sprintf(format, args...))
	w.scope = append(w.scope, v)
	return v
}

// tuple is what is between the parentheses of a tuple of numbers.
func tuple(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ") + ","
}

func numel(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

func (w *sourceWriter) shape() []int {
	if w.wide && w.IntN(2) == 0 {
		return choose(w, []int{512}, []int{1024}, []int{4096}, []int{64, 64}, []int{8, 256}, []int{4, 16, 32})
	}
	return [][]int{{16}, {32}, {128}, {8, 16}, {16, 32}, {32, 32}, {4, 8}, {2, 64}, {2, 4, 8}}[w.IntN(9)]
}

// want is an expression of that type: a variable, another one reshaped and converted, or what is loaded from the input.
func (w *sourceWriter) want(e sourceType, shape []int) string {
	var same, others []variable
	for _, v := range w.scope {
		switch {
		case v.of == e && slices.Equal(v.shape, shape):
			same = append(same, v)
		case numel(v.shape) == numel(shape) && v.of.dtype.Info().Float == e.dtype.Info().Float:
			others = append(others, v)
		}
	}
	switch {
	case len(same) > 0 && w.IntN(4) > 0:
		return same[w.IntN(len(same))].name
	case len(others) > 0 && w.IntN(2) > 0:
		return fmt.Sprintf("tl.reshape(%s, (%s)).to(tl.%s)", others[w.IntN(len(others))].name, tuple(shape), e.name)
	}
	return fmt.Sprintf("tl.load(in_%s + %d + tl.reshape(tl.arange(0, %d), (%s)))", e.name, w.IntN(1024), numel(shape),
		tuple(shape))
}

// reserve is where n elements of an output begin that nothing else touches, on a multiple of 16 bytes.
func (w *sourceWriter) reserve(e sourceType, n int) string {
	at := w.used[e.dtype]
	w.used[e.dtype] = at + roundUp16(n)
	return fmt.Sprintf("out_%s + %d", e.name, at)
}

func roundUp16(n int) int { return (n + 15) &^ 15 }

func (w *sourceWriter) store(v variable) {
	at := w.reserve(v.of, numel(v.shape))
	w.line("tl.store(%s + tl.reshape(tl.arange(0, %d), (%s)), %s)", at, numel(v.shape), tuple(v.shape), v.name)
}

func (w *sourceWriter) element(from []sourceType) sourceType { return from[w.IntN(len(from))] }

var floating = []sourceType{elements[1], elements[2], elements[5]}
var integral = []sourceType{elements[0], elements[3], elements[4]}

// atTop reports whether a step is outside loops and branches: outputs are written there alone, once.
func (w *sourceWriter) atTop() bool { return w.indent == "    " }
