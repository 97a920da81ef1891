package policy

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// guides are the documents that lead a reader through the tree by the names of its files.
var guides = []string{".github/CONTRIBUTING.md", "compiler/ARCHITECTURE.md"}

// TestGuides: what a guide writes as `folder/file` is in the tree.
func TestGuides(t *testing.T) {
	path := regexp.MustCompile("`([a-z]+/[A-Za-z0-9_./-]+)`")
	for _, guide := range guides {
		text := read(t, "../../"+guide)
		found := path.FindAllStringSubmatch(text, -1)
		if len(found) == 0 {
			t.Errorf("%s names no files", guide)
		}
		for _, m := range found {
			if _, err := os.Stat("../../" + strings.TrimSuffix(m[1], "/")); err != nil {
				t.Errorf("%s names %s, which is not in the tree", guide, m[1])
			}
		}
	}
}
