package asm

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/source"
)

// sharedSymbol names the dynamic shared memory, the only one that a kernel has.
const sharedSymbol = "smem"

// versions are the PTX versions from which on there are instructions with a text in their name
// ("PTX ISA", "PTX ISA Notes" of each instruction); what is not listed is as old as sm_80.
var versions = []struct {
	text    string
	version int
}{
	{"e4m3", 81}, {"e5m2", 81}, {"setp.eq.bf16", 78}, {"stmatrix", 78}, {"shared::cta", 78}, {"shared::cluster", 78},
	{"createpolicy", 74}, {"L2::", 74}, {"L1::", 74}, {"cvt.rz.bf16", 71}, {"wgmma", 80}, {"setmaxnreg", 80}, {"elect", 80},
	{"cp.async.bulk", 80}, {"fence.proxy", 80}, {"red.global.add.v2", 81}, {"red.global.add.v4", 81}, {".v2.f32", 81}, {".v4.f32", 81},
	{".add.noftz.v", 81}, {"mbarrier", 80}, {"add.bf16", 78}, {"add.noftz.bf16", 78}, {"sub.bf16", 78}, {"mul.bf16", 78},
}

// targetVersions are the PTX versions from which on there are targets.
var targetVersions = map[string]int{"sm_80": 70, "sm_86": 71, "sm_89": 78, "sm_90": 78, "sm_90a": 80}

// regPrefixes are the prefixes of register names.
var regPrefixes = [...]string{Pred: "%p", B16: "%h", B32: "%r", B64: "%d"}

var regTypes = [...]string{Pred: ".pred", B16: ".b16", B32: ".b32", B64: ".b64"}

type printer struct {
	text  []byte
	lines []source.Span
	names []int32 // by register: its number in its class, from 1
	count [len(regPrefixes)]int32
}

func print(p *Program, shared bool) (string, []source.Span) {
	const lineBytes = 48 // at a guess
	n := len(p.code) + len(p.cold) + 32
	w := &printer{names: make([]int32, p.regs+1), text: make([]byte, 0, n*lineBytes), lines: make([]source.Span, 0, n)}
	name := w.name
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			list[i].uses(name)
			list[i].defs(name)
		}
	}
	w.header(p, shared)
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

func isaVersion(p *Program) int {
	ops := map[string]bool{}
	for _, list := range [][]Inst{p.code, p.cold} {
		for i := range list {
			if op := list[i].Op; !ops[op] {
				ops[op] = true
			}
		}
	}
	v := max(targetVersions[p.Target], 70)
	for op := range ops {
		for _, row := range versions {
			if row.version > v && strings.Contains(op, row.text) {
				v = row.version
			}
		}
	}
	return v
}

func (w *printer) header(p *Program, shared bool) {
	v := isaVersion(p)
	w.linef(".version %d.%d", v/10, v%10)
	w.linef(".target %s", p.Target)
	w.linef(".address_size 64")
	if shared {
		w.linef(".extern .shared .align %d .b8 %s[];", sharedAlign(p), sharedSymbol)
	}
	w.linef(".visible .entry %s(", p.Name)
	for i, a := range p.Params {
		comma := ","
		if i == len(p.Params)-1 {
			comma = ""
		}
		w.linef("\t.param .u64 %s%s", a.Name, comma)
	}
	w.linef(")")
	w.linef(".reqntid %d", p.Threads)
	w.linef("{")
	for c, n := range w.count {
		if n > 0 {
			w.linef("\t.reg %s %s<%d>;", regTypes[c], regPrefixes[c], n+1)
		}
	}
}

// sharedAlign is the largest alignment that a buffer asks for, 128 at least.
func sharedAlign(p *Program) int {
	n := 128
	for _, b := range p.buffers {
		n = max(n, b.Align)
	}
	return n
}

func (w *printer) inst(in *Inst) {
	switch in.Mark {
	case LabelMark, LoopStart:
		w.line(in.Span, in.Label, ":")
		return
	case LoopEnd:
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
	w.text = append(w.text, in.Op...)
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
		w.text = append(w.text, '{')
		for i, r := range o.Regs {
			if i > 0 {
				w.text = append(w.text, ", "...)
			}
			w.reg(r)
		}
		w.text = append(w.text, '}')
	case MemOperand:
		w.text = append(w.text, '[')
		w.base(o)
		w.text = append(w.text, ']')
	default:
		w.base(o)
	}
}

// base is a register, symbol or shared-memory address with an offset.
func (w *printer) base(o *Operand) {
	offset := o.Imm
	if o.Buffer != nil {
		offset += int64(o.Buffer.at)
	}
	switch {
	case o.Reg.OK():
		w.reg(o.Reg)
	case o.Buffer != nil:
		w.text = append(w.text, sharedSymbol...)
	default:
		w.text = append(w.text, o.Sym...)
	}
	if offset != 0 {
		w.text = append(w.text, '+')
		w.text = strconv.AppendInt(w.text, offset, 10)
	}
}
