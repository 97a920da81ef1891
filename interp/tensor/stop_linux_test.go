package tensor

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
)

// stopElements are those of a big tensor of TestStop, and stopLimit how long an operation may take from one question
// to the next: 200 ms for 2^24 elements.
const (
	stopElements = 1 << 20
	stopLimit    = 200 * time.Millisecond * stopElements / (1 << 24)
)

// stopShapes are those of the big tensors, and of small ones that go with them.
var (
	stopShapes = [][]int{{stopElements}, {1024, stopElements / 1024}, {stopElements / 8, 8}, {8, stopElements / 8},
		{4, 16, 128, stopElements / 8192}, {stopElements / 4096, 64, 64}}
	smallShapes = [][]int{{}, {1}, {16}, {1024}, {1, 1, 3, 3}, {16, 16, 3, 3}, {1024, 3}, {16, 1, 3}}
)

// bigArgument makes an argument for the parameter of a signature, of tensors mostly one of shape.
func bigArgument(c *Context, r *rand.Rand, p param, shape []int) any {
	pick := func(list ...any) any { return list[r.IntN(len(list))] }
	last := 1
	if len(shape) > 0 {
		last = shape[len(shape)-1]
	}
	tensor := func() *Tensor {
		if r.IntN(6) == 0 {
			shape = smallShapes[r.IntN(len(smallShapes))]
		}
		d := []num.DType{num.Float32, num.Float32, num.Float32, num.Float32, num.Int64, num.Float16, num.Float64, num.Int1,
			num.Complex64}[r.IntN(9)]
		switch {
		case strings.HasPrefix(p.name, "ind"), p.name == "target" && r.IntN(2) == 0:
			d = num.Int64
		case p.name == "mask", p.name == "condition":
			d = num.Int1
		}
		t := c.alloc(d, shape...)
		if d.Info().Float {
			c.Generator.fillUniform(t, 0, 1)
		} else if d != num.Complex64 {
			c.Generator.fillIntegers(t, 0, 2)
		}
		if t.differentiable() && r.IntN(2) == 0 {
			t.requireGrad(true)
		}
		return t
	}
	list := func(n []int) any {
		out := make([]any, len(n))
		for i, v := range n {
			out[i] = int64(v)
		}
		return out
	}
	switch p.kind {
	case "Tensor":
		return tensor()
	case "Operand":
		return pick(tensor(), tensor(), int64(2), 0.5)
	case "Number", "float":
		return pick(int64(1), int64(stopElements), 0.5)
	case "int":
		return pick(int64(0), int64(1), int64(-1), int64(2), int64(stopElements), int64(1024))
	case "ints":
		return pick(list(shape), list(shape), int64(0), list([]int{0, 1}), list([]int{1, 0}), int64(-1), int64(2), list([]int{last}))
	case "bool":
		return pick(true, false)
	case "str":
		return pick("mean", "sum", "ij,jk->ik", "i,i->i", "prod", "reduced", "fro")
	case "Tensors":
		return []any{tensor(), tensor()}
	case "dtype":
		return pick(num.Float64, num.Int64)
	case "any":
		return pick(tensor(), tensor(), int64(0), int64(stopElements), int64(2), 0.5, list([]int{1, 0}), list(shape), []any{tensor()})
	}
	return nil
}

// rareArguments are those of operations that chance finds none for.
var rareArguments = func() map[string]func(c *Context) []any {
	of := func(d num.DType, shapes ...[]int) func(c *Context) []any {
		return func(c *Context) (list []any) {
			for _, shape := range shapes {
				t := c.alloc(d, shape...)
				t.requireGrad(t.isFloat())
				list = append(list, t)
			}
			return list
		}
	}
	const side = 1 << 10 // of a square of stopElements
	square := []int{side, side}
	return map[string]func(c *Context) []any{
		"_int_mm":          of(num.Int8, square, square),
		"mv":               of(num.Float32, square, []int{side}),
		"addmv":            of(num.Float32, []int{side}, square, []int{side}),
		"addr":             of(num.Float32, square, []int{side}, []int{side}),
		"cross":            of(num.Float32, []int{stopElements / 3, 3}, []int{stopElements / 3, 3}),
		"view_as_complex":  of(num.Float32, []int{stopElements / 2, 2}),
		"conv3d":           of(num.Float32, []int{1, 1, 64, 32, 32}, []int{1, 1, 3, 3, 3}),
		"conv_transpose1d": of(num.Float32, []int{1, 4, 1 << 16}, []int{4, 4, 3}),
		"conv_transpose2d": of(num.Float32, []int{1, 4, 128, 256}, []int{4, 4, 3, 3}),
		"conv_transpose3d": of(num.Float32, []int{1, 1, 32, 32, 32}, []int{1, 1, 3, 3, 3}),
		"batch_norm":       func(c *Context) []any { return append(of(num.Float32, square)(c), nil, nil) },
		"embedding": func(c *Context) []any {
			return append(of(num.Int64, []int{side})(c), of(num.Float32, square)(c)...)
		},
		"cholesky": func(c *Context) []any {
			t := c.alloc(num.Float32, 256, 256)
			diagonal(c, t, 0, 0, 1).fill(1.0)
			return []any{t}
		},
	}
}()

// pauses runs f in c and gives the longest work of this thread in which f did not ask whether it is to stop. f is told
// to after some time.
func pauses(c *Context, f func() error) (longest time.Duration, err error) {
	start := worked()
	last := start
	c.Stop = func() bool {
		now := worked()
		longest, last = max(longest, now-last), now
		return now-start > 400*time.Millisecond
	}
	err = f()
	c.Stop()
	return longest, err
}

// worked is the time that the calling thread has had a processor.
func worked() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_THREAD, &use); err != nil {
		panic(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// TestStop calls every operation on big tensors, and takes their gradients: whatever it works on, it asks often enough
// whether it is to stop.
func TestStop(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1)) // all work is this thread's
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	tried := map[string]bool{}
	for _, where := range []Where{InTorch, InMethod, InFunctional, InInit, InLinalg} {
		for _, name := range AllOperations().Names(where) {
			op, _ := AllOperations().Lookup(where, name)
			if row := op.Name + op.Signature; !tried[row] {
				tried[row] = true
				if !soak.Skips(len(tried), 10) {
					stops(t, op)
				}
			}
		}
	}
}

// stops calls an operation with arguments that it takes, a few times.
func stops(t *testing.T, op *Op) {
	ran := 0
	for seed := uint64(0); ran < 2 && seed < 200; seed++ {
		longest, what, err := time.Hour, "", error(nil)
		for try := 0; longest > stopLimit && try < 3; try++ { // in which the collector may have had a part
			c, r := New(Options{MaxElements: 2 * stopElements}), rand.New(rand.NewPCG(seed, 0))
			shape := stopShapes[r.IntN(len(stopShapes))]
			var positional []any
			for _, p := range op.params {
				if p.keyword || !p.required && r.IntN(2) == 0 {
					break
				}
				positional = append(positional, bigArgument(c, r, p, shape))
			}
			if fitting := rareArguments[op.Name]; fitting != nil {
				positional = fitting(c)
			}
			var took time.Duration
			what = describe(positional)
			took, err = pauses(c, func() error {
				result, err := c.Call(op, positional, nil)
				if out, ok := result.(*Tensor); ok && err == nil && out.requiresGrad {
					seed := c.alloc(out.dtype, out.shape...)
					seed.fill(0.5)
					what += " backward"
					return c.Backward(out, seed)
				}
				return err
			})
			longest = min(longest, took)
		}
		if longest > stopLimit {
			t.Errorf("%s%s: %v without asking", op.path(), what, longest)
			return
		}
		if e := (*Error)(nil); err == nil || errors.As(err, &e) && e.Own == Stopped {
			ran++
		}
	}
	if ran == 0 {
		t.Errorf("%s %s: no arguments fit", op.path(), op.Signature)
	}
}
