package repair

import (
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/syntax"
)

// initial changes what an accumulator begins with.
func initial(s site, c *syntax.Constant) (out []change) {
	a, ok := s.stmt.(*syntax.Assign)
	if !ok || c.Kind != syntax.FloatConst && c.Kind != syntax.IntConst || len(a.Targets) != 1 {
		return nil
	}
	full := callTo(s.parent(), "full")
	if s.parent() != syntax.Node(a) && (full == nil || argument(full, 1, "value") != syntax.Expr(c)) {
		return nil
	}
	for _, v := range []string{`float("-inf")`, "0.0", "1.0"} {
		if v != s.text(c) {
			out = append(out, one(c, v, s.text(a.Targets[0]), s.text(c), v)...)
		}
	}
	return out
}

// initialZeros has an accumulator of a maximum begin with minus infinity.
func initialZeros(s site, c *syntax.Call) []change {
	a, ok := s.stmt.(*syntax.Assign)
	if callTo(c, "zeros") == nil || !ok || s.parent() != syntax.Node(a) || len(c.Args) == 0 {
		return nil
	}
	minus := `float("-inf")`
	edits := []diag.Edit{inserted(c.Args[0].Span().End, ", "+minus)}
	if f, ok := c.Func.(*syntax.Attribute); ok {
		edits = append(edits, diag.Edit{Span: f.AttrSpan, New: "full"})
	}
	return []change{{args: []any{target(a), "0", minus}, edits: edits}}
}

var floats = []string{"float32"}

// dtype keeps a value in fp32.
func dtype(s site, a *syntax.Attribute) []change {
	switch a.Attr {
	case "float16", "bfloat16", "int32", "int64", "int16", "int8", "uint8", "int1":
		return one(a, "tl."+floats[0], s.text(a), "tl."+floats[0])
	}
	return nil
}

// operands exchanges those of - and /, and the last two of where and of store.
func operands(s site, e syntax.Expr) []change {
	exchange := func(a, b syntax.Expr, text string) []change {
		return []change{{args: []any{text}, edits: []diag.Edit{replaced(a, s.grouped(b)), replaced(b, s.grouped(a))}}}
	}
	switch e := e.(type) {
	case *syntax.BinOp:
		if slices.Contains([]string{"-", "/", "//", "%", ">>", "<<"}, e.Op) {
			return exchange(e.Left, e.Right, e.Op)
		}
	case *syntax.Call:
		if callTo(e, "where") != nil && len(e.Args) == 3 {
			return exchange(e.Args[1], e.Args[2], "tl.where")
		}
		if callTo(e, "store") != nil && len(e.Args) == 3 {
			return exchange(e.Args[1], e.Args[2], "tl.store")
		}
		if callTo(e, "dot") != nil && len(e.Args) >= 2 {
			return exchange(e.Args[0], e.Args[1], "tl.dot")
		}
	}
	return nil
}

func partialBlock(s site, b *syntax.BinOp) []change {
	if b.Op != "//" || s.kind(b) != size {
		return nil
	}
	return one(b, "tl.cdiv("+s.text(b.Left)+", "+s.text(b.Right)+")", s.text(b))
}

var confused = [][]string{
	{"max", "min", "sum"}, {"maximum", "minimum"}, {"exp", "exp2", "log", "log2"}, {"zeros", "ones"},
	{"sqrt", "rsqrt"},
}

func function(s site, a *syntax.Attribute) (out []change) {
	c, ok := s.parent().(*syntax.Call)
	if !ok || c.Func != syntax.Expr(a) {
		return nil
	}
	for _, set := range confused {
		for _, name := range set {
			if slices.Contains(set, a.Attr) && name != a.Attr {
				out = append(out, edit(diag.Edit{Span: a.AttrSpan, New: name}, a.Attr, name))
			}
		}
	}
	if len(c.Args) == 3 && a.Attr == "maximum" {
		out = append(out, edit(diag.Edit{Span: a.AttrSpan, New: "where"}, a.Attr, "where"))
	}
	return out
}

// negative sets what is stored to 0 where it is negative.
func negative(s site, c *syntax.Call) []change {
	if callTo(c, "store") == nil || len(c.Args) < 2 {
		return nil
	}
	return one(c.Args[1], "tl.maximum("+s.text(c.Args[1])+", 0.0)", s.text(c.Args[1]))
}

// offByOne changes an integer among sizes and offsets.
func offByOne(s site, c *syntax.Constant) (out []change) {
	if c.Kind != syntax.IntConst || !s.counts() {
		return nil
	}
	n, err := strconv.Atoi(c.Text)
	if err != nil {
		return nil
	}
	list := []int{max(n-1, 0), n + 1}
	whole := syntax.Expr(c)
	if minus, ok := s.parent().(*syntax.UnaryOp); ok && minus.Op == "-" {
		list, whole = []int{1 - n}, minus
	}
	for _, v := range list {
		if text := strconv.Itoa(v); text != s.text(whole) {
			out = append(out, one(whole, text, s.text(whole))...)
		}
	}
	return out
}

// counts reports whether a number is used with sizes and offsets, and not with values.
func (s site) counts() bool {
	n := syntax.Node(s.expr)
	for {
		switch up := s.parents[n].(type) {
		case *syntax.BinOp:
			if max(s.kind(up.Left), s.kind(up.Right)) > pointer {
				return false
			}
		case *syntax.Compare:
			return max(s.kind(up.Left), s.kind(up.Comparators[0])) <= pointer
		case *syntax.UnaryOp, *syntax.Subscript:
		case *syntax.Call:
			return callTo(up, append([]string{"arange", "range", "cdiv"}, accesses...)...) != nil
		default:
			e, ok := n.(syntax.Expr)
			_, loop := s.stmt.(*syntax.For)
			return loop || ok && s.kind(e) < mask && s.kind(e) != unknown
		}
		n = s.parents[n]
	}
}

var operatorsLike = map[string][]string{
	"+": {"-", "*"}, "-": {"+", "/"}, "*": {"+", "/", "-"}, "/": {"*", "-"}, "//": {"%", "*"}, "%": {"//", "*"},
	">>": {"<<"}, "<<": {">>"},
}

func operator(s site, b *syntax.BinOp) (out []change) {
	for _, new := range operatorsLike[b.Op] {
		out = append(out, change{args: []any{b.Op}, edits: []diag.Edit{{Span: b.OpSpan, New: new}}})
	}
	return out
}

// log2E is what exp2 takes e to be.
const log2E = "1.44269504"

// constant tries the numbers of the specification, and those that are in many formulas.
func constant(s site, c *syntax.Constant) (out []change) {
	if c.Kind != syntax.FloatConst && c.Kind != syntax.IntConst || callTo(s.parent(), "program_id") != nil {
		return nil
	}
	whole := syntax.Expr(c)
	if minus, ok := s.parent().(*syntax.UnaryOp); ok && minus.Op == "-" {
		whole = minus
	}
	for _, v := range slices.Concat(s.constants, []string{"0", "1", log2E}) {
		if v != s.text(whole) {
			out = append(out, one(whole, v, s.text(whole))...)
		}
	}
	return out
}

// unneeded leaves out an operand.
func unneeded(s site, b *syntax.BinOp) (out []change) {
	for _, side := range [][2]syntax.Expr{{b.Left, b.Right}, {b.Right, b.Left}} {
		// Of a - b, b alone is -b.
		if side[0] == b.Right && slices.Contains([]string{"-", "/", "//", "%", ">>", "<<"}, b.Op) {
			continue
		}
		out = append(out, one(b, s.grouped(side[0]), s.text(side[1]), s.text(b))...)
	}
	return out
}

// missing combines a value with another one of the kernel: as a factor, or in any way where nothing else reads that.
func missing(s site, n *syntax.Name) (out []change) {
	if s.kinds[n.ID] != value || s.isTarget(n) {
		return nil
	}
	for _, name := range append(s.alike(n), s.constants...) {
		if s.sibling(n, name) {
			continue
		}
		ops := []string{" * ", " - ", " / ", " + "}
		if _, local := s.kinds[name]; local && s.reads[name] > 0 {
			ops = ops[:1]
		}
		for _, op := range ops {
			out = append(out, one(n, "("+n.ID+op+name+")", n.ID, name)...)
		}
	}
	return out
}
