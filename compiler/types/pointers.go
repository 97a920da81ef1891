package types

import "github.com/newtlab/newt/compiler/num"

// pointerSides says on which sides an operator takes pointers; operators not listed take none.
var pointerSides = map[string]struct{ left, right bool }{
	"+":     {true, true},
	"-":     {true, false},
	"where": {true, true},
}

// Pointers refuses the operands of an operator (as written, or "where") of which one at least is a
// pointer: + takes a pointer and an integer in either order, - an integer on the right, where two
// pointers of one type. The rest takes none.
func Pointers(op string, x, y Type) *Refusal {
	sides := pointerSides[op]
	if refusal := checkPointer(x, y, sides.left); refusal != nil {
		return refusal
	}
	if refusal := checkPointer(y, x, sides.right); refusal != nil {
		return refusal
	}
	switch {
	case op == "+" && x.Pointer && y.Pointer:
		return refuse(AddPointers)
	case op == "where" && x.Pointer != y.Pointer:
		return refuse(WherePointer, x.Elem(), y.Elem())
	}
	return nil
}

func checkPointer(p, other Type, allowed bool) *Refusal {
	switch {
	case !p.Pointer:
		return nil
	case !allowed, other.Pointer && other.DType != p.DType, !other.Pointer && other.DType.Info().Float:
		return refuse(PointerOperands, p.Elem(), other.Elem())
	}
	return nil
}

// repr writes an element type as Triton's messages do.
func repr(t Type) string {
	if t.Pointer {
		return "pointer<" + t.DType.String() + ">"
	}
	return reprDType(t.DType)
}

func reprDType(d num.DType) string { return "triton.language." + d.Info().Attr }
