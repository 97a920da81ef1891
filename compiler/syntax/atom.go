package syntax

import "github.com/newtlab/newt/compiler/diag"

var constants = map[string]ConstKind{"None": NoneConst, "True": TrueConst, "False": FalseConst}

func (p *parser) atom() Expr {
	start := p.start()
	t := p.tok()
	switch t.kind {
	case identifier:
		p.next()
		return &Name{p.from(start), t.text}
	case number:
		return p.numeric()
	case stringToken, fstringStart:
		return p.strings()
	case keyword:
		return p.keywordAtom()
	case operator:
		switch t.text {
		case "(":
			return p.parenthesised()
		case "[":
			return p.list()
		case "{":
			return p.braces()
		case "...":
			p.next()
			return &Constant{exprNode: p.from(start), Kind: EllipsisConst}
		}
	}
	p.expectedExpr()
	return p.bad()
}

func (p *parser) keywordAtom() Expr {
	start := p.start()
	if kind, ok := constants[p.tok().text]; ok {
		p.next()
		return &Constant{exprNode: p.from(start), Kind: kind}
	}
	p.expectedExpr()
	return p.bad()
}

func (p *parser) expectedExpr() {
	t := p.tok()
	switch {
	case p.atEnd():
		p.failAt(diag.New("expected-expression-at-end", p.after()))
	case t.is("=") && p.pos > 0 && p.tokens[p.pos-1].kind == operator && p.tokens[p.pos-1].span.End == t.span.Start:
		op := p.tokens[p.pos-1]
		p.failAt(diag.New("unexpected-token", op.span.Join(t.span), op.text+"="))
	default:
		p.failAt(diag.New("expected-expression", t.span, p.shown()))
	}
}

// parenthesised reads (x), a tuple, a generator or a yield.
func (p *parser) parenthesised() Expr {
	start := p.start()
	p.next()
	if p.accept(")") {
		return &Tuple{p.from(start), nil}
	}
	if p.at("yield") {
		x := p.nested(p.yield)
		p.closeBracket(")")
		return x
	}
	first := p.starred()
	if p.atComp() {
		clauses := p.clauses()
		p.closeBracket(")")
		return &Comp{exprNode: p.from(start), Kind: "generator", Elt: first, Clauses: clauses}
	}
	if !p.at(",") && !p.missingComma() {
		p.closeBracket(")")
		p.checkBareStar(first)
		return first
	}
	elts := p.moreElements(first, ")")
	return &Tuple{p.from(start), elts}
}

// closeBracket expects the bracket that ends what was opened.
func (p *parser) closeBracket(text string) {
	if p.at("=") {
		p.failAt(diag.New("assign-in-expression", p.tok().span))
		return
	}
	p.expect(text)
}

// moreElements reads ", x, y" up to the closing bracket.
func (p *parser) moreElements(first Expr, closing string) []Expr {
	elts := []Expr{first}
	for (p.accept(",") || p.missingComma()) && !p.at(closing) {
		elts = append(elts, p.starred())
	}
	p.closeBracket(closing)
	return elts
}

// missingComma reports two operands in a row inside brackets, and lets parsing go on as if a comma
// stood between them.
func (p *parser) missingComma() bool {
	if p.failed || p.pos == 0 || !p.tokens[p.pos-1].endsOperand() || !p.tok().beginsOperand() {
		return false
	}
	at := p.after()
	p.failed = true
	if p.excused() {
		return true
	}
	p.report.add(diag.New("missing-comma", at.Join(p.tok().span)).
		Suggest(false, diag.Text{Key: "insert", Args: []any{","}}, diag.Edit{Span: at, New: ","}))
	return true
}

func (p *parser) list() Expr {
	start := p.start()
	p.next()
	if p.accept("]") {
		return &List{p.from(start), nil}
	}
	first := p.starred()
	if p.atComp() {
		clauses := p.clauses()
		p.closeBracket("]")
		return &Comp{exprNode: p.from(start), Kind: "list", Elt: first, Clauses: clauses}
	}
	elts := p.moreElements(first, "]")
	return &List{p.from(start), elts}
}

// braces reads a dict, a set, or a comprehension of either.
func (p *parser) braces() Expr {
	start := p.start()
	p.next()
	if p.accept("}") {
		return &Dict{p.from(start), nil, nil}
	}
	if p.at("**") {
		return p.dict(start, nil)
	}
	first := p.starred()
	if p.at(":") {
		return p.dict(start, first)
	}
	if p.atComp() {
		clauses := p.clauses()
		p.closeBracket("}")
		return &Comp{exprNode: p.from(start), Kind: "set", Elt: first, Clauses: clauses}
	}
	elts := p.moreElements(first, "}")
	return &Set{p.from(start), elts}
}

// dict reads a dict after its first key, or from its first ** where key is nil.
func (p *parser) dict(start int32, key Expr) Expr {
	d := &Dict{}
	for {
		var value Expr
		if key == nil {
			p.expect("**")
			value = p.binary(1)
		} else {
			p.expect(":")
			value = p.expr()
		}
		if key != nil && len(d.Keys) == 0 && p.atComp() {
			clauses := p.clauses()
			p.closeBracket("}")
			return &Comp{p.from(start), "dict", key, value, clauses}
		}
		d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
		if !p.accept(",") && !p.missingComma() || p.at("}") {
			break
		}
		key = nil
		if !p.at("**") {
			key = p.expr()
		}
	}
	p.closeBracket("}")
	d.exprNode = p.from(start)
	return d
}

// atComp reports whether a comprehension's first clause stands here.
func (p *parser) atComp() bool {
	return p.at("for") || p.at("async") && p.peek(1).is("for")
}

func (p *parser) clauses() []CompClause {
	var list []CompClause
	for p.atComp() {
		p.accept("async")
		p.next()
		c := CompClause{Target: p.targets()}
		p.expect("in")
		c.Iter = p.nested(p.or)
		for p.accept("if") {
			test := p.nested(p.or)
			if p.at(":=") {
				p.fail()
			}
			c.Ifs = append(c.Ifs, test)
		}
		list = append(list, c)
	}
	return list
}

// targets reads what a for loop assigns to.
func (p *parser) targets() Expr {
	start := p.start()
	one := func() Expr {
		at := p.start()
		if p.accept("*") {
			value := p.binary(1)
			return &Starred{p.from(at), value}
		}
		return p.binary(1)
	}
	first := one()
	if p.at(",") {
		elts := []Expr{first}
		for p.accept(",") && !p.at("in") && p.beginsExpr() {
			elts = append(elts, one())
		}
		first = &Tuple{p.from(start), elts}
	}
	p.checkTarget(first)
	return first
}

func (p *parser) yield() Expr {
	start := p.start()
	p.requireFunction("yield")
	p.next()
	y := &Yield{From: p.accept("from")}
	if y.From {
		y.Value = p.expr()
	} else if p.beginsExpr() {
		y.Value = p.exprs()
	}
	y.exprNode = p.from(start)
	return y
}

func (p *parser) requireFunction(word string) {
	if !p.place.inFunction && !p.failed {
		p.report.add(diag.New("outside-function", p.tok().span, word))
	}
}
