package sim

import (
	"math/bits"
	"slices"

	"github.com/newtlab/newt/compiler/ptx/isa"
)

// Access is how an instruction reaches a memory.
type Access uint8

// The kinds of accesses, as the counters of hardware tell them apart.
const (
	AccessRead   Access = iota // ld, ldmatrix
	AccessWrite                // st, stmatrix
	AccessAtomic               // atom, red
	AccessAsync                // cp.async: its read of global memory, its write of shared memory
	AccessTensor               // cp.async.bulk.tensor, in the same way: a request is a box
	NumAccesses
)

// Traffic is what the requests of warps take of a memory: 32-byte sectors of global memory, wavefronts of shared
// memory.
type Traffic struct {
	Requests uint64 // warp instructions that reached the memory
	Units    uint64 // sectors that they touched, each once a request; wavefronts that the banks needed
	// Ideal is how many units the same bytes take at best: of global memory, the different bytes of a request packed
	// into sectors; of shared memory, the wavefronts that are left without bank conflicts.
	Ideal uint64
	// Bytes is what Ideal wavefronts of shared memory can carry by accesses of this width: those of less than a word
	// use a part of each bank.
	Bytes uint64
	Words uint64 // of 4 bytes, or a part of one, that atomics updated, as often as they did
}

func (t *Traffic) add(u Traffic) {
	t.Requests += u.Requests
	t.Units += u.Units
	t.Ideal += u.Ideal
	t.Bytes += u.Bytes
	t.Words += u.Words
}

// Excess is the units beyond the ideal: of shared memory, the bank conflicts.
func (t Traffic) Excess() uint64 { return t.Units - t.Ideal }

// ByAccess is the traffic of a memory by the kind of access.
type ByAccess [NumAccesses]Traffic

// Sum is the traffic of all kinds.
func (b *ByAccess) Sum() (all Traffic) {
	for _, t := range b {
		all.add(t)
	}
	return all
}

// Count is what an instruction, or all instructions of a line, did.
type Count struct {
	Executed uint64 // warp instructions
	Threads  uint64 // thread instructions: active lanes, summed
	Global   ByAccess
	Shared   ByAccess
	Classes  [isa.NumClasses]uint64 // warp instructions
	FLOPs    [isa.NumClasses]uint64 // additions and multiplications of floats
}

// Add adds n to c.
func (c *Count) Add(n *Count) {
	c.Executed += n.Executed
	c.Threads += n.Threads
	for i := range NumAccesses {
		c.Global[i].add(n.Global[i])
		c.Shared[i].add(n.Shared[i])
	}
	for i := range isa.NumClasses {
		c.Classes[i] += n.Classes[i]
		c.FLOPs[i] += n.FLOPs[i]
	}
}

// Report is what a launch did.
type Report struct {
	Blocks  uint64 // that were started
	Longest uint64 // warp instructions of the block that executed most
	Total   Count
	Lines   []Count // by line of the PTX text, from 1; Lines[0] is empty
	// ReadBytes and WrittenBytes are the sizes of the sectors of global memory that were read and written, each counted
	// once: the least that moves between an empty cache and the memory behind it.
	ReadBytes, WrittenBytes uint64
	// WaveSectors are the sectors of global memory that waves of WaveBlocks blocks read, in the order of the blocks'
	// numbers, each counted once a wave: what a cache would take from memory that keeps what the blocks of a wave read
	// until the last of them ends, and nothing longer. Where Every leaves blocks out, waves are of those that ran.
	WaveSectors uint64
	// Sectors are those of global memory that each line of the PTX touched, Updated the words that its atomics did.
	Sectors, Updated map[int]*Footprint
}

// tally is what one instruction did so far. All its accesses are of one kind.
type tally struct {
	executed, threads uint64
	access            Access
	global, shared    Traffic
}

func (t *tally) count(w isa.Work) *Count {
	c := &Count{Executed: t.executed, Threads: t.threads}
	c.Global[t.access], c.Shared[t.access] = t.global, t.shared
	c.Classes[w.Class] = t.executed
	c.FLOPs[w.Class] = t.threads*uint64(w.LaneFLOPs) + t.executed*uint64(w.WarpFLOPs)
	return c
}

func (m *machine) report() *Report {
	r := &Report{
		Blocks: m.blocks, Longest: m.longest, Lines: make([]Count, m.module.lines+1),
		WaveSectors: m.waveSectors, Sectors: m.sectors, Updated: m.updated,
	}
	for i := range m.counts {
		in := &m.kernel.code[i]
		c := m.counts[i].count(in.work)
		if line := int(in.line); line < len(r.Lines) {
			r.Lines[line].Add(c)
		}
		r.Total.Add(c)
	}
	r.ReadBytes, r.WrittenBytes = sectorBytes*m.read.Len(), sectorBytes*m.written.Len()
	return r
}

const (
	sectorBytes = 32
	banks       = 32
	bankBytes   = 4
	wordBytes   = 4
)

// countGlobal counts one request of the lanes of mask, whose accesses of n bytes are aligned.
func (w *warp) countGlobal(mode Access, mask uint32, addresses *lanes, n int) {
	var units lanes
	bytes := n * distinct(mask, addresses, uint64(n), &units)
	sectors := units[:distinct(mask, addresses, sectorBytes, &units)]
	t := &w.block.counts[w.pc]
	t.access = mode
	t.global.add(Traffic{1, uint64(len(sectors)), uint64(bytes+sectorBytes-1) / sectorBytes, 0, 0})
	m := w.block.machine
	line := int(m.kernel.code[w.pc].line)
	footprintOf(m.sectors, line).touch(sectors)
	if mode == AccessAtomic {
		words := footprintOf(m.updated, line)
		for lane := mask; lane != 0; lane &= lane - 1 {
			first := addresses[bits.TrailingZeros32(lane)&31]
			for at := first / wordBytes; at <= (first+uint64(n)-1)/wordBytes; at++ {
				words.touch([]uint64{at})
				t.global.Words++
			}
		}
	}
	if mode != AccessWrite {
		m.read.touch(sectors)
		w.block.wave.read.touch(sectors)
	}
	if mode == AccessWrite || mode == AccessAtomic {
		m.written.touch(sectors)
	}
}

func footprintOf(by map[int]*Footprint, line int) *Footprint {
	f := by[line]
	if f == nil {
		f = &Footprint{}
		if by != nil { // nothing asks for the counts of inline assembly that is tried
			by[line] = f
		}
	}
	return f
}

// distinct finds the different units of so many bytes that the lanes of mask reach, and how many there are.
func distinct(mask uint32, addresses *lanes, bytes uint64, units *lanes) int {
	n := 0
	for m := mask; m != 0; m &= m - 1 {
		unit := addresses[bits.TrailingZeros32(m)&31] / bytes
		// Addresses mostly ascend with the lane: the last one is tried before the search.
		if n > 0 && (unit == units[n-1] || slices.Contains(units[:n-1], unit)) {
			continue
		}
		units[n] = unit
		n++
	}
	return n
}

// countShared counts the wavefronts of one request to shared memory. 8-byte accesses go by half
// warps, 16-byte ones by quarter warps, or by twice as many lanes where pairs load the same and that
// takes fewer wavefronts.
func (w *warp) countShared(mode Access, mask uint32, addresses *lanes, n int) {
	phase := warpSize * bankBytes / max(n, bankBytes)
	took := wavefronts(mask, addresses, n, phase)
	if mode == AccessRead && n > bankBytes && (pairsAgree(mask, addresses, 1) || pairsAgree(mask, addresses, 2)) {
		if merged := wavefronts(mask, addresses, n, 2*phase); merged.Units < took.Units {
			took = merged
		}
	}
	t := &w.block.counts[w.pc]
	t.access = mode
	width := bankBytes
	if mask&(mask-1) != 0 { // more than one lane: a wider access could serve them with fewer
		width = min(n, bankBytes)
	}
	took.Bytes = took.Ideal * uint64(banks*width)
	t.shared.add(took)
}

// wavefronts is the traffic of a request that goes by so many lanes at a time; a wavefront serves one 4-byte word of
// each bank.
func wavefronts(mask uint32, addresses *lanes, n, phase int) Traffic {
	took := Traffic{Requests: 1}
	for first := 0; first < warpSize; first += phase {
		ways := bankWays(mask, addresses, first, phase, n)
		took.Units += uint64(ways)
		took.Ideal += uint64(min(ways, 1))
	}
	return took
}

// pairsAgree reports whether the lanes i and i^distance have the same address wherever both are in mask: then one
// transfer of a wide load serves both (https://forums.developer.nvidia.com/t/77228, and for an H100 /t/373160).
func pairsAgree(mask uint32, addresses *lanes, distance int) bool {
	for i := range addresses {
		if other := i ^ distance; mask>>i&1 != 0 && mask>>other&1 != 0 && addresses[i] != addresses[other] {
			return false
		}
	}
	return true
}

// bankWays is the largest number of different words that one bank is asked for by the lanes
// [first, first+count).
func bankWays(mask uint32, addresses *lanes, first, count, n int) int {
	var words [banks][warpSize]uint32
	var used [banks]uint8
	ways := 0
	for lane := first; lane < first+count; lane++ {
		if mask>>lane&1 == 0 {
			continue
		}
		start := uint32(addresses[lane] / bankBytes)
		for word := start; word < start+uint32(max(n/bankBytes, 1)); word++ {
			b := word % banks
			known := false
			for _, x := range words[b][:used[b]] {
				known = known || x == word
			}
			if !known {
				words[b][used[b]] = word
				used[b]++
				ways = max(ways, int(used[b]))
			}
		}
	}
	return ways
}
