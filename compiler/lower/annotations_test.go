package lower_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// TestAnnotatedParameters: a run-time parameter that is annotated with a dtype has it, whatever the
// launch passes, and 1 does not become a constexpr. Triton 3.6 gave the dtypes.
func TestAnnotatedParameters(t *testing.T) {
	int32Arg := func(v any) lower.Arg { return lower.Arg{Type: types.Scalar(num.Int32), Value: v} }
	floatArg := lower.Arg{Type: types.Scalar(num.Float32), Value: 2.5}
	for _, c := range []struct {
		annotation string
		arg        lower.Arg
		want       string // the type of the IR's parameter, or a code
	}{
		{"tl.float64", int32Arg(20), "fp64"},
		{"tl.float64", floatArg, "fp64"},
		{"tl.float64", int32Arg(1), "fp64"},
		{"tl.float16", floatArg, "fp16"},
		{"tl.int64", int32Arg(20), "i64"},
		{"tl.int64", int32Arg(1), "i64"},
		{"'i64'", int32Arg(20), "i64"},
		{"int", int32Arg(20), "i32"},
		{"float", int32Arg(20), "fp32"},
		{"tl.int1", int32Arg(20), "i1"},
		{"tl.uint8", int32Arg(20), "u8"},
		{"tl.tensor", int32Arg(20), "i32"},
		{"tl.tensor", int32Arg(1), "no parameter"},
		{"tl.float64", lower.Arg{Type: types.PointerTo(num.Float32)}, "*fp32"},
		{"tl.int32", floatArg, "error argument-annotation"},
		{"tl.int32", lower.Arg{Type: types.Scalar(num.Int64), Value: int64(5_000_000_000)},
			"error argument-annotation"},
		{"tl.uint8", int32Arg(300), "error argument-annotation"},
		{"tl.uint64", int32Arg(-1), "error argument-annotation"},
	} {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(v: " + c.annotation + "):\n    tl.static_print(v)\n"
		res, list := lowerText(t, text, lower.Options{Args: []lower.Arg{c.arg}})
		got := codes(list)
		if res.Func != nil {
			got = "no parameter"
			for _, p := range res.Func.Params {
				got = typeOfParam(p)
			}
		}
		if got != c.want {
			t.Errorf("v: %s with %v: %s, want %s", c.annotation, c.arg.Value, got, c.want)
		}
	}
}

func typeOfParam(p *ir.Param) string {
	name := p.Value.Type.DType.Info().Short
	if p.Value.Type.Pointer {
		return "*" + name
	}
	return name
}
