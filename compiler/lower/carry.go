package lower

import (
	"math/big"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// carriedForm is what a name holds at the end of the body in the form in which the loop carries it.
func (l *lowerer) carriedForm(c carry, v value) value {
	if _, x, ok := l.unify(c.init, v); ok {
		return x
	}
	return c.init // reported already
}

// fits compares what the body leaves with what it was given.
func (l *lowerer) fits(lp *loop) bool {
	ok := true
	for _, name := range []string{keyBreak, keyReturn, keyResult} {
		ok = l.exitFits(lp, name) && ok
	}
	for i := range lp.carries {
		c := &lp.carries[i]
		b, _ := l.frame.vars.get(c.name)
		lp.broken = lp.broken || isPoison(b.val) && !isPoison(c.init)
		ok = l.carryFits(c, b) && ok
	}
	return ok
}

// exitFits: a body that sets a flag for the first time makes the loop carry it.
func (l *lowerer) exitFits(lp *loop, name string) bool {
	for _, c := range lp.exits {
		if c.name == name {
			return true
		}
	}
	b, ok := l.frame.vars.get(name)
	if !ok || b.val == value(never) || isPoison(b.val) {
		return true
	}
	if _, no := b.val.(unbound); no {
		return true
	}
	init := value(never)
	if name == keyResult {
		if flatten(b.val) == nil {
			return true // a constant: it is what it is in every iteration
		}
		init = b.val // shapes only; newInits makes the placeholder outside
	}
	lp.exits = append(lp.exits, carry{name: name, init: init, from: b})
	return false
}

// carryFits decides whether a name keeps its type through the body, and what to do where not.
func (l *lowerer) carryFits(c *carry, b binding) bool {
	switch {
	case isPoison(c.init):
		return true
	case isPoison(b.val):
		c.init = poison{}
		return false
	case same(c.init, b.val):
		return true
	}
	if _, no := b.val.(unbound); no {
		l.fail(diag.New("loop-undefined", l.at(b.span), c.name).Because(l.at(c.from.span), "first-value", c.name, kindText(c.init)))
		c.init = poison{}
		return false
	}
	if sameTypes(c.init, b.val) {
		return true
	}
	if wider, ok := l.widen(c, b); ok {
		c.init = wider
		return false
	}
	l.fail(diag.New("loop-type", l.at(b.span), c.name, kindText(c.init), kindText(b.val), l.tritonOf(c.init), l.tritonOf(b.val)).
		Because(l.at(c.from.span), "first-value", c.name, kindText(c.init)))
	c.init = poison{}
	return false
}

func (l *lowerer) tritonOf(v value) string {
	if t, ok := l.number(v); ok {
		return tritonType(t)
	}
	return kindText(v)
}

// sameTypes reports whether two values are tensors, or tuples of tensors, of the same types.
func sameTypes(a, b value) bool {
	if ta, ok := a.(tuple); ok {
		tb, ok := b.(tuple)
		if !ok || len(ta.elems) != len(tb.elems) {
			return false
		}
		for i := range ta.elems {
			if !same(ta.elems[i], tb.elems[i]) && !sameTypes(ta.elems[i], tb.elems[i]) {
				return false
			}
		}
		return true
	}
	x, ok := a.(tensor)
	y, ok2 := b.(tensor)
	return ok && ok2 && x.v.Type.Equal(y.v.Type)
}

// widen makes the value before the loop fit what the body makes of it, where that cannot change
// its meaning: a constexpr number becomes a tensor, a shape is broadcast, a whole-number constant
// becomes a float. The conversion itself stands before the loop, so it is made by remake.
func (l *lowerer) widen(c *carry, b binding) (value, bool) {
	from, ok := l.number(c.init)
	to, ok2 := l.number(b.val)
	if !ok || !ok2 || from.Pointer != to.Pointer {
		return nil, false
	}
	shape, refusal := types.BroadcastShapes(from.Shape, to.Shape)
	if refusal != nil {
		return nil, false
	}
	d := to.DType
	if from.DType != d {
		known, ok := l.knownNumber(c.init)
		if !ok || from.Pointer {
			return nil, false
		}
		if o, refusal := numberOf(known); refusal != nil || !exact(o, d) {
			return nil, false
		}
	}
	if _, wasConstant := c.init.(constant); wasConstant && from.Equal(to) {
		if c.from.constexpr {
			l.superset(diag.New("constexpr-reassigned", l.at(b.span), c.name).Because(l.at(c.from.span), "first-value", c.name, "constexpr"))
		}
	} else {
		l.superset(diag.New("loop-widened", l.at(b.span), c.name, typeText(from), typeText(types.Type{DType: d, Pointer: to.Pointer, Shape: shape}), tritonType(from), tritonType(to)).
			Because(l.at(c.from.span), "first-value", c.name, typeText(from)))
	}
	return pending{c.init, types.Type{DType: d, Pointer: to.Pointer, Shape: shape}}, true
}

// exact reports whether a number means the same as a constant of d.
func exact(o types.Operand, d num.DType) bool {
	if n, ok := o.Number.(*big.Int); ok && d.Info().Float {
		f, accuracy := new(big.Float).SetInt(n).Float64()
		return accuracy == big.Exact && num.FromFloat(d, f).Float() == f
	}
	return false
}

// pending is a carried value that still has to be converted in front of the loop.
type pending struct {
	v  value
	to types.Type
}

// remake emits the values that enter the loop for the next attempt.
func (l *lowerer) remake(lp *loop) {
	for i := range lp.exits {
		c := &lp.exits[i]
		if c.name == keyResult {
			c.init = l.placeholder(c.init)
		} else {
			c.init = l.asTensor(c.init)
		}
	}
	for i := range lp.carries {
		c := &lp.carries[i]
		if p, ok := c.init.(pending); ok {
			v := l.asTensor(p.v).v
			v = l.cast(lp.at, v, p.to.DType)
			c.init = tensor{l.broadcastTo(lp.at, v, p.to.Shape)}
		}
	}
}
