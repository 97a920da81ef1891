package scalar

import (
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// TestAssemble has every operation and cast of a dtype in one kernel, for ptxas to accept.
func TestAssemble(t *testing.T) {
	ptxas.Need(t)
	for _, target := range targets {
		for d := range num.NumDTypes {
			t.Run(target+"/"+d.String(), func(t *testing.T) {
				t.Parallel()
				text, _, err := asm.Finish(everything(target, d))
				if err != nil {
					t.Fatal(err)
				}
				ptxas.Assemble(t, target, text)
			})
		}
	}
}

func everything(target string, d num.DType) *asm.Program {
	p := &asm.Program{Name: "k", Threads: threads, Target: target, Params: []asm.Param{{Name: "p0"}}}
	base := p.Do("ld.param.u64", asm.MS("p0", 0))
	load := func(d num.DType, off int64) asm.Reg {
		if d == num.Int1 {
			return Cast(p, num.Uint8, d, num.RTNE, p.Do("ld.global.u8", asm.M(base, off)))
		}
		return p.Do("ld.global."+memory(d), asm.M(base, off))
	}
	at := int64(64)
	keep := func(d num.DType, y asm.Reg) {
		if d == num.Int1 {
			d, y = num.Uint8, Cast(p, d, num.Uint8, num.RTNE, y)
		}
		p.Effect("st.global."+memory(d), asm.M(base, at), asm.R(y))
		at += 8
	}
	x := []asm.Reg{load(d, 0), load(d, 8), load(d, 16)}
	for op := range arithmetic {
		if op == ops.Select || !Supports(op, d) {
			continue
		}
		n := len(op.Signature().Forms[0].Operands)
		out := d
		if op.Class() == ops.Comparison {
			out = num.Int1
		}
		keep(out, Op(p, op, d, x[:n]...))
		keep(out, OpNaN(p, op, d, x[:n]...))
	}
	keep(d, Select(p, d, load(num.Int1, 24), x[0], x[1]))
	for other := range num.NumDTypes {
		for _, r := range []num.Rounding{num.RTNE, num.RTZ} {
			keep(other, Cast(p, d, other, r, x[0]))
		}
		keep(d, Const(p, num.FromInt(d, 1)))
	}
	return p
}
