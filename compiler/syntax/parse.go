// Package syntax reads Python source: a scanner that keeps brackets balanced, and a parser by
// recursive descent that goes on after errors, one statement at a time. The tree keeps to the names
// of Python's own ast module. Whatever the text is, Parse returns a tree; what is wrong with the
// text is in the diagnostics, one for each cause.
package syntax

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// Parse reads a file. The Module is never nil; where the list has errors, parts of it are BadExpr
// or BadStmt. The list is in the order of the text and has at most 50 entries.
func Parse(f *source.File) (*Module, diag.List) {
	m := &Module{File: f}
	report := &reporter{}
	if len(f.Text) > maxSource {
		report.add(diag.New("source-too-large", source.Span{}, len(f.Text), maxSource))
		return m, report.list
	}
	p := &parser{file: f, report: report}
	p.tokens, p.truncated = scan(f, report)
	for p.tok().kind != endOfFile {
		m.Body = p.statement(m.Body)
	}
	report.list.Sort()
	return m, report.list
}

// parser walks over the tokens. After an error it moves to the end of the logical line and is
// silent until the next statement.
type parser struct {
	file   *source.File
	report *reporter
	tokens []token
	pos    int
	failed bool
	// truncated means that the tokens end before the file does.
	truncated bool
	depth     int   // how far expressions are nested at this place
	place     place // what surrounds this place
}

// place is what a statement may depend on around it.
type place struct{ inFunction, inLoop bool }

func (p *parser) tok() *token { return &p.tokens[p.pos] }

// peek is the token n places on, or the last one.
func (p *parser) peek(n int) *token { return &p.tokens[min(p.pos+n, len(p.tokens)-1)] }

// next moves past a token and returns it. The end of the file stays.
func (p *parser) next() *token {
	t := p.tok()
	if t.kind != endOfFile {
		p.pos++
	}
	return t
}

// at reports whether the current token is this operator or keyword.
func (p *parser) at(text string) bool { return p.tok().is(text) }

func (t *token) is(text string) bool {
	return (t.kind == operator || t.kind == keyword) && t.text == text
}

func (p *parser) accept(text string) bool {
	if p.at(text) {
		p.next()
		return true
	}
	return false
}

// expect moves past an operator or keyword that has to stand here.
func (p *parser) expect(text string) bool {
	if p.accept(text) {
		return true
	}
	if p.atEnd() {
		p.failAt(diag.New("line-ends-early", p.after(), text))
	} else {
		p.failAt(diag.New("expected-token", p.tok().span, text, p.shown()))
	}
	return false
}

// atEnd reports whether the logical line ends here.
func (p *parser) atEnd() bool {
	k := p.tok().kind
	return k == newline || k == endOfFile || k == indent || k == dedent
}

// start is where the current token begins, end where the last one ended.
func (p *parser) start() int32 { return p.tok().span.Start }

func (p *parser) end() int32 {
	if p.pos == 0 {
		return 0
	}
	return p.tokens[p.pos-1].span.End
}

// after is the empty span behind the last token.
func (p *parser) after() source.Span { return source.Span{Start: p.end(), End: p.end()} }

func (p *parser) from(start int32) exprNode {
	return exprNode{node{source.Span{Start: start, End: max(start, p.end())}}}
}

func (p *parser) stmtFrom(start int32) stmtNode {
	return stmtNode{node{source.Span{Start: start, End: max(start, p.end())}}}
}

// shown is the current token as a message quotes it.
func (p *parser) shown() string { return clip(p.tok().text) }

// clip shortens text that a message quotes.
func clip(text string) string {
	const limit = 24
	for i, r := range text {
		if i > limit || r == '\n' || r == '\r' {
			return text[:i] + "…"
		}
	}
	return text
}

// failAt reports d, unless this statement has failed before or the scanner has reported the cause,
// and gives up the rest of the logical line.
func (p *parser) failAt(d *diag.Diagnostic) {
	if !p.failed && !p.excused() {
		p.report.add(d)
	}
	p.failed = true
	p.pos = p.lineEnd()
}

// lineEnd is the index of the token that ends the logical line.
func (p *parser) lineEnd() int {
	i := p.pos
	for k := p.tokens[i].kind; k != newline && k != endOfFile; k = p.tokens[i].kind {
		i++
	}
	return i
}

// excused reports whether the scanner has reported what makes the parser fail here.
func (p *parser) excused() bool {
	return p.tok().virtual || p.tok().kind == badChar || p.atEnd() && p.pos > 0 && p.tokens[p.pos-1].virtual ||
		p.tokens[p.lineEnd()].virtual
}

// fail reports that the current token has no place here.
func (p *parser) fail() {
	switch t := p.tok(); t.kind {
	case newline, endOfFile, dedent, indent:
		p.failAt(diag.New("line-ends-early", p.after(), "…"))
	default:
		p.failAt(diag.New("unexpected-token", t.span, p.shown()))
	}
}

// nested runs parse one level deeper; beyond the limit it fails instead.
func (p *parser) nested(parse func() Expr) Expr {
	if p.depth >= maxNesting {
		p.failAt(diag.New("too-deep", p.tok().span))
		return p.bad()
	}
	p.depth++
	x := parse()
	p.depth--
	return x
}

// bad is the expression that could not be read.
func (p *parser) bad() Expr { return &BadExpr{exprNode{node{p.after()}}} }

// name reads an identifier.
func (p *parser) name() (string, source.Span) {
	t := p.tok()
	switch t.kind {
	case identifier:
		p.next()
		return t.text, t.span
	case keyword:
		p.failAt(diag.New("keyword-as-name", t.span, t.text))
	case newline, endOfFile, indent, dedent:
		p.failAt(diag.New("expected-name-at-end", p.after()))
	default:
		p.failAt(diag.New("expected-name", t.span, p.shown()))
	}
	return "", p.after()
}

// shallow reports a node whose tree is too high for the phases that follow, and returns false.
func (p *parser) shallow(n Node) bool {
	if height(n, maxHeight) <= maxHeight {
		return true
	}
	p.failAt(diag.New("too-deep", n.Span()))
	return false
}

// checked is x, or a bad expression in place of one whose tree is too high. It guards the
// expressions in the first lines of compound statements; simple statements are guarded as a whole.
func (p *parser) checked(x Expr) Expr {
	if x == nil || p.shallow(x) {
		return x
	}
	return p.bad()
}

// height is the number of levels below and at n; beyond limit it stops counting.
func height(n Node, limit int) int {
	if limit <= 0 {
		return 1
	}
	most := 0
	children(n, func(c Node) { most = max(most, height(c, limit-1)) })
	return most + 1
}
