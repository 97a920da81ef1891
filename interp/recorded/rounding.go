package recorded

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/trace"
)

// perturbedLaunches is how many launches with random rounding errors measure how far such errors move a result.
const perturbedLaunches = 5

// spreads says how far rounding errors move the elements of each storage of the i-th launch: the launch is made a few
// times on the interpreter with random rounding errors, and the spread of an element is the distance of its smallest
// value from its largest. It is nil where one of these launches fails.
//
// This is Monte Carlo arithmetic (Stott Parker, "Monte Carlo Arithmetic: exploiting randomness in floating-point
// arithmetic", UCLA 1997), with errors as large as those by which a GPU's code may differ: sums in another order,
// multiplications and additions fused, functions approximated.
func (f *File) spreads(ctx context.Context, i int, o script.Options) [][]float64 {
	l := &f.Launches[i]
	var low, high [][]float64
	for seed := range uint64(perturbedLaunches) {
		o.Launcher = &script.Launcher{Device: launch.ObservingInterpreter,
			With: device.Launch{Observer: &perturbation{random: rand.New(rand.NewPCG(seed, 0))}}}
		_, contents := f.Launch(ctx, i, o)
		if contents == nil {
			return nil
		}
		for s, content := range contents {
			values := floats64(l.dtype(s), content)
			if seed == 0 {
				low, high = append(low, values), append(high, slices.Clone(values))
				continue
			}
			for e, x := range values {
				low[s][e], high[s][e] = min(low[s][e], x), max(high[s][e], x)
			}
		}
	}
	for s := range low {
		for e := range low[s] {
			if low[s][e] == high[s][e] { // infinities among them
				low[s][e] = 0
			} else {
				low[s][e] = high[s][e] - low[s][e]
			}
		}
	}
	return low
}

// floats64 are the elements of d in raw, with infinity for NaN: what is a NaN in some launches only is infinitely far
// off.
func floats64(d num.DType, raw []byte) []float64 {
	v := load(d, raw)
	out := num.MakeVec(num.ClassF64, v.Len())
	num.Cast(d, num.Float64, num.RTNE)(out, v)
	for i, x := range out.F64 {
		if math.IsNaN(x) {
			out.F64[i] = math.Inf(1)
		}
	}
	return out.F64
}

// perturbation is a trace.OperationObserver that adds a random error to each result of inexact arithmetic before the
// program goes on with it.
type perturbation struct {
	random *rand.Rand
	rms    map[*ir.Value]float64 // root mean square of the elements that a value had last
}

func (p *perturbation) Launch([3]int, []trace.Buffer) { p.rms = map[*ir.Value]float64{} }
func (p *perturbation) Access(*trace.Access)          {}
func (p *perturbation) Watches([3]int) bool           { return true }

func (p *perturbation) Operation(o *trace.Operation) {
	values := o.Instr.Results
	if o.Region != nil {
		values = o.Region.Args
	}
	for i, v := range values {
		if v.Type.Pointer || !v.Type.DType.Info().Float {
			continue
		}
		if o.Region == nil {
			if e, inexact := p.errorOf(o.Instr, i); inexact {
				p.add(e, v.Type.DType, o.Lanes[i])
			}
		}
		p.rms[v] = rootMeanSquare(v.Type.DType, o.Lanes[i])
	}
}

// roundingError bounds the error of an operation in units of its dtype's precision.
type roundingError struct {
	relative    float64 // of the result
	exponential bool    // and the relative error grows with the argument, the result's logarithm
	absolute    float64
}

// inexact are the operations on single elements whose results may differ between correct implementations. Triton's
// div, sqrt and functions are PTX's approximations, of a few ulps (PTX ISA, floating-point instructions); an addition
// and a multiplication differ where they are fused.
var inexact = map[ops.Op]roundingError{
	ops.Add: {relative: 1}, ops.Sub: {relative: 1}, ops.Mul: {relative: 1}, ops.FMA: {relative: 1},
	ops.Div: {relative: 2}, ops.Sqrt: {relative: 1}, ops.Rsqrt: {relative: 2}, ops.Erf: {relative: 2},
	ops.Exp: {relative: 2, exponential: true}, ops.Exp2: {relative: 2, exponential: true},
	ops.Log: {relative: 2, absolute: 1}, ops.Log2: {relative: 2, absolute: 1},
	ops.Sin: {absolute: 4}, ops.Cos: {absolute: 4},
}

// errorOf is the rounding error of the i-th result of in, and whether there is one.
func (p *perturbation) errorOf(in *ir.Instr, i int) (e roundingError, ok bool) {
	switch in.Op {
	case ops.Dot:
		// k products are added in an order, and with an alignment, that are the tensor core's own: at worst half an ulp
		// for each.
		a, b := in.Operands[0], in.Operands[1]
		k := float64(a.Type.Shape[len(a.Type.Shape)-1])
		e.relative, e.absolute = k/2, 4*math.Sqrt(k)*p.rms[a]*p.rms[b]
		if a.Type.DType.Info().Bits == 8 {
			// Hopper adds 32 fp8 products at a time, with 13 fractional bits where fp32 has 23.
			e.relative, e.absolute = k/32*(1<<10), e.absolute*(1<<10)
		}
		return e, true
	case ops.Reduce, ops.Scan:
		x := in.Operands[i]
		n := x.Type.Shape[in.Int("axis")]
		inexactly := func(in *ir.Instr) bool { _, ok := inexact[in.Op]; return ok }
		return roundingError{relative: 1, absolute: 2 * math.Sqrt(float64(n)) * p.rms[x]},
			slices.ContainsFunc(in.Regions[0].Instrs, inexactly)
	case ops.InlineAsm, ops.InlineAsmVolatile:
		for _, a := range approximated {
			if strings.Contains(in.Str("text"), a.text) {
				return a.roundingError, true
			}
		}
	}
	e, ok = inexact[in.Op]
	return e, ok
}

// approximated are the relative errors of PTX's approximations in inline assembly, the first that its text has.
var approximated = []struct {
	text string
	roundingError
}{
	{"tanh.approx", roundingError{relative: 1 << 12}}, // of fp32: 2^-11
	{".approx", roundingError{relative: 4}},
}

// add gives the lanes, of dtype d, errors of up to e. Zeros stay, since most of them are lanes left out.
func (p *perturbation) add(e roundingError, d num.DType, lanes num.Vec) {
	unit := precision(d)
	perturbed := func(x float64) float64 {
		size := math.Abs(x)
		relative := e.relative
		if e.exponential {
			relative *= 1 + math.Abs(math.Log(size))
		}
		return x + unit*(relative*size+e.absolute)*(2*p.random.Float64()-1)
	}
	movable := func(x float64) bool { return x != 0 && !math.IsInf(x, 0) && !math.IsNaN(x) }
	for i, x := range lanes.F32 {
		if movable(float64(x)) {
			lanes.F32[i] = float32(perturbed(float64(x)))
		}
	}
	for i, x := range lanes.F64 {
		if movable(x) {
			lanes.F64[i] = perturbed(x)
		}
	}
	if d.Info().Bits < 32 {
		num.Cast(num.Float32, d, num.RTNE)(lanes, lanes)
	}
}
