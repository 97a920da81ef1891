package syntax

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// simpleStatements are the statements that a keyword begins and that have no block.
// The map is filled at start-up because its functions reach back to it.
var simpleStatements map[string]func(*parser) Stmt

func init() {
	simpleStatements = map[string]func(*parser) Stmt{
		"pass":     (*parser).passStmt,
		"break":    (*parser).breakStmt,
		"continue": (*parser).continueStmt,
		"return":   (*parser).returnStmt,
		"raise":    (*parser).raiseStmt,
		"assert":   (*parser).assertStmt,
		"del":      (*parser).deleteStmt,
		"global":   (*parser).globalStmt,
		"nonlocal": (*parser).nonlocalStmt,
		"import":   (*parser).importStmt,
		"from":     (*parser).importFrom,
	}
	compound = map[string]func(*parser) Stmt{
		"if":    (*parser).ifStmt,
		"for":   (*parser).forStmt,
		"while": (*parser).whileStmt,
		"with":  (*parser).withStmt,
		"try":   (*parser).tryStmt,
		"def":   (*parser).definition,
		"class": (*parser).definition,
		"async": (*parser).asyncStmt,
		"@":     (*parser).definition,
	}
}

func (p *parser) passStmt() Stmt {
	start := p.start()
	p.next()
	return &Pass{p.stmtFrom(start)}
}

func (p *parser) breakStmt() Stmt {
	start := p.start()
	p.requireLoop()
	p.next()
	return &Break{p.stmtFrom(start)}
}

func (p *parser) continueStmt() Stmt {
	start := p.start()
	p.requireLoop()
	p.next()
	return &Continue{p.stmtFrom(start)}
}

func (p *parser) requireLoop() {
	if !p.place.inLoop {
		p.report.add(diag.New("outside-loop", p.tok().span, p.tok().text))
	}
}

func (p *parser) returnStmt() Stmt {
	start := p.start()
	p.requireFunction("return")
	p.next()
	r := &Return{}
	if p.beginsExpr() {
		r.Value = p.exprs()
	}
	r.stmtNode = p.stmtFrom(start)
	return r
}

func (p *parser) raiseStmt() Stmt {
	start := p.start()
	p.next()
	r := &Raise{}
	if p.beginsExpr() {
		r.Exc = p.expr()
		if p.accept("from") {
			r.Cause = p.expr()
		}
	}
	r.stmtNode = p.stmtFrom(start)
	return r
}

func (p *parser) assertStmt() Stmt {
	start := p.start()
	p.next()
	a := &Assert{Test: p.condition()}
	if p.accept(",") {
		a.Msg = p.expr()
	}
	a.stmtNode = p.stmtFrom(start)
	return a
}

func (p *parser) deleteStmt() Stmt {
	start := p.start()
	p.next()
	x := p.exprs()
	d := &Delete{p.stmtFrom(start), []Expr{x}}
	if t, ok := x.(*Tuple); ok {
		d.Targets = t.Elts
	}
	p.checkTarget(x)
	return d
}

func (p *parser) globalStmt() Stmt {
	start := p.start()
	names := p.names()
	return &Global{p.stmtFrom(start), names}
}

func (p *parser) nonlocalStmt() Stmt {
	start := p.start()
	names := p.names()
	return &Nonlocal{p.stmtFrom(start), names}
}

// names reads the names after a keyword.
func (p *parser) names() []*Name {
	p.next()
	var list []*Name
	for {
		start := p.start()
		if id, _ := p.name(); id != "" {
			list = append(list, &Name{p.from(start), id})
		}
		if !p.accept(",") {
			return list
		}
	}
}

func (p *parser) importStmt() Stmt {
	start := p.start()
	p.next()
	m := &Import{}
	for {
		at := p.start()
		a := Alias{Name: p.dotted()}
		p.alias(&a, at)
		m.Names = append(m.Names, a)
		if !p.accept(",") {
			break
		}
	}
	m.stmtNode = p.stmtFrom(start)
	return m
}

// alias reads "as name" and sets where the alias stands.
func (p *parser) alias(a *Alias, start int32) {
	if p.accept("as") {
		a.As, _ = p.name()
	}
	a.Loc = p.from(start).Loc
}

// dotted reads a.b.c.
func (p *parser) dotted() string {
	first, _ := p.name()
	parts := []string{first}
	for p.accept(".") {
		part, _ := p.name()
		parts = append(parts, part)
	}
	return strings.Join(parts, ".")
}

func (p *parser) importFrom() Stmt {
	start := p.start()
	p.next()
	m := &ImportFrom{}
	for p.at(".") || p.at("...") {
		m.Level += len(p.next().text)
	}
	if m.Level == 0 || !p.at("import") {
		m.Module = p.dotted()
	}
	p.expect("import")
	at := p.start()
	switch {
	case p.failed:
	case p.accept("*"):
		m.Names = []Alias{{Name: "*", Loc: p.from(at).Loc}}
	case p.accept("("):
		m.Names = p.importedNames(")")
		p.expect(")")
	default:
		m.Names = p.importedNames("")
	}
	m.stmtNode = p.stmtFrom(start)
	return m
}

func (p *parser) importedNames(closing string) []Alias {
	var list []Alias
	for {
		start := p.start()
		name, _ := p.name()
		if p.failed {
			return list
		}
		a := Alias{Name: name}
		p.alias(&a, start)
		list = append(list, a)
		if !p.accept(",") || closing != "" && p.at(closing) {
			return list
		}
	}
}
