package sim

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/internal/ptxas"
)

// groupCase is a product of a 64×k and a k×n matrix, whose rows along k have 32 bytes.
type groupCase struct {
	elem           string // of A
	elemB          string // where B has another type
	n, span        int
	alongM, alongN bool // what is contiguous is not k
	registers      bool // A is in registers
	scale, minus   bool
}

// size is the bytes of an element.
func (c groupCase) size() int { return types[c.elem].bytes() }

// depth is k.
func (c groupCase) depth() int { return 32 / c.size() }

// sum is the type of D.
func (c groupCase) sum() string {
	if types[c.elem].isFloat() {
		return "f32"
	}
	return "s32"
}

// Where the tests have A, B and A once more as a plain matrix, in bytes from the input's begin; the first
// two are copied to shared memory.
const (
	groupB     = 8192
	groupPlain = groupB + 32768
	groupIn    = groupPlain + 64*16*2
)

// place is the offset in bytes of row i at k, and the first address and the offsets of the descriptor. Rows of
// a swizzled matrix are cut in panels of span bytes; where k is contiguous the matrix is the last 16 of a row.
func (c groupCase) place(rows int, along bool, i, k int) int {
	size, chunk := c.size(), 16/c.size()
	if c.span == 16 {
		in, out := i%8, k%chunk
		if along {
			in, out = out, in
		}
		return i/8*256 + k/chunk*128 + in*16 + out*size
	}
	fast, slow, slows := (c.span-32)/size+k, i, rows
	if along {
		fast, slow, slows = i, k, 16
	}
	at := size*fast/c.span*slows*c.span + slow*c.span + size*fast%c.span
	return at ^ at>>7%8%(c.span/16)<<4
}

func (c groupCase) descriptor(base int, along bool) uint64 {
	if c.span == 16 {
		return uint64(base>>4 | 128>>4<<16 | 256>>4<<32)
	}
	leading := 16 * c.span
	if !along {
		base, leading = base+c.span-32, 16
	}
	return uint64(base>>4|leading>>4<<16|8*c.span>>4<<32) | map[int]uint64{128: 1, 64: 2, 32: 3}[c.span]<<62
}

func (c groupCase) body() string {
	var s strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&s, format+"\n", args...) }
	line(".reg .b32 %%g<128>;\nmov.u32 %%r1, smem;\nmad.lo.u32 %%r1, %%r0, 16, %%r1;\nmad.wide.u32 %%rd5, %%r0, 16, %%rd2;")
	for at := 0; at < groupPlain; at += 128 * 16 {
		line("cp.async.cg.shared.global [%%r1+%d], [%%rd5+%d], 16;", at, at)
	}
	line("cp.async.wait_all;\nfence.proxy.async;\nbar.sync 0;")
	line("and.b32 %%r2, %%r0, 3;\nshr.u32 %%r3, %%r0, 5;\nand.b32 %%r4, %%r0, 31;\nshr.u32 %%r4, %%r4, 2;\nmad.lo.u32 %%r4, %%r3, 16, %%r4;")
	a, tail := fmt.Sprintf("%#x", c.descriptor(sharedBase, c.alongM)), fmt.Sprintf("%d, ", b2i(c.alongM))
	if c.registers {
		line("mad.lo.u32 %%r5, %%r4, 32, %d;\nmad.lo.u32 %%r5, %%r2, 4, %%r5;\ncvt.u64.u32 %%rd6, %%r5;\nadd.u64 %%rd6, %%rd6, %%rd2;", groupPlain)
		for r := range 4 {
			line("ld.global.u32 %%r%d, [%%rd6+%d];", 10+r, r%2*8*32+r/2*16)
		}
		a, tail = "{%r10,%r11,%r12,%r13}", ""
	} else {
		line("mov.b64 %%rd7, %s;", a)
		a = "%rd7"
	}
	var d []string
	for r := range c.n / 2 {
		d = append(d, fmt.Sprintf("%%g%d", r))
		if c.scale {
			line("mov.b32 %%g%d, %s;", r, map[string]string{"f32": "0f41200000", "s32": "10"}[c.sum()])
		}
	}
	line("setp.%s.u32 %%p1, %%r0, %%r0;\nmov.b64 %%rd8, %#x;", map[bool]string{true: "eq", false: "ne"}[c.scale], c.descriptor(sharedBase+groupB, c.alongN))
	line("wgmma.fence.sync.aligned;")
	flags := fmt.Sprintf(", %d, 1", 1-2*b2i(c.minus))
	switch {
	case c.sum() == "s32":
		flags = ""
	case c.size() == 2:
		flags += fmt.Sprintf(", %s%d", tail, b2i(c.alongN))
	}
	line("wgmma.mma_async.sync.aligned.m64n%dk%d.%s.%s.%s {%s}, %s, %%rd8, %%p1%s;", c.n, c.depth(), c.sum(), c.elem,
		cmp.Or(c.elemB, c.elem), strings.Join(d, ","), a, flags)
	line("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;")
	line("mul.lo.u32 %%r6, %%r4, %d;\nmad.lo.u32 %%r6, %%r2, 2, %%r6;\nmad.wide.u32 %%rd9, %%r6, 4, %%rd1;", c.n)
	for r, g := range d {
		line("st.global.b32 [%%rd9+%d], %s;", 4*(r>>1&1*8*c.n+r>>2*8+r&1), g)
	}
	return s.String()
}

// TestWgmma compares products with plain ones, for every swizzle, order and way to give A.
func TestWgmma(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for _, span := range []int{16, 32, 64, 128} {
		for variant := range 8 {
			for _, n := range []int{8, 16, 24, 64, 136, 256} {
				i := span + variant + n/8
				c := groupCase{elem: []string{"f16", "bf16"}[i%2], n: n, span: span, alongM: variant&1 != 0, alongN: variant&2 != 0,
					registers: variant&4 != 0, scale: i%3 != 0, minus: i%5 == 0}
				if c.registers && c.alongM {
					continue
				}
				t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { c.check(t, rng, variant == 0 || n == 256) })
			}
		}
	}
}

// TestWgmmaTypes: elements of 8 and 32 bits, which are contiguous along k, and both types of one size together.
func TestWgmmaTypes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for i, elems := range [][2]string{{"e4m3", ""}, {"e5m2", ""}, {"e4m3", "e5m2"}, {"s8", ""}, {"u8", ""}, {"s8", "u8"}, {"tf32", ""}} {
		for _, span := range []int{16, 32, 64, 128} {
			for j, n := range []int{8, 64, 256} {
				c := groupCase{elem: elems[0], elemB: elems[1], n: n, span: span, registers: (i+j)%2 != 0, scale: (span+j)%3 != 0}
				c.minus = c.sum() == "f32" && j == 1
				t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) { c.check(t, rng, true) })
			}
		}
	}
}

func (c groupCase) check(t *testing.T, rng *rand.Rand, assemble bool) {
	in := make([]byte, groupIn)
	var a, b [256][maxK]int
	fill := func(m *[256][maxK]int, elem string, rows, base int, along bool) {
		for i := range rows {
			for k := range c.depth() {
				if m[i][k] = rng.IntN(9) - 4; elem == "u8" {
					m[i][k] += 4
				}
				var bits [8]byte
				binary.LittleEndian.PutUint64(bits[:], encode(elem, m[i][k]))
				copy(in[base+c.place(rows, along, i, k):], bits[:c.size()])
				if base == 0 {
					copy(in[groupPlain+32*i+c.size()*k:], bits[:c.size()])
				}
			}
		}
	}
	fill(&a, c.elem, 64, 0, c.alongM)
	fill(&b, cmp.Or(c.elemB, c.elem), c.n, groupB, c.alongN)
	text := head + c.body() + "\n}\n"
	if assemble {
		ptxas.Assemble(t, "sm_90a", text)
	}
	m, err := Load(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	mem := NewMemory(0)
	src, _ := mem.Alloc(groupIn)
	dst, _ := mem.Alloc(int64(4 * 64 * c.n))
	if err := mem.Write(src, in); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Launch(context.Background(), LaunchConfig{Threads: 128, Shared: groupPlain, Params: []uint64{dst, src}, Memory: mem, Seed: rng.Uint64()}); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	out := make([]byte, 4*64*c.n)
	if err := mem.Read(dst, out); err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		for j := range c.n {
			want := 0
			for k := range c.depth() {
				want += a[i][k] * b[j][k]
			}
			if c.minus {
				want = -want
			}
			if c.scale {
				want += 10
			}
			bits := binary.LittleEndian.Uint32(out[4*(i*c.n+j):])
			got := float64(int32(bits))
			if c.sum() == "f32" {
				got = float64(math.Float32frombits(bits))
			}
			if got != float64(want) {
				t.Fatalf("row %d column %d is %v, want %d", i, j, got, want)
			}
		}
	}
}

// groupBody is a product that breaks no rule: A in registers, B not swizzled. Its bugs are in what
// TestWgmmaFaults replaces.
const groupBody = `
mad.lo.u32 %r1, %r0, 2, 1024;
mov.b16 %h1, 0;
st.shared.u16 [%r1], %h1;
fence.proxy.async.shared::cta;
bar.sync 0;
mov.b32 %r2, 0; mov.b32 %r3, 0; mov.b32 %r4, 0; mov.b32 %r5, 0;
mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
mov.b64 %rd5, 0x800080040;
setp.eq.u32 %p1, %r0, %r0;
wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, %rd5, %p1, 1, 1, 0;
wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
bar.sync 0;
st.shared.u16 [%r1], %h1;
st.global.f32 [%rd3], %f1;
ret;`

const (
	groupMMA    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r2,%r3,%r4,%r5}, %rd5, %p1, 1, 1, 0;"
	groupCommit = "wgmma.commit_group.sync.aligned;"
	groupWait   = "wgmma.wait_group.sync.aligned 0;"
	groupFence  = "wgmma.fence.sync.aligned;"
	proxied     = "fence.proxy.async.shared::cta;"
)

// TestWgmmaFaults plants one bug each in a good body. Replacements keep the numbers of the lines before
// the bug: the wgmma is in line 12.
func TestWgmmaFaults(t *testing.T) {
	for seed := range uint64(8) {
		good := trial{threads: 128, shared: 512, body: groupBody, seed: seed}
		good.must(t)
		good.body = strings.Replace(groupBody, proxied, "bar.sync 0; "+proxied, 1) // later, but by who wrote
		good.must(t)
		good.body = strings.Replace(groupBody, groupCommit, groupMMA+groupCommit, 1) // the same accumulator
		good.must(t)
		bad := trial{threads: 128, shared: 512, body: strings.Replace(groupBody, "bar.sync 0;", "", 1), seed: seed}
		if _, _, err := bad.run(t); err == nil {
			t.Error("without a barrier there is no fault")
		}
	}
	for _, c := range []struct {
		name        string
		old, new    string
		kind        Kind
		line, other int
	}{
		{"no fence of registers", groupFence, "", Fence, 12, 0},
		{"accumulator written after the fence", groupFence, groupFence + " mov.f32 %f3, %f2;", Fence, 12, 0},
		{"A written after the fence", groupFence, groupFence + " mov.b32 %r4, 1;", Fence, 12, 0},
		{"accumulator read between products", groupCommit, groupCommit + groupWait + " st.global.f32 [%rd3], %f2;\n" + groupMMA, Fence, 14, 0},
		{"accumulator read in flight", groupCommit, "st.global.f32 [%rd3], %f4;", Async, 13, 12},
		{"accumulator read before its group is waited for", groupWait, "wgmma.wait_group.sync.aligned 1; st.global.f32 [%rd3], %f4;", Async, 14, 12},
		{"a group that was not committed", groupCommit, "", Async, 16, 12},
		{"A written in flight", groupWait, "mov.b32 %r3, 1;", Async, 14, 12},
		{"another accumulator overlaps", groupCommit, strings.Replace(groupMMA, "%f1,%f2", "%f2,%f1", 1), Async, 13, 12},
		{"accumulator as A", groupCommit, strings.NewReplacer("%f1,%f2", "%f5,%f6", "%r2,", "%f2,", "%p1", "%p2").Replace("setp.ne.u32 %p2, %r0, %r0;\n" + groupFence + groupMMA), Async, 14, 12},
		{"exit in flight", groupWait, "ret;", Async, 14, 0},
		{"no proxy fence", proxied, "", Fence, 12, 4},
		{"proxy fence before the write", "st.shared.u16 [%r1], %h1;\n" + proxied, proxied + "\nst.shared.u16 [%r1], %h1;", Fence, 12, 5},
		{"proxy fence after the barrier", proxied + "\nbar.sync 0;", "bar.sync 0;\n" + proxied, Fence, 12, 4},
		{"proxy fence of some threads", proxied, "setp.lt.u32 %p2, %r0, 64;\n@%p2 " + proxied, Fence, 13, 4},
		{"another kind of proxy fence", proxied, "fence.proxy.async.global;", Fence, 12, 4},
		{"written in flight", groupWait, "bar.sync 0; xor.b32 %r6, %r1, 64; st.shared.u16 [%r6], %h1;", Async, 14, 12},
		{"copied to in flight", groupWait, "bar.sync 0; setp.eq.u32 %p2, %r0, 3; @%p2 cp.async.cg.shared.global [smem], [%rd2], 16;", Async, 14, 12},
		{"written before others have waited", groupWait + "\nbar.sync 0;", groupWait + " setp.eq.u32 %p2, %r0, 3;\n@%p2 st.shared.u16 [smem+64], %h1; bar.sync 0;", Race, 15, 14},
		{"unwritten", "0x800080040", "0x800100040", Uninitialized, 12, 0},
		{"outside", "0x800080040", "0x801000040", Bounds, 12, 0},
		{"accumulator without a value", "mov.f32 %f3, %f1;", "", Uninitialized, 12, 0},
		{"A without a value", "mov.b32 %r3, 0;", "", Uninitialized, 12, 0},
		{"reserved bits", "0x800080040", "0x800084040", Argument, 12, 0},
		{"base offset", "0x800080040", "0x2000800080040", Argument, 12, 0},
		{"swizzle's pattern", "0x800080040", "0x4000004000010048", Misaligned, 12, 0},
		{"swizzle's stride", "0x800080040", "0x4000001000010040", Misaligned, 12, 0},
		{"beyond a swizzled row", "0x800080040", "0x4000004000010047", Misaligned, 12, 0},
		{"descriptors differ", "mov.b64 %rd5, 0x800080040;", "mov.b64 %rd5, 0x800080040; cvt.u64.u32 %rd6, %r0; add.u64 %rd5, %rd5, %rd6;", Divergent, 12, 0},
		{"scale-d differs", "setp.eq.u32 %p1, %r0, %r0;", "setp.eq.u32 %p1, %r0, 5;", Divergent, 12, 0},
		{"part of a warp", groupMMA, "setp.ne.u32 %p2, %r0, 5;\n@%p2 " + groupMMA, Divergent, 13, 0},
		{"part of a group", groupMMA, "setp.lt.u32 %p2, %r0, 96;\n@%p2 " + groupMMA, Divergent, 13, 14},
		{"less than a group", groupFence, "setp.ge.u32 %p2, %r0, 96;\n@%p2 bra end;\n" + groupFence, Divergent, 13, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			body := strings.Replace(groupBody, c.old, c.new, 1)
			if body == groupBody {
				t.Fatal("nothing is replaced")
			}
			trial{threads: 128, shared: 512, body: strings.Replace(body, "\nret;", "\nend: ret;", 1)}.fault(t, c.kind, c.line, c.other)
		})
	}
	trial{threads: 96, shared: 512, body: groupBody}.fault(t, Divergent, 11, 0)
}
