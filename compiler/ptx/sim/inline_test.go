package sim

import (
	"errors"
	"strings"
	"testing"
)

// inlineCase runs text on lane numbers as $1, $2 = 100 and expects a function of them in $0.
func TestInlineRuns(t *testing.T) {
	for _, c := range []struct {
		text string
		want func(lane uint64) uint64
	}{
		{"add.u32 $0, $1, $2;", func(l uint64) uint64 { return l + 100 }},
		{"{ .reg .b32 t; shl.b32 t, $1, 2; add.u32 ${0}, t, ${2}; }", func(l uint64) uint64 { return 4*l + 100 }},
		{`{
			.reg .pred %p<2>; // as a compiler names them
			setp.gt.u32 %p1, $1, 20;
			@%p1 mov.b32 $0, $2;
			@!%p1 mov.b32 $0, 7;
		}`, func(l uint64) uint64 {
			if l > 20 {
				return 100
			}
			return 7
		}},
		{".reg .b8 t<4>; mov.b32 {t0, t1, t2, t3}, $1; cvt.u32.u8 $0, t0;", func(l uint64) uint64 { return l }},
		{"lop3.b32 $0, $1, $2, 0, 0x3c;", func(l uint64) uint64 { return l ^ 100 }},
		{"mov.b32 $0, $1; fence.sc.sys; membar.gl;", func(l uint64) uint64 { return l }},
		{".reg .b32 $$x; mov.b32 $$x, 3; mov.b32 $0, $$x;", func(uint64) uint64 { return 3 }},
	} {
		in, err := ParseInline(c.text, []string{"b32", "b32", "b32"})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		f := in.NewFrame()
		for l := range uint64(32) {
			f.Operand(1)[l], f.Operand(2)[l] = l, 100
		}
		f.Run()
		for l := range uint64(32) {
			if got := f.Operand(0)[l]; got != c.want(l) {
				t.Errorf("%s: lane %d is %d, want %d", c.text, l, got, c.want(l))
				break
			}
		}
	}
}

func TestInlineRefuses(t *testing.T) {
	for text, reason := range map[string]Reason{
		"ld.global.b32 $0, [$1];":               RefusedMemory,
		"@p st.shared.b32 [$1], $0;":            RefusedMemory,
		"@!p red.global.add.u32 [$1], 1;":       RefusedMemory,
		"cvta.to.global.u64 $0, $1;":            RefusedMemory,
		"multimem.ld_reduce.add.u32 $0, [$1];":  RefusedMemory,
		"again: bra again;":                     RefusedControl,
		"bra.uni $$out;":                        RefusedControl,
		"call f;":                               RefusedControl,
		"exit;":                                 RefusedControl,
		"bar.sync 0;":                           RefusedBarrier,
		"fence.proxy.async;":                    RefusedBarrier,
		"nanosleep.u32 1000000;":                RefusedBarrier,
		"shfl.sync.idx.b32 $0, $1, 0, 31, -1;":  RefusedLanes,
		"mov.u32 $0, %tid.x;":                   RefusedLanes,
		"add.u32 $0, $1, %laneid;":              RefusedLanes,
		".entry k() { }":                        RefusedDirective,
		".shared .b32 x;":                       RefusedDirective,
		".loc 1 1 1":                            RefusedDirective,
		"cvt.rs.f16x2.f32 $0, $1, $2, $1;":      RefusedUnknown,
		"add.b77 $0, $1, $2;":                   RefusedUnknown,
		"mov.b32 $0, $3;":                       RefusedOperand,
		"mov.b32 $0, $x;":                       RefusedOperand,
		"mov.b32 $0, $01;":                      RefusedOperand,
		"mov.b32 $0, $99999999999999999999999;": RefusedOperand,
	} {
		_, err := ParseInline(text, []string{"b32", "b32", "b32"})
		var r *Refusal
		if !errors.As(err, &r) || r.Reason != reason {
			t.Errorf("%s: %v, want a refusal for %q", text, err, reason)
		}
	}
	for _, text := range []string{
		"mov.b32 $0, %r1;", "mov.b32 $0, x", "mov.b32 $0", "{", "}", "} {", "{ } }", "/* ", ".reg .b32 $0;", ".reg .pred %clock;",
		".reg .b32 .x;", ".reg .b32 a::b<3>;",
		".reg .b32 t; } mov.b32 $0, t; {", "mov.b64 $0, $1;", "add.f64 $0, $1, $2;", "mov.u64 $0, %clock;", "\"x\";", "@p;",
		"mov.b32 $0, 0x1.8p3;", "mov.b32 $0, shared_memory;", "add.u32 $0, $1;", "é;",
	} {
		if in, err := ParseInline(text, []string{"b32", "b32", "b32"}); err == nil {
			t.Errorf("%s is taken as %q", text, in.Print([]string{"a", "b", "c"}))
		}
	}
}

func TestInlinePrint(t *testing.T) {
	in, err := ParseInline(`{ .reg .b32 t,%r<3>; /* what
		it does */ add.u32 t, $1, -1; @!$3 mov.b32 %r1, t; mov.b32 {$4, $5}, %r1; } mov.u32 $0, %clock; // end`,
		[]string{"b32", "b32", "b32", "pred", "b16", "b16"})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
{
.reg .b32 t, %_r<3>;
add.u32 t, %r2, -1;
@!%p1 mov.b32 %_r1, t;
mov.b32 {%h1, %h2}, %_r1;
}
mov.u32 %r1, %clock;
}`
	if got := strings.Join(in.Print([]string{"%r1", "%r2", "%r3", "%p1", "%h1", "%h2"}), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// FuzzInline checks that what is taken is taken again as it is printed, and runs.
func FuzzInline(f *testing.F) {
	for _, text := range []string{
		"{ .reg .pred p; setp.gt.f32 p, $1, 20.; @p mov.f32 $0, $1; @!p ex2.approx.ftz.f32 $0, $1; }",
		"lop3.b32 $0, $1, $2, 0xf0, 0xca; // x", "mov.u32 $0, %clock;", "prmt.b32 ${0}, $1, $2, 0x5410;",
		".reg .b16 a<2>; mov.b32 {a0, a1}, $1; cvt.f32.f16 $0, a0;", "ld.global.b32 $0, [$1];", "$$x: bra $$x;",
	} {
		f.Add(text)
	}
	types, names := []string{"b32", "b32", "b32", "pred"}, []string{"$0", "$1", "$2", "$3"}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := ParseInline(text, types)
		if err != nil || strings.Contains(text, "$$") { // which is printed as $
			return
		}
		in.NewFrame().Run()
		printed := strings.Join(in.Print(names), "\n")
		again, err := ParseInline(strings.ReplaceAll(printed, "%_", "%"), types)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", text, printed, err)
		}
		if len(again.kernel.code) != len(in.kernel.code) {
			t.Fatalf("%q has %d instructions, as printed %d", text, len(in.kernel.code), len(again.kernel.code))
		}
		for _, line := range in.Print(names) {
			if strings.ContainsAny(line, "[]\n\"") {
				t.Fatalf("%q is printed as %q", text, printed)
			}
		}
	})
}
