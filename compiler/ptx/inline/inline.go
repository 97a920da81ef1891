// Package inline is inline assembly as tl.inline_asm_elementwise has it: the text and its constraints, checked against
// the dtypes of results and arguments, and run on the CPU. The IR's verifier, the interpreter and the emitter of PTX
// all ask here, so that what one takes the others take too, and a runner checks again what came over the network. What
// the text itself says is left to the Assembler of the program, which package sim registers.
//
// # From elements to registers
//
// The text runs once for each group of pack consecutive elements of every argument. Elements narrower than 32 bits
// share a register, the first in its low bits, as many as pack allows; the others have one each. So $0, $1, … are the
// registers of the first result, those of the second, …, then those of the arguments in their order. A constraint gives
// each register its size; an element that is narrower is in the low bits, extended with zeros.
package inline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/num"
)

// Operand is one register of the text.
type Operand struct {
	Value      int // which result or argument
	First      int // the first of its elements in the group
	Count      int // how many it holds
	Constraint string
}

// DType is the unsigned integer as wide as the register.
func (o Operand) DType() num.DType { return num.Unsigned(constraintTypes[o.Constraint].bits) }

// Asm is a checked text. It is not changed once made.
type Asm struct {
	Results, Args []Operand
	Text
	pack    int
	results []num.DType
	args    []num.DType
}

// Error says what is wrong with a text for its constraints and dtypes: a code of package diag with its arguments.
type Error struct {
	Code string
	Args []any // int or string
}

func (e *Error) Error() string {
	words := []string{e.Code}
	for _, a := range e.Args {
		if s, ok := a.(string); ok {
			words = append(words, s)
		}
	}
	return strings.Join(words, ": ")
}

// The codes in addition to those of assemblers. The comments name the arguments.
const (
	UnknownConstraint = "asm-constraint"       // the constraint
	MisplacedOutput   = "asm-constraint-order" // the constraint
	ConstraintCount   = "asm-constraint-count" // outputs wanted, inputs wanted, outputs given, inputs given
	TooWide           = "asm-constraint-width" // operand number, constraint, its bits, dtype, bits needed
	BadPack           = "asm-pack"             // pack
	Malformed         = "asm-syntax"           // line, the assembler's words
	NotOnTarget       = "asm-target"           // the instruction, the target
	noAssembler       = "internal-error"       // what is missing
)

// MaxPack is the most elements of a group.
const MaxPack = 64

// constraint is a letter that says which registers an operand may have (LLVM Language Reference Manual, "Supported
// Constraint Code List", NVPTX).
type constraint struct {
	register string // its type in PTX
	bits     int
}

var constraintTypes = map[string]constraint{
	"b": {"pred", 1}, "c": {"b16", 16}, "h": {"b16", 16}, "r": {"b32", 32}, "l": {"b64", 64}, "f": {"f32", 32},
	"d": {"f64", 64},
}

// Constraints cuts a constraint string into those of outputs, without =, and those of inputs. Clobbers, ~{…}, say
// nothing here.
func Constraints(text string) (outputs, inputs []string, err *Error) {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if word == "" && text == "" || strings.HasPrefix(word, "~{") {
			continue
		}
		letter, output := strings.CutPrefix(word, "=")
		if output {
			letter = strings.TrimPrefix(letter, "&") // outputs never share a register with inputs
		}
		_, known := constraintTypes[letter]
		switch {
		case !known && (output || !IsImmediate(letter)):
			return nil, nil, &Error{UnknownConstraint, []any{word}}
		case output && len(inputs) > 0:
			return nil, nil, &Error{MisplacedOutput, []any{word}}
		case output:
			outputs = append(outputs, letter)
		default:
			inputs = append(inputs, letter)
		}
	}
	return outputs, inputs, nil
}

// IsImmediate reports whether a constraint asks for a number known at compile time, which is written into the text.
func IsImmediate(letter string) bool { return letter == "n" || letter == "i" }

// Substitute writes out operands of a text: those for which immediate has a text become that, the others are numbered
// again without them.
func Substitute(text string, immediates map[int]string) string {
	if len(immediates) == 0 {
		return text
	}
	var out strings.Builder
	for {
		before, after, found := strings.Cut(text, "$")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if rest, ok := strings.CutPrefix(after, "$"); ok {
			out.WriteString("$$")
			text = rest
			continue
		}
		inner, braced := strings.CutPrefix(after, "{")
		digits := inner[:len(inner)-len(strings.TrimLeft(inner, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil {
			out.WriteByte('$')
			text = after
			continue
		}
		text = inner[len(digits):]
		if braced {
			text = strings.TrimPrefix(text, "}")
		}
		if immediate, ok := immediates[n]; ok {
			out.WriteString(immediate)
			continue
		}
		left := n
		for i := range immediates {
			if i < n {
				left--
			}
		}
		fmt.Fprintf(&out, "${%d}", left)
	}
}

// Registers is how many registers hold a group of pack elements of a dtype, and how many elements one of them holds.
func Registers(d num.DType, pack int) (count, each int) {
	each = 1
	if bits := d.Info().Bits; bits > 1 && bits < 32 {
		each = min(32/bits, pack)
	}
	return pack / each, each
}

// question is what Parse is asked; the dtypes are bytes.
type question struct {
	text, constraints, results, args string
	pack                             int
}

var (
	mu     sync.Mutex
	parsed = map[question]*Asm{}
)

// mostParsed bounds parsed: each has tables, and runners check text that anybody may have written.
const mostParsed = 64

// Parse checks text against its constraints, and both against the dtypes. The error is an *Error. It remembers what it
// was asked last, since an unrolled loop has the same text again and again.
func Parse(text, constraints string, results, args []num.DType, pack int) (*Asm, error) {
	q := question{text, constraints, dtypeBytes(results), dtypeBytes(args), pack}
	mu.Lock()
	a := parsed[q]
	mu.Unlock()
	if a != nil {
		return a, nil
	}
	a, err := parse(text, constraints, slices.Clone(results), slices.Clone(args), pack)
	if err != nil {
		return nil, err
	}
	mu.Lock()
	if len(parsed) >= mostParsed {
		clear(parsed)
	}
	parsed[q] = a
	mu.Unlock()
	return a, nil
}

func dtypeBytes(list []num.DType) string {
	b := make([]byte, len(list))
	for i, d := range list {
		b[i] = byte(d)
	}
	return string(b)
}

func parse(text, constraints string, results, args []num.DType, pack int) (*Asm, error) {
	if pack < 1 || pack > MaxPack || pack&(pack-1) != 0 {
		return nil, &Error{BadPack, []any{pack}}
	}
	outputs, inputs, err := Constraints(constraints)
	if err != nil {
		return nil, err
	}
	a := &Asm{pack: pack, results: results, args: args}
	a.Results, a.Args = operandsOf(results, pack), operandsOf(args, pack)
	if len(a.Results) != len(outputs) || len(a.Args) != len(inputs) {
		return nil, &Error{ConstraintCount, []any{len(a.Results), len(a.Args), len(outputs), len(inputs)}}
	}
	var registers []string
	number := 0
	for _, list := range []struct {
		operands []Operand
		letters  []string
		dtypes   []num.DType
	}{{a.Results, outputs, results}, {a.Args, inputs, args}} {
		for i := range list.operands {
			o := &list.operands[i]
			o.Constraint = list.letters[i]
			kind, ok := constraintTypes[o.Constraint]
			if !ok { // an immediate that lowering has not put into the text
				return nil, &Error{UnknownConstraint, []any{o.Constraint}}
			}
			d := list.dtypes[o.Value]
			if need := o.Count * d.Info().Bits; need > kind.bits {
				return nil, &Error{TooWide, []any{number, o.Constraint, kind.bits, d.Info().Name, need}}
			}
			registers = append(registers, kind.register)
			number++
		}
	}
	if a.Text, err = assemble(text, registers); err != nil {
		return nil, err
	}
	return a, nil
}

// operandsOf are the registers of values of the given dtypes.
func operandsOf(dtypes []num.DType, pack int) []Operand {
	var list []Operand
	for v, d := range dtypes {
		count, each := Registers(d, pack)
		for i := range count {
			list = append(list, Operand{Value: v, First: i * each, Count: each})
		}
	}
	return list
}

// On checks that a target has the instructions, and gives the PTX version, times ten, that they need.
func (a *Asm) On(target string) (version int, err *Error) {
	version, missing := a.Version(target)
	if missing != "" {
		return 0, &Error{NotOnTarget, []any{missing, target}}
	}
	return version, nil
}
