package ptx

import (
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// sharedAddr is an address in shared memory: byte off, plus base if that is a register.
type sharedAddr struct {
	base asm.Reg
	off  int64
}

func (s sharedAddr) operand() asm.Operand { return asm.MB(s.base, s.off) }

// memoryBits is the size of an element of dtype d in memory.
func memoryBits(d num.DType) int { return 8 * d.Info().Bytes }

// signExtended reports whether d is a narrow integer whose registers are sign-extended.
func signExtended(d num.DType) bool { return d.Info().Signed && !d.Info().Float }

// wordsFor is how n consecutive elements of dtype d are moved: as count words of so many bits. Elements narrower than
// 32 bits are moved in 32-bit words if they fill one.
func wordsFor(d num.DType, n int) (count, bits int) {
	count, bits = n, memoryBits(d)
	if bits < 32 && n*bits >= 32 {
		return n * bits / 32, 32
	}
	return count, bits
}

// vectorSuffixes are PTX's suffixes for vectors of several words.
var vectorSuffixes = [...]string{1: "", 2: ".v2", 4: ".v4"}

// memoryType is PTX's type suffix for a word of so many bits with elements of d. Bytes are extended to registers of 16
// bits as d says.
func memoryType(d num.DType, bits int) string {
	kind := ".b"
	if bits == 8 {
		kind = ".u"
		if signExtended(d) {
			kind = ".s"
		}
	}
	return kind + strconv.Itoa(bits)
}

// storeShared stores consecutive elements of dtype d to shared memory, except in threads where skip holds.
func (t *threadCode) storeShared(to sharedAddr, d num.DType, vals []asm.Reg, skip asm.Reg) {
	count, bits := wordsFor(d, len(vals))
	units := t.packWords(d, vals)
	t.Add(asm.Inst{Op: asm.Op("st.shared" + vectorSuffixes[count] + ".b" + strconv.Itoa(bits)),
		Src:   []asm.Operand{to.operand(), vectorOperand(units)},
		Guard: skip, Not: skip.OK()})
}

// loadShared loads n consecutive elements of dtype d from shared memory.
func (t *threadCode) loadShared(from sharedAddr, d num.DType, n int) []asm.Reg {
	count, bits := wordsFor(d, n)
	units := t.Regs(wordClass(bits), count)
	name := "ld.shared" + vectorSuffixes[count] + memoryType(d, bits)
	t.Add(asm.Inst{Op: asm.Op(name), Dst: []asm.Operand{vectorOperand(units)}, Src: []asm.Operand{from.operand()}})
	return t.unpackWords(d, units, n)
}

// vectorOperand is one register, or a vector of several.
func vectorOperand(regs []asm.Reg) asm.Operand {
	if len(regs) == 1 {
		return asm.R(regs[0])
	}
	return asm.V(regs...)
}

// wordClass is the register class of a word.
func wordClass(bits int) asm.Class {
	switch bits {
	case 64:
		return asm.B64
	case 32:
		return asm.B32
	}
	return asm.B16
}

// packWords packs consecutive elements of dtype d into the words of wordsFor, the first element in the lowest bits.
func (t *threadCode) packWords(d num.DType, vals []asm.Reg) []asm.Reg {
	if d == num.Int1 {
		vals = t.mapEach(vals, func(v asm.Reg) asm.Reg {
			return t.Do("selp.b16", asm.I(1), asm.I(0), asm.R(v))
		})
	}
	count, bits := wordsFor(d, len(vals))
	if count == len(vals) {
		return vals
	}
	units := make([]asm.Reg, count)
	for i := range units {
		v := vals[i*len(vals)/count:]
		units[i] = t.Do("mov.b32", asm.V(v[0], v[1]))
		// Two registers of 16 bits, each with a byte in its lower half, become a word; two words become one of four
		// bytes.
		if bits == 32 && memoryBits(d) == 8 {
			high := t.Do("mov.b32", asm.V(v[2], v[3]))
			units[i] = t.Do("prmt.b32", asm.R(units[i]), asm.R(high), asm.I(packLowBytes))
		}
	}
	return units
}

// packLowBytes is the selector by which prmt.b32 takes bytes 0 and 2 of both words, {b.2, b.0, a.2, a.0}. Each nibble
// of a selector picks one of the eight bytes of {b, a}, the lowest nibble for the lowest byte; with bit 3 set it
// replicates the byte's sign instead (PTX ISA, "prmt").
const packLowBytes = 0x6420

// extendSelectors are the selectors by which prmt.b32 widens the lower or the upper two bytes of a word to 16 bits
// each: by zeros (byte 0 of the second word, which is 0), or by the byte's sign.
var extendSelectors = map[bool][2]int64{false: {0x4140, 0x4342}, true: {0x9180, 0xb3a2}}

// unpackWords undoes packWords: n consecutive elements of dtype d.
func (t *threadCode) unpackWords(d num.DType, units []asm.Reg, n int) []asm.Reg {
	var vals []asm.Reg
	switch {
	case len(units) == n:
		vals = units
	case memoryBits(d) == 16:
		for _, u := range units {
			vals = append(vals, t.splitHalves(u, asm.B16)...)
		}
	default:
		for _, u := range units {
			for _, selector := range extendSelectors[signExtended(d)] {
				pair := t.Do("prmt.b32", asm.R(u), asm.I(0), asm.I(selector))
				vals = append(vals, t.splitHalves(pair, asm.B16)...)
			}
		}
	}
	if d == num.Int1 {
		vals = t.mapEach(vals, func(v asm.Reg) asm.Reg { return t.Do("setp.ne.b16", asm.R(v), asm.I(0)) })
	}
	return vals
}

// splitHalves is the lower and the upper half of a register, of class c.
func (t *threadCode) splitHalves(v asm.Reg, c asm.Class) []asm.Reg {
	op := "mov.b32"
	if c == asm.B32 {
		op = "mov.b64"
	}
	parts := t.Regs(c, 2)
	t.Add(asm.Inst{Op: asm.Op(op), Dst: []asm.Operand{asm.V(parts...)}, Src: []asm.Operand{asm.R(v)}})
	return parts
}

// mapEach applies f to every register.
func (t *threadCode) mapEach(regs []asm.Reg, f func(asm.Reg) asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(regs))
	for i, r := range regs {
		out[i] = f(r)
	}
	return out
}
