package host

import "unicode/utf8"

// textCache has the characters of the long texts that were indexed last: a loop over the places of a text takes it
// apart once.
type textCache struct {
	entries [4]textEntry
	next    int // the entry that is replaced next
}

type textEntry struct {
	text  string
	runes []rune // nil of a text in ASCII
}

// longText is the length from which a text is kept, in bytes.
const longText = 64

// runesOf are the characters of a text; of one in ASCII they are its bytes.
func (c *textCache) runesOf(text string) (runes []rune, ascii bool) {
	if len(text) >= longText {
		for i := range c.entries {
			if e := &c.entries[i]; e.text == text {
				return e.runes, e.runes == nil
			}
		}
	}
	if utf8.RuneCountInString(text) < len(text) {
		runes = []rune(text)
	}
	if len(text) >= longText {
		c.entries[c.next] = textEntry{text, runes}
		c.next = (c.next + 1) % len(c.entries)
	}
	return runes, runes == nil
}
