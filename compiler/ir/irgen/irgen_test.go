package irgen

import (
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

func TestProgramsAreValid(t *testing.T) {
	var seen [ops.N]int
	chains := 0
	for seed := range uint64(500) {
		p := Generate(seed, Config{Exact: seed%2 == 0})
		if errs := ir.Verify(p.Func); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs[0], p.Func)
		}
		if n := len(p.Args); n != len(p.Func.Params) && p.Args[n-1].Address == 0 {
			t.Fatalf("seed %d: %d arguments for %d parameters", seed, len(p.Args), len(p.Func.Params))
		}
		ifs := 0
		for _, in := range p.Func.Body.Instrs {
			if in.Op == ops.If {
				ifs++
			}
		}
		if ifs >= 16 {
			chains++
		}
		p.Func.Body.Walk(func(in *ir.Instr) { seen[in.Op]++ })
	}
	if chains < 10 {
		t.Errorf("%d of 500 programs have long chains of ifs", chains)
	}
	for op := ops.Invalid + 1; op < ops.N; op++ {
		if seen[op] == 0 && !op.Has(ops.Placed) {
			t.Errorf("%s never occurs", op)
		}
	}
}

func TestSameSeedSameProgram(t *testing.T) {
	if a, b := Generate(7, Config{}), Generate(7, Config{}); ir.Print(a.Func) != ir.Print(b.Func) {
		t.Error("two programs of one seed differ")
	}
}
