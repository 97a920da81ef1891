package ptx_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/source"
)

// TestAtomicInstructions: every atomic operation, of every dtype and memory order, with and without a use of the old
// values, becomes instructions that PTX has (package isa).
func TestAtomicInstructions(t *testing.T) {
	kernels := 0
	for _, rmw := range []string{"add", "max", "min", "and", "or", "xor", "xchg"} {
		for _, dtype := range []string{"fp16", "bf16", "fp32", "fp64", "i32", "u32", "i64", "u64"} {
			if bitwise := rmw == "and" || rmw == "or" || rmw == "xor"; bitwise && strings.Contains(dtype, "f") {
				continue
			}
			for _, sem := range []string{"relaxed", "acquire", "release", "acq_rel"} {
				for _, use := range []string{"", "\n    tl.store(z + i, old)"} {
					text := "\ndef kernel(x, v, z, B: tl.constexpr):\n    i = tl.arange(0, B)\n    old = tl.atomic_" + rmw +
						"(x + i, tl.load(v + i), sem='" + sem + "')" + use + "\n"
					p := "*" + dtype + ":16, "
					file := source.NewFile("atomic.py", "import triton\nimport triton.language as tl\n\n@triton.jit"+text)
					art, _ := compiler.Compile(file, compiler.Options{Args: parsed(t, p+p+p+"256")})
					if art == nil {
						continue // refused, as by Triton
					}
					kernels++
					for _, target := range ptxas.Targets {
						if _, err := ptx.Compile(art.Func, ptx.Options{Target: target, NumWarps: 1, Launch: plan.Launch{Proved: func(*ir.Instr) bool { return true }}}); err != nil {
							t.Errorf("%s of %s, %s, %s%s: %v", rmw, dtype, sem, target, use, err)
						}
					}
				}
			}
		}
	}
	if kernels < 200 {
		t.Errorf("only %d kernels compile", kernels)
	}
}
