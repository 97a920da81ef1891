package golden_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/num"
)

// TestRecordingIsWhole checks that every case names inputs that exist and a result of the size
// that its dtype says.
func TestRecordingIsWhole(t *testing.T) {
	rec := golden.Ops(t)
	for name, in := range rec.Inputs {
		if len(in.Raw) != golden.Lanes*in.DType.Info().Bytes {
			t.Errorf("input %s: %d bytes of %v", name, len(in.Raw), in.DType)
		}
	}
	for i := range rec.Cases {
		c := &rec.Cases[i]
		for _, arg := range c.Args {
			if _, ok := rec.Inputs[arg]; !ok {
				t.Errorf("%s: no input %s", c.Expr, arg)
			}
		}
		if c.DType == "" && c.Words() == "" {
			t.Errorf("%s on %s: neither a dtype nor a refusal", c.Expr, c.X)
		}
		if c.Hex == "" {
			continue
		}
		n := golden.Lanes
		if c.Scalar() {
			n = 1
		}
		d, ok := num.Parse(c.DType)
		if got := len(c.Bytes(t)); !ok || got != n*d.Info().Bytes {
			t.Errorf("%s on %s: %d bytes of %s", c.Expr, c.X, got, c.DType)
		}
	}
}

func TestKernelsSayWhatWasRecorded(t *testing.T) {
	for _, c := range []struct {
		c    golden.Case
		want []string
	}{
		{golden.Case{Kind: "binary", Expr: "x + y", Args: []string{"a", "b"}}, []string{"x_ptr, y_ptr, z_ptr, N", "y = tl.load(y_ptr + o)", "z = x + y", "tl.store(z_ptr + o, z)"}},
		{golden.Case{Kind: "reduce", Op: "sum", Expr: "tl.sum(x, 0)", Args: []string{"a"}}, []string{"kernel(x_ptr, z_ptr, N", "tl.store(z_ptr, z)"}},
		{golden.Case{Kind: "dot", Expr: "tl.dot(x2, y2)", Args: []string{"a", "b"}}, []string{"x2 = tl.load", "z = tl.dot(x2, y2)"}},
	} {
		for _, part := range c.want {
			if text := c.c.Kernel(); !strings.Contains(text, part) {
				t.Errorf("%s lacks %q:\n%s", c.c.Expr, part, text)
			}
		}
	}
}
