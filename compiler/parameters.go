package compiler

import (
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// Parameters names the parameters of a file's kernel in order; the last of that name counts, as in
// Python. It is nil where the file has no such kernel.
func Parameters(file *source.File, kernel string) []string {
	m, _ := syntax.Parse(file)
	var names []string
	for _, fn := range lower.Kernels(m) {
		if fn.Name != kernel {
			continue
		}
		names = paramNames(fn)
	}
	return names
}

func paramNames(fn *syntax.FunctionDef) []string {
	names := make([]string, 0, len(fn.Params.List))
	for _, p := range fn.Params.List {
		names = append(names, p.Name)
	}
	return names
}
