package lower

import (
	"math/big"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// bindParams gives the kernel's parameters their values: run-time arguments become parameters of
// the IR function, the others are constexpr.
func (l *lowerer) bindParams(def *syntax.FunctionDef) {
	args := l.matchArguments(def)
	for i := range def.Params.List {
		p := &def.Params.List[i]
		// *args and **kwargs of a launched kernel have no place in the IR's signature.
		if p.Kind == syntax.VarPositional || p.Kind == syntax.VarKeyword {
			if l.opts.Guess == nil || !l.opts.Guess.Device {
				l.fail(diag.New("kernel-star-param", p.Loc, p.Name))
			}
			l.frame.vars.set(p.Name, binding{val: poison{}, span: p.Loc})
			continue
		}
		b := binding{span: p.Loc, constexpr: isConstexprAnnotation(p.Annotation)}
		b.val = l.bindParam(def, p, args[i], b.constexpr)
		l.frame.vars.set(p.Name, b)
		l.recordParam(p, b.val)
	}
}

func (l *lowerer) recordParam(p *syntax.Param, v value) {
	if text, ok := hoverText(v); ok && l.opts.Record {
		l.result.Info = append(l.result.Info, Typed{nameSpan(p), p.Name, text})
	}
}

// nameSpan is where a parameter's name is; of an item of a tuple, the tuple's.
func nameSpan(p *syntax.Param) source.Span {
	name, _, _ := strings.Cut(p.Name, ".")
	return source.Span{Start: p.Loc.Start, End: p.Loc.Start + int32(len(name))}
}

// matchArguments pairs parameters with arguments: named ones by name, the others in order. Those of the items of tuples
// go to l.items.
func (l *lowerer) matchArguments(def *syntax.FunctionDef) []*Arg {
	list := def.Params.List
	out := make([]*Arg, len(list))
	index := make(map[string]int, len(list))
	for i, p := range list {
		index[p.Name] = i
	}
	next := 0
	for i := range l.opts.Args {
		a := &l.opts.Args[i]
		at := next
		if strings.Contains(a.Name, ".") {
			l.items[a.Name] = a
			continue
		}
		if a.Name != "" {
			n, ok := index[a.Name]
			if !ok {
				l.fail(diag.New("launch-unknown-argument", def.NameSpan, def.Name, a.Name))
				continue
			}
			at = n
		}
		if at >= len(list) {
			l.fail(diag.New("launch-too-many", def.NameSpan, def.Name, len(list), len(l.opts.Args)))
			break
		}
		out[at] = a
		next = at + 1
	}
	return out
}

// bindParam is one parameter's value.
func (l *lowerer) bindParam(def *syntax.FunctionDef, p *syntax.Param, a *Arg, constexpr bool) value {
	switch {
	case a == nil && p.Default != nil:
		if v, ok := l.evalModuleExpr(l.user, p.Default); ok {
			return v
		}
		if l.underGuess() {
			return poison{}
		}
		return l.fail(diag.New("default-unknown", p.Default.Span(), p.Name))
	case a == nil:
		return l.fail(diag.New("launch-missing-argument", p.Loc, def.Name, p.Name))
	case a.Unknown:
		return poison{}
	case a.Tuple != nil:
		return l.bindTupleParam(def, p, a)
	case a.Descriptor != nil:
		return l.addDescriptorParams(p, a)
	case a.Constexpr:
		v, ok := l.globals.scopeValue(a.Value)
		if !ok {
			return l.fail(diag.New("constexpr-argument", p.Loc, def.Name, p.Name))
		}
		return v
	case constexpr:
		if v, ok := constantOf(a.Value); ok && a.Value != nil {
			return v
		}
		return l.fail(diag.New("constexpr-argument", p.Loc, def.Name, p.Name))
	}
	return l.addRuntimeParam(p, a)
}

// addRuntimeParam adds a parameter to the IR function, of the annotated dtype if there is one, else of
// the argument's. An integer that is 1 becomes a constexpr unless it is annotated, as in Triton;
// others that are known are remembered.
func (l *lowerer) addRuntimeParam(p *syntax.Param, a *Arg) value {
	t := types.Type{DType: a.Type.DType, Pointer: a.Type.Pointer}
	annotated, isAnnotated := annotatedDType(p.Annotation)
	if isAnnotated && !t.Pointer {
		if !l.checkAnnotation(annotated, p, a) {
			return poison{}
		}
		t.DType = annotated
	}
	divisible := max(1, a.Divisible)
	n, known := intValue(a.Value)
	isInt := known && t.IsInt()
	// Triton specializes: an argument of 1 (a stride above all) becomes a constexpr unless it is annotated,
	// and one that 16 divides is known to be so, which vectorizes accesses.
	if isInt && n == 1 && t.DType.Info().Bits > 1 && !isAnnotated {
		return integer(1)
	}
	if isInt && n%16 == 0 {
		divisible = max(divisible, 16)
	}
	v := l.b.ir.Param(p.Name, t, divisible)
	if isInt {
		l.known.args[v] = knownArg{n, p.Name, nameSpan(p)}
	}
	return tensor{v}
}

// pythonNames are the names of dtypes in annotations that are not Triton's own.
var pythonNames = map[string]num.DType{
	"int": num.Int32, "float": num.Float32, "bool": num.Int1, "u1": num.Int1, "half": num.Float16,
	"double": num.Float64,
}

// annotatedDType is the dtype that an annotation gives a run-time parameter: tl.float64, "i64", int.
func annotatedDType(e syntax.Expr) (num.DType, bool) {
	name := ""
	switch e := e.(type) {
	case *syntax.Attribute:
		name = e.Attr
	case *syntax.Name:
		name = e.ID
	case *syntax.Constant:
		if e.Kind == syntax.StringConst {
			name = e.Text
		}
	}
	if d, ok := pythonNames[name]; ok {
		return d, true
	}
	return num.Parse(name)
}

// checkAnnotation reports an argument that the annotated dtype does not hold: a float for an integer, an
// integer out of range.
func (l *lowerer) checkAnnotation(d num.DType, p *syntax.Param, a *Arg) bool {
	if d.Info().Float {
		return true
	}
	n, known := intValue(a.Value)
	switch {
	case a.Type.IsFloat():
		l.fail(diag.New("argument-annotation", p.Loc, p.Name, d, typeText(a.Type)))
		return false
	case known && d != num.Int1 && !fitsInt(n, d):
		l.fail(diag.New("argument-annotation", p.Loc, p.Name, d, n))
		return false
	}
	return true
}

func fitsInt(n int64, d num.DType) bool {
	info := d.Info()
	if !info.Signed {
		return n >= 0 && (info.Bits == 64 || n < 1<<info.Bits)
	}
	// Shifting out and back sign-extends: n fits if that changes nothing.
	shift := 64 - info.Bits
	return n<<shift>>shift == n
}

func intValue(v any) (int64, bool) {
	switch v := v.(type) {
	case int:
		return int64(v), true
	case int64:
		return v, true
	case *big.Int:
		return v.Int64(), v.IsInt64()
	}
	return 0, false
}
