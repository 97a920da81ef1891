package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// TestMeaning compares each pair of testdata/meaning.txt.
func TestMeaning(t *testing.T) {
	_, text, _ := strings.Cut(read(t, "testdata/meaning.txt"), "\n\n")
	for pair := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		head, rest, _ := strings.Cut(pair, "\ntorch: ")
		reference, kernel, ok := strings.Cut(rest, "\ntriton: ")
		want, name, _ := strings.Cut(head, ": ")
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			if !ok {
				t.Fatal(pair)
			}
			if got := meaningOf(t, reference, kernel); got != want {
				t.Errorf("%s, want %s\n%s", got, want, rest)
			}
		})
	}
}

// meaningOf says what comes of a pair: agree, differ, unknown, or what else is wrong.
func meaningOf(t *testing.T, reference, kernel string) string {
	if strings.Contains(kernel, "z = ") {
		kernel += "\n    tl.store(z_ptr + at, z, mask=i < N)"
	}
	r := Judge(t.Context(), Options{Exact: true, Seed: 3, AllowTorch: true,
		Sizes: map[string][]string{"M": {"6"}, "N": {"37"}},
		Reference: source.NewFile("reference.py", "import torch\nimport torch.nn.functional as F\n\n\n"+
			"def inputs(M, N):\n    return torch.randn(M, N), torch.randn(M, N)\n\n\ndef f(x, y):\n    return "+reference+"\n"),
		Submission: source.NewFile("kernel.py", `import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def times(a, b):
    return a * b


@triton.jit
def k(x_ptr, y_ptr, z_ptr, N, B: tl.constexpr):
    i = tl.arange(0, B)
    at = tl.program_id(0) * N + i
    x = tl.load(x_ptr + at, mask=i < N, other=0.0)
    y = tl.load(y_ptr + at, mask=i < N, other=0.0)
    `+kernel+`


def f(x, y):
    x, y = x.contiguous(), y.contiguous()
    z = torch.zeros_like(x)
    k[(x.shape[0],)](x, y, z, x.shape[1], B=64)
    return z
`)})
	compared, unknown := 0, 0
	for _, x := range r.Tests {
		for _, e := range x.Exact {
			compared += e.Elements
			unknown += e.Unknown
		}
	}
	switch {
	case r.Verdict == Wrong && r.Findings[0].Code == "judge-meaning":
		return "differ"
	case r.Verdict != Right:
		return fmt.Sprint(r.Verdict, ": ", r.Message, r.Findings)
	case compared == 0:
		return "not compared"
	case unknown == compared && r.Findings[0].Code == "judge-meaning-unknown":
		return "unknown"
	case unknown > 0:
		return "partly"
	}
	return "agree"
}
