package sim

// chunkBytes is a row of a core matrix, such as 8 elements of 16 bits, which stay together.
const chunkBytes = 16

// spans are the bytes that a row of the swizzle's pattern has, by the descriptor's code: the pieces of
// 16 bytes in it are permuted. 16 is no swizzle.
var spans = [4]int{16, 128, 64, 32}

// descriptor is a matrix in shared memory, of rows (or columns) by 32 bytes in k.
type descriptor struct {
	start   int // address
	leading int // byte offsets
	stride  int
	span    int
	along   bool // rows are contiguous, not k
}

// Fields of a descriptor in units of 16 bytes, by the ISA's section on the matrix descriptor: address
// in bits 0 to 13, leading offset 16 to 29, stride offset 32 to 45, base offset 49 to 51, swizzle 62 and 63.
const (
	descriptorField    = 1<<14 - 1
	descriptorReserved = 1<<14 | 1<<15 | 1<<30 | 1<<31 | 7<<46 | 0x3ff<<52
	descriptorBase     = 7 << 49
)

// describe takes a descriptor apart and checks that the pattern of its swizzle begins where the
// address says.
func describe(v uint64, rows int, along bool) (d descriptor, f *Fault) {
	field := func(from int) int { return int(v>>from&descriptorField) * chunkBytes }
	d = descriptor{start: field(0), leading: field(16), stride: field(32), span: spans[v>>62], along: along}
	// bytes after which the swizzle repeats: eight rows
	pattern := 8 * d.span
	switch {
	case v&descriptorReserved != 0:
		f = faultAt(Argument, full, "descriptor %#x has bits that must be 0", v)
	// A base offset is for matrices that do not begin at a multiple of the pattern; the compiler aligns them.
	case v&descriptorBase != 0:
		f = faultAt(Argument, full, "the simulator does not know descriptors with a base offset, as %#x has", v)
	case d.span == chunkBytes:
	case d.start%pattern >= d.span:
		f = faultAt(Misaligned, full,
			"the matrix at %#x does not begin in the first row of a swizzle's pattern of %d bytes", d.start, pattern)
	case d.stride%pattern != 0:
		f = faultAt(Misaligned, full, "the stride offset %d is not a multiple of the swizzle's pattern of %d bytes",
			d.stride, pattern)
	case !along && d.start%d.span+wgmmaRow > d.span:
		f = faultAt(Misaligned, full, "the matrix at %#x goes beyond a row of %d bytes", d.start, d.span)
	case along && d.start%d.span != 0:
		f = faultAt(Misaligned, full, "the matrix at %#x does not begin at a row of %d bytes", d.start, d.span)
	case along && 2*rows > d.span && d.leading%pattern != 0:
		f = faultAt(Misaligned, full, "the leading offset %d is not a multiple of the swizzle's pattern of %d bytes",
			d.leading, pattern)
	}
	return d, f
}

// chunkAt is the address of a chunk: the j-th of row i, or, where rows are contiguous, of k = j
// from row 8·i on. The strides are those of the canonical layouts in CUTLASS's mma_sm90_desc; the
// swizzle permutes by the absolute address.
func (d descriptor) chunkAt(i, j int) int {
	per := d.span / chunkBytes
	var off int
	switch {
	case !d.along && per == 1:
		off = i%8*chunkBytes + i/8*d.stride + j*d.leading
	case !d.along:
		off = i%8*d.span + i/8*d.stride + j*chunkBytes
	case per == 1:
		off = i*d.stride + j%8*chunkBytes + j/8*d.leading
	default:
		off = i%per*chunkBytes + i/per*d.leading + j%8*d.span + j/8*d.stride
	}
	at := d.start + off
	// Address bits 4 to 6 (of 16-byte chunks) are XORed with bits 7 to 9 (of rows of 128 bytes), as many as the
	// swizzle has.
	return at ^ at>>7&(per-1)<<4
}

// operand reads a matrix by its descriptor: rows, each with its 32 bytes in k. Where rows are contiguous, elements have
// 16 bits.
func (w *warp) operand(op *outstandingWgmma, desc uint64, rows int, along bool, elem *typ) ([][maxK]float64, *Fault) {
	d, f := describe(desc, rows, along)
	if f != nil {
		return nil, f
	}
	out := make([][maxK]float64, rows)
	units, each, size := rows, wgmmaRow/chunkBytes, elem.bytes()
	if along {
		units, each = rows/8, wgmmaRow/size
	}
	for i := range units {
		for j := range each {
			data, f := w.lend(op, d.chunkAt(i, j))
			if f != nil {
				return nil, f
			}
			per := chunkBytes / size
			for e := range per {
				x := elem.element(readBits(data[size*e:][:size]))
				if along {
					out[per*i+e][j] = x
				} else {
					out[i][per*j+e] = x
				}
			}
		}
	}
	return out, nil
}

// lend gives a wgmma 16 bytes of shared memory to read until it is waited for.
func (w *warp) lend(op *outstandingWgmma, address int) ([]byte, *Fault) {
	b := w.block
	off := address - sharedBase
	if off < 0 || off+chunkBytes > len(b.shared) {
		return nil, addressFault(Bounds, 0, uint64(address),
			"%d bytes at %#x are outside the %d bytes of shared memory, which start at %#x",
			chunkBytes, address, len(b.shared), sharedBase)
	}
	op.chunks = append(op.chunks, int32(off))
	return b.shared[off : off+chunkBytes], b.shadow.beginAsyncRead(w, off, chunkBytes)
}
