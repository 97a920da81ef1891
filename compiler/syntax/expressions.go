package syntax

import (
	"github.com/newtlab/newt/compiler/diag"
)

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

// parseExprList reads one expression or a tuple without brackets; a tuple's elements may be starred.
func (p *parser) parseExprList() Expr {
	start := p.start()
	first := p.parseStarred()
	if !p.at(",") {
		p.checkBareStar(first)
		return first
	}
	// A trailing comma makes a tuple of one.
	elts := []Expr{first}
	for p.accept(",") && p.beginsExpr() {
		elts = append(elts, p.parseStarred())
	}
	return &Tuple{p.exprFrom(start), elts}
}

// parseStarred reads *x or an expression that may be x := y.
func (p *parser) parseStarred() Expr {
	start := p.start()
	if p.accept("*") {
		value := p.parseBinary(1)
		return &Starred{p.exprFrom(start), value}
	}
	return p.parseNamedExpr()
}

func (p *parser) parseNamedExpr() Expr {
	start := p.start()
	x := p.parseExpr()
	if !p.at(":=") {
		return x
	}
	// Only a name can be the target; the message is about what was read in its place.
	target, ok := x.(*Name)
	if !ok {
		p.failAt(diag.New("bad-walrus-target", x.Span()))
		return x
	}
	p.next()
	value := p.parseExpr()
	return &NamedExpr{p.exprFrom(start), target, value}
}

// parseExpr reads a conditional expression, a lambda, or anything tighter.
func (p *parser) parseExpr() Expr { return p.parseNested(p.parseConditional) }

func (p *parser) parseConditional() Expr {
	start := p.start()
	if p.at("lambda") {
		return p.parseLambda()
	}
	// body if test else other: test and body may not be conditional themselves, other may.
	body := p.parseOr()
	if !p.accept("if") {
		return body
	}
	test := p.parseOr()
	if !p.expect("else") {
		return body
	}
	other := p.parseExpr()
	return &IfExp{p.exprFrom(start), test, body, other}
}

func (p *parser) parseLambda() Expr {
	start := p.start()
	p.next()
	params := p.parseParams(":", false)
	p.expect(":")
	// A lambda's body is a function's: yield may be in it, return may not.
	around := p.context
	p.context = context{inFunction: true}
	body := p.parseExpr()
	p.context = around
	return &Lambda{p.exprFrom(start), params, body}
}

func (p *parser) parseOr() Expr { return p.parseBoolOp("or", p.parseAnd) }

func (p *parser) parseAnd() Expr { return p.parseBoolOp("and", p.parseNot) }

func (p *parser) parseBoolOp(op string, operand func() Expr) Expr {
	start := p.start()
	first := operand()
	if !p.at(op) {
		return first
	}
	values := []Expr{first}
	for p.accept(op) {
		values = append(values, operand())
	}
	return &BoolOp{p.exprFrom(start), op, values}
}

func (p *parser) parseNot() Expr {
	start := p.start()
	if !p.accept("not") {
		return p.parseComparison()
	}
	operand := p.parseNested(p.parseNot)
	return &UnaryOp{p.exprFrom(start), "not", operand}
}

func (p *parser) parseComparison() Expr {
	start := p.start()
	left := p.parseBinary(1)
	op := p.acceptComparisonOp()
	if op == "" {
		return left
	}
	// Comparisons chain: a < b < c is one node with two operators.
	c := &Compare{Left: left}
	for ; op != ""; op = p.acceptComparisonOp() {
		c.Ops = append(c.Ops, op)
		c.Comparators = append(c.Comparators, p.parseBinary(1))
	}
	c.exprNode = p.exprFrom(start)
	return c
}

var comparisonOps = wordSet("<", ">", "<=", ">=", "==", "!=", "in", "is")

// acceptComparisonOp moves past a comparison operator and returns it, or "".
func (p *parser) acceptComparisonOp() string {
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

// parseBinary reads operators that bind at least as tightly as level.
func (p *parser) parseBinary(level int) Expr {
	start := p.start()
	left := p.parseUnary()
	for {
		t := p.tok()
		tightness := precedence[t.text]
		if t.kind != operator || tightness < level || p.atIncrement() {
			return left
		}
		p.next()
		// Precedence climbing: the right side takes operators that bind tighter, so that equals associate left.
		right := p.parseNested(func() Expr { return p.parseBinary(tightness + 1) })
		left = &BinOp{p.exprFrom(start), t.text, t.span, left, right}
	}
}

// atIncrement reports whether C's ++ or -- is here as a suffix.
func (p *parser) atIncrement() bool {
	a, b := p.tok(), p.peek(1)
	if a.text != "+" && a.text != "-" || !b.is(a.text) || a.span.End != b.span.Start {
		return false
	}
	k := p.peek(2)
	return k.kind == newline || k.kind == endOfFile || k.is(";")
}

func (p *parser) parseUnary() Expr {
	start := p.start()
	t := p.tok()
	if t.kind == operator && (t.text == "-" || t.text == "+" || t.text == "~") {
		p.next()
		operand := p.parseNested(p.parseUnary)
		return &UnaryOp{p.exprFrom(start), t.text, operand}
	}
	base := p.parseAwait()
	op := p.tok()
	if !p.accept("**") {
		return base
	}
	// -x ** y is -(x ** y), and x ** -y takes the sign: "**" binds tighter than a prefix on its left only.
	exponent := p.parseNested(p.parseUnary)
	return &BinOp{p.exprFrom(start), "**", op.span, base, exponent}
}

func (p *parser) parseAwait() Expr {
	start := p.start()
	if !p.accept("await") {
		return p.parsePrimary()
	}
	value := p.parsePrimary()
	return &Await{p.exprFrom(start), value}
}

// parsePrimary reads an atom with its attributes, calls and subscripts.
func (p *parser) parsePrimary() Expr {
	start := p.start()
	x := p.parseAtom()
	for {
		switch t := p.tok(); {
		case t.kind != operator:
			return x
		case t.text == ".":
			p.next()
			attr, at := p.parseName()
			x = &Attribute{p.exprFrom(start), x, attr, at}
		case t.text == "(":
			x = p.parseCall(start, x)
		case t.text == "[":
			x = p.parseSubscript(start, x)
		default:
			return x
		}
	}
}

var namedConstants = map[string]ConstKind{"None": NoneConst, "True": TrueConst, "False": FalseConst}

func (p *parser) parseAtom() Expr {
	start := p.start()
	t := p.tok()
	switch t.kind {
	case identifier:
		p.next()
		return &Name{p.exprFrom(start), t.text}
	case number:
		return p.parseNumber()
	case stringToken, fstringStart:
		return p.parseStrings()
	case keyword:
		return p.parseKeywordAtom()
	case operator:
		switch t.text {
		case "(":
			return p.parseParenthesized()
		case "[":
			return p.parseList()
		case "{":
			return p.parseBraces()
		case "...":
			p.next()
			return &Constant{exprNode: p.exprFrom(start), Kind: EllipsisConst}
		}
	}
	p.reportExpectedExpr()
	return p.badExpr()
}

func (p *parser) parseKeywordAtom() Expr {
	start := p.start()
	if kind, ok := namedConstants[p.tok().text]; ok {
		p.next()
		return &Constant{exprNode: p.exprFrom(start), Kind: kind}
	}
	p.reportExpectedExpr()
	return p.badExpr()
}

func (p *parser) reportExpectedExpr() {
	t := p.tok()
	switch {
	case p.atEnd():
		p.failAt(diag.New("expected-expression-at-end", p.afterLast()))
	// "===" and "<==" are two tokens; the message shows what was written.
	case t.is("=") && p.pos > 0 && p.tokens[p.pos-1].kind == operator && p.tokens[p.pos-1].span.End == t.span.Start:
		op := p.tokens[p.pos-1]
		p.failAt(diag.New("unexpected-token", op.span.Join(t.span), op.text+"="))
	default:
		p.failAt(diag.New("expected-expression", t.span, p.quoteToken()))
	}
}

// parseParenthesized reads (x), a tuple, a generator or a yield.
func (p *parser) parseParenthesized() Expr {
	start := p.start()
	p.next()
	if p.accept(")") {
		return &Tuple{p.exprFrom(start), nil}
	}
	if p.at("yield") {
		x := p.parseNested(p.parseYield)
		p.closeBracket(")")
		return x
	}
	first := p.parseStarred()
	if p.atComp() {
		clauses := p.parseCompClauses()
		p.closeBracket(")")
		return &Comp{exprNode: p.exprFrom(start), Kind: "generator", Elt: first, Clauses: clauses}
	}
	// One element without a comma is no tuple but the element, in parentheses.
	if !p.at(",") && !p.acceptMissingComma() {
		p.closeBracket(")")
		p.checkBareStar(first)
		return first
	}
	elts := p.parseMoreElements(first, ")")
	return &Tuple{p.exprFrom(start), elts}
}

// closeBracket expects the bracket that ends what was opened.
func (p *parser) closeBracket(text string) {
	// f(x = (a = b)): an assignment is no expression in Python.
	if p.at("=") {
		p.failAt(diag.New("assign-in-expression", p.tok().span))
		return
	}
	p.expect(text)
}

// parseMoreElements reads ", x, y" up to the closing bracket.
func (p *parser) parseMoreElements(first Expr, closing string) []Expr {
	elts := []Expr{first}
	for (p.accept(",") || p.acceptMissingComma()) && !p.at(closing) {
		elts = append(elts, p.parseStarred())
	}
	p.closeBracket(closing)
	return elts
}

// acceptMissingComma reports two operands in a row inside brackets, and lets parsing go on as if a comma
// stood between them.
func (p *parser) acceptMissingComma() bool {
	if p.failed || p.pos == 0 || !p.tokens[p.pos-1].endsOperand() || !p.tok().beginsOperand() {
		return false
	}
	at := p.afterLast()
	// One report for a bracket: further commas are taken as missing in silence.
	p.failed = true
	if p.isExcused() {
		return true
	}
	p.report.add(suggestInsertion(diag.New("missing-comma", at.Join(p.tok().span)), false, at, ","))
	return true
}

func (p *parser) parseList() Expr {
	start := p.start()
	p.next()
	if p.accept("]") {
		return &List{p.exprFrom(start), nil}
	}
	first := p.parseStarred()
	if p.atComp() {
		clauses := p.parseCompClauses()
		p.closeBracket("]")
		return &Comp{exprNode: p.exprFrom(start), Kind: "list", Elt: first, Clauses: clauses}
	}
	elts := p.parseMoreElements(first, "]")
	return &List{p.exprFrom(start), elts}
}

// parseBraces reads a dict, a set, or a comprehension of either.
func (p *parser) parseBraces() Expr {
	start := p.start()
	p.next()
	if p.accept("}") {
		return &Dict{p.exprFrom(start), nil, nil}
	}
	if p.at("**") {
		return p.parseDict(start, nil)
	}
	// Dict or set shows after the first element, a comprehension after the first value.
	first := p.parseStarred()
	if p.at(":") {
		return p.parseDict(start, first)
	}
	if p.atComp() {
		clauses := p.parseCompClauses()
		p.closeBracket("}")
		return &Comp{exprNode: p.exprFrom(start), Kind: "set", Elt: first, Clauses: clauses}
	}
	elts := p.parseMoreElements(first, "}")
	return &Set{p.exprFrom(start), elts}
}

// parseDict reads a dict after its first key, or from its first ** where key is nil.
func (p *parser) parseDict(start int32, key Expr) Expr {
	d := &Dict{}
	for {
		var value Expr
		if key == nil {
			p.expect("**")
			value = p.parseBinary(1)
		} else {
			p.expect(":")
			value = p.parseExpr()
		}
		if key != nil && len(d.Keys) == 0 && p.atComp() {
			clauses := p.parseCompClauses()
			p.closeBracket("}")
			return &Comp{p.exprFrom(start), "dict", key, value, clauses}
		}
		d.Keys, d.Values = append(d.Keys, key), append(d.Values, value)
		if !p.accept(",") && !p.acceptMissingComma() || p.at("}") {
			break
		}
		key = nil
		if !p.at("**") {
			key = p.parseExpr()
		}
	}
	p.closeBracket("}")
	d.exprNode = p.exprFrom(start)
	return d
}

// atComp reports whether a comprehension's first clause begins here.
func (p *parser) atComp() bool {
	return p.at("for") || p.at("async") && p.peek(1).is("for")
}

func (p *parser) parseCompClauses() []CompClause {
	var list []CompClause
	for p.atComp() {
		p.accept("async")
		p.next()
		c := CompClause{Target: p.parseTargets()}
		p.expect("in")
		// The iterable and the conditions end before "if" and "for", so they are no conditional expressions.
		c.Iter = p.parseNested(p.parseOr)
		for p.accept("if") {
			test := p.parseNested(p.parseOr)
			if p.at(":=") {
				p.failHere()
			}
			c.Ifs = append(c.Ifs, test)
		}
		list = append(list, c)
	}
	return list
}

// parseTargets reads what a for loop assigns to.
func (p *parser) parseTargets() Expr {
	start := p.start()
	// Targets bind tighter than "in", so that "in" ends them.
	one := func() Expr {
		at := p.start()
		if p.accept("*") {
			value := p.parseBinary(1)
			return &Starred{p.exprFrom(at), value}
		}
		return p.parseBinary(1)
	}
	first := one()
	if p.at(",") {
		elts := []Expr{first}
		for p.accept(",") && !p.at("in") && p.beginsExpr() {
			elts = append(elts, one())
		}
		first = &Tuple{p.exprFrom(start), elts}
	}
	p.checkTarget(first)
	return first
}

func (p *parser) parseYield() Expr {
	start := p.start()
	p.requireFunction("yield")
	p.next()
	y := &Yield{From: p.accept("from")}
	if y.From {
		y.Value = p.parseExpr()
	} else if p.beginsExpr() {
		y.Value = p.parseExprList()
	}
	y.exprNode = p.exprFrom(start)
	return y
}

func (p *parser) requireFunction(word string) {
	if !p.context.inFunction && !p.failed {
		p.report.add(diag.New("outside-function", p.tok().span, word))
	}
}

// parseCall reads the arguments of x(…).
func (p *parser) parseCall(start int32, callee Expr) Expr {
	p.next()
	c := &Call{Func: callee}
	for !p.at(")") && !p.failed {
		p.parseArgument(c)
		if p.at(")") || !p.accept(",") && !p.acceptMissingComma() {
			break
		}
	}
	p.closeBracket(")")
	c.exprNode = p.exprFrom(start)
	p.checkKeywords(c.Keywords)
	return c
}

func (p *parser) parseArgument(c *Call) {
	start := p.start()
	switch {
	case p.accept("**"):
		value := p.parseExpr()
		c.Keywords = append(c.Keywords, Keyword{Loc: p.exprFrom(start).Loc, Value: value})
	// name= is a keyword argument only if the "=" comes at once: f(x == 1) is a comparison.
	case p.tok().kind == identifier && p.peek(1).is("="):
		name, _ := p.parseName()
		p.next()
		value := p.parseExpr()
		c.Keywords = append(c.Keywords, Keyword{name, p.exprFrom(start).Loc, value})
	case p.accept("*"):
		value := p.parseExpr()
		c.Args = append(c.Args, &Starred{p.exprFrom(start), value})
	default:
		x := p.parseNamedExpr()
		// f(x for x in y): a generator needs no brackets of its own as the only argument.
		if p.atComp() {
			clauses := p.parseCompClauses()
			x = &Comp{exprNode: p.exprFrom(start), Kind: "generator", Elt: x, Clauses: clauses}
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

// parseSubscript reads x[…].
func (p *parser) parseSubscript(start int32, x Expr) Expr {
	p.next()
	at := p.start()
	if p.at("]") {
		p.failAt(diag.New("expected-expression", p.tok().span, "]"))
		return &Subscript{p.exprFrom(start), x, p.badExpr()}
	}
	index := p.parseIndex()
	if p.at(",") || p.acceptMissingComma() {
		elts := []Expr{index}
		for (p.accept(",") || p.acceptMissingComma()) && !p.at("]") {
			elts = append(elts, p.parseIndex())
		}
		index = &Tuple{p.exprFrom(at), elts}
	}
	p.closeBracket("]")
	return &Subscript{p.exprFrom(start), x, index}
}

// parseIndex reads one index: an expression or a slice.
func (p *parser) parseIndex() Expr {
	start := p.start()
	bound := func() Expr {
		if p.at(":") || p.at(",") || p.at("]") {
			return nil
		}
		return p.parseExpr()
	}
	var lower Expr
	if !p.at(":") {
		lower = p.parseStarred()
	}
	if !p.accept(":") {
		return lower
	}
	s := &Slice{Lower: lower, Upper: bound()}
	if p.accept(":") {
		s.Step = bound()
	}
	s.exprNode = p.exprFrom(start)
	return s
}

// parseParams reads a parameter list up to the token that closes it, which stays.
func (p *parser) parseParams(closing string, annotated bool) *Params {
	list := &Params{}
	kind := Plain
	for !p.at(closing) && !p.failed {
		switch t := p.tok(); {
		case p.accept("/"):
			p.parsePositionalMarker(list, t, kind)
		case t.is("*") && (p.peek(1).is(",") || p.peek(1).is(closing)):
			p.parseKeywordMarker(t, kind, closing)
			kind = KeywordOnly
		default:
			kind = p.parseParam(list, kind, annotated)
		}
		if !p.accept(",") {
			break
		}
	}
	p.checkParams(list)
	return list
}

func (p *parser) parsePositionalMarker(list *Params, t *token, kind ParamKind) {
	if len(list.List) == 0 || kind != Plain || list.List[0].Kind == Positional {
		p.failAt(diag.New("bad-parameter-order", t.span, "/"))
		return
	}
	// Everything before "/" is positional, in hindsight.
	for i := range list.List {
		list.List[i].Kind = Positional
	}
}

func (p *parser) parseKeywordMarker(t *token, kind ParamKind, closing string) {
	if kind != Plain || p.peek(1).is(closing) || p.peek(2).kind == operator {
		p.failAt(diag.New("bad-parameter-order", t.span, "*"))
		return
	}
	p.next()
}

// parseParam reads one parameter and returns the kind of those after it.
func (p *parser) parseParam(list *Params, kind ParamKind, annotated bool) ParamKind {
	start := p.start()
	q := Param{Kind: kind}
	after := kind
	t := p.tok()
	switch {
	case kind == VarKeyword || kind == KeywordOnly && t.is("*"):
		p.failAt(diag.New("bad-parameter-order", t.span, p.quoteToken()))
		return kind
	case p.accept("*"):
		q.Kind, after = VarPositional, KeywordOnly
	case p.accept("**"):
		q.Kind, after = VarKeyword, VarKeyword
	}
	q.Name, _ = p.parseName()
	if p.failed {
		return after
	}
	if annotated && p.accept(":") {
		q.Annotation = p.limitHeight(p.parseAnnotation(q.Kind))
	}
	if p.accept("=") {
		q.Default = p.limitHeight(p.parseExpr())
	}
	q.Loc = p.exprFrom(start).Loc
	list.List = append(list.List, q)
	return after
}

// parseAnnotation reads an annotation, which may be starred after *args.
func (p *parser) parseAnnotation(kind ParamKind) Expr {
	if kind == VarPositional {
		return p.parseStarred()
	}
	return p.parseExpr()
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
		// Keyword-only parameters may lack defaults after others that have them.
		case q.Kind > Plain:
		case q.Default != nil:
			withDefault = &list.List[i]
		case withDefault != nil:
			p.report.add(diag.New("default-order", q.Loc, q.Name, withDefault.Name).
				Because(withDefault.Loc, "default-here"))
			return
		}
	}
}
