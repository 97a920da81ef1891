package bounds_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// The engine on the CPU tells what kernels really do: each access with its offsets. Probes make it
// tell what values are, too: a load through pointer probe + v has v as its offset.

// probed is where spans of probes begin.
const probed = 1 << 24

// probes adds a probe for every integer and pointer of fn and returns the values by the span of
// theirs. The last parameter is what they point into.
func probes(fn *ir.Func) map[int32]*ir.Value {
	out := map[int32]*ir.Value{}
	p := fn.Params[len(fn.Params)-1].Value
	one := func(op ops.Op, operands []*ir.Value, span source.Span, attrs ...ir.Attr) *ir.Instr {
		in, bad := ir.NewInstr(span, op, operands, nil, attrs...)
		if bad != nil {
			panic(bad.Error())
		}
		return in
	}
	probe := func(v *ir.Value) (list []*ir.Instr) {
		at := v
		add := func(in *ir.Instr) *ir.Value {
			list = append(list, in)
			return in.Results[0]
		}
		t := v.Type
		if !t.Pointer && (!t.IsInt() || t.DType == num.Uint64) {
			return nil
		}
		if !t.Pointer {
			if t.DType == num.Int1 {
				at = add(one(ops.Cast, []*ir.Value{at}, source.Span{}, attr("to", "i32")))
			}
			base := p
			if !t.IsScalar() {
				base = add(one(ops.Splat, []*ir.Value{p}, source.Span{}, attr("shape", ir.Ints(t.Shape))))
			}
			at = add(one(ops.AddPtr, []*ir.Value{base, at}, source.Span{}))
		}
		n := int32(probed + len(out))
		out[n] = v
		add(one(ops.Load, []*ir.Value{at}, source.Span{Start: n, End: n + 1}))
		return list
	}
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		var list []*ir.Instr
		for _, a := range b.Args {
			list = append(list, probe(a)...)
		}
		for _, in := range b.Instrs {
			list = append(list, in)
			if in.Op != ops.Reduce && in.Op != ops.Scan {
				for _, r := range in.Regions {
					block(r)
				}
			}
			for _, v := range in.Results {
				list = append(list, probe(v)...)
			}
		}
		b.Instrs = list
	}
	block(fn.Body)
	return out
}

// tally counts what happened as proved: accesses, comparisons that were true, divisions of natural numbers, and numbers
// in intervals.
type tally struct{ accesses, comparisons, divisions, intervals int }

func (t *tally) add(o tally) {
	t.accesses += o.accesses
	t.comparisons += o.comparisons
	t.divisions += o.divisions
	t.intervals += o.intervals
}

// watcher compares each access with what was proved.
type watcher struct {
	*subject
	t      testing.TB
	name   string
	args   bounds.Args
	proof  *bounds.Proof
	walk   *facts.Walk
	known  []*axis.Facts
	proved tally
	failed bool
}

func (w *watcher) Launch([3]int, []trace.Buffer) {}

func (w *watcher) fail(format string, args ...any) {
	if !w.failed {
		w.t.Errorf("%s: %s\n%+v\n%s", w.name, fmt.Sprintf(format, args...), w.args, ir.Print(w.fn))
	}
	w.failed = true
}

func (w *watcher) Access(a *trace.Access) {
	if v := w.probes[a.Span.Start]; v != nil {
		w.within(v, a.Ptr)
		for _, f := range w.known {
			w.value(f, v, a.Ptr)
		}
		return
	}
	in := w.accesses[a.Span.Start]
	if in == nil || !w.proof.InRange(in) {
		return
	}
	w.proved.accesses++
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		arg, off := trace.Split(p)
		m := w.args.Args[arg]
		if off < m.First || off >= m.First+m.Count {
			w.fail("access at %v of program %v reaches %d of argument %d", a.Span, a.Program, off, arg)
		}
	}
}

// within compares what v is with the interval that it is said to lie in.
func (w *watcher) within(v *ir.Value, ptr []int64) {
	x := w.walk.Values[v.ID]
	if x.Lost {
		return
	}
	w.proved.intervals++
	for _, p := range ptr {
		_, off := trace.Split(p)
		if off == 1<<47-1 || off == -1<<47 {
			return // where the engine's offsets end
		}
		if off < x.I.Lo || off > x.I.Hi {
			w.fail("%s is %d, not in %v", name(v), off, x.I)
		}
	}
}

// value compares what v is with what is known of it.
func (w *watcher) value(f *axis.Facts, v *ir.Value, ptr []int64) {
	size, first := int64(1), f.Argument(v)
	if v.Type.Pointer {
		size = int64(v.Type.DType.Info().Bytes)
	} else {
		first = len(w.fn.Params) - 1
	}
	at := make([]int64, len(ptr))
	for i, p := range ptr {
		arg, off := trace.Split(p)
		// Numbers from the parameters' on are of memory that is reached by addresses.
		if n := len(w.fn.Params); first != axis.Mixed && min(arg, n) != min(first, n) {
			w.fail("%s points into argument %d, not %d", name(v), arg, first)
			return
		}
		if off == 1<<47-1 || off == -1<<47 {
			return // where the engine's offsets end
		}
		at[i] = off
	}
	if c, ok := f.Const(v); ok && !v.Type.Pointer {
		for _, x := range at {
			if x != c {
				w.fail("%s is %d, not %d", name(v), x, c)
			}
		}
	}
	if v.Def != nil && w.proof.True(v.Def) {
		w.proved.comparisons++
		if slices.Contains(at, 0) {
			w.fail("%s is false somewhere", name(v))
		}
	}
	if v.Def != nil && w.proof.Natural(v.Def) {
		w.proved.divisions++
		if slices.Min(at) < 0 {
			w.fail("%s is negative somewhere", name(v))
		}
	}
	shape := v.Type.Shape
	if len(shape) == 0 {
		shape = []int{1}
	}
	stride := 1
	for d := len(shape) - 1; d >= 0; d-- {
		w.dim(f.Dims(v)[d], v, at, shape[d], stride, size)
		stride *= shape[d]
	}
}

func name(v *ir.Value) string { return fmt.Sprintf("value %d (%s, %s)", v.ID, v.Name, v.Type) }

// dim checks one dimension of size n, whose elements are stride apart.
func (w *watcher) dim(d facts.Dim, v *ir.Value, at []int64, n, stride int, size int64) {
	wrap := int64(1)<<min(32, v.Type.DType.Info().Bits) - 1
	if v.Type.Pointer {
		wrap = 1<<32 - 1
	}
	within := min(d.Contiguity, max(1, d.Divisibility/size))
	for i, x := range at {
		k := int64(i / stride % n)
		if k%d.Contiguity == 0 && x*size%d.Divisibility != 0 {
			w.fail("%s has %d at %d: %+v", name(v), x, i, d)
		}
		if k == 0 {
			continue
		}
		before := at[i-stride]
		switch {
		case k%d.Constancy != 0 && x != before,
			k%within != 0 && x != before+1,
			k%d.Contiguity != 0 && (x-before-1)&wrap != 0:
			w.fail("%s has %d after %d at %d: %+v", name(v), x, before, i, d)
		}
	}
}

// subject is a kernel with all that is known of it.
type subject struct {
	fn             *ir.Func
	kernel         *tile.Kernel
	facts, signed  *axis.Facts
	prover, strict *bounds.Prover // under facts, and under signed
	accesses       map[int32]*ir.Instr
	probes         map[int32]*ir.Value
}

// arguments makes a launch of that seed.
func arguments(fn *ir.Func, seed uint64) (args bounds.Args, given []tile.Arg) {
	r := rand.New(rand.NewPCG(seed, 3))
	args = bounds.Args{Grid: [3]int{1 + r.IntN(4), 1 + r.IntN(2), 1}}
	for _, p := range fn.Params {
		d := p.Value.Type.DType
		if !p.Value.Type.Pointer {
			n := numbers[r.IntN(len(numbers))]
			if r.IntN(3) > 0 {
				n = numbers[r.IntN(17)]
			}
			n -= n % int64(p.Divisible)
			v := num.FromInt(d, n)
			args.Args, given = append(args.Args, bounds.Arg{Value: v}), append(given, tile.Scalar{Scalar: v})
			continue
		}
		before, n := []int{0, 0, 8, 64}[r.IntN(4)], []int{0, 1, 8, 16, 64, 100, 256, 2048}[r.IntN(8)]
		b := tile.Buffer{DType: d, Data: make([]byte, (before+n)*d.Info().Bytes), Offset: before}
		if !d.Info().Float {
			for i := range b.Data {
				b.Data[i] = byte(r.IntN(4) * r.IntN(100))
			}
		}
		args.Args = append(args.Args, bounds.Arg{First: -int64(before), Count: int64(before + n)})
		given = append(given, b)
	}
	return args, given
}

// launch proves and runs the kernel once.
func (j *subject) launch(t testing.TB, seed uint64) tally {
	args, given := arguments(j.fn, seed)
	w := &watcher{walk: j.prover.Walk(args), t: t, subject: j, name: fmt.Sprint("seed ", seed), args: args, known: []*axis.Facts{j.signed}}
	if w.proof = j.prover.Prove(args); w.proof.Assumptions() {
		w.known = append(w.known, j.facts)
	} else {
		w.proof = j.strict.Prove(args)
	}
	j.kernel.Run(context.Background(), tile.Launch{Grid: args.Grid, Args: given, Observer: w, Budget: 1 << 16})
	return w.proved
}

// probesOf finds the values that probes speak of, after the function was numbered.
func probesOf(fn *ir.Func) map[int32]*ir.Value {
	out := map[int32]*ir.Value{}
	fn.Body.Walk(func(in *ir.Instr) {
		if in.Span.Start < probed {
			return
		}
		v := in.Operands[0]
		if v.Def != nil && v.Def.Op == ops.AddPtr && v.Def.Span == (source.Span{}) {
			v = v.Def.Operands[1]
			if v.Def != nil && v.Def.Op == ops.Cast && v.Def.Span == (source.Span{}) {
				v = v.Def.Operands[0]
			}
		}
		out[in.Span.Start] = v
	})
	return out
}

// check runs one random kernel a few times.
func check(t testing.TB, fn *ir.Func, seed uint64) (proved tally) {
	if errs := ir.Verify(fn); len(errs) > 0 {
		t.Fatalf("seed %d: %s", seed, errs[0].Text)
	}
	spans := int32(0) // each its own
	fn.Body.Walk(func(in *ir.Instr) {
		spans++
		in.Span = source.Span{Start: spans, End: spans + 1}
	})
	probes(fn)
	fn.Number()
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	j := &subject{fn: fn, kernel: k, facts: axis.Analyze(fn), signed: axis.AnalyzeSigned(fn), probes: probesOf(fn), accesses: map[int32]*ir.Instr{}}
	j.prover, j.strict = bounds.New(fn, j.facts), bounds.New(fn, j.signed)
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) {
			j.accesses[in.Span.Start] = in
		}
	})
	for i := range uint64(4) {
		proved.add(j.launch(t, seed*4+i))
	}
	return proved
}

// TestAddresses: no access that was proved leaves its argument, and facts hold.
func TestAddresses(t *testing.T) {
	var proved tally
	for seed := range seeds.Upto(100) {
		proved.add(check(t, makeKernel(seed), seed))
		if t.Failed() {
			return
		}
	}
	if proved.accesses == 0 || proved.comparisons == 0 || proved.divisions == 0 || proved.intervals == 0 {
		t.Error("nothing was proved")
	}
	t.Logf("proved: %+v", proved)
}

// checkGenerated is check of a kernel of package irgen.
func checkGenerated(t testing.TB, seed uint64, cfg irgen.Config) {
	fn := irgen.Generate(seed, cfg).Func
	body := fn.Body
	v := &ir.Value{Type: types.PointerTo(num.Int32), Index: len(body.Args), Name: "probe"}
	body.Args = append(body.Args, v)
	fn.Params = append(fn.Params, &ir.Param{Name: "probe", Value: v, Divisible: 1})
	check(t, fn, seed)
}

// TestAnyOperation is the same for kernels that use every operation.
func TestAnyOperation(t *testing.T) {
	for seed := range seeds.Upto(100) {
		if checkGenerated(t, seed, irgen.Config{Instrs: 40, Depth: 3}); t.Failed() {
			return
		}
	}
}

// TestIntegers is the same for chains of casts and arithmetic on integers of all widths, in tiles that are longer than
// what the narrow ones count.
func TestIntegers(t *testing.T) {
	for seed := range seeds.Upto(100) {
		if checkGenerated(t, seed, integers(seed)); t.Failed() {
			return
		}
	}
}

func integers(seed uint64) irgen.Config {
	return irgen.Config{
		Instrs: 2, Depth: 1, Ops: []ops.Op{ops.Arange, ops.Arange, ops.Arange, ops.For}, Shapes: irgen.WideShapes,
		DTypes:    []num.DType{num.Int1, num.Int8, num.Int16, num.Int32, num.Int64, num.Uint8, num.Uint16, num.Uint32},
		Divisible: 1 + 15*int(seed%2),
	}
}

// FuzzAddresses is TestAddresses for more seeds.
func FuzzAddresses(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { check(t, makeKernel(seed), seed) })
}
