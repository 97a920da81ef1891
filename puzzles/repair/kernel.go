package repair

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/puzzles"
)

// kind says what an expression of a kernel is, as far as its text tells.
type kind uint8

const (
	unknown kind = iota
	size         // an integer that all programs share: a parameter, or made of parameters
	program      // made of tl.program_id
	index        // offsets of lanes
	pointer
	mask  // a comparison of integers
	value // what is loaded, and what is made of it
)

// kernel is the function that a puzzle asks for, as its text is written.
type kernel struct {
	file    *source.File
	def     *syntax.FunctionDef
	tensors []string // names of the parameters that are tensors; the last one is the output
	// constants are the numbers that the specification has.
	constants []string
	kinds     map[string]kind
	first     map[string]int32 // where a name is assigned first; parameters have no such place
	reads     map[string]int   // how often a name is read
	parents   map[syntax.Node]syntax.Node
	blocks    []block
	exprs     []site // in the order of the text
}

// block is a list of statements and the loop whose body it is, if it is one's.
type block struct {
	list   []syntax.Stmt
	loop   *syntax.For
	before *block // the one that holds the loop
	at     int    // the loop's place in it
}

// site is an expression and the statement that it is in.
type site struct {
	*kernel
	expr syntax.Expr
	stmt syntax.Stmt
}

// read finds the kernel of a name; it is nil where there is none.
func read(file *source.File, name string, tensors int) *kernel {
	module, _ := syntax.Parse(file)
	k := &kernel{file: file, kinds: map[string]kind{}, first: map[string]int32{}, reads: map[string]int{},
		parents: map[syntax.Node]syntax.Node{}}
	for _, s := range module.Body {
		switch s := s.(type) {
		case *syntax.FunctionDef:
			if s.Name == name {
				k.def = s
			}
		case *syntax.Assign:
			k.assign(s.Targets, s.Value)
		}
	}
	if k.def == nil || len(k.def.Params.List) < tensors {
		return nil
	}
	for i, p := range k.def.Params.List {
		k.kinds[p.Name] = size
		if i < tensors {
			k.kinds[p.Name] = pointer
			k.tensors = append(k.tensors, p.Name)
		}
	}
	k.statements(block{list: k.def.Body})
	return k
}

// statements reads a block: what its names are, and its expressions.
func (k *kernel) statements(b block) {
	k.blocks = append(k.blocks, b)
	for i, s := range b.list {
		k.names(s)
		syntax.Walk(s, func(n syntax.Node) bool {
			_, nested := n.(syntax.Stmt)
			return n == s || !nested && k.node(n, s, s)
		})
		switch s := s.(type) {
		case *syntax.For:
			outer := b
			k.statements(block{s.Body, s, &outer, i})
		case *syntax.While:
			k.statements(block{list: s.Body})
		case *syntax.If:
			k.statements(block{list: s.Body})
			k.statements(block{list: s.Else})
		}
	}
}

// node notes an expression and all below it.
func (k *kernel) node(n, parent syntax.Node, in syntax.Stmt) bool {
	k.parents[n] = parent
	if e, ok := n.(syntax.Expr); ok {
		k.exprs = append(k.exprs, site{k, e, in})
		if name, ok := e.(*syntax.Name); ok && target(in) != name.ID {
			k.reads[name.ID]++
		}
	}
	syntax.Walk(n, func(child syntax.Node) bool {
		return child == n || k.node(child, n, in)
	})
	return false
}

func (k *kernel) names(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Assign:
		k.assign(s.Targets, s.Value)
	case *syntax.AnnAssign:
		if s.Value != nil {
			k.assign([]syntax.Expr{s.Target}, s.Value)
		}
	case *syntax.AugAssign:
		if n, ok := s.Target.(*syntax.Name); ok {
			k.kinds[n.ID] = max(k.kinds[n.ID], k.kind(s.Value))
		}
	case *syntax.For:
		if name, ok := s.Target.(*syntax.Name); ok {
			k.kinds[name.ID] = index
			k.assigned(name)
		}
	}
}

// assigned notes where a name is assigned first.
func (k *kernel) assigned(n *syntax.Name) {
	if _, known := k.first[n.ID]; !known && k.def != nil {
		k.first[n.ID] = n.Span().Start
	}
}

func (k *kernel) assign(targets []syntax.Expr, v syntax.Expr) {
	for _, t := range targets {
		name, ok := t.(*syntax.Name)
		// An accumulator that begins with an integer stays what it becomes in the loop.
		if of := k.kind(v); ok && of != unknown {
			k.kinds[name.ID] = of
			k.assigned(name)
		}
	}
}

// valued are functions whose result is a value whatever they are given.
const valued = " load zeros full dot exp exp2 log log2 sqrt rsqrt sigmoid softmax zeros_like "

// kind says what an expression is.
func (k *kernel) kind(e syntax.Expr) kind {
	switch e := e.(type) {
	case *syntax.Name:
		return k.kinds[e.ID]
	case *syntax.Constant:
		switch e.Kind {
		case syntax.IntConst:
			return size
		case syntax.FloatConst:
			return value
		}
	case *syntax.BinOp:
		return max(k.kind(e.Left), k.kind(e.Right))
	case *syntax.UnaryOp:
		return k.kind(e.Operand)
	case *syntax.Compare:
		return mask
	case *syntax.Subscript:
		return k.kind(e.Value)
	case *syntax.Call:
		return k.call(e)
	}
	return unknown
}

func (k *kernel) call(e *syntax.Call) kind {
	name := syntax.LastName(e.Func)
	switch {
	case name == "program_id":
		return program
	case name == "arange":
		return index
	case name == "constexpr" || name == "num_programs":
		return size
	case strings.Contains(valued, " "+name+" ") || name == "float":
		return value
	case name == "where" && len(e.Args) == 3:
		return k.kind(e.Args[1])
	}
	of := unknown
	for _, a := range e.Args {
		of = max(of, k.kind(a))
	}
	// A method: x.to(tl.float32).
	if method, ok := e.Func.(*syntax.Attribute); ok && of != value {
		of = max(of, k.kind(method.Value))
	}
	return of
}

// text is how a node is written.
func (k *kernel) text(n syntax.Node) string { return k.file.Slice(n.Span()) }

// parent is what a node is directly in.
func (s site) parent() syntax.Node { return s.parents[s.expr] }

// accesses are the functions of Triton that take a pointer first.
var accesses = []string{"load", "store", "atomic_add", "atomic_max", "atomic_min"}

// callTo is a call to a function of Triton that has one of the names.
func callTo(n syntax.Node, names ...string) *syntax.Call {
	c, ok := n.(*syntax.Call)
	if !ok || !slices.Contains(names, syntax.LastName(c.Func)) {
		return nil
	}
	return c
}

// argument is a call's argument by its place or its keyword; nil where the call has none.
func argument(c *syntax.Call, place int, name string) syntax.Expr {
	for _, k := range c.Keywords {
		if k.Name == name {
			return k.Value
		}
	}
	if place >= 0 && place < len(c.Args) {
		return c.Args[place]
	}
	return nil
}

// maskOf is the mask of a load or a store.
func maskOf(c *syntax.Call) syntax.Expr {
	if syntax.LastName(c.Func) == "load" {
		return argument(c, 1, "mask")
	}
	return argument(c, 2, "mask")
}

// within reports whether the site is in another expression or statement.
func (s site) within(outer syntax.Node) bool {
	in := outer.Span()
	at := s.expr.Span()
	return in.Start <= at.Start && at.End <= in.End
}

// alike are the names of the kernel that are of a name's kind, but for itself: what it may have been confused with.
func (k *kernel) alike(n *syntax.Name, kinds ...kind) (names []string) {
	if len(kinds) == 0 {
		kinds = []kind{k.kinds[n.ID]}
	}
	for name, of := range k.kinds {
		at, local := k.first[name]
		if name != n.ID && slices.Contains(kinds, of) && (!local || at < n.Span().Start) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, k.order)
	return names
}

// undefined reports whether a change reads a name that has no value yet where it does.
func (k *kernel) undefined(c change) bool {
	return slices.ContainsFunc(c.edits, func(e diag.Edit) bool {
		at := k.statementAt(e.Span.Start)
		if at == nil || strings.Contains(e.New, "\n") {
			return false
		}
		return slices.ContainsFunc(puzzles.Words(e.New), func(name string) bool {
			first, local := k.first[name]
			return local && first >= at.Span().Start
		})
	})
}

// statementAt is the innermost statement at an offset.
func (k *kernel) statementAt(offset int32) (at syntax.Stmt) {
	for _, b := range k.blocks {
		for _, s := range b.list {
			if in := s.Span(); in.Start <= offset && offset < in.End && (at == nil || in.Start > at.Span().Start) {
				at = s
			}
		}
	}
	return at
}

// order puts parameters first, as they are declared, and then other names by the alphabet.
func (k *kernel) order(a, b string) int {
	place := func(name string) int {
		i := slices.IndexFunc(k.def.Params.List, func(p syntax.Param) bool { return p.Name == name })
		if i < 0 {
			return len(k.def.Params.List)
		}
		return i
	}
	if d := place(a) - place(b); d != 0 {
		return d
	}
	return strings.Compare(a, b)
}

// replaced is the edit that writes a text in a node's place.
func replaced(n syntax.Node, text string) diag.Edit { return diag.Edit{Span: n.Span(), New: text} }

// inserted is the edit that writes a text at an offset.
func inserted(at int32, text string) diag.Edit {
	return diag.Edit{Span: source.Span{Start: at, End: at}, New: text}
}

// grouped is the text of an expression that may become an operand.
func (k *kernel) grouped(e syntax.Expr) string {
	switch e.(type) {
	case *syntax.BinOp, *syntax.Compare, *syntax.IfExp, *syntax.BoolOp:
		return "(" + k.text(e) + ")"
	}
	return k.text(e)
}

// operator is the place of a comparison's only operator.
func (k *kernel) operator(c *syntax.Compare) source.Span {
	from, to := c.Left.Span().End, c.Comparators[0].Span().Start
	between := k.file.Slice(source.Span{Start: from, End: to})
	at := from + int32(strings.Index(between, c.Ops[0]))
	return source.Span{Start: at, End: at + int32(len(c.Ops[0]))}
}

// line is the number of the line on which a node begins.
func (k *kernel) line(n syntax.Node) int { return k.file.Position(n.Span().Start).Line }

// indent is the space before a statement, and whether nothing else is before it on its line.
func (k *kernel) indent(s syntax.Stmt) (string, bool) {
	line := k.file.LineSpan(k.line(s))
	before := k.file.Slice(source.Span{Start: line.Start, End: s.Span().Start})
	return before, strings.TrimSpace(before) == ""
}

// lines is the span of the whole lines of a statement, the last line's end included.
func (k *kernel) lines(s syntax.Stmt) source.Span {
	first, last := k.line(s), k.file.Position(s.Span().End).Line
	end := k.file.Span().End
	if last < k.file.LineCount() {
		end = k.file.LineSpan(last + 1).Start
	}
	return source.Span{Start: k.file.LineSpan(first).Start, End: end}
}

// constexpr reports whether a name is a parameter that is annotated, as block sizes are.
func (k *kernel) constexpr(name string) bool {
	annotated := func(p syntax.Param) bool { return p.Name == name && p.Annotation != nil }
	return slices.ContainsFunc(k.def.Params.List, annotated)
}
