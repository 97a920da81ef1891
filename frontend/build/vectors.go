package main

import "encoding/binary"

// Instructions that vectors.go writes; those on vectors stand behind a prefix (WebAssembly core specification, 5.4).
const (
	opI64Load   = 0x29
	opI32Store8 = 0x3a
	opI32Wrap   = 0xa7

	vectorPrefix    = 0xfd
	v128Load        = 0x00
	v128Load32Splat = 0x09
	v128Load64Splat = 0x0a
	v128Store       = 0x0b
	f32x4Add        = 0xe4
	f32x4Mul        = 0xe6
	f64x2Add        = 0xf0
	f64x2Mul        = 0xf2

	typeV128 = 0x7b
)

// Go's functions find their arguments in memory, behind the return address that the stack pointer, global 0, points to.
// They remove that address, and return 0 if they have ended (cmd/internal/obj/wasm).
const (
	stackPointer = 0
	addressBytes = 8
)

// vectorTexts are the functions of interp/gemm that Go's compiler can't write, by their names.
var vectorTexts = map[string][]byte{
	"github.com/newtlab/newt/interp/gemm.hasVectors": hasVectors(),
	"github.com/newtlab/newt/interp/gemm.addSingles": tileKernel(4, v128Load32Splat, f32x4Mul, f32x4Add),
	"github.com/newtlab/newt/interp/gemm.addDoubles": tileKernel(8, v128Load64Splat, f64x2Mul, f64x2Add),
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
	a := assembly{1, 1, typeI32}.op(opGlobalGet).op(stackPointer).local(opLocalTee, frame)
	a = a.constant(1).memory(opI32Store8, addressBytes)
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
	s := assembly{2, sums - frame, typeI32, element + 1 - sums, typeV128}
	s = s.op(opGlobalGet).op(stackPointer).local(opLocalSet, frame)
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
			s = s.local(opLocalGet, a+row).constant(size).op(opI32Add).local(opLocalSet, a+row)
		}
		s = s.local(opLocalGet, sum)
		s = s.local(opLocalGet, element).local(opLocalGet, factors+byte(offset/vectorBytes)).vector(mul)
		s = s.vector(add).local(opLocalSet, sum)
	})
	s = s.local(opLocalGet, panel).constant(2*vectorBytes).op(opI32Add).local(opLocalSet, panel)
	s = s.local(opLocalGet, depth).constant(1).op(opI32Sub).local(opLocalTee, depth).op(opBranchIf).op(0).op(end)
	each(func(row, sum byte, offset int) {
		s = s.local(opLocalGet, c+row).local(opLocalGet, sum).vectorMemory(v128Store, offset)
	})
	return s.leave()
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
