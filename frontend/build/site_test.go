package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/newtlab/newt/frontend/packed"
)

// listing names every file below dir, by slash-separated path.
func listing(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// build writes files into out as one build does.
func build(t *testing.T, out string, dev bool, files map[string]string) {
	t.Helper()
	s := &site{out: out, dev: dev}
	for name, data := range files {
		if err := s.write(name, []byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.prune(); err != nil {
		t.Fatal(err)
	}
	if !dev {
		if err := s.compress(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSiteKeepsOnlyItsOwn(t *testing.T) {
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "README"), []byte("keep"), 0o644); err != nil {
		t.Fatal(err)
	}
	build(t, out, false, map[string]string{"index.html": "<p>1</p>", "assets/old-1.js": "1", "assets/font.woff2": "f"})
	want := []string{"README", "assets/font.woff2", "assets/old-1.js.br", "index.html.br"}
	if got := listing(t, out); !reflect.DeepEqual(got, want) {
		t.Errorf("after the first build: %v", got)
	}
	build(t, out, false, map[string]string{"index.html": "<p>2</p>", "assets/new-2.js": "2"})
	want = []string{"README", "assets/new-2.js.br", "index.html.br"}
	if got := listing(t, out); !reflect.DeepEqual(got, want) {
		t.Errorf("after the second build: %v", got)
	}
	if plain, err := packed.ReadFile(os.DirFS(out), "index.html"); err != nil || string(plain) != "<p>2</p>" {
		t.Errorf("index.html.br holds %q (%v): a sibling of the old text was kept", plain, err)
	}
	build(t, out, false, map[string]string{"index.html": "<p>2</p>", "assets/new-2.js": "2"})
	if got := listing(t, out); !reflect.DeepEqual(got, want) {
		t.Errorf("after the same build again: %v", got)
	}
	build(t, out, true, map[string]string{"index.html": "<p>2</p>"})
	if got := listing(t, out); !reflect.DeepEqual(got, []string{"README", "index.html"}) {
		t.Errorf("after a development build: %v: compressed siblings would be served in place of later changes", got)
	}
}

// TestCompressExcept: what a build for the tests leaves plain, the next full one compresses.
func TestCompressExcept(t *testing.T) {
	out := t.TempDir()
	for _, c := range []struct{ except, want []string }{
		{[]string{"assets/later-1.wasm"}, []string{"assets/first-1.wasm.br", "assets/later-1.wasm"}},
		{nil, []string{"assets/first-1.wasm.br", "assets/later-1.wasm.br"}},
		{[]string{"assets/later-1.wasm"}, []string{"assets/first-1.wasm.br", "assets/later-1.wasm.br"}},
	} {
		s := &site{out: out}
		for _, name := range []string{"assets/first-1.wasm", "assets/later-1.wasm"} {
			if err := s.write(name, []byte("a program")); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.compress(c.except...); err != nil {
			t.Fatal(err)
		}
		if got := listing(t, out); !reflect.DeepEqual(got, c.want) {
			t.Errorf("all but %v compressed: %v", c.except, got)
		}
	}
}

// TestStaleForm: a compressed form of other bytes is never served for a file, whatever its name says.
func TestStaleForm(t *testing.T) {
	for _, compress := range []bool{false, true} {
		out := t.TempDir()
		build(t, out, false, map[string]string{"assets/lazy-1.js": `import "./main-1.js"`})
		s := &site{out: out}
		const text = `import "./main-2.js"`
		if err := s.write("assets/lazy-1.js", []byte(text)); err != nil {
			t.Fatal(err)
		}
		if compress {
			// What a build that was stopped while it compressed leaves behind.
			if err := os.WriteFile(filepath.Join(out, "assets/lazy-1.js"+packed.Ext), nil, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := s.compress(); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := packed.ReadFile(os.DirFS(out), "assets/lazy-1.js"); err != nil || string(got) != text {
			t.Errorf("compressed %v: it holds %q (%v)", compress, got, err)
		}
	}
}

func TestWriteHashed(t *testing.T) {
	s := &site{out: t.TempDir()}
	a, err := s.writeHashed("content.en.json", []byte("a"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := s.writeHashed("content.en.json", []byte("b"))
	if err != nil {
		t.Fatal(err)
	}
	if a == b || !strings.HasPrefix(a, "assets/content.en-") || !strings.HasSuffix(a, ".json") {
		t.Errorf("names %q and %q", a, b)
	}
}

func TestStaticImports(t *testing.T) {
	meta, err := parseMeta(`{"outputs": {
		"dist/main.js": {"entryPoint": "src/main.tsx", "imports": [
			{"path": "dist/a.js", "kind": "import-statement"}, {"path": "dist/lazy.js", "kind": "dynamic-import"}]},
		"dist/a.js": {"imports": [{"path": "dist/b.js", "kind": "import-statement"}, {"path": "dist/main.js", "kind": "import-statement"}]},
		"dist/b.js": {}, "dist/lazy.js": {"imports": [{"path": "dist/c.js", "kind": "import-statement"}]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if main, ok := meta.outputOf("src/main.tsx"); !ok || main != "dist/main.js" {
		t.Errorf("the entry's output is %q", main)
	}
	if got := meta.staticImports("dist/main.js"); !reflect.DeepEqual(got, []string{"a.js", "b.js"}) {
		t.Errorf("static imports %v", got)
	}
}
