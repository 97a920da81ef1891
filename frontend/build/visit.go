package main

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/newtlab/newt/infra/vectorgen"
	"github.com/newtlab/newt/puzzles"
)

// noteName is what an observed program imports: it is called with a function's number whenever that runs.
const noteName = "note"

//go:embed visit.js
var visitScript string

// visited tells which functions of the page's program run in a first visit (see requests), by making it.
func visited(module []byte, root string) ([]bool, error) {
	p, err := readLinked(module)
	if err != nil {
		return nil, err
	}
	observed, err := p.observed()
	if err != nil {
		return nil, err
	}
	list, err := requests(root)
	if err != nil {
		return nil, err
	}
	numbers, err := runVisit(observed, list)
	if err != nil {
		return nil, err
	}
	early := make([]bool, len(p.texts))
	for _, i := range numbers {
		early[i] = true
	}
	return early, nil
}

// observed is the program with a call of "newt" "note" at the beginning of each function, made the first time alone:
//
//	if !noted { noted = true; note(number) }
func (p *linked) observed() ([]byte, error) {
	note, err := p.addImport(noteName, typeI32)
	if err != nil {
		return nil, err
	}
	for i, text := range p.texts {
		at, err := instructionsAt(text)
		if err != nil {
			return nil, err
		}
		noted := p.addGlobal()
		out := binary.AppendUvarint(append(slices.Clone(text[:at]), opGlobalGet), noted)
		out = append(out, opI32Eqz, opIf, noResult, i32Const, 1)
		out = binary.AppendUvarint(append(out, opGlobalSet), noted)
		out = append(vectorgen.AppendSigned(append(out, i32Const), int64(i)), opCall)
		out = append(binary.AppendUvarint(out, uint64(note)), end)
		p.texts[i] = append(out, text[at:]...)
	}
	return p.bytes(), nil
}

// runVisit has node make requests of an observed program, and returns the numbers of the functions that ran.
func runVisit(module []byte, requests []request) (numbers []int, err error) {
	dir, err := os.MkdirTemp("", "newt-visit-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	input, err := json.Marshal(requests)
	if err != nil {
		return nil, err
	}
	script, file := filepath.Join(dir, "visit.js"), filepath.Join(dir, "observed.wasm")
	if err := os.WriteFile(script, []byte(visitScript), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, module, 0o644); err != nil {
		return nil, err
	}
	node := exec.Command("node", script, filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"), file)
	node.Stdin, node.Stderr = bytes.NewReader(input), os.Stderr
	output, err := node.Output()
	if err == nil {
		err = json.Unmarshal(output, &numbers)
	}
	if err != nil {
		return nil, fmt.Errorf("making a first visit: %w", err)
	}
	return numbers, nil
}

// request is one of wasm/api's, which refuses fields that it does not know.
type request map[string]any

// requests are what the page asks of its program as somebody comes to see it: at the first kernel, which it runs, or
// at a puzzle. They have all the fields that the page gives them, since a part of the program reads each:
// TestRestOfProgram finds what is missing.
func requests(root string) ([]request, error) {
	free, err := firstCall(root)
	if err != nil {
		return nil, err
	}
	text := request{"source": free["source"]}
	check := request{"source": free["source"], "strict": false}
	call := maps.Clone(free)
	delete(call, "seed")
	list := []request{
		{"kernels": text}, {"check": check}, {"check": call}, {"free": free}, {"inspect": firstLook(free)},
	}
	for _, p := range puzzles.All() {
		of := request{"source": p.Text.Starter, "strict": false, "puzzle": p.Number}
		list = append(list, request{"check": of}, request{"inspect": request{"puzzle": of, "case": 0, "from": 0}})
	}
	for _, r := range list {
		r["lang"] = "en"
	}
	return list, nil
}

// firstCall is the call of the kernel that a first visit shows, as src/content/examples.ts has it: TestStored finds
// what differs.
func firstCall(root string) (request, error) {
	ripple, err := os.ReadFile(filepath.Join(root, "frontend", "src", "content", "examples", "ripple.py"))
	if err != nil {
		return nil, err
	}
	args := []request{
		{"name": "out_ptr", "kind": "tensor", "dtype": "float32", "shape": "40, 64", "fill": "zeros"},
		{"name": "H", "kind": "int", "value": "40"},
		{"name": "W", "kind": "int", "value": "64"},
		{"name": "BLOCK", "kind": "constexpr", "value": "64"},
	}
	return request{
		"source": string(ripple), "strict": false, "kernel": "ripple", "args": args, "grid": "H", "seed": 0,
	}, nil
}

// firstLook is how the page inspects a call.
func firstLook(free request) request { return request{"free": free, "from": 0} }
