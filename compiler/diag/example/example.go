// Package example has a program for each diagnostic that a short one shows, and the same program put right. Tests hold
// the catalogue to them, and package explain makes pages of them. They are apart from the catalogue so that the page's
// program, which has the catalogue, does not carry them.
package example

import "strings"

// Example belongs to one code.
type Example struct {
	Bad  string // source that yields the code and no other; empty where no short one does
	Good string // the same put right: it yields none
}

// Names are taken as defined in the examples that are no kernels.
var Names = []string{"x", "y", "z", "f", "g"}

// Of gives the example of a code, the zero Example where there is none.
func Of(code string) Example {
	for _, table := range []map[string]Example{source, statements, operands, assembly} {
		if e, ok := table[code]; ok {
			return e
		}
	}
	return Example{}
}

// kernelOf is an example: a kernel with this body. Its arguments are x_ptr (*fp32), i_ptr (*i32),
// n (100) and BLOCK, a constexpr that is 16.
func kernelOf(body string) string { return kernelAfter("", body) }

// kernelFor is kernelOf in a file for a version of Triton.
func kernelFor(version, body string) string { return "# triton: " + version + "\n" + kernelOf(body) }

// kernelAfter is kernelOf with module-level code in front.
func kernelAfter(module, body string) string {
	if module != "" {
		module += "\n\n"
	}
	lines := strings.Split(body, "\n")
	return "import triton\nimport triton.language as tl\n\n\n" + module +
		"@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n    " + strings.Join(lines, "\n    ") + "\n"
}
