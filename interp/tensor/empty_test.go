package tensor

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
)

// emptyShapes are shapes without elements, and some that meet them.
var emptyShapes = [][]int{{0}, {0, 3}, {3, 0}, {2, 0, 3}, {0, 2, 3}, {1, 2, 0}, {0, 0}, {0, 1}, {1, 0, 3, 3}, {2, 3, 0, 4},
	{}, {1}, {3}, {1, 3}, {3, 3}, {2, 3, 3}}

// argumentOf makes an argument of a kind that an operation may get together with an empty tensor.
func argumentOf(c *Context, r *rand.Rand, kind string) any {
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	someTensor := func() *Tensor {
		d := []num.DType{num.Float32, num.Float32, num.Float32, num.Int64, num.Int1, num.Float16, num.Int32,
			num.Complex64, num.Complex128}[r.IntN(9)]
		shape := emptyShapes[r.IntN(len(emptyShapes))]
		t := c.alloc(d, shape...)
		t.fill(true)
		if t.differentiable() && r.IntN(2) == 0 {
			t.requireGrad(true)
		}
		return t
	}
	switch kind {
	case "Tensor":
		return someTensor()
	case "Operand":
		return pick(someTensor(), someTensor(), int64(2), 0.5)
	case "Number", "float":
		return pick(int64(0), int64(2), 0.5, true, 2i)
	case "int":
		return pick(int64(0), int64(1), int64(-1), int64(2))
	case "ints":
		return pick([]any{int64(0)}, []any{}, []any{int64(0), int64(1)}, int64(-1), []any{int64(1), int64(0)},
			[]any{int64(2), int64(0), int64(-1)}, int64(0), int64(2))
	case "bool":
		return pick(true, false)
	case "str":
		return pick("mean", "sum", "none", "ij,jk->ik")
	case "dtype":
		return pick(num.Float32, num.Int64, num.Complex64)
	case "Tensors":
		list := []any{}
		for range r.IntN(3) {
			list = append(list, someTensor())
		}
		return list
	case "device":
		return "cpu"
	case "any":
		return pick(someTensor(), someTensor(), int64(0), 0.5, nil, []any{int64(1), int64(0)}, []any{someTensor()})
	}
	return nil
}

// TestEmptyTensors calls every operation with tensors that have no elements, some of complex numbers: a refusal is fine,
// a panic is not.
func TestEmptyTensors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	reported := map[string]bool{}
	for _, where := range []Where{InTorch, InMethod, InFunctional, InInit, InLinalg} {
		for _, name := range AllOperations().Names(where) {
			op, _ := AllOperations().Lookup(where, name)
			for range soak.Times(60) {
				c := New(Options{MaxElements: 1 << 12})
				var positional []any
				for _, p := range op.params {
					if p.keyword || !p.required && r.IntN(2) == 0 {
						break
					}
					positional = append(positional, argumentOf(c, r, p.kind))
				}
				shapes := describe(positional)
				result, err := c.Call(op, positional, nil)
				if out, ok := result.(*Tensor); ok && err == nil && out.requiresGrad && out.numel() < 1<<12 {
					seed := c.alloc(out.dtype, out.shape...)
					if err = c.Backward(out, seed); err != nil {
						shapes += " backward"
					}
				}
				var e *Error
				if errors.As(err, &e) && e.Own == Fault && !reported[e.Message] {
					reported[e.Message] = true
					t.Errorf("%s%s: panics at %s", op.path(), shapes, e.Message)
				}
			}
		}
	}
}

func describe(list []any) (text string) {
	for _, v := range list {
		switch v := v.(type) {
		case *Tensor:
			text += fmt.Sprintf(" %s%v", v.dtype, v.shape)
		case []any:
			text += " (" + describe(v) + " )"
		default:
			text += fmt.Sprintf(" %v", v)
		}
	}
	return text
}
