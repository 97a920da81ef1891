package tile

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/trace"
)

// watcher keeps the operations of one program as text.
type watcher struct {
	trace.Recorder
	program [3]int
	lines   []string
	check   func(*trace.Operation)
}

func (w *watcher) Watches(program [3]int) bool { return program == w.program }

func (w *watcher) Operation(o *trace.Operation) {
	if w.check != nil {
		w.check(o)
		return
	}
	line := o.Instr.Op.String()
	if o.Region != nil {
		line += " enters"
	}
	for _, v := range o.Lanes {
		line += fmt.Sprint(" ", v.I32, v.I64)
	}
	w.lines = append(w.lines, line)
}

func observed(t testing.TB, fn *ir.Func) *Kernel {
	t.Helper()
	k, err := PlanObserved(t.Context(), fn, Everything(fn))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestOperations: each program has all of its operations, those that take no step of their own and those that the
// engine otherwise does once a launch included, and each iteration of a loop is entered.
func TestOperations(t *testing.T) {
	k := observed(t, mustParse(t, `func @f(%p: *i32, %n: i32) {
  %pid = program_id {axis=0} : i32
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %s = for %zero, %n, %one, %pid : i32 do (%i: i32, %a: i32) {
    %b = add %a, %i : i32
    yield %b
  }
  %ps = splat %p {shape=[2]} : *i32[2]
  %r = arange {start=0, end=2} : i32[2]
  %q = addptr %ps, %r : *i32[2]
  %v = splat %s {shape=[2]} : i32[2]
  store %q, %v
  return
}`))
	w := &watcher{program: [3]int{5, 0, 0}}
	_, fault := k.Run(context.Background(), Launch{
		Grid: [3]int{8, 1, 1}, Args: []Arg{i32(0, 0), int32Arg(2)}, Observer: trace.Tee{w},
	})
	if fault != nil {
		t.Fatal(fault)
	}
	want := `program_id [5] []
const [0] []
const [1] []
for enters [0] [] [5] []
add [5] []
for enters [1] [] [5] []
add [6] []
for [6] []
splat [] [0 0]
arange [0 1] []
addptr [] [0 1]
splat [6 6] []
store`
	if got := strings.Join(w.lines, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestObservedOperationsAgree: an observed plan computes what the plain one does, and every value that an operation
// gives is what the operation makes of the values reported before. Of half of the plans all operations are watched, of
// the others some.
func TestObservedOperationsAgree(t *testing.T) {
	for seed := range soak.Times(400) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: int(seed % 4)})
		want := planned(t, p, seed)
		args, values := arguments(p, seed), map[*ir.Value]num.Vec{}
		w := &watcher{check: func(o *trace.Operation) { checkOperation(t, seed, values, o) }}
		for i, v := range p.Func.Params {
			if s, ok := args[i].(Scalar); ok {
				values[v.Value] = s.Vec()
			}
		}
		k, err := PlanObserved(t.Context(), p.Func, someOf(seed))
		if err != nil {
			t.Fatal(err)
		}
		_, fault := k.Run(context.Background(), Launch{Grid: [3]int{1, 1, 1}, Args: args, Observer: w})
		if fault != nil {
			t.Fatalf("seed %d: %s: %v\n%s", seed, fault.Code, fault.Args, p.Func)
		}
		var got []byte
		for _, a := range args {
			if b, ok := a.(Buffer); ok {
				got = append(got, b.Data...)
			}
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d: observing changes the result of\n%s", seed, p.Func)
		}
	}
}

// someOf chooses operations to watch: all where seed is even.
func someOf(seed uint64) func(*ir.Instr) bool {
	random := rand.New(rand.NewPCG(seed, 1))
	chosen := map[*ir.Instr]bool{}
	return func(in *ir.Instr) bool {
		watch, asked := chosen[in]
		if !asked {
			watch = seed%2 == 0 || random.IntN(2) == 0
			chosen[in] = watch
		}
		return watch
	}
}

// checkOperation keeps a copy of the values of o, and computes those of an elementwise operation again.
func checkOperation(t *testing.T, seed uint64, values map[*ir.Value]num.Vec, o *trace.Operation) {
	list := o.Instr.Results
	if o.Region != nil {
		list = o.Region.Args
	}
	if len(o.Lanes) != len(list) {
		t.Fatalf("seed %d: %d vectors for %d values of %s", seed, len(o.Lanes), len(list), o.Instr.Op)
	}
	for i, v := range list {
		if o.Lanes[i].Len() != v.Type.Numel() {
			t.Fatalf("seed %d: %d lanes of %s, a %v", seed, o.Lanes[i].Len(), o.Instr.Op, v.Type)
		}
		kept := num.MakeVec(v.Type.Class(), v.Type.Numel())
		copyVec(kept, o.Lanes[i])
		values[v] = kept
	}
	if o.Region == nil && o.Instr.Op.Class() == ops.Binary && !o.Instr.Operands[0].Type.Pointer {
		x, y, got := values[o.Instr.Operands[0]], values[o.Instr.Operands[1]], values[list[0]]
		if x.Len() == 0 || y.Len() == 0 {
			return // of an operation that is not watched
		}
		again := num.MakeVec(list[0].Type.Class(), got.Len())
		binaryKernel(o.Instr)(again, x, y)
		if fmt.Sprint(again) != fmt.Sprint(got) {
			t.Fatalf("seed %d: %s of %v and %v is reported as %v", seed, o.Instr.Op, x, y, got)
		}
	}
}

// TestUnobservedPlanIsSilent: a plan that is not made for observation tells of accesses alone.
func TestUnobservedPlanIsSilent(t *testing.T) {
	w := &watcher{Recorder: trace.Recorder{MaxLanes: 100}}
	k := plan(t, strings.ReplaceAll(vectorAdd, "BLOCK", "4"))
	_, fault := k.Run(context.Background(), Launch{
		Grid: [3]int{1, 1, 1}, Args: []Arg{f32(1, 2, 3), f32(1, 2, 3), f32(0, 0, 0), int32Arg(3)}, Observer: w,
	})
	if fault != nil || len(w.lines) != 0 || len(w.Accesses) != 3 {
		t.Errorf("%v, %d operations, %d accesses", fault, len(w.lines), len(w.Accesses))
	}
}
