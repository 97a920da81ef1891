package main

import (
	"encoding/json"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/diag/example"
)

// mistakeText is the example of a diagnostic's code as the page shows it; src/content/mistakes.ts has the same fields.
type mistakeText struct {
	Refused string `json:"refused"` // a program that yields the code
	Fixed   string `json:"fixed"`   // the same put right
}

// importLines are above every kernel of an example; a card has no room for what goes without saying.
const importLines = "import triton\nimport triton.language as tl\n\n\n"

// mistakes are the examples of all codes that have one, by code, as JSON.
func mistakes() ([]byte, error) {
	texts := map[string]mistakeText{}
	for _, code := range diag.Codes() {
		if e := example.Of(code); e.Bad != "" {
			texts[code] = mistakeText{strings.TrimPrefix(e.Bad, importLines), strings.TrimPrefix(e.Good, importLines)}
		}
	}
	return json.Marshal(texts)
}
