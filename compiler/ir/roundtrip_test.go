package ir_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parse(t testing.TB, text string) *ir.Func {
	t.Helper()
	f, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestExample reads the examples of the text form and writes them back byte for byte: one as it comes from source, and
// a pipelined product as it is placed on threads.
func TestExample(t *testing.T) {
	for _, path := range []string{"testdata/example.ir", "testdata/placed.ir"} {
		text := read(t, path)
		if got := ir.Print(parse(t, text)); got != text {
			t.Errorf("%s is printed back differently:\n%s", path, got)
		}
	}
}

// TestPlacedErrors damages the placed example.
func TestPlacedErrors(t *testing.T) {
	text := read(t, "testdata/placed.ir")
	for _, c := range []struct{ old, new, want string }{
		{"offset 1 2 4 8 16 32 72 128 256", "offset 1 2 4 8 16 32 72 64 256", "want an offset of its own for each element"},
		{"bits 16 offset", "bits 12 offset", "want an offset of its own for each element"},
		{"$1 = [16, 16] bits 16", "$1 = [16, 16] bits 8", "no layout of its shape and dtype"},
		{"memdesc[3] fp16[16, 16] $1", "memdesc[3] fp16[16, 16]", "no layout of its shape and dtype"},
		{"memdesc[3] fp16[16, 16] $1", "memdesc[1] fp16[16, 16] $1", "want the number of tiles"},
		{"memdesc[3] fp16[16, 16] $1", "memdesc[3] fp16[16, 16] $2", "want the number of a layout"},
		{"fp16[64, 16] #1\n  %a =", "fp16[64, 16] $0\n  %a =", "has a layout in shared memory, but is no memory descriptor"},
		{"wgmma %20, %21", "wgmma %20, %a", "b is *fp16[64, 16], want a number"},
		{"async_copy %a#2, %11", "async_copy %11, %11", "ptr is memdesc fp16[64, 16], want a value in registers"},
		{"memdesc_index %as, %i ", "memdesc_index %as, %8 ", "index is i1, want i32"},
		{"yield %13, %14", "yield %11, %14", "want a value in registers"},
		{"pending=1", "pending=66", "attribute pending: want from 0 to 65"},
		{"shape=[64, 16], buffers=3", "shape=[64, 16], buffers=66", "attribute buffers: want from 1 to 65"},
		{"offsets=[0, 2560, 5120]", "offsets=[0, 2560]", "attribute offsets: want 3 numbers from 0 to 1048576"},
		{"offsets=[0, 2560, 5120]", "offsets=[0, -2560, 5120]", "attribute offsets: want 3 numbers from 0 to 1048576"},
		{"bytes=4096", "bytes=1048577", "attribute bytes: want from 1 to 1048576"},
		{"bytes=4096", "dtype=i8, bytes=4096", "attribute dtype: want dtype and shape of tiles, or bytes of scratch memory"},
		{"bytes=4096", "per_warp=true", "attribute per_warp: want dtype and shape of tiles, or bytes of scratch memory"},
		{"%acc through %scratch", "%acc through %as", "want scratch memory that is defined here"},
		{"%acc through %scratch", "%acc through %acc", "want scratch memory that is defined here"},
		{"  store %40, %38\n", "  store %40, %38 through %scratch\n", "store: an operation that takes no scratch memory"},
	} {
		if _, err := ir.Parse(strings.Replace(text, c.old, c.new, 1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.new, err, c.want)
		}
	}
}

// TestNoOperands: the result of the next line is no operand of an operation without any.
func TestNoOperands(t *testing.T) {
	const text = "func @k(%n: i32) {\n  barrier\n  %two = add %n, %n : i32\n  print %two {text=\"{}\", style=device}\n  return\n}\n"
	if got := ir.Print(parse(t, text)); got != text {
		t.Errorf("printed back differently:\n%s", got)
	}
}

// TestGoldenWire pins the bytes of the wire form: recorded kernels must stay readable.
func TestGoldenWire(t *testing.T) {
	f := parse(t, read(t, "testdata/example.ir"))
	const path = "testdata/example.wire"
	if *update {
		if err := os.WriteFile(path, ir.Encode(f), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := []byte(read(t, path))
	if got := ir.Encode(f); !bytes.Equal(got, want) {
		t.Errorf("%d bytes differ from the %d recorded", len(got), len(want))
	}
	back, err := ir.Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	if ir.Print(back) != ir.Print(f) {
		t.Errorf("decoded differently:\n%s", ir.Print(back))
	}
}

func TestRandomRoundTrips(t *testing.T) {
	for seed := range seeds.Upto(100) {
		f := irgen.Generate(seed, irgen.Config{}).Func
		text, wire := ir.Print(f), ir.Encode(f)
		if got := ir.Print(parse(t, text)); got != text {
			t.Fatalf("seed %d: text\n%s\nread back as\n%s", seed, text, got)
		}
		back, err := ir.Decode(wire)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := ir.Print(back); got != text {
			t.Fatalf("seed %d: wire form of\n%s\nread back as\n%s", seed, text, got)
		}
	}
}

func TestParseErrors(t *testing.T) {
	cases := []struct{ text, want string }{
		{"", `line 1: want "func", found ""`},
		{"func @f() {\n  return\n", "line 3: missing }"},
		{"func @f() {\n  %x = nothing\n}", `line 2: unknown operation "nothing"`},
		{"func @f(%p: *fp32) {\n  %x = load %q : fp32\n  return\n}", "line 2: %q is not defined here"},
		{"func @f(%p: *fp32) {\n  %x = load %p : fp16\n  return\n}", "line 2: load gives fp32, not fp16"},
		{"func @f(%p: *fp32) {\n  load %p\n  return\n}", "line 2: load gives 1 values, here are 0 names and 0 types"},
		{"func @f(%p: *fp32) {\n  %p = load %p : fp32\n  return\n}", "line 3: %p is defined twice"},
		{"func @f() {\n  %x = program_id {axis=7} : i32\n  return\n}", "line 2: program_id: attribute axis: want from 0 to 2"},
		{"func @f() {\n  %x = const {value=i8(200)} : i8\n  return\n}", `line 2: "200" is not a i8`},
		{"func @f(%x: fp32[3]) {\n  return\n}", "line 1: want dimensions that are powers of two, not 3"},
		{"func @f(%c: i1) {\n  if %c then {\n    %x = const {value=i1(true)} : i1\n    yield\n  } else {\n    assume %x\n    yield\n  }\n  return\n}", "line 6: %x is not defined here"},
		{"func @f() {\n  return\n  return\n}", "line 2: return: a block ends in its only terminator"},
		{"func @f() {\n}", "line 2: a block does not end in return"},
		{"func @f() {\n  return @5:3\n}", "line 3: the span 5:3"},
		{"func @f() {\n  %x = arange {start=0, end=8} : i32[8] #0\n  return\n}", "line 2: want the number of a layout"},
		{"#1 = [8] reg 1 2 4\nfunc @f() {\n  return\n}", "line 1: want layout #0"},
		{"#0 = [8] reg 3\nfunc @f() {\n  return\n}", "line 2: want a step along one dimension, of a power of two"},
		{"#0 = [8] reg 8\nfunc @f() {\n  return\n}", "line 1: want a step within the shape"},
		{"#0 = [4, 2] reg (0,1) (1 0)\nfunc @f() {\n  return\n}", `line 1: want ",", found "0"`},
		{"#0 = [4] reg 1 2\nfunc @f() {\n  %x = arange {start=0, end=8} : i32[8] #0\n  return\n}",
			"line 3: a tile has no layout of its shape"},
	}
	for _, c := range cases {
		_, err := ir.Parse(c.text)
		var syntax *ir.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != c.want {
			t.Errorf("%s\n%v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	good := ir.Encode(parse(t, "func @f() {\n  return\n}"))
	wire := func(tail ...byte) []byte { return append([]byte("newt\x01"), tail...) }
	cases := []struct {
		name string
		wire []byte
		want string
	}{
		{"empty", nil, "not IR, or of another version than 1"},
		{"version", append([]byte("newt\x02"), good[5:]...), "not IR, or of another version than 1"},
		{"cut", good[:len(good)-1], "the bytes end inside a number"},
		{"longer", append(bytes.Clone(good), 0), "1 bytes after the end"},
		{"unused name", wire(2, 1, 'f', 1, 'g', 1, 0, 1, 72, 0, 0, 0), "not the canonical form"},
		{"long number", wire(1, 1, 'f', 0x81, 0, 0, 1, 72, 0, 0, 0), "not the canonical form"},
		{"many instructions", wire(1, 1, 'f', 1, 0, 0xff, 0xff, 0x7f, 72), "2097151 instructions"},
		{"unknown operation", wire(1, 1, 'f', 1, 0, 1, 100, 0, 0, 0), "an unknown operation"},
		{"far operand", wire(1, 1, 'f', 1, 0, 1, 70, 0, 0, 1, 5), "operand 0 reaches 5 values back"},
	}
	for _, c := range cases {
		if _, err := ir.Decode(c.wire); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	// Every prefix of a real function is an error, not a panic.
	long := ir.Encode(irgen.Generate(1, irgen.Config{}).Func)
	for n := range long {
		if _, err := ir.Decode(long[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(long))
		}
	}
}

// TestVerifyRefuses breaks a good function in every way that the builder prevents.
func TestVerifyRefuses(t *testing.T) {
	example := read(t, "testdata/example.ir")
	find := func(f *ir.Func, op ops.Op) (found *ir.Instr) {
		f.Body.Walk(func(in *ir.Instr) {
			if in.Op == op && found == nil {
				found = in
			}
		})
		return found
	}
	cases := []struct {
		name, want string
		damage     func(f *ir.Func)
	}{
		{"no body", "no function", func(f *ir.Func) { f.Body = nil }},
		{"name", "the function's name is not an identifier", func(f *ir.Func) { f.Name = "a b" }},
		{"tile parameter", "parameter 0 is a tile", func(f *ir.Func) { f.Params[0].Value.Type.Shape = []int{4} }},
		{"dtype", "a value has no dtype", func(f *ir.Func) { f.Params[1].Value.Type.DType = 99 }},
		{"parameter's value", "parameter 0 is not argument 0 of the body", func(f *ir.Func) { f.Params[0].Value = f.Params[1].Value }},
		{"divisibility", "parameter 0: divisibility -1", func(f *ir.Func) { f.Params[0].Divisible = -1 }},
		{"use before definition", "add: operand 0 is not defined here", func(f *ir.Func) {
			add := find(f, ops.Add)
			add.Operands[0] = add.Results[0]
		}},
		{"use out of scope", "store: operand 1 is not defined here", func(f *ir.Func) {
			find(f, ops.Store).Operands[1] = find(f, ops.For).Regions[0].Args[1]
		}},
		{"instruction twice", "an instruction that is absent or occurs twice", func(f *ir.Func) {
			f.Body.Instrs[1] = f.Body.Instrs[0]
		}},
		{"block twice", "a block that is absent or occurs twice", func(f *ir.Func) {
			branch := find(f, ops.If)
			branch.Regions[1] = branch.Regions[0]
		}},
		{"cycle", "a block that is absent or occurs twice", func(f *ir.Func) {
			find(f, ops.For).Regions[0] = f.Body
		}},
		{"absent block", "a block that is absent or occurs twice", func(f *ir.Func) { find(f, ops.For).Regions[0] = nil }},
		{"unknown operation", "an unknown operation", func(f *ir.Func) { f.Body.Instrs[0].Op = ops.N }},
		{"placed operation", "convert_layout: an operation of functions that are placed on threads", func(f *ir.Func) {
			f.Body.Instrs[0].Op = ops.ConvertLayout
		}},
		{"placed attribute", "load: an attribute of functions that are placed on threads", func(f *ir.Func) {
			find(f, ops.Load).Attrs = ops.Attrs{{Name: "silent", Value: true}}
		}},
		{"placed value", "a value has a layout, but the function is not placed on threads", func(f *ir.Func) { f.Params[0].Value.Layout = &layout.Layout{} }},
		{"result type", "add: result 0 is fp32, want i32[64]", func(f *ir.Func) {
			find(f, ops.Add).Results[0].Type = types.Scalar(num.Float32)
		}},
		{"result count", "store: 1 results, want 0", func(f *ir.Func) {
			in := find(f, ops.Store)
			in.Results = []*ir.Value{{Def: in}}
		}},
		{"attribute", "program_id: attribute axis: want an integer", func(f *ir.Func) {
			find(f, ops.ProgramID).Attrs[0].Value = "0"
		}},
		{"absent last operand", "store: the last operand is absent", func(f *ir.Func) {
			in := find(f, ops.Store)
			in.Operands = append(in.Operands, nil)
		}},
		{"span", "program_id: its span is 9:3", func(f *ir.Func) { f.Body.Instrs[0].Span = source.Span{Start: 9, End: 3} }},
		{"two terminators", "yield: a block ends in its only terminator", func(f *ir.Func) {
			body := find(f, ops.For).Regions[0]
			body.Instrs = append(body.Instrs[:0:0], append([]*ir.Instr{{Op: ops.Yield}}, body.Instrs...)...)
		}},
		{"impure reduction", "barrier: reductions and scans combine by pure scalar code", func(f *ir.Func) {
			body := find(f, ops.Reduce).Regions[0]
			body.Instrs = append([]*ir.Instr{{Op: ops.Barrier}}, body.Instrs...)
		}},
		{"region argument", "for: argument 0 of region do to be i32, not i64", func(f *ir.Func) {
			// An index of another type than the bounds; it is used nowhere else.
			find(f, ops.For).Regions[0].Args[0].Type.DType = num.Int64
		}},
	}
	for _, c := range cases {
		f := parse(t, example)
		c.damage(f)
		errs := ir.Verify(f)
		if len(errs) == 0 || errs[0].Text != c.want {
			t.Errorf("%s: %v, want %s", c.name, errs, c.want)
		}
	}
}

func TestVerifyLimits(t *testing.T) {
	deep := &ir.Block{Instrs: []*ir.Instr{{Op: ops.Return}}}
	f := &ir.Func{Name: "f", Body: deep}
	loop := func(in *ir.Block) *ir.Block {
		cond := &ir.Instr{Op: ops.Const, Attrs: ops.Attrs{{Name: "value", Value: num.FromBool(true)}}}
		cond.Results = []*ir.Value{{Type: types.Scalar(num.Int1), Def: cond}}
		other := &ir.Block{Instrs: []*ir.Instr{{Op: ops.Yield}}}
		branch := &ir.Instr{Op: ops.If, Operands: cond.Results, Regions: []*ir.Block{in, other}}
		return &ir.Block{Instrs: []*ir.Instr{cond, branch, {Op: ops.Yield}}}
	}
	inner := &ir.Block{Instrs: []*ir.Instr{{Op: ops.Yield}}}
	for range ir.MaxDepth + 1 {
		inner = loop(inner)
	}
	inner.Instrs[len(inner.Instrs)-1].Op = ops.Return
	f.Body = inner
	if errs := ir.Verify(f); len(errs) == 0 || !strings.HasPrefix(errs[0].Text, "more than 200 regions") {
		t.Errorf("%d regions inside each other: %v", ir.MaxDepth+1, errs)
	}
	const want = "more than 200 regions inside each other"
	if _, err := ir.Decode(ir.Encode(f)); err == nil || err.Error() != want {
		t.Errorf("wire form: %v, want %s", err, want)
	}
	if _, err := ir.Parse(ir.Print(f)); err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("text form: %v, want %s", err, want)
	}
	f.Body = &ir.Block{}
	for range ir.MaxInstrs + 1 {
		f.Body.Instrs = append(f.Body.Instrs, &ir.Instr{Op: ops.Barrier})
	}
	if errs := ir.Verify(f); len(errs) == 0 || errs[0].Text != "more than 200000 instructions" {
		t.Errorf("too many instructions: %v", errs)
	}
}

func FuzzText(f *testing.F) {
	f.Add(read(f, "testdata/example.ir"))
	for seed := range uint64(20) {
		f.Add(ir.Print(irgen.Generate(seed, irgen.Config{Instrs: 10}).Func))
	}
	f.Fuzz(func(t *testing.T, text string) {
		fn, err := ir.Parse(text)
		if err != nil {
			return
		}
		printed := ir.Print(fn)
		again, err := ir.Parse(printed)
		if err != nil {
			t.Fatalf("%v in what was printed:\n%s", err, printed)
		}
		if got := ir.Print(again); got != printed {
			t.Fatalf("printed\n%s\nthen\n%s", printed, got)
		}
		if _, err := ir.Decode(ir.Encode(fn)); err != nil {
			t.Fatalf("%v in the wire form of\n%s", err, printed)
		}
	})
}

func FuzzWire(f *testing.F) {
	f.Add([]byte(read(f, "testdata/example.wire")))
	for seed := range uint64(20) {
		f.Add(ir.Encode(irgen.Generate(seed, irgen.Config{Instrs: 10}).Func))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		fn, err := ir.Decode(wire)
		if err != nil {
			return
		}
		if again := ir.Encode(fn); !bytes.Equal(again, wire) {
			t.Fatalf("% x\nread and written back as\n% x", wire, again)
		}
		text := ir.Print(fn)
		back, err := ir.Parse(text)
		if err != nil {
			t.Fatalf("%v in the text form\n%s", err, text)
		}
		if !bytes.Equal(ir.Encode(back), wire) {
			t.Fatalf("the text form lost something:\n%s", text)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	f := irgen.Generate(1, irgen.Config{Instrs: 100}).Func
	b.ReportAllocs()
	for b.Loop() {
		ir.Encode(f)
	}
}

func BenchmarkDecode(b *testing.B) {
	wire := ir.Encode(irgen.Generate(1, irgen.Config{Instrs: 100}).Func)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ir.Decode(wire); err != nil {
			b.Fatal(err)
		}
	}
}
