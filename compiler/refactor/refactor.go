// Package refactor rewrites source and keeps what it computes.
package refactor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
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

// Rewriting is a module without its block pointers.
type Rewriting struct {
	Edits []diag.Edit // in the order of the text; none overlaps another
	// Kept are hints: of each call of tl.make_block_ptr that is left as it is they say why it is, and of accesses whose
	// block pointer is made elsewhere.
	Kept diag.List

	functions []*function
}

// BlockPointers rewrites the block pointers of a module as pointers with masks.
func BlockPointers(m *syntax.Module, o Options) *Rewriting {
	info, _ := resolve.Resolve(m)
	f := analyse(info)
	groups := f.groups(o.Descriptors)
	w := &writer{flow: f, module: m, language: info.Language()}
	r := &Rewriting{functions: f.functions}
	r.Edits = w.write(slices.DeleteFunc(slices.Clone(groups), func(g *group) bool { return g.why != nil }))
	for _, g := range groups {
		g.connect()
		if g.why == nil {
			continue
		}
		for _, s := range g.makes {
			d := diag.New(g.why.code, s.node.Span(), describe(m, g.why.node))
			if g.why.node != s.node {
				d.Because(g.why.node.Span(), "kept-because")
			}
			r.Kept.Add(d)
		}
	}
	for _, w := range f.keptInOrder() {
		if len(w.sites) == 0 {
			r.Kept.Add(diag.New(w.code, w.node.Span(), describe(m, w.node)))
		}
	}
	for _, d := range r.Kept {
		d.Severity = diag.Hint
	}
	r.Kept.Sort()
	return r
}

// connect notes that functions which share block pointers have to be rewritten together.
func (g *group) connect() {
	first := g.sites[0].fn.root()
	for _, s := range g.sites {
		if fn := s.fn.root(); fn != first {
			fn.with = first
		}
	}
	for _, u := range g.uses {
		if fn := u.fn.root(); fn != first {
			fn.with = first
		}
	}
}

func (f *function) root() *function {
	for f.with != nil {
		f = f.with
	}
	return f
}

// Around gives those of the edits that rewrite the function around a place of the text, and the functions that share
// block pointers with it. They are none where a block pointer that is made at the place is kept.
func (r *Rewriting) Around(at source.Span) (edits []diag.Edit) {
	if slices.ContainsFunc(r.Kept, func(d *diag.Diagnostic) bool { return within(at, d.Primary.Span) }) {
		return nil
	}
	in := r.functionAt(at)
	for _, e := range r.Edits {
		if fn := r.functionAt(e.Span); in != nil && fn != nil && fn.root() == in.root() {
			edits = append(edits, e)
		}
	}
	return edits
}

// functionAt is the innermost function around a place.
func (r *Rewriting) functionAt(at source.Span) (in *function) {
	for _, fn := range r.functions {
		if within(at, fn.def.Span()) {
			in = fn
		}
	}
	return in
}

func within(a, b source.Span) bool { return b.Start <= a.Start && a.End <= b.End }

// describe is a node as a message shows it.
func describe(m *syntax.Module, n syntax.Node) string {
	if f, ok := n.(*syntax.FunctionDef); ok {
		return f.Name
	}
	return strings.Join(strings.Fields(m.File.Slice(n.Span())), " ")
}
