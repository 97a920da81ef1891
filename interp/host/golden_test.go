package host

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// leftOut lists the golden texts that are not compared, with the reason.
var leftOut = map[string]string{
	"torch.tensor([1+2j])":               "complex numbers",
	"torch.tensor([0.1, 0.2]).numpy()":   "numpy",
	"torch.arange(6).view(2, 3).numpy()": "numpy",
	"torch.arange(2000).numpy()":         "numpy",
}

// TestPrinting compares str() of tensors and their kin with what torch printed.
func TestPrinting(t *testing.T) {
	f, err := os.Open("testdata/printing.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	compared := 0
	for lines.Scan() {
		var r struct{ Code, Text string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if leftOut[r.Code] != "" {
			continue
		}
		compared++
		m, diags := Load(source.NewFile("case.py", "import torch\ntorch.manual_seed(3)\nx = str("+r.Code+")\n"), Options{})
		if diags.HasErrors() {
			t.Errorf("%s: %s", r.Code, words(diags))
			continue
		}
		v, _ := m.Global("x")
		if got := Str(v); got != r.Text {
			t.Errorf("%s prints\n%s\nwant\n%s", r.Code, clip(got), clip(r.Text))
		}
	}
	if compared < 230 {
		t.Errorf("only %d texts compared", compared)
	}
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + strings.Repeat(".", 3)
	}
	return s
}
