// Package explain makes the page of a diagnostic: a program that yields it, what newt says of that program, and the
// program put right. Nothing but the two programs is written for it: newt reports on the first one while the page is
// made, so a page has the catalogue's words, in both languages, and cannot become wrong.
package explain

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
	"github.com/newtlab/newt/compiler/num"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// Page explains one code.
type Page struct {
	Code  string
	File  *source.File // yields the code; nil where no short program does
	List  diag.List    // what newt says of File
	Fixed string       // File put right; empty where File is nil
}

// Args are what the examples' kernels are launched with: x_ptr, i_ptr, n and BLOCK.
func Args() []compiler.Arg {
	return []compiler.Arg{
		{Type: types.PointerTo(num.Float32)}, {Type: types.PointerTo(num.Int32)},
		{Type: types.Scalar(num.Int32), Value: 100}, {Constexpr: true, Value: 16},
	}
}

// Of makes the page of a code; it is nil if the catalogue lacks the code.
func Of(code string) *Page {
	if _, ok := diag.Lookup(code); !ok {
		return nil
	}
	p := &Page{Code: code}
	if e := example.Of(code); e.Bad != "" {
		p.File, p.Fixed = source.NewFile("kernel.py", e.Bad), e.Good
		p.List = check(p.File, false)
	}
	return p
}

// Pages are those of all codes that have an example, in the order of their codes.
func Pages() []*Page {
	var list []*Page
	for _, code := range diag.Codes() {
		if p := Of(code); p.File != nil {
			list = append(list, p)
		}
	}
	return list
}

// check is what newt says of an example.
func check(file *source.File, strict bool) diag.List {
	m, list := syntax.Parse(file)
	switch {
	case list.HasErrors():
	case len(compiler.Kernels(file)) > 0:
		_, list = compiler.Compile(file, compiler.Options{Args: Args(), Strict: strict})
	default:
		_, names := resolve.Resolve(m, example.Names...)
		list = append(list, names...)
	}
	return list
}

// Refusal gives the reason for which newt refuses the example of a code: "" if there is none, or newt runs it.
func Refusal(code string) string {
	p := Of(code)
	if p == nil {
		return ""
	}
	i := slices.IndexFunc(p.List, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })
	if i < 0 || p.List[i].Code != code {
		return ""
	}
	return p.List[i].In(diag.English).Why
}

// Headline says in one line what is wrong, about the example where there is one.
func (p *Page) Headline(lang diag.Lang) string {
	if len(p.List) > 0 {
		return p.List[0].In(lang).Headline
	}
	return diag.Unplaced(p.Code).In(lang).Headline
}

// fixedWords are above the program put right, in English and in Chinese.
var fixedWords = [...]string{diag.English: "Put right:", diag.Chinese: "改正之后："}

// Text is the page for a terminal.
func (p *Page) Text(to diag.Printer) string {
	if p.File == nil {
		return to.Words(diag.Unplaced(p.Code))
	}
	return indented(p.File.Text) + "\n" + to.Print(p.File, p.List) + "\n" +
		fixedWords[to.Lang] + "\n\n" + indented(p.Fixed)
}

// indented puts four spaces in front of each line that is not empty.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			b.WriteString("    ")
		}
		b.WriteString(line)
	}
	return b.String()
}
