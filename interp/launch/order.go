package launch

import (
	"context"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/trace"
)

// AnyOrder reports whether a launch with these arguments is known to do the same in every order of its programs, with
// every access in bounds and no race. It launches once on copies of the tensors, within l's budget: programs that do
// not race and do not read what atomic operations return cannot learn of each other's order, so what they do in one
// order they do in all. Nor may they use values that a GPU leaves undefined, or give hints that do not hold.
func (k *Kernel) AnyOrder(ctx context.Context, args []Arg, l device.Launch) bool {
	k = k.Observable()
	own, err := k.OwnMemory(args)
	if err != nil {
		return false
	}
	_, all := newSanitizers()
	answers := &answers{}
	l.Observer = all.with(answers)
	report, fault := k.Run(ctx, Target{Device: sanitizing()}, own, l)
	return fault == nil && len(report.Diagnostics) == 0 && !answers.read && len(all.diagnostics()) == 0
}

// answers notes whether a program reads what an atomic operation or a volatile load returns.
type answers struct{ read bool }

// Launch begins anew.
func (a *answers) Launch([3]int, []trace.Buffer) { a.read = false }

// Access looks at one access.
func (a *answers) Access(x *trace.Access) { a.read = a.read || x.Order.Strong && !x.Unread }
