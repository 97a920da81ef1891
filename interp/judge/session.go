package judge

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/proof"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
	"github.com/newtlab/newt/interp/trace"
)

// What one call may spend: the statements and calls of its Python, and the work of its kernels in the interpreter's
// units of about a nanosecond, with one for each element that torch goes through. Limits count work, so that a slow
// machine says the same.
const (
	callSteps = 2_000_000
	callWork  = 1 << 30
	// patience is how many times the reference's work a submission may do where that is more, and maxCallWork the most
	// that it may do. A call that does more does not end, or nothing is said of it.
	patience    = 1000
	maxCallWork = 4 * callWork
)

// maxBytes bounds the tensors of one session.
const maxBytes = 1 << 29

// modules are the files of a session: what a program may import, by its names.
type modules map[string]string

// ReadFile implements host.Files.
func (m modules) ReadFile(name string) ([]byte, error) {
	if text, ok := m[name]; ok {
		return []byte(text), nil
	}
	return nil, fs.ErrNotExist
}

// program is a text that runs in a session of its own: it sees no file but its modules, and nothing of another session.
type program struct {
	*host.Session
	launcher *launcher
}

// open makes a session. Its program is no main program.
func open(ctx context.Context, o Options) *program {
	l := &launcher{Launcher: &script.Launcher{Context: ctx, Device: launch.Interpreter, WithoutHints: true,
		Strict: true, With: device.Launch{Poison: true}}, allowed: callWork, left: callWork}
	l.Sanitizer = l.look
	p := &program{launcher: l, Session: host.New(host.Options{Launcher: l, Libraries: host.AllLibraries(),
		Name: "submission", Codecs: o.Codecs, Files: modules(o.Modules), MaxSteps: callSteps, CompileConfigs: true,
		Tensors: tensor.New(tensor.Options{Operations: tensor.AllOperations(), MaxBytes: maxBytes}),
		Stop:    func() bool { return ctx.Err() != nil || l.left < 0 }})}
	p.Tensors().Called = func(op string, inputs, results []*tensor.Tensor) { p.charge(op, inputs, results) }
	return p
}

// begin begins a call, which may spend work.
func (p *program) begin(work int64) {
	p.launcher.allowed, p.launcher.left, p.launcher.launches, p.launcher.elapsed = work, work, 0, 0
}

// spent is the work of the call.
func (p *program) spent() int64 { return p.launcher.allowed - p.launcher.left }

// charge counts an operation of torch to the work of the call. It gives the elements that the operation goes through: 0
// where it computes nothing.
func (p *program) charge(op string, inputs, results []*tensor.Tensor) (elements int64) {
	for _, t := range results {
		if t.Storage().Undefined {
			poison(t)
		}
	}
	if moves(op, inputs, results) {
		return 0
	}
	for _, t := range slices.Concat(inputs, results) {
		elements += int64(t.Numel())
	}
	p.launcher.left -= elements + multiplications(op, inputs, results)/16 // which are done on vectors
	return elements
}

// load runs a text, and makes file the one that it is in the session's sources.
func (p *program) load(file **source.File) *diag.Diagnostic {
	*file = p.Sources().Add(*file)
	p.launcher.Triton, _ = triton.Requested((*file).Text)
	if out := p.Run(*file); out.Status != 0 || out.Exited {
		return lastError(out.Diagnostics)
	}
	return nil
}

// lastError is the error that ended a run.
func lastError(list diag.List) *diag.Diagnostic {
	for _, d := range slices.Backward(list) {
		if d.Severity == diag.Error {
			return d
		}
	}
	return diag.New("judge-exits", source.Span{})
}

// exception is the class of the Python exception that a diagnostic is of; empty where it is none.
func exception(d *diag.Diagnostic) string {
	if d != nil && (d.Code == "host-exception" || d.Code == "host-exception-bare") && len(d.Args) > 0 {
		return fmt.Sprint(d.Args[0])
	}
	return ""
}

// lacks begin the codes of what newt does not have or does not allow, and of a run that was stopped: a program that
// fails with one may be right.
var lacks = []string{"host-stopped", "not-in-newt", "newt-limit", "module-not-found", "host-unsupported", "host-internal", "host-no-"}

// hasCode reports whether a diagnostic's code begins with one of a list.
func hasCode(d *diag.Diagnostic, list []string) bool {
	return slices.ContainsFunc(list, func(code string) bool { return strings.HasPrefix(d.Code, code) })
}

// launcher launches a program's kernels within a budget for each call.
type launcher struct {
	*script.Launcher
	allowed  int64         // work of the call
	left     int64         // of it
	launches int           // of the call
	elapsed  time.Duration // on the device, of the call
	times    bool          // measure launches before they are made
	// follows follows what the call means; nil where nobody asks.
	follows  *exact.Program
	sanitize launch.Sanitizer // nil for none
}

// look looks at a launch before it is made.
func (l *launcher) look(k *launch.Kernel, ctx context.Context, args []launch.Arg, with device.Launch) diag.List {
	if l.follows != nil {
		as := l.With
		as.Grid = with.Grid
		l.follows.Launch(ctx, k, args, as)
	}
	if l.sanitize == nil {
		return nil
	}
	return l.sanitize(k, ctx, args, with)
}

// moveTo has launches made on another device, which nobody observes, until back is called.
func (l *launcher) moveTo(d device.Device) (back func()) {
	before := *l.Launcher
	l.Device, l.With, l.Sanitizer = d, device.Launch{}, nil
	return func() { *l.Launcher = before }
}

// Launch implements host.Launcher.
func (l *launcher) Launch(of host.Launch) (host.Launched, *host.Failure) {
	l.With.Budget = max(l.left, 1)
	if !of.Internal {
		l.launches++
	}
	took, ok := time.Duration(0), false
	if l.times {
		took, ok = l.time(of)
	}
	done, failed := l.Launcher.Launch(of)
	l.left -= done.Work
	if !ok {
		took = done.Elapsed
	}
	l.elapsed += took
	if failed != nil { // which the program may catch
		for _, d := range failed.List {
			if hasCode(d, faults) {
				l.Said.AddNew(d)
			}
		}
	}
	return done, failed
}

// watch is what the judge notes of a submission's calls: which memory kernels have written, what torch has computed,
// and what the sanitizers and proofs say of launches.
type watch struct {
	of *program
	// written is the memory that a kernel of this call has stored to, or that was made of such memory, by the address
	// of its first byte. The values keep it from being used for something else while the call runs.
	written map[*byte][]byte
	args    []trace.Buffer // of the launch
	work    map[workKey]*work
	proved  map[*launch.Kernel]bool
	proofs  []*proof.Report
	quiet   bool // the sanitizers do not look: values are special
}

// watched has a submission watched.
func watched(p *program) *watch {
	w := &watch{of: p, written: map[*byte][]byte{}, work: map[workKey]*work{}, proved: map[*launch.Kernel]bool{}}
	p.launcher.With.Observer = w
	p.launcher.sanitize = w.sanitize
	p.Tensors().Called = w.called
	return w
}

// begin begins a call.
func (w *watch) begin() {
	clear(w.written)
}

// maxProofs bounds the kernels that are proved.
const maxProofs = 16

func (w *watch) sanitize(k *launch.Kernel, ctx context.Context, args []launch.Arg, l device.Launch) (list diag.List) {
	if w.quiet {
		return nil
	}
	if !w.proved[k] && len(w.proved) < maxProofs {
		w.proved[k] = true
		found := proof.Of(k, args, l.Grid, nil)
		w.proofs, list = append(w.proofs, found), found.Warnings()
	}
	return append(list, k.Sanitize(ctx, args, l)...)
}

// Launch implements trace.Observer.
func (w *watch) Launch(_ [3]int, args []trace.Buffer) { w.args = args }

// Access implements trace.Observer.
func (w *watch) Access(a *trace.Access) {
	if a.Kind == trace.Load {
		return
	}
	for _, run := range a.Runs() {
		if arg, _ := trace.Split(a.Ptr[run.First]); arg >= 0 && arg < len(w.args) {
			w.write(w.args[arg].Data)
		}
	}
}

func (w *watch) write(data []byte) {
	if len(data) > 0 {
		w.written[&data[0]] = data
	}
}

// byKernel reports whether a kernel of this call has written to a tensor's memory, or to what it was made of.
func (w *watch) byKernel(t *tensor.Tensor) bool {
	data, _ := t.Storage().Read()
	return len(data) > 0 && w.written[&data[0]] != nil
}

// gradients are the operations that give gradients. Which kernels have computed one is not followed through the graph:
// one that torch has computed shows by the operations that made the graph.
var gradients = map[string]bool{"grad": true, ".grad": true}

// called hears of an operation of torch.
func (w *watch) called(op string, inputs, results []*tensor.Tensor) {
	elements := w.of.charge(op, inputs, results)
	ofKernel := slices.ContainsFunc(inputs, w.byKernel) || gradients[op] && len(w.written) > 0
	for _, t := range results {
		if s := t.Storage(); !s.Undefined && ofKernel {
			data, _ := s.Read()
			w.write(data)
		}
	}
	if elements == 0 {
		return
	}
	at := workKey{op, w.of.Place()}
	if w.work[at] == nil {
		w.work[at] = &work{}
	}
	w.work[at].calls++
	w.work[at].elements += elements
}

// poison fills memory that was made without a value, as by torch.empty, with NaN, or with integers that nothing
// computes: what no kernel writes shows.
func poison(t *tensor.Tensor) {
	data, err := t.Storage().Write()
	if err != nil {
		return
	}
	pattern := byte(0x5b)
	if t.DType().Info().Float {
		pattern = 0xff
	} else if t.DType().Info().Bits == 1 {
		pattern = 1
	}
	for i := range data {
		data[i] = pattern
	}
	t.Storage().Undefined = true
}
