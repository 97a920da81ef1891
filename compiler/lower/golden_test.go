package lower_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/internal/golden"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/infra/soak"
)

// lowerText lowers the last kernel of a source.
func lowerText(t testing.TB, text string, opts lower.Options) (*lower.Result, diag.List) {
	t.Helper()
	m, list := syntax.Parse(source.NewFile("kernel.py", text))
	if list.HasErrors() {
		t.Fatalf("%s\n%s", list[0].In(diag.English).Headline, text)
	}
	if opts.Triton == 0 {
		opts.Triton, _ = triton.Requested(text)
	}
	kernels := lower.Kernels(m)
	res, list := lower.Lower(m, kernels[len(kernels)-1], opts)
	if res.Func != nil {
		if err := ir.Verify(res.Func); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, ir.Print(res.Func))
		}
	}
	return res, list
}

func codes(list diag.List) string {
	var out []string
	for _, d := range list {
		out = append(out, d.Severity.String()+" "+d.Code)
	}
	return strings.Join(out, ", ")
}

// TestGolden lowers every operation that was recorded on a GPU: what Triton typed must have that
// type here, what it refused is refused, or runs with a warning.
func TestGolden(t *testing.T) {
	for i := range golden.Ops(t).Cases {
		if soak.Skips(i, 1) {
			continue
		}
		c := &golden.Ops(t).Cases[i]
		var args []lower.Arg
		for _, a := range c.Args {
			args = append(args, lower.Arg{Type: types.PointerTo(golden.Ops(t).Inputs[a].DType)})
		}
		out, ok := num.Parse(c.DType)
		if !ok {
			out = num.Float32
		}
		args = append(args, lower.Arg{Type: types.PointerTo(out)}, lower.Arg{Constexpr: true, Value: golden.Lanes})
		res, list := lowerText(t, c.Kernel(), lower.Options{Args: args, Triton: triton.V36, Record: true})
		name := c.Kind + " " + c.Expr + " on " + c.X + " " + c.Y
		if c.DType == "" {
			if !quotes(list, c.Words()) {
				t.Errorf("%s: Triton says %q, newt %s", name, c.Words(), codes(list))
			}
			continue
		}
		if list.HasErrors() {
			t.Errorf("%s: Triton gives %s, newt says %s", name, c.DType, codes(list))
			continue
		}
		if got := typeOf(res, "z"); !strings.HasPrefix(got+"[", c.DType+"[") {
			t.Errorf("%s: Triton gives %s, newt %s", name, c.DType, got)
		}
	}
}

// quotes reports whether a diagnostic quotes Triton's words.
func quotes(list diag.List, words string) bool {
	for _, d := range list {
		if d.In(diag.English).Triton == words {
			return true
		}
	}
	return false
}

// typeOf is the type last recorded for a name.
func typeOf(res *lower.Result, name string) string {
	for i := len(res.Info) - 1; i >= 0; i-- {
		if res.Info[i].Name == name {
			return res.Info[i].Type
		}
	}
	return ""
}
