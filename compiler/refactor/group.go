package refactor

import (
	"maps"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// group is the sites that may give the same block pointers: those that reach one use, or of which one gets its pointer
// from another. They are rewritten alike or not at all.
type group struct {
	union *group // another group that this one has become a part of
	rank  int
	sites []*site
	makes []*site
	uses  []*use
	why   *why

	apart    []bool // dimensions along which some of the pointers are advanced
	wide     []bool // dimensions whose stride is not literally 1, and whose indices are therefore int64
	positive []bool // of dimensions apart: no index is ever negative

	nan        bool // descriptors pad with NaN
	descriptor bool // tensor descriptors take the place of these pointers
}

func (g *group) keep(n syntax.Node, code string) {
	if g.why == nil {
		g.why = &why{nil, n, code}
	}
}

// grouping is a union-find structure over sites.
type grouping map[*site]*group

func (m grouping) of(s *site) *group {
	g := m[s]
	if g == nil {
		g = &group{}
		m[s] = g
	}
	for g.union != nil {
		g = g.union
	}
	return g
}

func (m grouping) unite(list ...*site) {
	for _, s := range list[min(1, len(list)):] {
		if a, b := m.of(s), m.of(list[0]); a != b {
			a.union = b
		}
	}
}

// groups sorts the sites and uses into groups, and says why those are kept that are not rewritten.
func (f *flow) groups(descriptors bool) (list []*group) {
	m := grouping{}
	sites := f.ordered()
	for _, s := range sites {
		if s.base != nil {
			m.unite(append(pointersOf(s.base.sites), s)...)
		}
		if s.callee != nil {
			m.unite(append(slices.Clone(s.callee.returns), s)...)
		}
	}
	for _, u := range f.order {
		m.unite(pointersOf(u.sites)...)
		if u.to != nil {
			m.unite(append(pointersOf(u.sites), u.to)...)
		}
	}
	vars := map[variableKey]*variable{}
	for _, s := range sites {
		g := m.of(s)
		if g.sites == nil {
			list = append(list, g)
		}
		g.sites = append(g.sites, s)
		if s.kind == made {
			g.makes = append(g.makes, s)
		}
		s.to = f.variable(vars, s.fn, s.name, g)
		s.to.sites = append(s.to.sites, s)
	}
	for _, u := range f.order {
		first := pointersOf(u.sites)[0]
		g := m.of(first)
		g.uses = append(g.uses, u)
		u.of = first.to
		if name, ok := u.expr.(*syntax.Name); ok {
			u.of = f.variable(vars, u.fn, name.ID, g)
		}
		if slices.Contains(u.sites, noPointer) {
			g.keep(u.expr, keptMixed)
		}
	}
	for _, w := range f.keptInOrder() {
		for _, s := range pointersOf(w.sites) {
			m.of(s).keep(w.node, w.code)
		}
	}
	for _, g := range list {
		f.examine(g)
	}
	if descriptors {
		for _, g := range list {
			g.descriptor = g.why == nil && g.canBeDescriptor()
		}
	}
	f.alike(list)
	f.noteWide(list)
	return list
}

// keptInOrder are the reasons to keep block pointers, in the order of the text.
func (f *flow) keptInOrder() []*why {
	return slices.SortedFunc(maps.Values(f.kept), func(a, b *why) int {
		return int(a.node.Span().Start - b.node.Span().Start)
	})
}

func pointersOf(sites []*site) []*site {
	return slices.DeleteFunc(slices.Clone(sites), func(s *site) bool { return s.kind == plain })
}

type variableKey struct {
	fn    *function
	name  string
	group *group
}

// variable is the variable of a name while it holds pointers of a group; expressions have one each.
func (f *flow) variable(vars map[variableKey]*variable, fn *function, name string, g *group) *variable {
	key := variableKey{fn, name, g}
	v := vars[key]
	if v == nil || name == "" {
		v = &variable{fn: fn, name: name, group: g, parts: map[part]string{}}
		vars[key] = v
	}
	return v
}

// ordered are the sites in the order of the text.
func (f *flow) ordered() (list []*site) {
	for _, s := range f.sites {
		list = append(list, s)
	}
	for _, fn := range f.functions {
		for _, s := range fn.params {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b *site) int {
		if a.node == b.node {
			return a.param - b.param
		}
		return int(a.node.Span().Start - b.node.Span().Start)
	})
	return list
}

// examine finds what is common to the pointers of a group.
func (f *flow) examine(g *group) {
	if len(g.makes) == 0 {
		g.keep(g.sites[0].node, keptOutside)
	}
	if g.why != nil {
		return
	}
	g.rank = len(g.makes[0].block)
	g.apart, g.wide, g.positive = make([]bool, g.rank), make([]bool, g.rank), make([]bool, g.rank)
	for d := range g.rank {
		g.positive[d] = true
	}
	for _, s := range g.makes {
		if len(s.block) != g.rank {
			g.keep(s.node, keptRanks)
			return
		}
		for d := range g.rank {
			g.wide[d] = g.wide[d] || !isInteger(s.strides[d], 1)
			g.positive[d] = g.positive[d] && s.fn.positive(s.offsets[d])
		}
	}
	by := func(fn *function, n syntax.Node, deltas []syntax.Expr) {
		if len(deltas) != g.rank {
			g.keep(n, keptRanks)
			return
		}
		for d, x := range deltas {
			g.apart[d] = g.apart[d] || !isInteger(x, 0)
			g.positive[d] = g.positive[d] && fn.positive(x)
		}
	}
	for _, s := range g.sites {
		switch {
		case s.kind == moved:
			by(s.fn, s.node, s.by)
		case s.kind == called && !s.whole:
			g.keep(s.node, keptUse)
		case s.name == returned && len(f.callsOf(s.fn)) == 0:
			g.keep(s.node, keptUse)
		case s.kind == made:
			f.checkStatement(g, s)
		}
	}
	for _, u := range g.uses {
		switch u.kind {
		case advanced:
			by(u.fn, u.call, u.by)
		case accessed:
			if _, ok := u.access.checks(g.rank); !ok {
				g.keep(u.access.check.Value, keptArgument)
			}
		}
	}
}

func (f *flow) callsOf(fn *function) (list []*site) {
	for _, s := range f.sites {
		if s.callee == fn {
			list = append(list, s)
		}
	}
	return list
}

// checkStatement keeps what is made where no line can be written before it, or around something else that is rewritten.
func (f *flow) checkStatement(g *group, s *site) {
	switch s.at.stmt.(type) {
	case *syntax.While:
		g.keep(s.node, keptPlace)
	case *syntax.If:
		if s.at.isElif(s.fn.file) {
			g.keep(s.node, keptPlace)
		}
	}
	if s.nested {
		g.keep(s.node, keptPlace)
	}
}

// alike makes groups whose pointers are in the same variable have the same dimensions apart: where one pointer follows
// another in a loop, the types of what the loop carries have to agree.
func (f *flow) alike(list []*group) {
	type key struct {
		fn   *function
		name string
		rank int
	}
	in := map[key][]*group{}
	for _, g := range list {
		for _, s := range g.sites {
			if k := (key{s.fn, s.name, g.rank}); s.name != "" && g.why == nil && !slices.Contains(in[k], g) {
				in[k] = append(in[k], g)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, same := range in {
			for d := range same[0].rank {
				apart := slices.ContainsFunc(same, func(g *group) bool { return g.apart[d] })
				for _, g := range same {
					changed = changed || g.apart[d] != apart
					g.apart[d] = apart
				}
			}
			isPointer := func(g *group) bool { return !g.descriptor }
			for _, g := range same {
				if g.descriptor && slices.ContainsFunc(same, isPointer) {
					g.descriptor, changed = false, true
				}
			}
		}
	}
}

// canBeDescriptor reports whether tensor descriptors can take the place of a group's pointers: the last stride is
// literally 1, the last extent of the blocks may have the 16 bytes that it needs, and what accesses say has a form.
func (g *group) canBeDescriptor() bool {
	for _, s := range g.makes {
		last := g.rank - 1
		n, literal := integer(s.block[last])
		if !isInteger(s.strides[last], 1) || literal && n < descriptorBytes {
			return false
		}
	}
	paddings := map[bool]bool{}
	for _, u := range g.uses {
		if u.kind != accessed {
			continue
		}
		if u.access.modified {
			return false
		}
		if !u.access.store {
			paddings[u.access.padding == "nan"] = true
		}
	}
	g.nan = paddings[true]
	return len(paddings) < 2
}

// descriptorBytes are the bytes that the last dimension of a descriptor's blocks has at least.
const descriptorBytes = 16

// shape is a key that variables of one name have in common where what holds their parts has one type.
func (g *group) shape() string {
	var b strings.Builder
	for d, x := range g.makes[0].block {
		b.WriteString(syntax.String(x))
		if g.apart[d] {
			b.WriteByte('+')
		}
		if g.wide[d] {
			b.WriteByte('w')
		}
		b.WriteByte(',')
	}
	return b.String()
}

// noteWide notes which indices some pointer of a function multiplies by a stride; those that do not may share them.
func (f *flow) noteWide(list []*group) {
	for _, g := range list {
		for _, s := range g.makes {
			for d := range s.block {
				if g.why == nil && !g.descriptor && g.wide[d] && !g.apart[d] {
					s.fn.wide[s.indexKey(d)] = true
				}
			}
		}
	}
}

// indexKey is the same for indices that are the same.
func (s *site) indexKey(d int) string {
	return syntax.String(s.offsets[d]) + ", " + syntax.String(s.block[d])
}
