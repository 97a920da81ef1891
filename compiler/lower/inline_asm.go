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
func lowerInlineAsm(c *call) value {
	a := &inlineAsm{call: c, text: c.text("asm"), constraints: c.text("constraints")}
	a.readResults()
	if a.pack = c.integer("pack"); a.pack < 1 || a.pack > inline.MaxPack || a.pack&(a.pack-1) != 0 {
		return c.fail(diag.New(inline.BadPack, c.spanOf(c.arg("pack").expr), a.pack))
	}
	a.readArgs()
	a.broadcastArgs()
	operands, shape := make([]num.DType, len(a.args)), []int(nil)
	for i, v := range a.args {
		operands[i], shape = v.Type.DType, v.Type.Shape
	}
	if n := types.Tile(num.Int32, shape...).Numel(); len(shape) > 0 && n%a.pack != 0 {
		return c.fail(diag.New("asm-pack-elements", c.spanOf(c.arg("pack").expr), a.pack, n))
	}
	if _, err := inline.Parse(a.text, a.constraints, a.results, operands, a.pack); err != nil {
		a.refuse(err)
	}
	// Who says that the text is not pure wants it where it is, once for each group.
	op := ops.InlineAsmVolatile
	if c.pythonTruth(c.value("is_pure")) {
		op = ops.InlineAsm
	}
	var names []string
	for _, d := range a.results {
		names = append(names, d.Info().Short)
	}
	vs := c.b.emitRegions(c.node.Span(), op, a.args, nil,
		ir.Attr{Name: "text", Value: a.text}, ir.Attr{Name: "constraints", Value: a.constraints},
		ir.Attr{Name: "results", Value: strings.Join(names, ",")}, ir.Attr{Name: "pack", Value: int64(a.pack)})
	if !a.many {
		return tensor{vs[0]}
	}
	return tensors(vs)
}

// refuse reports what is wrong with the text or with the constraints, at the argument that it is about.
func (a *inlineAsm) refuse(err error) {
	var e *inline.Error
	errors.As(err, &e)
	at := "asm"
	switch e.Code {
	case inline.UnknownConstraint, inline.MisplacedOutput, inline.ConstraintCount, inline.TooWide:
		at = "constraints"
	case inline.BadPack:
		at = "pack"
	}
	a.fail(diag.New(e.Code, a.spanOf(a.arg(at).expr), e.Args...))
}

// readResults reads dtype: one, or a sequence of them.
func (a *inlineAsm) readResults() {
	d := a.arg("dtype")
	list := []value{d.val}
	if t, ok := d.val.(tuple); ok && len(t.elems) > 0 {
		list, a.many = t.elems, true
	}
	for _, v := range list {
		t, ok := a.dtypeArg(v, d.expr)
		a.must(ok)
		if t.Pointer {
			a.fail(diag.New("asm-pointer", a.spanOf(d.expr), a.sourceText(d.expr), typeText(t)))
		}
		a.results = append(a.results, t.DType)
	}
}

// readArgs reads args. Those whose constraint is n or i are written into the text, as an assembler sees them.
func (a *inlineAsm) readArgs() {
	if _, ok := a.value("args").(tuple); !ok {
		e := a.arg("args").expr
		a.fail(diag.New("asm-args", a.spanOf(e), a.sourceText(e), kindText(a.value("args"))))
	}
	outputs, inputs, err := inline.Constraints(a.constraints)
	if err != nil {
		a.refuse(err)
	}
	immediates := map[int]string{}
	register := 0
	for _, arg := range a.list("args") {
		if register < len(inputs) && inline.IsImmediate(inputs[register]) {
			immediates[len(outputs)+register] = a.immediate(arg)
			register++
			continue
		}
		x := a.tensorOf(arg)
		if x.Type.Pointer {
			a.fail(diag.New("asm-pointer", a.spanOf(arg.expr), a.sourceText(arg.expr), typeText(x.Type)))
		}
		a.args = append(a.args, x)
		count, _ := inline.Registers(x.Type.DType, a.pack)
		register += count
	}
	if len(immediates) == 0 {
		return
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
}

// immediate is an argument as a number in the text.
func (a *inlineAsm) immediate(x argument) string {
	switch v := x.val.(type) {
	case constant:
		if n, ok := python.AsInt(v.v); ok {
			if i, fits := n.Int64(); fits {
				return strconv.FormatInt(i, 10)
			}
		}
	case tensor:
		if n, _, ok := a.known.difference(v.v, nil); ok {
			return strconv.FormatInt(n, 10)
		}
	}
	a.fail(diag.New("asm-immediate", a.spanOf(x.expr), a.sourceText(x.expr), kindText(x.val)))
	return ""
}

// broadcastArgs gives all arguments one shape.
func (a *inlineAsm) broadcastArgs() {
	var shape []int
	for _, x := range a.args {
		s, r := types.BroadcastShapes(shape, x.Type.Shape)
		a.must(a.isAllowed(r, a.spanOf(a.arg("args").expr)))
		shape = s
	}
	for i, x := range a.args {
		a.args[i] = a.b.broadcast(a.node.Span(), x, shape)
	}
}
