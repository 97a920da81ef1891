package inspect

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/trace"
)

// Course is what a program does, in short.
type Course struct {
	Program  [3]int
	Steps    int
	Accesses [3]int // steps of each trace.Kind
	Problem  int    // the first step at which something is wrong; -1 where none is
	Stride   int    // steps that each of Marks stands for
	Marks    []Mark
}

// Mark is what some steps do, as bits; none of them where they only compute.
type Mark uint8

// The bits of a Mark.
const (
	Loads Mark = 1 << iota
	Stores
	UpdatesAtomically
	IsWrong
)

var markOf = [...]Mark{trace.Load: Loads, trace.Store: Stores, trace.Atomic: UpdatesAtomically}

// maxMarks bounds those of a course. Of a longer one each stands for twice as many steps.
const maxMarks = 512

// add adds the next step.
func (c *Course) add(m Mark) {
	if c.Steps/c.Stride == maxMarks {
		for i := range maxMarks / 2 {
			c.Marks[i] = c.Marks[2*i] | c.Marks[2*i+1]
		}
		c.Marks, c.Stride = c.Marks[:maxMarks/2], 2*c.Stride
	}
	if c.Steps%c.Stride == 0 {
		c.Marks = append(c.Marks, 0)
	}
	c.Marks[len(c.Marks)-1] |= m
	if m&IsWrong != 0 && c.Problem < 0 {
		c.Problem = c.Steps
	}
	c.Steps++
}

// Courses makes the launch up to the last of some programs, which follow each other in program order, and gives their
// courses. The error says that ctx is done, or that the tensors could not be read.
func (l *Launch) Courses(ctx context.Context, from int64, count int) ([]Course, error) {
	upTo, end := context.WithCancel(ctx)
	defer end()
	r := &Result{Grid: l.with.Grid, Tensors: slices.Clone(l.tensors)}
	c := &courses{from: from, count: count, end: end}
	c.stepper = stepper{summary: newSummary(r, l.byParam), source: l.source}
	_, fault, err := l.again(upTo, c)
	c.leave(fault)
	if c.done {
		err = ctx.Err()
	}
	return c.list, err
}

// courses observes the programs whose courses are asked for.
type courses struct {
	stepper
	from  int64
	count int
	end   func()
	done  bool // the launch was ended because nothing is left to look at
	list  []Course
}

// Watches begins with a program.
func (c *courses) Watches(program [3]int) bool {
	c.leave(nil)
	c.enterProgram(program)
	number := trace.ProgramNumber(c.result.Grid, program)
	switch {
	case number >= c.from+int64(c.count):
		c.done = true
		c.end()
		return false
	case number < c.from:
		return false
	}
	c.list = append(c.list, Course{Program: program, Problem: -1, Stride: 1})
	c.stepper.took = c.took
	return true
}

// leave ends with the program that runs, if it is watched.
func (c *courses) leave(fault *diag.Diagnostic) {
	if c.stepper.took != nil {
		c.finish(fault)
		c.stepper.took = nil
	}
}

func (c *courses) took(step *Step) {
	var m Mark
	of := &c.list[len(c.list)-1]
	if a := step.Access; a != nil {
		of.Accesses[a.Kind]++
		m = markOf[a.Kind]
		if a.Outside() > 0 {
			m |= IsWrong
		}
	}
	if step.Problem != nil {
		m |= IsWrong
	}
	of.add(m)
}
