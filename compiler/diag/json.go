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
func ToJSON(f *source.File, list List, lang Lang) []JSON {
	out := make([]JSON, 0, len(list))
	for _, d := range list {
		r := d.In(lang)
		j := JSON{
			Code: d.Code, Severity: d.Severity.String(), File: f.Name, Place: placeOf(f, d.Primary.Span), Runtime: d.Runtime,
			Headline: r.Headline, Label: r.Label, Why: r.Why, Help: r.Help, Triton: r.Triton,
		}
		for _, l := range r.Related {
			j.Related = append(j.Related, JSONRelated{placeOf(f, l.Span), l.Text})
		}
		for _, fix := range r.Fixes {
			edits := make([]JSONEdit, len(fix.Edits))
			for i, e := range fix.Edits {
				edits[i] = JSONEdit{placeOf(f, e.Span), e.New}
			}
			j.Fixes = append(j.Fixes, JSONFix{fix.Title, fix.Safe, edits})
		}
		out = append(out, j)
	}
	return out
}

func placeOf(f *source.File, s source.Span) JSONPlace {
	from, to := f.Position(s.Start), f.Position(s.End)
	return JSONPlace{s.Start, s.End, from.Line, from.Column, to.Line, to.Column}
}
