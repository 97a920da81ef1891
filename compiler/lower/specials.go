package lower

import (
	"github.com/newtlab/newt/compiler/tl"
)

// special implements a row of the tl table that is neither one operation nor a prelude function.
type special func(c *call) value

// specials holds an implementation for every Special row, by the row's path.
var specials map[string]special

func init() {
	specials = map[string]special{
		"tl.program_id":   lowerGridAxis,
		"tl.num_programs": lowerGridAxis,

		"tl.extra.cuda.num_warps":   lowerNumWarps(1),
		"tl.extra.cuda.num_threads": lowerNumWarps(32),

		"tl.range":        lowerRange,
		"tl.static_range": lowerRange,
		"range":           lowerRange,
		"tl.condition":    lowerConditionCall,
		"tl.constexpr":    lowerConstexprCall,
		"tl.dtype":        lowerDTypeCall,

		"tl.arange":    lowerArange,
		"tl.zeros":     lowerZeros,
		"tl.full":      lowerFull,
		"tl.to_tensor": lowerToTensor,
		"tl.cast":      lowerCast,
		"tensor.to":    lowerCast,
		"tl.cat":       lowerCat,

		"tl.broadcast":    lowerBroadcast,
		"tl.broadcast_to": lowerBroadcastTo,
		"tl.expand_dims":  lowerExpandDims,
		"tl.reshape":      lowerReshape,
		"tl.view":         lowerReshape,
		"tl.trans":        lowerTrans,
		"tl.permute":      lowerTrans,
		"tl.join":         lowerJoin,
		"tl.split":        lowerSplit,
		"tl.gather":       lowerGather,
		"tl.histogram":    lowerHistogram,
		"tensor.item":     lowerItem,

		"tl.load":  lowerLoad,
		"tl.store": lowerStore,

		"tl.make_block_ptr": lowerMakeBlockPtr,
		"tl.advance":        lowerAdvance,

		"tl.make_tensor_descriptor":    lowerMakeTensorDescriptor,
		"tl.load_tensor_descriptor":    lowerDescriptorLoad((*call).descriptorBlock),
		"tl.store_tensor_descriptor":   lowerDescriptorStore((*call).descriptorBlock),
		"tensor_descriptor.load":       lowerDescriptorLoad((*call).descriptorBlock),
		"tensor_descriptor.store":      lowerDescriptorStore((*call).descriptorBlock),
		"tensor_descriptor.gather":     lowerDescriptorLoad((*call).descriptorRows),
		"tensor_descriptor.scatter":    lowerDescriptorStore((*call).descriptorRows),
		"tensor_descriptor.atomic_add": lowerDescriptorAtomic("add"),
		"tensor_descriptor.atomic_min": lowerDescriptorAtomic("min"),
		"tensor_descriptor.atomic_max": lowerDescriptorAtomic("max"),
		"tensor_descriptor.atomic_and": lowerDescriptorAtomic("and"),
		"tensor_descriptor.atomic_or":  lowerDescriptorAtomic("or"),
		"tensor_descriptor.atomic_xor": lowerDescriptorAtomic("xor"),

		"tl.atomic_load":  lowerAtomicLoad,
		"tl.atomic_store": lowerAtomicStore,
		"tl.atomic_cas":   lowerAtomicCAS,
		"tl.atomic_add":   lowerAtomicRMW("add"),
		"tl.atomic_max":   lowerAtomicRMW("max"),
		"tl.atomic_min":   lowerAtomicRMW("min"),
		"tl.atomic_and":   lowerAtomicRMW("and"),
		"tl.atomic_or":    lowerAtomicRMW("or"),
		"tl.atomic_xor":   lowerAtomicRMW("xor"),
		"tl.atomic_xchg":  lowerAtomicRMW("xchg"),

		"tl.dot":              lowerDot,
		"tl.dot_scaled":       lowerDotScaled,
		"tl.reduce":           lowerReduce,
		"tl.associative_scan": lowerScan,

		"tl.abs":             lowerAbs,
		"abs":                lowerAbs,
		"tl.where":           lowerWhere,
		"tl.maximum":         lowerMinMax,
		"tl.minimum":         lowerMinMax,
		"tl.clamp":           lowerClamp,
		"tl.add":             lowerOperatorCall("+"),
		"tl.sub":             lowerOperatorCall("-"),
		"tl.mul":             lowerOperatorCall("*"),
		"tl.fma":             lowerFMA,
		"tl.fdiv":            lowerFDiv,
		"tl.div_rn":          lowerFDiv,
		"tl.umulhi":          lowerUMulHi,
		"tensor.logical_and": lowerLogicalCall("and"),
		"tensor.logical_or":  lowerLogicalCall("or"),

		"tl.multiple_of":    lowerHint("divisibility"),
		"tl.max_contiguous": lowerHint("contiguity"),
		"tl.max_constancy":  lowerHint("constancy"),
		"tl.assume":         lowerAssume,
		"tl.debug_barrier":  lowerBarrier,

		"tl.inline_asm_elementwise": lowerInlineAsm,
		"tl.map_elementwise":        lowerMapElementwise,

		"tl.static_print":  lowerStaticPrint,
		"tl.static_assert": lowerStaticAssert,
		"tl.device_print":  lowerDevicePrint,
		"tl.device_assert": lowerDeviceAssert,
		"print":            lowerPrint,

		"tl.pointer_type":        lowerPointerType,
		"triton.next_power_of_2": lowerNextPowerOf2,
		"triton.jit":             refuseHostOnly,

		"min":        lowerPythonMinMax,
		"max":        lowerPythonMinMax,
		"len":        lowerLen,
		"float":      lowerNumberCall,
		"int":        lowerNumberCall,
		"bool":       lowerNumberCall,
		"str":        lowerStr,
		"isinstance": lowerIsInstance,
		"getattr":    lowerGetAttr,
		"hasattr":    lowerHasAttr,
		"tuple":      lowerSequence,
		"tl.tuple":   lowerSequence,
		"list":       lowerSequence,
		"zip":        lowerZip,
		"enumerate":  lowerEnumerate,
		"pow":        lowerPow,
		"round":      lowerRound,

		"tl.standard._log2": lowerLog2,

		"_promote":          lowerPromote,
		"_axis":             lowerAxis,
		"_flip_without_dim": lowerFlipWithoutDim,
		"_since":            lowerSince,
		"_needs":            lowerNeeds,
		"_require":          lowerStaticAssert,
	}
	specials["dtype.get_block_shapes"] = lowerBlockShapes
	specials["dtype.get_int_min_value"], specials["dtype.get_int_max_value"] = lowerDTypeLimit, lowerDTypeLimit
	for name := range dtypePredicates {
		specials["dtype."+name] = lowerDTypePredicate
	}
}

// internalRows are builtins for the prelude alone: _promote(x, kind) converts x as a collective of that kind does,
// _axis(x, axis) checks an axis and counts it from 0, and _flip_without_dim() warns of flip(x). _since(change) says
// whether the version of Triton that is compiled for has a change of package triton, _needs(change, what, said) warns
// where it has not, and _require(cond, msg) asserts what Triton has no such words for.
var internalRows = map[string]*tl.Row{
	"_promote": {Name: "_promote", Where: tl.Builtin, Params: "x, kind"},
	"_axis":    {Name: "_axis", Where: tl.Builtin, Params: "x, axis"},
	"_log2":    tl.LookupIn("triton.language.standard", "_log2"),

	"_flip_without_dim": {Name: "_flip_without_dim", Where: tl.Builtin},
	"_since":            {Name: "_since", Where: tl.Builtin, Params: "change"},
	"_needs":            {Name: "_needs", Where: tl.Builtin, Params: "change, what, said"},
	"_require":          {Name: "_require", Where: tl.Builtin, Params: "cond, msg=''"},
}
