package lower

import (
	"maps"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/types"
)

// scaleGroup is how many elements along K share a scale (OCP Microscaling Formats, k = 32).
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
	c.checkScale(x)
	c.checkScale(y)
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
		c.fail(diag.New("scaled-rank", c.spanOf(a.expr), name, rank))
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

// checkScale reports scales that do not fit an operand.
func (c *call) checkScale(s scaledSide) {
	name := s.name + "_scale"
	if !c.isGiven(name) {
		return
	}
	a, v := c.arg(name), c.number(name)
	want := types.Tile(num.Uint8, append(slices.Clone(s.batches), s.rows, s.k/scaleGroup)...)
	if v.Type.DType == num.Int8 { // the same bits
		want.DType = num.Int8
	}
	if s.k < scaleGroup || !v.Type.Equal(want) {
		c.fail(diag.New("scaled-scale", c.spanOf(a.expr), name, typeText(want), typeText(v.Type), s.k))
	}
}
