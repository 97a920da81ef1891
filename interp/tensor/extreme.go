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
	f, start, first := maxFolding, math.Inf(-1), int64(math.MinInt64)
	if name == "amin" {
		f, start, first = minFolding, math.Inf(1), math.MaxInt64
	}
	out := reduceElements(c, t, dims, f, start, first, t.dtype)
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
	switch as := registers(t.dtype); as {
	case num.Float32:
		out.setInts(extremePlaces(r, as, func(v num.Vec) []float32 { return v.F32 }, largest))
	case num.Float64:
		out.setInts(extremePlaces(r, as, func(v num.Vec) []float64 { return v.F64 }, largest))
	default:
		out.setInts(extremePlaces(r, num.Int64, func(v num.Vec) []int64 { return v.I64 }, largest))
	}
	if len(t.shape) == 0 {
		return out
	}
	return withReducedShape(c, out, []int{dim}, keep)
}

// extremePlaces are the places of the extremes in runs: of the first of several, and of the first NaN, which is more
// extreme than any number.
func extremePlaces[V float32 | float64 | int64](r runs, as num.DType, slice func(num.Vec) []V, largest bool) []int64 {
	type found struct {
		best     V
		at, seen int64
	}
	all := fold(r, as, found{at: -1}, func(f found, part num.Vec) found {
		values := slice(part)
		if f.at < 0 {
			f.best, f.at = values[0], 0
		}
		for i, v := range values {
			if !(v <= f.best) && largest || !(v >= f.best) && !largest {
				if f.best != f.best {
					break
				}
				f.best, f.at = v, f.seen+int64(i)
			}
		}
		f.seen += int64(len(values))
		return f
	})
	places := make([]int64, len(all))
	for i, f := range all {
		places[i] = f.at
	}
	return places
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
