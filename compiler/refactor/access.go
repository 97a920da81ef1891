package refactor

import (
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/syntax"
)

// access is what a call of tl.load or tl.store says beside its pointer.
type access struct {
	store bool
	// modified says that there is a cache modifier or the like, or a comment, for which descriptors have no place.
	modified bool
	dims     []int // that are checked, in ascending order
	count    int   // how many are; dims lacks them where they are not literals
	padding  string
	check    *syntax.Keyword // boundary_check=…; nil where it is not given
	pad      *syntax.Keyword // padding_option=…
}

// access follows a call of tl.load or tl.store.
func (f *flow) access(c *syntax.Call, store bool) {
	var pointer syntax.Expr
	if len(c.Args) > 0 {
		pointer = c.Args[0]
	}
	a := access{store: store, modified: len(comments(f.info.Module.File.Slice(c.Span()))) > 0}
	var problem syntax.Expr
	for i := range c.Keywords {
		k := &c.Keywords[i]
		switch k.Name {
		case "pointer":
			pointer = k.Value
		case "boundary_check":
			a.check = k
			a.dims, a.count = dimensions(k.Value)
		case "padding_option":
			a.pad = k
			s, isText := k.Value.(*syntax.Constant)
			if isText && s.Kind == syntax.StringConst && slices.Contains([]string{"", "zero", "nan"}, s.Text) {
				a.padding = s.Text
			} else if !isNone(k.Value) {
				problem = k.Value
			}
		case "mask", "other":
			if !isNone(k.Value) {
				problem = k.Value
			}
		case "value":
		case "cache_modifier", "eviction_policy", "volatile":
			a.modified = true
		default:
			problem = k.Value
		}
		if k.Name != "pointer" {
			f.consume(k.Value)
		}
	}
	most := 1
	if store {
		most = 2
	}
	for _, x := range c.Args[min(1, len(c.Args)):] {
		f.consume(x)
	}
	if pointer == nil {
		return
	}
	sites := f.expr(pointer)
	if len(c.Args) > most {
		problem = c.Args[most]
	}
	switch {
	case !blockPointers(sites):
		if a.check != nil {
			f.kept[c] = &why{nil, c, keptOutside}
		}
		return
	case problem != nil:
		f.keep(problem, sites, keptArgument)
	}
	u := f.use(c, accessed, pointer, sites)
	u.call, u.access = c, a
}

// dimensions reads a boundary_check: the dimensions, where they are literals, and how many they are; -1 where that is
// unknown.
func dimensions(e syntax.Expr) (dims []int, count int) {
	if isNone(e) {
		return nil, 0
	}
	list := oneOrMore(e)
	if t, isTuple := e.(*syntax.Tuple); list == nil && (!isTuple || len(t.Elts) > 0) {
		return nil, -1
	}
	for _, x := range list {
		n, ok := integer(x)
		if !ok || n < 0 || slices.Contains(dims, n) {
			return nil, len(list)
		}
		dims = append(dims, n)
	}
	slices.Sort(dims)
	return dims, len(list)
}

// checks are the dimensions that an access checks of a block of some rank. As many as there are can only be all.
func (a access) checks(rank int) (dims []int, ok bool) {
	if a.count == rank && len(a.dims) == 0 {
		for d := range rank {
			dims = append(dims, d)
		}
		return dims, true
	}
	return a.dims, a.count == len(a.dims) && (a.count == 0 || a.dims[a.count-1] < rank)
}

// integer is the value of an integer literal.
func integer(e syntax.Expr) (int, bool) {
	switch e := e.(type) {
	case *syntax.Constant:
		if e.Kind == syntax.IntConst {
			n, err := strconv.Atoi(e.Text)
			return n, err == nil
		}
	case *syntax.UnaryOp:
		if n, ok := integer(e.Operand); ok && e.Op == "-" {
			return -n, true
		}
	}
	return 0, false
}

func isInteger(e syntax.Expr, n int) bool {
	m, ok := integer(e)
	return ok && m == n
}
