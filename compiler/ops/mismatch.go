package ops

import (
	"fmt"

	"github.com/newtlab/newt/compiler/types"
)

// Kind says what is wrong with a use of an operation.
type Kind uint8

// The kinds. "Other" is the operand of Mismatch.With.
const (
	Missing      Kind = iota // a needed operand is absent
	TooMany                  // more operands than there are
	WrongElem                // the element type is not Want
	DifferElem               // the element type is not Want, which the other decided
	WrongRank                // the number of dimensions is not Want
	DifferShape              // the shape is not the other's
	DifferDim                // dimension Dim is not the other's dimension WithDim
	BadAttr                  // attribute Attr is absent, unknown, of the wrong kind or out of range: Want
	BadShape                 // the result would not be a legal tile: Want
	BadRegion                // a region's values do not fit: Want
	LimitReached             // the function has grown past a limit: Want
)

// Mismatch says why operands and attributes do not fit an operation: the operand that is wrong,
// what was wanted of it, and the earlier operand that decided so. Its text is for those who
// work on IR; what users read is made from the fields.
type Mismatch struct {
	Op      Op
	Kind    Kind
	Operand int        // the operand that is wrong, -1 where none in particular is
	Name    string     // its name in the signature
	Got     types.Type // its type, where it has one
	Want    string     // what was wanted: "a pointer", "i1", "2 dimensions", "from 0 to 2"

	With     int // the operand that bound the variable, -1 where none did
	WithName string
	WithType types.Type

	Dim, WithDim int    // for DifferDim
	Attr         string // for BadAttr
}

// Error describes the mismatch in the terms of the IR.
func (m *Mismatch) Error() string { return fmt.Sprintf("%s: %s", m.Op, m.text()) }

func (m *Mismatch) text() string {
	switch m.Kind {
	case Missing:
		return m.Name + " is missing"
	case TooMany:
		return fmt.Sprintf("more than %s", m.Want)
	case WrongElem, WrongRank:
		return fmt.Sprintf("%s is %s, want %s", m.Name, m.Got, m.Want)
	case DifferElem:
		return fmt.Sprintf("%s holds %s, want %s as in %s", m.Name, m.Got.Elem(), m.Want, m.WithName)
	case DifferShape:
		return fmt.Sprintf("%s has shape %s, %s has shape %s", m.Name,
			types.ShapeString(m.Got.Shape), m.WithName, types.ShapeString(m.WithType.Shape))
	case DifferDim:
		return fmt.Sprintf("dimension %d of %s is %d, dimension %d of %s is %d", m.Dim, m.Name,
			m.Got.Shape[m.Dim], m.WithDim, m.WithName, m.WithType.Shape[m.WithDim])
	case BadAttr:
		return fmt.Sprintf("attribute %s: want %s", m.Attr, m.Want)
	}
	return m.Want
}
