package sim

import (
	"encoding/binary"
	"math/bits"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// operation is one memory access of a thread: the bytes at an address that was found good.
type operation func(lane int, data []byte)

// reach finds n bytes for each lane of mask, checks alignment and bounds, for shared memory also
// what orders the accesses, counts the request, and calls do with the bytes.
func (w *warp) reach(sp space, mode Access, o consistency, mask uint32, addresses *lanes, n int,
	do operation) *Fault {
	if sp == spaceGeneric {
		return w.reachGeneric(mode, o, mask, addresses, n, do)
	}
	var a *allocation
	cache := w.block.cache
	if o.release {
		cache.release()
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		address := addresses[lane]
		if address%uint64(n) != 0 {
			return addressFault(Misaligned, lane, address, "address %#x is not a multiple of %d", address, n)
		}
		var data []byte
		var f *Fault
		switch sp {
		case spaceGlobal:
			// Neighboring lanes mostly reach the same allocation: a is tried before the search.
			if data = cache.reach(a, address, n, mode, o.strong); data == nil {
				a = w.block.machine.memory.find(address)
				data = cache.reach(a, address, n, mode, o.strong)
			}
			if data == nil {
				f = addressFault(Bounds, lane, address, "%d bytes at %#x are not within an allocation", n, address)
			}
		case spaceShared:
			data, f = w.sharedBytes(lane, address, n, mode)
		case spaceLocal:
			data, f = w.localBytes(lane, address, n, mode)
		}
		if f != nil {
			return f
		}
		do(lane, data)
	}
	if o.acquire {
		cache.acquire()
	}
	switch sp {
	case spaceGlobal:
		w.countGlobal(mode, mask, addresses, n)
	case spaceShared:
		w.countShared(mode, mask, addresses, n)
	}
	return nil
}

func (w *warp) sharedBytes(lane int, address uint64, n int, mode Access) ([]byte, *Fault) {
	b := w.block
	off := address - sharedBase
	if off >= uint64(len(b.shared)) || uint64(n) > uint64(len(b.shared))-off {
		return nil, addressFault(Bounds, lane, address,
			"%d bytes at %#x are outside the %d bytes of shared memory, which start at %#x",
			n, address, len(b.shared), sharedBase)
	}
	var f *Fault
	switch mode {
	case AccessRead, AccessAtomic:
		f = b.shadow.touch(w, lane, int(off), n, mode == AccessAtomic)
	case AccessWrite:
		f = b.shadow.store(w, lane, int(off), n, cellWritten)
	case AccessAsync, AccessTensor:
		f = b.shadow.store(w, lane, int(off), n, cellPending)
	}
	return b.shared[off : off+uint64(n)], f
}

func (w *warp) localBytes(lane int, address uint64, n int, mode Access) ([]byte, *Fault) {
	size := uint64(w.kernel.local)
	if address >= size || uint64(n) > size-address {
		return nil, addressFault(Bounds, lane, address, "%d bytes at %#x are outside the %d bytes of local memory",
			n, address, size)
	}
	// Each lane has its own local memory; the simulator keeps a warp's one after the other.
	start := uint64(lane)*size + address
	for i := start; i < start+uint64(n); i++ {
		if mode == AccessRead && !w.localOK[i] {
			return nil, addressFault(Uninitialized, lane, address,
				"local memory at offset %d is read before it is written", address)
		}
		w.localOK[i] = true
	}
	return w.local[start : start+uint64(n)], nil
}

// reachGeneric splits the lanes by the window that their addresses lie in.
func (w *warp) reachGeneric(mode Access, o consistency, mask uint32, addresses *lanes, n int, do operation) *Fault {
	var in [3]uint32
	var relative [3]lanes
	spaces := [3]space{spaceGlobal, spaceShared, spaceLocal}
	for i, base := range [3]uint64{0, sharedWindow, localWindow} {
		for lane, address := range addresses {
			inside := address-base < windowBytes
			// Global addresses are those outside both windows.
			if i == 0 {
				inside = address-sharedWindow >= windowBytes && address-localWindow >= windowBytes
			}
			in[i] |= uint32(b2i(inside)) << lane & mask
			relative[i][lane] = address - base
		}
	}
	for i, sp := range spaces {
		if in[i] != 0 {
			if f := w.reach(sp, mode, o, in[i], &relative[i], n, do); f != nil {
				return f
			}
		}
	}
	return nil
}

// address is [base+offset] of an operand.
type address struct {
	base   value
	offset uint64
	mask   uint64
}

func (a *address) of(w *warp, dst *lanes) {
	base := w.get(a.base)
	for i := range dst {
		dst[i] = (base[i] + a.offset) & a.mask
	}
}

// takeAddress takes [reg], [reg+imm], [symbol+imm] or [imm]. Shared and local addresses may have 32 bits.
func (c *cursor) takeAddress(sp space) address {
	o := c.takeOperand()
	if o.kind != operandAddress || len(o.elems) != 1 {
		c.failf("operand %d must be an address in brackets", c.next)
		return address{}
	}
	return c.addressOf(o.elems[0], o.imm, sp)
}

func (c *cursor) addressOf(base operand, offset uint64, sp space) address {
	t := types["u64"]
	if base.kind == operandName {
		if s, ok := c.d.source.symbols[base.name]; ok && c.st.registers.find(base.name) == nil && s.space != sp {
			c.failf("%s is not in this state space", base.name)
		}
		narrow := sp == spaceShared || sp == spaceLocal // spaces whose addresses fit 32 bits
		if r := c.st.registers.find(base.name); r != nil && r.typ.bits == 32 && narrow {
			t = types["u32"]
		}
	}
	if base.kind != operandName && base.kind != operandInt {
		c.failf("an address is a register, a name or a number, and an offset")
		return address{}
	}
	return address{base: c.srcOf(base, t), offset: offset, mask: t.mask()}
}

// order is the memory order of a load, a store or an atomic operation.
func (c *cursor) order() consistency {
	sem := c.oneOf("relaxed", "acquire", "release", "acq_rel", "volatile")
	o := consistency{
		strong:  c.op.Memory == isa.Updates || sem != "",
		acquire: sem == "acquire" || sem == "acq_rel",
		release: sem == "release" || sem == "acq_rel",
	}
	c.d.strong = c.d.strong || o.strong
	// A block has one cache (doc.go): order within it needs no write-back.
	if c.has("cta") {
		o.acquire, o.release = false, false
	}
	return o
}

// takePolicy takes the cache policy's operand, where there is one. Caches' hints change nothing.
func (c *cursor) takePolicy() {
	if c.has("L2::cache_hint") {
		c.takeSrc(types["b64"])
	}
}

// narrowGranule keeps the kernel's granule of shared memory as narrow as its accesses.
func (c *cursor) narrowGranule(sp space, n int) {
	if sp == spaceShared || sp == spaceGeneric {
		c.d.granule = min(c.d.granule, n)
	}
}

func readBits(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	default:
		return binary.LittleEndian.Uint64(b)
	}
}

func writeBits(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(v))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(v))
	default:
		binary.LittleEndian.PutUint64(b, v)
	}
}
