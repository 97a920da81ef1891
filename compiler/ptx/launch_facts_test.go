package ptx_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/interp/tile"
)

// TestLaunchFacts: what a launch proves of comparisons, divisions and scales shows in the code, and changes no result.
func TestLaunchFacts(t *testing.T) {
	const masks = `def kernel(x_ptr, z_ptr, n, scale):
    i = tl.program_id(0) * 64 + tl.arange(0, 64)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(z_ptr + i, tl.where(i < n, x * 2, 7.0), mask=i < n)
`
	const divisions = `def kernel(x_ptr, z_ptr, n, scale):
    pid = tl.program_id(0)
    tl.store(z_ptr + pid, (pid // n * 8 + pid % n).to(tl.float32))
`
	const maxima = `def kernel(x_ptr, z_ptr, n, scale):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    s = tl.load(x_ptr + i) * (scale * 1.5)
    SELECT
    m = tl.max(s, 1)
    tl.store(z_ptr + i, tl.where(m[:, None] == -float("inf"), s, s - m[:, None]))
`
	causal := strings.Replace(maxima, "SELECT",
		`s = tl.where(tl.arange(0, 16)[:, None] >= tl.arange(0, 16)[None, :], s, -float("inf"))`, 1)
	whole := strings.Replace(maxima, "SELECT\n    ", "", 1)
	for _, c := range []struct {
		name, text string
		grid       int
		n          int64
		scale      float64
		has, not   string
	}{
		{"whole tiles", masks, 4, 256, 1, "st.global", "setp.lt"},
		{"a last tile", masks, 4, 250, 1, "setp.lt", ""},
		{"natural numbers", divisions, 7, 3, 1, "div.u32", "bfind"},
		{"a power of two", divisions, 7, 4, 1, "bfind.u32", "div."},
		{"a negative divisor", divisions, 7, -3, 1, "div.s32", "div.u32"},
		{"a divisor of zero", divisions, 7, 0, 1, "div.s32", "div.u32"},
		{"a positive scale", whole, 1, 1, 0.125, "mul", ""},
		{"a negative scale", whole, 1, 1, -0.125, "mul", ""},
		{"a scale of zero", whole, 1, 1, 0, "mul", ""},
		{"a tiny scale", whole, 1, 1, 1e-38, "mul", ""},
		{"an infinite scale", whole, 1, 1, math.Inf(1), "mul", ""},
		{"no number as scale", whole, 1, 1, math.NaN(), "mul", ""},
		{"a positive scale below a mask", causal, 1, 1, 0.125, "mul", ""},
		{"a negative scale below a mask", causal, 1, 1, -0.125, "mul", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := compiled(t, c.name, "\n"+c.text, "*fp32:16, *fp32:16, i32, fp32")
			args := func() []tile.Arg {
				x := make([]byte, 4*256)
				for i := range 256 {
					v := float32(i*37%101) - 50
					switch i % 61 {
					case 7:
						v = float32(math.Inf(1))
					case 8:
						v = float32(math.Inf(-1))
					case 9:
						v = float32(math.NaN())
					}
					binary.LittleEndian.PutUint32(x[4*i:], math.Float32bits(v))
				}
				return []tile.Arg{tile.Buffer{DType: num.Float32, Data: x},
					tile.Buffer{DType: num.Float32, Data: make([]byte, 4*256)},
					tile.Scalar{Scalar: num.FromInt(num.Int32, c.n)},
					tile.Scalar{Scalar: num.FromFloat(num.Float32, c.scale)}}
			}
			opt := ptx.Options{Target: "sm_90a", NumWarps: 1, Exact: true}
			grid := [3]int{c.grid, 1, 1}
			pitch := prove(fn, args(), grid, &opt)
			m, err := ptx.Compile(fn, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(m.Text, c.has) || c.not != "" && strings.Contains(m.Text, c.not) {
				t.Errorf("%q is missing, or %q is there:\n%s", c.has, c.not, m.Text)
			}
			without := opt
			without.Scales = nil
			plain, err := ptx.Compile(fn, without)
			if err != nil {
				t.Fatal(err)
			}
			if scaled := strings.HasPrefix(c.name, "a positive scale"); (plain.Text != m.Text) != scaled {
				t.Errorf("the scale makes a difference: %v", !scaled)
			}
			want := interpreted(t, fn, grid, args())
			got, err := simulated(t, fn, grid, args(), opt, pitch, 1)
			if err != nil {
				t.Fatal(err)
			}
			if at := differs(num.Float32, got.buffers[1], want.buffers[1]); at >= 0 {
				t.Errorf("element %d differs", at)
			}
		})
	}
}

// TestScaledMaxima: the multiplications of which it matters whether a scale is positive are those of tiles whose maxima
// are taken, also behind a mask.
func TestScaledMaxima(t *testing.T) {
	const text = `def kernel(x_ptr, z_ptr, n, scale):
    i = tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16)[None, :]
    s = tl.load(x_ptr + i) * scale
    BODY
    tl.store(z_ptr + i, s - m)
`
	for body, want := range map[string]int{
		"m = tl.max(s, 1)[:, None]":                                              1,
		"m = tl.max(tl.where(i < n, s, -1.0), 1)[:, None]":                       1,
		"m = tl.max(tl.where(i < n, s, tl.load(z_ptr + i) * scale), 1)[:, None]": 2,
		"m = tl.min(s, 1)[:, None]":                                              0,
		"m = tl.max(s + 1.0, 1)[:, None]":                                        0,
		"m = tl.sum(s, 1)[:, None]":                                              0,
	} {
		fn := compiled(t, "maxima", "\n"+strings.Replace(text, "BODY", body, 1), "*fp32:16, *fp32:16, i32, fp32")
		if got := len(axis.ScaledMaxima(fn)); got != want {
			t.Errorf("%s: %d multiplications, want %d", body, got, want)
		}
	}
}
