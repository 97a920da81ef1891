package puzzles

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// OtherCase is a case at sizes that no test has.
type OtherCase struct {
	Case
	Test int // the number of the test that it takes everything but the free sizes from
}

// Limits of other cases, which are tried all at once.
const (
	maxOtherSize  = 1 << 12
	maxOtherBlock = 1 << 10
	maxOtherShare = 2 // elements, as a multiple of the largest test's
	maxOtherCases = 64
	maxConstants  = 4
)

// smallSizes are those that are tried whatever the blocks are: 1, and primes, which no block divides.
var smallSizes = []int{1, 2, 3, 5, 7}

var otherName = Phrase{En: "other sizes", Zh: "其他尺寸"}

// Test returns the case with a number, and whether there is one: 0 is Classic, i+1 is Strict[i].
func (p *Puzzle) Test(number int) (Case, bool) {
	switch {
	case number == 0:
		return p.Classic, true
	case 0 < number && number <= len(p.Strict):
		return p.Strict[number-1], true
	}
	return Case{}, false
}

// At is c with other values of some sizes and blocks. Instance refuses names that the puzzle lacks.
func (c Case) At(values map[string]int) Case {
	c.Sizes, c.Blocks = maps.Clone(c.Sizes), maps.Clone(c.Blocks)
	for name, v := range values {
		if _, ok := c.Blocks[name]; ok {
			c.Blocks[name] = v
		} else {
			c.Sizes[name] = v
		}
	}
	return c
}

// Value is what a size or block is in a case.
func (c Case) Value(name string) int {
	if v, ok := c.Blocks[name]; ok {
		return v
	}
	return c.Sizes[name]
}

// key is the same for cases of the same sizes and blocks.
func (c Case) key() string { return fmt.Sprint(c.Sizes, c.Blocks) }

// Describe writes a case's sizes and blocks in the kernel's order, as far as they vary or differ from the first test's:
// "N0 = 257, B0 = 128".
func Describe(p *Puzzle, c Case) string {
	var words []string
	varied := Varied(p)
	for _, name := range slices.Concat(p.Sizes, p.Blocks) {
		if v := c.Value(name); slices.Contains(varied, name) || v != p.Classic.Value(name) {
			words = append(words, fmt.Sprintf("%s = %d", name, v))
		}
	}
	return strings.Join(words, ", ")
}

// OtherCases are cases at sizes that the statement allows and no test has: small ones, and those near multiples of the
// blocks and near the largest of the constants, which are integers that an answer's source has. The smallest sum of
// sizes comes first.
func OtherCases(p *Puzzle, constants []int) []OtherCase {
	constants = slices.DeleteFunc(slices.Clone(constants), func(n int) bool { return n > maxOtherSize })
	slices.SortFunc(constants, func(a, b int) int { return b - a })
	constants = constants[:min(maxConstants, len(constants))]
	seen, largest := map[string]bool{}, 0
	for _, c := range p.tests() {
		seen[c.key()] = true
		largest = max(largest, p.elements(c))
	}
	var list []OtherCase
	for i, base := range p.bases() {
		sizes := p.together(base.Case)
		if i == 0 { // other blocks and fixed sizes are tried at fewer sizes
			sizes = append(p.oneByOne(base.Case, constants), sizes...)
		}
		for _, values := range sizes {
			o := Vary(p, base, values)
			elements := p.elements(o.Case)
			if elements > 0 && elements <= maxOtherShare*largest && !seen[o.key()] {
				list = append(list, o)
			}
			seen[o.key()] = true
		}
	}
	list = list[:min(maxOtherCases, len(list))]
	slices.SortStableFunc(list, func(a, b OtherCase) int { return cmp.Compare(a.sum(), b.sum()) })
	return list
}

// Vary gives sizes of a case other values, and those that must be equal to them the same.
func Vary(p *Puzzle, c OtherCase, values map[string]int) OtherCase {
	values = maps.Clone(values)
	for name, r := range p.Free {
		if v, ok := values[r.Equals]; ok {
			values[name] = v
		}
	}
	c.Case = c.At(values)
	return c
}

// Varied are the free sizes and blocks that follow from no others, in the kernel's order.
func Varied(p *Puzzle) []string {
	var names []string
	for _, name := range slices.Concat(p.Sizes, p.Blocks) {
		if r, ok := p.Free[name]; ok && r.Equals == "" {
			names = append(names, name)
		}
	}
	return names
}

// Small are the cases that the statement allows whose varied sizes add up to largest at most, the smallest sum first.
// What does not vary is that of c.
func Small(p *Puzzle, c OtherCase, largest int) iter.Seq[OtherCase] {
	names := Varied(p)
	return func(yield func(OtherCase) bool) {
		values := map[string]int{}
		var split func(i, sum int) bool
		split = func(i, sum int) bool {
			if i == len(names) {
				return sum > 0 || yield(Vary(p, c, values))
			}
			for _, v := range Smaller(p, names[i], sum+1) {
				values[names[i]] = v
				if !split(i+1, sum-v) {
					return false
				}
			}
			return true
		}
		for sum := 1; sum <= largest; sum++ {
			if !split(0, sum) {
				return
			}
		}
	}
}

// Smaller are the values that a size or block may have below v, in order.
func Smaller(p *Puzzle, name string, v int) []int {
	var list []int
	step := max(1, p.Free[name].Step)
	if most := p.Free[name].Max; most > 0 {
		v = min(v, most+1)
	}
	if slices.Contains(p.Blocks, name) {
		for b := 1; b < v; b *= 2 {
			list = append(list, b)
		}
		return list
	}
	for n := step; n < v; n += step {
		list = append(list, n)
	}
	return list
}

func (c OtherCase) sum() int {
	sum := 0
	for _, v := range c.Sizes {
		sum += v
	}
	return sum
}

// tests are the puzzle's cases; those of the strict check, whose values have both signs, come first.
func (p *Puzzle) tests() []Case { return append(slices.Clone(p.Strict), p.Classic) }

// bases are the tests that differ in more than free sizes.
func (p *Puzzle) bases() []OtherCase {
	var list []OtherCase
	seen := map[string]bool{}
	for i, c := range p.tests() {
		c.Name = otherName
		fixed := c.At(nil)
		for name := range p.Free {
			delete(fixed.Sizes, name)
			delete(fixed.Blocks, name)
		}
		if !seen[fixed.key()] {
			list = append(list, OtherCase{c, (i + 1) % (1 + len(p.Strict))})
		}
		seen[fixed.key()] = true
	}
	return list
}

// elements is how many elements a case's tensors have together, 0 where the puzzle has no such case.
func (p *Puzzle) elements(c Case) int {
	in, err := p.Instance(c)
	if err != nil {
		return 0
	}
	n := in.Output.Len()
	for _, a := range in.Inputs {
		n += a.Len()
	}
	return n
}

// oneByOne gives each varied size all of its values in turn, while the others are small and no two of them alike.
func (p *Puzzle) oneByOne(base Case, constants []int) []map[string]int {
	few := map[string]int{}
	for i, name := range Varied(p) {
		if values := p.valuesOf(name, base, nil); len(values) > 0 {
			few[name] = values[min(1+i, len(values)-1)]
		}
	}
	var list []map[string]int
	for _, name := range Varied(p) {
		for _, v := range p.valuesOf(name, base, constants) {
			sizes := maps.Clone(few)
			sizes[name] = v
			list = append(list, sizes)
		}
	}
	return list
}

// together gives all varied sizes a value at once, so that no two are alike.
func (p *Puzzle) together(base Case) []map[string]int {
	var list []map[string]int
	for i, name := range Varied(p) {
		values := p.valuesOf(name, base, nil)
		for k := range values {
			if k == len(list) {
				list = append(list, map[string]int{})
			}
			list[k][name] = values[(k+i)%len(values)]
		}
	}
	return list
}

// valuesOf are the values that a size or block is tried at, in order.
func (p *Puzzle) valuesOf(name string, base Case, constants []int) []int {
	r := p.Free[name]
	step := max(1, r.Step)
	var list []int
	if slices.Contains(p.Blocks, name) {
		list = Smaller(p, name, maxOtherBlock+1)
	} else {
		for _, n := range smallSizes {
			list = append(list, n*step)
		}
		for _, block := range base.Blocks {
			list = append(list, block-1, block, block+1, 2*block-1, 2*block, 2*block+1)
			for _, n := range constants {
				list = append(list, n*block+1)
			}
		}
		for _, n := range constants {
			list = append(list, n, n+1)
		}
	}
	largest := maxOtherSize
	if r.Max > 0 {
		largest = min(largest, r.Max)
	}
	list = slices.DeleteFunc(list, func(v int) bool { return v < 1 || v > largest || v%step != 0 })
	slices.Sort(list)
	return slices.Compact(list)
}
