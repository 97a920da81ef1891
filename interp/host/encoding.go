package host

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// codecs are the encodings that newt knows, by the names that Python takes for them in lower case without "-" and "_",
// with the name in messages.
var codecs = map[string]string{"utf8": "utf-8", "u8": "utf-8", "utf8sig": "utf-8", "ascii": "ascii", "usascii": "ascii",
	"latin1": "latin-1", "iso88591": "latin-1", "l1": "latin-1"}

func codecOf(encoding string) string {
	name, ok := codecs[strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(encoding))]
	if !ok {
		lack("LookupError", "encoding "+encoding, []string{"utf-8", "ascii", "latin-1"})
	}
	return name
}

// codecLimits are the first code point that an encoding lacks.
var codecLimits = map[string]rune{"utf-8": utf8.MaxRune + 1, "ascii": 0x80, "latin-1": 0x100}

// encodeText is text.encode(encoding, errors).
func encodeText(text, encoding, errors string) string {
	codec := codecOf(encoding)
	limit := codecLimits[codec]
	var b strings.Builder
	at := 0
	for _, r := range text {
		switch {
		case r < limit && codec == "utf-8":
			b.WriteRune(r)
		case r < limit:
			b.WriteByte(byte(r))
		case errors == "ignore":
		case errors == "replace":
			b.WriteByte('?')
		case errors == "backslashreplace":
			b.WriteString(strings.Trim(python.ASCII(python.Str(r)), "'"))
		case errors == "xmlcharrefreplace":
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			raiseCodec("UnicodeEncodeError", codec, python.Str(text), at,
				fmt.Sprintf("character '%s' in position %d: ordinal not in range(%d)",
					strings.Trim(python.ASCII(python.Str(r)), "'"), at, limit), "encode")
		}
		at++
	}
	return b.String()
}

// decodeBytes is data.decode(encoding, errors).
func decodeBytes(data, encoding, errors string) Value {
	codec := codecOf(encoding)
	var b strings.Builder
	for at := 0; at < len(data); {
		c := data[at]
		size, why := 1, ""
		switch {
		case codec == "latin-1":
			b.WriteRune(rune(c))
		case c < utf8.RuneSelf:
			b.WriteByte(c)
		case codec == "ascii":
			why = "ordinal not in range(128)"
		default:
			var r rune
			if r, size = utf8.DecodeRuneInString(data[at:]); r != utf8.RuneError || size > 1 {
				b.WriteRune(r)
			} else {
				why, size = malformed(data[at:])
			}
		}
		switch {
		case why == "" || errors == "ignore":
		case errors == "replace":
			b.WriteRune(utf8.RuneError)
		case errors == "backslashreplace":
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			what := fmt.Sprintf("byte 0x%02x in position %d: %s", c, at, why)
			if size > 1 {
				what = fmt.Sprintf("bytes in position %d-%d: %s", at, at+size-1, why)
			}
			raiseCodec("UnicodeDecodeError", codec, Bytes(data), at, what, "decode")
		}
		at += size
	}
	return python.Str(b.String())
}

// malformed says what is wrong with UTF-8 at its start, as CPython words it, and how many bytes that concerns.
func malformed(data string) (why string, bytes int) {
	c := data[0]
	length := 0
	switch {
	case c >= 0xc2 && c < 0xe0:
		length = 2
	case c >= 0xe0 && c < 0xf0:
		length = 3
	case c >= 0xf0 && c < 0xf5:
		length = 4
	default:
		return "invalid start byte", 1
	}
	for i, next := range []byte(data[1:min(len(data), length)]) {
		if next&0xc0 != 0x80 {
			return "invalid continuation byte", i + 1
		}
	}
	if len(data) < length {
		return "unexpected end of data", len(data)
	}
	return "invalid continuation byte", 1
}

// raiseCodec raises an error of an encoding, whose attributes say where the text fails.
func raiseCodec(class, codec string, object Value, at int, what, verb string) {
	e := newException(exceptions[class], python.Str(fmt.Sprintf("'%s' codec can't %s %s", codec, verb, what)))
	_, reason, _ := strings.Cut(what, ": ")
	for name, v := range map[string]Value{"encoding": python.Str(codec), "object": object, "start": intValue(at),
		"end": intValue(at + 1), "reason": python.Str(reason)} {
		e.attrs.put(name, v)
	}
	panic(&raised{exception: e})
}
