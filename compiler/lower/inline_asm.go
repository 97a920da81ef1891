package lower

import (
	"errors"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/types"
)

// inlineAsm is a call of tl.inline_asm_elementwise on its way to an instruction.
type inlineAsm struct {
	*call
	text, constraints string
	results           []num.DType
	many              bool // dtype is a sequence: so is the result
	pack              int
	args              []*ir.Value // without immediates
}

// lowerInlineAsm lowers tl.inline_asm_elementwise.
func lowerInlineAsm(l *lowerer, c *call) value {
	a := &inlineAsm{call: c}
	var ok1, ok2 bool
	a.text, ok1 = c.stringArg("asm")
	a.constraints, ok2 = c.stringArg("constraints")
	if !ok1 || !ok2 || !a.readResults() || !a.readPack() || !a.readArgs() || !a.broadcastArgs() {
		return poison{}
	}
	operands, shape := make([]num.DType, len(a.args)), []int(nil)
	for i, v := range a.args {
		operands[i], shape = v.Type.DType, v.Type.Shape
	}
	if n := types.Tile(num.Int32, shape...).Numel(); len(shape) > 0 && n%a.pack != 0 {
		return l.fail(diag.New("asm-pack-elements", l.spanOf(c.arg("pack").expr), a.pack, n))
	}
	if _, err := inline.Parse(a.text, a.constraints, a.results, operands, a.pack); err != nil {
		return a.refuse(err)
	}
	// Who says that the text is not pure wants it where it is, once for each group.
	op := ops.InlineAsmVolatile
	if l.pythonTruth(c.value("is_pure")) {
		op = ops.InlineAsm
	}
	var names []string
	for _, d := range a.results {
		names = append(names, d.Info().Short)
	}
	l.b.needBlock()
	vs := l.b.emitMany(c.node.Span(), op, a.args,
		ir.Attr{Name: "text", Value: a.text}, ir.Attr{Name: "constraints", Value: a.constraints},
		ir.Attr{Name: "results", Value: strings.Join(names, ",")}, ir.Attr{Name: "pack", Value: int64(a.pack)})
	if !a.many {
		return tensor{vs[0]}
	}
	out := tuple{}
	for _, v := range vs {
		out.elems = append(out.elems, tensor{v})
	}
	return out
}

// refuse reports what is wrong with the text or with the constraints, at the argument that it is about.
func (a *inlineAsm) refuse(err error) value {
	var e *inline.Error
	errors.As(err, &e)
	at := "asm"
	switch e.Code {
	case inline.UnknownConstraint, inline.MisplacedOutput, inline.ConstraintCount, inline.TooWide:
		at = "constraints"
	case inline.BadPack:
		at = "pack"
	}
	return a.l.fail(diag.New(e.Code, a.l.spanOf(a.arg(at).expr), e.Args...))
}

// stringArg is an argument that must be a string known while compiling.
func (c *call) stringArg(name string) (string, bool) {
	a := c.arg(name)
	k, _ := a.val.(constant)
	s, ok := k.v.(python.Str)
	if !ok && !isPoison(a.val) {
		c.l.fail(diag.New("asm-string", c.l.spanOf(a.expr), name, c.l.sourceText(a.expr), kindText(a.val)))
	}
	if len(s) > ops.MaxString {
		c.l.fail(diag.New("text-too-long", c.l.spanOf(a.expr), ops.MaxString))
		return "", false
	}
	return string(s), ok
}

// readResults reads dtype: one, or a sequence of them.
func (a *inlineAsm) readResults() bool {
	d := a.arg("dtype")
	list := []value{d.val}
	if t, ok := d.val.(tuple); ok && len(t.elems) > 0 {
		list, a.many = t.elems, true
	}
	for _, v := range list {
		t, ok := a.l.dtypeArg(v, d.expr)
		switch {
		case !ok:
			return false
		case t.Pointer:
			a.l.fail(diag.New("asm-pointer", a.l.spanOf(d.expr), a.l.sourceText(d.expr), typeText(t)))
			return false
		}
		a.results = append(a.results, t.DType)
	}
	return true
}

func (a *inlineAsm) readPack() bool {
	p := a.arg("pack")
	var ok bool
	if a.pack, ok = a.l.constantInt32(p.val, p.expr, "pack"); ok && (a.pack < 1 || a.pack > inline.MaxPack ||
		a.pack&(a.pack-1) != 0) {
		a.l.fail(diag.New(inline.BadPack, a.l.spanOf(p.expr), a.pack))
		return false
	}
	return ok
}

// readArgs reads args. Those whose constraint is n or i are written into the text, as an assembler sees them.
func (a *inlineAsm) readArgs() bool {
	list, ok := a.value("args").(tuple)
	if !ok {
		e := a.arg("args").expr
		a.l.fail(diag.New("asm-args", a.l.spanOf(e), a.l.sourceText(e), kindText(a.value("args"))))
		return false
	}
	outputs, inputs, err := inline.Constraints(a.constraints)
	if err != nil {
		a.refuse(err)
		return false
	}
	exprs := elementExprs(a.arg("args").expr, len(list.elems))
	immediates := map[int]string{}
	register := 0
	for i, v := range list.elems {
		if register < len(inputs) && inline.IsImmediate(inputs[register]) {
			text, ok := a.immediate(argument{v, exprs[i]})
			if !ok {
				return false
			}
			immediates[len(outputs)+register] = text
			register++
			continue
		}
		x, ok := a.l.tensorArg(v, exprs[i])
		if !ok {
			return false
		}
		if x.Type.Pointer {
			a.l.fail(diag.New("asm-pointer", a.l.spanOf(exprs[i]), a.l.sourceText(exprs[i]), typeText(x.Type)))
			return false
		}
		a.args = append(a.args, x)
		count, _ := inline.Registers(x.Type.DType, a.pack)
		register += count
	}
	if len(immediates) == 0 {
		return true
	}
	var kept []string
	for _, letter := range outputs {
		kept = append(kept, "="+letter)
	}
	for i, letter := range inputs {
		if _, ok := immediates[len(outputs)+i]; !ok {
			kept = append(kept, letter)
		}
	}
	a.text, a.constraints = inline.Substitute(a.text, immediates), strings.Join(kept, ",")
	return true
}

// immediate is an argument as a number in the text.
func (a *inlineAsm) immediate(x argument) (string, bool) {
	switch v := x.val.(type) {
	case constant:
		if n, ok := python.AsInt(v.v); ok {
			if i, fits := n.Int64(); fits {
				return strconv.FormatInt(i, 10), true
			}
		}
	case tensor:
		if n, _, ok := a.l.affine.knownInt(v.v); ok {
			return strconv.FormatInt(n, 10), true
		}
	}
	a.l.fail(diag.New("asm-immediate", a.l.spanOf(x.expr), a.l.sourceText(x.expr), kindText(x.val)))
	return "", false
}

// broadcastArgs gives all arguments one shape.
func (a *inlineAsm) broadcastArgs() bool {
	var shape []int
	for _, x := range a.args {
		s, r := types.BroadcastShapes(shape, x.Type.Shape)
		if r != nil {
			a.l.refuse(r, a.l.spanOf(a.arg("args").expr))
			return false
		}
		shape = s
	}
	for i, x := range a.args {
		a.args[i] = a.l.b.broadcast(a.node.Span(), x, shape)
	}
	return true
}
