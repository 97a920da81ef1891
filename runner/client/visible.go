package client

import (
	"fmt"
	"strings"
	"unicode"
)

// visible writes control characters as escapes such as \x1b. What a runner sends may end up on a
// terminal, which a hostile one could otherwise reprogram.
func visible(text string) string {
	if strings.IndexFunc(text, isUnsafe) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isUnsafe(r) {
			fmt.Fprintf(&b, `\x%02x`, r) // control characters end at U+009F
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isUnsafe is true for all control characters (C0, DEL, C1) but line feeds and tabs.
func isUnsafe(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }
