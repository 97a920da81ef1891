package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/types"
)

// job is a kernel with the arguments to compile it for.
type job struct {
	kernel, kind string
	even         bool // integers and strides are multiples of 16, as most people's are
	args         []compiler.Arg
	config       map[string]int
	masked       bool // masks leave elements out of whole tiles, too
}

func (j job) name() string {
	var parts []string
	for k, v := range j.config {
		parts = append(parts, fmt.Sprintf("%s%d", k, v))
	}
	slices.Sort(parts)
	even := "odd"
	if j.even {
		even = "even"
	}
	return strings.Trim(strings.Join([]string{j.kernel, j.kind, even, strings.Join(parts, "_")}, "_"), "_")
}

func (j job) options() compiler.Options {
	return compiler.Options{Kernel: j.kernel, Args: j.args, NumWarps: j.config["warps"], NumStages: j.config["stages"]}
}

func pointer(name string, d num.DType) compiler.Arg {
	return compiler.Arg{Name: name, Type: types.PointerTo(d), Divisible: 16}
}

func (j job) integer(name string) compiler.Arg {
	a := compiler.Arg{Name: name, Type: types.Scalar(num.Int32)}
	if j.even {
		a.Divisible = 16
	}
	return a
}

func constexpr(name string, v any) compiler.Arg {
	if n, ok := v.(int); ok {
		v = int64(n)
	}
	return compiler.Arg{Name: name, Value: v, Constexpr: true}
}

// matmuls are block sizes M, N, K, stages, warps and rows of blocks in a group, as people tune over. Those of six
// stages are for small products, whose time is the latency of their loads; those of groups of four for products of one
// wave.
var matmuls = [][6]int{
	{128, 256, 64, 3, 8, 8}, {64, 256, 32, 4, 4, 8}, {128, 128, 32, 4, 4, 8}, {128, 128, 64, 4, 4, 8},
	{128, 128, 64, 3, 8, 8}, {128, 64, 32, 4, 4, 8}, {64, 128, 32, 4, 4, 8}, {256, 128, 64, 3, 8, 8},
	{128, 256, 128, 3, 8, 8}, {64, 64, 64, 3, 4, 8}, {128, 256, 32, 3, 8, 8}, {256, 128, 32, 3, 8, 8},
	{128, 256, 64, 4, 8, 8}, {256, 128, 128, 3, 8, 8}, {128, 128, 32, 3, 8, 8}, {64, 64, 64, 6, 4, 8},
	{128, 64, 64, 6, 4, 8}, {64, 128, 64, 6, 4, 8}, {128, 64, 16, 3, 4, 8},
	{128, 256, 64, 3, 8, 4}, {128, 256, 64, 4, 8, 4}, {256, 128, 64, 3, 8, 4},
}

// attentions are block sizes M, N, stages and warps.
var attentions = [][4]int{{128, 64, 3, 4}, {128, 64, 3, 8}, {128, 128, 2, 8}, {64, 64, 3, 4}, {128, 64, 4, 8},
	{256, 64, 3, 8}, {64, 128, 2, 4}, {64, 64, 2, 4}, {128, 64, 2, 4}}

var operands = []struct {
	kind     string
	in, out  num.DType
	acc      num.DType
	accuracy string
	kMajor   bool // b is contiguous along K; else along N
}{
	{"fp16", num.Float16, num.Float16, num.Float32, "tf32", false},
	{"bf16", num.BFloat16, num.BFloat16, num.Float32, "tf32", false},
	{"tf32", num.Float32, num.Float32, num.Float32, "tf32", false},
	{"tf32_kmajor", num.Float32, num.Float32, num.Float32, "tf32", true},
	{"fp32", num.Float32, num.Float32, num.Float32, "ieee", false},
	{"int8", num.Int8, num.Int32, num.Int32, "tf32", false},
	{"int8_kmajor", num.Int8, num.Int32, num.Int32, "tf32", true},
	{"fp8", num.Float8E4M3, num.Float16, num.Float32, "tf32", false},
	{"fp8_kmajor", num.Float8E4M3, num.Float16, num.Float32, "tf32", true},
}

// jobs lists the kernels: those with arguments divisible by 16 are timed, the others are checked only.
func jobs() []job {
	var out []job
	for _, even := range []bool{true, false} {
		for _, block := range []int{512, 1024, 2048, 4096} {
			for _, warps := range []int{4, 8} {
				j := job{kernel: "vector_add", even: even, config: rowConfig(block, warps)}
				j.args = []compiler.Arg{
					pointer("x_ptr", num.Float32), pointer("y_ptr", num.Float32), pointer("z_ptr", num.Float32),
					j.integer("n"), constexpr("BLOCK", block)}
				out = append(out, j)
			}
		}
		for _, block := range []int{1024, 4096, 8192, 32768} {
			for _, warps := range []int{4, 8, 16} {
				out = append(out, rows("row_softmax", even, block, warps), rows("layer_norm", even, block, warps))
			}
		}
		for _, o := range operands {
			for _, c := range matmuls {
				j := job{kernel: "matmul", kind: o.kind, even: even, config: map[string]int{
					"BM": c[0], "BN": c[1], "BK": c[2], "GROUP": c[5], "stages": c[3], "warps": c[4]}}
				j.args = []compiler.Arg{pointer("a_ptr", o.in), pointer("b_ptr", o.in), pointer("c_ptr", o.out),
					j.integer("M"), j.integer("N"), j.integer("K"),
					j.integer("sam"), constexpr("sak", 1), // a and c are row-major
					j.integer("sbk"), constexpr("sbn", 1),
					j.integer("scm"), constexpr("scn", 1),
					constexpr("BM", c[0]), constexpr("BN", c[1]), constexpr("BK", c[2]), constexpr("GROUP", c[5]),
					constexpr("ACC", o.acc), constexpr("PREC", o.accuracy)}
				if o.kMajor {
					j.args[8], j.args[9] = constexpr("sbk", 1), j.integer("sbn")
				}
				out = append(out, j)
			}
		}
	}
	for _, d := range []int{64, 128} {
		for _, causal := range []bool{false, true} {
			for _, c := range attentions {
				out = append(out, attention(d, causal, c))
			}
		}
	}
	return out
}

// rowConfig is the configuration of a kernel that goes along rows.
func rowConfig(block, warps int) map[string]int {
	return map[string]int{"BLOCK": block, "warps": warps, "stages": 3}
}

func rows(kernel string, even bool, block, warps int) job {
	j := job{kernel: kernel, even: even, config: rowConfig(block, warps)}
	x, z, columns := pointer("x_ptr", num.Float32), pointer("z_ptr", num.Float32), j.integer("n_cols")
	j.args = []compiler.Arg{x, z, columns, constexpr("BLOCK", block)}
	if kernel == "layer_norm" {
		w, b := pointer("w_ptr", num.Float32), pointer("b_ptr", num.Float32)
		eps := compiler.Arg{Name: "eps", Type: types.Scalar(num.Float32)}
		j.args = []compiler.Arg{x, w, b, z, columns, eps, constexpr("BLOCK", block)}
	}
	return j
}

func attention(d int, causal bool, c [4]int) job {
	flag := map[bool]int{true: 1}[causal]
	j := job{kernel: "attention", even: true, masked: causal,
		config: map[string]int{"D": d, "BM": c[0], "BN": c[1], "CAUSAL": flag, "stages": c[2], "warps": c[3]}}
	j.args = []compiler.Arg{
		pointer("q_ptr", num.Float16), pointer("k_ptr", num.Float16),
		pointer("v_ptr", num.Float16), pointer("o_ptr", num.Float16),
		{Name: "scale", Type: types.Scalar(num.Float32)}, j.integer("T"),
		constexpr("D", d), constexpr("BM", c[0]), constexpr("BN", c[1]), constexpr("CAUSAL", causal)}
	return j
}

// facts lets the compiler leave checks out, or demands those of all accesses and loops. Of whole tiles rows and columns
// lie in the matrix, so that remainders are their dividends, and masks are true; the matrix's are powers of two.
func (j job) facts(o *ptx.Options, art *compiler.Artifact, v variant) {
	o.Bounded = func(*ir.Instr) bool { return !v.checked }
	o.Proved = func(in *ir.Instr) bool { return !v.checked || !axis.Accesses(in) }
	o.Boxes = func(*ir.Instr) bool { return v.whole }
	o.Reduced = func(in *ir.Instr) bool { return v.whole && !in.Results[0].Type.IsScalar() }
	o.Natural = func(*ir.Instr) bool { return !v.checked }
	o.PowerOfTwo = func(*ir.Instr) bool { return v.whole }
	o.Persistent = v.many
	o.Scales = func(in *ir.Instr) bool { _, _, ok := axis.Scaled(in); return ok }
	o.True = func(in *ir.Instr) bool { return v.whole && !j.masked && bounds.OrdersTiles(in) }
	for range art.Func.Params {
		o.FirstZero = append(o.FirstZero, true)
	}
}

// median times f.
func median(f func()) float64 {
	var all []float64
	for range runs {
		start := time.Now()
		f()
		all = append(all, time.Since(start).Seconds()*1e3)
	}
	slices.Sort(all)
	return all[len(all)/2]
}
