package script

import (
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
)

// files are the files beside a document, and above them those that its cells have written with %%writefile.
type files struct {
	below   host.Files // nil has none
	written map[string][]byte
}

// FilesOf are the files that a document finds once it has run: those beside it, which below has, and those that its
// cells write.
func FilesOf(doc *document.Document, below host.Files) host.Files {
	f := files{below: below, written: map[string][]byte{}}
	for _, c := range doc.Cells {
		if code := document.CodeOf(c.Source); c.Kind == document.Code && code.File != "" {
			f.write(code)
		}
	}
	return f
}

// ReadFile implements host.Files.
func (f files) ReadFile(name string) ([]byte, error) {
	if text, ok := f.written[path.Clean(name)]; ok {
		return text, nil
	}
	if f.below == nil {
		return nil, fs.ErrNotExist
	}
	return f.below.ReadFile(name)
}

// FileSize implements host.Sizer.
func (f files) FileSize(name string) (int64, error) {
	if below, ok := f.below.(host.Sizer); ok && f.written[path.Clean(name)] == nil {
		return below.FileSize(name)
	}
	text, err := f.ReadFile(name)
	return int64(len(text)), err
}

// write makes a file of a cell, and says so in IPython's words.
func (f files) write(code document.PythonCode) string {
	name := path.Clean(code.File)
	old, err := f.ReadFile(name)
	verb := "Writing "
	switch {
	case err == nil && code.Append:
		verb = "Appending to "
		f.written[name] = slices.Concat(old, []byte(code.Content))
		return verb + code.File + "\n"
	case err == nil:
		verb = "Overwriting "
	}
	f.written[name] = []byte(code.Content)
	return verb + code.File + "\n"
}

// ReadDir implements host.Lister.
func (f files) ReadDir(name string) (list []fs.DirEntry, err error) {
	err = fs.ErrNotExist
	if below, ok := f.below.(host.Lister); ok {
		list, err = below.ReadDir(name)
	}
	for _, written := range slices.Sorted(maps.Keys(f.written)) {
		if path.Dir(written) == path.Clean(name) {
			list, err = append(list, entry(path.Base(written))), nil
		}
	}
	return list, err
}

// entry is the fs.DirEntry of a file that a cell has written.
type entry string

func (e entry) Name() string               { return string(e) }
func (e entry) IsDir() bool                { return false }
func (e entry) Type() fs.FileMode          { return 0 }
func (e entry) Info() (fs.FileInfo, error) { return nil, fs.ErrNotExist }
