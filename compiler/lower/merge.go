package lower

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// merged is a name that the two branches of an if leave different.
type merged struct {
	name        string
	span        source.Span
	then, other value
}

// merge ends both branches and emits the if; names that they assign get its results.
func (l *lowerer) merge(at source.Span, cond *ir.Value, then, other branch) {
	lenient := then.left || other.left
	if then.left && other.left {
		defer l.leave(keyContinue, at) // whichever way, control has left the statements around
	}
	var names []merged
	for _, m := range l.union(then, other) {
		if then.left && other.left && !l.frame.matters(m.name) {
			continue
		}
		if lenient && l.frame.carried[m.name] {
			m.then, m.other = l.meet(m.then, m.other, then.block, other.block)
		}
		if m, ok := l.mergeable(m, lenient); ok {
			names = append(names, m)
		}
	}
	var thenOut, otherOut []*ir.Value
	shapes := make([]shapeOf, len(names))
	for i, m := range names {
		a, b := flatten(m.then), flatten(m.other)
		shapes[i] = shapeOf{m.then, len(a)}
		thenOut, otherOut = append(thenOut, a...), append(otherOut, b...)
	}
	l.endBlock(at, then.block, thenOut)
	l.endBlock(at, other.block, otherOut)
	results := l.emitRegions(at, ops.If, []*ir.Value{cond}, []*ir.Block{then.block, other.block})
	for i, m := range names {
		var v value
		v, results = rebuild(shapes[i].like, results)
		l.bind(m.name, binding{val: v, span: m.span})
	}
}

// meet broadcasts the two values of a name that a loop carries to one shape, each in its own
// branch: the loop will find that the shape has changed, and start with it the next time.
func (l *lowerer) meet(then, other value, inThen, inOther *ir.Block) (value, value) {
	a, ok1 := l.number(then)
	b, ok2 := l.number(other)
	if !ok1 || !ok2 || a.Pointer != b.Pointer || a.Equal(b) {
		return then, other
	}
	shape, r := types.BroadcastShapes(a.Shape, b.Shape)
	if r != nil || a.DType != b.DType && a.IsFloat() == b.IsFloat() {
		return then, other
	}
	to := types.Type{DType: a.DType, Pointer: a.Pointer, Shape: shape}
	if b.IsFloat() {
		to.DType = b.DType
	}
	return l.within(inThen, then, to), l.within(inOther, other, to)
}

// within converts a value at the end of a block.
func (l *lowerer) within(block *ir.Block, v value, to types.Type) value {
	l.b.Push(block)
	defer l.b.Pop()
	t := l.asTensor(v).v
	if !to.Pointer {
		t = l.cast(source.Span{}, t, to.DType)
	}
	return tensor{l.broadcastTo(source.Span{}, t, to.Shape)}
}

type shapeOf struct {
	like value
	n    int
}

func (l *lowerer) endBlock(at source.Span, block *ir.Block, values []*ir.Value) {
	l.b.Push(block)
	l.emitNone(at, ops.Yield, values)
	l.b.Pop()
}

// union pairs what the branches say of each name, in the order of assignment.
func (l *lowerer) union(then, other branch) []merged {
	index := make(map[string]int)
	var out []merged
	add := func(c change, side int) {
		i, ok := index[c.name]
		if !ok {
			i = len(out)
			index[c.name] = i
			before := value(unbound{})
			if c.had {
				before = c.before.val
			}
			out = append(out, merged{c.name, c.after.span, before, before})
		}
		if side == 0 {
			out[i].then = c.after.val
		} else {
			out[i].other = c.after.val
		}
	}
	for _, c := range then.changes {
		add(c, 0)
	}
	for _, c := range other.changes {
		add(c, 1)
	}
	return out
}

// mergeable decides what a name is after an if. It binds names that need no run-time choice itself;
// for the others it gives both sides as tensors of the same types.
func (l *lowerer) mergeable(m merged, lenient bool) (merged, bool) {
	set := func(v value) (merged, bool) {
		l.frame.vars.set(m.name, binding{val: v, span: m.span})
		return m, false
	}
	_, noThen := m.then.(unbound)
	_, noOther := m.other.(unbound)
	flag := hidden(m.name) && m.name != keyResult
	switch {
	case flag && noThen:
		m.then = never
	case flag && noOther:
		m.other = never
	case m.name == keyResult && noThen:
		m.then = l.placeholder(m.other)
	case m.name == keyResult && noOther:
		m.other = l.placeholder(m.then)
	case noThen || noOther:
		return set(unbound{"undefined-branch", m.span})
	}
	switch {
	case isPoison(m.then, m.other):
		return set(poison{})
	case same(m.then, m.other):
		return set(m.then)
	}
	then, other, ok := l.unify(m.then, m.other)
	if ok {
		m.then, m.other = then, other
		return m, true
	}
	if lenient && m.name != keyResult {
		return set(unbound{"undefined-branch", m.span})
	}
	key := "branch-type"
	if m.name == keyResult {
		key = "return-type"
	}
	l.fail(diag.New(key, l.at(m.span), m.name, kindText(m.then), kindText(m.other)))
	return set(poison{})
}

// placeholder stands for the result of a branch that has not returned yet; the flag of the return
// keeps anyone from looking at it. What is not a tensor stands for itself.
func (l *lowerer) placeholder(v value) value {
	switch v := v.(type) {
	case tensor:
		if t := v.v.Type; !t.Pointer {
			return tensor{l.full(source.Span{}, num.FromInt(t.DType, 0), t.Shape)}
		}
	case tuple:
		out := tuple{make([]value, len(v.elems))}
		for i, e := range v.elems {
			out.elems[i] = l.placeholder(e)
		}
		return out
	}
	return v
}

// same reports whether two values are one and the same without looking at run time.
func same(a, b value) bool {
	switch a := a.(type) {
	case tensor:
		b, ok := b.(tensor)
		return ok && a.v == b.v
	case tuple:
		b, ok := b.(tuple)
		if !ok || len(a.elems) != len(b.elems) {
			return false
		}
		for i := range a.elems {
			if !same(a.elems[i], b.elems[i]) {
				return false
			}
		}
		return true
	case constant:
		b, ok := b.(constant)
		return ok && identical(a, b)
	case dtype:
		b, ok := b.(dtype)
		return ok && a.t.Equal(b.t)
	case function:
		b, ok := b.(function)
		return ok && a.span == b.span && a.module == b.module
	case builtin:
		b, ok := b.(builtin)
		return ok && a.row == b.row && a.self == nil && b.self == nil
	case namespace:
		b, ok := b.(namespace)
		return ok && a == b
	case unbound:
		_, ok := b.(unbound)
		return ok
	}
	return false
}

// flatten lists the tensors in a value.
func flatten(v value) []*ir.Value {
	switch v := v.(type) {
	case tensor:
		return []*ir.Value{v.v}
	case tuple:
		var out []*ir.Value
		for _, e := range v.elems {
			out = append(out, flatten(e)...)
		}
		return out
	}
	return nil
}

// rebuild makes a value like v out of other tensors and gives those that are left.
func rebuild(v value, from []*ir.Value) (value, []*ir.Value) {
	switch v := v.(type) {
	case tensor:
		return tensor{from[0]}, from[1:]
	case tuple:
		out := tuple{make([]value, len(v.elems))}
		for i, e := range v.elems {
			out.elems[i], from = rebuild(e, from)
		}
		return out, from
	}
	return v, from
}

// unify makes two values tensors of the same types, or the same constants, where they can be
// without changing what they mean: a number becomes a tensor of its own type.
func (l *lowerer) unify(a, b value) (value, value, bool) {
	if ta, ok := a.(tuple); ok {
		tb, ok := b.(tuple)
		if !ok || len(ta.elems) != len(tb.elems) {
			return a, b, false
		}
		x, y := tuple{make([]value, len(ta.elems))}, tuple{make([]value, len(ta.elems))}
		for i := range ta.elems {
			if x.elems[i], y.elems[i], ok = l.unify(ta.elems[i], tb.elems[i]); !ok {
				return a, b, false
			}
		}
		return x, y, true
	}
	if same(a, b) {
		return a, b, true
	}
	x, ok := l.number(a)
	y, ok2 := l.number(b)
	if !ok || !ok2 || !x.Equal(y) {
		return a, b, false
	}
	return l.asTensor(a), l.asTensor(b), true
}

// number is the type that a value has as a tensor; not ok for what cannot be one.
func (l *lowerer) number(v value) (types.Type, bool) {
	switch v := v.(type) {
	case tensor:
		return v.v.Type, true
	case constant:
		if o, refusal := numberOf(v); refusal == nil {
			return types.Scalar(o.DType), true
		}
	}
	return types.Type{}, false
}
