package author

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/puzzles"
)

// describe says the call as a puzzle does: tensors by shape, integers as sizes and blocks, the rest
// as constants.
func (m *maker) describe() *diag.Text {
	p := &puzzles.Puzzle{
		Number: m.Number, Kernel: m.Kernel, Spec: m.freeName("reference"), Named: true,
		Title: puzzles.Phrase{En: m.Kernel, Zh: m.Kernel}, Constants: map[string]puzzles.Constant{},
	}
	m.puzzle, m.derived = p, map[string]string{}
	for _, a := range m.Args {
		if a.Tensor == nil {
			continue
		}
		t := puzzles.Tensor{
			Name: a.Name, DType: puzzles.DType{DType: a.Tensor.DType}, Fill: fillOf(a),
			Shape: m.named(expressionsOf(a.Text, a.Shape)),
		}
		switch {
		case !puzzles.CanHold(a.Tensor.DType):
			return &diag.Text{Key: "author.dtype", Args: []any{a.Name, a.Tensor.DType.Info().Attr}}
		case a.Name == m.output:
			t.Fill = m.start(a)
			p.Output = t
		default:
			p.Inputs = append(p.Inputs, t)
		}
	}
	p.Tolerance = tolerances(p.Output.DType.DType)
	p.Grid = expressionsOf(m.Grid, trimmed(m.Sizes))
	return m.sortIntegers()
}

// fillOf is how an input begins; "" is how puzzles draw floats.
func fillOf(a Arg) string {
	if a.Fill == "rand" && a.Tensor.DType.Info().Float {
		return ""
	}
	return a.Fill
}

// start is how the output begins: as in the call where the kernel reads it or leaves some of it alone,
// else as tests like it.
func (m *maker) start(a Arg) string {
	if m.seen.readShare(a.Name) == 0 && m.seen.writtenShare(a.Name) == 1 {
		return ""
	}
	return a.Fill
}

// named puts the name of a size in the place of a number that only this size has.
func (m *maker) named(shape []string) []string {
	for i, e := range shape {
		var same []string
		for _, a := range m.Args {
			v, isInt := a.Value.(int64)
			if isInt && !a.Constexpr && isLiteral(a.Text) && strconv.FormatInt(v, 10) == e {
				same = append(same, a.Name)
			}
		}
		if len(same) == 1 && e != "1" {
			shape[i] = same[0]
		}
	}
	return shape
}

// sortIntegers finds the sizes, which shapes or the grid are made of or which follow from such, the
// blocks, which are powers of two known while compiling, and the constants, which are all else.
func (m *maker) sortIntegers() *diag.Text {
	p := m.puzzle
	used := map[string]bool{}
	for _, e := range slices.Concat(p.Grid, p.Output.Shape) {
		mark(used, e)
	}
	for _, t := range p.Inputs {
		mark(used, strings.Join(t.Shape, " "))
	}
	for _, a := range m.Args {
		v, isInt := a.Value.(int64)
		small := isInt && v >= 1 && v <= puzzles.MaxSize
		follows := expressionsOf(a.Text, []int{int(v)})[0]
		switch {
		case a.Tensor != nil:
		case small && v&(v-1) == 0 && m.isConstexpr(a):
			p.Blocks = append(p.Blocks, a.Name)
		case small && used[a.Name] && isLiteral(a.Text):
			p.Sizes = append(p.Sizes, a.Name)
		case small && len(namesIn(follows)) > 0:
			p.Sizes = append(p.Sizes, a.Name)
			m.derived[a.Name] = follows
		default:
			if !isConstant(a.Value) {
				return &diag.Text{Key: "author.constant", Args: []any{a.Name}}
			}
			p.Constants[a.Name] = puzzles.Constant{Value: a.Value}
		}
	}
	return m.settle()
}

// settle replaces what expressions cannot know: names that are neither sizes nor blocks.
func (m *maker) settle() *diag.Text {
	p := m.puzzle
	known := slices.Concat(p.Sizes, p.Blocks)
	plain := func(list []string, values []int) {
		for i, e := range list {
			if slices.ContainsFunc(namesIn(e), func(name string) bool { return !slices.Contains(known, name) }) {
				list[i] = strconv.Itoa(values[i])
			}
		}
	}
	plain(p.Grid, trimmed(m.Sizes))
	for _, a := range m.Args {
		if a.Tensor != nil {
			plain(m.tensor(a.Name).Shape, a.Shape)
		}
	}
	for name, e := range m.derived {
		if slices.ContainsFunc(namesIn(e), func(n string) bool { return !slices.Contains(known, n) || n == name }) {
			delete(m.derived, name)
		}
	}
	return nil
}

func (m *maker) tensor(name string) *puzzles.Tensor {
	if m.puzzle.Output.Name == name {
		return &m.puzzle.Output
	}
	i := slices.IndexFunc(m.puzzle.Inputs, func(t puzzles.Tensor) bool { return t.Name == name })
	return &m.puzzle.Inputs[i]
}

// isConstexpr reports whether an argument is known while compiling: it is no parameter of the IR.
func (m *maker) isConstexpr(a Arg) bool {
	for _, p := range m.kernel.Func.Params {
		if p.Name == a.Name {
			return a.Constexpr
		}
	}
	return true
}

func isConstant(v any) bool {
	switch v.(type) {
	case nil, bool, int64, float64, string:
		return true
	}
	return false
}

// freeName is a name that the source does not use.
func (m *maker) freeName(name string) string {
	for slices.Contains(puzzles.Words(m.Source), name) {
		name += "_"
	}
	return name
}

func mark(used map[string]bool, expression string) {
	for _, name := range namesIn(expression) {
		used[name] = true
	}
}

// trimmed is a grid without the axes of one program at its end.
func trimmed(grid [3]int) []int {
	n := 3
	for n > 1 && grid[n-1] == 1 {
		n--
	}
	return grid[:n]
}

// names writes names for people.
func names(list []string) string { return "`" + strings.Join(list, "`, `") + "`" }
