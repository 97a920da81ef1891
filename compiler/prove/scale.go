package prove

import (
	"github.com/newtlab/newt/compiler/ir"
)

// Scaling says what a launch is like at other sizes: the other arguments, the tensors' elements and the grid follow
// from the sizes as they do in this launch.
type Scaling struct {
	Sizes []int // parameters, in their order

	follows map[int][]int // of other parameters: the sizes whose product they are, as indices into Sizes
	grid    [3]blocks
}

// blocks is an axis of the grid: size number size in blocks of block, or a number of programs where block is 0.
type blocks struct{ size, block, programs int }

// ScalingOf finds the sizes of a launch: the arguments that conditions are about. Another number that is no product of
// them may be a stride over an extent that is no argument. Which values callers give it is not known, so it stays as it
// is.
func ScalingOf(fn *ir.Func, l Launch) *Scaling {
	a := newAnalysis(fn, l, sizeModel, nil)
	out := &Scaling{follows: map[int][]int{}}
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
	used := map[int]bool{}
	for k, n := range l.Grid {
		out.grid[k] = blocks{programs: n}
		if _, known := a.Grid[k].Value(); known {
			continue
		}
		for s, i := range out.Sizes {
			if block := blockOf(number(i), n); block > 0 && !used[s] && out.grid[k].block == 0 {
				out.grid[k], used[s] = blocks{size: s, block: block}, true
			}
		}
	}
	return out
}

// blockOf is the least power of two that divides a size into n blocks, rounded up; 0 where there is none.
func blockOf(size int64, n int) int {
	for b := int64(1); b <= 1<<20; b *= 2 {
		if (size+b-1)/b == int64(n) {
			return int(b)
		}
	}
	return 0
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
		if grid[k] = b.programs; b.block > 0 {
			grid[k] = (int(sizes[b.size]) + b.block - 1) / b.block
		}
	}
	return grid
}
