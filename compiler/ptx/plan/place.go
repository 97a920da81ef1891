package plan

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// placement makes the placed function: a copy of the one that is planned, in which each value has its layout
// (ir.Value.Layout). What is rematerialized is there once for each layout in which it is required, and what is
// converted is followed by convert_layout. All later decisions, and emission, are about this function.
type placement struct {
	*layoutAssignment
	copies [][]*ir.Value // by Value.ID of the function that is planned
	source map[*ir.Instr]*ir.Instr
	made   []ir.Value // the copies, in the order in which they are made
	values []int      // the IDs of what they are copies of
}

// place replaces the function that is planned by the placed one.
func (p *Plan) place(a *layoutAssignment) {
	from, n := p.Func, 0
	for i := range a.tiles {
		n += 1 + len(a.tiles[i].versions)
	}
	x := &placement{a, make([][]*ir.Value, len(a.tiles)), make(map[*ir.Instr]*ir.Instr, n), make([]ir.Value, 0, n),
		make([]int, 0, n)}
	all := make([]*ir.Value, n)
	for i := range a.tiles {
		k := 1 + len(a.tiles[i].versions)
		x.copies[i], all = all[:0:k], all[k:]
	}
	p.Func = &ir.Func{Name: from.Name, Body: x.block(from.Body, nil, source.Span{})}
	for _, q := range from.Params {
		param := &ir.Param{Name: q.Name, Value: x.first(q.Value), Divisible: q.Divisible}
		p.Func.Params = append(p.Func.Params, param)
	}
	p.source = x.source
	x.number()
	p.Facts = a.facts.Renumbered(p.values)
	p.Accesses, p.Dots = rekeyed(x, p.Accesses), rekeyed(x, p.Dots)
	for _, holds := range p.Target.predicates() {
		*holds = p.ofSource(*holds)
	}
}

// number numbers the placed function, and gives its values their tiles.
func (x *placement) number() {
	p := x.p
	p.values, p.Tiles = make([]int, p.Func.Number()), make([]Tile, len(x.made))
	for i := range x.made {
		v, id := &x.made[i], x.values[i]
		t := x.tiles[id].Tile
		if t.Reason.From != nil {
			t.Reason.From = x.first(t.Reason.From)
		}
		p.values[v.ID], p.Tiles[v.ID] = id, t
	}
}

// first is the first copy of v; nil: there is none.
func (x *placement) first(v *ir.Value) *ir.Value {
	if copies := x.copies[v.ID]; len(copies) > 0 {
		return copies[0]
	}
	return nil
}

// rekeyed is what is planned of instructions that are placed once, by those.
func rekeyed[T any](x *placement, of map[*ir.Instr]T) map[*ir.Instr]T {
	placed := make(map[*ir.Instr]T, len(of))
	for to, in := range x.source {
		if y, ok := of[in]; ok {
			placed[to] = y
		}
	}
	return placed
}

// Source is what an instruction of the placed function was in the function that was planned.
func (p *Plan) Source(in *ir.Instr) *ir.Instr { return p.source[in] }

// SourceID is the ID that a value of the placed function had in the function that was planned.
func (p *Plan) SourceID(v *ir.Value) int { return p.values[v.ID] }

// ofSource is a predicate of instructions of the placed function, from one of those of the function that was planned.
// It holds for none if that is nil, and for none of those that placement has added.
func (p *Plan) ofSource(holds func(*ir.Instr) bool) func(*ir.Instr) bool {
	return func(in *ir.Instr) bool {
		from := p.source[in]
		return holds != nil && from != nil && holds(from)
	}
}

// copy makes a copy of v in layout l.
func (x *placement) copy(v *ir.Value, l *layout.Layout, def *ir.Instr) *ir.Value {
	x.made = append(x.made, ir.Value{Type: v.Type, Def: def, Index: v.Index, Name: v.Name, Layout: l})
	c := &x.made[len(x.made)-1]
	x.copies[v.ID], x.values = append(x.copies[v.ID], c), append(x.values, v.ID)
	return c
}

// in is the copy of v in layout l.
func (x *placement) in(v *ir.Value, l layout.Layout) *ir.Value {
	for _, c := range x.copies[v.ID] {
		if v.Type.IsScalar() || c.Layout.Equal(l) {
			return c
		}
	}
	panic("a value is not placed in a layout in which it is required")
}

// block places a block, whose owner is at a place in the source. What its terminator passes on becomes the values of
// to, in their layouts.
func (x *placement) block(b *ir.Block, to []*ir.Value, at source.Span) *ir.Block {
	placed := &ir.Block{}
	for _, v := range b.Args {
		placed.Args = append(placed.Args, x.copy(v, &x.tiles[v.ID].layout, nil))
	}
	for _, v := range b.Args {
		placed.Instrs = x.convert(placed.Instrs, v, at)
	}
	for _, in := range b.Instrs {
		if in.Op.Has(ops.Terminator) {
			placed.Instrs = append(placed.Instrs, x.instr(in, nil, x.passed(to, in.Operands)))
			continue
		}
		placed.Instrs = x.all(placed.Instrs, in)
	}
	return placed
}

// all appends an instruction as often as it is placed, and the conversions of its results.
func (x *placement) all(list []*ir.Instr, in *ir.Instr) []*ir.Instr {
	if v := in.Result(); v != nil && x.tiles[v.ID].Rematerialized {
		t := &x.tiles[v.ID]
		for i := range t.versions {
			list = append(list, x.instr(in, &t.versions[i], x.operands(in, t.versions[i])))
		}
		if t.required {
			list = append(list, x.instr(in, &t.layout, x.operands(in, t.layout)))
		}
		return list
	}
	list = append(list, x.instr(in, nil, x.operands(in, x.workLayout(in))))
	for _, v := range in.Results {
		list = x.convert(list, v, in.Span)
	}
	return list
}

// convert appends the conversions of v to the other layouts in which it is required.
func (x *placement) convert(list []*ir.Instr, v *ir.Value, at source.Span) []*ir.Instr {
	t := &x.tiles[v.ID]
	for i := range t.versions {
		in := &ir.Instr{Op: ops.ConvertLayout, Operands: []*ir.Value{x.in(v, t.layout)}, Span: at}
		in.Results = []*ir.Value{x.copy(v, &t.versions[i], in)}
		in.Results[0].Index = 0
		list = append(list, in)
	}
	return list
}

// instr places an instruction; its result in layout l, or in its own if that is nil.
func (x *placement) instr(in *ir.Instr, l *layout.Layout, operands []*ir.Value) *ir.Instr {
	placed := &ir.Instr{Op: in.Op, Operands: operands, Attrs: in.Attrs, Span: in.Span}
	x.source[placed] = in
	if len(in.Results) > 0 {
		placed.Results = make([]*ir.Value, len(in.Results))
	}
	for i, v := range in.Results {
		to := l
		if to == nil {
			to = &x.tiles[v.ID].layout
		}
		placed.Results[i] = x.copy(v, to, placed)
	}
	for i, r := range in.Regions {
		placed.Regions = append(placed.Regions, x.block(r, passedTo(in, i), in.Span))
	}
	return placed
}

// operands is an instruction's operands as it takes them to work in layout l.
func (x *placement) operands(in *ir.Instr, l layout.Layout) []*ir.Value {
	placed := make([]*ir.Value, len(in.Operands))
	for i, v := range in.Operands {
		if v != nil {
			placed[i] = x.in(v, x.taken(in, i, l))
		}
	}
	return placed
}

// passed is what a region passes on, the last values in the layouts of those of to, which they become.
func (x *placement) passed(to, from []*ir.Value) []*ir.Value {
	placed := make([]*ir.Value, len(from))
	for i, v := range from {
		l := x.tiles[v.ID].layout
		if k := i - (len(from) - len(to)); k >= 0 {
			l = x.tiles[to[k].ID].layout
		}
		placed[i] = x.in(v, l)
	}
	return placed
}
