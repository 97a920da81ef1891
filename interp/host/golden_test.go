package host

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
)

// leftOut lists the golden texts that are not compared, with the reason.
var leftOut = map[string]string{
	"torch.tensor([1+2j])":               "complex numbers",
	"torch.tensor([0.1, 0.2]).numpy()":   "numpy",
	"torch.arange(6).view(2, 3).numpy()": "numpy",
	"torch.arange(2000).numpy()":         "numpy",
}

// lines reads a file of testdata, one JSON object a line.
func lines[T any](t testing.TB, name string) (rows []T) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(z)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var row T
		if err := json.Unmarshal(scan.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestPrinting compares str() of tensors and their kin with what torch printed.
func TestPrinting(t *testing.T) {
	for i, r := range lines[struct{ Code, Text string }](t, "printing.jsonl.gz") {
		if leftOut[r.Code] != "" || soak.Skips(i, 1) {
			continue
		}
		m, diags := Load(source.NewFile("case.py", "import torch\ntorch.manual_seed(3)\nx = str("+r.Code+")\n"), withLibraries(Options{}))
		if diags.HasErrors() {
			t.Errorf("%s: %s", r.Code, words(diags))
			continue
		}
		v, _ := m.Global("x")
		if got := Str(v); got != r.Text {
			t.Errorf("%s prints\n%s\nwant\n%s", r.Code, clip(got), clip(r.Text))
		}
	}
}

// program is a line of torch.jsonl.gz, which record_torch.py wrote: what a program printed, or the
// exception that ended it.
type program struct{ Prelude, Code, Out, Error, Message string }

// TestTorch compares what programs print with torch's output, and the classes of exceptions.
func TestTorch(t *testing.T) {
	rows := lines[program](t, "torch.jsonl.gz")
	for i, p := range rows[1:] {
		if differs[p.Code] != "" || soak.Skips(i, 1) {
			continue
		}
		if p.Error != "" {
			if class := caughtClass(rows[0].Prelude, p.Code); class != p.Error {
				t.Errorf("%s\nraises %s, want %s: %s", p.Code, class, p.Error, p.Message)
			}
			continue
		}
		got, diags := run(rows[0].Prelude+p.Code, withLibraries(Options{}))
		if diags.HasErrors() {
			t.Errorf("%s\nfails: %s\nwant\n%s", p.Code, words(diags), clip(p.Out))
		} else if got != p.Out {
			t.Errorf("%s\nprints\n%s\nwant\n%s", p.Code, clip(got), clip(p.Out))
		}
	}
}

// caughtClass is the class of the exception that code raises, as a try statement around it sees it.
func caughtClass(prelude, code string) string {
	out, _ := run(prelude+"try:\n    "+strings.ReplaceAll(code, "\n", "\n    ")+"\nexcept Exception as e:\n    print('\\n' + type(e).__name__)\n", withLibraries(Options{}))
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[len(lines)-1]
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}

// differs lists the programs whose output is not compared, with the reason.
var differs = map[string]string{
	"print(F.gelu(x))":                     stepwise,
	"print(F.gelu(x, approximate='tanh'))": stepwise,
	gradientOf("F.gelu(t)"):                stepwise,
	gradientOf("F.mse_loss(t, u)"):         "the sign of a zero gradient",
	"print(x.sum(dim='a'))":                "named dimensions",
	descent:                                "the seventh digit, after three steps in float32",
}

const descent = `w = torch.randn(4, 2, generator=None) * 0 + 0.5
w.requires_grad_()
for _ in range(3):
    loss = ((x @ w - 1) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
        w.grad.zero_()
print(loss.item(), w)`

const stepwise = "torch rounds to float32 after each step and loses digits that newt keeps"

// gradientOf is the recorder's program for the gradient of an expression.
func gradientOf(expression string) string {
	return "t, u = leaf(3, 4), leaf(3, 4)\nout = " + expression + "\nw = torch.arange(float(out.numel())).view(out.shape) + 1\n(out * w).sum().backward()\nprint(out)\nprint(t.grad)\nprint(u.grad)"
}
