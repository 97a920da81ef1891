package asm

import (
	"fmt"
	"strconv"

	"github.com/newtlab/newt/compiler/source"
)

// sharedSymbol names the dynamic shared memory, the only one that a kernel has.
const sharedSymbol = "smem"

// spillSymbol names a thread's local memory, where cold code keeps values.
const spillSymbol = "spill"

// Reserved are the names that a program cannot have: of its shared memory, and what PTX has no identifiers of.
var Reserved = []string{sharedSymbol, "WARP_SZ", "_"}

// regPrefixes are the prefixes of register names.
var regPrefixes = [...]string{Pred: "%p", B16: "%h", B32: "%r", B64: "%d"}

var regTypes = [...]string{Pred: ".pred", B16: ".b16", B32: ".b32", B64: ".b64"}

type printer struct {
	text  []byte
	lines []source.Span
	names []int32 // by register: its number in its class, from 1
	count [len(regPrefixes)]int32
}

// print writes the program as text for a PTX version, times ten, and gives the span of each line.
func print(p *Program, version int, shared bool) (string, []source.Span) {
	const lineBytes = 48 // at a guess
	n := len(p.code) + len(p.cold) + 32
	w := &printer{names: make([]int32, p.regs+1), text: make([]byte, 0, n*lineBytes), lines: make([]source.Span, 0, n)}
	name := w.name
	// Registers are numbered by class in the order of their first mention, so the text does not depend on what was
	// eliminated.
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			list[i].uses(name)
			list[i].defs(name)
		}
	}
	w.header(p, version, shared)
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			w.inst(&list[i])
		}
	}
	w.line(source.Span{}, "}")
	return string(w.text), w.lines
}

func (w *printer) line(at source.Span, parts ...string) {
	for _, s := range parts {
		w.text = append(w.text, s...)
	}
	w.text = append(w.text, '\n')
	w.lines = append(w.lines, at)
}

func (w *printer) linef(format string, args ...any) {
	w.line(source.Span{}, fmt.Sprintf(format, args...))
}

func (w *printer) name(r *Reg) {
	if w.names[r.ID] == 0 {
		w.count[r.Class]++
		w.names[r.ID] = w.count[r.Class]
	}
}

func (w *printer) header(p *Program, version int, shared bool) {
	w.linef(".version %d.%d", version/10, version%10)
	w.linef(".target %s", p.Target)
	w.linef(".address_size 64")
	if shared {
		w.linef(".extern .shared .align %d .b8 %s[];", p.SharedAlign, sharedSymbol)
	}
	w.linef(".visible .entry %s(", p.Name)
	for i, a := range p.Params {
		comma := ","
		if i == len(p.Params)-1 {
			comma = ""
		}
		if a.TensorMap {
			w.linef("\t.param .align 64 .b8 %s[%d]%s", a.Name, TensorMapBytes, comma)
		} else {
			w.linef("\t.param .u64 %s%s", a.Name, comma)
		}
	}
	w.linef(")")
	w.linef(".reqntid %d", p.Threads)
	if p.MinPrograms > 0 {
		w.linef(".minnctapersm %d", p.MinPrograms)
	}
	w.linef("{")
	if p.spillBytes > 0 {
		w.linef("\t.local .align 8 .b8 %s[%d];", spillSymbol, p.spillBytes)
	}
	for c, n := range w.count {
		if n > 0 {
			w.linef("\t.reg %s %s<%d>;", regTypes[c], regPrefixes[c], n+1)
		}
	}
}

func (w *printer) inst(in *Inst) {
	switch in.Mark {
	case LabelMark, LoopStart:
		w.line(in.Span, in.Label, ":")
		return
	case LoopEnd:
		return
	}
	if in.Inline != nil {
		w.inline(in)
		return
	}
	w.text = append(w.text, '\t')
	if in.Guard.OK() {
		w.text = append(w.text, '@')
		if in.Not {
			w.text = append(w.text, '!')
		}
		w.reg(in.Guard)
		w.text = append(w.text, ' ')
	}
	w.text = append(w.text, in.Op.Name...)
	sep := " "
	for i := range in.Dst {
		w.text = append(w.text, sep...)
		w.operand(&in.Dst[i])
		sep = "|" // a second destination is a predicate beside the first
	}
	if len(in.Dst) > 0 {
		sep = ", "
	}
	for i := range in.Src {
		w.text = append(w.text, sep...)
		w.operand(&in.Src[i])
		sep = ", "
	}
	w.line(in.Span, ";")
}

func (w *printer) inline(in *Inst) {
	var names []string
	for _, list := range [][]Operand{in.Dst, in.Src} {
		for i := range list {
			r := list[i].Reg
			names = append(names, regPrefixes[r.Class]+strconv.Itoa(int(w.names[r.ID])))
		}
	}
	for _, line := range in.Inline.Print(names) {
		w.line(in.Span, "\t", line)
	}
}

func (w *printer) reg(r Reg) {
	w.text = append(w.text, regPrefixes[r.Class]...)
	w.text = strconv.AppendInt(w.text, int64(w.names[r.ID]), 10)
}

func (w *printer) operand(o *Operand) {
	switch o.Kind {
	case RegOperand:
		w.reg(o.Reg)
	case IntOperand:
		w.text = strconv.AppendInt(w.text, o.Imm, 10)
	case F32Operand:
		w.text = fmt.Appendf(w.text, "0f%08X", uint32(o.Imm))
	case F64Operand:
		w.text = fmt.Appendf(w.text, "0d%016X", uint64(o.Imm))
	case VecOperand:
		w.vector(o.Regs)
	case TensorOperand:
		w.text = append(w.text, '[')
		w.reg(o.Reg)
		w.text = append(w.text, ", "...)
		w.vector(o.Regs)
		w.text = append(w.text, ']')
	case MemOperand:
		w.text = append(w.text, '[')
		w.base(o)
		w.text = append(w.text, ']')
	default:
		w.base(o)
	}
}

func (w *printer) vector(regs []Reg) {
	w.text = append(w.text, '{')
	for i, r := range regs {
		if i > 0 {
			w.text = append(w.text, ", "...)
		}
		w.reg(r)
	}
	w.text = append(w.text, '}')
}

// base is a register, symbol or shared-memory address with an offset.
func (w *printer) base(o *Operand) {
	if o.Reg.OK() {
		w.reg(o.Reg)
	} else {
		w.text = append(w.text, o.Sym...)
	}
	if o.Imm != 0 {
		w.text = append(w.text, '+')
		w.text = strconv.AppendInt(w.text, o.Imm, 10)
	}
}
