// Package ops is the table of tile IR operations. A row is all that the builder, the verifier,
// the text form and the wire form need to know of an operation; the engines keep arrays of
// their own, indexed by Op.
//
// # Signatures
//
// Sig reads like a function type: (ptr: *E[S], mask?: i1[S], other?: E[S]) -> E[S].
// E, A are element types, S, T shapes, M, N, K single dimensions; a name binds at its first use and
// must agree afterwards. `?` marks an operand that may be absent, `*E` a pointer, i1 i32 … fixed
// dtypes, a missing shape a scalar. Operations whose result the signature cannot tell have an Infer
// rule beside the table; those with regions are checked by rules of their own.
package ops

import "github.com/newtlab/newt/compiler/num"

// Op is an operation; it indexes the table.
type Op uint8

// The operations.
const (
	Invalid Op = iota

	// Values from nothing.
	Const
	ProgramID
	NumPrograms
	Arange

	// Shapes.
	Splat
	ExpandDims
	Broadcast
	Reshape
	Trans
	Join
	Split

	// Elementwise, two operands of one type.
	Add
	Sub
	Mul
	Div
	DivRN
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Min
	Max
	UMulHi
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	// Elementwise, one operand.
	Neg
	Not
	Abs
	Exp
	Exp2
	Log
	Log2
	Sin
	Cos
	Sqrt
	SqrtRN
	Rsqrt
	Erf
	Floor
	Ceil

	// Elementwise, three operands.
	FMA
	Select

	// Types.
	Cast
	Bitcast

	// Memory.
	AddPtr
	PtrDiff
	Load
	Store
	AtomicRMW
	AtomicCAS

	// Whole tiles.
	Dot
	Reduce
	Scan
	Gather
	Histogram

	// Facts and effects.
	Hint
	Assume
	Barrier
	Print
	Assert

	// Control.
	If
	For
	While
	Yield
	Condition
	Return

	N // how many there are
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
)

// Elems restricts the element type that E stands for.
type Elems uint8

// The restrictions.
const (
	AnyElem Elems = iota // pointers too
	Num                  // any dtype
	Int                  // integers, int1 included
	Float
	IntOrPtr
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

// Attr describes one attribute. Optional ones are absent where they hold the zero value.
type Attr struct {
	Name     string
	Kind     AttrKind
	Enum     []string
	Optional bool
}

// Def is one row of the table.
type Def struct {
	Name   string // as the text form writes it
	Wire   uint8  // number in the wire form: never reused, never changed
	Sig    string // "" for the irregular ones
	Elem   Elems  // what E may be
	Attrs  []Attr
	Traits Trait
	Why    string // what it does, in a sentence
}

// Has reports whether all of traits t hold for o.
func (o Op) Has(t Trait) bool { return table[o].Traits&t == t }

// Def returns o's row.
func (o Op) Def() *Def { return &table[o] }

func (o Op) String() string { return table[o].Name }

func dtypeNames() []string {
	names := make([]string, num.NumDTypes)
	for d := range num.NumDTypes {
		names[d] = d.Info().Short
	}
	return names
}
