package ptx

import (
	"strconv"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
)

// shared is a place in shared memory: byte off of a buffer, plus base where it is a register.
type shared struct {
	buffer *asm.Buffer
	base   asm.Reg
	off    int64
}

func (s shared) operand() asm.Operand { return asm.MB(s.buffer, s.base, s.off) }

// memoryBits is the size of an element of dtype d in memory.
func memoryBits(d num.DType) int { return 8 * d.Info().Bytes }

// signExtended reports whether d is a narrow integer whose registers are sign-extended.
func signExtended(d num.DType) bool { return d.Info().Signed && !d.Info().Float }

// cells is how n neighbours of dtype d are accessed at once: as count units of so many bits. Narrow elements that
// fill words go as words.
func cells(d num.DType, n int) (count, bits int) {
	count, bits = n, memoryBits(d)
	if bits < 32 && n*bits >= 32 {
		return n * bits / 32, 32
	}
	return count, bits
}

// vectors are PTX's suffixes for accesses of several units.
var vectors = [...]string{1: "", 2: ".v2", 4: ".v4"}

// unitType is PTX's suffix for a unit of so many bits with elements of d: what is narrower than a register
// is extended as d says.
func unitType(d num.DType, bits int) string {
	kind := ".b"
	if bits == 8 {
		kind = ".u"
		if signExtended(d) {
			kind = ".s"
		}
	}
	return kind + strconv.Itoa(bits)
}

// storeShared stores neighbours of dtype d in shared memory, but in threads where skip holds.
func (e *emitter) storeShared(to shared, d num.DType, vals []asm.Reg, skip asm.Reg) {
	count, bits := cells(d, len(vals))
	units := e.packed(d, vals)
	e.Add(asm.Inst{Op: "st.shared" + vectors[count] + ".b" + strconv.Itoa(bits), Src: []asm.Operand{to.operand(), unit(units)},
		Guard: skip, Not: skip.OK(), Access: asm.WritesShared, Buffer: to.buffer, Effect: true})
}

// loadShared loads n neighbours of dtype d from shared memory.
func (e *emitter) loadShared(from shared, d num.DType, n int) []asm.Reg {
	count, bits := cells(d, n)
	units := e.Regs(unitClass(bits), count)
	e.Add(asm.Inst{Op: "ld.shared" + vectors[count] + unitType(d, bits), Dst: []asm.Operand{unit(units)},
		Src: []asm.Operand{from.operand()}, Access: asm.ReadsShared, Buffer: from.buffer})
	return e.unpacked(d, units, n)
}

// unit is one register or a vector of several.
func unit(regs []asm.Reg) asm.Operand {
	if len(regs) == 1 {
		return asm.R(regs[0])
	}
	return asm.V(regs...)
}

// unitClass is the class of registers for a unit of memory.
func unitClass(bits int) asm.Class {
	switch bits {
	case 64:
		return asm.B64
	case 32:
		return asm.B32
	}
	return asm.B16
}

// packed is neighbours of dtype d as the units that cells says, the first in the lowest bits.
func (e *emitter) packed(d num.DType, vals []asm.Reg) []asm.Reg {
	if d == num.Int1 {
		vals = e.each(vals, func(v asm.Reg) asm.Reg { return e.Do("selp.b16", asm.B16, asm.I(1), asm.I(0), asm.R(v)) })
	}
	count, bits := cells(d, len(vals))
	if count == len(vals) {
		return vals
	}
	units := make([]asm.Reg, count)
	for i := range units {
		v := vals[i*len(vals)/count:]
		units[i] = e.Do("mov.b32", asm.B32, asm.V(v[0], v[1]))
		if bits == 32 && memoryBits(d) == 8 {
			high := e.Do("mov.b32", asm.B32, asm.V(v[2], v[3]))
			units[i] = e.Do("prmt.b32", asm.B32, asm.R(units[i]), asm.R(high), asm.I(lowBytes))
		}
	}
	return units
}

// lowBytes is the selector of prmt that takes bytes 0 and 2 of both words. The other selectors spread the lower or upper two bytes of a
// word over 16 bits each: extended with zeros (byte 0 of the second word), or with the byte's sign.
const lowBytes = 0x6420

var spread = map[bool][2]int64{false: {0x4140, 0x4342}, true: {0x9180, 0xb3a2}}

// unpacked undoes packed: n neighbours of dtype d from the units that they were accessed as.
func (e *emitter) unpacked(d num.DType, units []asm.Reg, n int) []asm.Reg {
	var vals []asm.Reg
	switch {
	case len(units) == n:
		vals = units
	case memoryBits(d) == 16:
		for _, u := range units {
			vals = append(vals, e.halves(u, asm.B16)...)
		}
	default:
		for _, u := range units {
			for _, selector := range spread[signExtended(d)] {
				pair := e.Do("prmt.b32", asm.B32, asm.R(u), asm.I(0), asm.I(selector))
				vals = append(vals, e.halves(pair, asm.B16)...)
			}
		}
	}
	if d == num.Int1 {
		vals = e.each(vals, func(v asm.Reg) asm.Reg { return e.Do("setp.ne.b16", asm.Pred, asm.R(v), asm.I(0)) })
	}
	return vals
}

// halves is the lower and the upper half of a register, of the given class.
func (e *emitter) halves(v asm.Reg, c asm.Class) []asm.Reg {
	op := "mov.b32"
	if c == asm.B32 {
		op = "mov.b64"
	}
	parts := e.Regs(c, 2)
	e.Add(asm.Inst{Op: op, Dst: []asm.Operand{asm.V(parts...)}, Src: []asm.Operand{asm.R(v)}})
	return parts
}

// each is f of every register.
func (e *emitter) each(regs []asm.Reg, f func(asm.Reg) asm.Reg) []asm.Reg {
	out := make([]asm.Reg, len(regs))
	for i, r := range regs {
		out[i] = f(r)
	}
	return out
}
