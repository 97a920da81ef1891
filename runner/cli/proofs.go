package cli

import (
	"context"
	"fmt"
	"io"
	"iter"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/proof"
)

// proofs are what is proved of the kernels that a sanitizer looks at, each by its first launch.
type proofs struct {
	list    []*proof.Report
	seen    map[*launch.Kernel]bool
	allowed iter.Seq[*proof.Launch] // of a puzzle
}

// sanitize is a launch.Sanitizer.
func (p *proofs) sanitize(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) diag.List {
	list := k.Sanitize(ctx, args, l)
	if !p.seen[k] {
		if p.seen == nil {
			p.seen = map[*launch.Kernel]bool{}
		}
		p.seen[k] = true
		found := proof.Of(k, args, l.Grid, p.allowed)
		p.list = append(p.list, found)
		list.AddNew(found.Warnings()...)
	}
	return list
}

// overflows looks for integers that wrap in each launch of a kernel that has more programs, or a larger integer
// argument, than those before.
type overflows struct {
	largest map[*launch.Kernel][]int64 // the programs, and the arguments
	far     bool                       // launches are made on a device that tensors would have to come from
}

// overflowsOn looks at what is launched on a device.
func overflowsOn(d device.Device) *overflows {
	return &overflows{largest: map[*launch.Kernel][]int64{}, far: d.Capabilities().Arch != ""}
}

// larger reports whether a launch is larger than those before.
func (o *overflows) larger(k *launch.Kernel, args []launch.Arg, grid [3]int) (larger bool) {
	sizes := []int64{int64(grid[0]) * int64(grid[1]) * int64(grid[2])}
	for _, a := range args {
		n, _ := a.Value.(int64)
		sizes = append(sizes, n)
	}
	before := o.largest[k]
	for i, n := range sizes {
		if larger = larger || i >= len(before) || n > before[i]; i < len(before) {
			sizes[i] = max(n, before[i])
		}
	}
	o.largest[k] = sizes
	return larger
}

// sanitize is a launch.Sanitizer. It makes no launch unless an integer may wrap, and then a short one.
func (o *overflows) sanitize(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) diag.List {
	if !o.larger(k, args, l.Grid) {
		return nil
	}
	list := proof.Overflows(k, args, l.Grid)
	if len(list) == 0 && !o.far {
		l.Budget = overflowBudget
		list, _ = k.Overflows(ctx, args, l)
	}
	return list
}

// overflowBudget bounds the work of a launch that nobody has asked for: some milliseconds.
const overflowBudget = 1 << 20

func (p *proofs) text(w io.Writer, lang diag.Lang) {
	for _, r := range p.list {
		fmt.Fprint(w, r.Text(lang))
	}
}
