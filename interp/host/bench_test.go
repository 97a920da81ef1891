package host

import (
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// benchmarkScript runs a script in a new session each time.
func benchmarkScript(b *testing.B, text string) {
	file := source.NewFile("script.py", text)
	for b.Loop() {
		if _, diags := Load(file, withLibraries(Options{})); diags.HasErrors() {
			b.Fatal(words(diags))
		}
	}
}

// BenchmarkLoop is a loop of 300,000 rounds at module level.
func BenchmarkLoop(b *testing.B) {
	benchmarkScript(b, "n = 0\nfor i in range(300_000):\n    n += i % 7\n")
}

// BenchmarkFib is 57,313 calls of a function with one parameter.
func BenchmarkFib(b *testing.B) {
	benchmarkScript(b, "def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(22)\n")
}

// BenchmarkTupleKeys stores 100,000 keys that are tuples.
func BenchmarkTupleKeys(b *testing.B) {
	benchmarkScript(b, "d = {}\nfor i in range(100_000):\n    d[i, i + 1] = i\n")
}

// BenchmarkEmpty is what each of the others takes to start.
func BenchmarkEmpty(b *testing.B) { benchmarkScript(b, "pass\n") }

// BenchmarkObjects makes 50,000 objects and calls a method of each.
func BenchmarkObjects(b *testing.B) {
	benchmarkScript(b, `
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def norm(self):
        return self.x * self.x + self.y * self.y
total = 0
for i in range(50_000):
    total += Point(i, i + 1).norm()
`)
}

// BenchmarkGenerators sums 100,000 items of a generator and of a comprehension.
func BenchmarkGenerators(b *testing.B) {
	benchmarkScript(b, `
def numbers(n):
    for i in range(n):
        yield i
sum(numbers(100_000)) + sum([i * i for i in range(100_000) if i % 2])
`)
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
