package sim

func asyncOps() map[string]builder {
	return map[string]builder{"cp": copyAsync, "mbarrier": mbarrierOps}
}

// asyncCopy is a cp.async whose issuer has not waited for it. Its bytes are read from global memory
// when it is issued or when it is waited for, whichever the seed says: hardware may do either.
type asyncCopy struct {
	lane  int
	group int // of the thread's groups
	dst   int // offset in shared memory
	size  int
	from  []byte // what is left of the source in global memory
	early bool
	data  [16]byte
}

// asyncState is a warp's outstanding copies, and how many groups each thread has committed.
type asyncState struct {
	copies    []asyncCopy
	committed [warpSize]int
}

func (s *asyncState) reset() {
	s.copies = s.copies[:0]
	s.committed = [warpSize]int{}
}

func copyAsync(c *cursor) exec {
	if c.has("bulk") {
		return copyTensor(c)
	}
	switch c.oneOf("commit_group", "wait_group", "wait_all") {
	case "commit_group":
		return func(w *warp, mask uint32) *Fault {
			for i := range w.async.committed {
				w.async.committed[i] += int(mask >> i & 1)
			}
			return nil
		}
	case "wait_group":
		n := c.constInt(1 << 16)
		return func(w *warp, mask uint32) *Fault {
			w.wait(mask, n)
			return nil
		}
	case "wait_all":
		return func(w *warp, mask uint32) *Fault {
			w.wait(mask, -1)
			return nil
		}
	}
	return issue(c)
}

// issue is cp.async.ca or .cg: 4, 8 or 16 bytes of which the first src-size are copied and the
// others set to zero.
func issue(c *cursor) exec {
	dst, src := c.takeAddress(spaceShared), c.takeAddress(spaceGlobal)
	n := c.constInt(16)
	if n != 16 && (c.has("cg") || n != 4 && n != 8) {
		c.failf("it copies 4, 8 or 16 bytes, with .cg 16")
		return nil
	}
	size := c.d.constant(uint64(n))
	if c.hasOperand() {
		size = c.takeSrc(types["u32"])
	}
	c.narrowGranule(spaceShared, n)
	return func(w *warp, mask uint32) *Fault {
		var to, from lanes
		dst.of(w, &to)
		src.of(w, &from)
		sizes := w.get(size)
		var ops [warpSize]asyncCopy
		if f := w.source(mask, &from, sizes, n, &ops); f != nil {
			return f
		}
		// Hardware reads the source at any time until the wait; a program must not change it meanwhile.
		early := w.block.machine.rng.IntN(2) == 0
		return w.reach(spaceShared, AccessAsync, consistency{}, mask, &to, n, func(lane int, _ []byte) {
			op := &ops[lane]
			op.lane, op.group, op.dst, op.size = lane, w.async.committed[lane], int(to[lane]-sharedBase), n
			if op.early = early; early {
				copy(op.data[:], op.from)
			}
			w.async.copies = append(w.async.copies, *op)
		})
	}
}

// source finds the bytes to copy, src-size of them; where that is 0 the address does not matter.
func (w *warp) source(mask uint32, from, sizes *lanes, n int, ops *[warpSize]asyncCopy) *Fault {
	var reading uint32
	for lane, size := range sizes {
		if mask>>lane&1 == 0 {
			continue
		}
		if size > uint64(n) {
			return faultAt(Argument, 1<<lane, "src-size %d is more than the %d bytes of the copy", size, n)
		}
		// zero-fill: the address may be anything
		if size == 0 {
			continue
		}
		if from[lane]%uint64(n) != 0 {
			return addressFault(Misaligned, lane, from[lane], "address %#x is not a multiple of %d", from[lane], n)
		}
		a := w.block.machine.memory.find(from[lane])
		if ops[lane].from = w.block.cache.reach(a, from[lane], int(size), AccessRead, true); ops[lane].from == nil {
			return addressFault(Bounds, lane, from[lane],
				"%d bytes at %#x are not within an allocation", size, from[lane])
		}
		reading |= 1 << lane
	}
	if reading != 0 {
		w.countGlobal(AccessAsync, reading, from, n)
	}
	return nil
}

// wait completes the copies of each lane's groups but the latest n, and where n is negative those
// of no group too.
func (w *warp) wait(mask uint32, n int) {
	kept := w.async.copies[:0]
	for i := range w.async.copies {
		op := &w.async.copies[i]
		if mask>>op.lane&1 == 0 || n >= 0 && op.group >= w.async.committed[op.lane]-n {
			kept = append(kept, *op)
			continue
		}
		if !op.early {
			copy(op.data[:], op.from)
		}
		copy(w.block.shared[op.dst:op.dst+op.size], op.data[:op.size])
		w.block.shadow.settle(w, op.lane, op.dst, op.size)
	}
	w.async.copies = kept
}
