// Package types holds the types of values in kernels (scalars, tiles and pointers) and Triton's
// rules about them as tables: which dtype an operator computes in, what it yields, which shapes
// meet, and what is refused.
//
// # Promotion
//
// [Promote] takes two operands and an operator class. An [Operand] is a tensor or a Python number;
// a 0-d tensor, such as a float argument of the kernel, promotes as a tile does. A number whose
// kind (bool, integer, float) is not above the tensor's takes no part in promotion, so x + 1.5
// stays fp16; otherwise it counts with the smallest dtype that holds it. Some functions turn
// numbers into tensors first, and with them 1.5 is an fp32: comparisons, maximum, minimum, clamp,
// fma, fdiv, div_rn and umulhi. Hence int8 < 300 compares as int32 and holds everywhere, while
// int8 + 300 is refused.
//
// Among tensors the wider float wins; bf16 with anything but bf16 computes in fp32, but with fp16
// in fp16; integers follow C without its promotion to int. Divisions widen 16-bit floats to fp32
// and refuse integers of different signedness. [Promotion] names the dtype that both operands are
// converted to and the result's.
//
// Two surprises come from the recording. x >> y moves the sign in when the tensor whose operator
// runs is signed, even where the common dtype is unsigned: [ShiftRight]. And max and min of
// anything narrower than 32 bits, uint16 included, are int32 or fp32, while sum keeps signedness
// and 16-bit floats: [Reduce].
//
// # Refusals
//
// A [Refusal] is a value: a code, arguments, and Triton's own words. Whoever has a source position
// makes a diagnostic of it. Runs marks refusals that come from the far end of Triton's compiler
// although the meaning is clear (arithmetic on fp8, fma on integers, a small dot): there the
// types are given too, and a caller may go on with a warning.
//
// The rules are tested case by case against what Triton 3.6 answered on a GPU: 6,593 of them, in
// compiler/internal/golden. Where its documentation and the recording differ, the tables follow
// the recording.
package types
