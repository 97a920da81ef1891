package lower_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/source"
)

var (
	expectation = regexp.MustCompile(`(error|warning|hint): ([a-z0-9-]+) "([^"]*)"`)
	trailing    = regexp.MustCompile(`\S.*# (?:error|warning|hint): .*`)
)

// TestPlaces checks which diagnostic begins on which line of the chunks in testdata/errors.
func TestPlaces(t *testing.T) {
	checkPlaces(t, "testdata/errors/places.py", lower.Options{Args: exampleArgs})
}

// TestRefusals checks that what the rules of the language refuse is an error under Strict, rule by rule, and that each
// has a page.
func TestRefusals(t *testing.T) {
	for _, code := range checkPlaces(t, "testdata/errors/refusals.py", lower.Options{Args: exampleArgs, Strict: true}) {
		if example.Of(code).Bad == "" {
			t.Errorf("%s has no example", code)
		}
	}
}

// checkPlaces holds the diagnostics of a file's chunks to the comments on their lines, and gives their codes.
func checkPlaces(t *testing.T, name string, opts lower.Options) (found []string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for i, chunk := range strings.Split(string(text), "\n---\n") {
		_, list := lowerText(t, chunk, opts)
		file := source.NewFile("chunk.py", chunk)
		got := map[int][]*diag.Diagnostic{}
		for _, d := range list {
			line := file.Position(d.Primary.Span.Start).Line
			got[line] = append(got[line], d)
			found = append(found, d.Code)
		}
		for n, line := range strings.Split(chunk, "\n") {
			if trailing.MatchString(line) {
				for _, want := range expectation.FindAllStringSubmatch(line, -1) {
					if !take(got, n+1, want) {
						t.Errorf("chunk %d, line %d: no %s", i+1, n+1, want[0])
					}
				}
			}
			for _, d := range got[n+1] {
				t.Errorf("chunk %d, line %d: %v %s %q is not expected", i+1, n+1, d.Severity, d.Code,
					d.In(diag.English).Headline)
			}
		}
	}
	return found
}

// take removes the diagnostic that an expectation describes.
func take(got map[int][]*diag.Diagnostic, line int, want []string) bool {
	for i, d := range got[line] {
		if d.Severity.String() == want[1] && d.Code == want[2] &&
			strings.Contains(d.In(diag.English).Headline, want[3]) {
			got[line] = slices.Delete(got[line], i, i+1)
			return true
		}
	}
	return false
}
