package ptx_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
)

// TestTargets: every golden kernel compiles for every target that has no goldens: the plan keeps within its shared
// memory, and the simulator loads the text, for which it asks the table whether the target and .version have each
// instruction. Code for targets that ptxas 12.4 does not know it assembles as that for sm_90.
func TestTargets(t *testing.T) {
	for j, target := range arch.Targets {
		if target.Name == "sm_80" || target.Name == arch.Default {
			continue
		}
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			compiled := 0
			for i, k := range goldenKernels(t) {
				if soak.Skips(i+4*j, 32) {
					continue
				}
				if m := k.compileFor(t, &target, i%2 == 0); m != nil {
					compiled++
					if target.Version > ptxasVersion && i%4 == 0 { // a quarter in the soak, which would take an hour else
						ptxas.Accept(t, "sm_90", strings.NewReplacer(".target "+target.Name, ".target sm_90", ".version 8.6", ".version 8.4",
							".version 8.7", ".version 8.4").Replace(m.Text))
					}
				}
			}
			if compiled < 5 {
				t.Errorf("only %d kernels", compiled)
			}
		})
	}
}

// ptxasVersion is the newest PTX ISA that ptxas 12.4 knows, times ten.
const ptxasVersion = 84

// compileFor is nil of a kernel whose inline assembly the target does not have.
func (k goldenKernel) compileFor(t *testing.T, target *arch.Target, proved bool) *ptx.Module {
	args := k.args
	if args == nil {
		args = parsed(t, k.signature)
	}
	warps, stages := k.configs[0][0], k.configs[0][1]
	art, list := compiler.Compile(source.NewFile(k.name+".py", k.text), compiler.Options{Kernel: k.kernel, Args: args, NumWarps: warps, NumStages: stages})
	if art == nil {
		t.Fatal(list[0])
	}
	m, err := ptx.Compile(art.Func, variant{target.Name, proved, warps, stages, ""}.options(art.Func))
	if refused, ok := errors.AsType[*ptx.Error](err); ok && refused.Code == "asm-target" {
		return nil
	}
	if err != nil {
		t.Fatalf("%s: %v", k.name, err)
	}
	if _, err := sim.Load(m.Text); err != nil || m.Shared > target.BlockShared() {
		t.Errorf("%s: %d bytes of shared memory, %v", k.name, m.Shared, err)
	}
	return m
}

// TestTargetInPlan: a dot is planned by what the target has, and the plan says what it has not.
func TestTargetInPlan(t *testing.T) {
	const text = `
def k(x, y):
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    a = tl.load(x + at)
    tl.store(y + at, tl.dot(a, a))
`
	file := source.NewFile("k.py", "import triton\nimport triton.language as tl\n\n@triton.jit"+text)
	art, list := compiler.Compile(file, compiler.Options{Args: parsed(t, "*fp16:16, *fp32:16"), NumWarps: 4})
	if art == nil {
		t.Fatal(list[0])
	}
	for name, want := range map[string]string{
		"sm_80": "warps 2 along M, 2 along N\n", "sm_90a": "wgmma m64n64k16", "sm_100": "; sm_100 has no wgmma\n",
		"sm_100a": "; sm_100a has tcgen05 in place of wgmma, and newt does not emit it\n", "sm_120": "; sm_120 has no wgmma\n",
	} {
		if text := ptx.Plan(art.Func, ptx.Options{Target: name}).Text(file); !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", name, want, text)
		}
	}
	_, err := ptx.Compile(art.Func, ptx.Options{Target: "sm_999"})
	if want := "newt makes no code for the target `sm_999`"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if required, limit := ptx.TritonShared(art.Func, ptx.Options{Target: "sm_999"}); required > limit {
		t.Errorf("Triton refuses the kernel for want of %d bytes on a GPU that nobody knows", required)
	}
}

// anyTarget is one of the targets.
func anyTarget(seed uint64) string { return arch.Targets[seed%uint64(len(arch.Targets))].Name }
