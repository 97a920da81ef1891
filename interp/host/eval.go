package host

import (
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// expr compiles an expression.
func (c compilation) expr(e syntax.Expr) evaluation {
	span := e.Span()
	switch e := e.(type) {
	case *syntax.Name:
		return c.name(e)
	case *syntax.Constant:
		return constant(e)
	case *syntax.Attribute:
		object, ref := c.expr(e.Value), newReference(e.Attr)
		return func(f *frame) Value {
			o := object(f)
			f.m.at = span
			return f.m.attrAt(o, ref)
		}
	case *syntax.Subscript:
		object, index := c.expr(e.Value), c.expr(e.Index)
		return func(f *frame) Value {
			o, i := object(f), index(f)
			f.m.at = span
			return f.m.itemOf(o, i)
		}
	case *syntax.Slice:
		lower, upper, step := c.optional(e.Lower), c.optional(e.Upper), c.optional(e.Step)
		return func(f *frame) Value { return Slice{lower(f), upper(f), step(f)} }
	case *syntax.Call:
		return c.call(e)
	case *syntax.UnaryOp:
		operand := c.expr(e.Operand)
		return func(f *frame) Value {
			v := operand(f)
			f.m.at = span
			return f.m.unaryOp(e.Op, v)
		}
	case *syntax.BinOp:
		return c.operation(e.Left, e.Right, binaryOperator(e.Op), span)
	case *syntax.BoolOp:
		return c.boolOp(e)
	case *syntax.Compare:
		return c.comparison(e)
	case *syntax.IfExp:
		test, body, otherwise := c.expr(e.Test), c.expr(e.Body), c.expr(e.Else)
		return func(f *frame) Value {
			if f.m.truthOf(test(f)) {
				return body(f)
			}
			return otherwise(f)
		}
	case *syntax.NamedExpr:
		value, store := c.expr(e.Value), c.storeName(e.Target)
		return func(f *frame) Value {
			v := value(f)
			store(f, v)
			return v
		}
	case *syntax.Lambda:
		return c.lambda(e)
	}
	return c.display(e)
}

// display compiles the expressions that build containers and text.
func (c compilation) display(e syntax.Expr) evaluation {
	switch e := e.(type) {
	case *syntax.Tuple:
		items := c.elements(e.Elts)
		return func(f *frame) Value { return Tuple(items(f)) }
	case *syntax.List:
		items := c.elements(e.Elts)
		return func(f *frame) Value { return &List{items(f)} }
	case *syntax.Set:
		items, constant := c.elements(e.Elts), len(e.Elts) > 2 && !slices.ContainsFunc(e.Elts, isVariable)
		return func(f *frame) Value {
			s := newSet()
			for _, v := range items(f) {
				s.add(v)
			}
			if constant {
				// CPython's compiler makes a frozenset, again where it merges constants (merge_consts_recursive), and
				// the code adds that to an empty set.
				again := newSet()
				s.each(f.m, again.add)
				return again.copied(f.m)
			}
			return s
		}
	case *syntax.Dict:
		return c.dict(e)
	case *syntax.Comp:
		return c.comprehension(e)
	case *syntax.JoinedStr:
		text := c.fString(e)
		return func(f *frame) Value { return python.Str(text(f)) }
	case *syntax.Yield:
		return c.yield(e)
	}
	return func(*frame) Value {
		halt(diag.New("host-unsupported", e.Span()))
		return nil
	}
}

// isVariable reports whether an expression is not a constant as CPython folds it.
func isVariable(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Constant:
		return false
	case *syntax.UnaryOp:
		return isVariable(e.Operand)
	case *syntax.Tuple:
		return slices.ContainsFunc(e.Elts, isVariable)
	}
	return true
}

// optional compiles an expression that may be left out: None.
func (c compilation) optional(e syntax.Expr) evaluation {
	if e == nil {
		return func(*frame) Value { return none }
	}
	return c.expr(e)
}

func (c compilation) exprs(list []syntax.Expr) []evaluation {
	out := make([]evaluation, len(list))
	for i, e := range list {
		out[i] = c.expr(e)
	}
	return out
}

// constant is the value of a literal. An integer that is too large is an error where it is met.
func constant(e *syntax.Constant) evaluation {
	v, ok := literal(e)
	if !ok {
		return func(f *frame) Value {
			f.m.at = e.Span()
			return must(python.ParseInt(e.Text))
		}
	}
	return func(*frame) Value { return v }
}

// literal is the value of an expression that is a literal. Not ok for others, and for an integer that is too large.
func literal(e syntax.Expr) (Value, bool) {
	k, ok := e.(*syntax.Constant)
	if !ok {
		return nil, false
	}
	if k.Kind == syntax.IntConst {
		if _, err := python.ParseInt(k.Text); err != nil {
			return nil, false
		}
	}
	return constantValue(k), true
}

func constantValue(e *syntax.Constant) Value {
	switch e.Kind {
	case syntax.TrueConst:
		return python.Bool(true)
	case syntax.FalseConst:
		return python.Bool(false)
	case syntax.EllipsisConst:
		return Ellipsis{}
	case syntax.IntConst:
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

// elements compiles the items of a display, with *x spread.
func (c compilation) elements(list []syntax.Expr) func(f *frame) []Value {
	items := make([]evaluation, len(list))
	spread := make([]bool, len(list))
	for i, e := range list {
		if s, ok := e.(*syntax.Starred); ok {
			e, spread[i] = s.Value, true
		}
		items[i] = c.expr(e)
	}
	return func(f *frame) []Value {
		out := make([]Value, 0, len(items))
		for i, item := range items {
			if v := item(f); spread[i] {
				out = append(out, f.m.itemsOf(v)...)
			} else {
				out = append(out, v)
			}
		}
		f.m.budget.chargeItems(len(out))
		return out
	}
}

func (c compilation) dict(e *syntax.Dict) evaluation {
	keys, values := make([]evaluation, len(e.Keys)), c.exprs(e.Values)
	for i, k := range e.Keys {
		if k != nil {
			keys[i] = c.expr(k)
		}
	}
	return func(f *frame) Value {
		m, d := f.m, newDict()
		for i, key := range keys {
			if key == nil {
				if v := values[i](f); !m.eachEntry(v, d.set) {
					raise("TypeError", "'%s' object is not a mapping", v.Type())
				}
				continue
			}
			k, v := key(f), values[i](f)
			m.at = e.Keys[i].Span()
			d.set(k, v)
		}
		m.budget.chargeItems(d.live)
		return d
	}
}

// operation compiles an operator of two operands.
func (c compilation) operation(x, y syntax.Expr, apply operator, span source.Span) evaluation {
	left, right := c.expr(x), c.expr(y)
	if b, ok := literal(y); ok {
		return func(f *frame) Value {
			a := left(f)
			f.m.at = span
			return apply(f.m, a, b)
		}
	}
	return func(f *frame) Value {
		a, b := left(f), right(f)
		f.m.at = span
		return apply(f.m, a, b)
	}
}

// boolOp compiles and and or, which give the operand that decides, not its truth.
func (c compilation) boolOp(e *syntax.BoolOp) evaluation {
	operands, decides := c.exprs(e.Values), e.Op == "or"
	return func(f *frame) (v Value) {
		for _, operand := range operands {
			if v = operand(f); f.m.truthOf(v) == decides {
				return v
			}
		}
		return v
	}
}

func (c compilation) comparison(e *syntax.Compare) evaluation {
	left, right, span := c.expr(e.Left), c.exprs(e.Comparators), e.Span()
	compare := make([]operator, len(e.Ops))
	for i, op := range e.Ops {
		compare[i] = comparisonOperator(op)
	}
	if len(right) == 1 {
		return c.operation(e.Left, e.Comparators[0], compare[0], span)
	}
	return func(f *frame) (v Value) {
		m, a := f.m, left(f)
		for i, operand := range right {
			b := operand(f)
			m.at = span
			if v = compare[i](m, a, b); i < len(right)-1 && !m.truthOf(v) {
				return v
			}
			a = b // in a < b < c, b is evaluated once
		}
		return v
	}
}

// comprehension compiles the clauses in a scope of their own. A generator runs them as its items are asked for.
func (c compilation) comprehension(e *syntax.Comp) evaluation {
	own, span := c.within(e), e.Span()
	// The first iterable is evaluated in the frame around (PEP 289), now, even for a generator expression.
	first, clauses, element := c.expr(e.Clauses[0].Iter), own.clauses(e.Clauses), own.expr(e.Elt)
	// begin gives the frame of the clauses, and what binds their next values in it.
	begin := func(f *frame) (inner *frame, next func() bool) {
		inner = f.inner(own)
		return inner, clauses(inner, f.m.iterateOver(first(f)))
	}
	if e.Kind == "generator" {
		return func(f *frame) Value {
			m := f.m
			inner, next := begin(f)
			running, ended := false, false
			return m.newIterator("generator", func() (v Value, ok bool) {
				switch {
				case running:
					raise("ValueError", "generator already executing")
				case ended:
					return nil, false
				}
				outer, at := m.frame, m.at
				m.frame, running, ended = inner, true, true
				defer func() {
					running = false
					if r := recover(); r != nil {
						panic(m.caughtFrom(r).outOfGenerator())
					}
				}()
				if ok = next(); ok {
					m.budget.countStep(span)
					v = element(inner)
				}
				m.frame, m.at, ended = outer, at, !ok
				return v, ok
			})
		}
	}
	// each runs the clauses. Their names are in sight of eval(…) in the element.
	each := func(f *frame, visit func(inner *frame, v Value)) {
		m := f.m
		inner, next := begin(f)
		outer := m.frame
		m.frame = inner
		for next() {
			m.budget.countStep(span)
			m.budget.chargeItems(1)
			visit(inner, element(inner))
		}
		m.frame = outer
	}
	switch e.Kind {
	case "dict":
		value := own.expr(e.Value)
		return func(f *frame) Value {
			d := newDict()
			each(f, func(inner *frame, k Value) { d.set(k, value(inner)) })
			return d
		}
	case "set":
		return func(f *frame) Value {
			s := newSet()
			each(f, func(_ *frame, v Value) { s.add(v) })
			return s
		}
	}
	return func(f *frame) Value {
		l := &List{}
		each(f, func(_ *frame, v Value) { l.Items = append(l.Items, v) })
		return l
	}
}

// clauses compiles the clauses of a comprehension: a function that binds their names to their next values; false is
// the end. The first iterable has been evaluated outside: a comprehension in a class body sees the class's names there
// alone.
func (c compilation) clauses(list []syntax.CompClause) func(f *frame, first func() (Value, bool)) func() bool {
	iterables, targets := make([]evaluation, len(list)), make([]assignment, len(list))
	tests := make([][]evaluation, len(list))
	for i, clause := range list {
		if i > 0 {
			iterables[i] = c.expr(clause.Iter)
		}
		targets[i], tests[i] = c.target(clause.Target), c.exprs(clause.Ifs)
	}
	return func(f *frame, first func() (Value, bool)) func() bool {
		m := f.m
		open := []func() (Value, bool){first} // the iterators of the clauses that run
		return func() bool {
			for len(open) > 0 {
				i := len(open) - 1
				m.at = list[i].Iter.Span()
				v, ok := open[i]()
				if !ok {
					open = open[:i]
					continue
				}
				m.budget.countStep(list[i].Iter.Span())
				targets[i](f, v)
				switch {
				case slices.ContainsFunc(tests[i], func(test evaluation) bool { return !m.truthOf(test(f)) }):
				case i == len(list)-1:
					return true
				default:
					open = append(open, m.iterateOver(iterables[i+1](f)))
				}
			}
			return false
		}
	}
}

// fString compiles an f-string's text.
func (c compilation) fString(e *syntax.JoinedStr) func(f *frame) string {
	parts := make([]func(f *frame) string, len(e.Values))
	for i, part := range e.Values {
		switch p := part.(type) {
		case *syntax.Constant:
			parts[i] = func(*frame) string { return p.Text }
		case *syntax.FormattedValue:
			parts[i] = c.replacement(p)
		default:
			value := c.expr(part)
			parts[i] = func(f *frame) string { return f.m.strOf(value(f)) }
		}
	}
	return func(f *frame) string {
		var b strings.Builder
		for _, part := range parts {
			b.WriteString(part(f))
		}
		f.m.budget.chargeItems(b.Len())
		return b.String()
	}
}

func (c compilation) replacement(p *syntax.FormattedValue) func(f *frame) string {
	value, spec := c.expr(p.Value), func(*frame) string { return "" }
	if p.Format != nil {
		spec = c.fString(p.Format)
	}
	// f"{x=}" shows the repr, unless a format is given.
	conversion := p.Conversion
	if conversion == 0 && p.Debug != "" && p.Format == nil {
		conversion = 'r'
	}
	return func(f *frame) string {
		m, v := f.m, value(f)
		m.at = p.Span()
		switch conversion {
		case 'r':
			v = python.Str(m.reprOf(v))
		case 'a':
			v = python.Str(asciiOnly(m.reprOf(v)))
		case 's':
			v = python.Str(m.strOf(v))
		}
		return p.Debug + m.formatValue(v, spec(f))
	}
}

// formatValue is format(v, spec).
func (m *machine) formatValue(v Value, spec string) string {
	if f := typeOf(v).slots().format; f != nil {
		return f(m, v, spec)
	}
	if spec != "" {
		raise("TypeError", "unsupported format string passed to %s.__format__", v.Type())
	}
	return m.strOf(v)
}

// formatScalar is the format slot of numbers and texts.
func formatScalar(m *machine, v Value, spec string) string {
	if spec == "" { // a class derived from one of them may say how it prints
		return m.strOf(v)
	}
	return must(python.Format(plain(v), spec))
}

// indexMethod is an object's own __index__, which runs in the machine of its function.
func indexMethod(v Value) (func() Value, bool) {
	f, _ := typeOf(v).findOwn("__index__")
	fn, ok := f.(*Function)
	if !ok {
		return nil, false
	}
	return func() Value { return fn.frame.m.callWith(fn, v) }, true
}

// integerOf is v as an int (__index__).
func integerOf(v Value) python.Int {
	// torch's __index__: an integer tensor of one element.
	if t, ok := v.(Tensor); ok && t.Numel() == 1 && !t.DType().Info().Float {
		return python.NewInt(t.Ints()[0])
	}
	if f, ok := indexMethod(v); ok {
		v = f()
	}
	i, ok := python.AsInt(plain(v))
	if !ok {
		raise("TypeError", "'%s' object cannot be interpreted as an integer", v.Type())
	}
	return i
}

// asIndex is v as an index, clipped to 64 bits.
func asIndex(v Value) int64 {
	i := integerOf(v)
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
