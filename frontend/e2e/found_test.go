package e2e

import (
	"fmt"
	"os"
	"regexp"
	"testing"

	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/runner/share/link"
)

// TestFoundLinks opens each link of compiler/FOUND.md as the page's reader does, and runs it: the page says what
// TestFound of runner/cli holds the document to.
func TestFoundLinks(t *testing.T) {
	soak.Only(t, "TestFound of runner/cli holds the document to what newt says")
	t.Parallel()
	text, err := os.ReadFile("../../compiler/FOUND.md")
	if err != nil {
		t.Fatal(err)
	}
	links := regexp.MustCompile(`(?m)^\[(\w+)\]: /#l=(\S+)$`).FindAllStringSubmatch(string(text), -1)
	if len(links) == 0 {
		t.Fatal("no links")
	}
	kernel, finding := regexp.MustCompile(`def \w+\(`), regexp.MustCompile(`# \w+: ([a-z-]+)\n`)
	headlines := map[string]string{
		"out-of-bounds-load":   "is read at index",
		"race-stores":          "both write element",
		"undefined-lane-store": "stores an undefined value",
		"range-hint":           "ignores step",
	}
	p := open(t, "en", "#/document")
	for _, l := range links {
		state, err := link.Decode(l[2])
		if err != nil {
			t.Fatal(l[1], err)
		}
		p.visit("#l=" + l[2])
		p.wait(l[1], fmt.Sprintf(`location.hash === "#/document" && `+editor+`.textContent.includes(%q)`,
			kernel.FindString(state.Source)))
		p.click(`document.querySelector("#run-all")`)
		headline := headlines[finding.FindStringSubmatch(state.Source)[1]]
		p.wait(l[1]+": "+headline, fmt.Sprintf(`(document.body.innerText + %s).includes(%q)`, cellOutputs, headline))
	}
}
