package tile

import (
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// printText is a print operation without its operands' values.
type printText struct {
	text   string
	device bool
	hex    bool
	types  []types.Type
}

func newPrintText(in *ir.Instr) *printText {
	o := &printText{text: in.Str("text"), device: in.Str("style") == "device", hex: in.Bool("hex")}
	for _, v := range in.Operands {
		o.types = append(o.types, v.Type)
	}
	return o
}

// printCost is the work of a print, which builds text.
const printCost = 4096

func planPrint(p *planner, in *ir.Instr) {
	o, slots, span := newPrintText(in), p.slotsOf(in.Operands), in.Span
	p.emit(printCost, func(m *machine) {
		if m.found.full() {
			return
		}
		values := make([]num.Vec, len(slots))
		for i, s := range slots {
			values[i] = m.v[s]
		}
		text := o.of(m.index(), values)
		m.found.prints = append(m.found.prints, printed{m.program, span, text})
		m.found.printText += len(text)
	})
}

// PrintText is what the print operation in writes in a program for the values of its operands.
func PrintText(in *ir.Instr, program [3]int, values []num.Vec) string {
	return newPrintText(in).of(program, values)
}

func (o *printText) of(program [3]int, values []num.Vec) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = arrayText(o.types[i], v, o.hex)
	}
	return o.format(programText(program), texts)
}

// format writes python-style prints as they are, and device-style ones as Triton's interpreter
// does: a line for each operand that begins with the program's index and the prefix. Operands
// with text between them share a line.
func (o *printText) format(program string, values []string) string {
	if !o.device {
		return substitute(o.text, values)
	}
	head, rest, _ := strings.Cut(o.text, "{}")
	if len(values) == 0 || strings.Trim(rest, "{} ") != "" {
		return strings.TrimSpace(program + " " + strings.TrimSpace(substitute(o.text, values)))
	}
	prefix := strings.TrimSpace(program + " " + strings.TrimSpace(substitute(head, nil)))
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = prefix + " " + v
	}
	return strings.Join(lines, "\n")
}

// substitute puts values in the place of {}; {{ stands for a brace.
func substitute(text string, values []string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		switch {
		case strings.HasPrefix(rest, "{{"):
			b.WriteByte('{')
			i++
		case strings.HasPrefix(rest, "{}") && len(values) > 0:
			b.WriteString(values[0])
			values = values[1:]
			i++
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

func planAssert(p *planner, in *ir.Instr) {
	cond, n := p.slot(in.Operands[0]), in.Operands[0].Type.Numel()
	message, span := in.Str("message"), in.Span
	p.emit(n, func(m *machine) {
		for i, ok := range m.v[cond].I32[:n] {
			if ok == 0 {
				m.halt(AssertFailed(span, m.index(), message, int64(i)))
				return
			}
		}
	})
}

// planAssume holds the author to what they vouch for.
func planAssume(p *planner, in *ir.Instr) {
	cond, span := p.slot(in.Operands[0]), in.Span
	p.emit(1, func(m *machine) {
		if m.v[cond].I32[0] == 0 {
			m.halt(AssumptionWrong(span, m.index()))
		}
	})
}
