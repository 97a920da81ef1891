package asm

import (
	"slices"
	"testing"
)

// tiles appends the sum and the sum of squares of n loaded values as a compiler of tiles does, step by step, and a store
// and a load between them where mixed.
func (s script) tiles(n int, mixed bool) {
	at := s.pointer()
	loaded := make([]Reg, n)
	for i := range loaded {
		loaded[i] = s.Reg(B32)
		s.Add(Inst{Op: Op("ld.global.b32"), Dst: []Operand{R(loaded[i])}, Src: []Operand{M(at, int64(4*i))}})
		if mixed && i == n/2 {
			s.Effect("st.global.b32", M(at, 8), R(loaded[i]))
		}
	}
	squares := make([]Reg, n)
	for i, x := range loaded {
		squares[i] = s.Do("mul.f32", R(x), R(x))
	}
	for _, list := range [][]Reg{loaded, squares} {
		for len(list) > 1 {
			half := len(list) / 2
			sums := make([]Reg, half)
			for i := range sums {
				sums[i] = s.Do("add.f32", R(list[i]), R(list[i+half]))
			}
			list = sums
		}
		s.out(list[0])
	}
}

func TestScheduleNeedsFewerRegisters(t *testing.T) {
	for _, mixed := range []bool{false, true} {
		s := newScript()
		s.tiles(1024, mixed)
		linearize(s.Program)
		before := slices.Clone(s.code)
		schedule(s.Program)
		live := newPressure(s.Program, [][]Inst{before})
		live.block = 1
		if was, is := live.peak(before), live.peak(s.code); was < 1024 || is > 600 || !mixed && is > 192 {
			t.Errorf("mixed %v: %d registers, were %d", mixed, is, was)
		}
		checkOrder(t, before, s.code, s.regs)
	}
}

// checkOrder checks that a block holds the instructions of another, each after what must come before it.
func checkOrder(t *testing.T, before, after []Inst, registers int32) {
	t.Helper()
	key := func(in *Inst) *Operand { return &in.Src[0] }
	at := map[*Operand]int{}
	for i := range after {
		at[key(&after[i])] = i
	}
	if len(at) != len(before) {
		t.Fatalf("%d instructions of %d", len(at), len(before))
	}
	for i, list := range dependences(before, registers) {
		for _, j := range list {
			if at[key(&before[j])] >= at[key(&before[i])] {
				t.Errorf("%s %d comes before %s %d", before[i].Op.Name, i, before[j].Op.Name, j)
			}
		}
	}
}
