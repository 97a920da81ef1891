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

// The work of a print: building a text, and an element in it, which is formatted two or three times.
const (
	printCost        = 4096
	printElementCost = 64
)

func planPrint(p *planner, in *ir.Instr) {
	o, slots, span := newPrintText(in), p.slotsOf(in.Operands), in.Span
	call := in.Str("style") == "call"
	cost := printCost
	for _, t := range o.types {
		cost += printElementCost * newArray(t).numShown()
	}
	p.emitStep(cost, func(m *machine) {
		// A print that does not fit ends them all, so that what is kept is a beginning of what was printed.
		if m.found.dropped > 0 || len(m.found.prints) == MaxPrints {
			m.found.drop(m.program)
			return
		}
		values := make([]num.Vec, len(slots))
		for i, s := range slots {
			values[i] = m.v[s]
		}
		w := &textBuilder{limit: MaxPrintText - m.found.printText, poll: m.poll}
		o.write(w, m.programIndex(), values)
		if w.full {
			m.found.drop(m.program)
			return
		}
		m.found.prints = append(m.found.prints, printed{m.program, span, string(w.text), call})
		m.found.printText += len(w.text)
	})
}

// PrintText is the text that the print operation in writes in a program for the values of its operands; ok is false
// where that is more than MaxPrintText.
func PrintText(in *ir.Instr, program [3]int, values []num.Vec) (text string, ok bool) {
	w := &textBuilder{limit: MaxPrintText}
	newPrintText(in).write(w, program, values)
	return string(w.text), !w.full
}

// textBuilder builds the text of a print, until it is longer than limit or poll says that the program is to stop.
type textBuilder struct {
	text  []byte
	limit int
	poll  func(work int) bool // nil where nothing stops
	full  bool                // the text is not whole, and is not to be used
}

func (w *textBuilder) room() int { return w.limit - len(w.text) }

func (w *textBuilder) write(s string) {
	if w.full = w.full || len(s) > w.room(); !w.full {
		w.text = append(w.text, s...)
	}
}

// goOn reports whether to go on with the next elements.
func (w *textBuilder) goOn(elements int) bool {
	w.full = w.full || w.poll != nil && !w.poll(printElementCost*elements)
	return !w.full
}

// write writes python-style prints as they are, and device-style ones as Triton's interpreter does: a line for each
// operand that begins with the program's index and the prefix. Operands with text between them share a line.
func (o *printText) write(w *textBuilder, program [3]int, values []num.Vec) {
	value := func(i int) { arrayText(w, o.types[i], values[i], o.hex) }
	if !o.device {
		substitute(w, o.text, len(values), value)
		return
	}
	head, rest, _ := strings.Cut(o.text, "{}")
	if len(values) == 0 || strings.Trim(rest, "{} ") != "" {
		text := programText(program) + " " + strings.TrimSpace(o.text)
		substitute(w, strings.TrimSpace(text), len(values), value)
		return
	}
	for i := range values {
		if i > 0 {
			w.write("\n")
		}
		prefix := programText(program) + " " + strings.TrimSpace(head)
		substitute(w, strings.TrimSpace(prefix)+" ", 0, nil)
		value(i)
	}
}

// substitute writes text with n values in the place of {}; {{ means a brace.
func substitute(w *textBuilder, text string, n int, value func(i int)) {
	for i := 0; len(text) > 0 && !w.full; {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			w.write(text)
			return
		}
		w.write(text[:at])
		switch text = text[at:]; {
		case strings.HasPrefix(text, "{{"):
			w.write("{")
			text = text[2:]
		case strings.HasPrefix(text, "{}") && i < n:
			value(i)
			i++
			text = text[2:]
		default:
			w.write("{")
			text = text[1:]
		}
	}
}

func planAssert(p *planner, in *ir.Instr) {
	cond, n := p.slot(in.Operands[0]), in.Operands[0].Type.Numel()
	message, span := in.Str("message"), in.Span
	p.emitStep(n, func(m *machine) {
		for i, ok := range m.v[cond].I32[:n] {
			if ok == 0 {
				m.halt(AssertFailed(span, m.programIndex(), message, int64(i)))
				return
			}
		}
	})
}

// planAssume holds the author to what they vouch for.
func planAssume(p *planner, in *ir.Instr) {
	cond, span := p.slot(in.Operands[0]), in.Span
	p.emitStep(1, func(m *machine) {
		if m.v[cond].I32[0] == 0 {
			m.halt(AssumptionWrong(span, m.programIndex()))
		}
	})
}
