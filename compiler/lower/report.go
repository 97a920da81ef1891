package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// parsingFailed is what Triton says of what its front end lets through and the verifier of its IR does not.
const parsingFailed = "error encountered during parsing"

// fail reports d and gives the value that silences what follows.
func (l *lowerer) fail(d *diag.Diagnostic) value {
	l.diags.Add(d)
	return poison{}
}

// warnSuperset reports what newt runs and Triton refuses.
func (l *lowerer) warnSuperset(d *diag.Diagnostic) {
	if l.inModuleCode() || l.opts.Interpreted { // the interpreter takes all of Python
		return
	}
	d.Severity = diag.Warning
	if l.opts.Strict {
		d.Severity = diag.Error
	}
	l.diags.Add(d)
}

// abortWith reports d and ends lowering. Module-level code that is too long is merely not known.
func (l *lowerer) abortWith(d *diag.Diagnostic) {
	if l.inModuleCode() {
		panic(notConstant{})
	}
	l.diags.Add(d)
	panic(bailout{})
}

func asHint(d *diag.Diagnostic) *diag.Diagnostic {
	d.Severity = diag.Hint
	return d
}

// refuse reports what Triton's type rules do not allow.
func (l *lowerer) refuse(r *types.Refusal, at source.Span) value {
	return l.fail(refusal(r, at))
}

// isAllowed reports a refusal; what runs all the same gets a warning. It says whether to go on.
func (l *lowerer) isAllowed(r *types.Refusal, at source.Span) bool {
	switch {
	case r == nil:
		return true
	case r.Runs:
		l.warnSuperset(refusal(r, at))
		return true
	}
	l.refuse(r, at)
	return false
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

// distinct drops repetitions: an unrolled or inlined statement reports the same thing each time.
func distinct(list diag.List) diag.List {
	type key struct {
		code string
		span source.Span
		name any
	}
	seen := make(map[key]bool)
	out := list[:0]
	// The statement in the loop's second round, or in the second call, is the same statement.
	list.Sort()
	for _, d := range list {
		k := key{code: d.Code, span: d.Primary.Span}
		switch d.Code { // once for each name
		case "plain-global":
			k = key{code: d.Code, name: d.Args[0]}
		case "argument-constexpr":
			k = key{code: d.Code, name: d.Args[2]}
		}
		if !seen[k] {
			seen[k] = true
			out = append(out, d)
		}
	}
	return out
}

// spanOf is the span at which a node of the current function is reported to the user.
func (l *lowerer) spanOf(n syntax.Node) source.Span { return l.userSpan(n.Span()) }

func (l *lowerer) userSpan(s source.Span) source.Span {
	if l.frame.fn.module.prelude {
		return l.frame.span
	}
	return s
}

// sourceText is the source of a node, shortened, for use in messages. In the prelude, where the user has
// nothing to read, it is the text of the call.
func (l *lowerer) sourceText(n syntax.Node) string {
	s := l.userFile().Slice(l.spanOf(n))
	if i := indexLine(s); i >= 0 {
		s = s[:i] + " …"
	}
	if r := []rune(s); len(r) > 48 {
		s = string(r[:47]) + "…"
	}
	return s
}

func indexLine(s string) int {
	for i := range len(s) {
		if s[i] == '\n' || s[i] == '\r' {
			return i
		}
	}
	return -1
}

// userFile is the file in which spanOf gives places: that of the function being lowered, or of the
// innermost one that is not the prelude's.
func (l *lowerer) userFile() *source.File {
	for f := l.frame; f != nil; f = f.parent {
		if !f.fn.module.prelude {
			return f.fn.module.file
		}
	}
	return l.user.file
}

// raisePythonError reports what Python itself would raise.
func (l *lowerer) raisePythonError(err *python.Error, at syntax.Node) value {
	return l.fail(diag.New("python-error", l.spanOf(at), err.Class, err.Message))
}

// noteShape adds a note that says which shape a side has and what gave it that shape.
func (l *lowerer) noteShape(d *diag.Diagnostic, v value, e syntax.Expr) {
	t, ok := v.(tensor)
	if !ok {
		return
	}
	d.Because(l.spanOf(e), "has-shape", l.sourceText(e), types.ShapeString(t.v.Type.Shape))
	l.noteShapeOrigin(d, t.v, l.sourceText(e))
}

// noteShapes notes what gave the pointer and another argument their shapes.
func (c *call) noteShapes(d *diag.Diagnostic, ptr, v *ir.Value, e syntax.Expr) *diag.Diagnostic {
	c.noteShape(d, tensor{ptr}, c.arg("pointer").expr)
	c.noteShape(d, tensor{v}, e)
	return d
}

// noteShapeOrigin follows a value to the operation that made its shape, and adds a note there.
func (l *lowerer) noteShapeOrigin(d *diag.Diagnostic, v *ir.Value, text string) *diag.Diagnostic {
	for in := v.Def; in != nil; {
		// Elementwise operations hand shapes on: the one that made it is further up.
		if in.Op.Has(ops.Elementwise) && len(in.Operands) > 0 && len(d.Related) < 8 {
			in = shapeMaker(in).Def
			continue
		}
		span := in.Span
		for _, r := range d.Related {
			if r.Span == span {
				return d
			}
		}
		if span != d.Primary.Span && span.End > span.Start && l.frame.fn.module == l.user {
			d.Because(span, "shape-from", types.ShapeString(v.Type.Shape))
		}
		return d
	}
	return d
}

// shapeMaker is the operand that an elementwise operation has its shape from: one that is not a
// mere repetition of a scalar.
func shapeMaker(in *ir.Instr) *ir.Value {
	for _, v := range in.Operands {
		if v != nil && v.Def != nil && v.Def.Op != ops.Splat && v.Def.Op != ops.Const && v.Def.Op != ops.Broadcast {
			return v
		}
	}
	return in.Operands[0]
}

// explainShapes says which side made which shape.
func (l *lowerer) explainShapes(r *types.Refusal, x, y value, at operandNodes) *diag.Diagnostic {
	d := refusal(r, l.spanOf(at.whole))
	l.noteShape(d, x, at.left)
	l.noteShape(d, y, at.right)
	return d
}

func (l *lowerer) explainOperandKinds(op string, x, y value, at operandNodes) *diag.Diagnostic {
	return l.noteTypes(diag.New("operand-kinds", l.spanOf(at.whole), op, kindText(x), kindText(y)), x, y, at)
}

// noteType adds a note that says which type the value of an expression has.
func (l *lowerer) noteType(d *diag.Diagnostic, v value, e syntax.Expr) *diag.Diagnostic {
	return d.Because(l.spanOf(e), "is-of-type", l.sourceText(e), kindText(v))
}

// noteTypes is noteType for both sides of an operator.
func (l *lowerer) noteTypes(d *diag.Diagnostic, x, y value, at operandNodes) *diag.Diagnostic {
	return l.noteType(l.noteType(d, x, at.left), y, at.right)
}

// suggestNearest adds the nearest name as a fix.
func (l *lowerer) suggestNearest(d *diag.Diagnostic, at source.Span, name string, names []string) *diag.Diagnostic {
	if near, ok := diag.Meant(name, names); ok {
		didYouMean(d, false, at, near)
	}
	return d
}

// didYouMean asks at a diagnostic's place whether text was meant, and offers to write it.
func didYouMean(d *diag.Diagnostic, safe bool, at source.Span, text string) *diag.Diagnostic {
	d.Primary.Text = diag.Text{Key: "did-you-mean", Args: []any{text}}
	return suggestReplacement(d, safe, at, text)
}

// suggestReplacement offers to write text in place of the source at a span.
func suggestReplacement(d *diag.Diagnostic, safe bool, at source.Span, text string) *diag.Diagnostic {
	return d.Suggest(safe, diag.Text{Key: "fix-replace", Args: []any{text}}, diag.Edit{Span: at, New: text})
}

// suggestConstexpr offers to annotate a name, which ends at end, with tl.constexpr.
func suggestConstexpr(d *diag.Diagnostic, name string, end int32) *diag.Diagnostic {
	return d.Suggest(true, diag.Text{Key: "fix-annotate-constexpr", Args: []any{name}},
		diag.Edit{Span: source.Span{Start: end, End: end}, New: ": tl.constexpr"})
}

// wrapEdits appends a method call to an expression, in brackets where it needs them.
func wrapEdits(s source.Span, e syntax.Expr, suffix string) []diag.Edit {
	start, end := source.Span{Start: s.Start, End: s.Start}, source.Span{Start: s.End, End: s.End}
	switch e.(type) {
	case *syntax.Name, *syntax.Call, *syntax.Attribute, *syntax.Subscript:
		return []diag.Edit{{Span: end, New: suffix}}
	}
	return []diag.Edit{{Span: start, New: "("}, {Span: end, New: ")" + suffix}}
}

// calleeSpan is the span of the name that a call calls.
func (c *call) calleeSpan() source.Span {
	if e, ok := c.node.(*syntax.Call); ok {
		return c.spanOf(e.Func)
	}
	return c.spanOf(c.node)
}
