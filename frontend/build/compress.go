package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/newtlab/newt/frontend/packed"
)

// compressible lists the endings worth compressing; woff2 is compressed already.
var compressible = map[string]bool{".html": true, ".js": true, ".css": true, ".json": true, ".svg": true, ".wasm": true, ".webmanifest": true}

//go:embed compress.js
var compressScript string

// compress puts the compressed form of each file that is worth it in the file's place, so that the program that embeds
// them holds the page once. A file that write left in compressed form alone stays so; beside a plain one, a compressed
// form may be what a build that was stopped has written of it. Those of the files named by except stay as they are.
func (s *site) compress(except ...string) error {
	// Node has brotli in C, which takes two thirds of the time that it takes in Go, for the same bytes.
	node := exec.Command("node", "-", packed.Ext)
	for _, f := range s.files {
		if !compressible[filepath.Ext(f.name)] || slices.Contains(except, f.name) {
			continue
		}
		path := filepath.Join(s.out, filepath.FromSlash(f.name))
		if _, err := os.Stat(path); err == nil {
			node.Args = append(node.Args, path)
		}
	}
	if len(node.Args) == 3 {
		return nil
	}
	// As many at a time as there are processors: brotli takes 100 MB for each.
	node.Env = append(os.Environ(), fmt.Sprintf("UV_THREADPOOL_SIZE=%d", runtime.GOMAXPROCS(0)))
	node.Stdin, node.Stdout, node.Stderr = strings.NewReader(compressScript), os.Stderr, os.Stderr
	if err := node.Run(); err != nil {
		return fmt.Errorf("compressing: %w", err)
	}
	return nil
}
