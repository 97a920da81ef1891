package refactor

import (
	"strings"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// descriptorPart is a part of a block pointer whose place a tensor descriptor takes: the descriptor, or an offset,
// which is a scalar.
func (w *writer) descriptorPart(s *site, p part) text {
	if p.kind == offset {
		return text{s: w.source(s.offsets[p.dim], addedLevel), names: namesIn(s.offsets[p.dim])}
	}
	list := func(exprs []syntax.Expr) string {
		var items []string
		for _, e := range exprs {
			items = append(items, w.source(e, anyLevel))
		}
		return ", [" + strings.Join(items, ", ") + "]"
	}
	t := text{s: w.language + ".make_tensor_descriptor(" + w.source(s.pointer, anyLevel) + list(s.shape) +
		list(s.strides) + list(s.block)}
	if s.to.group.nan {
		t.s += `, padding_option="nan"`
	}
	t.s += ")"
	return t
}

// writeDescriptorAccess rewrites tl.load(p) as p.load([…]), and tl.store alike.
func (w *writer) writeDescriptorAccess(u *use) {
	var offsets []string
	for d := range u.of.group.rank {
		offsets = append(offsets, w.part(u, part{kind: offset, dim: d}).s)
	}
	place := w.part(u, part{kind: pointer}).s + ".load([" + strings.Join(offsets, ", ") + "]"
	call := u.call.Span()
	if !u.access.store {
		w.edit(call, place+")")
		return
	}
	var value syntax.Expr
	if len(u.call.Args) > 1 {
		value = u.call.Args[1]
	}
	for _, k := range u.call.Keywords {
		if k.Name == "value" {
			value = k.Value
		}
	}
	// The value may have edits of its own, so that it stays.
	at := w.whole(value)
	w.edit(source.Span{Start: call.Start, End: at.Start}, strings.Replace(place, ".load([", ".store([", 1)+", ")
	w.edit(source.Span{Start: at.End, End: call.End}, ")")
}

// whole is an expression's place with the parentheses around it.
func (w *writer) whole(e syntax.Expr) source.Span {
	span, text := e.Span(), w.module.File.Text
	base := w.module.File.Base()
	for {
		before := strings.TrimRight(text[:span.Start-base], " \t\n")
		after := text[span.End-base:]
		blank := len(after) - len(strings.TrimLeft(after, " \t\n"))
		inside := strings.HasSuffix(before, "(") && strings.HasPrefix(after[blank:], ")")
		if !inside || strings.HasSuffix(before, "store(") {
			return span
		}
		span = source.Span{Start: base + int32(len(before)) - 1, End: span.End + int32(blank) + 1}
	}
}
