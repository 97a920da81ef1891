package compiler_test

import (
	"context"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// ulps is how far a result may be from the GPU's, in units of its last place, for operations that
// the GPU approximates. The others agree bit for bit.
var ulps = map[string]uint64{
	"truediv": 1, "fdiv": 1, "sqrt": 1, "rsqrt": 1, "sin": 1, "cos": 1, "erf": 1, "log": 1,
	"log2": 3, "exp2": 2, "exp": 10, "sigmoid": 6, "softmax": 20,
}

// reordered are the operations that combine elements in another order than the GPU: how far they
// may be from it, as a multiple of the dtype's precision times the largest result (terms that cancel make it more than 1). An overflow on
// the way, which depends on the order, is not compared.
var reordered = map[string]float64{"cumsum": 4, "cumprod": 2}

// TestGoldenValues runs every recorded operation from source to memory and compares with what the
// GPU computed.
func TestGoldenValues(t *testing.T) {
	worst := map[string]uint64{}
	for i := range golden.Ops(t).Cases {
		c := &golden.Ops(t).Cases[i]
		if c.Hex == "" {
			continue
		}
		got, ok := runCase(t, c)
		if !ok {
			continue
		}
		d, _ := num.Parse(c.DType)
		want, n := c.Bytes(t), len(got)/d.Info().Bytes
		if limit, ok := reordered[c.Op]; ok && d.Info().Float {
			compareReordered(t, c, d, got, want, limit)
			continue
		}
		for lane := range n {
			if off := distance(scalarAt(d, got, lane), scalarAt(d, want, lane)); off > worst[c.Op] {
				worst[c.Op] = off
				if off > ulps[c.Op] {
					t.Errorf("%s on %s %s: lane %d is %v, the GPU says %v: %d ulps", c.Expr, c.X, c.Y, lane,
						scalarAt(d, got, lane), scalarAt(d, want, lane), off)
				}
			}
		}
	}
	for op, limit := range ulps {
		if worst[op] < limit {
			t.Errorf("%s is at most %d ulps off, not %d", op, worst[op], limit)
		}
	}
}

func compareReordered(t *testing.T, c *golden.Case, d num.DType, got, want []byte, limit float64) {
	t.Helper()
	n, largest := len(got)/d.Info().Bytes, 0.0
	for lane := range n {
		if w := math.Abs(scalarAt(d, want, lane).Float()); w <= math.MaxFloat64 {
			largest = max(largest, w)
		}
	}
	one := num.FromInt(d, 1)
	next := num.Scalar{DType: d, Bits: one.Bits + 1}
	precision := next.Float() - one.Float()
	for lane := range n {
		g, w := scalarAt(d, got, lane).Float(), scalarAt(d, want, lane).Float()
		if off := math.Abs(g - w); off > limit*precision*largest && !math.IsInf(w, 0) {
			t.Errorf("%s on %s: lane %d is %v, the GPU says %v", c.Expr, c.X, lane, g, w)
		}
	}
}

func runCase(t *testing.T, c *golden.Case) ([]byte, bool) {
	t.Helper()
	var args []launch.Arg
	for _, name := range c.Args {
		in := golden.Ops(t).Inputs[name]
		args = append(args, launch.Arg{Tensor: &launch.Tensor{DType: in.DType, Data: append([]byte(nil), in.Raw...)}})
	}
	d, _ := num.Parse(c.DType)
	n := golden.Lanes
	if c.Scalar() {
		n = 1
	}
	out := &launch.Tensor{DType: d, Data: make([]byte, n*d.Info().Bytes)}
	args = append(args, launch.Arg{Tensor: out}, launch.Arg{Value: int64(golden.Lanes), Constexpr: true})
	k, list := launch.Compile(source.NewFile("k.py", c.Kernel()), "kernel", args, false)
	if k == nil {
		t.Errorf("%s on %s %s: %s", c.Expr, c.X, c.Y, list[0].Code)
		return nil, false
	}
	if _, fault := k.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, device.Launch{Grid: [3]int{1, 1, 1}}); fault != nil {
		t.Errorf("%s on %s %s: %s", c.Expr, c.X, c.Y, fault.Code)
		return nil, false
	}
	return out.Data, true
}

func scalarAt(d num.DType, raw []byte, i int) num.Scalar {
	v := num.MakeVec(d.Info().Class, 1)
	num.LoadAt(d, v, 0, raw, i)
	return num.ScalarAt(d, v, 0)
}

// distance counts the representable values between two results; all NaNs are one value.
func distance(a, b num.Scalar) uint64 {
	switch {
	case a == b:
		return 0
	case !a.DType.Info().Float || a.Float() != a.Float() || b.Float() != b.Float():
		return math.MaxUint64
	}
	x, y := place(a), place(b)
	return uint64(max(x, y) - min(x, y))
}

// place numbers floats in order: +0 is 0, the next above 1, the next below -1.
func place(s num.Scalar) int64 {
	sign := uint64(1) << (s.DType.Info().Bits - 1)
	if s.Bits&sign != 0 {
		return -int64(s.Bits &^ sign)
	}
	return int64(s.Bits)
}
