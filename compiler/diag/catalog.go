package diag

import (
	"maps"
	"slices"
	"strings"
)

// Message is what one diagnostic says in one language. {0}, {1}, … stand for its arguments.
// Headline: lower case, no full stop, names in backquotes, able to stand alone.
// Label: a few words beside the span. Why: the rule. Help: what to do next.
type Message struct{ Headline, Label, Why, Help string }

// Entry is one row of the catalogue.
type Entry struct {
	Code   string
	En, Zh Message
	Triton string // what Triton's GPU compiler itself says, where newt quotes it
}

// Phrase is a short text used for labels and fix titles.
type Phrase struct{ Key, En, Zh string }

// The catalogue is one table per area; the map is the only way in.
var (
	entries = index(slices.Concat(textEntries, syntaxEntries, resolveEntries, lowerEntries, runtimeEntries, hostEntries, judgeEntries, shareEntries, runnerEntries, ptxEntries),
		func(e Entry) string { return e.Code })
	phrases = index(slices.Concat(syntaxPhrases, resolvePhrases, lowerPhrases, runtimePhrases, hostPhrases, judgePhrases, freePhrases, sharePhrases),
		func(p Phrase) string { return p.Key })
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
