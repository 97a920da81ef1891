package compiler

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// ParseSignature reads the signature of Triton's ahead-of-time compiler: the arguments in order,
// "*fp32:16, *fp32:16, i32, 1024". A type may be followed by :16 (a multiple of 16) or :1 (an
// integer that is 1); tensordesc<fp16[64, 64]> is a tensor descriptor with the shape of its blocks. What is no
// type is a constexpr: a number, True, False, None, a dtype or a quoted string. A name may stand in front:
// "x_ptr=*fp32".
func ParseSignature(text string) ([]Arg, error) {
	var args []Arg
	for i, part := range source.List(text) {
		name, rest, named := strings.Cut(part, "=")
		if !named {
			name, rest = "", part
		}
		a, ok := parseArg(strings.TrimSpace(rest))
		if !ok {
			return nil, fmt.Errorf("argument %d of the signature: %q is neither a type nor a constant", i+1, part)
		}
		a.Name = strings.TrimSpace(name)
		args = append(args, a)
	}
	return args, nil
}

// descriptorAlignment is what the address of a descriptor's tensor is a multiple of, in bytes.
const descriptorAlignment = 16

// parseDescriptor reads a tensor descriptor: tensordesc<fp16[64, 64]>.
func parseDescriptor(text string) (Arg, bool) {
	text, ok1 := strings.CutPrefix(text, "tensordesc<")
	text, ok2 := strings.CutSuffix(text, "]>")
	name, extents, ok3 := strings.Cut(text, "[")
	d, ok4 := num.Parse(name)
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return Arg{}, false
	}
	a := Arg{Type: types.PointerTo(d), Descriptor: &lower.Descriptor{Padding: "zero"}, Divisible: descriptorAlignment}
	for extent := range strings.SplitSeq(extents, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(extent))
		if err != nil {
			return Arg{}, false
		}
		a.Descriptor.Block = append(a.Descriptor.Block, n)
	}
	return a, true
}

func parseArg(text string) (Arg, bool) {
	if a, ok := parseDescriptor(text); ok {
		return a, true
	}
	body, hint, hinted := strings.Cut(text, ":")
	pointer := strings.HasPrefix(body, "*")
	if d, ok := num.Parse(strings.TrimPrefix(strings.TrimPrefix(body, "*"), "k")); ok && body != "" {
		return typedArg(types.Type{DType: d, Pointer: pointer}, hint, hinted)
	}
	if hinted {
		return Arg{}, false
	}
	v, ok := parseConstant(text)
	return Arg{Constexpr: true, Value: v}, ok
}

func typedArg(t types.Type, hint string, hinted bool) (Arg, bool) {
	a := Arg{Type: t}
	if !hinted {
		return a, true
	}
	n, err := strconv.Atoi(hint)
	switch {
	case err != nil || n < 1 || n > 1<<20:
		return a, false
	case n == 1 && !t.Pointer && t.IsInt():
		a.Value = 1
	default:
		a.Divisible = n
	}
	return a, true
}

func parseConstant(text string) (any, bool) {
	switch text {
	case "None":
		return nil, true
	case "True":
		return true, true
	case "False":
		return false, true
	}
	if n, ok := new(big.Int).SetString(text, 10); ok && len(text) < 40 {
		return n, true
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f, true
	}
	if d, ok := num.Parse(strings.TrimPrefix(text, "tl.")); ok {
		return d, true
	}
	if len(text) >= 2 && (text[0] == '\'' || text[0] == '"') && text[len(text)-1] == text[0] {
		return text[1 : len(text)-1], true
	}
	return nil, false
}

// Signature writes arguments as ParseSignature reads them. Of a tuple, its items stand for it.
func Signature(args []Arg) string {
	var parts []string
	for _, a := range args {
		text := argText(a)
		if a.Name != "" {
			text = a.Name + "=" + text
		}
		if a.Tuple == nil {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// ConstantText is a constexpr, as Arg.Value has it, in Python.
func ConstantText(value any) string {
	switch v := value.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		return "'" + v + "'"
	case num.DType:
		return "tl." + v.Info().Attr
	case *Function:
		return v.Def.Name
	case []any:
		if len(v) == 1 {
			return "(" + ConstantText(v[0]) + ",)"
		}
		return "(" + constantTexts(v) + ")"
	case lower.NamedTuple:
		return v.Class.Name + "(" + constantTexts(v.Items) + ")"
	}
	return fmt.Sprint(value)
}

func constantTexts(list []any) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = ConstantText(v)
	}
	return strings.Join(texts, ", ")
}

func argText(a Arg) string {
	if a.Constexpr {
		return ConstantText(a.Value)
	}
	if d := a.Descriptor; d != nil {
		return "tensordesc<" + a.Type.DType.Info().Name + types.ShapeString(d.Block) + ">"
	}
	text := a.Type.String()
	switch {
	case a.Value == 1 || a.Value == int64(1):
		text += ":1"
	case a.Divisible > 1:
		text += ":" + strconv.Itoa(a.Divisible)
	}
	return text
}
