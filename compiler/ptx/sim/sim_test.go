package sim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
)

// head declares what the bodies of tests use. %rd1 is the output, %rd2 the input, %r0 the thread,
// %rd3 and %rd4 the thread's 8-byte slots in them.
const head = `.version 8.4
.target sm_90a
.address_size 64
.extern .shared .align 16 .b8 smem[];
.visible .entry k(.param .u64 out, .param .u64 in)
{
.reg .pred %p<8>;
.reg .b16 %h<32>;
.reg .b32 %r<64>;
.reg .b64 %rd<32>;
.reg .f32 %f<64>;
.reg .f64 %d<16>;
ld.param.u64 %rd1, [out];
ld.param.u64 %rd2, [in];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd3, %r0, 8, %rd1;
mad.wide.u32 %rd4, %r0, 8, %rd2;
`

var headLines = strings.Count(head, "\n")

// trial is one launch of a body.
type trial struct {
	body    string
	threads int // 32 if 0
	grid    int
	shared  int
	seed    uint64
	budget  uint64
	in      []uint64
}

// run gives the output's 8-byte slots, one a thread.
func (c trial) run(t testing.TB) ([]uint64, *Report, error) {
	t.Helper()
	m, err := Load(head + c.body + "\n}\n")
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.body)
	}
	ptxas.Assemble(t, "sm_90a", head+c.body+"\n}\n") // what the tests run must be PTX
	if c.threads == 0 {
		c.threads = 32
	}
	mem := NewMemory(0)
	n := 8 * c.threads
	out, _ := mem.Alloc(int64(n))
	in, _ := mem.Alloc(int64(max(n, 8*len(c.in))))
	raw := make([]byte, 8*len(c.in))
	for i, v := range c.in {
		binary.LittleEndian.PutUint64(raw[8*i:], v)
	}
	if err := mem.Write(in, raw); err != nil {
		t.Fatal(err)
	}
	r, err := m.Launch(context.Background(), LaunchConfig{Grid: [3]int{c.grid}, Threads: c.threads, Shared: c.shared, Params: []uint64{out, in},
		Memory: mem, Seed: c.seed, MaxInstructions: c.budget})
	raw = make([]byte, n)
	if err := mem.Read(out, raw); err != nil {
		t.Fatal(err)
	}
	slots := make([]uint64, c.threads)
	for i := range slots {
		slots[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return slots, r, err
}

// must is run where no fault is expected.
func (c trial) must(t testing.TB) []uint64 {
	t.Helper()
	out, _, err := c.run(t)
	if err != nil {
		t.Fatalf("%v in\n%s", err, c.body)
	}
	return out
}

// fault runs a body that breaks a rule, under several seeds, and checks the rule and the lines
// of the body, in either order where there are two.
func (c trial) fault(t *testing.T, kind Kind, line, other int) {
	t.Helper()
	for seed := range uint64(8) {
		c.seed = seed
		_, _, err := c.run(t)
		var f *Fault
		if !errors.As(err, &f) {
			t.Fatalf("seed %d: no fault but %v in\n%s", seed, err, c.body)
		}
		a, b := max(f.Line-headLines, 0), max(f.Other-headLines, 0)
		same := a == line && b == other || other != 0 && a == other && b == line
		if f.Kind != kind || !same {
			t.Errorf("seed %d: %v at body lines %d and %d, want %v at %d and %d: %v", seed, f.Kind, a, b, kind, line, other, f)
		}
	}
}

func bits32(x float32) uint64 { return uint64(math.Float32bits(x)) }

func TestVectorAdd(t *testing.T) {
	text := `.version 8.6
.target sm_90a
.address_size 64
.visible .entry add(.param .u64 x, .param .u64 y, .param .u32 n) .reqntid 128
{
.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>; .reg .pred %p1;
ld.param.u64 %rd1, [x];
ld.param.u64 %rd2, [y];
ld.param.u32 %r1, [n];
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %tid.x;
mad.lo.s32 %r4, %r2, 128, %r3;
setp.lt.s32 %p1, %r4, %r1;
mul.wide.s32 %rd3, %r4, 4;
add.s64 %rd4, %rd1, %rd3;
add.s64 %rd5, %rd2, %rd3;
mov.f32 %f1, 0f00000000;
@%p1 ld.global.f32 %f1, [%rd4];
add.f32 %f2, %f1, 0f3F800000;
@%p1 st.global.f32 [%rd5], %f2;
ret;
}`
	m, err := Load(text)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	mem := NewMemory(0)
	x, _ := mem.Alloc(4 * n)
	y, _ := mem.Alloc(4 * n)
	raw := make([]byte, 4*n)
	for i := range n {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(float32(i)))
	}
	mem.Write(x, raw)
	r, err := m.Launch(context.Background(), LaunchConfig{Grid: [3]int{8}, Threads: 128, Params: []uint64{x, y, n}, Memory: mem})
	if err != nil {
		t.Fatal(err)
	}
	mem.Read(y, raw)
	for i := range n {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])); got != float32(i+1) {
			t.Fatalf("element %d is %v", i, got)
		}
	}
	// 1000 elements are 31 full warps of 4 sectors and one of 8 elements in 1 sector.
	if got := r.Total.Global.Sum(); got != (Traffic{64, 2 * (31*4 + 1), 2 * (31*4 + 1), 0, 0}) {
		t.Errorf("global memory: %+v", got)
	}
}

// TestControl has threads of a warp go apart, loop for different times and meet again.
func TestControl(t *testing.T) {
	out := trial{threads: 64, body: `
mov.u32 %r1, 0;
and.b32 %r2, %r0, 7;
loop:
setp.ge.u32 %p1, %r1, %r2;
@%p1 bra done;
add.u32 %r1, %r1, 1;
bra.uni loop;
done:
setp.lt.u32 %p2, %r0, 5;
@!%p2 bra else;
add.u32 %r1, %r1, 100;
bra join;
else:
add.u32 %r1, %r1, 200;
join:
activemask.b32 %r3;
bar.sync 0;
mov.b64 %rd5, {%r1, %r3};
st.global.u64 [%rd3], %rd5;
@%p2 exit;
ret;`}.must(t)
	for i, v := range out {
		want := uint64(i&7) + 200
		if i < 5 {
			want -= 100
		}
		if v != want|0xffffffff<<32 {
			t.Errorf("thread %d has %#x, want %d", i, v, want)
		}
	}
}

func ExampleModule_Launch() {
	m, err := Load(`.version 8.6
.target sm_90a
.address_size 64
.visible .entry iota(.param .u64 out)
{
.reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u64 %rd0, [out];
mov.u32 %r0, %tid.x;
mad.wide.u32 %rd1, %r0, 4, %rd0;
st.global.u32 [%rd1], %r0;
}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	mem := NewMemory(0)
	out, _ := mem.Alloc(16)
	_, err = m.Launch(context.Background(), LaunchConfig{Threads: 8, Params: []uint64{out}, Memory: mem})
	fmt.Println(err)
	// Output:
	// ptx line 10: out of bounds: 4 bytes at 0x7f0000000010 are not within an allocation (block 0,0,0 thread 4)
}
