// Package explain has the pages of what is wrong with a launch, besides those of compiler/explain: a script that
// launches a kernel, what newt reports when it runs under the sanitizers, and the script put right. It runs while the
// page is made, so that a page cannot become wrong.
package explain

import (
	"context"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/explain"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
)

// Of makes the page of a code; it is nil if the catalogue lacks the code.
func Of(code string) *explain.Page {
	p := explain.Of(code)
	if e, ok := launches[code]; ok && p != nil {
		p.File, p.Fixed = source.NewFile("script.py", e.bad), e.good
		p.List = check(p.File)
	}
	return p
}

// Pages are those of all codes that have an example, in the order of their codes.
func Pages() []*explain.Page {
	list := explain.Pages()
	for code := range launches {
		list = append(list, Of(code))
	}
	slices.SortFunc(list, func(a, b *explain.Page) int { return strings.Compare(a.Code, b.Code) })
	return list
}

// check is what newt says of a script, each once.
func check(file *source.File) diag.List {
	l := &script.Launcher{Context: context.Background(), Device: launch.Interpreter, WithoutHints: true,
		Sanitizer: (*launch.Kernel).Sanitize}
	s := host.New(host.Options{Launcher: l, Libraries: host.AllLibraries(),
		Tensors: tensor.New(tensor.Options{Operations: tensor.AllOperations()})})
	out := s.Run(s.Sources().Add(file))
	list := slices.Clone(out.Diagnostics)
	list.AddNew(l.Said...)
	return list
}
