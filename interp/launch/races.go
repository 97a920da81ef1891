package launch

import (
	"context"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/sanitize"
	"github.com/newtlab/newt/interp/trace"
)

// SanitizeBudget bounds the work of an observed launch, which costs about ten times a plain one: a few
// tenths of a second in a browser.
const SanitizeBudget = 1 << 24

// Races launches the kernel on copies of the tensors and reports the data races between its programs, as warnings; a
// race of equal values is a hint. Where the launch exceeds its budget or faults, they are those found so far; of the
// budget, a hint tells.
//
// Where programs have synchronized and there was no race, it launches again with the programs in the opposite order: a
// program that goes on whatever it has read of a flag or a counter is synchronized in one order only. If there is no
// race in that order either, it launches once more with atomic operations that read older values, as far as the memory
// model allows: a program that goes on without a lock never does so while one program runs after the other.
func (k *Kernel) Races(ctx context.Context, args []Arg, l device.Launch) diag.List {
	races := &sanitize.Races{}
	l.Budget = SanitizeBudget
	_, incomplete := k.observe(ctx, Interpreter, args, l, races)
	k.observeOthers(ctx, args, l, races)
	return append(races.Diagnostics(), incomplete...)
}

// observeOthers makes the other launches that Races speaks of. What stops one of them says nothing of the kernel: in
// the opposite order, a program that waits for an earlier one waits until the budget is spent.
func (k *Kernel) observeOthers(ctx context.Context, args []Arg, l device.Launch, races *sanitize.Races) {
	if !races.Acquired() {
		return
	}
	for _, contended := range []bool{false, true} {
		if len(races.Found()) == 0 {
			l.LastFirst, races.Contended = !contended, contended
			k.observe(ctx, Interpreter, args, l, races)
		}
	}
}

// Sanitizer looks for what is wrong with a launch that a right result can hide, as (*Kernel).Races and
// (*Kernel).Sanitize do.
// Who is given one links no other.
type Sanitizer func(k *Kernel, ctx context.Context, args []Arg, l device.Launch) diag.List

// Sanitize launches the kernel on copies of the tensors under all sanitizers at once, and reports what they find as
// warnings and hints in the order of the source: races between programs, reads of memory that nobody has written,
// undefined lanes that are used, hints that do not hold, integers that wrap where an access or a decision rests on
// them, and where a NaN or an infinity comes from.
func (k *Kernel) Sanitize(ctx context.Context, args []Arg, l device.Launch) diag.List {
	l.Budget = SanitizeBudget
	list, _ := k.SanitizeWithin(ctx, args, l)
	return list
}

// SanitizeWithin is Sanitize within the launch's own budget; outside are the launch's accesses out of bounds.
//
// The optimized kernel makes the same accesses with the same values in a fraction of the time, so it says whether there
// is anything to find. What there is, it is the kernel as the source has it that says where: one operation for each
// expression.
func (k *Kernel) SanitizeWithin(ctx context.Context, args []Arg, l device.Launch) (list, outside diag.List) {
	s := k.sanitize(ctx, args, l)
	if written := k.Observable(); s.finds() || hints(written) > hints(k) {
		s = written.sanitize(ctx, args, l)
	}
	list = s.list
	// Where numbers stop being finite is looked for once one that is not was stored: few launches do that.
	if len(s.stores.Programs) > 0 {
		nonfinite := &sanitize.Nonfinite{Programs: s.stores.Programs}
		_, incomplete := k.Observable().observe(ctx, ObservingInterpreter, args, l, nonfinite)
		s.incomplete.AddNew(incomplete...)
		list = append(list, nonfinite.Diagnostics()...)
	}
	overflows, incomplete := k.Overflows(ctx, args, l)
	s.incomplete.AddNew(incomplete...)
	list = append(list, overflows...)
	list.Sort()
	list.AddNew(s.incomplete...)
	return list, s.outside
}

// sanitizers observe one launch, each for one kind of finding.
type sanitizers []interface {
	trace.Observer
	Diagnostics() diag.List
}

// newSanitizers are all sanitizers; that of races, the first, may need other launches as well.
func newSanitizers() (*sanitize.Races, sanitizers) {
	races := &sanitize.Races{}
	return races, sanitizers{races, &sanitize.Unwritten{}, &sanitize.Undefined{}, &sanitize.Hints{}}
}

// with is what observes a launch for all of them and for another observer.
func (s sanitizers) with(other trace.Observer) trace.Tee {
	all := trace.Tee{other}
	for _, o := range s {
		all = append(all, o)
	}
	return all
}

// diagnostics are what they have found, in their order.
func (s sanitizers) diagnostics() (list diag.List) {
	for _, o := range s {
		list = append(list, o.Diagnostics()...)
	}
	return list
}

// sanitized is what a launch under all sanitizers has come to.
type sanitized struct {
	list       diag.List // what they find, but for what stores says
	outside    diag.List
	incomplete diag.List // why not all of the launch was observed
	stores     *sanitize.NonfiniteStores
}

// finds reports whether there is a finding, and not only a bound that was exceeded.
func (s *sanitized) finds() bool {
	return len(s.outside) > 0 || slices.ContainsFunc(s.list, func(d *diag.Diagnostic) bool {
		return d.Primary.Span != source.Span{}
	})
}

// sanitize makes the launch under all sanitizers.
func (k *Kernel) sanitize(ctx context.Context, args []Arg, l device.Launch) *sanitized {
	races, all := newSanitizers()
	s := &sanitized{stores: &sanitize.NonfiniteStores{}}
	s.outside, s.incomplete = k.observe(ctx, sanitizing(), args, l, all.with(s.stores))
	k.observeOthers(ctx, args, l, races)
	s.list = all.diagnostics()
	return s
}

// hints is how many operations of a kernel say what is to be checked. Optimizing drops those of values that nobody
// uses.
func hints(k *Kernel) (n int) {
	k.Func.Body.Walk(func(in *ir.Instr) {
		if in.Op == ops.Hint {
			n++
		}
	})
	return n
}

// observe launches the kernel on copies of the tensors. reported are the diagnostics of the launch, and incomplete says
// why if not all of it was observed.
func (k *Kernel) observe(ctx context.Context, on device.Device, args []Arg, l device.Launch, o trace.Observer,
) (reported, incomplete diag.List) {
	own, err := k.OwnMemory(args)
	if err != nil {
		return nil, diag.List{Diagnostic(err)}
	}
	l.Observer, l.Progress = o, nil
	report, fault := k.Run(ctx, Target{Device: on}, own, l)
	// What else stops a launch stops it without an observer, too.
	if fault == nil || fault.Code != "launch-budget" && fault.Code != "loop-budget" {
		return report.Diagnostics, nil
	}
	return report.Diagnostics, diag.List{budgetSpent(fault.Primary.Span, report.Programs, l.Grid)}
}

// budgetSpent says that only so many programs of a launch were observed.
func budgetSpent(at source.Span, programs int64, grid [3]int) *diag.Diagnostic {
	d := diag.New("sanitize-budget", at, programs, int64(grid[0])*int64(grid[1])*int64(grid[2]))
	d.Severity = diag.Hint
	return d
}

// watching is the interpreter that tells of what the sanitizers watch. It is made when it is asked for first, since a
// variable with a value would be linked wherever this package is.
var watching struct {
	once sync.Once
	device.Device
}

func sanitizing() device.Device {
	watching.once.Do(func() { watching.Device = cpu.New(cpu.Options{Watch: sanitize.Watch}) })
	return watching.Device
}

// Copied are args with memory of their own in this process; tensors that share memory share the copy.
func Copied(args []Arg) ([]Arg, error) {
	return copied(args, func(any) bool { return true })
}

// Here are args with the memory that they have in this process.
func Here(args []Arg) ([]Arg, error) {
	return copied(args, func(any) bool { return false })
}

// OwnMemory are args for a launch that changes none of their memory: what the kernel may write to is copied.
func (k *Kernel) OwnMemory(args []Arg) ([]Arg, error) {
	changes, written := map[any]bool{}, k.written()
	for i, a := range args {
		if a.Tensor != nil {
			key, _ := a.Tensor.memory()
			changes[key] = changes[key] || a.IsReachable() || written[k.Param(i, a.Name)]
		}
	}
	return copied(args, func(memory any) bool { return changes[memory] })
}

// copied are args in this process, with memory of their own where that is asked for.
func copied(args []Arg, own func(memory any) bool) ([]Arg, error) {
	copies := map[any][]byte{}
	out := slices.Clone(args)
	for i, a := range out {
		if a.Tensor == nil {
			continue
		}
		// Two tensors of one memory must stay so: a race between them is what is looked for.
		data, err := a.Tensor.read()
		if err != nil {
			return nil, err
		}
		key, _ := a.Tensor.memory()
		if copies[key] == nil {
			if copies[key] = data; own(key) {
				copies[key] = slices.Clone(data)
			}
		}
		t := *a.Tensor
		t.Data, t.Storage, t.Undefined = copies[key], nil, t.undefined()
		out[i].Tensor = &t
	}
	return out, nil
}

// Bytes is the size of the memory that the tensors of args are in.
func Bytes(args []Arg) (n int) {
	seen := map[any]bool{}
	for _, a := range args {
		if a.Tensor == nil {
			continue
		}
		key, size := a.Tensor.memory()
		if !seen[key] {
			seen[key] = true
			n += size
		}
	}
	return n
}
