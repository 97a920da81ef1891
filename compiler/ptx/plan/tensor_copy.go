package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

// TensorCopy is a pipelined load that one thread issues for all, as tensor copies (TMA; PTX ISA, "Tensors" and
// "cp.async.bulk.tensor"): the tile is a box of a matrix whose rows are Row apart in memory, which the launch has
// proved (bounds.Proof.Pitch). The tensor map, which the host makes, has three dimensions:
//
//	0  the tile's contiguous dimension, as long as the tile's
//	1  units of 16 bytes from the start of the argument's storage: where the tile begins
//	2  the tile's other dimension, as long as the tile's
//
// so a tile may begin anywhere. Elements that the mask leaves out lie past the end of dimension 0 or 2, from where the
// copy fills with zeros: a tile with n elements within a limit begins at the coordinate size - n. What it begins with
// then lies before the tile, and has to be within the storage.
type TensorCopy struct {
	Fast   int          // the contiguous dimension of the tile
	Span   int          // bytes along it that one instruction copies: the width of the swizzle
	Limits []axis.Limit // what the mask says
}

// Limits of tensor copies (CUDA driver API, cuTensorMapEncodeTiled): a box has 256 elements at most along a dimension.
const (
	maxBox       = 256
	minSpanBytes = 32 // the narrowest swizzle
	maxSpanBytes = 128
)

// tensorCopy is a pipelined load as tensor copies, nil if it cannot be any.
func (e pipeliner) tensorCopy(in *ir.Instr, fast int, mem layout.Mem) *TensorCopy {
	v := in.Results[0]
	shape, bytes := v.Type.Shape, v.Type.DType.Info().Bytes
	if !e.p.Target.Arch.TMA || !e.p.Target.Boxes(in) || len(shape) != 2 {
		return nil
	}
	if e.facts.VectorAlong(in, fast)*bytes < MaxAccess || shape[1-fast] > maxBox || e.facts.Hinted(in) {
		return nil
	}
	span := min(maxSpanBytes, shape[fast]*bytes)
	limits, ok := axis.Limits(axis.Mask(in), e.p.Target.True)
	if !ok || span < minSpanBytes || !mem.Equal(layout.Atom(shape, fast, 8*bytes, span)) {
		return nil
	}
	return &TensorCopy{fast, span, limits}
}

// How long the products of an iteration must take the tensor cores for tensor copies to pay, in clocks for each warp of
// the program: warp 0 issues them, and all wait for it, less long if a dot stays in flight meanwhile. Then copies of
// whole rows of the widest swizzle always pay, and where warpgroups can take turns, which only tensor copies allow (4 %
// of attention with 64 columns). Measured on an H100 with matmuls, attention and kernels of public
// libraries: with a dot in flight, rows of 128 bytes gained 1 to 20 %, narrower ones below the limit lost up to 20 %;
// without, copies above the limit gained 1 to 11 %, and most below lost 1 to 11 %.
const (
	minClocksInFlight = 64
	minClocksPerWarp  = 128
	macBytesPerClock  = 4096 // multiply-adds of an SM's tensor cores times the size of an element (white paper of the H100)
)

// tensorsPay reports whether a loop's loads, one of whose dots may be delayed, had better be tensor copies.
func (e pipeliner) tensorsPay(r *Pipeline, delayed *Delay) bool {
	narrow := func(l *AsyncLoad) bool { return l.Tensor == nil || l.Tensor.Span < maxSpanBytes }
	least := minClocksPerWarp
	turns := delayed != nil && e.p.Target.Warps > WarpgroupWarps
	switch {
	case e.p.Target.EveryBox, (turns || r.DotInFlight != nil) && !slices.ContainsFunc(r.Loads, narrow):
		return true
	case r.DotInFlight != nil:
		least = minClocksInFlight
	}
	clocks := 0
	dots, _ := loopDots(r.Loop)
	for _, in := range dots {
		if d := e.p.Dots[in]; d.Unit == WGMMA {
			x, y := in.Operands[0].Type.Shape, in.Operands[1].Type.Shape
			clocks += volume(x) * y[1] * d.Elem[0].Info().Bytes / macBytesPerClock
		}
	}
	return clocks >= least*e.p.Target.Warps
}

// Tensors reports whether some of the loop's loads are tensor copies, and whether all are.
func (r *Pipeline) Tensors() (some, all bool) {
	all = true
	for _, l := range r.Loads {
		some, all = some || l.Tensor != nil, all && l.Tensor != nil
	}
	return some, all
}
