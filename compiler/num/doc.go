// Package num is the arithmetic of every dtype that Triton has, on slices of values. The constant
// folder calls it with slices of length one, the interpreter with whole tiles, so the two cannot
// disagree.
//
// # Values
//
// A [Vec] holds values in one of four slices, by the [Class] of their dtype. Values are canonical:
// integers of up to 32 bits are sign- or zero-extended into int32 (uint32 as its bit pattern),
// 64-bit ones are int64, narrow floats are fp32 values that their dtype has, a NaN among them one
// that a load can give. Kernels expect and produce canonical values, so a comparison of fp16 is one
// of fp32, an int8 sum is an int32 sum cut to a byte, and a store and a load change nothing. [Load]
// and [Store] go between this form and memory as torch lays it out; [Scalar] is a constant, kept as
// its memory image so that it compares.
//
// # Kernels
//
// [Binary], [Unary], [Compare], [Select], [Fma], [Cast] and [Bitcast] look up a function on
// vectors, which is nil if the operation has no meaning for the dtype. Look it up once and
// call it often: the lookup is an index into a table filled when the program starts. Kernels
// allocate nothing, never panic on any value, and write len(dst) elements. Each is a loop over one
// Go type, instantiated from a few generic bodies without a call inside. None may be a closure made
// in a package-level initializer: the compiler inlines nothing there. Where the processor has vectors,
// a loop of infra/vectorgen does what is whole vectors (vectors.go), and the one in Go the rest.
//
// # What is defined here that hardware leaves open
//
// Integer division by zero yields 0, the least integer by -1 wraps, a shift past the width gives 0
// or the sign, a float outside an integer's range saturates and NaN becomes 0. A float remainder
// is x - y*trunc(x/y) with one rounding at the end, which is what the GPU computes and differs
// from fmod for large quotients. Minimum and maximum come in two kinds that ignore or propagate
// NaN; both put -0 below +0.
//
// # Rounding
//
// Results of narrow floats are computed in fp32 and rounded again. For +, -, *, / and square root
// that equals one rounding, because 24 bits are twice the 11 of fp16 and two more; fused products,
// and casts from fp64 and from integers, are rounded to odd on their way down, so that they too
// are rounded once in effect. fp8 saturates: what is too large becomes the largest value, infinity
// included, as the GPU's conversions with satfinite do; fp8e5 has infinities only from memory.
//
// # Accuracy
//
// Functions of fp32 are rounded from fp64 and are the nearest value in all but one of thousands of
// cases. The GPU approximates: the recorded results of Triton lie within 1 unit in the last place
// of these for division, square roots, logarithms, sine and cosine, within 2 for exp2 and within 10
// for exp, whose argument it multiplies by log2(e) in fp32. The bounds are with their test in
// package types. Everything else, sums and scans in the GPU's order included, agrees bit for bit.
package num
