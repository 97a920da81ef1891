package editor

import (
	"cmp"
	"slices"
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

// TokenKind is what a name means to kernels.
type TokenKind uint8

// The kinds of tokens.
const (
	KernelToken    TokenKind = iota // a function under triton.jit
	ConstexprToken                  // a parameter that is known while compiling
	PointerToken                    // a parameter that is a pointer
	FunctionToken                   // a function of triton.language
	DTypeToken                      // a dtype of triton.language
	ConstantToken                   // a number of triton.language
)

// Token is a name in a file that means something to kernels.
type Token struct {
	Span        source.Span
	Kind        TokenKind
	Declaration bool
}

// Tokens are the names of a file that mean something to kernels, in the order of the text: what coloring by syntax
// alone does not tell.
func Tokens(file *source.File) (list []Token) {
	var said diag.List
	defer compiler.Recover(&list, &said)
	m, _ := syntax.Parse(file)
	info, _ := resolve.Resolve(m)
	kinds := kindsOf(info)
	for symbol, kind := range kinds {
		for _, d := range symbol.Decls {
			if _, isDef := d.Node.(*syntax.FunctionDef); isDef || d.Node == nil { // a parameter, with its annotation
				name := source.Span{Start: d.Span.Start, End: d.Span.Start + int32(len(symbol.Name))}
				list = append(list, Token{name, kind, true})
			}
		}
	}
	syntax.Walk(m, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Name:
			symbol := info.Names[n].Symbol
			if kind, ok := kinds[symbol]; ok {
				list = append(list, Token{n.Span(), kind, false})
			} else if symbol != nil {
				list = appendRow(list, n.Span(), symbol.Path)
			}
		case *syntax.Attribute:
			if path := pathOf(info, file.Slice(n.Value.Span())); path != "" {
				list = appendRow(list, n.AttrSpan, path+"."+n.Attr)
			}
		}
		return true
	})
	slices.SortFunc(list, func(a, b Token) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return slices.CompactFunc(list, func(a, b Token) bool { return a.Span.Start == b.Span.Start })
}

// kindsOf are the kinds of a file's own variables.
func kindsOf(info *resolve.Info) map[*resolve.Symbol]TokenKind {
	kinds := map[*resolve.Symbol]TokenKind{}
	kernels := lower.Kernels(info.Module)
	for _, scope := range info.Scopes {
		for _, symbol := range scope.Order {
			if slices.ContainsFunc(symbol.Decls, func(d resolve.Decl) bool {
				fn, ok := d.Node.(*syntax.FunctionDef)
				return ok && slices.Contains(kernels, fn)
			}) {
				kinds[symbol] = KernelToken
			}
		}
	}
	uses := usage.Infer(info, nil)
	for _, fn := range kernels {
		for _, p := range fn.Params.List {
			symbol := info.Scopes[fn].Names[p.Name]
			switch {
			case lower.IsConstexpr(p.Annotation):
				kinds[symbol] = ConstexprToken
			case uses.Param(fn, p.Name).Kind&usage.Pointer != 0:
				kinds[symbol] = PointerToken
			}
		}
	}
	return kinds
}

// appendRow appends a name by its dotted path, if it is one of triton.language.
func appendRow(list []Token, span source.Span, path string) []Token {
	dot := max(strings.LastIndexByte(path, '.'), 0)
	row := tl.LookupIn(path[:dot], strings.TrimPrefix(path[dot:], "."))
	if row == nil || tl.IsModule(path) {
		return list
	}
	kind := FunctionToken
	switch row.Bind {
	case tl.DType:
		kind = DTypeToken
	case tl.Constant:
		kind = ConstantToken
	}
	return append(list, Token{span, kind, false})
}
