package editor

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// Completion is one proposal for what a person is typing.
type Completion struct {
	Label  string
	Kind   string // "function", "keyword", "variable", "type", "property"
	Detail string // the signature of a name of the language
	Doc    tl.Text
	Rank   int // from 0 to 99: how likely it is meant
}

// Complete lists what can be written at a byte offset, the likeliest first, and where the word that it
// replaces begins. Of the language it has the names of the version of Triton that the file's own line asks for. Needed
// are names of tl that the task at hand asks for, in the order to propose them.
func Complete(file *source.File, offset int, needed []string) (from int, items []Completion) {
	var list diag.List
	defer compiler.Recover(&items, &list)
	offset = max(0, min(offset, len(file.Text)))
	before := file.Text[:offset]
	base, word := lastName(before)
	from = offset - len(word)
	m, _ := syntax.Parse(file)
	info, _ := resolve.Resolve(m)
	v, _ := triton.Requested(file.Text)
	if strings.HasSuffix(before[:from], ".") {
		items = members(info, base, v)
	} else {
		items = append(keywordArguments(m, info, before[:from], v), scopeNames(m, info, int32(offset))...)
	}
	items = matching(items, word)
	for i := range items {
		if n := slices.Index(needed, items[i].Label); n >= 0 && strings.HasPrefix(items[i].Detail, "tl.") {
			items[i].Rank = max(items[i].Rank, rankNeeded-n)
		}
	}
	slices.SortStableFunc(items, func(a, b Completion) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), strings.Compare(a.Label, b.Label))
	})
	return from, items
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
func members(info *resolve.Info, base string, v triton.Version) []Completion {
	names, where := tl.Names(tl.Tensor), tl.Tensor
	switch path := pathOf(info, base); {
	case path != "":
		return moduleMembers(path, v)
	case isDType(base):
		names, where = tl.Names(tl.DTypeOf), tl.DTypeOf
	case isDescriptor(base):
		names, where = tl.Names(tl.Descriptor), tl.Descriptor
	}
	var items []Completion
	for _, name := range names {
		if row := tl.Lookup(where, name); row.Lifetime.In(v) {
			items = append(items, completionOf(row, where, v))
		}
	}
	return items
}

// moduleMembers are the names of a module, and the modules below it.
func moduleMembers(path string, v triton.Version) []Completion {
	var items []Completion
	for _, name := range tl.Members(path) {
		row := tl.LookupIn(path, name)
		switch {
		case row != nil && row.Lifetime.In(v):
			items = append(items, completionOf(row, row.Where, v))
		case row == nil:
			items = append(items, Completion{Label: name, Kind: "property", Detail: path + "." + name})
		}
	}
	return items
}

var rowKinds = [...]string{tl.Special: "function", tl.Op: "function", tl.PreludeFn: "function", tl.DType: "type", tl.Property: "property",
	tl.Constant: "property"}

// completionOf proposes a row in the place where it is written: tl.sum and x.sum are not used alike.
func completionOf(row *tl.Row, where tl.Where, v triton.Version) Completion {
	return Completion{row.Name, rowKinds[row.Bind], row.SignatureIn(v), row.Doc(), rankOf(where, row.Name)}
}

// keywordArguments are the parameters of the call that text ends in, to be given by name.
func keywordArguments(m *syntax.Module, info *resolve.Info, text string, v triton.Version) []Completion {
	call, ok := enclosingCall(text)
	if !ok {
		return nil
	}
	f := calleeOf(m, info, text[:call.open], v)
	if f == nil {
		return nil
	}
	var items []Completion
	for _, p := range f.params {
		if name := paramName(p); name != "" && !strings.HasPrefix(p, "*") {
			items = append(items, Completion{Label: name + "=", Kind: "property", Detail: p, Rank: rankParameter})
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
			items = append(items, Completion{Label: s.Name, Kind: "variable", Rank: rankVariable})
		}
	}
	for _, name := range tl.Names(tl.Builtin) {
		items = append(items, completionOf(tl.Lookup(tl.Builtin, name), tl.Builtin, 0))
	}
	for _, word := range keywords {
		items = append(items, Completion{Label: word, Kind: "keyword", Rank: rankKeyword})
	}
	return items
}
