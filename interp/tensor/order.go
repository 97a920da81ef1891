package tensor

import (
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// orderOps sort.
var orderOps = []Op{
	{
		Name: "sort", grad: gradNamed("SortBackward0"), Where: everywhere, Signature: "input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool = False",
		run: func(c *Context, a args) any {
			return sortAlong(c, a.tensor(0), "sort", a.int(1), a.bool(2), -1)
		},
	},
	{
		Name: "argsort", Where: everywhere, Signature: "input: Tensor, dim: int = -1, descending: bool = False",
		run: func(c *Context, a args) any {
			return sortAlong(c, a.tensor(0), "sort", a.int(1), a.bool(2), -1).Values[1]
		},
	},
	{
		Name: "topk", grad: gradNamed("TopkBackward0"), Where: everywhere, Signature: "input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True",
		run: func(c *Context, a args) any {
			return sortAlong(c, a.tensor(0), "topk", a.int(2), a.bool(3), a.int(1))
		},
	},
	{
		Name: "bincount", Where: everywhere, Signature: "input: Tensor, weights: Tensor? = None, minlength: int = 0",
		run: func(c *Context, a args) any { return bincount(c, a) },
	},
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
	// Integers are compared as such: two of 64 bits may be equal as float64.
	values := runsOf(t, []int{d}).order.Floats()
	exact := []int64(nil)
	if !t.isFloat() {
		exact = runsOf(t, []int{d}).order.Ints()
	}
	var places []int64
	order := make([]int, n)
	for start := 0; n > 0 && start < len(values); start += n {
		for i := range order {
			order[i] = start + i
		}
		slices.SortStableFunc(order, func(i, j int) int {
			sign := 1
			if descending {
				sign = -1
			}
			if exact != nil {
				return sign * (int(truth(exact[i] > exact[j])) - int(truth(exact[i] < exact[j])))
			}
			return sign * compareNaNLast(values[i], values[j])
		})
		for _, i := range order[:count] {
			places = append(places, int64(i-start))
		}
	}
	runsOf(where, []int{d}).order.setInts(places)
	// Gathering the values records their gradient.
	return Named{name, []string{"values", "indices"}, []*Tensor{gatherAlong(c, t, d, where), where}}
}

func compareNaNLast(x, y float64) int {
	switch {
	case x < y || x == x && y != y:
		return -1
	case x > y || x != x && y == y:
		return 1
	}
	return 0
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
	for _, v := range values {
		if v < 0 {
			runtimeError("bincount only supports 1-d non-negative integral inputs.")
		}
		size = int(max(int64(size), min(v, 1<<40)+1)) // alloc refuses what is too large, after this cannot overflow
	}
	if w := a.tensor(1); w != nil {
		if !slices.Equal(w.shape, t.shape) {
			runtimeError("weights should be 1-d and have the same length as input")
		}
		out := c.alloc(num.Float64, size)
		return scatter(c, out, 0, t, toDType(c, w, num.Float64), true)
	}
	out := c.alloc(num.Int64, size)
	return scatter(c, out, 0, t, full(c, []int{len(values)}, int64(1), num.Int64), true)
}
