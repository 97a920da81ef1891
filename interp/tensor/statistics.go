package tensor

import (
	"math"
	"slices"
	"sort"

	"github.com/newtlab/newt/compiler/num"
)

// statisticOps count, rank and search.
func statisticOps() []Op {
	return []Op{
		{Name: "aminmax", Where: everywhere, Signature: "input: Tensor, *, dim: ints? = None, keepdim: bool = False",
			run: func(c *Context, a args) any {
				return Named{"aminmax", []string{"min", "max"}, []*Tensor{
					reduceExtreme(c, a.tensor(0), "amin", a.ints(1), a.bool(2)),
					reduceExtreme(c, a.tensor(0), "amax", a.ints(1), a.bool(2))}}
			}},
		{Name: "var_mean", Where: InTorch,
			Signature: "input: Tensor, dim: ints? = None, unbiased: bool = True, keepdim: bool = False, *, correction: Number? = None",
			run: func(c *Context, a args) any {
				return []*Tensor{variance(c, a.tensor(0), a.ints(1), correction(a), a.bool(3)),
					reduceMean(c, a.tensor(0), a.ints(1), a.bool(3))}
			}},
		{Name: "std_mean", Where: InTorch,
			Signature: "input: Tensor, dim: ints? = None, unbiased: bool = True, keepdim: bool = False, *, correction: Number? = None",
			run: func(c *Context, a args) any {
				return []*Tensor{
					applyUnary(c, "sqrt", variance(c, a.tensor(0), a.ints(1), correction(a), a.bool(3))),
					reduceMean(c, a.tensor(0), a.ints(1), a.bool(3))}
			}},
		{Name: "nansum", Where: everywhere, Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
			run: func(c *Context, a args) any {
				return reduceSum(c, withoutNaN(c, a.tensor(0)), a.ints(1), a.bool(2))
			}},
		{Name: "nanmean", Where: everywhere, Signature: "input: Tensor, dim: ints? = None, keepdim: bool = False",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				valid := toDType(c, applyUnary(c, "logical_not", applyUnary(c, "isnan", t)), t.dtype)
				return div(c, reduceSum(c, withoutNaN(c, t), a.ints(1), a.bool(2)), reduceSum(c, valid, a.ints(1), a.bool(2)))
			}},
		{Name: "median", Where: everywhere, Signature: "input: Tensor, dim: int? = None, keepdim: bool = False",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				if a.has(1) {
					return median(c, t, axis(a.int(1), len(t.shape)), a.bool(2))
				}
				t = reshape(c, t, []int{-1})
				if t.numel() == 0 {
					return toDType(c, full(c, nil, nan, num.Float32), t.dtype)
				}
				return median(c, t, 0, false).Values[0]
			}},
		{Name: "kthvalue", grad: gradNamed("KthvalueBackward0"), Where: everywhere,
			Signature: "input: Tensor, k: int, dim: int = -1, keepdim: bool = False",
			run: func(c *Context, a args) any {
				t := a.tensor(0)
				d := axis(a.int(2), len(t.shape))
				if len(t.shape) > 0 && (a.int(1) < 1 || a.int(1) > t.shape[d]) {
					runtimeError("kthvalue(): selected number k out of range for dimension %d", d)
				}
				return ranked(c, t, "kthvalue", d, a.int(1)-1, a.bool(3))
			}},
		{Name: "mode", grad: gradNamed("ModeBackward0"), Where: everywhere,
			Signature: "input: Tensor, dim: int = -1, keepdim: bool = False",
			run:       func(c *Context, a args) any { return mode(c, a.tensor(0), a.int(1), a.bool(2)) }},
		{Name: "msort", Where: everywhere, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return sortAlong(c, a.tensor(0), "sort", 0, false, -1).Values[0] }},
		{Name: "quantile", Where: everywhere,
			Signature: "input: Tensor, q: any, dim: int? = None, keepdim: bool = False, *, interpolation: str = 'linear'",
			run:       func(c *Context, a args) any { return quantile(c, a) }},
		{Name: "histc", Where: everywhere,
			Signature: "input: Tensor, bins: int = 100, min: Number = 0, max: Number = 0",
			run:       func(c *Context, a args) any { return histogram(c, a.tensor(0), a.int(1), a.float(2), a.float(3)) }},
		{Name: "searchsorted", Where: InTorch,
			Signature: "sorted_sequence: Tensor, input: Operand, *, out_int32: bool = False, right: bool = False, side: str? = None",
			run: func(c *Context, a args) any {
				return searchSorted(c, a.tensor(0), a.operand(1).Tensor, a.bool(3) || a.str(4) == "right", a.bool(2))
			}},
		{Name: "bucketize", Where: InTorch,
			Signature: "input: Operand, boundaries: Tensor, *, out_int32: bool = False, right: bool = False",
			run: func(c *Context, a args) any {
				return searchSorted(c, a.tensor(1), a.operand(0).Tensor, a.bool(3), a.bool(2))
			}},
		{Name: "unique", Where: everywhere,
			Signature: "input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: int? = None",
			run: func(c *Context, a args) any {
				if a.has(4) {
					lack("NotImplementedError", "torch.unique(…, dim=)")
				}
				return unique(c, a.tensor(0), true, a.bool(2), a.bool(3))
			}},
		{Name: "unique_consecutive", Where: everywhere,
			Signature: "input: Tensor, return_inverse: bool = False, return_counts: bool = False",
			run:       func(c *Context, a args) any { return unique(c, a.tensor(0), false, a.bool(1), a.bool(2)) }},
		{Name: "isin", Where: InTorch, Signature: "elements: Operand, test_elements: Operand, *, invert: bool = False",
			run: func(c *Context, a args) any {
				t, tests := a.operand(0).Tensor, a.operand(1).Tensor
				out := c.alloc(num.Int1, t.shape...)
				if t.isFloat() || tests.isFloat() {
					out.setInts(isIn(c, t.Floats(), tests.Floats(), a.bool(2)))
				} else {
					out.setInts(isIn(c, t.Ints(), tests.Ints(), a.bool(2)))
				}
				return out
			}},
		{Name: "cummax", Where: everywhere, Signature: "input: Tensor, dim: int", run: cumulativeExtreme("cummax", greater)},
		{Name: "cummin", Where: everywhere, Signature: "input: Tensor, dim: int", run: cumulativeExtreme("cummin", less)},
		{Name: "logcumsumexp", Where: everywhere, Signature: "input: Tensor, dim: int",
			run: func(c *Context, a args) any {
				return scanAlong(c, a.tensor(0), a.int(1), "logcumsumexp", func(x, y float64) float64 {
					top := math.Max(x, y)
					if math.IsInf(top, 0) {
						return top
					}
					return top + math.Log1p(math.Exp(-math.Abs(x-y)))
				}, nil)
			}},
		{Name: "multinomial", Where: everywhere,
			Signature: "input: Tensor, num_samples: int, replacement: bool = False, *, generator: Generator? = None",
			run: func(c *Context, a args) any {
				if k := a.int(1); !a.bool(2) && k > a.tensor(0).size(-1) {
					runtimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
				}
				for _, p := range polled(c, a.tensor(0).Floats()) {
					if !(p >= 0 && p-p == 0) {
						runtimeError("probability tensor contains either `inf`, `nan` or element < 0")
					}
				}
				t, k := a.tensor(0), a.int(1)
				if a.bool(2) && k > 1 {
					return drawWithReplacement(c, t, k, c.stream(a[3]))
				}
				// The largest of p/e, with e exponential: what torch draws without replacement, and for one sample.
				noise := c.alloc(t.dtype, t.shape...)
				c.stream(a[3]).fillExponential(noise, 1)
				return sortAlong(c, div(c, t.detach(), noise), "topk", -1, true, k).Values[1]
			}},
	}
}

func withoutNaN(c *Context, t *Tensor) *Tensor {
	if !t.isFloat() {
		return t
	}
	return where(c, applyUnary(c, "isnan", t), operand{c.alloc(t.dtype), false}, operand{t, false})
}

// ranked is the k-th smallest element along d, and where it is.
func ranked(c *Context, t *Tensor, name string, d, k int, keep bool) Named {
	sorted := sortAlong(c, t, name, d, false, -1)
	if len(t.shape) == 0 {
		return sorted
	}
	for i, v := range sorted.Values {
		v = narrow(c, v, d, k, 1, 1)
		sorted.Values[i] = withReducedShape(c, v, []int{d}, keep)
	}
	return sorted
}

// median is the lower of the elements in the middle along d, or the first NaN if there is one, and where it is.
func median(c *Context, t *Tensor, d int, keep bool) Named {
	if len(t.shape) == 0 {
		return ranked(c, t, "median", d, 0, keep)
	}
	n := int64(t.shape[d])
	if !t.isFloat() {
		return ranked(c, t, "median", d, int(n-1)/2, keep)
	}
	sorted := sortAlong(c, t, "median", d, false, -1)
	valid := reduceSum(c, applyUnary(c, "logical_not", applyUnary(c, "isnan", sorted.Values[0])), []int{d}, true)
	complete := applyBinary(c, "eq", operand{valid, false}, numberOperand(n))
	rank := where(c, complete, numberOperand((n-1)/2), operand{valid, false})
	for i, v := range sorted.Values {
		sorted.Values[i] = withReducedShape(c, gatherAlong(c, v, d, rank), []int{d}, keep)
	}
	return sorted
}

// mode is the most frequent element along a dimension, the smallest of several, and the last place where it is.
func mode(c *Context, t *Tensor, d int, keep bool) Named {
	d = axis(d, len(t.shape))
	sorted := sortAlong(c, t, "mode", d, false, -1)
	if len(t.shape) == 0 {
		return sorted
	}
	values, from := runsOf(sorted.Values[0], []int{d}), runsOf(sorted.Values[1], []int{d})
	elements, places := values.order.Floats(), from.order.Ints()
	chosen := make([]int64, 0, max(1, len(elements)/max(values.length, 1)))
	for start := 0; start < len(elements); start += values.length {
		c.poll()
		row := elements[start:][:values.length]
		best, most := 0, 0
		for i := 0; i < len(row); {
			end := i + 1
			for end < len(row) && row[end] == row[i] {
				end++
			}
			if end-i > most {
				best, most = end-1, end-i // the sort is stable: the last of equal ones comes last
			}
			i = end
		}
		chosen = append(chosen, places[start+best])
	}
	where := c.alloc(num.Int64, values.kept...)
	where.setInts(chosen)
	picked := gatherAlong(c, t, d, where)
	return Named{"mode", []string{"values", "indices"}, []*Tensor{
		withReducedShape(c, picked, []int{d}, keep), withReducedShape(c, where, []int{d}, keep)}}
}

// quantile interpolates between the sorted elements at q·(n−1). It is NaN where an element is.
func quantile(c *Context, a args) *Tensor {
	t := a.tensor(0)
	if !t.isFloat() {
		runtimeError("quantile() input tensor must be either float or double dtype")
	}
	d := 0
	if a.has(2) && len(t.shape) > 0 {
		d = axis(a.int(2), len(t.shape))
	} else {
		t = reshape(c, t, []int{-1})
	}
	q := mustOperand("quantile", a[1])
	if t.numel() == 0 {
		runtimeError("quantile() input tensor must be non-empty")
	}
	sorted := sortAlong(c, t, "sort", d, false, -1).Values[0]
	n := sorted.shape[d]
	var parts []*Tensor
	for _, v := range q.Floats() {
		if !(v >= 0 && v <= 1) {
			if q.number {
				runtimeError("quantile() q must be in the range [0, 1] but got %v", v)
			}
			runtimeError("quantile() q values must be in the range [0, 1]")
		}
		// q is a tensor of the input's dtype to torch: float32, or float64 below.
		rank := float64(float32(v)) * float64(n-1)
		if t.dtype == num.Float64 {
			rank = v * float64(n-1)
		}
		low, high := int(math.Floor(rank)), int(math.Ceil(rank))
		weight := rank - float64(low)
		switch a.str(4) {
		case "lower":
			high = low
		case "higher":
			low = high
		case "nearest":
			low = int(math.RoundToEven(rank))
			high = low
		case "midpoint":
			weight = 0.5
		}
		x, y := narrow(c, sorted, d, low, 1, 1), narrow(c, sorted, d, high, 1, 1)
		part := add(c, x, applyBinaryNumber(c, "mul", sub(c, y, x), weight))
		largest := narrow(c, sorted, d, n-1, 1, 1) // NaN is
		part = where(c, applyUnary(c, "isnan", largest), operand{largest, false}, operand{part, false})
		parts = append(parts, withReducedShape(c, part, []int{d}, a.bool(3) && a.has(2)))
	}
	if len(q.shape) == 0 {
		return parts[0]
	}
	for i, p := range parts {
		parts[i] = unsqueeze(c, p, 0)
	}
	return cat(c, parts, 0)
}

// histogram counts elements in bins of one width; equal bounds mean those of the data.
func histogram(c *Context, t *Tensor, bins int, low, high float64) *Tensor {
	if bins <= 0 {
		runtimeError("bins must be > 0")
	}
	values := t.Floats()
	if low == high && len(values) > 0 {
		low, high = slices.Min(values), slices.Max(values)
	}
	if low == high {
		// All elements are equal: the bins lie around them.
		low, high = low-1, high+1
	}
	if low > high {
		runtimeError("max must be larger than min")
	}
	counts := make([]float64, bins)
	for _, v := range polled(c, values) {
		if v >= low && v <= high {
			counts[min(int((v-low)/(high-low)*float64(bins)), bins-1)]++
		}
	}
	out := c.alloc(t.dtype, bins)
	out.setFloats(counts)
	return out
}

// searchSorted is where each value would go into the sorted rows: before equal ones, or after.
func searchSorted(c *Context, rows, values *Tensor, after, narrow bool) *Tensor {
	d := num.Int64
	if narrow {
		d = num.Int32
	}
	out := c.alloc(d, values.shape...)
	n := rows.size(-1)
	per := 0 // values a row; one row serves all
	if len(rows.shape) > 1 {
		lead := len(rows.shape) - 1
		if len(values.shape) != lead+1 || !slices.Equal(rows.shape[:lead], values.shape[:lead]) {
			runtimeError("torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "+
				"dimensions of boundaries tensor and input value tensor must match, "+
				"but we got boundaries tensor %s and input value tensor %s",
				shapeText(rows.shape), shapeText(values.shape))
		}
		per = values.shape[len(values.shape)-1]
	}
	if rows.isFloat() || values.isFloat() {
		out.setInts(placesIn(c, rows.Floats(), values.Floats(), n, per, after))
	} else {
		out.setInts(placesIn(c, rows.Ints(), values.Ints(), n, per, after))
	}
	return out
}

// placesIn is searchSorted for rows of n elements; per values are looked for in each, or all in the only one.
func placesIn[T int64 | float64](c *Context, sorted, wanted []T, n, per int, after bool) []int64 {
	places := make([]int64, len(wanted))
	for i, v := range polled(c, wanted) {
		row := sorted[:n]
		if per > 0 {
			row = sorted[i/per*n:][:n]
		}
		places[i] = int64(sort.Search(n, func(k int) bool { return row[k] > v || !after && row[k] == v }))
	}
	return places
}

// isIn says for each value whether it is among tests.
func isIn[T int64 | float64](c *Context, values, tests []T, invert bool) []int64 {
	among := map[T]bool{}
	for _, v := range polled(c, tests) {
		among[v] = true
	}
	out := make([]int64, len(values))
	for i, v := range polled(c, values) {
		out[i] = truth(among[v] != invert)
	}
	return out
}

// unique lists the different elements: sorted, or each run of equal ones once. It may also say which of them each
// element is, and how often each occurs.
func unique(c *Context, t *Tensor, sorted, inverse, counts bool) any {
	flat := reshape(c, t.detach(), []int{-1})
	places := counting(flat.numel())
	if sorted {
		places = sortAlong(c, flat, "sort", 0, false, -1).Values[1].Ints()
	}
	values := flat.Floats()
	var exact []int64
	if !t.isFloat() {
		exact = flat.Ints()
	}
	same := func(i, j int64) bool {
		if exact != nil {
			return exact[i] == exact[j]
		}
		return values[i] == values[j]
	}
	var first, often []int64
	which := make([]int64, len(places))
	// Equal elements are neighbors in this order.
	for k, at := range polled(c, places) {
		if k == 0 || !same(at, places[k-1]) {
			first, often = append(first, at), append(often, 0)
		}
		often[len(often)-1]++
		which[at] = int64(len(first) - 1)
	}
	out := []*Tensor{indexSelect(c, flat, 0, fromInts(c, first))}
	if inverse {
		out = append(out, reshape(c, fromInts(c, which), t.shape))
	}
	if counts {
		out = append(out, fromInts(c, often))
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}

// cumulativeExtreme is the most extreme element so far along a dimension, and where it is; of equal ones the last.
func cumulativeExtreme(name string, better func(x, y float64) bool) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := a.tensor(0)
		d := axis(a.int(1), len(t.shape))
		where := c.alloc(num.Int64, t.shape...)
		if len(t.shape) == 0 {
			return Named{name, []string{"values", "indices"}, []*Tensor{clone(c, t), where}}
		}
		from := runsOf(t, []int{d})
		values := from.order.Floats()
		places := make([]int64, len(values))
		best := 0
		for i, v := range polled(c, values) {
			if i%from.length == 0 || better(v, values[best]) || v == values[best] || v != v {
				best = i
			}
			places[i] = int64(best % from.length)
		}
		runsOf(where, []int{d}).order.setInts(places)
		return Named{name, []string{"values", "indices"}, []*Tensor{gatherAlong(c, t, d, where), where}}
	}
}
