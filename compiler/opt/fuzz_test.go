package opt

import (
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
)

// FuzzRun runs the passes on whatever passes the verifier.
func FuzzRun(f *testing.F) {
	for seed := range uint64(40) {
		f.Add(ir.Encode(irgen.Generate(seed, irgen.Config{Instrs: 10}).Func))
	}
	f.Fuzz(func(t *testing.T, wire []byte) {
		fn, err := ir.Decode(wire)
		if err != nil {
			return
		}
		before := ir.Print(fn)
		Run(fn, Options{Stages: func(name string, fn *ir.Func) {
			if errs := ir.Verify(fn); len(errs) > 0 {
				t.Fatalf("after %s: %v\n%s\nfrom\n%s", name, errs[0], fn, before)
			}
		}})
	})
}
