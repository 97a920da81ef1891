package tl

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

//go:embed rows.txt
var rowsText string

// rows are those of rows.txt, and those that other tables give: operations, dtypes and functions of libraries.
var rows = slices.Concat(parseRows(rowsText), []Row{
	{Name: "TRITON_MAX_TENSOR_NUMEL", Bind: Constant, Value: types.MaxNumel,
		doc:     Text{"The most elements that a tile may have.", "一个块最多的元素个数。"},
		example: "tl.static_print(tl.TRITON_MAX_TENSOR_NUMEL)"},

	operation("exp", ops.Exp, "e to the power of each element.", "每个元素的 e 次幂。"),
	operation("exp2", ops.Exp2, "2 to the power of each element.", "每个元素的 2 次幂。"),
	operation("log", ops.Log, "The natural logarithm of each element.", "每个元素的自然对数。"),
	operation("log2", ops.Log2, "The logarithm to base 2 of each element.", "每个元素以 2 为底的对数。"),
	operation("sin", ops.Sin, "The sine of each element, in radians.", "每个元素的正弦（弧度）。"),
	operation("cos", ops.Cos, "The cosine of each element, in radians.", "每个元素的余弦（弧度）。"),
	operation("sqrt", ops.Sqrt, "The square root of each element, fast.", "每个元素的平方根（快速）。"),
	operation("sqrt_rn", ops.SqrtRN, "The square root of each element, rounded to nearest.", "每个元素的平方根，舍入到最近。"),
	operation("rsqrt", ops.Rsqrt, "1 divided by the square root of each element.", "每个元素平方根的倒数。"),
	operation("erf", ops.Erf, "The error function of each element.", "每个元素的误差函数。"),
	operation("floor", ops.Floor, "Each element rounded down.", "每个元素向下取整。"),
	operation("ceil", ops.Ceil, "Each element rounded up.", "每个元素向上取整。"),
}, dtypeRows(), rowsOf(deviceFunctions), roundedRows, inductorRows)

// operation is the row of an IR operation on one operand.
func operation(name string, op ops.Op, en, zh string) Row {
	return Row{Name: name, Params: "x", Bind: Op, Op: op, Method: true, Math: true,
		doc: Text{en + " The operand is fp32 or fp64; convert others with .to(tl.float32) first.",
			zh + "操作数必须是 fp32 或 fp64，其他类型先用 .to(tl.float32) 转换。"},
		example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl." + name + "(x + 1))"}
}

func dtypeRows() (rows []Row) {
	for d := range num.NumDTypes {
		i := d.Info()
		rows = append(rows, Row{Name: i.Attr, Bind: DType,
			doc:     Text{"The element type " + i.Name + ".", "元素类型 " + i.Name + "。"},
			example: "print('got', tl.zeros((4,), tl." + i.Attr + ").to(tl.float32))"})
	}
	return rows
}

// parseRows reads rows.txt: the names that no other table gives. A row is a signature, with how it is bound behind it:
// "method" of tensors too, "math" for tl.math too, "prelude" for a function of prelude.py, "property", "constant" (0);
// the rest is Go in package lower. There are the versions of Triton as well: "since 3.7", "deprecated 3.7" (it warns),
// "until 3.9" (the first without it; "stub": the name is there all the same, and raises when it is called).
//
// Two columns in are, where there are any, "since 3.8 (x, k)", the parameters from that version on, "warns" and
// "raises", what Triton says of the name once it is deprecated or gone.
func parseRows(text string) (rows []Row) {
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] == ' ':
			rows[len(rows)-1].parseVersion(line)
		default:
			rows = append(rows, parseRow(line))
		}
	}
	return rows
}

// parseRow reads a row's first line.
func parseRow(line string) (r Row) {
	path, bound, _ := strings.Cut(line, " ")
	if at := strings.IndexByte(line, '('); at >= 0 {
		end := strings.LastIndexByte(line, ')')
		path, r.Params, bound = line[:at], line[at+1:end], line[end+1:]
	}
	r.Where, r.Name = cutPath(path)
	words := strings.Fields(bound)
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "method":
			r.Method = true
		case "math":
			r.Math = true
		case "prelude":
			r.Bind = PreludeFn
		case "property":
			r.Bind = Property
		case "constant":
			r.Bind = Constant
		case "stub":
			r.Stub = true
		case "since", "deprecated", "until":
			*r.bound(words[i]) = version(words[i+1])
			i++
		default:
			panic("tl: " + line) // a test reads them all
		}
	}
	return r
}

// parseVersion reads a line below a row's signature.
func (r *Row) parseVersion(text string) {
	word, line, _ := strings.Cut(text[2:], " ")
	switch word {
	case "since":
		v, params, _ := strings.Cut(line, " ")
		r.Changed = append(r.Changed, Changed{version(v), params[1 : len(params)-1]})
	case "warns":
		r.Warns = line
	case "raises":
		r.Raises = line
	default:
		panic("tl: " + text) // a test reads them all
	}
}

// bound is one end of a row's lifetime, by its name in rows.txt.
func (r *Row) bound(name string) *triton.Version {
	switch name {
	case "since":
		return &r.Lifetime.Since
	case "deprecated":
		return &r.Lifetime.Deprecated
	}
	return &r.Lifetime.Until
}

func version(text string) triton.Version {
	v, err := triton.Parse(text)
	if err != nil {
		panic(err) // a test reads them all
	}
	return v
}

// cutPath is the place and the name of a path: the longest prefix counts.
func cutPath(path string) (where Where, name string) {
	where = Builtin
	for w, prefix := range prefixes {
		if strings.HasPrefix(path, prefix) && len(prefix) > len(prefixes[where]) {
			where = Where(w)
		}
	}
	return where, path[len(prefixes[where]):]
}
