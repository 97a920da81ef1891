package ptx_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/interp/placed"
	"github.com/newtlab/newt/interp/tile"
)

// arguments makes the arguments of a generated kernel, the same for the same seed.
func arguments(p *irgen.Program, seed uint64) []tile.Arg {
	r := rand.New(rand.NewPCG(seed, 1))
	args := make([]tile.Arg, len(p.Args))
	for i, a := range p.Args {
		if a.Len == 0 {
			args[i] = tile.Scalar{Scalar: num.FromInt(a.DType, int64(r.IntN(40)))}
			continue
		}
		raw := make([]byte, a.Len*a.DType.Info().Bytes)
		if !a.Output {
			for k := range a.Len {
				w := num.FromInt(a.DType, int64(r.IntN(200))-100)
				num.StoreAt(a.DType, raw, k, w.Vec(), 0)
			}
		}
		args[i] = tile.Buffer{DType: a.DType, Data: raw, Address: a.Address}
	}
	return args
}

// interpreted runs the kernel on the CPU and gives what its buffers hold then.
func interpreted(t *testing.T, fn *ir.Func, grid [3]int, args []tile.Arg) outcome {
	t.Helper()
	k, err := tile.Plan(fn)
	if err != nil {
		t.Fatal(err)
	}
	report, fault := k.Run(context.Background(), tile.Launch{Grid: grid, Args: args})
	if fault != nil {
		t.Fatalf("%s %v", fault.Code, fault.Args)
	}
	return left(report, args)
}

// threaded runs the kernel placed on threads, in a random order of the warps.
func threaded(t *testing.T, fn *ir.Func, grid [3]int, args []tile.Arg, opt ptx.Options, seed uint64) outcome {
	t.Helper()
	opt.Persistent = false // blocks would take the number of programs as an argument
	fn.Number()
	p := ptx.Plan(fn, opt)
	if errs := ir.VerifyPlaced(p.Func); len(errs) > 0 {
		return outcome{hazards: errs[0].Text}
	}
	report, fault := placed.Run(context.Background(), p.Func, tile.Launch{Grid: grid, Args: args}, seed)
	if fault != nil {
		t.Fatalf("%s %v", fault.Code, fault.Args)
	}
	out := left(report.Report, args)
	for _, h := range report.Hazards {
		out.hazards += h.Diagnostic().In(diag.English).Headline + "\n"
	}
	return out
}

// left is what an engine of the CPU leaves behind.
func left(report *tile.Report, args []tile.Arg) outcome {
	out := outcome{outside: map[int32]int64{}}
	for _, v := range report.Violations {
		out.outside[v.Span.Start] += v.Count
	}
	for _, a := range args {
		if b, ok := a.(tile.Buffer); ok {
			out.buffers = append(out.buffers, b.Data)
		}
	}
	return out
}

// outcome is what a launch leaves behind: what buffers hold, and how many elements were outside, by
// where the access begins in the source.
type outcome struct {
	buffers [][]byte
	outside map[int32]int64
	hazards string // between threads
}

// simulated compiles the kernel and runs it in the simulator.
func simulated(t *testing.T, fn *ir.Func, grid [3]int, args []tile.Arg, opt ptx.Options, pitch func(*ir.Instr) (int64, bool), seed uint64) (outcome, error) {
	t.Helper()
	m, err := ptx.Compile(fn, opt)
	if err != nil {
		return outcome{}, err
	}
	loaded, err := sim.Load(m.Text)
	if err != nil {
		return outcome{}, fmt.Errorf("%w\n%s", err, m.Text)
	}
	mem := sim.NewMemory(0)
	alloc := func(data []byte) uint64 {
		at, err := mem.Alloc(int64(max(1, len(data))))
		if err != nil {
			t.Fatal(err)
		}
		if err := mem.Write(at, data); err != nil {
			t.Fatal(err)
		}
		return at
	}
	bases := make([]uint64, len(args))
	for i, a := range args {
		if b, ok := a.(tile.Buffer); ok {
			bases[i] = alloc(b.Data) + uint64(b.Offset*b.DType.Info().Bytes)
		}
	}
	var table []byte
	for i, a := range args[len(fn.Params):] {
		b := a.(tile.Buffer)
		for _, n := range []uint64{uint64(b.Address), bases[len(fn.Params)+i], uint64(len(b.Data))} {
			table = binary.LittleEndian.AppendUint64(table, n)
		}
	}
	table = append(table, make([]byte, ptx.ReachableEntryBytes)...)
	report := alloc(make([]byte, 64*len(m.Sites)+1))
	prints := alloc(make([]byte, 16+opt.PrintBytes))
	var params []uint64
	maps := map[int]sim.TensorMap{}
	for i, x := range m.Params {
		switch x.Kind {
		case ptx.Tensor, ptx.Pitch:
			elements, _ := pitch(x.Tensor.Load)
			maps[i] = tensorMap(x.Tensor, bases[x.Arg], elements)
			if x.Kind == ptx.Pitch {
				delete(maps, i)
			}
			params = append(params, uint64(elements))
		case ptx.Base:
			params = append(params, bases[x.Arg])
		case ptx.First:
			params = append(params, uint64(-args[x.Arg].(tile.Buffer).Offset))
		case ptx.Count:
			b := args[x.Arg].(tile.Buffer)
			params = append(params, uint64(len(b.Data)/b.DType.Info().Bytes))
		case ptx.Address:
			b := args[x.Arg].(tile.Buffer)
			params = append(params, uint64(b.Address)+uint64(b.Offset*b.DType.Info().Bytes))
		case ptx.Programs:
			params = append(params, uint64(grid[0]))
		case ptx.Value:
			s := args[x.Arg].(tile.Scalar).Scalar
			bits := s.Bits
			if !s.DType.Info().Float {
				bits = uint64(s.Int())
			}
			params = append(params, bits)
		case ptx.Report:
			params = append(params, report)
		case ptx.Prints:
			params = append(params, prints)
		case ptx.BudgetParam:
			params = append(params, 1<<20)
		case ptx.Reachable:
			params = append(params, alloc(table))
		case ptx.ReachableCount:
			params = append(params, uint64(len(table)/ptx.ReachableEntryBytes-1))
		}
	}
	if m.Persistent {
		grid[0] = (grid[0] + 1) / 2
	}
	if _, err := loaded.Launch(context.Background(), sim.LaunchConfig{Grid: grid, Threads: m.Threads, Shared: m.Shared, Params: params, TensorMaps: maps, Memory: mem, Seed: seed, MaxInstructions: 1 << 22}); err != nil {
		return outcome{}, fmt.Errorf("%w\n%s", err, m.Text)
	}
	read := func(at uint64, n int) []byte {
		raw := make([]byte, n)
		if err := mem.Read(at, raw); err != nil {
			t.Fatal(err)
		}
		return raw
	}
	out := outcome{outside: map[int32]int64{}}
	for i, a := range args {
		if b, ok := a.(tile.Buffer); ok {
			out.buffers = append(out.buffers, read(bases[i]-uint64(b.Offset*b.DType.Info().Bytes), len(b.Data)))
		}
	}
	for i, s := range m.Sites {
		if record := read(report+uint64(64*i), 64); binary.LittleEndian.Uint32(record) != 0 {
			out.outside[s.Span.Start] += 1 + int64(binary.LittleEndian.Uint32(record[36:]))
		}
	}
	return out, nil
}

// one is the grid of one program.
var one = [3]int{1, 1, 1}

// TestRandom: random kernels without operations that engines may round differently leave the same
// bytes as in the interpreter.
func TestRandom(t *testing.T) {
	for seed := range seeds.Upto(60) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 5 + int(seed%40), Depth: int(seed % 3), Exact: true})
		opt := ptx.Options{Target: "sm_90a", NumWarps: 1 << (seed % 3), Exact: true}
		compare(t, fmt.Sprint(seed), p.Func, one, func() []tile.Arg { return arguments(p, seed) }, opt, seed)
	}
}

// TestRandomTiles: the same, with tiles large enough for vectors and several registers a thread.
func TestRandomTiles(t *testing.T) {
	shapes := [][]int{nil, {512}, {1024}, {16, 64}, {64, 8}, {8, 1}, {1, 64}, {4, 8, 16}}
	for seed := range seeds.Upto(20) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 5 + int(seed%20), Depth: int(seed % 3), Exact: true, Shapes: shapes})
		opt := ptx.Options{Target: "sm_80", NumWarps: 1 << (seed % 4), Exact: true}
		compare(t, fmt.Sprint(seed), p.Func, one, func() []tile.Arg { return arguments(p, seed) }, opt, seed)
	}
}

// TestRandomOutside: the same, with buffers that lack elements at both ends. What is outside is left
// out, and counted.
func TestRandomOutside(t *testing.T) {
	for seed := range seeds.Upto(60) {
		p := irgen.Generate(seed, irgen.Config{Instrs: 5 + int(seed%40), Depth: int(seed % 3), Exact: true})
		number(p.Func)
		short := func() []tile.Arg {
			args := arguments(p, seed)
			cut(args, seed, 1)
			return args
		}
		opt := ptx.Options{Target: "sm_90a", NumWarps: 1 << (seed % 3), Exact: true}
		compare(t, fmt.Sprint(seed), p.Func, one, short, opt, seed)
	}
}

// compare runs a kernel in the interpreter, in the simulator and by the threads of its plan.
func compare(t *testing.T, name string, fn *ir.Func, grid [3]int, args func() []tile.Arg, opt ptx.Options, seed uint64) {
	t.Run(name, func(t *testing.T) {
		want := interpreted(t, fn, grid, args())
		known := opt
		prove(fn, args(), grid, &known)
		opt.Signed = known.Signed // what the compiler takes for granted is decided before every launch
		got, err := simulated(t, fn, grid, args(), opt, nil, seed)
		if err != nil {
			t.Fatalf("%s\n%s", err, fn)
		}
		got.compare(t, "in the simulator", fn, want)
		threaded(t, fn, grid, args(), opt, seed).compare(t, "by threads", fn, want)
	})
}

// compare fails t where an engine left something else behind than the interpreter.
func (got outcome) compare(t *testing.T, engine string, fn *ir.Func, want outcome) {
	t.Helper()
	if got.hazards != "" {
		t.Errorf("%s: %s\n%s", engine, got.hazards, ir.Print(fn))
		return
	}
	k := 0
	for i, p := range fn.Params {
		if !p.Value.Type.Pointer {
			continue
		}
		if at := differs(p.Value.Type.DType, got.buffers[k], want.buffers[k]); at >= 0 {
			t.Errorf("%s: argument %d (%s) differs at %d:\n got %x\nwant %x\n%s", engine, i, p.Name, at, got.buffers[k], want.buffers[k], fn)
		}
		k++
	}
	if !maps.Equal(got.outside, want.outside) {
		t.Errorf("%s: outside: got %v, want %v\n%s", engine, got.outside, want.outside, ir.Print(fn))
	}
}

// differs is the first element in which two buffers differ, -1 where there is none. NaNs are alike.
func differs(d num.DType, x, y []byte) int {
	size := d.Info().Bytes
	for i := range len(x) / size {
		v, w := num.MakeVec(d.Info().Class, 1), num.MakeVec(d.Info().Class, 1)
		num.LoadAt(d, v, 0, x, i)
		num.LoadAt(d, w, 0, y, i)
		if num.ScalarAt(d, v, 0) != num.ScalarAt(d, w, 0) {
			return i
		}
	}
	return -1
}

// TestWideOffsets: where offsets of 64 bits wrap around the address space, no range of addresses stands for the addresses
// between its ends. Of those here, 0 and 2^64 bytes are in bounds, and 2^63, between them, is not.
func TestWideOffsets(t *testing.T) {
	fn := compiled(t, "wide", `
def wide(x_ptr, z_ptr):
    i = tl.arange(0, 256)
    x = tl.load(x_ptr + (i % 3).to(tl.int64) * (1 << 60))
    tl.store(z_ptr + i, x)
`, "*fp64, *fp64")
	number(fn)
	got, err := simulated(t, fn, one, plain(fn), ptx.Options{Target: "sm_90a", NumWarps: 1}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	if outside := slices.Collect(maps.Values(got.outside)); !slices.Equal(outside, []int64{85}) {
		t.Errorf("%d elements are outside, want 85", outside)
	}
}
