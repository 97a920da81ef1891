package sim

import "math/bits"

// footprint is a set of sectors of global memory, in pages of bits.
type footprint struct {
	pages  map[uint64]*page
	number uint64 // of the page that was used last, nil at first
	last   *page
}

const pageSectors = 1 << 12

type page [pageSectors / 64]uint64

// touch adds sectors, each given as its address divided by sectorBytes.
func (f *footprint) touch(sectors []uint64) {
	for _, s := range sectors {
		if number := s / pageSectors; f.last == nil || number != f.number {
			f.number, f.last = number, f.pages[number]
			if f.last == nil {
				if f.pages == nil {
					f.pages = map[uint64]*page{}
				}
				f.last = &page{}
				f.pages[number] = f.last
			}
		}
		f.last[s%pageSectors/64] |= 1 << (s % 64)
	}
}

// bytes is the size of the set's sectors.
func (f *footprint) bytes() uint64 {
	n := 0
	for _, p := range f.pages {
		for _, word := range p {
			n += bits.OnesCount64(word)
		}
	}
	return uint64(n) * sectorBytes
}
