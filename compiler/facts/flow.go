package facts

import (
	"slices"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

// Flows calls f with the values that come into the regions of an operation, or out of it, and with those that they are:
// one of several, where f is called with the same values again.
func Flows(in *ir.Instr, f func(to, from []*ir.Value)) {
	switch in.Op {
	case ops.If:
		for _, r := range in.Regions {
			f(in.Results, r.Terminator().Operands)
		}
	case ops.For:
		body := in.Regions[0]
		for _, from := range [][]*ir.Value{in.Operands[3:], body.Terminator().Operands} {
			f(body.Args[1:], from)
			f(in.Results, from)
		}
	case ops.While:
		before, after := in.Regions[0], in.Regions[1]
		passed := before.Terminator().Operands[1:]
		f(before.Args, in.Operands)
		f(before.Args, after.Terminator().Operands)
		f(after.Args, passed)
		f(in.Results, passed)
	}
}

// originsOf are what the pointers of a numbered function derive from, by ID: a parameter, by its number; an address
// that an integer is, by the number of parameters plus its ID; or Anywhere.
func originsOf(fn *ir.Func) []int {
	const none = -2 // so far
	origins := slices.Repeat([]int{none}, fn.Values())
	changed := true
	note := func(v *ir.Value, origin int) {
		was := origins[v.ID]
		if !v.Type.Pointer || origin == none || origin == was || was == Anywhere {
			return
		}
		if was != none {
			origin = Anywhere
		}
		origins[v.ID], changed = origin, true
	}
	for i, p := range fn.Params {
		note(p.Value, i)
	}
	for changed {
		changed = false
		fn.Body.Walk(func(in *ir.Instr) {
			Flows(in, func(to, from []*ir.Value) {
				for i, v := range to {
					note(v, origins[from[i].ID])
				}
			})
			for _, v := range in.Results {
				switch {
				case in.Op.Has(ops.Structured):
				case in.Op != ops.IntToPtr:
					for _, x := range in.Operands {
						if x != nil && x.Type.Pointer {
							note(v, origins[x.ID])
						}
					}
				case v.Type.IsScalar():
					note(v, len(fn.Params)+v.ID)
				default:
					note(v, Anywhere)
				}
			}
		})
	}
	for i, origin := range origins {
		if origin == none {
			origins[i] = Anywhere
		}
	}
	return origins
}
