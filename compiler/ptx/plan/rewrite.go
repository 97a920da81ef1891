package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// rewriter appends instructions to a part of the placed function: new ones, and copies of others for another iteration
// or program. Until renumber has numbered the function, a copy's values have the IDs of those that they are copies of,
// and new values have noID.
type rewriter struct {
	p    *Plan
	at   source.Span
	list []*ir.Instr
}

// noID is the ID of a value that is no copy of another.
const noID = -1

// substitution is the values that stand for others in another iteration or program.
type substitution map[*ir.Value]*ir.Value

// of is the value that stands for v: v itself, if no other does.
func (s substitution) of(v *ir.Value) *ir.Value {
	if to, ok := s[v]; ok {
		return to
	}
	return v
}

// all is what stands for each of a list of values.
func (s substitution) all(values []*ir.Value) []*ir.Value {
	list := make([]*ir.Value, len(values))
	for i, v := range values {
		list[i] = s.of(v)
	}
	return list
}

// scalarLayout is the layout of a scalar, which every thread holds.
func (p *Plan) scalarLayout() *layout.Layout {
	l := layout.ForVector(nil, nil, 1, p.Target.Warps)
	return &l
}

// emit appends an instruction. Its result, if it has one, is a scalar or a memory descriptor, or in layout l.
func (w *rewriter) emit(op ops.Op, l *layout.Layout, operands []*ir.Value, attrs ...ir.Attr) *ir.Instr {
	in, wrong := ir.NewInstr(w.at, op, operands, nil, attrs...)
	if wrong != nil {
		panic("plan: " + wrong.Error())
	}
	for _, v := range in.Results {
		v.ID, v.Layout = noID, l
	}
	w.list = append(w.list, in)
	return in
}

// scalar appends an instruction whose result is a scalar, and gives that.
func (w *rewriter) scalar(op ops.Op, operands ...*ir.Value) *ir.Value {
	return w.emit(op, w.p.scalarLayout(), operands).Results[0]
}

// constant appends a constant.
func (w *rewriter) constant(d num.DType, n int64) *ir.Value {
	return w.emit(ops.Const, w.p.scalarLayout(), nil, ir.Attr{Name: "value", Value: num.FromInt(d, n)}).Results[0]
}

// and is the conjunction of two conditions, of which nil stands for true.
func (w *rewriter) and(x, y *ir.Value) *ir.Value {
	switch {
	case x == nil:
		return y
	case y == nil:
		return x
	}
	return w.scalar(ops.And, x, y)
}

// define makes copies of values that def has, which stand for them.
func (s substitution) define(values []*ir.Value, def *ir.Instr) (list []*ir.Value) {
	for i, v := range values {
		s[v] = &ir.Value{Type: v.Type, Def: def, Index: i, Name: v.Name, ID: v.ID, Layout: v.Layout, Mem: v.Mem}
		list = append(list, s[v])
	}
	return list
}

// copy appends a copy of an instruction without regions, for what s says; its results stand for the original's there.
func (w *rewriter) copy(in *ir.Instr, s substitution) *ir.Instr {
	p := w.p
	c := &ir.Instr{Op: in.Op, Operands: s.all(in.Operands), Attrs: in.Attrs, Span: in.Span}
	c.Results = s.define(in.Results, c)
	p.source[c] = p.source[in]
	inherit(p.Accesses, c, in)
	inherit(p.True, c, in)
	w.list = append(w.list, c)
	return c
}

// inherit decides about an instruction what is decided about another.
func inherit[T any](decisions map[*ir.Instr]T, to, from *ir.Instr) {
	if x, ok := decisions[from]; ok {
		decisions[to] = x
	}
}

// copyBlock appends copies of a block's instructions, but for the terminator, with their regions and with all that is
// decided about them.
func (w *rewriter) copyBlock(b *ir.Block, s substitution) {
	p, copies := w.p, map[*ir.Instr]*ir.Instr{}
	for _, in := range b.Instrs[:len(b.Instrs)-1] {
		c := w.copy(in, s)
		copies[in] = c
		w.copyRegions(c, in, s)
		inherit(p.Async, c, in)
		if d := p.Dots[in]; d != nil { // whose accumulator is no variable there
			x := *d
			x.InPlace, x.ZeroInit = false, false
			p.Dots[c] = &x
		}
	}
	for in, c := range copies {
		if m := p.MaskSkips[in]; m != nil {
			p.MaskSkips[c] = &MaskSkip{copies[m.Select], copies[m.Compare], m.Ends}
		}
		if a := p.Async[in]; a.Tensors != nil {
			tensors := make([]*ir.Instr, len(a.Tensors))
			for i, x := range a.Tensors {
				tensors[i] = copies[x]
			}
			a.Tensors = tensors
			p.Async[c] = a
		}
	}
}

// carry has a loop carry one value more, which begins as init, and gives the argument. It has the facts of like, if
// that is not nil. The caller appends its next value to what the loop yields.
func (w *rewriter) carry(loop *ir.Instr, init, like *ir.Value) *ir.Value {
	id, l := noID, init.Layout
	if like != nil {
		id, l = like.ID, like.Layout
	}
	body := loop.Regions[0]
	arg := &ir.Value{Type: init.Type, Index: len(body.Args), ID: id, Layout: l}
	result := &ir.Value{Type: init.Type, Def: loop, Index: len(loop.Results), ID: id, Layout: l}
	loop.Operands = append(slices.Clip(loop.Operands), init)
	loop.Results = append(slices.Clip(loop.Results), result)
	body.Args = append(body.Args, arg)
	return arg
}

// yield appends to what a block yields.
func yield(b *ir.Block, values ...*ir.Value) {
	end := b.Terminator()
	end.Operands = append(slices.Clip(end.Operands), values...)
}

// copyRegions gives an instruction copies of the regions of another.
func (w *rewriter) copyRegions(to, from *ir.Instr, s substitution) {
	for _, r := range from.Regions {
		inside := rewriter{p: w.p, at: w.at}
		args := s.define(r.Args, nil)
		inside.copyBlock(r, s)
		inside.copy(r.Terminator(), s)
		to.Regions = append(to.Regions, &ir.Block{Args: args, Instrs: inside.list})
	}
}

// insertBefore inserts instructions before one of a block.
func insertBefore(b *ir.Block, at *ir.Instr, list []*ir.Instr) {
	b.Instrs = slices.Insert(b.Instrs, slices.Index(b.Instrs, at), list...)
}

// eachLoop has for loops of a block become what f gives, the innermost first.
func (p *Plan) eachLoop(b *ir.Block, f func(loop *ir.Instr) []*ir.Instr) {
	var list []*ir.Instr
	for _, in := range b.Instrs {
		for _, region := range in.Regions {
			p.eachLoop(region, f)
		}
		if in.Op == ops.For {
			list = append(list, f(in)...)
		} else {
			list = append(list, in)
		}
	}
	b.Instrs = list
}

// replaceUses has a block use the values that stand for others.
func replaceUses(b *ir.Block, s substitution) {
	b.Walk(func(user *ir.Instr) {
		for i, v := range user.Operands {
			user.Operands[i] = s.of(v)
		}
	})
}

// number numbers the function, if it is not as it was: pipelined loops have dots, and scratch memory is a value.
func (p *Plan) number() {
	seen, distinct := make([]bool, len(p.Tiles)), true
	EachValue(p.Func, func(v *ir.Value) {
		if distinct = distinct && v.ID != noID && !seen[v.ID]; distinct {
			seen[v.ID] = true
		}
	})
	if len(p.Dots) > 0 || !distinct || p.Func.Values() != len(p.Tiles) {
		p.renumber()
	}
}

// renumber numbers the function after it has been rewritten.
func (p *Plan) renumber() {
	var values []*ir.Value
	var ids []int // what values are copies of
	EachValue(p.Func, func(v *ir.Value) { values, ids = append(values, v), append(ids, v.ID) })
	from := make([]int, p.Func.Number())
	was, tiles := p.values, p.Tiles
	p.values, p.Tiles = make([]int, len(from)), make([]Tile, len(from))
	for i, v := range values {
		from[v.ID], p.values[v.ID] = ids[i], noID
		if ids[i] != noID {
			p.values[v.ID], p.Tiles[v.ID] = was[ids[i]], tiles[ids[i]]
		}
	}
	p.Facts = p.Facts.Renumbered(from)
}

// ifThen appends a branch around what f appends. The caller gives it the results that f gives, and else others.
func (w *rewriter) ifThen(condition *ir.Value, f func() []*ir.Value, others []*ir.Value) *ir.Instr {
	before := w.list
	var regions []*ir.Block
	for _, inside := range []func() []*ir.Value{f, func() []*ir.Value { return others }} {
		w.list = nil
		w.emit(ops.Yield, nil, inside())
		regions = append(regions, &ir.Block{Instrs: w.list})
	}
	in := &ir.Instr{Op: ops.If, Operands: []*ir.Value{condition}, Regions: regions, Span: w.at}
	w.list = append(before, in)
	return in
}
