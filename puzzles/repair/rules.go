package repair

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// rule is a kind of mistake: the code of its sentence, and the changes that would mend it.
type rule struct {
	code    string
	propose func(*kernel) []change
	when    when
}

// when says where a rule applies besides one place of an answer that compiles.
type when uint8

const (
	together when = 1 << iota // in several places at once, where a person makes the same mistake again
	refused                   // in an answer that does not compile
)

// rules are ordered by what trying one is worth: few changes that are often right come first, and long lists last.
// Where changes of two rules mend an answer, the first counts, and it is the one that says more. They are no variable,
// which would be initialized in the page's first program, too, and that never searches.
func rules() []rule {
	return []rule{
		{"mistake-reset", resets, refused},
		{"mistake-rescale", rescaled, 0},
		{"mistake-carried", carried, 0},
		{"mistake-no-axes", withoutAxes, refused},
		{"mistake-dtype", each(dtype), together},
		{"mistake-any", each(anyCondition), together},
		{"mistake-no-mask", each(noMask), 0},
		{"mistake-partial-block", each(partialBlock), together},
		{"mistake-initial", each(initialZeros), 0},
		{"mistake-initial", each(initial), 0},
		{"mistake-function", each(function), together},
		{"mistake-replaced", replacedTotals, 0},
		{"", each(otherName("mistake-loop-end")), together},
		{"mistake-missing", each(packed), 0},
		{"mistake-product", each(product), 0},
		{"mistake-grid-axis", each(gridAxis), 0},
		{"mistake-grid-axis", each(gridName), 0},
		{"mistake-grid-axes", exchangedAxes, 0},
		{"mistake-program", each(noProgram), 0},
		{"mistake-comparison", each(comparison), 0},
		{"mistake-operands", each(operands), refused},
		{"mistake-inclusive", each(inclusive), together},
		{"", each(otherName("mistake-stride")), together},
		{"mistake-size", each(otherSize), 0},
		{"mistake-other", each(other), together},
		{"mistake-off-by-one", each(offByOne), 0},
		{"mistake-reduced-axis", each(reducedAxis), together | refused},
		{"mistake-expanded", each(expanded), together | refused},
		{"mistake-iteration", noIteration, 0},
		{"mistake-loop-step", stepless, 0},
		{"", each(otherName("mistake-size")), together},
		{"mistake-mask-index", each(maskIndex), 0},
		{"mistake-mask-axis", each(maskAxis), together},
		{"", each(otherName("mistake-tensor")), together},
		{"mistake-order", outOfOrder, refused},
		{"mistake-once", once, 0},
		{"mistake-operator", each(operator), 0},
		{"mistake-constant", each(constant), 0},
		{"mistake-largest", each(largest), 0},
		{"mistake-negative", each(negative), 0},
		{"", each(otherName("mistake-mask-bound")), together},
		{"", each(otherName("mistake-value")), together},
		{"", each(otherName("mistake-mask")), together},
		{"mistake-stride", each(strideLess), 0},
		{"mistake-size", renamed, 0},
		{"", each(otherName("mistake-index")), together},
		{"mistake-expanded", each(unexpanded), refused},
		{"mistake-missing", each(missing), 0},
		{"mistake-unneeded", each(unneeded), 0},
		{"mistake-block-number", each(blockNumber), together},
		{"mistake-lanes", lanes, 0},
	}
}

// each proposes what f does for every expression of one type.
func each[E syntax.Expr](f func(site, E) []change) func(*kernel) []change {
	return func(k *kernel) (list []change) {
		for _, s := range k.exprs {
			e, ok := s.expr.(E)
			if !ok {
				continue
			}
			for _, c := range f(s, e) {
				if c.at == (source.Span{}) {
					c.at = e.Span()
				}
				list = append(list, c)
			}
		}
		return list
	}
}

// edit is a change of one edit.
func edit(e diag.Edit, args ...any) change { return change{args: args, edits: []diag.Edit{e}} }

// one is the list of a change that writes something else for a node.
func one(n syntax.Node, text string, args ...any) []change {
	return []change{edit(replaced(n, text), args...)}
}
