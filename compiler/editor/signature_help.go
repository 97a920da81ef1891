package editor

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/triton"
)

// SignatureHelp describes the call whose arguments are being written.
type SignatureHelp struct {
	Open   int      // the offset of the call's opening bracket
	Name   string   // as people write it: tl.load
	Params []string // as Python writes them, with defaults: mask=None
	Active int      // the parameter that is being given; -1 for none
	Doc    tl.Text  // the first sentence of the documentation
}

// SignatureAt describes the innermost call around a byte offset; nil outside calls and where the
// function is not known.
func SignatureAt(file *source.File, offset int) (help *SignatureHelp) {
	var list diag.List
	defer compiler.Recover(&help, &list)
	offset = max(0, min(offset, len(file.Text)))
	call, ok := enclosingCall(file.Text[:offset])
	if !ok {
		return nil
	}
	m, _ := syntax.Parse(file)
	info, _ := resolve.Resolve(m)
	v, _ := triton.Requested(file.Text)
	f := calleeOf(m, info, file.Text[:call.open], v)
	if f == nil {
		return nil
	}
	return &SignatureHelp{call.open, f.name, f.params, f.active(call), firstSentences(f.doc)}
}

// openCall is a call whose closing bracket is not written, or lies behind the cursor.
type openCall struct {
	open int    // the offset of its bracket
	args int    // complete arguments before the cursor
	last string // the text of the argument at the cursor
}

// statementWords begin lines that cannot go on an expression, whatever brackets before them are open.
var statementWords = strings.Fields("def class import from return while with assert pass")

func beginsStatement(line string) bool {
	line = strings.TrimLeft(line, " \t")
	word := line[:len(line)-len(strings.TrimLeftFunc(line, isNameRune))]
	return strings.HasPrefix(line, "@") || slices.Contains(statementWords, word)
}

// enclosingCall finds the innermost round bracket that text leaves open behind a name or a subscript.
// Brackets in strings and comments do not count.
func enclosingCall(text string) (openCall, bool) {
	type bracket struct{ at, args, arg int }
	var open []bracket
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '(', '[', '{':
			open = append(open, bracket{at: i, arg: i + 1})
		case ')', ']', '}':
			open = open[:max(0, len(open)-1)]
		case ',':
			if n := len(open); n > 0 {
				open[n-1].args++
				open[n-1].arg = i + 1
			}
		case '"', '\'':
			i = stringEnd(text, i)
		case '#':
			i += lineLength(text[i:]) - 1
		case '\n':
			if beginsStatement(text[i+1:][:lineLength(text[i+1:])]) {
				open = nil
			}
		}
	}
	for _, b := range slices.Backward(open) {
		if text[b.at] == '(' && b.at > 0 && (isNameByte(text[b.at-1]) || text[b.at-1] == ']') {
			return openCall{b.at, b.args, text[min(b.arg, len(text)):]}, true
		}
	}
	return openCall{}, false
}

func isNameByte(c byte) bool { return c >= 0x80 || isNameRune(rune(c)) }

func lineLength(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// stringEnd is the offset of the last quote of the string that begins at start, or of the text's last
// byte. A string of single quotes ends with its line.
func stringEnd(text string, start int) int {
	quote := text[start : start+1]
	if triple := strings.Repeat(quote, 3); strings.HasPrefix(text[start:], triple) {
		if n := strings.Index(text[start+3:], triple); n >= 0 {
			return start + 3 + n + 2
		}
		return len(text) - 1
	}
	for i := start + 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i:i+1] == quote:
			return i
		case text[i] == '\n':
			return i - 1
		}
	}
	return len(text) - 1
}

// callee is a function that can be called by name.
type callee struct {
	name   string
	params []string
	doc    tl.Text
}

// calleeOf is the function whose name text ends with; a launch such as kernel[grid] counts as the kernel.
// A function of the language has the parameters of a version of Triton.
func calleeOf(m *syntax.Module, info *resolve.Info, text string, v triton.Version) *callee {
	if i := strings.LastIndexByte(text, '['); i >= 0 && strings.HasSuffix(text, "]") {
		text = text[:i]
	}
	base, word := lastName(text)
	if word == "" || strings.HasSuffix(strings.TrimRight(text[:len(text)-len(word)], " "), "def") {
		return nil
	}
	for _, fn := range slices.Backward(lower.Kernels(m)) {
		if base == "" && fn.Name == word {
			return &callee{name: word, params: paramTexts(fn)}
		}
	}
	row := rowOf(info, base, word)
	if row == nil || !row.IsCalled() {
		return nil
	}
	f := &callee{name: row.Path(), params: source.List(row.ParamsIn(v)), doc: row.DocIn(v)}
	if asMethod := row.Where == tl.Language && pathOf(info, base) == "" && base != ""; asMethod && len(f.params) > 0 {
		f.name, f.params = strings.TrimPrefix(base+"."+word, "?"), f.params[1:]
	}
	return f
}

// paramTexts writes a function's parameters as its definition does.
func paramTexts(fn *syntax.FunctionDef) []string {
	var texts []string
	for _, p := range fn.Params.List {
		text := p.Name
		switch p.Kind {
		case syntax.VarPositional:
			text = "*" + text
		case syntax.VarKeyword:
			text = "**" + text
		}
		if p.Annotation != nil {
			text += ": " + syntax.String(p.Annotation)
		}
		if p.Default != nil {
			text += "=" + syntax.String(p.Default)
		}
		texts = append(texts, text)
	}
	return texts
}

// keywordName is the name of an argument that is given by name, else "".
func keywordName(arg string) string {
	name, value, found := strings.Cut(arg, "=")
	name = strings.TrimSpace(name)
	if !found || strings.HasPrefix(value, "=") || name == "" || strings.TrimLeftFunc(name, isNameRune) != "" {
		return ""
	}
	return name
}

// active is the index of the parameter that the argument at the cursor is for; -1 for none.
func (f *callee) active(call openCall) int {
	if name := keywordName(call.last); name != "" {
		return slices.IndexFunc(f.params, func(p string) bool { return paramName(p) == name })
	}
	positional := 0
	for i, p := range f.params {
		switch {
		case strings.HasPrefix(p, "**"):
			return -1
		case strings.HasPrefix(p, "*"): // takes all that follow
			return i
		case positional == call.args:
			return i
		}
		positional++
	}
	return -1
}

// paramName is the name in a parameter's text: mask of mask=None, BLOCK of BLOCK: tl.constexpr.
func paramName(param string) string {
	param = strings.TrimLeft(param, "*")
	return param[:len(param)-len(strings.TrimLeftFunc(param, isNameRune))]
}

// firstSentences keeps the first sentence of a text in each language.
func firstSentences(t tl.Text) tl.Text {
	first := func(text, end string) string {
		if head, _, found := strings.Cut(text, end); found {
			return head + strings.TrimSpace(end)
		}
		return text
	}
	return tl.Text{En: first(t.En, ". "), Zh: first(t.Zh, "。")}
}
