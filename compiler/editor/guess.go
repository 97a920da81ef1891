package editor

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/lower"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
	"github.com/newtlab/newt/compiler/usage"
)

// guess is one way to fill in arguments that nobody has given.
type guess struct {
	index   int       // which of the values that the text names, and whether defaults count
	element num.DType // of pointers
	dtype   num.DType // of constexprs that are dtypes
	size    int       // of constexprs that are sizes
	trips   int       // of constexprs that bound unrolled loops
	flag    bool
	number  num.DType // of numbers whose name says nothing
}

// guesses differ in everything: a diagnostic that depends on an argument cannot read the same for all.
var guesses = []guess{
	{0, num.Float32, num.Float32, 32, 2, true, num.Int32},
	{1, num.Int32, num.Float16, 64, 3, false, num.Int32},
	{2, num.Float16, num.BFloat16, 16, 4, true, num.Float32},
}

// reading is what a diagnostic says and where. A size or dtype in it that a guess has led to differs
// from guess to guess. Of tiles whose kind is wrong whatever their size, only the rank counts; an
// assertion is about what a launch gives even where its message does not say so.
func (g *guess) reading(d *diag.Diagnostic) string {
	text := fmt.Sprintf("%s %v ", d.Code, d.Primary.Span)
	args := fmt.Sprint(d.Args)
	switch {
	case ofKind[d.Code]:
		args = withoutExtents(args)
	case ofValue[d.Code], d.Code == "python-error" && strings.HasPrefix(args, "[ValueError"):
		args = strconv.Itoa(g.index)
	}
	return text + args
}

// ofKind are the codes of values that are of the wrong kind whatever their size: tiles for scalars,
// numbers for pointers.
var ofKind = codes(`mask-not-bool not-a-pointer block-with-scalar-pointer condition-tile pointer-operands add-pointers
	where-pointer trans-rank dtype-kind number-wanted needs-int operand-kinds unary-operand`)

// ofValue are the codes of what a value decides that the message does not say: 32 // 128 is no extent.
var ofValue = codes("static-assert arange-range dim-positive")

// withoutExtents replaces each number that is a word of its own, as in "i32[32, 4]", by "_". Package
// regexp would add 335 kB to the page's program.
func withoutExtents(text string) string {
	isWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	var b strings.Builder
	for text != "" {
		end := strings.IndexFunc(text, isWord)
		if end < 0 {
			end = len(text)
		}
		b.WriteString(text[:end])
		text = text[end:]
		if end = strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }); end < 0 {
			end = len(text)
		}
		if word := text[:end]; strings.Trim(word, "0123456789") == "" && word != "" {
			b.WriteByte('_')
		} else {
			b.WriteString(word)
		}
		text = text[end:]
	}
	return b.String()
}

// args makes a function's arguments by what they are used as, and by their names. The first guess
// leaves parameters that have a default to it.
func (g *guess) args(uses *usage.Uses, fn *syntax.FunctionDef, device bool) []compiler.Arg {
	var args []compiler.Arg
	for i := range fn.Params.List {
		p := &fn.Params.List[i]
		if p.Kind == syntax.VarPositional || p.Kind == syntax.VarKeyword {
			continue
		}
		use := uses.Param(fn, p.Name)
		if p.Default != nil && g.index == 0 && use.Kind&usage.Pointer == 0 {
			continue
		}
		var a compiler.Arg
		switch {
		case lower.IsConstexpr(p.Annotation):
			a = g.constexpr(strings.ToLower(p.Name), use)
		case device || use.Kind&usage.Object != 0:
			a = compiler.Arg{Unknown: true}
		default:
			a = g.runtime(p, use)
		}
		a.Name = p.Name
		args = append(args, a)
	}
	return args
}

// runtime guesses an argument that exists at run time: by its annotation, its use and its name.
func (g *guess) runtime(p *syntax.Param, use usage.Use) compiler.Arg {
	name, lowerName := p.Name, strings.ToLower(p.Name)
	annotated := syntax.LastName(p.Annotation)
	switch {
	case hasAny(annotated, "int"):
		return compiler.Arg{Type: types.Scalar(num.Int32), Value: g.size}
	case hasAny(annotated, "float"):
		return compiler.Arg{Type: types.Scalar(num.Float32)}
	case use.Kind&usage.Pointer != 0, use.Kind&usage.Number == 0 && hasAny(lowerName, "ptr", "pointer"),
		use.Kind == 0 && g.index == 0: // it is only handed on
		return compiler.Arg{Type: types.PointerTo(g.element)}
	case use.Kind&usage.Integer == 0 && hasAny(lowerName, "eps", "scale", "alpha", "beta", "prob", "lr"):
		return compiler.Arg{Type: types.Scalar(num.Float32)}
	case use.Kind&usage.Integer != 0, lowerName == "n", name == strings.ToUpper(name), hasAny(lowerName, sizeWords...):
		return compiler.Arg{Type: types.Scalar(num.Int32), Value: g.size}
	case g.number.Info().Float:
		return compiler.Arg{Type: types.Scalar(g.number)}
	}
	return compiler.Arg{Type: types.Scalar(g.number), Value: g.size}
}

// constexpr guesses a constexpr: one of the values that it is compared with, else by its use.
func (g *guess) constexpr(name string, use usage.Use) compiler.Arg {
	a := compiler.Arg{Constexpr: true, Value: g.size}
	k := use.Kind
	switch {
	case k&usage.Object != 0:
		return compiler.Arg{Unknown: true}
	case len(use.Values) > 0 && k&usage.Extent == 0:
		a.Value = valueOf(use.Values[g.index%len(use.Values)])
	case k&usage.DType != 0 || k&usage.Number == 0 && strings.HasSuffix(name, "type"):
		a.Value = g.dtype
	case hasAny(name, "prec"):
		a.Value = "ieee"
	case k&usage.Extent != 0:
	case k&usage.Trips != 0:
		a.Value = g.trips
	case k&(usage.Flag|usage.Number) == usage.Flag, k&usage.Number == 0 && hasAny(name, flagWords...):
		a.Value = g.flag
	case k&usage.Integer == 0 && g.number.Info().Float:
		a.Value = float64(g.size) + 0.5
	}
	return a
}

// valueOf is a literal as compiler.Arg.Value spells it.
func valueOf(c *syntax.Constant) any {
	if c.Kind == syntax.StringConst {
		return c.Text
	}
	n, _ := strconv.ParseInt(c.Text, 10, 64)
	return n
}

// sizeWords are parts of names that integers have.
var sizeWords = []string{"stride", "size", "num", "len", "rows", "cols", "elements"}

// flagWords are parts of names that constexprs have which are true or false.
var flagWords = []string{"is_", "has_", "use_", "causal", "even", "allow", "flag"}

func hasAny(name string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
