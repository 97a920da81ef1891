package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// inlined lists the packages whose speed is felt; everywhere else the compiler does not inline,
// which makes the compressed module a sixth smaller. Without inlining in num, conversions take
// five times as long; interp/tile spends its time in num's loops and is as fast either way.
var inlined = []string{"runtime", "internal/...", "math", "math/bits", "github.com/newtlab/newt/compiler/num"}

// buildWASM compiles a program for the browser and returns the module's bytes, slimmed but for
// development, where the traces of crashes matter more than the size.
func buildWASM(root, folder string, dev bool) ([]byte, error) {
	dir, err := os.MkdirTemp("", "newt-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "app.wasm")
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l"}
	for _, pkg := range inlined {
		args = append(args, "-gcflags="+pkg+"=")
	}
	build := exec.Command("go", append(args, "-o", out, folder)...)
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", folder, err)
	}
	module, err := os.ReadFile(out)
	if err != nil || dev {
		return module, err
	}
	return slim(module)
}
