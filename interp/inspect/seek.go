package inspect

import (
	"context"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
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

// Seek makes the launch from the checkpoint before the step on, up to what it looks for; back it makes the stretches
// between checkpoints, the last one first. The text says what is wrong with a condition, and at which stop; the error
// says that ctx is done, or that the tensors could not be read.
func (l *Launch) Seek(ctx context.Context, of Seek) (found Found, why *diag.Text, err error) {
	r := &Result{Grid: l.with.Grid, Program: of.Program, Tensors: l.tensors}
	s := &seeker{
		Seek: of, walker: l.newWalker(r), found: Found{Stop: -1}, until: math.MaxInt64, lines: map[source.Span]int{},
	}
	if s.Line == nil {
		s.Line = func(at source.Span) int { return l.source.file.Position(at.Start).Line }
	}
	s.reads = s.isRead
	s.arguments, s.start = l.numbers(), s.number()
	for i, stop := range of.Stops {
		made, why := l.newStop(stop, s.Line)
		if why != nil {
			return Found{Stop: i}, why, nil
		}
		s.stops = append(s.stops, made)
	}
	for at := s.pass(l.trail.before(s.start, of.Step+1)); ; {
		if err := l.valuesAt(ctx, s, at); err != nil {
			return s.found, nil, err
		}
		_, _, fault, err := l.walk(ctx, s, at)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return s.found, nil, err
		}
		if s.watching {
			s.finish(fault)
			s.leave()
		}
		switch {
		case s.next != nil:
			at, s.next = s.next, nil
		case !of.Back || s.found.Stop >= 0 || at == nil || of.Within && s.isFirst(at):
			return s.found, nil, nil
		default:
			at, s.until = s.passBack(at)
		}
	}
}

// valuesAt gives the stops the values that their variables have at a checkpoint, each as the step that has set it last
// does.
func (l *Launch) valuesAt(ctx context.Context, s *seeker, at *checkpoint) error {
	for _, stop := range s.stops {
		stop.initial = maps.Clone(s.arguments)
		if at.isBeginning() || stop.condition == nil {
			continue
		}
		for name := range stop.condition.names {
			number, ok := l.source.variables[variable{stop.scope, name}]
			if !ok || at.set[number] < 0 {
				continue
			}
			r := &Result{Grid: l.with.Grid, Tensors: l.tensors, From: at.set[number]}
			r.Program = trace.ProgramAt(r.Grid, at.Program)
			if err := l.read(ctx, &reader{walker: l.newWalker(r), few: true}); err != nil {
				return err
			}
			stop.initial[name] = r.Steps[0].Value.Lanes
		}
	}
	return nil
}

// stop is a stop that is looked for.
type stop struct {
	Stop
	condition *condition // nil holds everywhere
	scope     *syntax.FunctionDef
	initial   map[string][]float64 // of the variables that the condition reads, at the checkpoint that is gone on from
	values    map[string][]float64 // by now
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

// seeker is a walker that observes the programs that may have the step.
type seeker struct {
	walker
	Seek
	stops     []*stop
	arguments map[string][]float64
	start     int64       // the number of Seek's program
	until     int64       // the work of the launch at which it is to end
	next      *checkpoint // that is gone on from, past steps that no stop is at
	found     Found
	lines     map[source.Span]int

	last *Step // that was taken last; nil at the beginning of a program
	line int   // its
}

// isFirst reports whether a checkpoint is not behind the beginning of Seek's program.
func (s *seeker) isFirst(at *checkpoint) bool {
	return at.Program < s.start || at.Program == s.start && at.isBeginning()
}

// isRead reports whether a condition reads a variable.
func (s *seeker) isRead(name string) bool {
	return slices.ContainsFunc(s.stops, func(of *stop) bool { return of.condition != nil && of.condition.names[name] })
}

// Watches begins with a program.
func (s *seeker) Watches(program [3]int) bool {
	if s.done {
		return false
	}
	if s.watching {
		s.close()
		s.leave()
	}
	number := trace.ProgramNumber(s.result.Grid, program)
	s.running, s.watching = number, false
	if (s.Back || s.Within) && number > s.start {
		s.stop()
	}
	if s.done || number < s.start && (!s.Back || s.Within) {
		return false
	}
	s.enter(program, nil)
	for _, stop := range s.stops {
		stop.values = maps.Clone(s.arguments)
		if !s.from.isBeginning() && s.from.Program == number {
			stop.values = maps.Clone(stop.initial)
		}
	}
	s.took = s.take
	return true
}

// Begins implements trace.StateObserver.
func (s *seeker) Begins(loop *ir.Instr, program trace.Resumable) {
	if s.done || loop != nil && !s.source.at[loop.Span].loop {
		return
	}
	if program.Work() >= s.until {
		if s.watching {
			s.close()
			s.leave()
		}
		s.stop()
		return
	}
	s.walker.Begins(loop, program)
	if c, _ := s.trail.at(program.Work()); c != nil && s.watching && !s.done {
		if next := s.pass(c); next != c {
			s.leave()
			s.next = next
			s.stop()
		}
	}
}

// pass goes on from a checkpoint, past those up to which no step can be one of the stops.
func (s *seeker) pass(at *checkpoint) *checkpoint {
	for !s.Back && at != nil {
		next := s.trail.after(at)
		if next == nil || !s.misses(at, next) {
			break
		}
		at = next
	}
	return at
}

// passBack goes back from a checkpoint to the next stretch between two of them that may have one of the stops: from a
// checkpoint on, and until the launch has done some work.
func (s *seeker) passBack(at *checkpoint) (from *checkpoint, until int64) {
	for {
		from, until = s.trail.until(at.Work), at.Work
		if from == nil || !s.misses(from, at) {
			return from, until
		}
		at = from
	}
}

// misses reports whether no step from a checkpoint to the next one is in the iterations of any stop: both are in one
// execution of a loop that does not come to them in between.
func (s *seeker) misses(from, to *checkpoint) bool {
	return from.Program == to.Program && !slices.ContainsFunc(s.stops, func(of *stop) bool {
		for i, want := range of.Iterations {
			if i >= len(from.loops) || !within(to.loops, from.loops[:i+1]) {
				return true
			}
			first, last := from.loops[i].of.Last, to.loops[i].of.Last
			if want < first || want > last {
				return false
			}
			if first != last {
				return true
			}
		}
		return true
	})
}

// take looks at a step, once it is whole: at the first one of another visit of a line, the one before was the last of
// its own.
func (s *seeker) take(step *Step) {
	if s.done {
		return
	}
	line := s.lineOf(step)
	if s.last != nil && (line != s.line || !slices.Equal(step.Iterations, s.last.Iterations)) {
		s.visited(s.result.Total - 2)
	}
	s.last, s.line = step, line
	if step.Name == "" || step.Value == nil {
		return
	}
	for _, stop := range s.stops {
		if stop.condition != nil && stop.condition.names[step.Name] && s.source.function(step.Span) == stop.scope {
			stop.values[step.Name] = step.Value.Lanes
		}
	}
}

// lineOf is the line of a step. A step of a loop has been looked up before.
func (s *seeker) lineOf(step *Step) int {
	line, ok := s.lines[step.Span]
	if !ok {
		line = s.Line(step.Span)
		s.lines[step.Span] = line
	}
	return line
}

// leave looks at the last visit of a program.
func (s *seeker) leave() {
	if s.last != nil && !s.done {
		s.visited(s.result.Total - 1)
	}
	s.last, s.watching = nil, false
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
	if s.line != of.Line || len(in) < n || !slices.Equal(in[:n], of.Iterations) {
		return false
	}
	return of.condition == nil || of.condition.holds(of.values, s.result.Program)
}
