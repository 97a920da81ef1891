package diag

import (
	"github.com/newtlab/newt/compiler/source"
)

// JSON is a diagnostic in words, with places that need no line table to read, for tools.
type JSON struct {
	Code     string        `json:"code"`
	Severity string        `json:"severity"` // "error", "warning", "hint"
	Headline string        `json:"headline"`
	Label    string        `json:"label,omitempty"`
	Why      string        `json:"why,omitempty"`
	Help     string        `json:"help,omitempty"`
	Triton   string        `json:"triton,omitempty"`
	File     string        `json:"file"`
	Place    JSONPlace     `json:"place"`
	Related  []JSONRelated `json:"related,omitempty"`
	Fixes    []JSONFix     `json:"fixes,omitempty"`
	Runtime  *Runtime      `json:"runtime,omitempty"`
}

// JSONPlace is a span: byte offsets, and lines and columns from 1 in code points.
type JSONPlace struct {
	Start     int32 `json:"start"`
	End       int32 `json:"end"`
	Line      int   `json:"line"`
	Column    int   `json:"column"`
	EndLine   int   `json:"endLine"`
	EndColumn int   `json:"endColumn"`
}

// JSONRelated is another place that explains a diagnostic.
type JSONRelated struct {
	File  string    `json:"file,omitempty"` // where it is not that of the diagnostic
	Place JSONPlace `json:"place"`
	Text  string    `json:"text"`
}

// JSONFix is a set of edits to apply together.
type JSONFix struct {
	Title string     `json:"title"`
	Safe  bool       `json:"safe"`
	Edits []JSONEdit `json:"edits"`
}

// JSONEdit replaces a place by new text.
type JSONEdit struct {
	Place JSONPlace `json:"place"`
	New   string    `json:"new"`
}

// ToJSON puts a list into words; it is never nil, so that no diagnostics encode as [].
func ToJSON(files source.Files, list List, lang Lang) []JSON {
	out := make([]JSON, 0, len(list))
	for _, d := range list {
		r, f := d.In(lang), files.File(d.Primary.Span)
		j := JSON{
			Code: d.Code, Severity: d.Severity.String(), Runtime: d.Runtime,
			File: f.Name, Place: placeOf(f, d.Primary.Span),
			Headline: r.Headline, Label: r.Label, Why: r.Why, Help: r.Help, Triton: r.Triton,
		}
		for _, l := range r.Related {
			at := JSONRelated{Place: placeOf(files, l.Span), Text: l.Text}
			if other := files.File(l.Span); other != f {
				at.File = other.Name
			}
			j.Related = append(j.Related, at)
		}
		for _, fix := range r.Fixes {
			edits := make([]JSONEdit, len(fix.Edits))
			for i, e := range fix.Edits {
				edits[i] = JSONEdit{placeOf(files, e.Span), e.New}
			}
			j.Fixes = append(j.Fixes, JSONFix{fix.Title, fix.Safe, edits})
		}
		out = append(out, j)
	}
	return out
}

func placeOf(files source.Files, s source.Span) JSONPlace {
	f := files.File(s)
	from, to := f.Position(s.Start), f.Position(s.End)
	return JSONPlace{s.Start - f.Base(), s.End - f.Base(), from.Line, from.Column, to.Line, to.Column}
}
