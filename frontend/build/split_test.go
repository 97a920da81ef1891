package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// splitScript runs a module, given behind wasm_exec.js, and the rest of its program where that follows; the last line
// of its output says which functions were noted and how often the rest was loaded.
const splitScript = `
globalThis.fs = require("node:fs");
require(process.argv[2]);
const [module, rest] = process.argv.slice(3).map((name) => new WebAssembly.Module(fs.readFileSync(name)));
const go = new Go(), seen = { noted: [], loads: 0 };
let instance;
go.importObject.newt = {
	note: (number) => seen.noted.push(number),
	load: () => {
		seen.loads++;
		new WebAssembly.Instance(rest, { newt: instance.exports });
		instance.exports.here.value = 1;
	},
};
go.exit = (code) => { console.log(JSON.stringify(seen)); process.exit(code); };
WebAssembly.instantiate(module, go.importObject).then((i) => go.run(instance = i));
`

// seen is what splitScript tells.
type seen struct {
	Noted []int
	Loads int
}

// runParts runs a program of one or two modules, checks what it prints, and returns what was seen.
func runParts(t *testing.T, modules ...[]byte) (s seen) {
	t.Helper()
	dir := t.TempDir()
	goroot, err := goEnv("GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-e", splitScript, "-", filepath.Join(goroot, "lib", "wasm", "wasm_exec.js")}
	for i, module := range modules {
		name := filepath.Join(dir, []string{"first.wasm", "rest.wasm"}[i])
		if err := os.WriteFile(name, module, 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	output, err := exec.Command("node", args...).CombinedOutput()
	printed, told, found := bytes.Cut(output, []byte("{"))
	if err != nil || !found || string(printed) != programOutput {
		t.Fatalf("%v\n%s\nwant\n%s", err, output, programOutput)
	}
	if err := json.Unmarshal(append([]byte("{"), told...), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSplit: a program in two parts does what it does in one, loads the second part once it needs that, and does not
// need it for what has been seen to run.
func TestSplit(t *testing.T) {
	program := linkProgram(t)
	slimmed, err := slim(bytes.Clone(program))
	if err != nil {
		t.Fatal(err)
	}
	names, err := functionNames(program)
	if err != nil {
		t.Fatal(err)
	}
	p, err := readLinked(slimmed)
	if err != nil {
		t.Fatal(err)
	}
	functions := len(p.texts)
	observed, err := p.observed()
	if err != nil {
		t.Fatal(err)
	}
	noted := runParts(t, observed).Noted
	if len(noted) < functions/20 || len(noted) > functions/2 {
		t.Errorf("%d of %d functions run", len(noted), functions)
	}
	for _, c := range []struct {
		name  string
		early []int
		loads int
	}{{"nothing early", nil, 1}, {"all early that runs", noted, 0}} {
		early := make([]bool, functions)
		for _, i := range c.early {
			early[i] = true
		}
		if err := addByChance(early, names); err != nil {
			t.Fatal(err)
		}
		first, rest, err := split(slimmed, early, []embedded{{[]byte(manualText), numbersOf(names, []string{"main.page"})}})
		if err != nil {
			t.Fatal(err)
		}
		for i, module := range [][]byte{first, rest} {
			if has := bytes.Contains(module, []byte(manualText)); has != (c.loads == i) {
				t.Errorf("%s: the embedded text is in module %d: %v", c.name, i, has)
			}
		}
		if s := runParts(t, first, rest); s.Loads != c.loads {
			t.Errorf("%s: loaded %d times", c.name, s.Loads)
		}
		ordered, err := orderly(bytes.Clone(first))
		if err != nil {
			t.Fatal(err)
		}
		if s := runParts(t, ordered, rest); s.Loads != c.loads || len(ordered) > len(first)*3/4 {
			t.Errorf("%s: with its functions in order it loaded %d times, and has %d bytes in place of %d", c.name, s.Loads, len(ordered), len(first))
		}
		if len(first) >= len(slimmed) || len(rest) < len(slimmed)/10 {
			t.Errorf("%s: %d bytes became %d and %d", c.name, len(slimmed), len(first), len(rest))
		}
	}
}

// TestSplitRefuses: what Go's linker does not write is no program that can be split.
func TestSplitRefuses(t *testing.T) {
	slimmed := slimProgram(t)
	for name, change := range map[string]func(*linked){
		"functions in the table in another order": func(p *linked) { p.sections[sectionAt(p, elementSection)].body[1]++ },
		"another import":            func(p *linked) { p.set(importSection, appendImport([]byte{1}, "x", []byte{memoryKind, 0, 1})) },
		"a global that is constant": func(p *linked) { p.set(globalSection, []byte{1, typeI32, 0, i32Const, 0, end}) },
		"no type of blocks":         func(p *linked) { p.set(typeSection, []byte{0}) },
	} {
		sections, err := readModule(bytes.Clone(slimmed))
		if err != nil {
			t.Fatal(err)
		}
		p := &linked{sections: sections}
		change(p)
		module := writeModule(p.sections)
		if _, _, err := split(module, make([]bool, vectorLength(p.section(functionSection))), nil); err == nil {
			t.Errorf("%s: it is split", name)
		}
	}
}

// TestOrderlyRefuses: tables that do not follow from the order of functions are kept, by not building the page.
func TestOrderlyRefuses(t *testing.T) {
	slimmed := slimProgram(t)
	p, err := readLinked(slimmed)
	if err != nil {
		t.Fatal(err)
	}
	memory, err := readMemory(p.section(dataSection))
	if err != nil {
		t.Fatal(err)
	}
	o, err := findOrder(memory)
	if err != nil {
		t.Fatal(err)
	}
	for name, at := range map[string]int{
		"a row of another function": o.rows + 8, "an entry elsewhere": o.rows + 12, "a bucket of another function": o.buckets + bucketSize*bucketsOfEach,
		"a bucket that is divided": o.buckets + 7,
	} {
		changed := memory.bytes[at-int(memory.address):]
		changed[0]++
		p.set(dataSection, appendSegments(memory))
		changed[0]--
		if _, err := orderly(writeModule(p.sections)); !errors.Is(err, errModule) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sectionAt(p *linked, id byte) int {
	for i, s := range p.sections {
		if s.id == id {
			return i
		}
	}
	return -1
}

// TestByChance: with a part of a sort that ran, the sort's other parts are in the first module, and no other sort's; so
// is the runtime, with what prints a crash and without what traces its execution.
func TestByChance(t *testing.T) {
	program := linkProgram(t)
	names, err := functionNames(program)
	if err != nil {
		t.Fatal(err)
	}
	early := make([]bool, len(names))
	early[slices.IndexFunc(names, func(n string) bool { return strings.HasPrefix(n, "slices.choosePivotOrdered[go.shape.string]") })] = true
	if err := addByChance(early, names); err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		part := strings.HasPrefix(name, "slices.") && strings.Contains(name, "[go.shape.string]")
		ofRuntime := strings.HasPrefix(name, "runtime.") && !diagnosticPart.MatchString(name)
		if want := part || ofRuntime; early[i] != want {
			t.Errorf("%s: in the first module %v, want %v", name, early[i], want)
		}
	}
	for name, want := range map[string]bool{
		"runtime.gopanic": true, "runtime.throw": true, "runtime.printstring": true, "runtime.traceback1": true,
		"runtime.gcStart": true, "runtime.(*timeHistogram).record": true,
		"runtime.traceAcquire": false, "runtime.(*traceMap).put": false, "runtime.initMetrics": false,
	} {
		if i := slices.Index(names, name); i < 0 || early[i] != want {
			t.Errorf("%s: function %d, want in the first module %v", name, i, want)
		}
	}
}

// TestEmbeddedFiles: of the files that the page's program embeds those can move whose readers are known; the first
// module keeps none that no first visit reads.
func TestEmbeddedFiles(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/newtlab/newt/"
	names := []string{path + "interp/host.catalog", path + "compiler/tl.Prelude", path + "compiler/tl.PreludeOf", path + "interp/host.preludeOf.func1"}
	files, err := embeddedFiles(root, "./wasm", names)
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string][]int{
		"interp/host/catalog.txt": {0}, "compiler/tl/prelude.py": {1}, "interp/host/prelude/torch.nn.py": {3}, "compiler/tl/libdevice.py": nil,
		"puzzles/01_constant_add/spec.py": nil,
	} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(files, func(f embedded) bool { return bytes.Equal(f.text, text) })
		if i < 0 && want != nil || i >= 0 && !slices.Equal(files[i].readers, want) {
			t.Errorf("%s: place %d, want its readers to be %v", file, i, want)
		}
	}
}
