package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/placed"
	"github.com/newtlab/newt/interp/tile"
)

// placedExtension is that of files with a function of the placed IR, as newt compile --emit placed prints it.
const placedExtension = ".ir"

// runPlaced runs one program of a function of the placed IR on the CPU, as the threads of a GPU do, and reports
// hazards. The first word is its file; then, for each parameter, a number, or how many elements its pointer has: 0, 1,
// 2, ….
func (f *runFlags) runPlaced(ctx context.Context, e *Env, words []string) (status int, err error) {
	file, err := readSource(words[0])
	if err != nil {
		return exitUsage, err
	}
	fn, err := ir.ParseFile(file)
	if err != nil {
		return exitFail, fmt.Errorf("%s: %w", words[0], err)
	}
	if wrong := ir.VerifyPlaced(fn); len(wrong) > 0 {
		return exitFail, fmt.Errorf("%s: %s", words[0], wrong[0].Text)
	}
	args, err := placedArguments(fn, words[1:])
	if err != nil {
		return exitUsage, err
	}
	report, fault := placed.Run(ctx, fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: args}, 1)
	for i, p := range fn.Params {
		if b, ok := args[i].(tile.Buffer); ok {
			fmt.Fprintf(e.Stdout, "%s: %s\n", p.Name, elementsText(b))
		}
	}
	var found diag.List
	for _, h := range report.Hazards {
		found.Add(h.Diagnostic())
	}
	for i := range report.Violations {
		found.Add(report.Violations[i].Diagnostic())
	}
	if fault != nil {
		found.Add(fault.Diagnostic())
	}
	writeDiagnostics(e, e.Stderr, file, found, *f.lang)
	return exitOf(found), nil
}

// placedArguments are the arguments that words stand for.
func placedArguments(fn *ir.Func, words []string) (args []tile.Arg, err error) {
	if len(words) != len(fn.Params) {
		var names []string
		for _, p := range fn.Params {
			names = append(names, fmt.Sprintf("%s: %s", p.Name, p.Value.Type))
		}
		return nil, errors.New("the function takes " + strings.Join(names, ", ") +
			": a number for each, for a pointer how many elements it has")
	}
	for i, p := range fn.Params {
		d := p.Value.Type.DType
		if !p.Value.Type.Pointer {
			x, ok := num.ParseScalar(d, words[i])
			if !ok {
				return nil, fmt.Errorf("%s is no %s: %s", p.Name, d, words[i])
			}
			args = append(args, tile.Scalar{Scalar: x})
			continue
		}
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > maxPlaced {
			return nil, fmt.Errorf("%s has a number of elements, at most %d, not %s", p.Name, maxPlaced, words[i])
		}
		b := tile.Buffer{DType: d, Data: make([]byte, n*d.Info().Bytes)}
		for k := range n {
			num.StoreAt(d, b.Data, k, num.FromInt(d, int64(k)).Vec(), 0)
		}
		args = append(args, b)
	}
	return args, nil
}

// maxPlaced is the most elements that a pointer may have.
const maxPlaced = 1 << 26

// elementsText is the first and the last elements of a buffer.
func elementsText(b tile.Buffer) string {
	const most = 8 // of the first ones, and of the last
	n := len(b.Data) / b.DType.Info().Bytes
	x := num.MakeVec(b.DType.Info().Class, 1)
	var text strings.Builder
	for i := 0; i < n; i++ {
		if i == most && n > 2*most {
			io.WriteString(&text, "… ")
			i = n - most
		}
		num.LoadAt(b.DType, x, 0, b.Data, i)
		fmt.Fprintf(&text, "%s ", num.ScalarAt(b.DType, x, 0))
	}
	return fmt.Sprintf("%s[%d] %s", b.DType, n, strings.TrimSpace(text.String()))
}
