package lower

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// constantOf turns a Go value of Options into what the kernel sees.
func constantOf(v any) (value, bool) {
	switch v := v.(type) {
	case nil:
		return none, true
	case bool:
		return constant{python.Bool(v)}, true
	case int:
		return integer(int64(v)), true
	case int64:
		return integer(v), true
	case *big.Int:
		n, err := python.NewBig(v)
		return constant{n}, err == nil
	case float64:
		return constant{python.Float(v)}, true
	case string:
		return constant{python.Str(v)}, true
	case num.DType:
		return dtype{types.Scalar(v)}, true
	case []any:
		out := tuple{}
		for _, e := range v {
			c, ok := constantOf(e)
			if !ok {
				return nil, false
			}
			out.elems = append(out.elems, c)
		}
		return out, true
	}
	return none, false
}

// scalar emits a constant.
func (l *lowerer) scalar(at source.Span, s num.Scalar) *ir.Value {
	return l.emit(at, ops.Const, nil, ir.Attr{Name: "value", Value: s})
}

// full emits a tile that holds s everywhere.
func (l *lowerer) full(at source.Span, s num.Scalar, shape []int) *ir.Value {
	return l.emit(at, ops.Const, nil, ir.Attr{Name: "value", Value: s}, shapeAttr(shape))
}

func shapeAttr(shape []int) ir.Attr { return ir.Attr{Name: "shape", Value: ir.Ints(shape)} }

// toTensor makes a value exist at run time: a number becomes a scalar of the type that holds it.
func (l *lowerer) toTensor(v value, e syntax.Expr) value {
	switch v := v.(type) {
	case tensor, poison:
		return v
	case constant:
		o, refusal := numberOf(v)
		if refusal == nil {
			return tensor{l.scalar(e.Span(), o.Constant(o.DType))}
		}
		if refusal.Code != types.NotANumber {
			return l.refuse(refusal, l.place(e))
		}
	}
	return l.fail(diag.New("number-wanted", l.place(e), l.text(e), kindText(v)))
}

// asTensor is toTensor for values that are known to be numbers.
func (l *lowerer) asTensor(v value) tensor {
	if c, ok := v.(constant); ok {
		o, _ := numberOf(c)
		return tensor{l.scalar(source.Span{}, o.Constant(o.DType))}
	}
	return v.(tensor)
}

// tensorArg is toTensor with the IR value; not ok where it has failed.
func (l *lowerer) tensorArg(v value, e syntax.Expr) (*ir.Value, bool) {
	t, ok := l.toTensor(v, e).(tensor)
	return t.v, ok
}

// refuse reports what Triton's type rules do not allow.
func (l *lowerer) refuse(r *types.Refusal, at source.Span) value {
	return l.fail(refusal(r, at))
}

// listText takes the quotes and brackets of a Python list of dtypes away.
var listText = strings.NewReplacer("['", "", "', '", ", ", "']", "")

// refusal is the diagnostic of a type rule: its code is the rule's, the last argument Triton's words.
func refusal(r *types.Refusal, at source.Span) *diag.Diagnostic {
	args := make([]any, 0, len(r.Args)+1)
	for _, a := range r.Args {
		switch v := a.(type) {
		case types.Type:
			a = typeText(v)
		case string:
			a = listText.Replace(v)
		}
		args = append(args, a)
	}
	return diag.New(r.Code, at, append(args, r.Triton)...)
}

// allowed reports a refusal; what runs all the same gets a warning. It says whether to go on.
func (l *lowerer) allowed(r *types.Refusal, at source.Span) bool {
	switch {
	case r == nil:
		return true
	case r.Runs:
		l.superset(refusal(r, at))
		return true
	}
	l.refuse(r, at)
	return false
}

// constantInt is an integer that must be known while compiling; what asks for it.
func (l *lowerer) constantInt(v value, e syntax.Expr, what string) (int64, bool) {
	switch v := v.(type) {
	case poison:
		return 0, false
	case constant:
		if i, ok := python.AsInt(v.v); ok {
			n, fits := i.Int64()
			if !fits {
				l.refuse(tooLarge(i), l.place(e))
			}
			return n, fits
		}
	case tensor:
		if n, why, ok := l.knownInt(v.v); ok && v.v.Type.IsScalar() {
			l.warnPlain(e, why, what)
			return n, true
		}
		l.fail(l.needsConstexpr(v, e, what))
		return 0, false
	}
	l.fail(diag.New("needs-int", l.place(e), what, l.text(e), kindText(v)))
	return 0, false
}

func tooLarge(i python.Int) *types.Refusal {
	return &types.Refusal{Code: types.NumberTooLarge, Args: []any{i.String()}, Triton: "Nonrepresentable integer " + i.String() + "."}
}

// numberOf is a constant as the promotion rules see it; refused where it is no number.
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

// constantSmall is constantInt for numbers that must fit an int.
func (l *lowerer) constantSmall(v value, e syntax.Expr, what string) (int, bool) {
	n, ok := l.constantInt(v, e, what)
	if !ok {
		return 0, false
	}
	if n != int64(int32(n)) {
		l.fail(diag.New("number-out-of-range", l.place(e), n, num.Int32, fmt.Sprintf("Scalar %d is out of range for type int32", n)))
		return 0, false
	}
	return int(n), true
}

// needsConstexpr says that a run-time value cannot decide what is compiled.
func (l *lowerer) needsConstexpr(v tensor, e syntax.Expr, what string) *diag.Diagnostic {
	d := diag.New("needs-constexpr", l.place(e), what, l.text(e))
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
			d.Suggest(true, diag.Text{Key: "fix-annotate-constexpr", Args: []any{n.ID}},
				diag.Edit{Span: source.Span{Start: end, End: end}, New: ": tl.constexpr"})
		}
		return d
	}
	return d.Because(l.at(b.span), "assigned-here", n.ID)
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

// constexprWords are what Triton says where it wants a constexpr and is given a tensor.
func constexprWords(what string) string {
	if what == "shape" {
		return "Shape element 0 must have type `constexpr[int]`, got `constexpr[<class 'triton.language.core.tensor'>]"
	}
	return "arange's arguments must be of type tl.constexpr"
}

// warnPlain: the value of a tensor was needed while compiling and newt worked it out.
func (l *lowerer) warnPlain(e syntax.Expr, why []knownArg, what string) {
	words := constexprWords(what)
	if len(why) == 0 {
		d := diag.New("plain-constexpr", l.place(e), what, l.text(e), words)
		if n, ok := e.(*syntax.Name); ok && !l.frame.fn.module.prelude {
			if b, ok := l.frame.vars.get(n.ID); ok {
				d.Because(l.at(b.span), "assigned-here", n.ID)
				d.Suggest(true, diag.Text{Key: "fix-annotate-constexpr", Args: []any{n.ID}},
					diag.Edit{Span: source.Span{Start: b.span.End, End: b.span.End}, New: ": tl.constexpr"})
			}
		}
		l.superset(d)
		return
	}
	for _, k := range why {
		l.useArgument(k)
		l.superset(diag.New("argument-constexpr", l.place(e), what, l.text(e), k.name, k.value, words).
			Because(k.span, "parameter-here", k.name).
			Suggest(true, diag.Text{Key: "fix-annotate-constexpr", Args: []any{k.name}},
				diag.Edit{Span: source.Span{Start: k.span.End, End: k.span.End}, New: ": tl.constexpr"}))
	}
}

func (l *lowerer) useArgument(k knownArg) {
	for _, name := range l.result.Used {
		if name == k.name {
			return
		}
	}
	l.result.Used = append(l.result.Used, k.name)
}

// knownNumber is the Python number behind a value, where it is known: a constexpr, or a tensor
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
	return none, false
}
