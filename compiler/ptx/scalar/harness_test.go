package scalar

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/asm"
	"github.com/newtlab/newt/compiler/ptx/sim"
)

const threads = 128

// targets differ in which conversions the hardware has.
var targets = []string{"sm_80", "sm_90a"}

// kernel is a program that applies f to elements of arrays, one a thread: the first parameter is the
// output, of dtype out, the others are operands of dtypes in.
func kernel(target string, out num.DType, in []num.DType, f func(p *asm.Program, x []asm.Reg) asm.Reg) *asm.Program {
	p := &asm.Program{Name: "k", Threads: threads, Target: target}
	tid := p.Do("mov.u32", asm.S("%tid.x"))
	block := p.Do("mov.u32", asm.S("%ctaid.x"))
	index := p.Do("mad.lo.s32", asm.R(block), asm.I(threads), asm.R(tid))
	at := func(i int, d num.DType) asm.Operand {
		name := fmt.Sprintf("p%d", i)
		p.Params = append(p.Params, asm.Param{Name: name})
		base := p.Do("ld.param.u64", asm.MS(name, 0))
		return asm.M(p.Do("mad.wide.s32", asm.R(index), asm.I(int64(d.Info().Bytes)), asm.R(base)), 0)
	}
	to := at(0, out)
	var x []asm.Reg
	for i, d := range in {
		from := at(i+1, d)
		if d == num.Int1 {
			x = append(x, Cast(p, num.Uint8, d, num.RTNE, p.Do("ld.global.u8", from)))
			continue
		}
		x = append(x, p.Do("ld.global."+memory(d), from))
	}
	y := f(p, x)
	if out == num.Int1 {
		y = Cast(p, out, num.Uint8, num.RTNE, y)
	}
	p.Effect("st.global."+memory(out), to, asm.R(y))
	return p
}

func memory(d num.DType) string {
	info := d.Info()
	switch {
	case d == num.Int8:
		return "s8"
	case info.Bytes == 1:
		return "u8"
	}
	return fmt.Sprintf("b%d", info.Bits)
}

// execute runs p on the operands' memory images and gives the output's.
func execute(t testing.TB, p *asm.Program, out num.DType, in [][]byte, n int) []byte {
	t.Helper()
	text, _, err := asm.Finish(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := sim.Load(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	mem := sim.NewMemory(0)
	raw := make([]byte, n*out.Info().Bytes)
	cfg := sim.LaunchConfig{Grid: [3]int{n / threads}, Threads: threads, Memory: mem}
	for _, data := range append([][]byte{raw}, in...) {
		a, err := mem.Alloc(int64(len(data)))
		if err == nil {
			err = mem.Write(a, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		cfg.Params = append(cfg.Params, a)
	}
	if _, err := m.Launch(context.Background(), cfg); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if err := mem.Read(cfg.Params[0], raw); err != nil {
		t.Fatal(err)
	}
	return raw
}

// edges are bit patterns, by width, that arithmetic stumbles over.
var edges = map[int][]uint64{
	1: {0, 1},
	8: {0, 1, 2, 7, 8, 9, 0x3c, 0x40, 0x7b, 0x7c, 0x7d, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff},
	16: {0, 1, 2, 15, 16, 17, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x7f80, 0x7fc0, 0x7f7f, 0x7fff,
		0x8000, 0x8001, 0xbc00, 0xfbff, 0xfc00, 0xff80, 0xffff},
	32: {0, 1, 2, 31, 32, 33, 0x7fffff, 0x800000, 0x3f800000, 0x3f000000, 0xbf800000, 0x7f7fffff, 0x7f800000, 0x7fc00000,
		0x7fffffff, 0x80000000, 0x80000001, 0xff7fffff, 0xff800000, 0xffffffff, 0x4effffff, 0x4f000000, 0x4f800000, 0xcf000000, 0x5f000000},
	64: {0, 1, 2, 63, 64, 65, 0xfffffffffffff, 0x10000000000000, 0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000,
		0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
		0xffefffffffffffff, 0xfff0000000000000, 0xffffffffffffffff, 0x41dfffffffc00000, 0x43e0000000000000, 0x41e0000000000000},
}

// draw gives n values of d as memory: edges, bit patterns, small numbers; operand i of a pair
// of edges walks at another pace.
func draw(d num.DType, n, i int, r *rand.Rand) []byte {
	info := d.Info()
	v := num.MakeVec(info.Class, n)
	list := edges[info.Bits]
	for j := range n {
		s := num.Scalar{DType: d}
		switch {
		case j < len(list)*len(list):
			s.Bits = list[[]int{j, j / len(list), j / 2}[i]%len(list)]
		case j%3 == 0:
			s.Bits = r.Uint64() & (^uint64(0) >> (64 - info.Bits))
		case info.Float:
			s = num.FromFloat(d, r.NormFloat64()*math.Ldexp(1, r.IntN(12)-6))
		default:
			s = num.FromInt(d, r.Int64N(64)-16)
		}
		one := s.Vec()
		switch info.Class {
		case num.ClassI32:
			v.I32[j] = one.I32[0]
		case num.ClassI64:
			v.I64[j] = one.I64[0]
		case num.ClassF32:
			v.F32[j] = one.F32[0]
		default:
			v.F64[j] = one.F64[0]
		}
	}
	raw := make([]byte, n*info.Bytes)
	num.Store(d, raw, v)
	return raw
}

func vec(d num.DType, raw []byte) num.Vec {
	v := num.MakeVec(d.Info().Class, len(raw)/d.Info().Bytes)
	num.Load(d, v, raw)
	return v
}

// distance is how many values of d lie between a and b, of which both may be NaN.
func distance(d num.DType, a, b num.Vec, i int) float64 {
	x, y := num.ScalarAt(d, a, i), num.ScalarAt(d, b, i)
	if x.Bits == y.Bits {
		return 0
	}
	if !d.Info().Float {
		return math.Inf(1)
	}
	if d == num.Float8E4B15 && x.Bits&y.Bits == 0x7f { // stands for NaN, too, of either sign
		return 0
	}
	if fx, fy := x.Float(), y.Float(); fx != fx || fy != fy {
		if fx != fx && fy != fy {
			return 0
		}
		return math.Inf(1)
	}
	return math.Abs(float64(order(x) - order(y)))
}

// order maps floats to numbers such that neighbors differ by one. Zeros of both signs are one.
func order(s num.Scalar) int64 {
	top := uint64(1) << (s.DType.Info().Bits - 1)
	if s.Bits&top != 0 {
		return -int64(s.Bits &^ top)
	}
	return int64(s.Bits)
}

const samples = 3072

// compare runs f and want on the same operands and fails where results are more than bound units in
// the last place apart.
func compare(t *testing.T, out num.DType, in []num.DType, bound float64, f func(p *asm.Program, x []asm.Reg) asm.Reg, want func(dst num.Vec, x []num.Vec)) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(out)))
	var raws [][]byte
	var vecs []num.Vec
	for i, d := range in {
		raws = append(raws, draw(d, samples, i, r))
		vecs = append(vecs, vec(d, raws[i]))
	}
	expected := num.MakeVec(out.Info().Class, samples)
	want(expected, vecs)
	worst := 0.0
	for _, target := range targets {
		got := vec(out, execute(t, kernel(target, out, in, f), out, raws, samples))
		worst = max(worst, apart(t, out, bound, got, expected, func(i int) (args string) {
			for j, d := range in {
				args += " " + num.Format(d, vecs[j], i)
			}
			return args + " on " + target
		}))
	}
	return worst
}

// apart is how far the results are from what is wanted at most; it reports those beyond the bound.
func apart(t *testing.T, out num.DType, bound float64, got, want num.Vec, args func(i int) string) float64 {
	t.Helper()
	worst, bad := 0.0, 0
	for i := range samples {
		x := distance(out, got, want, i)
		worst = max(worst, x)
		if x > bound && bad < 5 {
			bad++
			t.Errorf("of%s: %s, want %s (%v units)", args(i), num.Format(out, got, i), num.Format(out, want, i), x)
		}
	}
	return worst
}
