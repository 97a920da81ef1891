package asm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/source"
)

// InstructionError says that an instruction is not one of the table in package isa, which is a mistake of the code
// generator: the opcode is misspelt, an operand is missing or of the wrong class, or the target does not have it.
type InstructionError struct {
	Op   string
	Why  string
	Span source.Span
}

func (e *InstructionError) Error() string { return e.Op + ": " + e.Why }

// checkAll checks all instructions of the program and gives each its version. The error is an *InstructionError.
func checkAll(p *Program) error {
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			in := &list[i]
			if in.Op == nil || in.Inline != nil {
				continue
			}
			f, why := in.form(p.Target)
			if f == nil {
				return &InstructionError{in.Op.Name, why, in.Span}
			}
			in.version = uint8(f.Version)
		}
	}
	return nil
}

// version is the least PTX version, times ten, that has the target and what is left of the program.
func version(p *Program) int {
	v := arch.Find(p.Target).Version
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			v = max(v, int(list[i].version))
			if text := list[i].Inline; text != nil {
				v = max(v, text.Version)
			}
		}
	}
	return v
}

// form is the form that the instruction has, or why it has none.
func (in *Inst) form(target string) (f *isa.Form, why string) {
	if len(in.Op.Forms) == 0 {
		return nil, "no such opcode"
	}
	for i := range in.Op.Forms {
		f := &in.Op.Forms[i]
		switch {
		case !operandsFit(in.Dst, f.Dst) || !operandsFit(in.Src, f.Src):
			why = fmt.Sprintf("the operands are not %q", f.Operands)
		case !f.On(target):
			why = fmt.Sprintf("%s does not have it, but %s does", target, f.Target)
		default:
			return f, ""
		}
	}
	return nil, why
}

func operandsFit(have []Operand, want []isa.Operand) bool {
	if len(have) > len(want) {
		return false
	}
	for i, w := range want {
		if i < len(have) && !have[i].fits(w) || i >= len(have) && !w.Optional {
			return false
		}
	}
	return true
}

// resultClass is the class of the register that holds an opcode's result.
func resultClass(o *isa.Op) Class {
	if len(o.Forms) == 0 || len(o.Forms[0].Dst) == 0 {
		return B32 // Finish says what is wrong
	}
	return Class(slices.Index(bits[:], o.Forms[0].Dst[0].Bits))
}

// bits is the size of each class of registers.
var bits = [...]int{Pred: 1, B16: 16, B32: 32, B64: 64}

func (o *Operand) fits(want isa.Operand) bool {
	switch want.Kind {
	case isa.Memory:
		return o.Kind == MemOperand
	case isa.Box:
		return o.Kind == TensorOperand
	case isa.Label:
		return o.Kind == SymOperand && o.Sym != sharedSymbol && !strings.HasPrefix(o.Sym, "%")
	case isa.Immediate:
		return o.Kind == IntOperand
	case isa.Vector:
		return o.Kind == VecOperand && (want.Len == 0 || len(o.Regs) == want.Len) &&
			!slices.ContainsFunc(o.Regs, func(r Reg) bool { return bits[r.Class] != want.Bits })
	case isa.Anything:
		switch o.Kind {
		case SymOperand:
			return true
		case VecOperand:
			sum := 0
			for _, r := range o.Regs {
				sum += bits[r.Class]
			}
			return sum == want.Bits
		case IntOperand:
			return true
		}
	}
	return o.isValue(want.Bits)
}

// isValue reports whether the operand is a register or an immediate of a type with so many bits.
func (o *Operand) isValue(size int) bool {
	switch o.Kind {
	case RegOperand:
		return bits[o.Reg.Class] == size
	case IntOperand:
		return size > 1
	case F32Operand:
		return size == 32
	case F64Operand:
		return size == 64
	}
	return false
}
