package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// planners turn each operation into steps. Terminators are planned by the operation that owns
// their region. The table is filled in init since regions are planned with the table itself.
var planners [ops.N]func(*planner, *ir.Instr)

func init() {
	planners = [ops.N]func(*planner, *ir.Instr){
		ops.Const: planConst, ops.ProgramID: planProgramID, ops.NumPrograms: planNumPrograms, ops.Arange: planArange,
		ops.Splat: planSplat, ops.Broadcast: planBroadcast, ops.Trans: planTrans, ops.MemDescTrans: planTrans,
		ops.Join: planJoin, ops.Split: planSplit,
		ops.FMA: planFMA, ops.Select: planSelect, ops.Cast: planCast, ops.Bitcast: planBitcast,
		ops.InlineAsm: planInlineAsm, ops.InlineAsmVolatile: planInlineAsm,
		ops.AddPtr: planAddPtr, ops.PtrDiff: planPtrDiff, ops.IntToPtr: planIntToPtr, ops.PtrToInt: planPtrToInt,
		ops.Load: planLoad, ops.Store: planStore,
		ops.AtomicRMW: planAtomicRMW, ops.AtomicCAS: planAtomicCAS,
		ops.AtomicLoad: planAtomicLoad, ops.AtomicStore: planAtomicStore,
		ops.Dot: planDot, ops.WGMMA: planDot,
		ops.Reduce: planReduce, ops.Scan: planScan, ops.Gather: planGather,
		ops.Histogram: planHistogram,
		ops.Assume:    planAssume, ops.Barrier: planNothing, ops.FenceAsync: planNothing,
		ops.Print: planPrint, ops.Assert: planAssert,
		ops.If: planIf, ops.For: planFor, ops.While: planWhile,
	}
	for op := range ops.OfClass(ops.Binary, ops.Comparison) {
		planners[op] = planBinary
	}
	for op := range ops.OfClass(ops.Unary) {
		planners[op] = planUnary
	}
}

// planNothing plans what has no effect when a program's lanes run together.
func planNothing(*planner, *ir.Instr) {}
