package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
)

// FMAChunk is how many products along K one iteration of a dot's loop adds to each sum. Operands of the next k are
// loaded while this one's are multiplied, but not across iterations; longer iterations are more code.
const FMAChunk = 16

// Chunks is an operand in shared memory of a dot that threads do in a loop along K: cut into chunks of FMAChunk, whose
// addresses follow from those of the first by the chunk's number.
type Chunks struct {
	Access layout.Access // a thread's, to all of the operand
	Regs   int           // that a thread has of one chunk
	// By bit of the chunk's number: the address bits that it flips in a thread's part of the address, where the swizzle
	// depends on it, and what it adds to the address.
	Xors, Adds []uint32
}

// chunksOf is the operands of a dot cut along K, nil if threads do it without a loop: it is no deeper than one
// iteration, an operand is in registers, which cannot be indexed at run time, or the swizzle mixes the chunk's number
// with offsets within one.
func (p *Dot) chunksOf(in *ir.Instr) []Chunks {
	if p.Unit != FMA {
		return nil
	}
	var list []Chunks
	for s := range Side(2) {
		v := in.Operands[s]
		depth := v.Type.Shape[s.KAxis(len(v.Type.Shape))]
		if !v.Type.IsMemDesc() || depth <= FMAChunk {
			return nil
		}
		_, want := p.OperandForm(in, s)
		c, ok := chunksAlong(*v.Mem, want, want.Regs()/depth)
		if !ok {
			return nil
		}
		list = append(list, c)
	}
	return list
}

// chunksAlong cuts an operand, of which a thread takes width registers for each k.
func chunksAlong(m layout.Mem, want layout.Layout, width int) (c Chunks, ok bool) {
	a := m.Access(want, MaxAccess*8/m.ElemBits)
	c = Chunks{Access: a, Regs: FMAChunk * width}
	inside := uint32(0) // address bits that offsets within a chunk set
	// An access that loads elements of two chunks at once cannot be moved by the chunk's number.
	for i, o := range a.At {
		switch group := a.Regs[i*a.Vec:][:a.Vec]; {
		case slices.Max(group) < c.Regs:
			inside |= o.Imm
		case slices.Min(group) < c.Regs:
			return c, false
		}
	}
	// Register r is the first one with one bit of the chunk's number set: its address shows what that bit does.
	for r := c.Regs; r < want.Regs(); r *= 2 {
		i := slices.Index(a.Regs, r)
		if i < 0 || i%a.Vec != 0 || a.At[i/a.Vec].Imm&inside != 0 {
			return c, false
		}
		c.Xors, c.Adds = append(c.Xors, a.At[i/a.Vec].Xor), append(c.Adds, a.At[i/a.Vec].Imm)
	}
	return c, true
}
