// Package scalar is the arithmetic of one element in PTX: an operation, a dtype and registers in,
// instructions and a register out. It follows package num bit for bit where IEEE 754 defines the
// result, and within the bounds that its tests state where the GPU approximates.
//
// # Values in registers
//
// Integers are canonical: sign- or zero-extended to their register by their dtype. An int1 is a
// predicate. Floats are their bits; an fp8 is zero-extended to 16 bits. Arithmetic of fp8, and of
// bf16 but for what every target has, goes through fp32 and rounds again, as num's does.
//
// # Fusion
//
// Sums and products carry no rounding modifier, so the assembler may fuse them, as Triton lets it.
// Sequences in this package that rely on single roundings say .rn.
//
// # Accuracy
//
// In units in the last place from the correct result, beyond what the approximate instructions in it
// err (the PTX ISA says 2 for each of them). Everything that is not listed is exact or rounded once.
//
//	fp32   exp          1 + what rounding x·log2(e) costs: 3 for |x| below 4, 60 at most
//	       log, log2    1
//	       sin, cos     1, at any distance from 0
//	       erf          2
//	       div, sqrt, rsqrt, exp2  the instruction alone
//	fp64   exp, exp2, log, log2, erf, rsqrt  1
//	       sin, cos     2, at any distance from 0
//	fp16, bf16, fp8     fp32's, rounded: the neighbor of the correct result at worst
//
// Powers of fp32 below 2^-126 are 0.
package scalar

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// Class is the class of the registers that hold a d.
func Class(d num.DType) asm.Class {
	info := d.Info()
	switch {
	case info.Bits == 1:
		return asm.Pred
	case info.Bits <= 16:
		return asm.B16
	case info.Bits == 32:
		return asm.B32
	}
	return asm.B64
}

// Const is a register that holds s.
func Const(p *asm.Program, s num.Scalar) asm.Reg {
	return gen{p}.constant(s)
}

// Supports reports whether op has a meaning for elements of dtype d.
func Supports(op ops.Op, d num.DType) bool { return codeOf(op, d) != nil }

// Op applies an elementwise operation, add to select in package ops, to operands of dtype d; the
// condition of a select is an int1. Comparisons give an int1, everything else a d. In min and max a
// NaN loses. Pairs that Supports denies are not allowed.
func Op(p *asm.Program, op ops.Op, d num.DType, x ...asm.Reg) asm.Reg {
	return codeOf(op, d)(gen{p}, x)
}

// OpNaN is Op but for min and max of floats, in which a NaN wins.
func OpNaN(p *asm.Program, op ops.Op, d num.DType, x ...asm.Reg) asm.Reg {
	if c := propagating[op]; c.single != nil && d.Info().Float {
		return c.of(d)(gen{p}, x)
	}
	return Op(p, op, d, x...)
}

// Compare is x op y for op eq, ne, lt, le, gt or ge. Offsets of pointers compare as int64.
func Compare(p *asm.Program, op ops.Op, d num.DType, x, y asm.Reg) asm.Reg {
	return Op(p, op, d, x, y)
}

// Select is x where cond holds, else y.
func Select(p *asm.Program, d num.DType, cond, x, y asm.Reg) asm.Reg {
	return Op(p, ops.Select, d, cond, x, y)
}

// Cast converts a from to a to on num.Cast's terms.
func Cast(p *asm.Program, from, to num.DType, rounding num.Rounding, x asm.Reg) asm.Reg {
	return gen{p}.cast(from, to, rounding, x)
}

// Bitcast reads the bits of a from as a to of the same width.
func Bitcast(p *asm.Program, from, to num.DType, x asm.Reg) asm.Reg {
	if to.Info().Bits == 8 {
		return gen{p}.canonical(to, x)
	}
	return x
}

func codeOf(op ops.Op, d num.DType) code { return table[op].of(d) }
