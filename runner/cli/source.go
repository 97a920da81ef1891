package cli

import (
	"fmt"
	"io"
	"os"

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
