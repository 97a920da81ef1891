package ptxas

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// verdict is what ptxas says of a module.
type verdict struct {
	Code   int // the exit status
	Output string
}

// lifetime is how long a verdict stays in the cache. ptxas is deterministic: the limit keeps the cache small.
const lifetime = 30 * 24 * time.Hour

// cache returns the folder of verdicts, in the user's cache folder, which all checkouts share, and removes those that
// are too old, once a process.
var cache = sync.OnceValues(func() (string, error) {
	home, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(home, "newt", "ptxas")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil && time.Since(info.ModTime()) > lifetime {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
	return dir, err
})

// version returns what ptxas says that it is.
var version = sync.OnceValues(func() (string, error) {
	out, err := exec.Command(find(), "--version").Output()
	return string(out), err
})

// cached returns the name of the file for what this version of ptxas says of a module, "" where there is no cache.
func cached(text string, options []string) string {
	dir, noCache := cache()
	v, noVersion := version()
	if noCache != nil || noVersion != nil {
		return ""
	}
	return filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q %q", v, options, text))))
}

// ask returns what ptxas says of a module: from the cache where the same version has been asked the same before.
func ask(t testing.TB, text string, options ...string) (v verdict) {
	t.Helper()
	name := cached(text, options)
	if data, err := os.ReadFile(name); err == nil && json.Unmarshal(data, &v) == nil {
		return v
	}
	as := exec.Command(find(), append(options, "-o", os.DevNull, "-")...)
	as.Stdin = strings.NewReader(text)
	out, err := as.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || !exit.Exited()) {
		t.Fatalf("ptxas %v: %v: %s", options, err, out) // it was not started, or it was killed
	}
	v = verdict{as.ProcessState.ExitCode(), string(out)}
	if name != "" {
		v.write(name)
	}
	return v
}

// write puts a verdict into the cache in one step, since other tests read and write the same. What can't be written is
// asked for again.
func (v verdict) write(name string) {
	data, err := json.Marshal(v)
	if err != nil {
		return
	}
	partial, err := os.CreateTemp(filepath.Dir(name), "partial-")
	if err != nil {
		return
	}
	_, err = partial.Write(data)
	if errors.Join(err, partial.Close(), os.Rename(partial.Name(), name)) != nil {
		os.Remove(partial.Name())
	}
}
