package sim

import (
	"math"
	"strconv"
	"strings"
)

type operandKind uint8

const (
	operandName    operandKind = iota // register, special register, symbol + imm, label
	operandInt                        // imm
	operandF32                        // imm holds fp32 bits
	operandF64                        // imm holds fp64 bits
	operandVector                     // elems
	operandAddress                    // [elems[0] + imm], or [elems[0], ...] with more operands in brackets
	operandSink                       // _
)

// operand is one operand as written. Two joined by | are a name with a second.
type operand struct {
	kind   operandKind
	name   string
	negate bool // !p
	imm    uint64
	elems  []operand
	second *operand
}

// statement is one instruction as written.
type statement struct {
	line      int
	opcode    string
	guard     string // predicate register, or ""
	guardNot  bool
	args      []operand
	registers *scope
}

// Operands nest this deep and hold this many elements at most; wgmma's accumulators are the longest.
const (
	maxDepth    = 4
	maxElements = 256
)

// parser reads tokens with one of lookahead. The first error stays in err and ends the input.
type parser struct {
	lex lexer
	tok token
	err *LoadError
}

func (p *parser) advance() token {
	t := p.tok
	next, err := p.lex.next()
	if err != nil {
		p.stop(err)
		return t
	}
	if p.err == nil {
		p.tok = next
	}
	return t
}

func (p *parser) stop(err *LoadError) {
	if p.err == nil {
		p.err = err
	}
	p.tok = token{line: p.tok.line}
}

func (p *parser) failf(format string, args ...any) {
	e := p.lex.errorf(format, args...)
	e.Line = p.tok.line
	p.stop(e)
}

func (p *parser) at(text string) bool {
	return p.tok.text == text && p.tok.kind != tokenString && p.tok.kind != tokenEnd
}

func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.failf("%q is missing before %q", text, p.tok.text)
	}
}

func (p *parser) ident(what string) string {
	if p.tok.kind != tokenName {
		p.failf("%s is missing before %q", what, p.tok.text)
		return ""
	}
	return p.advance().text
}

// integer reads a number from 0 to limit.
func (p *parser) integer(what string, limit uint64) int {
	v, err := strconv.ParseUint(strings.TrimSuffix(p.tok.text, "U"), 0, 63)
	if p.tok.kind != tokenNumber || err != nil || v > limit {
		p.failf("%s must be a number up to %d, not %q", what, limit, p.tok.text)
		return 0
	}
	p.advance()
	return int(v)
}

// instruction reads a guard, an opcode and operands up to the semicolon.
func (p *parser) instruction() statement {
	s := statement{line: p.tok.line}
	if p.accept("@") {
		s.guardNot = p.accept("!")
		s.guard = p.ident("a predicate")
		s.line = p.tok.line
	}
	s.opcode = p.ident("an opcode")
	for p.err == nil && !p.at(";") {
		if len(s.args) > 0 {
			p.expect(",")
		}
		s.args = append(s.args, p.operand(0))
		if len(s.args) > 16 {
			p.failf("an instruction has at most 16 operands")
		}
	}
	p.expect(";")
	return s
}

func (p *parser) operand(depth int) operand {
	if depth > maxDepth {
		p.failf("operands are nested too deep")
	}
	if p.err != nil {
		return operand{}
	}
	var o operand
	switch {
	case p.accept("{"):
		o.kind = operandVector
		o.elems = p.elements("}", depth)
	case p.accept("["):
		o = p.address(depth)
	case p.accept("!"):
		o.negate = true
		o.name = p.ident("a predicate")
	case p.tok.kind == tokenNumber || p.at("-") || p.at("+"):
		o = p.literal()
	case p.accept("_"):
		o.kind = operandSink
	default:
		o.name = p.ident("an operand")
		if depth == 0 && (p.at("+") || p.at("-")) {
			o.imm = p.offset()
		}
	}
	if depth == 0 && p.accept("|") {
		second := p.operand(1)
		o.second = &second
	}
	return o
}

func (p *parser) elements(end string, depth int) []operand {
	var list []operand
	for p.err == nil && !p.accept(end) {
		if len(list) > 0 {
			p.expect(",")
		}
		if len(list) >= maxElements {
			p.failf("a vector has at most %d elements", maxElements)
		}
		list = append(list, p.operand(depth+1))
	}
	return list
}

func (p *parser) address(depth int) operand {
	o := operand{kind: operandAddress, elems: []operand{p.operand(depth + 1)}}
	if p.at("+") || p.at("-") {
		o.imm = p.offset()
	}
	if p.accept(",") {
		o.elems = append(o.elems, p.elements("]", depth)...)
		return o
	}
	p.expect("]")
	return o
}

// offset reads what is added to an address: an integer after + or -.
func (p *parser) offset() uint64 {
	minus := p.advance().text == "-"
	off := p.literal()
	if off.kind != operandInt {
		p.failf("an address's offset must be an integer")
	}
	if minus {
		return -off.imm
	}
	return off.imm
}

// literal reads a number with its signs: decimal, 0x, 0b and 0 octal integers, 0f and 0d bit
// patterns, decimal floats.
func (p *parser) literal() operand {
	minus := false
	for p.at("-") || p.at("+") {
		minus = minus != (p.advance().text == "-")
	}
	text := p.tok.text
	if p.tok.kind != tokenNumber {
		p.failf("a number is missing before %q", text)
		return operand{}
	}
	o, ok := parseLiteral(text)
	if !ok {
		p.failf("%q is not a number", text)
		return operand{}
	}
	p.advance()
	if minus {
		o.imm = [...]uint64{
			operandInt: -o.imm,
			operandF32: o.imm ^ signBit(32),
			operandF64: o.imm ^ signBit(64),
		}[o.kind]
	}
	return o
}

func parseLiteral(text string) (operand, bool) {
	lower := strings.ToLower(text)
	if bits, ok := strings.CutPrefix(lower, "0f"); ok && len(bits) == 8 {
		v, err := strconv.ParseUint(bits, 16, 32)
		return operand{kind: operandF32, imm: v}, err == nil
	}
	if bits, ok := strings.CutPrefix(lower, "0d"); ok && len(bits) == 16 {
		v, err := strconv.ParseUint(bits, 16, 64)
		return operand{kind: operandF64, imm: v}, err == nil
	}
	// Go's numbers may have _ and 0o, PTX's may not.
	n, err := strconv.ParseUint(strings.TrimSuffix(lower, "u"), 0, 64)
	if err == nil && !strings.ContainsAny(lower, "_o") {
		return operand{kind: operandInt, imm: n}, true
	}
	v, err := strconv.ParseFloat(text, 64)
	decimal := strings.Contains(text, ".") && !strings.Contains(lower, "x")
	return operand{kind: operandF64, imm: math.Float64bits(v)}, err == nil && decimal
}
