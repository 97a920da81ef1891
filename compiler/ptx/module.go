package ptx

import (
	"cmp"
	"errors"
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/source"
)

// Defaults are Triton's.
const (
	defaultWarps  = 4
	defaultStages = 3
	warpSize      = 32
)

// Plan is how Compile compiles a verified function; it numbers its values.
func Plan(fn *ir.Func, opt Options) *plan.Plan {
	fn.Number()
	return planOf(fn, opt.withDefaults(), factsOf(fn, opt))
}

// TritonShared is how much shared memory Triton allocates at least for a program of a verified function, and how much a
// program may have, or 0 of both for a target that newt does not know; it numbers the function's values.
func TritonShared(fn *ir.Func, opt Options) (required, limit int) {
	fn.Number()
	opt = opt.withDefaults()
	if arch.Find(opt.Target) == nil { // a runner's GPU may be newer than this newt
		return 0, 0
	}
	return plan.TritonShared(fn, opt.target(fn), factsOf(fn, opt)), sharedLimit(opt)
}

func planOf(fn *ir.Func, opt Options, facts *axis.Facts) *plan.Plan {
	return plan.Make(fn, opt.target(fn), facts)
}

// target is what to plan for.
func (opt Options) target(fn *ir.Func) plan.Target {
	return plan.Target{Arch: arch.Find(opt.Target), Warps: opt.NumWarps, Stages: opt.NumStages,
		Shared: sharedLimit(opt), Reserved: opt.reserved, InRegisters: opt.inRegisters,
		MmaSync: opt.MmaSync, Exact: opt.Exact, Launch: opt.Launch, EveryBox: opt.EveryBox, Record: opt.Record,
		Persistent: opt.Persistent && reportsNothing(fn, opt)}
}

// reportsNothing reports whether all accesses of a function are proved, and all its loops bounded.
func reportsNothing(fn *ir.Func, opt Options) bool {
	nothing := opt.Proved != nil && opt.Bounded != nil
	fn.Body.Walk(func(in *ir.Instr) {
		nothing = nothing && (!axis.Accesses(in) || opt.Proved(in)) && (in.Op != ops.For || opt.Bounded(in))
	})
	return nothing
}

// factsOf analyses fn.
func factsOf(fn *ir.Func, opt Options) *axis.Facts {
	if opt.Signed {
		return axis.AnalyzeSigned(fn)
	}
	return axis.Analyze(fn)
}

func (opt Options) withDefaults() Options {
	opt.Target = cmp.Or(opt.Target, arch.Default)
	opt.NumWarps = cmp.Or(opt.NumWarps, defaultWarps)
	opt.NumStages = cmp.Or(opt.NumStages, defaultStages)
	return opt
}

// newEmitter analyses fn and plans it.
func newEmitter(fn *ir.Func, opt Options) *emitter {
	fn.Number()
	facts := factsOf(fn, opt)
	return emitterFor(planOf(fn, opt, facts), opt)
}

// emitterFor is an emitter for a plan.
func emitterFor(p *plan.Plan, opt Options) *emitter {
	code := &threadCode{Program: &asm.Program{Name: entryName(p.Func.Name), Threads: warpSize * opt.NumWarps,
		MinPrograms: p.MinPrograms(), Target: opt.Target, Limit: MaxInstructions, SharedLimit: sharedLimit(opt),
		SharedBytes: p.SharedBytes, SharedAlign: p.SharedAlign},
		reversed: p.Reversed}
	return &emitter{
		bindings: newBindings(&tileCode{code}, p), fn: p.Func, opt: opt, facts: p.Facts,
		params: &parameters{threadCode: code, firstZero: opt.FirstZero, extents: map[extentKey]asm.Reg{},
			tensors: map[*ir.Instr]*tensorMap{}},
		reports: &reporter{threadCode: code}, staged: map[*ir.Value]sharedTile{}, words: map[*ir.Value]*lazyRegs{},
		ranges: map[*plan.AsyncLoad]addressRange{}, broadcasts: map[*ir.Instr]*laneBroadcasts{},
	}
}

// sharedLimit is the shared memory that a program may have, in bytes.
func sharedLimit(opt Options) int {
	limit := arch.Find(opt.Target).BlockShared()
	if opt.Shared > 0 {
		limit = min(limit, opt.Shared)
	}
	return limit
}

// entryName is a kernel's name in the characters of PTX identifiers, and none that the text has for something else.
func entryName(name string) string {
	safe := []byte(name)
	for i, c := range safe {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_') {
			safe[i] = '_'
		}
	}
	if slices.Contains(asm.Reserved, string(safe)) {
		safe = append(safe, '_')
	}
	return string(safe)
}

// emitFunction emits the kernel: what is known of the thread and the parameters, in the entry; then the body, in the
// layouts that have been assigned.
func (e *emitter) emitFunction() {
	e.Entry(func() {
		e.tid = e.Do("mov.u32", asm.S("%tid.x"))
		e.lane = e.Do("and.b32", asm.R(e.tid), asm.I(warpSize-1))
		e.warp = e.Do("shr.u32", asm.R(e.tid), asm.I(5))
		e.readParams()
	})
	e.emitBlock(e.fn.Body)
	e.Effect("ret")
}

// finishModule makes the module of the program.
func (e *emitter) finishModule() (*Module, error) {
	text, lines, err := asm.Finish(e.Program)
	var much *asm.SharedError
	if errors.As(err, &much) {
		return nil, &Error{Code: "shared-memory", Args: []any{e.fn.Name, much.Need, much.Have}}
	}
	if err != nil {
		return nil, &Error{Code: "internal-error", Args: []any{err.Error()}}
	}
	// The host knows the function that was planned.
	for i := range e.reports.sites {
		e.reports.sites[i].In = e.plan.Source(e.reports.sites[i].In)
	}
	for i := range e.prints {
		e.prints[i].In = e.plan.Source(e.prints[i].In)
	}
	for _, m := range e.params.tensors {
		m.Load = e.plan.Source(m.Load)
	}
	return &Module{
		Text: text, Lines: lines, Entry: e.Name, Target: e.opt.Target, Threads: e.Threads, Shared: e.SharedBytes,
		Params: e.params.declared, Sites: e.reports.sites, PrintSites: e.prints,
		Layouts: e.layoutListing(), Warnings: e.plan.Warnings,
		Persistent: e.plan.Persistent != nil,
	}, nil
}

// layoutListing is the layouts in which tiles are kept, in the order of the code.
func (e *emitter) layoutListing() (list []Layout) {
	type placed struct {
		id int
		in *layout.Layout
	}
	listed := map[placed]bool{} // once, what is computed for several iterations
	plan.EachValue(e.fn, func(v *ir.Value) {
		at := placed{e.plan.SourceID(v), v.Layout}
		if v.Layout == nil || v.Type.IsScalar() || at.id < 0 || listed[at] {
			return
		}
		listed[at] = true
		var span source.Span
		if v.Def != nil {
			span = v.Def.Span
		}
		list = append(list, Layout{*v.Layout, v.Name, at.id, v.Type, span})
	})
	return list
}
