package axis_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
)

func parse(t *testing.T, text string) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	fn.Number()
	return fn
}

// named finds the value of that name; of several, the last.
func named(fn *ir.Func, name string) (found *ir.Value) {
	for _, p := range fn.Params {
		if p.Name == name {
			found = p.Value
		}
	}
	fn.Body.Walk(func(in *ir.Instr) {
		for _, v := range in.Results {
			if v.Name == name {
				found = v
			}
		}
	})
	return found
}

// TestDims is about value x of a few lines: contiguity, divisibility and constancy, a dimension
// after the other. %r is 0 … 15, %start a multiple of 16, %any any number, each also as a tile.
func TestDims(t *testing.T) {
	const head = `func @k(%p: *fp16 {div=16}, %start: i32 {div=16}, %any: i32) {
  %r = arange {start=0, end=16} : i32[16]
  %starts = splat %start {shape=[16]} : i32[16]
  %anys = splat %any {shape=[16]} : i32[16]
  %four = const {value=i32(4), shape=[16]} : i32[16]
  %eight = const {value=i32(8), shape=[16]} : i32[16]
  %three = const {value=i32(3), shape=[16]} : i32[16]
  %ps = splat %p {shape=[16]} : *fp16[16]
`
	const most = 1 << 30
	cases := []struct {
		body string
		want [][3]int64
	}{
		{`%x = add %starts, %r : i32[16]`, [][3]int64{{16, 16, 1}}},
		{`%x = add %anys, %r : i32[16]`, [][3]int64{{16, 1, 1}}},
		{`%x = add %r, %r : i32[16]`, [][3]int64{{1, 2, 1}}},
		{`%x = sub %r, %four : i32[16]`, [][3]int64{{16, 4, 1}}},
		{`%x = sub %four, %r : i32[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = sub %r, %r : i32[16]`, [][3]int64{{1, most, 16}}},
		{`%x = mul %r, %four : i32[16]`, [][3]int64{{1, 4, 1}}},
		{`%x = mul %starts, %four : i32[16]`, [][3]int64{{1, 64, 16}}},
		{`%x = div %r, %four : i32[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = div %r, %three : i32[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = rem %r, %four : i32[16]`, [][3]int64{{4, 4, 1}}},
		{`%x = and %r, %three : i32[16]`, [][3]int64{{4, 4, 1}}},
		{`%x = and %r, %four : i32[16]`, [][3]int64{{1, 4, 4}}},
		{`%x = or %starts, %r : i32[16]`, [][3]int64{{16, 16, 1}}},
		{`%x = shr %r, %three : i32[16]`, [][3]int64{{1, 1, 8}}},
		{`%x = shl %r, %three : i32[16]`, [][3]int64{{1, 8, 1}}},
		{`%x = lt %r, %starts : i1[16]`, [][3]int64{{1, 1, 16}}},
		{`%x = lt %r, %four : i1[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = le %r, %four : i1[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = le %r, %three : i1[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = gt %r, %four : i1[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = gt %r, %three : i1[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = ge %r, %four : i1[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = ge %r, %three : i1[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = ge %three, %r : i1[16]`, [][3]int64{{1, 1, 4}}},
		{`%x = lt %four, %r : i1[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = gt %starts, %r : i1[16]`, [][3]int64{{1, 1, 16}}},
		{`%x = eq %r, %four : i1[16]`, [][3]int64{{1, 1, 1}}},
		{`%x = addptr %ps, %r : *fp16[16]`, [][3]int64{{16, 16, 1}}},
		{`%y = addptr %ps, %four : *fp16[16]
		  %x = addptr %y, %r : *fp16[16]`, [][3]int64{{16, 8, 1}}},
		{`%b = div %r, %four : i32[16]
		  %e = mul %b, %eight : i32[16]
		  %y = addptr %ps, %e : *fp16[16]
		  %x = addptr %y, %r : *fp16[16]`, [][3]int64{{4, 8, 1}}},
		{`%c = lt %r, %four : i1[16]
		  %y = add %starts, %r : i32[16]
		  %x = select %c, %y, %r : i32[16]`, [][3]int64{{4, 4, 1}}},
		{`%y = expand_dims %r {axis=1} : i32[16, 1]
		  %x = broadcast %y {shape=[16, 8]} : i32[16, 8]`, [][3]int64{{16, most, 1}, {1, 1, 8}}},
		{`%x = reshape %r {shape=[4, 4]} : i32[4, 4]`, [][3]int64{{1, 1, 1}, {4, 4, 1}}},
		{`%y = div %r, %four : i32[16]
		  %x = reshape %y {shape=[8, 2]} : i32[8, 2]`, [][3]int64{{1, 1, 2}, {1, 1, 2}}},
		{`%y = expand_dims %r {axis=0} : i32[1, 16]
		  %x = trans %y {perm=[1, 0]} : i32[16, 1]`, [][3]int64{{16, most, 1}, {1, 1, 1}}},
		{`%x = hint %anys {contiguity=[8], divisibility=[24]} : i32[16]`, [][3]int64{{8, 8, 16}}},
		{`%w = cast %r {to=i64} : i64[16]
		  %x = cast %w {to=fp32} : fp32[16]`, [][3]int64{{1, 1, 1}}},
		{`%zero = const {value=i32(0)} : i32
		  %x = for %zero, %any, %start, %r : i32[16] do (%i: i32, %at: i32[16]) {
		    %at#2 = add %at, %four : i32[16]
		    yield %at#2
		  }`, [][3]int64{{16, 4, 1}}},
		{`%zero = const {value=i32(0)} : i32
		  for %start, %any, %start do (%i: i32) {
		    %x = add %i, %zero : i32
		    yield
		  }`, [][3]int64{{1, 16, 1}}},
		// What steps are is known once the loop is walked.
		{`%zero = const {value=i32(0)} : i32
		  %y = for %zero, %any, %start, %ps : *fp16[16] do (%i: i32, %at: *fp16[16]) {
		    %x = addptr %at, %r : *fp16[16]
		    %by = mul %i, %start : i32
		    %bys = splat %by {shape=[16]} : i32[16]
		    %at#2 = addptr %at, %bys : *fp16[16]
		    yield %at#2
		  }`, [][3]int64{{16, 16, 1}}},
		{`%n, %y = while %any, %r : i32, i32[16] cond (%i: i32, %at: i32[16]) {
		    %x = add %at, %four : i32[16]
		    %more = lt %i, %start : i1
		    condition %more, %i, %at
		  } do (%j: i32, %at#2: i32[16]) {
		    %by = add %j, %j : i32
		    %bys = splat %by {shape=[16]} : i32[16]
		    %at#3 = add %bys, %at#2 : i32[16]
		    yield %by, %at#3
		  }`, [][3]int64{{16, 2, 1}}},
		{`%zero = const {value=i32(0)} : i32
		  %y = for %zero, %any, %start, %r : i32[16] do (%i: i32, %at: i32[16]) {
		    %x = add %at, %four : i32[16]
		    %at#2 = add %at, %at : i32[16]
		    yield %at#2
		  }`, [][3]int64{{1, 1, 1}}},
	}
	// Tiles longer than half of what 8-bit integers hold.
	const long = `%l = arange {start=0, end=512} : i32[512]
		  %b = cast %l {to=i8} : i8[512]
		  %zero = const {value=i8(0), shape=[512]} : i8[512]
		  %five = const {value=i8(5), shape=[512]} : i8[512]
		  %pl = splat %p {shape=[512]} : *fp16[512]
`
	for body, want := range map[string][3]int64{
		`%x = cast %l {to=i8} : i8[512]`:   {128, 128, 1},
		`%x = cast %l {to=u8} : u8[512]`:   {128, 128, 1},
		`%x = cast %l {to=i16} : i16[512]`: {512, most, 1},
		`%x = cast %b {to=i32} : i32[512]`: {128, 128, 1},
		`%x = lt %b, %zero : i1[512]`:      {1, 1, 128},
		`%x = add %b, %five : i8[512]`:     {1, 1, 1},
		`%x = addptr %pl, %b : *fp16[512]`: {128, 16, 1},
		`%y = add %b, %five : i8[512]
		  %x = cast %y {to=i64} : i64[512]`: {1, 1, 1},
		`%y = add %b, %five : i8[512]
		  %x = addptr %pl, %y : *fp16[512]`: {1, 2, 1},
		`%y = hint %b {contiguity=[512]} : i8[512]
		  %x = cast %y {to=i32} : i32[512]`: {128, 128, 1},
	} {
		cases = append(cases, struct {
			body string
			want [][3]int64
		}{long + body, [][3]int64{want}})
	}
	for _, c := range cases {
		fn := parse(t, head+c.body+"\n return\n}")
		var got [][3]int64
		for _, d := range axis.Analyze(fn).Dims(named(fn, "x")) {
			got = append(got, [3]int64{d.Contiguity, d.Divisibility, d.Constancy})
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s\n%v, want %v", c.body, got, c.want)
		}
	}
}

// TestSignedQuotients: -16 … -1 divided by 16 is -1 once and then 0; facts that overlook it say so.
func TestSignedQuotients(t *testing.T) {
	fn := parse(t, `func @k(%n: i32 {div=16}, %d: i32 {div=8}) {
  %r = arange {start=0, end=16} : i32[16]
  %ns = splat %n {shape=[16]} : i32[16]
  %ds = splat %d {shape=[16]} : i32[16]
  %a = add %ns, %r : i32[16]
  %q = div %a, %ds : i32[16]
  %m = rem %r, %ds : i32[16]
  return
}`)
	var assumed []string
	known := axis.Analyze(fn)
	for _, a := range known.Assumptions() {
		assumed = append(assumed, fmt.Sprint(a.Value.Name, " ", a.AtLeast))
	}
	if got, want := strings.Join(assumed, ", "), "ds 1, a 0"; got != want {
		t.Errorf("assumed: %s, want %s", got, want)
	}
	if got := known.Dims(named(fn, "q"))[0]; got.Constancy != 8 {
		t.Errorf("quotient: %v", got)
	}
	signed := axis.AnalyzeSigned(fn)
	if got := signed.Dims(named(fn, "q"))[0]; got.Constancy != 1 || len(signed.Assumptions()) > 0 {
		t.Errorf("quotient without assumptions: %v", got)
	}
	if got := signed.Dims(named(fn, "m"))[0]; got.Contiguity != 1 {
		t.Errorf("remainder without assumptions: %v", got)
	}
}

// TestConst: what is known of the upper half of uint64, which no int64 holds, must not be that of negative numbers.
func TestConst(t *testing.T) {
	for _, c := range []struct {
		expr string
		want int64
		ok   bool
	}{
		{"cast %minus {to=u64} : u64", 0, false},
		{"min %all, %one : u64", 0, false},
		{"max %all, %one : u64", 0, false},
		{"cast %minus {to=i64} : i64", -1, true},
		{"add %one, %one : u64", 2, true},
	} {
		fn := parse(t, `func @k() {
  %minus = const {value=i32(-1)} : i32
  %all = cast %minus {to=u64} : u64
  %one = const {value=u64(1)} : u64
  %x = `+c.expr+`
  return
}`)
		if got, ok := axis.Analyze(fn).Const(named(fn, "x")); got != c.want || ok != c.ok {
			t.Errorf("%s: %d, %v, want %d, %v", c.expr, got, ok, c.want, c.ok)
		}
	}
}

const pointers = `func @k(%p: *fp32 {div=16}, %q: *fp32 {div=16}, %c: i1, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %r = arange {start=0, end=16} : i32[16]
  %ps = splat %p {shape=[16]} : *fp32[16]
  %a = addptr %ps, %r : *fp32[16]
  %either = if %c : *fp32 then {
    yield %p
  } else {
    yield %q
  }
  %moved = for %zero, %n, %n, %q : *fp32 do (%i: i32, %at: *fp32) {
    %at#2 = addptr %at, %n : *fp32
    yield %at#2
  }
  %swapped = for %zero, %n, %n, %q : *fp32 do (%k: i32, %it: *fp32) {
    yield %p
  }
  %h = hint %r {contiguity=[16]} : i32[16]
  %s = mul %r, %h : i32[16]
  %t = hint %s {contiguity=[4]} : i32[16]
  %b = addptr %ps, %t : *fp32[16]
  %u = hint %s {contiguity=[4], divisibility=[4]} : i32[16]
  %c4 = addptr %ps, %u : *fp32[16]
  %x = load %a : fp32[16]
  %y = load %b : fp32[16]
  %z = load %c4 : fp32[16]
  return
}`

// TestPointers: which argument pointers point into, and how much of one access rests on hints.
func TestPointers(t *testing.T) {
	fn := parse(t, pointers)
	known := axis.Analyze(fn)
	for name, want := range map[string]int{"a": 0, "either": axis.Mixed, "moved": 1, "swapped": axis.Mixed} {
		if got := known.Argument(named(fn, name)); got != want {
			t.Errorf("%s points into argument %d, want %d", name, got, want)
		}
	}
	for name, want := range map[string]struct {
		n       int
		vouched bool
	}{"x": {4, false}, "y": {1, false}, "z": {4, true}} {
		in := named(fn, name).Def
		if n, vouched := known.Vector(in), known.Hinted(in); n != want.n || vouched != want.vouched {
			t.Errorf("load of %s: %d elements at once, vouched %v; want %v", name, n, vouched, want)
		}
	}
}

// TestReach: what decides which elements an access reaches is its address, its mask, and the control flow around it.
func TestReach(t *testing.T) {
	fn := parse(t, `func @k(%p: *i32, %n: i32, %m: i32, %c: i1) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %data = add %n, %m : i32
  %end = add %m, %one : i32
  %where = if %c : i32 then {
    %there = add %n, %one : i32
    yield %there
  } else {
    yield %zero
  }
  for %zero, %end, %one do (%i: i32) {
    %far = add %i, %where : i32
    %at = addptr %p, %far : *i32
    store %at, %data
    yield
  }
  %x = load %p : i32
  return
}`)
	reach := axis.Reach(fn)
	fn.Body.Walk(func(in *ir.Instr) {
		want, ok := map[ops.Op]string{ops.Store: "at c end far i m n one p there where zero", ops.Load: "p"}[in.Op]
		if !ok {
			return
		}
		var got []string
		for v := range reach(in) {
			got = append(got, v.Name)
		}
		slices.Sort(got)
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%v rests on %s, want %s", in.Op, got, want)
		}
	})
}

func TestControl(t *testing.T) {
	fn := parse(t, `func @k(%p: *i32, %q: *i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %count = load %p : i32
  %other = load %q : i32
  %r = arange {start=0, end=16} : i32[16]
  %ps = splat %p {shape=[16]} : *i32[16]
  %at = addptr %ps, %r : *i32[16]
  %tile = load %at : i32[16]
  %sum = reduce %tile {axis=0} : i32 combine (%x: i32, %y: i32) {
    %z = add %x, %y : i32
    yield %z
  }
  %first = load %q : i32
  %end = while %first : i32 cond (%w: i32) {
    %more = lt %w, %sum : i1
    condition %more, %w
  } do (%v: i32) {
    %v#2 = add %v, %one : i32
    yield %v#2
  }
  for %zero, %count, %one do (%i: i32) {
    store %q, %other
    yield
  }
  return
}`)
	var got []string
	for in := range axis.Control(fn) {
		got = append(got, in.Results[0].Name)
	}
	slices.Sort(got)
	if want := []string{"count", "first", "sum"}; !slices.Equal(got, want) {
		t.Errorf("control rests on %v, want %v", got, want)
	}
}
