//go:build !js

// Command worker is two programs. Compiled for js/wasm it is the Cloudflare Worker: the share
// service over Workers KV. Compiled for a computer it assembles what wrangler uploads: that Worker
// and the site.
package main

import (
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/newtlab/newt/frontend/packed"
	"github.com/newtlab/newt/runner/server"
)

func main() {
	out := flag.String("o", ".build/worker", "folder to write; wrangler.json names its parts")
	site := flag.String("site", "frontend/dist", "the built page")
	flag.Parse()
	if err := assemble(*site, *out); err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

// assemble writes out/worker, the Worker, and out/site, its static assets. It runs in the root of
// the repository.
func assemble(site, out string) error {
	if err := buildWorker(filepath.Join(out, "worker")); err != nil {
		return err
	}
	return copySite(site, filepath.Join(out, "site"))
}

func buildWorker(out string) error {
	if err := command("go", "tool", "workers-assets-gen", "-mode=go", "-o", out).Run(); err != nil {
		return fmt.Errorf("the Worker's entry: %w", err)
	}
	program := filepath.Join(out, "app.wasm")
	build := command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./infra/worker")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if err := build.Run(); err != nil {
		return fmt.Errorf("the Worker: %w", err)
	}
	return nil
}

func command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c
}

// copySite copies the page as it was before compression: Cloudflare compresses by itself. It adds
// the headers that `newt serve` sends with the same files.
func copySite(site, out string) error {
	files := os.DirFS(site)
	if _, err := server.Site(files); err != nil {
		return err
	}
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "README" {
			return err
		}
		name = strings.TrimSuffix(name, packed.Ext)
		to := filepath.Join(out, filepath.FromSlash(name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		data, err := packed.ReadFile(files, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o644)
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "_headers"), []byte(headersFile(server.SecurityHeaders())), 0o644)
}

// headersFile is the _headers file of Workers' static assets.
func headersFile(security map[string]string) string {
	var b strings.Builder
	b.WriteString("/*\n")
	for _, name := range slices.Sorted(maps.Keys(security)) {
		fmt.Fprintf(&b, "  %s: %s\n", name, security[name])
	}
	// Their names carry a hash of their content.
	b.WriteString("/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n")
	return b.String()
}
