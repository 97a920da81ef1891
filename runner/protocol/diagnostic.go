package protocol

import (
	"fmt"
	"math"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
)

// severities are the severities of package diag; String gives their names in messages.
var severities = []diag.Severity{diag.Error, diag.Warning, diag.Hint}

// worded is an argument of a diagnostic whose text depends on the language.
type worded interface{ In(diag.Lang) string }

// bilingual is a worded argument that was received in both languages.
type bilingual struct{ en, zh string }

func (b bilingual) In(lang diag.Lang) string {
	if lang == diag.Chinese {
		return b.zh
	}
	return b.en
}

// FromDiag converts a diagnostic to its message. Fixes are left out: they edit the source, which the runner does not
// have.
func FromDiag(d *diag.Diagnostic) Diagnostic {
	en, zh := d.In(diag.English), d.In(diag.Chinese)
	out := Diagnostic{
		Code: d.Code, Severity: d.Severity.String(), Start: int(d.Primary.Span.Start), End: int(d.Primary.Span.End),
		Args: toArgs(d.Args), Related: make([]Related, 0, len(d.Related)),
		En: Words{en.Headline, en.Label, en.Why, en.Help}, Zh: Words{zh.Headline, zh.Label, zh.Why, zh.Help},
	}
	for i, l := range d.Related {
		out.Related = append(out.Related, Related{
			Start: int(l.Span.Start), End: int(l.Span.End), Key: l.Text.Key, Args: toArgs(l.Text.Args),
			En: en.Related[i].Text, Zh: zh.Related[i].Text,
		})
	}
	if r := d.Runtime; r != nil {
		out.Runtime = &Runtime{r.Program[:], r.Tensor, r.Index, r.Size, r.Count}
	}
	return out
}

func toArgs(args []any) []DiagnosticArg {
	out := make([]DiagnosticArg, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case int:
			n := int64(a)
			out[i].Number = &n
		case int64:
			out[i].Number = &a
		case worded:
			out[i].En, out[i].Zh = a.In(diag.English), a.In(diag.Chinese)
		default:
			out[i].En = fmt.Sprint(a)
		}
	}
	return out
}

// Diag converts the message back. Its texts come from the client's own catalogue.
func (d *Diagnostic) Diag() *diag.Diagnostic {
	out := diag.New(d.Code, span(d.Start, d.End), fromArgs(d.Args)...)
	for _, s := range severities {
		if s.String() == d.Severity {
			out.Severity = s
		}
	}
	for _, r := range d.Related {
		out.Because(span(r.Start, r.End), r.Key, fromArgs(r.Args)...)
	}
	if r := d.Runtime; r != nil {
		out.Runtime = &diag.Runtime{
			Program: Triple(r.Program),
			Tensor:  r.Tensor, Index: r.Index, Size: r.Size, Count: r.Count,
		}
	}
	return out
}

func fromArgs(args []DiagnosticArg) []any {
	out := make([]any, len(args))
	for i, a := range args {
		switch {
		case a.Number != nil:
			out[i] = *a.Number
		case a.Zh != "":
			out[i] = bilingual{a.En, a.Zh}
		default:
			out[i] = a.En
		}
	}
	return out
}

func span(start, end int) source.Span {
	clamp := func(n int) int32 { return int32(max(0, min(n, math.MaxInt32))) }
	return source.Span{Start: clamp(start), End: clamp(max(start, end))}
}

// Triple converts a list of three numbers, such as a grid; missing ones are 0.
func Triple(list []int) [3]int {
	var out [3]int
	copy(out[:], list)
	return out
}
