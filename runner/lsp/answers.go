package lsp

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/tl"
)

var severities = map[diag.Severity]protocol.DiagnosticSeverity{
	diag.Error: protocol.DiagnosticSeverityError, diag.Warning: protocol.DiagnosticSeverityWarning,
	diag.Hint: protocol.DiagnosticSeverityHint,
}

// diagnostic is a diagnostic with all of its texts, a paragraph each.
func (s *server) diagnostic(uri protocol.DocumentURI, file *source.File, d *diag.Diagnostic) protocol.Diagnostic {
	r := d.In(s.Lang)
	message := r.Headline
	for _, text := range []string{r.Why, r.Triton, r.Help} {
		if text != "" {
			message += "\n\n" + text
		}
	}
	out := protocol.Diagnostic{Range: rangeOf(file, d.Primary.Span), Severity: severities[d.Severity], Code: d.Code,
		Source: "newt", Message: message}
	for _, l := range r.Related {
		if s.markers && inFile(file, l.Span) {
			out.RelatedInformation = append(out.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: uri, Range: rangeOf(file, l.Span)}, Message: l.Text})
		}
	}
	return out
}

// codeActions are the fixes of what the last check has found in a range, if the file is still what was checked.
func (s *server) codeActions(_ context.Context, p *protocol.CodeActionParams) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	actions := []protocol.CodeAction{}
	f := s.files[p.TextDocument.URI]
	if f == nil || f.checked == nil || f.checked.Text != f.text.Text {
		return actions, nil
	}
	base := f.checked.Base()
	from, to := base+int32(offsetOf(f.text, p.Range.Start)), base+int32(offsetOf(f.text, p.Range.End))
	for _, d := range f.found {
		if span := d.Primary.Span; !inFile(f.checked, span) || to < span.Start || span.End < from {
			continue
		}
		for _, fix := range d.In(s.Lang).Fixes {
			edits := []protocol.TextEdit{}
			for _, e := range fix.Edits {
				edits = append(edits, protocol.TextEdit{Range: rangeOf(f.checked, e.Span), NewText: e.New})
			}
			actions = append(actions, protocol.CodeAction{
				Title: fix.Title, Kind: protocol.QuickFix, IsPreferred: fix.Safe,
				Diagnostics: []protocol.Diagnostic{s.diagnostic(p.TextDocument.URI, f.checked, d)},
				Edit: &protocol.WorkspaceEdit{
					Changes: map[protocol.DocumentURI][]protocol.TextEdit{p.TextDocument.URI: edits}},
			})
		}
	}
	return actions, nil
}

func (s *server) hover(_ context.Context, p *protocol.HoverParams) (any, error) {
	f, offset, err := s.fileAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	info := editor.Hover(f.text, offset, compiler.Options{})
	if info == nil {
		return nil, nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "```python\n%s\n```\n", info.Signature)
	if doc := s.in(info.Doc); doc != "" {
		fmt.Fprintf(&b, "\n%s\n", doc)
	}
	if info.Example != "" {
		fmt.Fprintf(&b, "\n```python\n%s\n```\n", strings.TrimRight(info.Example, "\n"))
	}
	place := rangeOf(f.text, info.Span)
	contents := protocol.MarkupContent{Kind: protocol.Markdown, Value: b.String()}
	return &protocol.Hover{Contents: contents, Range: &place}, nil
}

// in is a text in the server's language.
func (s *server) in(t tl.Text) string {
	if s.Lang == diag.Chinese {
		return t.Zh
	}
	return t.En
}

var kinds = map[string]protocol.CompletionItemKind{
	"function": protocol.CompletionItemKindFunction, "keyword": protocol.CompletionItemKindKeyword,
	"variable": protocol.CompletionItemKindVariable, "type": protocol.CompletionItemKindClass,
	"property": protocol.CompletionItemKindProperty,
}

func (s *server) completion(_ context.Context, p *protocol.CompletionParams) (any, error) {
	f, offset, err := s.fileAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	from, items := editor.Complete(f.text, offset, nil)
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	replaced := rangeOf(f.text, source.Span{Start: int32(from), End: int32(offset)})
	for i, c := range items {
		item := protocol.CompletionItem{Label: c.Label, Kind: kinds[c.Kind], Detail: c.Detail,
			SortText: fmt.Sprintf("%04d", i), // the likeliest first
			TextEdit: &protocol.TextEdit{Range: replaced, NewText: c.Label}}
		if doc := s.in(c.Doc); doc != "" {
			item.Documentation = protocol.MarkupContent{Kind: protocol.Markdown, Value: doc}
		}
		list.Items = append(list.Items, item)
	}
	return list, nil
}

func (s *server) signatureHelp(_ context.Context, p *protocol.SignatureHelpParams) (any, error) {
	f, offset, err := s.fileAt(p.TextDocumentPositionParams)
	if err != nil {
		return nil, err
	}
	help := editor.SignatureAt(f.text, offset)
	if help == nil {
		return nil, nil
	}
	signature := protocol.SignatureInformation{Label: help.Name + "(" + strings.Join(help.Params, ", ") + ")",
		Documentation: s.in(help.Doc)}
	for _, param := range help.Params {
		signature.Parameters = append(signature.Parameters, protocol.ParameterInformation{Label: param})
	}
	answer := &protocol.SignatureHelp{Signatures: []protocol.SignatureInformation{signature}}
	if help.Active >= 0 {
		answer.ActiveParameter = uint32(help.Active)
	} else {
		answer.ActiveParameter = uint32(len(help.Params)) // none is marked
	}
	return answer, nil
}
