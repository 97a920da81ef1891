// Package isa is a table of PTX instructions: how their opcodes are spelt, which operands they take, and from which PTX
// version and target on they exist. The emitter's printer (package asm) checks every instruction against it and derives
// the module's .version from it; the simulator (package sim) checks the text that it loads. So a misspelt opcode, a
// missing operand or a register of the wrong class fails in the first test that emits it, and a new instruction is a
// row in table.go and a builder in sim.
//
// The table has what newt emits and what the simulator runs, by the sections of chapter "Instruction Set" of the PTX
// ISA manual, which has the meaning.
package isa

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// MaxThreads is how many threads a block has at most (CUDA C++ Programming Guide, "Compute Capabilities").
const MaxThreads = 1024

// Instruction is a row of the table: the opcodes that a pattern matches, with one list of operands.
type Instruction struct {
	// Pattern is an opcode whose parts, between dots, may be alternatives ("add|sub"), optional ("ftz?"), have a number
	// in them ("m64n*k16"), or be a set of types or modifiers by its name in capitals ("INT").
	Pattern string
	// Operands is "destinations = sources", each a list of
	//
	//	t            a value of the opcode's last type: a register of its class or an immediate
	//	u            a value of the type before that
	//	w            a value of twice the last type's width
	//	b16 b32 b64  a value of so many bits
	//	p            a predicate
	//	i, l, m      an immediate, a label, memory in brackets
	//	T            the address of a tensor map, and coordinates, in brackets
	//	x            anything of the last type's width: vectors, special registers and addresses too
	//	*t           a vector of as many t as the opcode's .v2, .v4 or .v8 says; one value without
	//	4:b32        a vector of four values; 1:b32, of one, in braces too; #:b32, of any number
	//
	// with ? behind what may be missing at the end.
	Operands string
	Version  int    // the least of the PTX ISA, times ten: 81 is 8.1; 0: older than 7.0
	Target   string // the least; "": older than sm_80
	Section  string // of the manual

	parts    []part
	dst, src []string
}

// part is a part of a pattern.
type part struct {
	alternatives []string
	optional     bool
}

// Kind says what an operand may be.
type Kind uint8

// The kinds of operands.
const (
	Value     Kind = iota // a register, or an immediate
	Anything              // Value, a vector, a special register, an address
	Immediate             // an integer
	Label
	Memory
	Box
	Vector // Len values in braces, one value too
)

// Operand is an operand of a Form.
type Operand struct {
	Kind     Kind
	Bits     int // of a value: 1 (a predicate), 16, 32 or 64
	Len      int // of a vector; 0: any
	Optional bool
}

// Form is an instruction with its operands as one opcode has them.
type Form struct {
	*Instruction
	Version  int    // the row's, or what a modifier needs beyond it
	Target   string // likewise
	Dst, Src []Operand
}

// Arity is how many operands the form takes.
func (f *Form) Arity() (least, most int) {
	for _, o := range slices.Concat(f.Dst, f.Src) {
		if most++; !o.Optional {
			least++
		}
	}
	return least, most
}

var (
	mu    sync.RWMutex
	known = map[string][]Form{} // by opcode, what Forms has found
)

// mostKnown bounds known: the simulator loads text that anybody may have written.
const mostKnown = 1 << 13

// Forms are the forms of an opcode, none if there is no such opcode. The result must not be changed.
func Forms(op string) []Form {
	mu.RLock()
	forms, ok := known[op]
	mu.RUnlock()
	if ok {
		return forms
	}
	base, _, _ := strings.Cut(op, ".")
	for _, in := range byBase()[base] {
		if words := strings.Split(op, "."); match(in.parts, words) && !tooWide(words) {
			forms = append(forms, in.form(words))
		}
	}
	mu.Lock()
	if len(known) < mostKnown {
		known[op] = forms
	}
	mu.Unlock()
	return forms
}

// byBase is the table by the first part of opcodes.
var byBase = sync.OnceValue(func() map[string][]*Instruction {
	m := map[string][]*Instruction{}
	for _, s := range table {
		for i := range s.rows {
			in := &s.rows[i]
			in.prepare(s.title)
			for _, base := range in.parts[0].alternatives {
				m[base] = append(m[base], in)
			}
		}
	}
	return m
})

// prepare parses the row's pattern and operands.
func (in *Instruction) prepare(section string) {
	in.Section = section
	for _, word := range strings.Split(in.Pattern, ".") {
		var p part
		word, p.optional = strings.CutSuffix(word, "?")
		for _, a := range strings.Split(word, "|") {
			if set, ok := sets[a]; ok {
				p.alternatives = append(p.alternatives, strings.Split(set, "|")...)
			} else {
				p.alternatives = append(p.alternatives, a)
			}
		}
		in.parts = append(in.parts, p)
	}
	dst, src, _ := strings.Cut(in.Operands, "=")
	in.dst, in.src = strings.Fields(dst), strings.Fields(src)
}

// match reports whether an opcode's words are what a pattern's parts allow.
func match(parts []part, words []string) bool {
	if len(parts) == 0 {
		return len(words) == 0
	}
	if len(words) > 0 && slices.ContainsFunc(parts[0].alternatives, func(a string) bool {
		return matchWord(a,
			words[0])
	}) &&
		match(parts[1:], words[1:]) {
		return true
	}
	return parts[0].optional && match(parts[1:], words)
}

// matchWord compares a word with an alternative, in which * stands for a number.
func matchWord(a, word string) bool {
	before, after, ok := strings.Cut(a, "*")
	if !ok {
		return a == word
	}
	number, ok := strings.CutPrefix(word, before)
	number, ok2 := strings.CutSuffix(number, after)
	n, err := strconv.Atoi(number)
	return ok && ok2 && err == nil && n > 0 && strconv.Itoa(n) == number
}

// form resolves the operands for an opcode.
func (in *Instruction) form(words []string) Form {
	var bits []int // of the types in the opcode
	vector := 1
	for _, w := range words {
		if n, ok := typeBits[w]; ok {
			bits = append(bits, n)
		}
		if n, ok := vectorLens[w]; ok {
			vector = n
		}
	}
	resolve := func(list []string) (out []Operand) {
		for _, s := range list {
			out = append(out, operand(s, bits, vector))
		}
		return out
	}
	f := Form{in, in.Version, in.Target, resolve(in.dst), resolve(in.src)}
	op := strings.Join(words, ".") + "."
	for _, s := range since {
		if strings.Contains(op, s.modifier) {
			f.Version = max(f.Version, s.version)
			if architecture(s.target) > architecture(f.Target) {
				f.Target = s.target
			}
		}
	}
	return f
}

// maxVector is the most bits that an instruction moves between memory and a thread's registers.
const maxVector = 128

// tooWide reports whether an opcode's vector has more than maxVector bits.
func tooWide(words []string) bool {
	for _, w := range words {
		if n, ok := vectorLens[w]; ok {
			return n*typeBits[words[len(words)-1]] > maxVector
		}
	}
	return false
}

// operand resolves one operand of a row, given the sizes of the opcode's types.
func operand(s string, bits []int, vector int) (o Operand) {
	s, o.Optional = strings.CutSuffix(s, "?")
	if length, of, ok := strings.Cut(s, ":"); ok {
		o = operand(of, bits, vector)
		o.Kind = Vector
		o.Len, _ = strconv.Atoi(length) // 0 for #
		return o
	}
	if of, ok := strings.CutPrefix(s, "*"); ok {
		if o = operand(of, bits, vector); vector > 1 {
			o.Kind, o.Len = Vector, vector
		}
		return o
	}
	last := func(i int) int { return bits[len(bits)-1-i] }
	switch s {
	case "t":
		o.Bits = last(0)
	case "u":
		o.Bits = last(1)
	case "w":
		o.Bits = 2 * last(0)
	case "x":
		o.Kind, o.Bits = Anything, last(0)
	case "p":
		o.Bits = 1
	case "b16", "b32", "b64":
		o.Bits = typeBits[s]
	case "i":
		o.Kind = Immediate
	case "l":
		o.Kind = Label
	case "m":
		o.Kind = Memory
	case "T":
		o.Kind = Box
	default:
		panic("isa: operand " + s)
	}
	return o
}

// typeBits is the size of the registers that hold a type: 8-bit values are in registers of 16 bits.
var typeBits = map[string]int{
	"pred": 1, "b8": 16, "u8": 16, "s8": 16, "b16": 16, "u16": 16, "s16": 16, "f16": 16, "bf16": 16,
	"e4m3x2": 16, "e5m2x2": 16, "b32": 32, "u32": 32, "s32": 32, "f32": 32, "tf32": 32, "f16x2": 32, "bf16x2": 32,
	"b64": 64, "u64": 64, "s64": 64, "f64": 64,
}

var vectorLens = map[string]int{"v2": 2, "v4": 4, "v8": 8}

// On reports whether the instruction exists on a target: on the least one and all after it, unless that is specific to
// its architecture (sm_90a), which no other target is.
func (f *Form) On(target string) bool {
	switch {
	case f.Target == "":
		return true
	case strings.HasSuffix(f.Target, "a"):
		return target == f.Target
	}
	return architecture(target) >= architecture(f.Target)
}

// architecture is the number of a target, 0 if it has none.
func architecture(target string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(target, "sm_"), "a"))
	return n
}
