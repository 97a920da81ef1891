package sim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/isa"
)

// Limits on text. A compiled kernel of the largest tiles has some ten thousand instructions.
const (
	maxText         = 64 << 20
	maxInstructions = 1 << 20
	maxRegisters    = maxInstructions // that instructions mention
	maxDeclared     = 1 << 24
	maxShared       = 227 << 10
	maxLocal        = 64 << 10
	maxParams       = 4096 / paramSlot
	maxScopes       = 32
)

const (
	paramSlot  = 8
	sharedBase = 1024 // sm_90 keeps the first KiB of shared memory, so that address 0 is invalid
)

// Module is loaded PTX. It is not changed by launches, which may run at the same time.
type Module struct {
	Version string // of the PTX ISA: "8.6"
	Target  string // "sm_90a"
	Entries []string
	kernels map[string]*kernel
	lines   int
}

// symbol is a declared name that is not a register.
type symbol struct {
	space  space
	offset int
	bytes  int // 0: dynamic shared memory, which starts where the static ends
	align  int
}

// register is a declared register. Its slot in the register file is given when it is first used.
type register struct {
	typ  *typ
	slot int32
}

// scope holds the registers of one pair of braces. A family %r<N> is one entry until used.
type scope struct {
	outer    *scope
	names    map[string]*register
	families map[string]family
}

type family struct {
	typ   *typ
	count int
}

func (s *scope) find(name string) *register {
	for ; s != nil; s = s.outer {
		if r := s.names[name]; r != nil {
			return r
		}
		stem := strings.TrimRight(name, "0123456789")
		if f, ok := s.families[stem]; ok {
			digits := name[len(stem):]
			i, err := strconv.Atoi(digits)
			if err == nil && i < f.count && strconv.Itoa(i) == digits {
				r := &register{typ: f.typ}
				s.names[name] = r
				return r
			}
		}
	}
	return nil
}

// source is one entry as parsed, before its instructions are decoded.
type source struct {
	name       string
	target     string
	version    int // of the PTX ISA, times ten
	symbols    map[string]symbol
	params     int // bytes
	paramSlots []int
	shared     int // static bytes, then where dynamic shared memory starts
	local      int
	threads    int // .reqntid, or 0
	maxThreads int // .maxntid, or 0
	code       []statement
	labels     map[string]int
	scope      *scope
	depth      int
}

// loader parses a module.
type loader struct {
	parser
	module *Module
	global map[string]symbol // module-scope shared variables
	shared int
	size   string // .address_size
}

// Load parses and decodes PTX text: entries with parameters of 8-byte slots, registers, shared and
// local memory, and the instructions listed in the package documentation. A *LoadError names the line.
func Load(text string) (*Module, error) {
	if len(text) > maxText {
		return nil, &LoadError{Line: 1, Message: "the text is too long"}
	}
	l := &loader{parser: parser{lex: lexer{text: text, line: 1}}, module: &Module{kernels: map[string]*kernel{}},
		global: map[string]symbol{}}
	l.tok.line = 1
	l.advance()
	for l.err == nil && l.tok.kind != tokenEnd {
		l.topLevel()
	}
	if l.err == nil && (l.module.Version == "" || l.module.Target == "" || l.size != "64") {
		l.failf("a module starts with .version, .target and .address_size 64")
	}
	if l.err == nil && len(l.module.Entries) == 0 {
		l.failf("the module has no entry")
	}
	if l.err != nil {
		return nil, l.err
	}
	l.module.lines = l.lex.line
	return l.module, nil
}

func (l *loader) topLevel() {
	word := l.ident("a directive")
	switch word {
	case ".version":
		l.module.Version = l.advance().text
	case ".target":
		if l.module.Target = l.ident("a target"); arch.Find(l.module.Target) == nil {
			l.failf("no target of newt's is named %s", l.module.Target)
		}
		for l.accept(",") {
			l.ident("a target")
		}
	case ".address_size":
		l.size = l.advance().text
	case ".visible", ".extern", ".weak":
	case ".shared":
		l.variable(spaceShared, l.global, &l.shared)
		l.expect(";")
	case ".file", ".loc", ".pragma":
		l.skipLine(word)
	case ".section":
		l.skipBraces()
	case ".entry":
		l.entry()
	default:
		l.failf("%q is not a directive that the simulator knows", word)
	}
}

// isaVersion is a version such as "8.6" times ten, 0 if it is none.
func isaVersion(text string) int {
	major, minor, _ := strings.Cut(text, ".")
	x, err1 := strconv.Atoi(major)
	y, err2 := strconv.Atoi(minor)
	if err1 != nil || err2 != nil {
		return 0
	}
	return 10*x + y
}

// skipLine passes over .loc and .file, which end with their line, and .pragma, which ends with ;.
func (l *loader) skipLine(word string) {
	line := l.tok.line
	for l.err == nil && l.tok.kind != tokenEnd && l.tok.line == line {
		if l.advance().text == ";" && word == ".pragma" {
			return
		}
	}
}

func (l *loader) skipBraces() {
	for l.err == nil && !l.at("{") && l.tok.kind != tokenEnd {
		l.advance()
	}
	for l.err == nil && !l.at("}") && l.tok.kind != tokenEnd {
		l.advance()
	}
	l.expect("}")
}

func (l *loader) entry() {
	s := &source{symbols: map[string]symbol{}, labels: map[string]int{}, target: l.module.Target,
		version: isaVersion(l.module.Version)}
	for name, v := range l.global {
		s.symbols[name] = v
	}
	s.shared = l.shared
	s.name = l.ident("the entry's name")
	if _, variable := l.global[s.name]; variable || l.module.kernels[s.name] != nil {
		l.failf("%s exists already", s.name)
	}
	if l.accept("(") {
		l.params(s)
	}
	l.bounds(s)
	l.expect("{")
	l.push(s)
	for l.err == nil && s.depth > 0 {
		l.bodyItem(s)
	}
	if l.err != nil {
		return
	}
	k, err := decode(s)
	if err != nil {
		l.stop(err)
		return
	}
	l.module.kernels[s.name] = k
	l.module.Entries = append(l.module.Entries, s.name)
}

func (l *loader) push(s *source) {
	s.scope = &scope{outer: s.scope, names: map[string]*register{}, families: map[string]family{}}
	if s.depth++; s.depth > maxScopes {
		l.failf("braces are nested too deep")
	}
}

func (l *loader) params(s *source) {
	for l.err == nil && !l.accept(")") {
		if s.params > 0 {
			l.expect(",")
		}
		l.expect(".param")
		before := s.params
		name := l.variable(spaceParam, s.symbols, &s.params)
		s.paramSlots = append(s.paramSlots, s.symbols[name].offset/paramSlot)
		s.params = (s.params + paramSlot - 1) / paramSlot * paramSlot
		if s.params > maxParams*paramSlot || s.params == before {
			l.failf("an entry's parameters take 8 to %d bytes", maxParams*paramSlot)
		}
	}
}

// bounds reads the directives between an entry's parameters and its body.
func (l *loader) bounds(s *source) {
	limits := map[string]*int{".reqntid": &s.threads, ".maxntid": &s.maxThreads}
	for l.err == nil && !l.at("{") {
		word := l.ident("a directive or {")
		switch word {
		case ".reqntid", ".maxntid":
			n := l.integer(word, isa.MaxThreads)
			for l.accept(",") {
				n *= l.integer(word, isa.MaxThreads)
				n = min(n, 1<<20)
			}
			*limits[word] = n
		case ".minnctapersm", ".maxnreg", ".maxnctapersm":
			l.integer(word, 1<<16)
		case ".pragma":
			l.skipLine(word)
		default:
			l.failf("%q is not a directive of an entry", word)
		}
	}
}

func (l *loader) bodyItem(s *source) {
	switch {
	case l.accept("{"):
		l.push(s)
	case l.accept("}"):
		s.scope, s.depth = s.scope.outer, s.depth-1
	case l.accept(".reg"):
		l.registers(s.scope)
	case l.accept(".shared"):
		l.variable(spaceShared, s.symbols, &s.shared)
		l.expect(";")
	case l.accept(".local"):
		l.variable(spaceLocal, s.symbols, &s.local)
		l.expect(";")
	case l.at(".loc"), l.at(".file"), l.at(".pragma"):
		l.skipLine(l.advance().text)
	case l.accept(";"):
	default:
		l.labeled(s)
	}
}

// labeled reads a label or an instruction; both start with a name.
func (l *loader) labeled(s *source) {
	if l.tok.kind == tokenName && strings.HasPrefix(strings.TrimLeft(l.lex.text[l.lex.pos:], " \t"), ":") {
		name := l.advance().text
		l.expect(":")
		if _, twice := s.labels[name]; twice {
			l.failf("label %s exists already", name)
		}
		s.labels[name] = len(s.code)
		return
	}
	st := l.instruction()
	st.registers = s.scope
	s.code = append(s.code, st)
	if len(s.code) > maxInstructions {
		l.failf("an entry has at most %d instructions", maxInstructions)
	}
}

func (l *loader) typeName() *typ {
	name := l.ident("a type")
	t := types[strings.TrimPrefix(name, ".")]
	if t == nil {
		l.failf("%q is not a type", name)
		return types["b32"]
	}
	return t
}

var registerTypes = []string{"pred", "b8", "u8", "s8", "b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f16", "f32", "f64"}

// registers reads "%r<N>, %x, %y;" after ".reg" and the type.
func (l *loader) registers(s *scope) {
	t := l.typeName()
	if l.err == nil && !slices.Contains(registerTypes, t.name) {
		l.failf("registers are not of type .%s", t.name)
	}
	for first := true; l.err == nil && !l.accept(";"); first = false {
		if !first {
			l.expect(",")
		}
		name := l.ident("a register")
		_, family1 := s.families[name]
		if s.names[name] != nil || family1 {
			l.failf("register %s exists already", name)
		}
		if l.accept("<") {
			s.families[name] = family{t, l.integer("a number of registers", maxDeclared)}
			l.expect(">")
		} else {
			s.names[name] = &register{typ: t}
		}
	}
}

var spaceLimits = map[space]int{spaceShared: maxShared, spaceLocal: maxLocal, spaceParam: maxParams * paramSlot}

// variable reads ".align 16 .b8 name[n]" and gives it the next bytes; "name[]" takes what the
// launch adds.
func (l *loader) variable(sp space, symbols map[string]symbol, used *int) (name string) {
	align := 0
	if l.accept(".align") {
		align = l.integer("an alignment", 1024)
		if align == 0 || align&(align-1) != 0 {
			l.failf("an alignment is a power of two")
		}
	}
	t := l.typeName()
	if l.accept(".ptr") {
		l.accept(".global")
		if l.accept(".align") {
			l.integer("an alignment", 1<<20)
		}
	}
	name = l.ident("a name")
	bytes := max(t.bytes(), 1)
	align = max(align, bytes)
	if l.accept("[") {
		count := 0
		if !l.at("]") {
			count = l.integer("a number of elements", uint64(spaceLimits[sp]))
		}
		l.expect("]")
		bytes *= count
	}
	at := (*used + align - 1) / align * align
	if _, twice := symbols[name]; twice {
		l.failf("%s exists already", name)
	}
	symbols[name] = symbol{space: sp, offset: at, bytes: bytes, align: align}
	if *used = at + bytes; *used > spaceLimits[sp] {
		l.failf("%s does not fit: %d bytes at most", name, spaceLimits[sp])
	}
	return name
}
