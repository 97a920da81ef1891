package inspect

import (
	"context"
	"maps"
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/trace"
)

// Stop is a breakpoint, or another place to go to: where a line has run, in an iteration, and a condition holds.
type Stop struct {
	Line       int
	Condition  string // empty holds everywhere
	Iterations []int  // of the loops around it, as many as are given
}

// Seek asks for the next step, or the one before, at which a program is at one of Stops, from a step of a program on.
// Programs follow each other in program order.
type Seek struct {
	Program [3]int
	Step    int
	Back    bool
	Within  bool // the program alone
	Stops   []Stop
	Line    func(source.Span) int // of an operation; nil is that of the kernel's file
}

// Found is a step of a program. Stop is the one of the stops that it is at, -1 where there is no such step.
type Found struct {
	Program [3]int
	Step    int
	Stop    int
}

// Seek makes the launch up to what it looks for, and keeps nothing of it. The text says what is wrong with a condition,
// and at which stop; the error says that ctx is done, or that the tensors could not be read.
func (l *Launch) Seek(ctx context.Context, of Seek) (found Found, why *diag.Text, err error) {
	upTo, end := context.WithCancel(ctx)
	defer end()
	s := &seeker{Seek: of, end: end, found: Found{Stop: -1}}
	if s.Line == nil {
		s.Line = func(at source.Span) int { return l.source.file.Position(at.Start).Line }
	}
	s.arguments, s.from = l.numbers(), trace.ProgramNumber(l.with.Grid, of.Program)
	for i, stop := range of.Stops {
		made, why := l.newStop(stop, s.Line)
		if why != nil {
			return Found{Stop: i}, why, nil
		}
		s.stops = append(s.stops, made)
	}
	r := &Result{Grid: l.with.Grid, Tensors: slices.Clone(l.tensors)}
	s.stepper = stepper{summary: newSummary(r, l.byParam), source: l.source}
	_, fault, err := l.again(upTo, s)
	if s.stepper.took != nil {
		s.finish(fault)
		s.leave()
	}
	if s.done {
		err = ctx.Err() // the launch was stopped because there is nothing left to look for
	}
	return s.found, nil, err
}

// stop is a stop that is looked for.
type stop struct {
	Stop
	condition *condition // nil holds everywhere
	scope     *syntax.FunctionDef
	values    map[string][]float64 // of the variables that the condition reads, by now
}

// newStop reads a stop's condition: of the variables of the function that its line is in.
func (l *Launch) newStop(of Stop, line func(source.Span) int) (*stop, *diag.Text) {
	out := &stop{Stop: of}
	if of.Condition == "" {
		return out, nil
	}
	known := map[string]bool{}
	for at := range l.source.at {
		if line(at) == of.Line {
			out.scope = l.source.function(at)
		}
	}
	if out.scope == nil {
		return out, nil // nothing of this kernel is on the line
	}
	for at, e := range l.source.at {
		if e.name != "" && l.source.function(at) == out.scope {
			known[e.name] = true
		}
	}
	if out.scope.Name == l.kernel.Kernel {
		for name := range l.numbers() {
			known[name] = true
		}
	}
	var why *diag.Text
	out.condition, why = newCondition(of.Condition, known)
	return out, why
}

// numbers are the arguments of the call that are numbers.
func (l *Launch) numbers() map[string][]float64 {
	out := map[string][]float64{}
	for i, a := range l.args {
		name := l.kernel.Param(i, a.Name)
		switch v := a.Value.(type) {
		case bool:
			out[name] = []float64{number01(v)}
		case int64:
			out[name] = []float64{float64(v)}
		case float64:
			out[name] = []float64{v}
		case *big.Int:
			x, _ := new(big.Float).SetInt(v).Float64()
			out[name] = []float64{x}
		}
	}
	return out
}

// seeker observes the programs that may have the step, each from its beginning.
type seeker struct {
	stepper
	Seek
	stops     []*stop
	arguments map[string][]float64
	from      int64 // the program's number
	end       func()
	done      bool
	found     Found

	last *Step // that was taken last; nil at the beginning of a program
}

// Watches begins with a program.
func (s *seeker) Watches(program [3]int) bool {
	if s.stepper.took != nil {
		s.finish(nil)
		s.leave()
	}
	number := trace.ProgramNumber(s.result.Grid, program)
	s.enterProgram(program)
	if s.done || s.Back && number > s.from || s.Within && number > s.from {
		s.stop()
		return false
	}
	if !s.Back && number < s.from || s.Within && number != s.from {
		return false
	}
	for _, stop := range s.stops {
		stop.values = maps.Clone(s.arguments)
	}
	s.stepper.took = s.took
	return true
}

// stop ends the launch: there is nothing left to look for.
func (s *seeker) stop() {
	s.done = true
	s.end()
}

// took looks at a step, once it is whole: at the first one of another visit of a line, the one before was the last of
// its own.
func (s *seeker) took(step *Step) {
	if s.done {
		return
	}
	if s.last != nil && !s.same(s.last, step) {
		s.visited(s.result.Total - 2)
	}
	s.last = step
	if step.Name == "" || step.Value == nil {
		return
	}
	for _, stop := range s.stops {
		if stop.condition != nil && stop.condition.names[step.Name] && s.source.function(step.Span) == stop.scope {
			stop.values[step.Name] = step.Value.Lanes
		}
	}
}

// same reports whether two steps that follow each other are of one visit of a line.
func (s *seeker) same(a, b *Step) bool {
	return s.Line(a.Span) == s.Line(b.Span) && slices.Equal(a.Iterations, b.Iterations)
}

// leave looks at the last visit of a program.
func (s *seeker) leave() {
	if s.last != nil && !s.done {
		s.visited(s.result.Total - 1)
	}
	s.last, s.stepper.took = nil, nil
}

// visited looks whether a line that has run by a step is one of the stops.
func (s *seeker) visited(step int) {
	here := s.result.Program == s.Program
	if here && (step == s.Step || (step < s.Step) != s.Back) {
		if s.Back {
			s.stop()
		}
		return
	}
	i := slices.IndexFunc(s.stops, func(of *stop) bool { return s.at(of) })
	if i < 0 {
		return
	}
	s.found = Found{Program: s.result.Program, Step: step, Stop: i}
	if !s.Back {
		s.stop()
	}
}

// at reports whether the line that has run last is a stop.
func (s *seeker) at(of *stop) bool {
	n := len(of.Iterations)
	in := s.last.Iterations
	if s.Line(s.last.Span) != of.Line || len(in) < n || !slices.Equal(in[:n], of.Iterations) {
		return false
	}
	return of.condition == nil || of.condition.holds(of.values, s.result.Program)
}
