package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
)

// template is an f-string with run-time values in it: text with {} for each of them and {{ for a
// brace. It can only be printed.
type template struct {
	text string
	vals []*ir.Value
}

// plus appends a template.
func (t template) plus(u template) template {
	return template{t.text + u.text, append(t.vals[:len(t.vals):len(t.vals)], u.vals...)}
}

// templateOf is a value as print shows it.
func (l *lowerer) templateOf(v value, e syntax.Expr) (template, bool) {
	switch v := v.(type) {
	case template:
		return v, true
	case tensor:
		return template{"{}", []*ir.Value{v.v}}, true
	case tuple:
		return l.tupleTemplate(v, e)
	case poison:
		return template{}, false
	}
	text, ok := show(v)
	if !ok {
		l.fail(diag.New("not-printable", l.place(e), l.text(e), kindText(v)))
	}
	return template{text: escape(text)}, ok
}

// escape makes text part of a template. Broken UTF-8 has been reported by the parser.
func escape(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "{", "{{")
}

func (l *lowerer) tupleTemplate(v tuple, e syntax.Expr) (template, bool) {
	if text, ok := show(v); ok {
		return template{text: escape(text)}, true
	}
	out := template{text: "("}
	for i, x := range v.elems {
		if i > 0 {
			out.text += ", "
		}
		t, ok := l.templateOf(x, e)
		if !ok {
			return out, false
		}
		out = out.plus(t)
	}
	out.text += ")"
	return out, true
}

// joinedStr lowers an f-string: a constexpr string where everything in it is known.
func (l *lowerer) joinedStr(e *syntax.JoinedStr) value {
	out := template{}
	for _, part := range e.Values {
		var t template
		var ok bool
		switch part := part.(type) {
		case *syntax.FormattedValue:
			t, ok = l.formatted(part)
		default:
			t, ok = l.templateOf(l.expr(part), part)
		}
		if !ok {
			return poison{}
		}
		out = out.plus(t)
	}
	if len(out.vals) == 0 {
		return constant{python.Str(strings.ReplaceAll(out.text, "{{", "{"))}
	}
	l.superset(diag.New("fstring-tensor", l.place(e)))
	return out
}

// formatted is one {value!conversion:format}. Run-time values are shown whole, whatever the format.
func (l *lowerer) formatted(f *syntax.FormattedValue) (template, bool) {
	v := l.expr(f.Value)
	head := template{text: escape(f.Debug)}
	c, isConstant := v.(constant)
	if !isConstant {
		t, ok := l.templateOf(v, f.Value)
		return head.plus(t), ok
	}
	text := python.String(c.v)
	if f.Conversion == 'r' || f.Debug != "" && f.Conversion == 0 && f.Format == nil {
		text = python.Repr(c.v)
	}
	if f.Format != nil {
		spec, ok := l.joinedStr(f.Format).(constant)
		if !ok {
			return head, false
		}
		s, err := python.Format(c.v, python.String(spec.v))
		if err != nil {
			l.raised(err, f)
			return head, false
		}
		text = s
	}
	return head.plus(template{text: escape(text)}), true
}

// line joins the arguments of a print.
func (l *lowerer) line(c *call, name, sep string) (template, bool) {
	t, _ := c.get(name).(tuple)
	out := template{}
	for i, v := range t.elems {
		if i > 0 {
			out.text += escape(sep)
		}
		part, ok := l.templateOf(v, c.arg(name).expr)
		if !ok {
			return out, false
		}
		out = out.plus(part)
	}
	return out, true
}

func (l *lowerer) separator(c *call) string {
	if k, ok := c.get("sep").(constant); ok {
		if s, ok := k.v.(python.Str); ok {
			return string(s)
		}
	}
	return " "
}

// printCall lowers print(…). Triton wants a string first; without one it runs with a warning.
func (l *lowerer) printCall(c *call) value {
	line, ok := l.line(c, "values", l.separator(c))
	if !ok {
		return poison{}
	}
	t, _ := c.get("values").(tuple)
	if len(t.elems) > 0 {
		k, isConstant := t.elems[0].(constant)
		_, isTemplate := t.elems[0].(template)
		if !isTemplate && (!isConstant || k.v.Type() != "str") {
			l.superset(diag.New("print-not-string", l.place(c.node), kindText(t.elems[0])))
		}
	}
	return l.print(c, line, "python")
}

func (l *lowerer) print(c *call, line template, style string) value {
	if len(line.text) > ops.MaxString {
		return l.fail(diag.New("text-too-long", l.place(c.node), ops.MaxString))
	}
	attrs := []ir.Attr{{Name: "text", Value: line.text}, {Name: "style", Value: style}}
	if k, ok := c.get("hex").(constant); ok && k == yes {
		attrs = append(attrs, ir.Attr{Name: "hex", Value: true})
	}
	l.emitNone(c.node.Span(), ops.Print, line.vals, attrs...)
	return none
}

// devicePrint lowers tl.device_print(prefix, …).
func (l *lowerer) devicePrint(c *call) value {
	a := c.arg("prefix")
	prefix, ok := l.templateOf(a.val, a.expr)
	if !ok {
		return poison{}
	}
	if k, isConstant := a.val.(constant); !isConstant || k.v.Type() != "str" {
		l.superset(diag.New("print-not-string", l.place(a.expr), kindText(a.val)))
	}
	rest, ok := l.line(c, "args", " ")
	if !ok {
		return poison{}
	}
	if rest.text != "" {
		prefix.text += " "
	}
	return l.print(c, prefix.plus(rest), "device")
}

// staticPrint prints while compiling.
func (l *lowerer) staticPrint(c *call) value {
	t, _ := c.get("values").(tuple)
	parts := make([]string, len(t.elems))
	for i, v := range t.elems {
		switch v := v.(type) {
		case tensor:
			parts[i] = typeText(v.v.Type)
		default:
			text, ok := show(v)
			if !ok {
				text = kindText(v)
			}
			parts[i] = text
		}
	}
	l.result.Prints = append(l.result.Prints, Print{l.place(c.node), strings.Join(parts, l.separator(c))})
	return none
}

// message is a constexpr string argument.
func (l *lowerer) message(c *call) string {
	if text, ok := show(c.get("msg")); ok {
		return text
	}
	return ""
}

// staticAssert lowers tl.static_assert.
func (l *lowerer) staticAssert(c *call) value {
	a := c.arg("cond")
	switch v := a.val.(type) {
	case tensor:
		n, why, ok := l.knownInt(v.v)
		if !ok {
			return l.fail(l.needsConstexpr(v, a.expr, "static_assert"))
		}
		l.warnPlain(a.expr, why, "static_assert")
		if n != 0 {
			return none
		}
	default:
		if l.truthOf(v) {
			return none
		}
	}
	return l.fail(diag.New("static-assert", l.place(c.node), orText(l.message(c), l.text(a.expr))))
}

// deviceAssert lowers tl.device_assert.
func (l *lowerer) deviceAssert(c *call) value {
	a := c.arg("cond")
	cond, ok := l.assertCondition(a)
	if !ok {
		return poison{}
	}
	if c.has("mask") {
		m := c.arg("mask")
		mask, ok := l.assertCondition(m)
		if !ok {
			return poison{}
		}
		off := l.notFlag(m.expr.Span(), mask)
		v := l.arithmetic(operators["|"], tensor{cond}, tensor{off}, operands{c.node, a.expr, m.expr})
		if isPoison(v) {
			return v
		}
		cond = v.(tensor).v
	}
	return l.assert(c.node, cond, l.message(c), a.expr)
}

// orText is an assertion's message, or the text of its condition.
func orText(msg, text string) string {
	if msg == "" {
		return text
	}
	return msg
}

func (l *lowerer) assertCondition(a argument) (*ir.Value, bool) {
	if k, ok := a.val.(constant); ok {
		return l.boolean(a.expr.Span(), python.Truth(k.v)), true
	}
	v, ok := l.numberArg(a)
	if !ok {
		return nil, false
	}
	return l.toBool(a.expr.Span(), v), true
}

func (l *lowerer) assert(at syntax.Node, cond *ir.Value, msg string, e syntax.Expr) value {
	msg = strings.ToValidUTF8(orText(msg, l.text(e)), "\uFFFD")
	if len(msg) > ops.MaxString {
		return l.fail(diag.New("text-too-long", l.place(at), ops.MaxString))
	}
	l.emitNone(at.Span(), ops.Assert, []*ir.Value{cond}, ir.Attr{Name: "message", Value: msg})
	return none
}

// assertStmt lowers assert, a check at run time. Triton compiles it only with TRITON_DEBUG=1: one that
// is known to fail therefore stops nothing, and is a hint.
func (l *lowerer) assertStmt(s *syntax.Assert) {
	v := l.expr(s.Test)
	msg := ""
	if s.Msg != nil {
		m := l.expr(s.Msg)
		if isPoison(m) {
			return
		}
		text, ok := show(m)
		if t, isTemplate := m.(template); isTemplate {
			text, ok = t.text, true
		}
		if !ok {
			l.fail(diag.New("not-printable", l.place(s.Msg), l.text(s.Msg), kindText(m)))
			return
		}
		msg = text
	}
	switch v := v.(type) {
	case poison:
	case tensor:
		if v.v.Type.Pointer {
			l.fail(diag.New("number-wanted", l.place(s.Test), l.text(s.Test), typeText(v.v.Type)))
			return
		}
		l.assert(s, l.cast(s.Span(), v.v, num.Int1), msg, s.Test)
	case constant:
		if _, r := numberOf(v); r != nil {
			l.superset(diag.New("assert-kind", l.place(s.Test), l.text(s.Test), kindText(v)))
		} else if !l.truthOf(v) {
			l.diags.Add(hint(diag.New("assert-false", l.place(s), orText(msg, l.text(s.Test)))))
		}
	default:
		l.superset(diag.New("assert-kind", l.place(s.Test), l.text(s.Test), kindText(v)))
	}
}
