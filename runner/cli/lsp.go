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
	args:  "[--site DIR] [--strict] [--triton VERSION] [--values=false] [--lang en|zh]",
	short: "serve an editor over the Language Server Protocol",
	help: "Answers an editor on standard input and output, in the Language Server Protocol: what newt check says of\n" +
		"each open Python file while it is edited, its fixes, and hover, completion and signature help for Triton. To an\n" +
		"editor that shows inlay hints it tells the values of each kernel's first launch, of one program: it runs the file as\n" +
		"newt run does, for some seconds at most, each time it has been left alone. Semantic tokens mark kernels, pointers and\n" +
		"constexpr parameters. In an editor, set it up as a language server of Python files, with the command newt lsp, in\n" +
		"addition to the one for Python itself; infra/vscode is an extension of VS Code that does.",
	run: serveEditor,
}

func serveEditor(ctx context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	var o checkOptions
	o.define(set)
	values := set.Bool("values", true,
		"run a file while it is edited, to show the values of each kernel's first launch")
	if _, status, done := c.parse(e, set, args, 0, 0); done {
		return status
	}
	l := diag.ParseLang(*lang)
	options := lsp.Options{
		Version: version.Read().String(), Lang: l,
		Check: func(ctx context.Context, path, text string, open map[string]string) (*source.File, diag.List) {
			return o.checkText(ctx, e, path, text, open)
		},
	}
	if *values {
		options.Values = func(ctx context.Context, path, text string, open map[string]string) []lsp.Value {
			return o.valuesOf(ctx, e, path, text, open, l)
		}
	}
	if err := lsp.Serve(ctx, stdio{}, options); err != nil {
		return c.fail(e, err)
	}
	return exitOK
}

// checkText is what newt check says of a text in the place of a file, beside the texts of other files.
func (o *checkOptions) checkText(ctx context.Context, e *Env, path, text string, open map[string]string) (
	*source.File, diag.List) {
	doc, list := document.Parse(path, text)
	if doc == nil {
		return source.NewFile(path, text), list
	}
	d, err := o.openDocument(ctx, e, doc)
	if err != nil { // the folder cannot be read: nothing is known of what it imports
		return source.NewFile(path, text), nil
	}
	defer d.Close()
	d.beside.replace(open)
	return d.text, d.check(d.text, o.triton)
}

// stdio is standard input and output as one stream.
type stdio struct{}

func (stdio) Read(b []byte) (int, error)  { return os.Stdin.Read(b) }
func (stdio) Write(b []byte) (int, error) { return os.Stdout.Write(b) }
func (stdio) Close() error                { return errors.Join(os.Stdin.Close(), os.Stdout.Close()) }

var _ io.ReadWriteCloser = stdio{}
