// Package isa is a table of PTX instructions. A row says all that is to be known of one: how its opcodes are spelt,
// which operands it takes, from which PTX version and target on it exists, what kind of work it is, what it does to
// memory, and what passes over instructions may do with it. Package asm resolves each opcode once and asks its Op; so
// does the simulator (package sim) with the text that it loads. A misspelt opcode, a missing operand or a register of
// the wrong class fails in the first test that emits it, and a new instruction is a row in table.go and its meaning in
// sim.
//
// The table has what newt emits and what the simulator runs, by the sections of chapter "Instruction Set" of the PTX
// ISA manual, which has the meaning.
package isa

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/ptx/arch"
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
	// with ? behind what may be missing at the end, and /i behind a value in whose place a pass puts the constant that
	// its register holds.
	Operands string
	Version  int    // the least of the PTX ISA, times ten: 81 is 8.1; 0: older than 7.0
	Target   string // the least; "": every one of package arch

	Traits Traits // beside those of its section
	Memory MemoryEffect
	FLOPs  int // of a lane and an element: additions and multiplications, two for a fused one
	// Fold is the result for two integers, in 64 bits, and Identity the second operand that leaves the first as it is.
	Fold     func(a, b int64) int64
	Identity int64

	class    Class // of its section
	parts    []part
	dst, src []string
}

// Traits are what passes ask of an instruction.
type Traits uint8

// The traits.
const (
	Pure      Traits = 1 << iota // its operands alone determine its results
	Commutes                     // its two operands may be swapped
	Adds                         // the result is the sum of the operands
	Moves                        // the result is the operand
	Effect                       // it must stay although nobody reads its results
	Branches                     // to the label that it names
	Exits                        // the thread ends
	Converges                    // the threads of a warp wait for each other there
)

// MemoryEffect says what an instruction does to memory, that of the state space which its opcode names first.
type MemoryEffect uint8

// The ways to access memory.
const (
	NoMemory MemoryEffect = iota
	Reads
	Writes
	Updates // atomically
)

// Space is a state space.
type Space uint8

// The state spaces.
const (
	Generic Space = iota
	Global
	Shared
	Local
	Parameters
)

var spaces = map[string]Space{"global": Global, "shared": Shared, "shared::cta": Shared, "shared::cluster": Shared,
	"local": Local, "param": Parameters}

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
	constant bool
}

// Form is an instruction with its operands as one opcode has them.
type Form struct {
	*Instruction
	Version  int    // the row's, or what a modifier needs beyond it
	Target   string // likewise, never ""
	Dst, Src []Operand
}

// Op is an opcode with what the table says of it.
type Op struct {
	Name         string
	ID           int32    // no other opcode has it, until the program ends
	Words        []string // the name's parts
	Forms        []Form   // one or several, with different operands; none: there is no such opcode
	*Instruction          // of the first form
	Space        Space
	Work         Work
	Shape        [3]int // of a matrix multiplication: M, N and K
	// Immediates are the sources in whose place a pass may put the constants that they hold, from the last on. Where
	// two operands may be swapped the first is one of them if the second is.
	Immediates []int
}

// Is reports whether the opcode has one of the traits.
func (o *Op) Is(t Traits) bool { return o.Traits&t != 0 }

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
	known = map[string]*Op{} // what Lookup has found; patterns have some ten thousand spellings
)

// Lookup is the opcode with a name, one without forms if there is none. The result must not be changed.
func Lookup(name string) *Op {
	mu.RLock()
	o := known[name]
	mu.RUnlock()
	if o != nil {
		return o
	}
	o = resolve(strings.Clone(name)) // not the text that it is from
	if len(o.Forms) == 0 {
		return o
	}
	mu.Lock()
	defer mu.Unlock()
	if other := known[name]; other != nil {
		return other
	}
	o.ID = int32(len(known))
	known[o.Name] = o
	return o
}

func resolve(name string) *Op {
	o := &Op{Name: name, Words: strings.Split(name, "."), Instruction: &Instruction{}}
	if !tooWide(o.Words) {
		for _, in := range byBase()[o.Words[0]] {
			if match(in.parts, o.Words) {
				o.Forms = append(o.Forms, in.form(o.Words))
			}
		}
	}
	if len(o.Forms) == 0 {
		return o
	}
	o.Instruction = o.Forms[0].Instruction
	o.Shape = shapeOf(o.Words)
	o.Work = o.work()
	for _, w := range o.Words[1:] {
		if o.Space == Generic {
			o.Space = spaces[w]
		}
	}
	for i, s := range slices.Backward(o.Forms[0].Src) {
		if s.constant || i == 0 && o.Is(Commutes) && len(o.Immediates) > 0 {
			o.Immediates = append(o.Immediates, i)
		}
	}
	return o
}

// byBase is the table by the first part of opcodes.
var byBase = sync.OnceValue(func() map[string][]*Instruction {
	m := map[string][]*Instruction{}
	for _, s := range table {
		for i := range s.rows {
			in := &s.rows[i]
			in.Traits |= s.traits
			in.class = s.class
			in.prepare()
			for _, base := range in.parts[0].alternatives {
				m[base] = append(m[base], in)
			}
		}
	}
	return m
})

// prepare parses the row's pattern and operands.
func (in *Instruction) prepare() {
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
	is := func(a string) bool { return matchWord(a, words[0]) }
	if len(words) > 0 && slices.ContainsFunc(parts[0].alternatives, is) && match(parts[1:], words[1:]) {
		return true
	}
	return parts[0].optional && match(parts[1:], words)
}

// matchWord compares a word with an alternative, in which * stands for a multiple of 8 up to 256.
func matchWord(a, word string) bool {
	before, after, ok := strings.Cut(a, "*")
	if !ok {
		return a == word
	}
	number, ok := strings.CutPrefix(word, before)
	number, ok2 := strings.CutSuffix(number, after)
	n, err := strconv.Atoi(number)
	return ok && ok2 && err == nil && n > 0 && n <= 256 && n%8 == 0 && strconv.Itoa(n) == number
}

// form resolves the operands for an opcode.
func (in *Instruction) form(words []string) Form {
	var bits []int // of the types in the opcode
	vector := 1
	for _, w := range words {
		if t, ok := types[w]; ok {
			bits = append(bits, t.bits)
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
	f := Form{in, in.Version, cmp.Or(in.Target, arch.Targets[0].Name), resolve(in.dst), resolve(in.src)}
	op := strings.Join(words, ".") + "."
	for _, s := range since {
		if strings.Contains(op, s.modifier) {
			f.Version = max(f.Version, s.version)
			if least := arch.Find(s.target); least != nil && !arch.Find(f.Target).Has(least) {
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
			return n*types[words[len(words)-1]].bits > maxVector
		}
	}
	return false
}

// operand resolves one operand of a row, given the sizes of the opcode's types.
func operand(s string, bits []int, vector int) (o Operand) {
	s, o.Optional = strings.CutSuffix(s, "?")
	s, o.constant = strings.CutSuffix(s, "/i")
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
		o.Bits = types[s].bits
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

// types are the sizes of the registers that hold a type, 8-bit values in registers of 16 bits, and the classes of
// arithmetic.
var types = map[string]struct {
	bits  int
	class Class
}{
	"pred": {1, Integer}, "b8": {16, Integer}, "u8": {16, Integer}, "s8": {16, Integer}, "b16": {16, Integer},
	"u16": {16, Integer}, "s16": {16, Integer}, "b32": {32, Integer}, "u32": {32, Integer}, "s32": {32, Integer},
	"b64": {64, Integer}, "u64": {64, Integer}, "s64": {64, Integer}, "e4m3x2": {16, Half}, "e5m2x2": {16, Half},
	"f16": {16, Half}, "bf16": {16, Half}, "f16x2": {32, Half}, "bf16x2": {32, Half}, "f32": {32, Single},
	"tf32": {32, Single}, "f64": {64, Double},
}

var vectorLens = map[string]int{"v2": 2, "v4": 4, "v8": 8}

// On reports whether the instruction exists on a target of package arch.
func (f *Form) On(target string) bool { return arch.Find(target).Has(arch.Find(f.Target)) }
