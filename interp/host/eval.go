package host

import (
	"math"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// evalExpr computes an expression.
func (f *frame) evalExpr(e syntax.Expr) Value {
	m := f.m
	switch e := e.(type) {
	case *syntax.Name:
		m.at = e.Span()
		return f.loadName(e)
	case *syntax.Constant:
		return constantValue(m, e)
	case *syntax.Attribute:
		object := f.evalExpr(e.Value)
		m.at = e.Span()
		return m.attrOf(object, e.Attr)
	case *syntax.Subscript:
		object, index := f.evalExpr(e.Value), f.evalExpr(e.Index)
		m.at = e.Span()
		return m.itemOf(object, index)
	case *syntax.Slice:
		return Slice{f.evalOptional(e.Lower), f.evalOptional(e.Upper), f.evalOptional(e.Step)}
	case *syntax.Call:
		return f.evalCall(e)
	case *syntax.UnaryOp:
		v := f.evalExpr(e.Operand)
		m.at = e.Span()
		return m.unaryOp(e.Op, v)
	case *syntax.BinOp:
		left, right := f.evalExpr(e.Left), f.evalExpr(e.Right)
		m.at = e.Span()
		return m.binaryOp(e.Op, left, right)
	case *syntax.BoolOp:
		return f.evalBoolOp(e)
	case *syntax.Compare:
		return f.evalComparison(e)
	case *syntax.IfExp:
		if m.truthOf(f.evalExpr(e.Test)) {
			return f.evalExpr(e.Body)
		}
		return f.evalExpr(e.Else)
	case *syntax.NamedExpr:
		v := f.evalExpr(e.Value)
		f.storeName(e.Target, v)
		return v
	case *syntax.Lambda:
		return f.makeLambda(e)
	}
	return f.evalDisplay(e)
}

// evalDisplay computes the expressions that build containers and text.
func (f *frame) evalDisplay(e syntax.Expr) Value {
	switch e := e.(type) {
	case *syntax.Tuple:
		return Tuple(f.evalElements(e.Elts))
	case *syntax.List:
		return &List{f.evalElements(e.Elts)}
	case *syntax.Set:
		s := newSet()
		for _, v := range f.evalElements(e.Elts) {
			s.set(v, none)
		}
		return s
	case *syntax.Dict:
		return f.evalDict(e)
	case *syntax.Comp:
		return f.evalComprehension(e)
	case *syntax.JoinedStr:
		return python.Str(f.evalFString(e))
	case *syntax.Yield:
		return f.evalYield(e)
	}
	halt(diag.New("host-unsupported", e.Span()))
	return nil
}

func (f *frame) evalOptional(e syntax.Expr) Value {
	if e == nil {
		return none
	}
	return f.evalExpr(e)
}

func constantValue(m *machine, e *syntax.Constant) Value {
	switch e.Kind {
	case syntax.TrueConst:
		return python.Bool(true)
	case syntax.FalseConst:
		return python.Bool(false)
	case syntax.EllipsisConst:
		return Ellipsis{}
	case syntax.IntConst:
		m.at = e.Span()
		return must(python.ParseInt(e.Text))
	case syntax.FloatConst:
		return python.Float(e.Float)
	case syntax.StringConst:
		return python.Str(e.Text)
	case syntax.ImagConst:
		return Complex(complex(0, e.Float))
	case syntax.BytesConst:
		return Bytes(e.Text)
	}
	return none
}

// evalElements computes the items of a display, with *x spread.
func (f *frame) evalElements(list []syntax.Expr) []Value {
	m := f.m
	out := make([]Value, 0, len(list))
	for _, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			out = append(out, m.itemsOf(f.evalExpr(s.Value))...)
			continue
		}
		out = append(out, f.evalExpr(e))
	}
	m.budget.chargeItems(len(out))
	return out
}

func (f *frame) evalDict(e *syntax.Dict) Value {
	m := f.m
	d := newDict()
	for i, k := range e.Keys {
		if k == nil {
			if v := f.evalExpr(e.Values[i]); !m.eachEntry(v, d.set) {
				raise("TypeError", "'%s' object is not a mapping", v.Type())
			}
			continue
		}
		key := f.evalExpr(k)
		v := f.evalExpr(e.Values[i])
		m.at = k.Span()
		d.set(key, v)
	}
	m.budget.chargeItems(len(d.keys))
	return d
}

func (f *frame) evalBoolOp(e *syntax.BoolOp) (v Value) {
	m := f.m
	for _, x := range e.Values {
		if v = f.evalExpr(x); m.truthOf(v) == (e.Op == "or") { // and, or give the operand that decides, not its truth
			return v
		}
	}
	return v
}

func (f *frame) evalComparison(e *syntax.Compare) Value {
	m := f.m
	left := f.evalExpr(e.Left)
	var v Value
	for i, op := range e.Ops {
		right := f.evalExpr(e.Comparators[i])
		m.at = e.Span()
		if v = m.compareValues(op, left, right); i < len(e.Ops)-1 && !m.truthOf(v) {
			return v
		}
		// In a < b < c, b is evaluated once.
		left = right
	}
	return v
}

// evalComprehension runs the clauses in a scope of their own. A generator runs them as its items are asked for.
func (f *frame) evalComprehension(e *syntax.Comp) Value {
	m := f.m
	// The first iterable is evaluated in the frame around (PEP 289), now, even for a generator expression.
	inner := newFrame(e, f, f.call)
	next := inner.bindClauses(e.Clauses, m.iterateOver(f.evalExpr(e.Clauses[0].Iter)))
	if e.Kind == "generator" {
		return m.newIterator("generator", func() (v Value, ok bool) {
			outer, at := m.frame, m.at
			m.frame = inner
			if ok = next(); ok {
				m.budget.countStep(e.Span())
				v = inner.evalExpr(e.Elt)
			}
			m.frame, m.at = outer, at
			return v, ok
		})
	}
	// The names of the clauses are in sight of eval(…) in the element.
	outer := m.frame
	m.frame = inner
	var items []Value
	d := newDict()
	for next() {
		m.budget.countStep(e.Span())
		m.budget.chargeItems(1)
		switch v := inner.evalExpr(e.Elt); e.Kind {
		case "dict":
			d.set(v, inner.evalExpr(e.Value))
		case "set":
			d.set(v, none)
		default:
			items = append(items, v)
		}
	}
	m.frame = outer
	switch e.Kind {
	case "dict":
		return d
	case "set":
		return &Set{Dict: *d}
	}
	return &List{items}
}

// bindClauses gives a function that binds the names of the clauses to their next values; false is the end. The first
// iterable has been evaluated outside: a comprehension in a class body sees the class's names there alone.
func (f *frame) bindClauses(list []syntax.CompClause, first func() (Value, bool)) func() bool {
	m := f.m
	open := []func() (Value, bool){first} // the iterators of the clauses that run
	return func() bool {
		for len(open) > 0 {
			i := len(open) - 1
			c := list[i]
			m.at = c.Iter.Span()
			v, ok := open[i]()
			if !ok {
				open = open[:i]
				continue
			}
			m.budget.countStep(c.Iter.Span())
			f.assignTo(c.Target, v)
			switch {
			case !f.allHold(c.Ifs):
			case i == len(list)-1:
				return true
			default:
				open = append(open, m.iterateOver(f.evalExpr(list[i+1].Iter)))
			}
		}
		return false
	}
}

func (f *frame) allHold(tests []syntax.Expr) bool {
	m := f.m
	for _, t := range tests {
		if !m.truthOf(f.evalExpr(t)) {
			return false
		}
	}
	return true
}

// evalFString is an f-string's text.
func (f *frame) evalFString(e *syntax.JoinedStr) string {
	m := f.m
	var b strings.Builder
	for _, part := range e.Values {
		switch p := part.(type) {
		case *syntax.Constant:
			b.WriteString(p.Text)
		case *syntax.FormattedValue:
			b.WriteString(p.Debug)
			b.WriteString(f.evalReplacement(p))
		default:
			b.WriteString(m.strOf(f.evalExpr(part)))
		}
	}
	m.budget.chargeItems(b.Len())
	return b.String()
}

func (f *frame) evalReplacement(p *syntax.FormattedValue) string {
	m := f.m
	v := f.evalExpr(p.Value)
	m.at = p.Span()
	// f"{x=}" shows the repr, unless a format is given.
	conversion := p.Conversion
	if conversion == 0 && p.Debug != "" && p.Format == nil {
		conversion = 'r'
	}
	switch conversion {
	case 'r':
		v = python.Str(m.reprOf(v))
	case 'a':
		v = python.Str(asciiOnly(m.reprOf(v)))
	case 's':
		v = python.Str(m.strOf(v))
	}
	spec := ""
	if p.Format != nil {
		spec = f.evalFString(p.Format)
	}
	return m.formatValue(v, spec)
}

// formatValue is format(v, spec).
func (m *machine) formatValue(v Value, spec string) string {
	switch t := v.(type) {
	case Tensor:
		// Tensor.__format__ formats a tensor of no dimensions as its number; others have no format but "".
		if len(t.Shape()) == 0 {
			return m.formatValue(m.tensorMethod(t, "item"), spec)
		}
	case python.Bool, python.Int, python.Float, python.Str:
		return must(python.Format(v, spec))
	case Complex:
		if spec == "" {
			return m.strOf(v)
		}
		return formatComplex(t, spec)
	case *Instance:
		// A class that says how it prints prints so, unless its __format__ says more.
		if text, ok := m.callOwn(t, "__format__", python.Str(spec)); ok {
			return m.strOf(text)
		}
		if held, ok := heldOf(t); ok && (spec != "" || !hasMethod(t, "__str__") && !hasMethod(t, "__repr__")) {
			return m.formatValue(held, spec)
		}
	}
	if spec != "" {
		raise("TypeError", "unsupported format string passed to %s.__format__", v.Type())
	}
	return m.strOf(v)
}

// truthOf is bool(v).
func (m *machine) truthOf(v Value) bool {
	switch v := v.(type) {
	case python.Bool, python.Int, python.Float, python.Str, python.None:
		return python.Truth(v)
	case Complex:
		return v != 0
	case Bytes, *ByteArray, memoryView, *dictView:
		return m.lengthOf(v) > 0
	case Tuple:
		return len(v) > 0
	case *List:
		return len(v.Items) > 0
	case *Dict:
		return v.live > 0
	case *Set:
		return v.live > 0
	case Size:
		return len(v) > 0
	case Range:
		return v.length() > 0
	case Tensor:
		if v.Numel() != 1 {
			raise("RuntimeError", "Boolean value of Tensor with %s value%s is ambiguous",
				map[bool]string{true: "no", false: "more than one"}[v.Numel() == 0],
				map[bool]string{true: "s", false: ""}[v.Numel() == 0])
		}
		return m.truthOf(m.tensorMethod(v, "item"))
	case constexpr:
		return m.truthOf(v.value)
	case *Instance, *Named, *Exception, *Class:
		if r, ok := m.callSpecial(v, "__bool__"); ok {
			return m.truthOf(r)
		}
		// __bool__ first, then __len__; an object with neither is true.
		if r, ok := m.callSpecial(v, "__len__"); ok {
			return m.truthOf(r)
		}
		if n, ok := v.(*Named); ok {
			return len(n.Items) > 0
		}
	}
	return true
}

// indexMethod is an object's own __index__, which runs in the machine of its function.
func indexMethod(v Value) (func() Value, bool) {
	c := classOf(v)
	if c == nil {
		return nil, false
	}
	f, _ := c.findOwn("__index__")
	fn, ok := f.(*Function)
	if !ok {
		return nil, false
	}
	return func() Value { return fn.frame.m.callWith(fn, v) }, true
}

// asIndex is v as an index (__index__), clipped to 64 bits.
func asIndex(v Value) int64 {
	// torch's __index__: an integer tensor of one element.
	if t, ok := v.(Tensor); ok && t.Numel() == 1 && !t.DType().Info().Float {
		return t.Ints()[0]
	}
	if f, ok := indexMethod(v); ok {
		v = f()
	}
	v = plain(v)
	i, ok := python.AsInt(v)
	if !ok {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", v.Type())
	}
	n, ok := i.Int64()
	if !ok {
		// Clipped: such a number is out of range of any container, as the exact one is.
		if i.Sign() < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return n
}
