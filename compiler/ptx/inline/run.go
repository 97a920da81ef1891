package inline

import "github.com/newtlab/newt/compiler/num"

// Runner runs a text on vectors. It is for one goroutine.
type Runner struct {
	asm   *Asm
	frame Frame
}

// NewRunner makes a runner.
func (a *Asm) NewRunner() *Runner { return &Runner{a, a.NewFrame()} }

// Run computes results from arguments, vectors of n elements each. Groups of elements that are scalars hold one; what
// else is in their registers is 0.
func (r *Runner) Run(results, args []num.Vec, n int, scalars bool) {
	group := r.asm.pack
	if scalars {
		group = 1
	}
	groups := n / group
	lanes := len(Lanes{})
	for from := 0; from < groups; from += lanes {
		count := min(lanes, groups-from)
		for i, o := range r.asm.Args {
			r.gather(r.frame.Operand(len(r.asm.Results)+i), o, args[o.Value], r.asm.args[o.Value], from, count, group)
		}
		r.frame.Run()
		for i, o := range r.asm.Results {
			r.scatter(r.frame.Operand(i), o, results[o.Value], r.asm.results[o.Value], from, count, group)
		}
	}
}

// gather puts the elements of count groups into the lanes of a register.
func (r *Runner) gather(to *Lanes, o Operand, from num.Vec, d num.DType, first, count, group int) {
	*to = Lanes{}
	bits := d.Info().Bits
	for lane := range count {
		for k := range o.Count {
			if o.First+k < group {
				to[lane] |= num.BitsOf(d, from, (first+lane)*group+o.First+k) << (k * bits)
			}
		}
	}
}

// scatter takes the elements of count groups from the lanes of a register.
func (r *Runner) scatter(from *Lanes, o Operand, to num.Vec, d num.DType, first, count, group int) {
	bits := d.Info().Bits
	for lane := range count {
		for k := range o.Count {
			if o.First+k < group {
				num.SetBits(d, to, (first+lane)*group+o.First+k, from[lane]>>(k*bits)&(1<<bits-1))
			}
		}
	}
}
