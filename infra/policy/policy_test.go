package policy

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestImports(t *testing.T) {
	allowed, err := ParseImports(read(t, "imports.txt"))
	if err != nil {
		t.Fatal(err)
	}
	edges, err := Edges(os.DirFS("../.."), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range allowed.CheckImports(edges) {
		t.Error(bad)
	}
	for pkg := range allowed {
		if _, err := os.Stat("../../" + pkg); err != nil {
			t.Errorf("imports.txt names %s, which is not there", pkg)
		}
	}
}

// TestFrontendImports holds the folders of frontend/src to their layers.
func TestFrontendImports(t *testing.T) {
	const src = "../../frontend/src"
	allowed, err := ParseImports(read(t, "frontend.txt"))
	if err != nil {
		t.Fatal(err)
	}
	edges, err := ScriptEdges(os.DirFS(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range allowed.CheckImports(edges) {
		t.Error(bad)
	}
	for folder, used := range allowed {
		if used[folder] {
			t.Errorf("frontend.txt lets %s import itself: its rules form a cycle", folder)
		}
		if _, err := os.Stat(src + "/" + folder); err != nil && folder != "main" {
			t.Errorf("frontend.txt names %s, which is not there", folder)
		}
	}
}

func TestScriptEdges(t *testing.T) {
	edges, err := ScriptEdges(fstest.MapFS{
		"main.tsx":      {Data: []byte("import \"./styles/index.css\";\nimport { App } from \"./app/app\";\n")},
		"app/app.tsx":   {Data: []byte("import type {\n  View,\n} from \"../ui/view\";\nimport { x } from \"./x\";\nimport p from \"preact\";\n")},
		"lib/deep/a.ts": {Data: []byte("const l = lazy(() => import(\"../../app/app\"));\nimport \"../b\";\n")},
	})
	want := []Edge{
		{"app", Module + "/ui", "app/app.tsx"},
		{"lib", Module + "/app", "lib/deep/a.ts"},
		{"main", Module + "/styles", "main.tsx"},
		{"main", Module + "/app", "main.tsx"},
	}
	if err != nil || !slices.Equal(edges, want) {
		t.Errorf("got %q, %v\nwant %q", edges, err, want)
	}
}

func TestModules(t *testing.T) {
	modules, err := ParseModules(read(t, "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	edges, err := Edges(os.DirFS("../.."), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range modules.CheckModules(edges) {
		t.Error(bad)
	}
}

// Tests may use what their package may, and read files besides; the compiler's and the
// interpreter's need nothing but Go.
func TestModulesOfTests(t *testing.T) {
	modules, err := ParseModules(read(t, "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for folder, rules := range modules {
		modules[folder] = slices.DeleteFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, "-") })
	}
	edges, err := Edges(os.DirFS("../.."), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range modules.CheckModules(edges) {
		t.Error(bad)
	}
}

func TestRules(t *testing.T) {
	allowed, err := ParseImports("NONE < a < b, c; b, c < d; # a comment\nNONE < e;")
	if err != nil {
		t.Fatal(err)
	}
	edge := func(from, to string) Edge { return Edge{from, Module + "/" + to, from + "/x.go"} }
	got := allowed.CheckImports([]Edge{edge("b", "a"), edge("d", "a"), edge("d", "c"), edge("a", "b"), edge("c", "b"), edge("e", "a"), edge("z", "a")})
	want := []string{"a/x.go: a may not import b", "c/x.go: c may not import b", "e/x.go: e may not import a", "z/x.go: package z is not named in the rules"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	modules, err := ParseModules("a: -os\na/b: example.com/lib")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		from, imported string
		want           bool
	}{{"a", "fmt", true}, {"a", "os", false}, {"a/b", "os", false}, {"a/b", "example.com/lib/x", true}, {"a", "example.com/lib", false}, {"c", "os", true}} {
		if got := modules.allows(c.from, c.imported); got != c.want {
			t.Errorf("allows(%s, %s) = %v", c.from, c.imported, got)
		}
	}
	if _, err := ParseImports("a b;"); err == nil || !strings.Contains(err.Error(), "without <") {
		t.Errorf("a rule without < gives %v", err)
	}
}
