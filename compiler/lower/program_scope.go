package lower

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Function is a function as the value of a running program: its text, and what the names around it
// are worth. Two definitions of one name are two Functions.
type Function struct {
	File  *source.File
	Def   *syntax.FunctionDef
	Scope Scope
	JIT   bool      // under triton.jit
	Host  any       // the program's own value of a function that is not a kernel; nil if there is none
	Names diag.List // what resolving the names of File found
}

// Scope gives the values of the names around a function: of the functions that enclose it and of
// its module. Scopes are comparable; equal ones give the same values.
type Scope interface {
	Lookup(name string) (Outer, bool)
	Names() []string
}

// Outer is the value of a name around a function. Value is what Arg.Value may be, []any for a sequence of such, a
// NamedTuple, a *TupleClass, an *Aggregate, a Constexpr, a *Function, a Path, a Members, or an Object.
type Outer struct {
	Value any
	Span  source.Span // where the name got its value, if that is one place
	Expr  syntax.Expr // what was assigned there
}

// The values that exist only around kernels.
type (
	// Constexpr is tl.constexpr(Value).
	Constexpr struct{ Value any }
	// Path is something imported, by its dotted name: triton.language, triton.language.math.exp.
	Path string
	// Object is a value that kernels cannot use, by the name of its class.
	Object string
)

// Read is the value that a name around a function had while a kernel was compiled.
type Read struct {
	Scope Scope
	Name  string
	Value any
}

// Holds reports whether the name still has the value.
func (r Read) Holds() bool {
	now, ok := r.Scope.Lookup(r.Name)
	return ok && SameValue(now.Value, r.Value)
}

// SameValue reports whether two values, each what Outer.Value may be, are compiled alike.
func SameValue(a, b any) bool {
	switch a := a.(type) {
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, SameValue)
	case Constexpr:
		b, ok := b.(Constexpr)
		return ok && SameValue(a.Value, b.Value)
	case NamedTuple:
		b, ok := b.(NamedTuple)
		return ok && sameClass(a.Class, b.Class) && slices.EqualFunc(a.Items, b.Items, SameValue)
	case *TupleClass:
		b, ok := b.(*TupleClass)
		return ok && sameClass(a, b) && slices.EqualFunc(a.Defaults, b.Defaults, SameValue)
	}
	switch b.(type) {
	case []any, Constexpr, NamedTuple:
		return false
	}
	return a == b
}

// lookupInScope is the value of a name around the function, as the program has it now. It is nil where
// there is none.
func (g *globals) lookupInScope(m *module, n *syntax.Name) value {
	o, ok := m.scope.Lookup(n.ID)
	if !ok {
		return nil
	}
	g.l.result.Reads = append(g.l.result.Reads, Read{m.scope, n.ID, o.Value})
	v, ok := g.scopeValue(o.Value)
	if !ok {
		d := diag.New("global-unknown", g.l.spanOf(n), n.ID)
		if o.Span != (source.Span{}) {
			d.Because(o.Span, "defined-here", n.ID)
		}
		v = g.l.fail(d)
	}
	_, isConstexpr := o.Value.(Constexpr)
	_, isTriton := o.Value.(Path)
	m.cache[n.ID], m.defs[n.ID] = v, definition{value: o.Expr, constexpr: isConstexpr || isTriton, span: o.Span}
	g.warnPlain(m, n, v, m.defs[n.ID])
	return v
}

func (g *globals) scopeValue(v any) (value, bool) {
	switch v := v.(type) {
	case Constexpr:
		return g.scopeValue(v.Value)
	case *Function:
		f := functionOf(v.Def, g.moduleOf(v))
		f.jit = f.jit || v.JIT
		if v.Host != nil {
			f.host = v
		}
		return f, true
	case Path:
		if v, ok := imported(string(v)); ok {
			return v, true
		}
		return namespace{string(v)}, true
	case Members:
		return membersValue{v}, true
	case Object:
		return nil, false
	case []any:
		list, ok := g.scopeValues(v)
		return tuple{elems: list}, ok
	case NamedTuple:
		list, ok := g.scopeValues(v.Items)
		return tuple{list, v.Class}, ok
	case *TupleClass:
		defaults, ok := g.scopeValues(v.Defaults)
		return tupleClass{v, defaults}, ok
	case *Aggregate:
		return g.aggregateOf(v), true
	}
	return constantOf(v)
}

func (g *globals) scopeValues(list []any) (out []value, ok bool) {
	for _, e := range list {
		v, ok := g.scopeValue(e)
		if !ok {
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

// moduleOf is the module of a program's function; functions of one scope share it.
func (g *globals) moduleOf(f *Function) *module {
	if m := g.scopes[f.Scope]; m != nil {
		return m
	}
	m := &module{file: f.File, scope: f.Scope, defs: make(map[string]definition), cache: make(map[string]value)}
	g.scopes[f.Scope] = m
	return m
}
