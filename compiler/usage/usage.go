// Package usage infers from a file's text what its functions use their parameters as: which are
// pointers, which are numbers, which constexprs are dtypes, flags or strings.
//
// # A backward dataflow analysis
//
// A use is a fact about a variable: tl.load(v) makes v a pointer, v * 2 makes it a number, and
// v == "relu" says which string it may be. Facts flow backwards along assignments, from a variable
// to what is assigned to it, and across calls of the file's own functions, from a parameter to the
// arguments and from a result to what is returned. The order of statements does not count (the
// analysis is flow-insensitive), nor does which call a fact comes from (it is context-insensitive).
//
// # The fixpoint
//
// The facts of a variable are a set that only grows ([Kind], a lattice of bit sets under union), and
// addFact passes a fact on only when it is new. So recursion and loops end, every fact crosses every
// flow once, and the result does not depend on the order of visits.
//
// Pointers are the exception: of p + q either may be the pointer, and to know which one, one has to
// know that the other is a number, which is the absence of a fact. They are therefore decided last
// (resolvePointers), when the numbers are known; sums that stay ambiguous are taken in the usual
// order of writing, pointer first.
package usage

import (
	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

// Kind is a set of facts about a variable.
type Kind uint16

// The facts.
const (
	Pointer Kind = 1 << iota // addresses memory, or is added to what does
	Number                   // operand of arithmetic, bound of a range, extent of a tile
	Integer                  // counts or divides with remainder
	Extent                   // extent of a tile, so that it has to be a power of two
	Trips                    // bound of a loop that is unrolled
	Flag                     // the condition of an if
	DType                    // an element type
	Object                   // called, indexed, iterated over or asked for an attribute: no scalar
)

// Use holds the facts about one variable.
type Use struct {
	Kind   Kind
	Values []*syntax.Constant // strings and integers that it is compared with, in the order found
}

// Uses holds the uses of a file's variables.
type Uses struct {
	info *resolve.Info
	of   map[*resolve.Symbol]*Use
}

// Param is the use of a function's parameter of that name.
func (u *Uses) Param(fn *syntax.FunctionDef, name string) Use {
	if scope := u.info.Scopes[fn]; scope != nil && u.of[scope.Names[name]] != nil {
		return *u.of[scope.Names[name]]
	}
	return Use{}
}

// Imported finds a function of another module by the path that imports give it, and the uses of that module.
type Imported func(path string) (*Uses, *syntax.FunctionDef)

// Infer analyses every function of a file. Where imported is nil, nothing is known of other modules' functions.
func Infer(info *resolve.Info, imported Imported) *Uses {
	a := &analysis{
		info: info, imported: imported, uses: make(map[*resolve.Symbol]*Use), flows: make(map[*resolve.Symbol][]flow),
		results: make(map[*syntax.FunctionDef]*resolve.Symbol), elements: make(map[element]Kind),
		numbers: make(map[*resolve.Symbol]bool),
	}
	var functions []*syntax.FunctionDef
	syntax.Walk(info.Module, func(n syntax.Node) bool {
		if fn, ok := n.(*syntax.FunctionDef); ok {
			functions = append(functions, fn)
			a.results[fn] = &resolve.Symbol{Name: fn.Name}
		}
		return true
	})
	for _, fn := range functions {
		a.eachNode(fn, func(n syntax.Node) { a.collectFlows(fn, n) })
	}
	for _, fn := range functions {
		a.eachNode(fn, a.constrainUses)
	}
	a.resolvePointers()
	return &Uses{info, a.uses}
}

// eachNode visits what belongs to a function itself: not to the functions inside of it.
func (a *analysis) eachNode(fn *syntax.FunctionDef, visit func(syntax.Node)) {
	for _, s := range fn.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if _, nested := n.(*syntax.FunctionDef); nested {
				return false
			}
			visit(n)
			return true
		})
	}
}

type analysis struct {
	info     *resolve.Info
	imported Imported
	uses     map[*resolve.Symbol]*Use
	flows    map[*resolve.Symbol][]flow
	results  map[*syntax.FunctionDef]*resolve.Symbol // variables in place of what functions return
	elements map[element]Kind
	numbers  map[*resolve.Symbol]bool // what isNumber has found, and false while it looks

	addresses []syntax.Expr   // pointers of accesses
	ambiguous []*syntax.BinOp // sums of which either side may be the pointer
}

// flow is an expression whose value a variable may get, or an element of it.
type flow struct {
	expr  syntax.Expr
	index int // of an element; whole and each are no indices
}

const (
	wholeValue = -1
	anyElement = -2 // any element: for v in expr
)

// element is one element of a variable that holds a tuple.
type element struct {
	of    *resolve.Symbol
	index int
}

// collectFlows notes what a statement or a call lets flow where.
func (a *analysis) collectFlows(fn *syntax.FunctionDef, n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Assign:
		for _, t := range n.Targets {
			a.flowToTarget(t, flow{n.Value, wholeValue})
		}
	case *syntax.AnnAssign:
		if n.Value != nil {
			a.flowToTarget(n.Target, flow{n.Value, wholeValue})
		}
	case *syntax.AugAssign:
		a.flowToTarget(n.Target, flow{&syntax.BinOp{Op: n.Op, Left: n.Target, Right: n.Value}, wholeValue})
	case *syntax.NamedExpr:
		a.flowToTarget(n.Target, flow{n.Value, wholeValue})
	case *syntax.For:
		a.flowToTarget(n.Target, flow{n.Iter, anyElement})
	case *syntax.Comp:
		for _, c := range n.Clauses {
			a.flowToTarget(c.Target, flow{c.Iter, anyElement})
		}
	case *syntax.Return:
		if n.Value != nil {
			a.flowTo(a.results[fn], flow{n.Value, wholeValue})
		}
	case *syntax.Call:
		for _, callee := range a.callees(n) {
			a.flowArguments(callee, n)
		}
	}
}

func (a *analysis) flowToTarget(target syntax.Expr, f flow) {
	switch t := target.(type) {
	case *syntax.Name:
		a.flowTo(a.symbolOf(t), f)
	case *syntax.Tuple:
		a.flowToElements(t.Elts, f)
	case *syntax.List:
		a.flowToElements(t.Elts, f)
	}
}

func (a *analysis) flowToElements(targets []syntax.Expr, f flow) {
	elements, literal := literalElements(f.expr)
	for i, t := range targets {
		switch {
		case f.index != wholeValue: // for x, y in …: nothing is known of the elements' elements
		case literal && len(elements) == len(targets):
			a.flowToTarget(t, flow{elements[i], wholeValue})
		case !literal:
			a.flowToTarget(t, flow{f.expr, i})
		}
	}
}

func (a *analysis) flowTo(sym *resolve.Symbol, f flow) {
	if sym != nil {
		a.flows[sym] = append(a.flows[sym], f)
	}
}

// flowArguments lets the arguments of a call flow to the callee's parameters.
func (a *analysis) flowArguments(callee *syntax.FunctionDef, call *syntax.Call) {
	scope, list := a.info.Scopes[callee], callee.Params.List
	for i, e := range call.Args {
		if _, starred := e.(*syntax.Starred); starred || i >= len(list) || list[i].Kind == syntax.VarPositional {
			break
		}
		a.flowTo(scope.Names[list[i].Name], flow{e, wholeValue})
	}
	for _, k := range call.Keywords {
		for _, p := range list {
			if p.Name == k.Name {
				a.flowTo(scope.Names[p.Name], flow{k.Value, wholeValue})
			}
		}
	}
}

func (a *analysis) symbolOf(n *syntax.Name) *resolve.Symbol { return a.info.Names[n].Symbol }

// callees are the functions of the file that a call may reach.
func (a *analysis) callees(call *syntax.Call) []*syntax.FunctionDef {
	name, ok := call.Func.(*syntax.Name)
	if !ok || a.symbolOf(name) == nil {
		return nil
	}
	var list []*syntax.FunctionDef
	for _, d := range a.symbolOf(name).Decls {
		if fn, ok := d.Node.(*syntax.FunctionDef); ok {
			list = append(list, fn)
		}
	}
	return list
}

// literalElements are the elements of a tuple or list as written.
func literalElements(e syntax.Expr) ([]syntax.Expr, bool) {
	switch e := e.(type) {
	case *syntax.Tuple:
		return e.Elts, true
	case *syntax.List:
		return e.Elts, true
	}
	return nil, false
}

func (a *analysis) useOf(sym *resolve.Symbol) *Use {
	if a.uses[sym] == nil {
		a.uses[sym] = &Use{}
	}
	return a.uses[sym]
}

// addFact adds a fact about a variable and passes it on to what flows there.
func (a *analysis) addFact(sym *resolve.Symbol, k Kind) {
	u := a.useOf(sym)
	// A fact that is known already has been passed on: this ends recursion.
	if u.Kind&k == k {
		return
	}
	u.Kind |= k
	for _, f := range a.flows[sym] {
		if f.index == wholeValue {
			a.constrain(f.expr, k)
		} else {
			a.constrainElement(f.expr, f.index, k)
		}
	}
}

// constrain states a fact about the value of an expression.
func (a *analysis) constrain(e syntax.Expr, k Kind) {
	switch e := e.(type) {
	case *syntax.Name:
		if sym := a.symbolOf(e); sym != nil {
			a.addFact(sym, k)
		}
	case *syntax.IfExp:
		a.constrain(e.Body, k)
		a.constrain(e.Else, k)
	case *syntax.NamedExpr:
		a.addFact(a.symbolOf(e.Target), k)
	case *syntax.Call:
		for _, fn := range a.callees(e) {
			a.addFact(a.results[fn], k)
		}
		// A pointer through a function that returns its argument: the facts pass through, but being called
		// upon as an object is about the result.
		for _, arg := range a.passedThrough(e) {
			a.constrain(arg, k&^Object)
		}
	case *syntax.Subscript:
		if i, ok := literalIndex(e.Index); ok {
			a.constrainElement(e.Value, i, k)
		} else {
			a.constrain(e.Value, k)
		}
	case *syntax.BinOp:
		a.constrainOperands(e, k)
	}
}

// constrainOperands: a number is made from numbers, a pointer from a pointer and a number.
func (a *analysis) constrainOperands(e *syntax.BinOp, k Kind) {
	if n := k & (Number | Integer | Trips); n != 0 {
		a.constrain(e.Left, n)
		a.constrain(e.Right, n)
	}
	if k&Pointer == 0 || e.Op != "+" && e.Op != "-" {
		return
	}
	switch {
	case e.Op == "-" || a.isNumber(e.Right):
		a.constrain(e.Left, Pointer)
	case a.isNumber(e.Left):
		a.constrain(e.Right, Pointer)
	default:
		a.ambiguous = append(a.ambiguous, e)
	}
}

// constrainElement states a fact about an element of a tuple.
func (a *analysis) constrainElement(e syntax.Expr, index int, k Kind) {
	if list, ok := literalElements(e); ok {
		for i, x := range list {
			if i == index || index == anyElement {
				a.constrain(x, k)
			}
		}
		return
	}
	var symbols []*resolve.Symbol
	switch e := e.(type) {
	case *syntax.Name:
		symbols = append(symbols, a.symbolOf(e))
	case *syntax.Call:
		for _, fn := range a.callees(e) {
			symbols = append(symbols, a.results[fn])
		}
	case *syntax.IfExp:
		a.constrainElement(e.Body, index, k)
		a.constrainElement(e.Else, index, k)
	}
	for _, sym := range symbols {
		at := element{sym, index}
		if sym == nil || a.elements[at]&k == k {
			continue
		}
		a.elements[at] |= k
		for _, f := range a.flows[sym] {
			if f.index == wholeValue {
				a.constrainElement(f.expr, index, k)
			}
		}
	}
}

// literalIndex is the value of a literal index.
func literalIndex(e syntax.Expr) (int, bool) {
	c, ok := e.(*syntax.Constant)
	if !ok || c.Kind != syntax.IntConst || len(c.Text) > 4 {
		return 0, false
	}
	n := 0
	for _, d := range c.Text {
		n = 10*n + int(d-'0')
	}
	return n, true
}
