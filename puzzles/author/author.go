// Package author makes a puzzle of a kernel that works: of its source and one call of it come the files
// of a puzzle's folder, with tests that the kernel itself passes. What the tests expect is what the
// kernel computes: spec.py launches it on each test's inputs.
package author

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles"
)

// Call is a kernel with what it is called with.
type Call struct {
	Source string
	Kernel string
	Args   []Arg // in the order of the kernel's parameters
	Grid   string
	Sizes  [3]int // the grid's value
	Seed   int64
	Number int   // of the puzzle
	Budget int64 // bounds the work of each launch
}

// Arg is one argument: how it was written, and what it is.
type Arg struct {
	launch.Arg
	Text  string // Python: a value, or a tensor's shape; names of other arguments may be used
	Shape []int  // of a tensor
	Fill  string // of a tensor: a key of puzzles.Fills
}

// File is a file of a puzzle's folder.
type File struct{ Name, Text string }

// Folder is a puzzle's folder.
type Folder struct {
	Name  string
	Files []File
}

// Make makes a puzzle of a call. Where the kernel does not run, or changes none or several of its
// tensors, there is no puzzle, and the text says why.
func Make(ctx context.Context, c Call) (*Folder, *diag.Text) {
	m := &maker{Call: c, file: source.NewFile("kernel.py", c.Source)}
	if wrong := m.observe(ctx); wrong != nil {
		return nil, wrong
	}
	if wrong := m.describe(); wrong != nil {
		return nil, wrong
	}
	m.chooseTests(ctx)
	return m.folder(), nil
}

// maker is a puzzle in the making.
type maker struct {
	Call
	file   *source.File
	kernel *launch.Kernel
	seen   coverage // of the call as it was written

	output  string            // the tensor that the kernel writes
	derived map[string]string // sizes that follow from others, as expressions
	puzzle  *puzzles.Puzzle
}

// observe makes the call and finds out what it does to memory.
func (m *maker) observe(ctx context.Context) *diag.Text {
	var args []launch.Arg
	for _, a := range m.Args {
		args = append(args, a.Arg)
	}
	k, list := launch.Compile(m.file, m.Kernel, args, false)
	if k == nil {
		return wrong("author.fails", list[len(list)-1])
	}
	m.kernel, m.Kernel = k, k.Artifact.Kernel
	report, fault := k.Run(ctx, launch.Target{Device: launch.Interpreter}, args,
		device.Launch{Grid: m.Sizes, Budget: m.Budget, Observer: &m.seen})
	if fault != nil {
		report.Diagnostics.Add(fault)
	}
	if n := len(report.Diagnostics); n > 0 {
		return wrong("author.fails", report.Diagnostics[n-1])
	}
	written := slices.Sorted(m.seen.written())
	if len(written) != 1 {
		key := map[bool]string{true: "author.no-output", false: "author.outputs"}[len(written) == 0]
		return &diag.Text{Key: key, Args: []any{names(written)}}
	}
	m.output = written[0]
	return nil
}

// wrong is a text about a diagnostic.
func wrong(key string, d *diag.Diagnostic) *diag.Text {
	return &diag.Text{Key: key, Args: []any{headline{d}}}
}

// headline is a diagnostic as part of another sentence.
type headline struct{ d *diag.Diagnostic }

func (h headline) In(lang diag.Lang) string { return h.d.In(lang).Headline }

// tolerances suit an output's type: expected values come from a kernel, and an answer may add in
// another order.
func tolerances(d num.DType) puzzles.Tolerances {
	both := func(rtol, atol float64) puzzles.Tolerances {
		t := puzzles.Tolerance{RTol: rtol, ATol: atol}
		return puzzles.Tolerances{Classic: t, Strict: t}
	}
	switch {
	case !d.Info().Float:
		return both(1e-9, 0.5)
	case d == num.Float16:
		return both(1e-2, 1e-3)
	case d == num.BFloat16:
		return both(2e-2, 1e-2)
	}
	t := both(1e-4, 1e-5)
	t.Classic = puzzles.Tolerance{RTol: 1e-3, ATol: 1e-3}
	return t
}
