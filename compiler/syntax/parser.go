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
	// The limit is checked before any work: later phases may take more than linear time.
	if len(f.Text) > maxSource {
		report.add(diag.New("source-too-large", source.Span{Start: f.Base(), End: f.Base()}, len(f.Text), maxSource))
		return m, report.list
	}
	p := &parser{file: f, report: report}
	p.tokens, p.truncated = scan(f, report)
	for p.tok().kind != endOfFile {
		// Several statements on one line come back from one call, hence the list.
		m.Body = p.parseStatement(m.Body)
	}
	report.list.Sort()
	return m, report.list
}

// cursor is a place in the token stream. It never moves past the endOfFile that ends the stream.
type cursor struct {
	tokens []token
	pos    int // the current token
}

// parser reads statements and expressions by recursive descent. After an error it moves to the end
// of the logical line and is silent until the next statement.
type parser struct {
	cursor
	file   *source.File
	report *reporter
	failed bool // this statement has reported an error; it is silent until the next one
	// truncated means that the tokens end before the file does.
	truncated bool
	depth     int     // how far expressions are nested at this place
	context   context // what surrounds this place
}

// context is what a statement may depend on around it.
type context struct{ inFunction, inLoop bool }

func (c *cursor) tok() *token { return &c.tokens[c.pos] }

// peek is the token n places on, or the last one.
func (c *cursor) peek(n int) *token { return &c.tokens[min(c.pos+n, len(c.tokens)-1)] }

// next moves past a token and returns it. The end of the file stays.
func (c *cursor) next() *token {
	t := c.tok()
	if t.kind != endOfFile {
		c.pos++
	}
	return t
}

// at reports whether the current token is this operator or keyword.
func (c *cursor) at(text string) bool { return c.tok().is(text) }

func (t *token) is(text string) bool {
	return (t.kind == operator || t.kind == keyword) && t.text == text
}

func (c *cursor) accept(text string) bool {
	if c.at(text) {
		c.next()
		return true
	}
	return false
}

// expect moves past an operator or keyword, and reports anything else.
func (p *parser) expect(text string) bool {
	if p.accept(text) {
		return true
	}
	// At the end of a line the place is behind the last token, where the missing one belongs.
	if p.atEnd() {
		p.failAt(diag.New("line-ends-early", p.afterLast(), text))
	} else {
		p.failAt(diag.New("expected-token", p.tok().span, text, p.quoteToken()))
	}
	return false
}

// atEnd reports whether the logical line ends here.
func (c *cursor) atEnd() bool {
	k := c.tok().kind
	return k == newline || k == endOfFile || k == indent || k == dedent
}

// start is where the current token begins, end where the last one ended.
func (c *cursor) start() int32 { return c.tok().span.Start }

func (c *cursor) end() int32 {
	if c.pos == 0 {
		return 0
	}
	return c.tokens[c.pos-1].span.End
}

// afterLast is the empty span behind the last token.
func (c *cursor) afterLast() source.Span { return source.Span{Start: c.end(), End: c.end()} }

func (c *cursor) exprFrom(start int32) exprNode {
	return exprNode{node{source.Span{Start: start, End: max(start, c.end())}}}
}

func (c *cursor) stmtFrom(start int32) stmtNode {
	return stmtNode{node{source.Span{Start: start, End: max(start, c.end())}}}
}

// quoteToken is the current token as a message quotes it.
func (c *cursor) quoteToken() string { return clipText(c.tok().text) }

// clipText shortens text that a message quotes.
func clipText(text string) string {
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
	if !p.failed && !p.isExcused() {
		p.report.add(d)
	}
	// The rest of the line would only give errors that follow from this one.
	p.failed = true
	p.pos = p.endOfLogicalLine()
}

// endOfLogicalLine is the index of the token that ends the logical line.
func (c *cursor) endOfLogicalLine() int {
	i := c.pos
	for k := c.tokens[i].kind; k != newline && k != endOfFile; k = c.tokens[i].kind {
		i++
	}
	return i
}

// isExcused reports whether the scanner has reported what makes the parser fail here.
func (p *parser) isExcused() bool {
	// A virtual token is the scanner's repair of what it has reported; a virtual newline ends a broken line.
	return p.tok().virtual || p.tok().kind == badChar || p.atEnd() && p.pos > 0 && p.tokens[p.pos-1].virtual ||
		p.tokens[p.endOfLogicalLine()].virtual
}

// failHere reports that the current token has no place here.
func (p *parser) failHere() {
	switch t := p.tok(); t.kind {
	case newline, endOfFile, dedent, indent:
		p.failAt(diag.New("line-ends-early", p.afterLast(), "…"))
	default:
		p.failAt(diag.New("unexpected-token", t.span, p.quoteToken()))
	}
}

// parseNested runs parse one level deeper; beyond the limit it fails instead.
func (p *parser) parseNested(parse func() Expr) Expr { return nested(p, parse, p.badExpr) }

// nested runs parse one level deeper; beyond the limit it fails, and gives a bad node instead.
func nested[T any](p *parser, parse, bad func() T) T {
	// The limit protects the stack of this parser and of every phase that walks the tree.
	if p.depth >= maxNesting {
		p.failAt(diag.New("too-deep", p.tok().span))
		return bad()
	}
	p.depth++
	x := parse()
	p.depth--
	return x
}

// badExpr is the expression that could not be read.
func (p *parser) badExpr() Expr { return &BadExpr{exprNode{node{p.afterLast()}}} }

// parseName reads an identifier.
func (p *parser) parseName() (string, source.Span) {
	t := p.tok()
	switch t.kind {
	case identifier:
		p.next()
		return t.text, t.span
	case keyword:
		p.failAt(diag.New("keyword-as-name", t.span, t.text))
	case newline, endOfFile, indent, dedent:
		p.failAt(diag.New("expected-name-at-end", p.afterLast()))
	default:
		p.failAt(diag.New("expected-name", t.span, p.quoteToken()))
	}
	return "", p.afterLast()
}

// checkHeight reports a node whose tree is too high for the phases that follow, and returns false.
func (p *parser) checkHeight(n Node) bool {
	// Of two levels one has a character of its own: a statement and a field of an f-string may have none.
	span := n.Span()
	short := span.End-span.Start < maxHeight/2
	if short || heightOf(n, maxHeight) <= maxHeight {
		return true
	}
	p.failAt(diag.New("too-deep", n.Span()))
	return false
}

// limitHeight is x, or a bad expression in place of one whose tree is too high. It guards the
// expressions in the first lines of compound statements; simple statements are guarded as a whole.
func (p *parser) limitHeight(x Expr) Expr {
	if x == nil || p.checkHeight(x) {
		return x
	}
	return p.badExpr()
}

// heightOf is the number of levels below and at n; beyond limit it stops counting.
func heightOf(n Node, limit int) int {
	// Stopping at the limit bounds the recursion on degenerate trees, such as a + a + a + …
	if limit <= 0 {
		return 1
	}
	most := 0
	children(n, func(c Node) { most = max(most, heightOf(c, limit-1)) })
	return most + 1
}
