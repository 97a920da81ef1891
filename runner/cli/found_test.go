package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/share/link"
)

// documentLink is the link of FOUND.md that carries a document: `[name]: /#l=payload`.
var documentLink = regexp.MustCompile(`(?m)^\[(\w+)\]: /#l=(\S+)$`)

// marked is what a line of a document says newt finds there.
var marked = regexp.MustCompile(`# ((?:error|warning): [a-z-]+)$`)

// TestFound: each link of compiler/FOUND.md carries the document of its name in testdata/found, each document has one
// that the text uses, and newt finds in it what its lines say and nothing else. -update writes the links.
func TestFound(t *testing.T) {
	oneWorker(t)
	const page = "../../compiler/FOUND.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	files, _ := filepath.Glob("testdata/found/*.py")
	if *update {
		text = documentLink.ReplaceAllString(text, "")
		text = strings.TrimRight(text, "\n") + "\n\n" + documentLinks(t, files)
		if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	links := documentLink.FindAllStringSubmatch(text, -1)
	if len(links) == 0 || len(links) != len(files) {
		t.Fatalf("%d links for %d documents", len(links), len(files))
	}
	for _, l := range links {
		name := l[1]
		state, err := link.Decode(l[2])
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := os.ReadFile("testdata/found/" + name + ".py")
		if err != nil || state.Source != string(want) || state.View != "document" {
			t.Errorf("%s: the link carries another document; see -update", name)
		}
		if !strings.Contains(text, "]["+name+"]") {
			t.Errorf("nothing in the text links to %s", name)
		}
		checkFound(t, name, state.Source)
	}
}

// documentLinks are the lines that define the links to the documents.
func documentLinks(t *testing.T, files []string) string {
	t.Helper()
	var out strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := link.Encode(link.State{Source: string(source), View: "document"})
		if err != nil {
			t.Fatal(file, err)
		}
		fmt.Fprintf(&out, "[%s]: /#l=%s\n", strings.TrimSuffix(filepath.Base(file), ".py"), payload)
	}
	return out.String()
}

// checkFound runs a document with all sanitizers, and compares the errors and warnings with those that its lines name.
func checkFound(t *testing.T, name, source string) {
	t.Helper()
	var want, got []string
	for i, line := range strings.Split(source, "\n") {
		if m := marked.FindStringSubmatch(line); m != nil {
			want = append(want, fmt.Sprintf("%d: %s", i+1, m[1]))
		}
	}
	_, stderr, _ := newt(t, "run", "--device", "cpu", "--sanitize", "--json", write(t, source))
	for _, d := range reported(t, stderr).Diagnostics {
		if d.Severity != "hint" {
			got = append(got, fmt.Sprintf("%d: %s: %s", d.Place.Line, d.Severity, d.Code))
		}
	}
	if len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s: newt finds %q, and the document says %q", name, got, want)
	}
}

// asTold is what triton36.py prints where nothing differs from what torch, or its text, says.
var asTold = regexp.MustCompile(`^[^:]+: 0 (of \d+ elements|columns) differ$`)

// TestTriton36: newt computes what Triton 3.6 does not, as compiler/FOUND.md says.
func TestTriton36(t *testing.T) {
	stdout, stderr, status := newt(t, "run", "--device", "cpu", "testdata/triton36.py")
	if status != 0 || stdout == "" {
		t.Fatalf("status %d, %q\n%s", status, stdout, stderr)
	}
	for line := range strings.Lines(stdout) {
		if !asTold.MatchString(strings.TrimSpace(line)) {
			t.Errorf("newt computes something else: %s", line)
		}
	}
}
