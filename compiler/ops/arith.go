package ops

import (
	"iter"

	"github.com/newtlab/newt/compiler/num"
)

// Class says how an elementwise operation computes an element of its result from one element of each
// operand. Engines have one rule a class, and the class gives the signature.
type Class uint8

// The classes.
const (
	NoArith    Class = iota // not arithmetic
	Unary                   // (x: E[S]) -> E[S]
	Binary                  // (x: E[S], y: E[S]) -> E[S]
	Comparison              // (x: E[S], y: E[S]) -> i1[S]
	Ternary                 // three operands; the row has the signature
)

var classSigs = [...]string{
	Unary:      "(x: E[S]) -> E[S]",
	Binary:     "(x: E[S], y: E[S]) -> E[S]",
	Comparison: "(x: E[S], y: E[S]) -> i1[S]",
	Ternary:    "",
}

// Arith is the arithmetic column of the table: the class, and what package num computes.
type Arith struct {
	Class   Class
	Unary   num.UnaryOp   // of class Unary
	Binary  num.BinaryOp  // of class Binary
	NaN     num.BinaryOp  // the form for propagate_nan; Binary itself where there is no such attribute
	Compare num.CompareOp // of class Comparison
}

func unary(op num.UnaryOp) Arith           { return Arith{Class: Unary, Unary: op} }
func binary(op num.BinaryOp) Arith         { return Arith{Class: Binary, Binary: op, NaN: op} }
func binaryNaN(op, nan num.BinaryOp) Arith { return Arith{Class: Binary, Binary: op, NaN: nan} }
func comparison(op num.CompareOp) Arith    { return Arith{Class: Comparison, Compare: op} }

// traits are those of all elementwise arithmetic.
func (a Arith) traits() Trait {
	if a.Class == NoArith {
		return 0
	}
	return Pure | Elementwise
}

// Class is o's class of arithmetic.
func (o Op) Class() Class { return table[o].Arith.Class }

// OfClass gives the operations of these classes in the table's order.
func OfClass(classes ...Class) iter.Seq[Op] {
	return func(yield func(Op) bool) {
		for o := Invalid + 1; o < N; o++ {
			for _, c := range classes {
				if table[o].Arith.Class == c && !yield(o) {
					return
				}
			}
		}
	}
}

// Orders reports whether o compares by order: true for two extremes, it is true for all between.
func Orders(o Op) bool { return o == Lt || o == Le || o == Gt || o == Ge }

// BinaryKernel is the arithmetic of o on values of dtype d, nil unless o is of class Binary or Comparison
// and has a meaning for d. propagateNaN picks the forms of min and max in which a NaN wins.
func (o Op) BinaryKernel(d num.DType, propagateNaN bool) num.BinaryFn {
	switch a := &table[o].Arith; {
	case a.Class == Comparison:
		return num.Compare(a.Compare, d)
	case a.Class == Binary && propagateNaN:
		return num.Binary(a.NaN, d)
	case a.Class == Binary:
		return num.Binary(a.Binary, d)
	}
	return nil
}

// UnaryKernel is the arithmetic of o on values of dtype d, nil unless o is of class Unary and has a
// meaning for d.
func (o Op) UnaryKernel(d num.DType) num.UnaryFn {
	if a := &table[o].Arith; a.Class == Unary {
		return num.Unary(a.Unary, d)
	}
	return nil
}
