package sim

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/ptx/isa"
)

func init() {
	inline.Register(func(text string, registers []string) (inline.Text, *inline.Error) {
		in, err := ParseInline(text, registers)
		if err != nil {
			return nil, inlineError(err)
		}
		return in, nil
	})
}

// inlineError is an error of ParseInline as a code of package diag with its arguments.
func inlineError(err error) *inline.Error {
	var refusal *Refusal
	if errors.As(err, &refusal) {
		return &inline.Error{Code: string(refusal.Reason), Args: []any{refusal.Line, refusal.Name}}
	}
	var load *LoadError
	errors.As(err, &load)
	return &inline.Error{Code: inline.Malformed, Args: []any{load.Line, load.Message}}
}

// Inline is checked inline assembly: declarations of registers and straight-line instructions that compute each lane
// by itself. The text comes from anybody, so what it may have is a list (laneOpcodes): no memory, no branches, nothing
// that other threads take part in. It is not changed once made.
type Inline struct {
	tokens    []token
	kernel    *kernel
	operands  []*register
	temporary []int32 // slots that are neither operands nor constants
	opcodes   []opcode
}

// opcode is what an instruction needs of a target.
type opcode struct {
	*isa.Op
	arity int
}

// Reason is why inline assembly may not have what PTX has: a code of package diag, whose arguments are the line and
// what is refused.
type Reason string

// The reasons.
const (
	RefusedMemory    Reason = "asm-memory"
	RefusedControl   Reason = "asm-control"
	RefusedBarrier   Reason = "asm-barrier"
	RefusedLanes     Reason = "asm-lanes"
	RefusedDirective Reason = "asm-directive"
	RefusedUnknown   Reason = "asm-unknown"
	RefusedOperand   Reason = "asm-operand" // $7, with fewer operands
)

// Refusal is an instruction, a directive or a special register that inline assembly may not have.
type Refusal struct {
	Line   int // 1-based
	Name   string
	Reason Reason
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("line %d: inline assembly cannot have %s (%s)", r.Line, r.Name, r.Reason)
}

// refusals are the instructions that PTX has and inline assembly may not have, by the opcode's first part or two.
var refusals = func() map[string]Reason {
	m := map[string]Reason{}
	for reason, words := range map[Reason]string{
		RefusedMemory: "ld ldu st atom red cp prefetch prefetchu applypriority discard createpolicy cvta isspacep mapa " +
			"multimem tex tld4 txq suld sust sured suq tensormap alloca",
		RefusedControl: "bra brx call ret exit trap brkpt stacksave stackrestore pmevent setmaxnreg",
		RefusedBarrier: "bar barrier fence.proxy nanosleep mbarrier griddepcontrol clusterlaunchcontrol",
		RefusedLanes: "shfl vote match redux activemask elect mma wmma wgmma ldmatrix stmatrix movmatrix tcgen05 " +
			"getctarank",
	} {
		for _, w := range strings.Fields(words) {
			m[w] = reason
		}
	}
	return m
}()

// inlineSpecials are the special registers that tell nothing of how elements are laid out over threads.
var inlineSpecials = []string{"%clock", "%clock64", "%globaltimer", "%globaltimer_lo", "%smid", "%nsmid"}

// newestVersion is the newest PTX version, times ten, that any instruction of package isa needs.
const newestVersion = 84

// Limits on inline text.
const (
	maxInlineText         = 4096 // bytes, as of any string of the IR
	maxInlineInstructions = 1 << 12
	maxInlineRegisters    = 1 << 12
)

// ParseInline checks text whose operands are named $0, $1, … (${0} and, for a dollar sign, $$ too) and have registers
// of the given types: "b32", "pred". The error is a *Refusal or a *LoadError.
func ParseInline(text string, operands []string) (*Inline, error) {
	if len(text) > maxInlineText {
		return nil, &LoadError{Line: 1, Message: fmt.Sprintf("the text has more than %d bytes", maxInlineText)}
	}
	p := inlineParser{loader: loader{parser: parser{lex: lexer{text: expandBraces(text), line: 1}}, module: &Module{}}}
	p.source = &source{symbols: map[string]symbol{}, labels: map[string]int{}, target: arch.Default,
		version: newestVersion}
	p.push(p.source)
	in := &Inline{kernel: &kernel{slots: reserved}}
	for i, t := range operands {
		r := &register{typ: types[t]}
		in.operands = append(in.operands, r)
		p.source.scope.names[fmt.Sprintf("$%d", i)] = r
	}
	p.push(p.source)
	if in.tokens = tokensOf(p.lex.text); !p.checkNames(in.tokens, len(operands)) {
		return nil, p.refused
	}
	p.tok.line = 1
	p.advance()
	for p.err == nil && p.refused == nil && p.tok.kind != tokenEnd {
		p.item()
	}
	if p.err == nil && p.refused == nil && p.source.depth > 2 {
		p.failf("a { has no }")
	}
	switch {
	case p.refused != nil:
		return nil, p.refused
	case p.err != nil:
		return nil, p.err
	}
	if err := in.decode(p.source); err != nil {
		return nil, err
	}
	return in, nil
}

// expandBraces writes ${0} as $0.
func expandBraces(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], "${")
		if i < 0 {
			return text
		}
		i += from
		end := strings.IndexByte(text[i:], '}')
		if end < 0 || strings.Trim(text[i+2:i+end], "0123456789") != "" || end == 2 {
			from = i + 2
			continue
		}
		// A space keeps the number apart from digits that follow.
		text = text[:i] + "$" + text[i+2:i+end] + " " + text[i+end+1:]
		from = i + 1
	}
}

// inlineParser reads inline text: the first refusal or error ends it.
type inlineParser struct {
	loader
	source  *source
	refused *Refusal
}

// checkNames refuses names that begin with one $ and are not an operand's.
func (p *inlineParser) checkNames(tokens []token, operands int) bool {
	for _, t := range tokens {
		if operandNumber(t.text) >= operands {
			p.refused = &Refusal{t.line, t.text, RefusedOperand}
			return false
		}
	}
	return true
}

func (p *inlineParser) refuse(name string, reason Reason) {
	p.refused = &Refusal{p.tok.line, name, reason}
}

func (p *inlineParser) item() {
	s := p.source
	word := p.tok.text
	switch {
	case p.accept("{"):
		p.push(s)
	case p.at("}") && s.depth == 2:
		p.failf("a } has no {")
	case p.accept("}"):
		s.scope, s.depth = s.scope.outer, s.depth-1
	case p.accept(".reg"):
		p.registers(s.scope)
		p.checkDeclared(s.scope)
	case p.accept(";"):
	case p.tok.kind == tokenName && strings.HasPrefix(word, "."):
		p.refuse(word, RefusedDirective)
	case p.tok.kind == tokenName && strings.HasPrefix(strings.TrimLeft(p.lex.text[p.lex.pos:], " \t"), ":"):
		p.refuse(word+":", RefusedControl)
	default:
		p.statement()
	}
}

// checkDeclared refuses registers with the name of an operand or of a special register, and what is no identifier.
func (p *inlineParser) checkDeclared(s *scope) {
	check := func(name string) {
		if _, special := specialIndex[name]; special || operandNumber(name) >= 0 || strings.ContainsAny(name, ".:") {
			p.failf("a register cannot have the name %s", name)
		}
	}
	for name := range s.names {
		check(name)
	}
	for name := range s.families {
		check(name)
	}
}

func (p *inlineParser) statement() {
	line := p.tok.line
	// The opcode first: what a refused instruction has for operands is of no matter.
	opcode := p.tok.text
	if p.at("@") {
		opcode = p.afterGuard()
	}
	words := isa.Lookup(opcode).Words
	for n := range min(len(words), 2) {
		if reason, ok := refusals[strings.Join(words[:n+1], ".")]; ok {
			p.refuse(opcode, reason)
			return
		}
	}
	st := p.instruction()
	if p.err != nil {
		return
	}
	st.registers = p.source.scope
	p.source.code = append(p.source.code, st)
	if len(p.source.code) > maxInlineInstructions {
		p.failf("it has more than %d instructions", maxInlineInstructions)
	}
	if len(isa.Lookup(st.opcode).Forms) == 0 {
		p.refused = &Refusal{line, st.opcode, RefusedUnknown}
		return
	}
	for i := range st.args {
		p.specials(&st.args[i])
	}
}

// afterGuard is the opcode behind the guard that comes next.
func (p *inlineParser) afterGuard() string {
	ahead := p.lex
	for range 2 {
		t, err := ahead.next()
		if err != nil || t.text != "!" {
			t, _ = ahead.next()
			return t.text
		}
	}
	return ""
}

// specials refuses special registers that depend on the thread.
func (p *inlineParser) specials(o *operand) {
	if _, ok := specialIndex[o.name]; ok && !slices.Contains(inlineSpecials, o.name) && p.refused == nil {
		p.refuse(o.name, RefusedLanes)
	}
	for i := range o.elems {
		p.specials(&o.elems[i])
	}
	if o.second != nil {
		p.specials(o.second)
	}
}

func (in *Inline) decode(s *source) error {
	d := &decoder{kernel: in.kernel, source: s, opcodes: laneOpcodes(), constants: map[uint64]int32{}}
	for _, r := range in.operands {
		d.slot(r)
	}
	for i := range s.code {
		st := &s.code[i]
		c := newCursor(d, st)
		in.opcodes = append(in.opcodes, opcode{c.op, len(st.args)})
		in.kernel.code = append(in.kernel.code, c.decodeInst())
		if c.err != nil {
			return c.err
		}
		if d.slots > maxInlineRegisters {
			return &LoadError{Line: st.line, Message: fmt.Sprintf("it uses more than %d registers", maxInlineRegisters)}
		}
	}
	for i := reserved + len(in.operands); i < d.slots; i++ {
		in.temporary = append(in.temporary, int32(i))
	}
	return nil
}

// Len implements inline.Text.
func (in *Inline) Len() int { return len(in.kernel.code) }

// FrameBytes implements inline.Text.
func (in *Inline) FrameBytes() int64 {
	const lane = 8 * warpSize
	return int64(in.kernel.slots+len(in.operands)) * lane
}

// Version implements inline.Text.
func (in *Inline) Version(target string) (version int, missing string) {
	for _, o := range in.opcodes {
		least, ok := o.version(target)
		if !ok {
			return 0, o.Name
		}
		version = max(version, least)
	}
	return version, ""
}

func (o opcode) version(target string) (int, bool) {
	for i := range o.Forms {
		f := &o.Forms[i]
		if least, most := f.Arity(); o.arity >= least && o.arity <= most && f.On(target) {
			return f.Version, true
		}
	}
	return 0, false
}

func tokensOf(text string) []token {
	lex := lexer{text: text, line: 1}
	var list []token
	for {
		t, err := lex.next()
		if err != nil || t.kind == tokenEnd {
			return list
		}
		list = append(list, t)
	}
}

// Print writes the checked text, a line for each statement, with the given names for the operands: token by token, so
// that there is nothing in it that was not checked. Declared registers whose names begin with % get another beginning,
// which no register has that a compiler names.
func (in *Inline) Print(operands []string) []string {
	lines := []string{"{"}
	var line strings.Builder
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
	}
	before := ""
	for _, t := range in.tokens {
		text := t.text
		start := line.Len() == 0
		if n := operandNumber(text); n >= 0 {
			text = operands[n]
		} else if dollar, ok := strings.CutPrefix(text, "$$"); ok {
			text = "$" + dollar
		} else if _, special := specialIndex[text]; strings.HasPrefix(text, "%") && !special {
			text = "%_" + text[1:]
		}
		if !start && !strings.Contains("{[<@!-+|", before) && !strings.Contains(",;]}<>|", text) {
			line.WriteByte(' ')
		}
		line.WriteString(text)
		before = t.text
		if text == ";" || start && (text == "{" || text == "}") {
			flush()
			before = ""
		}
	}
	return append(lines, "}")
}

// operandNumber is n of $n, -1 of names that begin otherwise, and beyond all operands of $name.
func operandNumber(name string) int {
	digits, ok := strings.CutPrefix(name, "$")
	if !ok || strings.HasPrefix(digits, "$") {
		return -1
	}
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || strconv.Itoa(int(n)) != digits {
		return 1 << 16
	}
	return int(n)
}

// InlineFrame runs inline assembly on 32 lanes at a time.
type InlineFrame struct {
	operands []inline.Lanes // by number
	inline   *Inline
	warp     warp
}

// NewFrame implements inline.Text.
func (in *Inline) NewFrame() inline.Frame {
	k := in.kernel
	return &InlineFrame{
		operands: make([]inline.Lanes, len(in.operands)), inline: in,
		warp: warp{kernel: k, block: &block{machine: &machine{}, wave: &wave{}}, regs: make([]lanes, k.slots),
			preds: make([]uint32, k.slots)},
	}
}

// Operand implements inline.Frame.
func (f *InlineFrame) Operand(n int) *inline.Lanes { return &f.operands[n] }

// Run computes the operands from their values before. What an instruction reads that none has written is 0.
func (f *InlineFrame) Run() {
	w := &f.warp
	for _, s := range f.inline.temporary {
		w.regs[s], w.preds[s] = lanes{}, 0
	}
	for i, r := range f.inline.operands {
		w.regs[r.slot] = lanes(f.operands[i])
		w.preds[r.slot] = mask2(&w.regs[r.slot], &w.regs[r.slot], func(a, _ uint64) uint64 { return a })
	}
	for i := range w.kernel.code {
		in := &w.kernel.code[i]
		mask := full
		if in.guard != noSlot {
			mask = w.preds[in.guard]
			if in.guardNot {
				mask = ^mask
			}
		}
		w.block.machine.executed++
		// Instructions on lanes have no faults.
		in.exec(w, mask)
	}
	for i, r := range f.inline.operands {
		f.operands[i] = inline.Lanes(w.regs[r.slot])
		if r.typ.kind == kindPred {
			for l := range f.operands[i] {
				f.operands[i][l] = uint64(w.preds[r.slot] >> l & 1)
			}
		}
	}
}
