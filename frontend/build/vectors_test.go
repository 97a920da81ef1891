package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// linkTests is the test program of a package for WebAssembly, as Go's linker writes it.
func linkTests(t *testing.T, pkg string) []byte {
	t.Helper()
	name := filepath.Join(t.TempDir(), "test.wasm")
	build := exec.Command("go", "test", "-c", "-trimpath", "-ldflags=-s -w", "-o", name, pkg)
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	linked, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return linked
}

// runTests runs a test program in node.
func runTests(t *testing.T, program []byte, args ...string) (output []byte, err error) {
	t.Helper()
	goroot, err := goEnv("GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "test.wasm")
	if err := os.WriteFile(name, program, 0o644); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js")
	return exec.Command("node", append([]string{"--stack-size=8192", script, name}, args...)...).CombinedOutput()
}

// TestVectors: gemm computes the same bits with vectors, and has them.
func TestVectors(t *testing.T) {
	const pkg = "github.com/newtlab/newt/interp/gemm"
	program := linkTests(t, pkg)
	vectors, err := vectorized(bytes.Clone(program))
	if err != nil {
		t.Fatal(err)
	}
	slimmed, err := slim(bytes.Clone(vectors))
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range [][]byte{vectors, slimmed} {
		if output, err := runTests(t, module, "-test.run", "TestAdd"); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
	}
	bodies := maps.Clone(vectorTexts)
	defer func() { vectorTexts = bodies }()
	for _, name := range []string{"addSingles", "addDoubles"} {
		vectorTexts = maps.Clone(bodies)
		delete(vectorTexts, pkg+"."+name)
		without, err := vectorized(bytes.Clone(program))
		if err != nil {
			t.Fatal(err)
		}
		if output, _ := runTests(t, without, "-test.run", "TestAdd"); !bytes.Contains(output, []byte("no vectors")) {
			t.Errorf("%s is not called:\n%s", name, output)
		}
	}
}
