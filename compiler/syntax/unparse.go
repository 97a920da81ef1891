package syntax

import "strings"

// String writes an expression as Python source on one line, for messages. What it writes parses
// back to the same tree, as long as nothing in the tree is bad.
func String(e Expr) string {
	u := &unparser{}
	u.expr(e, looseLevel)
	return u.String()
}

// Levels of binding beside those of binary operators, from loose to tight.
const (
	looseLevel   = -10 // a tuple or a star may stand without brackets
	namedLevel   = -9
	testLevel    = -8 // conditional expressions, lambda
	orLevel      = -7
	andLevel     = -6
	notLevel     = -5
	compareLevel = -4
	prefixLevel  = 10
	powerLevel   = 11
	awaitLevel   = 12
	primaryLevel = 13
)

type unparser struct{ strings.Builder }

// expr writes e, in brackets where it binds more loosely than level.
func (u *unparser) expr(e Expr, level int) {
	if own := levelOf(e); own < level {
		u.WriteByte('(')
		defer u.WriteByte(')')
	}
	switch e := e.(type) {
	case nil:
	case *Name:
		u.WriteString(e.ID)
	case *Constant:
		u.constant(e)
	case *JoinedStr:
		u.joined(e)
	case *Attribute:
		u.expr(e.Value, primaryLevel)
		u.WriteString("." + e.Attr)
	case *Subscript:
		u.expr(e.Value, primaryLevel)
		u.WriteByte('[')
		u.index(e.Index)
		u.WriteByte(']')
	case *Slice:
		u.slice(e)
	case *Call:
		u.call(e)
	case *Tuple:
		u.tuple(e)
	case *List:
		u.list("[", e.Elts, "]")
	case *Set:
		u.list("{", e.Elts, "}")
	case *Dict:
		u.dict(e)
	case *Comp:
		u.comp(e)
	default:
		u.operation(e)
	}
}

func levelOf(e Expr) int {
	switch e := e.(type) {
	case *Tuple:
		if len(e.Elts) > 0 {
			return looseLevel
		}
	case *Starred:
		return looseLevel
	case *NamedExpr, *Yield:
		return namedLevel
	case *IfExp, *Lambda:
		return testLevel
	case *BoolOp:
		if e.Op == "or" {
			return orLevel
		}
		return andLevel
	case *Compare:
		return compareLevel
	case *UnaryOp:
		if e.Op == "not" {
			return notLevel
		}
		return prefixLevel
	case *BinOp:
		if e.Op == "**" {
			return powerLevel
		}
		return precedence[e.Op]
	case *Await:
		return awaitLevel
	case *Constant:
		if e.Kind == IntConst { // 1.real would read as a float
			return awaitLevel
		}
	}
	return primaryLevel
}

func (u *unparser) operation(e Expr) {
	switch e := e.(type) {
	case *UnaryOp:
		u.WriteString(e.Op)
		level := prefixLevel
		if e.Op == "not" {
			u.WriteByte(' ')
			level = notLevel
		}
		u.expr(e.Operand, level)
	case *BinOp:
		u.binary(e)
	case *BoolOp:
		for i, v := range e.Values {
			if i > 0 {
				u.WriteString(" " + e.Op + " ")
			}
			u.expr(v, levelOf(e)+1)
		}
	case *Compare:
		u.expr(e.Left, compareLevel+1)
		for i, op := range e.Ops {
			u.WriteString(" " + op + " ")
			u.expr(e.Comparators[i], compareLevel+1)
		}
	case *IfExp:
		u.expr(e.Body, orLevel)
		u.WriteString(" if ")
		u.expr(e.Test, orLevel)
		u.WriteString(" else ")
		u.expr(e.Else, testLevel)
	case *NamedExpr:
		u.WriteString(e.Target.ID + " := ")
		u.expr(e.Value, testLevel)
	case *Lambda:
		u.lambda(e)
	case *Starred:
		u.WriteByte('*')
		u.expr(e.Value, 1)
	case *Await:
		u.WriteString("await ")
		u.expr(e.Value, primaryLevel)
	case *Yield:
		u.yield(e)
	default:
		u.WriteString("…") // BadExpr
	}
}

func (u *unparser) binary(e *BinOp) {
	level := levelOf(e)
	left, right := level, level+1
	if e.Op == "**" {
		left, right = powerLevel+1, prefixLevel
	}
	u.expr(e.Left, left)
	u.WriteString(" " + e.Op + " ")
	u.expr(e.Right, right)
}

func (u *unparser) yield(e *Yield) {
	u.WriteString("yield")
	if e.From {
		u.WriteString(" from")
	}
	if e.Value != nil {
		u.WriteByte(' ')
		u.expr(e.Value, looseLevel)
	}
}

func (u *unparser) index(e Expr) {
	if t, ok := e.(*Tuple); ok && len(t.Elts) > 0 {
		u.elements(t.Elts, looseLevel)
		if len(t.Elts) == 1 {
			u.WriteByte(',')
		}
		return
	}
	u.expr(e, looseLevel)
}

func (u *unparser) slice(s *Slice) {
	u.expr(s.Lower, testLevel)
	u.WriteByte(':')
	u.expr(s.Upper, testLevel)
	if s.Step != nil {
		u.WriteByte(':')
		u.expr(s.Step, testLevel)
	}
}

func (u *unparser) call(c *Call) {
	u.expr(c.Func, primaryLevel)
	u.WriteByte('(')
	for i, a := range c.Args {
		if i > 0 {
			u.WriteString(", ")
		}
		if s, ok := a.(*Starred); ok {
			u.WriteByte('*')
			u.expr(s.Value, testLevel)
		} else {
			u.expr(a, namedLevel)
		}
	}
	for i, k := range c.Keywords {
		if i > 0 || len(c.Args) > 0 {
			u.WriteString(", ")
		}
		if k.Name == "" {
			u.WriteString("**")
		} else {
			u.WriteString(k.Name + "=")
		}
		u.expr(k.Value, testLevel)
	}
	u.WriteByte(')')
}

// elements writes expressions with commas between them.
func (u *unparser) elements(list []Expr, level int) {
	for i, e := range list {
		if i > 0 {
			u.WriteString(", ")
		}
		if _, starred := e.(*Starred); starred {
			u.expr(e, looseLevel)
		} else {
			u.expr(e, max(level, namedLevel))
		}
	}
}

func (u *unparser) list(open string, elts []Expr, end string) {
	u.WriteString(open)
	u.elements(elts, namedLevel)
	u.WriteString(end)
}

func (u *unparser) tuple(t *Tuple) {
	if len(t.Elts) == 0 {
		u.WriteString("()")
		return
	}
	u.elements(t.Elts, namedLevel)
	if len(t.Elts) == 1 {
		u.WriteByte(',')
	}
}

func (u *unparser) dict(d *Dict) {
	u.WriteByte('{')
	for i, key := range d.Keys {
		if i > 0 {
			u.WriteString(", ")
		}
		if key == nil {
			u.WriteString("**")
			u.expr(d.Values[i], 1)
			continue
		}
		u.expr(key, testLevel)
		u.WriteString(": ")
		u.expr(d.Values[i], testLevel)
	}
	u.WriteByte('}')
}

var compBrackets = map[string][2]string{"list": {"[", "]"}, "set": {"{", "}"}, "dict": {"{", "}"}, "generator": {"(", ")"}}

func (u *unparser) comp(c *Comp) {
	brackets := compBrackets[c.Kind]
	u.WriteString(brackets[0])
	u.expr(c.Elt, namedLevel)
	if c.Kind == "dict" {
		u.WriteString(": ")
		u.expr(c.Value, testLevel)
	}
	for _, clause := range c.Clauses {
		u.WriteString(" for ")
		u.target(clause.Target)
		u.WriteString(" in ")
		u.expr(clause.Iter, orLevel)
		for _, test := range clause.Ifs {
			u.WriteString(" if ")
			u.expr(test, orLevel)
		}
	}
	u.WriteString(brackets[1])
}

func (u *unparser) target(e Expr) {
	if t, ok := e.(*Tuple); ok && len(t.Elts) > 0 {
		u.tuple(t)
		return
	}
	u.expr(e, 1)
}

func (u *unparser) lambda(l *Lambda) {
	u.WriteString("lambda")
	for i, q := range l.Params.List {
		if i > 0 {
			u.WriteByte(',')
		}
		u.WriteByte(' ')
		u.param(l.Params.List, i)
		if q.Default != nil {
			u.WriteByte('=')
			u.expr(q.Default, testLevel)
		}
	}
	if n := len(l.Params.List); n > 0 && l.Params.List[n-1].Kind == Positional {
		u.WriteString(", /")
	}
	u.WriteString(": ")
	u.expr(l.Body, testLevel)
}

// param writes the name of a parameter, with the "/" or "*" that has to stand before it.
func (u *unparser) param(list []Param, i int) {
	q := list[i]
	before := Plain
	if i > 0 {
		before = list[i-1].Kind
	}
	if before == Positional && q.Kind != Positional {
		u.WriteString("/, ")
	}
	switch {
	case q.Kind == KeywordOnly && before != KeywordOnly && before != VarPositional:
		u.WriteString("*, ")
	case q.Kind == VarPositional:
		u.WriteByte('*')
	case q.Kind == VarKeyword:
		u.WriteString("**")
	}
	u.WriteString(q.Name)
}
