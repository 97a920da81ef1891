package propose

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/usage"
)

// Sizes are small, so that a launch takes no time and its tensors can be looked at, and differ from each
// other, so that a mistaken axis shows. Where lanes past the end are masked off, sizes are no multiples
// of the block, so that the mask matters.
var (
	vectorSizes = sizeRule{block: 128, masked: []int{1000, 600, 300}, whole: []int{1024, 512, 256}}
	tileSizes   = sizeRule{block: 16, masked: []int{40, 24, 56, 10}, whole: []int{48, 32, 64, 16}}
)

// dotBlock is the least that tl.dot takes along each axis.
const dotBlock = 16

// rowLength is a row that one block covers, and rowBlock that block; defaultCount is for the rest.
const (
	rowLength    = 50
	rowBlock     = 64
	defaultCount = 24
)

// sizeRule gives the block, and sizes for the parameters that are stepped along by it, in their order.
type sizeRule struct {
	block         int
	masked, whole []int
}

// chooseRule is for vectors, or for tiles where the kernel steps along several sizes or multiplies.
func (p *proposal) chooseRule() sizeRule {
	names := map[string]bool{}
	for _, s := range p.sizes {
		if s.block != "" {
			names[s.name] = true
		}
	}
	if p.dot || len(names) > 1 {
		return tileSizes
	}
	return vectorSizes
}

// sizeValue is the value of an integer parameter.
func (p *proposal) sizeValue(name string) int {
	rule := p.chooseRule()
	place, stepped, whole, masked := 0, false, false, true
	var seen []string
	for _, s := range p.sizes {
		if s.name == name {
			stepped, whole = stepped || s.steps && s.block != "", whole || !s.steps
			masked = masked && s.masked
		}
		if !slices.Contains(seen, s.name) && s.steps && s.block != "" {
			seen = append(seen, s.name)
		}
	}
	place = max(0, slices.Index(seen, name))
	switch {
	case whole && masked:
		return min(rowLength, p.numberOf(name, rowLength))
	case whole:
		return rowBlock
	case !stepped:
		return defaultCount
	case p.dot || !masked:
		return rule.whole[place%len(rule.whole)]
	}
	return rule.masked[place%len(rule.masked)]
}

// numberOf keeps a whole row within a block whose length the kernel states as a number.
func (p *proposal) numberOf(name string, otherwise int) int {
	for _, s := range p.sizes {
		if n, err := strconv.Atoi(s.block); err == nil && s.name == name {
			otherwise = min(otherwise, n)
		}
	}
	return otherwise
}

// constexprValue is the value of a constexpr parameter: its default, a block size, a size, or a guess by its name.
func (p *proposal) constexprValue(param *syntax.Param) string {
	if param.Default != nil {
		return syntax.String(param.Default)
	}
	name := strings.ToLower(param.Name)
	isBlock, steps := p.asBlock(param.Name)
	isSize := slices.ContainsFunc(p.sizes, func(s size) bool { return s.name == param.Name })
	switch {
	case isBlock && p.dot:
		return strconv.Itoa(dotBlock)
	case isBlock && steps:
		return strconv.Itoa(p.chooseRule().block)
	case isBlock:
		return strconv.Itoa(rowBlock)
	case isSize:
		return strconv.Itoa(p.sizeValue(param.Name))
	case hasAny(name, "prec"):
		return `"ieee"`
	case p.uses.Param(p.fn, param.Name).Kind&usage.Flag != 0 ||
		hasAny(name, "is_", "has_", "use_", "causal", "even", "allow", "flag"):
		return "False"
	case hasAny(name, "group", "stages", "warps"):
		return "2"
	case hasAny(name, "block"):
		return strconv.Itoa(p.chooseRule().block)
	}
	return "16"
}

// asBlock reports whether a constexpr is the length of a block, and whether anything steps along it.
func (p *proposal) asBlock(name string) (block, steps bool) {
	for _, i := range p.allIndices() {
		if i.block == name {
			block, steps = true, steps || !i.lanes
		}
	}
	return block, steps
}

func hasAny(name string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
}
