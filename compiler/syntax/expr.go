package syntax

import "github.com/newtlab/newt/compiler/diag"

// precedence of binary operators, from loose to tight; "**" binds tighter than any prefix.
var precedence = map[string]int{
	"|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5,
	"*": 6, "/": 6, "//": 6, "%": 6, "@": 6,
}

// beginsExpr reports whether an expression can begin here.
func (p *parser) beginsExpr() bool {
	t := p.tok()
	switch t.kind {
	case identifier, number, stringToken, fstringStart, badChar:
		return true
	case keyword:
		return expressionKeywords[t.text]
	case operator:
		switch t.text {
		case "(", "[", "{", "-", "+", "~", "...", "*", "**":
			return true
		}
	}
	return false
}

// exprs reads one expression or a tuple without brackets; a tuple's elements may be starred.
func (p *parser) exprs() Expr {
	start := p.start()
	first := p.starred()
	if !p.at(",") {
		p.checkBareStar(first)
		return first
	}
	elts := []Expr{first}
	for p.accept(",") && p.beginsExpr() {
		elts = append(elts, p.starred())
	}
	return &Tuple{p.from(start), elts}
}

// starred reads *x or an expression that may be x := y.
func (p *parser) starred() Expr {
	start := p.start()
	if p.accept("*") {
		value := p.binary(1)
		return &Starred{p.from(start), value}
	}
	return p.namedExpr()
}

func (p *parser) namedExpr() Expr {
	start := p.start()
	x := p.expr()
	if !p.at(":=") {
		return x
	}
	target, ok := x.(*Name)
	if !ok {
		p.failAt(diag.New("bad-walrus-target", x.Span()))
		return x
	}
	p.next()
	value := p.expr()
	return &NamedExpr{p.from(start), target, value}
}

// expr reads a conditional expression, a lambda, or anything tighter.
func (p *parser) expr() Expr { return p.nested(p.conditional) }

func (p *parser) conditional() Expr {
	start := p.start()
	if p.at("lambda") {
		return p.lambda()
	}
	body := p.or()
	if !p.accept("if") {
		return body
	}
	test := p.or()
	if !p.expect("else") {
		return body
	}
	other := p.expr()
	return &IfExp{p.from(start), test, body, other}
}

func (p *parser) lambda() Expr {
	start := p.start()
	p.next()
	params := p.params(":", false)
	p.expect(":")
	around := p.place
	p.place = place{inFunction: true}
	body := p.expr()
	p.place = around
	return &Lambda{p.from(start), params, body}
}

func (p *parser) or() Expr  { return p.boolean("or", p.and) }
func (p *parser) and() Expr { return p.boolean("and", p.not) }

func (p *parser) boolean(op string, operand func() Expr) Expr {
	start := p.start()
	first := operand()
	if !p.at(op) {
		return first
	}
	values := []Expr{first}
	for p.accept(op) {
		values = append(values, operand())
	}
	return &BoolOp{p.from(start), op, values}
}

func (p *parser) not() Expr {
	start := p.start()
	if !p.accept("not") {
		return p.comparison()
	}
	operand := p.nested(p.not)
	return &UnaryOp{p.from(start), "not", operand}
}

func (p *parser) comparison() Expr {
	start := p.start()
	left := p.binary(1)
	op := p.comparisonOp()
	if op == "" {
		return left
	}
	c := &Compare{Left: left}
	for ; op != ""; op = p.comparisonOp() {
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.binary(1))
	}
	c.exprNode = p.from(start)
	return c
}

var comparisonOps = set("<", ">", "<=", ">=", "==", "!=", "in", "is")

// comparisonOp moves past a comparison operator and returns it, or "".
func (p *parser) comparisonOp() string {
	t := p.tok()
	if t.kind != operator && t.kind != keyword {
		return ""
	}
	switch {
	case t.text == "not" && p.peek(1).is("in"):
		p.next()
		p.next()
		return "not in"
	case !comparisonOps[t.text]:
		return ""
	}
	p.next()
	if t.text == "is" && p.accept("not") {
		return "is not"
	}
	return t.text
}

// binary reads operators that bind at least as tightly as level.
func (p *parser) binary(level int) Expr {
	start := p.start()
	left := p.unary()
	for {
		t := p.tok()
		tightness := precedence[t.text]
		if t.kind != operator || tightness < level || p.increments() {
			return left
		}
		p.next()
		right := p.nested(func() Expr { return p.binary(tightness + 1) })
		left = &BinOp{p.from(start), t.text, t.span, left, right}
	}
}

// increments reports whether C's ++ or -- stands here as a suffix.
func (p *parser) increments() bool {
	a, b := p.tok(), p.peek(1)
	if a.text != "+" && a.text != "-" || !b.is(a.text) || a.span.End != b.span.Start {
		return false
	}
	k := p.peek(2)
	return k.kind == newline || k.kind == endOfFile || k.is(";")
}

func (p *parser) unary() Expr {
	start := p.start()
	t := p.tok()
	if t.kind == operator && (t.text == "-" || t.text == "+" || t.text == "~") {
		p.next()
		operand := p.nested(p.unary)
		return &UnaryOp{p.from(start), t.text, operand}
	}
	base := p.awaited()
	op := p.tok()
	if !p.accept("**") {
		return base
	}
	exponent := p.nested(p.unary)
	return &BinOp{p.from(start), "**", op.span, base, exponent}
}

func (p *parser) awaited() Expr {
	start := p.start()
	if !p.accept("await") {
		return p.primary()
	}
	value := p.primary()
	return &Await{p.from(start), value}
}

// primary reads an atom with its attributes, calls and subscripts.
func (p *parser) primary() Expr {
	start := p.start()
	x := p.atom()
	for {
		switch t := p.tok(); {
		case t.kind != operator:
			return x
		case t.text == ".":
			p.next()
			attr, at := p.name()
			x = &Attribute{p.from(start), x, attr, at}
		case t.text == "(":
			x = p.call(start, x)
		case t.text == "[":
			x = p.subscript(start, x)
		default:
			return x
		}
	}
}
