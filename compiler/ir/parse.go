package ir

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// Parse reads the text form that Print and String write. Errors are *SyntaxError and carry the
// line. What it returns passes Verify, or, if the text begins with layouts, VerifyPlaced.
func Parse(text string) (*Func, error) {
	f, _, err := parse(text)
	return f, err
}

// ParseFile is Parse of a file, where each instruction has the span of the line that it begins in.
func ParseFile(file *source.File) (*Func, error) {
	f, lines, err := parse(file.Text)
	for in, line := range lines {
		in.Span = file.LineSpan(line)
	}
	return f, err
}

func parse(text string) (f *Func, lines map[*Instr]int, err error) {
	p := &parser{lexer: lexer{text: text, line: 1}, values: map[string]*Value{}, lines: map[*Instr]int{}}
	defer func() {
		if r := recover(); r != nil {
			wrong, ok := r.(*SyntaxError)
			if !ok {
				panic(r)
			}
			f, lines, err = nil, nil, wrong
		}
	}()
	p.next()
	for p.tok == "#" || p.tok == "$" {
		map[string]func(){"#": p.layout, "$": p.mem}[p.take()]()
	}
	p.function()
	f = p.b.Finish()
	verify := Verify
	if p.layouts != nil || p.mems != nil {
		verify = VerifyPlaced
	}
	if errs := verify(f); len(errs) > 0 {
		return nil, nil, &SyntaxError{cmp.Or(p.lines[errs[0].In], p.line), errs[0].Text}
	}
	return f, p.lines, nil
}

// parser panics with a *SyntaxError where the text is wrong.
type parser struct {
	lexer
	b       *Builder
	layouts []*layout.Layout
	mems    []*layout.Mem
	values  map[string]*Value // by name in the text; nil once out of scope
	scope   []string          // names in the order they were defined
	lines   map[*Instr]int    // where each instruction begins
}

func (p *parser) fail(format string, args ...any) { p.failAt(p.line, format, args...) }

func (p *parser) failAt(line int, format string, args ...any) {
	panic(&SyntaxError{line, fmt.Sprintf(format, args...)})
}

// accept moves on if the current token is tok.
func (p *parser) accept(tok string) bool {
	if p.tok != tok {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(toks ...string) {
	for _, tok := range toks {
		if !p.accept(tok) {
			p.fail("want %q, found %q", tok, p.tok)
		}
	}
}

func (p *parser) take() string {
	tok := p.tok
	p.next()
	return tok
}

// list reads what item reads, with commas between, up to and with end.
func (p *parser) list(end string, item func()) {
	for i := 0; !p.accept(end); i++ {
		if i > 0 {
			p.expect(",")
		}
		item()
	}
}

func (p *parser) function() {
	p.expect("func", "@")
	p.b = NewBuilder(p.take())
	p.expect("(")
	p.list(")", p.parameter)
	p.expect("{")
	p.instrs()
	if p.tok != "" {
		p.fail("text after the function: %q", p.tok)
	}
}

func (p *parser) parameter() {
	name, t := p.typedName()
	divisible := int64(1)
	if p.accept("{") {
		p.expect("div", "=")
		divisible = p.integer()
		p.expect("}")
		if divisible < 1 || divisible > math.MaxInt32 {
			p.fail("divisibility %d", divisible)
		}
	}
	p.bind(name, p.b.Param(nameOf(name), t.Type, int(divisible)))
}

// typedName reads %name: type.
func (p *parser) typedName() (name string, t placedType) {
	name = p.take()
	if !strings.HasPrefix(name, "%") {
		p.fail("want a value's name, found %q", name)
	}
	p.expect(":")
	return name, p.typ()
}

// nameOf is the variable's name in a value's: %acc#2 is acc, %12 has none.
func nameOf(text string) string {
	name, _, _ := strings.Cut(text[1:], "#")
	if _, err := strconv.ParseUint(name, 10, 32); err == nil {
		return ""
	}
	return name
}

func (p *parser) bind(name string, v *Value) {
	if _, taken := p.values[name]; taken {
		p.fail("%s is defined twice", name)
	}
	if v.Name = nameOf(name); v.Name != "" && !validName(v.Name) {
		p.fail("%s is not a name", name)
	}
	p.values[name] = v
	p.scope = append(p.scope, name)
}

// instrs reads instructions up to and with the closing brace and ends their scope.
func (p *parser) instrs() {
	mark := len(p.scope)
	for !p.accept("}") {
		if p.tok == "" {
			p.fail("missing }")
		}
		p.instr()
	}
	p.leave(mark)
}

// leave ends the scope of the names since mark.
func (p *parser) leave(mark int) {
	for _, name := range p.scope[mark:] {
		p.values[name] = nil
	}
	p.scope = p.scope[:mark]
}

func (p *parser) instr() {
	line := p.line
	var results []string
	for strings.HasPrefix(p.tok, "%") {
		results = append(results, p.take())
		if !p.accept(",") {
			p.expect("=")
			break
		}
	}
	op, ok := ops.ByName(p.tok)
	if !ok {
		p.fail("unknown operation %q", p.tok)
	}
	p.next()
	operands, attrs := p.operands(line), p.attrs(op)
	var scratch *Value
	if p.accept("through") {
		scratch = p.operand()
	}
	declared := p.types()
	regions, span := p.regions(op)
	values, m := p.b.EmitRegions(span, op, operands, regions, attrs...)
	if m != nil {
		p.failAt(line, "%s", m.Error())
	}
	block := p.b.Current().Instrs
	in := block[len(block)-1]
	in.Scratch, p.lines[in] = scratch, line
	p.results(line, op, results, declared, values)
}

// results compares what the text declares with what the operation gives, and names it.
func (p *parser) results(line int, op ops.Op, names []string, declared []placedType, values []*Value) {
	if len(names) != len(values) || len(declared) != len(values) {
		p.failAt(line, "%s gives %d values, here are %d names and %d types", op, len(values), len(names), len(declared))
	}
	for i, v := range values {
		if !v.Type.Equal(declared[i].Type) {
			p.failAt(line, "%s gives %s, not %s", op, v.Type, declared[i].Type)
		}
		v.Layout, v.Mem = declared[i].layout, declared[i].mem
		p.bind(names[i], v)
	}
}

// operands begin in the line of their instruction: a name in the next line is another's result.
func (p *parser) operands(line int) (operands []*Value) {
	if p.line != line {
		return nil
	}
	for p.tok == "_" || strings.HasPrefix(p.tok, "%") {
		if operands = append(operands, p.operand()); !p.accept(",") {
			break
		}
	}
	return operands
}

// operand is the value that a name stands for; nil that of _.
func (p *parser) operand() *Value {
	v := p.values[p.tok]
	if v == nil && p.tok != "_" {
		p.fail("%s is not defined here", p.tok)
	}
	p.next()
	return v
}

// regions reads op's regions and the span, which follows the first region's brace or, where
// there is none, at the end of the instruction.
func (p *parser) regions(op ops.Op) (regions []*Block, span source.Span) {
	for i, name := range op.Def().Regions {
		if len(p.b.stack) > MaxDepth {
			p.fail("more than %d regions inside each other", MaxDepth)
		}
		p.expect(name)
		r, mark := p.b.Block(), len(p.scope)
		p.blockArgs(r)
		p.expect("{")
		if i == 0 {
			span = p.span()
		}
		p.b.Push(r)
		p.instrs()
		p.b.Pop()
		p.leave(mark)
		regions = append(regions, r)
	}
	if len(regions) == 0 {
		span = p.span()
	}
	return regions, span
}

func (p *parser) blockArgs(r *Block) {
	if !p.accept("(") {
		return
	}
	p.list(")", func() {
		name, t := p.typedName()
		v := p.b.AddArg(r, t.Type)
		v.Layout, v.Mem = t.layout, t.mem
		p.bind(name, v)
	})
}
