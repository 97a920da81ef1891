package explain

import "strings"

// example is a script that yields a code and no other, and the same put right, which yields none.
type example struct{ bad, good string }

// launchOf is a script that launches a kernel with this body as four programs. x holds 0 to 63 and y zeros, as float32;
// i holds 0 to 63 as int32; n is 50, and BLOCK 16.
func launchOf(body string) string { return launchAfter("", body) }

// launchAfter is launchOf with statements in front of the launch, which may make other tensors of x, y and i.
func launchAfter(before, body string) string {
	if before != "" {
		before += "\n"
	}
	return `import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, i_ptr, n, BLOCK: tl.constexpr):
    ` + strings.ReplaceAll(body, "\n", "\n    ") + `


x = torch.arange(64, dtype=torch.float32, device="cuda")
y = torch.zeros(64, device="cuda")
i = torch.arange(64, dtype=torch.int32, device="cuda")
` + before + `kernel[(4,)](x, y, i, 50, BLOCK=16)
`
}

const (
	offsets = "offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n"
	masked  = offsets + "mask = offs < n\n"
)

// launches are the examples by code.
var launches = map[string]example{
	"out-of-bounds-load": {launchOf(offsets + "x = tl.load(x_ptr + offs + 1)\ntl.store(y_ptr + offs, x)"),
		launchOf(offsets + "x = tl.load(x_ptr + offs + 1, mask=offs + 1 < 64, other=0.0)\ntl.store(y_ptr + offs, x)")},
	"out-of-bounds-store": {launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs + 1, x)"),
		launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs + 1, x, mask=offs + 1 < 64)")},
	"out-of-bounds-atomic": {launchOf(offsets + "tl.atomic_add(y_ptr + offs * 2, 1.0)"),
		launchOf(offsets + "tl.atomic_add(y_ptr + offs * 2, 1.0, mask=offs * 2 < 64)")},
	"wild-pointer": {launchOf("address = tl.load(i_ptr + tl.program_id(0)).to(tl.int64)\n" +
		"tl.store(address.to(tl.pointer_type(tl.float32)), 1.0)"),
		launchOf("at = tl.load(i_ptr + tl.program_id(0))\ntl.store(y_ptr + at, 1.0)")},
	"race-stores": {launchOf("tl.store(y_ptr, tl.program_id(0).to(tl.float32))"),
		launchOf("p = tl.program_id(0)\ntl.store(y_ptr + p, p.to(tl.float32))")},
	"race-load-store": {launchOf(offsets + "next = tl.load(y_ptr + (offs + BLOCK) % 64)\ntl.store(y_ptr + offs, next + 1.0)"),
		launchOf(offsets + "next = tl.load(x_ptr + (offs + BLOCK) % 64)\ntl.store(y_ptr + offs, next + 1.0)")},
	"race-same-value": {launchOf("tl.store(y_ptr, 1.0)"), launchOf("tl.store(y_ptr + tl.program_id(0), 1.0)")},
	"race-lanes": {launchOf(offsets + "tl.store(y_ptr + offs // 2, tl.load(x_ptr + offs))"),
		launchOf(offsets + "tl.store(y_ptr + offs // 2, tl.load(x_ptr + offs), mask=offs % 2 == 0)")},
	"read-unwritten": {launchAfter(`y = torch.empty(64, device="cuda")`, offsets+"tl.store(y_ptr + offs, tl.load(y_ptr + offs) + 1.0)"),
		launchAfter(`y = torch.zeros(64, device="cuda")`, offsets+"tl.store(y_ptr + offs, tl.load(y_ptr + offs) + 1.0)")},
	"undefined-lane-store": {launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask)\ntl.store(y_ptr + offs, x)"),
		launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask)\ntl.store(y_ptr + offs, x, mask=mask)")},
	"undefined-lane-branch": {launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask)\nif tl.sum(x) > 100.0:\n" +
		"    tl.store(y_ptr + offs, x, mask=mask)"),
		launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask, other=0.0)\nif tl.sum(x) > 100.0:\n" +
			"    tl.store(y_ptr + offs, x, mask=mask)")},
	"undefined-lane-address": {launchOf(masked + "at = tl.load(i_ptr + offs, mask=mask)\nx = tl.load(x_ptr + at)\n" +
		"tl.store(y_ptr + offs, x, mask=mask)"),
		launchOf(masked + "at = tl.load(i_ptr + offs, mask=mask)\nx = tl.load(x_ptr + at, mask=mask)\n" +
			"tl.store(y_ptr + offs, x, mask=mask)")},
	"undefined-lane-mask": {launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask)\ntl.store(y_ptr + offs, 1.0, mask=x > 8.0)"),
		launchOf(masked + "x = tl.load(x_ptr + offs, mask=mask)\ntl.store(y_ptr + offs, 1.0, mask=mask & (x > 8.0))")},
	"nan-origin": {launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.sqrt(x - 1.0))"),
		launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.sqrt(x + 1.0))")},
	"overflow-origin": {launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.exp(x * 2.0))"),
		launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.exp(x - 63.0))")},
	"hint-divisibility": {launchOf(offsets + "at = tl.multiple_of(offs + 1, 16)\ntl.store(y_ptr + at % 64, 1.0)"),
		launchOf(offsets + "at = tl.multiple_of(offs, 16)\ntl.store(y_ptr + at % 64, 1.0)")},
	"hint-contiguity": {launchOf(offsets + "at = tl.max_contiguous(offs // 2 * 2 + 1, 16)\ntl.store(y_ptr + at, 1.0)"),
		launchOf(offsets + "at = tl.max_contiguous(offs, 16)\ntl.store(y_ptr + at, 1.0)")},
	"hint-constancy": {launchOf(offsets + "at = tl.max_constancy(offs, 16)\ntl.store(y_ptr + at, 1.0)"),
		launchOf(offsets + "at = tl.max_constancy(offs // 16, 16)\ntl.store(y_ptr + at * 16 + offs % 16, 1.0)")},
	"out-of-bounds-gather": {launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.gather(x, offs, 0))"),
		launchOf(offsets + "x = tl.load(x_ptr + offs)\ntl.store(y_ptr + offs, tl.gather(x, offs % BLOCK, 0))")},
	"race-scope": {launchOf("tl.atomic_add(y_ptr, 1.0, scope=\"cta\")"), launchOf("tl.atomic_add(y_ptr, 1.0)")},
	"integer-overflow": {launchOf(offsets + "tl.store(y_ptr + offs, 1.0, mask=offs * 100000000 < n * 100000000)"),
		launchOf(offsets + "tl.store(y_ptr + offs, 1.0, mask=offs < n)")},
	"assert-failed": {launchOf("p = tl.program_id(0)\ntl.device_assert(p < 3, \"too many programs\")\ntl.store(y_ptr + p, 1.0)"),
		launchOf("p = tl.program_id(0)\ntl.device_assert(p < 4, \"too many programs\")\ntl.store(y_ptr + p, 1.0)")},
	"assumption-wrong": {launchOf("p = tl.program_id(0)\ntl.assume(p < 3)\ntl.store(y_ptr + p, 1.0)"),
		launchOf("p = tl.program_id(0)\ntl.assume(p < 4)\ntl.store(y_ptr + p, 1.0)")},
}
