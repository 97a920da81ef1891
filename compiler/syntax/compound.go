package syntax

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// compoundStatements are the statements with blocks, by the keyword that begins them.
var compoundStatements map[string]func(*parser) Stmt

// strayClauses are the keywords that only continue another statement, with the statement they need.
var strayClauses = map[string]string{"elif": "if", "else": "if", "except": "try", "finally": "try"}

// parseStrayClause reports a clause that continues nothing, and reads its block.
func (p *parser) parseStrayClause() Stmt {
	t := p.next()
	p.report.add(diag.New("stray-clause", t.span, t.text, strayClauses[t.text]))
	p.failed = true
	// The header is skipped up to its colon, so that the block below is read all the same.
	for !p.atEnd() && !(p.at(":") && p.peek(1).kind == newline) {
		p.next()
	}
	body := p.parseBlock(t.text, t.span)
	return &If{Test: &BadExpr{exprNode{node{t.span}}}, Body: body}
}

// parseBlock reads ":" and the statements under it. The keyword and its place are for messages.
func (p *parser) parseBlock(word string, at source.Span) []Stmt {
	p.expectColon(word)
	// One line: "if x: y". Otherwise an indented block has to follow.
	if !p.atEnd() {
		return p.parseSimpleLine(nil)
	}
	if p.tok().kind == newline {
		p.next()
	}
	// The header's failure is remembered: statements of the block start with a clean slate of their own.
	failed := p.failed
	if p.tok().kind != indent {
		// Where the scanner gave up, the block may well exist.
		cut := p.truncated && p.start() == p.file.Span().End
		if !failed && !cut {
			p.report.add(diag.New("expected-block", p.endOfHeader(at), word).Because(at, "block-of", word))
		}
		return nil
	}
	p.next()
	list := p.parseBlockBody(nil)
	p.failed = failed
	return list
}

// endOfHeader is where the block should have begun: the end of the line that announces it.
func (p *parser) endOfHeader(at source.Span) source.Span {
	end := max(at.End, p.end())
	for i := p.pos - 1; i >= 0; i-- {
		if t := p.tokens[i]; t.kind != newline && t.kind != dedent {
			end = t.span.End
			break
		}
	}
	return source.Span{Start: end, End: end}
}

// expectColon expects the ":" that announces a block.
func (p *parser) expectColon(word string) {
	if p.accept(":") || p.failed {
		return
	}
	t := p.tok()
	// "if x y": a statement's keyword means that only the colon is missing; anything else is a bad header.
	if !p.atEnd() && !(t.kind == keyword && simpleStatements[t.text] != nil) {
		p.failAt(diag.New("expected-token", t.span, ":", p.quoteToken()))
		return
	}
	if p.isExcused() {
		return
	}
	at := p.afterLast()
	p.report.add(suggestInsertion(diag.New("missing-colon", at, word), true, at, ":"))
}

// parseCondition reads the test of if, while or assert, where "=" is read as "==", with a report.
func (p *parser) parseCondition() Expr {
	start := p.start()
	x := p.parseNamedExpr()
	if t := p.tok(); t.is("=") {
		p.report.add(suggestReplacement(diag.New("assign-in-condition", t.span), t.span, "=", "=="))
		p.next()
		other := p.parseExpr()
		x = &Compare{p.exprFrom(start), x, []string{"=="}, []Expr{other}}
	}
	return p.limitHeight(x)
}

// parseIf reads if with all its elif and else clauses.
func (p *parser) parseIf() Stmt {
	first := &If{}
	last := first
	starts := []int32{p.start()}
	// A chain of elif is a list here and not a recursion, since it may be long.
	chain := []*If{first}
	p.parseIfClause(first)
	for p.at("elif") || p.at("else") && p.peek(1).is("if") && p.acceptElseIf() {
		// The clauses beyond the limit are read and dropped.
		if len(chain) == maxHeight {
			p.report.add(diag.New("too-deep", p.tok().span))
			for p.at("elif") {
				p.parseIfClause(&If{})
			}
			break
		}
		next := &If{}
		starts = append(starts, p.start())
		chain = append(chain, next)
		p.parseIfClause(next)
		last.Else = []Stmt{next}
		last = next
	}
	last.Else = p.parseElse(last.Else)
	// Every if of the chain ends where the last one does.
	for i, s := range chain {
		s.stmtNode = p.stmtFrom(starts[i])
	}
	return first
}

func (p *parser) parseIfClause(s *If) {
	t := p.next()
	p.failed = false
	s.Test = p.parseCondition()
	s.Body = p.parseBlock(t.text, t.span)
}

// acceptElseIf reports "else if" and makes the "if" ready to be read as elif.
func (p *parser) acceptElseIf() bool {
	both := p.tok().span.Join(p.peek(1).span)
	p.report.add(suggestReplacement(diag.New("else-if", both), both, "else if", "elif"))
	p.next()
	return true
}

// parseElse reads an else clause, if there is one.
func (p *parser) parseElse(none []Stmt) []Stmt {
	if !p.at("else") {
		return none
	}
	t := p.next()
	p.failed = false
	return p.parseBlock("else", t.span)
}

// parseLoopBody reads the block of a loop.
func (p *parser) parseLoopBody(t *token) []Stmt {
	// break and continue belong to the innermost loop; a def inside of it starts outside of any.
	around := p.context
	p.context.inLoop = true
	body := p.parseBlock(t.text, t.span)
	p.context = around
	return body
}

func (p *parser) parseFor() Stmt {
	t := p.next()
	s := &For{Target: p.limitHeight(p.parseTargets())}
	if p.expect("in") {
		s.Iter = p.limitHeight(p.parseExprList())
	} else {
		s.Iter = p.badExpr()
	}
	s.Body = p.parseLoopBody(t)
	s.Else = p.parseElse(nil)
	return s
}

func (p *parser) parseWhile() Stmt {
	t := p.next()
	s := &While{Test: p.parseCondition()}
	s.Body = p.parseLoopBody(t)
	s.Else = p.parseElse(nil)
	return s
}

func (p *parser) parseWith() Stmt {
	t := p.next()
	s := &With{}
	// Python's grammar backtracks here; looking ahead to the closing bracket does as well.
	bracketed := p.hasParenthesizedItems()
	if bracketed {
		p.next()
	}
	for {
		s.Items = append(s.Items, p.parseWithItem())
		if !p.accept(",") || bracketed && p.at(")") {
			break
		}
	}
	if bracketed {
		p.expect(")")
	}
	s.Body = p.parseBlock(t.text, t.span)
	return s
}

func (p *parser) parseWithItem() WithItem {
	item := WithItem{Context: p.limitHeight(p.parseExpr())}
	if p.accept("as") {
		item.Target = p.limitHeight(p.parseStarred())
		p.checkTarget(item.Target)
	}
	return item
}

// hasParenthesizedItems reports whether the brackets after with hold items, not an expression: they end
// right before the colon, and there is an "as" or a comma directly inside them.
func (p *parser) hasParenthesizedItems() bool {
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

func (p *parser) parseTry() Stmt {
	t := p.next()
	s := &Try{Body: p.parseBlock(t.text, t.span)}
	group := false
	for p.at("except") {
		if s.Group = p.peek(1).is("*"); len(s.Handlers) > 0 && s.Group != group {
			p.report.add(diag.New("mixed-except", p.tok().span))
		}
		group = s.Group
		s.Handlers = append(s.Handlers, p.parseHandler())
	}
	// An else needs a handler; without one it is read as a stray clause.
	if len(s.Handlers) > 0 {
		s.Else = p.parseElse(nil)
	}
	if p.at("finally") {
		f := p.next()
		p.failed = false
		s.Finally = p.parseBlock(f.text, f.span)
	} else if len(s.Handlers) == 0 && !p.failed {
		p.report.add(diag.New("try-alone", t.span))
	}
	return s
}

func (p *parser) parseHandler() Handler {
	start := p.start()
	t := p.next()
	p.failed = false
	h := Handler{}
	p.accept("*")
	if !p.at(":") && !p.atEnd() {
		h.Type = p.limitHeight(p.parseExpr())
		if p.accept("as") {
			h.Name, _ = p.parseName()
		}
	}
	h.Body = p.parseBlock(t.text, t.span)
	h.Loc = p.exprFrom(start).Loc
	return h
}

// parseAsync reads async def, async for and async with.
func (p *parser) parseAsync() Stmt {
	switch following := p.peek(1); {
	case following.is("def"):
		return p.parseDefinition()
	case following.is("for"), following.is("with"):
		p.next()
		return compoundStatements[following.text](p)
	}
	p.next()
	p.failHere()
	p.parseSimpleLine(nil)
	return &BadStmt{}
}

// parseDefinition reads def and class with their decorators.
func (p *parser) parseDefinition() Stmt {
	var decorators []Expr
	// Decorators are read before it is known what they decorate.
	for p.at("@") {
		p.next()
		decorators = append(decorators, p.limitHeight(p.parseNamedExpr()))
		if !p.atEnd() {
			p.failHere()
		}
		for p.tok().kind == newline {
			p.next()
		}
		p.failed = false
	}
	async := p.at("async") && p.peek(1).is("def")
	if async {
		p.next()
	}
	switch {
	case p.at("def"):
		return p.parseFunction(decorators, async)
	case p.at("class"):
		return p.parseClass(decorators)
	}
	p.report.add(diag.New("decorator-alone", decorators[len(decorators)-1].Span()))
	return &BadStmt{}
}

func (p *parser) parseFunction(decorators []Expr, async bool) Stmt {
	t := p.next()
	f := &FunctionDef{Decorators: decorators, Async: async, Params: &Params{}}
	f.Name, f.NameSpan = p.parseName()
	p.refuseTypeParameters()
	if !p.failed && p.expect("(") {
		f.Params = p.parseParams(")", true)
		p.closeBracket(")")
	}
	if p.accept("->") {
		f.Returns = p.limitHeight(p.parseExprList())
	}
	around := p.context
	// A function sees neither the loop nor, in a class, the function around it.
	p.context = context{inFunction: true}
	f.Body = p.parseBlock(t.text, t.span)
	p.context = around
	f.Doc = Docstring(f.Body)
	return f
}

// refuseTypeParameters reports the [T] of a generic function or class.
func (p *parser) refuseTypeParameters() {
	if p.at("[") {
		p.failAt(diag.New("unsupported-syntax", p.tok().span, "[T]"))
	}
}

// Docstring is the text of the string that a body begins with.
func Docstring(body []Stmt) string {
	if len(body) == 0 {
		return ""
	}
	s, ok := body[0].(*ExprStmt)
	if !ok {
		return ""
	}
	if c, ok := s.Value.(*Constant); ok && c.Kind == StringConst {
		return c.Text
	}
	return ""
}

func (p *parser) parseClass(decorators []Expr) Stmt {
	t := p.next()
	c := &ClassDef{Decorators: decorators}
	c.Name, c.NameSpan = p.parseName()
	p.refuseTypeParameters()
	if p.at("(") {
		// The arguments of a class are those of a call: class C(Base, metaclass=M).
		args := p.parseCall(p.start(), p.badExpr()).(*Call)
		if p.checkHeight(args) {
			c.Bases, c.Keywords = args.Args, args.Keywords
		}
	}
	around := p.context
	p.context = context{}
	c.Body = p.parseBlock(t.text, t.span)
	p.context = around
	return c
}
