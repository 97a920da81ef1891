package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/refactor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/interp/document"
)

var fixCommand = &command{
	name:  "fix",
	args:  "--block-pointers [--descriptors] FILE... [--lang en|zh]",
	short: "rewrite what newer versions of Triton no longer have",
	help: "Rewrites FILE, a Python file or a notebook, in place; - reads standard input and writes to standard output. With\n" +
		"--block-pointers, what tl.make_block_ptr and tl.advance make is written as pointers with masks, which every\n" +
		"version of Triton has: Triton 3.7 warns of block pointers, and 3.9 has none. What kernels compute stays the\n" +
		"same, except that a check that an index is not negative is left out where it could only be so by an overflow.\n" +
		"Each block pointer that is not rewritten is listed with the reason, and the exit status is 1 if there are\n" +
		"any.\n\n" +
		"With --descriptors, tensor descriptors are written where the last stride is literally 1. A descriptor checks\n" +
		"every dimension, and on a GPU its base and its other strides have to be multiples of 16 bytes and\n" +
		"triton.set_allocator has to be called; none of this is examined.",
	run: fix,
}

func fix(_ context.Context, e *Env, c *command, args []string) int {
	set, lang := c.flags(e)
	blockPointers := set.Bool("block-pointers", false, "write block pointers as pointers with masks")
	descriptors := set.Bool("descriptors", false, "write tensor descriptors where they can be used")
	names, status, done := c.parse(e, set, args, 1, math.MaxInt)
	if done {
		return status
	}
	if !*blockPointers {
		return c.misuse(e, "say what to rewrite")
	}
	for _, name := range names {
		file, err := readFixed(name)
		if err != nil {
			status = c.fail(e, err)
			continue
		}
		text, files, list := fixBlockPointers(file, refactor.Options{Descriptors: *descriptors})
		if name == "-" {
			fmt.Fprint(e.Stdout, text)
		} else if text != file.Text {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				status = c.fail(e, err)
			}
		}
		if len(list) > 0 {
			writeDiagnostics(e, e.Stderr, files, list, *lang)
			status = max(status, exitFail)
		}
	}
	return status
}

// readFixed reads a file to be rewritten. A notebook has its outputs in it, and may be larger than a program.
func readFixed(name string) (*source.File, error) {
	if !isNotebook(name) {
		return readSource(name)
	}
	text, err := readText(name, document.MaxBytes+1)
	return source.NewFile(name, text), err
}

func isNotebook(name string) bool { return strings.EqualFold(filepath.Ext(name), ".ipynb") }

// fixBlockPointers rewrites a file; one with errors of syntax stays as it is, and the list has the errors. The places
// of the list lie in files.
func fixBlockPointers(file *source.File, o refactor.Options) (text string, files source.Files, list diag.List) {
	if isNotebook(file.Name) {
		return fixNotebook(file, o)
	}
	m, list := syntax.Parse(file)
	if list.HasErrors() {
		return file.Text, file, list
	}
	r := refactor.BlockPointers(m, o)
	return diag.Apply(file, r.Edits), file, r.Kept
}

// fixNotebook rewrites the cells of a notebook, which are one program.
func fixNotebook(file *source.File, o refactor.Options) (string, source.Files, diag.List) {
	doc, list := document.Parse(file.Name, file.Text)
	if doc == nil {
		return file.Text, file, list
	}
	program, files, _ := doc.Program()
	m, list := syntax.Parse(program)
	if list.HasErrors() {
		return file.Text, files, list
	}
	r := refactor.BlockPointers(m, o)
	edits, at := r.Edits, int32(0)
	for _, c := range doc.Cells {
		if c.Kind != document.Code {
			continue
		}
		code, cell := source.NewFile("", document.CodeOf(c.Source).Text), source.NewFile("", c.Source)
		var own []diag.Edit
		for len(edits) > 0 && edits[0].Span.Start <= at+code.Span().End {
			span := source.Span{Start: sameLine(code, cell, edits[0].Span.Start-at),
				End: sameLine(code, cell, edits[0].Span.End-at)}
			own, edits = append(own, diag.Edit{Span: span, New: edits[0].New}), edits[1:]
		}
		c.Source = diag.Apply(cell, own)
		at += code.Span().End + 1 // a line break is between two cells
	}
	return doc.Encode(), files, r.Kept
}

// sameLine is the offset in a cell of an offset in its code: lines are the same ones, and those that are no Python have
// become comments.
func sameLine(code, cell *source.File, offset int32) int32 {
	line := code.Position(offset).Line
	return offset - code.LineSpan(line).Start + cell.LineSpan(line).Start
}
