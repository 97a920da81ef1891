package compiler_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

func init() {
	compiler.Trace = func(_ any, stack []byte) { panic(string(stack)) }
}

const head = "import triton\nimport triton.language as tl\n\n\n"

// TestCompile: an artifact carries what was asked for.
func TestCompile(t *testing.T) {
	text := head + "@triton.jit\ndef first(x_ptr, n, BLOCK: tl.constexpr):\n    offs = tl.arange(0, BLOCK)\n    tl.static_print(offs.dtype)\n    tl.store(x_ptr + offs, offs, mask=offs < n)\n\n\n@triton.jit\ndef second(x_ptr):\n    tl.store(x_ptr, 1)\n"
	file := source.NewFile("k.py", text)
	args, err := compiler.ParseSignature("*fp32:16, i32, 64")
	if err != nil {
		t.Fatal(err)
	}
	art, list := compiler.Compile(file, compiler.Options{Kernel: "first", Args: args, Record: true})
	if len(list) > 0 || art == nil {
		t.Fatal(list)
	}
	if art.Signature != "*fp32:16, i32, 64" || len(art.Prints) != 1 || art.Prints[0].Text != "int32" || art.Func.Params[0].Divisible != 16 {
		t.Errorf("%+v", art)
	}
	if art.Dump.Stage("source") == nil || art.Dump.Stage("lower") == nil || art.Dump.Stage("dce") == nil {
		t.Errorf("stages: %v", art.Dump.Stages())
	}
	if _, list := compiler.Compile(file, compiler.Options{Kernel: "third"}); len(list) != 1 || list[0].Code != "kernel-not-found" {
		t.Errorf("%v", list)
	}
	if names := strings.Join(compiler.Kernels(file), " "); names != "first second" {
		t.Error(names)
	}
}

// TestUnrolled: a kernel keeps what is unrolled unless it is too large.
func TestUnrolled(t *testing.T) {
	text, err := os.ReadFile("testdata/kernels.py")
	if err != nil {
		t.Fatal(err)
	}
	for window, want := range map[int]int{3: 0, 32: 1} {
		args, err := compiler.ParseSignature(fmt.Sprintf("*fp32, *i64, *fp32, i32, i32, i32, i32, %d, 2, 1, 16, 16", window))
		if err != nil {
			t.Fatal(err)
		}
		art, list := compiler.Compile(source.NewFile("kernels.py", string(text)),
			compiler.Options{Kernel: "max_pool2d_backward", Args: args})
		if art == nil {
			t.Fatal(list)
		}
		loops := 0
		art.Func.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.For {
				loops++
			}
		})
		if loops != want {
			t.Errorf("window %d: %d loops, not %d", window, loops, want)
		}
	}
}

// TestSignature: what is read is written again, and nonsense is refused.
func TestSignature(t *testing.T) {
	for _, text := range []string{"", "*fp32:16, *fp32, i32, 1024", "*bf16, i64:1, fp64, None, True, 'ieee', tl.float32, 1.5, -3", "x=*i8, N=32",
		"d=tensordesc<fp16[64, 32]>, tensordesc<fp32[8]>, i32"} {
		args, err := compiler.ParseSignature(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		}
		if got := compiler.Signature(args); got != text {
			t.Errorf("%q is written %q", text, got)
		}
	}
	for _, text := range []string{"*", "fp31", "i32:x", "i32:0", ",", "12a", "tensordesc<fp16>", "tensordesc<fp16[a]>", "tensordesc<fp17[4]>"} {
		if args, err := compiler.ParseSignature(text); err == nil {
			t.Errorf("%q is read as %v", text, args)
		}
	}
}

// TestSignatureOfTuples: the items of a tuple are written, and constexprs as Python has them.
func TestSignatureOfTuples(t *testing.T) {
	pair := &lower.TupleClass{Name: "Pair", Fields: []string{"low", "high"}}
	args := []compiler.Arg{
		{Name: "t", Tuple: &lower.TupleArg{Len: 2}},
		{Name: "t.0", Type: types.PointerTo(num.Float32)},
		{Name: "t.1", Constexpr: true, Value: int64(3)},
		{Name: "c", Constexpr: true, Value: []any{int64(1), "a", []any{nil}}},
		{Name: "p", Constexpr: true, Value: lower.NamedTuple{Class: pair, Items: []any{true, num.Float16}}},
	}
	want := "t.0=*fp32, t.1=3, c=(1, 'a', (None,)), p=Pair(True, tl.float16)"
	if got := compiler.Signature(args); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
