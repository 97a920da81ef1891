package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/newtlab/newt/compiler/source"
)

// maxSource is how much of a file is read: enough for the compiler to say that it is too large.
const maxSource = 16 << 20

// readSource reads a source file; "-" is standard input.
func readSource(name string) (*source.File, error) {
	in := io.Reader(os.Stdin)
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, maxSource))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	return source.NewFile(name, string(text)), nil
}
