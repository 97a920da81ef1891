// Package arch is a table of the targets that newt makes PTX for, and of GPUs. What the plan, the assembler, the
// simulator, the driver or Lens has to know of a target stands in its row. Which instructions it has stands in theirs:
// package isa has the least target of each.
package arch

import (
	"slices"
	"strings"
)

// Target is what code for one PTX target may use, and what its GPUs have.
type Target struct {
	Name       string // as .target has it: "sm_90a"
	Capability int    // the least compute capability that runs its code, times ten: 90 is 9.0
	Specific   bool   // architecture-specific: GPUs of that compute capability alone run its code
	Version    int    // the least of the PTX ISA, times ten (PTX ISA, "Release Notes"): 80 is 8.0

	FP8       bool // conversions of fp8, two at a time
	VectorRed bool // additions of bf16 in memory, and of several floats at once
	Stmatrix  bool
	TMA       bool // tensor copies
	Wgmma     bool // warpgroup MMA from shared memory
	Tcgen05   bool // its successor, which newt does not emit

	// What a multiprocessor has (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
	Blocks, Threads int // at a time
	Shared          int // bytes of shared memory

	// Warp instructions of a multiprocessor in a clock, by arithmetic: of fp16 on pairs (CUDA C++ Programming Guide,
	// "Throughput of Native Arithmetic Instructions").
	Half, Single, Double float64
	// Tensor is the FLOPs of tensor cores in a clock, of fp16 products without sparsity (the architectures' white
	// papers); 0 where GPUs of the target differ in it.
	Tensor float64
}

// What a multiprocessor of every target has: registers, and bytes of its shared memory that the system keeps for each
// block.
const (
	Registers      = 64 << 10
	ReservedShared = 1 << 10
)

// BlockShared is how much shared memory a block may have, in bytes.
func (t *Target) BlockShared() int { return t.Shared - ReservedShared }

// Default is the target of code that is made where no GPU is: that of the H100.
const Default = "sm_90a"

// Targets are in the order of their capabilities. ptxas 12.4, which CI has, knows the PTX ISA up to 8.4: nobody has
// assembled code for the targets that need more. It differs from that for sm_90 in its head alone, and shared memory.
var Targets = []Target{
	{Name: "sm_80", Capability: 80, Version: 70, Blocks: 32, Threads: 2048, Shared: 164 << 10,
		Half: 4, Single: 2, Double: 1, Tensor: 2048},
	{Name: "sm_86", Capability: 86, Version: 71, Blocks: 16, Threads: 1536, Shared: 100 << 10,
		Half: 2, Single: 4, Double: 1. / 16},
	{Name: "sm_89", Capability: 89, Version: 78, FP8: true, Blocks: 24, Threads: 1536, Shared: 100 << 10,
		Half: 2, Single: 4, Double: 1. / 16},
	{Name: "sm_90", Capability: 90, Version: 78, FP8: true, VectorRed: true, Stmatrix: true, TMA: true,
		Blocks: 32, Threads: 2048, Shared: 228 << 10, Half: 4, Single: 4, Double: 2, Tensor: 4096},
	{Name: "sm_90a", Capability: 90, Specific: true, Version: 80, FP8: true, VectorRed: true, Stmatrix: true, TMA: true,
		Wgmma: true, Blocks: 32, Threads: 2048, Shared: 228 << 10, Half: 4, Single: 4, Double: 2, Tensor: 4096},
	{Name: "sm_100", Capability: 100, Version: 86, FP8: true, VectorRed: true, Stmatrix: true, TMA: true,
		Blocks: 32, Threads: 2048, Shared: 228 << 10, Half: 4, Single: 4, Double: 2, Tensor: 8192},
	{Name: "sm_100a", Capability: 100, Specific: true, Version: 86, FP8: true, VectorRed: true, Stmatrix: true,
		TMA: true, Tcgen05: true, Blocks: 32, Threads: 2048, Shared: 228 << 10, Half: 4, Single: 4, Double: 2, Tensor: 8192},
	{Name: "sm_120", Capability: 120, Version: 87, FP8: true, VectorRed: true, Stmatrix: true, TMA: true,
		Blocks: 24, Threads: 1536, Shared: 100 << 10, Half: 2, Single: 4, Double: 1. / 16},
}

// Find is the row of a target, nil if newt makes no code for it.
func Find(name string) *Target { return find(Targets, func(t *Target) bool { return t.Name == name }) }

// Best is the target of the newest code that GPUs of a compute capability run, times ten; nil where none does.
func Best(capability int) (best *Target) {
	for i := range Targets {
		if t := &Targets[i]; t.runsOn(capability) {
			best = t
		}
	}
	return best
}

func (t *Target) runsOn(capability int) bool {
	return capability == t.Capability || capability > t.Capability && !t.Specific
}

// Has reports whether the target has all instructions of another one.
func (t *Target) Has(o *Target) bool { return t == o || !o.Specific && t.Capability >= o.Capability }

// Names are the names of the targets.
func Names() (list []string) {
	for _, t := range Targets {
		list = append(list, t.Name)
	}
	return list
}

// GPU is a product, by the figures of its data sheet.
type GPU struct {
	Name            string
	Target          string // what newt makes for it
	Multiprocessors int
	Boost           float64 // clock, in hertz
	Load            float64 // clock that estimates count with
	Bytes           float64 // a second, of its memory
	Tensor          float64 // FLOPs a second of its tensor cores: fp16 products, fp32 sums, without sparsity
}

// GPUs begins with that of Default. The figures are those of NVIDIA's data sheets of the A100 80GB SXM, L40S, H100 SXM,
// H200 SXM and HGX B200 (of one of its eight), and of the white papers of the GeForce RTX 4090 (Ada, appendix A) and
// RTX 5090 (RTX Blackwell, appendix A).
var GPUs = []GPU{
	{"H100 SXM", "sm_90a", 132, 1.98e9, 1.755e9, 3.35e12, 989.4e12},
	{"H200 SXM", "sm_90a", 132, 1.98e9, 1.755e9, 4.8e12, 989.4e12},
	{"A100 SXM", "sm_80", 108, 1.41e9, 1.41e9, 2.039e12, 312e12},
	{"L40S", "sm_89", 142, 2.52e9, 2.52e9, 864e9, 362e12},
	{"RTX 4090", "sm_89", 128, 2.52e9, 2.52e9, 1.008e12, 165.2e12},
	{"B200", "sm_100a", 148, 1.98e9, 1.98e9, 7.7e12, 2.25e15},
	{"RTX 5090", "sm_120", 170, 2.407e9, 2.407e9, 1.792e12, 209.5e12},
}

// FindGPU is the row of the GPU that a name names, as its driver does or a person: "NVIDIA H100 80GB HBM3", "h100". It
// is nil if there is none.
func FindGPU(name string) *GPU {
	return find(GPUs, func(g *GPU) bool {
		return strings.Contains(strings.ToLower(name), strings.ToLower(strings.TrimSuffix(g.Name, " SXM")))
	})
}

// GPUs are those that newt makes the target's code for; where there are none, those that run it.
func (t *Target) GPUs() []GPU {
	of := func(runs func(on *Target) bool) []GPU {
		return slices.DeleteFunc(slices.Clone(GPUs), func(g GPU) bool { return !runs(Find(g.Target)) })
	}
	if own := of(func(on *Target) bool { return on == t }); len(own) > 0 {
		return own
	}
	return of(func(on *Target) bool { return t.runsOn(on.Capability) })
}

func find[T any](rows []T, is func(*T) bool) *T {
	for i := range rows {
		if is(&rows[i]) {
			return &rows[i]
		}
	}
	return nil
}
