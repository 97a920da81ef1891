package ptx_test

import (
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/source"
)

// BenchmarkCompile is optimized IR to PTX, with every check.
func BenchmarkCompile(b *testing.B) {
	for _, s := range samples(b) {
		b.Run(s.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ptx.Compile(s.fn, ptx.Options{Target: "sm_90a", NumWarps: 4}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

const matmulArgs = ", i32:16, i32:16, i32:16, i32:16, i32:1, i32:16, i32:1, i32:16, i32:1, "

// tuned are kernels of testdata in the sizes that people run.
var tuned = []struct {
	name, kernel, signature string
	warps, stages           int
}{
	{"add", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32:16, 1024", 4, 3},
	{"softmax4096", "row_softmax", "*fp32:16, *fp32:16, i32:16, 4096", 8, 3},
	{"softmax32768", "row_softmax", "*fp32:16, *fp32:16, i32:16, 32768", 4, 3},
	{"norm8192", "layer_norm", "*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32:16, fp32, 8192", 8, 3},
	{"norm32768", "layer_norm", "*fp32:16, *fp32:16, *fp32:16, *fp32:16, i32:16, fp32, 32768", 4, 3},
	{"fp16_128x128x64", "matmul", "*fp16:16, *fp16:16, *fp16:16" + matmulArgs + "128, 128, 64, 8, tl.float32, 'tf32'", 8, 3},
	{"fp16_128x256x64", "matmul", "*fp16:16, *fp16:16, *fp16:16" + matmulArgs + "128, 256, 64, 8, tl.float32, 'tf32'", 8, 3},
	{"tf32_128x128x32", "matmul", "*fp32:16, *fp32:16, *fp32:16" + matmulArgs + "128, 128, 32, 8, tl.float32, 'tf32'", 4, 4},
	{"fp32_128x128x32", "matmul", "*fp32:16, *fp32:16, *fp32:16" + matmulArgs + "128, 128, 32, 8, tl.float32, 'ieee'", 4, 4},
	{"fp32_128x128x64", "matmul", "*fp32:16, *fp32:16, *fp32:16" + matmulArgs + "128, 128, 64, 8, tl.float32, 'ieee'", 8, 3},
	{"fp32_128x256x128", "matmul", "*fp32:16, *fp32:16, *fp32:16" + matmulArgs + "128, 256, 128, 8, tl.float32, 'ieee'", 8, 3},
	{"attention64", "attention", "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 64, 128, 64, True", 4, 3},
	{"attention128", "attention", "*fp16:16, *fp16:16, *fp16:16, *fp16:16, fp32, i32:16, 128, 128, 64, True", 8, 3},
	{"max_pool2d_backward_3x3", "max_pool2d_backward", "*fp32:16, *i64:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, 3, 2, 1, 32, 32", 4, 3},
	{"max_pool2d_backward_32x32", "max_pool2d_backward", "*fp32:16, *i64:16, *fp32:16, i32:16, i32:16, i32:16, i32:16, 32, 16, 1, 32, 32", 4, 3},
}

// BenchmarkSource is source to PTX, where a launch has proved every access, and with every check.
func BenchmarkSource(b *testing.B) {
	text := read(b, "../testdata/kernels.py")
	for _, c := range tuned {
		args, err := compiler.ParseSignature(c.signature)
		if err != nil {
			b.Fatal(err)
		}
		for _, mode := range []string{"proved", "checked"} {
			b.Run(c.name+"/"+mode, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					art, list := compiler.Compile(source.NewFile("k.py", text), compiler.Options{Kernel: c.kernel, Args: args, NumWarps: c.warps, NumStages: c.stages})
					if art == nil {
						b.Fatal(list)
					}
					o := ptx.Options{Target: "sm_90a", NumWarps: c.warps, NumStages: c.stages}
					if mode == "proved" {
						o.Proved = func(*ir.Instr) bool { return true }
						o.Bounded = o.Proved
					}
					m, err := ptx.Compile(art.Func, o)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(float64(len(m.Lines)), "lines")
				}
			})
		}
	}
}
