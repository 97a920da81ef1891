package lower

import (
	"fmt"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// constantInt is an integer that must be known while compiling; what asks for it.
func (l *lowerer) constantInt(v value, e syntax.Expr, what string) (int64, bool) {
	switch v := v.(type) {
	case poison:
		return 0, false
	case constant:
		if i, ok := python.AsInt(v.v); ok {
			n, fits := i.Int64()
			if !fits {
				l.refuse(tooLarge(i), l.spanOf(e))
			}
			return n, fits
		}
	case tensor:
		// A tensor will do where its value is known: newt works out what Triton refuses, with a warning.
		if n, why, ok := l.known.difference(v.v, nil); ok && v.v.Type.IsScalar() {
			l.warnRecovered(e, why, what)
			return n, true
		}
		l.fail(l.explainNeedsConstexpr(v, e, what))
		return 0, false
	}
	l.fail(diag.New("needs-int", l.spanOf(e), what, l.sourceText(e), kindText(v)))
	return 0, false
}

// constantInt32 is constantInt for numbers that must fit an int.
func (l *lowerer) constantInt32(v value, e syntax.Expr, what string) (int, bool) {
	n, ok := l.constantInt(v, e, what)
	if !ok {
		return 0, false
	}
	if n != int64(int32(n)) {
		l.fail(diag.New("number-out-of-range", l.spanOf(e), n, num.Int32,
			fmt.Sprintf("Scalar %d is out of range for type int32", n)))
		return 0, false
	}
	return int(n), true
}

func tooLarge(i python.Int) *types.Refusal {
	return &types.Refusal{Code: types.NumberTooLarge, Args: []any{i.String()},
		Triton: "Nonrepresentable integer " + i.String() + "."}
}

// numberOf is a constant as an operand of the promotion rules; refused if it is no number.
func numberOf(c constant) (types.Operand, *types.Refusal) {
	switch v := c.v.(type) {
	case python.Bool:
		return types.Number(bool(v))
	case python.Int:
		if n, ok := v.Int64(); ok {
			return types.Number(n)
		}
		return types.Number(v.Big())
	case python.Float:
		return types.Number(float64(v))
	}
	return types.Number(nil)
}

// toTensor makes a value exist at run time: a number becomes a scalar of the type that holds it.
func (l *lowerer) toTensor(v value, e syntax.Expr) value {
	switch v := v.(type) {
	case tensor, poison:
		return v
	case constant:
		o, refusal := numberOf(v)
		if refusal == nil {
			return tensor{l.b.constant(e.Span(), o.Constant(o.DType))}
		}
		if refusal.Code != types.NotANumber {
			return l.refuse(refusal, l.spanOf(e))
		}
	}
	return l.fail(diag.New("number-wanted", l.spanOf(e), l.sourceText(e), kindText(v)))
}

// tensorArg is toTensor with the IR value; not ok if it has failed.
func (l *lowerer) tensorArg(v value, e syntax.Expr) (*ir.Value, bool) {
	t, ok := l.toTensor(v, e).(tensor)
	return t.v, ok
}

// tensorType is the type that a value has as a tensor; not ok for what cannot be one.
func (l *lowerer) tensorType(v value) (types.Type, bool) {
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

// wrapTensor is a tensor that is declared a constexpr, which Triton wraps: it stays what it is, and whatever needs a
// constexpr refuses it.
func (l *lowerer) wrapTensor(t tensor, e syntax.Expr, name string) value {
	if _, _, known := l.known.difference(t.v, nil); !known {
		l.diags.Add(asHint(diag.New("constexpr-from-tensor", l.spanOf(e), name, l.sourceText(e), typeText(t.v.Type))))
	}
	return t
}

func isConstexprAnnotation(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Attribute, *syntax.Name:
		return syntax.LastName(e) == "constexpr"
	case *syntax.Constant:
		return e.Kind == syntax.StringConst && (e.Text == "tl.constexpr" || e.Text == "constexpr")
	case *syntax.Subscript:
		return isConstexprAnnotation(e.Value)
	}
	return false
}

// explainNeedsConstexpr says that a run-time value cannot decide what is compiled.
func (l *lowerer) explainNeedsConstexpr(v tensor, e syntax.Expr, what string) *diag.Diagnostic {
	d := diag.New("needs-constexpr", l.spanOf(e), what, l.sourceText(e))
	n, isName := e.(*syntax.Name)
	if !isName || l.frame.fn.module != l.user {
		return d
	}
	b, ok := l.frame.vars.get(n.ID)
	if !ok {
		return d
	}
	if p := paramOf(l.frame.fn, n.ID); p != nil {
		d.Because(p.Loc, "parameter-here", n.ID)
		if p.Annotation == nil {
			end := p.Loc.Start + int32(len(p.Name))
			suggestConstexpr(d, n.ID, end)
		}
		return d
	}
	return d.Because(l.userSpan(b.span), "assigned-here", n.ID)
}

func paramOf(fn *function, name string) *syntax.Param {
	if fn.params == nil {
		return nil
	}
	for i := range fn.params.List {
		if p := &fn.params.List[i]; p.Name == name {
			return p
		}
	}
	return nil
}

// tritonConstexprText are what Triton says where it wants a constexpr and is given a tensor.
func tritonConstexprText(what string) string {
	if what == "shape" {
		return "Shape element 0 must have type `constexpr[int]`, got `constexpr[<class 'triton.language.core.tensor'>]"
	}
	return "arange's arguments must be of type tl.constexpr"
}

// warnRecovered: the value of a tensor was needed while compiling and newt worked it out.
func (l *lowerer) warnRecovered(e syntax.Expr, why []knownArg, what string) {
	words := tritonConstexprText(what)
	if len(why) == 0 {
		d := diag.New("plain-constexpr", l.spanOf(e), what, l.sourceText(e), words)
		if n, ok := e.(*syntax.Name); ok && !l.frame.fn.module.prelude {
			if b, ok := l.frame.vars.get(n.ID); ok {
				d.Because(l.userSpan(b.span), "assigned-here", n.ID)
				suggestConstexpr(d, n.ID, b.span.End)
			}
		}
		l.warnSuperset(d)
		return
	}
	l.recordUsedArguments(why)
	for _, k := range why {
		d := diag.New("argument-constexpr", l.spanOf(e), what, l.sourceText(e), k.name, k.value, words).
			Because(k.span, "parameter-here", k.name)
		l.warnSuperset(suggestConstexpr(d, k.name, k.span.End))
	}
}

// recordUsedArguments notes values of the launch that are compiled in: they are part of the key of the kernel's cache.
func (l *lowerer) recordUsedArguments(list []knownArg) {
	for _, k := range list {
		if !slices.Contains(l.result.Used, k.name) {
			l.result.Used = append(l.result.Used, k.name)
		}
	}
}

// knownNumber is the Python number behind a value, if it is known: a constexpr, or a tensor
// made from one.
func (l *lowerer) knownNumber(v value) (constant, bool) {
	switch v := v.(type) {
	case constant:
		_, refusal := numberOf(v)
		return v, refusal == nil
	case tensor:
		if d := v.v.Def; d != nil && d.Op == ops.Const && v.v.Type.IsScalar() && v.v.Type.IsInt() {
			return integer(d.Scalar("value").Int()), true
		}
	}
	return pyNone, false
}
