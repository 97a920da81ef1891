package sim

import (
	"maps"
	"math/bits"
)

// Instructions that compute each lane alone are a function on bits, lifted to the lanes of a mask.
type (
	fn1 func(a uint64) uint64
	fn2 func(a, b uint64) uint64
	fn3 func(a, b, c uint64) uint64
)

func lift1(d int32, a value, f fn1) exec {
	return func(w *warp, mask uint32) *Fault {
		dst, x := &w.regs[d], w.get(a)
		if mask == full {
			for i := range dst {
				dst[i] = f(x[i])
			}
			return nil
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			dst[i] = f(x[i])
		}
		return nil
	}
}

func lift2(d int32, a, b value, f fn2) exec {
	return func(w *warp, mask uint32) *Fault {
		dst, x, y := &w.regs[d], w.get(a), w.get(b)
		if mask == full {
			for i := range dst {
				dst[i] = f(x[i], y[i])
			}
			return nil
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			dst[i] = f(x[i], y[i])
		}
		return nil
	}
}

func lift3(d int32, a, b, c value, f fn3) exec {
	return func(w *warp, mask uint32) *Fault {
		dst, x, y, z := &w.regs[d], w.get(a), w.get(b), w.get(c)
		if mask == full {
			for i := range dst {
				dst[i] = f(x[i], y[i], z[i])
			}
			return nil
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			dst[i] = f(x[i], y[i], z[i])
		}
		return nil
	}
}

// mask2 is the lanes of two values for which f is not 0.
func mask2(x, y *lanes, f fn2) uint32 {
	var m uint32
	for i := range x {
		m |= uint32(f(x[i], y[i])&1) << i
	}
	return m
}

// halves2 applies a function to each half of packed values.
func halves2(f fn2, bits int) fn2 {
	low := maskBits(bits)
	return func(a, b uint64) uint64 { return f(a&low, b&low) | f(a>>bits, b>>bits)<<bits }
}

func halves1(f fn1, bits int) fn1 {
	low := maskBits(bits)
	return func(a uint64) uint64 { return f(a&low) | f(a>>bits)<<bits }
}

func halves3(f fn3, bits int) fn3 {
	low := maskBits(bits)
	return func(a, b, c uint64) uint64 { return f(a&low, b&low, c&low) | f(a>>bits, b>>bits, c>>bits)<<bits }
}

// builder decodes one instruction from its call. It gives nil where it has set call.inst.flow.
type builder func(c *cursor) exec

// laneOpcodes are the instructions that inline text may have: fences, and those that compute each lane by itself from
// registers.
func laneOpcodes() map[string]builder {
	return union(arithmetic, integerOps, floatOps, compareOps, moveOps, fenceOps)
}

// opcodes are all instructions. It and the tables of the rest are functions, so that a program that links ParseInline
// alone has none of the rest in it.
func opcodes() map[string]builder {
	return union(laneOpcodes(), memoryOps(), atomicOps(), asyncOps(), warpOps(), controlOps(), matrixOps(), wgmmaOps())
}

func union(tables ...map[string]builder) map[string]builder {
	all := map[string]builder{}
	for _, t := range tables {
		maps.Copy(all, t)
	}
	return all
}
