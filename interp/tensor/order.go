package tensor

import (
	"cmp"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// orderOps sort.
var orderOps = []Op{
	{Name: "sort", grad: gradNamed("SortBackward0"), Where: everywhere,
		Signature: "input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False",
		run:       func(c *Context, a args) any { return sortAlong(c, a.tensor(0), "sort", a.int(1), a.bool(2), -1) }},
	{Name: "argsort", Where: everywhere, Signature: "input: Tensor, dim: int = -1, descending: bool = False",
		run: func(c *Context, a args) any {
			return sortAlong(c, a.tensor(0), "sort", a.int(1), a.bool(2), -1).Values[1]
		}},
	{Name: "topk", grad: gradNamed("TopkBackward0"), Where: everywhere,
		Signature: "input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True",
		run: func(c *Context, a args) any {
			return sortAlong(c, a.tensor(0), "topk", a.int(2), a.bool(3), a.int(1))
		}},
	{Name: "bincount", Where: everywhere, Signature: "input: Tensor, weights: Tensor? = None, minlength: int = 0",
		run: func(c *Context, a args) any { return bincount(c, a) }},
}

// sortAlong orders the elements along d and says where they came from; count ≥ 0 keeps that many.
// Equal elements keep their order; NaN is the largest.
func sortAlong(c *Context, t *Tensor, name string, d int, descending bool, count int) Named {
	d = axis(d, len(t.shape))
	if len(t.shape) == 0 {
		return Named{name, []string{"values", "indices"}, []*Tensor{clone(c, t), c.alloc(num.Int64)}}
	}
	n := t.shape[d]
	if count < 0 {
		count = n
	} else if count > n {
		runtimeError("selected index k out of range")
	}
	shape := slices.Clone(t.shape)
	shape[d] = count
	where := c.alloc(num.Int64, shape...)
	ranks := ranksOf(runsOf(t, []int{d}).order, descending)
	places := make([]int64, len(ranks)/max(n, 1)*count)
	inParallel(len(ranks)/max(n, 1), 1, n*8, func(from, to int) {
		row, spare := make([]sortKey, n), make([]sortKey, n)
		for r := from; r < to; r++ {
			for i, rank := range polled(c, ranks[r*n:][:n]) {
				row[i] = sortKey{rank, int64(i)}
			}
			sortKeys(c, row, spare)
			for i, e := range row[:count] {
				places[r*count+i] = e.at
			}
		}
	})
	runsOf(where, []int{d}).order.setInts(places)
	// Gathering the values records their gradient.
	return Named{name, []string{"values", "indices"}, []*Tensor{gatherAlong(c, t, d, where), where}}
}

// ranksOf are numbers that are ordered as t's elements are; NaN is the largest.
func ranksOf(t *Tensor, descending bool) []uint64 {
	const sign = 1 << 63
	ranks := make([]uint64, 0, t.numel())
	if t.isFloat() {
		for _, v := range polled(t.storage.of, t.Floats()) {
			u := math.Float64bits(v + 0) // -0 is 0
			switch {
			case v != v:
				u = math.MaxUint64
			case u&sign != 0: // larger bits are smaller numbers
				u = ^u
			default:
				u |= sign
			}
			ranks = append(ranks, u)
		}
	} else {
		for _, v := range polled(t.storage.of, t.Ints()) {
			ranks = append(ranks, uint64(v)^sign)
		}
	}
	if descending {
		for i := range ranks {
			ranks[i] = ^ranks[i]
		}
	}
	return ranks
}

// sortKey is an element of a row, with its place there.
type sortKey struct {
	rank uint64
	at   int64
}

// sortKeys orders a row whose places ascend by rank, and by place where ranks are equal, with spare for room.
func sortKeys(c *Context, row, spare []sortKey) {
	if len(row) < 256 {
		slices.SortFunc(row, func(x, y sortKey) int {
			return cmp.Or(cmp.Compare(x.rank, y.rank), cmp.Compare(x.at, y.at))
		})
		return
	}
	// By radix, the lowest byte first; bytes that are the same everywhere need no pass.
	var counts [8][256]int
	for _, e := range polled(c, row) {
		for b := range counts {
			counts[b][byte(e.rank>>(8*b))]++
		}
	}
	from, to := row, spare
	for b := range counts {
		if count := &counts[b]; count[byte(row[0].rank>>(8*b))] < len(row) {
			next := 0
			for i, n := range count {
				count[i], next = next, next+n
			}
			for _, e := range polled(c, from) {
				i := byte(e.rank >> (8 * b))
				to[count[i]] = e
				count[i]++
			}
			from, to = to, from
		}
	}
	copy(row, from)
}

func bincount(c *Context, a args) *Tensor {
	t, size := a.tensor(0), a.int(2)
	if t.isFloat() {
		needInteger(word(t.storage.cuda, "bincount_cuda", "bincount_cpu"), t)
	}
	if len(t.shape) != 1 {
		runtimeError("bincount only supports 1-d non-negative integral inputs.")
	}
	values := t.Ints()
	for _, v := range polled(c, values) {
		if v < 0 {
			runtimeError("bincount only supports 1-d non-negative integral inputs.")
		}
		size = int(max(int64(size), min(v, 1<<40)+1)) // alloc refuses what is too large, after this cannot overflow
	}
	if w := a.tensor(1); w != nil {
		if !slices.Equal(w.shape, t.shape) {
			runtimeError("weights should be 1-d and have the same length as input")
		}
		if w.dtype != num.Float32 { // torch has a kernel for floats, and one for doubles
			w = toDType(c, w, num.Float64)
		}
		return scatter(c, c.alloc(w.dtype, size), 0, t, w, true)
	}
	out := c.alloc(num.Int64, size)
	return scatter(c, out, 0, t, full(c, []int{len(values)}, int64(1), num.Int64), true)
}
