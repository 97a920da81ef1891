package host

import (
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// builtins are the names that Python defines everywhere.
var builtins map[string]Value

func init() {
	builtins = map[string]Value{"NotImplemented": notImplemented, "Ellipsis": Ellipsis{},
		"__debug__": python.Bool(true)}
	for name, f := range builtinFunctions {
		b := newBuiltin("builtins", name, f)
		b.module = true
		builtins[b.Name] = b
	}
	for _, c := range builtinTypes {
		builtins[c.Name] = c
	}
	for name, class := range map[string]string{"IOError": "OSError", "EnvironmentError": "OSError"} {
		builtins[name] = exceptions[class]
	}
	for _, row := range exceptionParents {
		builtins[row[0]] = exceptions[row[0]]
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// at is positional argument i, or otherwise.
func (a arguments) at(i int, otherwise Value) Value {
	if i < len(a.positional) && a.positional[i] != nil {
		return a.positional[i]
	}
	return otherwise
}

// builtinFunctions are Python's builtin functions.
var builtinFunctions = map[string]method{
	"open(file, mode='r', buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None)": builtinOpen,
	"__import__(name, globals=None, locals=None, fromlist=(), level=0)":                                       importByName,
	"compile(source, filename, mode, flags=0, dont_inherit=False, optimize=-1)":                               builtinCompile,
	"input(prompt='', /)": builtinInput,
	"display":             displayAll,
	"get_ipython()":       getShell,
	"print(*args, sep=' ', end='\\n', file=None, flush=False)": builtinPrint,
	"len(obj, /)": func(m *machine, a arguments) Value { return intValue(m.lengthOf(a.positional[0])) },
	"abs(x, /)":   func(m *machine, a arguments) Value { return m.unaryOp("abs", a.positional[0]) },
	"min(*args, key=None, default=...)": func(m *machine, a arguments) Value {
		return minOrMax(m, "min", "<", a)
	},
	"max(*args, key=None, default=...)": func(m *machine, a arguments) Value {
		return minOrMax(m, "max", ">", a)
	},
	"sum(iterable, /, start=0)":                       builtinSum,
	"sorted(iterable, /, *, key=None, reverse=False)": builtinSorted,
	"enumerate(iterable, start=0)":                    builtinEnumerate,
	"zip(*iterables, strict=False)":                   builtinZip,
	"map(*args)":                                      builtinMap,
	"filter(function, iterable, /)":                   builtinFilter,
	"reversed(sequence, /)": func(m *machine, a arguments) Value {
		return builtinReversed(m, a.positional[0])
	},
	"any(iterable, /)": func(m *machine, a arguments) Value {
		return anyTruth(m, a.positional[0], true)
	},
	"all(iterable, /)": func(m *machine, a arguments) Value {
		return !anyTruth(m, a.positional[0], false)
	},
	"round(number, ndigits=None)": builtinRound,
	"pow(base, exp, mod=None)":    builtinPow,
	"divmod(x, y, /)": func(m *machine, a arguments) Value {
		if v, ok := dunderDivmod(m, a.positional[0], a.positional[1]); ok {
			return v
		}
		return must(python.DivMod(plain(a.positional[0]), plain(a.positional[1])))
	},
	"ascii(obj, /)": func(m *machine, a arguments) Value { return python.Str(asciiOnly(m.reprOf(a.positional[0]))) },
	"repr(obj, /)":  func(m *machine, a arguments) Value { return python.Str(m.reprOf(a.positional[0])) },
	"format(value, format_spec='', /)": func(m *machine, a arguments) Value {
		return python.Str(m.formatValue(a.positional[0], m.strOf(a.positional[1])))
	},
	"hash(obj, /)": func(m *machine, a arguments) Value {
		return python.NewInt(hashOf(a.positional[0]))
	},
	"id(obj, /)": func(m *machine, a arguments) Value {
		return python.NewInt(identity(a.positional[0]))
	},
	"iter(object, sentinel=..., /)":  builtinIter,
	"next(iterator, default=..., /)": builtinNext,
	"callable(obj, /)": func(m *machine, a arguments) Value {
		return python.Bool(callable(a.positional[0]))
	},
	"isinstance(obj, class_or_tuple, /)": func(m *machine, a arguments) Value {
		return python.Bool(m.isInstance(a.positional[0], a.positional[1]))
	},
	"issubclass(cls, class_or_tuple, /)": builtinIssubclass,
	"hasattr(obj, name, /)": func(m *machine, a arguments) Value {
		_, ok := m.attrOr(a.positional[0], m.strOf(a.positional[1]))
		return python.Bool(ok)
	},
	"getattr(object, name, default=..., /)": builtinGetattr,
	"delattr(obj, name, /)": func(m *machine, a arguments) Value {
		m.deleteAttr(a.positional[0], m.strOf(a.positional[1]))
		return none
	},
	"vars(object=..., /)": builtinVars,
	"dir(object=..., /)":  builtinDir,
	"exec(source, globals=None, locals=None, /, *, closure=None)": builtinExec,
	"super(type=..., obj=..., /)":                                 builtinSuper,
	"setattr(obj, name, value, /)": func(m *machine, a arguments) Value {
		m.setAttr(a.positional[0], m.strOf(a.positional[1]), a.positional[2])
		return none
	},
	"ord(c, /)":      builtinOrd,
	"chr(i, /)":      builtinChr,
	"bin(number, /)": func(m *machine, a arguments) Value { return inRadix(a.positional[0], "#b") },
	"hex(number, /)": func(m *machine, a arguments) Value { return inRadix(a.positional[0], "#x") },
	"oct(number, /)": func(m *machine, a arguments) Value { return inRadix(a.positional[0], "#o") },
	"eval(source, globals=None, locals=None, /)": builtinEval,
	"globals()": func(m *machine, a arguments) Value {
		return m.frame.unit.space.vars
	},
	"locals()": func(m *machine, a arguments) Value {
		return m.frame.localNames()
	},
}

func builtinPrint(m *machine, a arguments) Value {
	texts := [2]string{" ", "\n"} // of None
	for i, name := range []string{"sep", "end"} {
		v := a.positional[1+i]
		s, isStr := plain(v).(python.Str)
		switch {
		case isStr:
			texts[i] = string(s)
		case v != none:
			raise("TypeError", "%s must be None or a string, not %s", name, v.Type())
		}
	}
	values := a.positional[0].(Tuple)
	parts := make([]string, len(values))
	for i, v := range values {
		m.tick()
		parts[i] = m.strOf(v)
	}
	// One write for the whole line, so that the outputs of a cell are not cut between arguments.
	printTo(m, given(a.positional[3], nil), strings.Join(parts, texts[0])+texts[1])
	return none
}

func builtinRound(m *machine, a arguments) Value {
	return roundTo(m, a.positional[0], a.positional[1])
}

// roundTo is round(number, digits).
func roundTo(m *machine, number, digits Value) Value {
	var args []Value
	if digits != none {
		args = []Value{digits}
	}
	if v, ok := m.callOwn(number, "__round__", args...); ok {
		return v
	}
	switch v := plain(number).(type) {
	case Tensor:
		return m.tensorMethod(v, "round")
	case python.Float:
		if digits == none {
			// Without digits the result is an int; ties go to even in both forms.
			whole := must(v.Round(0))
			return must(whole.Whole())
		}
		// A float has no digits past the 1074th place, nor above the 309th.
		return must(v.Round(int(max(min(asIndex(digits), 1000), -1000))))
	case python.Int, python.Bool:
		i, _ := python.AsInt(v)
		if digits == none || asIndex(digits) >= 0 {
			return i
		}
		return roundInt(i, -asIndex(digits))
	}
	raise("TypeError", "type %s doesn't define __round__ method", number.Type())
	return nil
}

// roundInt rounds to a multiple of 10^zeros, ties to even.
func roundInt(i python.Int, zeros int64) Value {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(min(zeros, python.MaxBits)), nil)
	// DivMod is Euclidean: the rest is not negative, and whole is the multiple below.
	half, rest := new(big.Int).Rsh(unit, 1), new(big.Int)
	whole, rest := new(big.Int).DivMod(i.Big(), unit, rest)
	if c := rest.Cmp(half); c > 0 || c == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	return must(python.NewBig(whole.Mul(whole, unit)))
}

func builtinPow(m *machine, a arguments) Value {
	if a.positional[2] == none {
		return m.binaryOp("**", a.positional[0], a.positional[1])
	}
	var n [3]*big.Int
	for i, v := range a.positional {
		x, ok := python.AsInt(v)
		if !ok {
			raise("TypeError", "pow() 3rd argument not allowed unless all arguments are integers")
		}
		n[i] = x.Big()
	}
	if n[2].Sign() == 0 {
		raise("ValueError", "pow() 3rd argument cannot be 0")
	}
	if n[1].Sign() < 0 { // a power of the inverse
		inverse := new(big.Int).ModInverse(n[0], new(big.Int).Abs(n[2]))
		if inverse == nil {
			raise("ValueError", "base is not invertible for the given modulus")
		}
		n[0], n[1] = inverse, n[1].Neg(n[1])
	}
	r := new(big.Int).Exp(n[0], n[1], new(big.Int).Abs(n[2]))
	// As with %, the result has the sign of the modulus.
	if n[2].Sign() < 0 && r.Sign() != 0 {
		r.Add(r, n[2])
	}
	return must(python.NewBig(r))
}

func builtinNext(m *machine, a arguments) Value {
	next := typeOf(a.positional[0]).slots().next
	if next == nil {
		raise("TypeError", "'%s' object is not an iterator", a.positional[0].Type())
	}
	if a.positional[1] == nil {
		return next(m, a.positional[0])
	}
	v, more := m.untilStop("StopIteration", func() Value { return next(m, a.positional[0]) })
	if !more {
		return a.positional[1]
	}
	return v
}

// builtinIter is iter(iterable), or iter(function, last): what calls give until one gives last.
func builtinIter(m *machine, a arguments) Value {
	v := a.positional[0]
	if a.positional[1] != nil {
		if !callable(v) {
			raise("TypeError", "iter(v, w): v must be callable")
		}
		return m.newIterator("callable_iterator", func() (Value, bool) {
			m.budget.countStep(m.at)
			x := m.callWith(v)
			// The value that ends it is not given.
			return x, !m.equalValues(x, a.positional[1])
		})
	}
	if f, ok := m.findSpecial(v, "__iter__"); ok {
		it := m.callWith(f)
		if typeOf(it).slots().next == nil {
			raise("TypeError", "iter() returned non-iterator of type '%s'", it.Type())
		}
		return it
	}
	return &Iterator{iteratorName(v), m.iterateOver(v)}
}

// iteratorName is the name of the class of a builtin object's iterator.
func iteratorName(v Value) string {
	switch name := v.Type(); name {
	case "dict":
		return "dict_keyiterator"
	case "dict_keys", "dict_values", "dict_items":
		return strings.TrimSuffix(name, "s") + "iterator"
	case "str":
		// CPython has a second one for other texts, which nothing but type() shows.
		return "str_ascii_iterator"
	case "frozenset":
		return "set_iterator"
	default:
		return name + "_iterator"
	}
}

// dunderDivmod is divmod by the methods of objects.
func dunderDivmod(m *machine, a, b Value) (Value, bool) {
	if v, ok := m.callOwn(a, "__divmod__", b); ok && v != notImplemented {
		return v, true
	}
	if v, ok := m.callOwn(b, "__rdivmod__", a); ok && v != notImplemented {
		return v, true
	}
	return nil, false
}

// eachEntry visits the entries of a mapping: a dict, or an object with keys() and []. It is not ok for other values.
func (m *machine) eachEntry(v Value, visit func(k, v Value)) bool {
	if d, ok := plain(v).(*Dict); ok {
		d.each(m.ticking(visit))
		return true
	}
	// What dict.update and ** take for a mapping: anything with keys().
	keys, ok := m.findAttr(v, "keys")
	if !ok || is[*Class](v) {
		return false
	}
	for _, k := range m.itemsOf(m.callWith(keys)) {
		visit(k, m.itemOf(v, k))
	}
	return true
}

func builtinGetattr(m *machine, a arguments) Value {
	name := m.strOf(a.positional[1])
	if a.positional[2] == nil {
		return m.attrOf(a.positional[0], name)
	}
	if v, ok := m.attrOr(a.positional[0], name); ok {
		return v
	}
	return a.positional[2]
}

// attrOr is an attribute where one that is missing does not fail: a __getattr__ may raise AttributeError.
func (m *machine) attrOr(object Value, name string) (v Value, ok bool) {
	e := m.exceptionOf(func() { v, ok = m.findAttr(object, name) })
	switch {
	case e == nil:
		return v, ok
	case e.stop != nil || !e.exception.class.isA("AttributeError"):
		panic(e)
	}
	return nil, false
}

func builtinOrd(m *machine, a arguments) Value {
	if data, ok := bytesIn(a.positional[0]); ok && len(data) == 1 {
		return intValue(int(data[0]))
	}
	s, ok := plain(a.positional[0]).(python.Str)
	if !ok {
		raise("TypeError", "ord() expected string of length 1, but %s found", a.positional[0].Type())
	}
	if n := utf8.RuneCountInString(string(s)); n != 1 {
		raise("TypeError", "ord() expected a character, but string of length %d found", n)
	}
	r, _ := utf8.DecodeRuneInString(string(s))
	return intValue(int(r))
}

func builtinChr(m *machine, a arguments) Value {
	n := asIndex(a.positional[0])
	if int64(int32(n)) != n {
		raise("OverflowError", "Python int too large to convert to C int")
	}
	if n < 0 || n > utf8.MaxRune {
		raise("ValueError", "chr() arg not in range(0x110000)")
	}
	return python.Str(rune(n))
}

func inRadix(v Value, spec string) Value { return python.Str(must(python.Format(integerOf(v), spec))) }
