package diag

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
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

// catalogFiles are the entries, a text file per area, since the page's first program is sent without their words (see
// embedded.go in frontend/build). The maps are the only way in.
//
//go:embed catalog/*.txt
var catalogFiles embed.FS

var (
	phraseRows = slices.Concat(syntaxPhrases, resolvePhrases, lowerPhrases, runtimePhrases,
		hostPhrases, judgePhrases, puzzlePhrases, freePhrases, authorPhrases, sharePhrases, inspectPhrases, whyPhrases,
		proofPhrases, recordedPhrases)

	entries = sync.OnceValue(func() map[string]Entry { return index(readEntries("*"), func(e Entry) string { return e.Code }) })
	phrases = index(phraseRows, func(p Phrase) string { return p.Key })
)

// readEntries reads the entries of an area, or of all ("*"). An entry is a line with its code, then a line for each of
// its texts: two spaces, the text's name, the text in English; the next line, with no name, is the same in Chinese.
// Empty lines and those that begin with # are for readers.
func readEntries(area string) (rows []Entry) {
	names, _ := fs.Glob(catalogFiles, "catalog/"+area+".txt")
	for _, name := range names {
		text, err := catalogFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		more, err := parseEntries(string(text))
		if err != nil {
			panic(name + ": " + err.Error()) // TestEntries reads them all
		}
		rows = append(rows, more...)
	}
	return rows
}

func parseEntries(text string) (rows []Entry, err error) {
	var field string
	for number, line := range strings.Split(text, "\n") {
		switch key, words, found := strings.Cut(strings.TrimPrefix(line, "  "), " "); {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			rows, field = append(rows, Entry{Code: line}), ""
		case len(rows) == 0 || !found:
			return nil, fmt.Errorf("line %d belongs to no entry", number+1)
		default:
			e, language := &rows[len(rows)-1], Chinese
			if key != "" {
				field, language = key, English
			}
			slot := e.text(field, language)
			if slot == nil || *slot != "" {
				return nil, fmt.Errorf("line %d: %q is no text of an entry, or given twice", number+1, field)
			}
			*slot = strings.TrimLeft(words, " ")
		}
	}
	return rows, nil
}

// text is where an entry has one of its texts, nil where it has none of that name.
func (e *Entry) text(name string, lang Lang) *string {
	m := pick(lang, &e.En, &e.Zh)
	switch name {
	case "headline":
		return &m.Headline
	case "label":
		return &m.Label
	case "why":
		return &m.Why
	case "help":
		return &m.Help
	case "triton":
		if lang == English {
			return &e.Triton
		}
	}
	return nil
}

func index[T any](rows []T, key func(T) string) map[string]T {
	m := make(map[string]T, len(rows))
	for _, r := range rows {
		m[key(r)] = r
	}
	return m
}

// Lookup finds the catalogue entry of a code.
func Lookup(code string) (Entry, bool) {
	e, ok := entries()[code]
	return e, ok
}

// Codes lists every code of the catalogue in order.
func Codes() []string { return slices.Sorted(maps.Keys(entries())) }

// FindPhrase finds the phrase of a key.
func FindPhrase(key string) (Phrase, bool) {
	p, ok := phrases[key]
	return p, ok
}

// Phrases lists every phrase of the catalogue in the order of their keys.
func Phrases() []Phrase {
	return slices.SortedFunc(maps.Values(phrases), func(a, b Phrase) int { return strings.Compare(a.Key, b.Key) })
}
