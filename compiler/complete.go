package compiler

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
)

// Completion is one proposal for what a person is typing.
type Completion struct {
	Label  string
	Kind   string // "function", "keyword", "variable", "type", "property"
	Detail string // the signature of a name of the language
	Doc    tl.Text
}

// Complete lists what can be written at a byte offset, and where the word that it replaces begins.
func Complete(file *source.File, offset int) (from int, items []Completion) {
	var list diag.List
	defer guard(&items, &list)
	offset = max(0, min(offset, len(file.Text)))
	before := file.Text[:offset]
	base, word := lastName(before)
	from = offset - len(word)
	m, _ := syntax.Parse(file)
	info, _ := resolve.Resolve(m)
	if strings.HasSuffix(before[:from], ".") {
		items = members(info, base)
	} else {
		items = append(keywordArguments(m, info, before[:from]), scopeNames(m, info, int32(offset))...)
	}
	return from, matching(items, word)
}

// lastName is the dotted name that text ends with: what stands before the last dot, and behind it.
// The base of what is no plain name, a call for instance, is "?".
func lastName(text string) (base, word string) {
	start := len(text) - trailing(text, isNameRune)
	word = text[start:]
	if !strings.HasSuffix(text[:start], ".") {
		return "", word
	}
	text = text[:start-1]
	base = text[len(text)-trailing(text, func(r rune) bool { return isNameRune(r) || r == '.' }):]
	if base == "" {
		base = "?"
	}
	return base, word
}

// trailing is how many bytes at the end of text are runes of a kind.
func trailing(text string, kind func(rune) bool) int {
	end := len(text)
	for end > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:end])
		if !kind(r) {
			break
		}
		end -= n
	}
	return len(text) - end
}

func isNameRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// matching keeps the proposals that begin with what has been typed, without regard to case, each
// once, save the word itself.
func matching(items []Completion, prefix string) []Completion {
	seen := map[string]bool{prefix: true}
	var out []Completion
	for _, it := range items {
		if len(it.Label) >= len(prefix) && strings.EqualFold(it.Label[:len(prefix)], prefix) && !seen[it.Label] {
			seen[it.Label] = true
			out = append(out, it)
		}
	}
	return out
}

// members are the names that can follow a dot.
func members(info *resolve.Info, base string) []Completion {
	names := tl.Names(tl.Tensor)
	switch path := pathOf(info, base); {
	case path == "triton.language":
		names = tl.Names(tl.Language)
	case path == "triton.language.math":
		names = tl.MathNames()
	case path == "triton":
		names = tl.Names(tl.Triton)
	case path != "":
		return nil
	case isDType(base):
		names = tl.Names(tl.DTypeOf)
	}
	items := make([]Completion, len(names))
	for i, name := range names {
		items[i] = completionOf(rowOf(info, base, name))
	}
	return items
}

var rowKinds = [...]string{tl.Special: "function", tl.Op: "function", tl.PreludeFn: "function", tl.DType: "type", tl.Property: "property"}

func completionOf(row *tl.Row) Completion {
	return Completion{row.Name, rowKinds[row.Bind], row.Signature(), row.Doc}
}

// maxBack is how far a call's opening bracket is looked for.
const maxBack = 2000

// keywordArguments are the parameters of the call that text ends in.
func keywordArguments(m *syntax.Module, info *resolve.Info, text string) []Completion {
	depth := 0
	for i := len(text) - 1; i >= max(0, len(text)-maxBack) && depth >= 0; i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '[', '{':
			depth--
		case '(':
			if depth == 0 {
				return parametersOf(m, info, text[:i])
			}
			depth--
		}
	}
	return nil
}

// parametersOf are the parameters of the function whose name text ends with.
func parametersOf(m *syntax.Module, info *resolve.Info, text string) []Completion {
	base, word := lastName(text)
	if word == "" {
		return nil
	}
	for _, fn := range lower.Kernels(m) {
		if base == "" && fn.Name == word {
			var params []string
			for _, p := range fn.Params.List {
				params = append(params, p.Name)
			}
			return parameterItems(strings.Join(params, ", "))
		}
	}
	if row := rowOf(info, base, word); row != nil {
		return parameterItems(row.Params)
	}
	return nil
}

// parameterItems proposes the parameters of a list as keyword arguments.
func parameterItems(params string) []Completion {
	var items []Completion
	for _, p := range strings.Split(params, ", ") {
		name, _, _ := strings.Cut(p, "=")
		if name != "" && isNameRune(rune(name[0])) {
			items = append(items, Completion{Label: name + "=", Kind: "property", Detail: p})
		}
	}
	return items
}

// keywords are those that kernels use.
var keywords = strings.Fields("and as assert break continue def elif else False for from if import in is lambda None not or pass return True while with")

// scopeNames are the names that can stand alone at an offset: variables of the functions around
// it, names of the module, builtins and keywords.
func scopeNames(m *syntax.Module, info *resolve.Info, offset int32) []Completion {
	var items []Completion
	for node, scope := range info.Scopes {
		if node != syntax.Node(m) && !holds(node.Span(), offset) {
			continue
		}
		for _, s := range scope.Order {
			items = append(items, Completion{Label: s.Name, Kind: "variable"})
		}
	}
	for _, name := range tl.Names(tl.Builtin) {
		items = append(items, completionOf(tl.Lookup(tl.Builtin, name)))
	}
	for _, word := range keywords {
		items = append(items, Completion{Label: word, Kind: "keyword"})
	}
	slices.SortStableFunc(items, func(a, b Completion) int { return strings.Compare(a.Label, b.Label) })
	return items
}
