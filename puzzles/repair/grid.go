package repair

import (
	"slices"
	"strconv"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
)

func programAxis(c *syntax.Call) (*syntax.Constant, int) {
	if c == nil || callTo(c, "program_id") == nil {
		return nil, 0
	}
	axis, _ := argument(c, 0, "axis").(*syntax.Constant)
	if axis == nil || axis.Kind != syntax.IntConst {
		return nil, 0
	}
	n, _ := strconv.Atoi(axis.Text)
	return axis, n
}

func gridAxis(s site, c *syntax.Call) (out []change) {
	axis, old := programAxis(c)
	for n := range 3 {
		if axis != nil && n != old {
			out = append(out, one(axis, strconv.Itoa(n), old, n)...)
		}
	}
	return out
}

// gridName has a name for the place on one axis of the grid be that on another.
func gridName(s site, n *syntax.Name) (out []change) {
	if s.kinds[n.ID] != program || s.isTarget(n) {
		return nil
	}
	c, _ := s.definition(n.ID).(*syntax.Call)
	if axis, old := programAxis(c); axis != nil {
		for other := range 3 {
			if other != old {
				out = append(out, one(n, "tl.program_id("+strconv.Itoa(other)+")", old, other)...)
			}
		}
	}
	return out
}

// exchangedAxes are all pairs of program_id of two axes, exchanged.
func exchangedAxes(k *kernel) (out []change) {
	for a := range 3 {
		for b := a + 1; b < 3; b++ {
			var edits []diag.Edit
			var at source.Span
			for _, s := range k.exprs {
				c, _ := s.expr.(*syntax.Call)
				axis, old := (*syntax.Constant)(nil), 0
				if c != nil {
					axis, old = programAxis(c)
				}
				if axis == nil || old != a && old != b {
					continue
				}
				if at == (source.Span{}) {
					at = c.Span()
				}
				edits = append(edits, replaced(axis, strconv.Itoa(a+b-old)))
			}
			if len(edits) > 1 {
				out = append(out, change{at: at, args: []any{a, b}, edits: edits})
			}
		}
	}
	return out
}

// noProgram makes a block of offsets depend on the program.
func noProgram(s site, c *syntax.Call) (out []change) {
	if callTo(c, "arange") == nil || len(c.Args) != 2 || s.dependsOnProgram() {
		return nil
	}
	for axis := range 3 {
		new := "tl.program_id(" + strconv.Itoa(axis) + ") * " + s.grouped(c.Args[1]) + " + " + s.text(c)
		if _, assigned := s.parent().(*syntax.Assign); !assigned {
			new = "(" + new + ")"
		}
		out = append(out, one(c, new, s.text(c), axis)...)
	}
	return out
}

// dependsOnProgram reports whether the site's statement has tl.program_id, or a name made of it.
func (s site) dependsOnProgram() (depends bool) {
	for _, other := range s.exprs {
		depends = depends || other.stmt == s.stmt && s.kind(other.expr) == program
	}
	return depends
}

// blockNumber makes the number of a block the number of its first element.
func blockNumber(s site, n *syntax.Name) (out []change) {
	of := s.kinds[n.ID]
	if of != program && of != index {
		return nil
	}
	if sum, ok := s.parent().(*syntax.BinOp); !ok || sum.Op != "+" {
		return nil
	}
	for _, name := range s.sizes(n) {
		out = append(out, change{args: []any{n.ID, name}, edits: []diag.Edit{replaced(n, n.ID+" * "+name)}})
	}
	return out
}

// sizes are those that a block may have, those of the site's statement and loop first.
func (s site) sizes(n *syntax.Name) []string {
	list := s.alike(n, size)
	slices.SortStableFunc(list, func(a, b string) int {
		rank := map[bool]int{true: 0, false: 1}
		return rank[s.belongs(a)] - rank[s.belongs(b)]
	})
	return list
}

// maskIndex has a mask test the index of an element, and not its place in the block.
func maskIndex(s site, n *syntax.Name) (out []change) {
	c, ok := s.parent().(*syntax.Compare)
	if !ok || c.Left != syntax.Expr(n) || s.kinds[n.ID] != index {
		return nil
	}
	for _, b := range s.blocks {
		if b.loop != nil && s.within(b.loop) && s.text(b.loop.Target) != n.ID {
			out = append(out, one(n, s.text(b.loop.Target)+" + "+n.ID, n.ID)...)
		}
	}
	for _, p := range s.alike(n, program) {
		list := []string{p + " + " + n.ID}
		for _, size := range s.sizes(n) {
			list = append(list, p+" * "+size+" + "+n.ID)
		}
		for _, new := range list {
			out = append(out, one(n, new, n.ID)...)
		}
	}
	return out
}

// noIteration has offsets follow the loop that they are in.
func noIteration(k *kernel) (out []change) {
	for _, b := range k.blocks {
		if b.loop == nil {
			continue
		}
		variable, ok := b.loop.Target.(*syntax.Name)
		for _, s := range k.exprs {
			a, assigned := s.stmt.(*syntax.Assign)
			if !ok || !assigned || a.Value != s.expr || !s.within(b.loop) {
				continue
			}
			if k.kind(a.Value) != index || reads(a, variable.ID) {
				continue
			}
			for _, first := range append([]string{""}, s.sizes(variable)...) {
				if first != "" {
					first = " * " + first
				}
				c := change{args: []any{k.text(a.Value), variable.ID}, at: a.Value.Span()}
				c.edits = []diag.Edit{inserted(a.Value.Span().Start, variable.ID+first+" + ")}
				out = append(out, c)
			}
		}
	}
	return out
}
