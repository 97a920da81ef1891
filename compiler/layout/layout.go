package layout

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// LaneBits is the number of bits that number the lanes of a warp.
const LaneBits = 5

// Layout says which element of a tile each register of each thread holds. An element is numbered in row-major
// order, its last dimension fastest; every dimension is a power of two, and a tile of rank 0 is one element.
// Basis i of Reg, Lane or Warp is the element that bit i of the register, lane or warp number contributes: 0 for
// a bit that makes no difference (its two values hold replicas), else a single bit. Each bit of the element's
// number is the basis of exactly one input bit. A Layout is a value: what it refers to is never changed.
type Layout struct {
	Shape           []int
	Reg, Lane, Warp []uint32
}

// At is the element held by a register of a thread.
func (l Layout) At(reg, lane, warp int) uint32 {
	return apply(l.Reg, reg) ^ apply(l.Lane, lane) ^ apply(l.Warp, warp)
}

// apply XORs the bases whose bit is set in n.
func apply(bases []uint32, n int) uint32 {
	var e uint32
	for i, b := range bases {
		// The mask is all ones if bit i is set, else 0: no branch in the innermost loop.
		e ^= b & -uint32(n>>i&1)
	}
	return e
}

// Regs is the number of registers, one element each, that a thread has.
func (l Layout) Regs() int { return 1 << len(l.Reg) }

// Lanes is the number of threads in a warp: 32.
func (l Layout) Lanes() int { return 1 << len(l.Lane) }

// Warps is the number of warps.
func (l Layout) Warps() int { return 1 << len(l.Warp) }

// Elems is the number of elements of the tile.
func (l Layout) Elems() int { return elems(l.Shape) }

// Coord is where element e lies, one index a dimension.
func (l Layout) Coord(e uint32) []int { return coord(l.Shape, e) }

func elems(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func coord(shape []int, e uint32) []int {
	at := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		at[i] = int(e) & (shape[i] - 1)
		e >>= log2(shape[i])
	}
	return at
}

// log2 is the logarithm of a power of two.
func log2(n int) int { return bits.TrailingZeros(uint(n)) }

// shift is the number of the lowest bit, in an element's number, of its index along axis.
func shift(shape []int, axis int) int { return log2(elems(shape[axis+1:])) }

// axisMask has the bits, in an element's number, of its index along axis.
func axisMask(shape []int, axis int) uint32 {
	return uint32(shape[axis]-1) << shift(shape, axis)
}

// Equal reports whether two layouts place every element alike, register for register.
func (l Layout) Equal(m Layout) bool {
	return slices.Equal(l.Shape, m.Shape) && slices.Equal(l.Reg, m.Reg) &&
		slices.Equal(l.Lane, m.Lane) && slices.Equal(l.Warp, m.Warp)
}

// Masks has one set of bits for each of the three numbers that say where an element is held.
type Masks struct{ Reg, Lane, Warp uint32 }

// Free has the input bits that make no difference. A store or an atomic is done once an element if it is done
// by the threads whose free bits are all 0.
func (l Layout) Free() Masks { return l.masks(func(basis uint32) bool { return basis == 0 }) }

func (l Layout) masks(in func(basis uint32) bool) Masks {
	pick := func(bases []uint32) (m uint32) {
		for i, b := range bases {
			if in(b) {
				m |= 1 << i
			}
		}
		return m
	}
	return Masks{pick(l.Reg), pick(l.Lane), pick(l.Warp)}
}

// Input is one of the three numbers that say where an element is held.
type Input uint8

// The inputs of a layout.
const (
	InReg Input = iota
	InLane
	InWarp
)

// Place is one input bit of a layout.
type Place struct {
	In  Input
	Bit uint8
}

// AlongBits is where each bit of the index along axis comes from, lowest first: what a scan walks.
func (l Layout) AlongBits(axis int) []Place {
	all := l.places()
	first := shift(l.Shape, axis)
	return slices.Clone(all[first : first+log2(l.Shape[axis])])
}

// places is where each bit of an element's number comes from.
func (l Layout) places() (all [32]Place) {
	for i, bases := range [...][]uint32{l.Reg, l.Lane, l.Warp} {
		for j, b := range bases {
			if b != 0 {
				all[bits.TrailingZeros32(b)&31] = Place{Input(i), uint8(j)}
			}
		}
	}
	return all
}

// Valid reports what is wrong with a layout, or nil.
func (l Layout) Valid() error {
	for _, d := range l.Shape {
		if d < 1 || d&(d-1) != 0 {
			return fmt.Errorf("dimension %d is not a power of two", d)
		}
	}
	if len(l.Lane) != LaneBits {
		return fmt.Errorf("%d lane bases, want %d", len(l.Lane), LaneBits)
	}
	var seen uint32
	for _, bases := range [][]uint32{l.Reg, l.Lane, l.Warp} {
		for _, b := range bases {
			// b&(b-1) clears the lowest bit: something is left if there was more than one.
			if b&(b-1) != 0 || b&seen != 0 {
				return fmt.Errorf("basis %#x is not one bit of its own", b)
			}
			seen |= b
		}
	}
	if want := uint32(l.Elems() - 1); seen != want {
		return fmt.Errorf("the bases reach element bits %#x, want %#x", seen, want)
	}
	return nil
}

// String lists the bases as steps along the dimensions, lowest input bit first; a dash is a free bit.
// For example `[16, 8] reg (0,1) (8,0) lane (0,2) (0,4) (1,0) (2,0) (4,0) warp -`.
func (l Layout) String() string {
	s := appendShape(make([]byte, 0, 256), l.Shape)
	for i, bases := range [...][]uint32{l.Reg, l.Lane, l.Warp} {
		if len(bases) == 0 {
			continue
		}
		s = append(s, [...]string{" reg", " lane", " warp"}[i]...)
		for _, b := range bases {
			s = appendStep(append(s, ' '), l.Shape, b)
		}
	}
	return string(s)
}

func appendShape(s []byte, shape []int) []byte {
	s = append(s, '[')
	for i, n := range shape {
		if i > 0 {
			s = append(s, ", "...)
		}
		s = strconv.AppendInt(s, int64(n), 10)
	}
	return append(s, ']')
}

func appendStep(s []byte, shape []int, basis uint32) []byte {
	switch {
	case basis == 0:
		return append(s, '-')
	case len(shape) == 1:
		return strconv.AppendUint(s, uint64(basis), 10)
	}
	s = append(s, '(')
	for axis := range shape {
		if axis > 0 {
			s = append(s, ',')
		}
		at := basis & axisMask(shape, axis) >> shift(shape, axis)
		s = strconv.AppendUint(s, uint64(at), 10)
	}
	return append(s, ')')
}
