package puzzles

import (
	"fmt"
	"maps"
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
	Args   []Scalar // sizes, blocks, constants
	Grid   [3]int   // programs along each axis
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

// Scalar is an argument that is passed by keyword.
type Scalar struct {
	Name     string
	Value    any  // an int64, or what a Constant can be
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
	values := maps.Clone(c.Sizes)
	maps.Copy(values, c.Blocks)
	for _, t := range p.Inputs {
		a, err := t.array(values)
		if err != nil {
			return in, err
		}
		in.Inputs = append(in.Inputs, a)
	}
	if in.Output, err = p.Output.array(values); err != nil {
		return in, err
	}
	in.Grid, err = grid(p.Grid, values)
	return in, err
}

func (p *Puzzle) args(c Case) ([]Scalar, error) {
	if err := known(c.Sizes, p.Sizes); err != nil {
		return nil, at(err, "sizes")
	}
	if err := known(c.Blocks, p.Blocks); err != nil {
		return nil, at(err, "blocks")
	}
	var args []Scalar
	for _, name := range p.Sizes {
		v, err := inRange(c.Sizes, name, MaxSize)
		if err != nil {
			return nil, at(err, "sizes", name)
		}
		args = append(args, Scalar{Name: name, Value: int64(v)})
	}
	for _, name := range p.Blocks {
		v, err := inRange(c.Blocks, name, MaxSize)
		if err == nil && v&(v-1) != 0 {
			err = wrong("puzzle-block", name, v)
		}
		if err != nil {
			return nil, at(err, "blocks", name)
		}
		args = append(args, Scalar{name, int64(v), true, slices.Contains(p.Optional, name)})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Constants)) {
		args = append(args, Scalar{Name: name, Value: p.Constants[name].Value})
	}
	return args, nil
}

// inRange is a value that a case must give.
func inRange(values map[string]int, name string, most int) (int, error) {
	v, ok := values[name]
	switch {
	case !ok:
		return 0, wrong("puzzle-size-missing", name)
	case v < 1 || v > most:
		return 0, wrong("puzzle-range", name, 1, most, v)
	}
	return v, nil
}

// known checks that a case gives nothing else than what there is.
func known(values map[string]int, names []string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			return at(noChoice(name, names), key(name))
		}
	}
	return nil
}

func (t Tensor) array(sizes map[string]int) (Array, error) {
	a := Array{Name: t.Name, DType: t.DType.DType}
	n := 1
	for _, e := range t.Shape {
		d, err := Eval(e, sizes)
		if err != nil {
			return a, err
		}
		// Both factors are at most 2^22, so the product cannot wrap.
		if n *= d; n > MaxElements {
			return a, wrong("puzzle-large", t.Name, because("puzzle.elements", MaxElements))
		}
		a.Shape = append(a.Shape, d)
	}
	return a, nil
}

// grid is the programs along each axis; an axis without an expression has one. Where there is no
// expression at all, an axis has cdiv(N, B) programs for its own N and B, if both are there.
func grid(axes []string, values map[string]int) ([3]int, error) {
	g := [3]int{1, 1, 1}
	if len(axes) == 0 {
		for i := range g {
			n, b := fmt.Sprint("N", i), fmt.Sprint("B", i)
			axes = append(axes, "1")
			if values[n] > 0 && values[b] > 0 {
				axes[i] = fmt.Sprintf("cdiv(%s, %s)", n, b)
			}
		}
	}
	programs := 1
	for i, e := range axes {
		n, err := Eval(e, values)
		if err != nil {
			return g, err
		}
		// Both factors are at most 2^20, so the product cannot wrap.
		if programs *= n; programs > MaxPrograms {
			return g, wrong("puzzle-large", "grid", because("puzzle.programs", MaxPrograms))
		}
		g[i] = n
	}
	return g, nil
}
