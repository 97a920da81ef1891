package plan

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/interp/placed"
	"github.com/newtlab/newt/interp/tile"
)

// TestPlaced: placed functions are well formed and can be read from their text, and random kernels mean the same when
// they are placed, in the interpreter, which knows nothing of layouts.
func TestPlaced(t *testing.T) {
	conversions, copies := 0, 0
	for seed := range seeds.Upto(100) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 10 + int(seed%60), Depth: int(seed % 4)})
		p.Func.Number()
		target := Target{Arch: arch.Find("sm_90a"), Warps: 1 << (seed % 4), Stages: 1 + int(seed%4), Shared: 227 << 10}
		made := Make(p.Func, target, axis.Analyze(p.Func))
		if errs := ir.VerifyPlaced(made.Func); len(errs) > 0 {
			t.Fatalf("seed %d: %v\n%s", seed, errs[0], made.Func)
		}
		text := ir.Print(made.Func)
		read, err := ir.Parse(text)
		if err != nil || ir.Print(read) != text {
			t.Fatalf("seed %d: read back as another function: %v\n%s", seed, err, text)
		}
		// The interpreter of tiles has no stage buffers.
		if len(made.Pipelines) == 0 && !bytes.Equal(outcome(t, read, p, seed), outcome(t, p.Func, p, seed)) {
			t.Fatalf("seed %d: another result when placed\n%s\nfrom\n%s", seed, text, p.Func)
		}
		threads(t, made.Func, p, seed)
		seen := map[int]bool{}
		EachValue(made.Func, func(v *ir.Value) {
			switch id := made.SourceID(v); {
			case v.Def != nil && v.Def.Op == ops.ConvertLayout:
				conversions++
			case seen[id]:
				copies++
			default:
				seen[id] = true
			}
		})
	}
	if conversions == 0 || copies == 0 {
		t.Errorf("%d conversions, %d values more than once", conversions, copies)
	}
}

// threads runs a placed function as threads do, in a random order of warps: without hazards, and with the outcome that
// the kernel that it is placed from has on tiles.
func threads(t *testing.T, fn *ir.Func, p *irgen.Program, seed uint64) {
	t.Helper()
	want := outcome(t, p.Func, p, seed)
	hazards, got := threaded(t, fn, p, seed)
	if hazards != "" || !bytes.Equal(got, want) {
		t.Fatalf("seed %d: as on tiles: %t; %s\n%s", seed, bytes.Equal(got, want), hazards, fn)
	}
}

// threaded is the hazards of a placed function, and what it leaves in memory.
func threaded(t *testing.T, fn *ir.Func, p *irgen.Program, seed uint64) (hazards string, all []byte) {
	t.Helper()
	args, buffers := arguments(p, seed)
	report, fault := placed.Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: args}, seed)
	if fault != nil {
		t.Fatalf("seed %d: %v\n%s", seed, fault, fn)
	}
	for _, h := range report.Hazards {
		hazards += h.Diagnostic().In(diag.English).Headline + "\n"
	}
	return hazards, bytes.Join(buffers, nil)
}

// TestHazards: random kernels that have lost one of the barriers that were placed are reported wherever another result
// shows, and where two operations in a row use the same shared memory, with no other barrier between them.
func TestHazards(t *testing.T) {
	reported, lost, shared := 0, 0, 0
	for seed := range seeds.Upto(12) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 60, Depth: int(seed % 4)})
		p.Func.Number()
		target := Target{Arch: arch.Find("sm_90a"), Warps: 4, Stages: 1 + int(seed%4), Shared: 227 << 10}
		made := Make(p.Func, target, axis.Analyze(p.Func))
		want := outcome(t, p.Func, p, seed)
		for barrier, h := range made.Hazards {
			body := made.Func.Body.Instrs
			first, second := slices.Index(body, h.First), slices.Index(body, h.Second)
			certain := 0 <= first && first < second && !(touchesGlobal(h.First) && touchesGlobal(h.Second)) &&
				!slices.ContainsFunc(body[first+1:second], func(in *ir.Instr) bool {
					return len(in.Regions) > 0 || in.Op == ops.Barrier && in != barrier
				})
			without(made.Func.Body, barrier, func() {
				hazards, got := threaded(t, made.Func, p, seed)
				if hazards == "" && !bytes.Equal(got, want) {
					t.Fatalf("seed %d: another result, and nothing reported\n%s", seed, made.Func)
				}
				if certain {
					shared++
				}
				if certain && hazards == "" {
					t.Errorf("seed %d: %v and %v, nothing reported\n%s", seed, h.First.Op, h.Second.Op, made.Func)
				}
				if lost++; hazards != "" {
					reported++
				}
			})
		}
	}
	if reported == 0 {
		t.Error("no hazard was reported")
	}
	t.Logf("%d barriers lost, %d reported, %d of them certain", lost, reported, shared)
}

func touchesGlobal(in *ir.Instr) bool { return in.Op.Has(ops.Reads) || in.Op.Has(ops.Writes) }

// without calls f while a block, or one in it, lacks an instruction.
func without(b *ir.Block, in *ir.Instr, f func()) {
	list := b.Instrs
	if i := slices.Index(list, in); i >= 0 {
		b.Instrs = slices.Delete(slices.Clone(list), i, i+1)
		f()
		b.Instrs = list
		return
	}
	for _, x := range list {
		for _, r := range x.Regions {
			without(r, in, f)
		}
	}
}

// outcome is all that a kernel leaves in memory.
func outcome(t *testing.T, fn *ir.Func, p *irgen.Program, seed uint64) (all []byte) {
	t.Helper()
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, fn)
	}
	args, buffers := arguments(p, seed)
	k.Run(t.Context(), tile.Launch{Grid: [3]int{1, 1, 1}, Args: args, Budget: 1 << 22})
	return bytes.Join(buffers, nil)
}

// arguments makes a kernel's arguments, the same for the same seed, and the memory of those that are pointers.
func arguments(p *irgen.Program, seed uint64) (args []tile.Arg, buffers [][]byte) {
	r := rand.New(rand.NewPCG(seed, 4))
	for _, a := range p.Args {
		if a.Len == 0 {
			args = append(args, tile.Scalar{Scalar: num.FromInt(a.DType, int64(r.IntN(40)))})
			continue
		}
		data := make([]byte, a.Len*a.DType.Info().Bytes)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		args, buffers = append(args, tile.Buffer{DType: a.DType, Data: data, Address: a.Address}), append(buffers, data)
	}
	return args, buffers
}
