package proof

import (
	"context"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/trace"
)

// Counterexample is a launch at the smallest sizes at which an access leaves its tensor.
type Counterexample struct {
	Sizes    map[string]int64 `json:"sizes"`
	Grid     [3]int           `json:"grid"`
	Program  [3]int           `json:"program"`
	Lane     int              `json:"lane"`
	Index    int64            `json:"index"`
	Elements int64            `json:"elements"`
	// Tensors are the elements of each tensor whose number of them follows from the sizes, by parameter.
	Tensors map[string]int64 `json:"-"`
}

const (
	searchWork   = 30_000_000 // of all launches, a unit a nanosecond or so: the same result on every machine
	launchWork   = 5_000      // what a launch costs besides its programs
	searchBudget = 1 << 16    // work of one launch
	largestSum   = 160        // of sizes
	maxElements  = 1 << 16
)

// search launches a kernel on the CPU at small sizes, the smallest sum first.
type search struct {
	kernel  *launch.Kernel
	args    []launch.Arg
	scaling *prove.Scaling
	left    int64              // of searchWork
	open    map[*ir.Instr]bool // accesses without a counterexample
	found   map[*ir.Instr]*Counterexample

	// of the present launch
	sizes    []int64
	elements []int64 // by parameter; -1 where that is not known
}

// counterexamples looks for one for each of the accesses in open. It does searchWork at most.
func counterexamples(k *launch.Kernel, args []launch.Arg, l prove.Launch,
	open map[*ir.Instr]bool) map[*ir.Instr]*Counterexample {
	// What the kernel may reach by addresses is the program's own, and not to be written to.
	args = slices.DeleteFunc(slices.Clone(args), launch.Arg.IsReachable)
	s := &search{kernel: k, args: args, scaling: prove.ScalingOf(k.Func, l), left: searchWork,
		open: open, found: map[*ir.Instr]*Counterexample{}}
	s.sizes = make([]int64, len(s.scaling.Sizes))
	for sum := len(s.sizes); len(s.sizes) > 0 && sum <= largestSum && s.more(); sum++ {
		s.split(0, int64(sum))
	}
	return s.found
}

func (s *search) more() bool { return len(s.open) > 0 && s.left > 0 }

// split tries all ways to make the sizes from number i on add up to sum.
func (s *search) split(i int, sum int64) {
	if !s.more() {
		return
	}
	if i == len(s.sizes)-1 {
		s.sizes[i] = sum
		s.launch()
		return
	}
	for n := int64(1); n <= sum-int64(len(s.sizes)-1-i); n++ {
		s.sizes[i] = n
		s.split(i+1, sum-n)
	}
}

// launch makes one launch, on tensors of zeros.
func (s *search) launch() {
	params := map[string]int{}
	for i, p := range s.kernel.Func.Params {
		params[p.Name] = i
	}
	s.elements = make([]int64, len(params))
	args := append([]launch.Arg{}, s.args...)
	for i := range args {
		param, ok := params[s.kernel.Param(i, args[i].Name)]
		if !ok {
			continue
		}
		n, follows := s.scaling.Number(param, s.sizes)
		switch t := args[i].Tensor; {
		case t != nil:
			s.elements[param] = n
			if !follows {
				s.elements[param] = -1
				n = int64(min(t.Bytes(), maxElements))
			}
			if n > maxElements {
				return
			}
			data := make([]byte, int(n)*t.DType.Info().Bytes)
			args[i].Tensor = &launch.Tensor{Name: t.Name, DType: t.DType, Data: data}
		case follows:
			args[i].Value = n
		}
	}
	l := device.Launch{Grid: s.scaling.Grid(s.sizes), Observer: s, Budget: searchBudget}
	report, _ := s.kernel.Run(context.Background(), launch.Target{Device: launch.Interpreter}, args, l)
	s.left -= launchWork + report.Work
}

// Launch implements trace.Observer.
func (s *search) Launch([3]int, []trace.Buffer) {}

// Access implements trace.Observer.
func (s *search) Access(a *trace.Access) {
	if !s.open[a.Instr] {
		return
	}
	for lane, p := range a.Ptr {
		arg, at := trace.Split(p)
		if !a.Active(lane) || arg >= len(s.elements) || s.elements[arg] < 0 || at >= 0 && at < s.elements[arg] {
			continue
		}
		delete(s.open, a.Instr)
		x := &Counterexample{Sizes: map[string]int64{}, Grid: s.scaling.Grid(s.sizes), Program: a.Program, Lane: lane,
			Index: at, Elements: s.elements[arg], Tensors: map[string]int64{}}
		for i, param := range s.scaling.Sizes {
			x.Sizes[s.kernel.Func.Params[param].Name] = s.sizes[i]
		}
		for i, p := range s.kernel.Func.Params {
			if p.Value.Type.Pointer && s.elements[i] >= 0 {
				x.Tensors[p.Name] = s.elements[i]
			}
		}
		s.found[a.Instr] = x
		return
	}
}
