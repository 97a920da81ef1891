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
	p.next()
	for p.tok == "#" || p.tok == "$" {
		read := map[string]func() error{"#": p.layout, "$": p.mem}[p.take()]
		if err := read(); err != nil {
			return nil, nil, err
		}
	}
	if err := p.function(); err != nil {
		return nil, nil, err
	}
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

type parser struct {
	lexer
	b       *Builder
	layouts []*layout.Layout
	mems    []*layout.Mem
	values  map[string]*Value // by name in the text; nil once out of scope
	scope   []string          // names in the order they were defined
	lines   map[*Instr]int    // where each instruction begins
}

func (p *parser) fail(format string, args ...any) error {
	return &SyntaxError{p.line, fmt.Sprintf(format, args...)}
}

// accept moves on if the current token is tok.
func (p *parser) accept(tok string) bool {
	if p.tok != tok {
		return false
	}
	p.next()
	return true
}

func (p *parser) expect(toks ...string) error {
	for _, tok := range toks {
		if !p.accept(tok) {
			return p.fail("want %q, found %q", tok, p.tok)
		}
	}
	return nil
}

func (p *parser) take() string {
	tok := p.tok
	p.next()
	return tok
}

func (p *parser) function() error {
	if err := p.expect("func", "@"); err != nil {
		return err
	}
	p.b = NewBuilder(p.take())
	if err := p.expect("("); err != nil {
		return err
	}
	for i := 0; p.tok != ")"; i++ {
		if err := p.parameter(i); err != nil {
			return err
		}
	}
	if err := p.expect(")", "{"); err != nil {
		return err
	}
	if err := p.instrs(); err != nil {
		return err
	}
	if p.tok != "" {
		return p.fail("text after the function: %q", p.tok)
	}
	return nil
}

func (p *parser) parameter(i int) error {
	name, t, err := p.typedName(i)
	if err != nil {
		return err
	}
	divisible := int64(1)
	if p.accept("{") {
		if err := p.expect("div", "="); err != nil {
			return err
		}
		if divisible, err = p.integer(); err != nil {
			return err
		}
		if err := p.expect("}"); err != nil {
			return err
		}
		if divisible < 1 || divisible > math.MaxInt32 {
			return p.fail("divisibility %d", divisible)
		}
	}
	v := p.b.Param(nameOf(name), t.Type, int(divisible))
	return p.bind(name, v)
}

// typedName reads %name: type, with a comma before all but the first.
func (p *parser) typedName(i int) (name string, t placedType, err error) {
	if i > 0 {
		if err := p.expect(","); err != nil {
			return "", t, err
		}
	}
	name = p.take()
	if !strings.HasPrefix(name, "%") {
		return "", t, p.fail("want a value's name, found %q", name)
	}
	if err := p.expect(":"); err != nil {
		return "", t, err
	}
	t, err = p.typ()
	return name, t, err
}

// nameOf is the variable's name in a value's: %acc#2 is acc, %12 has none.
func nameOf(text string) string {
	name, _, _ := strings.Cut(text[1:], "#")
	if _, err := strconv.ParseUint(name, 10, 32); err == nil {
		return ""
	}
	return name
}

func (p *parser) bind(name string, v *Value) error {
	if _, taken := p.values[name]; taken {
		return p.fail("%s is defined twice", name)
	}
	if v.Name = nameOf(name); v.Name != "" && !validName(v.Name) {
		return p.fail("%s is not a name", name)
	}
	p.values[name] = v
	p.scope = append(p.scope, name)
	return nil
}

// instrs reads instructions up to and with the closing brace and ends their scope.
func (p *parser) instrs() error {
	mark := len(p.scope)
	for !p.accept("}") {
		if p.tok == "" {
			return p.fail("missing }")
		}
		if err := p.instr(); err != nil {
			return err
		}
	}
	for _, name := range p.scope[mark:] {
		p.values[name] = nil
	}
	p.scope = p.scope[:mark]
	return nil
}

func (p *parser) instr() error {
	line := p.line
	var results []string
	for strings.HasPrefix(p.tok, "%") {
		results = append(results, p.take())
		if !p.accept(",") {
			if err := p.expect("="); err != nil {
				return err
			}
			break
		}
	}
	op, ok := ops.ByName(p.tok)
	if !ok {
		return p.fail("unknown operation %q", p.tok)
	}
	p.next()
	operands, err := p.operands(line)
	if err != nil {
		return err
	}
	attrs, err := p.attrs(op)
	if err != nil {
		return err
	}
	declared, err := p.types()
	if err != nil {
		return err
	}
	regions, span, err := p.regions(op)
	if err != nil {
		return err
	}
	values, m := p.b.EmitRegions(span, op, operands, regions, attrs...)
	if m != nil {
		return &SyntaxError{line, m.Error()}
	}
	block := p.b.stack[len(p.b.stack)-1].Instrs
	p.lines[block[len(block)-1]] = line
	return p.results(line, op, results, declared, values)
}

// results compares what the text declares with what the operation gives, and names it.
func (p *parser) results(line int, op ops.Op, names []string, declared []placedType, values []*Value) error {
	if len(names) != len(values) || len(declared) != len(values) {
		return &SyntaxError{line, fmt.Sprintf("%s gives %d values, here are %d names and %d types", op, len(values),
			len(names), len(declared))}
	}
	for i, v := range values {
		if !v.Type.Equal(declared[i].Type) {
			return &SyntaxError{line, fmt.Sprintf("%s gives %s, not %s", op, v.Type, declared[i].Type)}
		}
		v.Layout, v.Mem = declared[i].layout, declared[i].mem
		if err := p.bind(names[i], v); err != nil {
			return err
		}
	}
	return nil
}

// operands begin in the line of their instruction: a name in the next line is another's result.
func (p *parser) operands(line int) ([]*Value, error) {
	var operands []*Value
	if p.line != line {
		return nil, nil
	}
	for p.tok == "_" || strings.HasPrefix(p.tok, "%") {
		v := p.values[p.tok]
		if v == nil && p.tok != "_" {
			return nil, p.fail("%s is not defined here", p.tok)
		}
		p.next()
		operands = append(operands, v)
		if !p.accept(",") {
			break
		}
	}
	return operands, nil
}

// regions reads op's regions and the span, which follows the first region's brace or, where
// there is none, at the end of the instruction.
func (p *parser) regions(op ops.Op) (regions []*Block, span source.Span, err error) {
	for i, name := range op.Def().Regions {
		if len(p.b.stack) > MaxDepth {
			return nil, span, p.fail("more than %d regions inside each other", MaxDepth)
		}
		if err := p.expect(name); err != nil {
			return nil, span, err
		}
		r := p.b.Block()
		mark := len(p.scope)
		if err := p.blockArgs(r); err != nil {
			return nil, span, err
		}
		if err := p.expect("{"); err != nil {
			return nil, span, err
		}
		if i == 0 {
			if span, err = p.span(); err != nil {
				return nil, span, err
			}
		}
		p.b.Push(r)
		err := p.instrs()
		p.b.Pop()
		if err != nil {
			return nil, span, err
		}
		for _, name := range p.scope[mark:] {
			p.values[name] = nil
		}
		p.scope = p.scope[:mark]
		regions = append(regions, r)
	}
	if len(regions) == 0 {
		span, err = p.span()
	}
	return regions, span, err
}

func (p *parser) blockArgs(r *Block) error {
	if !p.accept("(") {
		return nil
	}
	for i := 0; !p.accept(")"); i++ {
		name, t, err := p.typedName(i)
		if err != nil {
			return err
		}
		v := p.b.AddArg(r, t.Type)
		v.Layout, v.Mem = t.layout, t.mem
		if err := p.bind(name, v); err != nil {
			return err
		}
	}
	return nil
}
