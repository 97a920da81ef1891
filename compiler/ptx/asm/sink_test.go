package asm

import (
	"strings"
	"testing"
)

// TestSink: a computation stands behind a loop, or a branch, if it is needed there alone.
func TestSink(t *testing.T) {
	add := func(s script, x Reg) Reg { return s.Do("add.s32", R(x), I(5)) }
	for _, c := range []struct {
		name string
		emit func(s script, x, p Reg)
		want string // what comes first, the add or a branch
	}{
		{"into code that is skipped", func(s script, x, p Reg) {
			y := add(s, x)
			s.Unless(p, true, func() { s.out(y) })
		}, "bra"},
		{"into a branch of two", func(s script, x, p Reg) {
			y := add(s, x)
			s.Branch("$else", p, true)
			s.out(x)
			s.Branch("$end", Reg{}, false)
			s.Bind("$else")
			s.out(y)
			s.Bind("$end")
		}, "bra"},
		{"behind a loop", func(s script, x, p Reg) {
			y := add(s, x)
			s.exchangeInLoop(x)
			s.out(y)
		}, "bra"},
		{"needed on both ways", func(s script, x, p Reg) {
			y := add(s, x)
			s.Unless(p, true, func() { s.out(y) })
			s.out(y)
		}, "add"},
		{"into a loop it does not go", func(s script, x, p Reg) {
			y := add(s, x)
			s.Branch("$end", p, true)
			s.exchangeInLoop(y)
			s.Bind("$end")
		}, "add"},
		{"of a variable it stays", func(s script, x, p Reg) {
			v := s.Reg(B32)
			s.Move(v, R(x))
			y := add(s, v)
			s.Move(v, I(7))
			s.Unless(p, true, func() { s.out(y); s.out(v) })
		}, "add"},
		{"behind the branch already", func(s script, x, p Reg) {
			s.Unless(p, true, func() { s.out(add(s, x)) })
		}, "bra"},
		{"where nothing is skipped", func(s script, x, p Reg) {
			y := add(s, x)
			s.Unless(p, true, func() { s.out(x) })
			s.out(y)
		}, "add"},
	} {
		s := newScript()
		x := s.tid()
		c.emit(s, x, s.Do("setp.eq.s32", R(x), I(3)))
		text, _, err := Finish(s.Program)
		if err != nil {
			t.Fatal(err)
		}
		first := "add"
		if strings.Index(text, "bra ") < strings.Index(text, "add.s32") {
			first = "bra"
		}
		if first != c.want || !strings.Contains(text, "add.s32") {
			t.Errorf("%s: %s comes first\n%s", c.name, first, text)
		}
	}
}
