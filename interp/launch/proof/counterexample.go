package proof

import (
	"context"
	"iter"
	"slices"

	"github.com/newtlab/newt/compiler/prove"
	"github.com/newtlab/newt/compiler/source"
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

// Launch is a launch at other sizes. Elements are how many each tensor has, by parameter, as far as that is known.
type Launch struct {
	Sizes    map[string]int64
	Kernel   *launch.Kernel
	Args     []launch.Arg
	Grid     [3]int
	Elements map[string]int64
}

const (
	searchWork   = 30_000_000 // of all launches, a unit a nanosecond or so: the same result on every machine
	launchWork   = 5_000      // what a launch costs besides its programs
	compileWork  = 300_000    // what another kernel costs
	searchBudget = 1 << 16    // work of one launch
	largestSum   = 160        // of sizes
	maxElements  = 1 << 16
)

// place is an access in the text: kernels that are compiled for other sizes have it too.
type place struct {
	span  source.Span
	param string
}

// search makes launches on the CPU, one after the other.
type search struct {
	left  int64          // of searchWork
	open  map[place]bool // accesses without a counterexample
	found map[place]*Counterexample

	now      *Launch
	elements []int64 // of now, by parameter; -1 where that is not known
}

// counterexamples looks for one for each of the accesses in open. It does searchWork at most.
func counterexamples(launches iter.Seq[*Launch], open map[place]bool) map[place]*Counterexample {
	s := &search{left: searchWork, open: open, found: map[place]*Counterexample{}}
	if len(open) == 0 {
		return nil
	}
	var last *launch.Kernel
	for l := range launches {
		if l.Kernel != last {
			last = l.Kernel
			s.left -= compileWork
		}
		s.launch(l)
		if len(s.open) == 0 || s.left <= 0 {
			break
		}
	}
	return s.found
}

// launch makes one launch.
func (s *search) launch(l *Launch) {
	s.now, s.elements = l, nil
	for _, p := range l.Kernel.Func.Params {
		n, ok := l.Elements[p.Name]
		if !ok {
			n = -1
		}
		s.elements = append(s.elements, n)
	}
	with := device.Launch{Grid: l.Grid, Observer: s, Budget: searchBudget}
	report, _ := l.Kernel.Run(context.Background(), launch.Target{Device: launch.Interpreter}, l.Args, with)
	s.left -= launchWork + report.Work
}

// scaled are launches whose other arguments, tensors and grid follow from the sizes as they do in one launch, the
// smallest sum first, on tensors of zeros.
func scaled(k *launch.Kernel, args []launch.Arg, l prove.Launch) iter.Seq[*Launch] {
	// What the kernel may reach by addresses is the program's own, and not to be written to.
	args = slices.DeleteFunc(slices.Clone(args), launch.Arg.IsReachable)
	scaling := prove.ScalingOf(k.Func, l)
	sizes := make([]int64, len(scaling.Sizes))
	return func(yield func(*Launch) bool) {
		var split func(i int, sum int64) bool
		split = func(i int, sum int64) bool {
			if i == len(sizes)-1 {
				sizes[i] = sum
				at := launchAt(k, args, scaling, sizes)
				return at == nil || yield(at)
			}
			for n := int64(1); n <= sum-int64(len(sizes)-1-i); n++ {
				if sizes[i] = n; !split(i+1, sum-n) {
					return false
				}
			}
			return true
		}
		for sum := len(sizes); len(sizes) > 0 && sum <= largestSum; sum++ {
			if !split(0, int64(sum)) {
				return
			}
		}
	}
}

// launchAt is the launch at other sizes; nil where a tensor would be too large.
func launchAt(k *launch.Kernel, args []launch.Arg, scaling *prove.Scaling, sizes []int64) *Launch {
	out := &Launch{Kernel: k, Args: slices.Clone(args), Grid: scaling.Grid(sizes),
		Sizes: map[string]int64{}, Elements: map[string]int64{}}
	params := map[string]int{}
	for i, p := range k.Func.Params {
		params[p.Name] = i
	}
	for i, param := range scaling.Sizes {
		out.Sizes[k.Func.Params[param].Name] = sizes[i]
	}
	for i, a := range out.Args {
		name := k.Param(i, a.Name)
		param, ok := params[name]
		if !ok {
			continue
		}
		n, follows := scaling.Number(param, sizes)
		switch t := a.Tensor; {
		case t != nil:
			if follows {
				out.Elements[name] = n
			} else {
				n = int64(min(t.Bytes(), maxElements))
			}
			if n > maxElements {
				return nil
			}
			data := make([]byte, int(n)*t.DType.Info().Bytes)
			out.Args[i].Tensor = &launch.Tensor{Name: t.Name, DType: t.DType, Data: data}
		case follows:
			out.Args[i].Value = n
		}
	}
	return out
}

// Launch implements trace.Observer.
func (s *search) Launch([3]int, []trace.Buffer) {}

// Access implements trace.Observer.
func (s *search) Access(a *trace.Access) {
	for lane, p := range a.Ptr {
		arg, at := trace.Split(p)
		if !a.Active(lane) || arg >= len(s.elements) || s.elements[arg] < 0 || at >= 0 && at < s.elements[arg] {
			continue
		}
		of := place{a.Instr.Span, s.now.Kernel.Func.Params[arg].Name}
		if !s.open[of] {
			continue
		}
		delete(s.open, of)
		s.found[of] = &Counterexample{Sizes: s.now.Sizes, Grid: s.now.Grid, Program: a.Program, Lane: lane, Index: at,
			Elements: s.elements[arg], Tensors: s.now.Elements}
	}
}
