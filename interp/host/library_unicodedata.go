package host

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/python"
)

// unicodedataFunctions are those of unicodedata for which Go has the tables. A text is its own normal form where that
// needs none.
func unicodedataFunctions() map[string]method {
	normal := func(m *machine, a arguments) bool {
		form := m.strOf(a.positional[0])
		if !strings.Contains("NFC NFD NFKC NFKD", form) {
			raise("ValueError", "invalid normalization form")
		}
		for _, r := range m.strOf(a.positional[1]) {
			// The first combining character is U+0300: below it, NFC composes nothing.
			if r >= utf8.RuneSelf && (form != "NFC" || r >= 0x300) {
				return false
			}
		}
		return true
	}
	return map[string]method{
		"normalize(form, unistr, /)": func(m *machine, a arguments) Value {
			if !normal(m, a) {
				lack("ValueError", "unicodedata.normalize of "+python.Repr(a.positional[1]), nil)
			}
			return a.positional[1]
		},
		"is_normalized(form, unistr, /)": func(m *machine, a arguments) Value {
			if !normal(m, a) {
				lack("ValueError", "unicodedata.is_normalized of "+python.Repr(a.positional[1]), nil)
			}
			return python.Bool(true)
		},
		"category(chr, /)": func(m *machine, a arguments) Value {
			text := []rune(m.strOf(a.positional[0]))
			if len(text) != 1 {
				raise("TypeError", "category() argument must be a unicode character, not a string of length %d",
					len(text))
			}
			for name, table := range unicode.Categories {
				if len(name) == 2 && name != "LC" && unicode.Is(table, text[0]) {
					return python.Str(name)
				}
			}
			return python.Str("Cn")
		},
	}
}
