package host

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/python"
)

// tensorOperators names the operation behind each operator on tensors.
var tensorOperators = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow", "@": "matmul",
	"&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

// specialOperators names the methods behind operators on instances, forward and reflected.
var specialOperators = map[string][2]string{
	"+": {"__add__", "__radd__"}, "-": {"__sub__", "__rsub__"}, "*": {"__mul__", "__rmul__"},
	"/":  {"__truediv__", "__rtruediv__"},
	"//": {"__floordiv__", "__rfloordiv__"}, "%": {"__mod__", "__rmod__"}, "**": {"__pow__", "__rpow__"},
	"@": {"__matmul__", "__rmatmul__"},
	"&": {"__and__", "__rand__"}, "|": {"__or__", "__ror__"}, "^": {"__xor__", "__rxor__"},
	"<<": {"__lshift__", "__rlshift__"}, ">>": {"__rshift__", "__rrshift__"},
	"==": {"__eq__", "__eq__"}, "!=": {"__ne__", "__ne__"}, "<": {"__lt__", "__gt__"}, "<=": {"__le__", "__ge__"},
	">": {"__gt__", "__lt__"}, ">=": {"__ge__", "__le__"},
}

// plain takes the value out of a constexpr.
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

// binaryOperator is an arithmetic operator, which of two ints and of two floats asks for no class.
func binaryOperator(op string) operator {
	ints, floats := python.IntOperation(op), python.FloatOperation(op)
	return func(m *machine, a, b Value) Value {
		switch x := a.(type) {
		case python.Int:
			if y, ok := b.(python.Int); ok && ints != nil {
				return must(ints(x, y))
			}
		case python.Float:
			if y, ok := b.(python.Float); ok && floats != nil {
				return must(floats(float64(x), float64(y)))
			}
		}
		return m.binaryOp(op, a, b)
	}
}

// inPlaceOperator is the operator of a op= b.
func inPlaceOperator(op string) operator {
	apply := binaryOperator(op)
	return func(m *machine, a, b Value) Value {
		if isNumber(a) {
			return apply(m, a, b)
		}
		return inPlaceOp(m, op, a, b)
	}
}

// comparisonOperator is one comparison, which of two ints or texts asks for no class.
func comparisonOperator(op string) operator {
	holds := map[string][3]bool{ // for less, equal, greater
		"<": {true, false, false}, "<=": {true, true, false}, "==": {false, true, false}, "!=": {true, false, true},
		">": {false, false, true}, ">=": {false, true, true}}[op]
	ordered := comparisons[op]
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
	// A class's own operator comes before the number or text that its object holds.
	if r, ok := m.callOwn(v, unaryNames[op]); ok {
		return r
	}
	v = plain(v)
	switch x := v.(type) {
	case Tensor:
		name := map[string]string{"-": "neg", "+": "positive", "~": "bitwise_not"}[op]
		return m.tensorMethod(x, name)
	case Complex:
		if op == "-" {
			return -x
		}
		if op == "+" {
			return x
		}
	}
	return must(python.Unary(op, v))
}

func (m *machine) binaryOp(op string, a, b Value) Value {
	if v, ok := m.instanceBinary(op, a, b); ok {
		return v
	}
	// From here on only builtin values count: what an object of a class derived from int or str holds, and keys() as
	// a set.
	a, b = setLike(plain(a)), setLike(plain(b))
	if isTensor(a) || isTensor(b) {
		if v, ok := tensorBinary(m, op, a, b); ok {
			return v
		}
	}
	if v, ok := complexBinary(op, a, b); ok {
		return v
	}
	if v, ok := bytesBinary(m, op, a, b); ok {
		return v
	}
	// Counter has + - & | of its own and is a dict otherwise: it must come before setOperation.
	if v, ok := counterOperation(m, op, a, b); ok {
		return v
	}
	switch op {
	// int | None in an annotation that is evaluated makes a union.
	case "|":
		if isTypeLike(a) && (isTypeLike(b) || b == none) || a == none && isTypeLike(b) {
			return unionOf(m, a, b)
		}
	case "+":
		if v, ok := concatSequences(m, a, b); ok {
			return v
		}
	case "*":
		if v, ok := repeatSequence(m, a, b); ok {
			return v
		}
		if v, ok := repeatSequence(m, b, a); ok {
			return v
		}
	case "%":
		if s, ok := a.(python.Str); ok {
			return fillPercent(m, string(s), b)
		}
	}
	if v, ok := setOperation(op, a, b); ok {
		return v
	}
	v := must(python.Binary(op, a, b))
	if s, ok := v.(python.Str); ok {
		// Only now is the length of the text known.
		m.budget.chargeItems(len(s))
	}
	return v
}

// fillPercent is text % v.
func fillPercent(m *machine, text string, v Value) Value {
	// "%s" % v takes one value; a tuple gives one for each conversion, a dict one for each name.
	a := python.PercentArguments{Positional: []Value{percentNumber(m, v)}}
	switch x := v.(type) {
	case Tuple:
		a.Positional = make([]Value, len(x))
		for i, e := range x {
			a.Positional[i] = percentNumber(m, e)
		}
	case *Dict:
		a.Named = func(name string) (Value, *python.Error) {
			return percentNumber(m, m.itemOf(x, python.Str(name))), nil
		}
	}
	a.Text = func(v Value, conversion rune) string {
		switch conversion {
		case 'r':
			return m.reprOf(v)
		case 'a':
			return asciiOnly(m.reprOf(v))
		}
		return m.strOf(v)
	}
	s, err := a.Fill(text)
	m.budget.chargeItems(len(s))
	return mustText(python.Str(s), err)
}

// percentNumber is a tensor's only element: %d and %f take it as a number.
func percentNumber(m *machine, v Value) Value {
	if t, ok := v.(Tensor); ok && t.Numel() == 1 {
		return m.tensorMethod(t, "item")
	}
	return v
}

func isTensor(v Value) bool {
	_, ok := v.(Tensor)
	return ok
}

// tensorBinary is an operator with a tensor on one side and a tensor or a number on the other.
func tensorBinary(m *machine, op string, a, b Value) (Value, bool) {
	for _, v := range []Value{a, b} {
		switch v.(type) {
		case Tensor, python.Bool, python.Int, python.Float:
		default:
			// Unlike <, == of a tensor and another type is False, as torch has it.
			if op == "==" || op == "!=" {
				return python.Bool(op == "!="), true
			}
			return nil, false
		}
	}
	name := tensorOperators[op]
	if op == "@" && !(isTensor(a) && isTensor(b)) {
		return nil, false
	}
	if op == "/" && isNumber(a) {
		// torch's __rtruediv__ multiplies by the reciprocal.
		return m.callTorch("mul", m.callTorch("reciprocal", b), a), true
	}
	return m.callTorch(name, a, b), true
}

func (m *machine) instanceBinary(op string, a, b Value) (Value, bool) {
	names := specialOperators[op]
	left, right := classOf(a), classOf(b)
	if left == nil && right == nil {
		return nil, false
	}
	// A subclass on the right comes first: it knows more than its base does.
	first := left != nil && right != nil && left != right && right.inherits(left)
	if first {
		if v, ok := m.callOwn(b, names[1], a); ok && v != notImplemented {
			return v, true
		}
	}
	if v, ok := m.callOwn(a, names[0], b); ok && v != notImplemented {
		return v, true
	}
	// The reflected method is not asked twice. Comparisons are their own reflection where both classes are the same.
	if !first && !(left == right && names[0] == names[1]) {
		if v, ok := m.callOwn(b, names[1], a); ok && v != notImplemented {
			return v, true
		}
	}
	return nil, false
}

// concatSequences is + of two sequences of one kind.
func concatSequences(m *machine, a, b Value) (Value, bool) {
	switch x := a.(type) {
	case *List:
		y, ok := b.(*List)
		if !ok {
			raise("TypeError", "can only concatenate list (not \"%s\") to list", b.Type())
		}
		m.budget.chargeItems(len(x.Items) + len(y.Items))
		return &List{slices.Concat(x.Items, y.Items)}, true
	case Tuple, Size, *Named:
		left, right := m.itemsOf(a), Tuple(nil)
		switch y := b.(type) {
		case Tuple:
			right = y
		case Size, *Named:
			right = m.itemsOf(y)
		default:
			raise("TypeError", "can only concatenate tuple (not \"%s\") to tuple", b.Type())
		}
		m.budget.chargeItems(len(left) + len(right))
		if is[Size](a) && !slices.ContainsFunc(right, func(v Value) bool { return !is[python.Int](v) }) {
			return sizeOf(m, slices.Concat(left, right)), true
		}
		return Tuple(slices.Concat(left, right)), true
	}
	return nil, false
}

// repeatSequence is sequence * n.
func repeatSequence(m *machine, a, b Value) (Value, bool) {
	n, ok := python.AsInt(b)
	if !ok {
		return nil, false
	}
	var items []Value
	switch x := a.(type) {
	case *List:
		items = x.Items
	case Tuple:
		items = x
	case Size:
		items = x.tuple()
	default:
		return nil, false
	}
	// A huge number of repetitions is refused before anything is made; of an empty sequence any number is fine.
	times, fits := n.Int64()
	if n.Sign() <= 0 || len(items) == 0 {
		times, fits = 0, true
	}
	if !fits || times > int64(m.options.MaxItems)/int64(max(len(items), 1)) {
		// A negative number stands for one that does not fit: it is always beyond the limit.
		m.budget.chargeItems(-1)
	}
	m.budget.chargeItems(int(times) * len(items))
	out := slices.Repeat(items, int(times))
	if _, ok := a.(*List); ok {
		return &List{out}, true
	}
	return Tuple(out), true
}

func setOperation(op string, a, b Value) (Value, bool) {
	if d, ok := a.(*Dict); ok && op == "|" {
		e, ok := b.(*Dict)
		if !ok {
			return nil, false
		}
		out := newDict()
		d.each(out.set)
		e.each(out.set)
		return out, true
	}
	x, ok := a.(*Set)
	y, both := b.(*Set)
	if !ok || !both {
		return nil, false
	}
	out := newSet()
	out.frozen = x.frozen
	from := func(s, other *Set, want bool) {
		s.each(func(k, _ Value) {
			if _, has := other.get(k); has == want {
				out.set(k, none)
			}
		})
	}
	switch op {
	case "&":
		from(x, y, true)
	case "-":
		from(x, y, false)
	case "|":
		x.each(out.set)
		y.each(out.set)
	case "^":
		from(x, y, false)
		from(y, x, false)
	default:
		return nil, false
	}
	return out, true
}

// inPlaceOp is the value of a op= b.
func inPlaceOp(m *machine, op string, a, b Value) Value {
	switch x := a.(type) {
	case Tensor:
		if isTensor(b) || isNumber(b) {
			// torch has no in-place matrix product.
			if op == "@" {
				return m.binaryOp(op, a, b)
			}
			return m.tensorMethod(x, tensorOperators[op]+"_", b)
		}
	case *List:
		// list += takes any iterable, unlike list +, and changes the list that other names see.
		if op == "+" {
			items := m.itemsOf(b)
			m.budget.chargeItems(len(items))
			x.Items = append(x.Items, items...)
			return x
		}
	case *Dict:
		if op == "|" && x.kind == nil {
			updateDict(m, x, b)
			return x
		}
	case *Set:
		if y, ok := setLike(b).(*Set); ok && !x.frozen {
			if op == "|" {
				x.addAll(m, y)
				return x
			}
			v, ok := setOperation(op, x, y)
			if ok {
				x.Dict = v.(*Set).Dict
				return x
			}
		}
	case *ByteArray:
		if op == "+" {
			data := mustBytes(b)
			m.budget.chargeItems(len(data))
			x.data = append(x.data, data...)
			return x
		}
	default:
		if classOf(a) != nil {
			name := "__i" + strings.TrimPrefix(specialOperators[op][0], "__")
			if v, ok := m.callSpecial(a, name, b); ok && v != notImplemented {
				return v
			}
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
