package scalar

import (
	_ "embed"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

//go:embed testdata/functions64.txt
var functions64 string

func TestFunctions64(t *testing.T) {
	names := map[string]ops.Op{"exp": ops.Exp, "exp2": ops.Exp2, "log": ops.Log, "log2": ops.Log2, "sin": ops.Sin,
		"cos": ops.Cos, "erf": ops.Erf, "rsqrt": ops.Rsqrt}
	points := map[string][2][]float64{}
	for line := range strings.Lines(functions64) {
		var name string
		var x, y uint64
		if n, _ := fmt.Sscanf(line, "%s %x %x", &name, &x, &y); n == 3 {
			p := points[name]
			points[name] = [2][]float64{append(p[0], math.Float64frombits(x)), append(p[1], math.Float64frombits(y))}
		}
	}
	for name, op := range names {
		t.Run(name, func(t *testing.T) {
			p := points[name]
			n := len(p[0])
			full := (n + threads - 1) / threads * threads
			x := make([]byte, 8*full)
			num.Store(num.Float64, x, num.Vec{F64: p[0]})
			k := kernel("sm_80", num.Float64, []num.DType{num.Float64}, func(p *asm.Program, x []asm.Reg) asm.Reg { return Op(p, op, num.Float64, x...) })
			got := vec(num.Float64, execute(t, k, num.Float64, [][]byte{x}, full))
			worst := 0.0
			for i := range n {
				d := distance(num.Float64, got, num.Vec{F64: p[1]}, i)
				worst = max(worst, d)
				if d > 2 {
					t.Errorf("of %v: %v, want %v (%v units)", p[0][i], got.F64[i], p[1][i], d)
				}
			}
			t.Logf("%d points, %v units", n, worst)
		})
	}
}
