package api

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
	"github.com/newtlab/newt/puzzles/judge"
)

// inspected is a launch that an InspectRequest names. A source that does not compile has no kernel.
type inspected struct {
	places places
	kernel *launch.Kernel
	args   []launch.Arg
	shapes []launch.Shape // of the arguments that are tensors
	with   device.Launch
	// cases and number are how many tests a puzzle has, and which of them this is.
	cases, number int
	// options are those that the launch asked for; none stand for Triton's.
	options device.Options
	// wrong are the elements of the last tensor that are wrong, and expected is what one should be; nil where that is
	// not known.
	wrong    func(*inspect.Result) []int
	expected func(element int) string
	judged   *judge.CaseLaunch // of a puzzle
}

// inspect serves a request about a puzzle or a free run.
func (c *call) inspect(r *InspectRequest) {
	c.inspectLaunch(r, c.observed)
}

// observed is the launch of a puzzle or of a free run that is looked at; nil where out says why there is none.
func (c *call) observed(r *InspectRequest, out *InspectReply) *inspected {
	return c.launched(r, out, judge.Options{Compile: (*launch.JITFunction).CompileObservable})
}

// unjudged is observed for a launch whose output is compared with nothing.
func (c *call) unjudged(r *InspectRequest, out *InspectReply) *inspected {
	return c.launched(r, out, judge.Options{Compile: (*launch.JITFunction).Compile, Unjudged: true})
}

func (c *call) launched(r *InspectRequest, out *InspectReply, o judge.Options) *inspected {
	if r.Free != nil {
		return c.inspectedFree(r.Free, out, o)
	}
	return c.inspectedPuzzle(r, out, o)
}

func emptyInspection() *InspectReply {
	return &InspectReply{Grid: []int{}, Program: []int{}, Arguments: []Argument{}, Tensors: []InspectedTensor{},
		Sites: []Site{}, Loops: []Loop{}, Iterations: []Iteration{}, Steps: []Step{}, Diagnostics: []Diagnostic{}}
}

// inspectedPuzzle is a test of a puzzle; nil where out says why there is none.
func (c *call) inspectedPuzzle(r *InspectRequest, out *InspectReply, o judge.Options) *inspected {
	if r.Puzzle == nil {
		return nil
	}
	j, ok := c.judgeOf(r.Puzzle.Puzzle, r.Puzzle.Custom)
	if !ok {
		out.Message = fmt.Sprintf("there is no puzzle %d", r.Puzzle.Puzzle)
		return nil
	}
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	file := source.NewFile("kernel.py", r.Puzzle.Source)
	out.Cases = j.Cases()
	out.Case = max(0, min(r.Case, out.Cases-1))
	o.StrictTriton = r.Puzzle.Strict
	l, list := j.Launch(ctx, file, out.Case, r.Sizes, o)
	if l == nil {
		out.Message, out.Diagnostics = c.text("judge.no-compile"), c.diagnostics(file, list)
		return nil
	}
	return &inspected{
		places: file, kernel: l.Kernel, args: l.Args, shapes: shapesOf(l.Arrays), with: l.Launch,
		cases: out.Cases, number: out.Case,
		wrong:    func(r *inspect.Result) []int { return l.Wrong(r.Tensors[len(r.Tensors)-1].After) },
		expected: l.Expected, judged: l,
	}
}

// inspectedFree is a free run; nil where out says why there is none.
func (c *call) inspectedFree(r *FreeRequest, out *InspectReply, o judge.Options) *inspected {
	f, err := c.evaluate(r)
	if err != nil {
		out.Message = err.Error()
		return nil
	}
	file := source.NewFile("kernel.py", r.Source)
	k, list := o.Compile(launch.Named(file, r.Kernel, r.Strict), f.args)
	if k == nil {
		out.Message, out.Diagnostics = c.text("judge.no-compile"), c.diagnostics(file, list)
		return nil
	}
	return &inspected{
		places: file, kernel: k, args: f.args, shapes: shapesOf(f.tensors), with: device.Launch{Grid: f.grid},
	}
}

func shapesOf(arrays []judge.Array) []launch.Shape {
	out := make([]launch.Shape, len(arrays))
	for i, a := range arrays {
		out[i].Sizes = a.Shape
	}
	return out
}

// inspectLaunch sends what the launch does that a request names, which find finds.
func (c *call) inspectLaunch(r *InspectRequest, find finds) {
	out := emptyInspection()
	reply := Reply{ID: c.id, Done: true, Inspect: out}
	of, l := c.lookedAt(r, out, find)
	if l == nil {
		c.send(reply)
		return
	}
	result, err := c.runInspected(of, l, r)
	if err != nil {
		out.Message = err.Error()
		c.send(reply)
		return
	}
	isBudget := func(d *diag.Diagnostic) bool { return d.Code == "loop-budget" || d.Code == "launch-budget" }
	if out.More = !r.Whole && slices.ContainsFunc(result.Diagnostics, isBudget); out.More {
		// The budget is that of a picture, and nothing is wrong with the loop that it ended in.
		out.Message = c.text("inspect.budget")
		result.Diagnostics = slices.DeleteFunc(result.Diagnostics, isBudget)
	}
	e := &inspection{
		call: c, places: of.places, sites: map[source.Span]int{}, loops: map[*inspect.Loop]int{}, reply: out,
	}
	e.fill(result)
	c.send(reply, e.data)
}

// lastSteps is how many steps a reply holds of a program that has fewer than those that were asked for.
const lastSteps = 200

// runInspected runs the launch for the program that is asked for, or else for that of the first problem: the first
// access out of bounds, fault, or wrong element.
func (c *call) runInspected(of *inspected, l *inspect.Launch, r *InspectRequest) (*inspect.Result, error) {
	ctx, done := c.interrupts.begin(c.id)
	defer done()
	program := [3]int{}
	copy(program[:], r.Program)
	for axis, n := range of.with.Grid {
		program[axis] = max(0, min(program[axis], n-1)) // the grid may have become smaller since
	}
	run := func(from int) (*inspect.Result, error) {
		if r.Program == nil {
			return l.RunProblem(ctx, from, of.wrong)
		}
		return l.Run(ctx, program, from)
	}
	result, err := run(r.From)
	if err != nil || len(result.Steps) > 0 || result.Total == 0 {
		return result, err
	}
	return run(max(0, result.Total-lastSteps))
}

// inspection is a reply that is being written.
type inspection struct {
	*call
	places places
	sites  map[source.Span]int // the last one of each text
	types  []types.Type        // of the values of all sites
	loops  map[*inspect.Loop]int
	reply  *InspectReply
	data   []byte // the reply's buffer
}

func (e *inspection) fill(r *inspect.Result) {
	out := e.reply
	out.Grid, out.Program = r.Grid[:], r.Program[:]
	out.From, out.Total = r.From, r.Total
	for _, a := range r.Arguments {
		out.Arguments = append(out.Arguments, Argument(a))
	}
	for i := range r.Tensors {
		out.Tensors = append(out.Tensors, e.tensor(&r.Tensors[i]))
	}
	out.Steps = make([]Step, len(r.Steps))
	for i := range r.Steps {
		out.Steps[i] = e.step(&r.Steps[i])
	}
	r.Diagnostics.Sort()
	out.Diagnostics = e.diagnostics(e.places, r.Diagnostics)
}

// aligned is what the beginnings of arrays are multiples of: the size of their longest elements.
const aligned = 8

// array adds an array of so many bytes to the reply's buffer, and gives its place there and the bytes to be filled. A
// reply may have thousands of arrays: each as a buffer of its own, they took a third of the time of a look.
func (e *inspection) array(bytes int) (at int, data []byte) {
	at = len(e.data)
	from := at + aligned
	end := from + (bytes+aligned-1)/aligned*aligned
	e.data = slices.Grow(e.data, end-at)[:end]
	binary.LittleEndian.PutUint32(e.data[at:], uint32(bytes))
	return at, e.data[from : from+bytes]
}

func (e *inspection) tensor(t *inspect.Tensor) InspectedTensor {
	s := sampleOf(t.Shape, nil)
	floats := func(data []byte) int {
		all := judge.Array{Array: puzzles.Array{DType: t.DType, Shape: t.Shape}, Data: data}.Floats()
		return e.floats(pick(all, s.at))
	}
	out := InspectedTensor{
		Name: t.Name, DType: torchName(t.DType), Shape: append([]int{}, t.Shape...),
		Covers: s.step[:], Columns: s.columns(t.Shape),
		Before: floats(t.Before), After: floats(t.After),
		Readers: e.integers(pick(t.Readers, s.at)), Writers: e.integers(pick(t.Writers, s.at)),
	}
	out.Rows = len(s.at) / max(1, out.Columns)
	return out
}

func (e *inspection) floats(values []float64) int {
	at, data := e.array(8 * len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(v))
	}
	return at
}

func (e *inspection) integers(values []int32) int {
	at, data := e.array(4 * len(values))
	for i, v := range values {
		binary.LittleEndian.PutUint32(data[4*i:], uint32(v))
	}
	return at
}

// site is the position in the reply of what a step is of.
func (e *inspection) site(s *inspect.Step) int {
	var of types.Type
	if s.Value != nil {
		of = s.Value.Type
	}
	list := e.reply.Sites
	if at, ok := e.sites[s.Span]; ok && list[at].Op == s.Op && list[at].Name == s.Name && e.types[at].Equal(of) {
		return at
	}
	out := Site{
		From: e.places.UTF16(s.Span.Start), To: e.places.UTF16(s.Span.End), Line: e.line(s.Span),
		Name: s.Name, Op: s.Op,
	}
	if s.Value != nil {
		out.Type = s.Value.TypeText()
	}
	e.sites[s.Span] = len(list)
	e.reply.Sites, e.types = append(list, out), append(e.types, of)
	return len(list)
}

func (e *inspection) line(at source.Span) int { return e.places.Position(at.Start).Line }

// iteration is the position in the reply of where in loops a step is: often where the step before it was.
func (e *inspection) iteration(s *inspect.Step) int {
	if len(s.Loops) == 0 {
		return -1
	}
	var loops []int
	for _, l := range s.Loops {
		loops = append(loops, e.loop(l))
	}
	list := e.reply.Iterations
	last := len(list) - 1
	if last >= 0 && slices.Equal(list[last].Numbers, s.Iterations) && slices.Equal(list[last].Loops, loops) {
		return last
	}
	e.reply.Iterations = append(list, Iteration{loops, s.Iterations})
	return last + 1
}

// loop is the position of a loop in the reply.
func (e *inspection) loop(l *inspect.Loop) int {
	at, ok := e.loops[l]
	if !ok {
		at = len(e.reply.Loops)
		e.loops[l] = at
		e.reply.Loops = append(e.reply.Loops, Loop{Line: e.line(l.Span), Last: l.Last})
	}
	return at
}

func (e *inspection) step(s *inspect.Step) Step {
	out := Step{Site: e.site(s), Iteration: e.iteration(s), Values: -1}
	if s.Value != nil {
		out.Text, out.Values = s.Value.In(e.lang), e.floats(s.Value.Lanes)
	}
	if s.Inputs != nil {
		out.Inputs = &StepInputs{Axis: s.Inputs.Axis}
		for _, v := range s.Inputs.Values {
			out.Inputs.Values = append(out.Inputs.Values, StepInput{v.Name, v.TypeText(), e.floats(v.Lanes)})
		}
	}
	if s.Access != nil {
		out.Access = e.access(s.Access)
	}
	if s.Problem != nil {
		out.Problem = s.Problem.In(e.lang).Headline
	}
	return out
}

func (e *inspection) access(a *inspect.Access) *StepAccess {
	out := &StepAccess{
		Tensor: a.Tensor, Kind: a.Kind.String(), Elements: e.integers(a.Elements), Mask: -1, Masked: a.Masked,
		Outside: a.Outside(), Sentence: a.Sentence.In(e.lang),
	}
	if a.Mask != nil {
		at, mask := e.array(len(a.Mask))
		for i, active := range a.Mask {
			if active {
				mask[i] = 1
			}
		}
		out.Mask = at
	}
	return out
}
