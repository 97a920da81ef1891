package host

import (
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// BenchmarkLoop is a million steps of plain Python.
func BenchmarkLoop(b *testing.B) {
	file := source.NewFile("loop.py", "n = 0\nfor i in range(250_000):\n    n += i % 7\n")
	for b.Loop() {
		if _, diags := Load(file, withLibraries(Options{})); diags.HasErrors() {
			b.Fatal(words(diags))
		}
	}
}

// BenchmarkConvolution is a spec with a loop over tensor windows, as puzzle 10's.
func BenchmarkConvolution(b *testing.B) {
	m, _ := Load(source.NewFile("spec.py", `
import torch
def spec(x, k):
    n0, height, width = x.shape
    kh, kw = k.shape
    padded = torch.nn.functional.pad(x, (0, kw, 0, kh), value=0.0)
    z = torch.zeros(n0, height, width)
    for h in range(height):
        for w in range(width):
            z[:, h, w] = (k[None, :, :] * padded[:, h : h + kh, w : w + kw]).sum(dim=(1, 2))
    return z
x, k = torch.rand(4, 8, 8), torch.rand(4, 4)
`), withLibraries(Options{}))
	spec, _ := m.Func("spec")
	x, _ := m.Global("x")
	k, _ := m.Global("k")
	for b.Loop() {
		if _, d := m.Call(spec, x, k); d != nil {
			b.Fatal(d.Code)
		}
	}
}

var calls = source.NewFile("calls.py", `def fib(n):
    m = n - 1
    return n if n < 2 else fib(m) + fib(n - 2)
fib(20)
`)

// BenchmarkCalls is 22,000 calls of a function with two names.
func BenchmarkCalls(b *testing.B) {
	for b.Loop() {
		if _, diags := Load(calls, withLibraries(Options{})); diags.HasErrors() {
			b.Fatal(words(diags))
		}
	}
}

// TestCallsAreSmall: a call allocates its frame and values, and no map.
func TestCallsAreSmall(t *testing.T) {
	n := testing.AllocsPerRun(1, func() { Load(calls, withLibraries(Options{})) })
	if perCall := n / 21891; perCall > 12 {
		t.Errorf("%.1f allocations a call", perCall)
	}
}
