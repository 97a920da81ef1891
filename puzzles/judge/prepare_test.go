package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/puzzles"
)

// scaleKernel is z = x * factor with its parameters in an order of its own.
const scaleKernel = `import triton
import triton.language as tl


@triton.jit
def scale(z, x, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z + i, tl.load(x + i, mask=i < n) * factor, mask=i < n)
`

// TestSpecification: a specification is given what its parameters name, and may launch kernels.
func TestSpecification(t *testing.T) {
	launches := `import torch
import triton
` + scaleKernel + `

def reference(x, n, factor, BLOCK):
    z = torch.zeros(n)
    scale[(triton.cdiv(n, BLOCK),)](z, x, n, factor, BLOCK)
    return z
`
	for _, c := range []struct {
		name, spec, fill string
		problem          string // part of what is said; "" where the kernel passes
	}{
		{"plain torch", "def reference(x):\n    return x * 2.5\n", "", ""},
		{"a constant by name", "def reference(x, factor):\n    return x * factor\n", "", ""},
		{"the output as it begins", "def reference(x, z, factor):\n    return x * factor + z * 0\n", "zeros", ""},
		{"a launch", launches, "", ""},
		{"too many launches", strings.Replace(launches, "    scale[", "    for _ in range(65):\n        scale[", 1), "", "more than 64 times"},
		{"a launch that fails", strings.Replace(launches, "tl.load(x", "tl.loud(x", 1), "", "loud"},
		{"a launch out of bounds", strings.Replace(launches, "z = torch.zeros(n)", "z = torch.zeros(n - 1)", 1), "", "01_scale/spec.py:10: "},
		{"an unknown parameter", "def reference(x, rows):\n    return x\n", "", "takes `rows`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := New(scalePuzzle(c.spec, c.fill)).Check(t.Context(), source.NewFile("kernel.py", scaleKernel), Options{})
			var said []string
			for _, d := range v.Diagnostics {
				said = append(said, d.In(diag.English).Headline)
			}
			text := strings.Join(said, "\n")
			if v.Pass() != (c.problem == "") || !strings.Contains(text, c.problem) {
				t.Errorf("passes: %t; says %q, want %q", v.Pass(), text, c.problem)
			}
		})
	}
}

func scalePuzzle(spec, fill string) *puzzles.Puzzle {
	tensor := func(name, fill string) puzzles.Tensor {
		return puzzles.Tensor{Name: name, DType: puzzles.DType{DType: num.Float32}, Shape: []string{"n"}, Fill: fill}
	}
	tolerance := puzzles.Tolerance{RTol: 1e-4, ATol: 1e-4}
	at := func(n int, seed int64) puzzles.Case {
		return puzzles.Case{Sizes: map[string]int{"n": n}, Blocks: map[string]int{"BLOCK": 16}, Seed: seed}
	}
	return &puzzles.Puzzle{
		Slug: "01_scale", Kernel: "scale", Spec: "reference", SpecSource: spec, Named: true,
		Inputs: []puzzles.Tensor{tensor("x", "randn")}, Output: tensor("z", fill),
		Sizes: []string{"n"}, Blocks: []string{"BLOCK"}, Grid: []string{"cdiv(n, BLOCK)"},
		Constants: map[string]puzzles.Constant{"factor": {Value: 2.5}},
		Tolerance: puzzles.Tolerances{Classic: tolerance, Strict: tolerance},
		Classic:   at(50, 0), Strict: []puzzles.Case{at(33, 1)},
	}
}

// TestFills: each fill of the table makes a tensor of the shape and dtype that were asked for.
func TestFills(t *testing.T) {
	for fill := range puzzles.Fills {
		for _, d := range []num.DType{num.Float32, num.BFloat16, num.Int32, num.Uint8} {
			if fill == "nan" && !d.Info().Float {
				continue
			}
			p := scalePuzzle("", "")
			p.Inputs[0].Fill, p.Inputs[0].DType.DType = fill, d
			in, err := p.Instance(p.Classic)
			if err != nil {
				t.Fatal(err)
			}
			made := &prepared{instance: in}
			if err := made.draw(p, p.Classic); err != nil {
				t.Errorf("%s of %v: %v", fill, d, err)
				continue
			}
			if x := made.inputs[0]; x.DType != d || !slices.Equal(x.Shape, []int{50}) || len(x.Data) != 50*d.Info().Bytes {
				t.Errorf("%s of %v is %v%v with %d bytes", fill, d, x.DType, x.Shape, len(x.Data))
			}
		}
	}
}
