package plan

import "github.com/newtlab/newt/compiler/layout"

// ScratchLimit is the most shared memory, in bytes, that a conversion takes at once if it can go in parts. Larger
// scratch would lower the occupancy; smaller costs more barriers.
const ScratchLimit = 32 << 10

// forcedPartLimit is the size from which on a conversion goes in parts even if the layouts do not cut it into parts by
// registers alone: threads then skip the elements that are not in the current part.
const forcedPartLimit = 2 * ScratchLimit

// Parts is in how many parts a conversion goes through shared memory, and the bytes of each.
func Parts(c layout.Conversion) (parts, bytes int) {
	// Parts by registers keep all threads busy; forced ones leave threads idle, but bound the scratch.
	if parts, bytes = c.Parts(ScratchLimit); bytes > forcedPartLimit {
		parts, bytes = c.Mem.Bytes()/ScratchLimit, ScratchLimit
	}
	return parts, bytes
}
