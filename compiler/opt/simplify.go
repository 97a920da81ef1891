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
	for op := range ops.OfClass(ops.Binary, ops.Comparison) {
		if op.Has(ops.Commutative) {
			add([]rule{constantRight}, op)
		}
		add([]rule{byConstant, sameOperands}, op)
	}
	add([]rule{subConstant}, ops.Sub)
	add([]rule{chain}, ops.Add, ops.Mul, ops.And, ops.Or, ops.Xor)
	add([]rule{twice}, ops.Neg, ops.Not)
	add([]rule{notCompare}, ops.Not)
	add([]rule{absOf}, ops.Abs)
	add([]rule{simplifySelect}, ops.Select)
	add([]rule{simplifyCast}, ops.Cast)
	add([]rule{simplifyBitcast}, ops.Bitcast)

	add([]rule{scalarSplat}, ops.Splat)
	add([]rule{reshapeUniform}, ops.ExpandDims, ops.Broadcast, ops.Reshape, ops.Trans)
	add([]rule{throughReshape, sameShape}, ops.Reshape)
	add([]rule{throughBroadcast, sameShape}, ops.Broadcast)
	add([]rule{simplifyTrans}, ops.Trans)
	add([]rule{splitJoin}, ops.Split)
	add([]rule{oneElement}, ops.Arange)

	add([]rule{simplifyAddPtr}, ops.AddPtr)
	add([]rule{samePointer}, ops.PtrDiff)
	add([]rule{simplifyLoad}, ops.Load)
	add([]rule{dropTrueMask, storeNothing}, ops.Store)
	add([]rule{dropTrueMask}, ops.AtomicRMW)
	add([]rule{holds}, ops.Assume, ops.Assert)
	add([]rule{emptyHint}, ops.Hint)

	add([]rule{simplifyIf}, ops.If)
	add([]rule{simplifyFor}, ops.For)
	t.after[ops.If] = settledIf

	for op := ops.Invalid + 1; op < ops.N; op++ {
		if op.Has(ops.Pure|ops.Elementwise) && op != ops.Hint {
			add([]rule{onUniform}, op)
		}
	}
	return t
}()

func simplifyPass(fn *ir.Func) { rewrite(fn, &simplifyRules) }
