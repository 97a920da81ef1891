package ops

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestRowsComplete(t *testing.T) {
	names := map[string]Op{}
	for op := Invalid + 1; op < N; op++ {
		d := op.Def()
		if d.Name == "" || (d.Wire == 0) != op.Has(Placed) || d.SigText() == "" || d.Why == "" {
			t.Errorf("row %d (%s) lacks a name, number, signature or reason", op, d.Name)
		}
		if other, taken := names[d.Name]; taken {
			t.Errorf("%s names rows %d and %d", d.Name, other, op)
		}
		names[d.Name] = op
		if got, ok := ByName(d.Name); !ok || got != op {
			t.Errorf("ByName(%s) = %d, %v", d.Name, got, ok)
		}
		if got, ok := ByWire(d.Wire); (!ok || got != op) && !op.Has(Placed) {
			t.Errorf("ByWire(%d) = %s, want %s: two rows share a number", d.Wire, got, d.Name)
		}
		if op.Has(Structured) != (len(d.Regions) > 0) {
			t.Errorf("%s: the trait Structured and the list of regions disagree", d.Name)
		}
		for _, f := range op.Signature().Forms {
			if f.ByRule && rules[op] == nil {
				t.Errorf("%s leaves its results to a rule that does not exist", d.Name)
			}
		}
	}
}

// TestGoldenWire pins everything that the wire form depends on. Lines may be added at the end;
// a changed line breaks recorded kernels and needs a new wire version.
func TestGoldenWire(t *testing.T) {
	rows := make([]string, 256)
	for op := Invalid + 1; op < N; op++ {
		if op.Has(Placed) {
			continue
		}
		d := op.Def()
		line := fmt.Sprintf("%d %s", d.Wire, d.Name)
		for _, a := range d.Attrs {
			if a.Placed {
				continue
			}
			line += fmt.Sprintf(" %s:%d", a.Name, a.Kind)
			if a.Optional {
				line += "?"
			}
			if a.Kind == EnumAttr {
				line += "=" + strings.Join(a.Enum, "|")
			}
		}
		rows[d.Wire] = line
	}
	rows = slices.DeleteFunc(rows, func(s string) bool { return s == "" })
	for d := range num.NumDTypes {
		rows = append(rows, fmt.Sprintf("dtype %d %s", d, d.Info().Short))
	}
	got := strings.Join(rows, "\n") + "\n"
	const path = "testdata/wire.golden"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the wire form's numbers changed (run with -update only for added lines):\n%s", got)
	}
}

func TestSignatureErrors(t *testing.T) {
	for _, sig := range []string{"", "(x: E[S])", "(x: E[S) -> E", "(x) -> E", "(..., x: E) -> E", "(x: Q) -> ()", "(x: E[12]) -> ()"} {
		if _, err := parseSignature(sig); err == nil {
			t.Errorf("%q was accepted", sig)
		}
	}
}

// ty reads a type such as *fp32[4, 8]; "_" is an absent operand.
func ty(t *testing.T, text string) *types.Type {
	if text == "_" {
		return nil
	}
	elem, shape, _ := strings.Cut(text, "[")
	elem, pointer := strings.CutPrefix(elem, "*")
	d, ok := num.Parse(elem)
	if !ok {
		t.Fatalf("no dtype %q", elem)
	}
	typ := types.Type{DType: d, Pointer: pointer}
	for part := range strings.SplitSeq(strings.TrimSuffix(shape, "]"), ", ") {
		var n int
		if _, err := fmt.Sscan(part, &n); err == nil {
			typ.Shape = append(typ.Shape, n)
		}
	}
	return &typ
}

func tys(t *testing.T, text string) []*types.Type {
	var out []*types.Type
	for part := range strings.FieldsSeq(strings.ReplaceAll(text, ", ", ",")) {
		out = append(out, ty(t, strings.ReplaceAll(part, ",", ", ")))
	}
	return out
}

func show(ts []types.Type) string {
	var parts []string
	for _, t := range ts {
		parts = append(parts, t.String())
	}
	return strings.Join(parts, " ")
}

func attr(name string, value any) AttrValue { return AttrValue{name, value} }

func TestInfer(t *testing.T) {
	cases := []struct {
		op       Op
		operands string
		attrs    Attrs
		yields   []string
		want     string // result types, or the mismatch
	}{
		{Add, "fp32[8] fp32[8]", nil, nil, "fp32[8]"},
		{Add, "fp32[8] fp32", nil, nil, "add: y has shape [], x has shape [8]"},
		{Add, "fp32[8] fp16[8]", nil, nil, "add: y holds fp16, want fp32 as in x"},
		{Add, "*fp32 *fp32", nil, nil, "add: x is *fp32, want a number"},
		{Add, "fp32", nil, nil, "add: y is missing"},
		{Add, "i32 i32 i32", nil, nil, "add: more than 2 operands"},
		{Add, "i32 i32", Attrs{attr("axis", int64(0))}, nil, "add: attribute axis: want no such attribute here"},
		{And, "fp32 fp32", nil, nil, "and: x is fp32, want an integer"},
		{UMulHi, "i16 i16", nil, nil, "umulhi: x is i16, want a 32- or 64-bit integer"},
		{Exp, "i32", nil, nil, "exp: x is i32, want a float"},
		{Lt, "*fp32[4] *fp32[4]", nil, nil, "i1[4]"},
		{Lt, "*fp32[4] *fp16[4]", nil, nil, "lt: y holds *fp16, want *fp32 as in x"},
		{Select, "i1[4] fp32[4] fp32[4]", nil, nil, "fp32[4]"},
		{Select, "i32[4] fp32[4] fp32[4]", nil, nil, "select: cond is i32[4], want i1"},
		{AddPtr, "*fp16[4] u8[4]", nil, nil, "*fp16[4]"},
		{AddPtr, "*fp16[4] fp16[4]", nil, nil, "addptr: offset is fp16[4], want an integer"},
		{Load, "*fp32[64] _ fp32[64]", nil, nil, "fp32[64]"},
		{Load, "*fp32[64] i1[32]", nil, nil, "load: mask has shape [32], ptr has shape [64]"},
		{Load, "fp32[64]", nil, nil, "load: ptr is fp32[64], want a pointer"},
		{Load, "*fp32 _ *fp32", nil, nil, "load: other holds *fp32, want fp32 as in ptr"},
		{Store, "*fp32[64]", nil, nil, "store: value is missing"},
		{Load, "*fp32", Attrs{attr("cache", "xx")}, nil, "load: attribute cache: want one of the row's values"},
		{Load, "*fp32", Attrs{attr("cache", "")}, nil, "load: attribute cache: want a value other than the default, which is written by leaving it out"},
		{Load, "*fp32", Attrs{attr("volatile", true), attr("cache", "cg")}, nil, "load: attribute cache: want no such attribute here"},
		{ProgramID, "", Attrs{attr("axis", int64(2))}, nil, "i32"},
		{ProgramID, "", Attrs{attr("axis", int64(3))}, nil, "program_id: attribute axis: want from 0 to 2"},
		{ProgramID, "", nil, nil, "program_id: attribute axis: want it to be present, in the order of the operation's row"},
		{Const, "", Attrs{attr("value", num.FromFloat(num.Float16, 1.5)), attr("shape", []int64{4, 8})}, nil, "fp16[4, 8]"},
		{Const, "", Attrs{attr("value", num.Scalar{DType: num.Int8, Bits: 1 << 20})}, nil, "const: attribute value: want a constant"},
		{Const, "", Attrs{attr("value", num.Scalar{DType: 200})}, nil, "const: attribute value: want a constant"},
		{Const, "", Attrs{attr("value", num.FromBool(true)), attr("shape", []int64{1 << 10, 1 << 11})}, nil, "const: at most 1048576 elements"},
		{Arange, "", Attrs{attr("start", int64(3)), attr("end", int64(7))}, nil, "i32[4]"},
		{Arange, "", Attrs{attr("start", int64(0)), attr("end", int64(3))}, nil, "arange: dimensions that are powers of two, not 3"},
		{Arange, "", Attrs{attr("start", int64(4)), attr("end", int64(4))}, nil, "arange: attribute end: want start < end, both in 32 bits"},
		{Splat, "*fp32", Attrs{attr("shape", []int64{2})}, nil, "*fp32[2]"},
		{Splat, "fp32[2]", Attrs{attr("shape", []int64{2})}, nil, "splat: x is fp32[2], want a scalar"},
		{ExpandDims, "i32[4, 8]", Attrs{attr("axis", int64(2))}, nil, "i32[4, 8, 1]"},
		{ExpandDims, "i32[4]", Attrs{attr("axis", int64(-1))}, nil, "expand_dims: attribute axis: want from 0 to 1"},
		{Broadcast, "i32[1, 8]", Attrs{attr("shape", []int64{4, 8})}, nil, "i32[4, 8]"},
		{Broadcast, "i32[2, 8]", Attrs{attr("shape", []int64{4, 8})}, nil, "broadcast: attribute shape: want 2 in dimension 0, as in the operand"},
		{Reshape, "i32[4, 8]", Attrs{attr("shape", []int64{32})}, nil, "i32[32]"},
		{Reshape, "i32[4, 8]", Attrs{attr("shape", []int64{16})}, nil, "reshape: attribute shape: want 32 elements, as in the operand"},
		{Trans, "i32[2, 4, 8]", Attrs{attr("perm", []int64{2, 0, 1})}, nil, "i32[8, 2, 4]"},
		{Trans, "i32[2, 4]", Attrs{attr("perm", []int64{0, 0})}, nil, "trans: attribute perm: want each dimension once"},
		{Join, "fp32 fp32", nil, nil, "fp32[2]"},
		{Split, "fp32[4, 2]", nil, nil, "fp32[4] fp32[4]"},
		{Split, "fp32[2, 4]", nil, nil, "split: x is fp32[2, 4], want a last dimension of size 2"},
		{Cast, "i32[4]", Attrs{attr("to", "bf16")}, nil, "bf16[4]"},
		{Cast, "*fp32", Attrs{attr("to", "i64")}, nil, "cast: x is *fp32, want a number"},
		{Bitcast, "fp32[4]", Attrs{attr("to", "u32")}, nil, "u32[4]"},
		{Bitcast, "*fp32", Attrs{attr("to", "i32")}, nil, "*i32"},
		{Bitcast, "fp32", Attrs{attr("to", "i64")}, nil, "bitcast: attribute to: want a dtype as wide as the operand's"},
		{AtomicRMW, "*fp32 fp32", Attrs{attr("rmw", "or"), attr("sem", "relaxed"), attr("scope", "gpu")}, nil, "atomic_rmw: value is fp32, want an integer"},
		{Dot, "fp16[16, 32] fp16[32, 64] fp32[16, 64]", Attrs{attr("input_precision", "tf32")}, nil, "fp32[16, 64]"},
		{Dot, "fp16[2, 16, 32] fp16[2, 32, 64] fp32[2, 16, 64]", Attrs{attr("input_precision", "tf32")}, nil, "fp32[2, 16, 64]"},
		{Dot, "fp16[16, 32] fp16[16, 64] fp32[16, 64]", Attrs{attr("input_precision", "tf32")}, nil, "dot: dimension 0 of b is 16, dimension 1 of a is 32"},
		{Dot, "i8[16, 32] i8[32, 64] fp32[16, 64]", Attrs{attr("input_precision", "tf32")}, nil, "dot: acc holds fp32, want an integer as in a"},
		{Gather, "fp32[4, 8] i32[4, 2]", Attrs{attr("axis", int64(1))}, nil, "fp32[4, 2]"},
		{Gather, "fp32[4, 8] i32[2, 2]", Attrs{attr("axis", int64(1))}, nil, "gather: dimension 0 of index is 2, dimension 0 of src is 4"},
		{Histogram, "i32[16] i1[16]", Attrs{attr("num_bins", int64(8))}, nil, "i32[8]"},
		{Hint, "i32[4, 4]", Attrs{attr("divisibility", []int64{16, 1})}, nil, "i32[4, 4]"},
		{Hint, "i32[4, 4]", Attrs{attr("divisibility", []int64{16})}, nil, "hint: attribute divisibility: want 2 numbers of at least 1"},
		{Print, "i32 fp32[4]", Attrs{attr("text", "{{}} {} and {}"), attr("style", "device")}, nil, ""},
		{Print, "i32", Attrs{attr("text", "{0}"), attr("style", "device")}, nil, "print: attribute text: want one {} for each operand, {{ for a brace"},
		{Reduce, "fp32[4, 8] i32[4, 8]", Attrs{attr("axis", int64(0))}, []string{"fp32 i32"}, "fp32[8] i32[8]"},
		{Reduce, "fp32[4]", Attrs{attr("axis", int64(0))}, []string{"fp32"}, "fp32"},
		{Reduce, "fp32[4]", Attrs{attr("axis", int64(0))}, []string{"fp16"}, "reduce: fp32 as value 0 from region combine, not fp16"},
		{Reduce, "fp32", Attrs{attr("axis", int64(0))}, []string{"fp32"}, "reduce: x is fp32, want a tile"},
		{Scan, "fp32[4, 8]", Attrs{attr("axis", int64(1)), attr("reverse", true)}, []string{"fp32"}, "fp32[4, 8]"},
		{Scan, "fp32[4] fp32[8]", Attrs{attr("axis", int64(0))}, []string{"fp32 fp32"}, "scan: operand 1 has shape [8], x has shape [4]"},
		{If, "i1", nil, []string{"fp32 i32", "fp32 i32"}, "fp32 i32"},
		{If, "i1", nil, []string{"fp32", ""}, "if: 1 value from region else, not 0"},
		{For, "i32 i32 i32 fp32[4]", nil, []string{"fp32[4]"}, "fp32[4]"},
		{For, "i32 i64 i32", nil, []string{""}, "for: upper holds i64, want i32 as in lower"},
		{For, "i32 i32 i32", nil, nil, "for: 1 region"},
		{While, "i32", nil, []string{"i1 fp32", "i32"}, "fp32"},
		{While, "i32", nil, []string{"fp32", "i32"}, "while: region cond to end in condition with an i1 first"},
		{Invalid, "", nil, nil, "invalid: attribute : want a known operation"},
	}
	for _, c := range cases {
		var yields [][]*types.Type
		for _, y := range c.yields {
			yields = append(yields, tys(t, y))
		}
		results, m := Infer(c.op, tys(t, c.operands), c.attrs, yields...)
		got := show(results)
		if m != nil {
			got = m.Error()
		}
		if got != c.want {
			t.Errorf("%s %s %v: %s\nwant %s", c.op, c.operands, c.attrs, got, c.want)
		}
	}
}

func TestMismatchFields(t *testing.T) {
	_, m := Infer(Load, tys(t, "*fp32[64] i1[32]"), nil)
	if m.Kind != DifferShape || m.Operand != 1 || m.Name != "mask" || m.With != 0 || m.WithName != "ptr" ||
		m.Got.Shape[0] != 32 || m.WithType.Shape[0] != 64 {
		t.Errorf("mismatch is %+v", m)
	}
}

func BenchmarkInfer(b *testing.B) {
	p := types.Type{DType: num.Float32, Pointer: true, Shape: []int{1024}}
	mask := types.Tile(num.Int1, 1024)
	operands := []*types.Type{&p, &mask}
	b.ReportAllocs()
	for b.Loop() {
		if _, m := Infer(Load, operands, nil); m != nil {
			b.Fatal(m)
		}
	}
}

// TestKernels checks that what a signature allows, package num can compute.
func TestKernels(t *testing.T) {
	for op := range OfClass(Unary, Binary, Comparison) {
		for d := range num.NumDTypes {
			if !op.Def().Elem.Holds(types.Scalar(d)) {
				continue
			}
			if op.Class() == Unary {
				if op.UnaryKernel(d) == nil {
					t.Errorf("no arithmetic for %s on %s", op, d)
				}
			} else if op.BinaryKernel(d, false) == nil || op.BinaryKernel(d, true) == nil {
				t.Errorf("no arithmetic for %s on %s", op, d)
			}
		}
	}
	for a := range num.NumDTypes {
		for b := range num.NumDTypes {
			if num.Cast(a, b, num.RTNE) == nil {
				t.Errorf("no cast from %s to %s", a, b)
			}
			if _, m := Infer(Bitcast, []*types.Type{{DType: a}}, Attrs{attr("to", b.Info().Short)}); (m == nil) != (num.Bitcast(a, b) != nil) {
				t.Errorf("bitcast from %s to %s: %v, but package num disagrees", a, b, m)
			}
		}
	}
}
