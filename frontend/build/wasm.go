package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// inlined lists the packages whose speed is felt; everywhere else the compiler does not inline,
// which makes the compressed module a sixth smaller. Without inlining in num, conversions take
// five times as long; interp/tile spends its time in num's loops and is as fast either way.
var inlined = []string{"runtime", "internal/...", "math", "math/bits", "github.com/newtlab/newt/compiler/num"}

// buildWASM compiles programs for the browser, named by their folders, and returns their modules in that
// order, as Go's linker writes them.
func buildWASM(root string, folders []string) ([][]byte, error) {
	dir, err := os.MkdirTemp("", "newt-wasm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	args := []string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-gcflags=all=-l"}
	for _, pkg := range inlined {
		args = append(args, "-gcflags="+pkg+"=")
	}
	// A trailing slash has go build write each program under the name of its folder.
	args = append(args, "-o", dir+string(filepath.Separator))
	build := exec.Command("go", append(args, folders...)...)
	build.Dir = root
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", strings.Join(folders, " and "), err)
	}
	modules := make([][]byte, len(folders))
	for i, folder := range folders {
		if modules[i], err = os.ReadFile(filepath.Join(dir, filepath.Base(folder))); err != nil {
			return nil, err
		}
	}
	return modules, nil
}

// parallel applies f to every item, as many at a time as there are processors, since brotli takes 100 MB for
// each, and returns the results in order, or all errors.
func parallel[T, R any](items []T, f func(T) (R, error)) ([]R, error) {
	results, errs := make([]R, len(items)), make([]error, len(items))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var group sync.WaitGroup
	for i, item := range items {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			results[i], errs[i] = f(item)
		})
	}
	group.Wait()
	return results, errors.Join(errs...)
}
