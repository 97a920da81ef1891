// Package refactor rewrites source and keeps what it computes.
package refactor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// The codes of the reasons for which block pointers are kept.
const (
	keptUse      = "block-pointer-kept-use"
	keptMixed    = "block-pointer-kept-mixed"
	keptArgument = "block-pointer-kept-argument"
	keptOutside  = "block-pointer-kept-outside"
	keptPlace    = "block-pointer-kept-place"
	keptRanks    = "block-pointer-kept-ranks"
)

// Options are those of BlockPointers.
type Options struct {
	// Descriptors asks for tensor descriptors in place of pointers with masks where the last stride is literally 1 and
	// blocks may be large enough. A descriptor checks all dimensions, and on a GPU its base and strides have to be
	// multiples of 16 bytes, which is not examined.
	Descriptors bool
}

// BlockPointers rewrites the block pointers of a module as pointers with masks. The edits are in the order of the
// text; none overlaps another. The hints say of each call of tl.make_block_ptr that is left as it is why it is, and of
// accesses whose block pointer is made elsewhere.
func BlockPointers(m *syntax.Module, o Options) ([]diag.Edit, diag.List) {
	info, _ := resolve.Resolve(m)
	f := analyse(info)
	groups := f.groups(o.Descriptors)
	w := &writer{flow: f, module: m, language: languageName(info)}
	edits := w.write(slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.why != nil }))
	var list diag.List
	for _, g := range groups {
		if g.why == nil {
			continue
		}
		for _, s := range g.makes {
			d := diag.New(g.why.code, s.node.Span(), describe(m, g.why.node))
			if g.why.node != s.node {
				d.Because(g.why.node.Span(), "kept-because")
			}
			list.Add(d)
		}
	}
	for _, w := range f.keptInOrder() {
		if len(w.sites) == 0 {
			list.Add(diag.New(w.code, w.node.Span(), describe(m, w.node)))
		}
	}
	for _, d := range list {
		d.Severity = diag.Hint
	}
	list.Sort()
	return edits, list
}

// describe is a node as a message shows it.
func describe(m *syntax.Module, n syntax.Node) string {
	if f, ok := n.(*syntax.FunctionDef); ok {
		return f.Name
	}
	return strings.Join(strings.Fields(m.File.Slice(n.Span())), " ")
}

// languageName is what a module calls triton.language.
func languageName(info *resolve.Info) string {
	for name, path := range info.Imports() {
		if path == "triton.language" {
			return name
		}
	}
	return "tl"
}
