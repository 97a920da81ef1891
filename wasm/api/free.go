package api

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/puzzles/judge"
)

// free runs any kernel on the form's arguments.
func (c *call) free(r *FreeRequest) *FreeReply {
	out := &FreeReply{Diagnostics: []Diagnostic{}, Prints: []Print{}, Tensors: []FreeTensor{}, Grid: []int{}}
	f, err := c.evaluate(r)
	if err != nil {
		out.Message = err.Error()
		return out
	}
	out.Grid = f.grid[:]
	file := source.NewFile("kernel.py", r.Source)
	k, list := launch.Compile(file, r.Kernel, f.args, r.Strict)
	if k == nil {
		out.Diagnostics, out.Message = c.diagnostics(file, list), c.text("judge.no-compile")
		return out
	}
	list = append(list, k.Races(context.Background(), f.args, device.Launch{Grid: f.grid})...)
	// Copied after the search for races, which works on copies, and before the launch, which does not.
	before := make([][]byte, len(f.tensors))
	for i, t := range f.tensors {
		before[i] = slices.Clone(t.Data)
	}
	start := time.Now()
	ctx, on, compared := c.device(r.Remote)
	report, fault := k.Run(ctx, launch.Target{Device: cmp.Or(on, launch.Interpreter)}, f.args, device.Launch{
		Grid: f.grid, Budget: c.budget,
		Progress: func(done, total int64) { c.progress("run", int(done), int(total)) },
	})
	out.CompileMS, out.RunMS = milliseconds(k.Took), milliseconds(time.Since(start))
	k.SuggestMasks(f.args, report.Diagnostics)
	list = append(list, report.Diagnostics...)
	out.OK, out.Compared = fault == nil && len(report.Diagnostics) == 0, compared
	if fault != nil {
		list.Add(fault)
		out.Message = c.text("judge.stopped")
	}
	list.Sort()
	out.Diagnostics, out.Prints = c.diagnostics(file, list), prints(file, report.Prints)
	for i, t := range f.tensors {
		out.Tensors = append(out.Tensors, FreeTensor{
			View: *sampleOf(t.Shape, nil).view(t), Text: tensorText(t), Changed: changed(t, before[i]),
		})
	}
	return out
}

// changed counts the elements whose bytes differ.
func changed(a judge.Array, before []byte) int {
	size, n := a.DType.Info().Bytes, 0
	for i := 0; i < len(before); i += size {
		if !bytes.Equal(a.Data[i:i+size], before[i:i+size]) {
			n++
		}
	}
	return n
}
