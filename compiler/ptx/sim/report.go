package sim

// Count is what an instruction, or all instructions of a line, did.
type Count struct {
	Executed         uint64 // warp instructions
	Threads          uint64 // thread instructions: active lanes, summed
	GlobalRequests   uint64 // warp instructions that reached global memory
	GlobalSectors    uint64 // 32-byte sectors that they touched, each once a request
	SharedRequests   uint64 // warp instructions that reached shared memory
	SharedWavefronts uint64 // passes that the banks needed for them
	SharedConflicts  uint64 // passes beyond what the width of the access needs
}

// Add adds n to c.
func (c *Count) Add(n Count) {
	c.Executed += n.Executed
	c.Threads += n.Threads
	c.GlobalRequests += n.GlobalRequests
	c.GlobalSectors += n.GlobalSectors
	c.SharedRequests += n.SharedRequests
	c.SharedWavefronts += n.SharedWavefronts
	c.SharedConflicts += n.SharedConflicts
}

// Report is what a launch did.
type Report struct {
	Total Count
	Lines []Count // by line of the PTX text, from 1; Lines[0] is empty
}

func (m *machine) report() *Report {
	r := &Report{Lines: make([]Count, m.module.lines+1)}
	for i, c := range m.counts {
		if line := int(m.kernel.code[i].line); line < len(r.Lines) {
			r.Lines[line].Add(c)
		}
		r.Total.Add(c)
	}
	return r
}

const (
	sectorBytes = 32
	banks       = 32
	bankBytes   = 4
)

// countGlobal counts the sectors of one request of the lanes of mask, whose accesses are aligned.
func (w *warp) countGlobal(mask uint32, addresses *lanes) {
	c := &w.block.counts[w.pc]
	c.GlobalRequests++
	var seen [warpSize]uint64
	count, last := 0, ^uint64(0)
next:
	for i := range addresses {
		if mask>>i&1 == 0 {
			continue
		}
		sector := addresses[i] / sectorBytes
		if sector == last {
			continue
		}
		last = sector
		for _, s := range seen[:count] {
			if s == sector {
				continue next
			}
		}
		seen[count] = sector
		count++
	}
	c.GlobalSectors += uint64(count)
}

// countShared counts the wavefronts of one request to shared memory. 8-byte accesses go by half
// warps, 16-byte ones by quarter warps; a wavefront serves one 4-byte word of each bank.
func (w *warp) countShared(mask uint32, addresses *lanes, n int) {
	c := &w.block.counts[w.pc]
	c.SharedRequests++
	phase := warpSize * bankBytes / max(n, bankBytes)
	for first := 0; first < warpSize; first += phase {
		ways := bankWays(mask, addresses, first, phase, n)
		c.SharedWavefronts += uint64(ways)
		c.SharedConflicts += uint64(max(ways-1, 0))
	}
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
