package refactor

import (
	"slices"

	"github.com/newtlab/newt/compiler/syntax"
)

// advance reads tl.advance(base, by) and base.advance(by).
func (f *flow) advance(c *syntax.Call) (base, by syntax.Expr, ok bool) {
	if path, _ := f.info.Path(c.Func); path == "triton.language.advance" {
		a, fits := arguments(c, "base", "offsets")
		return a["base"], a["offsets"], fits && len(elements(a["offsets"])) > 0
	}
	method, ok := c.Func.(*syntax.Attribute)
	if !ok || method.Attr != "advance" {
		return nil, nil, false
	}
	a, fits := arguments(c, "offsets")
	return method.Value, a["offsets"], fits && len(elements(a["offsets"])) > 0
}

// arguments binds a call's arguments to the names of parameters.
func arguments(c *syntax.Call, names ...string) (map[string]syntax.Expr, bool) {
	out := map[string]syntax.Expr{}
	if len(c.Args) > len(names) {
		return nil, false
	}
	for i, a := range c.Args {
		if _, star := a.(*syntax.Starred); star {
			return nil, false
		}
		out[names[i]] = a
	}
	for _, k := range c.Keywords {
		if !slices.Contains(names, k.Name) || out[k.Name] != nil {
			return nil, false
		}
		out[k.Name] = k.Value
	}
	return out, true
}

func (f *flow) call(c *syntax.Call) []*site {
	path, _ := f.info.Path(c.Func)
	switch path {
	case "triton.language.make_block_ptr":
		return f.make(c)
	case "triton.language.load", "triton.language.store":
		f.access(c, path == "triton.language.store")
		return nil
	}
	if base, by, ok := f.advance(c); ok {
		if sites := f.expr(base); blockPointers(sites) {
			f.consume(by)
			s := f.site(c, moved)
			s.base, s.by = f.use(c, based, base, sites), elements(by)
			return []*site{s}
		}
		f.consume(by)
		if path != "" {
			f.kept[c] = &why{nil, c, keptOutside}
		}
		return nil
	}
	if name, ok := c.Func.(*syntax.Name); ok {
		if b := f.info.Names[name]; b.Symbol != nil && b.Symbol.Function() != nil {
			callee := f.byDef[b.Symbol.Function()]
			f.callFunction(c, callee)
			if len(callee.returns) == 0 {
				return nil
			}
			s := f.site(c, called)
			s.callee = callee
			return []*site{s}
		}
	}
	f.consume(c.Func)
	for _, a := range c.Args {
		f.consume(a)
	}
	for _, k := range c.Keywords {
		f.consume(k.Value)
	}
	return nil
}

func (f *flow) make(c *syntax.Call) []*site {
	a, ok := arguments(c, makeParams...)
	visits := f.visits
	for _, x := range a {
		f.consume(x)
	}
	nested := f.visits != visits
	s := f.site(c, made)
	s.nested = nested
	s.pointer, s.shape, s.strides = a["base"], oneOrMore(a["shape"]), oneOrMore(a["strides"])
	s.offsets, s.block = oneOrMore(a["offsets"]), oneOrMore(a["block_shape"])
	rank := len(s.block)
	alike := len(s.shape) == rank && len(s.strides) == rank && len(s.offsets) == rank
	if !ok || !alike || rank == 0 || s.pointer == nil {
		f.keep(c, []*site{s}, keptArgument)
	}
	return []*site{s}
}

// oneOrMore are the elements of an argument; arithmetic is one element.
func oneOrMore(e syntax.Expr) []syntax.Expr {
	switch e.(type) {
	case *syntax.BinOp, *syntax.UnaryOp, *syntax.Constant:
		return []syntax.Expr{e}
	}
	return elements(e)
}

// callFunction follows a call of a function of the module; a block pointer makes the parameter one.
func (f *flow) callFunction(c *syntax.Call, callee *function) {
	params := callee.def.Params.List
	argument := func(a syntax.Expr, keyword string, i int) {
		sites := f.expr(a)
		if !blockPointers(sites) {
			if s := callee.params[i]; s != nil {
				f.keep(a, []*site{s}, keptMixed)
			}
			return
		}
		_, isName := a.(*syntax.Name)
		if !isName || i < 0 || params[i].Kind > syntax.Plain || params[i].Default != nil {
			f.keep(a, sites, keptUse)
			return
		}
		if callee.params[i] == nil {
			callee.params[i] = &site{kind: passed, node: callee.def, fn: callee, name: params[i].Name, param: i}
			f.grew = true
		}
		u := f.use(a, handedOver, a, sites)
		u.call, u.to, u.name = c, callee.params[i], keyword
	}
	starred := slices.ContainsFunc(c.Args, func(a syntax.Expr) bool { _, star := a.(*syntax.Starred); return star })
	for i, a := range c.Args {
		if starred || i >= len(params) {
			i = -1
		}
		argument(a, "", i)
	}
	for _, k := range c.Keywords {
		argument(k.Value, k.Name, slices.IndexFunc(params, func(p syntax.Param) bool { return p.Name == k.Name }))
	}
}
