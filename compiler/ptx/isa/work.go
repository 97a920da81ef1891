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

// classes are those that an opcode, or the first parts of it, decides; the longest entry counts. The other opcodes are
// arithmetic of their last type.
var classes = map[string]Class{
	"cvt": Conversion,
	"mov": Move, "selp": Move, "slct": Move, "prmt": Move, "cvta": Move, "ld.param": Move, "shfl": Move,
	"createpolicy": Move,
	"ld":           MemoryAccess, "st": MemoryAccess, "atom": MemoryAccess, "red": MemoryAccess, "prefetch": MemoryAccess, "ldmatrix": MemoryAccess,
	"stmatrix": MemoryAccess, "cp.async": MemoryAccess,
	"mma": Tensor, "wgmma.mma_async": Tensor,
	"wgmma": Control, "cp.async.commit_group": Control, "cp.async.wait_group": Control, "cp.async.wait_all": Control,
	"bra": Control, "ret": Control, "exit": Control, "bar": Control, "barrier": Control, "membar": Control,
	"fence": Control, "trap": Control, "brkpt": Control, "nanosleep": Control, "setmaxnreg": Control,
}

var typeClasses = map[string]Class{
	"f16": Half, "f16x2": Half, "bf16": Half, "bf16x2": Half, "f32": Single, "f64": Double,
}

var laneFLOPs = map[string]int{"add": 1, "sub": 1, "mul": 1, "fma": 2, "mad": 2}

// WorkOf is the work of an opcode.
func WorkOf(op string) Work {
	for prefix, more := op, true; more; {
		if c, ok := classes[prefix]; ok {
			return Work{Class: c, WarpFLOPs: matrixFLOPs(c, op)}
		}
		end := strings.LastIndexByte(prefix, '.')
		if more = end >= 0; more {
			prefix = prefix[:end]
		}
	}
	base, _, _ := strings.Cut(op, ".")
	last := op[strings.LastIndexByte(op, '.')+1:]
	w := Work{Class: typeClasses[last]}
	if w.Class != Integer {
		w.LaneFLOPs = laneFLOPs[base]
	}
	if strings.HasSuffix(last, "x2") {
		w.LaneFLOPs *= 2
	}
	return w
}

// matrixFLOPs is a warp's part of the multiplications and additions of a matrix instruction.
func matrixFLOPs(c Class, op string) int {
	if c != Tensor {
		return 0
	}
	for _, part := range strings.Split(op, ".") {
		var m, n, k int
		if got, _ := fmt.Sscanf(part, "m%dn%dk%d", &m, &n, &k); got == 3 {
			if strings.HasPrefix(op, "wgmma") {
				m /= 4 // four warps share it
			}
			return 2 * m * n * k
		}
	}
	return 0
}
