// Package sass prints the machine code of kernels with NVIDIA's own tools: ptxas assembles PTX, and nvdisasm
// disassembles what it, or a driver's linker, has made.
//
// Each run of a tool is a process of its own that is given a file of this package's, in a folder of its own, with a
// deadline and a bound on what it may print. Nothing that a user writes becomes an argument of it.
package sass

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Tools are the paths of the tools; one that is missing is empty.
type Tools struct {
	PTXAS, NVDisasm string

	deadline time.Duration // of one run; 0 means the package's
}

// The bounds of one run of a tool: how long it may take, and the bytes of a cubin and of what it may print.
const (
	runDeadline = time.Minute
	maxCubin    = 32 << 20
	maxOutput   = 32 << 20
)

// toolkit is where NVIDIA's installer puts the tools.
const toolkit = "/usr/local/cuda/bin"

// Find looks for the tools on the PATH and where NVIDIA's installer puts them. A path that is given is taken instead,
// and must be that of a program.
func Find(ptxas, nvdisasm string) (t Tools, err error) {
	if t.PTXAS, err = find("ptxas", ptxas); err != nil {
		return t, err
	}
	t.NVDisasm, err = find("nvdisasm", nvdisasm)
	return t, err
}

func find(name, given string) (string, error) {
	if given != "" {
		path, err := exec.LookPath(given)
		if err != nil {
			return "", fmt.Errorf("--%s: %w", name, err)
		}
		return path, nil
	}
	for _, place := range []string{name, filepath.Join(toolkit, name)} {
		if path, err := exec.LookPath(place); err == nil {
			return path, nil
		}
	}
	return "", nil
}

// Missing names the first tool that is missing of those that make SASS of PTX; empty where both are there.
func (t Tools) Missing() string {
	switch "" {
	case t.PTXAS:
		return "ptxas"
	case t.NVDisasm:
		return "nvdisasm"
	}
	return ""
}

// Assemble has ptxas make a cubin of PTX, which knows for each instruction the line of PTX that it comes from. said is
// what ptxas says of registers and spills, or what is wrong.
func (t Tools) Assemble(ctx context.Context, ptx, target string) (cubin []byte, said string, err error) {
	err = inFolder(func(folder string) error {
		from, to := filepath.Join(folder, "kernel.ptx"), filepath.Join(folder, "kernel.cubin")
		if err := os.WriteFile(from, []byte(ptx), 0o600); err != nil {
			return err
		}
		said, err = t.run(ctx, folder, t.PTXAS, "-v", "--generate-line-info", "--gpu-name", target, "-o", to, from)
		if err != nil {
			return err
		}
		cubin, err = os.ReadFile(to)
		return err
	})
	return cubin, said, err
}

// Disassemble has nvdisasm print the code of a cubin.
func (t Tools) Disassemble(ctx context.Context, cubin []byte) (list []Line, err error) {
	if len(cubin) > maxCubin {
		return nil, fmt.Errorf("a cubin of %d bytes is too long", len(cubin))
	}
	err = inFolder(func(folder string) error {
		from := filepath.Join(folder, "kernel.cubin")
		if err := os.WriteFile(from, cubin, 0o600); err != nil {
			return err
		}
		text, err := t.run(ctx, folder, t.NVDisasm, "--print-code", "--print-line-info-ptx", from)
		list = parse(text)
		return err
	})
	return list, err
}

// inFolder calls f with a folder that is removed afterwards.
func inFolder(f func(folder string) error) error {
	folder, err := os.MkdirTemp("", "newt-sass-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	return f(folder)
}

// run runs a tool, whose own files go to a folder, and returns what it prints. The environment of newt is none of its
// business.
func (t Tools) run(ctx context.Context, folder, tool string, args ...string) (string, error) {
	deadline := t.deadline
	if deadline == 0 {
		deadline = runDeadline
	}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	c := exec.CommandContext(ctx, tool, args...)
	out := &bounded{}
	c.Env, c.Stdout, c.Stderr = []string{"TMPDIR=" + folder}, out, out
	c.WaitDelay = time.Second // for what it has started to end with it
	err := c.Run()
	switch {
	case out.full:
		err = errors.New("it prints too much")
	case ctx.Err() != nil:
		err = ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(tool), err)
	}
	return out.printed.String(), err
}

// bounded is what a tool has printed, up to maxOutput: beyond that its writes fail.
type bounded struct {
	printed bytes.Buffer // not embedded: its ReadFrom has no bound
	full    bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.printed.Len()+len(p) > maxOutput {
		b.full = true
		return 0, errors.New("too much")
	}
	return b.printed.Write(p)
}
