package host

import (
	"bytes"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// run runs a script and gives what it printed and what went wrong.
func run(text string, o Options) (string, diag.List) {
	var out bytes.Buffer
	o.Stdout = &out
	_, diags := Load(source.NewFile("script.py", text), o)
	return out.String(), diags
}

// words puts the diagnostics into English.
func words(list diag.List) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, d.In(diag.English).Headline)
	}
	return strings.Join(parts, "\n")
}

func TestScripts(t *testing.T) {
	for _, c := range scripts {
		t.Run(c.name, func(t *testing.T) {
			got, diags := run(c.text, Options{})
			if diags.HasErrors() {
				t.Fatalf("%s", words(diags))
			}
			if want := strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
		})
	}
}
