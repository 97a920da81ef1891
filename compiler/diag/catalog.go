package diag

import "slices"

// Message is what one diagnostic says in one language. {0}, {1}, … stand for its arguments.
// Headline: lower case, no full stop, names in backquotes, able to stand alone.
// Label: a few words beside the span. Why: the rule. Help: what to do next.
type Message struct{ Headline, Label, Why, Help string }

// Entry is one row of the catalogue.
type Entry struct {
	Code   string
	En, Zh Message
	Triton string // what Triton's GPU compiler itself says, where newt quotes it
	Bad    string // a kernel that yields this code, checked by a test
	Good   string // the same kernel put right
}

// Phrase is a short text used for labels and fix titles.
type Phrase struct{ Key, En, Zh string }

// The catalogue is one table per area; the map is the only way in.
var (
	entries = index(slices.Concat(syntaxEntries, resolveEntries, lowerEntries, runtimeEntries, hostEntries, judgeEntries),
		func(e Entry) string { return e.Code })
	phrases = index(slices.Concat(syntaxPhrases, resolvePhrases, lowerPhrases, runtimePhrases, hostPhrases, judgePhrases),
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
func Codes() []string {
	codes := make([]string, 0, len(entries))
	for c := range entries {
		codes = append(codes, c)
	}
	slices.Sort(codes)
	return codes
}
