package ptx

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// threadCode is the code of one thread: the program's instructions, and the thread's place in its block. Its methods
// make code of registers, and know nothing of the kernel's values, layouts and dots, which are the emitter's.
type threadCode struct {
	*asm.Program
	tid, lane, warp asm.Reg      // b32
	warp0           asm.Reg      // pred: of firstWarp; none until that is asked for
	threads         threadValues // computed from them
	reversed        bool         // plan.Plan.Reversed
}

// gridRegister is a special register for an axis of the grid, b32.
func (t *threadCode) gridRegister(name string, axis int64) asm.Reg {
	return t.Do("mov.u32", asm.S(name+"xyz"[axis:axis+1]))
}

// programID is the program's number along an axis of the grid, b32.
func (t *threadCode) programID(axis int64) asm.Reg {
	block := t.gridRegister("%ctaid.", axis)
	if axis > 0 || !t.reversed {
		return block
	}
	last := t.Do("sub.s32", asm.R(t.gridRegister("%nctaid.", axis)), asm.I(1))
	return t.Do("sub.s32", asm.R(last), asm.R(block))
}

// threadValues is what has been computed from the thread's number in the kernel's entry, each value once. Layouts are
// linear over F2, so an element's number, or its address, is the XOR of one mask for each bit that is set in the
// thread's number.
type threadValues struct {
	offsets map[threadMasks]asm.Reg
	tests   map[threadTest]asm.Reg
}

// threadMasks has a mask for each bit of the thread's number, the lane's bits first.
type threadMasks [10]uint32

// threadTest asks whether the bits in mask of the thread's number differ from value.
type threadTest struct{ mask, value uint32 }

// threadOffset is the XOR of the masks of the bits that are set in the thread's lane and warp number, b32; none if that
// is always 0.
func (t *threadCode) threadOffset(lane, warp []uint32) asm.Reg {
	var masks threadMasks
	copy(masks[:layout.LaneBits], lane)
	copy(masks[layout.LaneBits:], warp)
	if r, ok := t.threads.offsets[masks]; ok {
		return r
	}
	var r asm.Reg
	t.Entry(func() { r = t.permuteBits(t.tid, masks[:]) })
	if t.threads.offsets == nil {
		t.threads.offsets = map[threadMasks]asm.Reg{}
	}
	t.threads.offsets[masks] = r
	return r
}

// permuteBits is the XOR of the masks of the bits that are set in x; none if that is always 0. Bits that move by the
// same distance are moved by one shift and one and.
func (t *threadCode) permuteBits(x asm.Reg, masks []uint32) (sum asm.Reg) {
	// A mask of several bits copies its bit to each of them.
	moves := map[int]uint32{} // by distance to the left, the bits of the result
	for from, m := range masks {
		for ; m != 0; m &= m - 1 {
			to := bits.TrailingZeros32(m)
			moves[to-from] |= 1 << to
		}
	}
	// sorted, so that the text does not depend on the map's order
	for _, by := range slices.Sorted(maps.Keys(moves)) {
		v := x
		if by > 0 {
			v = t.Do("shl.b32", asm.R(v), asm.I(int64(by)))
		} else if by < 0 {
			v = t.Do("shr.u32", asm.R(v), asm.I(int64(-by)))
		}
		v = t.Do("and.b32", asm.R(v), asm.I(int64(moves[by])))
		if sum.OK() {
			v = t.Do("xor.b32", asm.R(sum), asm.R(v))
		}
		sum = v
	}
	return sum
}

// threadBits is a predicate: whether any of the given bits is set in the thread's lane or warp number. It is none if no
// bits are given, which means false.
func (t *threadCode) threadBits(lane, warp uint32) asm.Reg {
	mask := lane | warp<<layout.LaneBits
	if mask == 0 {
		return asm.Reg{}
	}
	return t.threadBitsDiffer(mask, 0)
}

// threadLacks is a predicate: whether any of the given bits, at least one, is clear in the thread's lane or warp
// number.
func (t *threadCode) threadLacks(lane, warp uint32) asm.Reg {
	mask := lane | warp<<layout.LaneBits
	return t.threadBitsDiffer(mask, mask)
}

// threadBitsDiffer is the predicate of a threadTest.
func (t *threadCode) threadBitsDiffer(mask, value uint32) (r asm.Reg) {
	key := threadTest{mask, value}
	if r, ok := t.threads.tests[key]; ok {
		return r
	}
	t.Entry(func() {
		masked := t.Do("and.b32", asm.R(t.tid), asm.I(int64(mask)))
		r = t.Do("setp.ne.b32", asm.R(masked), asm.I(int64(value)))
	})
	if t.threads.tests == nil {
		t.threads.tests = map[threadTest]asm.Reg{}
	}
	t.threads.tests[key] = r
	return r
}

// threadBit is a predicate: whether a bit of the thread's lane or warp number is set.
func (t *threadCode) threadBit(p layout.Place) asm.Reg {
	if p.In == layout.InLane {
		return t.threadBits(1<<p.Bit, 0)
	}
	return t.threadBits(0, 1<<p.Bit)
}
