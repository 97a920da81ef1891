package ir

import (
	"fmt"

	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/ops"
)

// Where the values of a placed function may be: each operation moves elements between threads in its own way or not at
// all, and from the layouts of some of its values those of the others follow. convert_layout is what joins the rest.

// layoutRule checks the layouts of an instruction's values.
type layoutRule func(c *layoutCheck)

// layoutRules is indexed by Op. An operation without a rule takes and gives tiles in any layout, unless it is
// Elementwise: then all are in one; or on a WholeTile: then all that it takes are.
var layoutRules = [ops.N]layoutRule{
	ops.ExpandDims: viewLayout, ops.Broadcast: viewLayout, ops.Reshape: viewLayout, ops.Trans: viewLayout,
	ops.Join: joinLayout, ops.Split: splitLayout,
	ops.Dot: accLayout, ops.WGMMA: accLayout, ops.WGMMAWait: eachAsItsOperand,
	ops.MemDescIndex: sameMem, ops.MemDescTrans: transMem,
	ops.Reduce: reduceLayout, ops.Scan: oneLayout, ops.Gather: gatherLayout,
	ops.If: ifLayout, ops.For: forLayout, ops.While: whileLayout,
}

// layoutCheck is the check of one instruction.
type layoutCheck struct {
	in    *Instr
	wrong string // the first thing that is
}

// checkLayouts says what is wrong with the layouts of an instruction's values; empty where nothing is.
func checkLayouts(in *Instr) string {
	rule := layoutRules[in.Op]
	switch {
	case rule != nil:
	case in.Op.Has(ops.Elementwise):
		rule = oneLayout
	case in.Op.Has(ops.WholeTile):
		rule = operandsInOneLayout
	default:
		return ""
	}
	c := layoutCheck{in: in}
	rule(&c)
	return c.wrong
}

// want demands that a tile is in layout l, which follows from another value's.
func (c *layoutCheck) want(v *Value, l layout.Layout, from *Value) {
	if c.wrong == "" && isTile(v) && !v.Layout.Equal(l) {
		c.wrong = fmt.Sprintf("%s: %s is in layout %s; from that of %s follows %s",
			c.in.Op, c.position(v), v.Layout, c.position(from), l)
	}
}

// alike demands that all tiles among values are in the layout of the first.
func (c *layoutCheck) alike(values ...*Value) {
	var first *Value
	for _, v := range values {
		switch {
		case !isTile(v):
		case first == nil:
			first = v
		default:
			c.want(v, *first.Layout, first)
		}
	}
}

// isTile reports whether v is held by threads, and has a layout.
func isTile(v *Value) bool { return v != nil && !v.Type.IsScalar() && !v.Type.IsMemDesc() }

// position says which of the instruction's values v is.
func (c *layoutCheck) position(v *Value) string {
	find := func(values []*Value, what string) string {
		for i, x := range values {
			if x == v {
				return fmt.Sprintf("%s %d", what, i)
			}
		}
		return ""
	}
	if s := find(c.in.Results, "result"); s != "" {
		return s
	}
	if s := find(c.in.Operands, "operand"); s != "" {
		return s
	}
	for i, r := range c.in.Regions {
		name := c.in.Op.Def().Regions[i]
		if s := find(r.Args, "region "+name+"'s argument"); s != "" {
			return s
		}
		if s := find(r.Terminator().Operands, "region "+name+"'s result"); s != "" {
			return s
		}
	}
	return "another value"
}

func oneLayout(c *layoutCheck) {
	c.alike(append(c.in.Results[:len(c.in.Results):len(c.in.Results)], c.in.Operands...)...)
}

func operandsInOneLayout(c *layoutCheck) { c.alike(c.in.Operands...) }

// OperandLayout is the layout of operand v from which an operation makes its result in l without
// moving elements between threads.
func OperandLayout(in *Instr, v *Value, l layout.Layout) (layout.Layout, bool) {
	switch in.Op {
	case ops.ExpandDims:
		return l.UnExpandDims(int(in.Int("axis"))), true
	case ops.Broadcast:
		from, _ := l.UnBroadcast(v.Type.Shape)
		return from, true
	case ops.Reshape:
		return l.UnReshape(v.Type.Shape), true
	case ops.Trans:
		return l.UnTrans(in.Perm()), true
	case ops.Scan:
		return l, true
	}
	return l, in.Op.Has(ops.Elementwise)
}

// Perm is the permutation of a trans.
func (in *Instr) Perm() []int {
	list := in.Ints("perm")
	perm := make([]int, len(list))
	for i, d := range list {
		perm[i] = int(d)
	}
	return perm
}

func viewLayout(c *layoutCheck) {
	x, r := c.in.Operands[0], c.in.Results[0]
	if isTile(x) && isTile(r) {
		from, _ := OperandLayout(c.in, x, *r.Layout)
		c.want(x, from, r)
	}
}

func joinLayout(c *layoutCheck) {
	operandsInOneLayout(c)
	if x := c.in.Operands[0]; isTile(x) {
		c.want(c.in.Results[0], x.Layout.Join(), x)
	}
}

func splitLayout(c *layoutCheck) {
	x := c.in.Operands[0]
	half, _, ok := x.Layout.Split()
	if !ok {
		c.wrong = fmt.Sprintf("%s: operand 0 has its last dimension not in one thread's registers, but in layout %s",
			c.in.Op, x.Layout)
		return
	}
	for _, r := range c.in.Results {
		c.want(r, half, x)
	}
}

func accLayout(c *layoutCheck) { c.alike(c.in.Results[0], c.in.Operands[2]) }

func gatherLayout(c *layoutCheck) { c.alike(c.in.Results[0], c.in.Operands[1]) }

func reduceLayout(c *layoutCheck) {
	operandsInOneLayout(c)
	x := c.in.Operands[0]
	line, _ := x.Layout.Slice(int(c.in.Int("axis")))
	for _, r := range c.in.Results {
		c.want(r, line, x)
	}
}

func ifLayout(c *layoutCheck) {
	for i, r := range c.in.Results {
		c.alike(r, c.in.Regions[0].Terminator().Operands[i], c.in.Regions[1].Terminator().Operands[i])
	}
}

func forLayout(c *layoutCheck) {
	body := c.in.Regions[0]
	for i, r := range c.in.Results {
		c.alike(r, c.in.Operands[3+i], body.Args[1+i], body.Terminator().Operands[i])
	}
}

func whileLayout(c *layoutCheck) {
	before, after := c.in.Regions[0], c.in.Regions[1]
	for i, v := range c.in.Operands {
		c.alike(before.Args[i], v, after.Terminator().Operands[i])
	}
	for i, r := range c.in.Results {
		c.alike(r, after.Args[i], before.Terminator().Operands[1+i])
	}
}

func eachAsItsOperand(c *layoutCheck) {
	for i, r := range c.in.Results {
		c.alike(r, c.in.Operands[i])
	}
}

// wantMem demands that the result, a memory descriptor, is in layout m, which follows from the operand's.
func (c *layoutCheck) wantMem(m layout.Mem) {
	if r := c.in.Results[0]; !r.Type.IsScalar() && !r.Mem.Equal(m) {
		c.wrong = fmt.Sprintf("%s: result 0 is in layout %s; from that of operand 0 follows %s", c.in.Op, r.Mem, m)
	}
}

func sameMem(c *layoutCheck) {
	if x := c.in.Operands[0]; x.Mem != nil {
		c.wantMem(*x.Mem)
	}
}

func transMem(c *layoutCheck) {
	if x := c.in.Operands[0]; x.Mem != nil {
		c.wantMem(x.Mem.Trans(c.in.Perm()))
	}
}
