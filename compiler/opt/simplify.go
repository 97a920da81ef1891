package opt

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// simplifyRules are those of fold, for the constants that other rules bring to light, and the rest.
var simplifyRules = func() (t ruleTable) {
	t = foldRules
	add := func(rules []rule, to ...ops.Op) {
		for _, op := range to {
			t.before[op] = append(slices.Clip(t.before[op]), rules...)
		}
	}
	// The order within an operation counts: constants go right before rules look for them there,
	// and identities are tried before rules that emit new operations.
	for op := range ops.OfClass(ops.Binary, ops.Comparison) {
		if op.Has(ops.Commutative) {
			add([]rule{moveConstantRight}, op)
		}
		add([]rule{foldIdentity, foldSameOperands}, op)
	}
	add([]rule{subToAdd}, ops.Sub)
	add([]rule{reassociate}, ops.Add, ops.Mul, ops.And, ops.Or, ops.Xor)
	add([]rule{cancelTwice}, ops.Neg, ops.Not)
	add([]rule{invertCompare}, ops.Not)
	add([]rule{simplifyAbs}, ops.Abs)
	add([]rule{simplifySelect}, ops.Select)
	add([]rule{simplifyCast}, ops.Cast)
	add([]rule{simplifyBitcast}, ops.Bitcast)

	add([]rule{dropScalarSplat}, ops.Splat)
	add([]rule{reshapeSplat}, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans)
	add([]rule{lookThroughReshape, dropSameShape}, ops.Reshape)
	add([]rule{lookThroughBroadcast, dropSameShape}, ops.Broadcast)
	add([]rule{simplifyTrans}, ops.Trans)
	add([]rule{foldSplitOfJoin}, ops.Split)
	add([]rule{foldSingleArange}, ops.Arange)

	add([]rule{simplifyAddPtr}, ops.AddPtr)
	add([]rule{foldSamePointer}, ops.PtrDiff)
	add([]rule{simplifyLoad}, ops.Load)
	add([]rule{dropTrueMask, dropMaskedStore}, ops.Store)
	add([]rule{dropTrueMask}, ops.AtomicRMW, ops.AtomicLoad, ops.AtomicStore)
	add([]rule{dropTrueClaim}, ops.Assume, ops.Assert)
	add([]rule{dropEmptyHint}, ops.Hint)

	add([]rule{simplifyIf}, ops.If)
	add([]rule{simplifyFor}, ops.For)
	t.after[ops.If] = ifToSelect

	// Last, as it emits two operations: by now the cheaper rules have had their turn.
	for op := ops.Invalid + 1; op < ops.N; op++ {
		if op.Has(ops.Pure|ops.Elementwise) && op != ops.Hint && op != ops.InlineAsm {
			add([]rule{sinkSplat}, op)
		}
	}
	return t
}()

func simplifyPass(fn *ir.Func) { rewriteFunc(fn, &simplifyRules) }
