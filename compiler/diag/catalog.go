package diag

import (
	"maps"
	"slices"
	"strings"
)

// Message is the text of one diagnostic in one language. {0}, {1}, … stand for its arguments.
type Message struct {
	Headline string // complete by itself: lower case, no full stop, names in backquotes
	Label    string // a few words next to the span, in the same style
	Why      string // the rule that was broken, in sentences
	Help     string // what to do next, in sentences
}

// Entry is one row of the catalogue.
type Entry struct {
	Code   string
	En, Zh Message
	Triton string // the message of Triton's GPU compiler, if newt quotes one
}

// Phrase is a short text used for labels and fix titles.
type Phrase struct{ Key, En, Zh string }

// The catalogue is one table per area; the maps are the only way in.
var (
	entryRows = slices.Concat(textEntries, syntaxEntries, resolveEntries, lowerEntries, runtimeEntries,
		hostEntries, judgeEntries, shareEntries, runnerEntries, ptxEntries, documentEntries, recordedEntries)
	phraseRows = slices.Concat(syntaxPhrases, resolvePhrases, lowerPhrases, runtimePhrases,
		hostPhrases, judgePhrases, freePhrases, authorPhrases, sharePhrases, inspectPhrases, whyPhrases,
		proofPhrases, recordedPhrases)

	entries = index(entryRows, func(e Entry) string { return e.Code })
	phrases = index(phraseRows, func(p Phrase) string { return p.Key })
)

func index[T any](rows []T, key func(T) string) map[string]T {
	m := make(map[string]T, len(rows))
	for _, r := range rows {
		m[key(r)] = r
	}
	return m
}

// Lookup finds the catalogue entry of a code.
func Lookup(code string) (Entry, bool) {
	e, ok := entries[code]
	return e, ok
}

// Codes lists every code of the catalogue in order.
func Codes() []string { return slices.Sorted(maps.Keys(entries)) }

// FindPhrase finds the phrase of a key.
func FindPhrase(key string) (Phrase, bool) {
	p, ok := phrases[key]
	return p, ok
}

// Phrases lists every phrase of the catalogue in the order of their keys.
func Phrases() []Phrase {
	return slices.SortedFunc(maps.Values(phrases), func(a, b Phrase) int { return strings.Compare(a.Key, b.Key) })
}
