package placed

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/tile"
)

func parsed(t *testing.T, text string) (*ir.Func, *source.File) {
	t.Helper()
	file := source.NewFile("k.ir", text)
	fn, err := ir.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return fn, file
}

// said is the hazards of a report, each with its lines.
func said(r *Report, file *source.File) (text string) {
	for _, h := range r.Hazards {
		d := h.Diagnostic()
		text += fmt.Sprintf("%d: %s", file.Position(d.Primary.Span.Start).Line, d.In(diag.English).Headline)
		for _, other := range d.Related {
			text += fmt.Sprintf(", line %d", file.Position(other.Span.Start).Line)
		}
		text += "\n"
	}
	return text
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
	fn, file := parsed(t, string(text))
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
		if hazards := said(report, file); hazards != "" {
			t.Errorf("seed %d: %s", seed, hazards)
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
		{"no barrier", []string{"    barrier\n", ""}, "44: `wgmma` reads what `async_copy` wrote in another warp, with no barrier in between, line 31"},
		{"no wait", []string{"async_wait {pending=1}", "async_wait {pending=2}"}, "45: `wgmma` needs what `async_copy` has begun, which is not waited for, line 31"},
		{"no fence", []string{"    fence_async\n", ""}, "44: `wgmma` reads or overwrites through the async proxy what `async_copy` wrote, with no fence_async in between, line 31"},
		{"a stage less", []string{"buffers=3", "buffers=2", ", 5120]", "]", ", 7168]", "]", "memdesc[3]", "memdesc[2]", "%three = const {value=i32(3)}",
			"%three = const {value=i32(2)}", "%zero, %two, %a.next", "%zero, %zero, %a.next"},
			"52: `async_copy` needs what `wgmma` has begun, which is not waited for, line 45"},
		{"a buffer less", []string{"buffers=3", "buffers=2", ", 5120]", "]", ", 7168]", "]", "memdesc[3]", "memdesc[2]"}, "50: `memdesc_index` takes a tile beyond"},
		{"no wgmma_wait", []string{"    %29 = wgmma_wait %22 : fp32[64, 16] #4\n", "", "yield %29", "yield %22"},
			"68: `convert_layout` needs what `wgmma` has begun, which is not waited for, line 45"},
		{"scratch memory too early", []string{"async_wait\n  barrier\n", "async_wait\n"},
			"68: `convert_layout` overwrites what `wgmma` read in another warp, with no barrier in between, line 45"},
		{"another layout", []string{"memdesc_index %as, %read : memdesc fp16[64, 16] $0", "memdesc_index %as, %read : memdesc fp16[64, 16] $2",
			"func @", "$2 = [64, 16] bits 16 offset 1 2 4 8 16 32 64 128 256 512\nfunc @"}, "from that of operand 0 follows"},
	}
	for _, c := range cases {
		for seed := range uint64(10) {
			got := outcome(t, strings.NewReplacer(c.replace...).Replace(string(text)), seed)
			if !strings.Contains(got, c.want) {
				t.Errorf("%s, seed %d: %s\nwant %s", c.name, seed, got, c.want)
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

// conversions takes a vector to another layout and back, each time through the same memory.
const conversions = `
#0 = [64] lane 1 2 4 8 16 warp 32
#1 = [64] lane 2 4 8 16 32 warp 1
func @conversions(%x_ptr: *fp32, %z_ptr: *fp32, %n: i32) {
  %i = arange {start=0, end=64} : i32[64] #0
  %0 = splat %x_ptr {shape=[64]} : *fp32[64] #0
  %x = addptr %0, %i : *fp32[64] #0
  %a = load %x : fp32[64] #0
  %there = local_alloc {bytes=256, offsets=[0]} : memdesc[256] i8
  %b = convert_layout %a through %there : fp32[64] #1
  barrier
  %back = local_alloc {bytes=256, offsets=[0]} : memdesc[256] i8
  %c = convert_layout %b through %back : fp32[64] #0
  %1 = splat %z_ptr {shape=[64]} : *fp32[64] #0
  %z = addptr %1, %i : *fp32[64] #0
  store %z, %c
  return
}`

// TestMemory: texts copy what they read whatever the order of the warps; with a fault they are reported.
func TestMemory(t *testing.T) {
	cases := []struct{ name, text, old, new, want string }{
		{"exchange", exchange, "", "", ""},
		{"no barrier before the load", exchange, "    barrier\n    %b", "    %b",
			"20: `local_load` reads what `local_store` wrote in another warp, with no barrier in between, line 19"},
		{"no barrier before the next store", exchange, "    barrier\n    store", "    store",
			"19: `local_store` overwrites what `local_load` read in another warp, with no barrier in between, line 21"},
		{"two stores", exchange, "    store %z, %b", "    store %z, %b\n    %2 = splat %z_ptr {shape=[64]} : *fp32[64] #0\n" +
			"    %w = addptr %2, %i : *fp32[64] #0\n    store %w, %a", "26: `store` overwrites what `store` wrote in another warp, with no barrier in between, line 23"},
		{"a store of one element", exchange, "    store %z, %b", "    store %z, %b\n    barrier\n    %2 = splat %z_ptr {shape=[64]} " +
			": *fp32[64] #0\n    %c = select %never, %x, %2 : *fp32[64] #0\n    %d = sub %a, %a : fp32[64] #0\n    store %c, %d", ""},
		{"named barrier", exchange, "    barrier\n    %b", "    named_barrier_wait %one {threads=64}\n    %b", ""},
		{"named barrier that nobody waits at", exchange, "    barrier\n    %b", "    named_barrier_arrive %one {threads=64}\n    %b",
			"21: `local_load` reads what `local_store` wrote in another warp, with no barrier in between, line 19"},
		{"named barrier for more", exchange, "    barrier\n    %b", "    named_barrier_wait %one {threads=192}\n    %b",
			"20: some warps wait at `named_barrier_wait`"},
		{"conversions", conversions, "", "", ""},
		{"no barrier before memory is used again", conversions, "  barrier\n", "",
			"12: `convert_layout` overwrites what `convert_layout` read.*, line 10|10: `convert_layout` reads what `convert_layout` wrote.*, line 12"},
		{"memory of its own", conversions, "  barrier\n  %back = local_alloc {bytes=256, offsets=[0]}",
			"  %back = local_alloc {bytes=256, offsets=[256]}", ""},
		{"one memory for both", conversions, "  barrier\n  %back = local_alloc {bytes=256, offsets=[0]} : memdesc[256] i8\n  %c = convert_layout %b through %back",
			"  %c = convert_layout %b through %there",
			"11: `convert_layout` overwrites what `convert_layout` read.*, line 10|10: `convert_layout` reads what `convert_layout` wrote.*, line 11"},
		{"tensor copy", tensorCopy, "", "", ""},
		{"tensor copy over what threads stored", tensorCopy, "  mbarrier_init %bar\n",
			"  %w = load %x : fp32[64] #0\n  local_store %w, %shared\n  mbarrier_init %bar\n",
			"19: `tma_load` reads or overwrites through the async proxy what `local_store` wrote, with no fence_async in between, line 15"},
		{"tensor copy over what threads fenced", tensorCopy, "  mbarrier_init %bar\n",
			"  %w = load %x : fp32[64] #0\n  local_store %w, %shared\n  fence_async\n  mbarrier_init %bar\n", ""},
		{"no wait", tensorCopy, "  mbarrier_wait %bar, %zero\n", "", "18: `local_load` needs what `tma_load` has begun, which is not waited for, line 17"},
		{"the phase before", tensorCopy, "mbarrier_wait %bar, %zero", "mbarrier_wait %bar, %one",
			"19: `local_load` needs what `tma_load` has begun.*, line 17|17: `tma_load` overwrites what `local_load` read.*, line 19"},
		{"nothing expected", tensorCopy, "  mbarrier_expect %bar {bytes=256}\n", "", "17: some warps wait at `mbarrier_wait`"},
		{"mbarrier not ready", tensorCopy, "  barrier\n", "",
			"17: `mbarrier_wait` reads what `mbarrier_init` wrote.*, line 14|14: `mbarrier_init` overwrites what `mbarrier_wait` read.*, line 17"},
	}
	for _, c := range cases {
		fn, file := parsed(t, strings.Replace(c.text, c.old, c.new, 1))
		for seed := range uint64(20) {
			x, z := values(num.Float32, 64, func(i int) int64 { return int64(i) }), values(num.Float32, 64, func(int) int64 { return -1 })
			report, fault := Run(t.Context(), fn, tile.Launch{Grid: [3]int{1, 1, 1}, Args: []tile.Arg{x, z,
				tile.Scalar{Scalar: num.FromInt(num.Int32, 3)}}}, seed)
			if fault != nil {
				t.Fatal(fault)
			}
			got := said(report, file)
			if c.want == "" && (got != "" || !bytes.Equal(x.Data, z.Data)) || !regexp.MustCompile(c.want).MatchString(got) {
				t.Errorf("%s, seed %d: %s\nwant %s", c.name, seed, got, c.want)
				break
			}
		}
	}
}

// outcome is why a text of the product is refused, or its hazards.
func outcome(t *testing.T, text string, seed uint64) string {
	file := source.NewFile("k.ir", text)
	fn, err := ir.ParseFile(file)
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
	return said(report, file)
}
