package refactor

import (
	"slices"

	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// flow finds, for each use of a block pointer, the sites that it may come from: a forward dataflow analysis (reaching
// definitions) that runs until nothing changes, over all functions until no further parameter is found to be a block
// pointer.
type flow struct {
	info      *resolve.Info
	functions []*function
	byDef     map[*syntax.FunctionDef]*function
	sites     map[syntax.Node]*site
	uses      map[syntax.Node]*use
	order     []*use
	kept      map[syntax.Node]*why // by expression that is, or gives, a block pointer which is used in another way
	grew      bool
	visits    int // of sites and uses

	fn    *function
	at    *place
	loop  *loopState
	state state
}

// why says why block pointers are not rewritten: something about a node.
type why struct {
	sites []*site
	node  syntax.Node
	code  string
}

// state is the sites that each name may hold; nil where the place is not reached.
type state map[string][]*site

type loopState struct{ breaks, continues state }

func (s state) clone() state {
	if s == nil {
		return nil
	}
	c := make(state, len(s))
	for k, v := range s {
		c[k] = v
	}
	return c
}

// join is what two paths bring together; changed says whether it has more than a.
func join(a, b state) (out state, changed bool) {
	if b == nil {
		return a, false
	}
	if a == nil {
		return b.clone(), true
	}
	out = a.clone()
	for name, sites := range b {
		for _, s := range sites {
			if !slices.Contains(out[name], s) {
				out[name] = append(slices.Clip(out[name]), s)
				changed = true
			}
		}
	}
	return out, changed
}

// noPointer is the site of values that are no block pointers.
var noPointer = &site{kind: plain}

func analyse(info *resolve.Info) *flow {
	f := &flow{info: info, byDef: map[*syntax.FunctionDef]*function{}, sites: map[syntax.Node]*site{}}
	syntax.Walk(info.Module, func(n syntax.Node) bool {
		if def, ok := n.(*syntax.FunctionDef); ok {
			fn := &function{def: def, file: info.Module.File, params: map[int]*site{}, taken: map[string]bool{},
				lets: map[string]*let{}, partNames: map[string]string{}, wide: map[string]bool{}}
			p := placing{places: map[syntax.Stmt]*place{}}
			p.block(def.Body, nil)
			fn.places, fn.assigned = p.places, p.list
			fn.readNames()
			f.functions = append(f.functions, fn)
			f.byDef[def] = fn
		}
		return true
	})
	for f.grew = true; f.grew; {
		f.grew = false
		f.uses, f.order, f.kept = map[syntax.Node]*use{}, nil, map[syntax.Node]*why{}
		for _, fn := range f.functions {
			f.function(fn)
		}
	}
	return f
}

func (f *flow) function(fn *function) {
	f.fn, f.loop, f.state = fn, nil, state{}
	for i, p := range fn.def.Params.List {
		f.state[p.Name] = []*site{noPointer}
		if s := fn.params[i]; s != nil {
			f.state[p.Name] = []*site{s}
		}
	}
	f.block(fn.def.Body)
}

func (f *flow) block(body []syntax.Stmt) {
	for _, s := range body {
		if f.state == nil {
			return
		}
		f.at = f.fn.places[s]
		f.stmt(s)
	}
}

// branch follows a block from a state and returns the state behind it.
func (f *flow) branch(from state, body []syntax.Stmt) state {
	f.state = from.clone()
	f.block(body)
	return f.state
}

func (f *flow) stmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Assign:
		f.assign(s.Targets, s.Value)
	case *syntax.AnnAssign:
		if s.Value != nil {
			f.assign([]syntax.Expr{s.Target}, s.Value)
		}
	case *syntax.AugAssign:
		f.consume(s.Value)
		f.consume(s.Target)
		f.bindPlain(s.Target)
	case *syntax.If:
		f.consume(s.Test)
		before := f.state
		one := f.branch(before, s.Body)
		other := f.branch(before, s.Else)
		f.state, _ = join(one, other)
	case *syntax.For:
		f.consume(s.Iter)
		f.repeat(s.Target, nil, s.Body, s.Else)
	case *syntax.While:
		f.repeat(nil, s.Test, s.Body, s.Else)
	case *syntax.Return:
		if s.Value != nil {
			f.returnValue(s.Value)
		}
		f.state = nil
	case *syntax.Break:
		if f.loop != nil {
			f.loop.breaks, _ = join(f.loop.breaks, f.state)
		}
		f.state = nil
	case *syntax.Continue:
		if f.loop != nil {
			f.loop.continues, _ = join(f.loop.continues, f.state)
		}
		f.state = nil
	case *syntax.FunctionDef, *syntax.ClassDef:
	default:
		for _, e := range headOf(s) {
			f.consume(e)
		}
		after := f.state
		for _, body := range blocksOf(s) {
			after, _ = join(after, f.branch(after, body))
		}
		f.state = after
	}
}

// returnValue follows what a function returns; what returns a block pointer always returns one that it has just made.
func (f *flow) returnValue(e syntax.Expr) {
	sites := f.expr(e)
	if len(sites) != 1 || sites[0].kind != made || sites[0].node != e {
		f.keep(e, append(slices.Clip(sites), f.fn.returns...), keptUse)
		return
	}
	if s := sites[0]; s.name == "" {
		s.name = returned
		f.fn.returns = append(f.fn.returns, s)
		f.grew = true
	}
}

func (f *flow) repeat(target, test syntax.Expr, body, orElse []syntax.Stmt) {
	outer, at := f.loop, f.at
	head := f.state
	for changed := true; changed; {
		f.loop, f.at, f.state = &loopState{}, at, head.clone()
		if test != nil {
			f.consume(test)
		}
		if target != nil {
			f.bindPlain(target)
		}
		f.block(body)
		again, _ := join(f.state, f.loop.continues)
		head, changed = join(head, again)
	}
	breaks := f.loop.breaks
	f.loop = outer
	f.state, _ = join(f.branch(head, orElse), breaks)
}

// assign binds what a statement assigns.
func (f *flow) assign(targets []syntax.Expr, value syntax.Expr) {
	target := targets[0]
	_, isName := target.(*syntax.Name)
	isName = isName && len(targets) == 1
	tuple, values := elements(target), elements(value)
	if len(targets) == 1 && len(tuple) > 0 && len(tuple) == len(values) {
		if f.selfAdvances(tuple, values) {
			return
		}
		sites := make([][]*site, len(values))
		for i, v := range values {
			sites[i] = f.expr(v)
		}
		for i, t := range tuple {
			f.bind(t, values[i], sites[i], false)
		}
		return
	}
	if isName && f.selfAdvances(targets, []syntax.Expr{value}) {
		return
	}
	sites := f.expr(value)
	if len(targets) > 1 {
		f.keep(value, sites, keptUse)
		for _, t := range targets {
			f.bindPlain(t)
		}
		return
	}
	f.bind(target, value, sites, isName)
}

// elements are those of a tuple or list that is written out; nil for other expressions.
func elements(e syntax.Expr) []syntax.Expr {
	switch e := e.(type) {
	case *syntax.Tuple:
		return e.Elts
	case *syntax.List:
		return e.Elts
	}
	return nil
}

// selfAdvances notes p = tl.advance(p, by), and the same for several pointers at once, which leaves p to the sites that
// it has.
func (f *flow) selfAdvances(targets, values []syntax.Expr) bool {
	for i, t := range targets {
		name, isName := t.(*syntax.Name)
		call, isCall := values[i].(*syntax.Call)
		if !isName || !isCall || !blockPointers(f.state[name.ID]) {
			return false
		}
		base, _, ok := f.advance(call)
		if n, isName := base.(*syntax.Name); !ok || !isName || n.ID != name.ID {
			return false
		}
	}
	for i, t := range targets {
		call := values[i].(*syntax.Call)
		base, by, _ := f.advance(call)
		f.consume(by)
		u := f.use(call, advanced, base, f.state[t.(*syntax.Name).ID])
		u.call, u.by = call, elements(by)
	}
	return true
}

// bind gives a target the sites of a value.
func (f *flow) bind(target, value syntax.Expr, sites []*site, whole bool) {
	name, isName := target.(*syntax.Name)
	if !blockPointers(sites) || !isName {
		f.keep(value, sites, keptUse)
		f.bindPlain(target)
		return
	}
	if from, ok := value.(*syntax.Name); ok {
		c := f.site(value, copied)
		c.base = f.use(value, based, from, sites)
		sites = []*site{c}
	}
	for _, x := range sites {
		switch x.name {
		case "", name.ID:
			x.name = name.ID
			x.whole = whole && x.node == value
		default:
			f.keep(value, sites, keptUse)
		}
	}
	f.state[name.ID] = sites
}

func (f *flow) bindPlain(target syntax.Expr) {
	syntax.Targets(target, func(n *syntax.Name) { f.state[n.ID] = []*site{noPointer} })
	if _, ok := target.(*syntax.Name); !ok {
		f.children(target)
	}
}

// blockPointers reports whether some of the sites give a block pointer.
func blockPointers(sites []*site) bool {
	return slices.ContainsFunc(sites, func(s *site) bool { return s.kind != plain })
}

// site is the site of a node.
func (f *flow) site(n syntax.Node, k siteKind) *site {
	s := f.sites[n]
	f.visits++
	if s == nil {
		s = &site{kind: k, node: n, fn: f.fn, at: f.at}
		f.sites[n] = s
	}
	return s
}

// use is the use at a node, with the sites that are known to reach it.
func (f *flow) use(n syntax.Node, k useKind, pointer syntax.Expr, sites []*site) *use {
	u := f.uses[n]
	f.visits++
	if u == nil {
		u = &use{kind: k, expr: pointer, fn: f.fn, at: f.at}
		f.uses[n] = u
		f.order = append(f.order, u)
	}
	for _, s := range sites {
		if !slices.Contains(u.sites, s) {
			u.sites = append(u.sites, s)
		}
	}
	return u
}

// keep notes that block pointers are not rewritten, if there are any among the sites.
func (f *flow) keep(n syntax.Expr, sites []*site, code string) {
	if blockPointers(sites) {
		f.kept[n] = &why{sites, n, code}
	}
}

// consume evaluates an expression in whose place a block pointer is not rewritten.
func (f *flow) consume(e syntax.Expr) { f.keep(e, f.expr(e), keptUse) }

// children evaluates what is directly below an expression.
func (f *flow) children(e syntax.Expr) {
	syntax.Walk(e, func(n syntax.Node) bool {
		if x, ok := n.(syntax.Expr); ok && x != e {
			f.consume(x)
			return false
		}
		return true
	})
}

// expr follows an expression and returns the sites of the block pointer that it gives; nil if it gives none.
func (f *flow) expr(e syntax.Expr) []*site {
	switch e := e.(type) {
	case *syntax.Name:
		if blockPointers(f.state[e.ID]) {
			return f.state[e.ID]
		}
	case *syntax.IfExp:
		f.consume(e.Test)
		a, b := f.expr(e.Body), f.expr(e.Else)
		if isFresh(a) && isNone(e.Else) {
			return a
		}
		if isFresh(b) && isNone(e.Body) {
			return b
		}
		f.keep(e.Body, a, keptUse)
		f.keep(e.Else, b, keptUse)
	case *syntax.Attribute:
		inner, ok := e.Value.(*syntax.Attribute)
		if ok && e.Attr == "element_ty" && (inner.Attr == "dtype" || inner.Attr == "type") {
			if name, ok := inner.Value.(*syntax.Name); ok && blockPointers(f.state[name.ID]) {
				u := f.use(e, typed, name, f.state[name.ID])
				u.attribute, u.typed = e, inner
				return nil
			}
		}
		f.consume(e.Value)
	case *syntax.Call:
		return f.call(e)
	case *syntax.Lambda:
		f.consume(e.Body)
	default:
		f.children(e)
	}
	return nil
}

func isFresh(sites []*site) bool { return len(sites) == 1 && sites[0].kind == made }

func isNone(e syntax.Expr) bool {
	c, ok := e.(*syntax.Constant)
	return ok && c.Kind == syntax.NoneConst
}
