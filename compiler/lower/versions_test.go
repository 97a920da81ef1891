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

// TestLifetimes: what a version of Triton lacks is an error at its place, what it warns of a warning with its words, that
// Strict leaves one.
func TestLifetimes(t *testing.T) {
	const head = "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef kernel(x_ptr, i_ptr, n, BLOCK: tl.constexpr):\n    "
	const make = "p = tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))\n    "
	for _, c := range []struct{ body, want string }{ // want: a word for each version
		{"tl.to_tensor(3)", "name-since - - -"},
		{"tl.make_block_ptr(x_ptr, (n,), (1,), (0,), (BLOCK,), (0,))", "- name-deprecated name-deprecated name-removed"},
		{make + "p = p.advance((BLOCK,))", "- name-deprecated name-deprecated name-removed"},
		{"tl.load(x_ptr, padding_option='')", "- - - parameter-removed"},
		{"tl.load(x_ptr, None, None, ())", "- - - parameter-removed"},
		{"tl.store(x_ptr, 1.0, None, boundary_check=())", "- - - parameter-removed"},
		{"tl.cat(tl.arange(0, 4), tl.arange(0, 4), True, dim=0)", "parameter-since - - -"},
		{"tl.softmax(tl.load(x_ptr + tl.arange(0, 4)), 0, True)", "- - - parameter-by-name"},
		{"tl.softmax(tl.load(x_ptr + tl.arange(0, 4)), 0)", "- - - -"},
	} {
		var got []string
		for _, v := range triton.All() {
			_, list := lowerText(t, head+c.body+"\n", lower.Options{Args: exampleArgs, Triton: v, Strict: true})
			code := "-"
			if len(list) > 0 {
				d, r := list[0], list[0].In(diag.English)
				code = d.Code
				if (d.Severity == diag.Warning) != (code == "name-deprecated") || r.Triton == "" {
					t.Errorf("%s: %v %s, Triton says %q", c.body, d.Severity, r.Headline, r.Triton)
				}
			}
			got = append(got, code)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.body, got, c.want)
		}
	}
}

// ofVersions is what a line expects of some versions: "3.6 3.7: error name-since \"…\"", where the text is a part of the
// headline or of what Triton says.
var ofVersions = regexp.MustCompile(`((?:3\.\d )*3\.\d): (error|warning) ([a-z0-9-]+) "([^"]*)"`)

// minCases is how many lines of testdata/versions are held for all versions together; 4 for each line.
const minCases = 300

// TestVersions holds each line of the kernels in testdata/versions for every version of Triton: what is not expected
// there is said of none. Hints do not count.
func TestVersions(t *testing.T) {
	names, err := filepath.Glob("testdata/versions/*.py")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	cases := 0
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, chunk := range strings.Split(string(text), "\n---\n") {
			chunkNumber := i + 1
			file, lines := source.NewFile(name, chunk), strings.Split(chunk, "\n")
			for _, v := range triton.All() {
				_, list := lowerText(t, chunk, lower.Options{Args: exampleArgs, Triton: v, Strict: true})
				for n, line := range lines {
					want := expected(line, v.String())
					if strings.HasPrefix(line, "    ") {
						cases++
					}
					for _, d := range list {
						if d.Severity == diag.Hint || file.Position(d.Primary.Span.Start).Line != n+1 {
							continue
						}
						r, said := d.In(diag.English), fmt.Sprintf("%v %s", d.Severity, d.Code)
						i := slices.IndexFunc(want, func(m []string) bool {
							return said == m[2]+" "+m[3] && strings.Contains(r.Headline+"\n"+r.Triton, m[4])
						})
						if i < 0 {
							t.Errorf("%s:%d of chunk %d: Triton %v: %s %q, %q", name, n+1, chunkNumber, v, said,
								r.Headline, r.Triton)
							continue
						}
						want = slices.Delete(want, i, i+1)
					}
					for _, m := range want {
						t.Errorf("%s:%d of chunk %d: Triton %v does not say %s", name, n+1, chunkNumber, v, m[0])
					}
				}
			}
		}
	}
	if cases < minCases {
		t.Errorf("%d cases, want %d", cases, minCases)
	}
}

// expected are what a line expects of a version.
func expected(line, version string) (list [][]string) {
	for _, m := range ofVersions.FindAllStringSubmatch(line, -1) {
		if slices.Contains(strings.Fields(m[1]), version) {
			list = append(list, m)
		}
	}
	return list
}
