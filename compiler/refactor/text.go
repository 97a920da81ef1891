package refactor

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// text is a piece of source with the names that it reads.
type text struct {
	s     string
	key   string // of what may be shared: the same for the same value
	names []string
	lets  []*let   // that it reads
	terms []string // of masks: the conditions of which all have to hold
}

// Levels of binding that an operand may need, from loose to tight.
const (
	anyLevel = iota
	comparedLevel
	addedLevel
	multipliedLevel
	primaryLevel
)

// source is an expression as it is written, in parentheses where it binds more loosely than level.
func (w *writer) source(e syntax.Expr, level int) string {
	s := w.module.File.Slice(e.Span())
	if strings.ContainsAny(s, "\n#") {
		s = syntax.String(e)
	}
	if levelOf(e) < level {
		return "(" + s + ")"
	}
	return s
}

func levelOf(e syntax.Expr) int {
	switch e := e.(type) {
	case *syntax.IfExp, *syntax.Lambda, *syntax.BoolOp, *syntax.Compare, *syntax.NamedExpr, *syntax.Starred,
		*syntax.Yield:
		return anyLevel
	case *syntax.UnaryOp:
		if e.Op == "not" {
			return anyLevel
		}
	case *syntax.BinOp:
		switch e.Op {
		case "+", "-":
			return addedLevel
		case "*", "/", "//", "%", "@":
			return multipliedLevel
		case "**":
			return primaryLevel
		}
		return comparedLevel
	}
	return primaryLevel
}

// namesIn are the names that expressions read.
func namesIn(list ...syntax.Expr) (names []string) {
	for _, e := range list {
		syntax.Walk(e, func(n syntax.Node) bool {
			if n, ok := n.(*syntax.Name); ok {
				names = append(names, n.ID)
			}
			return true
		})
	}
	return names
}

func isIdentifier(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && r < 0x80 && (r < '0' || r > '9' && r < 'A' || r > 'Z' && r < 'a' || r > 'z')
	}) && (s[0] < '0' || s[0] > '9')
}

// along is the subscript that makes a vector one along a dimension.
func along(d, rank int) string {
	if rank == 1 {
		return ""
	}
	list := slices.Repeat([]string{"None"}, rank)
	list[d] = ":"
	return "[" + strings.Join(list, ", ") + "]"
}

// conjunction is a condition that holds where all terms do.
func conjunction(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	var list []string
	for _, t := range terms {
		if name, _, _ := strings.Cut(t, "["); !isIdentifier(name) || strings.ContainsAny(t, "<>&") {
			t = "(" + t + ")"
		}
		list = append(list, t)
	}
	return strings.Join(list, " & ")
}

// pointerWords say of a name that it is a pointer's.
var pointerWords = []string{"_block_ptrs", "_block_ptr", "_blk_ptr", "_bptr", "_ptrs", "_ptr", "_block"}

// stem is a pointer's name without what says that it is a pointer: K of K_block_ptr, k of p_k.
func stem(name string) string {
	short := strings.TrimPrefix(name, "p_")
	for _, word := range pointerWords {
		if i := strings.Index(short, word); i > 0 {
			short = short[:i] + short[i+len(word):]
			break
		}
	}
	if !isIdentifier(short) {
		return name
	}
	return short
}

// dimensionName is what a dimension is called: m, where the block's extent along it is BLOCK_M or BLOCK_SIZE_M, t for
// BT; else by the extent of the tensor, and by its number where that has no name either.
func dimensionName(block, size syntax.Expr, d int) string {
	for _, e := range []syntax.Expr{block, size} {
		name, ok := e.(*syntax.Name)
		if !ok {
			continue
		}
		short := name.ID
		if len(short) == 2 && short[0] == 'B' {
			short = short[1:]
		}
		short = strings.ToLower(short)
		for _, word := range []string{"block_", "size_", "siz_", "b_"} {
			short = strings.TrimPrefix(short, word)
		}
		for _, word := range []string{"_block_size", "_tile_size", "_size"} {
			short = strings.TrimSuffix(short, word)
		}
		if isIdentifier(short) && short != "block" && short != "size" && len(short) <= maxDimensionName {
			return short
		}
	}
	return strconv.Itoa(d)
}

const maxDimensionName = 12

// fresh gives a name that the function does not have, the first of the wishes that is free, or the last with a number.
func (f *function) fresh(wishes ...string) string {
	for _, name := range wishes {
		if !f.taken[name] {
			f.taken[name] = true
			return name
		}
	}
	for i := 1; ; i++ {
		name := wishes[len(wishes)-1] + "_" + strconv.Itoa(i)
		if !f.taken[name] {
			f.taken[name] = true
			return name
		}
	}
}
