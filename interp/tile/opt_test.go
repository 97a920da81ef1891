package tile

import (
	"bytes"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/opt"
	"github.com/newtlab/newt/infra/soak"
)

// TestOptimisedKernelsAgree runs random kernels before and after every pass of the optimizer.
func TestOptimisedKernelsAgree(t *testing.T) {
	for seed := range soak.Times(150) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: int(seed % 4)})
		before := ir.Print(p.Func)
		want := planned(t, p, seed)
		opt.Run(p.Func, opt.Options{Stages: func(name string, fn *ir.Func) {
			if got := planned(t, p, seed); !bytes.Equal(got, want) && !sameButNaN(p, got, want) {
				t.Fatalf("seed %d: %s changes the result of\n%s\nnow\n%s", seed, name, before, fn)
			}
		}})
	}
}

func planned(t *testing.T, p *irgen.Program, seed uint64) []byte {
	t.Helper()
	k, err := Plan(p.Func)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, p.Func)
	}
	return outcome(t, k, p, seed)
}

// sameButNaN compares element by element: which bits a NaN has may change.
func sameButNaN(p *irgen.Program, a, b []byte) bool {
	for _, arg := range p.Args {
		if arg.Len == 0 {
			continue
		}
		size := arg.DType.Info().Bytes
		for range arg.Len {
			if element(arg.DType, a[:size]) != element(arg.DType, b[:size]) {
				return false
			}
			a, b = a[size:], b[size:]
		}
	}
	return true
}

func element(d num.DType, raw []byte) num.Scalar {
	v := num.MakeVec(d.Info().Class, 1)
	num.Load(d, v, raw)
	return num.ScalarAt(d, v, 0)
}
