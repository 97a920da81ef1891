package lower

import (
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// HostCall is a statement of a kernel that calls one of the program's own functions. Under TRITON_INTERPRET=1 such a
// function runs as Python. A print operation of the style "call" stands for it: its text is the number of the call in
// Result.Calls and, after a HostValueSeparator each, the run-time values.
type HostCall struct {
	Function *Function
	Span     source.Span
	Args     []HostArg
}

// HostArg is one argument: a python.Value, a num.DType, []any for a tuple, a HostValue or a HostText.
type HostArg struct {
	Name  string // of a keyword; "" by position
	Value any
}

// HostValue is a run-time value, the Index-th of the call.
type HostValue struct {
	Index int
	Type  types.Type
}

// HostText is an f-string: text with {} for each of its run-time values, which begin at Index, and {{ for a brace.
type HostText struct {
	Index int
	Text  string
}

// HostValueSeparator stands before each value in the text of a call; no value's text holds it.
const HostValueSeparator = "\x1f"

// lowerHostCall lowers a statement that calls a function of the program, where it is to run as Python; ok is false
// where the statement is anything else.
func (l *lowerer) lowerHostCall(s *syntax.ExprStmt) (ok bool) {
	call, isCall := s.Value.(*syntax.Call)
	if !isCall || !l.opts.Interpreted {
		return false
	}
	f, isFunction := l.lowerExpr(call.Func).(function)
	if !isFunction || f.jit || f.host == nil {
		return false
	}
	args, ok := l.lowerArguments(call)
	if !ok {
		return true
	}
	h := HostCall{Function: f.host, Span: l.spanOf(call)}
	var values []*ir.Value
	args.each(func(name string, a argument) {
		v, known := l.hostArg(a.val, a.expr, &values)
		h.Args, ok = append(h.Args, HostArg{name, v}), ok && known
	})
	if !ok {
		return true
	}
	text := strconv.Itoa(len(l.result.Calls)) + strings.Repeat(HostValueSeparator+"{}", len(values))
	l.result.Calls = append(l.result.Calls, h)
	l.b.emitVoid(call.Span(), ops.Print, values,
		ir.Attr{Name: "text", Value: text}, ir.Attr{Name: "style", Value: "call"})
	return true
}

// pythonArg is a value as the program's function takes it, without run-time values; false where there is none.
func pythonArg(v value) (any, bool) {
	switch v := v.(type) {
	case constant:
		return v.v, true
	case dtype:
		return v.t.DType, !v.t.Pointer && !isBlock(v.t)
	case tuple:
		out := make([]any, len(v.elems))
		for i, x := range v.elems {
			var ok bool
			if out[i], ok = pythonArg(x); !ok {
				return nil, false
			}
		}
		return out, v.class == nil
	}
	return nil, false
}

// pythonArgs are the arguments of a call; unknown is the first that pythonArg has no value for.
func pythonArgs(args *arguments) (list []HostArg, unknown *argument) {
	args.each(func(name string, a argument) {
		v, ok := pythonArg(a.val)
		if !ok && unknown == nil {
			unknown = &a
		}
		list = append(list, HostArg{name, v})
	})
	return list, unknown
}

// hostArg is a value as the program's function takes it; what is known only at run time goes to values.
func (l *lowerer) hostArg(v value, e syntax.Expr, values *[]*ir.Value) (any, bool) {
	if known, ok := pythonArg(v); ok {
		return known, true
	}
	switch v := v.(type) {
	case tensor:
		*values = append(*values, v.v)
		return HostValue{len(*values) - 1, v.v.Type}, true
	case template:
		*values = append(*values, v.vals...)
		return HostText{len(*values) - len(v.vals), v.text}, true
	case dtype:
		return v.t.DType, true
	case tuple:
		out := make([]any, len(v.elems))
		for i, x := range v.elems {
			var ok bool
			if out[i], ok = l.hostArg(x, e, values); !ok {
				return nil, false
			}
		}
		return out, true
	}
	l.fail(diag.New("not-printable", l.spanOf(e), l.sourceText(e), kindText(v)))
	return nil, false
}
