package ops

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
)

// Signature is a parsed Sig. Forms differ in the rank of their first operand; nearly every
// operation has one form.
type Signature struct{ Forms []Form }

// Form is one function type.
type Form struct {
	Operands []Operand
	Variadic bool      // any number of operands may follow; a rule checks them
	Results  []Pattern // meaningless where ByRule
	ByRule   bool      // a rule computes the results' types
}

// Operand is a parameter of a Form.
type Operand struct {
	Name     string
	Optional bool
	Pattern  Pattern
}

// Pattern is the type of an operand or result, with variables.
type Pattern struct {
	Pointer bool
	MemDesc bool      // a memory descriptor
	AnyMem  bool      // or a tile in registers
	Elem    byte      // the element variable, 0 where DType holds
	DType   num.DType // the fixed dtype
	Shape   byte      // the shape variable, 0 where Dims holds
	Dims    []byte    // the dimensions' variables; none for a scalar
}

// Signature is o's parsed Sig.
func (o Op) Signature() *Signature { return &signatures[o] }

// masks are the positions of the operands named mask, 0 of operations without one.
var masks = func() (at [N]int) {
	for op := range at {
		for _, f := range signatures[op].Forms {
			at[op] = max(0, slices.IndexFunc(f.Operands, func(x Operand) bool { return x.Name == "mask" }))
		}
	}
	return at
}()

// Mask is the position of the operand that says which elements take part, 0 of operations without one.
func (o Op) Mask() int { return masks[o] }

var signatures = parseTable()

func parseTable() (parsed [N]Signature) {
	for op := Invalid + 1; op < N; op++ {
		s, err := parseSignature(table[op].SigText())
		if err != nil {
			// A row that does not parse is a mistake in this package; nothing can run without it.
			panic(fmt.Sprintf("ops: %s: %v", op, err))
		}
		parsed[op] = s
	}
	return parsed
}

func parseSignature(text string) (Signature, error) {
	var sig Signature
	for form := range strings.SplitSeq(text, "|") {
		f, err := parseForm(strings.TrimSpace(form))
		if err != nil {
			return sig, fmt.Errorf("signature %q: %w", form, err)
		}
		sig.Forms = append(sig.Forms, f)
	}
	return sig, nil
}

func parseForm(text string) (f Form, err error) {
	left, right, found := strings.Cut(text, " -> ")
	if !found || !strings.HasPrefix(left, "(") || !strings.HasSuffix(left, ")") {
		return f, fmt.Errorf("want (operands) -> result")
	}
	for _, part := range source.List(left[1 : len(left)-1]) {
		if f.Variadic {
			return f, fmt.Errorf("... must come last")
		}
		if part == "..." {
			f.Variadic = true
			continue
		}
		name, typ, found := strings.Cut(part, ": ")
		if !found {
			return f, fmt.Errorf("operand %q has no type", part)
		}
		o := Operand{Name: strings.TrimSuffix(name, "?"), Optional: strings.HasSuffix(name, "?")}
		if o.Pattern, err = parsePattern(typ); err != nil {
			return f, err
		}
		f.Operands = append(f.Operands, o)
	}
	switch right {
	case "()":
	case "...":
		f.ByRule = true
	default:
		p, err := parsePattern(right)
		if err != nil {
			return f, err
		}
		f.Results = []Pattern{p}
	}
	return f, nil
}

func parsePattern(text string) (p Pattern, err error) {
	elem, shape, hasShape := strings.Cut(text, "[")
	elem, p.Pointer = strings.CutPrefix(elem, "*")
	elem, p.MemDesc = strings.CutPrefix(elem, "&")
	elem, p.AnyMem = strings.CutPrefix(elem, "?")
	switch d, isDType := num.Parse(elem); {
	case len(elem) == 1 && slices.Contains([]byte("EIABR"), elem[0]):
		p.Elem = elem[0]
	case isDType:
		p.DType = d
	default:
		return p, fmt.Errorf("unknown element type %q", elem)
	}
	if !hasShape {
		return p, nil
	}
	shape, closed := strings.CutSuffix(shape, "]")
	if !closed {
		return p, fmt.Errorf("missing ] in %q", text)
	}
	if shape == "S" || shape == "T" {
		p.Shape = shape[0]
		return p, nil
	}
	for dim := range strings.SplitSeq(shape, ", ") {
		if len(dim) != 1 || dim[0] < 'A' || dim[0] > 'Z' {
			return p, fmt.Errorf("dimension %q is not a letter", dim)
		}
		p.Dims = append(p.Dims, dim[0])
	}
	return p, nil
}
