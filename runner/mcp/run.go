package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Limits of a call.
const (
	maxFiles  = 100
	maxBytes  = 4 << 20   // of all files
	maxOutput = 128 << 10 // of each stream
	maxTime   = 60 * time.Second
)

// Result is what a command did.
type Result struct {
	Status    int               `json:"status"`              // 0 for yes, 1 for errors or findings, 2 for a wrong call
	Output    string            `json:"output,omitempty"`    // what was printed to standard output
	Errors    string            `json:"errors,omitempty"`    // and to standard error
	Document  any               `json:"document,omitempty"`  // the command's JSON, as newt COMMAND --help describes it
	Files     map[string]string `json:"files,omitempty"`     // those that the command has changed
	Truncated bool              `json:"truncated,omitempty"` // more was printed
	TimedOut  bool              `json:"timed_out,omitempty"` // the command was stopped after maxTime
}

// run runs a command in a folder with a program's files, and takes its document from a stream.
func (o *Options) run(ctx context.Context, p program, from stream, args ...string) (r Result, err error) {
	dir, err := os.MkdirTemp("", "newt-mcp-")
	if err != nil {
		return r, errors.New("no folder could be made for the files")
	}
	defer os.RemoveAll(dir)
	document, err := p.write(dir)
	if err != nil {
		return r, err
	}
	ctx, stop := context.WithTimeout(ctx, maxTime)
	defer stop()
	if document != "" {
		args = append(args, document)
	}
	cmd := exec.CommandContext(ctx, o.Program, args...)
	cmd.Dir, cmd.Env = dir, o.Environ
	cmd.WaitDelay = time.Second
	out, errs := &limited{}, &limited{}
	cmd.Stdout, cmd.Stderr = out, errs
	runError := cmd.Run()
	var exit *exec.ExitError
	if runError != nil && !errors.As(runError, &exit) && ctx.Err() == nil {
		return r, errors.New("newt could not be started")
	}
	r.Status = cmd.ProcessState.ExitCode()
	r.TimedOut = errors.Is(ctx.Err(), context.DeadlineExceeded)
	r.Output, r.Errors = out.kept.String(), errs.kept.String()
	r.Truncated = out.more || errs.more
	switch from {
	case stdout:
		r.Document, r.Output = documentIn(r.Output)
	case stderr:
		r.Document, r.Errors = documentIn(r.Errors)
	}
	r.Files = p.changed(dir)
	return r, nil
}

// documentIn is the JSON at the end of what a command printed, and the text in front of it. Its first line alone begins
// with a bracket: those below are indented, and the last one closes it.
func documentIn(text string) (document any, rest string) {
	at := max(strings.LastIndex("\n"+text, "\n{"), strings.LastIndex("\n"+text, "\n["))
	if at < 0 || json.Unmarshal([]byte(text[at:]), &document) != nil {
		return nil, text
	}
	return document, text[:at]
}

// write writes the files into a folder, and names the document among them.
func (p program) write(dir string) (document string, err error) {
	if len(p.Files) == 0 {
		return "", nil
	}
	total := 0
	for name, text := range p.Files {
		total += len(text)
		if !filepath.IsLocal(name) || name == "." || name[0] == '-' || strings.ContainsAny(name, "\\\x00") {
			return "", fmt.Errorf("%q is not the name of a file: it is relative, such as kernel.py or lib/a.py", name)
		}
	}
	if len(p.Files) > maxFiles || total > maxBytes {
		return "", fmt.Errorf("there are %d files of %d bytes; at most %d files of %d bytes together are taken",
			len(p.Files), total, maxFiles, maxBytes)
	}
	names := slices.Sorted(maps.Keys(p.Files))
	document = p.Document
	if document == "" && len(names) == 1 {
		document = names[0]
	}
	if _, ok := p.Files[document]; !ok {
		return "", fmt.Errorf("say with document which of the files is meant: %s", strings.Join(names, ", "))
	}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return "", fmt.Errorf("%q cannot be written: one of the files has the name of its folder", name)
		}
		if err := os.WriteFile(path, []byte(p.Files[name]), 0o600); err != nil {
			return "", fmt.Errorf("%q cannot be written: one of the files has the name of its folder", name)
		}
	}
	return document, nil
}

// changed are the files that a command has changed, with their new texts.
func (p program) changed(dir string) (files map[string]string) {
	for name, before := range p.Files {
		after, err := fs.ReadFile(os.DirFS(dir), filepath.ToSlash(filepath.Clean(name)))
		if err == nil && string(after) != before && len(after) <= maxBytes {
			if files == nil {
				files = map[string]string{}
			}
			files[name] = string(after)
		}
	}
	return files
}

// limited keeps the first bytes of what is written to it.
type limited struct {
	kept bytes.Buffer // not embedded: io.Copy would fill it by its ReadFrom
	more bool
}

func (l *limited) Write(b []byte) (int, error) {
	rest := min(maxOutput-l.kept.Len(), len(b))
	l.kept.Write(b[:rest])
	l.more = l.more || rest < len(b)
	return len(b), nil
}
