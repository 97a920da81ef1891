package tile

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/infra/soak"
)

// arguments makes the arguments of a generated kernel, the same for the same seed.
func arguments(p *irgen.Program, seed uint64) []Arg {
	r := rand.New(rand.NewPCG(seed, 1))
	args := make([]Arg, len(p.Args))
	for i, a := range p.Args {
		if a.Len == 0 {
			args[i] = Scalar{num.FromInt(a.DType, int64(r.IntN(40)))}
			continue
		}
		b := zeros(a.DType, a.Len)
		b.Address = a.Address
		if !a.Output {
			v := num.MakeVec(num.ClassI64, a.Len)
			for k := range v.I64 {
				v.I64[k] = int64(r.IntN(200)) - 100
			}
			w := num.MakeVec(a.DType.Info().Class, a.Len)
			num.Cast(num.Int64, a.DType, num.RTNE)(w, v)
			num.Store(a.DType, b.Data, w)
		}
		args[i] = b
	}
	return args
}

// outcome runs k on fresh arguments and gives what is in memory afterwards.
func outcome(t *testing.T, k *Kernel, p *irgen.Program, seed uint64) []byte {
	t.Helper()
	args := arguments(p, seed)
	report, fault := k.Run(context.Background(), Launch{Grid: [3]int{1, 1, 1}, Args: args})
	if fault != nil {
		t.Fatalf("seed %d: %s: %v\n%s", seed, fault.Code, fault.Args, p.Func)
	}
	if len(report.Violations) > 0 {
		t.Fatalf("seed %d: %+v\n%s", seed, report.Violations, p.Func)
	}
	var all []byte
	for _, a := range args {
		if b, ok := a.(Buffer); ok {
			all = append(all, b.Data...)
		}
	}
	return all
}

// TestPlansAgree compares plans that use slots again, in place and across loops, with plans that
// give every value a slot of its own.
func TestPlansAgree(t *testing.T) {
	for seed := range soak.Times(400) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: int(seed % 4)})
		k, err := Plan(p.Func)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Func)
		}
		plain := newPlanner(t.Context(), p.Func, nothing)
		plain.slots.noReuse = true
		q, err := plain.kernel()
		if err != nil {
			t.Fatal(err)
		}
		first := outcome(t, k, p, seed)
		if !bytes.Equal(first, outcome(t, q, p, seed)) {
			t.Fatalf("seed %d: slots that are used again change the result\n%s", seed, p.Func)
		}
		if !bytes.Equal(first, outcome(t, k, p, seed)) {
			t.Fatalf("seed %d: the second run differs\n%s", seed, p.Func)
		}
	}
}

// FuzzRun plans and runs whatever the wire form can say, within a small budget.
func FuzzRun(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(ir.Encode(irgen.Generate(seed, irgen.Config{}).Func))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		fn, err := ir.Decode(wire)
		if err != nil {
			return
		}
		k, err := Plan(fn)
		if err != nil {
			if err.(*Fault).Code == "internal-error" {
				t.Fatal(err.(*Fault).Args)
			}
			return
		}
		args := make([]Arg, len(fn.Params))
		for i, p := range fn.Params {
			args[i] = Scalar{num.FromInt(p.Value.Type.DType, 3)}
			if p.Value.Type.Pointer {
				args[i] = zeros(p.Value.Type.DType, 7)
			}
		}
		// One worker: programs of such kernels store where others do, which the race detector takes for the engine's race.
		l := Launch{Grid: [3]int{2, 1, 3}, Args: args, Budget: 1 << 22, Workers: 1}
		if _, fault := k.Run(context.Background(), l); fault != nil && fault.Code == "internal-error" {
			t.Fatal(fault.Args)
		}
	})
}
