package syntax

import "github.com/newtlab/newt/compiler/diag"

// call reads the arguments of x(…).
func (p *parser) call(start int32, callee Expr) Expr {
	p.next()
	c := &Call{Func: callee}
	for !p.at(")") && !p.failed {
		p.argument(c)
		if p.at(")") || !p.accept(",") && !p.missingComma() {
			break
		}
	}
	p.closeBracket(")")
	c.exprNode = p.from(start)
	p.checkKeywords(c.Keywords)
	return c
}

func (p *parser) argument(c *Call) {
	start := p.start()
	switch {
	case p.accept("**"):
		value := p.expr()
		c.Keywords = append(c.Keywords, Keyword{Loc: p.from(start).Loc, Value: value})
	case p.tok().kind == identifier && p.peek(1).is("="):
		name, _ := p.name()
		p.next()
		value := p.expr()
		c.Keywords = append(c.Keywords, Keyword{name, p.from(start).Loc, value})
	case p.accept("*"):
		value := p.expr()
		c.Args = append(c.Args, &Starred{p.from(start), value})
	default:
		x := p.namedExpr()
		if p.atComp() {
			clauses := p.clauses()
			x = &Comp{exprNode: p.from(start), Kind: "generator", Elt: x, Clauses: clauses}
		}
		if n := len(c.Keywords); n > 0 && !p.failed {
			at := c.Keywords[n-1]
			p.failAt(diag.New("positional-after-keyword", x.Span()).Because(at.Loc, "keyword-here"))
		}
		c.Args = append(c.Args, x)
	}
}

// checkKeywords reports a keyword that is given twice.
func (p *parser) checkKeywords(list []Keyword) {
	if p.failed {
		return
	}
	seen := map[string]int{}
	for i, k := range list {
		if first, twice := seen[k.Name]; twice && k.Name != "" {
			p.report.add(diag.New("repeated-keyword", k.Loc, k.Name).Because(list[first].Loc, "first-here"))
			return
		}
		seen[k.Name] = i
	}
}

// subscript reads x[…].
func (p *parser) subscript(start int32, x Expr) Expr {
	p.next()
	at := p.start()
	if p.at("]") {
		p.failAt(diag.New("expected-expression", p.tok().span, "]"))
		return &Subscript{p.from(start), x, p.bad()}
	}
	index := p.index()
	if p.at(",") || p.missingComma() {
		elts := []Expr{index}
		for (p.accept(",") || p.missingComma()) && !p.at("]") {
			elts = append(elts, p.index())
		}
		index = &Tuple{p.from(at), elts}
	}
	p.closeBracket("]")
	return &Subscript{p.from(start), x, index}
}

// index reads one index: an expression or a slice.
func (p *parser) index() Expr {
	start := p.start()
	bound := func() Expr {
		if p.at(":") || p.at(",") || p.at("]") {
			return nil
		}
		return p.expr()
	}
	var lower Expr
	if !p.at(":") {
		lower = p.starred()
	}
	if !p.accept(":") {
		return lower
	}
	s := &Slice{Lower: lower, Upper: bound()}
	if p.accept(":") {
		s.Step = bound()
	}
	s.exprNode = p.from(start)
	return s
}

// params reads a parameter list up to the token that closes it, which stays.
func (p *parser) params(closing string, annotated bool) *Params {
	list := &Params{}
	kind := Plain
	for !p.at(closing) && !p.failed {
		switch t := p.tok(); {
		case p.accept("/"):
			p.positionalMarker(list, t, kind)
		case t.is("*") && (p.peek(1).is(",") || p.peek(1).is(closing)):
			p.keywordMarker(t, kind, closing)
			kind = KeywordOnly
		default:
			kind = p.param(list, kind, annotated)
		}
		if !p.accept(",") {
			break
		}
	}
	p.checkParams(list)
	return list
}

func (p *parser) positionalMarker(list *Params, t *token, kind ParamKind) {
	if len(list.List) == 0 || kind != Plain || list.List[0].Kind == Positional {
		p.failAt(diag.New("bad-parameter-order", t.span, "/"))
		return
	}
	for i := range list.List {
		list.List[i].Kind = Positional
	}
}

func (p *parser) keywordMarker(t *token, kind ParamKind, closing string) {
	if kind != Plain || p.peek(1).is(closing) || p.peek(2).kind == operator {
		p.failAt(diag.New("bad-parameter-order", t.span, "*"))
		return
	}
	p.next()
}

// param reads one parameter and returns the kind of those after it.
func (p *parser) param(list *Params, kind ParamKind, annotated bool) ParamKind {
	start := p.start()
	q := Param{Kind: kind}
	after := kind
	t := p.tok()
	switch {
	case kind == VarKeyword || kind == KeywordOnly && t.is("*"):
		p.failAt(diag.New("bad-parameter-order", t.span, p.shown()))
		return kind
	case p.accept("*"):
		q.Kind, after = VarPositional, KeywordOnly
	case p.accept("**"):
		q.Kind, after = VarKeyword, VarKeyword
	}
	q.Name, _ = p.name()
	if p.failed {
		return after
	}
	if annotated && p.accept(":") {
		q.Annotation = p.checked(p.starredAnnotation(q.Kind))
	}
	if p.accept("=") {
		q.Default = p.checked(p.expr())
	}
	q.Loc = p.from(start).Loc
	list.List = append(list.List, q)
	return after
}

// starredAnnotation reads an annotation, which may be starred after *args.
func (p *parser) starredAnnotation(kind ParamKind) Expr {
	if kind == VarPositional {
		return p.starred()
	}
	return p.expr()
}

// checkParams reports names that occur twice and defaults in the wrong place.
func (p *parser) checkParams(list *Params) {
	if p.failed {
		return
	}
	seen := map[string]Param{}
	var withDefault *Param
	for i, q := range list.List {
		if first, twice := seen[q.Name]; twice {
			p.report.add(diag.New("duplicate-parameter", q.Loc, q.Name).Because(first.Loc, "first-here"))
		}
		seen[q.Name] = q
		switch {
		case q.Default != nil && (q.Kind == VarPositional || q.Kind == VarKeyword):
			p.report.add(diag.New("default-of-star", q.Default.Span(), q.Name))
		case q.Kind > Plain:
		case q.Default != nil:
			withDefault = &list.List[i]
		case withDefault != nil:
			p.report.add(diag.New("default-order", q.Loc, q.Name, withDefault.Name).Because(withDefault.Loc, "default-here"))
			return
		}
	}
}
