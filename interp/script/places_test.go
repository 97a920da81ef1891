package script

import (
	"context"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
)

// TestPlaces: what ends a launch, or its sanitizers, at no place in the kernel points at the launch, or at the loop that
// they were in.
func TestPlaces(t *testing.T) {
	text := kernel + `
@triton.jit
def spin(x_ptr):
    while tl.atomic_add(x_ptr, 0) == 0:
        pass
x = torch.zeros(1, dtype=torch.int32, device='cuda')
spin[(1,)](x)
`
	ctx, cancel := context.WithCancel(t.Context())
	r, doc := start(t, text, Options{Script: true})
	r.o.Launcher.Sanitizer = func(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) diag.List {
		defer cancel() // before the launch
		l.Budget = 1 << 16
		list, _ := k.SanitizeWithin(ctx, args, l)
		return list
	}
	result := r.Cell(ctx, doc.Cells[0])
	at := map[string]string{}
	for _, d := range result.Diagnostics {
		at[d.Code] = r.Sources().File(d.Primary.Span).Slice(d.Primary.Span)
	}
	for code, want := range map[string]string{"sanitize-budget": "while", "launch-cancelled": "spin[(1,)](x)"} {
		if !strings.Contains(at[code], want) {
			t.Errorf("%s points at %q, not at %q: %v", code, at[code], want, at)
		}
	}
}
