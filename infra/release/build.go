package main

import (
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"

	"github.com/newtlab/newt/runner/version"
)

// program is newt, built for one target.
type program struct {
	data    []byte
	info    *debug.BuildInfo
	version version.Info
}

// build compiles newt as it is released: static, without paths of this machine, with the commit in it.
func build(root string, t target) (*program, error) {
	dir, err := os.MkdirTemp("", "newt-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "newt")
	compile := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", name, "./runner")
	compile.Dir = root
	// What a machine's own settings would change is set here, so that every machine builds the same.
	compile.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch,
		"GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOWORK=off")
	compile.Stdout, compile.Stderr = os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return nil, fmt.Errorf("go build: %w", err)
	}
	p := &program{}
	if p.info, err = buildinfo.ReadFile(name); err != nil {
		return nil, err
	}
	if p.data, err = os.ReadFile(name); err != nil {
		return nil, err
	}
	p.version = version.From(p.info)
	p.version.Time, err = commitTime(p.version)
	return p, err
}
