package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/runner/sass"
)

// lensUsage is the description of --lens.
const lensUsage = "launch on a simulated GPU, and report for each kernel by line of the source how many memory sectors, " +
	"shared-memory wavefronts and instructions of each class it takes, to standard error; no GPU is needed, and nothing " +
	"is timed"

// lensDeadline bounds one simulated launch, which is thousands of times slower than one on a GPU.
const lensDeadline = 10 * time.Minute

// counts has what the kernels of a program did on a simulated GPU, in the order of their first launches.
type counts struct {
	kernels []*lens.Kernel
	only    string // the kernel to count; "": all
}

// open opens the device that the flags name: with --lens the simulator, which fills counts.
func (f *runFlags) open(ctx context.Context, e *Env) (device.Device, *counts, error) {
	if !f.lens {
		if f.ptxas != "" || f.kernel != "" {
			return nil, nil, errors.New("--ptxas and --kernel are for --lens")
		}
		_, d, err := openDevice(ctx, e, f.device, forSelf)
		return d, nil, err
	}
	if f.device != "auto" {
		return nil, nil, errors.New("--lens simulates a GPU: leave out --device")
	}
	all := &counts{only: f.kernel}
	simulated := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{Target: cmp.Or(f.gpu, &arch.GPUs[0]).Target}),
		gpu.Options{Deadline: lensDeadline, Counted: all.add})
	return simulated, all, nil
}

func (c *counts) add(fn *ir.Func, m *ptx.Module, l *gpu.Launch) {
	if c.only != "" && c.only != fn.Name {
		return
	}
	i := slices.IndexFunc(c.kernels, func(k *lens.Kernel) bool { return k.Module == m })
	if i < 0 {
		i = len(c.kernels)
		c.kernels = append(c.kernels, &lens.Kernel{Name: fn.Name, Module: m})
	}
	c.kernels[i].Add(l.Grid, l.Counts)
}

// reports are those of the kernels; nil without a simulated GPU. The error is one of ptxas.
func (c *counts) reports(ctx context.Context, ptxas string, files source.Files) (list []*lens.Report, err error) {
	if c == nil {
		return nil, nil
	}
	for _, k := range c.kernels {
		if ptxas != "" {
			if k.Assembled, err = assembleWith(ctx, ptxas, k.Module); err != nil {
				return nil, err
			}
		}
		list = append(list, k.Report(files))
	}
	return list, nil
}

// assembleWith has a ptxas assemble a module, and keeps only what it says of it.
func assembleWith(ctx context.Context, ptxas string, m *ptx.Module) (*lens.Assembled, error) {
	_, said, err := sass.Tools{PTXAS: ptxas}.Assemble(ctx, m.Text, m.Target)
	a := lens.ParseAssembled(said)
	if err != nil || a == nil {
		return nil, fmt.Errorf("--ptxas %s cannot assemble %s: %v\n%s", ptxas, m.Entry, err, said)
	}
	return a, nil
}
