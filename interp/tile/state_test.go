package tile

import (
	"bytes"
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/infra/soak"
	"github.com/newtlab/newt/interp/trace"
)

// keeper observes a launch, keeps some of its states with what memory holds at each, and brings memory back to the one
// that a launch goes on from.
type keeper struct {
	buffers []trace.Buffer
	from    *kept
	states  []kept
	seen    int
	last    int64 // the work at the last state
	unsound bool  // the work did not grow from one state to the next
}

type kept struct {
	*trace.State
	memory [][]byte
}

func (k *keeper) Launch(_ [3]int, args []trace.Buffer) {
	k.buffers = args
	if k.from != nil {
		for i, b := range args {
			copy(b.Data, k.from.memory[i])
		}
	}
}

func (k *keeper) Access(*trace.Access)       {}
func (k *keeper) Watches([3]int) bool        { return true }
func (k *keeper) Operation(*trace.Operation) {}

func (k *keeper) Begins(_ *ir.Instr, program trace.Resumable) {
	k.unsound = k.unsound || program.Work() <= k.last
	k.last = program.Work()
	// The first ones, and later ones ever farther apart.
	if k.seen++; k.seen&(k.seen-1) != 0 && k.seen%7 != 3 || len(k.states) == 12 {
		return
	}
	at := kept{State: program.State()}
	for _, b := range k.buffers {
		at.memory = append(at.memory, bytes.Clone(b.Data))
	}
	k.states = append(k.states, at)
}

// TestStates: a launch that goes on from a state ends as the whole launch does, with the same work done.
func TestStates(t *testing.T) {
	loops := 0
	kernels := soak.Times(150)
	for seed := range kernels {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: 1 + int(seed%4)})
		k, err := PlanObserved(t.Context(), p.Func, Everything(p.Func))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p.Func)
		}
		launch := func(o *keeper) (memory []byte, work int64) {
			l := Launch{Grid: [3]int{2, 1, 1}, Args: arguments(p, seed), Observer: o}
			if o.from != nil {
				l.From = o.from.State
			}
			report, fault := k.Run(context.Background(), l)
			if fault != nil {
				t.Fatalf("seed %d: %s: %v\n%s", seed, fault.Code, fault.Args, p.Func)
			}
			for _, b := range o.buffers {
				memory = append(memory, b.Data...)
			}
			return memory, report.Work
		}
		whole := &keeper{}
		want, work := launch(whole)
		if whole.unsound {
			t.Fatalf("seed %d: two states after as much work\n%s", seed, p.Func)
		}
		for i := range whole.states {
			from := &whole.states[i]
			got, again := launch(&keeper{from: from})
			if !bytes.Equal(got, want) || again != work {
				t.Fatalf("seed %d: from program %d, %v, work %d of %d\n%s", seed, from.Program, from.Path, again, work, p.Func)
			}
			if len(from.Path) > 0 {
				loops++
			}
		}
	}
	if loops < int(kernels)/3 {
		t.Errorf("%d states of loops", loops)
	}
}
