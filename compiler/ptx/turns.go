package ptx

import (
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// turns is ping-pong scheduling (plan.Pipeline.Turns): the warpgroups of a program issue their MMAs of an iteration one
// after the other, so that one warpgroup computes on its results while the tensor cores multiply for the next one. Left
// alone they come to their MMAs at the same time, and to their arithmetic too. Each warpgroup has a named barrier at
// which it waits for the one before it (PTX ISA, "bar"; barrier 0 is for all threads):
//
//	warpgroup 1:  bar.sync 2 | issue | bar.arrive 1 | arithmetic …
//	warpgroup 0:                       bar.sync 1   | tensor copies | issue | bar.arrive 2 | arithmetic …
//
// Warpgroup 0, whose warp 0 issues the tensor copies, is the last: by its turn all have issued this iteration's MMAs,
// for which they have waited for those of the iteration before. So the stage buffer that iteration i-2 has read, and
// that the copies fill (plan.Delay), is free, and no other barrier says so. A barrier for all threads in a turn would
// wait for warpgroups that wait for theirs: the plan lets none lie there (nothingWaits), and package asm refuses one.
type turns struct {
	e         *emitter
	own, next asm.Reg // b32: the barriers of this warpgroup and of the one after it
	group     asm.Reg // b32: this warpgroup's number
}

// newTurns begins with the turn of warpgroup 1, as if warpgroup 0 had just had its own.
func newTurns(e *emitter) *turns {
	t, groups := &turns{e: e}, e.plan.Target.Warps/plan.WarpgroupWarps
	e.Entry(func() {
		t.group = warpgroup(e.threadCode)
		t.own = e.Do("add.s32", asm.B32, asm.R(t.group), asm.I(1))
		after := e.Do("and.b32", asm.B32, asm.R(t.own), asm.I(int64(groups-1)))
		t.next = e.Do("add.s32", asm.B32, asm.R(after), asm.I(1))
	})
	first := e.Do("setp.eq.s32", asm.Pred, asm.R(t.group), asm.I(0))
	e.When(first, false, t.arrive)
	return t
}

// begin waits for this warpgroup's turn.
func (t *turns) begin() {
	t.wait()
	t.e.BeginDivergent()
}

// end makes it the next one's turn.
func (t *turns) end() {
	t.e.EndDivergent()
	t.arrive()
}

func (t *turns) wait()   { t.barrier("bar.sync", t.own) }
func (t *turns) arrive() { t.barrier("bar.arrive", t.next) }

// close takes the last turn that warpgroup 0 has ended, after the loop.
func (t *turns) close() {
	second := t.e.Do("setp.eq.s32", asm.Pred, asm.R(t.group), asm.I(1))
	t.e.When(second, false, t.wait)
}

// barrier is an operation on a barrier of two warpgroups, of which one arrives and the other waits.
func (t *turns) barrier(op string, id asm.Reg) {
	t.e.Effect(op, asm.R(id), asm.I(2*plan.WarpgroupWarps*warpSize))
}
