package cli

import (
	"context"
	"fmt"
	"math"
	"os"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/refactor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

var fixCommand = &command{
	name:  "fix",
	args:  "--block-pointers [--descriptors] FILE... [--lang en|zh]",
	short: "rewrite what newer versions of Triton no longer have",
	help: "Rewrites FILE, a Python file, in place; - reads standard input and writes to standard output. With\n" +
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
		file, err := readSource(name)
		if err != nil {
			status = c.fail(e, err)
			continue
		}
		text, list := fixBlockPointers(file, refactor.Options{Descriptors: *descriptors})
		if name == "-" {
			fmt.Fprint(e.Stdout, text)
		} else if text != file.Text {
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				status = c.fail(e, err)
			}
		}
		if len(list) > 0 {
			writeDiagnostics(e, e.Stderr, source.Files(file), list, *lang)
			status = max(status, exitFail)
		}
	}
	return status
}

// fixBlockPointers rewrites a file; a file with errors of syntax stays as it is, and the list has the errors.
func fixBlockPointers(file *source.File, o refactor.Options) (string, diag.List) {
	m, list := syntax.Parse(file)
	if list.HasErrors() {
		return file.Text, list
	}
	r := refactor.BlockPointers(m, o)
	return diag.Apply(file, r.Edits), r.Kept
}
