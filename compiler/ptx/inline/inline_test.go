package inline_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/inline"
	_ "github.com/newtlab/newt/compiler/ptx/sim" // the assembler of inline assembly
)

func TestParseRefuses(t *testing.T) {
	one := []num.DType{num.Int32}
	for _, c := range []struct {
		text, constraints string
		results, args     []num.DType
		pack              int
		code              string
		arguments         []any
	}{
		{"mov.b32 $0, $1;", "=r,x", one, one, 1, inline.UnknownConstraint, []any{"x"}},
		{"mov.b32 $0, $1;", "=r,0", one, one, 1, inline.UnknownConstraint, []any{"0"}},
		{"mov.b32 $0, $1;", "=n,r", one, one, 1, inline.UnknownConstraint, []any{"=n"}},
		{"mov.b32 $0, $1;", "=r,", one, one, 1, inline.UnknownConstraint, []any{""}},
		{"mov.b32 $0, 1;", "=r,n", one, one, 1, inline.UnknownConstraint, []any{"n"}},
		{"mov.b32 $0, $1;", "r,=r", one, one, 1, inline.MisplacedOutput, []any{"=r"}},
		{"mov.b32 $0, $1;", "=r", one, one, 1, inline.ConstraintCount, []any{1, 1, 1, 0}},
		{"mov.b32 $0, $1;", "=r,r", one, one, 2, inline.ConstraintCount, []any{2, 2, 1, 1}},
		{"mov.b32 $0, $1;", "=r,h", one, one, 1, inline.TooWide, []any{1, "h", 16, "int32", 32}},
		{"mov.b32 $0, $1;", "=r,r", one, []num.DType{num.Float64}, 1, inline.TooWide, []any{1, "r", 32, "fp64", 64}},
		{"mov.b32 $0, $1;", "=b,r", one, one, 1, inline.TooWide, []any{0, "b", 1, "int32", 32}},
		{"mov.b32 $0, $1;", "=r,r", one, one, 3, inline.BadPack, []any{3}},
		{"mov.b32 $0, $1;", "=r,r", one, one, 0, inline.BadPack, []any{0}},
		{"mov.b32 $0,\n$1 $1;", "=r,r", one, one, 1, inline.Malformed, nil},
		{"\nst.global.b32 [$1], 1;", "=r,l", one, []num.DType{num.Int64}, 1, "asm-memory", []any{2, "st.global.b32"}},
	} {
		_, err := inline.Parse(c.text, c.constraints, c.results, c.args, c.pack)
		var e *inline.Error
		if !errors.As(err, &e) || e.Code != c.code || c.arguments != nil && !slices.Equal(e.Args, c.arguments) {
			t.Errorf("%q with %q: %v, want %s %v", c.text, c.constraints, err, c.code, c.arguments)
		}
	}
}

func TestRegisters(t *testing.T) {
	for _, c := range []struct {
		dtype             num.DType
		pack, count, each int
	}{
		{num.Int32, 1, 1, 1}, {num.Int32, 4, 4, 1}, {num.Float64, 2, 2, 1}, {num.Int8, 1, 1, 1}, {num.Int8, 2, 1, 2},
		{num.Int8, 4, 1, 4}, {num.Float8E5M2, 8, 2, 4}, {num.BFloat16, 2, 1, 2}, {num.Float16, 8, 4, 2}, {num.Int1, 4, 4, 1},
	} {
		if count, each := inline.Registers(c.dtype, c.pack); count != c.count || each != c.each {
			t.Errorf("%d of %s take %d registers of %d, want %d of %d", c.pack, c.dtype, count, each, c.count, c.each)
		}
	}
}

func TestSubstitute(t *testing.T) {
	got := inline.Substitute("lop3.b32 $0, ${1}, $2, $3, $10; $$x $y", map[int]string{1: "-7", 3: "0x1"})
	if want := "lop3.b32 ${0}, -7, ${1}, 0x1, ${8}; $$x $y"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestRun: groups of elements in registers, of vectors that are longer than the lanes of one run.
func TestRun(t *testing.T) {
	a, err := inline.Parse("prmt.b32 $0, $1, $1, 0x0123;", "=r,r", []num.DType{num.Uint8}, []num.DType{num.Uint8}, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, scalars := range []bool{false, true} {
		x, y := num.MakeVec(num.ClassI32, 160), num.MakeVec(num.ClassI32, 160)
		for i := range x.I32 {
			x.I32[i] = int32(i)
		}
		a.NewRunner().Run([]num.Vec{y}, []num.Vec{x}, 160, scalars)
		for i, got := range y.I32 {
			want := int32(i ^ 3)
			if scalars { // the high bytes of the register are 0
				want = 0
			}
			if got != want {
				t.Fatalf("element %d is %d, want %d", i, got, want)
			}
		}
	}
}
