package inspect

import (
	"cmp"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// Step is one operation of a program as the source writes it. One expression may be several operations of the IR:
// conversions and broadcasts, or the body of a function of tl that is written in the language itself.
type Step struct {
	Span       source.Span
	Op         string  // tl.load, pid * B0, +=, for
	Name       string  // the variable that its value is assigned to; empty where there is none
	Iterations []int   // of the loops around it, outermost first, that of a loop's own step included
	Loops      []*Loop // those loops, once the launch is made
	Value      *Value  // nil where it gives none
	Inputs     *Inputs // of a reduction or a matrix product; nil elsewhere
	Access     *Access
	Problem    *diag.Diagnostic // what is wrong here; nil where nothing is
}

// Inputs are what a reduction or a matrix product computes its value of.
type Inputs struct {
	Axis   int      // of the reduction; -1 is a matrix product
	Values []*Value // of a matrix product the factors and the accumulator
}

// Loop is one execution of a loop.
type Loop struct {
	Span source.Span // of what it repeats over
	Last int         // the number of its last iteration; a while has one more, in which its condition is false
}

// stepper observes the program whose steps are asked for, beside what summary observes of all.
type stepper struct {
	*summary
	source *expressions
	inputs map[*ir.Value]num.Vec  // the lanes by now of what reductions and matrix products take; nil keeps none
	set    []int                  // the last step that has set each of the variables, -1 is none; nil keeps none
	took   func(*Step)            // takes every step once it is whole; nil keeps those of the window
	reads  func(name string) bool // whether took looks at the values of a variable; nil is all, and all accesses
	loops  []iteration            // that the program is in
	lanes  int                    // of the steps that are kept

	iterations []int   // of loops, once a step has them: steps of one iteration share them
	around     []*Loop // those loops

	open     bool        // operations may belong to the step that began last
	variable int         // that its value is assigned to, by its number among the source's; -1 is none
	span     source.Span // of its operations
	assigned bool        // its value is a variable's by now, so that it is whole
	current  *Step       // the step; nil where it is not in the window
	given    *ir.Value   // that the step has; nil where it has none so far
}

// iteration is one of a loop.
type iteration struct {
	loop  *ir.Instr
	of    *Loop
	since int // the step that the loop began with
}

// enterProgram begins with the steps of another program.
func (s *stepper) enterProgram(program [3]int) {
	s.result.Program, s.result.Total = program, 0
	for v := range s.inputs {
		s.inputs[v] = num.Vec{}
	}
	for i := range s.set {
		s.set[i] = -1
	}
	*s = stepper{
		summary: s.summary, source: s.source, inputs: s.inputs, set: s.set, reads: s.reads, lanes: s.lanes,
	}
}

// Watches implements trace.OperationObserver.
func (s *stepper) Watches(program [3]int) bool { return program == s.result.Program }

// Access implements trace.Observer.
func (s *stepper) Access(a *trace.Access) {
	s.summary.Access(a)
	if s.Watches(a.Program) {
		s.accessed(a)
	}
}

// accessed is Access of the program that is observed.
func (s *stepper) accessed(a *trace.Access) {
	if step, _ := s.begin(a.Span); step != nil && s.reads == nil {
		step.Access = s.newAccess(a)
	}
}

// Operation implements trace.OperationObserver.
func (s *stepper) Operation(o *trace.Operation) {
	in := o.Instr
	if o.Region != nil {
		s.keep(o.Region.Args, o.Lanes)
		s.enter(o)
		return
	}
	s.keep(in.Results, o.Lanes)
	if n := len(s.loops); n > 0 && s.loops[n-1].loop == in {
		s.loops, s.iterations = s.loops[:n-1], nil
		s.close()
		return
	}
	// What is known while compiling is no operation, unless a variable takes it.
	if s.converts(in) || in.Op == ops.Const && s.source.at[in.Span].name == "" {
		return
	}
	if step, ok := s.begin(in.Span); ok && len(in.Results) > 0 {
		s.give(step, in.Results[0], o.Lanes[0])
		if step != nil && s.took == nil {
			step.Inputs = cmp.Or(s.inputsOf(in), step.Inputs)
		}
	}
}

// keep copies the lanes of those values that a reduction or a matrix product takes.
func (s *stepper) keep(values []*ir.Value, lanes []num.Vec) {
	for i, v := range values {
		if old, wanted := s.inputs[v]; wanted {
			of := lanes[i]
			s.inputs[v] = num.Vec{
				I32: append(old.I32[:0], of.I32...), I64: append(old.I64[:0], of.I64...),
				F32: append(old.F32[:0], of.F32...), F64: append(old.F64[:0], of.F64...),
			}
		}
	}
}

// inputsOf are those of a reduction or a matrix product; nil for another instruction.
func (s *stepper) inputsOf(in *ir.Instr) *Inputs {
	out := &Inputs{Axis: -1}
	switch {
	case s.inputs == nil || in.Op != ops.Reduce && in.Op != ops.Dot:
		return nil
	case in.Op == ops.Reduce:
		out.Axis = int(in.Int("axis"))
	}
	for _, v := range in.Operands {
		if s.inputs[v].Len() == 0 {
			return nil // an argument, of one lane
		}
		value := newValue(v.Type, s.inputs[v], s.tensorName)
		value.Name = v.Name
		out.Values = append(out.Values, value)
	}
	return out
}

// converts reports whether an instruction only fits the value of an expression to the operation that uses it: it comes
// last, with the expression's span.
func (s *stepper) converts(in *ir.Instr) bool {
	if !conversions[in.Op] || !continues(in) {
		return false
	}
	switch within := s.open && s.span == in.Span && !s.assigned; {
	case !within:
		return true
	case in.Op == ops.ExpandDims: // a subscript may have several
		return false
	case !s.source.at[in.Span].call:
		return true
	}
	// tl.full and tl.broadcast_to are conversions themselves; what a call has computed is its value.
	for conversions[in.Op] && continues(in) {
		in = in.Operands[0].Def
	}
	return in.Op != ops.Const && !conversions[in.Op]
}

var conversions = map[ops.Op]bool{ops.Splat: true, ops.Broadcast: true, ops.Cast: true, ops.ExpandDims: true}

// continues reports whether the first operand of an instruction belongs to the same expression.
func continues(in *ir.Instr) bool {
	from := in.Operands[0].Def
	return from != nil && from.Span == in.Span
}

// enter begins an iteration of a loop. A while has two regions, of which the first tests its condition.
func (s *stepper) enter(o *trace.Operation) {
	in := o.Instr
	e := s.source.at[in.Span]
	if !e.loop || in.Op == ops.If {
		return
	}
	s.close()
	s.iterations = nil
	if o.Region == in.Regions[0] {
		if n := len(s.loops); n > 0 && s.loops[n-1].loop == in {
			s.loops[n-1].of.Last++
		} else {
			s.loops = append(s.loops, iteration{in, &Loop{Span: e.span}, s.result.Total})
		}
	}
	if o.Region != in.Regions[len(in.Regions)-1] {
		return
	}
	if step := s.start(in.Span, e); e.name != "" && len(o.Lanes) > 0 {
		s.give(step, o.Region.Args[0], o.Lanes[0])
	}
}

// begin finds the step that an operation belongs to, or starts one: operations of one expression follow each other. It
// is not ok where the source has no such expression; the step is nil where it is not in the window.
func (s *stepper) begin(at source.Span) (step *Step, ok bool) {
	if s.open && s.span == at && !s.assigned {
		return s.current, true
	}
	e, ok := s.source.at[at]
	if !ok || e.loop {
		return nil, false
	}
	return s.start(at, e), true
}

// start begins a step.
func (s *stepper) start(at source.Span, e expression) *Step {
	s.close()
	r := s.result
	s.open, s.span, s.assigned, s.current, s.variable = true, at, false, nil, e.variable
	s.given = nil
	r.Total++
	if s.took == nil && (r.Total <= r.From || len(r.Steps) == maxSteps || s.lanes > maxLanes) {
		return nil
	}
	s.current = &Step{Span: e.span, Op: e.op, Name: e.name}
	if s.iterations == nil {
		s.around = nil
		for _, l := range s.loops {
			s.iterations, s.around = append(s.iterations, l.of.Last), append(s.around, l.of)
		}
	}
	s.current.Iterations, s.current.Loops = s.iterations, s.around
	return s.current
}

// give sets the value of the step that is open.
func (s *stepper) give(step *Step, v *ir.Value, lanes num.Vec) {
	s.assigned, s.given = v.Name != "", v
	if s.set != nil && s.variable >= 0 {
		s.set[s.variable] = s.result.Total - 1
	}
	if step == nil || s.reads != nil && !s.reads(step.Name) {
		return
	}
	step.Value = newValue(v.Type, lanes, s.tensorName)
}

// close ends the step that is open.
func (s *stepper) close() {
	switch step := s.current; {
	case step == nil:
	case s.took != nil:
		s.took(step)
	default:
		if a := step.Access; a != nil {
			s.lanes += len(a.Elements)
			if step.Problem == nil {
				step.Problem = a.problem(&s.result.Tensors[a.Tensor], step.Span)
			}
		}
		if step.Value != nil {
			s.lanes += len(step.Value.Lanes)
		}
		if step.Inputs != nil {
			for _, v := range step.Inputs.Values {
				s.lanes += len(v.Lanes)
			}
		}
		s.result.Steps = append(s.result.Steps, *step)
	}
	s.open, s.current = false, nil
}

// finish ends the last step: that which the fault, if there is one, has stopped.
func (s *stepper) finish(fault *diag.Diagnostic) {
	if fault != nil && fault.Runtime != nil && s.Watches(fault.Runtime.Program) {
		at := fault.Primary.Span
		if e, ok := s.source.at[at]; ok {
			step, ok := s.begin(at)
			if !ok {
				step = s.start(at, e)
			}
			if step != nil {
				step.Problem = fault
			}
		}
	}
	s.close()
}
