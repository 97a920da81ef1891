package compiler

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// Check says what is wrong with a file whose kernels' arguments are not known: syntax, names, and
// what lowering with guessed arguments finds. What depends on the types and sizes of arguments is
// reported only where it is wrong for every guess.
func Check(file *source.File, strict bool) (list diag.List) {
	var none any
	defer guard(&none, &list)
	m, list := parse(file, Options{})
	for _, fn := range roots(m) {
		list = merge(list, checkKernel(m, fn, strict))
	}
	return list
}

// roots are the kernels that no other kernel of the file calls: what they call is checked with them.
func roots(m *syntax.Module) []*syntax.FunctionDef {
	kernels := lower.Kernels(m)
	called := make(map[string]bool)
	for _, fn := range kernels {
		for _, s := range fn.Body {
			syntax.Walk(s, func(n syntax.Node) bool {
				if name, ok := n.(*syntax.Name); ok && name.ID != fn.Name {
					called[name.ID] = true
				}
				return true
			})
		}
	}
	var out []*syntax.FunctionDef
	for _, fn := range kernels {
		if !called[fn.Name] {
			out = append(out, fn)
		}
	}
	return out
}

// guess is one way to fill in arguments that nobody has given.
type guess struct {
	element num.DType // of pointers
	size    int       // of constexprs
	flag    bool
	number  num.DType // of numbers whose name says nothing
}

// guesses differ in everything, so that what all of them find wrong is wrong.
var guesses = []guess{
	{num.Float32, 32, true, num.Int32},
	{num.Int32, 64, false, num.Int32},
	{num.Float16, 16, true, num.Float32},
}

// checkKernel lowers a kernel for each guess. What does not depend on arguments is reported once
// found; the rest where all agree.
func checkKernel(m *syntax.Module, fn *syntax.FunctionDef, strict bool) diag.List {
	type key struct {
		code string
		span source.Span
	}
	count := make(map[key]int)
	var found diag.List
	for _, g := range guesses {
		_, list := lower.Lower(m, fn, lower.Options{Args: g.args(fn), Strict: strict})
		for _, d := range list {
			k := key{d.Code, d.Primary.Span}
			if count[k]++; count[k] == 1 {
				found = append(found, d)
			}
		}
	}
	var list diag.List
	for _, d := range found {
		if d.Code == "argument-constexpr" {
			d.Primary.Text = diag.Text{Key: "value-of-launch"} // the value is a guess
		}
		if count[key{d.Code, d.Primary.Span}] == len(guesses) || certain[d.Code] {
			list = append(list, d)
		}
	}
	list.Sort()
	return list
}

// certain are the codes that do not depend on arguments.
var certain = func() map[string]bool {
	m := make(map[string]bool)
	for _, code := range strings.Fields(`unknown-name unknown-keyword undefined-name module-in-kernel
		unsupported-statement unsupported-expression missing-argument too-many-arguments argument-twice
		lambda nested-function plain-global break continue return-in-loop chained-comparison
		chained-assignment loop-else recursion subscript-assigned attribute-assigned dtype-called
		other-without-mask starred-target double-star host-only grid-axis`) {
		m[code] = true
	}
	return m
}()

// args makes arguments by what annotations, defaults and names say.
func (g guess) args(fn *syntax.FunctionDef) []Arg {
	var args []Arg
	for i := range fn.Params.List {
		p := &fn.Params.List[i]
		if p.Kind == syntax.VarPositional || p.Kind == syntax.VarKeyword || p.Default != nil {
			continue
		}
		a := g.arg(fn, p)
		a.Name = p.Name
		args = append(args, a)
	}
	return args
}

func (g guess) arg(fn *syntax.FunctionDef, p *syntax.Param) Arg {
	lowerName := strings.ToLower(p.Name)
	switch {
	case lower.IsConstexpr(p.Annotation):
		return Arg{Constexpr: true, Value: g.constexpr(lowerName)}
	case hasAny(lowerName, "ptr", "pointer") || usedAsPointer(fn, p.Name):
		return Arg{Type: types.PointerTo(g.element)}
	case hasAny(lowerName, "eps", "scale", "alpha", "beta", "prob", "lr"):
		return Arg{Type: types.Scalar(num.Float32)}
	case lowerName == "n" || hasAny(lowerName, "stride", "size", "num", "len", "rows", "cols", "elements") || p.Name == strings.ToUpper(p.Name):
		return Arg{Type: types.Scalar(num.Int32), Value: g.size}
	}
	if g.number.Info().Float {
		return Arg{Type: types.Scalar(g.number)}
	}
	return Arg{Type: types.Scalar(g.number), Value: g.size}
}

func hasAny(name string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// constexpr guesses a constexpr by its name: a dtype, a truth, a precision, else a size.
func (g guess) constexpr(name string) any {
	switch {
	case hasAny(name, "dtype", "type") || name == "acc":
		return num.Float32
	case hasAny(name, "prec"):
		return "ieee"
	case hasAny(name, "is_", "has_", "use_", "causal", "even", "allow", "flag"):
		return g.flag
	}
	return g.size
}

// usedAsPointer reports whether a kernel loads or stores at a parameter: tl.load(p + …).
func usedAsPointer(fn *syntax.FunctionDef, name string) bool {
	found := false
	for _, s := range fn.Body {
		syntax.Walk(s, func(n syntax.Node) bool {
			call, ok := n.(*syntax.Call)
			if !ok || len(call.Args) == 0 {
				return !found
			}
			if f, ok := call.Func.(*syntax.Attribute); ok && (f.Attr == "load" || f.Attr == "store" || strings.HasPrefix(f.Attr, "atomic_")) {
				found = found || leftmost(call.Args[0]) == name
			}
			return !found
		})
	}
	return found
}

// leftmost is the name at the left end of a sum.
func leftmost(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.BinOp:
		return leftmost(e.Left)
	case *syntax.Subscript:
		return leftmost(e.Value)
	case *syntax.Name:
		return e.ID
	}
	return ""
}
