package diag

import (
	"maps"
	"slices"
	"strings"
)

// SourceEntries are the rows whose examples need nothing but parsing and resolving.
var SourceEntries = readEntries(func() string { return catalogText("text") + catalogText("syntax") + catalogText("resolve") })

// RowNames lists the codes and the keys of all rows, as often as they occur.
func RowNames() []string {
	var names []string
	for _, e := range readEntries(texts...) {
		names = append(names, "code "+e.Code)
	}
	for _, p := range readPhrases() {
		names = append(names, "phrase "+p.Key)
	}
	return names
}

// FindPhrase finds the phrase of a key.
func FindPhrase(key string) (Phrase, bool) {
	p, ok := phrases()[key]
	return p, ok
}

// Phrases lists every phrase of the catalogue in the order of their keys.
func Phrases() []Phrase {
	return slices.SortedFunc(maps.Values(phrases()), func(a, b Phrase) int { return strings.Compare(a.Key, b.Key) })
}
