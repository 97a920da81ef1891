package recorded

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/script"
)

// oneTile is a kernel over one tile, whose middle is left open.
const oneTile = `import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    %s
    tl.store(z_ptr + i, z, mask=i < n)
`

// TestMagnified replays launches whose recording is off by 2^-14, 512 ulps, in every element: rounding explains that
// where the kernel magnifies its own errors by as much, and not where it does so for some of the elements only.
func TestMagnified(t *testing.T) {
	for _, c := range []struct {
		body    string
		outcome Outcome
	}{
		{"z = x + 1.0", Differs},
		{"z = (x + 10000.0) - 10000.0", Close},
		{"z = tl.exp(tl.sum(x * 3000.0, 0) / 3000.0 + x)", Differs},
		{"z = tl.exp((tl.cumsum(x * 3000.0, 0) - tl.sum(x * 3000.0, 0)) + x)", Close},
		{"z = tl.math.div_rn(tl.inline_asm_elementwise('tanh.approx.f32 $0, $1;', '=f,f', [x], dtype=tl.float32," +
			" is_pure=True, pack=1), 1.0)", Close},
		{"z = tl.where(x > 3.5, (x + 10000.0) - 10000.0, x)", Differs},
		{"z = tl.where(x > 3.5, x, float('-inf'))", Differs},
		{"z = tl.where(x > 3.5, x, float('nan'))", Differs},
	} {
		m, members := added()
		m.Launches[0].Kernel = "kernel"
		m.Launches[0].Grid = [3]int{1, 1, 1}
		*m.Launches[0].Args[3].Value.Int = "8" // BLOCK
		members["sources/add.py"] = fmt.Sprintf(oneTile, c.body)
		o := script.Options{Launcher: &script.Launcher{Device: cpu.New(cpu.Options{})}}
		_, contents := mustRead(t, m, members).Launch(t.Context(), 0, o)
		if contents == nil {
			t.Fatalf("%s: the launch fails", c.body)
		}
		var recording strings.Builder
		for at := 0; at < len(contents[1]); at += 4 {
			x := math.Float32frombits(binary.LittleEndian.Uint32(contents[1][at:]))
			recording.WriteString(floats(x * (1 + 0x1p-14)))
		}
		members["storages/z"] = recording.String()
		r := replayOn(t, mustRead(t, m, members))
		if r.Outcome != c.outcome || r.Worst.Magnified != (c.outcome == Close) || r.Worst.Beyond == 0 {
			t.Errorf("%s: %s, %+v, want %s", c.body, r.Outcome, r.Worst, c.outcome)
		}
	}
}

// TestExplain compares distances with spreads in their order, whichever elements they belong to.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		distances, spread []float64
		magnified         bool
	}{
		{[]float64{4, 1}, []float64{0, 0, 0.5, 2}, true},
		{[]float64{4, 1.1}, []float64{0, 0, 0.5, 2}, false},
		{[]float64{4.1, 1}, []float64{0, 0, 0.5, 2}, false},
		{[]float64{math.Inf(1)}, []float64{0, 7}, false},
		{[]float64{math.Inf(1)}, []float64{0, math.Inf(1)}, true},
	} {
		d := Difference{Count: 2, Beyond: len(c.distances), distances: c.distances}
		if d.explain(c.spread); d.Magnified != c.magnified {
			t.Errorf("%v of %v: %v", c.distances, c.spread, d.Magnified)
		}
	}
}
