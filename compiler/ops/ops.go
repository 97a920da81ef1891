// Package ops is the table of tile IR operations. A row is all that the builder, the verifier,
// the text form and the wire form need to know of an operation; the engines keep arrays of
// their own, indexed by Op.
//
// # Signatures
//
// Sig reads like a function type: (ptr: *E[S], mask?: i1[S], other?: E[S]) -> E[S].
//   - E, I, A, B and R are element types: E is what the row's Elem allows, I an integer, the others
//     numbers. *E is a pointer to E, i1, i32 … fixed dtypes.
//   - &E[S] is a memory descriptor: tiles of E[S] in shared memory. &?E[S] may be one or be in registers.
//   - S and T in brackets are whole shapes, other letters single dimensions; no brackets, a scalar.
//   - A letter binds at its first use and must agree afterwards. Letters of elements, shapes and
//     dimensions do not meet.
//   - ? marks an operand that may be absent; ... at the end of the operands lets any number follow.
//   - A result of ... is computed by the operation's rule (rules.go, regions.go), which may also
//     refuse what a signature cannot see.
//   - | separates forms that differ in the rank of their first operand.
//
// [Infer] checks a use against signature and rule and says what the results are.
package ops

import (
	"cmp"

	"github.com/newtlab/newt/compiler/num"
)

// Trait is a property that passes ask for.
type Trait uint16

// The traits.
const (
	Pure        Trait = 1 << iota // no effect: may be removed, merged, moved
	Elementwise                   // element i of the result depends on element i of the operands alone
	Commutative
	Reads      // reads memory
	Writes     // writes memory
	Effect     // an effect other than on memory
	Terminator // ends a block
	Structured // has regions
	WholeTile  // an element of a result may depend on all elements of an operand
	Inexact    // engines may differ in the last places: transcendental functions, fast roots
	Placed     // of functions that are placed on the threads of a GPU alone; the wire form has none

	ReadsShared  // reads shared memory that a memory descriptor stands for
	WritesShared // writes it

	Exchanges // its threads exchange values, through scratch memory if they are of several warps

	Atomic // accesses each element as one step, in a memory order
)

// Elems restricts the element type that E stands for.
type Elems uint8

// The restrictions.
const (
	AnyElem Elems = iota // pointers too
	Num                  // any dtype
	Int                  // integers, int1 included
	Float
	WideInt // integers of 32 or 64 bits
)

// AttrKind is the type of an attribute's value.
type AttrKind uint8

// The attribute kinds with the Go types of their values.
const (
	IntAttr    AttrKind = iota // int64
	IntsAttr                   // []int64
	EnumAttr                   // string, one of Enum
	StringAttr                 // string
	BoolAttr                   // bool
	ScalarAttr                 // num.Scalar
)

// Attr describes one attribute. Optional ones are absent where they hold their default: zero, or
// the first value of an enumeration.
type Attr struct {
	Name     string
	Kind     AttrKind
	Enum     []string
	Optional bool
	Placed   bool // of functions that are placed on threads alone; the wire form has none
}

// Def is one row of the table.
type Def struct {
	Name    string // as the text form writes it
	Wire    uint8  // number in the wire form: never reused, never changed; 0 of operations that are Placed
	Sig     string // empty where Arith's class gives it
	Arith   Arith
	Elem    Elems // what E may be
	Attrs   []Attr
	Regions []string // the regions' names
	Traits  Trait    // besides those that Arith implies
	Why     string   // what it does, in a sentence
}

// SigText is d's signature as text.
func (d *Def) SigText() string { return cmp.Or(d.Sig, classSigs[d.Arith.Class]) }

// Has reports whether all of traits t hold for o.
func (o Op) Has(t Trait) bool { return (table[o].Traits|table[o].Arith.traits())&t == t }

// Def returns o's row.
func (o Op) Def() *Def { return &table[o] }

// Attr is the attribute of that name, the zero Attr where the row has none.
func (d *Def) Attr(name string) Attr {
	for i := range d.Attrs {
		if d.Attrs[i].Name == name {
			return d.Attrs[i]
		}
	}
	return Attr{}
}

func (o Op) String() string { return table[o].Name }

var byName = func() map[string]Op {
	m := make(map[string]Op, N)
	for o := Invalid + 1; o < N; o++ {
		m[table[o].Name] = o
	}
	return m
}()

// ByName finds an operation by the name that the text form uses.
func ByName(name string) (Op, bool) { o, ok := byName[name]; return o, ok }

var byWire = func() (m [256]Op) {
	for o := Invalid + 1; o < N; o++ {
		m[table[o].Wire] = o
	}
	m[0] = Invalid
	return m
}()

// ByWire finds an operation by its number in the wire form.
func ByWire(number uint8) (Op, bool) { o := byWire[number]; return o, o != Invalid }

func dtypeNames() []string {
	names := make([]string, num.NumDTypes)
	for d := range num.NumDTypes {
		names[d] = d.Info().Short
	}
	return names
}
