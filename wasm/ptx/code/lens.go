package code

import (
	"context"
	"errors"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/isa"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/puzzles/goal"
	"github.com/newtlab/newt/runner/protocol"
)

const (
	// pilotPrograms are simulated first, unless they are more than an eighth of all: they say how long a program takes.
	pilotPrograms = 4
	// simulatedWork bounds a launch, in warp instructions: of a larger one, a sample of programs runs. It is about a second
	// in a page.
	simulatedWork = 1 << 20
	// tensorFLOPs is how many FLOPs of tensor cores take as long to simulate as another warp instruction.
	tensorFLOPs = 100
	// simulatedTime bounds a simulated launch, of which one program may exceed what a sample is to take. A person may stop
	// it before; a page on a busy machine can get a tenth of a core.
	simulatedTime = 2 * time.Minute
	// simulatedMemory bounds the memory of a simulated GPU.
	simulatedMemory = 256 << 20
)

// jobLimits bound a launch that the page sends.
var jobLimits = protocol.Limits{IRBytes: MaxRequest, Args: 1 << 10, Tensors: 1 << 10, JobBytes: simulatedMemory / 2}

// simulate makes a launch on a simulated GPU, of a sample of its programs where all would take too long.
func (out *Reply) simulate(r *Request, fn *ir.Func, tensors [][]byte) error {
	j, err := readLaunch(r, fn, tensors)
	if err != nil {
		return err
	}
	programs := 1
	for _, n := range j.submit.Grid {
		programs *= max(n, 1)
	}
	start := time.Now()
	pilot := min(pilotPrograms, max(1, programs/8))
	k, work, err := j.launch(pilot)
	if err == nil && programs > pilot {
		if sample := simulatedWork * pilot / max(1, work); sample > pilot {
			k, _, err = j.launch(sample)
		}
	}
	out.TookMS = float64(time.Since(start)) / float64(time.Millisecond)
	var fault device.Fault
	switch {
	case errors.As(err, &fault):
		out.Problem = fault.Diagnostic().In(diag.ParseLang(r.Lang)).Headline
		return nil
	case err != nil:
		return err
	}
	out.Lens = k.Report(kernelFile{source.NewFile("kernel.py", r.Source)})
	if len(r.Goals) > 0 && out.Lens.Simulated == out.Lens.Programs {
		out.Ladder = goal.Grade(r.Goals, out.Lens.Counts(), r.Lang)
	}
	return nil
}

// kernelFile is the file of a kernel alone. Instructions of newt's own library have no place in it.
type kernelFile struct{ of *source.File }

func (f kernelFile) File(span source.Span) *source.File {
	if span.End > f.of.Span().End {
		return nil
	}
	return f.of
}

// simulated is a launch to simulate.
type simulated struct {
	request *Request
	fn      *ir.Func
	submit  *protocol.Submit
	tensors [][]byte
}

// readLaunch reads the launch of a request.
func readLaunch(r *Request, fn *ir.Func, tensors [][]byte) (*simulated, error) {
	unreadable := errors.New("the launch cannot be read")
	m, err := protocol.ReadClient([]byte(r.Launch))
	if err != nil || m.Submit == nil {
		return nil, unreadable
	}
	m.Submit.NumWarps = 0 // those of the request count, which may be more than a runner takes
	if m.Submit.Check(jobLimits) != nil {
		return nil, unreadable
	}
	return &simulated{request: r, fn: fn, submit: m.Submit, tensors: tensors}, nil
}

// launch runs a sample of the programs. It tells how much work they were, as simulatedWork counts it.
func (s *simulated) launch(sample int) (k *lens.Kernel, work int, err error) {
	simulator := gpu.NewSimulator(gpu.SimulatorOptions{
		Target: s.request.Target, MemoryBytes: simulatedMemory, Budget: gpu.DefaultBudget, Sample: sample,
	})
	d := gpu.Open(simulator, gpu.Options{Deadline: simulatedTime,
		Counted: func(fn *ir.Func, m *ptx.Module, l *gpu.Launch) {
			k = &lens.Kernel{Name: fn.Name, Module: m}
			k.Add(l.Grid, l.Counts)
			work = int(l.Counts.Total.Executed + l.Counts.Total.FLOPs[isa.Tensor]/tensorFLOPs)
		}})
	err = s.on(d)
	return k, work, err
}

// on makes the launch on a device.
func (s *simulated) on(d device.Device) error {
	memory, err := s.memory(d)
	if err != nil {
		return err
	}
	kernel, err := d.Load(s.fn, s.options())
	if err != nil {
		return err
	}
	_, err = kernel.Launch(context.Background(), device.Launch{
		Grid: [3]int(s.submit.Grid), Args: protocol.LaunchArgs(s.submit.Args, memory), Budget: s.submit.Budget,
	})
	return err
}

func (s *simulated) options() device.Options {
	return device.Options{NumWarps: s.request.NumWarps, NumStages: s.submit.NumStages}
}

// memory is that of the launch's tensors on a device. Those of zeros are not sent.
func (s *simulated) memory(d device.Device) ([]device.Memory, error) {
	list := make([]device.Memory, len(s.submit.Tensors))
	for i, t := range s.submit.Tensors {
		var err error
		if list[i], err = d.Alloc(t.Bytes); err != nil {
			return nil, err
		}
		if i >= len(s.tensors) || len(s.tensors[i]) == 0 {
			continue
		}
		if err := list[i].Write(0, s.tensors[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}
