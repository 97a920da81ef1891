package operation

import (
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of an operation.
const (
	MaxInput = 6 << 20 // bytes of JSON

	maxFiles    = 100
	MaxBytes    = 4 << 20   // of all files
	MaxOutput   = 128 << 10 // of each stream
	MaxDocument = 4 << 20
	maxPrinted  = 16 << 20 // after which a command is stopped
)

// folder are the files that a command works on.
type folder struct {
	files    map[string]string
	document string // one of them, or ""
}

// write writes the files.
func (f folder) write(dir string) error {
	total := 0
	for name, text := range f.files {
		total += len(text)
		if !filepath.IsLocal(name) || name == "." || name[0] == '-' || strings.ContainsAny(name, "\\\x00") {
			return invalid("operation-file-name", Shown(name))
		}
	}
	if len(f.files) > maxFiles || total > MaxBytes {
		return newError(TooLarge, "operation-files", len(f.files), total, maxFiles, MaxBytes>>20)
	}
	for _, name := range slices.Sorted(maps.Keys(f.files)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(path), 0o700) != nil || os.WriteFile(path, []byte(f.files[name]), 0o600) != nil {
			return invalid("operation-file-written", Shown(name))
		}
	}
	return nil
}

// changed are the files that a command has changed, with their new texts.
func (f folder) changed(dir string) (files map[string]string) {
	for name, before := range f.files {
		after, err := fs.ReadFile(os.DirFS(dir), filepath.ToSlash(filepath.Clean(name)))
		if err == nil && string(after) != before && len(after) <= MaxBytes {
			if files == nil {
				files = map[string]string{}
			}
			files[name] = string(after)
		}
	}
	return files
}

// documentOf is what a command printed as JSON: a value, or several in a list. It is nil where that was cut.
func documentOf(text string, lines bool) json.RawMessage {
	var list []json.RawMessage
	values := json.NewDecoder(strings.NewReader(text))
	for {
		var value json.RawMessage
		err := values.Decode(&value)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil
		}
		list = append(list, value)
	}
	if !lines {
		if len(list) != 1 {
			return nil
		}
		return list[0]
	}
	out, err := json.Marshal(append([]json.RawMessage{}, list...))
	if err != nil {
		return nil
	}
	return out
}
