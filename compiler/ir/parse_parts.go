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

func (p *parser) attrs(op ops.Op) ([]Attr, error) {
	var attrs []Attr
	if !p.accept("{") {
		return nil, nil
	}
	for !p.accept("}") {
		if len(attrs) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		name := p.take()
		if err := p.expect("="); err != nil {
			return nil, err
		}
		value, err := p.attrValue(op.Def().Attr(name))
		if err != nil {
			return nil, err
		}
		attrs = append(attrs, Attr{Name: name, Value: value})
	}
	return attrs, nil
}

func (p *parser) attrValue(a ops.Attr) (any, error) {
	switch a.Kind {
	case ops.IntsAttr:
		return p.integers()
	case ops.StringAttr:
		s, err := strconv.Unquote(p.tok)
		if err != nil || p.tok[0] != '"' {
			return nil, p.fail("want a quoted string, found %q", p.tok)
		}
		p.next()
		return s, nil
	case ops.EnumAttr:
		return p.take(), nil
	case ops.BoolAttr:
		if p.tok != "true" && p.tok != "false" {
			return nil, p.fail("want true or false, found %q", p.tok)
		}
		return p.take() == "true", nil
	case ops.ScalarAttr:
		return p.scalar()
	}
	return p.integer()
}

func (p *parser) scalar() (any, error) {
	d, ok := num.Parse(p.tok)
	if !ok {
		return nil, p.fail("want a dtype, found %q", p.tok)
	}
	p.next()
	if p.tok != "(" {
		return nil, p.fail("want (, found %q", p.tok)
	}
	text := p.until(')')
	p.next()
	s, ok := num.ParseScalar(d, text)
	if !ok {
		return nil, p.fail("%q is not a %s", text, d.Info().Short)
	}
	return s, p.expect(")")
}

func (p *parser) integer() (int64, error) {
	v, err := strconv.ParseInt(p.tok, 10, 64)
	if err != nil {
		return 0, p.fail("want an integer, found %q", p.tok)
	}
	p.next()
	return v, nil
}

func (p *parser) integers() ([]int64, error) {
	var list []int64
	if err := p.expect("["); err != nil {
		return nil, err
	}
	for !p.accept("]") {
		if len(list) > 0 {
			if err := p.expect(","); err != nil {
				return nil, err
			}
		}
		v, err := p.integer()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// placedType is a type and, of a tile that is placed on threads or in shared memory, the layout whose number follows.
type placedType struct {
	types.Type
	layout *layout.Layout
	mem    *layout.Mem
}

func (p *parser) types() ([]placedType, error) {
	var list []placedType
	if !p.accept(":") {
		return nil, nil
	}
	for {
		t, err := p.typ()
		if err != nil {
			return nil, err
		}
		list = append(list, t)
		if !p.accept(",") {
			return list, nil
		}
	}
}

func (p *parser) typ() (t placedType, err error) {
	if t.Buffers, err = p.buffers(); err != nil {
		return t, err
	}
	t.Pointer = !t.IsMemDesc() && p.accept("*")
	d, ok := num.Parse(p.tok)
	if !ok {
		return t, p.fail("want a type, found %q", p.tok)
	}
	t.DType = d
	p.next()
	if p.tok != "[" {
		return t, nil
	}
	if t.Shape, err = p.shape(); err != nil {
		return t, err
	}
	switch {
	case p.accept("#"):
		t.layout, err = numbered(p, p.layouts)
	case p.accept("$"):
		t.mem, err = numbered(p, p.mems)
	}
	return t, err
}

// buffers reads what a memory descriptor's type begins with: memdesc, and the number of tiles if there are several.
func (p *parser) buffers() (n uint16, err error) {
	if !p.accept("memdesc") {
		return 0, nil
	}
	if p.tok != "[" {
		return 1, nil
	}
	list, err := p.integers()
	if err == nil && (len(list) != 1 || list[0] < 2 || list[0] > math.MaxUint16) {
		err = p.fail("want the number of tiles")
	}
	if err != nil {
		return 0, err
	}
	return uint16(list[0]), nil
}

// numbered reads the number of one of the layouts that the text begins with.
func numbered[T any](p *parser, list []*T) (*T, error) {
	n, err := p.integer()
	if err != nil || n < 0 || n >= int64(len(list)) {
		return nil, p.fail("want the number of a layout")
	}
	return list[n], nil
}

// layout reads what follows the # of a layout: its number, its shape, and what a step of each bit of the number of the
// register, the lane and the warp is along each dimension.
func (p *parser) layout() error {
	shape, err := p.layoutShape("#", len(p.layouts))
	if err != nil {
		return err
	}
	l := &layout.Layout{Shape: shape}
	for i, bases := range []*[]uint32{&l.Reg, &l.Lane, &l.Warp} {
		if !p.accept([...]string{"reg", "lane", "warp"}[i]) {
			continue
		}
		for p.isStep() {
			basis, err := p.step(l)
			if err != nil {
				return err
			}
			*bases = append(*bases, basis)
		}
	}
	p.layouts = append(p.layouts, l)
	return nil
}

// layoutShape reads what a layout begins with: its number, which is to be want, and its shape.
func (p *parser) layoutShape(mark string, want int) (shape []int, err error) {
	if n, err := p.integer(); err != nil || n != int64(want) {
		return nil, p.fail("want layout %s%d", mark, want)
	}
	if err := p.expect("="); err != nil {
		return nil, err
	}
	return p.shape()
}

// shape reads the shape of a tile.
func (p *parser) shape() (shape []int, err error) {
	dims, err := p.integers()
	if err != nil {
		return nil, err
	}
	for _, d := range dims {
		shape = append(shape, int(min(d, math.MaxInt32)))
	}
	if want := ops.CheckShape(shape); want != "" {
		return nil, p.fail("want %s", want)
	}
	return shape, nil
}

// mem reads what follows the $ of a layout in shared memory: its number, its shape, the bits of an element, and what
// each bit of an element's number adds to its offset.
func (p *parser) mem() error {
	shape, err := p.layoutShape("$", len(p.mems))
	if err != nil {
		return err
	}
	if err := p.expect("bits"); err != nil {
		return err
	}
	bits, err := p.integer()
	if err != nil {
		return err
	}
	if err := p.expect("offset"); err != nil {
		return err
	}
	m := &layout.Mem{Shape: shape, ElemBits: int(bits)}
	for p.isStep() {
		off, err := p.integer()
		if err != nil || off < 0 || off > math.MaxInt32 {
			return p.fail("want an offset")
		}
		m.Off = append(m.Off, uint32(off))
	}
	if !m.Valid() {
		return p.fail("layout $%d: want an offset of its own for each element, and 8, 16, 32 or 64 bits", len(p.mems))
	}
	p.mems = append(p.mems, m)
	return nil
}

// isStep reports whether a step follows: - for none, (row,column), or a number along the one dimension.
func (p *parser) isStep() bool {
	_, err := strconv.ParseUint(p.tok, 10, 32)
	return p.tok == "-" || p.tok == "(" || err == nil
}

// step reads a step to another element, by that element's number.
func (p *parser) step(l *layout.Layout) (element uint32, err error) {
	if p.accept("-") {
		return 0, nil
	}
	many := p.accept("(")
	for i, d := range l.Shape {
		if i > 0 {
			if err := p.expect(","); err != nil {
				return 0, err
			}
		}
		at, err := p.integer()
		if err != nil || at < 0 || at >= int64(d) {
			return 0, p.fail("want a step within the shape")
		}
		element = element*uint32(d) + uint32(at)
	}
	if many {
		err = p.expect(")")
	}
	if element&(element-1) != 0 {
		err = p.fail("want a step along one dimension, of a power of two")
	}
	return element, err
}

func (p *parser) span() (s source.Span, err error) {
	if !p.accept("@") {
		return s, nil
	}
	start, err := p.integer()
	if err != nil {
		return s, err
	}
	if err := p.expect(":"); err != nil {
		return s, err
	}
	end, err := p.integer()
	if err != nil {
		return s, err
	}
	if start < 0 || end < start || end > math.MaxInt32 {
		return s, p.fail("the span %d:%d", start, end)
	}
	return source.Span{Start: int32(start), End: int32(end)}, nil
}
