package refactor

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// part is one of the values that take a block pointer's place.
type part struct {
	kind partKind
	dim  int    // of offset, stride and size
	dims uint64 // of mask: the set of checked dimensions
}

type partKind uint8

const (
	pointer partKind = iota // base + Σ offset * stride, over the dimensions that nothing is advanced along
	offset                  // indices along a dimension, a vector
	stride
	size
	mask // which of the indices are inside of the tensor, over the same dimensions as pointer
)

// let is a variable for an expression that several pointers share.
type let struct {
	name   string
	text   text
	sites  []*site  // that need it
	places []*place // before whose statements it is assigned
}

type usePart struct {
	use  *use
	part part
}

// writer writes the parts.
type writer struct {
	*flow
	module   *syntax.Module
	language string // what the module calls triton.language
	groups   map[*group]bool
	uses     []*use
	ordered  []*site
	masks    map[string]int   // how many uses have a mask in this pass, by function and text
	shared   map[string]bool  // masks of several uses
	asked    map[usePart]bool // parts that are being looked for: pointers may follow each other in a circle
	changed  bool
	edits    []diag.Edit
	lines    map[*place][]string // that are written before a statement
	advances map[*place][]string // that are written in place of one
}

// write gives the edits for groups.
func (w *writer) write(groups []*group) []diag.Edit {
	w.groups, w.shared, w.asked = map[*group]bool{}, map[string]bool{}, map[usePart]bool{}
	for _, g := range groups {
		w.groups[g] = true
		w.uses = append(w.uses, g.uses...)
	}
	w.ordered = slices.DeleteFunc(w.flow.ordered(), func(s *site) bool { return !w.groups[s.to.group] })
	slices.SortFunc(w.uses, func(a, b *use) int {
		return cmp.Or(int(a.sites[0].node.Span().Start-b.sites[0].node.Span().Start),
			int(a.expr.Span().Start-b.expr.Span().Start))
	})
	for _, s := range w.ordered { // names, in the order of the text
		if s.kind == made {
			w.sitePart(s, part{kind: pointer})
		}
	}
	// Parts that need a variable make others need one; what is written in the end is what the last pass has asked for.
	for w.changed = true; w.changed; {
		w.masks, w.changed, w.edits, w.lines = map[string]int{}, false, nil, map[*place][]string{}
		w.advances = map[*place][]string{}
		for _, fn := range w.functions {
			for _, l := range fn.lets {
				l.sites, l.places = nil, nil
			}
		}
		w.pass()
		for key, n := range w.masks {
			if n > 1 && !w.shared[key] {
				w.shared[key], w.changed = true, true
			}
		}
	}
	slices.SortStableFunc(w.edits, func(a, b diag.Edit) int {
		return cmp.Or(int(a.Span.Start-b.Span.Start), int(a.Span.End-b.Span.End))
	})
	return w.edits
}

func (w *writer) pass() {
	for _, u := range w.uses {
		switch u.kind {
		case accessed:
			w.writeAccess(u)
		case advanced:
			w.writeAdvance(u)
		case typed:
			w.writeTyped(u)
		case handedOver:
			w.writeArgument(u)
		}
	}
	for at, lines := range w.advances {
		if len(lines) == 0 {
			lines = []string{"pass"}
		}
		w.replaceStatement(at, lines)
	}
	sites := map[*place][]*site{}
	var order []*place
	for _, s := range w.ordered {
		if s.kind == passed {
			w.writeParameter(s)
			continue
		}
		if sites[s.at] == nil {
			order = append(order, s.at)
		}
		sites[s.at] = append(sites[s.at], s)
	}
	own := map[*place][]string{}
	for _, at := range order {
		own[at] = w.partLines(sites[at])
	}
	if w.changed {
		return
	}
	for _, fn := range w.functions {
		w.placeLets(fn)
	}
	for _, at := range order {
		w.lines[at] = append(w.lines[at], own[at]...)
		w.writeSites(at, sites[at])
	}
	for at, lines := range w.lines {
		if start := at.stmt.Span().Start; len(lines) > 0 {
			w.edit(source.Span{Start: start, End: start}, w.join(at, lines)+w.separator(at))
		}
	}
}

func (w *writer) edit(span source.Span, to string) {
	if w.module.File.Slice(span) != to {
		w.edits = append(w.edits, diag.Edit{Span: span, New: to})
	}
}

// writeAccess rewrites tl.load and tl.store.
func (w *writer) writeAccess(u *use) {
	g := u.of.group
	if g.descriptor {
		w.writeDescriptorAccess(u)
		return
	}
	dims, _ := u.access.checks(g.rank)
	address := w.part(u, part{kind: pointer}).s
	var checked uint64
	var outside []string
	for d := range g.rank {
		check := slices.Contains(dims, d)
		if !g.apart[d] {
			if check {
				checked |= 1 << d
			}
			continue
		}
		index := w.part(u, part{kind: offset, dim: d}).s + along(d, g.rank)
		address += " + " + product(index, w.part(u, part{kind: stride, dim: d}).s)
		if check {
			outside = append(outside, inside(index, w.part(u, part{kind: size, dim: d}).s, g.positive[d])...)
		}
	}
	terms := outside
	if checked != 0 {
		terms = append(slices.Clip(w.part(u, part{kind: mask, dims: checked}).terms), outside...)
	}
	w.edit(u.expr.Span(), address)
	check, pad := "", ""
	if len(terms) > 0 {
		check = "mask=" + conjunction(terms)
		switch u.access.padding {
		case "zero":
			pad = "other=0.0"
		case "nan":
			pad = `other=float("nan")`
		}
	}
	w.replaceKeyword(u.call, u.access.check, check, len(address))
	w.replaceKeyword(u.call, u.access.pad, pad, 0)
}

// replaceKeyword writes another argument in a keyword's place, or takes it out where there is none. It begins a line
// where what has been written before it makes the line too long.
func (w *writer) replaceKeyword(c *syntax.Call, k *syntax.Keyword, by string, before int) {
	if k == nil {
		return
	}
	file, span := w.module.File, k.Loc
	end := c.Func.Span().End
	for _, a := range c.Args {
		end = max(end, a.Span().End)
	}
	for _, other := range c.Keywords {
		if other.Loc.End < k.Loc.Start {
			end = max(end, other.Loc.End)
		}
	}
	open := file.Position(c.Func.Span().End)
	if by == "" {
		span.Start = end
	} else if end > c.Func.Span().End && open.Line == file.Position(c.Span().End).Line &&
		open.Column+before+len(by)+int(c.Span().End-k.Loc.End) > maxColumns {
		span.Start = end
		by = ",\n" + strings.Repeat(" ", open.Column) + by
	}
	w.edit(span, by)
}

// maxColumns is how long a line becomes before it is broken.
const maxColumns = 120

// product is index * stride.
func product(index, by string) string {
	if by == "1" {
		return index
	}
	return index + " * " + by
}

// inside are the conditions that an index is inside of a tensor.
func inside(index, extent string, positive bool) []string {
	if positive {
		return []string{index + " < " + extent}
	}
	return []string{index + " >= 0", index + " < " + extent}
}

// part is a part of the block pointer at a use: an expression, where it has the value there that it had where the
// pointer was made, or else a variable that is assigned where the pointer is.
func (w *writer) part(u *use, p part) text {
	unnamed := u.of.name == ""
	if t, ok := w.constant(u.of.group, p); ok {
		return t
	}
	isCarried := p.kind == offset && u.of.group.apart[p.dim] && !unnamed
	if key := (usePart{u, p}); !isCarried && !w.asked[key] {
		w.asked[key] = true
		t, ok := w.sameEverywhere(u, p)
		delete(w.asked, key)
		if ok {
			return t
		}
	}
	return w.variablePart(u.of, p)
}

// sameEverywhere is a part as one expression that is the same at all sites that reach a use and has its value there.
func (w *writer) sameEverywhere(u *use, p part) (text, bool) {
	var first text
	for i, s := range u.sites {
		if s.kind == passed || s.kind == called {
			return text{}, false
		}
		t := w.sitePart(s, p)
		if i == 0 {
			first = t
		}
		isValue := p.kind != pointer || isIdentifier(t.s) && s.kind != copied && s.whole
		if u.of.name != "" && (!isValue || t.s != first.s) {
			return text{}, false
		}
	}
	isStable := func(at *place) bool { return u.fn.stable(first.names, at, u.at) }
	if from := coveredBy(u.sites); u.of.name != "" && (from == nil || !from.dominates(u.at) || !isStable(from)) &&
		slices.ContainsFunc(u.sites, func(s *site) bool { return !isStable(s.at) }) {
		return text{}, false
	}
	if p.kind == mask && len(first.terms) > 0 && u.sites[0].kind == made {
		return w.sharedMask(u, first), true
	}
	return first, true
}

// constant is a stride or a size that is the same literal for all pointers of a group, or a mask without conditions.
func (w *writer) constant(g *group, p part) (text, bool) {
	switch p.kind {
	case mask:
		for _, s := range g.makes {
			for d := range g.rank {
				if p.dims&(1<<d) != 0 && !s.fits(d) {
					return text{}, false
				}
			}
		}
		return text{}, true
	case stride, size:
		first := extent(g.makes[0], p)
		for _, s := range g.makes {
			e := extent(s, p)
			if _, ok := integer(e); !ok || syntax.String(e) != syntax.String(first) {
				return text{}, false
			}
		}
		return text{s: w.source(first, primaryLevel)}, true
	}
	return text{}, false
}

// fits reports whether all indices along a dimension are inside of the tensor, whatever its size is.
func (s *site) fits(d int) bool {
	return isInteger(s.offsets[d], 0) && syntax.String(s.block[d]) == syntax.String(s.shape[d])
}

func extent(s *site, p part) syntax.Expr {
	if p.kind == stride {
		return s.strides[p.dim]
	}
	return s.shape[p.dim]
}

// sharedMask is the mask of the pointers that reach a use: written there, or a variable where several uses have it.
func (w *writer) sharedMask(u *use, t text) text {
	key := u.fn.def.Name + "\x00" + t.s
	w.masks[key]++
	if len(t.terms) == 1 && !strings.Contains(t.terms[0], " ") || !w.shared[key] {
		return t
	}
	t.key = t.s
	name := ""
	for _, s := range u.sites {
		if s.name == "" {
			return t
		}
		name = w.let(s, t, stem(s.name)+"_mask").name
	}
	return text{s: name, names: t.names, terms: []string{name}}
}

// let is a variable for an expression that has a value where a site is.
func (w *writer) let(s *site, t text, wishes ...string) *let {
	l := s.fn.lets[t.key]
	if l == nil {
		l = &let{name: s.fn.fresh(wishes...), text: t}
		s.fn.lets[t.key] = l
		w.changed = true
	}
	if !slices.Contains(l.sites, s) {
		l.sites = append(l.sites, s)
	}
	return l
}

// variablePart is the variable that holds a part of a variable.
func (w *writer) variablePart(v *variable, p part) text {
	name := v.parts[p]
	if name == "" {
		name = v.partName(p)
		v.parts[p] = name
		w.changed = true
	}
	t := text{s: name, names: []string{name}}
	if p.kind == mask {
		t.terms = []string{name}
	}
	return t
}

// partName is the name of the variable for a part. Variables of one name that hold pointers to blocks of one shape have
// one such name.
func (v *variable) partName(p part) string {
	if p.kind == pointer {
		return v.name
	}
	key := v.name + " " + v.group.shape() + [...]string{"", "offs", "stride", "size", "mask"}[p.kind] +
		strconv.Itoa(p.dim) + " " + strconv.FormatUint(p.dims, 2)
	if v.fn.partNames[key] == "" {
		end := ""
		if p.kind != mask && v.group.rank > 1 {
			end = "_" + dimensionName(v.group.makes[0].block[p.dim], v.group.makes[0].shape[p.dim], p.dim)
		}
		middle := [...]string{offset: "_offs", stride: "_stride", size: "_size", mask: "_mask"}[p.kind]
		v.fn.partNames[key] = v.fn.fresh(stem(v.name)+middle+end, v.name+middle+end)
	}
	return v.fn.partNames[key]
}

// sitePart is a part of the block pointer that a site gives, as an expression at the site.
func (w *writer) sitePart(s *site, p part) text {
	switch s.kind {
	case passed:
		return w.variablePart(s.to, p)
	case called:
		for _, r := range s.callee.returns {
			w.variablePart(r.to, p)
		}
		return w.variablePart(s.to, p)
	case made:
		return w.madePart(s, p)
	}
	t := w.part(s.base, p)
	if s.kind == moved && p.kind == offset && !isInteger(s.by[p.dim], 0) {
		by := s.by[p.dim]
		sum := t.s + " + " + w.source(by, multipliedLevel)
		if t.s == "0" {
			sum = w.source(by, addedLevel)
		}
		t = text{s: sum, names: append(slices.Clip(t.names), namesIn(by)...)}
		if s.name == "" && !s.to.group.descriptor {
			t.s = "(" + t.s + ")"
		}
	}
	return t
}

func (w *writer) madePart(s *site, p part) text {
	g := s.to.group
	if g.descriptor {
		return w.descriptorPart(s, p)
	}
	switch p.kind {
	case offset:
		return w.indices(s, p.dim)
	case stride:
		return text{s: w.source(s.strides[p.dim], primaryLevel), names: namesIn(s.strides[p.dim])}
	case size:
		return text{s: w.source(s.shape[p.dim], comparedLevel), names: namesIn(s.shape[p.dim])}
	}
	t := text{s: w.source(s.pointer, addedLevel), names: namesIn(s.pointer)}
	if p.kind == mask {
		t = text{}
	}
	for d := range g.rank {
		if g.apart[d] || p.kind == mask && (p.dims&(1<<d) == 0 || s.fits(d)) {
			continue
		}
		indices := w.indices(s, d)
		index := w.let(s, indices, w.indexNames(s, d)...)
		name := index.name
		t.lets = append(t.lets, index)
		t.names = append(t.names, indices.names...)
		if p.kind == pointer {
			t.s += " + " + product(name+along(d, g.rank), w.source(s.strides[d], primaryLevel))
			t.names = append(t.names, namesIn(s.strides[d])...)
			continue
		}
		extent := w.source(s.shape[d], comparedLevel)
		t.names = append(t.names, namesIn(s.shape[d])...)
		if s.fn.positive(s.offsets[d]) {
			t.terms = append(t.terms, name+along(d, g.rank)+" < "+extent)
			continue
		}
		both := text{s: conjunction(inside(name, extent, false)), names: append(namesIn(s.shape[d]), indices.names...),
			lets: []*let{index}}
		both.key = both.s
		mask := w.let(s, both, strings.Replace(name, "offs", "mask", 1))
		t.lets = append(t.lets, mask)
		t.terms = append(t.terms, mask.name+along(d, g.rank))
	}
	if len(t.terms) > 0 {
		t.s = conjunction(t.terms)
	}
	return t
}

// indexNames are names for the indices along a dimension, the best first.
func (w *writer) indexNames(s *site, d int) []string {
	own := stem(s.name)
	if s.name == "" || s.name == returned {
		own = "block"
	}
	end := dimensionName(s.block[d], s.shape[d], d)
	if n, ok := integer(s.offsets[d]); ok && n > 0 {
		end += strconv.Itoa(n)
	}
	if _, err := strconv.Atoi(end); err != nil {
		return []string{"offs_" + end, own + "_offs_" + end}
	}
	if len(s.block) == 1 {
		return []string{own + "_offs"}
	}
	return []string{own + "_offs_" + end}
}

// indices are those of a block along a dimension: int64, as block pointers have them, where a stride multiplies them.
func (w *writer) indices(s *site, d int) text {
	t := text{s: w.language + ".arange(0, " + w.source(s.block[d], anyLevel) + ")", key: s.indexKey(d),
		names: namesIn(s.offsets[d], s.block[d])}
	if g := s.to.group; g.wide[d] || !g.apart[d] && s.fn.wide[t.key] {
		t.s += ".to(" + w.language + ".int64)"
	}
	if !isInteger(s.offsets[d], 0) {
		t.s = w.source(s.offsets[d], addedLevel) + " + " + t.s
	}
	return t
}

// writeAdvance rewrites p = tl.advance(p, by).
func (w *writer) writeAdvance(u *use) {
	var lines []string
	for d, by := range u.by {
		if isInteger(by, 0) {
			continue
		}
		name := w.variablePart(u.of, part{kind: offset, dim: d}).s
		if minus, ok := by.(*syntax.UnaryOp); ok && minus.Op == "-" {
			lines = append(lines, name+" -= "+w.source(minus.Operand, multipliedLevel))
		} else {
			lines = append(lines, name+" += "+w.source(by, anyLevel))
		}
	}
	w.advances[u.at] = append(w.advances[u.at], lines...)
}

// writeTyped rewrites p.dtype.element_ty and p.type.element_ty.
func (w *writer) writeTyped(u *use) {
	if u.of.group.descriptor {
		w.edit(u.attribute.Span(), w.part(u, part{kind: pointer}).s+".dtype")
		return
	}
	w.edit(u.typed.Value.Span(), w.part(u, part{kind: pointer}).s)
	w.edit(u.typed.AttrSpan, "dtype")
}

// writeArgument hands over the parts that the function has parameters for.
func (w *writer) writeArgument(u *use) {
	var list []string
	for _, p := range u.to.to.sortedParts() {
		s := cmp.Or(w.part(u, p).s, "True") // a mask without conditions
		if u.name != "" && p.kind != pointer {
			s = u.to.to.parts[p] + "=" + s
		}
		list = append(list, s)
	}
	w.edit(u.expr.Span(), strings.Join(list, ", "))
}

// sortedParts are the pointer and the other parts that a variable has variables for, in order.
func (v *variable) sortedParts() []part {
	var list []part
	for p := range v.parts {
		if p.kind != pointer {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b part) int {
		return cmp.Or(int(a.kind/mask)-int(b.kind/mask), a.dim-b.dim, int(a.kind)-int(b.kind),
			cmp.Compare(a.dims, b.dims))
	})
	return slices.Insert(list, 0, part{kind: pointer})
}

// writeParameter adds parameters for a block pointer's parts behind its own.
func (w *writer) writeParameter(s *site) {
	q := s.fn.def.Params.List[s.param]
	end := q.Loc.End
	if q.Annotation != nil {
		end = max(end, q.Annotation.Span().End)
	}
	if list := s.to.names(); len(list) > 1 {
		w.edit(source.Span{Start: end, End: end}, ", "+strings.Join(list[1:], ", "))
	}
}

// names are the variables of a variable's parts; the pointer's comes first.
func (v *variable) names() (list []string) {
	for _, p := range v.sortedParts() {
		list = append(list, cmp.Or(v.parts[p], v.name))
	}
	return list
}

// partLines assign the variables of the parts of the sites in a statement; what a call returns is assigned by it.
func (w *writer) partLines(sites []*site) (lines []string) {
	for _, s := range sites {
		for _, p := range s.to.sortedParts()[1:] {
			t := w.sitePart(s, p)
			if s.kind == called || s.name == returned {
				continue
			}
			lines = append(lines, s.to.parts[p]+" = "+cmp.Or(t.s, "True"))
		}
		if s.kind == called {
			for p := range s.callee.returns[0].to.parts {
				w.variablePart(s.to, p)
			}
		} else if w.needsPointer(s) {
			w.sitePart(s, part{kind: pointer})
		}
	}
	return lines
}

// needsPointer reports whether the pointer that a site gives is used, but for what is written where it is used.
func (w *writer) needsPointer(s *site) bool {
	return !s.whole || s.kind == copied || s.to.parts[part{kind: pointer}] != "" ||
		!slices.ContainsFunc(s.to.group.uses, func(u *use) bool { return u.of == s.to && u.kind != advanced })
}

// writeSites rewrites what is made in a statement.
func (w *writer) writeSites(at *place, sites []*site) {
	for _, s := range sites {
		switch {
		case s.kind == called:
			target := at.stmt.(*syntax.Assign).Targets[0]
			w.edit(target.Span(), strings.Join(s.to.names(), ", "))
		case s.name == returned:
			var list []string
			for _, p := range s.to.sortedParts() {
				list = append(list, cmp.Or(w.sitePart(s, p).s, "True"))
			}
			w.edit(s.node.Span(), strings.Join(list, ", "))
		case s.whole && s.kind != copied:
			lines := w.lines[at]
			if w.needsPointer(s) {
				lines = append(lines, s.name+" = "+w.sitePart(s, part{kind: pointer}).s)
			}
			if len(lines) == 0 {
				lines = []string{"pass"}
			}
			w.replaceStatement(at, lines)
			w.lines[at] = nil
		case s.name != "":
			// A call inside of a larger expression; an access that takes one has been rewritten with it.
			w.edit(s.node.Span(), w.sitePart(s, part{kind: pointer}).s)
		}
	}
}

// placeLets assigns what several sites share: as few times as its value and the structure of the function allow, and
// then as late as possible.
func (w *writer) placeLets(fn *function) {
	var lets []*let
	for _, l := range fn.lets {
		if len(l.sites) > 0 {
			slices.SortFunc(l.sites, func(a, b *site) int { return int(a.node.Span().Start - b.node.Span().Start) })
			lets = append(lets, l)
		}
	}
	slices.SortFunc(lets, func(a, b *let) int {
		return cmp.Or(a.rank()-b.rank(), int(a.sites[0].node.Span().Start-b.sites[0].node.Span().Start),
			strings.Compare(a.name, b.name))
	})
	for _, l := range lets {
		for rest := l.sites; len(rest) > 0; {
			at := fn.bestPlace(l, rest)
			rest = slices.DeleteFunc(slices.Clone(rest), func(s *site) bool { return fn.reaches(l, at, s) })
			l.places = append(l.places, at)
			w.lines[at] = append(w.lines[at], l.name+" = "+l.text.s)
		}
	}
}

// rank puts a let behind those that it reads.
func (l *let) rank() (n int) {
	for _, of := range l.text.lets {
		n = max(n, 1+of.rank())
	}
	return n
}

// reaches reports whether a let that is assigned before a place has its value at a site.
func (f *function) reaches(l *let, at *place, s *site) bool {
	return at == s.at || at.dominates(s.at) && f.stable(l.text.names, at, s.at)
}

// hasValue reports whether a let is assigned before a place, or before one that reaches it.
func (f *function) hasValue(l *let, at *place) bool {
	return slices.ContainsFunc(l.places, func(p *place) bool {
		return p == at || p.dominates(at) && f.stable(l.text.names, p, at)
	})
}

// bestPlace is the place before whose statement the first of the sites and most of the others have a let assigned.
func (f *function) bestPlace(l *let, sites []*site) *place {
	best, most := sites[0].at, 0
	for at := best; at != nil; at = at.parent {
		if !f.reaches(l, at, sites[0]) {
			break
		}
		isLate := func(of *let) bool { return !f.hasValue(of, at) }
		if at.isElif(f.file) || !f.defined(l.text.names, at) || slices.ContainsFunc(l.text.lets, isLate) {
			continue
		}
		n := 0
		for _, s := range sites {
			if f.reaches(l, at, s) {
				n++
			}
		}
		if n > most {
			best, most = at, n
		}
	}
	return best
}

// defined reports whether each of the names certainly has a value before a place.
func (f *function) defined(names []string, at *place) bool {
	for _, name := range names {
		local, before := false, f.hasParam(name)
		for _, a := range f.assigned {
			if a.name == name {
				local = true
				simple := blocksOf(a.place.stmt) == nil
				before = before || a.place != at && (isIn(at, a.place) || simple && a.place.dominates(at))
			}
		}
		if local && !before {
			return false
		}
	}
	return true
}

// replaceStatement writes lines in a statement's place, below the comments that are inside of it.
func (w *writer) replaceStatement(at *place, lines []string) {
	span := at.stmt.Span()
	if w.separator(at) != "; " {
		lines = append(comments(w.module.File.Slice(span)), lines...)
	}
	w.edit(span, w.join(at, lines))
}

// join is lines as they are written at a place; those that are too long are broken.
func (w *writer) join(at *place, lines []string) string {
	separator := w.separator(at)
	if separator != "; " {
		for i, line := range lines {
			lines[i] = broken(line, len(separator)-1)
		}
	}
	return strings.Join(lines, separator)
}

// broken is an assignment in as many lines as it needs.
func broken(line string, indent int) string {
	name, value, ok := strings.Cut(line, " = ")
	if !ok || indent+len(line) <= maxColumns || strings.HasPrefix(line, "#") {
		return line
	}
	operator := " + "
	if strings.Contains(value, " & ") {
		operator = " & "
	}
	margin := indent + len(name) + len(" = (")
	var b strings.Builder
	b.WriteString(name + " = (")
	column := margin
	for i, term := range strings.Split(value, operator) {
		switch {
		case i > 0 && column+len(operator)+len(term) > maxColumns:
			b.WriteString("\n" + strings.Repeat(" ", margin) + operator[1:])
			column = margin
		case i > 0:
			b.WriteString(operator)
		}
		b.WriteString(term)
		column += len(operator) + len(term)
	}
	return b.String() + ")"
}

// separator is what is between statements at a place: a new line, or a semicolon where others are on the line before.
func (w *writer) separator(at *place) string {
	file, start := w.module.File, at.stmt.Span().Start
	line := file.LineSpan(file.Position(start).Line)
	before := file.Slice(source.Span{Start: line.Start, End: start})
	if strings.TrimSpace(before) != "" {
		return "; "
	}
	return "\n" + before
}

// comments are those in a piece of source.
func comments(code string) (list []string) {
	for line := range strings.Lines(code) {
		var quote byte
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"' || c == '\'':
				quote = c
			case c == '#':
				list = append(list, strings.TrimSpace(line[i:]))
				i = len(line)
			}
		}
	}
	return list
}
