package ptx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/plan"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/infra/soak"
)

// bench emits pieces of kernels whose tiles lie where a test wants them, runs them in the simulator, and has a look
// at every register of every thread.
type bench struct {
	e       *emitter
	t       testing.TB
	buffers [][]byte
	outs    []output
}

// output is a tile that the kernel has written register by register to one of the buffers.
type output struct {
	buffer int
	dtype  num.DType
	layout layout.Layout
	name   string
}

func newBench(t testing.TB, warps int) *bench {
	return benchOf(t, "func @kernel() {\n return\n}", warps)
}

// benchOf is a bench for the operations of a function, whose values are scalars until they are given a layout.
func benchOf(t testing.TB, text string, warps int) *bench {
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	// Nothing is planned: the test says in which layouts tiles are.
	tiles := make([]plan.Tile, fn.Number())
	p := &plan.Plan{Func: fn, Facts: axis.Analyze(fn), Target: plan.Target{Arch: arch.Find("sm_90a"), Warps: warps},
		Tiles: tiles, Accesses: map[*ir.Instr]*plan.Access{}}
	scalar := layout.ForVector(nil, nil, 1, warps)
	plan.EachValue(fn, func(v *ir.Value) { v.Layout = &scalar })
	e := emitterFor(p, Options{Target: "sm_90a", NumWarps: warps})
	e.Entry(func() {
		e.tid = e.Do("mov.u32", asm.S("%tid.x"))
		e.lane = e.Do("and.b32", asm.R(e.tid), asm.I(31))
		e.warp = e.Do("shr.u32", asm.R(e.tid), asm.I(5))
	})
	return &bench{e: e, t: t}
}

// hold gives a value its layout and elements.
func (b *bench) hold(v *ir.Value, data num.Vec, l layout.Layout) {
	v.Layout = &l
	b.e.setRegs(v, b.input(v.Type.DType, data, l))
}

// emit emits an instruction whose values have their layouts.
func (b *bench) emit(in *ir.Instr) {
	p := b.e.plan
	p.PlaceScratch()
	p.Allocate()
	b.share(p.SharedBytes)
	if in.Scratch != nil {
		b.e.emitInstr(in.Scratch.Def)
	}
	b.e.emitInstr(in)
}

// converted is a tile in another layout.
func (b *bench) converted(d num.DType, data num.Vec, src, dst layout.Layout) []asm.Reg {
	c := b.e.plan.Convert(src, dst, d.Info().Bits)
	b.share(c.Bytes)
	return b.e.convert(d, b.input(d, data, src), c, 0)
}

// share lets what follows have so much shared memory, which others may have used.
func (b *bench) share(bytes int) {
	if b.e.SharedBytes > 0 {
		b.e.Barrier()
	}
	b.e.SharedBytes, b.e.SharedAlign = max(b.e.SharedBytes, bytes), layout.Align
}

// show has the kernel write a value.
func (b *bench) show(v *ir.Value) {
	b.output("%"+v.Name, v.Type.DType, b.e.regs(v), *v.Layout)
}

// addBuffer makes data a parameter of the kernel and gives its address.
func (b *bench) addBuffer(data []byte) (address asm.Reg) {
	name := fmt.Sprint("p", len(b.buffers))
	b.buffers = append(b.buffers, data)
	b.e.Params = append(b.e.Params, asm.Param{Name: name})
	return b.e.Do("ld.param.u64", asm.MS(name, 0))
}

// memory is how an element of dtype d is loaded and stored.
func memory(d num.DType) string {
	switch bits := memoryBits(d); {
	case bits == 8 && d != num.Int1 && signExtended(d):
		return "s8"
	case bits == 8:
		return "u8"
	default:
		return fmt.Sprint("b", bits)
	}
}

// input is a tile with the given elements, row by row, held in layout l.
func (b *bench) input(d num.DType, data num.Vec, l layout.Layout) []asm.Reg {
	raw := make([]byte, d.Info().Bytes*data.Len())
	num.Store(d, raw, data)
	base := b.addBuffer(raw)
	kind := memory(d)
	thread := b.e.threadOffset(l.Lane, l.Warp)
	regs := make([]asm.Reg, l.Regs())
	for r := range regs {
		at := base
		if thread.OK() {
			at = b.e.Do("mad.wide.u32", asm.R(thread), asm.I(int64(d.Info().Bytes)), asm.R(base))
		}
		regs[r] = b.e.Do("ld.global."+kind, asm.M(at, int64(int(l.At(r, 0, 0))*d.Info().Bytes)))
		if d == num.Int1 {
			regs[r] = b.e.Do("setp.ne.b16", asm.R(regs[r]), asm.I(0))
		}
	}
	return regs
}

// output has the kernel write all registers of all threads.
func (b *bench) output(name string, d num.DType, regs []asm.Reg, l layout.Layout) {
	if len(regs) != l.Regs() {
		b.t.Fatalf("%s: %d registers for %v", name, len(regs), l)
	}
	size := d.Info().Bytes
	kind := memory(d)
	base := b.addBuffer(make([]byte, size*len(regs)*b.e.Threads))
	b.outs = append(b.outs, output{len(b.buffers) - 1, d, l, name})
	at := b.e.Do("mad.wide.u32", asm.R(b.e.tid), asm.I(int64(size*len(regs))), asm.R(base))
	for r, v := range regs {
		if d == num.Int1 {
			v = b.e.Do("selp.b16", asm.I(1), asm.I(0), asm.R(v))
		}
		b.e.Effect("st.global."+strings.Replace(kind, "s8", "u8", 1), asm.M(at, int64(r*size)), asm.R(v))
	}
}

// run executes the kernel, once, and gives its text and what it cost.
func (b *bench) run() (string, *sim.Report) {
	b.t.Helper()
	text, _, err := asm.Finish(b.e.Program)
	if err != nil {
		b.t.Fatal(err)
	}
	m, err := sim.Load(text)
	if err != nil {
		b.t.Fatalf("%v\n%s", err, text)
	}
	mem := sim.NewMemory(0)
	var params []uint64
	for _, data := range b.buffers {
		at, _ := mem.Alloc(int64(max(1, len(data))))
		mem.Write(at, data)
		params = append(params, at)
	}
	report, err := m.Launch(context.Background(), sim.LaunchConfig{Threads: b.e.Threads, Shared: b.e.SharedBytes, Params: params, Memory: mem, Seed: rand.Uint64()})
	if err != nil {
		b.t.Fatalf("%v\n%s", err, ptxas.Numbered(text))
	}
	for i, data := range b.buffers {
		mem.Read(params[i], data)
	}
	b.assemble(text, b.e.Target)
	return text, report
}

var assembled int

// assemble has ptxas read every 50th of the kernels. Tiles of some hundred registers a thread are among them, which
// spill.
func (b *bench) assemble(text, target string) {
	assembled++
	if assembled%50 == 1 {
		ptxas.Accept(b.t, target, text)
	}
}

// check compares the outputs with the elements that they should have; same compares one.
func (b *bench) check(want []num.Vec, same func(d num.DType, got, want num.Scalar) bool) {
	b.t.Helper()
	for i := range b.outs {
		b.checkWhere(i, want[i], func(int) bool { return true }, same)
	}
}

// checkWhere compares some elements of an output.
func (b *bench) checkWhere(i int, want num.Vec, some func(e int) bool, same func(d num.DType, got, want num.Scalar) bool) {
	b.t.Helper()
	o := b.outs[i]
	n := o.layout.Regs()
	got := num.MakeVec(o.dtype.Info().Class, n*b.e.Threads)
	num.Load(o.dtype, got, b.buffers[o.buffer])
	for thread := range b.e.Threads {
		for r := range n {
			e := int(o.layout.At(r, thread%32, thread/32))
			g, w := num.ScalarAt(o.dtype, got, thread*n+r), num.ScalarAt(o.dtype, want, e)
			if some(e) && !same(o.dtype, g, w) {
				b.t.Fatalf("%s: thread %d, register %d, element %v is %v, want %v", o.name, thread, r, o.layout.Coord(uint32(e)), g, w)
			}
		}
	}
}

func equal(_ num.DType, got, want num.Scalar) bool { return got == want }

// randomLayout places a tile at random among registers, lanes and warps, with some replicas.
func randomLayout(rng *rand.Rand, shape []int, warps int) layout.Layout {
	n := 0
	for _, d := range shape {
		for ; d > 1; d /= 2 {
			n++
		}
	}
	l := layout.Layout{Shape: shape, Lane: make([]uint32, 5), Warp: make([]uint32, log2(warps))}
	slots := rng.Perm(5 + log2(warps) + rng.IntN(3))
	for _, bit := range rng.Perm(n) {
		basis := uint32(1) << bit
		if len(slots) == 0 || rng.IntN(8) == 0 {
			l.Reg = append(l.Reg, basis)
			continue
		}
		switch s := slots[0]; {
		case s < 5:
			l.Lane[s] = basis
		case s < 5+log2(warps):
			l.Warp[s-5] = basis
		default:
			l.Reg = append(l.Reg, basis)
		}
		slots = slots[1:]
	}
	if rng.IntN(4) == 0 {
		l.Reg = append(l.Reg, 0)
	}
	rng.Shuffle(len(l.Reg), func(i, j int) { l.Reg[i], l.Reg[j] = l.Reg[j], l.Reg[i] })
	return l
}

// picker chooses a layout.
type picker func(rng *rand.Rand, shape []int, warps int) layout.Layout

// usualLayout is one that accesses of memory have.
func usualLayout(rng *rand.Rand, shape []int, warps int) layout.Layout {
	return layout.ForVector(shape, rng.Perm(len(shape)), 1<<rng.IntN(4), warps)
}

func log2(n int) (b int) {
	for ; n > 1; n /= 2 {
		b++
	}
	return b
}

func elems(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// randomVec has n elements of dtype d of random bits, NaNs apart.
func randomVec(rng *rand.Rand, d num.DType, n int) num.Vec {
	raw := make([]byte, 8*n)
	v := num.MakeVec(d.Info().Class, n)
	for i := range raw {
		raw[i] = byte(rng.Uint32())
	}
	num.Load(d, v, raw)
	for i := range n {
		if d.Info().Float && (v.F32 != nil && v.F32[i] != v.F32[i] || v.F64 != nil && v.F64[i] != v.F64[i]) {
			num.FromInt(d, int64(i)).Fill(slice(v, i, i+1))
		}
	}
	return v
}

func slice(v num.Vec, lo, hi int) num.Vec { return v.Slice(lo, hi) }

var shapes = [][]int{{1}, {2}, {32}, {64}, {256}, {1024}, {4096}, {1, 8}, {8, 1}, {4, 4}, {16, 32}, {64, 64}, {128, 8}, {2, 4, 8}, {16, 1, 32}}

// TestConvert converts tiles of all dtypes between layouts.
func TestConvert(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for d := range num.NumDTypes {
		for i := range 2 * len(shapes) {
			shape, warps := shapes[i%len(shapes)], 1<<rng.IntN(4)
			if soak.Skips(int(d)+i, 2) {
				continue
			}
			pick := usualLayout
			if i >= len(shapes) {
				pick = randomLayout
			}
			src, dst := pick(rng, shape, warps), pick(rng, shape, warps)
			data := randomVec(rng, d, elems(shape))
			b := newBench(t, warps)
			b.output(fmt.Sprintf("%v from %v to %v", d, src, dst), d, b.converted(d, data, src, dst), dst)
			text, report := b.run()
			b.check([]num.Vec{data}, equal)
			if report.Total.Shared.Sum().Excess() > 0 {
				t.Errorf("%d bank conflicts: %v from %v to %v\n%s", report.Total.Shared.Sum().Excess(), d, src, dst, text)
			}
		}
	}
}

// TestConvertInParts converts tiles that do not fit the scratch memory: one whose registers make the parts, and one
// whose threads take turns.
func TestConvertInParts(t *testing.T) {
	shape := []int{128, 128}
	rows := layout.ForVector(shape, []int{1, 0}, 4, 4)
	for _, c := range []struct {
		d        num.DType
		src      layout.Layout
		barriers int
	}{
		{num.Float32, layout.MmaAcc(shape, []int{2, 2}), 3},
		{num.Float64, layout.ForVector(shape, []int{0, 1}, 2, 4), 7},
	} {
		data := randomVec(rand.New(rand.NewPCG(3, 4)), c.d, elems(shape))
		b := newBench(t, 4)
		b.output("parts", c.d, b.converted(c.d, data, c.src, rows), rows)
		text, report := b.run()
		b.check([]num.Vec{data}, equal)
		if n := strings.Count(text, "bar.sync"); n != c.barriers || report.Total.Shared.Sum().Excess() > 0 {
			t.Errorf("%v: %d barriers, want %d; %d conflicts", c.d, n, c.barriers, report.Total.Shared.Sum().Excess())
		}
	}
}
