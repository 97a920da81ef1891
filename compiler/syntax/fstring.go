package syntax

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
)

// fstring reads one f-string.
func (p *parser) fstring() *JoinedStr {
	start := p.start()
	opening := p.next()
	raw := strings.ContainsAny(opening.text[:strings.IndexAny(opening.text, `'"`)], "rR")
	values := p.fstringParts(raw, false)
	if p.tok().kind == fstringEnd {
		p.next()
	} else if !p.failed {
		p.fail()
	}
	return &JoinedStr{p.from(start), joinConstants(values)}
}

// fstringParts reads literal text and fields, of an f-string or of a field's format.
func (p *parser) fstringParts(raw, spec bool) []Expr {
	var values []Expr
	for {
		t := p.tok()
		switch {
		case t.kind == fstringMiddle:
			start := p.start()
			p.next()
			text := p.unescape(t.text, start, raw, false)
			if !spec {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "{{", "{"), "}}", "}")
			}
			values = append(values, &Constant{exprNode: p.from(start), Kind: StringConst, Text: text})
		case t.is("{"):
			values = append(values, p.nested(func() Expr { return p.field(raw) }))
		default:
			return values
		}
	}
}

// field reads {value=!conversion:format}.
func (p *parser) field(raw bool) Expr {
	start := p.start()
	p.next()
	textStart := p.end()
	if t := p.tok(); t.is("}") || t.is("!") || t.is(":") || t.is("=") {
		p.failAt(diag.New("fstring-empty", t.span))
		return p.bad()
	}
	v := &FormattedValue{}
	if p.at("yield") {
		v.Value = p.yield()
	} else {
		v.Value = p.exprs()
	}
	if p.accept("=") {
		v.Debug = p.file.Text[textStart:p.start()]
	}
	if p.accept("!") {
		v.Conversion = p.conversion()
	}
	if p.accept(":") {
		at := p.start()
		parts := p.fstringParts(raw, true)
		v.Format = &JoinedStr{p.from(at), joinConstants(parts)}
	}
	if v.Debug != "" && v.Conversion == 0 && v.Format == nil {
		v.Conversion = 'r'
	}
	p.expect("}")
	v.exprNode = p.from(start)
	return v
}

func (p *parser) conversion() byte {
	t := p.tok()
	if t.kind == identifier && (t.text == "r" || t.text == "s" || t.text == "a") {
		p.next()
		return t.text[0]
	}
	p.failAt(diag.New("fstring-conversion", t.span, p.shown()))
	return 0
}
