package ir

import (
	"math"
	"strconv"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// What instructions are made of: attributes, types, spans.

func (p *parser) attrs(op ops.Op) (attrs []Attr) {
	if !p.accept("{") {
		return nil
	}
	p.list("}", func() {
		name := p.take()
		p.expect("=")
		attrs = append(attrs, Attr{Name: name, Value: p.attrValue(op.Def().Attr(name))})
	})
	return attrs
}

func (p *parser) attrValue(a ops.Attr) any {
	switch a.Kind {
	case ops.IntsAttr:
		return p.integers()
	case ops.StringAttr:
		s, err := strconv.Unquote(p.tok)
		if err != nil || p.tok[0] != '"' {
			p.fail("want a quoted string, found %q", p.tok)
		}
		p.next()
		return s
	case ops.EnumAttr:
		return p.take()
	case ops.BoolAttr:
		if p.tok != "true" && p.tok != "false" {
			p.fail("want true or false, found %q", p.tok)
		}
		return p.take() == "true"
	case ops.ScalarAttr:
		return p.scalar()
	}
	return p.integer()
}

func (p *parser) scalar() num.Scalar {
	d, ok := num.Parse(p.tok)
	if !ok {
		p.fail("want a dtype, found %q", p.tok)
	}
	p.next()
	if p.tok != "(" {
		p.fail("want (, found %q", p.tok)
	}
	text := p.until(')')
	p.next()
	s, ok := num.ParseScalar(d, text)
	if !ok {
		p.fail("%q is not a %s", text, d.Info().Short)
	}
	p.expect(")")
	return s
}

func (p *parser) integer() int64 {
	v, err := strconv.ParseInt(p.tok, 10, 64)
	if err != nil {
		p.fail("want an integer, found %q", p.tok)
	}
	p.next()
	return v
}

// integerBelow reads an integer from 0 to below n, which what is.
func (p *parser) integerBelow(n int64, what string) int64 {
	v, err := strconv.ParseInt(p.tok, 10, 64)
	if err != nil || v < 0 || v >= n {
		p.fail("want %s", what)
	}
	p.next()
	return v
}

func (p *parser) integers() (list []int64) {
	p.expect("[")
	p.list("]", func() { list = append(list, p.integer()) })
	return list
}

// placedType is a type and, of a tile that is placed on threads or in shared memory, the layout whose number follows.
type placedType struct {
	types.Type
	layout *layout.Layout
	mem    *layout.Mem
}

func (p *parser) types() (list []placedType) {
	if !p.accept(":") {
		return nil
	}
	for {
		if list = append(list, p.typ()); !p.accept(",") {
			return list
		}
	}
}

func (p *parser) typ() (t placedType) {
	t.Buffers = p.buffers()
	t.Pointer = !t.IsMemDesc() && p.accept("*")
	d, ok := num.Parse(p.tok)
	if !ok {
		p.fail("want a type, found %q", p.tok)
	}
	t.DType = d
	p.next()
	if p.tok != "[" {
		return t
	}
	t.Shape = p.shape()
	const number = "the number of a layout"
	switch {
	case p.accept("#"):
		t.layout = p.layouts[p.integerBelow(int64(len(p.layouts)), number)]
	case p.accept("$"):
		t.mem = p.mems[p.integerBelow(int64(len(p.mems)), number)]
	}
	return t
}

// buffers reads what a memory descriptor's type begins with: memdesc, and the number of tiles if there are several.
func (p *parser) buffers() uint32 {
	if !p.accept("memdesc") {
		return 0
	}
	if p.tok != "[" {
		return 1
	}
	list := p.integers()
	if len(list) != 1 || list[0] < 2 || list[0] > math.MaxInt32 {
		p.fail("want the number of tiles")
	}
	return uint32(list[0])
}

// layout reads what follows the # of a layout: its number, its shape, and what a step of each bit of the number of the
// register, the lane and the warp is along each dimension.
func (p *parser) layout() {
	l := &layout.Layout{Shape: p.layoutShape("#", len(p.layouts))}
	for i, bases := range []*[]uint32{&l.Reg, &l.Lane, &l.Warp} {
		if !p.accept([...]string{"reg", "lane", "warp"}[i]) {
			continue
		}
		for p.isStep() {
			*bases = append(*bases, p.step(l))
		}
	}
	p.layouts = append(p.layouts, l)
}

// layoutShape reads what a layout begins with: its number, which is to be want, and its shape.
func (p *parser) layoutShape(mark string, want int) []int {
	if p.take() != strconv.Itoa(want) {
		p.fail("want layout %s%d", mark, want)
	}
	p.expect("=")
	return p.shape()
}

// shape reads the shape of a tile.
func (p *parser) shape() (shape []int) {
	for _, d := range p.integers() {
		shape = append(shape, int(min(d, math.MaxInt32)))
	}
	if want := ops.CheckShape(shape); want != "" {
		p.fail("want %s", want)
	}
	return shape
}

// mem reads what follows the $ of a layout in shared memory: its number, its shape, the bits of an element, and what
// each bit of an element's number adds to its offset.
func (p *parser) mem() {
	m := &layout.Mem{Shape: p.layoutShape("$", len(p.mems))}
	p.expect("bits")
	m.ElemBits = int(p.integer())
	p.expect("offset")
	for p.isStep() {
		m.Off = append(m.Off, uint32(p.integerBelow(1<<31, "an offset")))
	}
	if !m.Valid() {
		p.fail("layout $%d: want an offset of its own for each element, and 8, 16, 32 or 64 bits", len(p.mems))
	}
	p.mems = append(p.mems, m)
}

// isStep reports whether a step follows: - for none, (row,column), or a number along the one dimension.
func (p *parser) isStep() bool {
	_, err := strconv.ParseUint(p.tok, 10, 32)
	return p.tok == "-" || p.tok == "(" || err == nil
}

// step reads a step to another element, by that element's number.
func (p *parser) step(l *layout.Layout) (element uint32) {
	if p.accept("-") {
		return 0
	}
	many := p.accept("(")
	for i, d := range l.Shape {
		if i > 0 {
			p.expect(",")
		}
		element = element*uint32(d) + uint32(p.integerBelow(int64(d), "a step within the shape"))
	}
	if many {
		p.expect(")")
	}
	if element&(element-1) != 0 {
		p.fail("want a step along one dimension, of a power of two")
	}
	return element
}

func (p *parser) span() (s source.Span) {
	if !p.accept("@") {
		return s
	}
	start := p.integer()
	p.expect(":")
	end := p.integer()
	if start < 0 || end < start || end > math.MaxInt32 {
		p.fail("the span %d:%d", start, end)
	}
	return source.Span{Start: int32(start), End: int32(end)}
}
