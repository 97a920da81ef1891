package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// pass is one step from a function, and the facts about it, to a plan.
type pass struct {
	name  string
	after string // the names of passes whose decisions it needs
	why   string
	run   func(*Plan)
}

// decisions are the passes that decide, in the order in which they run. The second one makes the placed function, which
// all later ones are about.
var decisions = []pass{
	{"dots", "", "how each dot is done: warpgroup MMA, mma.sync or multiply-adds of threads",
		func(p *Plan) { p.Dots = planDots(p.Func, p.Target, p.Facts) }},
	{"layouts", "dots", "the layout of every tile, and the placed function: rematerialization, convert_layout",
		func(p *Plan) { p.place(p.assignLayouts(p.Facts)) }},
	{"scaled_maxima", "layouts", "maxima that are taken before a scale", (*Plan).scaleMaxima},
	{"partial_sums", "layouts", "loops that add up each thread's part of sums, which are reduced behind them",
		(*Plan).partialSums},
	{"control", "partial_sums", "what decides control flow, which all threads decide alike",
		func(p *Plan) { p.control = axis.Control(p.Func) }},
	{"pipelines", "control", "software pipelining: loops, loads, stages; dots in flight, delayed dots, turns",
		(*Plan).planPipelines},
	{"in_place", "pipelines", "dots that overwrite their accumulators", (*Plan).planInPlace},
	{"proved", "pipelines", "comparisons that are not made, since the launch has proved them", (*Plan).planTrue},
	{"mask_skips", "proved", "selects that a warp branches around", (*Plan).planMaskSkips},
	{"order", "layouts", "which programs run first", (*Plan).planProgramOrder},
	{"persistent", "pipelines order", "whether thread blocks run one program after the other", (*Plan).planPersistent},
}

// rewrites are the passes that make decisions operations of the placed function.
var rewrites = []pass{
	{"programs", "persistent", "the loop of a persistent thread block over its programs", (*Plan).persist},
	{"stages", "programs", "stage buffers of pipelined loops, their copies and waits", (*Plan).stage},
	{"operands", "stages in_place", "operands of dots where those read them, warpgroup MMAs and their waits",
		(*Plan).placeOperands},
	{"turns", "operands", "warpgroups that take turns to issue their MMAs", (*Plan).takeTurns},
	{"delay", "turns", "dots that are issued one iteration late, and a first iteration without", (*Plan).delay},
	{"words", "delay", "tiles that warpgroup MMAs alone take, in words of registers", (*Plan).planWords},
	{"scratch", "delay", "how elements go between threads, and scratch memory for that; control flow as in thread 0",
		(*Plan).PlaceScratch},
	{"number", "scratch", "the numbers of values, and the facts by them", (*Plan).number},
	{"checks", "number", "accesses that are checked, vector by vector or by the range of their addresses",
		(*Plan).planChecks},
	{"counts", "number", "loops that count their iterations down", (*Plan).planCounts},
	{"memory", "number", "where in shared memory each buffer is", (*Plan).Allocate},
	{"barriers", "memory", "barriers between accesses to memory that conflict", (*Plan).placeBarriers},
	{"fences", "barriers", "warpgroup MMAs that are fenced", (*Plan).planFences},
}

// placing are the passes that change the placed function.
var placing = []string{"layouts", "scaled_maxima", "partial_sums", "programs", "stages", "operands", "turns", "delay", "scratch", "memory",
	"barriers"}

func (p *Plan) run(passes []pass) {
	for _, x := range passes {
		x.run(p)
		if p.Target.Record && slices.Contains(placing, x.name) {
			p.record(x)
		}
	}
}

// record records the function behind a pass. A value has the same name in all stages, a number if it has none.
func (p *Plan) record(x pass) {
	var numbers []int
	EachValue(p.Func, func(v *ir.Value) {
		numbers = append(numbers, v.ID)
		if p.named[v] {
			return
		}
		name := v.Name
		for i := 2; p.names[v.Name] || v.Name == ""; i++ {
			if v.Name = fmt.Sprint(len(p.named)); name != "" {
				v.Name = fmt.Sprint(name, "#", i)
			}
		}
		p.named[v], p.names[v.Name] = true, true
	})
	p.Stages.IR(x.name, x.why, p.Func)
	EachValue(p.Func, func(v *ir.Value) { v.ID, numbers = numbers[0], numbers[1:] })
}

// Passes is a drawing of the passes: each with those that it needs, and what it decides or makes.
func Passes() string {
	var sb strings.Builder
	for _, x := range append(decisions[:len(decisions):len(decisions)], rewrites...) {
		fmt.Fprintf(&sb, "   %21s → %-13s %s\n", x.after, x.name, x.why)
	}
	return sb.String()
}
