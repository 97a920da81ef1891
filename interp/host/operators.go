package host

import (
	"math"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// plain takes the value out of a constexpr, and out of an object whose class derives from a builtin one.
func plain(v Value) Value {
	if c, ok := v.(constexpr); ok {
		return c.value
	}
	if x, ok := heldOf(v); ok {
		return x
	}
	return v
}

// operator is a binary operator of Python.
type operator func(m *machine, a, b Value) Value

// numberOperator is an arithmetic operator, which of two ints and of two floats asks for no class, and of others is
// what general gives.
func numberOperator(op string, general func(m *machine, op string, a, b Value) Value) operator {
	ints, floats := python.IntOperation(op), python.FloatOperation(op)
	return func(m *machine, a, b Value) Value {
		var v Value
		var err *python.Error
		switch x := a.(type) {
		case python.Int:
			if y, ok := b.(python.Int); ok && ints != nil {
				v, err = ints(x, y)
			}
		case python.Float:
			if y, ok := b.(python.Float); ok && floats != nil {
				v, err = floats(float64(x), float64(y))
			}
		}
		switch {
		case v != nil:
			return v
		case err != nil:
			throw(err.Class, err.Message)
		}
		return general(m, op, a, b)
	}
}

// binaryOperator is the operator of a op b.
func binaryOperator(op string) operator { return numberOperator(op, (*machine).binaryOp) }

// inPlaceOperator is the operator of a op= b.
func inPlaceOperator(op string) operator { return numberOperator(op, inPlaceOp) }

// comparisonOperator is one comparison, which of two ints or texts asks for no class.
func comparisonOperator(op string) operator {
	holds := map[string][3]bool{ // for less, equal, greater
		"<": {true, false, false}, "<=": {true, true, false}, "==": {false, true, false}, "!=": {true, false, true},
		">": {false, false, true}, ">=": {false, true, true}}[op]
	ordered := comparisonMethods[op] != ""
	return func(m *machine, a, b Value) Value {
		switch x := a.(type) {
		case python.Int:
			if y, ok := b.(python.Int); ok && ordered {
				return python.Bool(holds[x.Compare(y)+1])
			}
		case python.Str:
			if y, ok := b.(python.Str); ok && ordered {
				return python.Bool(holds[strings.Compare(string(x), string(y))+1])
			}
		}
		return m.compareValues(op, a, b)
	}
}

func (m *machine) unaryOp(op string, v Value) Value {
	if op == "not" {
		return python.Bool(!m.truthOf(v))
	}
	if s := typeOf(v).slots(); s.unary != nil {
		return s.unary(m, op, v)
	}
	return refuseUnary(op, v)
}

// refuseUnary raises TypeError for an operator that a type lacks.
func refuseUnary(op string, v Value) Value {
	if op == "abs" {
		raise("TypeError", "bad operand type for abs(): '%s'", v.Type())
	}
	raise("TypeError", "bad operand type for unary %s: '%s'", op, v.Type())
	return nil
}

// binaryOp is a op b, as binary_op1 in CPython's abstract.c: the slot of a, then that of b, that of b first where its
// class derives from a's and so knows more. What sequences do with + and * comes last.
func (m *machine) binaryOp(op string, a, b Value) Value {
	left, right := typeOf(a), typeOf(b)
	f, g := left.slots(), right.slots()
	derived := g.binary != nil && right.derives(left)
	var v Value = notImplemented
	if derived {
		v = g.binary(m, op, b, a, true)
	}
	if v == notImplemented && f.binary != nil {
		v = f.binary(m, op, a, b, false)
	}
	if v == notImplemented && g.binary != nil && left != right && !derived {
		v = g.binary(m, op, b, a, true)
	}
	switch {
	case v != notImplemented:
		return v
	case op == "+" && f.concat != nil:
		return f.concat(m, a, b)
	case op == "*" && f.repeat != nil:
		return f.repeat(m, a, repetitions(b))
	case op == "*" && g.repeat != nil:
		return g.repeat(m, b, repetitions(a))
	}
	return must(python.Binary(op, a, b)) // which no scalar reaches: it words the TypeError
}

// operateBy is the method of a builtin class behind an operator.
func (m *machine) operateBy(s *slots, op string, v, other Value, reflected bool) Value {
	switch {
	case s.concat != nil && op == "+" && !reflected:
		return s.concat(m, v, other)
	case s.repeat != nil && op == "*":
		return s.repeat(m, v, repetitions(other))
	}
	return s.binary(m, op, v, other, reflected)
}

// repetitions is how often sequence * v repeats the sequence.
func repetitions(v Value) int64 {
	n, ok := python.AsInt(plain(v))
	if !ok && !is[Tensor](v) && !is[*Instance](v) { // which may have an __index__
		raise("TypeError", "can't multiply sequence by non-int of type '%s'", v.Type())
	}
	if _, fits := n.Int64(); ok && !fits {
		raise("OverflowError", "cannot fit 'int' into an index-sized integer")
	}
	return max(asIndex(v), 0)
}

// repeated charges a sequence of n items for what it has when it is repeated: a huge number of repetitions is refused
// before anything is made, while of an empty sequence any number is fine.
func (m *machine) repeated(n int, times int64) int {
	if n == 0 {
		return 0
	}
	if times > m.options.MaxItems/int64(n) {
		m.budget.chargeItems(-1) // stands for a number that does not fit: it is always beyond the limit
	}
	m.budget.chargeItems(int(times) * n)
	return int(times)
}

// inPlaceOp is the value of a op= b.
func inPlaceOp(m *machine, op string, a, b Value) Value {
	if s := typeOf(a).slots(); s.inPlace != nil {
		if v := s.inPlace(m, op, a, b); v != notImplemented {
			return v
		}
	}
	return m.binaryOp(op, a, b)
}

func isNumber(v Value) bool {
	switch v.(type) {
	case python.Bool, python.Int, python.Float:
		return true
	}
	return false
}

// compareValues is one comparison; tensors compare elementwise. As do_richcompare in CPython's object.c, it asks a,
// then b for the swapped comparison, b first where its class derives from a's.
func (m *machine) compareValues(op string, a, b Value) Value {
	switch op {
	case "is":
		return python.Bool(identical(a, b))
	case "is not":
		return python.Bool(!identical(a, b))
	case "in":
		return python.Bool(m.containsItem(b, a))
	case "not in":
		return python.Bool(!m.containsItem(b, a))
	}
	left, right := typeOf(a), typeOf(b)
	f, g := left.slots().compare, right.slots().compare
	derived := g != nil && right.derives(left)
	var v Value = notImplemented
	if derived {
		v = g(m, swapped[op], b, a)
	}
	if v == notImplemented && f != nil {
		v = f(m, op, a, b)
	}
	if v == notImplemented && g != nil && !derived {
		v = g(m, swapped[op], b, a)
	}
	switch {
	case v != notImplemented:
		return v
	case op == "==":
		return python.Bool(identical(a, b))
	case op == "!=":
		return python.Bool(!identical(a, b))
	}
	return python.Bool(must(python.Compare(op, a, b))) // which no scalar reaches: it words the TypeError
}

// equalValues is a == b as a bool.
func (m *machine) equalValues(a, b Value) bool {
	switch x := a.(type) {
	case python.Int:
		if y, ok := b.(python.Int); ok {
			return x.Compare(y) == 0
		}
	case python.Str:
		if y, ok := b.(python.Str); ok {
			return x == y
		}
	}
	return m.truthOf(m.compareValues("==", a, b))
}

// identical is a is b. Small values are compared as values, as CPython's interning mostly has it.
func identical(a, b Value) bool {
	switch x := a.(type) {
	case Tuple:
		y, ok := b.(Tuple)
		return ok && sameSlice(x, y)
	case Size:
		y, ok := b.(Size)
		return ok && sameSlice(x, y)
	case Slice:
		y, ok := b.(Slice)
		return ok && identical(x.Start, y.Start) && identical(x.Stop, y.Stop) && identical(x.Step, y.Step)
	case constexpr:
		y, ok := b.(constexpr)
		return ok && identical(x.value, y.value)
	case python.Float:
		y, ok := b.(python.Float) // bits: nan is nan
		return ok && math.Float64bits(float64(x)) == math.Float64bits(float64(y))
	case python.Int:
		y, ok := b.(python.Int)
		return ok && x.Compare(y) == 0
	}
	switch b.(type) {
	case Tuple, Size, python.Int, Slice, constexpr:
		return false
	}
	return a == b
}

// sameSlice reports whether two tuples are one: the empty tuple is, too.
func sameSlice[T any](x, y []T) bool {
	return len(x) == len(y) && (len(x) == 0 || &x[0] == &y[0])
}
