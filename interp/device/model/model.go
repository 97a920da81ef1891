// Package model estimates the time of launches on a GPU, to choose between them before any is made: a few programs of
// each run on a simulated GPU, and lens.Launch.Expect computes an estimate from the counts of what they did.
package model

import (
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/lens"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
)

const (
	// sampled is how many programs of a launch are simulated.
	sampled = 2
	// deadline bounds the simulation of a sample.
	deadline = 5 * time.Minute
	// memoryBytes bounds the tensors. Pages that nobody writes to take no memory of this process.
	memoryBytes = 1 << 40
)

// Model is a device that runs only some programs of a launch. Its memory is of no use after that; Restore leaves memory
// of this process as it was.
type Model struct {
	*gpu.InPlace
	on   *arch.GPU
	last *Sample
}

// New makes a model of a GPU. It is for one goroutine.
func New(on *arch.GPU) *Model {
	m := &Model{on: on}
	m.InPlace = gpu.OpenInPlace(gpu.SimulatorOptions{Target: on.Target, MemoryBytes: memoryBytes, Sample: sampled},
		gpu.Options{Deadline: deadline, Counted: func(fn *ir.Func, module *ptx.Module, l *gpu.Launch) {
			m.last = &Sample{fn, module, l, on}
		}})
	return m
}

// Last is the sample of the last launch that ended without a fault; nil before there is one.
func (m *Model) Last() *Sample { return m.last }

// Sample is what was compiled for a launch, and what some of its programs did.
type Sample struct {
	Func   *ir.Func
	Module *ptx.Module
	Launch *gpu.Launch
	on     *arch.GPU
}

// Expect is what the whole launch may take, for the options that it was compiled with and the bytes of its tensors.
func (s *Sample) Expect(o device.Options, bytes float64) lens.Expected {
	plan := ptx.Plan(s.Func, ptx.Options{Target: s.Module.Target, NumWarps: o.NumWarps, NumStages: o.NumStages})
	grid := s.Launch.Grid
	l := lens.Launch{Module: s.Module, Programs: grid[0] * grid[1] * grid[2], Stages: o.NumStages,
		Pressure: plan.Pressure().Registers, Bytes: bytes, Sample: s.Launch.Counts}
	return l.Expect(s.on)
}
