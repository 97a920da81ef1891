package policy

import (
	"os"
	"slices"
	"testing"
	"testing/fstest"
)

// TestScripts: JavaScript that takes more than a line is TypeScript, which is checked and linted.
func TestScripts(t *testing.T) {
	bad, err := CheckScripts(os.DirFS("../../frontend/e2e"))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range bad {
		t.Errorf("frontend/e2e/%s: JavaScript of several lines; make it a function of probes/", at)
	}
}

func TestCheckScripts(t *testing.T) {
	bad, err := CheckScripts(fstest.MapFS{
		"a_test.go": {Data: []byte("package a\n\nconst line, python = `(() => { document.x })()`, `import torch\n" +
			"def f(n):\n    return n\n`\n\nvar arrow = `list.map(\n\t(x) => x)`\n\nvar a, b = \"new Map()\\nz\", `new Map()\nif (a && b) c()`\n")},
		"probes/a.ts": {Data: []byte("const x = () => {\n};\n")},
	})
	want := []string{"a_test.go:8", "a_test.go:11", "a_test.go:11"}
	if err != nil || !slices.Equal(bad, want) {
		t.Errorf("got %q, %v\nwant %q", bad, err, want)
	}
}
