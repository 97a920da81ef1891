package lower_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/triton"
)

// minCases is how many constructs testdata/versions holds newt to, each for every version of Triton.
const minCases = 300

// versionCase is a construct with what each version of Triton says of it.
type versionCase struct {
	name string // FILE:LINE
	text string
}

// What testdata/versions/README.md says a file of cases is made of.
const (
	caseImports = "import triton\nimport triton.language as tl\n"
	caseHeader  = "\n\n@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n"
	eachCase    = "    # Each:\n"
)

// versionCases are the cases of a file.
func versionCases(name, text string) (list []versionCase) {
	line := 1
	for chunk := range strings.SplitSeq(text, "---\n") {
		at := func(offset int) string {
			return fmt.Sprintf("%s:%d", filepath.Base(name), line+strings.Count(chunk[:offset], "\n"))
		}
		head := caseImports
		if strings.HasPrefix(chunk, "    ") {
			head += caseHeader
		}
		setup, each, found := strings.Cut(chunk, eachCase)
		if !found {
			list = append(list, versionCase{at(0), head + chunk})
		}
		offset := len(setup) + len(eachCase)
		for _, text := range caseStarts.FindAllString(each, -1) {
			if !strings.HasPrefix(text, "    #") {
				list = append(list, versionCase{at(offset), head + setup + text})
			}
			offset += len(text)
		}
		line += strings.Count(chunk, "\n") + 1
	}
	return list
}

// caseStarts are a line of a kernel's body, and those that belong to it.
var caseStarts = regexp.MustCompile(`    [^ \n].*\n(?:(?:     +.*|    (?:else|elif|finally|except)\b.*|    \).*|)\n)*`)

// ofVersions is what a line expects of some versions: "3.6-3.8: refuses "…"", where the text is a part of the headline
// or of what Triton says.
var ofVersions = regexp.MustCompile(`3\.(\d)(?:-3\.(\d))?: (refuses|warns) "([^"]*)"`)

// expectations are what a line expects of a version, by verdict and text.
func expectations(line string, v triton.Version) (list [][2]string) {
	_, comment, _ := strings.Cut(line, "  # ")
	for _, m := range ofVersions.FindAllStringSubmatch(comment, -1) {
		from, to := m[1], m[2]
		if to == "" {
			to = from
		}
		if minor := strings.TrimPrefix(v.String(), "3."); from <= minor && minor <= to {
			list = append(list, [2]string{m[3], m[4]})
		}
	}
	return list
}

// TestVersions holds newt to what each version of Triton says of the cases in testdata/versions: each line to what it
// expects and no more. Hints do not count.
func TestVersions(t *testing.T) {
	names, err := filepath.Glob("testdata/versions/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range versionCases(name, string(text)) {
			if other := seen[c.text]; other != "" {
				t.Errorf("%s: the same as %s", c.name, other)
			}
			seen[c.text] = c.name
			for _, v := range triton.All() {
				checkVersionCase(t, c, v)
			}
		}
	}
	if len(seen) < minCases {
		t.Errorf("%d cases, want %d", len(seen), minCases)
	}
}

func checkVersionCase(t *testing.T, c versionCase, v triton.Version) {
	_, list := lowerText(t, c.text, lower.Options{Args: exampleArgs, Triton: v, Strict: true})
	file := source.NewFile(c.name, c.text)
	for n, line := range strings.Split(c.text, "\n") {
		want := expectations(line, v)
		code, _, _ := strings.Cut(strings.TrimSpace(line), "  # ")
		for _, d := range list {
			if d.Severity == diag.Hint || file.Position(d.Primary.Span.Start).Line != n+1 {
				continue
			}
			r, verdict := d.In(diag.English), "refuses"
			if d.Severity == diag.Warning {
				verdict = "warns"
			}
			i := slices.IndexFunc(want, func(w [2]string) bool {
				return w[0] == verdict && strings.Contains(r.Headline+"\n"+r.Triton, w[1])
			})
			if i < 0 {
				t.Errorf("%s: %v: `%s`: %s with %s %q, %q", c.name, v, code, verdict, d.Code, r.Headline, r.Triton)
				continue
			}
			want = slices.Delete(want, i, i+1)
		}
		for _, w := range want {
			t.Errorf("%s: %v: `%s`: newt does not say that it %s it: %q", c.name, v, code, w[0], w[1])
		}
	}
}
