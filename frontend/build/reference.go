package main

import (
	"encoding/json"

	"github.com/newtlab/newt/compiler/tl"
)

// referenceEntry is one name of the language as the page shows it; src/content/reference.ts has
// the same fields.
type referenceEntry struct {
	Path      string `json:"path"`
	Signature string `json:"signature"`
	Doc       string `json:"doc"`
	Body      string `json:"body"`    // the example's own lines
	Example   string `json:"example"` // the same as a whole file; "" where there is none
}

// languageReference lists every name of the language in the table's order as JSON.
func languageReference(lang string) ([]byte, error) {
	entries := []referenceEntry{}
	for _, row := range tl.Rows() {
		entry := referenceEntry{Path: row.Path(), Signature: row.Signature(), Doc: row.Doc().En, Body: row.Example()}
		if lang == "zh" {
			entry.Doc = row.Doc().Zh
		}
		if row.Example() != "" {
			entry.Example = row.ExampleKernel()
		}
		entries = append(entries, entry)
	}
	return json.Marshal(entries)
}
