package ptx

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/types"
)

// emitter turns one function into a machine program.
type emitter struct {
	*asm.Program
	fn      *ir.Func
	opt     Options
	facts   *axis.Facts
	control map[*ir.Instr]bool // what threads may disagree about and must not; see axis.Control
	// By Value.ID.
	layouts []layout.Layout             // in which the value is kept; scalars: rank 0
	vals    [][]asm.Reg                 // in that layout, by register number; not of pointers
	ptrs    []pointer                   // of pointer-typed values
	elems   [][]elem                    // of integers whose registers are known to differ by constants
	copies  [][]version                 // the other layouts in which the value is kept as well
	wanted  []bool                      // whether the value is wanted in its own layout
	again   []bool                      // whether its instruction is emitted in each layout
	at      map[*ir.Instr]layout.Layout // in which accesses are made

	dotPlans map[*ir.Instr]*dotPlan   // how each dot is done
	fetched  map[*ir.Value]sharedTile // what the loop around has brought to shared memory
	during   asm.Reg                  // pred: where it is one, accesses are made only where it holds

	tid, lane, warp asm.Reg    // b32
	threads         threads    // computed from them
	used            []bool     // by Value.ID: whether anything takes the value; see isUsed
	args            []argument // by parameter
	limits          map[bound]asm.Reg
	report, printed asm.Reg   // b64: addresses of the areas
	budget          asm.Reg   // b64, a variable
	pending         unordered // accesses since the threads last met
	params          []Param
	sites           []Site
	prints          []PrintSite
	warnings        diag.List
}

// version is a value in another layout than its own.
type version struct {
	layout layout.Layout
	regs   []asm.Reg
	elems  []elem
	ptr    pointer
}

// emitters has one row for each operation. Terminators are their owners' business.
var emitters [ops.N]func(*emitter, *ir.Instr)

// recovered makes an error of what stopped the compiler: one of its own, too much code, or a bug.
func recovered(r any) error {
	switch e := r.(type) {
	case *Error:
		return e
	case *asm.LengthError:
		return &Error{Code: "ptx-too-long", Span: e.Span, Args: []any{e.Limit}}
	}
	return &Error{Code: "internal-error", Args: []any{fmt.Sprint(r)}}
}

// fail stops the compilation with a diagnostic about in.
func (e *emitter) fail(in *ir.Instr, code string, args ...any) {
	panic(&Error{Code: code, Span: in.Span, Args: args})
}

// block emits a block's instructions but its terminator.
func (e *emitter) block(b *ir.Block) {
	for _, in := range b.Instrs {
		if in.Op.Has(ops.Terminator) {
			return
		}
		e.instr(in)
	}
}

// class is the kind of register that an element of type t lives in: a pointer's is its offset.
func class(t types.Type) asm.Class {
	if t.Pointer {
		return asm.B64
	}
	return classOf(t.DType)
}

// classOf is the kind of register that a value of d lives in.
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

// layout is the layout in which v is kept.
func (e *emitter) layout(v *ir.Value) layout.Layout { return e.layouts[v.ID] }

// regs are v's registers in its own layout.
func (e *emitter) regs(v *ir.Value) []asm.Reg { return e.vals[v.ID] }

// set gives v its registers, in its own layout.
func (e *emitter) set(v *ir.Value, regs []asm.Reg) { e.vals[v.ID] = regs }

// in are v's registers in layout l. What assignment has not foreseen is converted here and now.
func (e *emitter) in(v *ir.Value, l layout.Layout) []asm.Reg {
	if e.layout(v).Equal(l) {
		return e.regs(v)
	}
	if c := e.version(v, l); c != nil {
		return c.regs
	}
	return e.convert(v.Type.DType, e.regs(v), e.layout(v), l)
}

func (e *emitter) version(v *ir.Value, l layout.Layout) *version {
	i := slices.IndexFunc(e.copies[v.ID], func(c version) bool { return c.layout.Equal(l) })
	if i < 0 {
		return nil
	}
	return &e.copies[v.ID][i]
}

// instr emits one instruction. What is computed anew in each layout in which it is wanted is emitted as
// often; other results are converted to further layouts at once.
func (e *emitter) instr(in *ir.Instr) {
	e.Span = in.Span
	if _, ok := e.fetched[in.Result()]; ok {
		return
	}
	emit := emitters[in.Op]
	if emit == nil {
		e.fail(in, "internal-error", "no code for "+in.Op.Def().Name)
	}
	if v := in.Result(); v != nil && e.again[v.ID] {
		e.everywhere(in, emit)
		return
	}
	e.order(in)
	emit(e, in)
	for _, v := range in.Results {
		e.convertCopies(v)
	}
	if e.control[in] {
		e.agree(in)
	}
}

// everywhere emits an instruction in each layout in which its result is wanted.
func (e *emitter) everywhere(in *ir.Instr, emit func(*emitter, *ir.Instr)) {
	v := in.Results[0]
	own := e.layouts[v.ID]
	for i := range e.copies[v.ID] {
		c := &e.copies[v.ID][i]
		e.layouts[v.ID], e.elems[v.ID] = c.layout, nil
		emit(e, in)
		c.regs, c.elems, c.ptr = e.vals[v.ID], e.elems[v.ID], e.ptrs[v.ID]
	}
	e.layouts[v.ID], e.elems[v.ID], e.vals[v.ID] = own, nil, nil
	if e.wanted[v.ID] {
		emit(e, in)
	}
}

// convertCopies makes the copies of v in other layouts.
func (e *emitter) convertCopies(v *ir.Value) {
	for i := range e.copies[v.ID] {
		c := &e.copies[v.ID][i]
		if v.Type.Pointer {
			c.ptr = e.convertPointer(e.ptrs[v.ID], e.layout(v), c.layout)
		} else {
			c.regs = e.convert(v.Type.DType, e.regs(v), e.layout(v), c.layout)
		}
	}
}

// inline emits the region of a reduction or scan for single elements: one register for each of its
// arguments, and one for each value that it yields.
func (e *emitter) inline(region *ir.Block, args []asm.Reg) []asm.Reg {
	for i, a := range region.Args {
		e.set(a, args[i:i+1])
	}
	e.block(region)
	yielded := region.Terminator().Operands
	out := make([]asm.Reg, len(yielded))
	for i, v := range yielded {
		out[i] = e.regs(v)[0]
	}
	return out
}
