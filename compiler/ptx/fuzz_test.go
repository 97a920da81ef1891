package ptx_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/internal/seeds"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ir/irgen"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
)

// trial is one comparison of the engines, all of which its seed decides.
type trial struct {
	seed    uint64
	program *irgen.Program
	grid    [3]int
	opt     ptx.Options
	proved  bool
	outside bool // arguments lack elements
}

func (c *trial) String() string {
	o := &c.opt
	return fmt.Sprintf("seed %d: %s, grid %v, %d warps, %d stages, proved %t, outside %t, exact %t, mma.sync %t",
		c.seed, o.Target, c.grid, o.NumWarps, o.NumStages, c.proved, c.outside, o.Exact, o.MmaSync)
}

// kinds are the dtypes of which a trial has some, beside those of conditions, indices and differences. In
// fp8e4b15, which has no NaN, one would show its sign.
var kinds = []num.DType{
	num.Int8, num.Int16, num.Uint8, num.Uint16, num.Uint32, num.Uint64,
	num.Float16, num.BFloat16, num.Float32, num.Float64, num.Float16, num.Float32,
	num.Float8E4M3, num.Float8E5M2, num.Float8E4M3B8, num.Float8E5B16,
}

// products and factors are operations and dtypes of trials that multiply above all.
var (
	products = []ops.Op{ops.For, ops.For, ops.For, ops.Dot, ops.Cast, ops.Add, ops.Trans, ops.Reduce, ops.Load}
	factors  = []num.DType{num.Float16, num.BFloat16, num.Float32, num.Float8E4M3, num.Float8E5M2, num.Int8, num.Uint8}
)

// shapes are those of which a trial has some.
var shapes = [][]int{
	{1}, {2}, {4}, {16}, {32}, {64}, {128}, {256}, {512}, {1024}, {4096}, {1, 1}, {1, 16}, {4, 1}, {2, 8}, {4, 4},
	{16, 16}, {32, 32}, {8, 64}, {64, 8}, {64, 64}, {128, 16}, {2, 2, 4}, {4, 8, 16}, {16, 1, 8}, {2, 2, 2, 2}, {8, 2, 4, 2},
}

func some[T any](r *rand.Rand, list []T, n int) (out []T) {
	for range n {
		out = append(out, list[r.IntN(len(list))])
	}
	return out
}

func newTrial(seed uint64) *trial {
	r := rand.New(rand.NewPCG(seed, 2))
	c := &trial{seed: seed, grid: one, proved: r.IntN(2) == 0, outside: r.IntN(3) == 0}
	if r.IntN(3) == 0 {
		c.grid = [3]int{1 + r.IntN(3), 1 + r.IntN(2), 1 + r.IntN(2)}
	}
	cfg := irgen.Config{
		Instrs: 5 + r.IntN(50), Depth: 1 + r.IntN(3), Exact: true, FalseHints: true, Grid: c.grid,
		InputLen: []int{64, 512, 8192, 8192}[r.IntN(4)], Divisible: []int{1, 16}[r.IntN(2)],
		Shapes: append([][]int{nil}, some(r, shapes, 1+r.IntN(6))...),
	}
	dtypes := some(r, kinds, 1+r.IntN(6))
	c.opt = ptx.Options{
		Target: []string{anyTarget(seed), "sm_90a"}[r.IntN(2)], NumWarps: 1 << r.IntN(4), NumStages: 1 + r.IntN(4),
		PrintBytes: 256, Exact: r.IntN(2) == 0, MmaSync: r.IntN(2) == 0,
	}
	if r.IntN(4) == 0 {
		cfg.Instrs, cfg.InputLen, cfg.Ops = 1+r.IntN(12), 16384, products
		dtypes = append(some(r, factors, 1+r.IntN(2)), num.Float32)
		c.opt.NumWarps, c.opt.Exact, c.opt.MmaSync = 4<<r.IntN(2), r.IntN(4) == 0, false
		if cfg.Warpgroups = r.IntN(2) == 0; cfg.Warpgroups {
			cfg.InputLen, c.opt.Target, c.opt.Exact = 32768, "sm_90a", false
		}
	}
	cfg.DTypes = append([]num.DType{num.Int1, num.Int32, num.Int64}, dtypes...)
	slices.Sort(cfg.DTypes)
	cfg.DTypes = slices.Compact(cfg.DTypes)
	c.program = irgen.Generate(seed, cfg)
	number(c.program.Func)
	return c
}

// arguments makes the trial's arguments anew.
func (c *trial) arguments() []tile.Arg {
	args := arguments(c.program, c.seed)
	if c.outside {
		cut(args, c.seed, c.program.Func.Params[0].Divisible)
	}
	return args
}

// mismatch runs the engines; it is empty where they agree.
func (c *trial) mismatch(t *testing.T, fn *ir.Func) string {
	opt := c.opt
	pitch := prove(fn, c.arguments(), c.grid, &opt)
	if !c.proved { // but what the compiler takes for granted is decided before every launch
		signed := opt.Signed
		opt, pitch = c.opt, nil
		opt.Signed = signed
	}
	want := interpreted(t, fn, c.grid, c.arguments())
	if text := c.compare(threaded(t, fn, c.grid, c.arguments(), opt, c.seed), want); text != "" {
		return "by threads: " + text
	}
	got, err := simulated(t, fn, c.grid, c.arguments(), opt, pitch, c.seed)
	var refused *ptx.Error
	if errors.As(err, &refused) {
		if refused.Code == "shared-memory" {
			return "" // too large
		}
		return fmt.Sprint(refused.Code, refused.Args)
	}
	if err != nil {
		return err.Error()
	}
	return c.compare(got, want)
}

// compare says how two outcomes differ; it is empty where they agree.
func (c *trial) compare(got, want outcome) string {
	if got.hazards != "" {
		return got.hazards
	}
	k := 0
	for _, a := range c.program.Args {
		if a.Len == 0 {
			continue
		}
		if at := differs(a.DType, got.buffers[k], want.buffers[k]); at >= 0 {
			size := a.DType.Info().Bytes
			return fmt.Sprintf("%s differs at %d: got %x, want %x", a.Name, at, got.buffers[k][at*size:][:size], want.buffers[k][at*size:][:size])
		}
		k++
	}
	if !maps.Equal(got.outside, want.outside) {
		return fmt.Sprintf("outside: got %v, want %v", got.outside, want.outside)
	}
	return ""
}

// attempt is mismatch that also says when an engine panics or gives up.
func (c *trial) attempt(t *testing.T, fn *ir.Func) string {
	text := "an engine gave up"
	var wait sync.WaitGroup
	wait.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				text = fmt.Sprint("panic: ", r)
			}
		}()
		text = c.mismatch(t, fn)
	})
	wait.Wait()
	return text
}

// number gives each instruction a span of its own, which tells accesses apart.
func number(fn *ir.Func) {
	at := int32(1)
	fn.Body.Walk(func(in *ir.Instr) {
		in.Span = source.Span{Start: at, End: at + 1}
		at++
	})
}

// cut takes elements off both ends of the arguments' storages; pointers' addresses stay divisible.
func cut(args []tile.Arg, seed uint64, divisible int) {
	for i, a := range args {
		if b, ok := a.(tile.Buffer); ok {
			size := b.DType.Info().Bytes
			b.Data = b.Data[:len(b.Data)-size*int(seed%uint64(1+min(40, len(b.Data)/size)))]
			if b.Address == 0 { // of a parameter
				b.Offset = min(int(seed%7), len(b.Data)/size)
				b.Offset -= b.Offset * size % divisible / size
			}
			args[i] = b
		}
	}
}

// prove adds to opt what is known of a launch before it begins, and gives the pitches of loads.
func prove(fn *ir.Func, args []tile.Arg, grid [3]int, opt *ptx.Options) func(*ir.Instr) (int64, bool) {
	fn.Number()
	known := bounds.Args{Grid: grid}
	opt.FirstZero = make([]bool, len(fn.Params))
	for i, a := range args[:len(fn.Params)] {
		switch a := a.(type) {
		case tile.Buffer:
			known.Args = append(known.Args, bounds.Arg{First: int64(-a.Offset), Count: int64(len(a.Data) / a.DType.Info().Bytes)})
			opt.FirstZero[i] = a.Offset == 0
		case tile.Scalar:
			known.Args = append(known.Args, bounds.Arg{Value: a.Scalar})
		}
	}
	found := bounds.New(fn, axis.Analyze(fn)).Prove(known)
	if opt.Signed = !found.Assumptions(); opt.Signed {
		opt.FirstZero = nil
		return nil
	}
	opt.Proved = found.InRange
	opt.Bounded = func(in *ir.Instr) bool { _, ok := found.Bounded(in); return ok }
	opt.Reduced, opt.Natural, opt.True, opt.Scales = found.Reduced, found.Natural, found.True, found.Scales
	opt.PowerOfTwo = found.PowerOfTwo
	opt.Boxes = func(in *ir.Instr) bool { _, ok := found.Pitch(in); return ok }
	opt.EveryBox = true
	opt.Persistent = grid[1] == 1 && grid[2] == 1
	return found.Pitch
}

// FuzzEngines: random kernels leave the same bytes in the simulator as in the interpreter, and placed on threads, where
// they have no hazards. TestSeed makes what fails smaller.
func FuzzEngines(f *testing.F) {
	f.Add(uint64(500490))     // a pipelined loop in a pipelined loop, which was taken for the outer one
	f.Add(uint64(30001658))   // a transposing dot in flight, of whose wait the placed function did not know
	f.Add(uint64(1024001008)) // tensor copies over stage buffers that threads' copies had filled
	for seed := range seeds.Upto(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := newTrial(seed)
		if text := c.mismatch(t, c.program.Func); text != "" {
			t.Fatalf("%s: %s\n%s", c, text, c.program.Func)
		}
	})
}

// FuzzSource: the same of random kernels of the language.
func FuzzSource(f *testing.F) {
	for seed := range seeds.Upto(20) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		c, source := newSourceTrial(seed)
		if c == nil {
			t.Fatal(source)
		}
		if text := c.mismatch(t, c.program.Func); text != "" {
			t.Fatalf("%s: %s\n%s", c, text, source)
		}
	})
}

// trialOf is a trial of the IR for an even seed, and of the language for an odd one; nil, and why, where newt does not
// compile its kernel.
func trialOf(seed uint64) (*trial, string) {
	if seed%2 == 0 {
		return newTrial(seed), ""
	}
	return newSourceTrial(seed)
}

// try is what is wrong with the trial of a seed; empty where nothing is.
func try(t *testing.T, seed uint64) string {
	c, why := trialOf(seed)
	if c == nil {
		return why
	}
	if text := c.attempt(t, c.program.Func); text != "" {
		return fmt.Sprintf("%s: %s", c, text[:min(len(text), 400)])
	}
	return ""
}

// TestEngines runs trials for as long as ENGINES says, one after the other: SEED and those after it,
// else ones that nobody has seen. It goes on after failures.
func TestEngines(t *testing.T) {
	d, err := time.ParseDuration(os.Getenv("ENGINES"))
	if err != nil {
		t.Skip("no ENGINES")
	}
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("SEED"); s != "" {
		fmt.Sscan(s, &seed)
	}
	n, failed, said := 0, 0, time.Now()
	for end := said.Add(d); time.Now().Before(end); seed++ {
		if text := try(t, seed); text != "" {
			failed++
			t.Error(text)
			fmt.Println(text)
		}
		n++
		if time.Since(said) > time.Minute {
			said = time.Now()
			fmt.Printf("%s: %d kernels, %d failed\n", said.UTC().Format(time.TimeOnly), n, failed)
		}
	}
	t.Logf("%d kernels, %d failed", n, failed)
}

// TestSeed runs the trial of SEED again and makes its kernel smaller.
func TestSeed(t *testing.T) {
	var seed uint64
	if n, _ := fmt.Sscan(os.Getenv("SEED"), &seed); n == 0 {
		t.Skip("no SEED")
	}
	c, why := trialOf(seed)
	if c == nil {
		t.Fatal(why)
	}
	if text := c.attempt(t, c.program.Func); text != "" {
		fn := shrink(c.program.Func, func(fn *ir.Func) bool { return c.attempt(t, fn) != "" })
		t.Errorf("%s: %s\n%s\n%s", c, text[:min(len(text), 400)], c.attempt(t, fn), fn)
	}
}
