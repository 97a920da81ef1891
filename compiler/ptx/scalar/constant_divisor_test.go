package scalar

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// TestDivideBy compares divisions by constants with those of package num: by what arithmetic stumbles over, by small
// numbers, where the multiplier is one bit too wide (7), and by random ones.
func TestDivideBy(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for d := range num.NumDTypes {
		info := d.Info()
		if info.Float || d == num.Int1 {
			continue
		}
		constants := []int64{3, 5, 6, 7, 10, 14, 28, 48, 100, 125, 256, 641, 768, 1000, -1, -3, -7, -64, -100}
		for _, b := range edges[info.Bits] {
			constants = append(constants, num.Scalar{DType: d, Bits: b}.Int())
		}
		for range 40 {
			constants = append(constants, num.Scalar{DType: d, Bits: r.Uint64() >> (64 - info.Bits) >> r.IntN(info.Bits)}.Int())
		}
		for _, op := range []ops.Op{ops.Div, ops.Rem} {
			k := op.BinaryKernel(d, false)
			for _, c := range constants {
				by := num.FromInt(d, c)
				divisors := num.MakeVec(info.Class, samples)
				by.Fill(divisors)
				t.Run(fmt.Sprintf("%v/%v/%v", op, d, by.Int()), func(t *testing.T) {
					compare(t, d, []num.DType{d}, 0,
						func(p *asm.Program, x []asm.Reg) asm.Reg { return DivideBy(p, op, d, x[0], by.Int()) },
						func(dst num.Vec, x []num.Vec) {
							k(dst, x[0], divisors)
						})
				})
			}
		}
	}
}

// TestDivideByMultiplies: no division by a constant is left to NVIDIA's assembler, which does not know the constant.
func TestDivideByMultiplies(t *testing.T) {
	for _, d := range []num.DType{num.Int32, num.Uint32, num.Int64, num.Uint64} {
		for _, op := range []ops.Op{ops.Div, ops.Rem} {
			for _, c := range []int64{1, 2, 7, 64, 100} {
				divide := func(p *asm.Program, x []asm.Reg) asm.Reg { return DivideBy(p, op, d, x[0], c) }
				text, _, err := asm.Finish(kernel("sm_90a", d, []num.DType{d}, divide))
				if err != nil || strings.Contains(text, "div.") || strings.Contains(text, "rem.") {
					t.Errorf("%v %v by %d: %v in\n%s", op, d, c, err, text)
				}
			}
		}
	}
}
