package judge

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/formula"
)

// TestFormula: how a specification computes an element, by the operations that it really performs. x has 50 elements.
func TestFormula(t *testing.T) {
	const none = "not followed"
	for _, c := range []struct {
		name, spec string
		element    int
		want       string
	}{
		{"arithmetic", "return (x - 1) * factor / (x * x)", 3, "2.5 * (x[3] - 1) / (x[3] * x[3])"},
		{"a slice", "return torch.cat([x[1:], x[:1]])", 49, "x[0]"},
		{"strides", "return x.view(5, 10).t().reshape(-1)", 7, "x[21]"},
		{"a transposed copy", "return x.view(5, 10).t().contiguous().view(-1)", 7, "x[21]"},
		{"broadcasting", "return (x[:5, None] + x[None, :10]).flatten()", 17, "x[1] + x[7]"},
		{"expand", "return x[:5].unsqueeze(1).expand(5, 10).reshape(50)", 17, "x[1]"},
		{"padding", "return torch.nn.functional.pad(x, (2, 0), value=1.5)[:50] + x", 1, "x[1] + 1.5"},
		{"a sum", "return x.view(5, 10).sum(dim=1, keepdim=True).expand(5, 10).reshape(50)", 17, "sum(x[10:20])"},
		{"a sum of everything", "return x + x.sum()", 17, "sum(x[0:50]) + x[17]"},
		{"a mean", "return x - x.view(5, 10).mean(0).repeat(5)", 17, "x[17] - sum(x[7:48:10]) / 5"},
		{"a maximum", "return x.view(5, 10).max(dim=1).values.repeat(10)", 7, "max(x[20:30])"},
		{"amax", "return x - x.amax()", 7, "x[7] - max(x[0:50])"},
		{"two tensors", "return torch.maximum(x, x.flip(0)) + torch.where(x > 0, x, -x)", 7, "maximum(x[7], x[42]) + where(x[7] > 0, x[7], -x[7])"},
		{"relu and clamp", "return torch.relu(x) + x.clamp(-1, 1)", 7, "maximum(x[7], 0) + minimum(maximum(x[7], -1), 1)"},
		{"a product of matrices", "return (x.view(5, 10) @ x.view(10, 5)).flatten().repeat(2)", 7, "sum(x[2:13:5] * x[10:13]) + sum(x[13:20] * x[17:48:5])"},
		{"a table", "return x[torch.arange(49, -1, -1)]", 7, "x[42]"},
		{"writes", "z = torch.zeros(50)\n    for i in range(5):\n        z[i::5] = x[i] * i\n    z[3] += 1\n    return z", 8, "3 * x[3]"},
		{"columns written", "z = torch.ones(5, 10)\n    z[:, 2::3] = x[:15].view(3, 5).t()\n    return z.flatten()", 25, "x[7]"},
		{"between columns", "z = torch.ones(5, 10)\n    z[:, 2::3] = x[:15].view(3, 5).t()\n    return z.flatten()", 26, "1"},
		{"a transposed view written", "z = torch.ones(10, 5)\n    z.t()[1:3, 4:] = x[:12].view(2, 6)\n    return z.flatten()", 32, "x[8]"},
		{"a write over a write", "z = torch.zeros(50)\n    for i in range(5):\n        z[i::5] = x[i] * i\n    z[3] += 1\n    return z", 3, "3 * x[3] + 1"},
		{"what was not written", "z = torch.zeros(50)\n    z[1:] = x[:-1]\n    return z", 0, "0"},
		{"the input written to", "y = x.clone()\n    x.mul_(2)\n    return x + y", 3, "3 * x[3]"},
		{"a value of before", "y = x[:25]\n    z = y * 2\n    y += 1\n    return torch.cat([z, y])", 3, "2 * x[3]"},
		{"numbers", "return x + torch.arange(50) * 2 + torch.linspace(0, 1, 50)[49]", 3, "x[3] + 7"},
		{"a gradient", "x = x.clone().requires_grad_(True)\n    (torch.relu(x) * x.detach()).sum().backward()\n    return x.grad", 3, "maximum(x[3], 0)"},
		{"a sorted element", "return torch.sort(x).values", 3, "x[44]"},
		{"cumulative sums", "return torch.cumsum(x, 0)", 3, "sum(x[0:4])"},
		{"cumulative products", "return torch.cumprod(x, 0)", 3, none},
		{"a value in Python", "return x + x[0].item()", 3, none},
		{"a list in Python", "return torch.tensor([v + 1 for v in x.tolist()])", 3, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := "import torch\n\n\ndef reference(x, factor):\n    " + c.spec + "\n"
			l, list := New(scalePuzzle(spec, "")).Launch(t.Context(), source.NewFile("kernel.py", scaleKernel), 0, nil, Options{})
			if l == nil {
				t.Fatal(list)
			}
			set := formula.NewSet([]formula.Tensor{{Name: "x", Shape: []int{50}}, {Name: "z", Shape: []int{50}}})
			n, got := l.Formula(t.Context(), set, c.element), none
			if n != nil {
				got = ""
				for _, token := range set.Compare(nil, n).Expected {
					got += token.Text + map[formula.Kind]string{formula.More: "…"}[token.Kind]
				}
				if want, _ := l.IsWrong(c.element, 0); !n.Gives(want) {
					t.Errorf("%s is %v, not %v", got, n.Value(), want)
				}
			}
			if got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}

// TestNoFormulaOfLaunches: what a kernel writes for a specification is not traced, and is no number either.
func TestNoFormulaOfLaunches(t *testing.T) {
	spec := "import torch\nimport triton\n" + scaleKernel + "\n\ndef reference(x, n, factor, BLOCK):\n    z = torch.zeros(n)\n" +
		"    scale[(triton.cdiv(n, BLOCK),)](z, x, n, factor, BLOCK)\n    return z\n"
	if strings.Count(spec, "scale[") != 1 {
		t.Fatal(spec)
	}
	l, _ := New(scalePuzzle(spec, "")).Launch(t.Context(), source.NewFile("kernel.py", scaleKernel), 0, nil, Options{})
	if n := l.Formula(t.Context(), formula.NewSet([]formula.Tensor{{Name: "x", Shape: []int{50}}, {Name: "z", Shape: []int{50}}}), 3); n != nil {
		t.Errorf("a formula of value %v", n.Value())
	}
}
