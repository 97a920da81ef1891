package ptx_test

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// shrink makes a kernel smaller while it still fails: instructions go, from the last on, and
// constants take the place of their results. What addresses of writes come from stays, and what
// decides how often loops run: without it a kernel means something else on each engine.
func shrink(fn *ir.Func, fails func(*ir.Func) bool) *ir.Func {
	for again := true; again; {
		again = false
		for i := count(fn) - 1; i >= 0; i-- {
			smaller, err := ir.Decode(ir.Encode(fn))
			if err != nil || !without(smaller, i) || len(ir.Verify(smaller)) > 0 {
				continue
			}
			if fails(smaller) {
				fn, again = smaller, true
				i = min(i, count(fn))
			}
		}
	}
	return fn
}

func count(fn *ir.Func) (n int) {
	fn.Body.Walk(func(*ir.Instr) { n++ })
	return n
}

// without takes the i-th instruction out; it reports whether it may go.
func without(fn *ir.Func, i int) bool {
	var in *ir.Instr
	at := 0
	fn.Body.Walk(func(x *ir.Instr) {
		if at == i {
			in = x
		}
		at++
	})
	if in == nil || in.Op.Has(ops.Terminator) || in.Op == ops.Barrier || needed(fn)[in] {
		return false
	}
	var constants []*ir.Instr
	for _, r := range in.Results {
		c := constant(fn, r, in.Span)
		if c == nil && used(fn, r) {
			return false
		}
		if c != nil && in.Op == ops.Const && used(fn, r) {
			return false
		}
		if c != nil && used(fn, r) {
			constants = append(constants, c)
			replace(fn, r, c.Results[0])
		}
	}
	return swap(fn.Body, in, constants)
}

// swap puts other instructions in the place of in.
func swap(b *ir.Block, in *ir.Instr, others []*ir.Instr) bool {
	if i := slices.Index(b.Instrs, in); i >= 0 {
		b.Instrs = slices.Replace(b.Instrs, i, i+1, others...)
		return true
	}
	for _, x := range b.Instrs {
		for _, r := range x.Regions {
			if swap(r, in, others) {
				return true
			}
		}
	}
	return false
}

// constant makes ones of v's type; nil for pointers.
func constant(fn *ir.Func, v *ir.Value, span source.Span) *ir.Instr {
	if v.Type.Pointer {
		return nil
	}
	attrs := []ir.Attr{{Name: "value", Value: num.FromInt(v.Type.DType, 1)}}
	if len(v.Type.Shape) > 0 {
		attrs = append(attrs, ir.Attr{Name: "shape", Value: ir.Ints(v.Type.Shape)})
	}
	in, m := ir.NewInstr(span, ops.Const, nil, nil, attrs...)
	if m != nil {
		return nil
	}
	return in
}

func used(fn *ir.Func, v *ir.Value) (found bool) {
	fn.Body.Walk(func(in *ir.Instr) { found = found || slices.Contains(in.Operands, v) })
	return found
}

func replace(fn *ir.Func, v, by *ir.Value) {
	fn.Body.Walk(func(in *ir.Instr) {
		for i, o := range in.Operands {
			if o == v {
				in.Operands[i] = by
			}
		}
	})
}

// needed are the instructions that must stay.
func needed(fn *ir.Func) map[*ir.Instr]bool {
	keep := map[*ir.Instr]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if v == nil || v.Def == nil || keep[v.Def] {
			return
		}
		keep[v.Def] = true
		for _, o := range v.Def.Operands {
			visit(o)
		}
	}
	fn.Body.Walk(func(in *ir.Instr) {
		switch in.Op {
		case ops.Store, ops.AtomicRMW, ops.AtomicCAS, ops.Condition:
			visit(in.Operands[0])
		case ops.Reduce, ops.Scan:
			in.Regions[0].Walk(func(x *ir.Instr) { keep[x] = true })
		case ops.While:
			in.Regions[1].Walk(func(x *ir.Instr) {
				if x.Op == ops.Yield && len(x.Operands) > 0 {
					visit(x.Operands[0])
				}
			})
		}
	})
	return keep
}
