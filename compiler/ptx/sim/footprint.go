package sim

import "math/bits"

// Footprint is a set of places of global memory, in pages of bits: of its sectors, or of its words.
type Footprint struct {
	pages  map[uint64]*page
	number uint64 // of the page that was used last, nil at first
	last   *page
}

const pageSectors = 1 << 12

type page [pageSectors / 64]uint64

// touch adds places, each given as its address divided by its size.
func (f *Footprint) touch(places []uint64) {
	for _, s := range places {
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

// Union adds the places of g.
func (f *Footprint) Union(g *Footprint) {
	if f.pages == nil {
		f.pages = map[uint64]*page{}
	}
	f.last = nil
	for number, p := range g.pages {
		to := f.pages[number]
		if to == nil {
			to = &page{}
			f.pages[number] = to
		}
		for i, word := range p {
			to[i] |= word
		}
	}
}

// Len is how many places the set has.
func (f *Footprint) Len() uint64 {
	n := 0
	for _, p := range f.pages {
		for _, word := range p {
			n += bits.OnesCount64(word)
		}
	}
	return uint64(n)
}
