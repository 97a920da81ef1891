package repair

import (
	"cmp"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// rule is a kind of mistake: the code of its sentence, the changes that would mend it, where it applies, and the
// symptoms of which it is a frequent cause.
type rule struct {
	code    string
	propose func(*kernel) []change
	when    when
	signs   symptom
}

// when says where a rule applies besides one place of an answer that compiles.
type when uint8

const (
	together when = 1 << iota // in several places at once, where a person makes the same mistake again
	refused                   // in an answer that does not compile
)

// symptom is a set of what the first test that fails may show.
type symptom uint16

const (
	noCompile  symptom = 1 << iota // the kernel does not compile
	outOfRange                     // accesses outside of tensors
	harmless                       // accesses outside of tensors, and the output is right
	programs                       // all programs along an axis do the same
	unwritten                      // elements of the output that no program writes
	unused                         // an input of which nothing becomes
	unread                         // elements of an input that no program reads
	constants                      // an output of one value
	nan                            // all wrong elements are NaN
	allWrong                       // no element is right
	someWrong                      // some elements are right

	outside  = outOfRange | harmless
	anyWrong = allWrong | someWrong
)

// symptomOf is that of the problem of a test.
func symptomOf(problem *diag.Text) symptom {
	switch problem.Key {
	case "judge.case-no-compile":
		return noCompile
	case "judge.out-of-bounds":
		return outOfRange
	case "judge.right-but-out-of-bounds":
		return harmless
	case "judge.same-programs":
		return programs
	case "judge.writes-nothing", "judge.unwritten", "judge.unwritten-range":
		return unwritten
	case "judge.unused":
		return unused
	case "judge.unread-range":
		return unread
	case "judge.constant":
		return constants
	case "judge.nan":
		return nan
	case "judge.stopped", "judge.input-changed":
		return 0
	}
	if problem.Args[0] == problem.Args[1] {
		return allWrong
	}
	return someWrong
}

// rulesFor are the rules for an answer with a symptom, in the order of the table, but first those that may cause it.
func rulesFor(s symptom) []rule {
	list := slices.DeleteFunc(rules(), func(r rule) bool { return s == noCompile && r.when&refused == 0 })
	slices.SortStableFunc(list, func(a, b rule) int { return cmp.Compare(b.signs&s, a.signs&s) })
	return list
}

// rules are ordered by what trying one is worth: few changes that are often right come first, and long lists last.
// Where changes of two rules mend an answer, the first counts, and it is the one that says more. They are no variable,
// which would be initialized in the page's first program, too, and that never searches.
func rules() []rule {
	return []rule{
		{"mistake-reset", resets, refused, noCompile | anyWrong},
		{"mistake-rescale", rescaled, 0, anyWrong},
		{"mistake-carried", carried, 0, constants | anyWrong},
		{"mistake-no-axes", withoutAxes, refused, noCompile | unwritten},
		{"mistake-dtype", each(dtype), together, anyWrong},
		{"mistake-any", each(anyCondition), together, outside},
		{"mistake-no-mask", each(noMask), 0, outside},
		{"mistake-partial-block", each(partialBlock), together, unused | unread},
		{"mistake-initial", each(initialZeros), 0, nan | allWrong},
		{"mistake-initial", each(initial), 0, nan | allWrong},
		{"mistake-function", each(function), together, anyWrong},
		{"mistake-replaced", replacedTotals, 0, anyWrong},
		another("mistake-loop-end", together, unwritten|unread),
		{"mistake-missing", each(packed), 0, outOfRange | allWrong},
		{"mistake-product", each(product), 0, allWrong},
		{"mistake-grid-axis", each(gridAxis), 0, programs},
		{"mistake-grid-axis", each(gridName), 0, programs},
		{"mistake-grid-axes", exchangedAxes, 0, outOfRange | unwritten},
		{"mistake-program", each(noProgram), 0, programs},
		{"mistake-comparison", each(comparison), 0, outOfRange | unused | constants | allWrong},
		{"mistake-operands", each(operands), refused, nan | allWrong},
		{"mistake-inclusive", each(inclusive), together, outside | unwritten},
		another("mistake-stride", together, outOfRange|unwritten),
		{"mistake-size", each(otherSize), 0, outOfRange | unwritten | unused},
		{"mistake-other", each(other), together, constants | nan | allWrong},
		{"mistake-off-by-one", each(offByOne), 0, harmless},
		{"mistake-reduced-axis", each(reducedAxis), together | refused, noCompile | allWrong},
		{"mistake-expanded", each(expanded), together | refused, noCompile | harmless | someWrong},
		{"mistake-iteration", noIteration, 0, unread | someWrong},
		{"mistake-loop-step", stepless, 0, allWrong},
		another("mistake-size", together, unwritten),
		{"mistake-mask-index", each(maskIndex), 0, outside},
		{"mistake-mask-axis", each(maskAxis), together, outside | someWrong},
		another("mistake-tensor", together, outOfRange|unused),
		{"mistake-order", outOfOrder, refused, noCompile | constants | someWrong},
		{"mistake-once", once, 0, unread},
		{"mistake-operator", each(operator), 0, outOfRange | constants | anyWrong},
		{"mistake-constant", each(constant), 0, constants | nan | anyWrong},
		{"mistake-largest", each(largest), 0, nan},
		{"mistake-negative", each(negative), 0, someWrong},
		another("mistake-mask-bound", together, outside|unread),
		another("mistake-value", together, 0),
		another("mistake-mask", together, 0),
		{"mistake-stride", each(strideLess), 0, unwritten | someWrong},
		{"mistake-size", renamed, 0, outOfRange},
		another("mistake-index", together, 0),
		{"mistake-expanded", each(unexpanded), refused, 0},
		{"mistake-missing", each(missing), 0, unused},
		{"mistake-unneeded", each(unneeded), 0, allWrong},
		{"mistake-block-number", each(blockNumber), together, unwritten | unread},
		{"mistake-lanes", lanes, 0, 0},
	}
}

// another is the rule for names that are written where another one of their kind belongs.
func another(code string, when when, signs symptom) rule {
	return rule{code, each(otherName(code)), when, signs}
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
