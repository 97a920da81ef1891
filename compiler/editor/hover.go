package editor

import (
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/usage"
)

// Info is what stands at one place of a file.
type Info struct {
	Span      source.Span
	Signature string // tl.load(pointer, mask=None, …), or x: fp32[32]
	Doc       tl.Text
	Example   string // the body of a kernel that uses it
}

// Hover says what stands at a byte offset: a name of the language, or a variable of a kernel with
// its type; nil where nothing is known. The options give the arguments with which a kernel is
// called; without any they are guessed.
func Hover(file *source.File, offset int, o compiler.Options) (info *Info) {
	var list diag.List
	defer compiler.Recover(&info, &list)
	m, _ := syntax.Parse(file)
	names, _ := resolve.Resolve(m)
	compiler.RequestedVersion(file, &o.Triton)
	at := int32(offset)
	var found syntax.Node
	syntax.Walk(m, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Attribute:
			if holds(n.AttrSpan, at) {
				found = n
			}
		case *syntax.Name:
			if holds(n.Span(), at) {
				found = n
			}
		}
		return true
	})
	if e, ok := found.(*syntax.Attribute); ok {
		if row := rowOf(names, file.Slice(e.Value.Span()), e.Attr); row != nil {
			return &Info{e.AttrSpan, row.SignatureIn(o.Triton), row.DocIn(o.Triton), row.Example()}
		}
		return nil
	}
	if t, ok := typeAt(names, at, o); ok {
		return &Info{Span: t.Span, Signature: t.Name + ": " + t.Type}
	}
	if n, ok := found.(*syntax.Name); ok {
		if row := rowOf(names, "", n.ID); row != nil {
			return &Info{n.Span(), row.SignatureIn(o.Triton), row.DocIn(o.Triton), row.Example()}
		}
	}
	return nil
}

func holds(s source.Span, at int32) bool { return s.Start <= at && at <= s.End }

// usual are the names that kernels expect to be imported under.
var usual = map[string]string{"tl": "triton.language", "triton": "triton"}

// pathOf is the dotted path that the text before a dot names, "" where it names no module.
func pathOf(info *resolve.Info, base string) string {
	first, rest, nested := strings.Cut(base, ".")
	path := info.Imports()[first]
	if path == "" {
		path = usual[first]
	}
	if nested && path != "" {
		path += "." + rest
	}
	return path
}

// rowOf is the row of the tl table that base.name means; base is "" for a bare name.
func rowOf(info *resolve.Info, base, name string) *tl.Row {
	if base == "" {
		if path := info.Imports()[name]; strings.Contains(path, ".") {
			i := strings.LastIndexByte(path, '.')
			return tl.LookupIn(path[:i], path[i+1:])
		}
		return tl.Lookup(tl.Builtin, name)
	}
	if path := pathOf(info, base); path != "" {
		return tl.LookupIn(path, name)
	}
	if isDType(base) {
		return tl.Lookup(tl.DTypeOf, name)
	}
	if isDescriptor(base) {
		return tl.Lookup(tl.Descriptor, name)
	}
	return tl.Lookup(tl.Tensor, name)
}

// isDType tells by its last word that an expression is a dtype.
func isDType(base string) bool {
	return strings.HasSuffix(base, "dtype") || strings.HasSuffix(base, ".type") || strings.HasSuffix(base, "element_ty")
}

// isDescriptor tells by its last word that an expression is a tensor descriptor, as programs call them.
func isDescriptor(base string) bool {
	return strings.Contains(base[strings.LastIndexByte(base, '.')+1:], "desc")
}

// typeAt lowers the kernel around an offset and looks what the variable there stands for.
func typeAt(info *resolve.Info, at int32, o compiler.Options) (compiler.Typed, bool) {
	for _, fn := range lower.Kernels(info.Module) {
		if !holds(fn.Span(), at) {
			continue
		}
		lo := lower.Options{Args: o.Args, Strict: o.Strict, Triton: o.Triton, Record: true}
		if len(o.Args) == 0 || o.Kernel != "" && o.Kernel != fn.Name {
			lo.Args = guesses[0].args(usage.Infer(info, nil), fn, false)
		}
		res, _ := lower.Lower(info.Module, fn, lo)
		for i := len(res.Info) - 1; i >= 0; i-- {
			if holds(res.Info[i].Span, at) {
				return res.Info[i], true
			}
		}
	}
	return compiler.Typed{}, false
}
