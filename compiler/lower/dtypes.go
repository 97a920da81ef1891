package lower

import (
	"math/big"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// dtypeNamed finds tl.float32 and its like.
func dtypeNamed(name string) (types.Type, bool) {
	for d := range num.NumDTypes {
		if d.Info().Attr == name {
			return types.Scalar(d), true
		}
	}
	return types.Type{}, false
}

// dtypeAttributes are what a dtype has, by name; nil if a type of that kind has none. Triton's
// pointer_type has an element type, its block_type that and a shape, and neither has a width.
var dtypeAttributes = map[string]func(t types.Type) value{
	"scalar": func(t types.Type) value { return dtype{t.Elem()} },
	"name":   func(t types.Type) value { return constant{python.Str(typeText(t))} },
	"element_ty": func(t types.Type) value {
		switch {
		case !t.IsScalar():
			return dtype{t.Elem()}
		case t.Pointer:
			return dtype{types.Scalar(t.DType)}
		}
		return nil
	},
	"shape": onlyFor(isBlock, func(t types.Type) value { return shapeTuple(t.Shape) }),
	"numel": onlyFor(isBlock, func(t types.Type) value { return integer(int64(t.Numel())) }),

	"primitive_bitwidth": onlyFor(isPlain, func(t types.Type) value { return integer(int64(t.DType.Info().Bits)) }),
	"itemsize":           onlyFor(isPlain, func(t types.Type) value { return integer(int64(t.DType.Info().Bytes)) }),
	"int_bitwidth":       onlyFor(isPlainInt, func(t types.Type) value { return integer(int64(t.DType.Info().Bits)) }),
	"fp_mantissa_width":  onlyFor(isPlainFloat, func(t types.Type) value { return integer(mantissaBits[t.DType]) }),
}

// mantissaBits counts the bits of a float's mantissa that are stored.
var mantissaBits = map[num.DType]int64{
	num.Float8E4M3: 3, num.Float8E5M2: 2, num.Float8E4M3B8: 3, num.Float8E5B16: 2, num.Float8E4B15: 3,
	num.Float16: 10, num.BFloat16: 7, num.Float32: 23, num.Float64: 52,
}

// onlyFor has the attribute for types of a kind alone.
func onlyFor(kind func(types.Type) bool, get func(types.Type) value) func(types.Type) value {
	return func(t types.Type) value {
		if kind(t) {
			return get(t)
		}
		return nil
	}
}

func isBlock(t types.Type) bool { return !t.IsScalar() }

func isPlain(t types.Type) bool { return t.IsScalar() && !t.Pointer }

func isPlainInt(t types.Type) bool { return isPlain(t) && t.IsInt() }

func isPlainFloat(t types.Type) bool { return isPlain(t) && t.IsFloat() }

// dtypePredicates are what a dtype can be asked, by the method's name. A block is none of the dtypes.
var dtypePredicates = map[string]func(t types.Type) bool{
	"is_ptr":               func(t types.Type) bool { return t.Pointer && t.IsScalar() },
	"is_const":             func(types.Type) bool { return false },
	"is_block":             isBlock,
	"is_int":               isPlainInt,
	"is_bool":              isDType(num.Int1),
	"is_int_signed":        func(t types.Type) bool { return isPlainInt(t) && t.DType.Info().Signed },
	"is_int_unsigned":      func(t types.Type) bool { return isPlainInt(t) && !t.DType.Info().Signed },
	"is_floating":          isPlainFloat,
	"is_standard_floating": func(t types.Type) bool { return isPlainFloat(t) && !t.DType.IsFP8() },
	"is_fp8":               func(t types.Type) bool { return t.DType.IsFP8() }, // Triton looks into the name alone
}

func init() {
	for d := range num.NumDTypes {
		dtypePredicates["is_"+d.Info().Name] = isDType(d)
	}
}

func isDType(d num.DType) func(types.Type) bool {
	return func(t types.Type) bool { return isPlain(t) && t.DType == d }
}

// lowerDTypePredicate is x.dtype.is_int() and its like.
func lowerDTypePredicate(c *call) value {
	return constant{python.Bool(dtypePredicates[c.row.Name](c.bound[0].val.(dtype).t))}
}

// lowerDTypeCall is tl.dtype("uint8").
func lowerDTypeCall(c *call) value {
	var names []string
	for d := range num.NumDTypes {
		names = append(names, d.Info().Name)
	}
	i := slices.Index(names, c.choice("name", names...))
	c.must(i >= 0)
	return dtype{types.Scalar(num.DType(i))}
}

// lowerBlockShapes is x.type.get_block_shapes().
func lowerBlockShapes(c *call) value {
	t := c.bound[0].val.(dtype).t
	if !isBlock(t) {
		return c.fail(diag.New("dtype-without", c.spanOf(c.node), c.sourceText(c.bound[0].expr), c.row.Name,
			typeText(t)))
	}
	return shapeTuple(t.Shape)
}

// lowerDTypeLimit is x.dtype.get_int_min_value() and get_int_max_value().
func lowerDTypeLimit(c *call) value {
	t := c.bound[0].val.(dtype).t
	if !isPlainInt(t) {
		return c.fail(diag.New("dtype-without", c.spanOf(c.node), c.sourceText(c.bound[0].expr), c.row.Name,
			typeText(t)))
	}
	info := t.DType.Info()
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(info.Bits))
	if info.Signed {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if c.row.Name == "get_int_min_value" {
		high = low
	} else {
		high.Sub(high, big.NewInt(1))
	}
	n, _ := python.NewBig(high)
	return constant{n}
}

// attribute is an attribute or method of a dtype.
func (d dtype) attribute(l *lowerer, e *syntax.Attribute) value {
	at := l.userSpan(e.AttrSpan)
	if get, ok := dtypeAttributes[e.Attr]; ok {
		if v := get(d.t); v != nil {
			return v
		}
		return l.fail(diag.New("dtype-without", at, l.sourceText(e.Value), e.Attr, typeText(d.t)))
	}
	if row := tl.Lookup(tl.DTypeOf, e.Attr); row != nil {
		return builtin{row: row, self: d}
	}
	return l.fail(l.suggestNearest(diag.New("unknown-dtype-attribute", at, l.sourceText(e.Value), e.Attr), at, e.Attr,
		tl.Names(tl.DTypeOf)))
}

// dtypeCalled is for tl.float32(x).
func (l *lowerer) dtypeCalled(d dtype, e *syntax.Call) *diag.Diagnostic {
	out := diag.New("dtype-called", l.spanOf(e), l.sourceText(e.Func))
	if len(e.Args) == 1 {
		suffix := ".to(" + l.sourceText(e.Func) + ")"
		arg := l.sourceText(e.Args[0])
		switch e.Args[0].(type) {
		case *syntax.Name, *syntax.Call, *syntax.Attribute, *syntax.Subscript:
		default:
			arg = "(" + arg + ")"
		}
		suggestReplacement(out, true, l.spanOf(e), arg+suffix)
	}
	return out
}
