package asm

import (
	"strings"
	"testing"
)

// TestLoadEarly: loads behind an exchange between threads stand behind the load before it where nothing between forbids
// that, with what their addresses are computed from.
func TestLoadEarly(t *testing.T) {
	vector := func(s script, at Reg, guard Reg) {
		d := []Reg{s.Reg(B32), s.Reg(B32), s.Reg(B32), s.Reg(B32)}
		s.Add(Inst{Op: Op("ld.global.v4.b32"), Dst: []Operand{V(d...)}, Src: []Operand{M(at, 0)}, Guard: guard})
		s.Effect("st.global.v4.b32", M(at, 64), V(d...))
	}
	exchange := func(s script, x Reg) Reg {
		b := s.Shared("b", 4, 4)
		s.store(b, 0, x)
		return s.load(b, 0)
	}
	address := func(s script, at, i Reg) Reg {
		return s.Do("mad.wide.s32", B64, R(s.Do("shl.b32", B32, R(i), I(1))), I(4), R(at))
	}
	for _, c := range []struct {
		name  string
		emit  func(s script, at, x, p Reg)
		early bool
	}{
		{"a load", func(s script, at, x, p Reg) {
			exchange(s, x)
			vector(s, at, Reg{})
		}, true},
		{"and its address", func(s script, at, x, p Reg) {
			exchange(s, x)
			vector(s, address(s, at, x), Reg{})
		}, true},
		{"behind a second exchange", func(s script, at, x, p Reg) {
			exchange(s, exchange(s, x))
			vector(s, at, Reg{})
		}, true},
		{"an address that was exchanged", func(s script, at, x, p Reg) {
			vector(s, address(s, at, exchange(s, x)), Reg{})
		}, false},
		{"behind a store", func(s script, at, x, p Reg) {
			exchange(s, x)
			s.Effect("st.global.b32", M(at, 8), R(x))
			vector(s, at, Reg{})
		}, false},
		{"behind the program's own barrier", func(s script, at, x, p Reg) {
			s.Barrier()
			exchange(s, x)
			vector(s, at, Reg{})
		}, false},
		{"with a guard", func(s script, at, x, p Reg) {
			exchange(s, x)
			vector(s, at, p)
		}, false},
		{"in another block", func(s script, at, x, p Reg) {
			exchange(s, x)
			s.Unless(p, true, func() { vector(s, at, Reg{}) })
		}, false},
		{"too many", func(s script, at, x, p Reg) {
			exchange(s, x)
			for i := range int64(3) {
				d := []Reg{s.Reg(B32), s.Reg(B32), s.Reg(B32), s.Reg(B32)}
				s.Add(Inst{Op: Op("ld.global.v4.b32"), Dst: []Operand{V(d...)}, Src: []Operand{M(at, 16*i)}})
				x = s.Do("add.s32", B32, R(d[0]), R(x))
			}
			s.out(x)
		}, false},
	} {
		s := newScript()
		at := s.pointer()
		x := s.Reg(B32)
		s.Add(Inst{Op: Op("ld.global.b32"), Dst: []Operand{R(x)}, Src: []Operand{M(at, 4)}})
		c.emit(s, at, x, s.Do("setp.eq.s32", Pred, R(x), I(3)))
		text, _, _, err := Finish(s.Program)
		if err != nil {
			t.Fatal(err)
		}
		first, shared := strings.Index(text, "ld.global.v4"), strings.Index(text, "st.shared")
		if first < 0 || shared < 0 || first < shared != c.early {
			t.Errorf("%s: loaded early: %v\n%s", c.name, first < shared, text)
		}
	}
}
