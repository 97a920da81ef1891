package golden

import (
	"slices"
	"strings"
)

// Lanes is the number of elements of every input, and of every result that is not one value.
const Lanes = 64

var scalars = []string{"sum", "max", "min", "argmax", "argmin", "xor_sum"}

// Scalar reports whether the result is a single value: a reduction's.
func (c *Case) Scalar() bool { return c.Kind == "reduce" && slices.Contains(scalars, c.Op) }

// Kernel is the source of a kernel named kernel that computes the case as it was recorded. Its
// parameters are x_ptr, y_ptr where the case has two operands, z_ptr for the result, and
// N, a constexpr of Lanes.
func (c *Case) Kernel() string {
	params, loads := "x_ptr", []string{"    x = tl.load(x_ptr + o)"}
	if len(c.Args) == 2 {
		params += ", y_ptr"
		loads = append(loads, "    y = tl.load(y_ptr + o)")
	}
	lines := append([]string{
		"import triton",
		"import triton.language as tl",
		"",
		"",
		"@triton.jit",
		"def kernel(" + params + ", z_ptr, N: tl.constexpr):",
		"    o = tl.arange(0, N)",
	}, loads...)
	if c.Kind == "dot" {
		lines = append(lines,
			"    r = tl.arange(0, 32)",
			"    at = (r[:, None] * 32 + r[None, :]) % N",
			"    x2 = tl.load(x_ptr + at)",
			"    y2 = tl.load(y_ptr + at)",
		)
	}
	lines = append(lines, "    z = "+c.Expr)
	switch {
	case c.Scalar():
		lines = append(lines, "    tl.store(z_ptr, z)")
	case c.Kind != "dot": // of dots the dtype alone was recorded
		lines = append(lines, "    tl.store(z_ptr + o, z)")
	}
	return strings.Join(lines, "\n") + "\n"
}
