package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/formula"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
)

// Why says what one element holds and where that comes from: of a tensor after a launch, or why no program wrote it;
// or of the value of a step.
type Why struct {
	Element string // z[5], (x + i)[5]
	Value   string // of the element; floats have seven significant digits
	Number  float64
	Program [3]int // whose operations Origins are
	// Origins begin with what wrote the element of a tensor, or should have, or with the step. Each is followed by
	// those that it comes from, one deeper, down to loads, constants and arguments. One that several come from is
	// listed with the first of them.
	Origins []Origin
	Left    int // origins that are not listed
	// Formula is how the value was computed that a store wrote to the element of a tensor, over the launch's tensors;
	// nil where no store wrote it. It gives nil where not all of that is known.
	Formula func(*formula.Set) *formula.Node
}

// Origin is an operation that gave one lane of a value.
type Origin struct {
	Depth    int
	Sentence diag.Text
	Span     source.Span // empty where it is no operation
	Step     int         // of the program; -1 where it is no operation
	// Tensor and Element are what a load has read; Tensor is -1 elsewhere.
	Tensor, Element int
}

// Limits of the origins of one element.
const (
	maxOrigins  = 200
	maxOperands = 9       // of one origin: an accumulator and four products
	maxInner    = 1 << 10 // operations that one expression consists of
)

// Why makes the launch to find what wrote an element of a tensor, and once more to follow the operations that its value
// comes from. The element is one of the tensor's, by its number row by row. The error says that the launch could not be
// made to its end because ctx is done, or that its tensors could not be read.
func (l *Launch) Why(ctx context.Context, tensor, element int) (*Why, error) {
	found := &stores{byParam: l.byParam, tensor: tensor, of: &l.tensors[tensor], element: int64(element)}
	args, fault, err := l.again(ctx, found)
	if err != nil {
		return nil, err
	}
	value := l.valueAfter(args, tensor, element)
	out := &Why{Element: found.of.elementText(int64(element)), Value: value.lane(0, whyDigits), Number: value.Lanes[0]}
	sentence, target, operand := l.cause(out, found, fault)
	if target == nil {
		out.Origins = []Origin{{Sentence: sentence, Step: -1, Tensor: -1}}
		return out, nil
	}
	out.Program = target.program
	t, err := l.record(ctx, tapeEnd{target.program, target.access, beyond})
	if err != nil {
		return nil, err
	}
	s := newSlicer(l, t)
	s.fromStore(target, sentence, operand)
	if target == found.last && target.kind == trace.Store {
		out.Formula = func(set *formula.Set) *formula.Node { return s.storedFormula(target, operand, set) }
	}
	out.Origins, out.Left = s.list(), s.left
	return out, nil
}

// WhyValue follows one lane of the value of a program's step back, as Why follows an element of a tensor. It is nil
// where the step has no such lane.
func (l *Launch) WhyValue(ctx context.Context, program [3]int, step, lane int) (*Why, error) {
	t, err := l.record(ctx, tapeEnd{program, beyond, step})
	if err != nil || t.value == nil || t.result.Total <= step || lane < 0 || lane >= t.value.Type.Numel() {
		return nil, err
	}
	s := newSlicer(l, t)
	p := place{s.last(t.value, len(s.records)), t.value, lane}
	s.fromValue(p)
	return &Why{
		Element: s.elementText(p), Value: s.value(p), Number: s.number(p), Program: program,
		Origins: s.list(), Left: s.left,
	}, nil
}

// again makes the launch on copies of its tensors, which hold afterwards what it has written.
func (l *Launch) again(ctx context.Context, o trace.Observer) ([]launch.Arg, *diag.Diagnostic, error) {
	args, err := launch.Copied(l.args)
	if err != nil {
		return nil, nil, err
	}
	_, fault := l.observe(ctx, args, o)
	return args, fault, ctx.Err()
}

// record makes the launch up to where a tape ends, and keeps the operations of its program.
func (l *Launch) record(ctx context.Context, end tapeEnd) (*tape, error) {
	upTo, stop := context.WithCancel(ctx)
	defer stop()
	r := &Result{Grid: l.with.Grid, Program: end.program, Tensors: slices.Clone(l.tensors), From: beyond}
	t := &tape{
		stepper: stepper{summary: newSummary(r, l.byParam), source: l.source}, end: end, stop: stop,
	}
	args, err := launch.Copied(l.args)
	if err != nil {
		return nil, err
	}
	l.observe(upTo, args, t)
	return t, ctx.Err()
}

// valueAfter is an element of a tensor.
func (l *Launch) valueAfter(args []launch.Arg, tensor, element int) (v *Value) {
	r := &Result{Tensors: l.tensors}
	l.eachTensor(args, func(t *Tensor, a *launch.Tensor) {
		if t != &r.Tensors[tensor] {
			return
		}
		x := num.MakeVec(t.DType.Info().Class, 1)
		num.LoadAt(t.DType, x, 0, a.Elements(t.view.shape), element)
		v = scalarOf(t.DType, x)
	}, r)
	return v
}

// whyDigits are the significant digits of a float: those of the judge.
const whyDigits = 7

// elementText names an element: z[5], or z[1, 3].
func (t *Tensor) elementText(n int64) string {
	if len(t.Shape) == 0 {
		return t.Name
	}
	return t.Name + sliceText(bounds(t.Shape, []int32{int32(n)}))
}

// cause is what there is to say first, the lane of a store that it is about, and which of the store's operands explains
// it. There is no lane where the launch stops too early, or no program writes to the tensor.
func (l *Launch) cause(w *Why, s *stores, fault *diag.Diagnostic) (say diag.Text, at *pointed, operand int) {
	switch {
	case s.last != nil:
		operand = valueOperand[s.last.instr.Op]
		return l.stored(w, s, operand), s.last, operand
	case s.masked != nil:
		say = diag.Text{Key: "why.masked", Args: []any{w.Element, l.who(s.masked)}}
		return say, s.masked, s.masked.instr.Op.Mask()
	case fault != nil:
		return diag.Text{Key: "why.stopped", Args: []any{w.Element, headline{fault}}}, nil, 0
	case s.nearest != nil:
		near := s.of.elementText(s.nearest.element)
		return diag.Text{Key: "why.nearest", Args: []any{w.Element, near, l.who(s.nearest)}}, s.nearest, 0
	}
	return diag.Text{Key: "why.nowhere", Args: []any{s.of.Name}}, nil, 0
}

// valueOperand is the position of what is written among an operation's operands.
var valueOperand = map[ops.Op]int{ops.Store: 1, ops.AtomicStore: 1, ops.AtomicRMW: 1, ops.AtomicCAS: 2}

// stored says which lane wrote the element last, and how often it was written before.
func (l *Launch) stored(w *Why, s *stores, operand int) diag.Text {
	key := "why.stored"
	if s.last.kind == trace.Atomic {
		key = "why.updated"
	}
	value := l.label(s.last.instr.Operands[operand])
	out := diag.Text{Key: key, Args: []any{w.Element, w.Value, l.who(s.last), value}}
	switch {
	case len(s.programs) > 1:
		return also(out, "why.programs", s.times, l.programTexts(s.programs))
	case s.times > 1:
		return also(out, "why.times", s.times)
	}
	return out
}

// who names the lane of a program that a store is about.
func (l *Launch) who(p *pointed) diag.Text {
	program := diag.Text{Key: "why.program", Args: []any{ProgramText(l.with.Grid, p.program)}}
	t := p.instr.Operands[0].Type
	if t.Numel() == 1 {
		return program
	}
	return diag.Text{Key: "why.lane-of", Args: []any{program, laneText(t.Shape, p.lane)}}
}

// shownPrograms is how many of the programs that write one element are named.
const shownPrograms = 4

func (l *Launch) programTexts(programs [][3]int) string {
	var texts []string
	for _, p := range programs[:min(len(programs), shownPrograms)] {
		texts = append(texts, ProgramText(l.with.Grid, p))
	}
	if len(programs) > shownPrograms {
		texts = append(texts, "…")
	}
	return strings.Join(texts, ", ")
}

// label is how the source writes a value: the variable, the argument, or the expression.
func (l *Launch) label(v *ir.Value) string {
	for v.Name == "" && v.Def != nil && through(v.Def) {
		v = v.Def.Operands[0]
	}
	switch {
	case l.isArgument(v):
		return l.kernel.Func.Params[v.Index].Name
	case v.Name != "" || v.Def == nil:
		return v.Name
	}
	return l.text(v.Def.Span)
}

func (l *Launch) isArgument(v *ir.Value) bool {
	params := l.kernel.Func.Params
	return v.Def == nil && v.Index < len(params) && params[v.Index].Value == v
}

// argument is the value of a scalar argument as a call of the kernel has it.
func (l *Launch) argument(v *ir.Value) string {
	name := l.label(v)
	for i, a := range l.args {
		if l.kernel.Param(i, a.Name) == name {
			return compiler.ConstantText(a.Value)
		}
	}
	return "?"
}

// maxText is how many characters of an expression are shown.
const maxText = 60

// text is a piece of the source on one line.
func (l *Launch) text(at source.Span) string {
	text := []rune(strings.Join(strings.Fields(l.source.file.Slice(at)), " "))
	if len(text) > maxText {
		return string(text[:maxText]) + "…"
	}
	return string(text)
}

// also adds a phrase to a text.
func also(t diag.Text, key string, args ...any) diag.Text {
	return diag.Text{Key: "inspect.also", Args: []any{t, diag.Text{Key: key, Args: args}}}
}

// headline is what a diagnostic says first.
type headline struct{ of *diag.Diagnostic }

func (h headline) In(lang diag.Lang) string { return h.of.In(lang).Headline }

// scalarOf is one number as a value.
func scalarOf(d num.DType, x num.Vec) *Value {
	v := &Value{Lanes: make([]float64, 1)}
	v.Type.DType = d
	num.Cast(d, num.Float64, num.RTNE)(num.Vec{F64: v.Lanes}, x)
	return v
}

// laneText is a lane of a block by its index: 5, or [1, 3].
func laneText(shape []int, lane int) string {
	index := make([]string, len(shape))
	for d, by := range types.Strides(shape) {
		index[d] = fmt.Sprint(lane / by % shape[d])
	}
	if len(shape) == 1 {
		return index[0]
	}
	return "[" + strings.Join(index, ", ") + "]"
}
