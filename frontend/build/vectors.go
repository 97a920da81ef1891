package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/newtlab/newt/infra/vectorgen"
)

// vectorPrefix is in front of instructions on vectors (WebAssembly core specification, 5.4).
const vectorPrefix = 0xfd

// vectorTexts are the functions that Go's compiler can't write, by their names.
var vectorTexts = vectorgen.Functions()

// vectorized gives the functions of vectorTexts their bodies, in a program that Go's linker wrote.
func vectorized(module []byte) ([]byte, error) {
	names, err := functionNames(module)
	if err != nil {
		return nil, err
	}
	p, err := readLinked(module)
	if err != nil {
		return nil, err
	}
	if len(names) < len(p.texts) {
		return nil, errModule
	}
	for i := range p.texts {
		if text, found := vectorTexts[names[i]]; found {
			p.texts[i] = text
		}
	}
	return p.bytes(), nil
}

// onVectors are the immediates of an instruction on vectors: those on memory have an alignment and an offset, and some
// of them a lane; a constant and a shuffle have 16 bytes.
func onVectors(op uint64) (what immediates, known bool) {
	switch {
	case op <= 0x0b || op == 0x5c || op == 0x5d:
		what.numbers = 2
	case op <= 0x0d:
		what.bytes = 16
	case 0x15 <= op && op <= 0x22:
		what.numbers = 1
	case 0x54 <= op && op <= 0x5b:
		what.numbers = 3
	}
	return what, op <= 0xff
}

// execute runs a test program in node, which has the arguments behind its name, with the functions of vectorTexts.
func execute(args []string) error {
	if len(args) == 0 {
		return errors.New("-exec takes a program")
	}
	module, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	if module, err = vectorized(module); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "newt-exec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	node, err := inNode(dir, module, args[1:]...)
	if err != nil {
		return err
	}
	node.Stdin, node.Stdout, node.Stderr = os.Stdin, os.Stdout, os.Stderr
	return node.Run()
}

// inNode is a command that runs a program in node, which finds it in a folder.
func inNode(dir string, program []byte, args ...string) (*exec.Cmd, error) {
	goroot, err := goEnv("GOROOT")
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "program.wasm")
	if err := os.WriteFile(name, program, 0o644); err != nil {
		return nil, err
	}
	script := filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js")
	return exec.Command("node", append([]string{"--stack-size=8192", script, name}, args...)...), nil
}
