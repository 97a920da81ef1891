package lens

import (
	"regexp"
	"strconv"
)

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
