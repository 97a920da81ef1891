package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// takeTurns makes ping-pong scheduling (Pipeline.Turns) part of the function: the warpgroups of a program issue their
// MMAs of an iteration one after the other, so that one warpgroup computes on its results while the tensor cores
// multiply for the next one. Left alone they come to their MMAs at the same time, and to their arithmetic too. Each
// warpgroup has a named barrier at which it waits for the one before it (PTX ISA, "bar"; barrier 0 is for all threads):
//
//	warpgroup 1:  wait 2 | issue | arrive 1 | arithmetic …
//	warpgroup 0:                   wait 1   | tensor copies | issue | arrive 2 | arithmetic …
//
// Warpgroup 0, whose warp 0 issues the tensor copies, is the last: by its turn all have issued this iteration's MMAs,
// for which they have waited for those of the iteration before. So the stage buffer that iteration i-2 has read, and
// that the copies fill (Delay), is free, and no other barrier says so. A barrier for all threads in a turn would wait
// for warpgroups that wait for theirs: none lies there (nothingWaits), and package asm refuses one. What threads have
// stored for the loop is there for all at the barrier before it.
func (p *Plan) takeTurns() {
	p.eachPipeline(func(s *stager) bool {
		if s.r.Turns {
			s.takeTurns()
		}
		return s.r.Turns
	})
}

// takeTurns appends the loop with turns in place of its barrier. They begin with warpgroup 1, as if warpgroup 0 had
// just had its own, and end with the one that it leaves.
func (s *stager) takeTurns() {
	body := s.r.Loop.Regions[0]
	one := s.constant(num.Int32, 1)
	group := s.emit(ops.WarpgroupID, s.p.scalarLayout(), nil).Results[0]
	own := s.scalar(ops.Add, group, one)
	groups := s.constant(num.Int32, int64(s.p.Target.Warps/WarpgroupWarps-1))
	next := s.scalar(ops.Add, s.scalar(ops.And, own, groups), one)
	// Of the two warpgroups of a barrier one arrives and the other waits.
	two := ir.Attr{Name: "threads", Value: int64(2 * WarpgroupWarps * warpSize)}
	s.emit(ops.Barrier, nil, nil)
	s.emit(ops.NamedBarrierArrive, nil, []*ir.Value{next, s.scalar(ops.Eq, group, s.constant(num.Int32, 0))}, two)
	before := s.list
	s.list = nil
	wait := s.emit(ops.NamedBarrierWait, nil, []*ir.Value{own}, two)
	arrive := s.emit(ops.NamedBarrierArrive, nil, []*ir.Value{next}, two)
	body.Instrs[slices.Index(body.Instrs, s.r.Meet)] = wait
	body.Instrs = slices.Insert(body.Instrs, slices.Index(body.Instrs, s.r.Delay.After)+1, arrive)
	s.list = append(before, s.r.Loop)
	s.emit(ops.NamedBarrierWait, nil, []*ir.Value{own, s.scalar(ops.Eq, group, one)}, two)
}
