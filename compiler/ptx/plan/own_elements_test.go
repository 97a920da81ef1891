package plan

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/interp/tile"
	"github.com/newtlab/newt/interp/trace"
)

// owners watches which element of its tile an access reaches an address with.
type owners struct {
	distinct, steady map[*ir.Instr]bool
	ever             map[*ir.Instr]map[int64]int // the element that had an address last
	wrong            string
}

func (o *owners) Launch([3]int, []trace.Buffer) {}

func (o *owners) Access(a *trace.Access) {
	if !o.distinct[a.Instr] {
		return
	}
	if o.ever[a.Instr] == nil {
		o.ever[a.Instr] = map[int64]int{}
	}
	once, ever := map[int64]int{}, o.ever[a.Instr]
	for i, p := range a.Ptr {
		if !a.Active(i) {
			continue
		}
		if j, ok := once[p]; ok && j != i {
			o.wrong = fmt.Sprintf("elements %d and %d of access %v are one", j, i, a.Span)
		}
		if j, ok := ever[p]; ok && j != i && o.steady[a.Instr] {
			o.wrong = fmt.Sprintf("element %d of access %v was element %d in an earlier iteration", i, a.Span, j)
		}
		once[p], ever[p] = i, i
	}
}

// TestOwnElements: in random kernels, elements of tiles that are taken to be distinct have addresses of their own, and
// in all iterations of a loop where they are taken to be steady.
func TestOwnElements(t *testing.T) {
	distinct, steady := 0, 0
	for seed := range seeds.Upto(300) {
		p := irgen.Generate(seed, irgen.Config{
			Instrs: 10, Depth: 1, Ops: []ops.Op{ops.For, ops.For, ops.For, ops.Arange, ops.Store, ops.Load, ops.Cast},
			DTypes: []num.DType{num.Int1, num.Int8, num.Int32, num.Int64},
			Shapes: [][]int{nil, {128}, {512}, {1024}, {16, 64}},
		})
		o := run(t, p, seed)
		if o.wrong != "" {
			t.Fatalf("seed %d: %s\n%s", seed, o.wrong, p.Func)
		}
		distinct, steady = distinct+len(o.distinct), steady+len(o.steady)
	}
	if distinct == 0 || steady == 0 {
		t.Errorf("%d accesses are distinct, %d steady", distinct, steady)
	}
	t.Logf("%d accesses are distinct, %d steady", distinct, steady)
}

// run launches a kernel of which the plan believes what the result has.
func run(t *testing.T, kernel *irgen.Program, seed uint64) *owners {
	fn := kernel.Func
	fn.Number()
	facts := axis.AnalyzeSigned(fn)
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(seed, 4))
	known := bounds.Args{Grid: [3]int{1, 1, 1}}
	var given []tile.Arg
	for i, a := range kernel.Args {
		if a.Len == 0 {
			v := num.FromInt(a.DType, int64(r.IntN(40)))
			known.Args, given = append(known.Args, bounds.Arg{Value: v}), append(given, tile.Scalar{Scalar: v})
			continue
		}
		data := make([]byte, a.Len*a.DType.Info().Bytes)
		given = append(given, tile.Buffer{DType: a.DType, Data: data, Address: a.Address})
		if i < len(fn.Params) {
			known.Args = append(known.Args, bounds.Arg{Count: int64(a.Len)})
		}
	}
	p := &Plan{Func: fn, Facts: facts, Target: Target{Launch: Launch{Proved: bounds.New(fn, facts).Prove(known).InRange}}}
	o := &owners{map[*ir.Instr]bool{}, map[*ir.Instr]bool{}, map[*ir.Instr]map[int64]int{}, ""}
	fn.Body.Walk(func(in *ir.Instr) {
		if axis.Accesses(in) && !in.Operands[0].Type.IsScalar() && p.distinct(in.Operands[0]) {
			o.distinct[in] = true
		}
	})
	for _, loop := range fn.Body.Instrs {
		if loop.Op != ops.For {
			continue
		}
		a := newAdvance(p, loop)
		loop.Regions[0].Walk(func(in *ir.Instr) {
			if o.distinct[in] && a.steady(in.Operands[0]) {
				o.steady[in] = true
			}
		})
	}
	k.Run(context.Background(), tile.Launch{Grid: known.Grid, Args: given, Observer: o, Budget: 1 << 20})
	return o
}
