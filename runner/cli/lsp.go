package cli

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/runner/lsp"
	"github.com/newtlab/newt/runner/version"
)

var lspCommand = &command{
	name:  "lsp",
	args:  "[--site DIR] [--strict] [--triton VERSION] [--lang en|zh]",
	short: "serve an editor over the Language Server Protocol",
	help: "Answers an editor on standard input and output, in the Language Server Protocol: what newt check says of\n" +
		"each open Python file while it is edited, its fixes, and hover, completion and signature help for Triton.\n" +
		"Modules are read from the disk. In an editor, set it up as a language server of Python files, with the command\n" +
		"newt lsp, in addition to the one for Python itself.",
	run: serveEditor,
}

func serveEditor(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	var o checkOptions
	o.define(set)
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	err := lsp.Serve(ctx, stdio{}, lsp.Options{
		Version: version.Read().String(), Lang: diag.ParseLang(*lang),
		Check: func(ctx context.Context, path, text string) (*source.File, diag.List) {
			return o.checkText(ctx, e, path, text)
		},
	})
	if err != nil {
		return c.fail(e, err)
	}
	return exitOK
}

// checkText is what newt check says of a text in the place of a file.
func (o *checkOptions) checkText(ctx context.Context, e *Env, path, text string) (*source.File, diag.List) {
	doc, list := document.Parse(path, text)
	if doc == nil {
		return source.NewFile(path, text), list
	}
	d, err := o.openDocument(ctx, e, doc)
	if err != nil { // the folder cannot be read: nothing is known of what it imports
		return source.NewFile(path, text), nil
	}
	defer d.Close()
	return d.text, d.check(d.text, o.triton)
}

// stdio is standard input and output as one stream.
type stdio struct{}

func (stdio) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (stdio) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (stdio) Close() error                { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }

var _ io.ReadWriteCloser = stdio{}
