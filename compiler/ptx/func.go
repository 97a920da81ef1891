package ptx

import (
	"errors"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/source"
)

// Defaults are Triton's.
const (
	defaultWarps  = 4
	defaultStages = 3
	warpSize      = 32
)

func newEmitter(fn *ir.Func, opt Options) *emitter {
	if opt.NumWarps == 0 {
		opt.NumWarps = defaultWarps
	}
	if opt.NumStages == 0 {
		opt.NumStages = defaultStages
	}
	n := fn.Number()
	e := &emitter{
		Program: &asm.Program{Name: entryName(fn.Name), Threads: warpSize * opt.NumWarps, Target: opt.Target,
			Limit: MaxInstructions, SharedLimit: sharedLimit(opt)},
		fn: fn, opt: opt, control: axis.Control(fn),
		dotPlans: planDots(fn, opt), fetched: map[*ir.Value]sharedTile{},
		limits: map[bound]asm.Reg{}, pending: unordered{}, elems: make([][]elem, n),
		vals: make([][]asm.Reg, n), ptrs: make([]pointer, n), copies: make([][]version, n),
	}
	if e.facts = axis.Analyze(fn); opt.Signed {
		e.facts = axis.AnalyzeSigned(fn)
	}
	return e
}

// sharedLimit is what shared memory a program may have.
func sharedLimit(opt Options) int {
	limit := asm.BlockShared(opt.Target)
	if opt.Shared > 0 {
		limit = min(limit, opt.Shared)
	}
	return limit
}

// entryName is a kernel's name in letters that PTX has.
func entryName(name string) string {
	safe := []byte(name)
	for i, c := range safe {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_') {
			safe[i] = '_'
		}
	}
	return string(safe)
}

// function emits the kernel.
func (e *emitter) function() {
	e.Early(func() {
		e.tid = e.Do("mov.u32", asm.B32, asm.S("%tid.x"))
		e.lane = e.Do("and.b32", asm.B32, asm.R(e.tid), asm.I(warpSize-1))
		e.warp = e.Do("shr.u32", asm.B32, asm.R(e.tid), asm.I(5))
		e.parameters()
	})
	e.assign()
	e.block(e.fn.Body)
	e.Effect("ret")
}

// finish makes the module of what was emitted.
func (e *emitter) finish() (*Module, error) {
	text, lines, shared, err := asm.Finish(e.Program)
	var much *asm.SharedError
	if errors.As(err, &much) {
		return nil, &Error{Code: "shared-memory", Args: []any{e.fn.Name, much.Need, much.Have}}
	}
	if err != nil {
		return nil, &Error{Code: "internal-error", Args: []any{err.Error()}}
	}
	return &Module{
		Text: text, Lines: lines, Entry: e.Name, Threads: e.Threads, Shared: shared, Params: e.params,
		Sites: e.sites, PrintSites: e.prints, Target: e.opt.Target, Layouts: e.listing(), Warnings: e.warnings,
	}, nil
}

// listing says in which layouts tiles are kept.
func (e *emitter) listing() (list []Layout) {
	e.eachValue(func(v *ir.Value) {
		if v.Type.IsScalar() {
			return
		}
		var at source.Span
		if v.Def != nil {
			at = v.Def.Span
		}
		add := func(l layout.Layout) {
			list = append(list, Layout{l, v.Name, v.ID, v.Type, at})
		}
		if e.wanted[v.ID] || !e.again[v.ID] {
			add(e.layouts[v.ID])
		}
		for _, c := range e.copies[v.ID] {
			add(c.layout)
		}
	})
	return list
}
