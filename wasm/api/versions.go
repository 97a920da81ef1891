package api

import (
	"context"
	"strings"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/editor"
	"github.com/newtlab/newt/compiler/refactor"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
)

// versions says what each version of Triton makes of a text.
func (c *call) versions(r *CheckRequest) *VersionsReply {
	file := source.NewFile("kernel.py", r.Source)
	var at places = file
	var live func(*syntax.Module) *syntax.Module
	if r.Document && c.extra != nil {
		file, _, live = c.extra.checked(r.Source, r.Files)
		at = linePlaces{file, source.NewFile(documentFile, r.Source)}
	}
	var chosen triton.Version
	compiler.RequestedVersion(file, &chosen)
	out := &VersionsReply{Versions: []VersionReply{}, Kept: []Diagnostic{}}
	for _, x := range editor.CheckVersions(file, func(f *source.File, v triton.Version) diag.List {
		return editor.Check(context.Background(), f, editor.Options{Strict: r.Strict, Triton: v, Live: live})
	}) {
		out.Versions = append(out.Versions, VersionReply{
			Triton: x.Version.String(), Chosen: x.Version == chosen.Or(triton.Default), Verdict: string(x.Verdict),
			Diagnostics: c.diagnostics(at, x.List), Choose: c.chooseVersion(r.Source, x.Version),
		})
	}
	m, _ := syntax.Parse(file)
	rewriting := refactor.BlockPointers(m, refactor.Options{})
	out.Kept = c.diagnostics(at, rewriting.Kept)
	if len(rewriting.Edits) > 0 {
		rewrite := fix(at, diag.RenderedFix{Title: c.text("versions.rewrite"), Edits: rewriting.Edits})
		out.Rewrite = &rewrite
	}
	return out
}

// chooseVersion writes the line of a text that says which version it is for: where there is one, or else first, in a
// document of cells at the beginning of the first one with code.
func (c *call) chooseVersion(text string, v triton.Version) Fix {
	line := "# triton: " + v.String()
	at, begin := diag.Edit{New: line + "\n"}, int32(0)
	cells := strings.HasPrefix(text, cellMark)
	for s := range strings.Lines(text) {
		end := begin + int32(len(strings.TrimRight(s, "\r\n")))
		if asked, wrong := triton.Requested(s); asked != 0 || wrong != 0 {
			at = diag.Edit{Span: source.Span{Start: begin, End: end}, New: line}
			break
		}
		if cells && strings.HasPrefix(s, cellMark) && !strings.Contains(s, "[markdown]") {
			at, cells = diag.Edit{Span: source.Span{Start: end, End: end}, New: "\n" + line}, false
		}
		begin += int32(len(s))
	}
	file := source.NewFile("kernel.py", text)
	return fix(file, diag.RenderedFix{Title: c.text("versions.choose", v), Edits: []diag.Edit{at}})
}

// cellMark begins the line above a cell.
const cellMark = "# %%"
