package syntax

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// compound are the statements with blocks, by the keyword that begins them.
var compound map[string]func(*parser) Stmt

// strayClauses are the keywords that only continue another statement, with the statement they need.
var strayClauses = map[string]string{"elif": "if", "else": "if", "except": "try", "finally": "try"}

// strayClause reports a clause that continues nothing, and reads its block.
func (p *parser) strayClause() Stmt {
	start := p.start()
	t := p.next()
	p.report.add(diag.New("stray-clause", t.span, t.text, strayClauses[t.text]))
	p.failed = true
	for !p.atEnd() && !(p.at(":") && p.peek(1).kind == newline) {
		p.next()
	}
	body := p.block(t.text, t.span)
	return &If{p.stmtFrom(start), &BadExpr{exprNode{node{t.span}}}, body, nil}
}

// block reads ":" and the statements under it. The keyword and its place are for messages.
func (p *parser) block(word string, at source.Span) []Stmt {
	p.colon(word)
	if !p.atEnd() {
		return p.simpleLine(nil)
	}
	if p.tok().kind == newline {
		p.next()
	}
	failed := p.failed
	if p.tok().kind != indent {
		cut := p.truncated && int(p.start()) == len(p.file.Text)
		if !failed && !cut {
			p.report.add(diag.New("expected-block", p.lineBefore(at), word).Because(at, "block-of", word))
		}
		return nil
	}
	p.next()
	list := p.blockBody(nil)
	p.failed = failed
	return list
}

// lineBefore is where the block should have begun: the end of the line that announces it.
func (p *parser) lineBefore(at source.Span) source.Span {
	end := max(at.End, p.end())
	for i := p.pos - 1; i >= 0; i-- {
		if t := p.tokens[i]; t.kind != newline && t.kind != dedent {
			end = t.span.End
			break
		}
	}
	return source.Span{Start: end, End: end}
}

// colon expects the ":" that announces a block.
func (p *parser) colon(word string) {
	if p.accept(":") || p.failed {
		return
	}
	t := p.tok()
	if !p.atEnd() && !(t.kind == keyword && simpleStatements[t.text] != nil) {
		p.failAt(diag.New("expected-token", t.span, ":", p.shown()))
		return
	}
	if p.excused() {
		return
	}
	at := p.after()
	p.report.add(diag.New("missing-colon", at, word).
		Suggest(true, diag.Text{Key: "insert", Args: []any{":"}}, diag.Edit{Span: at, New: ":"}))
}

// condition reads the test of if, while or assert, where "=" stands for "==" by mistake.
func (p *parser) condition() Expr {
	start := p.start()
	x := p.namedExpr()
	if t := p.tok(); t.is("=") {
		p.report.add(diag.New("assign-in-condition", t.span).
			Suggest(true, diag.Text{Key: "replace", Args: []any{"=", "=="}}, diag.Edit{Span: t.span, New: "=="}))
		p.next()
		other := p.expr()
		x = &Compare{p.from(start), x, []string{"=="}, []Expr{other}}
	}
	return p.checked(x)
}

// ifStmt reads if with all its elif and else clauses.
func (p *parser) ifStmt() Stmt {
	first := &If{}
	last := first
	starts := []int32{p.start()}
	chain := []*If{first}
	p.ifClause(first)
	for p.at("elif") || p.at("else") && p.peek(1).is("if") && p.elseIf() {
		if len(chain) == maxHeight {
			p.report.add(diag.New("too-deep", p.tok().span))
			for p.at("elif") {
				p.ifClause(&If{})
			}
			break
		}
		next := &If{}
		starts = append(starts, p.start())
		chain = append(chain, next)
		p.ifClause(next)
		last.Else = []Stmt{next}
		last = next
	}
	last.Else = p.elseBlock(last.Else)
	for i, s := range chain {
		s.stmtNode = p.stmtFrom(starts[i])
	}
	return first
}

func (p *parser) ifClause(s *If) {
	t := p.next()
	p.failed = false
	s.Test = p.condition()
	s.Body = p.block(t.text, t.span)
}

// elseIf reports "else if" and makes the "if" ready to be read as elif.
func (p *parser) elseIf() bool {
	both := p.tok().span.Join(p.peek(1).span)
	p.report.add(diag.New("else-if", both).
		Suggest(true, diag.Text{Key: "replace", Args: []any{"else if", "elif"}}, diag.Edit{Span: both, New: "elif"}))
	p.next()
	return true
}

// elseBlock reads an else clause, if there is one.
func (p *parser) elseBlock(none []Stmt) []Stmt {
	if !p.at("else") {
		return none
	}
	t := p.next()
	p.failed = false
	return p.block("else", t.span)
}

// loopBody reads the block of a loop.
func (p *parser) loopBody(t *token) []Stmt {
	around := p.place
	p.place.inLoop = true
	body := p.block(t.text, t.span)
	p.place = around
	return body
}

func (p *parser) forStmt() Stmt {
	start := p.start()
	t := p.next()
	s := &For{Target: p.checked(p.targets())}
	if p.expect("in") {
		s.Iter = p.checked(p.exprs())
	} else {
		s.Iter = p.bad()
	}
	s.Body = p.loopBody(t)
	s.Else = p.elseBlock(nil)
	s.stmtNode = p.stmtFrom(start)
	return s
}

func (p *parser) whileStmt() Stmt {
	start := p.start()
	t := p.next()
	s := &While{Test: p.condition()}
	s.Body = p.loopBody(t)
	s.Else = p.elseBlock(nil)
	s.stmtNode = p.stmtFrom(start)
	return s
}

func (p *parser) withStmt() Stmt {
	start := p.start()
	t := p.next()
	s := &With{}
	bracketed := p.bracketedItems()
	if bracketed {
		p.next()
	}
	for {
		s.Items = append(s.Items, p.withItem())
		if !p.accept(",") || bracketed && p.at(")") {
			break
		}
	}
	if bracketed {
		p.expect(")")
	}
	s.Body = p.block(t.text, t.span)
	s.stmtNode = p.stmtFrom(start)
	return s
}

func (p *parser) withItem() WithItem {
	item := WithItem{Context: p.checked(p.expr())}
	if p.accept("as") {
		item.Target = p.checked(p.starred())
		p.checkTarget(item.Target)
	}
	return item
}

// bracketedItems reports whether the brackets after with hold items, not an expression: they end
// right before the colon, and there is an "as" or a comma directly inside them.
func (p *parser) bracketedItems() bool {
	depth, several := 0, false
	for i := p.pos; p.at("("); i++ {
		switch t := &p.tokens[i]; {
		case t.kind == newline || t.kind == endOfFile:
			return false
		case t.is("(") || t.is("[") || t.is("{"):
			depth++
		case t.is(")") || t.is("]") || t.is("}"):
			depth--
			if depth == 0 {
				return several && p.tokens[i+1].is(":")
			}
		case depth == 1 && (t.is("as") || t.is(",")):
			several = true
		case depth == 1 && (t.is(":=") || t.is("*") && p.tokens[i-1].is(",")):
			return false
		}
	}
	return false
}

func (p *parser) tryStmt() Stmt {
	start := p.start()
	t := p.next()
	s := &Try{Body: p.block(t.text, t.span)}
	for p.at("except") {
		s.Handlers = append(s.Handlers, p.handler())
	}
	if len(s.Handlers) > 0 {
		s.Else = p.elseBlock(nil)
	}
	if p.at("finally") {
		f := p.next()
		p.failed = false
		s.Finally = p.block(f.text, f.span)
	} else if len(s.Handlers) == 0 && !p.failed {
		p.report.add(diag.New("try-alone", t.span))
	}
	s.stmtNode = p.stmtFrom(start)
	return s
}

func (p *parser) handler() Handler {
	start := p.start()
	t := p.next()
	p.failed = false
	h := Handler{}
	if p.at("*") {
		p.failAt(diag.New("unsupported-syntax", p.tok().span, "except*"))
	} else if !p.at(":") && !p.atEnd() {
		h.Type = p.checked(p.expr())
		if p.accept("as") {
			h.Name, _ = p.name()
		}
	}
	h.Body = p.block(t.text, t.span)
	h.Loc = p.from(start).Loc
	return h
}

// asyncStmt reads async def, async for and async with.
func (p *parser) asyncStmt() Stmt {
	start := p.start()
	switch following := p.peek(1); {
	case following.is("def"):
		return p.definition()
	case following.is("for"), following.is("with"):
		p.next()
		return compound[following.text](p)
	}
	p.next()
	p.fail()
	p.simpleLine(nil)
	return &BadStmt{p.stmtFrom(start)}
}
