package isa

import (
	"fmt"
	"strings"
)

// Class says what kind of work an instruction is.
type Class uint8

// The classes.
const (
	Integer      Class = iota // arithmetic, logic and comparison of integers and predicates
	Half                      // arithmetic of fp16 and bf16
	Single                    // of fp32
	Double                    // of fp64
	Tensor                    // matrix multiply-accumulate
	Conversion                // between types
	Move                      // of registers, parameters and values of other lanes
	MemoryAccess              // global, shared and local
	Control                   // branches, barriers, fences, waits
	NumClasses
)

var classNames = [NumClasses]string{"int", "fp16", "fp32", "fp64", "tensor", "convert", "move", "memory", "control"}

func (c Class) String() string { return classNames[c] }

// Work is what one warp instruction does.
type Work struct {
	Class     Class
	LaneFLOPs int // of each active lane: additions and multiplications of floats, two for a fused one
	WarpFLOPs int // of the warp as a whole: those of tensor cores
}

// byType is the class of sections whose opcodes are arithmetic of their last type.
const byType = NumClasses

func (o *Op) work() Work {
	w := Work{Class: o.class, LaneFLOPs: o.FLOPs}
	last := o.Words[len(o.Words)-1]
	if o.class == byType {
		w.Class = types[last].class
	}
	if strings.HasSuffix(last, "x2") {
		w.LaneFLOPs *= 2
	}
	w.WarpFLOPs = 2 * warpRows * o.Shape[1] * o.Shape[2]
	return w
}

// shapeOf is the M, N and K of a matrix multiplication, 0 of all else.
func shapeOf(words []string) (shape [3]int) {
	for _, word := range words {
		fmt.Sscanf(word, "m%dn%dk%d", &shape[0], &shape[1], &shape[2])
	}
	return shape
}

// warpRows is the rows of a matrix multiplication that a warp has: four warps share the 64 of wgmma.
const warpRows = 16
