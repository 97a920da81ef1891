package lower

import (
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/tl"
	"github.com/newtlab/newt/compiler/types"
)

// attribute lowers x.name.
func (l *lowerer) attribute(e *syntax.Attribute) value {
	return l.attributeOf(l.expr(e.Value), e)
}

func (l *lowerer) attributeOf(v value, e *syntax.Attribute) value {
	switch v := v.(type) {
	case poison:
		return v
	case namespace:
		return l.namespaceMember(v, e)
	case tensor:
		return l.tensorMember(v, e)
	case dtype:
		return l.dtypeMember(v, e)
	case constant:
		return l.constantMember(v, e)
	}
	return l.fail(diag.New("no-attribute", l.at(e.AttrSpan), kindText(v), e.Attr))
}

func (l *lowerer) namespaceMember(n namespace, e *syntax.Attribute) value {
	if v, ok := member(n.name, e.Attr); ok {
		return v
	}
	switch {
	case n.name == "PropagateNan" && (e.Attr == "ALL" || e.Attr == "NONE"):
		return namespace{n.name + "." + e.Attr}
	case n.name == "math":
		if f, ok := mathConstants[e.Attr]; ok {
			return constant{python.Float(f)}
		}
	}
	at := l.at(e.AttrSpan)
	names := memberNames(n.name)
	if names == nil {
		return l.fail(diag.New("module-in-kernel", l.place(e), l.text(e), n.name))
	}
	path := strings.Replace(n.name, "triton.language", "tl", 1)
	if instead, ok := moved[e.Attr]; ok && path == "tl" {
		return l.fail(diag.New("unknown-name", at, path, e.Attr).
			Suggest(false, diag.Text{Key: "fix-replace", Args: []any{instead}}, diag.Edit{Span: l.place(e), New: instead}))
	}
	return l.fail(l.didYouMean(diag.New("unknown-name", at, path, e.Attr), at, e.Attr, names))
}

// mathConstants are the numbers of Python's math module.
var mathConstants = map[string]float64{
	"pi": 3.141592653589793, "e": 2.718281828459045, "tau": 6.283185307179586, "inf": inf, "nan": nan,
}

// moved says what to write for names that other libraries have.
var moved = map[string]string{
	"relu": "tl.maximum", "matmul": "tl.dot", "mm": "tl.dot", "power": "tl.exp2", "ones": "tl.full",
	"transpose": "tl.trans", "amax": "tl.max", "amin": "tl.min", "bool": "tl.int1", "float": "tl.float32",
	"int": "tl.int32", "half": "tl.float16", "double": "tl.float64", "concatenate": "tl.cat", "stack": "tl.join", "mean": "tl.sum", "square": "tl.exp2",
}

func memberNames(module string) []string {
	switch {
	case module == "triton":
		return tl.Names(tl.Triton)
	case module == "triton.language":
		return tl.Names(tl.Language)
	case importable[module]:
		return tl.MathNames()
	}
	return nil
}

// tensorMember is an attribute or method of a tensor.
func (l *lowerer) tensorMember(t tensor, e *syntax.Attribute) value {
	row := tl.Lookup(tl.Tensor, e.Attr)
	if row == nil {
		at := l.at(e.AttrSpan)
		return l.fail(l.didYouMean(diag.New("unknown-method", at, l.text(e.Value), e.Attr), at, e.Attr, tl.Names(tl.Tensor)))
	}
	if row.Bind != tl.Property {
		return builtin{row: row, self: t}
	}
	switch e.Attr {
	case "dtype":
		return dtype{t.v.Type.Elem()}
	case "type":
		return dtype{t.v.Type}
	case "shape":
		return shapeTuple(t.v.Type.Shape)
	case "numel":
		return integer(int64(t.v.Type.Numel()))
	}
	return l.transposed(t, e) // T
}

func shapeTuple(shape []int) tuple {
	out := tuple{elems: make([]value, len(shape))}
	for i, d := range shape {
		out.elems[i] = integer(int64(d))
	}
	return out
}

// constantMember: a constexpr has a value; the methods of tensors it gets as a tensor, which a
// number that Triton has turned into a constexpr lacks there.
func (l *lowerer) constantMember(c constant, e *syntax.Attribute) value {
	if e.Attr == "value" {
		return c
	}
	if _, refusal := numberOf(c); refusal == nil && tl.Lookup(tl.Tensor, e.Attr) != nil {
		l.superset(diag.New("constexpr-method", l.place(e), l.text(e.Value), e.Attr))
		return l.tensorMember(l.asTensor(c), e)
	}
	return l.fail(diag.New("no-attribute", l.at(e.AttrSpan), kindText(c), e.Attr))
}

// dtypeNamed finds tl.float32 and its like.
func dtypeNamed(name string) (types.Type, bool) {
	for d := range num.NumDTypes {
		if d.Info().Attr == name {
			return types.Scalar(d), true
		}
	}
	return types.Type{}, false
}

// dtypeFacts are what a dtype can be asked, by the method's name.
var dtypeFacts = map[string]func(t types.Type) bool{
	"is_ptr":               func(t types.Type) bool { return t.Pointer },
	"is_block":             func(t types.Type) bool { return !t.IsScalar() },
	"is_int":               func(t types.Type) bool { return t.IsInt() },
	"is_bool":              func(t types.Type) bool { return t.IsInt() && t.DType == num.Int1 },
	"is_int_signed":        func(t types.Type) bool { return t.IsInt() && t.DType.Info().Signed },
	"is_int_unsigned":      func(t types.Type) bool { return t.IsInt() && !t.DType.Info().Signed },
	"is_floating":          func(t types.Type) bool { return t.IsFloat() },
	"is_standard_floating": func(t types.Type) bool { return t.IsFloat() && !t.DType.IsFP8() },
	"is_fp8":               func(t types.Type) bool { return t.IsFloat() && t.DType.IsFP8() },
	"is_fp16":              is(num.Float16), "is_bf16": is(num.BFloat16), "is_fp32": is(num.Float32), "is_fp64": is(num.Float64),
	"is_int1": is(num.Int1), "is_int8": is(num.Int8), "is_int16": is(num.Int16), "is_int32": is(num.Int32), "is_int64": is(num.Int64),
}

func is(d num.DType) func(types.Type) bool {
	return func(t types.Type) bool { return !t.Pointer && t.DType == d }
}

// dtypeMember is an attribute or method of a dtype.
func (l *lowerer) dtypeMember(d dtype, e *syntax.Attribute) value {
	switch e.Attr {
	case "element_ty":
		if d.t.Pointer && d.t.IsScalar() {
			return dtype{types.Scalar(d.t.DType)}
		}
		return dtype{d.t.Elem()}
	case "scalar", "dtype":
		return dtype{d.t.Elem()}
	case "shape":
		return shapeTuple(d.t.Shape)
	case "numel":
		return integer(int64(d.t.Numel()))
	case "name":
		return constant{python.Str(typeText(d.t))}
	case "primitive_bitwidth":
		return integer(int64(d.t.DType.Info().Bits))
	case "itemsize":
		return integer(int64(d.t.DType.Info().Bytes))
	}
	if row := tl.Lookup(tl.DTypeOf, e.Attr); row != nil {
		return builtin{row: row, self: d}
	}
	at := l.at(e.AttrSpan)
	return l.fail(l.didYouMean(diag.New("unknown-dtype-attribute", at, l.text(e.Value), e.Attr), at, e.Attr, tl.Names(tl.DTypeOf)))
}

// dtypeCalled is for tl.float32(x).
func (l *lowerer) dtypeCalled(d dtype, e *syntax.Call) *diag.Diagnostic {
	out := diag.New("dtype-called", l.place(e), l.text(e.Func))
	if len(e.Args) == 1 {
		suffix := ".to(" + l.text(e.Func) + ")"
		arg := l.text(e.Args[0])
		switch e.Args[0].(type) {
		case *syntax.Name, *syntax.Call, *syntax.Attribute, *syntax.Subscript:
		default:
			arg = "(" + arg + ")"
		}
		out.Suggest(true, diag.Text{Key: "fix-replace", Args: []any{arg + suffix}}, diag.Edit{Span: l.place(e), New: arg + suffix})
	}
	return out
}
