package main

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown renders statements and hints. Raw HTML in them is dropped; formulas between $ or $$
// become <code class="math"> elements, which the page gives to KaTeX.
var markdown = goldmark.New(
	goldmark.WithExtensions(extension.Table),
	goldmark.WithParserOptions(parser.WithInlineParsers(util.Prioritized(formulaParser{}, 150))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(formulaRenderer{}, 500))),
)

func renderMarkdown(source string) (string, error) {
	var html bytes.Buffer
	err := markdown.Convert([]byte(source), &html)
	return html.String(), err
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

// formulaParser reads $…$ and $$…$$; a formula may span lines of one paragraph.
type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$'} }

func (formulaParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, position := block.Position()
	head, _ := block.PeekLine()
	fence := []byte("$")
	if bytes.HasPrefix(head, []byte("$$")) {
		fence = []byte("$$")
	}
	block.Advance(len(fence))
	if util.IsSpace(block.Peek()) && len(fence) == 1 {
		return nil // a price, not a formula
	}
	var tex []byte
	for {
		rest, _ := block.PeekLine()
		if rest == nil { // no closing fence: the dollar sign is itself
			block.SetPosition(line, position)
			return nil
		}
		if end := bytes.Index(rest, fence); end >= 0 {
			block.Advance(end + len(fence))
			tex = append(tex, rest[:end]...)
			return &formula{tex: bytes.TrimSpace(tex), display: len(fence) == 2}
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
