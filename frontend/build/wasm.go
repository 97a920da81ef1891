package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// buildWASM compiles ./wasm for the browser and returns the module's bytes.
func buildWASM(root string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "newt-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "app.wasm")
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", out, "./wasm")
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("compiling ./wasm: %w", err)
	}
	return os.ReadFile(out)
}
