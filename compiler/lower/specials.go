package lower

import (
	"github.com/newtlab/newt/compiler/tl"
)

// special implements a row of the tl table that is neither one operation nor a prelude function.
type special func(l *lowerer, c *call) value

// specials holds an implementation for every Special row, by the row's path.
var specials map[string]special

func init() {
	specials = map[string]special{
		"tl.program_id": gridAxis, "tl.num_programs": gridAxis,
		"tl.range": (*lowerer).rangeCall, "tl.static_range": (*lowerer).rangeCall, "range": (*lowerer).rangeCall,
		"tl.condition": (*lowerer).conditionCall, "tl.constexpr": (*lowerer).constexprCall,

		"tl.arange": (*lowerer).arange, "tl.zeros": (*lowerer).zeros, "tl.full": (*lowerer).fullCall,
		"tl.to_tensor": (*lowerer).toTensorCall, "tl.cast": (*lowerer).castCall, "tensor.to": (*lowerer).castCall, "tl.cat": (*lowerer).cat,

		"tl.broadcast": (*lowerer).broadcastCall, "tl.broadcast_to": (*lowerer).broadcastToCall,
		"tl.expand_dims": (*lowerer).expandDims, "tl.reshape": (*lowerer).reshapeCall, "tl.view": (*lowerer).reshapeCall,
		"tl.trans": (*lowerer).transCall, "tl.permute": (*lowerer).transCall, "tl.join": (*lowerer).join,
		"tl.split": (*lowerer).split, "tl.gather": (*lowerer).gather, "tl.histogram": (*lowerer).histogram,
		"tensor.item": (*lowerer).item,

		"tl.load": (*lowerer).load, "tl.store": (*lowerer).store, "tl.atomic_cas": (*lowerer).atomicCAS,
		"tl.atomic_add": atomic("add"), "tl.atomic_max": atomic("max"), "tl.atomic_min": atomic("min"),
		"tl.atomic_and": atomic("and"), "tl.atomic_or": atomic("or"), "tl.atomic_xor": atomic("xor"), "tl.atomic_xchg": atomic("xchg"),

		"tl.dot": (*lowerer).dot, "tl.reduce": (*lowerer).reduce, "tl.associative_scan": (*lowerer).scan,

		"tl.abs": (*lowerer).abs, "abs": (*lowerer).abs, "tl.where": (*lowerer).where,
		"tl.maximum": (*lowerer).minMax, "tl.minimum": (*lowerer).minMax, "tl.clamp": (*lowerer).clamp,
		"tl.add": operatorCall("+"), "tl.sub": operatorCall("-"), "tl.mul": operatorCall("*"),
		"tl.fma": (*lowerer).fma, "tl.fdiv": (*lowerer).fdiv, "tl.div_rn": (*lowerer).fdiv, "tl.umulhi": (*lowerer).umulhi,
		"tensor.logical_and": logicalCall("and"), "tensor.logical_or": logicalCall("or"),

		"tl.multiple_of": hintCall("divisibility"), "tl.max_contiguous": hintCall("contiguity"), "tl.max_constancy": hintCall("constancy"),
		"tl.assume": (*lowerer).assume, "tl.debug_barrier": (*lowerer).barrier,

		"tl.static_print": (*lowerer).staticPrint, "tl.static_assert": (*lowerer).staticAssert,
		"tl.device_print": (*lowerer).devicePrint, "tl.device_assert": (*lowerer).deviceAssert, "print": (*lowerer).printCall,

		"tl.pointer_type": (*lowerer).pointerType, "triton.next_power_of_2": (*lowerer).nextPowerOf2, "triton.jit": (*lowerer).hostOnly,

		"min": (*lowerer).extreme, "max": (*lowerer).extreme, "len": (*lowerer).length,
		"float": (*lowerer).pythonNumber, "int": (*lowerer).pythonNumber, "bool": (*lowerer).pythonNumber, "str": (*lowerer).strCall,
		"isinstance": (*lowerer).isInstance, "getattr": (*lowerer).getAttr, "hasattr": (*lowerer).hasAttr,
		"tuple": (*lowerer).sequence, "list": (*lowerer).sequence, "zip": (*lowerer).zip, "enumerate": (*lowerer).enumerate,
		"pow": (*lowerer).pow, "round": (*lowerer).round,

		"_promote": (*lowerer).promoteCall, "_axis": (*lowerer).axisCall, "_log2": (*lowerer).log2Call, "_flip_without_dim": (*lowerer).flipWithoutDim,
	}
	specials["dtype.get_int_min_value"], specials["dtype.get_int_max_value"] = (*lowerer).dtypeLimit, (*lowerer).dtypeLimit
	for name := range dtypeFacts {
		specials["dtype."+name] = (*lowerer).dtypeFact
	}
}

// internalRows are builtins for the prelude alone: _promote(x, kind) converts x as a collective of
// that kind does, _axis(x, axis) checks an axis and counts it from 0, _log2(n) is the logarithm of a
// power of two, _flip_without_dim() warns of flip(x).
var internalRows = map[string]*tl.Row{
	"_promote": {Name: "_promote", Where: tl.Builtin, Params: "x, kind"},
	"_axis":    {Name: "_axis", Where: tl.Builtin, Params: "x, axis"},
	"_log2":    {Name: "_log2", Where: tl.Builtin, Params: "n"},

	"_flip_without_dim": {Name: "_flip_without_dim", Where: tl.Builtin},
}
