package bounds_test

import (
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
)

// prove runs a kernel's text form; pointers reach elements 0 … n-1.
func prove(t *testing.T, text string, grid, n int, scalars ...int64) (*ir.Func, *bounds.Proof) {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	fn.Number()
	args := bounds.Args{Grid: [3]int{grid, 1, 1}}
	for _, p := range fn.Params {
		if p.Value.Type.Pointer {
			args.Args = append(args.Args, bounds.Arg{Count: int64(n)})
			continue
		}
		args.Args = append(args.Args, bounds.Arg{Value: num.FromInt(p.Value.Type.DType, scalars[0])})
		scalars = scalars[1:]
	}
	return fn, bounds.New(fn, axis.Analyze(fn)).Prove(args)
}

// TestStores is about kernels with one store: whether it is in range for these arguments.
func TestStores(t *testing.T) {
	const head = `func @k(%p: *i32, %n: i32, %m: i32, %aligned: *i32 {div=16}) {
  %one = const {value=i32(1), shape=[8]} : i32[8]
  %r = arange {start=0, end=8} : i32[8]
  %ps = splat %p {shape=[8]} : *i32[8]
  %as = splat %aligned {shape=[8]} : *i32[8]
  %ns = splat %n {shape=[8]} : i32[8]
  %ms = splat %m {shape=[8]} : i32[8]
`
	cases := []struct {
		name, body string
		grid, n    int
		scalars    []int64
		want       bool
	}{
		{"whole tile", `%q = addptr %ps, %r : *i32[8]
			store %q, %one`, 1, 8, []int64{0, 0}, true},
		{"one short", `%q = addptr %ps, %r : *i32[8]
			store %q, %one`, 1, 7, []int64{0, 0}, false},
		{"no elements, nothing let through", `%c = lt %r, %ns : i1[8]
			%q = addptr %ps, %r : *i32[8]
			store %q, %one, %c`, 1, 0, []int64{0, 0}, true},
		// In the integers no x above 2³¹-8 is below 8, so the mask seems to let nothing through;
		// the sum wraps, and it does.
		{"sum wraps", `%x = add %r, %ns : i32[8]
			%c = lt %x, %ms : i1[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one, %c`, 1, 8, []int64{1<<31 - 4, 8}, false},
		{"product wraps", `%x = mul %ns, %ns : i32[8]
			%c = lt %x, %ms : i1[8]
			%q = addptr %ps, %ns : *i32[8]
			store %q, %one, %c`, 1, 8, []int64{1 << 17, 8}, false},
		{"negative remainder", `%y = sub %r, %ns : i32[8]
			%x = rem %y, %ms : i32[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one`, 1, 8, []int64{4, 8}, false},
		{"remainder", `%y = add %r, %ns : i32[8]
			%x = rem %y, %ms : i32[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one`, 1, 8, []int64{4, 8}, true},
		{"divisor may be 0", `%pid = program_id {axis=0} : i32
			%d = splat %pid {shape=[8]} : i32[8]
			%x = div %r, %d : i32[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one`, 2, 8, []int64{0, 0}, false},
		{"quotient under a mask", `%pid = program_id {axis=0} : i32
			%ds = splat %pid {shape=[8]} : i32[8]
			%y = mul %ds, %ms : i32[8]
			%x = add %y, %r : i32[8]
			%c = lt %x, %ns : i1[8]
			%w = div %x, %ms : i32[8]
			%q = addptr %ps, %w : *i32[8]
			store %q, %one, %c`, 100, 3, []int64{24, 8}, true},
		{"quotient past the mask", `%pid = program_id {axis=0} : i32
			%ds = splat %pid {shape=[8]} : i32[8]
			%y = mul %ds, %ms : i32[8]
			%x = add %y, %r : i32[8]
			%c = lt %x, %ns : i1[8]
			%w = div %x, %ms : i32[8]
			%q = addptr %ps, %w : *i32[8]
			store %q, %one, %c`, 100, 3, []int64{25, 8}, false},
		// Rows and columns come from one arange but are not the same number.
		{"mask of the other dimension", `%a = expand_dims %r {axis=0} : i32[1, 8]
			%b = expand_dims %r {axis=1} : i32[8, 1]
			%ws = expand_dims %ns {axis=0} : i32[1, 8]
			%c = lt %a, %ws : i1[1, 8]
			%cs = broadcast %c {shape=[8, 8]} : i1[8, 8]
			%x = broadcast %b {shape=[8, 8]} : i32[8, 8]
			%qs = splat %p {shape=[8, 8]} : *i32[8, 8]
			%q = addptr %qs, %x : *i32[8, 8]
			%v = const {value=i32(1), shape=[8, 8]} : i32[8, 8]
			store %q, %v, %cs`, 1, 4, []int64{4, 0}, false},
		{"mask of the same dimension, transposed", `%a = expand_dims %r {axis=0} : i32[1, 8]
			%b = expand_dims %r {axis=1} : i32[8, 1]
			%ws = expand_dims %ns {axis=0} : i32[1, 8]
			%c = lt %a, %ws : i1[1, 8]
			%ct = trans %c {perm=[1, 0]} : i1[8, 1]
			%qs = splat %p {shape=[8, 1]} : *i32[8, 1]
			%q = addptr %qs, %b : *i32[8, 1]
			%v = const {value=i32(1), shape=[8, 1]} : i32[8, 1]
			store %q, %v, %ct`, 1, 4, []int64{4, 0}, true},
		{"either of two masks", `%c = lt %r, %ns : i1[8]
			%d = lt %r, %ms : i1[8]
			%e = or %c, %d : i1[8]
			%q = addptr %ps, %r : *i32[8]
			store %q, %one, %e`, 1, 4, []int64{4, 5}, false},
		{"not at least", `%c = ge %r, %ns : i1[8]
			%e = not %c : i1[8]
			%q = addptr %ps, %r : *i32[8]
			store %q, %one, %e`, 1, 4, []int64{4, 0}, true},
		{"chosen", `%c = lt %r, %ns : i1[8]
			%zero = const {value=i32(0), shape=[8]} : i32[8]
			%x = select %c, %r, %zero : i32[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one`, 1, 4, []int64{4, 0}, true},
		{"what memory says", `%x = load %ps : i32[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one`, 1, 4, []int64{4, 0}, false},
		{"what memory says, masked", `%x = load %ps : i32[8]
			%zero = const {value=i32(0), shape=[8]} : i32[8]
			%c = lt %x, %ns : i1[8]
			%d = ge %x, %zero : i1[8]
			%e = and %c, %d : i1[8]
			%q = addptr %ps, %x : *i32[8]
			store %q, %one, %e`, 1, 4, []int64{4, 0}, true},
		{"unsigned beyond 63 bits", `%x = cast %ns {to=u64} : u64[8]
			%s = const {value=u64(1), shape=[8]} : u64[8]
			%h = shr %x, %s : u64[8]
			%ms64 = cast %ms {to=u64} : u64[8]
			%c = lt %h, %ms64 : i1[8]
			%q = addptr %ps, %h : *i32[8]
			store %q, %one, %c`, 1, 4, []int64{-1, 8}, false},
		{"unsigned beyond 63 bits, taken for signed", `%x = cast %ns {to=u64} : u64[8]
			%s = const {value=u64(5), shape=[8]} : u64[8]
			%h = max %x, %s : u64[8]
			%w = cast %h {to=i64} : i64[8]
			%by = const {value=i64(20), shape=[8]} : i64[8]
			%z = shr %w, %by : i64[8]
			%ms64 = cast %ms {to=i64} : i64[8]
			%c = lt %z, %ms64 : i1[8]
			%q = addptr %ps, %z : *i32[8]
			store %q, %one, %c`, 1, 8, []int64{-1, 8}, false},
		{"branch", `%c = lt %n, %m : i1
			if %c then {
			  %q = addptr %p, %n : *i32
			  %v = const {value=i32(1)} : i32
			  store %q, %v
			  yield
			} else {
			  yield
			}`, 1, 8, []int64{9, 8}, true},
		{"loop's result, few or many iterations", `%pid = program_id {axis=0} : i32
			%zero = const {value=i32(0)} : i32
			%step = const {value=i32(1)} : i32
			%last = for %zero, %pid, %step, %zero : i32 do (%i: i32, %x: i32) {
			  %x#2 = add %x, %step : i32
			  yield %x#2
			}
			%q = addptr %p, %last : *i32
			%v = const {value=i32(1)} : i32
			store %q, %v`, 9, 8, []int64{0, 0}, false},
		{"loop's result, bounded", `%pid = program_id {axis=0} : i32
			%zero = const {value=i32(0)} : i32
			%step = const {value=i32(1)} : i32
			%last = for %zero, %pid, %step, %zero : i32 do (%i: i32, %x: i32) {
			  %x#2 = add %x, %step : i32
			  yield %x#2
			}
			%q = addptr %p, %last : *i32
			%v = const {value=i32(1)} : i32
			store %q, %v`, 8, 8, []int64{0, 0}, true},
		{"hint that makes vectors no longer", `%x = hint %r {contiguity=[8], divisibility=[8]} : i32[8]
			%y = mul %x, %ns : i32[8]
			%z = hint %y {contiguity=[8]} : i32[8]
			%q = addptr %ps, %z : *i32[8]
			store %q, %one`, 1, 100, []int64{4, 0}, true},
		{"hint that makes vectors longer", `%y = mul %r, %ns : i32[8]
			%z = hint %y {contiguity=[8], divisibility=[8]} : i32[8]
			%q = addptr %as, %z : *i32[8]
			store %q, %one`, 1, 100, []int64{4, 0}, false},
	}
	for _, c := range cases {
		fn, proof := prove(t, head+c.body+"\n return\n}", c.grid, c.n, c.scalars...)
		fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.Store && proof.InRange(in) != c.want {
				t.Errorf("%s: in range: %v", c.name, !c.want)
			}
		})
	}
}

// TestBounded: how often loops run at most.
func TestBounded(t *testing.T) {
	const text = `func @k(%p: *i32, %n: i32, %step: i32) {
  %zero = const {value=i32(0)} : i32
  for %zero, %n, %step do (%i: i32) {
    yield
  }
  return
}`
	for _, c := range []struct{ n, step, want int64 }{{10, 3, 4}, {10, 1, 10}, {9, 3, 3}, {0, 1, 0}, {-5, 1, 0}, {10, 0, 0}, {10, -1, 0}, {1<<31 - 1, 1, 1<<31 - 1}} {
		fn, proof := prove(t, text, 1, 8, c.n, c.step)
		n, ok := proof.Bounded(fn.Body.Instrs[1])
		if !ok || n != c.want {
			t.Errorf("to %d by %d: %d, %v, want %d", c.n, c.step, n, ok, c.want)
		}
	}
	fn, proof := prove(t, `func @k(%p: *i64) {
  %n = load %p : i64
  %zero = const {value=i64(0)} : i64
  for %zero, %n, %n do (%i: i64) {
    yield
  }
  return
}`, 1, 8)
	if n, ok := proof.Bounded(fn.Body.Instrs[2]); ok && n < 1<<62 {
		t.Errorf("a bound from memory is taken for %d", n)
	}
}

// TestAssumptions: without what facts rest on, nothing is in range.
func TestAssumptions(t *testing.T) {
	const text = `func @k(%p: *i32 {div=16}, %n: i32 {div=16}) {
  %r = arange {start=0, end=16} : i32[16]
  %ns = splat %n {shape=[16]} : i32[16]
  %x = add %r, %ns : i32[16]
  %d = const {value=i32(16), shape=[16]} : i32[16]
  %y = rem %x, %d : i32[16]
  %ps = splat %p {shape=[16]} : *i32[16]
  %q = addptr %ps, %y : *i32[16]
  %v = load %q : i32[16]
  return
}`
	for _, c := range []struct {
		n    int64
		want bool
	}{{16, true}, {-16, false}, {8, false}} {
		fn, proof := prove(t, text, 1, 16, c.n)
		load := fn.Body.Instrs[len(fn.Body.Instrs)-2]
		if proof.Assumptions() != c.want || proof.InRange(load) != c.want {
			t.Errorf("n=%d: assumptions hold: %v, in range: %v", c.n, proof.Assumptions(), proof.InRange(load))
		}
	}
}

// TestTrue: comparisons that are true in all of a launch, and comparisons that are not, somewhere.
func TestTrue(t *testing.T) {
	const head = `func @k(%p: *i32, %n: i32, %m: i32) {
  %r = arange {start=0, end=8} : i32[8]
  %pid = program_id {axis=0} : i32
  %eight = const {value=i32(8)} : i32
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %first = mul %pid, %eight : i32
  %fs = splat %first {shape=[8]} : i32[8]
  %cols = add %fs, %r : i32[8]
  %ns = splat %n {shape=[8]} : i32[8]
`
	// The columns that are left in the iteration of a loop over tiles of eight.
	const loop = `%tiles = div %m, %eight : i32
  for %zero, %tiles, %one do (%k: i32) {
    %done = mul %k, %eight : i32
    %left = sub %n, %done : i32
    %ls = splat %left {shape=[8]} : i32[8]
    %x = lt %r, %ls : i1[8]
    yield
  }`
	for _, c := range []struct {
		name, body string
		grid       int
		n, m       int64
		want       bool
	}{
		{"whole tiles", "%x = lt %cols, %ns : i1[8]", 4, 32, 0, true},
		{"the last tile is not whole", "%x = lt %cols, %ns : i1[8]", 4, 31, 0, false},
		{"up to and with", "%x = le %cols, %ns : i1[8]", 4, 31, 0, true},
		{"the other way", "%x = gt %ns, %cols : i1[8]", 4, 32, 0, true},
		{"of nothing", "%x = lt %cols, %ns : i1[8]", 4, 0, 0, false},
		{"a lower limit", "%x = ge %cols, %ns : i1[8]", 4, 0, 0, true},
		{"no lower limit", "%x = ge %cols, %ns : i1[8]", 4, 1, 0, false},
		{"a sum that wraps", "%y = add %cols, %ns : i32[8]\n%x = gt %y, %cols : i1[8]", 4, 1<<31 - 1, 0, false},
		{"whole tiles of a loop", loop, 1, 32, 32, true},
		{"a last tile of a loop", loop, 1, 31, 32, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, proof := prove(t, head+c.body+"\n  return\n}\n", c.grid, 8, c.n, c.m)
			seen := false
			fn.Body.Walk(func(in *ir.Instr) {
				if v := in.Result(); v != nil && v.Name == "x" {
					if seen = true; proof.True(in) != c.want {
						t.Errorf("true: %v", !c.want)
					}
				}
			})
			if !seen {
				t.Error("no comparison")
			}
		})
	}
}

// TestNatural: divisions of numbers that are not negative by positive ones in all of a launch, by one power of two, and
// others.
func TestNatural(t *testing.T) {
	const head = `func @k(%p: *i32, %n: i32, %m: i32) {
  %pid = program_id {axis=0} : i32
  %left = sub %pid, %m : i32
`
	for _, c := range []struct {
		name, body string
		n, m       int64
		natural    bool
		power      bool
	}{
		{"a quotient", "%x = div %pid, %n : i32", 3, 0, true, false},
		{"a remainder", "%x = rem %pid, %n : i32", 3, 0, true, false},
		{"by zero", "%x = div %pid, %n : i32", 0, 0, false, false},
		{"by a negative number", "%x = div %pid, %n : i32", -3, 0, false, false},
		{"of a negative number", "%x = rem %left, %n : i32", 3, 1, false, false},
		{"of zero and up", "%x = div %left, %n : i32", 3, -1, true, false},
		{"by what is zero in a program", "%x = div %n, %pid : i32", 3, 0, false, false},
		{"by a power of two", "%x = div %pid, %n : i32", 8, 0, true, true},
		{"by one", "%x = rem %pid, %n : i32", 1, 0, true, true},
		{"a negative number by a power of two", "%x = div %left, %n : i32", 8, 1, false, false},
		{"by a power of two in some programs", "%y = max %pid, %n : i32\n  %x = div %n, %y : i32", 2, 0, true, false},
		{"by the lesser, always one power", "%y = min %n, %m : i32\n  %x = rem %pid, %y : i32", 9, 8, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, proof := prove(t, head+c.body+"\n  return\n}\n", 4, 8, c.n, c.m)
			fn.Body.Walk(func(in *ir.Instr) {
				if v := in.Result(); v != nil && v.Name == "x" &&
					(proof.Natural(in) != c.natural || proof.PowerOfTwo(in) != c.power) {
					t.Errorf("natural: %v, by a power of two: %v", proof.Natural(in), proof.PowerOfTwo(in))
				}
			})
		})
	}
}

// TestReduced: remainders that are their dividends in all of a launch, and remainders that are not, somewhere.
func TestReduced(t *testing.T) {
	const head = `func @k(%p: *i32, %n: i32, %m: i32) {
  %r = arange {start=0, end=8} : i32[8]
  %pid = program_id {axis=0} : i32
  %eight = const {value=i32(8)} : i32
  %first = mul %pid, %eight : i32
  %fs = splat %first {shape=[8]} : i32[8]
  %rows = add %fs, %r : i32[8]
  %ns = splat %n {shape=[8]} : i32[8]
  %ms = splat %m {shape=[8]} : i32[8]
`
	for _, c := range []struct {
		name, body string
		grid       int
		n, m       int64
		want       bool
	}{
		{"whole tiles", "%x = rem %rows, %ns : i32[8]", 4, 32, 0, true},
		{"the last tile wraps around", "%x = rem %rows, %ns : i32[8]", 4, 31, 0, false},
		{"a program wraps around", "%x = rem %pid, %n : i32", 4, 3, 0, false},
		{"a program does not", "%x = rem %pid, %n : i32", 4, 4, 0, true},
		{"negative", "%y = sub %rows, %ms : i32[8]\n%x = rem %y, %ns : i32[8]", 4, 32, 1, false},
		{"by zero", "%x = rem %r, %ns : i32[8]", 1, 0, 0, false},
		{"negative divisor", "%x = rem %r, %ns : i32[8]", 1, -32, 0, false},
		{"clamped", "%top = sub %n, %m : i32\n%ts = splat %top {shape=[8]} : i32[8]\n%y = min %rows, %ts : i32[8]\n%x = rem %y, %ns : i32[8]", 9, 32, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, proof := prove(t, head+c.body+"\n  return\n}\n", c.grid, 8, c.n, c.m)
			fn.Body.Walk(func(in *ir.Instr) {
				if in.Op == ops.Rem && proof.Reduced(in) != c.want {
					t.Errorf("reduced: %v", !c.want)
				}
			})
		})
	}
}
