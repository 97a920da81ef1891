package puzzles

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// Limits of one launch, so that a puzzle from outside stays a puzzle.
const (
	MaxElements = 1 << 22 // of one tensor
	MaxPrograms = 1 << 16 // of one grid
)

// Instance is a case made concrete: the tensors' shapes, the integer arguments and the grid.
type Instance struct {
	Inputs []Array
	Output Array
	Args   []Arg  // sizes, then blocks, in the kernel's order
	Grid   [3]int // programs along each axis
}

// Array is a tensor of known shape, laid out row-major.
type Array struct {
	Name  string
	DType num.DType
	Shape []int
}

// Len returns the number of elements.
func (a Array) Len() int {
	n := 1
	for _, d := range a.Shape {
		n *= d
	}
	return n
}

// Arg is an integer that is passed by keyword.
type Arg struct {
	Name     string
	Value    int
	Block    bool // a constexpr block size
	Optional bool // passed only to a kernel that has such a parameter
}

// Instance makes c concrete. It fails where a size is missing, a shape is not whole, or a limit is
// passed; a loaded puzzle's own cases never fail.
func (p *Puzzle) Instance(c Case) (Instance, error) {
	var in Instance
	args, err := p.args(c)
	if err != nil {
		return in, err
	}
	in.Args = args
	for _, t := range p.Inputs {
		a, err := t.array(c.Sizes)
		if err != nil {
			return in, err
		}
		in.Inputs = append(in.Inputs, a)
	}
	if in.Output, err = p.Output.array(c.Sizes); err != nil {
		return in, err
	}
	in.Grid, err = grid(c)
	return in, err
}

func (p *Puzzle) args(c Case) ([]Arg, error) {
	var args []Arg
	for _, name := range p.Sizes {
		v, ok := c.Sizes[name]
		if !ok || v < 1 || v > MaxSize {
			return nil, fmt.Errorf("size %s is missing or not between 1 and %d", name, MaxSize)
		}
		args = append(args, Arg{Name: name, Value: v})
	}
	for _, name := range p.Blocks {
		v, ok := c.Blocks[name]
		if !ok || v < 1 || v > MaxSize || v&(v-1) != 0 {
			return nil, fmt.Errorf("block %s is missing or not a power of two up to %d", name, MaxSize)
		}
		args = append(args, Arg{name, v, true, slices.Contains(p.Optional, name)})
	}
	if len(c.Sizes) != len(p.Sizes) || len(c.Blocks) != len(p.Blocks) {
		return nil, fmt.Errorf("a case gives the sizes %v and the blocks %v, and no others", p.Sizes, p.Blocks)
	}
	return args, nil
}

func (t Tensor) array(sizes map[string]int) (Array, error) {
	a := Array{Name: t.Name, DType: t.DType.DType}
	n := 1
	for _, e := range t.Shape {
		d, err := Eval(e, sizes)
		if err != nil {
			return a, fmt.Errorf("shape of %s: %w", t.Name, err)
		}
		// Both factors are at most 2^22, so the product cannot wrap.
		if n *= d; n > MaxElements {
			return a, fmt.Errorf("%s has more than %d elements", t.Name, MaxElements)
		}
		a.Shape = append(a.Shape, d)
	}
	return a, nil
}

// grid is (cdiv(N0, B0), cdiv(N1, B1), cdiv(N2, B2)); an axis whose N or B is missing has 1 program.
func grid(c Case) ([3]int, error) {
	g := [3]int{1, 1, 1}
	programs := 1
	for axis, names := range [3][2]string{{"N0", "B0"}, {"N1", "B1"}, {"N2", "B2"}} {
		n, b := c.Sizes[names[0]], c.Blocks[names[1]]
		if n > 0 && b > 0 {
			g[axis] = (n + b - 1) / b
		}
		if programs *= g[axis]; programs > MaxPrograms {
			return g, fmt.Errorf("the grid has more than %d programs", MaxPrograms)
		}
	}
	return g, nil
}
