package syntax

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

func (p *parser) parseNumber() Expr {
	start := p.start()
	t := p.next()
	c, problem := decodeNumber(t.text)
	if problem != "" && !p.failed {
		p.report.add(diag.New(problem, t.span, clipText(t.text)))
		p.failed = true
		return p.badExpr()
	}
	c.exprNode = p.exprFrom(start)
	return &c
}

// radix is what the second character of an integer literal says about its base.
var radix = map[byte]int{'x': 16, 'X': 16, 'o': 8, 'O': 8, 'b': 2, 'B': 2}

// decodeNumber reads a numeric literal; problem is the code of what is wrong with it, or "".
func decodeNumber(text string) (c Constant, problem string) {
	digits, ok := dropUnderscores(text)
	if !ok {
		return c, "bad-number"
	}
	c.Kind = IntConst
	if len(digits) > 1 && digits[0] == '0' && radix[digits[1]] != 0 {
		return decodeInt(digits[2:], radix[digits[1]])
	}
	if strings.Trim(digits, "0123456789") == "" {
		// "0" followed by digits was octal in Python 2 and is refused in Python 3, zeros alone excepted.
		if strings.Trim(digits, "0") != "" && digits[0] == '0' {
			return c, "leading-zeros"
		}
		return decodeInt(digits, 10)
	}
	c.Kind = FloatConst
	if last := digits[len(digits)-1]; last == 'j' || last == 'J' {
		c.Kind = ImagConst
		digits = digits[:len(digits)-1]
	}
	if strings.Trim(digits, "0123456789.eE+-") != "" {
		return c, "bad-number"
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil && err.(*strconv.NumError).Err == strconv.ErrSyntax {
		return c, "bad-number"
	}
	c.Float = f // out of range gives an infinity, as in Python
	return c, ""
}

func decodeInt(digits string, base int) (c Constant, problem string) {
	c.Kind = IntConst
	if len(digits) > maxDigits {
		return c, "number-too-long"
	}
	// big.Int takes a sign, a literal has none.
	v, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '+' || digits[0] == '-' {
		return c, "bad-number"
	}
	c.Text = v.String()
	return c, ""
}

// dropUnderscores removes the underscores of a number; each has to be between two digits, or
// after a radix.
func dropUnderscores(text string) (string, bool) {
	if !strings.Contains(text, "_") {
		return text, true
	}
	hex := len(text) > 1 && radix[text[1]] == 16
	digit := func(i int) bool {
		if i < 0 || i >= len(text) {
			return false
		}
		return isDigit(rune(text[i])) || hex && strings.IndexByte("abcdefABCDEF", text[i]) >= 0
	}
	for i := range len(text) {
		if text[i] == '_' && !(digit(i+1) && (digit(i-1) || i == 2 && radix[text[1]] != 0)) {
			return "", false
		}
	}
	return strings.ReplaceAll(text, "_", ""), true
}

// parseStrings reads string literals in a row, which Python joins.
func (p *parser) parseStrings() Expr {
	start := p.start()
	var parts []Expr
	// Adjacent literals are one constant, or one f-string if any of them is.
	formatted, bytes, text := false, false, false
	for {
		t := p.tok()
		if t.kind == stringToken {
			c := p.parsePlainString()
			bytes = bytes || c.Kind == BytesConst
			text = text || c.Kind == StringConst
			parts = append(parts, c)
		} else if t.kind == fstringStart {
			parts = append(parts, p.parseFString().Values...)
			formatted, text = true, true
		} else {
			break
		}
	}
	loc := p.exprFrom(start)
	if bytes && text && !p.failed {
		p.report.add(diag.New("mixed-bytes", loc.Loc))
		p.failed = true
	}
	parts = joinConstants(parts)
	if formatted {
		return &JoinedStr{loc, slices.DeleteFunc(parts, isEmpty)}
	}
	whole := *parts[0].(*Constant)
	whole.exprNode = loc
	return &whole
}

func isEmpty(e Expr) bool {
	c, ok := e.(*Constant)
	return ok && c.Text == ""
}

// joinConstants joins adjacent constants.
func joinConstants(parts []Expr) []Expr {
	var out []Expr
	for i := 0; i < len(parts); {
		first, ok := parts[i].(*Constant)
		if !ok {
			out = append(out, parts[i])
			i++
			continue
		}
		var text strings.Builder
		end := first.Loc
		for ; i < len(parts); i++ {
			c, ok := parts[i].(*Constant)
			if !ok {
				break
			}
			text.WriteString(c.Text)
			end = c.Loc
		}
		joined := *first
		joined.Text, joined.Loc = text.String(), first.Loc.Join(end)
		out = append(out, &joined)
	}
	return out
}

func (p *parser) parsePlainString() *Constant {
	start := p.start()
	t := p.next()
	prefix, body := splitLiteral(t.text, t.virtual)
	c := &Constant{exprNode: p.exprFrom(start), Kind: StringConst}
	if strings.Contains(prefix, "b") {
		c.Kind = BytesConst
	}
	at := t.span.Start + int32(strings.Index(t.text, body))
	c.Text = p.decodeText(body, at, strings.Contains(prefix, "r"), c.Kind == BytesConst)
	return c
}

// splitLiteral takes prefix and quotes off a literal; one that was cut short may lack its end.
func splitLiteral(text string, cut bool) (prefix, body string) {
	i := strings.IndexAny(text, `'"`)
	if i < 0 { // typographic quotes
		_, first := utf8.DecodeRuneInString(text)
		_, last := utf8.DecodeLastRuneInString(text)
		return "", text[first : len(text)-last]
	}
	prefix = strings.ToLower(text[:i])
	if _, size := utf8.DecodeRuneInString(text); size > 1 && i > 0 {
		_, last := utf8.DecodeLastRuneInString(text)
		return "", text[size : len(text)-last]
	}
	quotes := text[i : i+1]
	if strings.HasPrefix(text[i:], strings.Repeat(quotes, 3)) {
		quotes = text[i : i+3]
	}
	body = text[i+len(quotes):]
	if cut {
		return prefix, body
	}
	return prefix, strings.TrimSuffix(body, quotes)
}

// decodeText is decodeEscapes of a literal, which is UTF-8 but for bytes: a source that is not has an error of its own.
func (p *parser) decodeText(body string, at int32, raw, bytes bool) string {
	text := p.decodeEscapes(body, at, raw, bytes)
	if bytes {
		return text
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// decodeEscapes decodes the text of a literal that starts at offset at.
func (p *parser) decodeEscapes(body string, at int32, raw, bytes bool) string {
	// Text without escapes and carriage returns is itself, which is the common case.
	if raw && !strings.Contains(body, "\r") && !bytes || !strings.ContainsAny(body, "\\\r") && !bytes {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); {
		switch c := body[i]; {
		// Line breaks inside a literal are "\n", whatever the file has.
		case c == '\r':
			b.WriteByte('\n')
			i++
			if i < len(body) && body[i] == '\n' {
				i++
			}
		case c == '\\' && !raw && i+1 < len(body):
			// The names of all characters are a megabyte of tables, for something that no kernel says.
			if size := namedEscape(body[i:]); size > 0 && !bytes {
				if r, ok := characterNames()[strings.ToUpper(body[i+3:i+size-1])]; ok {
					b.WriteRune(r)
					i += size
					continue
				}
				place := span(int(at)+i, int(at)+i+size)
				p.report.add(diag.Warn("named-escape", place, clipText(body[i:i+size])))
				b.WriteRune(utf8.RuneError)
				i += size
				continue
			}
			value, size := decodeEscape(body[i:], bytes)
			if size == 0 {
				p.reportBadEscape(at+int32(i), body[i:])
				return b.String()
			}
			b.WriteString(value)
			i += size
		case bytes && c >= utf8.RuneSelf:
			if !p.failed {
				p.report.add(diag.New("bytes-not-ascii", span(int(at)+i, int(at)+i+1)))
				p.failed = true
			}
			return b.String()
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func (p *parser) reportBadEscape(at int32, rest string) {
	if p.failed {
		return
	}
	size := 2
	for size < len(rest) && size < 10 && strings.IndexByte("0123456789abcdefABCDEF", rest[size]) >= 0 {
		size++
	}
	p.report.add(diag.New("bad-escape", span(int(at), int(at)+size), rest[:size]))
	p.failed = true
}

// namedEscape is the length of the \N{name} at the start of text, or 0.
func namedEscape(text string) int {
	if !strings.HasPrefix(text, `\N{`) {
		return 0
	}
	return strings.IndexByte(text, '}') + 1
}

var simpleEscapes = map[byte]string{
	'\n': "",
	'\\': `\`,
	'\'': "'",
	'"':  `"`,
	'a':  "\a",
	'b':  "\b",
	'f':  "\f",
	'n':  "\n",
	'r':  "\r",
	't':  "\t",
	'v':  "\v",
}

// escapeDigits is how many hexadecimal digits follow.
var escapeDigits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// decodeEscape decodes the escape sequence at the start of text; size is 0 if it is malformed.
// One that Python does not know is kept as it is, with its backslash.
func decodeEscape(text string, bytes bool) (value string, size int) {
	c := text[1]
	if v, ok := simpleEscapes[c]; ok {
		return v, 2
	}
	switch {
	case c == '\r':
		return "", 2 + len(text[2:]) - len(strings.TrimPrefix(text[2:], "\n"))
	case '0' <= c && c <= '7':
		size = 2
		for size < min(4, len(text)) && '0' <= text[size] && text[size] <= '7' {
			size++
		}
		n, _ := strconv.ParseUint(text[1:size], 8, 16)
		return encodeCharacter(rune(n), bytes), size
	case c == 'N' && !bytes: // \N{name} has been dealt with
		return "", 0
	case c == 'x' || !bytes && (c == 'u' || c == 'U'):
		size = 2 + escapeDigits[c]
		if size > len(text) {
			return "", 0
		}
		n, err := strconv.ParseUint(text[2:size], 16, 32)
		if err != nil || n > utf8.MaxRune {
			return "", 0
		}
		return encodeCharacter(rune(n), bytes), size
	}
	// An escape that Python does not know keeps its backslash.
	return text[:1], 1
}

func encodeCharacter(r rune, bytes bool) string {
	if bytes {
		return string([]byte{byte(r)})
	}
	return string(r)
}

// parseFString reads one f-string.
func (p *parser) parseFString() *JoinedStr {
	start := p.start()
	opening := p.next()
	raw := strings.ContainsAny(opening.text[:strings.IndexAny(opening.text, `'"`)], "rR")
	values := p.parseFStringParts(raw, false)
	if p.tok().kind == fstringEnd {
		p.next()
	} else if !p.failed {
		p.failHere()
	}
	return &JoinedStr{p.exprFrom(start), joinConstants(values)}
}

// parseFStringParts reads literal text and fields, of an f-string or of a field's format.
func (p *parser) parseFStringParts(raw, spec bool) []Expr {
	var values []Expr
	for {
		t := p.tok()
		switch {
		case t.kind == fstringMiddle:
			start := p.start()
			p.next()
			text := p.decodeText(t.text, start, raw, false)
			if !spec {
				text = strings.ReplaceAll(strings.ReplaceAll(text, "{{", "{"), "}}", "}")
			}
			values = append(values, &Constant{exprNode: p.exprFrom(start), Kind: StringConst, Text: text})
		case t.is("{"):
			values = append(values, p.parseNested(func() Expr { return p.parseField(raw) }))
		default:
			return values
		}
	}
}

// parseField reads {value=!conversion:format}.
func (p *parser) parseField(raw bool) Expr {
	start := p.start()
	p.next()
	textStart := p.end()
	if t := p.tok(); t.is("}") || t.is("!") || t.is(":") || t.is("=") {
		p.failAt(diag.New("fstring-empty", t.span))
		return p.badExpr()
	}
	v := &FormattedValue{}
	if p.at("yield") {
		v.Value = p.parseYield()
	} else {
		v.Value = p.parseExprList()
	}
	if p.accept("=") {
		// f"{x=}" shows the text up to "=", blanks included.
		v.Debug = p.file.Slice(source.Span{Start: textStart, End: p.start()})
	}
	if p.accept("!") {
		v.Conversion = p.parseConversion()
	}
	if p.accept(":") {
		at := p.start()
		parts := p.parseFStringParts(raw, true)
		v.Format = &JoinedStr{p.exprFrom(at), joinConstants(parts)}
	}
	// Python shows repr for {x=} unless a format or a conversion says otherwise.
	if v.Debug != "" && v.Conversion == 0 && v.Format == nil {
		v.Conversion = 'r'
	}
	p.expect("}")
	v.exprNode = p.exprFrom(start)
	return v
}

func (p *parser) parseConversion() byte {
	t := p.tok()
	if t.kind == identifier && (t.text == "r" || t.text == "s" || t.text == "a") {
		p.next()
		return t.text[0]
	}
	p.failAt(diag.New("fstring-conversion", t.span, p.quoteToken()))
	return 0
}
