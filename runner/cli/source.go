package cli

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/document"
)

// maxSource is how much of a source file is read: enough for the compiler to say that it is too large.
const maxSource = 16 << 20

// readSource reads a source file; "-" is standard input.
func readSource(name string) (*source.File, error) {
	text, err := readText(name, maxSource)
	return source.NewFile(name, text), err
}

func readText(name string, most int64) (string, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, most))
	if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", name, err)
	}
	return string(text), nil
}

// readDocument reads a script, a notebook, Markdown or a pasted session. Where it is not one, the list says why, about
// the file.
func readDocument(name string) (d *document.Document, file *source.File, list diag.List, err error) {
	text, err := readText(name, document.MaxBytes+1)
	if err != nil {
		return nil, nil, nil, err
	}
	if d, list = document.Parse(name, text); d == nil {
		file = source.NewFile(name, text)
	}
	return d, file, list, nil
}

// maxData is how much of a file beside a document is read.
const maxData = 256 << 20

// siblings are what a document may read: the files in its own folder and below. Links that lead out of it are refused.
type siblings struct{ root *os.Root }

// siblingsOf opens the folder of a document; that of standard input is the current one.
func siblingsOf(name string) (siblings, error) {
	dir := filepath.Dir(name) // of "-" it is "."
	root, err := os.OpenRoot(dir)
	return siblings{root}, err
}

// ReadFile implements host.Files.
func (f siblings) ReadFile(name string) ([]byte, error) {
	file, err := f.root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > maxData || info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return io.ReadAll(io.LimitReader(file, maxData))
}

// ReadDir implements host.Lister.
func (f siblings) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.root.FS(), name) }
