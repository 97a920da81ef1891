package syntax

import (
	"strconv"
	"strings"
)

// String writes an expression as Python source on one line, for messages. What it writes parses
// back to the same tree, as long as nothing in the tree is bad.
func String(e Expr) string {
	u := &unparser{}
	u.writeExpr(e, looseLevel)
	return u.String()
}

// Levels of binding in addition to those of binary operators, from loose to tight.
const (
	looseLevel   = -10 // a tuple or a star may be without brackets
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

// writeExpr writes e, in brackets where it binds more loosely than level.
func (u *unparser) writeExpr(e Expr, level int) {
	// Brackets are written exactly where the parser would group otherwise.
	if own := levelOf(e); own < level {
		u.WriteByte('(')
		defer u.WriteByte(')')
	}
	switch e := e.(type) {
	case nil:
	case *Name:
		u.WriteString(e.ID)
	case *Constant:
		u.writeConstant(e)
	case *JoinedStr:
		u.writeJoined(e)
	case *Attribute:
		u.writeExpr(e.Value, primaryLevel)
		u.WriteString("." + e.Attr)
	case *Subscript:
		u.writeExpr(e.Value, primaryLevel)
		u.WriteByte('[')
		u.writeIndex(e.Index)
		u.WriteByte(']')
	case *Slice:
		u.writeSlice(e)
	case *Call:
		u.writeCall(e)
	case *Tuple:
		u.writeTuple(e)
	case *List:
		u.writeList("[", e.Elts, "]")
	case *Set:
		u.writeList("{", e.Elts, "}")
	case *Dict:
		u.writeDict(e)
	case *Comp:
		u.writeComp(e)
	default:
		u.writeOperation(e)
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

func (u *unparser) writeOperation(e Expr) {
	switch e := e.(type) {
	case *UnaryOp:
		u.WriteString(e.Op)
		level := prefixLevel
		if e.Op == "not" {
			u.WriteByte(' ')
			level = notLevel
		}
		u.writeExpr(e.Operand, level)
	case *BinOp:
		u.writeBinary(e)
	case *BoolOp:
		for i, v := range e.Values {
			if i > 0 {
				u.WriteString(" " + e.Op + " ")
			}
			u.writeExpr(v, levelOf(e)+1)
		}
	case *Compare:
		u.writeExpr(e.Left, compareLevel+1)
		for i, op := range e.Ops {
			u.WriteString(" " + op + " ")
			u.writeExpr(e.Comparators[i], compareLevel+1)
		}
	case *IfExp:
		u.writeExpr(e.Body, orLevel)
		u.WriteString(" if ")
		u.writeExpr(e.Test, orLevel)
		u.WriteString(" else ")
		u.writeExpr(e.Else, testLevel)
	case *NamedExpr:
		u.WriteString(e.Target.ID + " := ")
		u.writeExpr(e.Value, testLevel)
	case *Lambda:
		u.writeLambda(e)
	case *Starred:
		u.WriteByte('*')
		u.writeExpr(e.Value, 1)
	case *Await:
		u.WriteString("await ")
		u.writeExpr(e.Value, primaryLevel)
	case *Yield:
		u.writeYield(e)
	default:
		u.WriteString("…") // BadExpr
	}
}

func (u *unparser) writeBinary(e *BinOp) {
	level := levelOf(e)
	left, right := level, level+1
	// "**" associates right, and its exponent may have a prefix.
	if e.Op == "**" {
		left, right = powerLevel+1, prefixLevel
	}
	u.writeExpr(e.Left, left)
	u.WriteString(" " + e.Op + " ")
	u.writeExpr(e.Right, right)
}

func (u *unparser) writeYield(e *Yield) {
	u.WriteString("yield")
	if e.From {
		u.WriteString(" from")
	}
	if e.Value != nil {
		u.WriteByte(' ')
		u.writeExpr(e.Value, looseLevel)
	}
}

func (u *unparser) writeIndex(e Expr) {
	if t, ok := e.(*Tuple); ok && len(t.Elts) > 0 {
		u.writeElements(t.Elts, looseLevel)
		if len(t.Elts) == 1 {
			u.WriteByte(',')
		}
		return
	}
	u.writeExpr(e, looseLevel)
}

func (u *unparser) writeSlice(s *Slice) {
	u.writeExpr(s.Lower, testLevel)
	u.WriteByte(':')
	u.writeExpr(s.Upper, testLevel)
	if s.Step != nil {
		u.WriteByte(':')
		u.writeExpr(s.Step, testLevel)
	}
}

func (u *unparser) writeCall(c *Call) {
	u.writeExpr(c.Func, primaryLevel)
	u.WriteByte('(')
	for i, a := range c.Args {
		if i > 0 {
			u.WriteString(", ")
		}
		if s, ok := a.(*Starred); ok {
			u.WriteByte('*')
			u.writeExpr(s.Value, testLevel)
		} else {
			u.writeExpr(a, namedLevel)
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
		u.writeExpr(k.Value, testLevel)
	}
	u.WriteByte(')')
}

// writeElements writes expressions with commas between them.
func (u *unparser) writeElements(list []Expr, level int) {
	for i, e := range list {
		if i > 0 {
			u.WriteString(", ")
		}
		if _, starred := e.(*Starred); starred {
			u.writeExpr(e, looseLevel)
		} else {
			u.writeExpr(e, max(level, namedLevel))
		}
	}
}

func (u *unparser) writeList(open string, elts []Expr, end string) {
	u.WriteString(open)
	u.writeElements(elts, namedLevel)
	u.WriteString(end)
}

func (u *unparser) writeTuple(t *Tuple) {
	if len(t.Elts) == 0 {
		u.WriteString("()")
		return
	}
	u.writeElements(t.Elts, namedLevel)
	if len(t.Elts) == 1 {
		u.WriteByte(',')
	}
}

func (u *unparser) writeDict(d *Dict) {
	u.WriteByte('{')
	for i, key := range d.Keys {
		if i > 0 {
			u.WriteString(", ")
		}
		if key == nil {
			u.WriteString("**")
			u.writeExpr(d.Values[i], 1)
			continue
		}
		u.writeExpr(key, testLevel)
		u.WriteString(": ")
		u.writeExpr(d.Values[i], testLevel)
	}
	u.WriteByte('}')
}

var compBrackets = map[string][2]string{"list": {"[", "]"}, "set": {"{", "}"}, "dict": {"{", "}"},
	"generator": {"(", ")"}}

func (u *unparser) writeComp(c *Comp) {
	brackets := compBrackets[c.Kind]
	u.WriteString(brackets[0])
	u.writeExpr(c.Elt, namedLevel)
	if c.Kind == "dict" {
		u.WriteString(": ")
		u.writeExpr(c.Value, testLevel)
	}
	for _, clause := range c.Clauses {
		u.WriteString(" for ")
		u.writeTarget(clause.Target)
		u.WriteString(" in ")
		u.writeExpr(clause.Iter, orLevel)
		for _, test := range clause.Ifs {
			u.WriteString(" if ")
			u.writeExpr(test, orLevel)
		}
	}
	u.WriteString(brackets[1])
}

func (u *unparser) writeTarget(e Expr) {
	if t, ok := e.(*Tuple); ok && len(t.Elts) > 0 {
		u.writeTuple(t)
		return
	}
	u.writeExpr(e, 1)
}

func (u *unparser) writeLambda(l *Lambda) {
	u.WriteString("lambda")
	for i, q := range l.Params.List {
		if i > 0 {
			u.WriteByte(',')
		}
		u.WriteByte(' ')
		u.writeParam(l.Params.List, i)
		if q.Default != nil {
			u.WriteByte('=')
			u.writeExpr(q.Default, testLevel)
		}
	}
	if n := len(l.Params.List); n > 0 && l.Params.List[n-1].Kind == Positional {
		u.WriteString(", /")
	}
	u.WriteString(": ")
	u.writeExpr(l.Body, testLevel)
}

// writeParam writes the name of a parameter, with the "/" or "*" that has to come before it.
func (u *unparser) writeParam(list []Param, i int) {
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

func (u *unparser) writeConstant(c *Constant) {
	switch c.Kind {
	case IntConst:
		u.WriteString(c.Text)
	case FloatConst:
		u.WriteString(floatText(c.Float))
	case ImagConst:
		u.WriteString(floatText(c.Float) + "j")
	case StringConst:
		u.WriteString(quoteString(c.Text, '\''))
	case BytesConst:
		u.WriteString("b" + quoteBytes(c.Text))
	case EllipsisConst:
		u.WriteString("...")
	default:
		u.WriteString(c.Kind.String())
	}
}

// String names a kind of literal as Go spells its constant.
func (k ConstKind) String() string {
	return [...]string{"None", "True", "False", "Ellipsis", "Int", "Float", "Imag", "String", "Bytes"}[k]
}

// floatText writes a float as Python reads it; an infinity comes from a literal beyond the range.
func floatText(f float64) string {
	text := strconv.FormatFloat(f, 'g', -1, 64)
	switch {
	case strings.Contains(text, "Inf"):
		return "1e999"
	case !strings.ContainsAny(text, ".e"):
		return text + ".0"
	}
	return text
}

// quoteString writes a string literal in the given quotes.
func quoteString(text string, quote rune) string {
	var b strings.Builder
	b.WriteRune(quote)
	for _, r := range text {
		switch {
		case r == quote || r == '\\':
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r < ' ' || r == 0x7f:
			b.WriteString(`\x` + hex2(byte(r)))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteRune(quote)
	return b.String()
}

func quoteBytes(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '\'' || c == '\\' {
			b.WriteString(`\x` + hex2(c))
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func hex2(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

func (u *unparser) writeJoined(e *JoinedStr) {
	u.WriteString("f'")
	u.writeFields(e.Values, false)
	u.WriteByte('\'')
}

func (u *unparser) writeFields(values []Expr, spec bool) {
	for _, v := range values {
		if c, ok := v.(*Constant); ok {
			text := quoteString(c.Text, '\'')
			text = text[1 : len(text)-1]
			if !spec {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "{", "{{"), "}", "}}")
			}
			u.WriteString(text)
		} else if f, ok := v.(*FormattedValue); ok {
			u.writeField(f)
		}
	}
}

func (u *unparser) writeField(f *FormattedValue) {
	u.WriteByte('{')
	if f.Debug != "" {
		u.WriteString(strings.TrimSpace(f.Debug))
	} else {
		inner := &unparser{}
		inner.writeExpr(f.Value, orLevel) // a lambda's colon would begin the format
		// "{ {" keeps apart what would be an escaped brace.
		if strings.HasPrefix(inner.String(), "{") {
			u.WriteByte(' ')
		}
		u.WriteString(inner.String())
	}
	if f.Conversion != 0 && !(f.Debug != "" && f.Conversion == 'r' && f.Format == nil) {
		u.WriteString("!" + string(f.Conversion))
	}
	if f.Format != nil {
		u.WriteByte(':')
		u.writeFields(f.Format.Values, true)
	}
	u.WriteByte('}')
}
