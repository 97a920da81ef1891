package launch_test

import (
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/launch"
)

// benchFile has kernels as documents write them: with masks, strides and sizes that are arguments.
var benchFile = source.NewFile("kernels.py", `import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    mask = i < n
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=mask) + tl.load(y_ptr + i, mask=mask), mask=mask)


@triton.jit
def softmax(z_ptr, x_ptr, stride, columns, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + row * stride + i, mask=i < columns, other=-float("inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(z_ptr + row * stride + i, e / tl.sum(e, axis=0), mask=i < columns)


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, stride_am, stride_bk, stride_cm, B: tl.constexpr, BK: tl.constexpr):
    m = (tl.program_id(0) * B + tl.arange(0, B)) % M
    n = (tl.program_id(1) * B + tl.arange(0, B)) % N
    k = tl.arange(0, BK)
    a = a_ptr + m[:, None] * stride_am + k[None, :]
    b = b_ptr + k[:, None] * stride_bk + n[None, :]
    acc = tl.zeros((B, B), dtype=tl.float32)
    for i in range(0, tl.cdiv(K, BK)):
        x = tl.load(a, mask=k[None, :] < K - i * BK, other=0.0)
        y = tl.load(b, mask=k[:, None] < K - i * BK, other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
        a += BK
        b += BK * stride_bk
    rows = tl.program_id(0) * B + tl.arange(0, B)
    columns = tl.program_id(1) * B + tl.arange(0, B)
    c = c_ptr + stride_cm * rows[:, None] + columns[None, :]
    tl.store(c, acc, mask=(rows[:, None] < M) & (columns[None, :] < N))


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, z_ptr, T, B: tl.constexpr, D: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + i[:, None] * D + d[None, :], mask=i[:, None] < T, other=0.0)
    m = tl.full([B], -float("inf"), tl.float32)
    s = tl.zeros([B], tl.float32)
    acc = tl.zeros([B, D], tl.float32)
    for start in range(0, (tl.program_id(0) + 1) * B, B):
        j = start + tl.arange(0, B)
        k = tl.load(k_ptr + j[None, :] * D + d[:, None], mask=j[None, :] < T, other=0.0)
        v = tl.load(v_ptr + j[:, None] * D + d[None, :], mask=j[:, None] < T, other=0.0)
        x = tl.where(i[:, None] >= j[None, :], tl.dot(q, k, input_precision="ieee"), -float("inf"))
        higher = tl.maximum(m, tl.max(x, axis=1))
        fade = tl.exp(m - higher)
        p = tl.exp(x - higher[:, None])
        s = s * fade + tl.sum(p, axis=1)
        acc = acc * fade[:, None] + tl.dot(p.to(v.dtype), v, input_precision="ieee")
        m = higher
    tl.store(z_ptr + i[:, None] * D + d[None, :], acc / s[:, None], mask=i[:, None] < T)
`)

func tensor(d num.DType, n int) launch.Arg {
	return launch.Arg{Tensor: &launch.Tensor{DType: d, Data: make([]byte, n*d.Info().Bytes)}}
}

func number(n int64) launch.Arg    { return launch.Arg{Value: n} }
func constexpr(n int64) launch.Arg { return launch.Arg{Value: n, Constexpr: true} }

// BenchmarkKernels runs kernels on one worker of the interpreter.
func BenchmarkKernels(b *testing.B) {
	const n, rows, size, keys = 1 << 20, 1024, 512, 1024
	product := func(d num.DType) []launch.Arg {
		return []launch.Arg{tensor(d, size*size), tensor(d, size*size), tensor(num.Float32, size*size), number(size),
			number(size), number(size), number(size), number(size), number(size), constexpr(64), constexpr(32)}
	}
	vectors := func(block int64) []launch.Arg {
		return []launch.Arg{tensor(num.Float32, n), tensor(num.Float32, n), tensor(num.Float32, n), number(n - 3),
			constexpr(block)}
	}
	heads := func(d num.DType) []launch.Arg {
		return []launch.Arg{tensor(d, keys*64), tensor(d, keys*64), tensor(d, keys*64), tensor(num.Float32, keys*64),
			number(keys), constexpr(64), constexpr(64)}
	}
	for _, c := range []struct {
		name, kernel string
		args         []launch.Arg
		grid         [3]int
		work         float64 // bytes, or operations of products
		unit         string
	}{
		{"add/32", "add", vectors(32), [3]int{n / 32, 1, 1}, 12 * n, "GB/s"},
		{"add/128", "add", vectors(128), [3]int{n / 128, 1, 1}, 12 * n, "GB/s"},
		{"add/1024", "add", vectors(1024), [3]int{n / 1024, 1, 1}, 12 * n, "GB/s"},
		{"softmax", "softmax", []launch.Arg{tensor(num.Float32, rows*1000), tensor(num.Float32, rows*1000), number(1000),
			number(1000), constexpr(1024)}, [3]int{rows, 1, 1}, 8 * rows * 1000, "GB/s"},
		{"matmul/fp32", "matmul", product(num.Float32), [3]int{size / 64, size / 64, 1}, 2 * size * size * size, "GFLOP/s"},
		{"matmul/fp16", "matmul", product(num.Float16), [3]int{size / 64, size / 64, 1}, 2 * size * size * size, "GFLOP/s"},
		{"attention/fp32", "attention", heads(num.Float32), [3]int{keys / 64, 1, 1}, 2 * keys * keys * 64, "GFLOP/s"},
		{"attention/fp16", "attention", heads(num.Float16), [3]int{keys / 64, 1, 1}, 2 * keys * keys * 64, "GFLOP/s"},
	} {
		b.Run(c.name, func(b *testing.B) {
			k, list := launch.Compile(benchFile, c.kernel, c.args, true)
			if k == nil {
				b.Fatal(list)
			}
			on := launch.Target{Device: cpu.New(cpu.Options{Workers: 1})}
			for b.Loop() {
				if _, fault := k.Run(context.Background(), on, c.args, device.Launch{Grid: c.grid}); fault != nil {
					b.Fatal(fault)
				}
			}
			b.ReportMetric(c.work*float64(b.N)/b.Elapsed().Seconds()/1e9, c.unit)
		})
	}
}
