package exact_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/exact"
	"github.com/newtlab/newt/interp/launch"
)

const head = `import triton
import triton.language as tl


@triton.jit
def mean(x, y):
    return (x + y) / 2


@triton.jit
def larger(v, i, w, j):
    return tl.where(v > w, v, w), tl.where(v > w, i, j)


@triton.jit
def k(x, y, z, n, B: tl.constexpr):
    at = tl.arange(0, B)
    a, b = tl.load(x + at), tl.load(y + at)
    `

// meaning launches a kernel that stores RESULT, on 64 elements of x and y, and gives what the elements of z mean and
// what they hold.
func meaning(t *testing.T, body string) (*exact.Launch, []byte) {
	t.Helper()
	tensor := func(name string, of func(i int) float64) launch.Arg {
		data := make([]byte, 4*64)
		for i := range 64 {
			binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(float32(of(i))))
		}
		return launch.Arg{Tensor: &launch.Tensor{Name: name, DType: num.Float32, Data: data}}
	}
	args := []launch.Arg{
		tensor("x", func(i int) float64 { return math.Sin(float64(3*i+1)) * 2 }),
		tensor("y", func(i int) float64 { return math.Cos(float64(5*i)) + 1.5 }),
		tensor("z", func(int) float64 { return 0 }), {Value: int64(64)}, {Value: int64(64), Constexpr: true},
	}
	k, list := launch.Compile(source.NewFile("k.py", head+body+"\n"), "k", args, false)
	if k == nil {
		t.Fatalf("%s\n%s", list[0].In(diag.English).Headline, body)
	}
	l := exact.Rules{}.Run(t.Context(), k, args, device.Launch{Grid: [3]int{2, 1, 1}})
	if l == nil {
		t.Fatalf("the launch fails\n%s", body)
	}
	return l, args[2].Tensor.Data
}

// TestPairs compares what two kernels store.
func TestPairs(t *testing.T) {
	const same, other, unknown = "the same", "something else", "unknown"
	loop := func(step string) string {
		return "c = tl.zeros([B], tl.float32)\n    for i in range(5):\n        c += " + step + "\n    tl.store(z + at, c)"
	}
	for _, c := range []struct{ x, y, want string }{
		{"(a + b) + 1.0", "a + (1.0 + b)", same},
		{"a * b + a", "a * (b + 1)", same},
		{"a * b + a", "a * (b + 1.0001)", other},
		{"tl.fma(a, b, a)", "a * b + a", same},
		{"a - b", "b - a", other},
		{"a - b", "-(b - a)", same},
		{"a / b", "a * (1.0 / b)", same},
		{"(a + b) * 0.1", "a / 10 + 0.1 * b", same},
		{"tl.exp(a + b)", "tl.exp(a) * tl.exp(b)", same},
		{"tl.exp(a)", "tl.exp2(a * 1.44269504)", same},
		{"tl.exp(a)", "tl.exp2(a * 1.4427)", other},
		{"tl.exp(a)", "1 + a + a * a / 2", other},
		{"tl.log(a * a * b)", "2 * tl.log(tl.abs(a)) + tl.log(b)", same},
		{"tl.log(tl.exp(a) * tl.exp(a))", "a + a", same},
		{"tl.sigmoid(a)", "1 - 1 / (1 + tl.exp(a))", same},
		{"tl.sqrt(b)", "1 / tl.rsqrt(b)", same},
		{"a / tl.sqrt(128.0)", "a * 0.08838834764831845", same},
		{"a / tl.sqrt(128.0)", "a * 0.0884", other},
		{"tl.erf(-a)", "-tl.erf(a)", same},
		{"tl.cos(-a)", "tl.cos(a)", same},
		{"tl.sin(a)", "tl.sin(a + 0.0001)", other},
		{"tl.maximum(a, 0.0)", "tl.where(a > 0, a, 0.0)", same},
		{"tl.maximum(a, 0.0)", "tl.abs(a) / 2 + a / 2", same},
		{"tl.maximum(a, 0.0)", "tl.maximum(a, 1e-6)", other},
		{"tl.exp(a - tl.max(a, 0)) / tl.sum(tl.exp(a - tl.max(a, 0)), 0)", "tl.exp(a) / tl.sum(tl.exp(a), 0)", same},
		{"tl.softmax(a)", "tl.exp(a) / tl.sum(tl.exp(a), 0)", same},
		{"tl.cumsum(a, 0)", "tl.sum(tl.where(at[:, None] >= at[None, :], a[None, :], 0.0), 1)", same},
		{"tl.cumsum(a, 0, reverse=True)", "tl.sum(a, 0) - tl.cumsum(a, 0) + a", same},
		{"tl.sum(a)", "tl.sum(tl.sum(tl.trans(tl.reshape(a, [8, 8])), 1), 0)", same},
		{"tl.max(a, 0) + b", "tl.reduce((a, at), 0, larger)[0] + b", same},
		{"a.to(tl.float16).to(tl.float32)", "a", other},
		{"a.to(tl.float16).to(tl.float32)", "a.to(tl.float16).to(tl.float32).to(tl.float16).to(tl.float32)", same},
		{"a.to(tl.float16).to(tl.float32)", "a.to(tl.bfloat16).to(tl.float32)", other},
		{"(at * 2).to(tl.float16).to(tl.float32)", "(at * 2).to(tl.float32)", same},
		{"(a.to(tl.float16) * 2).to(tl.float32)", "(2 * a.to(tl.float16)).to(tl.float32)", same},
		{"tl.reshape(tl.join(a, b), [128]).reshape([2, 64]).sum(0)", "tl.reshape(tl.join(b, a), [2, 64]).sum(0)", other},
		{"a.to(tl.int32, bitcast=True).to(tl.float32, bitcast=True)", "a", unknown},
		{"tl.extra.cuda.libdevice.tanh(a)", "2 * tl.sigmoid(2 * a) - 1", same},
		{"a + float('inf')", "b + float('inf')", same},
		{"tl.exp(a - 1e9)", "tl.exp(a - float('inf'))", same},
	} {
		compare(t, "tl.store(z + at, "+c.x+")", "tl.store(z + at, "+c.y+")", c.want)
	}
	for _, c := range []struct{ x, y, want string }{
		{loop("a * b"), "tl.store(z + at, 5 * a * b)", same},
		{loop("a * i"), "tl.store(z + at, a * 10)", same},
		{loop("a * i"), "tl.store(z + at, a * 10.001)", other},
		{"tl.store(z + at, a)\n    tl.debug_barrier()\n    tl.store(z + at, tl.load(z + at) * b)",
			"tl.store(z + at, a * b)", same},
		{"tl.atomic_add(z + at, a)", "tl.store(z + at, a + a)", same},
		{"tl.atomic_max(z + at, b)", "tl.store(z + at, b)", same},
		{"m, n = tl.reshape(a, [4, 16]), tl.reshape(b, [16, 4])\n" +
			"    p = tl.dot(m, n, input_precision='ieee')\n    tl.store(z + tl.arange(0, 16), tl.reshape(p, [16]))",
			"m, n = tl.reshape(a, [4, 16, 1]), tl.reshape(b, [1, 16, 4])\n" +
				"    p = tl.sum(m * n, 1)\n    tl.store(z + tl.arange(0, 16), tl.reshape(p, [16]))", same},
		{"c = a\n    while tl.sum(c, 0) < 1000.0:\n        c = c * 2 + b\n    tl.store(z + at, c)",
			"c = a\n    while tl.sum(c, 0) < 1000.0:\n        c = b + c + c\n    tl.store(z + at, c)", same},
		{"if tl.sum(b, 0) > 0:\n        c = a + b\n    else:\n        c = a\n    tl.store(z + at, c)",
			"tl.store(z + at, b + a)", same},
		{"c, d = tl.split(tl.reshape(a, [32, 2]))\n    tl.store(z + tl.arange(0, 32), c + d)",
			"c = tl.sum(tl.reshape(a, [32, 2]), 1)\n    tl.store(z + tl.arange(0, 32), c)", same},
		{"tl.store(z + at, tl.gather(a, 63 - at, 0))", "tl.store(z + 63 - at, a)", same},
		{"tl.store(z + at, tl.map_elementwise(mean, a, b))", "tl.store(z + at, 0.5 * a + b * 0.5)", same},
		{"tl.store(z + at, tl.load(x + at, mask=at < 60, other=1.0))", "tl.store(z + at, tl.where(at < 60, a, 1.0))", same},
		{"tl.store(z + at, tl.load(x + at, mask=at < 60, other=1.0))", "tl.store(z + at, tl.where(at < 61, a, 1.0))", other},
		{"tl.store(z + at, a, mask=at < 63)", "tl.store(z + at, a)", other},
	} {
		compare(t, c.x, c.y, c.want)
	}
}

func compare(t *testing.T, x, y, want string) {
	t.Helper()
	first, data := meaning(t, x)
	second, other := meaning(t, y)
	got := "the same"
	switch c := second.Compare(other, num.Float32, first.Numbers(data, num.Float32)); {
	case len(c.Unknown) > 0:
		got = "unknown"
	case len(c.Different) > 0:
		got = "something else"
	}
	if got != want {
		t.Errorf("%s\n%s\nmean %s, want %s", x, y, got, want)
	}
}
