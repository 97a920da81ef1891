package usage

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/resolve"
	"github.com/newtlab/newt/compiler/syntax"
)

const (
	count  = Number | Integer
	extent = count | Extent
)

// role says what the arguments of a function of the language are.
type role struct {
	positional []Kind
	keywords   map[string]Kind
}

var (
	access = role{[]Kind{Pointer}, map[string]Kind{"pointer": Pointer, "other": Number}}
	tile   = role{[]Kind{extent, DType}, map[string]Kind{"shape": extent, "dtype": DType}}
	loop   = role{[]Kind{count, count, count}, nil}
	// Descriptors have no offsets of their own.
	blockPointer = role{[]Kind{Pointer, count, count, count, extent}, map[string]Kind{"base": Pointer, "shape": count,
		"strides": count, "offsets": count, "block_shape": extent}}
	descriptor = role{[]Kind{Pointer, count, count, extent}, map[string]Kind{"base": Pointer, "shape": count,
		"strides": count, "block_shape": extent}}
)

// roles are the functions that say something about their arguments, by their path.
var roles = map[string]role{
	"load":                   access,
	"store":                  access,
	"atomic_add":             access,
	"atomic_max":             access,
	"atomic_min":             access,
	"atomic_and":             access,
	"atomic_or":              access,
	"atomic_xor":             access,
	"atomic_xchg":            access,
	"atomic_cas":             access,
	"make_block_ptr":         blockPointer,
	"make_tensor_descriptor": descriptor,
	"arange":                 {[]Kind{extent, extent}, map[string]Kind{"start": extent, "end": extent}},
	"range":                  loop, "cdiv": loop,
	"static_range": {[]Kind{count | Trips, count | Trips, count}, nil},
	"zeros":        tile, "empty": tile,
	"full":    {[]Kind{extent, Number, DType}, map[string]Kind{"shape": extent, "dtype": DType}},
	"cast":    {[]Kind{0, DType}, map[string]Kind{"dtype": DType}},
	"getattr": {[]Kind{0, Object}, nil},
	"dot":     {nil, map[string]Kind{"out_dtype": DType}},
}

// transparent are the functions that give their first argument back in another form, a pointer as
// a pointer. Each is a method of tensors as well.
var transparent = []string{"multiple_of", "max_contiguous", "max_constancy", "broadcast_to", "expand_dims", "reshape",
	"view", "ravel", "trans", "permute", "min", "max"}

// passedThrough are the arguments that a call of the language gives back.
func (a *analysis) passedThrough(call *syntax.Call) []syntax.Expr {
	name := a.languageName(call.Func)
	switch {
	case name == "where" && len(call.Args) == 3:
		return call.Args[1:]
	case slices.Contains(transparent, name) && len(call.Args) > 0:
		return call.Args[:1]
	case name == "":
		if m, ok := call.Func.(*syntax.Attribute); ok && slices.Contains(transparent, m.Attr) {
			return []syntax.Expr{m.Value}
		}
	}
	return nil
}

// languageName is the name of a function of the language, or of a builtin that it knows, "" for
// anything else.
func (a *analysis) languageName(f syntax.Expr) string {
	if n, ok := f.(*syntax.Name); ok && a.info.Names[n].Kind == resolve.Builtin {
		return n.ID
	}
	path, ok := a.info.Path(f)
	if !ok {
		return ""
	}
	name, ok := strings.CutPrefix(path, "triton.language.")
	if !ok {
		if path == "triton.cdiv" {
			return "cdiv"
		}
		return ""
	}
	return name[strings.LastIndexByte(name, '.')+1:]
}

// operandKinds are the facts that an operator states about its operands. Pointers have + and - only; floats have %,
// and no //.
var operandKinds = map[string]Kind{"*": Number, "/": Number, "**": Number, "@": Number, "//": count, "%": Number,
	"&": Number, "|": Number, "^": Number, "<<": count, ">>": count}

// constrainUses notes what an expression or statement uses its operands as.
func (a *analysis) constrainUses(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.Call:
		a.constrainCall(n)
	case *syntax.BinOp:
		a.constrain(n.Left, operandKinds[n.Op])
		a.constrain(n.Right, operandKinds[n.Op])
	case *syntax.AugAssign:
		a.constrain(n.Target, operandKinds[n.Op])
		a.constrain(n.Value, operandKinds[n.Op])
	case *syntax.UnaryOp:
		if n.Op == "not" {
			a.constrainCondition(n.Operand)
		}
	case *syntax.BoolOp:
		for _, v := range n.Values {
			a.constrainCondition(v)
		}
	case *syntax.If:
		a.constrainCondition(n.Test)
	case *syntax.IfExp:
		a.constrainCondition(n.Test)
	case *syntax.Compare:
		a.constrainComparison(n)
	case *syntax.Attribute:
		a.constrainAttribute(n)
	case *syntax.Subscript:
		a.constrain(n.Value, Object)
	case *syntax.Starred:
		a.constrain(n.Value, Object)
	case *syntax.For:
		a.constrain(n.Iter, Object)
	case *syntax.Comp:
		for _, c := range n.Clauses {
			a.constrain(c.Iter, Object)
		}
	}
}

func (a *analysis) constrainCondition(e syntax.Expr) {
	if _, isName := e.(*syntax.Name); isName {
		a.constrain(e, Flag)
	}
}

func (a *analysis) constrainCall(call *syntax.Call) {
	name := a.languageName(call.Func)
	if m, ok := call.Func.(*syntax.Attribute); ok && name == "" {
		if m.Attr == "to" && len(call.Args) > 0 {
			a.constrain(call.Args[0], DType)
		}
		a.constrainImported(call)
		return
	}
	if name == "" {
		a.constrainImported(call)
	}
	r := roles[name]
	for i, e := range call.Args {
		if i < len(r.positional) {
			a.constrainArgument(e, r.positional[i])
		}
	}
	for _, k := range call.Keywords {
		a.constrainArgument(k.Value, r.keywords[k.Name])
	}
	if name == "len" && len(call.Args) == 1 {
		a.constrain(call.Args[0], Object)
	}
	a.constrain(call.Func, Object)
}

// constrainImported passes on what a function of another module uses its parameters as.
func (a *analysis) constrainImported(call *syntax.Call) {
	path, ok := a.info.Path(call.Func)
	if !ok || a.imported == nil {
		return
	}
	uses, fn := a.imported(path)
	if fn == nil {
		return
	}
	list := fn.Params.List
	argument := func(e syntax.Expr, name string) {
		use := uses.Param(fn, name)
		if use.Kind&Pointer != 0 {
			a.addresses = append(a.addresses, e)
		}
		a.constrain(e, use.Kind&^Pointer)
		for _, c := range use.Values {
			a.addValue(e, c)
		}
	}
	for i, e := range call.Args {
		if _, starred := e.(*syntax.Starred); starred || i >= len(list) || list[i].Kind == syntax.VarPositional {
			break
		}
		argument(e, list[i].Name)
	}
	for _, k := range call.Keywords {
		argument(k.Value, k.Name)
	}
}

// constrainArgument states what an argument is; of a shape it holds for each extent.
func (a *analysis) constrainArgument(e syntax.Expr, k Kind) {
	list, isShape := literalElements(e)
	switch {
	case k == 0:
	case k == Pointer:
		a.addresses = append(a.addresses, e)
	case isShape:
		for _, x := range list {
			a.constrain(x, k)
		}
	default:
		a.constrain(e, k)
	}
}

// constrainComparison: what is ordered is a number; what is compared for equality may have that value.
func (a *analysis) constrainComparison(c *syntax.Compare) {
	left := c.Left
	for i, op := range c.Ops {
		right := c.Comparators[i]
		switch op {
		case "<", "<=", ">", ">=":
			a.constrain(left, Number)
			a.constrain(right, Number)
		case "==", "!=", "in", "not in":
			a.constrainEquality(left, right)
			a.constrainEquality(right, left)
		}
		left = right
	}
}

func (a *analysis) constrainEquality(e, with syntax.Expr) {
	if list, ok := literalElements(with); ok {
		for _, x := range list {
			a.constrainEquality(e, x)
		}
		return
	}
	if c, ok := with.(*syntax.Constant); ok && (c.Kind == syntax.StringConst || c.Kind == syntax.IntConst) {
		a.addValue(e, c)
	}
	if path, ok := a.info.Path(with); ok && strings.HasPrefix(path, "triton.language.") {
		a.constrain(e, DType)
	}
}

// addValue notes a value that an expression is compared with, at the variables that it comes from.
func (a *analysis) addValue(e syntax.Expr, c *syntax.Constant) {
	n, ok := e.(*syntax.Name)
	if !ok || a.symbolOf(n) == nil {
		return
	}
	u := a.useOf(a.symbolOf(n))
	same := func(x *syntax.Constant) bool { return x.Kind == c.Kind && x.Text == c.Text }
	if slices.ContainsFunc(u.Values, same) {
		return
	}
	u.Values = append(u.Values, c)
	for _, f := range a.flows[a.symbolOf(n)] {
		if f.index == wholeValue {
			a.addValue(f.expr, c)
		}
	}
}

// constrainAttribute: p.dtype.element_ty is what a pointer points at; what else is asked for an attribute,
// other than its type or a conversion, is no scalar.
func (a *analysis) constrainAttribute(e *syntax.Attribute) {
	switch e.Attr {
	case "element_ty":
		if of, ok := e.Value.(*syntax.Attribute); ok && (of.Attr == "dtype" || of.Attr == "type") {
			a.addresses = append(a.addresses, of.Value)
		}
	case "dtype", "type", "to", "value", "cast":
	default:
		a.constrain(e.Value, Object)
	}
}

// resolvePointers decides which variables are pointers, once it is known which are numbers. A sum whose
// sides are both unknown is left until the rest is decided; its left side is then the pointer.
func (a *analysis) resolvePointers() {
	for _, e := range a.addresses {
		a.constrain(e, Pointer)
	}
	// Deciding one sum may decide others, and may bring up new ones.
	for len(a.ambiguous) > 0 {
		list := a.ambiguous
		a.ambiguous = nil
		for _, e := range list {
			if !a.isPointer(e.Left) && !a.isPointer(e.Right) {
				a.constrain(e.Left, Pointer)
			}
		}
	}
}

// isPointer reports whether an expression is one already, or is a sum with one in it.
func (a *analysis) isPointer(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Name:
		return a.symbolOf(e) != nil && a.useOf(a.symbolOf(e)).Kind&Pointer != 0
	case *syntax.BinOp:
		return a.isPointer(e.Left) || a.isPointer(e.Right)
	case *syntax.Subscript:
		return a.isPointer(e.Value)
	case *syntax.Call:
		return a.convertsToPointer(e)
	}
	return false
}

// convertsToPointer reports whether a call is x.to(tl.pointer_type(…)) or tl.cast(x, tl.pointer_type(…)).
func (a *analysis) convertsToPointer(call *syntax.Call) bool {
	if m, ok := call.Func.(*syntax.Attribute); a.languageName(call.Func) != "cast" && (!ok || m.Attr != "to") {
		return false
	}
	return slices.ContainsFunc(call.Args, func(e syntax.Expr) bool {
		to, ok := e.(*syntax.Call)
		return ok && a.languageName(to.Func) == "pointer_type"
	})
}

// isNumber reports whether an expression cannot be a pointer.
func (a *analysis) isNumber(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Constant, *syntax.Compare, *syntax.BoolOp, *syntax.UnaryOp:
		return true
	case *syntax.BinOp:
		return e.Op != "+" && e.Op != "-" || a.isNumber(e.Left) && a.isNumber(e.Right)
	case *syntax.IfExp:
		return a.isNumber(e.Body) || a.isNumber(e.Else)
	case *syntax.Subscript:
		return a.isNumber(e.Value)
	case *syntax.Name:
		return a.symbolOf(e) != nil && a.variableIsNumber(a.symbolOf(e))
	case *syntax.Call:
		return a.callIsNumber(e)
	}
	return false
}

func (a *analysis) callIsNumber(call *syntax.Call) bool {
	if a.convertsToPointer(call) {
		return false
	}
	if callees := a.callees(call); len(callees) > 0 {
		return a.variableIsNumber(a.results[callees[0]])
	}
	passed := a.passedThrough(call)
	for _, e := range passed {
		if a.isNumber(e) {
			return true
		}
	}
	if m, ok := call.Func.(*syntax.Attribute); ok && m.Attr == "to" {
		return a.isNumber(m.Value)
	}
	return len(passed) == 0 && a.languageName(call.Func) != ""
}

// variableIsNumber: a variable keeps its kind, so that one number assigned to it is enough.
func (a *analysis) variableIsNumber(sym *resolve.Symbol) bool {
	if a.useOf(sym).Kind&Number != 0 {
		return true
	}
	if known, seen := a.numbers[sym]; seen {
		return known
	}
	// False while it is looked for, so that a cycle of assignments ends and says nothing.
	a.numbers[sym] = false
	for _, f := range a.flows[sym] {
		if f.index < 0 && a.isNumber(f.expr) {
			a.numbers[sym] = true
			return true
		}
	}
	return false
}
