package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// kernel is a function with what was compiled of it so far.
type kernel struct {
	gpu     *gpu
	fn      *ir.Func
	options device.Options

	lock     sync.Mutex
	prover   *prover
	variants map[proof]*variant
	last     *variant
}

// timed is a kernel of a driver that measures.
type timed struct{ *kernel }

// variant is a kernel compiled with what is proved of a launch.
type variant struct {
	*compiled
	loaded *Module
	toPTX  time.Duration
}

// maxVariants bounds what is compiled of one kernel; launches beyond that check every access, and those beyond half of
// it every comparison.
const maxVariants = 16

// variant is the code for a launch, which is compiled and loaded unless it was before, and what is proved of the
// launch.
func (k *kernel) variant(b *binding, grid [3]int) (*variant, *bounds.Proof, device.Fault) {
	k.lock.Lock()
	defer k.lock.Unlock()
	k.makeProver()
	p, found := k.prover.prove(b, grid)
	v, fault := k.variantFor(p)
	return v, found, fault
}

// variantFor is the code where p is proved. The lock is held.
func (k *kernel) variantFor(p proof) (*variant, device.Fault) {
	// Grids and offsets that are always others must not compile for ever.
	if k.variants[p] == nil && len(k.variants) >= maxVariants/2 {
		p = k.prover.withoutTruths(p)
	}
	if k.variants[p] == nil && len(k.variants) >= maxVariants {
		p = k.prover.weakest(p[0])
	}
	v := k.variants[p]
	if v == nil {
		var fault device.Fault
		if v, fault = k.compile(p); fault != nil {
			return nil, fault
		}
		k.variants[p] = v
	}
	k.last = v
	return v, nil
}

func (k *kernel) makeProver() {
	if k.prover == nil {
		k.prover = newProver(k.fn, k.baseOptions(), k.gpu.info.Processors)
	}
}

// Prepare implements device.Preparer.
func (k *kernel) Prepare() (*device.Compiled, error) {
	k.lock.Lock()
	k.makeProver()
	_, fault := k.variantFor(k.prover.strongest())
	k.lock.Unlock()
	if fault != nil {
		return nil, fault
	}
	return k.Compiled(), nil
}

func (k *kernel) compile(p proof) (*variant, device.Fault) {
	start := time.Now()
	code, err := k.compilePTX(p)
	if err != nil {
		var refused *ptx.Error
		if errors.As(err, &refused) {
			return nil, refused
		}
		return nil, fault("internal-error", err.Error())
	}
	v := &variant{compiled: code, toPTX: time.Since(start)}
	if v.loaded, err = k.gpu.driver.Load(Source{PTX: v.module.Text, Entry: v.module.Entry,
		Shared: v.module.Shared}); err != nil {
		return nil, faultOf(err)
	}
	return v, nil
}

// Compiled describes the code of the last launch.
func (k *kernel) Compiled() *device.Compiled {
	k.lock.Lock()
	defer k.lock.Unlock()
	v := k.last
	if v == nil {
		return nil
	}
	return &device.Compiled{
		PTX: v.module.Text, Lines: v.module.Lines, Registers: v.loaded.Registers, SpillBytes: v.loaded.SpillBytes,
		SharedBytes: v.module.Shared, ToPTX: v.toPTX, ToSASS: v.loaded.ToSASS, CacheHit: v.loaded.CacheHit,
		Log: v.loaded.Log, Cubin: []byte(v.loaded.Cubin),
	}
}

// Launch compiles where it must, runs, and puts in words what the kernel reports.
func (k *kernel) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	return k.launchThen(ctx, l, func(*session) error { return nil })
}

// session is a launch that is bound to a variant while it has the device to itself.
type session struct {
	ctx     context.Context
	kernel  *kernel
	variant *variant
	launch  Launch

	programs int64
}

// launchThen launches once and, if that went well, does what then says with the device still its own.
func (k *kernel) launchThen(ctx context.Context, l device.Launch, then func(*session) error) (*device.Report, error) {
	report := &device.Report{}
	programs := int64(l.Grid[0]) * int64(l.Grid[1]) * int64(l.Grid[2])
	if ctx.Err() != nil {
		return report, fault("launch-cancelled", 0, programs)
	}
	b, release := k.gpu.bind(k.fn, l.Args)
	defer release()
	if f := b.check(l.Grid); f != nil {
		return report, f
	}
	v, proved, compiled := k.variant(b, l.Grid)
	if compiled != nil {
		return report, compiled
	}
	// Compiling is done: from here on the launch has the device, and its scratch memory, to itself.
	k.gpu.launching.Lock()
	defer k.gpu.launching.Unlock()
	s := &session{ctx: ctx, kernel: k, variant: v, programs: programs}
	var err error
	if s.launch, err = k.newLaunch(v, proved, b, l); err != nil {
		return report, faultOf(err)
	}
	found, err := s.launchAndReport(b, report)
	if err != nil {
		return report, err
	}
	if found != nil {
		return report, found
	}
	report.Programs = programs
	return report, then(s)
}

// deadline bounds what the device does at a time.
func (s *session) deadline(more time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(s.ctx, s.kernel.gpu.options.Deadline+more, errDeadline)
}

var errDeadline = errors.New("the launch's time is up")

// launchAndReport launches and decodes what the kernel left in its report.
func (s *session) launchAndReport(b *binding, report *device.Report) (found *tile.Fault, err error) {
	ctx, cancel := s.deadline(0)
	defer cancel()
	if report.Elapsed, err = s.kernel.gpu.driver.Launch(ctx, &s.launch); err != nil {
		return nil, s.launchFault(ctx, err)
	}
	if counted := s.kernel.gpu.options.Counted; counted != nil && s.launch.Counts != nil {
		counted(s.kernel.fn, s.variant.module, &s.launch)
	}
	written := splitReports(s.variant.module, s.launch.Got[0])
	violations, found := written.sites(b)
	for i := range violations {
		report.Diagnostics.Add(violations[i].Diagnostic())
	}
	report.Prints, report.PrintsDropped, err = written.prints(s)
	return found, err
}

// launchFault says why a launch was not answered.
func (s *session) launchFault(ctx context.Context, err error) device.Fault {
	switch {
	case s.ctx.Err() != nil:
		return fault("launch-cancelled", 0, s.programs)
	case ctx.Err() != nil:
		return fault("launch-deadline", s.kernel.gpu.options.Deadline.String())
	}
	return faultOf(err)
}

// Time launches once as Launch does, which finds faults, and then measures.
func (k timed) Time(ctx context.Context, l device.Launch, r device.TimingRequest) (*device.Timings, error) {
	var timings *device.Timings
	_, err := k.launchThen(ctx, l, func(s *session) error {
		ctx, cancel := s.deadline(timingFactor * (cmp.Or(max(r.Warmup, 0),
			device.DefaultWarmup) + cmp.Or(max(r.Measure, 0), device.DefaultMeasure)))
		defer cancel()
		var err error
		if timings, err = k.gpu.driver.Time(ctx, &s.launch, r); err != nil {
			return s.launchFault(ctx, err)
		}
		return nil
	})
	return timings, err
}

// timingFactor is how much longer measuring takes than what is measured, at most: caches are flushed
// before each launch, which for short kernels takes a hundred times as long.
const timingFactor = 200

// newLaunch gives a launch its parameters and the memory that it reports in.
func (k *kernel) newLaunch(v *variant, proved *bounds.Proof, b *binding, l device.Launch) (Launch, error) {
	g, m := k.gpu, v.module
	cleared, all := reportBytes(m, g.options.PrintBytes)
	table := b.reachable
	if slices.ContainsFunc(m.Params, func(p ptx.Param) bool { return p.Kind == ptx.Reachable }) {
		table = append(table, make([]byte, ptx.ReachableEntryBytes)...)
	}
	at := (all + programAlign - 1) &^ (programAlign - 1)
	if err := g.reserveScratch(at + len(table)); err != nil {
		return Launch{}, err
	}
	if len(table) > 0 {
		if err := g.driver.Write(g.scratch.at+uint64(at), table); err != nil {
			return Launch{}, err
		}
	}
	launch := Launch{
		Module: v.loaded, Grid: l.Grid, Threads: m.Threads, Shared: m.Shared,
		Clear: []Area{{g.scratch.at, cleared}}, Read: []Area{{g.scratch.at, cleared}},
		TensorMaps: map[int]sim.TensorMap{},
	}
	budget := l.Budget
	if budget <= 0 {
		budget = g.options.Budget
	}
	if most := g.info.Budget; most > 0 { // the simulator is far slower than a GPU
		budget = min(budget, most)
	}
	fixed := map[ptx.ParamKind]uint64{
		ptx.Report: g.scratch.at, ptx.Prints: g.scratch.at + uint64(cleared-printHeader),
		ptx.BudgetParam:    uint64(budget),
		ptx.Programs:       uint64(l.Grid[0]),
		ptx.Reachable:      g.scratch.at + uint64(at),
		ptx.ReachableCount: uint64(len(b.reachable) / ptx.ReachableEntryBytes),
	}
	if m.Persistent {
		launch.Grid[0] = min(launch.Grid[0], g.info.Processors)
	}
	for i, p := range m.Params {
		if value, ok := fixed[p.Kind]; ok {
			launch.Params = append(launch.Params, value)
			continue
		}
		if p.Tensor != nil {
			pitch, ok := proved.Pitch(k.prover.checks[v.loads[i]])
			if !ok {
				return Launch{}, errors.New("a tensor map of a load without a pitch")
			}
			if p.Kind == ptx.Tensor {
				launch.TensorMaps[len(launch.Params)] = b.tensorMap(p.Tensor, pitch)
			}
			launch.Params = append(launch.Params, uint64(pitch))
			continue
		}
		value, ok := b.args[p.Arg].slots[p.Kind]
		if !ok {
			return Launch{}, fmt.Errorf("parameter of kind %d for argument %d", p.Kind, p.Arg)
		}
		launch.Params = append(launch.Params, value)
	}
	return launch, nil
}

// reserveScratch sees that scratch has room; the caller is launching.
func (g *gpu) reserveScratch(bytes int) error {
	if g.scratch.bytes >= bytes {
		return nil
	}
	at, err := g.driver.Alloc(bytes)
	if err != nil {
		return err
	}
	if old := g.scratch; old.bytes > 0 {
		if err := g.driver.Free(old.at); err != nil {
			return err
		}
	}
	g.scratch = scratch{at, bytes}
	return nil
}
