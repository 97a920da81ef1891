package launch

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// SuggestMasks adds a fix to each access out of bounds that has no mask, where the source says what
// the mask must be: the pointer is a parameter plus offsets, and exactly one integer argument of the
// launch is the tensor's number of elements. args are those of the launch that list comes from.
func (k *Kernel) SuggestMasks(args []Arg, list diag.List) {
	var module *syntax.Module
	// The text is parsed again, once, and only if there is something to say: launches keep no syntax tree.
	for _, d := range list {
		if d.Runtime == nil || d.Runtime.Size == 0 || len(d.Fixes) > 0 {
			continue
		}
		size, ok := k.argumentOf(args, d.Runtime.Size)
		if !ok {
			continue
		}
		if module == nil {
			module, _ = syntax.Parse(k.file)
		}
		if call := callAt(module, d.Primary.Span); call != nil {
			k.suggestMask(d, call, size)
		}
	}
}

// argumentOf names the parameter that an integer argument of that value is passed for; there must be
// no other.
func (k *Kernel) argumentOf(args []Arg, value int64) (string, bool) {
	var names []string
	for i, a := range args {
		if a.Value == value {
			names = append(names, k.Param(i, a.Name))
		}
	}
	if len(names) != 1 {
		return "", false
	}
	return names[0], true
}

// callAt is the call at span, nil if there is none.
func callAt(m *syntax.Module, span source.Span) *syntax.Call {
	var found *syntax.Call
	syntax.Walk(m, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.Call); ok && call.Span() == span {
			found = call
		}
		// Only what encloses the span is descended into.
		return found == nil && n.Span().Start <= span.Start && span.End <= n.Span().End
	})
	return found
}

func (k *Kernel) suggestMask(d *diag.Diagnostic, call *syntax.Call, size string) {
	function, ok := call.Func.(*syntax.Attribute)
	if !ok || len(call.Args) == 0 {
		return
	}
	at := maskPosition(function.Attr)
	if at < 0 || len(call.Args) > at || slices.ContainsFunc(call.Keywords,
		func(w syntax.Keyword) bool { return w.Name == "mask" }) {
		return
	}
	offsets, ok := k.offsets(call.Args[0])
	if !ok {
		return
	}
	mask := "mask=" + offsets + " < " + size
	// Keywords may be written in any order: the mask goes after the last argument of either kind.
	end := call.Args[len(call.Args)-1].Span().End
	for _, w := range call.Keywords {
		end = max(end, w.Value.Span().End)
	}
	d.Suggest(false, diag.Text{Key: "insert", Args: []any{mask}},
		diag.Edit{Span: source.Span{Start: end, End: end}, New: ", " + mask})
}

// maskPosition is the position of mask among the parameters of a function of tl, -1 if it has none.
func maskPosition(name string) int {
	row := tl.Lookup(tl.Language, name)
	if row == nil {
		return -1
	}
	return slices.Index(strings.Split(row.Params, ", "), "mask=None")
}

// offsets is the text of the summand that pointer adds to a parameter of the kernel, if it can be the left side of a
// comparison as it is.
func (k *Kernel) offsets(pointer syntax.Expr) (string, bool) {
	sum, ok := pointer.(*syntax.BinOp)
	if !ok || sum.Op != "+" {
		return "", false
	}
	base, ok := sum.Left.(*syntax.Name)
	if !ok || !slices.Contains(k.Params, base.ID) {
		return "", false
	}
	text := k.file.Slice(sum.Right.Span())
	switch sum.Right.(type) {
	case *syntax.Name, *syntax.BinOp, *syntax.Call, *syntax.Attribute, *syntax.Subscript:
		return text, true // each binds tighter than a comparison
	}
	return "", false
}
