package inspect

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
)

// TestRandomKernels: any kernel is shown without a panic, however its operations and the expressions of a file that
// they are said to come from go together; and there is a step for each group of them.
func TestRandomKernels(t *testing.T) {
	const line = "x = f(y) + z[i]\n"
	file := source.NewFile("k.py", strings.Repeat(line, 100)+"for i in r:\n  g(i)\n")
	all := newExpressions(file)
	// In one order, so that a seed that fails once fails again.
	spans := slices.SortedFunc(maps.Keys(all.at), func(a, b source.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	for seed := range soak.Times(100) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: int(seed % 4),
			Shapes: irgen.DefaultShapes}) // steps of wide tiles are too large for all of them to be there
		n := int(seed)
		p.Func.Body.Walk(func(in *ir.Instr) { in.Span, n = spans[n%len(spans)], n+1+int(seed%3) })
		k, err := tile.PlanObserved(t.Context(), p.Func, tile.Everything(p.Func))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		r := &Result{Grid: [3]int{1, 1, 1}}
		l := tile.Launch{Grid: r.Grid, Args: make([]tile.Arg, len(p.Args))}
		var byParam []int
		for i, a := range p.Args {
			l.Args[i] = tile.Scalar{Scalar: num.FromInt(a.DType, 3)}
			byParam = append(byParam, -1)
			if a.Len == 0 {
				continue
			}
			b := tile.Buffer{DType: a.DType, Data: make([]byte, a.Len*a.DType.Info().Bytes), Address: a.Address}
			v := view{shape: launch.Shape{Sizes: []int{a.Len}}, limit: int64(a.Len)}
			l.Args[i], byParam[i] = b, len(r.Tensors)
			r.Tensors = append(r.Tensors, Tensor{Name: a.Name, DType: a.DType, Shape: v.shape.Sizes, view: v})
		}
		watch := &stepper{summary: newSummary(r, byParam), source: all}
		l.Observer = watch
		_, fault := k.Run(context.Background(), l)
		if fault != nil {
			t.Fatalf("seed %d: %s %v\n%s", seed, fault.Code, fault.Args, p.Func)
		}
		watch.finish(nil)
		if r.Problem != nil || r.Total == 0 || r.Total != len(r.Steps) && r.Total < maxSteps {
			t.Errorf("seed %d: problem %v, %d steps of %d", seed, r.Problem, len(r.Steps), r.Total)
		}
	}
}
