package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// runs lists the values of t in runs, one a result element: the elements along dims. The result's
// shape has 1 for each of dims.
type runs struct {
	kept   []int // the result's shape with keepdim
	length int
	order  *Tensor // t with dims moved to the end
}

func runsOf(t *Tensor, dims []int) runs {
	r := runs{kept: slices.Clone(t.shape), length: 1}
	g := layout{offset: t.offset}
	for i, n := range t.shape {
		if !slices.Contains(dims, i) {
			g.shape, g.strides = append(g.shape, n), append(g.strides, t.strides[i])
		}
	}
	// The reduced dimensions come last, in their order: each run is contiguous in the order of reading.
	for i, n := range t.shape {
		if slices.Contains(dims, i) {
			g.shape, g.strides = append(g.shape, n), append(g.strides, t.strides[i])
			r.kept[i] = 1
			r.length *= n
		}
	}
	r.order = t.asStrided(g)
	return r
}

// pieces cuts the elements from … to of runs into pieces of at most a chunk that lie in one run; from is a multiple of
// a chunk.
func (r runs) pieces(from, to int, read func(n int), visit func(run, from, n int)) {
	done := from
	chunks(to-from, func(n int) {
		read(n)
		// A chunk may end in the middle of a run, and hold many short ones.
		for used := 0; used < n; {
			run, from := (done+used)/r.length, (done+used)%r.length
			size := min(n-used, r.length-from)
			visit(run, used, size)
			used += size
		}
		done += n
	})
}

// inParallel does parts of the runs on all processors. Each part begins with a chunk, so that pieces are the same for
// any number of processors.
func (r runs) inParallel(do func(from, to int)) {
	total := r.order.numel()
	if total == 0 {
		return
	}
	inParallel(total/r.length, chunk/gcd(chunk, r.length), r.length, func(from, to int) {
		do(from*r.length, to*r.length)
	})
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// foldFloats folds each run: step takes the run's value so far and its next elements.
func (r runs) foldFloats(start float64, step func(acc float64, part []float64) float64) []float64 {
	return fold(r, start, (*reader).floats, step)
}

// foldInts is foldFloats for integers.
func (r runs) foldInts(start int64, step func(acc int64, part []int64) int64) []int64 {
	return fold(r, start, (*reader).ints, step)
}

func fold[T any](r runs, start T, read func(*reader, []T), step func(acc T, part []T) T) []T {
	out, data := slices.Repeat([]T{start}, layout{shape: r.kept}.numel()), r.order.storage.read()
	r.inParallel(func(from, to int) {
		rd, buf := r.order.elements(data), make([]T, min(chunk, to-from))
		rd.seek(from)
		r.pieces(from, to, func(n int) { r.order.storage.poll(); read(rd, buf[:n]) }, func(run, from, n int) {
			out[run] = step(out[run], buf[from:from+n])
		})
	})
	return out
}

// mapRuns is a tensor like t of what f makes of each run along dims, in float64 until the end.
func mapRuns(c *Context, t *Tensor, dims []int, f func(run []float64)) *Tensor {
	out := c.alloc(t.dtype, t.shape...)
	r, to := runsOf(t, dims), runsOf(out, dims)
	from, data := r.order.storage.read(), to.order.storage.write()
	inParallel(layout{shape: r.kept}.numel(), 1, 8*r.length, func(first, end int) {
		rd, w, run := r.order.elements(from), &writer{*to.order.elements(data)}, make([]float64, r.length)
		for at := first * r.length; at < end*r.length; at += r.length {
			out.storage.poll()
			rd.seek(at)
			chunksOf(0, r.length, func(from, to int) { rd.floats(run[from:to]) })
			f(run)
			w.seek(at)
			chunksOf(0, r.length, func(from, to int) { w.floats(run[from:to]) })
		}
	})
	return out
}

// sumFloats adds in four lanes, pieces of a chunk at a time, in float64: for float32 data the
// error stays far below an ulp.
func sumFloats(acc float64, part []float64) float64 {
	var lanes [4]float64 // independent sums, so that additions overlap
	i := 0
	for ; i+4 <= len(part); i += 4 {
		lanes[0] += part[i]
		lanes[1] += part[i+1]
		lanes[2] += part[i+2]
		lanes[3] += part[i+3]
	}
	for ; i < len(part); i++ {
		lanes[0] += part[i]
	}
	return acc + ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
}

func sumInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc += v
	}
	return acc
}

func prodFloats(acc float64, part []float64) float64 {
	for _, v := range part {
		acc *= v
	}
	return acc
}

func prodInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc *= v
	}
	return acc
}

// maxFloats and minFloats fold to the extreme; NaN wins, and one once found stays.
func maxFloats(acc float64, part []float64) float64 {
	for _, v := range part {
		if !(v <= acc) {
			if acc != acc {
				break
			}
			acc = v
		}
	}
	return acc
}

func minFloats(acc float64, part []float64) float64 {
	for _, v := range part {
		if !(v >= acc) {
			if acc != acc {
				break
			}
			acc = v
		}
	}
	return acc
}

func extremeInts(better func(x, y int64) bool) func(acc int64, part []int64) int64 {
	return func(acc int64, part []int64) int64 {
		for _, v := range part {
			if better(v, acc) {
				acc = v
			}
		}
		return acc
	}
}

// reduceDims wraps dims; none means all.
func reduceDims(t *Tensor, dims []int) []int {
	if len(dims) == 0 {
		all := make([]int, len(t.shape))
		for i := range all {
			all[i] = i
		}
		return all
	}
	dims = axes(dims, len(t.shape))
	if len(t.shape) == 0 { // torch accepts 0 and -1 for a tensor without dimensions
		return nil
	}
	return dims
}

// withReducedShape makes out, with 1 for the reduced dims, the result: it drops them unless keep is set.
func withReducedShape(c *Context, out *Tensor, dims []int, keep bool) *Tensor {
	if keep {
		return out
	}
	return squeeze(c, out, dims, false)
}

// reduceElements folds dims from start on: floats in their own dtype, anything else as int64.
func reduceElements(c *Context, t *Tensor, dims []int, start int64, floats func(float64, []float64) float64,
	ints func(int64, []int64) int64) *Tensor {
	r := runsOf(t, dims)
	if t.isFloat() {
		out := c.alloc(t.dtype, r.kept...)
		out.setFloats(r.foldFloats(float64(start), floats))
		return out
	}
	out := c.alloc(num.Int64, r.kept...)
	out.setInts(r.foldInts(start, ints))
	return out
}

func reduceSum(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	dims = reduceDims(t, dims)
	out := reduceElements(c, t, dims, 0, sumFloats, sumInts)
	out.computed("sum", t)
	shape := t.shape // and not t, whose values the gradient does not need
	c.record(out, "sum", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{expand(c, g, shape)} })
	return withReducedShape(c, out, dims, keep)
}

func reduceMean(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	if !t.isFloat() {
		runtimeError("mean(): could not infer output dtype. Input dtype must be either a floating point or complex "+
			"dtype. Got: %s",
			legacyNames[t.dtype])
	}
	dims = reduceDims(t, dims)
	r := runsOf(t, dims)
	out := c.alloc(t.dtype, r.kept...)
	sums, n := r.foldFloats(0, sumFloats), float64(r.length)
	for i := range sums {
		sums[i] /= n
	}
	out.setFloats(sums)
	out.computed("mean", t)
	shape := t.shape
	c.record(out, "mean", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{applyBinaryNumber(c, "div", expand(c, g, shape), n)} // torch divides last: memory of its own
	})
	return withReducedShape(c, out, dims, keep)
}

func reduceProd(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	dims = reduceDims(t, dims)
	out := reduceElements(c, t, dims, 1, prodFloats, prodInts)
	out.computed("prod", t)
	c.record(out, "prod", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{prodGradient(c, t, g, dims)} })
	out.save(t)
	return withReducedShape(c, out, dims, keep)
}

// prodGradient is g times the product of the other elements, correct where elements are zero.
func prodGradient(c *Context, t, g *Tensor, dims []int) *Tensor {
	zeros, rest := c.alloc(num.Float64, t.shape...), c.alloc(num.Float64, t.shape...)
	mapFloats(zeros, num.Float64, []*Tensor{t}, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			dst[i] = float64(truth(v == 0))
		}
	})
	mapFloats(rest, num.Float64, []*Tensor{t}, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			if dst[i] = v; v == 0 {
				dst[i] = 1
			}
		}
	})
	// With one zero among them, only that element has a gradient; with several, none has. Otherwise it is the product
	// over the element.
	count, product := reduceSum(c, zeros, dims, true), reduceProd(c, rest, dims, true)
	out := c.alloc(t.dtype, t.shape...)
	mapFloats(out, num.Float64, []*Tensor{g, t, count, product}, func(dst []float64, in [][]float64) {
		for i, v := range in[0] {
			x, others := in[1][i], in[2][i]
			switch {
			case x == 0 && others == 1:
				dst[i] = v * in[3][i]
			case others > 0:
				dst[i] = 0
			default:
				dst[i] = v * in[3][i] / x
			}
		}
	})
	return out
}

// anyOrAll is all or any: a bool reduction.
func anyOrAll(c *Context, t *Tensor, dims []int, keep, all bool) *Tensor {
	dims = reduceDims(t, dims)
	r := runsOf(t, dims)
	out := c.alloc(num.Int1, r.kept...)
	// all begins as true and ends with the first false, any the other way round.
	out.setFloats(r.foldFloats(float64(truth(all)), func(acc float64, part []float64) float64 {
		for _, v := range part {
			if (v != 0) != all {
				return float64(truth(!all))
			}
		}
		return acc
	}))
	return withReducedShape(c, out, dims, keep)
}

// variance is the mean square deviation, with n − correction in place of n.
func variance(c *Context, t *Tensor, dims []int, correction float64, keep bool) *Tensor {
	if !t.isFloat() {
		runtimeError("std and var only support floating point and complex dtypes")
	}
	dims = reduceDims(t, dims)
	n := float64(runsOf(t, dims).length)
	deviation := sub(c, t, reduceMean(c, t, dims, true))
	return applyBinaryNumber(c, "div", reduceSum(c, applyUnary(c, "square", deviation), dims, keep),
		math.Max(n-correction, 0))
}

// norm is the p-norm along dims.
func norm(c *Context, t *Tensor, p float64, dims []int, keep bool) *Tensor {
	size := applyUnary(c, "abs", t)
	switch {
	case math.IsInf(p, 1):
		return reduceExtreme(c, size, "amax", dims, keep)
	case math.IsInf(p, -1):
		return reduceExtreme(c, size, "amin", dims, keep)
	case p == 0:
		nonzero := applyBinary(c, "ne", operand{t, false}, numberOperand(int64(0)))
		return reduceSum(c, toDType(c, nonzero, t.dtype), dims, keep)
	case p == 1:
		return reduceSum(c, size, dims, keep)
	case p == 2:
		return applyUnary(c, "sqrt", reduceSum(c, applyUnary(c, "square", t), dims, keep))
	}
	return applyBinaryNumber(c, "pow", reduceSum(c, applyBinaryNumber(c, "pow", size, p), dims, keep), 1/p)
}

func logSumExp(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	dims = reduceDims(t, dims)
	// log(sum(exp(x))) = top + log(sum(exp(x - top))): exp cannot overflow. The derivative does not depend on top,
	// which is left out of the graph; an infinite top would make NaN of infinity minus infinity.
	top := reduceExtreme(c, t, "amax", dims, true).detach()
	top = where(c, applyUnary(c, "isfinite", top), operand{top, false}, numberOperand(0.0))
	sum := applyUnary(c, "log", reduceSum(c, applyUnary(c, "exp", sub(c, t, top)), dims, true))
	return withReducedShape(c, add(c, sum, top), dims, keep)
}

// cumsum has a gradient: the cumulative sum from the other end.
func cumsum(c *Context, t *Tensor, d int) *Tensor {
	out := scanAlong(c, t, d, "cumsum",
		func(x, y float64) float64 { return x + y }, func(x, y int64) int64 { return x + y })
	return c.record(out, "cumsum", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{flip(c, cumsum(c, flip(c, g, []int{d}), d), []int{d})}
	})
}

// scanAlong folds along dimension d and keeps every step.
func scanAlong(c *Context, t *Tensor, d int, name string, floats func(x, y float64) float64,
	ints func(x, y int64) int64) *Tensor {
	if name != "cumsum" && c.GradEnabled && t.graphNode() != nil {
		lack("RuntimeError", "the derivative of torch.%s", name)
	}
	if ints == nil && !t.isFloat() {
		runtimeError("\"%s_out_cpu\" not implemented for '%s'", name, legacyNames[t.dtype])
	}
	d = axis(d, len(t.shape))
	result := t.dtype
	if !t.isFloat() {
		result = num.Int64
	}
	switch {
	case len(t.shape) == 0:
		return toDType(c, clone(c, t), result)
	case t.isFloat():
		return mapRuns(c, t, []int{d}, func(run []float64) {
			for i := 1; i < len(run); i++ {
				run[i] = floats(run[i-1], run[i])
			}
		})
	}
	out := c.alloc(result, t.shape...)
	from, to := runsOf(t, []int{d}), runsOf(out, []int{d})
	values := from.order.Ints()
	for i := range values {
		if i%from.length != 0 { // the first element of a run is itself
			values[i] = ints(values[i-1], values[i])
		}
	}
	to.order.setInts(values)
	return out
}
