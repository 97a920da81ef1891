package lens

import (
	"regexp"
	"strconv"
)

// Assembled is what ptxas says of the machine code that it made of a kernel, of one thread.
type Assembled struct {
	Registers   int `json:"registers"`
	SpillStores int `json:"spillStores"` // bytes
	SpillLoads  int `json:"spillLoads"`  // bytes
}

var (
	usedRegisters = regexp.MustCompile(`Used (\d+) registers`)
	spilledBytes  = regexp.MustCompile(`(\d+) bytes spill stores, (\d+) bytes spill loads`)
)

// ParseAssembled reads what `ptxas -v` prints of a module with one kernel; nil if that says nothing of registers.
func ParseAssembled(output string) *Assembled {
	used, spilled := usedRegisters.FindStringSubmatch(output), spilledBytes.FindStringSubmatch(output)
	if used == nil || spilled == nil {
		return nil
	}
	number := func(digits string) int {
		n, _ := strconv.Atoi(digits) // saturates
		return n
	}
	return &Assembled{number(used[1]), number(spilled[1]), number(spilled[2])}
}
