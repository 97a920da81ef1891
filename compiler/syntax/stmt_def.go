package syntax

import "github.com/newtlab/newt/compiler/diag"

// definition reads def and class with their decorators.
func (p *parser) definition() Stmt {
	start := p.start()
	var decorators []Expr
	for p.at("@") {
		p.next()
		decorators = append(decorators, p.checked(p.namedExpr()))
		if !p.atEnd() {
			p.fail()
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
		return p.function(start, decorators, async)
	case p.at("class"):
		return p.class(start, decorators)
	}
	p.report.add(diag.New("decorator-alone", decorators[len(decorators)-1].Span()))
	return &BadStmt{p.stmtFrom(start)}
}

func (p *parser) function(start int32, decorators []Expr, async bool) Stmt {
	t := p.next()
	f := &FunctionDef{Decorators: decorators, Async: async, Params: &Params{}}
	f.Name, f.NameSpan = p.name()
	p.typeParameters()
	if !p.failed && p.expect("(") {
		f.Params = p.params(")", true)
		p.closeBracket(")")
	}
	if p.accept("->") {
		f.Returns = p.checked(p.exprs())
	}
	around := p.place
	p.place = place{inFunction: true}
	f.Body = p.block(t.text, t.span)
	p.place = around
	f.Doc = docstring(f.Body)
	f.stmtNode = p.stmtFrom(start)
	return f
}

// typeParameters reports the [T] of a generic function or class.
func (p *parser) typeParameters() {
	if p.at("[") {
		p.failAt(diag.New("unsupported-syntax", p.tok().span, "[T]"))
	}
}

// docstring is the text of the string that a body begins with.
func docstring(body []Stmt) string {
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

func (p *parser) class(start int32, decorators []Expr) Stmt {
	t := p.next()
	c := &ClassDef{Decorators: decorators}
	c.Name, c.NameSpan = p.name()
	p.typeParameters()
	if p.at("(") {
		args := p.call(p.start(), p.bad()).(*Call)
		if p.shallow(args) {
			c.Bases, c.Keywords = args.Args, args.Keywords
		}
	}
	around := p.place
	p.place = place{}
	c.Body = p.block(t.text, t.span)
	p.place = around
	c.stmtNode = p.stmtFrom(start)
	return c
}

// atMatch reports whether a match statement stands here: "match" is a keyword only there.
func (p *parser) atMatch() bool {
	if p.tok().text != "match" || p.peek(1).kind == newline {
		return false
	}
	i := p.pos
	for p.tokens[i].kind != newline && p.tokens[i].kind != endOfFile {
		i++
	}
	return p.tokens[i-1].is(":") && i+2 < len(p.tokens) && p.tokens[i+1].kind == indent && p.tokens[i+2].text == "case"
}

// match reports a match statement and skips it.
func (p *parser) match() Stmt {
	start := p.start()
	p.failAt(diag.New("match-statement", p.tok().span))
	p.next()
	for depth := 0; ; {
		switch p.next().kind {
		case indent:
			depth++
		case dedent:
			depth--
		case endOfFile:
			depth = 0
		}
		if depth == 0 {
			return &BadStmt{p.stmtFrom(start)}
		}
	}
}
