package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestMerge: what every page loads becomes one script, which the others import from; modules are evaluated once, in order.
func TestMerge(t *testing.T) {
	texts := map[string]string{
		"main.js": `import { a } from "./a.js"; import { b as twice } from "./b.js"; ran("main", a, twice); ` +
			`import("./lazy.js").then((lazy) => ran("end", lazy.a, lazy.default));`,
		"a.js":    `ran("a"); export const a = { name: "a" };`,
		"b.js":    `import { a } from "./a.js"; ran("b"); export let b = { name: "b", of: a };`,
		"lazy.js": `import { a } from "./a.js"; import { b } from "./b.js"; import { c } from "./c.js"; ran("lazy", a, b, c); export { a }; export default b.of === a;`,
		"c.js":    `import "./b.js"; ran("c"); export const c = { name: "c" };`,
	}
	meta, err := parseMeta(`{"outputs": {
		"dist/assets/main.js": {"imports": [{"path": "dist/assets/a.js", "kind": "import-statement"}, {"path": "dist/assets/b.js", "kind": "import-statement"}, {"path": "dist/assets/lazy.js", "kind": "dynamic-import"}]},
		"dist/assets/a.js": {"exports": ["a"]},
		"dist/assets/b.js": {"exports": ["b"], "imports": [{"path": "dist/assets/a.js", "kind": "import-statement"}]}
	}}`)
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{script: "assets/main.js", eager: []string{"assets/a.js", "assets/b.js", "assets/lazy.js"}}
	for name, text := range texts {
		b.files = append(b.files, file{"assets/" + name, []byte(text)})
	}
	if err := b.merge(meta); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var names []string
	for _, f := range b.files {
		names = append(names, f.name)
		text := `const ran = globalThis.ran;` + string(f.data)
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(names)
	if want := []string{"assets/c.js", "assets/lazy.js", "assets/main.js"}; !slices.Equal(names, want) {
		t.Errorf("the scripts are %q, want %q", names, want)
	}
	if want := []string{"assets/lazy.js"}; !slices.Equal(b.eager, want) {
		t.Errorf("fetched with the page: %q, want %q", b.eager, want)
	}
	script := `globalThis.ran = (...said) => console.log(said.map((s) => s.name ?? s).join(" "));
		await import(process.argv[1]);`
	node := exec.Command("node", "--input-type=module", "-e", script, filepath.Join(dir, "main.js"))
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	output, err := node.CombinedOutput()
	if got, want := string(output), "a\nb\nmain a b\nc\nlazy a b c\nend a true\n"; err != nil || got != want {
		t.Errorf("it says %q, want %q (%v)", got, strings.TrimSpace(want), err)
	}
}

// TestMergeRefusesWaiting: a script that waits for another one, which imports from it, would wait forever.
func TestMergeRefusesWaiting(t *testing.T) {
	meta, err := parseMeta(`{"outputs": {"dist/assets/main.js": {"imports": [{"path": "dist/assets/a.js", "kind": "import-statement"}]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	b := &bundle{script: "assets/main.js", files: []file{
		{"assets/main.js", []byte(`import "./a.js"; await import("./lazy.js");`)}, {"assets/a.js", nil},
		{"assets/lazy.js", []byte(`import "./a.js";`)},
	}}
	if err := b.merge(meta); err == nil {
		t.Error("it is merged")
	}
}
