package main

import (
	"encoding/binary"
	"math"
)

// Instructions that vectors.go writes; those on vectors stand behind a prefix (WebAssembly core specification, 5.4).
const (
	opI64Load   = 0x29
	opI32Store8 = 0x3a
	opF64Const  = 0x44
	opI32Shl    = 0x74
	opI32Wrap   = 0xa7

	vectorPrefix     = 0xfd
	v128Load         = 0x00
	v128Load32Splat  = 0x09
	v128Load64Splat  = 0x0a
	v128Store        = 0x0b
	f64x2Splat       = 0x14
	i32x4ExtractLane = 0x1b
	v128Andnot       = 0x4f
	v128Load64Lane   = 0x57
	v128Store64Lane  = 0x5b
	v128Load64Zero   = 0x5d
	f32x4Demote      = 0x5e // of two fp64, and two zeros
	f64x2Promote     = 0x5f // of the first two fp32
	i64x2Shl         = 0xcb
	i64x2Add         = 0xce
	f32x4Add         = 0xe4
	f32x4Mul         = 0xe6
	f64x2Add         = 0xf0
	f64x2Sub         = 0xf1
	f64x2Mul         = 0xf2
	f64x2PMin        = 0xf6
	f64x2PMax        = 0xf7

	typeV128 = 0x7b
)

// vectorImmediates says what follows an instruction on vectors: a place in memory is two numbers, a lane is one.
var vectorImmediates = map[uint64]immediates{
	v128Load: {numbers: 2}, v128Load32Splat: {numbers: 2}, v128Load64Splat: {numbers: 2}, v128Load64Zero: {numbers: 2},
	v128Store: {numbers: 2}, v128Load64Lane: {numbers: 3}, v128Store64Lane: {numbers: 3}, i32x4ExtractLane: {numbers: 1},
	f64x2Splat: {}, v128Andnot: {}, f32x4Demote: {}, f64x2Promote: {}, i64x2Shl: {}, i64x2Add: {},
	f32x4Add: {}, f32x4Mul: {}, f64x2Add: {}, f64x2Sub: {}, f64x2Mul: {}, f64x2PMin: {}, f64x2PMax: {},
}

// Go's functions find their arguments in memory, behind the return address that the stack pointer, global 0, points to.
// They remove that address, and return 0 if they have ended (cmd/internal/obj/wasm).
const (
	stackPointer = 0
	addressBytes = 8
)

// vectorTexts are the functions that Go's compiler can't write, by their names.
var vectorTexts = map[string][]byte{
	"github.com/newtlab/newt/compiler/num.vectorPowers": powers(),
	"github.com/newtlab/newt/interp/gemm.hasVectors":    hasVectors(),
	"github.com/newtlab/newt/interp/gemm.addSingles":    tileKernel(4, v128Load32Splat, f32x4Mul, f32x4Add),
	"github.com/newtlab/newt/interp/gemm.addDoubles":    tileKernel(8, v128Load64Splat, f64x2Mul, f64x2Add),
}

// vectorized gives the functions of vectorTexts their bodies, in a program that Go's linker wrote.
func vectorized(module []byte) ([]byte, error) {
	names, err := functionNames(module)
	if err != nil {
		return nil, err
	}
	p, err := readLinked(module)
	if err != nil {
		return nil, err
	}
	if len(names) < len(p.texts) {
		return nil, errModule
	}
	for i := range p.texts {
		if text, found := vectorTexts[names[i]]; found {
			p.texts[i] = text
		}
	}
	return p.bytes(), nil
}

// Locals of every function here: its parameter, which is of no use to what runs in one go, and the stack pointer.
const (
	_ = iota
	frame
	firstLocal
)

func hasVectors() []byte {
	a := assembly{1, 1, typeI32}.enter()
	a = a.local(opLocalGet, frame).constant(1).memory(opI32Store8, addressBytes)
	return a.leave()
}

// tileRows are the rows of a tile, each of two vectors.
const tileRows = 4

// tileKernel is func(c, a, panel []T, depth, n, k int) with elements of size bytes: depth times it adds an element of
// each row of a times a row of the panel to the rows of c, product and sum rounded apart.
func tileKernel(size int, splat, mul, add uint64) []byte {
	const (
		vectorBytes = 16

		panel = firstLocal + iota - 1
		depth
		pitch
		c
		a       = c + tileRows
		sums    = a + tileRows
		factors = sums + 2*tileRows
		element = factors + 2
	)
	s := assembly{2, sums - frame, typeI32, element + 1 - sums, typeV128}.enter()
	s = s.argument(panel, 6).argument(depth, 9)
	for _, m := range []struct {
		rows         byte
		first, pitch int // words of the arguments
	}{{c, 0, 10}, {a, 3, 11}} {
		s = s.argument(m.rows, m.first).argument(pitch, m.pitch)
		s = s.local(opLocalGet, pitch).constant(size).op(opI32Mul).local(opLocalSet, pitch)
		for row := m.rows + 1; row < m.rows+tileRows; row++ {
			s = s.local(opLocalGet, row-1).local(opLocalGet, pitch).op(opI32Add).local(opLocalSet, row)
		}
	}
	each := func(f func(row, sum byte, offset int)) {
		for i := range byte(2 * tileRows) {
			f(i/2, sums+i, int(i%2)*vectorBytes)
		}
	}
	each(func(row, sum byte, offset int) {
		s = s.local(opLocalGet, c+row).vectorMemory(v128Load, offset).local(opLocalSet, sum)
	})
	s = s.op(opLoop).op(noResult)
	for i := range byte(2) {
		s = s.local(opLocalGet, panel).vectorMemory(v128Load, int(i)*vectorBytes).local(opLocalSet, factors+i)
	}
	each(func(row, sum byte, offset int) {
		if offset == 0 {
			s = s.local(opLocalGet, a+row).vectorMemory(splat, 0).local(opLocalSet, element)
			s = s.advance(a+row, size)
		}
		s = s.local(opLocalGet, sum)
		s = s.local(opLocalGet, element).local(opLocalGet, factors+byte(offset/vectorBytes)).vector(mul)
		s = s.vector(add).local(opLocalSet, sum)
	})
	s = s.advance(panel, 2*vectorBytes).repeat(depth, 1)
	each(func(row, sum byte, offset int) {
		s = s.local(opLocalGet, c+row).local(opLocalGet, sum).vectorMemory(v128Store, offset)
	})
	return s.leave()
}

// powers is func(dst, x []float32, steps float64, table *[32]uint64) (n int), as compiler/num has it in Go, for two
// elements at a time. What is out of fp32's range becomes 0 or infinite as the result is rounded to it.
func powers() []byte {
	const (
		dst = firstLocal + iota
		x
		pairs
		table
		product // x * steps
		whole   // the nearest integer; the lower bits of each lane are the integer
		rest
		constants
	)
	values := []float64{
		160 * 32, -160 * 32, 0x1.8p52, math.Ln2 / 32, 1, 0.5, 1.0 / 6, 1.0 / 24, math.Float64frombits(31),
	}
	const (
		limit = constants + iota
		negative
		round
		ln2
		one
		half
		sixth
		twentyFourth
		interval
		steps
	)
	s := assembly{2, product - frame, typeI32, steps + 1 - product, typeV128}.enter()
	s = s.argument(dst, 0).argument(pairs, 1).argument(x, 3).argument(table, 7)
	for i, v := range values {
		s = binary.LittleEndian.AppendUint64(append(s, opF64Const), math.Float64bits(v))
		s = s.vector(f64x2Splat).local(opLocalSet, constants+byte(i))
	}
	s = s.local(opLocalGet, frame).vectorMemory(v128Load64Splat, addressBytes+8*6).local(opLocalSet, steps)
	// The result is the number of elements in pairs, whose upper word is 0.
	s = s.local(opLocalGet, frame).constant(0).memory(opI32Store, addressBytes+8*8+4)
	s = s.local(opLocalGet, frame).local(opLocalGet, pairs).constant(-2).op(opI32And).local(opLocalTee, pairs)
	s = s.memory(opI32Store, addressBytes+8*8)
	s = s.local(opLocalGet, pairs).op(opIf).op(noResult).op(opLoop).op(noResult)
	s = s.local(opLocalGet, x).vectorMemory(v128Load64Zero, 0).vector(f64x2Promote)
	s = s.local(opLocalGet, steps).vector(f64x2Mul)
	s = s.local(opLocalGet, limit).vector(f64x2PMin).local(opLocalGet, negative).vector(f64x2PMax)
	s = s.local(opLocalTee, product)
	s = s.local(opLocalGet, round).vector(f64x2Add).local(opLocalSet, whole)
	s = s.local(opLocalGet, product).local(opLocalGet, whole).local(opLocalGet, round).vector(f64x2Sub).vector(f64x2Sub)
	s = s.local(opLocalGet, ln2).vector(f64x2Mul).local(opLocalSet, rest)
	s = s.local(opLocalGet, dst)
	s = s.local(opLocalGet, twentyFourth)
	for _, c := range []byte{sixth, half, one, one} {
		s = s.local(opLocalGet, rest).vector(f64x2Mul).local(opLocalGet, c).vector(f64x2Add)
	}
	entry := func(lane byte) { // the address in the table
		s = s.local(opLocalGet, whole).vector(i32x4ExtractLane).op(2 * lane)
		s = s.constant(31).op(opI32And).constant(3).op(opI32Shl).local(opLocalGet, table).op(opI32Add)
	}
	entry(1)
	entry(0)
	s = s.vectorMemory(v128Load64Zero, 0).vectorMemory(v128Load64Lane, 0).op(1)
	// What is left of the integer goes to where fp64 has the exponent, 52 bits above that of an octave.
	s = s.local(opLocalGet, whole).local(opLocalGet, interval).vector(v128Andnot).constant(47).vector(i64x2Shl)
	s = s.vector(i64x2Add).vector(f64x2Mul).vector(f32x4Demote).vectorMemory(v128Store64Lane, 0).op(0)
	return s.advance(dst, 8).advance(x, 8).repeat(pairs, 2).op(end).leave()
}

// enter finds the arguments.
func (a assembly) enter() assembly {
	return a.op(opGlobalGet).op(stackPointer).local(opLocalSet, frame)
}

// advance moves a pointer on by so many bytes.
func (a assembly) advance(local byte, bytes int) assembly {
	return a.local(opLocalGet, local).constant(bytes).op(opI32Add).local(opLocalSet, local)
}

// repeat ends a loop that takes a number from what a local counts until nothing is left.
func (a assembly) repeat(local byte, number int) assembly {
	a = a.local(opLocalGet, local).constant(number).op(opI32Sub).local(opLocalTee, local)
	return a.op(opBranchIf).op(0).op(end)
}

// argument puts a word of the arguments into a local.
func (a assembly) argument(local byte, word int) assembly {
	a = a.local(opLocalGet, frame).memory(opI64Load, addressBytes+8*word)
	return a.op(opI32Wrap).local(opLocalSet, local)
}

// leave returns to the caller.
func (a assembly) leave() assembly {
	a = a.local(opLocalGet, frame).constant(addressBytes).op(opI32Add).op(opGlobalSet).op(stackPointer)
	return a.constant(0).op(end)
}

// vector appends an instruction on vectors.
func (a assembly) vector(op uint64) assembly {
	return binary.AppendUvarint(append(a, vectorPrefix), op)
}

// vectorMemory loads or stores a vector, which may lie anywhere.
func (a assembly) vectorMemory(op uint64, offset int) assembly {
	return binary.AppendUvarint(append(a.vector(op), 0), uint64(offset))
}
