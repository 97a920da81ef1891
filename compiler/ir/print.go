package ir

import (
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Line is one line of the text form with the source it came from.
type Line struct {
	Text string
	Span source.Span // zero if the line is no instruction
	In   *Instr      // the instruction that begins in the line; nil: none does
}

// String is f's text form without spans.
func (f *Func) String() string { return printed(f).join() }

// Print is f's text form with spans: what Parse reads back to the same function.
func Print(f *Func) string {
	p := printed(f)
	for i, l := range p.lines {
		if l.Span != (source.Span{}) {
			p.lines[i].Text += " @" + strconv.Itoa(int(l.Span.Start)) + ":" + strconv.Itoa(int(l.Span.End))
		}
	}
	return p.join()
}

// join is the lines, behind the layouts that they mention.
func (p *printer) join() string {
	n := 0
	for _, l := range p.lines {
		n += len(l.Text) + 1
	}
	var sb strings.Builder
	sb.Grow(n)
	for i, l := range p.layouts {
		sb.WriteString("#" + strconv.Itoa(i) + " = " + l.String() + "\n")
	}
	for i, m := range p.mems {
		sb.WriteString("$" + strconv.Itoa(i) + " = " + m.String() + "\n")
	}
	for _, l := range p.lines {
		sb.WriteString(l.Text)
		sb.WriteByte('\n')
	}
	return sb.String()
}

// Lines is f's text form line by line. The span of an instruction with regions is at its first line.
func Lines(f *Func) []Line { return printed(f).lines }

// Listing is the lines of a function that is placed on threads, with the names that values have in them, such as %acc
// or %12, by Value.ID, and the layouts that they mention: as #0, #1, … which threads hold a tile, as $0, $1, … where
// in shared memory it is.
func Listing(f *Func) (lines []Line, names []string, layouts []*layout.Layout, mems []*layout.Mem) {
	p := printed(f)
	return p.lines, p.names, p.layouts, p.mems
}

func printed(f *Func) *printer {
	p := &printer{names: make([]string, f.Number()), used: map[string]int{}}
	p.put("func @")
	p.put(f.Name)
	p.put("(")
	for i, param := range f.Params {
		p.sep(i, "")
		p.define(param.Value)
		if param.Divisible > 1 {
			p.put(" {div=")
			p.put(strconv.Itoa(param.Divisible))
			p.put("}")
		}
	}
	p.put(") {")
	p.flush(source.Span{}, nil)
	p.block(f.Body)
	p.put("}")
	p.flush(source.Span{}, nil)
	return p
}

type printer struct {
	lines   []Line
	line    []byte
	indent  int
	names   []string // by Value.ID
	layouts []*layout.Layout
	mems    []*layout.Mem
	used    map[string]int // how often each name was given out
	unnamed int
}

func (p *printer) put(s string) { p.line = append(p.line, s...) }

// sep puts first before item 0 of a list and a comma before the others.
func (p *printer) sep(i int, first string) {
	if i > 0 {
		first = ", "
	}
	p.put(first)
}

func (p *printer) flush(span source.Span, in *Instr) {
	p.lines = append(p.lines, Line{string(p.line), span, in})
	p.line = p.line[:0]
}

// name gives v its name in the text: its own, with #2, #3 … where others had it before, or a number.
func (p *printer) name(v *Value) string {
	if v.Name == "" {
		p.unnamed++
		return "%" + strconv.Itoa(p.unnamed-1)
	}
	p.used[v.Name]++
	if n := p.used[v.Name]; n > 1 {
		return "%" + v.Name + "#" + strconv.Itoa(n)
	}
	return "%" + v.Name
}

func (p *printer) define(v *Value) {
	p.names[v.ID] = p.name(v)
	p.put(p.names[v.ID])
	p.put(": ")
	p.typ(v)
}

// typ prints a value's type, and the number of a tile's layout.
func (p *printer) typ(v *Value) {
	p.put(v.Type.String())
	switch {
	case v.Type.IsScalar():
	case v.Layout != nil:
		p.put(" #")
		p.put(strconv.Itoa(numberOf(&p.layouts, v.Layout)))
	case v.Mem != nil:
		p.put(" $")
		p.put(strconv.Itoa(numberOf(&p.mems, v.Mem)))
	}
}

// numberOf is the number of x in a list, to which it is appended if it is not there.
func numberOf[T interface{ Equal(T) bool }](list *[]*T, x *T) int {
	i := slices.IndexFunc(*list, func(y *T) bool { return (*y).Equal(*x) })
	if i < 0 {
		i = len(*list)
		*list = append(*list, x)
	}
	return i
}

func (p *printer) block(b *Block) {
	p.indent++
	for _, in := range b.Instrs {
		p.instr(in)
	}
	p.indent--
}

func (p *printer) startLine() {
	for range p.indent {
		p.put("  ")
	}
}

func (p *printer) instr(in *Instr) {
	p.startLine()
	// A value gets its name before the regions of its instruction are printed, as it gets its ID.
	for i, r := range in.Results {
		p.sep(i, "")
		p.names[r.ID] = p.name(r)
		p.put(p.names[r.ID])
	}
	if len(in.Results) > 0 {
		p.put(" = ")
	}
	p.put(in.Op.String())
	for i, v := range in.Operands {
		p.sep(i, " ")
		if v == nil {
			p.put("_")
		} else {
			p.put(p.names[v.ID])
		}
	}
	p.attrs(in)
	if in.Scratch != nil {
		p.put(" through ")
		p.put(p.names[in.Scratch.ID])
	}
	for i, r := range in.Results {
		p.sep(i, " : ")
		p.typ(r)
	}
	span, begins := in.Span, in
	for i, r := range in.Regions {
		p.region(in.Op.Def().Regions[i], r, span, begins)
		span, begins = source.Span{}, nil
	}
	p.flush(span, begins)
}

// region prints name (args) { … and leaves the line open after the closing brace.
func (p *printer) region(name string, r *Block, span source.Span, begins *Instr) {
	p.put(" ")
	p.put(name)
	for i, a := range r.Args {
		p.sep(i, " (")
		p.define(a)
	}
	if len(r.Args) > 0 {
		p.put(")")
	}
	p.put(" {")
	p.flush(span, begins)
	p.block(r)
	p.startLine()
	p.put("}")
}

func (p *printer) attrs(in *Instr) {
	for i, a := range in.Attrs {
		p.sep(i, " {")
		p.put(a.Name)
		p.put("=")
		p.put(attrText(in.Op, a))
	}
	if len(in.Attrs) > 0 {
		p.put("}")
	}
}

func attrText(op ops.Op, a Attr) string {
	switch v := a.Value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case []int64:
		shape := make([]int, len(v))
		for i, d := range v {
			shape[i] = int(d)
		}
		return types.ShapeString(shape)
	case bool:
		return strconv.FormatBool(v)
	case num.Scalar:
		return v.DType.Info().Short + "(" + v.String() + ")"
	case string:
		if op.Def().Attr(a.Name).Kind == ops.StringAttr {
			return strconv.Quote(v)
		}
		return v
	}
	return ""
}
