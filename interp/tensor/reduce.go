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
	dims   []int   // t's dimensions in that order
}

func runsOf(t *Tensor, dims []int) runs {
	r := runs{kept: slices.Clone(t.shape), length: 1}
	// The reduced dimensions come last, in their order: each run is contiguous in the order of reading.
	var last []int
	for i, n := range t.shape {
		if slices.Contains(dims, i) {
			last = append(last, i)
			r.kept[i] = 1
			r.length *= n
		} else {
			r.dims = append(r.dims, i)
		}
	}
	r.dims = append(r.dims, last...)
	g := layout{offset: t.offset}
	for _, d := range r.dims {
		g.shape, g.strides = append(g.shape, t.shape[d]), append(g.strides, t.strides[d])
	}
	r.order = t.asStrided(g)
	return r
}

// pieces cuts the elements from … to of runs into pieces of at most a chunk that lie in one run; from is a multiple of
// a chunk.
func (r runs) pieces(from, to int, read func(n int), visit func(run, from, n int)) {
	r.order.storage.of.chunksOf(from, to, func(first, end int) {
		read(end - first)
		// A chunk may end in the middle of a run, and hold many short ones.
		for at := first; at < end; {
			size := min(end-at, r.length-at%r.length)
			visit(at/r.length, at-first, size)
			at += size
		}
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

// fold folds each run: step takes the run's value so far and its next elements, in registers of a dtype.
func fold[T any](r runs, as num.DType, start T, step func(acc T, part num.Vec) T) []T {
	out, data := slices.Repeat([]T{start}, layout{shape: r.kept}.numel()), r.order.storage.read()
	r.inParallel(func(from, to int) {
		source := r.order.typedElements(data, as)
		source.seek(from)
		var v num.Vec
		r.pieces(from, to, func(n int) { v = source.next(n) }, func(run, from, n int) {
			out[run] = step(out[run], v.Slice(from, from+n))
		})
	})
	return out
}

// foldFloats is fold in float64 for floats, whose registers are of either kind.
func (r runs) foldFloats(start float64, singles func(float64, []float32) float64,
	doubles func(float64, []float64) float64) []float64 {
	return fold(r, registers(r.order.dtype), start, func(acc float64, part num.Vec) float64 {
		if part.F32 != nil {
			return singles(acc, part.F32)
		}
		return doubles(acc, part.F64)
	})
}

// foldInts is fold for integers.
func (r runs) foldInts(start int64, step func(acc int64, part []int64) int64) []int64 {
	return fold(r, num.Int64, start, func(acc int64, part num.Vec) int64 { return step(acc, part.I64) })
}

// mapRuns writes to out what f makes of each run along dims of the inputs, which broadcast to out, in float64 until the
// end. The inputs come as read gives them, floats or singles; f must not change them.
func mapRuns[F float32 | float64](out *Tensor, dims []int, inputs []*Tensor, read func(source, []F),
	f func(dst []float64, in [][]F)) {
	r := runsOf(out, dims)
	to, orders, kept := r.order, make([]*Tensor, len(inputs)), len(out.shape)-len(dims)
	for i, t := range inputs {
		orders[i] = runsOf(t.asStrided(t.expandTo(out.shape)), dims).order
	}
	if !to.isContiguous() {
		// Runs that lie apart are written one after the other first: reading columns is faster than writing them.
		room := newStorage(out.numel() * out.dtype.Info().Bytes)
		to = &Tensor{layout: contiguous(to.shape), storage: room, dtype: out.dtype}
		back := layout{out.shape, make([]int, len(out.shape)), 0}
		for i, d := range r.dims {
			back.strides[d] = to.strides[i]
		}
		defer func() { out.copyBytes(to.asStrided(back)) }()
	}
	data := sharedBytes(to, orders)
	inParallel(layout{shape: r.kept}.numel(), 1, 8*r.length, func(first, end int) {
		sources, in := make([]source, len(orders)), make([][]F, len(orders))
		for i, t := range orders {
			sources[i], in[i] = t.source(t.shape, num.Float64), make([]F, r.length)
			sources[i].seek(first * r.length)
		}
		w, dst := &writer{*to.elements(data)}, make([]float64, r.length)
		w.seek(first * r.length)
		for run := first; run < end; run++ {
			for i, t := range orders {
				if run == first || slices.ContainsFunc(t.strides[:kept], func(s int) bool { return s != 0 }) {
					// What is the same in every run is read once.
					out.storage.of.chunksOf(0, r.length, func(from, to int) { read(sources[i], in[i][from:to]) })
				}
			}
			f(dst, in)
			out.storage.of.chunksOf(0, r.length, func(from, to int) { w.floats(dst[from:to]) })
		}
	})
}

// sumFloats adds up a chunk at a time, in float64: for float32 data the error stays far below an ulp.
func sumFloats[F float32 | float64](acc float64, part []F) float64 { return acc + num.Sum(part) }

func prodFloats[F float32 | float64](acc float64, part []F) float64 {
	for _, v := range part {
		acc *= float64(v)
	}
	return acc
}

// maxFloats and minFloats fold to the extreme; NaN wins.
func maxFloats[F float32 | float64](acc float64, part []F) float64 {
	return max(acc, float64(num.Extreme(part, true)))
}

func minFloats[F float32 | float64](acc float64, part []F) float64 {
	return min(acc, float64(num.Extreme(part, false)))
}

func sumInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc += v
	}
	return acc
}

func prodInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc *= v
	}
	return acc
}

func maxInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc = max(acc, v)
	}
	return acc
}

func minInts(acc int64, part []int64) int64 {
	for _, v := range part {
		acc = min(acc, v)
	}
	return acc
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

// folding is how a reduction folds: floats in float64, anything else as int64.
type folding struct {
	singles func(acc float64, part []float32) float64
	doubles func(acc float64, part []float64) float64
	ints    func(acc int64, part []int64) int64
}

var (
	sumFolding  = folding{sumFloats[float32], sumFloats[float64], sumInts}
	prodFolding = folding{prodFloats[float32], prodFloats[float64], prodInts}
	maxFolding  = folding{maxFloats[float32], maxFloats[float64], maxInts}
	minFolding  = folding{minFloats[float32], minFloats[float64], minInts}
)

// reduceElements folds dims from a start on; integers into a tensor of dtype whole.
func reduceElements(c *Context, t *Tensor, dims []int, f folding, start float64, first int64, whole num.DType) *Tensor {
	r := runsOf(t, dims)
	if t.isFloat() {
		out := c.alloc(t.dtype, r.kept...)
		out.setFloats(r.foldFloats(start, f.singles, f.doubles))
		return out
	}
	out := c.alloc(whole, r.kept...)
	out.setInts(r.foldInts(first, f.ints))
	return out
}

func reduceSum(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	if t.IsComplex() {
		return onParts(c, t, "sum", func(part *Tensor) *Tensor { return reduceSum(c, part, dims, keep) })
	}
	dims = reduceDims(t, dims)
	out := reduceElements(c, t, dims, sumFolding, 0, 0, num.Int64)
	out.computed("sum", t)
	shape := t.shape // and not t, whose values the gradient does not need
	c.record(out, "sum", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{expand(c, g, shape)} })
	return withReducedShape(c, out, dims, keep)
}

func reduceMean(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	if t.IsComplex() {
		return onParts(c, t, "mean", func(part *Tensor) *Tensor { return reduceMean(c, part, dims, keep) })
	}
	if !t.isFloat() {
		runtimeError("mean(): could not infer output dtype. Input dtype must be either a floating point or complex "+
			"dtype. Got: %s",
			legacyNames[t.dtype])
	}
	dims = reduceDims(t, dims)
	r := runsOf(t, dims)
	out := c.alloc(t.dtype, r.kept...)
	sums, n := r.foldFloats(0, sumFolding.singles, sumFolding.doubles), float64(r.length)
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
	out := reduceElements(c, t, dims, prodFolding, 1, 1, num.Int64)
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
	r := runsOf(toDType(c, t.detach(), num.Int1), dims)
	out := c.alloc(num.Int1, r.kept...)
	// all begins as true and ends with the first false, any the other way round.
	out.setInts(r.foldInts(truth(all), func(acc int64, part []int64) int64 {
		if slices.Contains(part, truth(!all)) {
			return truth(!all)
		}
		return acc
	}))
	return withReducedShape(c, out, dims, keep)
}

// deviation is a number of elements with their mean and the sum of their square distances from it.
type deviation struct{ n, mean, squares float64 }

// deviate adds elements to d: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample
// variances", 1979.
func deviate[F float32 | float64](d deviation, part []F) deviation {
	n := float64(len(part))
	mean, squares := sumFloats(0, part)/n, 0.0
	for _, v := range part {
		squares += squared(float64(v) - mean)
	}
	gap := mean - d.mean
	return deviation{d.n + n, d.mean + gap*n/(d.n+n), d.squares + squares + gap*gap*d.n*n/(d.n+n)}
}

// variance is the mean square deviation, with n − correction in place of n.
func variance(c *Context, t *Tensor, dims []int, correction float64, keep bool) *Tensor {
	if !t.isFloat() {
		runtimeError("std and var only support floating point and complex dtypes")
	}
	dims = reduceDims(t, dims)
	r := runsOf(t, dims)
	n := math.Max(float64(r.length)-correction, 0)
	spread := fold(r, registers(t.dtype), deviation{}, func(d deviation, part num.Vec) deviation {
		if part.F32 != nil {
			return deviate(d, part.F32)
		}
		return deviate(d, part.F64)
	})
	out, values := c.alloc(t.dtype, r.kept...), make([]float64, len(spread))
	for i, d := range spread {
		values[i] = d.squares / n
	}
	out.setFloats(values)
	out.computedWith("var", []float64{n}, t)
	c.record(out, "var", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{mul(c, g, applyBinaryNumber(c, "mul", sub(c, t, reduceMean(c, t, dims, true)), 2/n))}
	})
	out.save(t)
	return withReducedShape(c, out, dims, keep)
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
	case p == 2 && t.isFloat():
		return euclideanNorm(c, t, reduceDims(t, dims), keep)
	}
	return applyBinaryNumber(c, "pow", reduceSum(c, applyBinaryNumber(c, "pow", size, p), dims, keep), 1/p)
}

// euclideanNorm is the root of the sum of the squares. Its gradient is 0 where it is 0.
func euclideanNorm(c *Context, t *Tensor, dims []int, keep bool) *Tensor {
	r := runsOf(t, dims)
	out, roots := c.alloc(t.dtype, r.kept...), r.foldFloats(0, sumSquares[float32], sumSquares[float64])
	for i, v := range roots {
		roots[i] = math.Sqrt(v)
	}
	out.setFloats(roots)
	out.computed("vector_norm", t)
	c.record(out, "linalg_vector_norm", []*Tensor{t}, func(g *Tensor) []*Tensor {
		nonzero := applyBinary(c, "ne", operand{out, false}, numberOperand(int64(0)))
		scale := where(c, nonzero, operand{div(c, g, out), false}, operand{c.alloc(g.dtype), false})
		return []*Tensor{mul(c, t, scale)}
	})
	out.save(t, out)
	return withReducedShape(c, out, dims, keep)
}

func sumSquares[F float32 | float64](acc float64, part []F) float64 {
	var a, b, c, d float64
	i := 0
	for ; i+4 <= len(part); i += 4 {
		four := part[i : i+4 : i+4]
		a += squared(four[0])
		b += squared(four[1])
		c += squared(four[2])
		d += squared(four[3])
	}
	for _, v := range part[i:] {
		a += squared(v)
	}
	return acc + ((a + b) + (c + d))
}

// squared is x·x, which Go does not fuse with a sum.
func squared[F float32 | float64](x F) float64 { return float64(float64(x) * float64(x)) }

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
	if t.IsComplex() {
		return onParts(c, t, "cumsum", func(part *Tensor) *Tensor { return cumsum(c, part, d) })
	}
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
		out := c.alloc(t.dtype, t.shape...)
		mapRuns(out, []int{d}, []*Tensor{t}, source.floats, func(dst []float64, in [][]float64) {
			copy(dst, in[0])
			for i := 1; i < len(dst); i++ {
				dst[i] = floats(dst[i-1], dst[i])
			}
		})
		if name == "cumsum" || name == "cumprod" {
			out.computedOver(name, []int{d}, nil, t)
		}
		return out
	}
	out := c.alloc(result, t.shape...)
	from, to := runsOf(t, []int{d}), runsOf(out, []int{d})
	values := from.order.Ints()
	for i := range polled(c, values) {
		if i%from.length != 0 { // the first element of a run is itself
			values[i] = ints(values[i-1], values[i])
		}
	}
	to.order.setInts(values)
	if name == "cumsum" {
		out.computedOver(name, []int{d}, nil, t)
	}
	return out
}
