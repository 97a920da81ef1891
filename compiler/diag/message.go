package diag

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/source"
)

// Lang is a language that diagnostics speak.
type Lang uint8

// The languages.
const (
	English Lang = iota
	Chinese
)

// ParseLang reads a language tag ("en", "zh-CN", "zh_Hans.UTF-8"); whatever is not Chinese is English.
func ParseLang(tag string) Lang {
	if strings.HasPrefix(strings.ToLower(tag), "zh") {
		return Chinese
	}
	return English
}

func (l Lang) String() string { return [...]string{"en", "zh"}[l] }

// Rendered is a diagnostic put into words.
type Rendered struct {
	Headline, Label, Why, Help string
	Triton                     string // Triton's own words, always English
	Related                    []RenderedLabel
	Fixes                      []RenderedFix
}

// RenderedLabel is a Label put into words.
type RenderedLabel struct {
	Span source.Span
	Text string
}

// RenderedFix is a Fix put into words.
type RenderedFix struct {
	Title string
	Safe  bool
	Edits []Edit
}

// In puts the diagnostic into words. A code that the catalogue lacks is shown as it is.
func (d *Diagnostic) In(lang Lang) Rendered {
	e, ok := Lookup(d.Code)
	if !ok {
		e.En.Headline, e.Zh.Headline = d.Code, d.Code
	}
	m := pick(lang, e.En, e.Zh)
	r := Rendered{
		Headline: fill(lang, m.Headline, d.Args),
		Label:    fill(lang, m.Label, d.Args),
		Why:      fill(lang, m.Why, d.Args),
		Help:     fill(lang, m.Help, d.Args),
		Triton:   fill(lang, e.TritonIn(d.Version), d.Args),
	}
	if d.Primary.Text.Key != "" {
		r.Label = d.Primary.Text.In(lang)
	}
	for _, l := range d.Related {
		r.Related = append(r.Related, RenderedLabel{l.Span, l.Text.In(lang)})
	}
	for _, f := range d.Fixes {
		r.Fixes = append(r.Fixes, RenderedFix{f.Title.In(lang), f.Safe, f.Edits})
	}
	return r
}

// In puts a phrase into words. A key that the catalogue lacks is shown as it is.
func (t Text) In(lang Lang) string {
	p, ok := phrases()[t.Key]
	if !ok {
		p.En, p.Zh = t.Key, t.Key
	}
	return fill(lang, pick(lang, p.En, p.Zh), t.Args)
}

func pick[T any](lang Lang, en, zh T) T {
	if lang == Chinese {
		return zh
	}
	return en
}

// worded is an argument that has words of its own in each language, as Text has.
type worded interface{ In(Lang) string }

// counted are the nouns with which messages count.
const counted = " elements bytes dimensions seconds values programs lanes bits places times tests registers levels jobs " +
	"columns arguments launches steps rows iterations configs cells parameters connections files errors warnings hints "

// agreeing are verbs behind such a noun.
var agreeing = map[string]string{" are ": " is ", " have ": " has "}

// singular is what stands behind the number 1, written for every other number. In "1 of {1} elements are", the verb
// alone agrees.
func singular(text string) string {
	of := ""
	if n := len(" of {1}"); strings.HasPrefix(text, " of {") && len(text) > n {
		of, text = text[:n], text[n:]
	}
	end := 1
	for end < len(text) && 'a' <= text[end] && text[end] <= 'z' {
		end++
	}
	if end == 1 || text[0] != ' ' || !strings.Contains(counted, text[:end]+" ") {
		return of + text
	}
	noun, rest := text[:end], text[end:]
	for plural, one := range agreeing {
		if after, ok := strings.CutPrefix(rest, plural); ok {
			rest = one + after
		}
	}
	if of == "" {
		noun = strings.Replace(strings.TrimSuffix(noun, "s"), "launche", "launch", 1)
	}
	return of + noun + rest
}

// fill replaces {0}, {1}, …; a brace before anything else stands for itself.
func fill(lang Lang, text string, args []any) string {
	var b strings.Builder
	for text != "" {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		b.WriteString(text[:open])
		text = text[open:]
		digits, rest, closed := strings.Cut(text[1:], "}")
		n, err := strconv.ParseUint(digits, 10, 8)
		if !closed || err != nil || int(n) >= len(args) {
			b.WriteByte('{')
			text = text[1:]
			continue
		}
		if w, ok := args[n].(worded); ok {
			b.WriteString(w.In(lang))
		} else {
			fmt.Fprint(&b, args[n])
		}
		if text = rest; lang == English && fmt.Sprint(args[n]) == "1" {
			text = singular(rest)
		}
	}
	b.WriteString(text)
	return b.String()
}
