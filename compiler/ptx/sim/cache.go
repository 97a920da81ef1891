package sim

import "math/rand/v2"

// cache is the L1 cache of the multiprocessor that a block runs on, where other blocks run on others. It is not
// coherent: a weak load may find a sector that another multiprocessor has written since, and a weak store may stay
// here unseen. An acquire forgets what was loaded, a release writes back what was stored; other sectors leave at random
// times. Both concern all that the multiprocessor has cached, as on hardware. A nil cache holds nothing.
type cache struct {
	rng     *rand.Rand
	sectors map[uint64]*sector
	order   []*sector // the same, in an order that the seed alone decides
}

// sector is a copy of some bytes of memory, those of them with a bit in stored newer than memory's.
type sector struct {
	address uint64
	data    [sectorBytes]byte
	stored  uint32
	index   int    // in cache.order
	home    []byte // in memory; shorter where an allocation ends
}

// consistency is what an instruction says of the memory order, at a scope beyond the block. Within a block there is one
// cache, and nothing to say.
type consistency struct {
	strong  bool // relaxed, volatile or atomic: it accesses memory itself
	acquire bool
	release bool
}

// reach is the bytes that an access of n bytes at an address of a's works on: those of the cache, or those of memory,
// which the cache then has no copy of.
func (c *cache) reach(a *allocation, address uint64, n int, mode Access, strong bool) []byte {
	home := a.slice(address, n)
	if home != nil && mode != AccessRead && a.pages != nil {
		a.keep(address, n)
	}
	if c == nil || home == nil {
		return home
	}
	if strong {
		c.drop(address)
		return home
	}
	s := c.fetch(a, address)
	at := int(address % sectorBytes)
	if mode == AccessWrite {
		s.stored |= uint32(maskBits(n)) << at
	}
	return s.data[at : at+n]
}

// fetch is the sector of an address, loaded where the cache does not have it.
func (c *cache) fetch(a *allocation, address uint64) *sector {
	base := address &^ (sectorBytes - 1)
	if s := c.sectors[base]; s != nil {
		return s
	}
	offset := base - a.base
	s := &sector{address: base, index: len(c.order), home: a.data[offset:min(offset+sectorBytes, uint64(len(a.data)))]}
	copy(s.data[:], s.home)
	c.sectors[base] = s
	c.order = append(c.order, s)
	return s
}

// writeBack makes what was stored to the sector seen by all.
func (s *sector) writeBack() {
	for i := range s.home {
		if s.stored>>i&1 != 0 {
			s.home[i] = s.data[i]
		}
	}
	s.stored = 0
}

// drop writes the sector of an address back and forgets it.
func (c *cache) drop(address uint64) {
	s := c.sectors[address&^(sectorBytes-1)]
	if s == nil {
		return
	}
	s.writeBack()
	delete(c.sectors, s.address)
	last := len(c.order) - 1
	c.order[s.index] = c.order[last]
	c.order[s.index].index = s.index
	c.order = c.order[:last]
}

// release writes back all that was stored.
func (c *cache) release() {
	if c == nil {
		return
	}
	for _, s := range c.order {
		s.writeBack()
	}
}

// acquire forgets what was loaded; what was stored since stays.
func (c *cache) acquire() {
	if c == nil {
		return
	}
	kept := c.order[:0]
	for _, s := range c.order {
		if s.stored == 0 {
			delete(c.sectors, s.address)
			continue
		}
		for i := range s.home {
			if s.stored>>i&1 == 0 {
				s.data[i] = s.home[i]
			}
		}
		s.index = len(kept)
		kept = append(kept, s)
	}
	c.order = kept
}

// age lets a sector go, now and then, that the seed picks.
func (c *cache) age() {
	if c != nil && len(c.order) > 0 && c.rng.IntN(16) == 0 {
		c.drop(c.order[c.rng.IntN(len(c.order))].address)
	}
}
