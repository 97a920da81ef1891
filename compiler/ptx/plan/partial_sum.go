package plan

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
)

// Partial sums: a loop that adds up the sums of tiles, as that of attention does with
//
//	l = l*α + sum(p, 1)
//
// need not have them in an iteration. Each thread adds up what it has of every tile, and the parts of lanes and warps
// are combined once, behind the loop, in place of once an iteration with shuffles, or a barrier, in the way of the rest
// (Dao, "FlashAttention-2: Faster Attention with Better Parallelism and Work Partitioning", has the idea by hand).
// Floats round otherwise than in the order as written, as sums over lanes do anyway. Attention gained 1 to 3 % (H200).

// partialSums has each loop that adds up the sums of tiles carry the parts that threads have of them, a tile with one
// dimension more, and reduces that behind the loop:
//
//	parts = reshape p, with what one thread holds of a sum along a dimension of its own
//	l     = l*α + reduce parts          each thread its elements, l with an element for each thread
//	…
//	sum   = reduce l                    lanes and warps, behind the loop
func (p *Plan) partialSums() {
	if p.Target.Exact {
		return
	}
	found := false
	p.eachLoop(p.Func.Body, func(loop *ir.Instr) []*ir.Instr {
		all := []*ir.Instr{loop}
		_, uses := loopDots(loop)
		for _, in := range slices.Clone(loop.Regions[0].Instrs) {
			if c := p.partialSum(loop, in, uses); c >= 0 {
				all, found = p.addParts(all, loop, in, c), true
			}
		}
		return all
	})
	if found {
		p.renumber()
	}
}

// addParts has a loop add up the parts of a sum in its carried value c, and puts what else that takes around the loop.
func (p *Plan) addParts(around []*ir.Instr, loop, sum *ir.Instr, c int) []*ir.Instr {
	body, whole, axis := loop.Regions[0], loop.Results[c], int(sum.Int("axis"))
	arg, add := body.Args[1+c], body.Terminator().Operands[c].Def
	w := rewriter{p: p, at: sum.Span}
	parts := w.parts(sum.Operands[0], axis)
	l, _ := parts.Layout.Slice(axis)
	shape := slices.Delete(slices.Clone(parts.Type.Shape), axis, axis+1)
	insertBefore(body, sum, w.list)

	if scale := add.Operands[1-slices.Index(add.Operands, sum.Results[0])].Def; scale != nil {
		w.list = nil
		i := 1 - slices.Index(scale.Operands, arg)
		scale.Operands[i] = w.alongAxis(scale.Operands[i], axis, shape, &l)
		insertBefore(body, scale, w.list)
		setTile(scale.Results[0], shape, &l)
	}
	sum.Operands[0] = parts
	w.list = nil
	loop.Operands[3+c] = w.emit(ops.Const, &l, nil, ir.Attr{Name: "value", Value: num.FromInt(arg.Type.DType, 0)},
		ir.Attr{Name: "shape", Value: ir.Ints(shape)}).Results[0]
	around = append(w.list, around...)

	w.list = nil
	loop.Results[c] = &ir.Value{Type: whole.Type, Def: loop, Index: c}
	behind := w.copy(sum, substitution{parts: loop.Results[c]})
	w.copyRegions(behind, sum, substitution{})
	behind.Results[0], whole.Def, whole.Index = whole, behind, 0
	for _, v := range []*ir.Value{sum.Results[0], add.Results[0], arg, loop.Results[c]} {
		setTile(v, shape, &l)
	}
	return append(around, w.list...)
}

// setTile makes v a tile of another shape, of which nothing is known.
func setTile(v *ir.Value, shape []int, l *layout.Layout) {
	v.Type, v.Layout, v.ID = v.Type.WithShape(shape), l, noID
}

// parts appends a view of a tile in which the axis is two: along the first are the elements that one thread holds.
func (w *rewriter) parts(v *ir.Value, axis int) *ir.Value {
	shape := v.Type.Shape
	before, behind := shape[:axis], shape[axis+1:]
	held, _ := v.Layout.DropReplicas()
	places := held.AlongBits(axis)
	split := slices.Concat(before, slices.Repeat([]int{2}, len(places)), behind)
	var perm, own, others []int
	for i, at := range slices.Backward(places) {
		d := axis + len(places) - 1 - i
		if at.In == layout.InReg {
			own = append(own, d)
		} else {
			others = append(others, d)
		}
	}
	for d := range split {
		if d < axis || d >= axis+len(places) {
			perm = append(perm, d)
		}
	}
	perm = slices.Insert(perm, axis, append(own, others...)...)
	v = w.reshape(v, split)
	l := v.Layout.Trans(perm)
	v = w.emit(ops.Trans, &l, []*ir.Value{v}, ir.Attr{Name: "perm", Value: ir.Ints(perm)}).Results[0]
	return w.reshape(v, slices.Concat(before, []int{1 << len(own), 1 << len(others)}, behind))
}

func (w *rewriter) reshape(v *ir.Value, shape []int) *ir.Value {
	l := v.Layout.Reshape(shape)
	return w.emit(ops.Reshape, &l, []*ir.Value{v}, ir.Attr{Name: "shape", Value: ir.Ints(shape)}).Results[0]
}

// alongAxis appends a tile that is v at each index along a new axis.
func (w *rewriter) alongAxis(v *ir.Value, axis int, shape []int, l *layout.Layout) *ir.Value {
	op := ops.Splat
	if !v.Type.IsScalar() {
		once := slices.Clone(shape)
		once[axis] = 1
		from, _ := l.UnBroadcast(once)
		v = w.emit(ops.ExpandDims, &from, []*ir.Value{v}, ir.Attr{Name: "axis", Value: int64(axis)}).Results[0]
		op = ops.Broadcast
	}
	return w.emit(op, l, []*ir.Value{v}, ir.Attr{Name: "shape", Value: ir.Ints(shape)}).Results[0]
}

// partialSum is the number of the carried value that nothing but the sums of a reduction is added to, from 0 on, or -1.
// It may be multiplied before: by what is the same for all parts of a sum.
func (p *Plan) partialSum(loop, reduce *ir.Instr, uses map[*ir.Value]int) int {
	if !p.addsFloats(reduce) {
		return -1
	}
	body, sum := loop.Regions[0], reduce.Results[0]
	for c, next := range body.Terminator().Operands {
		arg := body.Args[1+c]
		if next.Def == nil || next.Def.Op != ops.Add || !slices.Contains(body.Instrs, next.Def) ||
			!IsZero(loop.Operands[3+c]) {
			continue
		}
		i := slices.Index(next.Def.Operands, sum)
		if i < 0 {
			continue
		}
		chain := []*ir.Value{sum, next, next.Def.Operands[1-i]}
		if before := chain[2]; before != arg {
			if before.Def == nil || before.Def.Op != ops.Mul || !slices.Contains(before.Def.Operands, arg) {
				continue
			}
			chain = append(chain, arg)
		}
		if !slices.ContainsFunc(chain, func(v *ir.Value) bool {
			return uses[v] != 1 || p.Tiles[v.ID].Rematerialized || !v.Layout.Equal(*arg.Layout)
		}) {
			return c
		}
	}
	return -1
}

// addsFloats reports whether in is a sum of floats of 32 bits or more along an axis that several threads share, whose
// result stays where the parts are.
func (p *Plan) addsFloats(in *ir.Instr) bool {
	if in.Op != ops.Reduce || len(in.Operands) != 1 {
		return false
	}
	region, info := in.Regions[0], in.Operands[0].Type.DType.Info()
	add := region.Terminator().Operands[0].Def
	if !info.Float || info.Bits < 32 || add == nil || add.Op != ops.Add ||
		!slices.Equal(add.Operands, region.Args) {
		return false
	}
	l, _ := in.Operands[0].Layout.DropReplicas()
	axis := int(in.Int("axis"))
	result, _ := l.Slice(axis)
	shared := slices.ContainsFunc(l.AlongBits(axis), func(b layout.Place) bool { return b.In != layout.InReg })
	return shared && result.Equal(*in.Results[0].Layout)
}
