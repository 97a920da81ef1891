package diag

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/newtlab/newt/compiler/triton"
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
	Triton []Quote // the message of Triton's GPU compiler, if newt quotes one, oldest first
	Warns  string  // in place of it: what Triton warns of and compiles
}

// Quote is what Triton says from a version on.
type Quote struct {
	Since triton.Version
	Text  string
}

// TritonIn is what a version of Triton says; "" where newt quotes nothing.
func (e *Entry) TritonIn(v triton.Version) string {
	said := e.Warns
	for _, q := range e.Triton {
		if v.AtLeast(q.Since) {
			said = q.Text
		}
	}
	return said
}

// IsRefused reports whether Triton's compiler refuses what a diagnostic is about.
func (d *Diagnostic) IsRefused() bool {
	e, _ := Lookup(d.Code)
	return e.Warns == "" && fill(English, e.TritonIn(d.Version), d.Args) != ""
}

// Phrase is a short text used for labels and fix titles.
type Phrase struct{ Key, En, Zh string }

// catalogFiles are the entries of the compiler, a text file per area, since the page's first
// program is sent without their words (see embedded.go in frontend/build).
//
//go:embed catalog/*.txt
var catalogFiles embed.FS

//go:embed phrases.txt
var phraseText string

var (
	texts       = []func() string{func() string { return catalogText("*") }}
	phraseTexts = []string{phraseText}

	entries = sync.OnceValue(func() map[string]Entry {
		return index(readEntries(texts...), func(e Entry) string { return e.Code })
	})
	phrases = sync.OnceValue(func() map[string]Phrase {
		return index(readPhrases(), func(p Phrase) string { return p.Key })
	})
)

// Register adds the catalogue of a package, which calls it in its init function, as with crypto.RegisterHash: a program
// has the words of what it links. The text of the entries is asked for with the first of them; nil stands for none.
//
// An entry is a line with its code, then a line for each of its texts: two spaces, the text's name, the text in
// English; the next line, with no name, is the same in Chinese. What Triton says is "triton", "triton-3.7" what it says
// from that version on, "warns" what it says of what it compiles all the same. Empty lines and those that begin with #
// are for readers. A phrase is a line: its key, a tab, English, a tab, Chinese.
func Register(entries func() string, phrases string) {
	if entries != nil {
		texts = append(texts, entries)
	}
	phraseTexts = append(phraseTexts, phrases)
}

// catalogText is the text of an area of catalogFiles, or of all ("*").
func catalogText(area string) string {
	var b strings.Builder
	names, _ := fs.Glob(catalogFiles, "catalog/"+area+".txt")
	for _, name := range names {
		text, err := catalogFiles.ReadFile(name)
		if err != nil {
			panic(err) // it is embedded
		}
		b.Write(text)
	}
	return b.String()
}

func readEntries(texts ...func() string) (rows []Entry) {
	for _, text := range texts {
		more, err := parseEntries(text())
		if err != nil {
			panic(err) // a test reads them all
		}
		rows = append(rows, more...)
	}
	return rows
}

func readPhrases() (rows []Phrase) {
	for _, text := range phraseTexts {
		for line := range strings.SplitSeq(text, "\n") {
			if line != "" && line[0] != '#' {
				key, words, _ := strings.Cut(line, "\t")
				en, zh, _ := strings.Cut(words, "\t")
				rows = append(rows, Phrase{key, en, zh})
			}
		}
	}
	return rows
}

func parseEntries(text string) (rows []Entry, err error) {
	var field string
	for _, line := range strings.Split(text, "\n") {
		switch key, words, found := strings.Cut(strings.TrimPrefix(line, "  "), " "); {
		case line == "" || line[0] == '#':
		case line[0] != ' ':
			rows, field = append(rows, Entry{Code: line}), ""
		case len(rows) == 0 || !found:
			return nil, fmt.Errorf("%q belongs to no entry", line)
		default:
			e, language := &rows[len(rows)-1], Chinese
			if key != "" {
				field, language = key, English
			}
			if version, ok := strings.CutPrefix(field, "triton"); ok && language == English {
				if err := e.quote(strings.TrimPrefix(version, "-"), strings.TrimLeft(words, " ")); err != nil {
					return nil, fmt.Errorf("%s: %w", e.Code, err)
				}
				continue
			}
			slot := e.text(field, language)
			if slot == nil || *slot != "" {
				return nil, fmt.Errorf("%s: %q is no text of an entry, or given twice", e.Code, line)
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
	case "warns":
		if lang == English {
			return &e.Warns
		}
	}
	return nil
}

// quote adds what Triton says from a version on, or ("") in all of those before.
func (e *Entry) quote(version, words string) error {
	var since triton.Version
	if version != "" {
		var err error
		if since, err = triton.Parse(version); err != nil {
			return err
		}
	}
	if n := len(e.Triton); n > 0 && e.Triton[n-1].Since >= since {
		return fmt.Errorf("%q is not of a later version than what is before it", words)
	}
	e.Triton = append(e.Triton, Quote{since, words})
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
