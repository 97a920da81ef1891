package ptx

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/infra/soak"
)

// launch compiles a kernel whose parameters are pointers and runs it on the simulator; it gives the arguments back as
// the kernel has left them, and the report area.
func launch(t *testing.T, text string, opt Options, programs int, args ...[]byte) (ptxText string, report []byte) {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := Compile(fn, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	mod, err := sim.Load(m.Text)
	if err != nil {
		t.Fatalf("%v\n%s", err, m.Text)
	}
	mem := sim.NewMemory(0)
	alloc := func(data []byte) uint64 {
		at, _ := mem.Alloc(int64(max(64, len(data))))
		mem.Write(at, data)
		return at
	}
	at := make([]uint64, len(args))
	for i, data := range args {
		at[i] = alloc(data)
	}
	report = make([]byte, 64*max(1, len(m.Sites)))
	reports := alloc(report)
	values := make([]uint64, len(m.Params))
	for i, p := range m.Params {
		switch p.Kind {
		case Base:
			values[i] = at[p.Arg]
		case Count:
			values[i] = uint64(len(args[p.Arg]) / fn.Params[p.Arg].Value.Type.DType.Info().Bytes)
		case Report:
			values[i] = reports
		case Prints:
			values[i] = alloc(make([]byte, 64))
		case BudgetParam:
			values[i] = 1 << 30
		}
	}
	_, err = mod.Launch(context.Background(), sim.LaunchConfig{Grid: [3]int{programs}, Threads: m.Threads, Shared: m.Shared,
		Params: values, Memory: mem, Seed: rand.Uint64(), MaxInstructions: 1 << 22})
	if err != nil {
		t.Fatalf("%v\n%s", err, ptxas.Numbered(m.Text))
	}
	for i, data := range args {
		mem.Read(at[i], data)
	}
	mem.Read(reports, report)
	(&bench{t: t}).assemble(m.Text, opt.Target)
	return m.Text, report
}

func raw(d num.DType, v num.Vec) []byte {
	b := make([]byte, d.Info().Bytes*v.Len())
	num.Store(d, b, v)
	return b
}

func vec(d num.DType, b []byte) num.Vec {
	v := num.MakeVec(d.Info().Class, len(b)/d.Info().Bytes)
	num.Load(d, v, b)
	return v
}

// atomicKernel updates %K elements with n values, element i by values i, i+K, …, and stores the old values if it is
// to; a mask in memory takes part.
func atomicKernel(rmw string, d num.DType, n, k int, fetch bool, sem string) string {
	text := `func @k(%p: *D {div=16}, %v: *D {div=16}, %m: *i1 {div=16}, %o: *D {div=16}) {
 %r = arange {start=0, end=N} : i32[N]
 %k = const {value=i32(LAST), shape=[N]} : i32[N]
 %i = and %r, %k : i32[N]
 %ps = splat %p {shape=[N]} : *D[N]
 %vs = splat %v {shape=[N]} : *D[N]
 %ms = splat %m {shape=[N]} : *i1[N]
 %os = splat %o {shape=[N]} : *D[N]
 %pp = addptr %ps, %i : *D[N]
 %vp = addptr %vs, %r : *D[N]
 %mp = addptr %ms, %r : *i1[N]
 %op = addptr %os, %r : *D[N]
 %value = load %vp : D[N]
 %mask = load %mp : i1[N]
 %old = atomic_rmw %pp, %value, %mask {rmw=RMW, sem=SEM, scope=gpu} : D[N]
 STORE
 return
}`
	store := ""
	if fetch {
		store = "store %op, %old"
	}
	return strings.NewReplacer("LAST", fmt.Sprint(k-1), "N", fmt.Sprint(n), "D", d.Info().Short, "RMW", rmw, "STORE", store, "SEM", sem).Replace(text)
}

var rmwOps = map[string]num.BinaryOp{"add": num.Add, "max": num.Max, "min": num.Min, "and": num.And, "or": num.Or, "xor": num.Xor}

// TestAtomicRMW does every operation on every dtype that has it, with and without collisions, old values and masks.
func TestAtomicRMW(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	sems := []string{"acq_rel", "relaxed", "acquire", "release"}
	for _, target := range []string{"sm_90a", "sm_80"} {
		for _, rmw := range []string{"add", "max", "min", "and", "or", "xor", "xchg"} {
			for d := range num.NumDTypes {
				if d.Info().Bits < 16 || d.Info().Float && (rmw == "and" || rmw == "or" || rmw == "xor") {
					continue
				}
				for i, n := range []int{1, 16, 128, 1024} {
					if soak.Skips(2*i+int(d), 3) {
						continue
					}
					fetch := (i+int(d))%2 == 0
					k := n
					if rmw != "xchg" && rng.IntN(2) == 0 {
						k = max(1, n/8)
					}
					opt := Options{Target: target, NumWarps: 1 << rng.IntN(4)}
					testAtomic(t, rng, rmw, d, n, k, fetch, sems[rng.IntN(4)], opt)
				}
			}
		}
	}
}

func testAtomic(t *testing.T, rng *rand.Rand, rmw string, d num.DType, n, k int, fetch bool, sem string, opt Options) {
	t.Helper()
	start, values, mask := smallVec(rng, d, k), smallVec(rng, d, n), smallVec(rng, num.Int1, n)
	p, o := raw(d, start), raw(d, num.MakeVec(d.Info().Class, n))
	text, _ := launch(t, atomicKernel(rmw, d, n, k, fetch, sem), opt, 1, p, raw(d, values), raw(num.Int1, mask), o)
	want := vec(d, raw(d, start))
	for i := range n {
		e := want.Slice(i%k, i%k+1)
		if mask.I32[i] == 0 {
			continue
		}
		if op, ok := rmwOps[rmw]; ok {
			num.Binary(op, d)(e, e, values.Slice(i, i+1))
		} else {
			num.ScalarAt(d, values, i).Fill(e)
		}
	}
	got, old := vec(d, p), vec(d, o)
	for i := range k {
		if g, w := num.ScalarAt(d, got, i), num.ScalarAt(d, want, i); g != w {
			t.Fatalf("%s of %v, %d onto %d, %s, %v: element %d is %v, want %v\n%s", rmw, d, n, k, sem, opt, i, g, w, ptxas.Numbered(text))
		}
	}
	for i := range n {
		w := num.FromInt(d, 0)
		if fetch && mask.I32[i] != 0 {
			w = num.ScalarAt(d, start, i%k)
		}
		if g := num.ScalarAt(d, old, i); k == n && g != w {
			t.Fatalf("%s of %v, %d, %s, %v: old value %d is %v, want %v\n%s", rmw, d, n, sem, opt, i, g, w, ptxas.Numbered(text))
		}
	}
}

// TestAtomicScalar has each program take a number from a counter, which all its threads know, and write it.
func TestAtomicScalar(t *testing.T) {
	for _, d := range []num.DType{num.Int32, num.Int64, num.Float32, num.Float16, num.BFloat16} {
		for _, warps := range []int{1, 4} {
			text := strings.ReplaceAll(`func @k(%p: *D, %o: *D) {
 %one = const {value=D(1)} : D
 %old = atomic_rmw %p, %one, _ {rmw=add, sem=acq_rel, scope=gpu} : D
 %r = arange {start=0, end=64} : i32[64]
 %id = program_id {axis=0} : i32
 %n = const {value=i32(64)} : i32
 %row = mul %id, %n : i32
 %rows = splat %row {shape=[64]} : i32[64]
 %at = add %rows, %r : i32[64]
 %os = splat %o {shape=[64]} : *D[64]
 %op = addptr %os, %at : *D[64]
 %all = splat %old {shape=[64]} : D[64]
 store %op, %all
 return
}`, "D", d.Info().Short)
			const programs = 7
			p, o := make([]byte, d.Info().Bytes), make([]byte, d.Info().Bytes*64*programs)
			launch(t, text, Options{Target: "sm_90a", NumWarps: warps}, programs, p, o)
			if got := num.ScalarAt(d, vec(d, p), 0); got != num.FromInt(d, programs) {
				t.Errorf("%v: counter is %v", d, got)
			}
			seen := map[num.Scalar]bool{}
			got := vec(d, o)
			for i := range programs {
				seen[num.ScalarAt(d, got, 64*i)] = true
				for j := range 64 {
					if num.ScalarAt(d, got, 64*i+j) != num.ScalarAt(d, got, 64*i) {
						t.Fatalf("%v: threads of program %d disagree", d, i)
					}
				}
			}
			if len(seen) != programs {
				t.Errorf("%v: %d different numbers", d, len(seen))
			}
		}
	}
}

// TestAtomicVectors adds several neighbors at once where nobody wants the old values; the last vector is partly
// outside.
func TestAtomicVectors(t *testing.T) {
	for d, op := range map[num.DType]string{num.Float32: "add.v4.f32", num.Float16: "add.noftz.v8.f16", num.BFloat16: "add.noftz.v8.bf16"} {
		text := strings.ReplaceAll(`func @k(%p: *D {div=16}, %v: *D {div=16}) {
 %r = arange {start=0, end=1024} : i32[1024]
 %ps = splat %p {shape=[1024]} : *D[1024]
 %vs = splat %v {shape=[1024]} : *D[1024]
 %pp = addptr %ps, %r : *D[1024]
 %vp = addptr %vs, %r : *D[1024]
 %value = load %vp : D[1024]
 %old = atomic_rmw %pp, %value, _ {rmw=add, sem=relaxed, scope=gpu} : D[1024]
 return
}`, "D", d.Info().Short)
		const inside = 1021
		values := smallVec(rand.New(rand.NewPCG(15, 16)), d, 1024)
		p := make([]byte, inside*d.Info().Bytes)
		got, report := launch(t, text, Options{Target: "sm_90a", NumWarps: 4}, 1, p, raw(d, values))
		if !strings.Contains(got, op) {
			t.Errorf("%v: no %s in\n%s", d, op, got)
		}
		for i := range inside {
			if g, w := num.ScalarAt(d, vec(d, p), i), num.ScalarAt(d, values, i); g.Float() != w.Float() {
				t.Errorf("%v: element %d is %v, want %v", d, i, g, w)
			}
		}
		found := 0
		for at := 0; at < len(report); at += siteBytes {
			if report[at] != 0 && int(report[at+offsetAt])|int(report[at+offsetAt+1])<<8 == inside {
				found++
			}
		}
		if found != 1 {
			t.Errorf("%v: %d reports of element %d", d, found, inside)
		}
	}
}

// TestAtomicLock has programs count under a lock, all of a program's threads inside it or none.
func TestAtomicLock(t *testing.T) {
	const text = `func @k(%lock: *i32, %count: *i32) {
 %zero = const {value=i32(0)} : i32
 %one = const {value=i32(1)} : i32
 while %one cond (%taken: i32) {
  %again = ne %taken, %zero : i1
  condition %again
 } do {
  %old = atomic_cas %lock, %zero, %one {sem=acq_rel, scope=gpu} : i32
  yield %old
 }
 %r = arange {start=0, end=64} : i32[64]
 %cs = splat %count {shape=[64]} : *i32[64]
 %cp = addptr %cs, %r : *i32[64]
 %ones = const {value=i32(1), shape=[64]} : i32[64]
 %n = load %cp {volatile=true} : i32[64]
 %next = add %n, %ones : i32[64]
 store %cp, %next
 %was = atomic_rmw %lock, %zero, _ {rmw=xchg, sem=acq_rel, scope=gpu} : i32
 return
}`
	lock, count := make([]byte, 4), make([]byte, 4*64)
	const programs = 9
	launch(t, text, Options{Target: "sm_90a", NumWarps: 4}, programs, lock, count)
	for i, n := range vec(num.Int32, count).I32 {
		if n != programs {
			t.Errorf("count %d is %d, want %d", i, n, programs)
		}
	}
	if n := vec(num.Int32, lock).I32[0]; n != 0 {
		t.Errorf("the lock is left as %d", n)
	}
}

// TestAtomicCAS replaces the elements that equal what is expected.
func TestAtomicCAS(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for d := range num.NumDTypes {
		if d.Info().Bits < 16 {
			continue
		}
		for _, n := range []int{1, 16, 512} {
			text := strings.NewReplacer("D", d.Info().Short, "N", fmt.Sprint(n)).Replace(`func @k(%p: *D {div=16}, %c: *D {div=16}, %v: *D {div=16}, %o: *D {div=16}) {
 %r = arange {start=0, end=N} : i32[N]
 %ps = splat %p {shape=[N]} : *D[N]
 %cs = splat %c {shape=[N]} : *D[N]
 %vs = splat %v {shape=[N]} : *D[N]
 %os = splat %o {shape=[N]} : *D[N]
 %pp = addptr %ps, %r : *D[N]
 %cp = addptr %cs, %r : *D[N]
 %vp = addptr %vs, %r : *D[N]
 %op = addptr %os, %r : *D[N]
 %cmp = load %cp : D[N]
 %value = load %vp : D[N]
 %old = atomic_cas %pp, %cmp, %value {sem=acq_rel, scope=gpu} : D[N]
 store %op, %old
 return
}`)
			start, cmp, values := smallVec(rng, d, n), smallVec(rng, d, n), smallVec(rng, d, n)
			p, o := raw(d, start), make([]byte, n*d.Info().Bytes)
			launch(t, text, Options{Target: "sm_90a", NumWarps: 2}, 1, p, raw(d, cmp), raw(d, values), o)
			for i := range n {
				s, w := num.ScalarAt(d, start, i), num.ScalarAt(d, start, i)
				if s == num.ScalarAt(d, cmp, i) {
					w = num.ScalarAt(d, values, i)
				}
				if g := num.ScalarAt(d, vec(d, p), i); g != w {
					t.Errorf("%v, element %d of %d is %v, want %v", d, i, n, g, w)
				}
				if g := num.ScalarAt(d, vec(d, o), i); g != s {
					t.Errorf("%v, old value %d of %d is %v, want %v", d, i, n, g, s)
				}
			}
		}
	}
}

// TestAtomicOutside leaves memory outside the argument alone, and says so; also where a vector is partly outside.
func TestAtomicOutside(t *testing.T) {
	for _, fetch := range []bool{false, true} {
		d := num.Float32
		p, values := make([]byte, 4*50), num.MakeVec(num.ClassF32, 64)
		for i := range values.F32 {
			values.F32[i] = float32(i + 1)
		}
		mask := num.MakeVec(num.ClassI32, 64)
		num.FromBool(true).Fill(mask)
		o := make([]byte, 4*64)
		_, report := launch(t, atomicKernel("add", d, 64, 64, fetch, "relaxed"), Options{Target: "sm_90a", NumWarps: 1}, 1, p, raw(d, values), raw(num.Int1, mask), o)
		for i, x := range vec(d, p).F32 {
			if x != float32(i+1) {
				t.Errorf("element %d is %v", i, x)
			}
		}
		claimed, offsets := 0, []byte(nil)
		for at := 0; at < len(report); at += siteBytes {
			if report[at] != 0 {
				claimed++
				offsets = append(offsets, report[at+offsetAt])
			}
		}
		if claimed != 1 || offsets[0] < 50 || offsets[0] >= 64 {
			t.Errorf("%d sites reported, offsets %v", claimed, offsets)
		}
	}
}

// TestNoSuchAtomic: atomics on dtypes that no hardware has are refused in words.
func TestNoSuchAtomic(t *testing.T) {
	fn, err := ir.Parse(`func @k(%p: *fp64, %q: *u8) {
  %b = bitcast %q {to=i8} : *i8
  %one = const {value=i8(1)} : i8
  %old = atomic_rmw %b, %one, _ {rmw=add, sem=relaxed, scope=gpu} : i8
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Compile(fn, Options{Target: "sm_90a", NumWarps: 32})
	if e, ok := err.(*Error); !ok || e.Code != "atomic-dtype" {
		t.Errorf("%v, want atomic-dtype", err)
	}
}
