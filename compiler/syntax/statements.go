package syntax

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// parseStatement reads one logical line, or one compound statement with its blocks, and appends it.
func (p *parser) parseStatement(list []Stmt) []Stmt {
	// Each statement starts afresh: what failed in the last one is no excuse for this one.
	p.failed, p.depth = false, 0
	switch t := p.tok(); t.kind {
	case newline, dedent:
		p.next()
		return list
	case indent:
		return p.parseUnexpectedIndent(list)
	case keyword, operator:
		if parse := compoundStatements[t.text]; parse != nil {
			return append(list, p.place(t.span.Start, parse(p)))
		}
		if code := strayClauses[t.text]; code != "" {
			return append(list, p.place(t.span.Start, p.parseStrayClause()))
		}
	case identifier:
		// "match" is a name except at the start of a match statement.
		if p.atMatchStatement() {
			return append(list, p.place(t.span.Start, p.parseMatch()))
		}
	}
	return p.parseSimpleLine(list)
}

// place gives a statement its place: from start to the last token that has been read.
func (p *parser) place(start int32, s Stmt) Stmt {
	*s.stmt() = p.stmtFrom(start)
	return s
}

// parseUnexpectedIndent reports a block that nothing introduces and reads it as part of this one.
func (p *parser) parseUnexpectedIndent(list []Stmt) []Stmt {
	t := p.next()
	d := diag.New("unexpected-indent", t.span)
	// If a virtual token made the indent, the scanner has reported the line already.
	if p.pos < 2 || !p.tokens[p.pos-2].virtual {
		p.report.add(d)
	}
	return p.parseBlockBody(list)
}

// parseBlockBody reads statements up to the dedent, and the dedent.
func (p *parser) parseBlockBody(list []Stmt) []Stmt {
	for k := p.tok().kind; k != dedent && k != endOfFile; k = p.tok().kind {
		list = p.parseStatement(list)
	}
	if p.tok().kind == dedent {
		p.next()
	}
	return list
}

// parseSimpleLine reads statements separated by semicolons up to the end of the line.
func (p *parser) parseSimpleLine(list []Stmt) []Stmt {
	for {
		start := p.start()
		s := p.parseSimpleStatement()
		if s == nil || !p.checkHeight(p.place(start, s)) {
			s = p.place(start, &BadStmt{})
		}
		list = append(list, s)
		if !p.accept(";") || p.atEnd() {
			break
		}
	}
	if !p.atEnd() {
		p.reportLeftOver()
	}
	if p.tok().kind == newline {
		p.next()
	}
	return list
}

// reportLeftOver reports tokens behind a complete statement.
func (p *parser) reportLeftOver() {
	t := p.tok()
	switch {
	case p.atIncrement():
		two := p.tok().span.Join(p.peek(1).span)
		p.failAt(diag.New("increment-operator", two, t.text).
			Suggest(true, diag.Text{Key: "replace", Args: []any{t.text + t.text, t.text + "= 1"}},
				diag.Edit{Span: source.Span{Start: p.end(), End: two.End}, New: " " + t.text + "= 1"}))
	default:
		p.failHere()
	}
}

// parseSimpleStatement reads a statement without blocks; nil if nothing could be made of it.
func (p *parser) parseSimpleStatement() Stmt {
	t := p.tok()
	if t.kind == magic {
		p.next()
		return &Pass{}
	}
	if t.kind == keyword {
		if parse := simpleStatements[t.text]; parse != nil {
			return parse(p)
		}
	}
	// print x, exec x: what was Python 2's statement is an ordinary name otherwise.
	if t.kind == identifier && (t.text == "print" || t.text == "exec") && p.peek(1).beginsOperand() {
		return p.refusePrintStatement()
	}
	return p.parseExprStatement()
}

// refusePrintStatement reports Python 2's print.
func (p *parser) refusePrintStatement() Stmt {
	name := p.next()
	// Everything on the line goes into the parentheses.
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

// parseValue reads the right side of an assignment.
func (p *parser) parseValue() Expr {
	if p.at("yield") {
		return p.parseYield()
	}
	return p.parseExprList()
}

// parseExprStatement reads an expression, or an assignment of any kind.
func (p *parser) parseExprStatement() Stmt {
	start := p.start()
	// An assignment is known only by the "=" behind its first target, which has been read as an expression.
	first := p.parseValue()
	p.checkBareWalrus(start, first)
	t := p.tok()
	switch {
	case t.is("="):
		return p.parseAssign(first)
	case t.is(":") && isAnnotatable(first):
		return p.parseAnnAssign(first)
	case t.kind == operator && len(t.text) > 1 && strings.HasSuffix(t.text, "=") &&
		precedence[t.text[:len(t.text)-1]] > 0,
		t.is("**="):
		p.next()
		// A "+=" is one token; its operator is what is left without "=".
		p.checkAugTarget(first)
		value := p.parseValue()
		return &AugAssign{Op: strings.TrimSuffix(t.text, "="), Target: first, Value: value}
	}
	return &ExprStmt{Value: first}
}

func isAnnotatable(x Expr) bool {
	switch x.(type) {
	case *Name, *Attribute, *Subscript:
		return true
	}
	return false
}

func (p *parser) parseAssign(first Expr) Stmt {
	a := &Assign{Targets: []Expr{first}}
	for p.accept("=") {
		p.checkTarget(a.Targets[len(a.Targets)-1])
		a.Targets = append(a.Targets, p.parseValue())
	}
	// The last expression of a = b = c is the value, the others are targets.
	last := len(a.Targets) - 1
	a.Value, a.Targets = a.Targets[last], a.Targets[:last]
	return a
}

func (p *parser) parseAnnAssign(target Expr) Stmt {
	p.next()
	a := &AnnAssign{Target: target, Annotation: p.parseExpr()}
	if p.accept("=") {
		a.Value = p.parseValue()
	}
	return a
}

// checkBareWalrus reports x := y as a statement; in brackets it would begin before its target.
func (p *parser) checkBareWalrus(start int32, x Expr) {
	// Brackets make x := y legal as a statement; then the expression begins before its target.
	n, ok := x.(*NamedExpr)
	if !ok || p.failed || n.Target.Loc.Start != start {
		return
	}
	between := p.file.Slice(source.Span{Start: n.Target.Loc.End, End: n.Value.Span().Start})
	at := n.Target.Loc.End + int32(strings.Index(between, ":="))
	place := source.Span{Start: at, End: at + 2}
	p.report.add(suggestReplacement(diag.New("walrus-statement", place), place, ":=", "="))
}

// checkBareStar reports *x outside of a tuple or list.
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
		p.reportBadTarget(x)
	}
}

func (p *parser) reportBadTarget(x Expr) {
	if !p.failed {
		p.report.add(diag.New("bad-assign-target", x.Span(), clipText(p.file.Slice(x.Span()))))
		p.failed = true
	}
}

func (p *parser) checkAugTarget(x Expr) {
	if _, broken := x.(*BadExpr); !isAnnotatable(x) && !broken {
		p.reportBadTarget(x)
	}
}

// simpleStatements are the statements that a keyword begins and that have no block.
// The map is filled at start-up because its functions reach back to it.
var simpleStatements map[string]func(*parser) Stmt

func init() {
	simpleStatements = map[string]func(*parser) Stmt{
		"pass":     (*parser).parsePass,
		"break":    (*parser).parseBreak,
		"continue": (*parser).parseContinue,
		"return":   (*parser).parseReturn,
		"raise":    (*parser).parseRaise,
		"assert":   (*parser).parseAssert,
		"del":      (*parser).parseDelete,
		"global":   (*parser).parseGlobal,
		"nonlocal": (*parser).parseNonlocal,
		"import":   (*parser).parseImport,
		"from":     (*parser).parseImportFrom,
	}
	compoundStatements = map[string]func(*parser) Stmt{
		"if":    (*parser).parseIf,
		"for":   (*parser).parseFor,
		"while": (*parser).parseWhile,
		"with":  (*parser).parseWith,
		"try":   (*parser).parseTry,
		"def":   (*parser).parseDefinition,
		"class": (*parser).parseDefinition,
		"async": (*parser).parseAsync,
		"@":     (*parser).parseDefinition,
	}
}

func (p *parser) parsePass() Stmt {
	p.next()
	return &Pass{}
}

func (p *parser) parseBreak() Stmt {
	p.requireLoop()
	p.next()
	return &Break{}
}

func (p *parser) parseContinue() Stmt {
	p.requireLoop()
	p.next()
	return &Continue{}
}

func (p *parser) requireLoop() {
	if !p.context.inLoop {
		p.report.add(diag.New("outside-loop", p.tok().span, p.tok().text))
	}
}

func (p *parser) parseReturn() Stmt {
	p.requireFunction("return")
	p.next()
	r := &Return{}
	if p.beginsExpr() {
		r.Value = p.parseExprList()
	}
	return r
}

func (p *parser) parseRaise() Stmt {
	p.next()
	r := &Raise{}
	if p.beginsExpr() {
		r.Exc = p.parseExpr()
		if p.accept("from") {
			r.Cause = p.parseExpr()
		}
	}
	return r
}

func (p *parser) parseAssert() Stmt {
	p.next()
	a := &Assert{Test: p.parseCondition()}
	if p.accept(",") {
		a.Msg = p.parseExpr()
	}
	return a
}

func (p *parser) parseDelete() Stmt {
	p.next()
	x := p.parseExprList()
	d := &Delete{Targets: []Expr{x}}
	if t, ok := x.(*Tuple); ok {
		d.Targets = t.Elts
	}
	p.checkTarget(x)
	return d
}

func (p *parser) parseGlobal() Stmt {
	return &Global{Names: p.parseNameList()}
}

func (p *parser) parseNonlocal() Stmt {
	return &Nonlocal{Names: p.parseNameList()}
}

// parseNameList reads the names after a keyword.
func (p *parser) parseNameList() []*Name {
	p.next()
	var list []*Name
	for {
		start := p.start()
		if id, _ := p.parseName(); id != "" {
			list = append(list, &Name{p.exprFrom(start), id})
		}
		if !p.accept(",") {
			return list
		}
	}
}

func (p *parser) parseImport() Stmt {
	p.next()
	m := &Import{}
	for {
		at := p.start()
		a := Alias{Name: p.parseDottedName()}
		p.parseAlias(&a, at)
		m.Names = append(m.Names, a)
		if !p.accept(",") {
			break
		}
	}
	return m
}

// parseAlias reads "as name" and sets the alias's span.
func (p *parser) parseAlias(a *Alias, start int32) {
	if p.accept("as") {
		a.As, _ = p.parseName()
	}
	a.Loc = p.exprFrom(start).Loc
}

// parseDottedName reads a.b.c.
func (p *parser) parseDottedName() string {
	first, _ := p.parseName()
	parts := []string{first}
	for p.accept(".") {
		part, _ := p.parseName()
		parts = append(parts, part)
	}
	return strings.Join(parts, ".")
}

func (p *parser) parseImportFrom() Stmt {
	p.next()
	m := &ImportFrom{}
	for p.at(".") || p.at("...") {
		m.Level += len(p.next().text)
	}
	if m.Level == 0 || !p.at("import") {
		m.Module = p.parseDottedName()
	}
	p.expect("import")
	at := p.start()
	switch {
	case p.failed:
	case p.accept("*"):
		m.Names = []Alias{{Name: "*", Loc: p.exprFrom(at).Loc}}
	case p.accept("("):
		m.Names = p.parseImportedNames(")")
		p.expect(")")
	default:
		m.Names = p.parseImportedNames("")
	}
	return m
}

func (p *parser) parseImportedNames(closing string) []Alias {
	var list []Alias
	for {
		start := p.start()
		name, _ := p.parseName()
		if p.failed {
			return list
		}
		a := Alias{Name: name}
		p.parseAlias(&a, start)
		list = append(list, a)
		if !p.accept(",") || closing != "" && p.at(closing) {
			return list
		}
	}
}
