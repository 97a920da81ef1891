package placed

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/tile"
)

func parsed(t *testing.T, text string) *ir.Func {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// values is a buffer of numbers.
func values(d num.DType, n int, of func(i int) int64) tile.Buffer {
	b := tile.Buffer{DType: d, Data: make([]byte, n*d.Info().Bytes)}
	for i := range n {
		num.StoreAt(d, b.Data, i, num.FromInt(d, of(i)).Vec(), 0)
	}
	return b
}

// TestProduct runs the pipelined product of package ir's tests: copies in flight, stage buffers, wgmma.
func TestProduct(t *testing.T) {
	text, err := os.ReadFile("../../compiler/ir/testdata/placed.ir")
	if err != nil {
		t.Fatal(err)
	}
	fn := parsed(t, string(text))
	const steps = 5
	for seed := range uint64(20) {
		a := values(num.Float16, 64*16*steps, func(i int) int64 { return int64(i%7) - 3 })
		b := values(num.Float16, 16*16*steps, func(i int) int64 { return int64(i%5) - 2 })
		c := values(num.Float32, 64*16, func(int) int64 { return 0 })
		report, fault := Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: []tile.Arg{
			a, b, c, tile.Scalar{Scalar: num.FromInt(num.Int32, steps)}}}, seed)
		if fault != nil {
			t.Fatal(fault)
		}
		for _, h := range report.Hazards {
			t.Errorf("seed %d: %s", seed, h.Text(fn))
		}
		for i := range 64 * 16 {
			want := int64(0)
			for s := range steps {
				for k := range 16 {
					want += int64((s*1024+i/16*16+k)%7-3) * int64((s*256+k*16+i%16)%5-2)
				}
			}
			got := num.MakeVec(num.ClassF32, 1)
			num.LoadAt(num.Float32, got, 0, c.Data, i)
			if got.F32[0] != float32(want) {
				t.Fatalf("seed %d: element %d is %v, want %d", seed, i, got.F32[0], want)
			}
		}
	}
}

// TestFaults: the same product with a fault is refused, or reported with both operations, in any order of the warps.
func TestFaults(t *testing.T) {
	text, err := os.ReadFile("../../compiler/ir/testdata/placed.ir")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name    string
		replace []string // old, new, …
		want    string
	}{
		{"no barrier", []string{"    barrier\n", ""}, "wgmma in line 44 reads what async_copy in line 31 wrote in another warp, with no barrier"},
		{"no wait", []string{"async_wait {pending=1}", "async_wait {pending=2}"}, "wgmma in line 45 needs what async_copy in line 31 has begun"},
		{"no fence", []string{"    fence_async\n", ""}, "wgmma in line 44 reads by wgmma or a tensor copy what async_copy in line 31 wrote, with no fence_async"},
		{"a stage less", []string{"buffers=3", "buffers=2", "memdesc[3]", "memdesc[2]", "%three = const {value=i32(3)}",
			"%three = const {value=i32(2)}", "%zero, %two, %a.next", "%zero, %zero, %a.next"},
			"async_copy in line 52 needs what wgmma in line 45 has begun"},
		{"a buffer less", []string{"buffers=3", "buffers=2", "memdesc[3]", "memdesc[2]"}, "memdesc_index in line 50 takes a tile beyond"},
		{"no wgmma_wait", []string{"    %29 = wgmma_wait %22 : fp32[64, 16] #4\n", "", "yield %29", "yield %22"},
			"convert_layout in line 66 needs what wgmma in line 45 has begun"},
		{"another layout", []string{"memdesc_index %as, %read : memdesc fp16[64, 16] $0", "memdesc_index %as, %read : memdesc fp16[64, 16] $2",
			"func @", "$2 = [64, 16] bits 16 offset 1 2 4 8 16 32 64 128 256 512\nfunc @"}, "from that of operand 0 follows"},
	}
	for _, c := range cases {
		for seed := range uint64(10) {
			said := outcome(t, strings.NewReplacer(c.replace...).Replace(string(text)), seed)
			if !strings.Contains(said, c.want) {
				t.Errorf("%s, seed %d: %s\nwant %s", c.name, seed, said, c.want)
				break
			}
		}
	}
}

// exchange turns a vector around in shared memory, a part of it in each iteration.
const exchange = `
#0 = [64] lane 1 2 4 8 16 warp 32
#1 = [64] lane 2 4 8 16 32 warp 1
$0 = [64] bits 32 offset 1 2 4 8 17 34
func @exchange(%x_ptr: *fp32, %z_ptr: *fp32, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %many = const {value=i32(64), shape=[64]} : i32[64] #0
  %i = arange {start=0, end=64} : i32[64] #0
  %never = lt %i, %i : i1[64] #0
  %k = arange {start=0, end=64} : i32[64] #1
  %0 = splat %x_ptr {shape=[64]} : *fp32[64] #0
  %x = addptr %0, %i : *fp32[64] #0
  %1 = splat %z_ptr {shape=[64]} : *fp32[64] #1
  %z = addptr %1, %k : *fp32[64] #1
  %shared = local_alloc {dtype=fp32, shape=[64]} : memdesc fp32[64] $0
  for %zero, %n, %one do (%step: i32) {
    %a = load %x : fp32[64] #0
    local_store %a, %shared
    barrier
    %b = local_load %shared : fp32[64] #1
    barrier
    store %z, %b
    yield
  }
  return
}`

// tensorCopy copies a vector by a tensor copy.
const tensorCopy = `
#0 = [64] lane 1 2 4 8 16 warp 32
$0 = [64] bits 32 offset 1 2 4 8 17 34
func @copy(%x_ptr: *fp32, %z_ptr: *fp32, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %i = arange {start=0, end=64} : i32[64] #0
  %0 = splat %x_ptr {shape=[64]} : *fp32[64] #0
  %x = addptr %0, %i : *fp32[64] #0
  %1 = splat %z_ptr {shape=[64]} : *fp32[64] #0
  %z = addptr %1, %i : *fp32[64] #0
  %shared = local_alloc {dtype=fp32, shape=[64]} : memdesc fp32[64] $0
  %bar = local_alloc {dtype=i64} : memdesc i64
  mbarrier_init %bar
  barrier
  mbarrier_expect %bar {bytes=256}
  tma_load %x, %shared, %bar
  mbarrier_wait %bar, %zero
  %a = local_load %shared : fp32[64] #0
  store %z, %a
  return
}`

// TestMemory: texts copy what they read whatever the order of the warps; with a fault they are reported.
func TestMemory(t *testing.T) {
	cases := []struct{ name, text, old, new, want string }{
		{"exchange", exchange, "", "", ""},
		{"no barrier before the load", exchange, "    barrier\n    %b", "    %b",
			"local_load in line 19 reads what local_store in line 18 wrote in another warp"},
		{"no barrier before the next store", exchange, "    barrier\n    store", "    store",
			"local_store in line 18 writes what local_load in line 20 read in another warp"},
		{"two stores", exchange, "    store %z, %b", "    store %z, %b\n    %2 = splat %z_ptr {shape=[64]} : *fp32[64] #0\n" +
			"    %w = addptr %2, %i : *fp32[64] #0\n    store %w, %a", "store in line 25 writes what store in line 22 wrote"},
		{"a store of one element", exchange, "    store %z, %b", "    store %z, %b\n    barrier\n    %2 = splat %z_ptr {shape=[64]} " +
			": *fp32[64] #0\n    %c = select %never, %x, %2 : *fp32[64] #0\n    %d = sub %a, %a : fp32[64] #0\n    store %c, %d", ""},
		{"tensor copy", tensorCopy, "", "", ""},
		{"no wait", tensorCopy, "  mbarrier_wait %bar, %zero\n", "", "local_load in line 17 needs what tma_load in line 16 has begun"},
		{"the phase before", tensorCopy, "mbarrier_wait %bar, %zero", "mbarrier_wait %bar, %one", "local_load in line 18 needs what tma_load in line 16 has begun"},
		{"nothing expected", tensorCopy, "  mbarrier_expect %bar {bytes=256}\n", "", "mbarrier_wait in line 16 is where some warps wait"},
		{"mbarrier not ready", tensorCopy, "  barrier\n", "", "mbarrier_wait in line 16 reads what mbarrier_init in line 13 wrote in another warp"},
	}
	for _, c := range cases {
		fn := parsed(t, strings.Replace(c.text, c.old, c.new, 1))
		for seed := range uint64(20) {
			x, z := values(num.Float32, 64, func(i int) int64 { return int64(i) }), values(num.Float32, 64, func(int) int64 { return -1 })
			report, fault := Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: []tile.Arg{x, z,
				tile.Scalar{Scalar: num.FromInt(num.Int32, 3)}}}, seed)
			if fault != nil {
				t.Fatal(fault)
			}
			said := ""
			for _, h := range report.Hazards {
				said += h.Text(fn) + "\n"
			}
			if c.want == "" && (said != "" || !bytes.Equal(x.Data, z.Data)) || !strings.Contains(said, c.want) {
				t.Errorf("%s, seed %d: %s\nwant %s", c.name, seed, said, c.want)
				break
			}
		}
	}
}

// outcome is why a text of the product is refused, or its hazards.
func outcome(t *testing.T, text string, seed uint64) (said string) {
	fn, err := ir.Parse(text)
	if err != nil {
		return err.Error()
	}
	const steps = 4
	zeros := func(d num.DType, n int) tile.Buffer { return values(d, n, func(int) int64 { return 0 }) }
	report, fault := Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: []tile.Arg{
		zeros(num.Float16, 64*16*steps), zeros(num.Float16, 16*16*steps), zeros(num.Float32, 64*16),
		tile.Scalar{Scalar: num.FromInt(num.Int32, steps)}}}, seed)
	if fault != nil {
		return fault.Error()
	}
	for _, h := range report.Hazards {
		said += h.Text(fn) + "\n"
	}
	return said
}
