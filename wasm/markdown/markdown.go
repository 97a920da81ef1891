// Package markdown renders Markdown with formulas: the puzzles' statements when the page is built, and the prose of
// documents in the page.
package markdown

import (
	"bytes"
	"regexp"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// options are for formulas between $ or $$, which become <code class="math"> elements for KaTeX.
var options = []goldmark.Option{
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulaParser{}, 150))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(formulaRenderer{}, 500))),
}

var (
	statements = goldmark.New(append(options, goldmark.WithExtensions(extension.Table))...)
	// These are GFM, which Jupyter reads; how a table's cells are aligned is not said in styles, which the page refuses.
	gfm = goldmark.WithExtensions(extension.Linkify, extension.Strikethrough, extension.TaskList,
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)))
	prose = goldmark.New(append(options, gfm, goldmark.WithRendererOptions(html.WithUnsafe()))...)
	plain = goldmark.New(append(options, gfm,
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(htmlAsText{}, 500))))...)
)

// Statement renders newt's own text to HTML. HTML in it is dropped.
func Statement(source string) (string, error) { return convert(statements, source) }

// Prose renders a stranger's text as Jupyter does, with the HTML in it, or with that as text: what shows the result
// sanitizes it first.
func Prose(source string, withHTML bool) (string, error) {
	if withHTML {
		return convert(prose, source)
	}
	return convert(plain, source)
}

// htmlAsText renders HTML as the text that it is written in.
type htmlAsText struct{}

func (htmlAsText) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	write := func(w util.BufWriter, source []byte, lines *text.Segments) {
		w.Write(util.EscapeHTML(lines.Value(source)))
	}
	r.Register(ast.KindRawHTML, func(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
		if in {
			write(w, source, n.(*ast.RawHTML).Segments)
		}
		return ast.WalkSkipChildren, nil
	})
	r.Register(ast.KindHTMLBlock, func(w util.BufWriter, source []byte, n ast.Node, in bool) (ast.WalkStatus, error) {
		if !in {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.HTMLBlock)
		w.WriteString("<p>")
		write(w, source, block.Lines())
		if block.HasClosure() {
			w.Write(util.EscapeHTML(block.ClosureLine.Value(source)))
		}
		_, err := w.WriteString("</p>\n")
		return ast.WalkSkipChildren, err
	})
}

func convert(with goldmark.Markdown, source string) (string, error) {
	var out bytes.Buffer
	err := with.Convert([]byte(source), &out)
	return out.String(), err
}

var formulaKind = ast.NewNodeKind("Formula")

// formula is TeX that stood between dollar signs; display means two on each side.
type formula struct {
	ast.BaseInline
	tex     []byte
	display bool
}

func (*formula) Kind() ast.NodeKind { return formulaKind }

func (f *formula) Dump(source []byte, level int) {
	ast.DumpHelper(f, source, level, map[string]string{"tex": string(f.tex)}, nil)
}

// formulaParser reads $…$, $$…$$ and, as Jupyter does, environments of TeX outside of them; a formula may span lines of
// one paragraph.
type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$', '\\'} }

// environment begins one of TeX that is a formula of its own.
var environment = regexp.MustCompile(`^\\begin\{((?:align|alignat|equation|gather|multline|CD)\*?)\}`)

func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, position := block.Position()
	head, _ := block.PeekLine()
	if m := environment.FindSubmatch(head); m != nil {
		end := []byte(`\end{` + string(m[1]) + `}`)
		if tex, ok := upTo(block, end); ok {
			return &formula{tex: append(tex, end...), display: true}
		}
		block.SetPosition(line, position)
		return nil
	}
	if head[0] != '$' {
		return nil
	}
	fence := []byte("$")
	if bytes.HasPrefix(head, []byte("$$")) {
		fence = []byte("$$")
	}
	block.Advance(len(fence))
	if util.IsSpace(block.Peek()) && len(fence) == 1 {
		return nil // a price, not a formula
	}
	tex, ok := upTo(block, fence)
	if !ok { // the dollar sign is itself
		block.SetPosition(line, position)
		return nil
	}
	return &formula{tex: bytes.TrimSpace(tex), display: len(fence) == 2}
}

// upTo reads up to a mark, and over it; ok is false where the paragraph ends before one.
func upTo(block text.Reader, mark []byte) (tex []byte, ok bool) {
	for {
		rest, _ := block.PeekLine()
		if rest == nil {
			return nil, false
		}
		if end := bytes.Index(rest, mark); end >= 0 {
			block.Advance(end + len(mark))
			return append(tex, rest[:end]...), true
		}
		tex = append(tex, rest...)
		block.AdvanceLine()
	}
}

type formulaRenderer struct{}

func (formulaRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(formulaKind, func(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		f := n.(*formula)
		class := "math"
		if f.display {
			class = "math display"
		}
		_, err := w.WriteString(`<code class="` + class + `">` + string(util.EscapeHTML(f.tex)) + `</code>`)
		return ast.WalkSkipChildren, err
	})
}
