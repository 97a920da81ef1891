package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	stems := regexp.MustCompile(`-[0-9A-F]{8}\.js`).ReplaceAllString(strings.Join(names, " "), "")
	if want := "assets/c assets/lazy assets/main"; stems != want || !slices.Contains(names, b.script) {
		t.Errorf("the scripts are %q with %q, want %q and hashes", names, b.script, want)
	}
	if len(b.eager) != 1 || b.eager[0] != names[1] {
		t.Errorf("fetched with the page: %q, want %q", b.eager, names[1])
	}
	script := `globalThis.ran = (...said) => console.log(said.map((s) => s.name ?? s).join(" "));
		await import(process.argv[1]);`
	node := exec.Command("node", "--input-type=module", "-e", script, filepath.Join(dir, filepath.Base(b.script)))
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type": "module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	output, err := node.CombinedOutput()
	if got, want := string(output), "a\nb\nmain a b\nc\nlazy a b c\nend a true\n"; err != nil || got != want {
		t.Errorf("it says %q, want %q (%v)", got, strings.TrimSpace(want), err)
	}
}

// TestMergeNames: a script whose text changes by merging has another name, though esbuild's hash, which is of its own
// modules, is the same.
func TestMergeNames(t *testing.T) {
	meta, err := parseMeta(`{"outputs": {"dist/assets/main-A.js": {"imports": [{"path": "dist/assets/a-B.js", "kind": "import-statement"}]},
		"dist/assets/a-B.js": {"exports": ["a", "b"]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, main := range []string{`import "./a-B.js"; import("./lazy-C.js");`, `import "./a-B.js"; import("./lazy-C.js"); other();`} {
		b := &bundle{script: "assets/main-A.js", files: []file{
			{"assets/main-A.js", []byte(main)}, {"assets/a-B.js", []byte("export const a = 1, b = 2;")},
			{"assets/lazy-C.js", []byte(`import {a} from "./a-B.js"; console.log(a);`)}, {"assets/main-A.css", []byte("p{}")},
		}}
		if err := b.merge(meta); err != nil {
			t.Fatal(err)
		}
		for _, f := range b.files {
			if old, found := texts[f.name]; found && old != string(f.data) {
				t.Errorf("%s is %q and %q", f.name, old, f.data)
			}
			texts[f.name] = string(f.data)
			for _, name := range regexp.MustCompile(`\./([\w-]+\.js)`).FindAllStringSubmatch(string(f.data), -1) {
				if !slices.ContainsFunc(b.files, func(f file) bool { return f.name == "assets/"+name[1] }) {
					t.Errorf("%s imports %s, which is not there", f.name, name[1])
				}
			}
		}
	}
	if len(texts) != 5 { // two of main, two of lazy, and the style sheet
		t.Errorf("the files of both are %v", slices.Sorted(maps.Keys(texts)))
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
