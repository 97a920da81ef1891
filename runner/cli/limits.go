package cli

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/newtlab/newt/interp/tensor"
)

// tensorLimits are those of a document that is run here: its tensors may take half of the memory, as a page's may not.
func tensorLimits() tensor.Options {
	half := machineBytes() / 2
	return tensor.Options{MaxBytes: half, MaxElements: int(half)}
}

// limitHeap makes collections frequent where the heap comes near the memory that this process can have, as tensors that
// a document has dropped wait for the next one: a heap may grow to twice what it holds. GOMEMLIMIT, where it is set,
// wins.
func limitHeap(machine int64) {
	if os.Getenv("GOMEMLIMIT") == "" && machine > 0 {
		debug.SetMemoryLimit(machine / 4 * 3)
	}
}

// machineBytes is the memory that this process can have: the machine's, or less where its control group or its own
// limit is less. It is 0 where the system does not say.
func machineBytes() int64 {
	least := memoryLimit()
	for _, place := range []struct {
		file string
		unit int64
	}{
		// "MemTotal:  131072000 kB" is the first line (proc_meminfo(5)); memory.max is a number of bytes, or "max".
		{"/proc/meminfo", 1 << 10},
		{"/sys/fs/cgroup/memory.max", 1},
	} {
		text, _ := os.ReadFile(place.file)
		line, _, _ := strings.Cut(string(text), "\n")
		for _, word := range strings.Fields(line) {
			if n, err := strconv.ParseInt(word, 10, 64); err == nil && (least == 0 || n*place.unit < least) {
				least = n * place.unit
			}
		}
	}
	return least
}
