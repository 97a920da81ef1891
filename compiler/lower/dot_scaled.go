package lower

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// scaleGroup is how many elements along K share a scale (OCP Microscaling Formats, k = 32), where the scales do not say
// otherwise.
const scaleGroup = 32

// scaledFormats are the formats of dot_scaled's operands: the dtype that holds them, an integer that may hold their
// bits in its place, and how many elements are in one. e2m1 has no dtype: two are in a uint8, the first in the low
// bits.
var scaledFormats = map[string]struct {
	dtype, bits num.DType
	packed      int
}{
	"e2m1": {num.Uint8, num.Uint8, 2},
	"e4m3": {num.Float8E4M3, num.Uint8, 1},
	"e5m2": {num.Float8E5M2, num.Uint8, 1},
	"fp16": {num.Float16, num.Uint16, 1},
	"bf16": {num.BFloat16, num.Uint16, 1},
}

// scaledSide is one side of dot_scaled: the operand's shape is [rows, K] for the left, [K, rows] for the right, behind
// the batches if there are any.
type scaledSide struct {
	name    string // lhs or rhs
	format  string
	shape   []int // with its elements unpacked
	batches []int
	rows, k int
}

// lowerDotScaled lowers tl.dot_scaled: checked here, it is computed by the prelude's _dot_scaled.
func lowerDotScaled(c *call) value {
	x, y := c.scaledSide("lhs"), c.scaledSide("rhs")
	if x.k != y.k || !slices.Equal(x.batches, y.batches) {
		return c.fail(diag.New("scaled-shapes", c.spanOf(c.node), types.ShapeString(x.shape),
			types.ShapeString(y.shape)))
	}
	group := c.scaleGroup(x, y)
	c.checkScale(x, group)
	c.checkScale(y, group)
	passed := &arguments{node: c.node, callee: c.row.Path(), positional: c.bound}
	return c.inlineLibrary(&c.globals.prelude, preludeModule, "_dot_scaled", passed)
}

// scaledSide reads an operand with its format.
func (c *call) scaledSide(name string) (s scaledSide) {
	a, packed := c.arg(name), c.arg(name+"_k_pack")
	s.name = name
	s.format = c.choice(name+"_format", slices.Sorted(maps.Keys(scaledFormats))...)
	x := c.numberOf(a)
	f := scaledFormats[s.format]
	rank := len(x.Type.Shape)
	switch {
	case rank != 2 && rank != 3:
		said := ""
		if rank == 0 {
			said = "dot_scaled operands must be block tensors (not scalars)"
		}
		c.fail(diag.New("scaled-rank", c.spanOf(a.expr), name, rank, said))
	case x.Type.DType != f.dtype && x.Type.DType != f.bits:
		c.fail(diag.New("scaled-dtype", c.spanOf(a.expr), name, s.format, f.dtype, typeText(x.Type.Elem())))
	}
	alongK := c.pythonTruth(packed.val)
	if !alongK && f.packed == 1 {
		c.fail(diag.New("scaled-pack", c.spanOf(packed.expr), name+"_k_pack", s.format))
	}
	s.shape = slices.Clone(x.Type.Shape)
	rows, k := rank-2, rank-1
	if name == "rhs" {
		rows, k = k, rows
	}
	if alongK {
		s.shape[k] *= f.packed
	} else {
		s.shape[rows] *= f.packed
	}
	s.batches, s.rows, s.k = s.shape[:rank-2], s.shape[rows], s.shape[k]
	return s
}

// scaleGroup is how many elements share a scale: since 3.8 what the shapes of the scales say, of which one alone says
// nothing.
func (c *call) scaleGroup(sides ...scaledSide) int {
	group := 0
	for _, s := range sides {
		name := s.name + "_scale"
		if !c.isGiven(name) || !c.has(triton.ScaledFactor) {
			continue
		}
		a, scale := c.arg(name), c.number(name).Type
		rank := len(scale.Shape)
		if rank == 0 || scale.Numel() == 1 {
			continue
		}
		own := s.k / scale.Shape[rank-1]
		switch {
		case own != 16 && own != 32:
			c.fail(diag.New("scaled-group", c.spanOf(a.expr), name, own,
				fmt.Sprintf("scale factor must be 16 or 32. Got %d", own)))
		case group != 0 && group != own:
			c.fail(diag.New("scaled-group", c.spanOf(a.expr), name, own,
				fmt.Sprintf("Operands must have the same scale factor; (lhs: %d vs rhs: %d)", group, own)))
		}
		group = own
	}
	return cmp.Or(group, scaleGroup)
}

// checkScale reports scales that do not fit an operand, of which group elements share one.
func (c *call) checkScale(s scaledSide, group int) {
	name := s.name + "_scale"
	if !c.isGiven(name) {
		return
	}
	a, v := c.arg(name), c.number(name)
	want := types.Tile(num.Uint8, append(slices.Clone(s.batches), s.rows, s.k/group)...)
	if v.Type.DType == num.Int8 { // the same bits
		want.DType = num.Int8
	}
	last := fmt.Sprintf("%d, %d]. Got ", s.rows, s.k/group) + printedShape(v.Type.Shape)
	if s.k < group || !v.Type.Equal(want) {
		said := ""
		if !slices.Equal(v.Type.Shape, want.Shape) {
			said = name + " must be a tensor of shape [..., " + last
			if !c.has(triton.ScaledBatch) {
				said = name + " must be a tensor of shape [" + last
			}
		}
		c.fail(diag.New("scaled-scale", c.spanOf(a.expr), name, typeText(want), typeText(v.Type), s.k, said))
	}
	if len(s.batches) > 0 {
		c.needs(triton.ScaledBatch, c.spanOf(a.expr), c.sourceText(a.expr), name+" must be a tensor of shape ["+last)
	}
}
