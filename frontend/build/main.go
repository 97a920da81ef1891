// Command build makes the page: it bundles the TypeScript, compiles the WASM, renders the
// puzzles' statements, compresses everything and reports what a first visit downloads.
//
//	go run ./frontend/build [-dev] [-plain | -weigh] [-o dir]
//
// With -exec it runs a test program in node with the page's functions on vectors instead, as go test does it:
//
//	GOOS=js GOARCH=wasm go test -exec "$PWD/.build/build -exec" ./interp/gemm
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	dev := flag.Bool("dev", false, "quick build for development: source maps, no minification, no compression")
	plain := flag.Bool("plain", false,
		"leave out compression, which takes most of a build's time and which loopback does not need")
	weigh := flag.Bool("weigh", false,
		"for the tests: compress what a first visit may fetch, and leave the programs that are fetched later plain")
	out := flag.String("o", "", "output folder (default: frontend/dist)")
	program := flag.Bool("exec", false, "run a test program, the first argument, with the other arguments")
	flag.Parse()
	var err error
	if *program {
		err = execute(flag.Args())
	} else {
		err = run(*dev, *plain, *weigh, *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// run builds the page into out, which keeps only what this build wrote (and a README).
func run(dev, plain, weigh bool, out string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	home := filepath.Join(root, "frontend")
	if out == "" {
		out = filepath.Join(home, "dist")
	}
	step("fetching the page's packages")
	if err := installPackages(home); err != nil {
		return err
	}
	site := &site{out: out, dev: dev}
	assets, err := site.assets(root)
	if err != nil {
		return err
	}
	step("bundling the page")
	page, err := bundlePage(home, dev, assets)
	if err != nil {
		return err
	}
	preload, err := bundlePreload(home, dev, assets)
	if err != nil {
		return err
	}
	for _, f := range slices.Concat(page.files, preload.files) {
		if err := site.write(f.name, f.data); err != nil {
			return err
		}
	}
	icons, err := site.icons(home)
	if err != nil {
		return err
	}
	if err := site.manifest(home, icons); err != nil {
		return err
	}
	if err := site.index(home, page, preload.script, icons); err != nil {
		return err
	}
	if err := site.serviceWorker(home); err != nil {
		return err
	}
	if err := site.prune(); err != nil {
		return err
	}
	if !dev && !plain {
		step("compressing")
		var later []string
		if weigh {
			later = assets.later()
		}
		if err := site.compress(later...); err != nil {
			return err
		}
	}
	if plain {
		return nil // sizes mean something once they are compressed
	}
	return site.report(os.Stdout, page, assets)
}

// step says what the build does now: the first one takes a minute or two.
func step(what string) { fmt.Fprintf(os.Stderr, "build: %s …\n", what) }

// moduleRoot is the folder of newt's go.mod.
func moduleRoot() (string, error) {
	mod, err := goEnv("GOMOD")
	if err != nil {
		return "", err
	}
	if filepath.Base(mod) != "go.mod" {
		return "", fmt.Errorf("run this inside newt's source tree")
	}
	return filepath.Dir(mod), nil
}

func goEnv(name string) (string, error) {
	value, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return "", fmt.Errorf("go env %s: %w", name, err)
	}
	return strings.TrimSpace(string(value)), nil
}
