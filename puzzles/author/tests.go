package author

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// maxTests is how many tests after the first a puzzle begins with.
const maxTests = 6

// test is a test in the making.
type test struct {
	name   puzzles.Phrase
	change map[string]int // sizes and blocks that differ from the call's
	shift  float64
}

// chooseTests makes the call itself the first test, and adds those of candidates that the kernel is
// made for: it passes them, and reads all that it reads in the call, so that a kernel for whole blocks
// alone, or for rows no longer than a block, is not held to others.
func (m *maker) chooseTests(ctx context.Context) {
	m.puzzle.SpecSource = m.spec()
	m.puzzle.Classic, _ = m.caseOf(test{name: puzzles.Phrase{En: "the author's own call", Zh: "作者自己的调用"}}, m.Seed)
	// Wide while candidates are tried; then as wide as the kernel itself needs.
	m.puzzle.Tolerance.TF32 = &puzzles.Tolerance{RTol: 1e-2, ATol: 0.9}
	rounding := 0.0
	for _, t := range m.candidates() {
		c, ok := m.caseOf(t, m.Seed+1+int64(len(m.puzzle.Strict)))
		if !ok || len(m.puzzle.Strict) == maxTests {
			continue
		}
		v, fits := m.fits(ctx, c)
		if fits {
			m.puzzle.Strict = append(m.puzzle.Strict, c)
			rounding = max(rounding, v.MaxError)
		}
	}
	if len(m.puzzle.Strict) == 0 { // the kernel passes nothing else; what is wrong is said of the puzzle
		c, _ := m.caseOf(test{name: otherValues}, m.Seed+1)
		m.puzzle.Strict = []puzzles.Case{c}
	}
	m.puzzle.Free = m.free(ctx)
	m.puzzle.Tolerance.TF32 = nil
	if strict := m.puzzle.Tolerance.Strict; rounding > strict.ATol {
		m.puzzle.Tolerance.TF32 = &puzzles.Tolerance{RTol: 1e-2, ATol: min(0.9, roundUp(2*rounding))}
	}
}

// free are the sizes that can be any up to the call's own, as far as one odd and one small value of each tell.
func (m *maker) free(ctx context.Context) map[string]puzzles.Range {
	free := map[string]puzzles.Range{}
	for i, name := range m.independent() {
		v := m.value(name)
		fits := v > 1
		for _, value := range []int{max(1, v-1-v%2), min(v, small[i%len(small)])} {
			c, ok := m.caseOf(test{name: otherValues, change: map[string]int{name: value}}, m.Seed)
			if fits = fits && ok; fits {
				_, fits = m.fits(ctx, c)
			}
		}
		if fits {
			free[name] = puzzles.Range{Max: v}
		}
	}
	// A range can say that a size equals another, and not how else it would follow.
	for _, e := range m.derived {
		for _, name := range namesIn(e) {
			if e != name {
				delete(free, name)
			}
		}
	}
	for name, e := range m.derived {
		if _, ok := free[e]; ok {
			free[name] = puzzles.Range{Equals: e}
		}
	}
	return free
}

// fits tries a candidate and reports whether the kernel is made for it.
func (m *maker) fits(ctx context.Context, c puzzles.Case) (*judge.Case, bool) {
	p := *m.puzzle
	p.Strict = []puzzles.Case{c}
	var covered coverage
	v := judge.New(&p).Check(ctx, m.file, judge.Options{Budget: m.Budget, Observer: &covered})
	if !v.Strict.Pass() {
		return nil, false
	}
	for _, in := range p.Inputs {
		if m.seen.readShare(in.Name) == 1 && covered.readShare(in.Name) < 1 {
			return nil, false
		}
	}
	tried := &v.Strict.Cases[0]
	if v.Classic.Ran() && finite(v.Classic.Cases[0].Expected) && !finite(tried.Expected) {
		return nil, false
	}
	return tried, true
}

func finite(a judge.Array) bool {
	return !slices.ContainsFunc(a.Floats(), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}

var otherValues = puzzles.Phrase{En: "other values", Zh: "其他数值"}

// small are sizes that are smaller than most blocks, each another one.
var small = []int{7, 5, 3, 2}

// candidates are tests that other puzzles have: other values, and sizes that are odd, small, or exactly
// a block. No size is larger than the call's, because a kernel may have bounds that nothing in it says.
func (m *maker) candidates() []test {
	odd, few, exact, large := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	var each []test
	for i, name := range m.independent() {
		v := m.value(name)
		odd[name], few[name] = max(1, v-1-v%2), min(v, small[i%len(small)])
		phrase := puzzles.Phrase{En: "an odd " + name, Zh: name + " 为奇数"}
		each = append(each, test{phrase, map[string]int{name: odd[name]}, -0.5})
		if block := m.blockOf(name); block != "" && m.value(block) < v {
			exact[name] = m.value(block)
		}
	}
	for _, name := range m.puzzle.Blocks {
		large[name] = 2 * m.value(name)
	}
	sizes := []test{
		{puzzles.Phrase{En: "odd sizes", Zh: "奇数尺寸"}, odd, -0.5},
		{puzzles.Phrase{En: "small sizes", Zh: "很小的尺寸"}, few, -0.5},
		{puzzles.Phrase{En: "exactly one block", Zh: "刚好一个块"}, exact, -0.5},
		{puzzles.Phrase{En: "larger blocks", Zh: "更大的块"}, large, -0.5},
	}
	seen := []map[string]int{{}}
	again := func(t test) bool {
		same := slices.ContainsFunc(seen, func(c map[string]int) bool { return maps.Equal(c, t.change) })
		seen = append(seen, t.change)
		return same
	}
	list := slices.DeleteFunc(append(sizes, each...), again)
	if slices.ContainsFunc(m.puzzle.Inputs, shifts) {
		list = slices.Insert(list, 0, test{puzzles.Phrase{En: "values of both signs", Zh: "有正有负的数值"}, nil, -0.5})
	}
	return append(list, test{name: otherValues})
}

// shifts reports whether a case's scale and shift change a tensor's values.
func shifts(t puzzles.Tensor) bool {
	return t.DType.Info().Float && (t.Fill == "" || t.Fill == "rand" || t.Fill == "randn")
}

// independent are the sizes that follow from no others.
func (m *maker) independent() []string {
	return slices.DeleteFunc(slices.Clone(m.puzzle.Sizes), func(name string) bool { return m.derived[name] != "" })
}

// value is what a size or block is in the call.
func (m *maker) value(name string) int {
	i := slices.IndexFunc(m.Args, func(a Arg) bool { return a.Name == name })
	v, _ := m.Args[i].Value.(int64)
	return int(v)
}

// blockOf is the block in whose steps the grid walks along a size, "" where there is none.
func (m *maker) blockOf(size string) string {
	for _, block := range m.puzzle.Blocks {
		steps := "cdiv(" + size + ", " + block + ")"
		if slices.ContainsFunc(m.puzzle.Grid, func(axis string) bool { return strings.Contains(axis, steps) }) {
			return block
		}
	}
	return ""
}

// caseOf makes a test a case; it is not ok where sizes do not follow, or a limit is passed.
func (m *maker) caseOf(t test, seed int64) (puzzles.Case, bool) {
	values := map[string]int{}
	for _, name := range slices.Concat(m.independent(), m.puzzle.Blocks) {
		values[name] = m.value(name)
	}
	maps.Copy(values, t.change)
	for range m.derived { // one may follow from another
		for name, e := range m.derived {
			if v, err := puzzles.Eval(e, values); err == nil {
				values[name] = v
			}
		}
	}
	c := puzzles.Case{Name: t.name, Seed: seed, Shift: t.shift, Sizes: map[string]int{}, Blocks: map[string]int{}}
	for _, name := range m.puzzle.Sizes {
		c.Sizes[name] = values[name]
	}
	for _, name := range m.puzzle.Blocks {
		c.Blocks[name] = values[name]
	}
	_, err := m.puzzle.Instance(c)
	return c, err == nil
}

// roundUp keeps one digit.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	return math.Ceil(v/unit) * unit
}
