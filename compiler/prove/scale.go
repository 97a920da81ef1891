package prove

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Scaling says what a launch is like at other sizes: the other arguments, the tensors' elements and the grid follow
// from the sizes as they do in this launch.
type Scaling struct {
	Sizes []int // parameters, in their order

	*analysis               // for any size
	follows   map[int][]int // of other parameters: the sizes whose product they are, as indices into Sizes
	grid      [3]blocks
}

// blocks is an axis of the grid: sizes in blocks of so many, multiplied, or a number of programs where there are none.
type blocks struct {
	of       []block
	programs int
}

// block is size number size in blocks of length.
type block struct{ size, length int }

// ScalingOf finds the sizes of a launch: the arguments that conditions are about. Another number that is no product of
// them may be a stride over an extent that is no argument. Which values callers give it is not known, so it stays as it
// is.
func ScalingOf(fn *ir.Func, l Launch) *Scaling {
	a := newAnalysis(fn, l, sizeModel, nil)
	out := &Scaling{analysis: a, follows: map[int][]int{}}
	number := func(i int) int64 { return a.numbers[a.Args[i].Terms[0].Atom] }
	for _, compared := range []bool{true, false} {
		for i, x := range a.Args {
			if len(x.Terms) != 1 || a.compared[x.Terms[0].Atom] != compared {
				continue
			}
			if compared {
				out.Sizes = append(out.Sizes, i)
			} else {
				out.follows[i] = out.product(number(i), number)
			}
		}
	}
	for i, p := range fn.Params {
		if m := l.Args.Args[i]; p.Value.Type.Pointer {
			out.follows[i] = out.product(m.First+m.Count, number)
		}
	}
	lengths := a.lengthsOf(out.Sizes)
	var used []int
	for k, n := range l.Grid {
		out.grid[k] = blocks{programs: n}
		if _, known := a.Grid[k].Value(); known {
			continue
		}
		if out.grid[k].of = out.blocks(n, lengths, used, number); out.grid[k].of == nil {
			out.grid[k].of = out.tiles(n, lengths, used, number)
		}
		for _, b := range out.grid[k].of {
			used = append(used, b.size)
		}
	}
	return out
}

// lengthsOf are the lengths of each size's blocks: 1, and those of the ranges that conditions compare it with.
func (a *analysis) lengthsOf(sizes []int) (list [][]int) {
	for _, p := range sizes {
		size, lengths := a.Args[p].Terms[0].Atom, []int{1}
		for _, e := range a.effects {
			for _, g := range e.given {
				if a.Has(g, size) {
					lengths = append(lengths, a.rangesIn(g)...)
				}
			}
		}
		slices.Sort(lengths)
		list = append(list, slices.Compact(lengths))
	}
	return list
}

// rangesIn are the lengths of the ranges that a sum is made of.
func (a *analysis) rangesIn(x facts.Sum) (lengths []int) {
	for b := range a.In(x) {
		switch k := a.KeyOf(b); {
		case k.Kind == facts.Lane:
			lengths = append(lengths, int(k.Size))
		case k.Kind >= facts.Wrapped:
			for _, y := range a.OperandsOf(b) {
				lengths = append(lengths, a.rangesIn(y)...)
			}
		}
	}
	return lengths
}

// cover is a condition on sizes. What is compared with them reaches their ends where slack, the least that the
// condition can be, is not above 0. It is lost where that was not found.
type cover struct{ condition, slack facts.Sum }

// covers are the conditions of all accesses that are about sizes.
func (s *Scaling) covers() (list []cover) {
	for _, e := range s.effects {
		for i, g := range e.given {
			known := slices.ContainsFunc(list, func(c cover) bool { return c.condition.Equal(g) })
			if known || !slices.ContainsFunc(s.Sizes, func(p int) bool { return s.Has(g, s.atomOf(p)) }) {
				continue
			}
			top, _, _ := s.least(g.Negated(), slices.Delete(slices.Clone(e.given), i, i+1))
			if top.C >= math.MaxInt32 { // what is compared may be anything that an int32 holds
				top = facts.Unknown
			}
			list = append(list, cover{g, top.Negated()})
		}
	}
	return list
}

// atomOf is the symbol of a size.
func (s *Scaling) atomOf(param int) facts.Atom { return s.Args[param].Terms[0].Atom }

// inGrid reports whether the grid follows size number i.
func (s *Scaling) inGrid(i int) bool {
	return slices.ContainsFunc(s.grid[:], func(b blocks) bool {
		return slices.ContainsFunc(b.of, func(b block) bool { return b.size == i })
	})
}

// comparesProgram reports whether a condition is about a program's index along an axis: with more programs, others than
// those of this launch are left out.
func (s *Scaling) comparesProgram(axis int) bool {
	return slices.ContainsFunc(s.effects, func(e effect) bool {
		return slices.ContainsFunc(e.given, func(g facts.Sum) bool { return s.Mentions(g, s.program(axis)) })
	})
}

func (s *Scaling) program(axis int) facts.Atom {
	b, _ := s.Plain(facts.Key{Kind: facts.Program, N: int32(axis)}, facts.Everything)
	return b
}

// dividedBy reports whether a program's index along an axis is divided by what arguments decide: it numbers tiles.
func (s *Scaling) dividedBy(axis int, params []int) (found bool) {
	s.fn.Body.Walk(func(in *ir.Instr) {
		if in.Op != ops.Div && in.Op != ops.Rem || !s.Mentions(s.Values[in.Operands[0].ID].Sum, s.program(axis)) {
			return
		}
		by := s.Values[in.Operands[1].ID].Sum
		found = found || slices.ContainsFunc(params, func(p int) bool { return s.Mentions(by, s.atomOf(p)) })
	})
	return found
}

// following are the arguments that are one of some sizes, or follow one.
func (s *Scaling) following(size func(i int) bool) (params []int) {
	for i, p := range s.Sizes {
		if size(i) {
			params = append(params, p)
		}
	}
	for p, of := range s.follows {
		if slices.ContainsFunc(of, size) && s.fn.Params[p].Value.Type.IsInt() {
			params = append(params, p)
		}
	}
	return params
}

// blocks are those of one size, none of used, of which there are n, the longest of several; nil where there are none.
func (s *Scaling) blocks(n int, lengths [][]int, used []int, number func(int) int64) []block {
	for i := range s.Sizes {
		for _, length := range slices.Backward(lengths[i]) {
			if !slices.Contains(used, i) && s.count(block{i, length}, number) == int64(n) {
				return []block{{i, length}}
			}
		}
	}
	return nil
}

// tiles are the blocks of two sizes of which there are n together, as where one axis numbers the tiles of a matrix; nil
// where there are none, or several such. Of two sizes that are the same number, either may have either block.
func (s *Scaling) tiles(n int, lengths [][]int, used []int, number func(int) int64) (found []block) {
	var list []block
	for i := range s.Sizes {
		for _, length := range lengths[i] {
			if !slices.Contains(used, i) {
				list = append(list, block{i, length})
			}
		}
	}
	for i, x := range list {
		for _, y := range list[:i] {
			if x.size == y.size || s.count(x, number)*s.count(y, number) != int64(n) {
				continue
			}
			square := number(s.Sizes[x.size]) == number(s.Sizes[y.size])
			switch {
			case found == nil:
				found = []block{y, x}
			case !square || found[0] != (block{y.size, x.length}) || found[1] != (block{x.size, y.length}):
				return nil
			}
		}
	}
	return found
}

// count is how many blocks a size has, the last of which may reach beyond it.
func (s *Scaling) count(b block, number func(int) int64) int64 {
	return (number(s.Sizes[b.size]) + int64(b.length) - 1) / int64(b.length)
}

// maxFactors bounds the sizes that an argument or a tensor's elements are the product of.
const maxFactors = 3

// product finds sizes, each at most once, whose product is n; nil where there are none.
func (s *Scaling) product(n int64, number func(int) int64) []int {
	var find func(from int, n int64, used []int) []int
	find = func(from int, n int64, used []int) []int {
		if n == 1 && len(used) > 0 {
			return used
		}
		for i := from; i < len(s.Sizes) && len(used) < maxFactors; i++ {
			if v := number(s.Sizes[i]); v > 1 && n%v == 0 {
				if found := find(i+1, n/v, append(used[:len(used):len(used)], i)); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return find(0, n, nil)
}

// Number is the value of a scalar parameter, or the elements of a pointer's, at other sizes. It is not ok where that
// does not follow from them.
func (s *Scaling) Number(param int, sizes []int64) (n int64, ok bool) {
	for i, p := range s.Sizes {
		if p == param {
			return sizes[i], true
		}
	}
	n = 1
	for _, i := range s.follows[param] {
		n *= sizes[i]
	}
	return n, s.follows[param] != nil
}

// Grid is the grid at other sizes.
func (s *Scaling) Grid(sizes []int64) (grid [3]int) {
	for k, b := range s.grid {
		if grid[k] = b.programs; b.of != nil {
			grid[k] = 1
			for _, b := range b.of {
				grid[k] *= (int(sizes[b.size]) + b.length - 1) / b.length
			}
		}
	}
	return grid
}
