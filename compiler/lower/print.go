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
	text, ok := pythonText(v)
	if !ok {
		l.fail(diag.New("not-printable", l.spanOf(e), l.sourceText(e), kindText(v)))
	}
	return template{text: escape(text)}, ok
}

// escape makes text part of a template. Broken UTF-8 has been reported by the parser.
func escape(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "{", "{{")
}

func (l *lowerer) tupleTemplate(v tuple, e syntax.Expr) (template, bool) {
	if text, ok := pythonText(v); ok {
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

// lowerJoinedStr lowers an f-string: a constexpr string where everything in it is known.
func (l *lowerer) lowerJoinedStr(e *syntax.JoinedStr) value {
	out := template{}
	for _, part := range e.Values {
		var t template
		var ok bool
		switch part := part.(type) {
		case *syntax.FormattedValue:
			t, ok = l.lowerFormattedValue(part)
		default:
			t, ok = l.templateOf(l.lowerExpr(part), part)
		}
		if !ok {
			return poison{}
		}
		out = out.plus(t)
	}
	// An f-string of constants is a constant, with the doubled braces of the template undone.
	if len(out.vals) == 0 {
		return constant{python.Str(strings.ReplaceAll(out.text, "{{", "{"))}
	}
	l.warnSuperset(diag.New("fstring-tensor", l.spanOf(e)))
	return out
}

// lowerFormattedValue is one {value!conversion:format}. Run-time values are shown whole, whatever the format.
func (l *lowerer) lowerFormattedValue(f *syntax.FormattedValue) (template, bool) {
	v := l.lowerExpr(f.Value)
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
		spec, ok := l.lowerJoinedStr(f.Format).(constant)
		if !ok {
			return head, false
		}
		s, err := python.Format(c.v, python.String(spec.v))
		if err != nil {
			l.raisePythonError(err, f)
			return head, false
		}
		text = s
	}
	return head.plus(template{text: escape(text)}), true
}

// joinPrinted joins the arguments of a print.
func (c *call) joinPrinted(name, sep string) template {
	t, _ := c.value(name).(tuple)
	out := template{}
	for i, v := range t.elems {
		if i > 0 {
			out.text += escape(sep)
		}
		part, ok := c.templateOf(v, c.arg(name).expr)
		c.must(ok)
		out = out.plus(part)
	}
	return out
}

func (c *call) separatorArg() string {
	if k, ok := c.value("sep").(constant); ok {
		if s, ok := k.v.(python.Str); ok {
			return string(s)
		}
	}
	return " "
}

// lowerPrint lowers print(…). Triton wants a string first; without one it runs with a warning.
func lowerPrint(c *call) value {
	line := c.joinPrinted("values", c.separatorArg())
	t, _ := c.value("values").(tuple)
	if len(t.elems) > 0 {
		k, isConstant := t.elems[0].(constant)
		_, isTemplate := t.elems[0].(template)
		if !isTemplate && (!isConstant || k.v.Type() != "str") {
			c.warnSuperset(diag.New("print-not-string", c.spanOf(c.node), kindText(t.elems[0])))
		}
	}
	return c.emitPrint(line, "python")
}

func (c *call) emitPrint(line template, style string) value {
	if len(line.text) > ops.MaxString {
		return c.fail(diag.New("text-too-long", c.spanOf(c.node), ops.MaxString))
	}
	attrs := []ir.Attr{{Name: "text", Value: line.text}, {Name: "style", Value: style}}
	if c.isTrue("hex") {
		attrs = append(attrs, ir.Attr{Name: "hex", Value: true})
	}
	c.b.emitVoid(c.node.Span(), ops.Print, line.vals, attrs...)
	return pyNone
}

// lowerDevicePrint lowers tl.device_print(prefix, …).
func lowerDevicePrint(c *call) value {
	a := c.arg("prefix")
	prefix, ok := c.templateOf(a.val, a.expr)
	c.must(ok)
	if k, isConstant := a.val.(constant); !isConstant || k.v.Type() != "str" {
		c.warnSuperset(diag.New("print-not-string", c.spanOf(a.expr), kindText(a.val)))
	}
	rest := c.joinPrinted("args", " ")
	// Triton prints the prefix, a blank, and the values.
	if rest.text != "" {
		prefix.text += " "
	}
	return c.emitPrint(prefix.plus(rest), "device")
}

// lowerStaticPrint prints while compiling.
func lowerStaticPrint(c *call) value {
	t, _ := c.value("values").(tuple)
	parts := make([]string, len(t.elems))
	for i, v := range t.elems {
		switch v := v.(type) {
		case tensor:
			// The type of a tensor is all that is known of it now.
			parts[i] = typeText(v.v.Type)
		case tuple: // Triton's tuple is written as the list of its items' texts
			texts := make([]string, len(v.elems))
			for j, e := range v.elems {
				text, _ := pythonText(e)
				texts[j] = python.Repr(python.Str(text))
			}
			parts[i] = "[" + strings.Join(texts, ", ") + "]"
		default:
			text, ok := pythonText(v)
			if !ok {
				text = kindText(v)
			}
			parts[i] = text
		}
	}
	c.result.Prints = append(c.result.Prints, Print{c.spanOf(c.node), strings.Join(parts, c.separatorArg())})
	return pyNone
}

// messageArg is a constexpr string argument.
func (c *call) messageArg() string {
	if text, ok := pythonText(c.value("msg")); ok {
		return text
	}
	return ""
}

// lowerStaticAssert lowers tl.static_assert.
func lowerStaticAssert(c *call) value {
	a := c.arg("cond")
	switch v := a.val.(type) {
	case tensor:
		n, why, ok := c.known.difference(v.v, nil)
		if !ok {
			return c.fail(c.explainNeedsConstexpr(v, a.expr, "static_assert"))
		}
		c.warnRecovered(a.expr, why, "static_assert")
		if n != 0 {
			return pyNone
		}
	default:
		if c.pythonTruth(v) {
			return pyNone
		}
	}
	text := orText(c.messageArg(), c.sourceText(a.expr))
	said := c.messageArg()
	if c.row.Name == "_require" { // Triton asserts it without a text, or says something else
		said = ""
	}
	return c.fail(diag.New("static-assert", c.spanOf(c.node), text, said))
}

// lowerNeeds is the prelude's _needs(change, what, said).
func lowerNeeds(c *call) value {
	change := preludeChanges[c.text("change")]
	if !c.has(change) {
		c.warnSuperset(diag.New("needs-version", c.frame.span, c.text("what"), change.Since(), c.opts.Triton,
			c.text("said")))
	}
	return pyNone
}

// lowerDeviceAssert lowers tl.device_assert.
func lowerDeviceAssert(c *call) value {
	a := c.arg("cond")
	cond := c.condition("cond")
	if c.isGiven("mask") {
		m := c.arg("mask")
		// Lanes that are masked off pass.
		off := c.b.not(m.expr.Span(), c.condition("mask"))
		v := c.lowerArithmetic(operators["|"], tensor{cond}, tensor{off}, operandNodes{c.node, a.expr, m.expr})
		if isPoison(v) {
			return v
		}
		cond = v.(tensor).v
	}
	return c.emitAssert(c.node, cond, c.messageArg(), a.expr)
}

// orText is an assertion's message, or the text of its condition.
func orText(msg, text string) string {
	if msg == "" {
		return text
	}
	return msg
}

// condition is an argument as int1s.
func (c *call) condition(name string) *ir.Value {
	a := c.arg(name)
	if k, ok := a.val.(constant); ok {
		return c.b.boolConstant(a.expr.Span(), python.Truth(k.v))
	}
	return c.b.toBool(a.expr.Span(), c.numberOf(a))
}

func (l *lowerer) emitAssert(at syntax.Node, cond *ir.Value, msg string, e syntax.Expr) value {
	msg = strings.ToValidUTF8(orText(msg, l.sourceText(e)), "\uFFFD")
	if len(msg) > ops.MaxString {
		return l.fail(diag.New("text-too-long", l.spanOf(at), ops.MaxString))
	}
	l.b.emitVoid(at.Span(), ops.Assert, []*ir.Value{cond}, ir.Attr{Name: "message", Value: msg})
	return pyNone
}

// lowerAssertStmt lowers assert, a check at run time. Triton compiles it only with TRITON_DEBUG=1: one that
// is known to fail therefore stops nothing, and is a hint.
func (l *lowerer) lowerAssertStmt(s *syntax.Assert) {
	v := l.lowerExpr(s.Test)
	msg := ""
	if s.Msg != nil {
		m := l.lowerExpr(s.Msg)
		if isPoison(m) {
			return
		}
		text, ok := pythonText(m)
		if t, isTemplate := m.(template); isTemplate {
			text, ok = t.text, true
		}
		if !ok {
			l.fail(diag.New("not-printable", l.spanOf(s.Msg), l.sourceText(s.Msg), kindText(m)))
			return
		}
		msg = text
	}
	switch v := v.(type) {
	case poison:
	case tensor:
		if v.v.Type.Pointer {
			l.fail(diag.New("number-wanted", l.spanOf(s.Test), l.sourceText(s.Test), typeText(v.v.Type)))
			return
		}
		l.emitAssert(s, l.b.cast(s.Span(), v.v, num.Int1), msg, s.Test)
	case constant:
		if _, r := numberOf(v); r != nil {
			l.warnSuperset(diag.New("assert-kind", l.spanOf(s.Test), l.sourceText(s.Test), kindText(v)))
		} else if !l.pythonTruth(v) {
			l.diags.Add(asHint(diag.New("assert-false", l.spanOf(s), orText(msg, l.sourceText(s.Test)))))
		}
	default:
		l.warnSuperset(diag.New("assert-kind", l.spanOf(s.Test), l.sourceText(s.Test), kindText(v)))
	}
}
