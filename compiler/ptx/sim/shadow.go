package sim

// cell is what is known of one granule of shared memory: its last write, and the accesses since.
// Granules are as narrow as the kernel's narrowest access, so a cell is always touched whole.
type cell struct {
	state  cellState
	writer uint8 // warp
	lane   uint8
	first  access // one access since the last write
	more   int32  // 1 + index of further ones in shadow.lists, or 0
	pc     int32  // of the write
	clock  uint32
	// How many proxy fences the writer's warp had executed, and the products that read the cell now.
	proxies      uint32
	asyncReaders uint32
	asyncReader  int32 // instruction of one
	async        bool  // a tensor copy wrote it, by the async proxy, through which wgmma reads
}

type cellState uint8

const (
	cellUnwritten cellState = iota
	cellWritten
	cellPending // cp.async was issued and its issuer has not waited for it
)

// access is the latest reads, or the latest atomic operations, of one warp.
type access struct {
	pc     int32
	clock  uint32
	lanes  uint32 // 0: no access
	warp   uint8
	atomic bool
}

// shadow detects races in a block's shared memory. Two accesses are ordered if they are one
// thread's, or one warp's with a .sync instruction of all its threads between them, or if a barrier
// stands between them; vector clocks, one count a warp, say so.
type shadow struct {
	cells   []cell
	lists   [][]access
	granule int
}

func (s *shadow) reset(bytes, granule int) {
	s.granule = granule
	s.lists = s.lists[:0]
	n := (bytes + granule - 1) / granule
	if cap(s.cells) < n {
		s.cells = make([]cell, n)
		return
	}
	s.cells = s.cells[:n]
	clear(s.cells)
}

// after says whether what warp did at clock happened before what lanes of w other than those in
// own do now. A warp's own clock advances where its threads synchronize.
func (a *access) after(w *warp, lane int) bool {
	// Within a warp: earlier than its last synchronization, or by this thread alone.
	if int(a.warp) == w.id {
		return a.clock < w.clocks[w.id] || a.lanes&^(1<<lane) == 0
	}
	return w.clocks[a.warp] >= a.clock
}

func (c *cell) write() access {
	return access{pc: c.pc, clock: c.clock, lanes: 1 << (c.lane & 31), warp: c.writer}
}

// touch checks and records a read, or an atomic operation, of n bytes at off by one thread.
func (s *shadow) touch(w *warp, lane, off, n int, atomic bool) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		if f := c.readable(w, lane, i*s.granule); f != nil {
			return f
		}
		// An atomic operation writes as well, which a wgmma that still reads would see.
		if atomic {
			if f := c.checkAsyncReaders(lane, i*s.granule); f != nil {
				return f
			}
		}
		now := access{pc: int32(w.pc), clock: w.clocks[w.id], lanes: 1 << lane, warp: uint8(w.id), atomic: atomic}
		// The common case, without a list: the granule has been accessed by one warp, or by others before a barrier.
		if c.more == 0 && c.first.join(w, &now) {
			continue
		}
		if f := s.join(c, w, lane, &now, i*s.granule); f != nil {
			return f
		}
	}
	return nil
}

func (c *cell) readable(w *warp, lane, off int) *Fault {
	switch c.state {
	case cellUnwritten:
		return addressFault(Uninitialized, lane, uint64(sharedBase+off),
			"shared memory at offset %d is read before it is written", off)
	// Nobody may touch it, the copying thread included, before that has waited.
	case cellPending:
		return pending(c, lane, off)
	}
	if last := c.write(); !last.after(w, lane) {
		return race(lane, off, last.pc, "is read", "written")
	}
	return nil
}

func pending(c *cell, lane, off int) *Fault {
	f := addressFault(Async, lane, uint64(sharedBase+off),
		"shared memory at offset %d is touched before the thread that copies to it has waited for the copy", off)
	f.other = int(c.pc)
	return f
}

func race(lane, off int, other int32, now, before string) *Fault {
	f := addressFault(Race, lane, uint64(sharedBase+off),
		"shared memory at offset %d %s by one thread and %s by another with no barrier between", off, now, before)
	f.other = int(other)
	return f
}

// join merges a new access into one of the same kind that it makes superfluous.
func (a *access) join(w *warp, now *access) bool {
	switch {
	case a.lanes == 0:
		*a = *now
	case a.atomic != now.atomic:
		return false
	case a.warp == now.warp:
		if a.clock == now.clock {
			now.lanes |= a.lanes
		}
		*a = *now
	// The other warp's access happened before this one: what conflicts with it conflicts with this one, too.
	case w.clocks[a.warp] >= a.clock:
		*a = *now
	default:
		return false
	}
	return true
}

// join records an access beside others, having checked those that it conflicts with.
func (s *shadow) join(c *cell, w *warp, lane int, now *access, off int) *Fault {
	var list []access
	if c.more > 0 {
		list = s.lists[c.more-1]
	}
	clash := conflict(&c.first, now, w, lane)
	for i := 0; i < len(list) && clash == nil; i++ {
		clash = conflict(&list[i], now, w, lane)
	}
	if clash != nil {
		return race(lane, off, clash.pc, "is touched atomically", "otherwise")
	}
	if c.first.join(w, now) {
		return nil
	}
	for i := range list {
		if list[i].join(w, now) {
			return nil
		}
	}
	if c.more == 0 {
		c.more = s.list()
	}
	s.lists[c.more-1] = append(s.lists[c.more-1], *now)
	return nil
}

// conflict is a where it is of the other kind than now and not ordered before it.
func conflict(a, now *access, w *warp, lane int) *access {
	if a.lanes != 0 && a.atomic != now.atomic && !a.after(w, lane) {
		return a
	}
	return nil
}

// list is 1 + the index of an empty list, an earlier block's if there is one.
func (s *shadow) list() int32 {
	n := len(s.lists)
	if n < cap(s.lists) {
		s.lists = s.lists[:n+1]
		s.lists[n] = s.lists[n][:0]
	} else {
		s.lists = append(s.lists, nil)
	}
	return int32(n + 1)
}

// store checks and records a write of n bytes at off by one thread, which is complete, or pending
// where cp.async makes it.
func (s *shadow) store(w *warp, lane, off, n int, state cellState) *Fault {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		if c.state == cellPending {
			return pending(c, lane, i*s.granule)
		}
		if f := c.checkAsyncReaders(lane, i*s.granule); f != nil {
			return f
		}
		if last := c.write(); c.state == cellWritten && !last.after(w, lane) {
			return race(lane, i*s.granule, last.pc, "is written", "written")
		}
		if f := s.unread(c, w, lane, i*s.granule); f != nil {
			return f
		}
		// All earlier accesses are ordered before this write, so whoever is ordered after it is after them, too.
		*c = cell{state: state, writer: uint8(w.id), lane: uint8(lane), pc: int32(w.pc), clock: w.clocks[w.id],
			more: c.more, proxies: uint32(len(w.proxies))}
		if c.more > 0 {
			s.lists[c.more-1] = s.lists[c.more-1][:0]
		}
	}
	return nil
}

func (s *shadow) unread(c *cell, w *warp, lane, off int) *Fault {
	if c.first.lanes != 0 && !c.first.after(w, lane) {
		return race(lane, off, c.first.pc, "is written", "read")
	}
	if c.more == 0 {
		return nil
	}
	for i := range s.lists[c.more-1] {
		if a := &s.lists[c.more-1][i]; !a.after(w, lane) {
			return race(lane, off, a.pc, "is written", "read")
		}
	}
	return nil
}

// settle turns a pending write into one that its issuer has waited for.
func (s *shadow) settle(w *warp, lane, off, n int) {
	for i := off / s.granule; i < (off+n+s.granule-1)/s.granule; i++ {
		c := &s.cells[i]
		c.state, c.writer, c.lane, c.clock = cellWritten, uint8(w.id), uint8(lane), w.clocks[w.id]
		c.proxies = uint32(len(w.proxies))
	}
}
