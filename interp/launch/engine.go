package launch

import (
	"context"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/tile"
)

// Engine runs one launch of a compiled kernel: it changes the memory of the tensors among args and
// says what happened. What it lacks of l it leaves out of account.
type Engine func(ctx context.Context, k *Kernel, args []Arg, l tile.Launch) *Outcome

// Outcome is what a launch said beside what it did to memory.
type Outcome struct {
	Diagnostics diag.List // accesses out of bounds
	Prints      []tile.Print
	Fault       *diag.Diagnostic // what stopped the launch; nil where it came to its end
}

// Interpret is the engine on this process's CPU.
func Interpret(ctx context.Context, k *Kernel, args []Arg, l tile.Launch) *Outcome {
	report, fault := k.Run(ctx, args, l)
	out := &Outcome{Prints: report.Prints}
	for i := range report.Violations {
		out.Diagnostics.Add(report.Violations[i].Diagnostic())
	}
	if fault != nil {
		out.Fault = fault.Diagnostic()
	}
	return out
}
