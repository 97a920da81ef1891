package ptx

import (
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/plan"
)

// Operands that wgmma does not transpose. From shared memory it takes those of 8 and 32 bits contiguous along K alone,
// so one that is not is made the left operand, which may be in registers (plan.Dot.Transposes). Threads load its
// fragments from the tile as it is, in words of adjacent rows, and transpose bytes by permutes:
//
//	load step 0, wait, permute | wgmma step 0 | load step 1, wait, permute | wgmma step 1 | …
//
// Each step along K is a group of its own (plan.Group). Where nothing is permuted, it is loaded after the wait.

// loadWords loads the words of fragments. Elements next to each other along K may be so in shared memory, if threads
// had several of them to store.
func (tc *tileCode) loadWords(t sharedTile, want layout.Layout) *lazyRegs {
	if t.mem.ElemBits != 8 || t.contiguousAlong(plan.FastestDim(want)) {
		return tc.loadFragments(t, 0, want)
	}
	return tc.loadTransposed(t, want)
}

// byteOf is a byte of a word of shared memory: that of access number word.
type byteOf struct{ word, byte int }

// loadTransposed loads fragments, words of elements next to each other along K, from a tile that is contiguous along
// the other dimension. Four words of four bytes are transposed in two rounds of permutes: of bytes, and of pairs.
func (tc *tileCode) loadTransposed(t sharedTile, want layout.Layout) *lazyRegs {
	const wordBytes = 4
	w := tc.walkAccess(t.mem.Access(want, wordBytes))
	if t.mem.ElemBits != 8 || w.access.Vec != wordBytes {
		return tc.packLazily(tc.loadElements(t, want), t.dtype)
	}
	words := mapRegs(len(w.access.At), func(i int) asm.Reg {
		return tc.Do("ld.shared.b32", tc.tileAddress(t, w, i).operand())
	})
	from := make([]byteOf, want.Regs())
	for i, r := range w.access.Regs {
		from[r] = byteOf{i / wordBytes, i % wordBytes}
	}
	o := mapRegs(want.Regs()/wordBytes, func(i int) asm.Reg {
		x := from[wordBytes*i:][:wordBytes] // four words' bytes of the same number, since K is not along the words
		pair := func(x, y byteOf) asm.Reg {
			return tc.permute(words.get(x.word), words.get(y.word), interleaveBytes[x.byte/2])
		}
		return tc.permute(pair(x[0], x[1]), pair(x[2], x[3]), interleaveHalves[x[0].byte%2])
	})
	o.load = func(i int) {
		for _, x := range from[wordBytes*i:][:wordBytes] {
			words.get(x.word)
		}
	}
	return o
}

// Selectors of prmt.b32 for a and b, of which a nibble picks one of the bytes of {b, a} (PTX ISA, "prmt"): the lower or
// upper bytes in turns, {b.1, a.1, b.0, a.0} or {b.3, a.3, b.2, a.2}, and the lower or upper halves of both.
var (
	interleaveBytes  = [2]int64{0x5140, 0x7362}
	interleaveHalves = [2]int64{0x5410, 0x7632}
)

// permute picks bytes of two words.
func (t *threadCode) permute(a, b asm.Reg, selector int64) asm.Reg {
	return t.Do("prmt.b32", asm.R(a), asm.R(b), asm.I(selector))
}
