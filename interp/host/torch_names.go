package host

import (
	_ "embed"
	"slices"
	"strings"
)

// torchNames are the public names of torch's and Triton's modules that newt lacks, and those of Tensor, a line a
// module: what a script asks for among these is newt's lack, any other name is torch's own AttributeError. They are
// those of torch's reference.
//
//go:embed torch_names.txt
var torchNames string

// torchLacks reports whether torch has a name that newt lacks; it cannot say so of modules without a list.
func torchLacks(module, name string) bool {
	for line := range strings.Lines(torchNames) {
		if list, ok := strings.CutPrefix(line, module+": "); ok {
			return slices.Contains(strings.Fields(list), name) || strings.HasPrefix(name, "_")
		}
	}
	return true
}
