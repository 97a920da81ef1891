package repair

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

var lessOrEqual = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

func inclusive(s site, c *syntax.Compare) []change {
	if len(c.Ops) != 1 || lessOrEqual[c.Ops[0]] == "" {
		return nil
	}
	new := lessOrEqual[c.Ops[0]]
	return []change{edit(diag.Edit{Span: s.operator(c), New: new}, c.Ops[0], new)}
}

var opposite = map[string][]string{
	"<": {">"}, ">": {"<"}, "<=": {">="}, ">=": {"<="}, "==": {"<", "!="}, "!=": {"=="},
}

func comparison(s site, c *syntax.Compare) (out []change) {
	if len(c.Ops) != 1 {
		return nil
	}
	for _, new := range opposite[c.Ops[0]] {
		out = append(out, edit(diag.Edit{Span: s.operator(c), New: new}, c.Ops[0]))
	}
	return out
}

// anyCondition has a mask demand all of its conditions.
func anyCondition(s site, b *syntax.BinOp) []change {
	if b.Op == "&" || s.kind(b.Left) != mask || s.kind(b.Right) != mask {
		return nil
	}
	c := edit(diag.Edit{Span: b.OpSpan, New: "&"}, s.text(b))
	if b.Op != "|" {
		c.code, c.args = "mistake-operator", []any{b.Op}
	}
	return []change{c}
}

var neutral = []string{"0.0", `float("-inf")`, "0"}

// other changes what a load gives where its mask is false.
func other(s site, c *syntax.Call) (out []change) {
	if callTo(c, "load") == nil || maskOf(c) == nil {
		return nil
	}
	old := argument(c, 2, "other")
	for _, v := range neutral {
		if old == nil {
			c := edit(inserted(maskOf(c).Span().End, ", other="+v), v)
			c.code = "mistake-no-other"
			out = append(out, c)
		} else if s.text(old) != v {
			out = append(out, change{args: []any{s.text(old), v}, edits: []diag.Edit{replaced(old, v)}})
		}
	}
	return out
}

// maskAxis adds the end of an axis to a mask that lacks it.
func maskAxis(s site, c *syntax.Call) (out []change) {
	m := maskOf(c)
	if callTo(c, accesses...) == nil || len(c.Args) == 0 || m == nil {
		return nil
	}
	for _, t := range s.ends(c) {
		if !strings.Contains(s.text(m), t.text) {
			out = append(out, edit(replaced(m, s.grouped(m)+" & ("+t.text+")"), t.offset, t.size))
		}
	}
	return out
}

// noMask gives an access one of the kernel's masks, or the ends of one or two axes.
func noMask(s site, c *syntax.Call) (out []change) {
	if callTo(c, accesses...) == nil || len(c.Args) == 0 || maskOf(c) != nil {
		return nil
	}
	var masks []string
	for name, of := range s.kinds {
		if at, ok := s.first[name]; of == mask && ok && at < c.Span().Start {
			masks = append(masks, name)
		}
	}
	slices.Sort(masks)
	ends := s.ends(c)
	for i, a := range ends {
		masks = append(masks, a.text)
		for _, b := range ends[:i] {
			if a.offset != b.offset && a.size != b.size {
				masks = append(masks, "("+b.text+") & ("+a.text+")")
			}
		}
	}
	for _, m := range masks {
		out = append(out, edit(inserted(c.Span().End-1, ", mask="+m), s.text(c.Args[0])))
	}
	return out
}

// end is a condition of a mask.
type end struct{ offset, size, text string }

// ends are conditions that an access may lack.
func (s site) ends(c *syntax.Call) (list []end) {
	var offsets []string
	for _, o := range s.offsets(c.Args[0]) {
		if !slices.Contains(offsets, o) {
			offsets = append(offsets, o)
		}
	}
	for _, p := range s.def.Params.List {
		for _, o := range offsets {
			if s.kinds[p.Name] == size && p.Annotation == nil {
				list = append(list, end{o, p.Name, o + " < " + p.Name})
			}
		}
	}
	return list
}

// offsets are the terms of an address that are names of lanes, as they are written there: j[:, None]. A name that is
// assigned an address is followed to that, once: it may be assigned what it is and more.
func (k *kernel) offsets(address syntax.Expr) (list []string) {
	followed := map[string]bool{}
	var visit func(syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Subscript:
			if k.kind(n) == index {
				list = append(list, k.text(n))
			}
			return false
		case *syntax.Name:
			of := k.kinds[n.ID]
			if of != index && of != pointer {
				return false
			}
			if of == index {
				list = append(list, n.ID)
			}
			if v := k.definition(n.ID); v != nil && !followed[n.ID] {
				followed[n.ID] = true
				syntax.Walk(v, visit)
			}
		}
		return true
	}
	syntax.Walk(address, visit)
	return list
}

// definition is what a name is assigned last; nil where it is a parameter.
func (k *kernel) definition(name string) (v syntax.Expr) {
	for _, b := range k.blocks {
		for _, s := range b.list {
			a, ok := s.(*syntax.Assign)
			if !ok || len(a.Targets) != 1 {
				continue
			}
			if n, ok := a.Targets[0].(*syntax.Name); ok && n.ID == name {
				v = a.Value
			}
		}
	}
	return v
}
