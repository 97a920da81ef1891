package syntax

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// statement reads one logical line, or one compound statement with its blocks, and appends it.
func (p *parser) statement(list []Stmt) []Stmt {
	p.failed, p.depth = false, 0
	switch t := p.tok(); t.kind {
	case newline, dedent:
		p.next()
		return list
	case indent:
		return p.unexpectedIndent(list)
	case keyword, operator:
		if parse := compound[t.text]; parse != nil {
			return append(list, parse(p))
		}
		if code := strayClauses[t.text]; code != "" {
			return append(list, p.strayClause())
		}
	case identifier:
		if p.atMatch() {
			return append(list, p.match())
		}
	}
	return p.simpleLine(list)
}

// unexpectedIndent reports a block that nothing introduces and reads it as part of this one.
func (p *parser) unexpectedIndent(list []Stmt) []Stmt {
	t := p.next()
	d := diag.New("unexpected-indent", t.span)
	if p.pos < 2 || !p.tokens[p.pos-2].virtual {
		p.report.add(d)
	}
	return p.blockBody(list)
}

// blockBody reads statements up to the dedent, and the dedent.
func (p *parser) blockBody(list []Stmt) []Stmt {
	for k := p.tok().kind; k != dedent && k != endOfFile; k = p.tok().kind {
		list = p.statement(list)
	}
	if p.tok().kind == dedent {
		p.next()
	}
	return list
}

// simpleLine reads statements separated by semicolons up to the end of the line.
func (p *parser) simpleLine(list []Stmt) []Stmt {
	for {
		start := p.start()
		s := p.simple()
		if s == nil || !p.shallow(s) {
			s = &BadStmt{p.stmtFrom(start)}
		}
		list = append(list, s)
		if !p.accept(";") || p.atEnd() {
			break
		}
	}
	if !p.atEnd() {
		p.leftOver()
	}
	if p.tok().kind == newline {
		p.next()
	}
	return list
}

// leftOver reports what stands behind a complete statement.
func (p *parser) leftOver() {
	t := p.tok()
	switch {
	case p.increments():
		two := p.tok().span.Join(p.peek(1).span)
		p.failAt(diag.New("increment-operator", two, t.text).
			Suggest(true, diag.Text{Key: "replace", Args: []any{t.text + t.text, t.text + "= 1"}},
				diag.Edit{Span: source.Span{Start: p.end(), End: two.End}, New: " " + t.text + "= 1"}))
	default:
		p.fail()
	}
}

// simple reads a statement without blocks; nil where nothing could be made of it.
func (p *parser) simple() Stmt {
	start := p.start()
	t := p.tok()
	if t.kind == magic {
		p.next()
		return &Pass{p.stmtFrom(start)}
	}
	if t.kind == keyword {
		if parse := simpleStatements[t.text]; parse != nil {
			return parse(p)
		}
	}
	if t.kind == identifier && (t.text == "print" || t.text == "exec") && p.peek(1).beginsOperand() {
		return p.printStatement()
	}
	return p.exprStatement()
}

// printStatement reports Python 2's print.
func (p *parser) printStatement() Stmt {
	name := p.next()
	last := p.pos
	for last+1 < len(p.tokens) && p.tokens[last+1].kind != newline && !p.tokens[last+1].is(";") {
		last++
	}
	end := p.tokens[last].span.End
	p.failAt(diag.New("print-statement", name.span, name.text).
		Suggest(true, diag.Text{Key: "add-parentheses"},
			diag.Edit{Span: source.Span{Start: name.span.End, End: p.start()}, New: "("},
			diag.Edit{Span: source.Span{Start: end, End: end}, New: ")"}))
	return nil
}

// valueExprs reads the right side of an assignment.
func (p *parser) valueExprs() Expr {
	if p.at("yield") {
		return p.yield()
	}
	return p.exprs()
}

// exprStatement reads an expression, or an assignment of any kind.
func (p *parser) exprStatement() Stmt {
	start := p.start()
	first := p.valueExprs()
	p.checkBareWalrus(start, first)
	t := p.tok()
	switch {
	case t.is("="):
		return p.assign(start, first)
	case t.is(":") && annotatable(first):
		return p.annAssign(start, first)
	case t.kind == operator && len(t.text) > 1 && strings.HasSuffix(t.text, "=") && precedence[t.text[:len(t.text)-1]] > 0,
		t.is("**="):
		p.next()
		p.checkAugTarget(first)
		value := p.valueExprs()
		return &AugAssign{p.stmtFrom(start), strings.TrimSuffix(t.text, "="), first, value}
	}
	return &ExprStmt{p.stmtFrom(start), first}
}

func annotatable(x Expr) bool {
	switch x.(type) {
	case *Name, *Attribute, *Subscript:
		return true
	}
	return false
}

func (p *parser) assign(start int32, first Expr) Stmt {
	a := &Assign{Targets: []Expr{first}}
	for p.accept("=") {
		p.checkTarget(a.Targets[len(a.Targets)-1])
		a.Targets = append(a.Targets, p.valueExprs())
	}
	last := len(a.Targets) - 1
	a.Value, a.Targets = a.Targets[last], a.Targets[:last]
	a.stmtNode = p.stmtFrom(start)
	return a
}

func (p *parser) annAssign(start int32, target Expr) Stmt {
	p.next()
	a := &AnnAssign{Target: target, Annotation: p.expr()}
	if p.accept("=") {
		a.Value = p.valueExprs()
	}
	a.stmtNode = p.stmtFrom(start)
	return a
}

// checkBareWalrus reports x := y that stands alone; in brackets it would begin before its target.
func (p *parser) checkBareWalrus(start int32, x Expr) {
	n, ok := x.(*NamedExpr)
	if !ok || p.failed || n.Target.Loc.Start != start {
		return
	}
	between := p.file.Text[n.Target.Loc.End:n.Value.Span().Start]
	at := n.Target.Loc.End + int32(strings.Index(between, ":="))
	place := source.Span{Start: at, End: at + 2}
	p.report.add(diag.New("walrus-statement", place).
		Suggest(true, diag.Text{Key: "replace", Args: []any{":=", "="}}, diag.Edit{Span: place, New: "="}))
}

// checkBareStar reports *x that stands alone.
func (p *parser) checkBareStar(x Expr) {
	if _, ok := x.(*Starred); ok && !p.failed {
		p.failAt(diag.New("bad-star", x.Span()))
	}
}

// checkTarget reports what cannot be assigned to.
func (p *parser) checkTarget(x Expr) {
	switch x := x.(type) {
	case *Name, *Attribute, *Subscript, *BadExpr:
	case *Starred:
		p.checkTarget(x.Value)
	case *Tuple:
		for _, e := range x.Elts {
			p.checkTarget(e)
		}
	case *List:
		for _, e := range x.Elts {
			p.checkTarget(e)
		}
	default:
		p.badTarget(x)
	}
}

func (p *parser) badTarget(x Expr) {
	if !p.failed {
		p.report.add(diag.New("bad-assign-target", x.Span(), clip(p.file.Slice(x.Span()))))
		p.failed = true
	}
}

func (p *parser) checkAugTarget(x Expr) {
	if _, broken := x.(*BadExpr); !annotatable(x) && !broken {
		p.badTarget(x)
	}
}
