package refactor

import (
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

// siteKind says how a site gives a block pointer.
type siteKind uint8

const (
	made   siteKind = iota // tl.make_block_ptr(…)
	moved                  // tl.advance(base, by), where another variable or none gets the result
	copied                 // a variable is assigned another one
	passed                 // a parameter
	called                 // a call of a function of the module that returns one
	plain                  // no block pointer
)

// site is a place that gives a block pointer. Moved and copied ones get theirs from base.
type site struct {
	kind siteKind
	node syntax.Node // the call, the assignment or the function
	fn   *function
	at   *place    // nil for parameters
	name string    // the variable that it is assigned to, or returned; "" where it is used at once
	to   *variable // the same

	shape, strides, offsets, block []syntax.Expr // of made ones
	pointer                        syntax.Expr   // of made ones: the base

	base *use
	by   []syntax.Expr // of moved ones

	param  int       // of passed ones: which parameter
	callee *function // of called ones

	whole  bool // the statement assigns this site to a variable and does nothing else
	nested bool // something inside of it is rewritten too
}

// returned is the name of the variable of what a function returns.
const returned = "return"

// variable is a name of a function while it holds the block pointers of one group, or an expression without a name.
type variable struct {
	fn    *function
	name  string // "" for an expression
	group *group
	sites []*site
	parts map[part]string // the variables that hold its parts, by name
}

// useKind says what a use does with a block pointer.
type useKind uint8

const (
	accessed   useKind = iota // tl.load, tl.store
	advanced                  // p = tl.advance(p, by)
	based                     // the base of a site
	typed                     // p.dtype.element_ty
	handedOver                // an argument of a function of the module
)

// use is a place that uses a block pointer.
type use struct {
	kind  useKind
	expr  syntax.Expr // the pointer's
	fn    *function
	of    *variable
	sites []*site
	at    *place

	call      *syntax.Call // of accesses, advances and functions
	access    access
	by        []syntax.Expr     // of advances
	typed     *syntax.Attribute // p.dtype, or p.type
	attribute syntax.Expr       // of it: p.dtype.element_ty
	to        *site             // the parameter
	name      string            // the keyword of an argument; "" where it is positional
}

// function is a function of the module.
type function struct {
	def      *syntax.FunctionDef
	file     *source.File
	params   map[int]*site // of the parameters that are block pointers
	returns  []*site
	places   map[syntax.Stmt]*place
	assigned []assignment
	taken    map[string]bool // names that may not be given to anything else
	lets     map[string]*let // by key
	with     *function       // another function that is rewritten with this one

	wide      map[string]bool   // indices that are multiplied by a stride
	partNames map[string]string // of variables for parts, by variable, shape and part
	sizes     map[string]bool   // names that are extents of blocks
}

// readNames notes the names that the function has, and those that are extents of blocks.
func (fn *function) readNames() {
	fn.sizes = map[string]bool{}
	size := func(list ...syntax.Expr) {
		for _, e := range list {
			if n, ok := e.(*syntax.Name); ok {
				fn.sizes[n.ID] = true
			}
		}
	}
	syntax.Walk(fn.def, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Name:
			fn.taken[n.ID] = true
		case *syntax.FunctionDef:
			for _, p := range n.Params.List {
				fn.taken[p.Name] = true
			}
		case *syntax.Call:
			switch syntax.LastName(n.Func) {
			case "make_block_ptr":
				if a, ok := arguments(n, makeParams...); ok {
					size(elements(a["block_shape"])...)
				}
			case "arange":
				size(n.Args...)
			}
		}
		return true
	})
}

var makeParams = []string{"base", "shape", "strides", "offsets", "block_shape", "order"}
