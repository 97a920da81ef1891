package python

import (
	"math"
	"math/big"
	"strings"
	"unicode/utf8"
)

// Percent is text % args, where each conversion takes one of args.
func Percent(text string, args []Value) (string, *Error) {
	return PercentArguments{Positional: args}.Fill(text)
}

// PercentArguments are what stands right of text % …: a tuple, or a mapping for %(name)s.
type PercentArguments struct {
	Positional []Value
	Named      func(name string) (Value, *Error)     // nil if the arguments are no mapping
	Text       func(v Value, conversion rune) string // of %s, %r and %a; nil knows the values of this package
	Number     func(v Value) Value                   // what the other conversions take for v; nil takes v itself
}

// Fill is text % a.
func (a PercentArguments) Fill(text string) (string, *Error) {
	if a.Text == nil {
		a.Text = func(v Value, conversion rune) string {
			return map[rune]func(Value) string{'s': String, 'r': Repr, 'a': ASCII}[conversion](v)
		}
	}
	if a.Number == nil {
		a.Number = func(v Value) Value { return v }
	}
	p := percent{text: text, rest: text, args: a.Positional, given: a}
	for p.rest != "" {
		before, after, found := strings.Cut(p.rest, "%")
		p.out.WriteString(before)
		p.rest = after
		if !found {
			break
		}
		if err := p.conversion(); err != nil {
			return "", err
		}
		if p.out.Len() > maxText {
			return "", &Error{Class: "MemoryError"}
		}
	}
	if len(p.args) > 0 && a.Named == nil {
		return "", typeError("not all arguments converted during string formatting")
	}
	return p.out.String(), nil
}

func percentValue(text string, args []Value) (Value, *Error) {
	s, err := Percent(text, args)
	if err != nil {
		return nil, err
	}
	return Str(s), nil
}

type percent struct {
	text string // all of it
	rest string // what is still to be read
	args []Value
	out  strings.Builder

	given PercentArguments
	named Value // the argument of the conversion at hand, where it has a name
}

func (p *percent) arg() (Value, *Error) {
	if p.named != nil {
		return p.named, nil
	}
	if len(p.args) == 0 {
		return nil, typeError("not enough arguments for format string")
	}
	v := p.args[0]
	p.args = p.args[1:]
	return v, nil
}

// number reads a width or a precision, which * takes from the arguments.
func (p *percent) number() (int, *Error) {
	if !strings.HasPrefix(p.rest, "*") {
		n, rest, err := takeNumber(p.rest)
		p.rest = rest
		return n, err
	}
	p.rest = p.rest[1:]
	v, err := p.arg()
	if err != nil {
		return 0, err
	}
	i, ok := p.given.Number(v).(Int)
	n, fits := i.Int64()
	switch {
	case !ok:
		return 0, typeError("* wants int")
	case !fits || n > maxWidth || n < -maxWidth:
		return 0, valueError("Too many decimal digits in format string")
	}
	return int(n), nil
}

func (p *percent) conversion() *Error {
	if strings.HasPrefix(p.rest, "%") {
		p.out.WriteByte('%')
		p.rest = p.rest[1:]
		return nil
	}
	if err := p.name(); err != nil {
		return err
	}
	flags := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "-+ #0"))]
	p.rest = p.rest[len(flags):]
	s := percentSpec(flags)
	var err *Error
	if s.width, err = p.number(); err != nil {
		return err
	}
	if s.width < -1 {
		s.width, s.align = -s.width, '<'
	}
	if strings.HasPrefix(p.rest, ".") {
		p.rest = p.rest[1:]
		if s.precision, err = p.number(); err != nil {
			return err
		}
		s.precision = max(s.precision, 0)
	}
	p.rest = strings.TrimLeft(p.rest, "hlL")
	kind, size := utf8.DecodeRuneInString(p.rest)
	if size == 0 {
		return valueError("incomplete format")
	}
	p.rest = p.rest[size:]
	text, err := p.convert(s, kind)
	p.out.WriteString(text)
	return err
}

// name reads the (name) of a conversion, if it has one, and finds its argument.
func (p *percent) name() *Error {
	p.named = nil
	if !strings.HasPrefix(p.rest, "(") {
		return nil
	}
	name, rest, closed := strings.Cut(p.rest[1:], ")")
	switch {
	case p.given.Named == nil:
		return typeError("format requires a mapping")
	case !closed:
		return valueError("incomplete format key")
	}
	v, err := p.given.Named(name)
	p.named, p.rest = v, rest
	return err
}

func percentSpec(flags string) spec {
	s := spec{fill: ' ', align: '>', precision: -1, alternate: strings.Contains(flags, "#")}
	if strings.Contains(flags, " ") {
		s.sign = ' '
	}
	if strings.Contains(flags, "+") {
		s.sign = '+'
	}
	if strings.Contains(flags, "0") {
		s.fill, s.align = '0', '='
	}
	if strings.Contains(flags, "-") {
		s.fill, s.align = ' ', '<'
	}
	return s
}

func (p *percent) convert(s spec, kind rune) (string, *Error) {
	v, err := p.arg()
	if err != nil {
		return "", err
	}
	if kind == 's' || kind == 'r' || kind == 'a' {
		return s.plain(p.given.Text(v, kind)), nil
	}
	switch v = p.given.Number(v); kind {
	case 'd', 'i', 'u', 'o', 'x', 'X':
		return s.percentInt(v, byte(kind))
	case 'e', 'E', 'f', 'F', 'g', 'G':
		f, ok, err := AsFloat(v)
		if !ok {
			return "", typeError("must be real number, not %s", v.Type())
		} else if err != nil {
			return "", err
		}
		s.kind = byte(kind)
		sign := s.signOf(math.Signbit(f) && !math.IsNaN(f))
		return s.pad(sign, s.floatBody(math.Abs(f)), '>'), nil
	case 'c':
		return s.percentChar(v)
	}
	return "", valueError("unsupported format character '%c' (0x%x) at index %d", kind, kind,
		utf8.RuneCountInString(p.text[:len(p.text)-len(p.rest)])-1)
}

// plain pads a text, of which the precision keeps the start.
func (s spec) plain(text string) string {
	if s.precision >= 0 && utf8.RuneCountInString(text) > s.precision {
		text = string([]rune(text)[:s.precision])
	}
	if s.align == '=' {
		s.fill, s.align = ' ', '>'
	}
	return s.pad("", text, '>')
}

func (s spec) percentChar(v Value) (string, *Error) {
	if t, ok := v.(Str); ok && utf8.RuneCountInString(string(t)) == 1 {
		s.precision = -1
		return s.plain(string(t)), nil
	}
	i, ok := AsInt(v)
	if !ok {
		return "", typeError("%%c requires int or char")
	}
	n, fits := i.Int64()
	if !fits || n < 0 || n > utf8.MaxRune {
		return "", overflow("%c arg not in range(0x110000)")
	}
	s.precision = -1
	return s.plain(string(rune(n))), nil
}

func (s spec) percentInt(v Value, kind byte) (string, *Error) {
	i, ok := AsInt(v)
	if f, isFloat := v.(Float); isFloat && strings.IndexByte("diu", kind) >= 0 {
		whole, err := f.Whole()
		if err != nil {
			return "", err
		}
		i, ok = whole, true
	}
	if !ok {
		if strings.IndexByte("diu", kind) >= 0 {
			return "", typeError("%%%c format: a real number is required, not %s", kind, v.Type())
		}
		return "", typeError("%%%c format: an integer is required, not %s", kind, v.Type())
	}
	if kind == 'i' || kind == 'u' {
		kind = 'd'
	}
	base := integerBases[kind]
	digits := new(big.Int).Abs(i.Big()).Text(base.base)
	if kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	if missing := s.precision - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	sign := s.signOf(i.Sign() < 0)
	if s.alternate {
		sign += base.prefix
	}
	return s.pad(sign, digits, '>'), nil
}
