package python

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// spec is a format specification: [[fill]align][sign][#][0][width][grouping][.precision][type].
type spec struct {
	fill      rune
	align     byte // < > = ^ or 0
	sign      byte // + - space or 0
	alternate bool
	noMinus0  bool
	width     int
	group     byte // , _ or 0
	precision int  // -1 if absent
	kind      byte // or 0
}

// maxWidth is the greatest width and precision of a format.
const maxWidth = 1 << 16

// Format is format(v, text), as f-strings apply it.
func Format(v Value, text string) (string, *Error) {
	if text == "" {
		return String(v), nil
	}
	switch v := v.(type) {
	case Str:
		s, err := parseSpec(text, v)
		if err != nil {
			return "", err
		}
		return s.text(string(v))
	case Float:
		s, err := parseSpec(text, v)
		if err != nil {
			return "", err
		}
		return s.float(float64(v), v)
	case Int, Bool:
		s, err := parseSpec(text, v)
		if err != nil {
			return "", err
		}
		i, _ := AsInt(v)
		return s.integer(i, v)
	}
	return "", typeError("unsupported format string passed to %s.__format__", v.Type())
}

func parseSpec(text string, v Value) (spec, *Error) {
	s := spec{fill: ' ', precision: -1}
	rest := text
	isAlign := func(t string) bool { return t != "" && strings.IndexByte("<>=^", t[0]) >= 0 }
	filled := false
	if r, size := utf8.DecodeRuneInString(rest); size > 0 && isAlign(rest[size:]) {
		filled = true
		s.fill, s.align, rest = r, rest[size], rest[size+1:]
	} else if isAlign(rest) {
		s.align, rest = rest[0], rest[1:]
	}
	take := func(set string) byte {
		if rest != "" && strings.IndexByte(set, rest[0]) >= 0 {
			c := rest[0]
			rest = rest[1:]
			return c
		}
		return 0
	}
	s.sign = take("+- ")
	s.noMinus0 = take("z") != 0
	s.alternate = take("#") != 0
	if !filled && take("0") != 0 {
		s.fill = '0'
		if _, isStr := v.(Str); s.align == 0 && !isStr {
			s.align = '='
		}
	}
	var err *Error
	if s.width, rest, err = takeNumber(rest); err != nil {
		return s, err
	}
	s.width = max(s.width, 0)
	s.group = take(",_")
	if s.group != 0 && take(",_") != 0 {
		return s, valueError("Cannot specify both ',' and '_'.")
	}
	if take(".") != 0 {
		if s.precision, rest, err = takeNumber(rest); err != nil {
			return s, err
		}
		if s.precision < 0 {
			return s, valueError("Format specifier missing precision")
		}
	}
	if _, size := utf8.DecodeRuneInString(rest); size < len(rest) {
		return s, valueError("Invalid format specifier '%s' for object of type '%s'", text, v.Type())
	}
	if rest != "" {
		s.kind = rest[0]
		if rest[0] >= utf8.RuneSelf {
			return s, unknownKind(rest, v)
		}
	}
	return s, nil
}

// takeNumber reads digits; n is -1 if there are none.
func takeNumber(text string) (n int, rest string, err *Error) {
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if end == 0 {
		return -1, text, nil
	}
	n, convErr := strconv.Atoi(text[:end])
	if convErr != nil || n > maxWidth {
		return 0, "", valueError("Too many decimal digits in format string")
	}
	return n, text[end:], nil
}

func unknownKind(kind string, v Value) *Error {
	return valueError("Unknown format code '%s' for object of type '%s'", kind, v.Type())
}

// pad fills to the width; sign is what precedes the digits.
func (s spec) pad(sign, body string, usual byte) string {
	align := s.align
	if align == 0 {
		align = usual
	}
	missing := s.width - utf8.RuneCountInString(sign) - utf8.RuneCountInString(body)
	if missing <= 0 {
		return sign + body
	}
	fill := func(n int) string { return strings.Repeat(string(s.fill), n) }
	switch align {
	case '<':
		return sign + body + fill(missing)
	case '^':
		return fill(missing/2) + sign + body + fill(missing-missing/2)
	case '=':
		return sign + fill(missing) + body
	}
	return fill(missing) + sign + body
}

func (s spec) text(v string) (string, *Error) {
	switch {
	case s.kind != 0 && s.kind != 's':
		return "", unknownKind(string(s.kind), Str(v))
	case s.sign == ' ':
		return "", valueError("Space not allowed in string format specifier")
	case s.sign != 0:
		return "", valueError("Sign not allowed in string format specifier")
	case s.noMinus0:
		return "", valueError("Negative zero coercion (z) not allowed in string format specifier")
	case s.alternate:
		return "", valueError("Alternate form (#) not allowed in string format specifier")
	case s.align == '=':
		return "", valueError("'=' alignment not allowed in string format specifier")
	case s.group != 0:
		return "", valueError("Cannot specify '%c' with 's'.", s.group)
	}
	if s.precision >= 0 && utf8.RuneCountInString(v) > s.precision {
		v = string([]rune(v)[:s.precision])
	}
	return s.pad("", v, '<'), nil
}

func (s spec) signOf(negative bool) string {
	switch {
	case negative:
		return "-"
	case s.sign == '+' || s.sign == ' ':
		return string(s.sign)
	}
	return ""
}

var integerBases = map[byte]struct {
	base   int
	prefix string
}{'b': {2, "0b"}, 'o': {8, "0o"}, 'x': {16, "0x"}, 'X': {16, "0X"}, 'd': {10, ""}, 'n': {10, ""}, 0: {10, ""}}

func (s spec) integer(i Int, v Value) (string, *Error) {
	if strings.IndexByte("eEfFgG%", s.kind) >= 0 && s.kind != 0 {
		f, err := i.float()
		if err != nil {
			return "", err
		}
		return s.float(f, v)
	}
	base, ok := integerBases[s.kind]
	switch {
	case s.kind == 'c':
		return s.character(i)
	case !ok:
		return "", unknownKind(string(s.kind), v)
	case s.precision >= 0:
		return "", valueError("Precision not allowed in integer format specifier")
	case s.noMinus0:
		return "", valueError("Negative zero coercion (z) not allowed in integer format specifier")
	case s.group == ',' && s.kind != 0 && s.kind != 'd', s.group == '_' && s.kind == 'n':
		return "", valueError("Cannot specify '%c' with '%c'.", s.group, s.kind)
	}
	digits := new(big.Int).Abs(i.Big()).Text(base.base)
	if s.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	sign := s.signOf(i.Sign() < 0)
	if s.alternate {
		sign += base.prefix
	}
	every := 3
	if base.base != 10 {
		every = 4
	}
	return s.pad(sign, s.grouped(digits, "", every, len(sign)), '>'), nil
}

func (s spec) character(i Int) (string, *Error) {
	n, ok := i.Int64()
	switch {
	case s.sign != 0:
		return "", valueError("Sign not allowed with integer format specifier 'c'")
	case s.group != 0:
		return "", valueError("Cannot specify '%c' with 'c'.", s.group)
	case !ok:
		return "", overflow("Python int too large to convert to C long")
	case n < 0 || n > utf8.MaxRune:
		return "", overflow("%c arg not in range(0x110000)")
	}
	return s.pad("", string(rune(n)), '<'), nil
}

// grouped puts separators between the digits, and zeros before them where the width asks for zeros.
func (s spec) grouped(digits, tail string, every, before int) string {
	if s.group == 0 {
		return digits + tail
	}
	if s.fill == '0' && s.align == '=' {
		n := len(digits)
		for separated(n+1, every)+len(tail)+before <= s.width {
			n++
		}
		if separated(n, every)+len(tail)+before < s.width { // a separator would come first
			n++
		}
		digits = strings.Repeat("0", n-len(digits)) + digits
	}
	var b strings.Builder
	for i := range len(digits) {
		if i > 0 && (len(digits)-i)%every == 0 {
			b.WriteByte(s.group)
		}
		b.WriteByte(digits[i])
	}
	return b.String() + tail
}

// separated is the length of n digits with their separators.
func separated(n, every int) int { return n + (n-1)/every }

func (s spec) float(f float64, v Value) (string, *Error) {
	if s.kind != 0 && strings.IndexByte("eEfFgGn%", s.kind) < 0 {
		return "", unknownKind(string(s.kind), v)
	}
	if s.group != 0 && s.kind == 'n' {
		return "", valueError("Cannot specify '%c' with 'n'.", s.group)
	}
	body := s.floatBody(math.Abs(f))
	negative := math.Signbit(f) && !math.IsNaN(f)
	if s.noMinus0 && strings.Trim(body, "0.e+-%") == "" {
		negative = false
	}
	sign := s.signOf(negative)
	if !math.IsInf(f, 0) && !math.IsNaN(f) {
		whole := strings.IndexFunc(body, func(r rune) bool { return r < '0' || r > '9' })
		if whole < 0 {
			whole = len(body)
		}
		body = s.grouped(body[:whole], body[whole:], 3, len(sign))
	}
	return s.pad(sign, body, '>'), nil
}

// floatBody writes a number that is not negative.
func (s spec) floatBody(f float64) string {
	kind, precision := s.kind, s.precision
	upper := kind == 'E' || kind == 'F' || kind == 'G'
	if upper {
		kind += 'a' - 'A'
	}
	if precision < 0 && kind != 0 {
		precision = 6
	}
	if kind == '%' {
		f *= 100
	}
	var text string
	switch {
	case math.IsInf(f, 0):
		text = "inf"
	case math.IsNaN(f):
		text = "nan"
	case kind == 'e':
		text = s.point(strconv.FormatFloat(f, 'e', precision, 64))
	case kind == 'f':
		text = s.point(strconv.FormatFloat(f, 'f', precision, 64))
	case kind == '%':
		text = s.point(strconv.FormatFloat(f, 'f', precision, 64))
	case kind == 0 && precision < 0:
		text = formatRepr(f)
	default:
		text = s.general(f, max(precision, 1), kind == 0)
	}
	if kind == '%' {
		text += "%"
	}
	if upper {
		text = strings.ToUpper(text)
	}
	return text
}

// point adds the decimal point that "#" asks for.
func (s spec) point(text string) string {
	if !s.alternate || strings.Contains(text, ".") {
		return text
	}
	if e := strings.IndexByte(text, 'e'); e >= 0 {
		return text[:e] + "." + text[e:]
	}
	return text + "."
}

// general writes precision significant digits, with an exponent where the number is very small or
// large. A plain format (no type) has at least one digit after the point, and turns to an exponent
// one digit earlier.
func (s spec) general(f float64, precision int, plain bool) string {
	scientific := strconv.FormatFloat(f, 'e', precision-1, 64)
	e := strings.IndexByte(scientific, 'e')
	exponent, _ := strconv.Atoi(scientific[e+1:])
	limit := precision
	if plain {
		limit--
	}
	if exponent < -4 || exponent >= limit {
		return s.stripped(scientific[:e]) + scientific[e:]
	}
	text := s.stripped(strconv.FormatFloat(f, 'f', max(precision-1-exponent, 0), 64))
	if plain && !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// stripped drops the zeros at the end of a fraction, unless "#" keeps them.
func (s spec) stripped(text string) string {
	if s.alternate {
		return s.point(text)
	}
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
