package asm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/source"
)

// script is a program under test with shorthands.
type script struct{ *Program }

func (s script) store(at int64, r Reg) {
	s.Effect("st.shared.b32", MB(Reg{}, at), R(r))
}

func (s script) load(at int64) Reg { return s.Do("ld.shared.b32", MB(Reg{}, at)) }

// exchangeInLoop stores r to shared memory and loads from it, until that is not 0.
func (s script) exchangeInLoop(r Reg) {
	s.Loop("$l", func() {
		s.Barrier()
		s.store(0, r)
		s.Barrier()
		s.Branch("$l", s.Do("setp.eq.s32", R(s.load(0)), I(0)), false)
	})
}

func (s script) out(r Reg) { s.Effect("st.global.b32", M(s.pointer(), 0), R(r)) }

func (s script) pointer() Reg { return s.Do("ld.param.u64", MS("out", 0)) }

// panics is what f panics with, nil if it does not.
func panics(f func()) (r any) {
	defer func() { r = recover() }()
	f()
	return nil
}

// TestDivergent: no barrier gets into code that some threads skip, or leave before others.
func TestDivergent(t *testing.T) {
	for name, c := range map[string]struct {
		emit func(s script, p Reg)
		ok   bool
	}{
		"skipped":              {func(s script, p Reg) { s.Unless(p, false, s.Barrier) }, false},
		"nested":               {func(s script, p Reg) { s.Unless(p, false, func() { s.Unless(p, true, s.Barrier) }) }, false},
		"guarded":              {func(s script, p Reg) { s.When(p, false, s.Barrier) }, false},
		"in cold code":         {func(s script, p Reg) { s.Cold(s.Barrier) }, false},
		"in a loop":            {func(s script, p Reg) { s.DivergentLoop("$head", s.Barrier) }, false},
		"for all":              {func(s script, p Reg) { s.Barrier() }, true},
		"the entry is for all": {func(s script, p Reg) { s.Unless(p, false, func() { s.Entry(s.Barrier) }) }, true},
	} {
		s := newScript()
		p := s.Do("setp.eq.s32", R(s.tid()), I(3))
		if r := panics(func() { c.emit(s, p) }); (r == nil) != c.ok {
			t.Errorf("%s: %v", name, r)
		}
	}
}

func (s script) tid() Reg { return s.Do("mov.u32", S("%tid.x")) }

func newScript() script {
	return script{&Program{Name: "k", Threads: 64, Target: "sm_80", Params: []Param{{Name: "out"}}}}
}

// body is what stands between the declarations and the last ret, one instruction a line.
func body(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, ".") && line != "{" && line != "}" && line != ")" && line != "ret;" {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

func TestFinish(t *testing.T) {
	tests := []struct {
		name string
		emit func(s script)
		want string
	}{
		{"what nobody needs goes", func(s script) {
			x := s.tid()
			s.Do("add.s32", R(x), I(1))
			v := s.Reg(B32)
			s.Move(v, I(2))
			s.Move(v, R(x))
			s.out(v)
		}, `mov.u32 %r1, %tid.x;
mov.b32 %r2, 2;
mov.b32 %r2, %r1;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r2;`},
		{"equal computations are one", func(s script) {
			x := s.tid()
			a, b := s.Do("add.s32", R(x), I(1)), s.Do("add.s32", R(s.tid()), I(1))
			s.out(s.Do("mul.lo.s32", R(a), R(b)))
		}, `mov.u32 %r1, %tid.x;
add.s32 %r2, %r1, 1;
mul.lo.s32 %r3, %r2, %r2;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r3;`},
		{"a computation behind a branch is not known after it", func(s script) {
			x, out := s.tid(), s.pointer()
			s.Unless(s.Do("setp.eq.s32", R(x), I(0)), false, func() {
				s.Effect("st.global.b32", M(out, 0), R(s.Do("add.s32", R(x), I(1))))
			})
			s.Effect("st.global.b32", M(out, 4), R(s.Do("add.s32", R(x), I(1))))
		}, `mov.u32 %r1, %tid.x;
ld.param.u64 %d1, [out];
setp.eq.s32 %p1, %r1, 0;
@%p1 bra $skip1;
add.s32 %r2, %r1, 1;
st.global.b32 [%d1], %r2;
$skip1:
add.s32 %r3, %r1, 1;
st.global.b32 [%d1+4], %r3;`},
		{"nor one that cold code returns past", func(s script) {
			x, out := s.tid(), s.pointer()
			s.Branch("$cold", s.Do("setp.eq.s32", R(x), I(0)), false)
			s.Effect("st.global.b32", M(out, 0), R(s.Do("add.s32", R(x), I(1))))
			s.Bind("$back")
			s.Effect("st.global.b32", M(out, 4), R(s.Do("add.s32", R(x), I(1))))
			s.Cold(func() {
				s.Bind("$cold")
				s.Branch("$back", Reg{}, false)
			})
		}, `mov.u32 %r1, %tid.x;
ld.param.u64 %d1, [out];
setp.eq.s32 %p1, %r1, 0;
@%p1 bra $cold;
add.s32 %r2, %r1, 1;
st.global.b32 [%d1], %r2;
$back:
add.s32 %r3, %r1, 1;
st.global.b32 [%d1+4], %r3;
$cold:
bra $back;`},
		{"operands of sums may be in any order", func(s script) {
			x, y := s.tid(), s.Do("mov.u32", S("%ctaid.x"))
			a, b := s.Do("add.s32", R(x), R(y)), s.Do("add.s32", R(y), R(x))
			s.out(s.Do("mul.lo.s32", R(a), R(b)))
		}, `mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
add.s32 %r3, %r1, %r2;
mul.lo.s32 %r4, %r3, %r3;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r4;`},
		{"guarded instructions stay apart", func(s script) {
			x := s.tid()
			v := s.Reg(B32)
			s.Move(v, I(0))
			s.When(s.Do("setp.eq.s32", R(x), I(0)), true, func() { s.Move(v, R(x)) })
			s.out(v)
		}, `mov.u32 %r1, %tid.x;
mov.b32 %r2, 0;
setp.eq.s32 %p1, %r1, 0;
@!%p1 mov.b32 %r2, %r1;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r2;`},
		{"constants move into operands and addresses", func(s script) {
			four := s.Do("mov.b32", I(4))
			x := s.Do("mul.lo.s32", R(s.Do("mul.lo.s32", R(four), R(s.tid()))), R(s.Do("sub.s32", R(four), I(3))))
			p := s.Do("add.s64", R(s.Do("add.s64", R(s.pointer()), I(8))), I(-16))
			s.Effect("st.global.b32", M(p, 4), R(x))
		}, `mov.u32 %r1, %tid.x;
mul.lo.s32 %r2, %r1, 4;
ld.param.u64 %d1, [out];
st.global.b32 [%d1+-4], %r2;`},
		{"a register is an offset in shared memory, whose address is added once", func(s script) {
			x := s.tid()
			s.Add(Inst{Op: Op("st.shared.b32"), Src: []Operand{MB(x, 8), R(x)}})
			s.Barrier()
			y := s.Reg(B32)
			s.Add(Inst{Op: Op("ld.shared.b32"), Dst: []Operand{R(y)}, Src: []Operand{MB(x, 16)}})
			s.out(s.Do("add.s32", R(y), R(s.AddressOf(4))))
		}, `mov.b32 %r1, smem;
mov.u32 %r2, %tid.x;
add.s32 %r3, %r2, %r1;
st.shared.b32 [%r3+8], %r2;
bar.sync 0;
ld.shared.b32 %r4, [%r3+16];
mov.u32 %r5, smem+4;
add.s32 %r6, %r4, %r5;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r6;`},
		{"several branches to cold code are one, before a copy without any, for want of registers", func(s script) {
			s.Threads = 1 << 16 // a register each
			tid, from := s.tid(), s.pointer()
			load := func(name string, first int64) Reg {
				x := s.Reg(B32)
				s.Branch("$cold"+name, s.Do("setp.ge.s32", R(tid), I(first)), false)
				s.Bind("$in" + name)
				s.Add(Inst{Op: Op("ld.global.b32"), Dst: []Operand{R(x)}, Src: []Operand{M(from, first)}})
				s.Bind("$back" + name)
				s.Effect("bar.warp.sync", I(-1))
				s.Cold(func() {
					s.Bind("$cold" + name)
					s.Branch("$in"+name, s.Do("setp.eq.s32", R(tid), I(first)), true)
					s.Move(x, I(0))
					s.Branch("$back"+name, Reg{}, false)
				})
				return x
			}
			x := load("1", 16)
			square := s.Do("mul.lo.s32", R(x), R(x))
			s.out(s.Do("add.s32", R(square), R(load("2", 32))))
		}, `mov.u32 %r1, %tid.x;
ld.param.u64 %d1, [out];
setp.ge.s32 %p1, %r1, 16;
setp.ge.s32 %p2, %r1, 32;
or.pred %p3, %p1, %p2;
@%p3 bra $slow1;
$fast2:
ld.global.b32 %r2, [%d1+16];
mul.lo.s32 %r3, %r2, %r2;
ld.global.b32 %r4, [%d1+32];
$join3:
bar.warp.sync -1;
add.s32 %r5, %r3, %r4;
st.global.b32 [%d1], %r5;
$cold1:
setp.eq.s32 %p4, %r1, 16;
@!%p4 bra $in1;
mov.b32 %r6, 0;
bra $back1;
$cold2:
setp.eq.s32 %p5, %r1, 32;
@!%p5 bra $in2;
mov.b32 %r4, 0;
bra $back2;
$slow1:
setp.eq.s32 %p6, %r1, 16;
setp.eq.s32 %p7, %r1, 32;
or.pred %p8, %p6, %p7;
@!%p8 bra $fast2;
@%p1 bra $cold1;
$in1:
ld.global.b32 %r6, [%d1+16];
$back1:
mul.lo.s32 %r3, %r6, %r6;
@%p2 bra $cold2;
$in2:
ld.global.b32 %r4, [%d1+32];
$back2:
bra $join3;`},
		{"what code behind a loop alone reads is computed there, but for what reads a variable", func(s script) {
			x, v := s.tid(), s.Reg(B32)
			s.Move(v, I(0))
			behind := s.Do("mul.lo.s32", R(s.Do("add.s32", R(x), I(3))), R(x))
			inside, before := s.Do("xor.b32", R(x), I(5)), s.Do("shl.b32", R(v), I(2))
			s.Loop("$l", func() {
				next := s.Do("add.s32", R(v), R(inside))
				s.Move(v, R(next))
				s.Branch("$l", s.Do("setp.lt.s32", R(next), I(9)), false)
			})
			s.out(s.Do("add.s32", R(behind), R(inside)))
			s.out(before)
		}, `mov.u32 %r1, %tid.x;
mov.b32 %r2, 0;
xor.b32 %r3, %r1, 5;
shl.b32 %r4, %r2, 2;
$l:
add.s32 %r5, %r2, %r3;
mov.b32 %r2, %r5;
setp.lt.s32 %p1, %r5, 9;
@%p1 bra $l;
add.s32 %r6, %r1, 3;
mul.lo.s32 %r7, %r6, %r1;
add.s32 %r8, %r7, %r3;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r8;
st.global.b32 [%d1], %r4;`},
		{"it stays where a branch decides between its uses, or cold code has one", func(s script) {
			x := s.tid()
			y, z, first := s.Do("add.s32", R(x), I(3)), s.Do("add.s32", R(x), I(4)), s.Do("setp.eq.s32", R(x), I(0))
			s.Loop("$l", func() { s.Branch("$l", first, false) })
			s.Unless(first, true, func() { s.out(y) })
			s.out(y)
			s.Branch("$cold", first, false)
			s.Bind("$back")
			s.out(z)
			s.Cold(func() {
				s.Bind("$cold")
				s.out(z)
				s.Branch("$back", Reg{}, false)
			})
		}, `mov.u32 %r1, %tid.x;
add.s32 %r2, %r1, 3;
add.s32 %r3, %r1, 4;
setp.eq.s32 %p1, %r1, 0;
$l:
@%p1 bra $l;
@!%p1 bra $skip1;
ld.param.u64 %d1, [out];
st.global.b32 [%d1], %r2;
$skip1:
ld.param.u64 %d2, [out];
st.global.b32 [%d2], %r2;
@%p1 bra $cold;
$back:
st.global.b32 [%d2], %r3;
$cold:
ld.param.u64 %d3, [out];
st.global.b32 [%d3], %r3;
bra $back;`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := newScript()
			test.emit(s)
			text, _, err := Finish(s.Program)
			if err != nil {
				t.Fatal(err)
			}
			if got := body(text); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

func TestSharedError(t *testing.T) {
	for _, c := range []struct {
		target      string
		limit, have int
	}{{"sm_80", 0, 166912}, {"sm_90a", 0, 232448}, {"sm_90", 101376, 101376}, {"sm_100", 0, 232448}, {"sm_120", 0, 101376}} {
		target, have := c.target, c.have
		for _, more := range []int{0, 1} {
			s := newScript()
			s.Target, s.SharedLimit, s.SharedBytes = target, c.limit, have+more
			_, _, err := Finish(s.Program)
			var e *SharedError
			if errors.As(err, &e) != (more > 0) || e != nil && *e != (SharedError{have + 1, have}) {
				t.Errorf("%s: %d bytes give %v", target, have+more, err)
			}
		}
	}
}

func TestVersion(t *testing.T) {
	tests := []struct {
		target, want string
		emit         func(s script)
	}{
		{"sm_80", ".version 7.0", func(s script) { s.Effect("membar.gl") }},
		{"sm_80", ".version 7.4", func(s script) {
			x := s.Reg(B32)
			s.Add(Inst{Op: Op("ld.global.L1::evict_last.b32"), Dst: []Operand{R(x)}, Src: []Operand{M(s.Do("mov.b64", I(0)), 0)}, Effect: true})
		}},
		{"sm_90a", ".version 8.0", func(s script) { s.Effect("membar.gl") }},
		{"sm_90a", ".version 8.1", func(s script) {
			x := s.tid()
			s.Effect("red.global.add.v4.f32", M(s.Do("mov.b64", I(0)), 0), V(x, x, x, x))
		}},
	}
	for _, test := range tests {
		s := newScript()
		s.Target = test.target
		test.emit(s)
		text, _, err := Finish(s.Program)
		if got, _, _ := strings.Cut(text, "\n"); got != test.want || err != nil {
			t.Errorf("%s: %s, want %s (%v)", test.target, got, test.want, err)
		}
	}
}

// TestInstructions: what is not in the instruction table is not printed.
func TestInstructions(t *testing.T) {
	for _, test := range []struct {
		want string
		emit func(s script, x, wide Reg)
	}{
		{"add.s33: no such opcode", func(s script, x, _ Reg) { s.Do("add.s33", R(x), R(x)) }},
		{`add.s32: the operands are not "t = t t/i"`, func(s script, x, _ Reg) { s.Do("add.s32", R(x)) }},
		{`add.s32: the operands are not "t = t t/i"`, func(s script, x, wide Reg) { s.Do("add.s32", R(x), R(wide)) }},
		{`add.s64: the operands are not "t = t t/i"`, func(s script, x, wide Reg) { s.Into(s.Reg(B32), "add.s64", R(wide), R(wide)) }},
		{`st.global.v2.b32: the operands are not "= m *t"`, func(s script, x, wide Reg) { s.Effect("st.global.v2.b32", M(wide, 0), V(x, x, x, x)) }},
		{"add.bf16: sm_80 does not have it, but sm_90 does", func(s script, x, _ Reg) {
			h := s.Do("cvt.u16.u32", R(x))
			s.Do("add.bf16", R(h), R(h))
		}},
		{"wgmma.wait_group.sync.aligned: sm_80 does not have it, but sm_90a does", func(s script, _, _ Reg) { s.Effect("wgmma.wait_group.sync.aligned", I(0)) }},
	} {
		s := newScript()
		s.Target = "sm_80"
		x := s.tid()
		test.emit(s, x, s.Do("cvt.u64.u32", R(x)))
		for _, piece := range s.body.all() {
			for i := range piece {
				piece[i].Effect = true
			}
		}
		_, _, err := Finish(s.Program)
		var e *InstructionError
		if !errors.As(err, &e) || e.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

func TestLines(t *testing.T) {
	s := newScript()
	s.Span = source.Span{Start: 3, End: 7}
	x := s.tid()
	s.Span = source.Span{Start: 9, End: 12}
	s.out(x)
	text, lines, err := Finish(s.Program)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text, "\n"); n != len(lines) {
		t.Fatalf("%d lines, %d spans", n, len(lines))
	}
	for i, line := range slices.Collect(strings.Lines(text)) {
		want := source.Span{}
		switch {
		case strings.Contains(line, "%tid.x"):
			want = source.Span{Start: 3, End: 7}
		case strings.Contains(line, "st.global"), strings.Contains(line, "ld.param"):
			want = source.Span{Start: 9, End: 12}
		}
		if lines[i] != want {
			t.Errorf("%s comes from %v, want %v", line, lines[i], want)
		}
	}
}
