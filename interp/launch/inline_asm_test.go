package launch_test

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/launch"
)

// TestInlineAsm runs kernels with inline assembly on the CPU and on the PTX simulator. Each stores the same number twice,
// computed by assembly and without it.
func TestInlineAsm(t *testing.T) {
	text, err := os.ReadFile("testdata/inline_asm.py")
	if err != nil {
		t.Fatal(err)
	}
	const n = 256
	words := make([]byte, 4*n)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		binary.LittleEndian.PutUint32(words[4*i:], r.Uint32())
	}
	for chunk := range strings.SplitSeq(string(text), "\n---\n") {
		name := strings.TrimPrefix(strings.SplitN(chunk, "\n", 2)[0], "# ")
		t.Run(name, func(t *testing.T) {
			z := &launch.Tensor{DType: num.Int32, Data: make([]byte, 8*n)}
			args := []launch.Arg{{Tensor: &launch.Tensor{DType: num.Int32, Data: words}}, {Tensor: z}, {Value: int64(n), Constexpr: true}}
			file := source.NewFile("k.py", "import triton\nimport triton.language as tl\n\n\n"+chunk+"\n")
			kernel, list := launch.Compile(file, "k", args, true)
			if kernel == nil || len(list) > 0 {
				t.Fatal(list[0].In(diag.English))
			}
			for device, on := range map[string]device.Device{
				"CPU": launch.Interpreter, "simulator": gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{}),
			} {
				clear(z.Data)
				run(t, kernel, on, args)
				for i := range n {
					got := int32(binary.LittleEndian.Uint32(z.Data[4*i:]))
					want := int32(binary.LittleEndian.Uint32(z.Data[4*(n+i):]))
					if got != want {
						t.Errorf("%s: element %d is %d, want %d", device, i, got, want)
						break
					}
				}
			}
		})
	}
}
