package ir_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ops"
)

// TestGoldenREADME: README.md lists every operation with its operands, so that a client can write the wire
// form without reading Go. -update writes the list.
func TestGoldenREADME(t *testing.T) {
	const begin, end = "<!-- operations -->\n", "<!-- /operations -->"
	text := read(t, "README.md")
	i, j := strings.Index(text, begin), strings.Index(text, end)
	if i < 0 || j < i {
		t.Fatal("README.md has no place for the operations")
	}
	want := text[:i+len(begin)] + "\n" + operations() + "\n" + text[j:]
	if *update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != text {
		t.Error("README.md is out of date: go test ./compiler/ir -run README -update")
	}
}

func operations() string {
	var out strings.Builder
	out.WriteString("| number | operation | operands and results | regions | what it does |\n|---|---|---|---|---|\n")
	for o := ops.Invalid + 1; o < ops.N; o++ {
		if o.Has(ops.Placed) {
			continue
		}
		d := o.Def()
		sig := strings.NewReplacer("|", "or", "&?", "").Replace(d.SigText()) // memory descriptors are of placed functions
		fmt.Fprintf(&out, "| %d | `%s` | `%s` | %s | %s |\n", d.Wire, d.Name, sig, strings.Join(d.Regions, ", "), d.Why)
	}
	return out.String()
}
