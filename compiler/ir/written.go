package ir

import (
	"math/bits"

	"github.com/newtlab/newt/compiler/ops"
)

// params is a set of a kernel's parameters, one bit each.
type params [(MaxParams + 63) / 64]uint64

func (p *params) add(q params) (grew bool) {
	for i := range p {
		grew = grew || q[i]&^p[i] != 0
		p[i] |= q[i]
	}
	return grew
}

// Written says of each parameter whether the kernel may write to what it points to: all other memory is after a launch
// what it was before. Where a pointer comes out of a loop or a branch, it may be any of the pointers that went in.
func (fn *Func) Written() []bool { return stores(fn, fn.pointees()) }

// Pointees are the parameters that each access may reach the memory of, by the access; none for one that may reach
// any.
func (fn *Func) Pointees() map[*Instr][]int {
	out := map[*Instr][]int{}
	if fn.Addresses() {
		return out
	}
	from := fn.pointees()
	fn.Body.Walk(func(in *Instr) {
		if (in.Op.Has(ops.Reads) || in.Op.Has(ops.Writes)) && len(in.Operands) > 0 {
			out[in] = from[in.Operands[0]].list()
		}
	})
	return out
}

func (p params) list() (list []int) {
	for i, word := range p {
		for ; word != 0; word &= word - 1 {
			list = append(list, i*64+bits.TrailingZeros64(word))
		}
	}
	return list
}

// pointees are the parameters that each pointer may come from.
func (fn *Func) pointees() map[*Value]params {
	from := map[*Value]params{}
	for i, p := range fn.Params {
		if p.Value.Type.Pointer {
			var own params
			own[i/64] = 1 << (i % 64)
			from[p.Value] = own
		}
	}
	var asIntegers params // an integer may become a pointer into any argument of which there is an address
	// Pointers flow around loops, so the sets are propagated until none grows.
	for grew := true; grew; {
		grew = false
		fn.Body.Walk(func(in *Instr) {
			var all params
			for _, v := range sources(in) {
				all.add(from[v])
			}
			switch in.Op {
			case ops.PtrToInt:
				grew = asIntegers.add(all) || grew
			case ops.IntToPtr:
				all = asIntegers
			}
			for _, v := range targets(in) {
				if set := from[v]; v.Type.Pointer && set.add(all) {
					from[v], grew = set, true
				}
			}
		})
	}
	return from
}

// sources are the values that pointers can come from into what an instruction defines.
func sources(in *Instr) []*Value {
	list := in.Operands
	for _, r := range in.Regions {
		if end := r.Terminator(); end != nil {
			list = append(list[:len(list):len(list)], end.Operands...)
		}
	}
	return list
}

// targets are the values that an instruction defines, for itself and for its regions.
func targets(in *Instr) []*Value {
	list := in.Results
	for _, r := range in.Regions {
		list = append(list[:len(list):len(list)], r.Args...)
	}
	return list
}

func stores(fn *Func, from map[*Value]params) []bool {
	var all params
	fn.Body.Walk(func(in *Instr) {
		// Stores and atomics have the pointer as their first operand.
		if in.Op.Def().Traits&ops.Writes != 0 && len(in.Operands) > 0 {
			all.add(from[in.Operands[0]])
		}
	})
	out := make([]bool, len(fn.Params))
	for i := range out {
		out[i] = all[i/64]>>(i%64)&1 == 1
	}
	return out
}
