package lower

import (
	"slices"

	"github.com/newtlab/newt/compiler/facts"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/source"
)

// knownInts finds the integers that are known although they are run-time values to Triton, and differences of others
// that are known: tl.arange(i, i + 16) has 16 elements, whatever i is. Blocks have no end yet, so that package facts is
// shown one value after the other, each after those that it is made of.
type knownInts struct {
	args  map[*ir.Value]knownArg
	walks [2]*facts.Walk // without and with the numbers of args
	used  [][]knownArg   // by ID: what a value is made of; none has the ID 0
}

// knownArg is a run-time argument whose value the launch gave.
type knownArg struct {
	value int64
	name  string
	span  source.Span // of the parameter
}

func newKnownInts() *knownInts { return &knownInts{args: map[*ir.Value]knownArg{}} }

// begin makes the walks: most kernels ask for no such integer.
func (k *knownInts) begin() {
	k.used = make([][]knownArg, 1)
	for i := range k.walks {
		k.walks[i] = facts.Begin(&ir.Func{Body: &ir.Block{}})
		k.walks[i].SetAnyGrid()
		k.walks[i].Append() // that of ID 0
	}
}

// follow shows a value to the walks.
func (k *knownInts) follow(v *ir.Value) {
	if v.ID > 0 {
		return
	}
	in := v.Def
	made := in != nil && len(in.Regions) == 0 && len(in.Results) == 1 && v.Type.IsScalar() && v.Type.IsInt()
	arg, given := k.args[v]
	var used []knownArg
	if given {
		used = []knownArg{arg}
	}
	if made {
		for _, x := range in.Operands {
			if x != nil {
				k.follow(x)
				used = slices.Concat(used, k.used[x.ID])
			}
		}
	}
	v.ID = len(k.used)
	k.used = append(k.used, used)
	for i, w := range k.walks {
		switch w.Append(); {
		case given && i == 1:
			w.Set(v, facts.Constant(arg.value))
		case made:
			w.Evaluate(in)
		default:
			w.Forget(v)
		}
	}
}

// difference is x - y, or x where y is nil, if that is a number. used are the arguments that it rests on: a launch's
// values are compiled in only if there is no other way.
func (k *knownInts) difference(x, y *ir.Value) (n int64, used []knownArg, ok bool) {
	if k.used == nil {
		k.begin()
	}
	for i, w := range k.walks {
		k.follow(x)
		d, bits := w.Values[x.ID].Sum, x.Type.DType.Info().Bits
		if used = k.used[x.ID]; y != nil {
			k.follow(y)
			d, bits = d.Sub(w.Values[y.ID].Sum), max(bits, y.Type.DType.Info().Bits)
			used = slices.Concat(used, k.used[y.ID])
		}
		if n, ok = w.Congruent(d, bits).Value(); ok && i == 0 {
			return n, nil, true
		}
	}
	return n, used, ok
}
