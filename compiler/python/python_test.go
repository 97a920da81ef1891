package python

import (
	"math"
	"strings"
	"testing"
)

// TestLimits checks what CPython would go on with and newt refuses.
func TestLimits(t *testing.T) {
	huge, err := Binary("**", NewInt(2), NewInt(MaxBits-1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		op    string
		a, b  Value
		class string
	}{
		{"**", NewInt(2), NewInt(MaxBits), "OverflowError"},
		{"**", NewInt(10), NewInt(math.MaxInt64), "OverflowError"},
		{"<<", NewInt(1), NewInt(MaxBits), "OverflowError"},
		{"<<", NewInt(1), huge, "OverflowError"},
		{"*", huge, huge, "OverflowError"},
		{"+", huge, huge, "OverflowError"},
		{"**", Float(-8), Float(0.5), "ValueError"},
		{"*", Str("ab"), NewInt(math.MaxInt64), "MemoryError"},
		{"*", Str("ab"), NewInt(maxText), "MemoryError"},
		{"%", Str("%99999999d"), NewInt(1), "ValueError"},
	} {
		v, err := Binary(c.op, c.a, c.b)
		if err == nil || err.Class != c.class {
			t.Errorf("%s: got %v, %v; want %s", c.op, v, err, c.class)
		}
	}
	if v, err := Binary("**", NewInt(-1), huge); err != nil || Repr(v) != "1" {
		t.Errorf("(-1)**huge: got %v, %v", v, err)
	}
	if _, err := Format(NewInt(1), "9999999d"); err == nil {
		t.Error("a width of ten million is accepted")
	}
	if _, err := ParseInt(strings.Repeat("9", 50000)); err == nil {
		t.Error("an integer of 50000 digits is accepted")
	}
}

func TestTruthAndIdentity(t *testing.T) {
	for _, v := range []Value{None{}, Bool(false), Int{}, Float(0), Str(""), Tuple{}, List{}} {
		if Truth(v) {
			t.Errorf("%s %s is true", v.Type(), Repr(v))
		}
	}
	for _, v := range []Value{Bool(true), NewInt(-1), Float(math.NaN()), Str("0"), Tuple{None{}}, List{None{}}} {
		if !Truth(v) {
			t.Errorf("%s %s is false", v.Type(), Repr(v))
		}
	}
	for _, c := range []struct {
		a, b Value
		want bool
	}{{None{}, None{}, true}, {Bool(true), NewInt(1), false}, {NewInt(1), Float(1), false}, {NewInt(1), NewInt(1), true}} {
		if got, err := Compare("is", c.a, c.b); err != nil || got != c.want {
			t.Errorf("%s is %s: got %v", Repr(c.a), Repr(c.b), got)
		}
	}
}

// TestFields checks what text.format hands to its caller.
func TestFields(t *testing.T) {
	var asked []string
	got, err := FormatFields("a{x!r:>{w}}b{}{{c}}{}", func(name string, conversion byte, spec string) (string, *Error) {
		asked = append(asked, name+string(rune(conversion+'@'))+spec)
		return "<" + name + ">", nil
	})
	if err != nil || got != "a<x>b<0>{c}<1>" || strings.Join(asked, " ") != "w@ x\u00b2><w> 0@ 1@" {
		t.Errorf("got %q, %v, asked %q", got, err, asked)
	}
}

// FuzzText feeds formats and texts to everything that reads them.
func FuzzText(f *testing.F) {
	for _, seed := range []string{"*^+#020,.3f", "%-*.*f%%%(a)s", "{0!r:>{1}}{{", "世<5", "0_x", " 1_0.5e-3 ", "0b1_1", "\x80\xff"} {
		f.Add(seed, int64(-42), 1.5)
	}
	f.Fuzz(func(t *testing.T, text string, i int64, x float64) {
		values := []Value{NewInt(i), Float(x), Str(text), Bool(i > 0), None{}}
		limit := func(s string, err *Error) {
			if err == nil && len(s) > 2*maxText {
				t.Fatalf("%q makes %d bytes", text, len(s))
			}
		}
		for _, v := range values {
			limit(Format(v, text))
		}
		limit(Percent(text, values))
		for name, m := range methods {
			for n := range 3 {
				_, _ = Str(text).Method(name, values[:n])
				_, _ = Str(text).Method(name, []Value{Str(text), NewInt(i), Str("x")}[:n])
			}
			if m.args == "v" {
				_, _ = Str(text).Method(name, []Value{List{Str(text), Str("a")}})
			}
		}
		for name := range functions {
			_, _ = Call(name, []Value{Str(text)})
			_, _ = Call(name, []Value{Float(x), NewInt(i)})
			_, _ = Call(name, []Value{NewInt(i), NewInt(int64(x))})
		}
		for op := range integerOps {
			_, _ = Binary(op, NewInt(i), NewInt(int64(x)))
			_, _ = Binary(op, NewInt(i), Float(x))
			_, _ = Binary(op, Float(x), Float(float64(i)))
		}
		_, _ = Str(text).Slice(NewInt(i), NewInt(int64(x)), NewInt(i%7))
	})
}

func BenchmarkAddInt(b *testing.B) {
	var v Value = NewInt(1)
	for b.Loop() {
		v, _ = Binary("+", v, NewInt(3))
	}
}
