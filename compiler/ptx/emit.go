package ptx

import (
	"fmt"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/types"
)

// emitter turns one function into a machine program, as its plan says. It stands on layers that know nothing of those
// above them: code of one thread (threadCode), of tiles (tileCode), and what each value is bound to (bindings).
type emitter struct {
	*bindings
	fn         *ir.Func
	opt        Options
	facts      *axis.Facts
	params     *parameters
	reports    *reporter
	prints     []PrintSite
	staged     map[*ir.Value]sharedTile         // what memory descriptors stand for
	ranges     map[*plan.AsyncLoad]addressRange // of a pipelined loop's copies, found in the prologue
	broadcasts map[*ir.Instr]*laneBroadcasts    // by loop
	budget     asm.Reg                          // b64, a variable: iterations that are left
	proven     asm.Reg                          // pred: of comparisons that the launch has proved; none: there are none
	words      map[*ir.Value]*lazyRegs          // of tiles that warpgroup MMAs alone take (plan.Plan.Words)
}

// emitters has the function that emits each operation. Terminators are emitted by the operations that own the region.
var emitters [ops.N]func(*emitter, *ir.Instr)

// recovered makes an error of a panic: reject's, too much code, or a bug.
func recovered(r any) error {
	switch e := r.(type) {
	case *Error:
		return e
	case *asm.LengthError:
		return &Error{Code: "ptx-too-long", Span: e.Span, Args: []any{e.Limit}}
	}
	return &Error{Code: "internal-error", Args: []any{fmt.Sprint(r)}}
}

// reject stops the compilation with a diagnostic about in.
func (e *emitter) reject(in *ir.Instr, code string, args ...any) {
	panic(&Error{Code: code, Span: in.Span, Args: args})
}

// emitBlock emits a block's instructions but its terminator.
func (e *emitter) emitBlock(b *ir.Block) {
	for _, in := range b.Instrs {
		if in.Op.Has(ops.Terminator) {
			return
		}
		e.emitInstr(in)
	}
}

// class is the register class of an element of type t; of a pointer, that of its offset.
func class(t types.Type) asm.Class {
	if t.Pointer {
		return asm.B64
	}
	return classOf(t.DType)
}

// classOf is the register class of a value of dtype d.
func classOf(d num.DType) asm.Class {
	switch bits := d.Info().Bits; {
	case bits == 1:
		return asm.Pred
	case bits <= 16:
		return asm.B16
	case bits == 32:
		return asm.B32
	}
	return asm.B64
}

// emitInstr emits one instruction, with what the plan says of all instructions.
func (e *emitter) emitInstr(in *ir.Instr) {
	emit := emitters[in.Op]
	if emit == nil {
		e.reject(in, "internal-error", "no code for "+in.Op.Def().Name)
	}
	e.Span = in.Span
	if s := e.plan.MaskSkips[in]; s != nil {
		if in == s.Select {
			e.emitMaskSkip(s)
		}
		return
	}
	emit(e, in)
}

// scratch is the first byte of an instruction's scratch memory.
func (e *emitter) scratch(in *ir.Instr) int { return e.staged[in.Scratch].off }

// inlineRegion emits the region of a reduction or scan for single elements: args has one register for each of its
// arguments, the result one for each value that it yields.
func (e *emitter) inlineRegion(region *ir.Block, args []asm.Reg) []asm.Reg {
	for i, a := range region.Args {
		e.setRegs(a, args[i:i+1])
	}
	e.emitBlock(region)
	yielded := region.Terminator().Operands
	out := make([]asm.Reg, len(yielded))
	for i, v := range yielded {
		out[i] = e.regs(v)[0]
	}
	return out
}
