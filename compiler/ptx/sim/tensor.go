package sim

import (
	"fmt"
	"math/bits"
	"slices"
)

// TensorMap describes a tensor of three dimensions, the innermost first, and the box of it that one tensor copy moves
// (CUDA driver API, cuTensorMapEncodeTiled). A tensor map has 128 bytes that only a driver knows the meaning of; here
// they are the words that Words gives.
type TensorMap struct {
	Base      uint64 // the address of element (0, 0, 0), a multiple of 16
	ElemBytes int
	Dims      [3]int // elements
	Strides   [2]int // bytes from one element to the next along dimensions 1 and 2, multiples of 16
	Box       [3]int // elements; the bytes of dimension 0 are the width of the swizzle, 32, 64 or 128
}

// TensorMapWords is the size of a tensor map in slots of parameters.
const TensorMapWords = 16

// Words is the tensor map as a parameter.
func (m *TensorMap) Words() []uint64 {
	w := []uint64{m.Base, uint64(m.ElemBytes)}
	for _, list := range [][]int{m.Dims[:], m.Strides[:], m.Box[:]} {
		for _, n := range list {
			w = append(w, uint64(n))
		}
	}
	return append(w, make([]uint64, TensorMapWords-len(w))...)
}

// ParseTensorMap reads the words of a tensor map. The error is of a map that no driver encodes.
func ParseTensorMap(w []uint64) (*TensorMap, error) {
	if len(w) != TensorMapWords {
		return nil, fmt.Errorf("a tensor map has %d words", TensorMapWords)
	}
	m := &TensorMap{Base: w[0], ElemBytes: int(w[1])}
	rest := w[2:]
	for _, list := range [][]int{m.Dims[:], m.Strides[:], m.Box[:]} {
		for i := range list {
			list[i], rest = int(rest[0]), rest[1:]
		}
	}
	return m, m.check()
}

// Limits of tensor maps, as the driver checks them.
const (
	tensorAlign     = 16
	maxTensorDim    = 1 << 32
	maxTensorStride = 1 << 40
	maxTensorBox    = 256
)

func (m *TensorMap) check() error {
	if m.Base%tensorAlign != 0 || m.Base == 0 {
		return fmt.Errorf("a tensor map's address %#x is not a multiple of %d", m.Base, tensorAlign)
	}
	if m.ElemBytes != 1 && m.ElemBytes != 2 && m.ElemBytes != 4 && m.ElemBytes != 8 {
		return fmt.Errorf("a tensor map of elements of %d bytes", m.ElemBytes)
	}
	for i, n := range m.Dims {
		if n < 1 || n > maxTensorDim || m.Box[i] < 1 || m.Box[i] > maxTensorBox {
			return fmt.Errorf("dimension %d of a tensor map has %d elements, its boxes %d", i, n, m.Box[i])
		}
	}
	for _, n := range m.Strides {
		if n < 1 || n >= maxTensorStride || n%tensorAlign != 0 {
			return fmt.Errorf("a tensor map's stride of %d bytes is not a multiple of %d", n, tensorAlign)
		}
	}
	if span := m.Span(); span != 32 && span != 64 && span != 128 {
		return fmt.Errorf("the boxes of a tensor map are %d bytes wide, which is no swizzle", span)
	}
	return nil
}

// Span is the width of a box in bytes, which is the swizzle's.
func (m *TensorMap) Span() int { return m.Box[0] * m.ElemBytes }

// swizzle is where a byte of a box is in shared memory: the number of its 16-byte chunk is XORed with that of its
// 128-byte line, as far as the span goes (PTX ISA, "Swizzling Modes").
func (m *TensorMap) swizzle(address int) int {
	return address ^ (address >> 7 & (m.Span()/16 - 1) << 4)
}

// mbarrier is a barrier object in shared memory (PTX ISA, "mbarrier"). A phase is complete when all arrivals that it
// expects have come and all bytes that were announced are written.
type mbarrier struct {
	count   int // arrivals of a phase
	pending int // that are missing in this one
	bytes   int // that are announced and not written
	phase   int
	clocks  []uint32 // of what happened before the last phase was complete
	arrived []uint32 // the same of this phase
	by      access   // that made it
	visible bool     // to the async proxy, after a fence.mbarrier_init of that thread
}

func (m *mbarrier) settle() {
	if m.pending == 0 && m.bytes == 0 {
		m.phase, m.pending = m.phase+1, m.count
		copyMax(m.clocks, m.arrived)
	}
}

// tensorCopy is a tensor copy that is under way.
type tensorCopy struct {
	barrier *mbarrier
	by      access // its issue
	clocks  []uint32
	chunks  []tensorChunk
}

// tensorChunk is up to 16 bytes of a box: valid ones, read when the copy is issued or when it is complete,
// whichever the seed says, then zeros.
type tensorChunk struct {
	dst   int // offset in shared memory
	from  []byte
	data  [chunkBytes]byte
	early bool
}

func mbarrierOps(c *cursor) exec {
	kind := c.op.Words[1]
	var d int32
	switch kind {
	case "arrive":
		d = c.takeDst(types["b64"])
	case "try_wait":
		d = c.takeDst(types["pred"])
	}
	at := c.takeAddress(spaceShared)
	c.narrowGranule(spaceShared, mbarrierBytes)
	var x value
	if kind != "inval" {
		x = c.takeSrc(types["u32"])
	}
	return func(w *warp, mask uint32) *Fault {
		var addresses lanes
		at.of(w, &addresses)
		values := *w.get(x)
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			done, f := w.mbarrier(kind, lane, addresses[lane], values[lane])
			switch {
			case f != nil:
				return f
			case kind == "try_wait":
				w.setPred(d, 1<<lane, uint32(b2i(done))<<lane)
			case kind == "arrive":
				w.put(d, 1<<lane, &lanes{})
			}
		}
		return nil
	}
}

const mbarrierBytes = 8

// mbarrier is one thread's operation on the mbarrier at an address.
func (w *warp) mbarrier(kind string, lane int, address, x uint64) (done bool, f *Fault) {
	b := w.block
	mode := AccessAtomic
	if kind == "init" || kind == "inval" {
		mode = AccessWrite
	}
	if address%mbarrierBytes != 0 {
		return false, addressFault(Misaligned, lane, address, "address %#x is not a multiple of %d", address,
			mbarrierBytes)
	}
	if _, f := w.sharedBytes(lane, address, mbarrierBytes, mode); f != nil {
		return false, f
	}
	m := b.mbarriers[address]
	switch {
	case (m == nil) != (kind == "init"):
		return false, addressFault(Argument, lane, address, "mbarrier.%s at %#x, where there is %s", kind, address,
			map[bool]string{true: "no mbarrier", false: "one already"}[m == nil])
	case kind == "init":
		n := len(b.warps)
		b.mbarriers[address] = &mbarrier{count: int(x), pending: int(x), clocks: make([]uint32, n),
			arrived: make([]uint32, n), by: access{lanes: 1 << lane, warp: uint8(w.id)}}
	case kind == "inval":
		delete(b.mbarriers, address)
	case kind == "arrive":
		if m.pending == 0 {
			return false, addressFault(Argument, lane, address, "more threads arrive than the mbarrier is for")
		}
		m.bytes += int(x)
		m.pending--
		copyMax(m.arrived, w.clocks)
		m.settle()
	default:
		b.advanceCopies(m)
		if done = m.phase&1 != int(x&1); done {
			copyMax(w.clocks, m.clocks)
		}
	}
	return done, nil
}

// advanceCopies completes some of the copies that a thread waits for.
func (b *block) advanceCopies(m *mbarrier) {
	kept := b.tensorCopies[:0]
	for _, t := range b.tensorCopies {
		if t.barrier != m || b.machine.rng.IntN(2) == 0 {
			kept = append(kept, t)
			continue
		}
		for i := range t.chunks {
			c := &t.chunks[i]
			if !c.early {
				copy(c.data[:], c.from)
			}
			copy(b.shared[c.dst:], c.data[:])
			b.shadow.settleTensor(&t.by, c.dst)
			m.bytes -= chunkBytes
		}
		copyMax(m.arrived, t.clocks)
		m.settle()
	}
	b.tensorCopies = kept
}

// settleTensor turns a pending write of a tensor copy into one that is ordered before what the mbarrier orders.
func (s *shadow) settleTensor(by *access, off int) {
	for i := off / s.granule; i < (off+chunkBytes+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		c.state, c.clock, c.async = cellWritten, by.clock, true
	}
}

// copyTensor is cp.async.bulk.tensor of three dimensions from global to shared memory.
func copyTensor(c *cursor) exec {
	dst := c.takeAddress(spaceShared)
	o := c.takeOperand()
	if o.kind != operandAddress || len(o.elems) != 2 || o.elems[1].kind != operandVector || len(o.elems[1].elems) != 3 {
		c.failf("operand %d must be a tensor map and three coordinates", c.next)
		return nothing
	}
	tensorMap := c.srcOf(o.elems[0], types["u64"])
	var coordinates [3]value
	for i := range coordinates {
		coordinates[i] = c.srcOf(o.elems[1].elems[i], types["s32"])
	}
	barrier := c.takeAddress(spaceShared)
	c.narrowGranule(spaceShared, chunkBytes)
	return func(w *warp, mask uint32) *Fault {
		var to, at lanes
		dst.of(w, &to)
		barrier.of(w, &at)
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			var x [3]int
			for i, v := range coordinates {
				x[i] = int(int32(w.get(v)[lane]))
			}
			if f := w.issueTensorCopy(lane, to[lane], w.get(tensorMap)[lane], x, at[lane]); f != nil {
				return f
			}
		}
		return nil
	}
}

// tensorMapAt is the tensor map at a generic address, in the parameters.
func (w *warp) tensorMapAt(lane int, address uint64) (*TensorMap, *Fault) {
	params := w.block.machine.params
	first := (address - paramWindow) / paramSlot
	if address < paramWindow || address%64 != 0 || first+TensorMapWords > uint64(len(params)) {
		return nil, addressFault(Bounds, lane, address, "there is no tensor map at %#x among the parameters", address)
	}
	m, err := ParseTensorMap(params[first : first+TensorMapWords])
	if err != nil {
		return nil, faultAt(Argument, 1<<lane, "%v", err)
	}
	return m, nil
}

// issueTensorCopy begins the copy of the box at coordinates x by one thread.
func (w *warp) issueTensorCopy(lane int, to, tensorMap uint64, x [3]int, at uint64) *Fault {
	b := w.block
	m, f := w.tensorMapAt(lane, tensorMap)
	if f != nil {
		return f
	}
	barrier := b.mbarriers[at]
	if barrier == nil {
		return addressFault(Argument, lane, at, "there is no mbarrier at %#x", at)
	}
	if !barrier.visible {
		return addressFault(Fence, lane, at, "the mbarrier at %#x is used by a tensor copy with no "+
			"fence.mbarrier_init behind its mbarrier.init", at)
	}
	if to%128 != 0 {
		return addressFault(Misaligned, lane, to, "address %#x is not a multiple of 128", to)
	}
	// A box that lies outside the tensor as a whole is zeros, but an H100 reads something at the tensor's start.
	if b.machine.memory.find(m.Base).slice(m.Base, 1) == nil {
		return addressFault(Bounds, lane, m.Base, "the tensor's start %#x is not within an allocation", m.Base)
	}
	t := &tensorCopy{barrier: barrier, clocks: slices.Clone(w.clocks),
		by: access{pc: int32(w.pc), clock: w.clocks[w.id], lanes: 1 << lane, warp: uint8(w.id)}}
	perRow := m.Span() / chunkBytes
	early := b.machine.rng.IntN(2) == 0
	for row := range m.Box[2] {
		for j := range perRow {
			c := tensorChunk{dst: m.swizzle(int(to)+row*m.Span()+j*chunkBytes) - sharedBase, early: early}
			if f := w.tensorSource(&c, lane, m, x, row, j); f != nil {
				return f
			}
			if _, f := w.sharedBytes(lane, uint64(c.dst+sharedBase), chunkBytes, AccessTensor); f != nil {
				return f
			}
			t.chunks = append(t.chunks, c)
		}
	}
	w.countTensorCopy(t, m, x)
	b.tensorCopies = append(b.tensorCopies, t)
	return nil
}

// tensorSource finds the bytes of chunk j of a row that are within the tensor.
func (w *warp) tensorSource(c *tensorChunk, lane int, m *TensorMap, x [3]int, row, j int) *Fault {
	first := x[0]*m.ElemBytes + j*chunkBytes
	n := min(m.Dims[0]*m.ElemBytes-first, chunkBytes)
	i := x[2] + row
	if n <= 0 || first < 0 || i < 0 || i >= m.Dims[2] || x[1] < 0 || x[1] >= m.Dims[1] {
		return nil
	}
	address := m.Base + uint64(first+x[1]*m.Strides[0]+i*m.Strides[1])
	a := w.block.machine.memory.find(address)
	if c.from = w.block.cache.reach(a, address, n, AccessRead, true); c.from == nil {
		return addressFault(Bounds, lane, address, "%d bytes at %#x are not within an allocation", n, address)
	}
	if c.early {
		copy(c.data[:], c.from)
	}
	return nil
}

// countTensorCopy counts a copy as one request, and the sectors and wavefronts that 16 bytes a lane take.
func (w *warp) countTensorCopy(t *tensorCopy, m *TensorMap, x [3]int) {
	perRow := m.Span() / chunkBytes
	n := &w.block.counts[w.pc]
	boxes := n.shared.Requests + 1
	defer func() { n.global.Requests, n.shared.Requests = boxes, boxes }()
	for first := 0; first < len(t.chunks); first += warpSize {
		var from, to lanes
		var reads, writes uint32
		for i, c := range t.chunks[first:min(first+warpSize, len(t.chunks))] {
			row, j := (first+i)/perRow, (first+i)%perRow
			from[i] = m.Base + uint64(x[0]*m.ElemBytes+j*chunkBytes+x[1]*m.Strides[0]+(x[2]+row)*m.Strides[1])
			to[i] = uint64(c.dst + sharedBase)
			reads |= uint32(b2i(c.from != nil)) << i
			writes |= 1 << i
		}
		if reads != 0 {
			w.countGlobal(AccessTensor, reads, &from, chunkBytes)
		}
		w.countShared(AccessTensor, writes, &to, chunkBytes)
	}
}
