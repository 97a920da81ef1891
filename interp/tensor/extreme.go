package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// reduceExtreme is amax (sign 1) or amin (sign −1). The gradient is shared between equal elements.
func reduceExtreme(c *Context, t *Tensor, name string, dims []int, keep bool) *Tensor {
	dims = reduceDims(t, dims)
	r := runsOf(t, dims)
	if r.length == 0 && r.order.numel() == 0 {
		indexError("%s(): Expected reduction dim to be specified for input.numel() == 0. "+
			"Specify the reduction dim with the 'dim' argument.",
			name)
	}
	out := c.alloc(t.dtype, r.kept...)
	switch {
	case t.isFloat() && name == "amax":
		out.setFloats(r.foldFloats(math.Inf(-1), maxFloats))
	case t.isFloat():
		out.setFloats(r.foldFloats(math.Inf(1), minFloats))
	case name == "amax":
		out.setInts(r.foldInts(math.MinInt64, extremeInts(func(x, y int64) bool { return x > y })))
	default:
		out.setInts(r.foldInts(math.MaxInt64, extremeInts(func(x, y int64) bool { return x < y })))
	}
	out.computed(name, t)
	// out has the reduced dimensions still, so that it broadcasts against t.
	c.record(out, name, []*Tensor{t}, func(g *Tensor) []*Tensor {
		mask := toDType(c, applyBinary(c, "eq", operand{t, false}, operand{out, false}), t.dtype)
		return []*Tensor{div(c, mul(c, g, mask), reduceSum(c, mask, dims, true))}
	})
	out.save(t, out)
	return withReducedShape(c, out, dims, keep)
}

// argExtremum is where along one dimension, or in all of t where d is nil, the extreme element
// is: the first of equal ones; NaN counts as the most extreme.
func argExtremum(c *Context, t *Tensor, d any, keep, largest bool) *Tensor {
	if d == nil && t.numel() == 0 {
		indexError("%s(): Expected reduction dim to be specified for input.numel() == 0.",
			word(largest, "argmax", "argmin"))
	}
	if d == nil {
		flat := reshape(c, t, []int{-1})
		out := argExtremum(c, flat, 0, false, largest)
		if keep {
			return reshape(c, out, slices.Repeat([]int{1}, len(t.shape)))
		}
		return out
	}
	dim := axis(d.(int), len(t.shape))
	r := runsOf(t, []int{dim})
	if len(t.shape) == 0 {
		r = runsOf(reshape(c, t, []int{1}), []int{0})
		r.kept = nil
	}
	if r.length == 0 {
		indexError("argmax(): Expected reduction dim %d to have non-zero size.", dim)
	}
	out := c.alloc(num.Int64, r.kept...)
	places := make([]int64, out.numel())
	best := make([]float64, out.numel())
	seen := make([]int64, out.numel())
	data := r.order.storage.read()
	r.inParallel(func(from, to int) {
		rd, buf := r.order.elements(data), make([]float64, min(chunk, to-from))
		rd.seek(from)
		r.pieces(from, to, func(n int) { r.order.storage.poll(); rd.floats(buf[:n]) }, func(run, from, n int) {
			for i, v := range buf[from : from+n] {
				at := seen[run] + int64(i)
				old := best[run]
				// NaN is more extreme than any number, and the first of several stays.
				if at == 0 || old == old && (v != v || (largest && v > old) || (!largest && v < old)) {
					best[run], places[run] = v, at
				}
			}
			seen[run] += int64(n)
		})
	})
	out.setInts(places)
	if len(t.shape) == 0 {
		return out
	}
	return withReducedShape(c, out, []int{dim}, keep)
}

// extremeAlongDim is max or min along a dimension: the values and their positions.
func extremeAlongDim(c *Context, t *Tensor, name string, d int, keep bool) Named {
	if len(t.shape) > 0 && t.shape[axis(d, len(t.shape))] == 0 {
		indexError("%s(): Expected reduction dim %d to have non-zero size.", name, d)
	}
	where := argExtremum(c, t, d, true, name == "max")
	values := t
	if len(t.shape) > 0 {
		values = gatherAlong(c, t, axis(d, len(t.shape)), where)
		values.computed("a"+name, t)
		values = withReducedShape(c, values, []int{axis(d, len(t.shape))}, keep)
		where = withReducedShape(c, where, []int{axis(d, len(t.shape))}, keep)
	}
	return Named{name, []string{"values", "indices"}, []*Tensor{values, where}}
}

// maxOrMin is torch.max in its three forms: of everything, along a dimension, of two tensors.
func maxOrMin(name, whole, pairwise string) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := a.tensor(0)
		switch other := a[1].(type) {
		case nil:
			if t.numel() == 0 {
				runtimeError("%s(): Expected reduction dim to be specified for input.numel() == 0. "+
					"Specify the reduction dim with the 'dim' argument.",
					name)
			}
			return reduceExtreme(c, t, whole, nil, false)
		case *Tensor:
			return applyBinary(c, pairwise, operand{t, false}, operand{other, false})
		case int64:
			return extremeAlongDim(c, t, name, int(other), a.bool(2))
		}
		typeError("%s() received an invalid combination of arguments - got (Tensor, %s)", name, pythonType(a[1]))
		return nil
	}
}

// gradOfExtreme is the graph's name for max or min: 0 along a dimension, 1 of everything.
func gradOfExtreme(name string) func(args) string {
	return func(a args) string {
		switch {
		case !a.has(1):
			return name + "Backward1"
		case a.tensor(1) != nil:
			return name + "imumBackward0"
		}
		return name + "Backward0"
	}
}
