package api

import (
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// places says where in the editor's text the offsets of diagnostics are.
type places interface {
	Position(offset int32) source.Position
	UTF16(offset int32) int
}

// diagnostics puts a list into the request's language, with the editor's offsets.
func (c *call) diagnostics(f places, list diag.List) []Diagnostic {
	out := make([]Diagnostic, 0, len(list))
	for _, d := range list {
		out = append(out, c.diagnostic(f, d))
	}
	return out
}

func (c *call) diagnostic(f places, d *diag.Diagnostic) Diagnostic {
	r := d.In(c.lang)
	place := f.Position(d.Primary.Span.Start)
	out := Diagnostic{
		Code: d.Code, Severity: d.Severity.String(),
		Headline: r.Headline, Label: r.Label, Why: r.Why, Help: r.Help, Triton: r.Triton,
		From: f.UTF16(d.Primary.Span.Start), To: f.UTF16(d.Primary.Span.End),
		Line: place.Line, Column: place.Column,
		Related: make([]Related, 0, len(r.Related)), Fixes: make([]Fix, 0, len(r.Fixes)),
	}
	for _, l := range r.Related {
		out.Related = append(out.Related, Related{
			From: f.UTF16(l.Span.Start), To: f.UTF16(l.Span.End), Line: f.Position(l.Span.Start).Line, Text: l.Text,
		})
	}
	for _, x := range r.Fixes {
		out.Fixes = append(out.Fixes, fix(f, x))
	}
	return out
}

func fix(f places, x diag.RenderedFix) Fix {
	out := Fix{Title: x.Title, Safe: x.Safe, Edits: make([]Edit, 0, len(x.Edits))}
	for _, e := range x.Edits {
		out.Edits = append(out.Edits, Edit{From: f.UTF16(e.Span.Start), To: f.UTF16(e.Span.End), Insert: e.New})
	}
	return out
}

// offset converts the editor's offset to a byte offset.
func offset(text string, utf16 int) int {
	n := 0
	for i, r := range text {
		if n >= utf16 {
			return i
		}
		// Characters beyond the basic plane are two units of UTF-16, a surrogate pair.
		if n++; r > 0xFFFF {
			n++
		}
	}
	return len(text)
}
