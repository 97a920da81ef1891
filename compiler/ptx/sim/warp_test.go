package sim

import (
	"context"
	"fmt"
	"testing"
)

// TestShuffle compares every mode, operand and segment with the ISA's pseudocode, written out here.
func TestShuffle(t *testing.T) {
	for _, mode := range []string{"up", "down", "bfly", "idx"} {
		for _, seg := range []int{31, 0, 7, 0x1c03, 0x181f, 0x1800, 0x100f, 0x1e01} {
			for _, b := range []int{0, 1, 5, 16, 31, 33} {
				body := fmt.Sprintf(`
add.u32 %%r1, %%r0, 100;
shfl.sync.%s.b32 %%r2|%%p1, %%r1, %d, %d, 0xffffffff;
selp.u32 %%r3, 1, 0, %%p1;
mov.b64 %%rd5, {%%r2, %%r3};
st.global.u64 [%%rd3], %%rd5;`, mode, b, seg)
				for lane, got := range (trial{body: body}).must(t) {
					bval, segmask, c := b&31, seg>>8&31, seg&31
					maxLane := lane&segmask | c&^segmask
					minLane := lane & segmask
					var j int
					var ok bool
					switch mode {
					case "up":
						j = lane - bval
						ok = j >= maxLane
					case "down":
						j = lane + bval
						ok = j <= maxLane
					case "bfly":
						j = lane ^ bval
						ok = j <= maxLane
					case "idx":
						j = minLane | bval&^segmask
						ok = j <= maxLane
					}
					if !ok {
						j = lane
					}
					if want := uint64(100+j) | truth(ok)<<32; got != want {
						t.Errorf("%s %d %#x: lane %d has %#x, want %#x", mode, b, seg, lane, got, want)
					}
				}
			}
		}
	}
}

// warpValue runs a body that leaves a value of each thread in %r9.
func warpValue(t *testing.T, threads int, body string, want func(lane int) uint64) {
	t.Helper()
	out := trial{threads: threads, body: "\n" + body + "\ncvt.u64.u32 %rd5, %r9; st.global.u64 [%rd3], %rd5;"}.must(t)
	for i, v := range out {
		if v != want(i) {
			t.Errorf("%s: thread %d has %#x, want %#x", body, i, v, want(i))
			return
		}
	}
}

func TestWarp(t *testing.T) {
	always := func(v uint64) func(int) uint64 { return func(int) uint64 { return v } }
	for _, c := range []struct {
		body string
		want func(lane int) uint64
	}{
		{"setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r9, %p1, -1;", always(31)},
		{"setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r9, !%p1, -1;", always(0xffffffe0)},
		{"setp.lt.u32 %p1, %r0, 5; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r9, 1, 0, %p2;", always(1)},
		{"setp.lt.u32 %p1, %r0, 5; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r9, 1, 0, %p2;", always(0)},
		{"setp.lt.u32 %p1, %r0, 5; vote.sync.uni.pred %p2, %p1, -1; selp.u32 %r9, 1, 0, %p2;", always(0)},
		{"and.b32 %r1, %r0, 3; match.any.sync.b32 %r9, %r1, -1;", func(l int) uint64 { return 0x11111111 << (l & 3) }},
		{"mov.b64 %rd5, 9; match.all.sync.b64 %r9|%p1, %rd5, -1;", always(0xffffffff)},
		{"match.all.sync.b32 %r9|%p1, %r0, -1; selp.u32 %r9, 7, %r9, %p1;", always(0)},
		{"redux.sync.add.s32 %r9, %r0, -1;", always(496)},
		{"redux.sync.max.s32 %r9, %r0, -1;", always(31)},
		{"neg.s32 %r1, %r0; redux.sync.min.s32 %r9, %r1, -1;", always(s32(-31))},
		{"redux.sync.xor.b32 %r9, %r0, -1;", always(0)},
		{"redux.sync.or.b32 %r9, %r0, -1;", always(31)},
		{"elect.sync %r9|%p1, -1;", always(0)},
		{"elect.sync _|%p1, -1; selp.u32 %r9, 1, 0, %p1;", func(l int) uint64 { return truth(l == 0) }},
		{"mov.u32 %r9, 0; setp.lt.u32 %p1, %r0, 5; @%p1 activemask.b32 %r9;", func(l int) uint64 { return 31 * truth(l < 5) }},
		{"mov.u32 %r9, 0; setp.ge.u32 %p1, %r0, 28; @%p1 redux.sync.add.u32 %r9, %r0, 0xf0000000;", func(l int) uint64 { return 118 * truth(l >= 28) }},
		{"mov.u32 %r9, %laneid;", func(l int) uint64 { return uint64(l) }},
		{"mov.u32 %r9, %lanemask_lt;", func(l int) uint64 { return maskBits(l) }},
		{"mov.u32 %r9, %lanemask_ge;", func(l int) uint64 { return 0xffffffff &^ maskBits(l) }},
		{"mov.u32 %r1, %ntid.x; mov.u32 %r2, %nctaid.y; add.u32 %r9, %r1, %r2;", always(33)},
		{"mov.u64 %rd5, %globaltimer; mov.u64 %rd6, %clock64; setp.ge.u64 %p1, %rd6, %rd5; selp.u32 %r9, 1, 0, %p1;", always(1)},
	} {
		warpValue(t, 32, c.body, c.want)
	}
}

func TestBarrierReductions(t *testing.T) {
	low := "setp.lt.u32 %p1, %r0, 5;"
	for body, want := range map[string]uint64{
		low + "bar.red.popc.u32 %r9, 0, %p1;":                                              5,
		low + "bar.red.popc.u32 %r9, 2, 96, !%p1;":                                         91,
		low + "bar.red.and.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;":                     0,
		low + "bar.red.or.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;":                      1,
		"setp.lt.u32 %p1, %r0, 96; bar.red.and.pred %p2, 1, %p1; selp.u32 %r9, 1, 0, %p2;": 1,
		"barrier.cta.red.popc.aligned.u32 %r9, 0, 1;":                                      96,
	} {
		warpValue(t, 96, body, func(int) uint64 { return want })
	}
}

func TestAtomics(t *testing.T) {
	one, two := half(1, false), half(2, false)
	for _, c := range []struct {
		text          string // on [%rd7], with %r1 the lane and others set
		before, after uint64
	}{
		{"atom.global.add.u32 %r9, [%rd7], 2;", 5, 5 + 64},
		{"atom.relaxed.gpu.global.add.u64 %rd9, [%rd7], 2;", 5, 5 + 64},
		{"red.global.add.s32 [%rd7], -1;", 5, s32(5 - 32)},
		{"atom.global.min.s32 %r9, [%rd7], %r1;", 9, 0},
		{"atom.global.max.u32 %r9, [%rd7], %r1;", 9, 31},
		{"atom.global.max.s64 %rd9, [%rd7], %rd8;", ones, 31},
		{"red.global.or.b32 [%rd7], %r1;", 32, 63},
		{"red.global.and.b32 [%rd7], 12;", 10, 8},
		{"red.global.xor.b64 [%rd7], %rd8;", 7, 7},
		{"atom.global.exch.b32 %r9, [%rd7], 77;", 7, 77},
		{"atom.global.cas.b32 %r9, [%rd7], %r1, %r2;", 0, 32},
		{"atom.global.cas.b16 %h9, [%rd7], 3, 9;", 3, 9},
		{"atom.global.inc.u32 %r9, [%rd7], 9;", 0, 2},
		{"atom.global.dec.u32 %r9, [%rd7], 9;", 0, 8},
		{"red.global.add.f32 [%rd7], 0f3F800000;", bits32(1), bits32(33)},
		{"atom.global.add.f32 %f9, [%rd7], 0f00000001;", 0, 0},
		{"atom.global.add.f64 %d9, [%rd7], 0d3FF0000000000000;", f64bits(1), f64bits(33)},
		{"red.global.add.noftz.f16 [%rd7], %h1;", one, half(33, false)},
		{"red.relaxed.gpu.global.add.noftz.f16x2 [%rd7], %r3;", pair(two, one), pair(half(66, false), half(33, false))},
		{"atom.global.add.noftz.bf16 %h9, [%rd7], %h2;", half(1, true), half(33, true)},
		{"red.global.add.v2.f32 [%rd7], {%f1, %f2};", bits32(2)<<32 | bits32(1), bits32(66)<<32 | bits32(33)},
		{"red.global.add.L2::cache_hint.u32 [%rd7], 1, %rd9;", 0, 32},
		{"atom.add.u32 %r9, [%rd7], 2;", 5, 5 + 64},
	} {
		body := `
mov.b64 %rd7, %rd2; cvt.u64.u32 %rd8, %r0; mov.u32 %r1, %r0; add.u32 %r2, %r0, 1; createpolicy.fractional.L2::evict_last.b64 %rd9, 1.0;
mov.b16 %h1, 0x3c00; mov.b16 %h2, 0x3f80; mov.b32 %r3, 0x40003c00; mov.f32 %f1, 0f3F800000; mov.f32 %f2, 0f40000000;
` + c.text + `
bar.sync 0;
ld.global.u64 %rd5, [%rd7];
st.global.u64 [%rd3], %rd5;`
		if got := (trial{body: body, in: []uint64{c.before}}).must(t)[0]; got != c.after {
			t.Errorf("%s on %#x leaves %#x, want %#x", c.text, c.before, got, c.after)
		}
	}
}

// TestSharedAtomic has fp32 subnormals, which atomics on shared memory keep, and generic addresses.
func TestSharedAtomic(t *testing.T) {
	out := trial{shared: 8, threads: 64, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.v2.u32 [smem], {0, 0};
bar.sync 0;
red.shared.add.f32 [smem], 0f00000001;
mov.u64 %rd6, smem;
cvta.shared.u64 %rd7, %rd6;
atom.add.u32 %r1, [%rd7+4], 3;
bar.sync 0;
ld.u64 %rd5, [%rd7];
st.global.u64 [%rd3], %rd5;`}.must(t)
	if want := uint64(192<<32 | 64); out[9] != want {
		t.Errorf("%#x, want %#x", out[9], want)
	}
}

// TestAsync runs a ring of two stages with masked copies.
func TestAsync(t *testing.T) {
	in := make([]uint64, 64*4)
	for i := range in {
		in[i] = uint64(i) * 3
	}
	for seed := range uint64(10) {
		out := trial{threads: 64, shared: 1024, in: in, seed: seed, body: `
mad.lo.u32 %r1, %r0, 8, 1024;
xor.b32 %r2, %r1, 256;
mov.b64 %rd6, 0;
mov.b64 %rd7, %rd4;
setp.lt.u32 %p1, %r0, 60;
selp.u32 %r3, 8, 0, %p1;
cp.async.ca.shared.global.L2::128B [%r1], [%rd7], 8, %r3;
cp.async.commit_group;
mov.u32 %r4, 0;
again:
add.s64 %rd7, %rd7, 512;
xor.b32 %r1, %r1, 512;
setp.lt.u32 %p2, %r4, 3;
@%p2 cp.async.ca.shared::cta.global [%r1], [%rd7], 8, %r3;
cp.async.commit_group;
cp.async.wait_group 1;
bar.sync 0;
ld.shared.u64 %rd5, [%r2];
add.s64 %rd6, %rd6, %rd5;
xor.b32 %r2, %r2, 512;
bar.sync 0;
add.u32 %r4, %r4, 1;
setp.lt.u32 %p3, %r4, 4;
@%p3 bra again;
cp.async.wait_all;
st.global.u64 [%rd3], %rd6;`}.must(t)
		for i, v := range out {
			want := uint64(0)
			if j := i ^ 32; j < 60 {
				for k := range 4 {
					want += in[64*k+j]
				}
			}
			if v != want {
				t.Fatalf("seed %d: thread %d has %d, want %d", seed, i, v, want)
			}
		}
	}
}

// TestVectors has vector accesses, sub-word types and their extension.
func TestVectors(t *testing.T) {
	out := trial{shared: 512, in: []uint64{0x80ff7f01, 0x1234}, body: `
mov.b32 %r1, 1;
mad.lo.u32 %r2, %r0, 16, 1024;
st.shared.v4.b32 [%r2], {%r0, %r1, %r0, 7};
ld.shared.v2.b64 {%rd5, %rd6}, [%r2];
add.s64 %rd5, %rd5, %rd6;
ld.global.s8 %r3, [%rd2+2];
ld.global.u8 %h1, [%rd2+2];
ld.global.nc.L1::evict_first.L2::128B.s16 %rd7, [%rd2+2];
cvt.u64.u16 %rd8, %h1;
cvt.s64.s32 %rd9, %r3;
add.s64 %rd5, %rd5, %rd7;
add.s64 %rd5, %rd5, %rd8;
add.s64 %rd5, %rd5, %rd9;
st.global.wb.b64 [%rd3], %rd5;
st.global.b8 [%rd3+7], %r0;`}.must(t)
	for i, v := range out {
		sum := uint64(1<<32) + uint64(2*i) + 7<<32
		half, octet := int16(-32513), int8(-1) // 0x80ff and 0xff
		want := sum + uint64(half) + 0xff + uint64(octet)
		want = want&(1<<56-1) | uint64(i)<<56
		if v != want {
			t.Fatalf("thread %d has %#x, want %#x", i, v, want)
		}
	}
}

// TestLocal has local memory apart for each thread.
func TestLocal(t *testing.T) {
	out := trial{body: `
.local .align 8 .b8 mine[16];
mov.u64 %rd6, mine;
cvt.u64.u32 %rd5, %r0;
st.local.u64 [%rd6+8], %rd5;
cvta.local.u64 %rd7, %rd6;
ld.u64 %rd8, [%rd7+8];
st.global.u64 [%rd3], %rd8;`}.must(t)
	for i, v := range out {
		if v != uint64(i) {
			t.Fatalf("thread %d has %d", i, v)
		}
	}
}

// TestIdealSectors compares the sectors of loads of fp32 with those that their bytes fill, and has what the launch read
// counted once.
func TestIdealSectors(t *testing.T) {
	for name, c := range map[string]struct {
		stride, shift int
		want          Traffic
		read          uint64
	}{
		"coalesced":  {4, 0, Traffic{2, 8, 8, 0, 0}, 128},
		"misaligned": {4, 4, Traffic{2, 10, 8, 0, 0}, 160},
		"stride 2":   {8, 0, Traffic{2, 16, 8, 0, 0}, 256},
		"stride 8":   {32, 0, Traffic{2, 64, 8, 0, 0}, 1024},
		"stride 32":  {128, 0, Traffic{2, 64, 8, 0, 0}, 1024},
		"broadcast":  {0, 0, Traffic{2, 2, 2, 0, 0}, 32},
	} {
		load := fmt.Sprintf("mad.wide.u32 %%rd5, %%r0, %d, %%rd2; ld.global.f32 %%f1, [%%rd5+%d];", c.stride, c.shift)
		_, r, err := trial{body: load + load, in: make([]uint64, 1024)}.run(t)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := r.Total.Global[AccessRead]; got != c.want || r.ReadBytes != c.read || r.WrittenBytes != 0 {
			t.Errorf("%s: %+v, %d bytes read, %d written", name, got, r.ReadBytes, r.WrittenBytes)
		}
	}
}

// TestWaves counts what 40 blocks read, each sector once in the waves of 16, 16 and 8 of them.
func TestWaves(t *testing.T) {
	const address = "mad.wide.u32 %rd5, %r1, 32, %rd2; "
	for name, c := range map[string]struct {
		body string
		want uint64
	}{
		"the same for all":       {"ld.global.u32 %r2, [%rd2];", 3},
		"each its own":           {"mov.u32 %r1, %ctaid.x; " + address + "ld.global.u32 %r2, [%rd5];", 40},
		"sixteen in a row":       {"mov.u32 %r1, %ctaid.x; shr.u32 %r1, %r1, 4; " + address + "ld.global.u32 %r2, [%rd5];", 3},
		"every sixteenth":        {"mov.u32 %r1, %ctaid.x; and.b32 %r1, %r1, 15; " + address + "ld.global.u32 %r2, [%rd5];", 40},
		"twice":                  {"ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2];", 3},
		"an atomic":              {"atom.global.add.u32 %r1, [%rd2], 1;", 3},
		"a store":                {"mov.u32 %r1, %ctaid.x; st.global.u32 [%rd2], %r1;", 0},
		"one block does without": {"mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 0; @%p1 bra L; ld.global.u32 %r2, [%rd2]; L: ld.global.u32 %r2, [%rd2+32];", 6},
	} {
		for seed := range uint64(4) {
			_, r, err := trial{body: c.body, grid: 40, seed: seed, in: make([]uint64, 160)}.run(t)
			if err != nil || r.WaveSectors != c.want {
				t.Errorf("%s: %v, %d sectors, want %d", name, err, r.WaveSectors, c.want)
			}
		}
	}
}

// TestCounts has accesses whose sectors and wavefronts are known.
func TestCounts(t *testing.T) {
	const fill = "mad.lo.u32 %r1, %r0, 16, 1024; st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0}; bar.warp.sync 0xffffffff;\n"
	for name, c := range map[string]struct {
		body                           string
		sectors, wavefronts, conflicts uint64
	}{
		"coalesced":        {"mad.wide.u32 %rd5, %r0, 4, %rd2; ld.global.u32 %r1, [%rd5];", 4, 0, 0},
		"strided":          {"mad.wide.u32 %rd5, %r0, 32, %rd2; ld.global.u32 %r1, [%rd5];", 32, 0, 0},
		"broadcast":        {"ld.global.u32 %r1, [%rd2];", 1, 0, 0},
		"vector":           {"mad.wide.u32 %rd5, %r0, 16, %rd2; ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd5];", 16, 0, 0},
		"guarded":          {"setp.lt.u32 %p1, %r0, 8; mad.wide.u32 %rd5, %r0, 4, %rd2; @%p1 ld.global.u32 %r1, [%rd5];", 1, 0, 0},
		"banks":            {"mad.lo.u32 %r1, %r0, 4, 1024; st.shared.u32 [%r1], %r0;", 0, 1, 0},
		"two ways":         {"mad.lo.u32 %r1, %r0, 8, 1024; st.shared.u32 [%r1], %r0;", 0, 2, 1},
		"all one bank":     {"mad.lo.u32 %r1, %r0, 128, 1024; st.shared.u32 [%r1], %r0;", 0, 32, 31},
		"eight bytes":      {"mad.lo.u32 %r1, %r0, 8, 1024; st.shared.u64 [%r1], %rd2;", 0, 2, 0},
		"eight by sixteen": {"mad.lo.u32 %r1, %r0, 16, 1024; st.shared.u64 [%r1], %rd2;", 0, 4, 2},
		"sixteen bytes":    {"mad.lo.u32 %r1, %r0, 16, 1024; st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};", 0, 4, 0},
		"rows of 128":      {"mad.lo.u32 %r1, %r0, 128, 1024; st.shared.v4.u32 [%r1], {%r0,%r0,%r0,%r0};", 0, 32, 28},
		"16 for all":       {fill + "mov.u32 %r5, 1024; ld.shared.v4.u32 {%r1,%r2,%r3,%r4}, [%r5];", 0, 4 + 2, 0},
		"8 for all":        {fill + "mov.u32 %r5, 1024; ld.shared.v2.u32 {%r1,%r2}, [%r5];", 0, 4 + 1, 0},
		"16 a half warp": {fill + "shr.u32 %r1, %r0, 4; mad.lo.u32 %r1, %r1, 32, 1024; " +
			"ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [%r1];", 0, 4 + 2, 0},
		"16 by other halves": {fill + "and.b32 %r1, %r0, 15; mad.lo.u32 %r1, %r1, 32, 1024; " +
			"ld.shared.v4.u32 {%r2,%r3,%r4,%r5}, [%r1];", 0, 4 + 8, 4},
		"bytes": {"add.u32 %r1, %r0, 1024; st.shared.b8 [%r1], %r0;", 0, 1, 0},
	} {
		_, r, err := trial{body: c.body, shared: 4096, in: make([]uint64, 128)}.run(t)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if global, shared := r.Total.Global.Sum(), r.Total.Shared.Sum(); global.Units != c.sectors || shared.Units != c.wavefronts || shared.Excess() != c.conflicts {
			t.Errorf("%s: %+v and %+v", name, global, shared)
		}
	}
	_, r, err := trial{body: "\nmov.u32 %r1, 1;\n@%p1 mov.u32 %r1, 2; setp.lt.u32 %p1, %r0, 3;\n", threads: 64}.run(t)
	if err == nil || r.Lines[headLines+2].Executed != 1 {
		t.Errorf("%v: the report of a launch that a fault ended has %+v", err, r.Lines)
	}
}

// TestSchedule wants one seed to give one order, other seeds others, and all blocks to run.
func TestSchedule(t *testing.T) {
	order := func(seed uint64) string {
		return fmt.Sprint(trial{threads: 256, seed: seed, body: `
setp.eq.u32 %p1, %r0, 0;
atom.global.add.u64 %rd5, [%rd2], 1;
st.global.u64 [%rd3], %rd5;`}.must(t))
	}
	if first, again := order(1), order(1); first != again {
		t.Error("one seed gives two orders")
	}
	same := 0
	for seed := range uint64(10) {
		same += b2i(order(seed) == order(seed+10))
	}
	if same > 1 {
		t.Error("seeds change nothing")
	}
	m, err := Load(head + `
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mov.u32 %r3, %ctaid.z;
mov.u32 %r4, %nctaid.x; mov.u32 %r5, %nctaid.y;
mad.lo.u32 %r3, %r3, %r5, %r2;
mad.lo.u32 %r3, %r3, %r4, %r1;
mad.wide.u32 %rd5, %r3, 8, %rd1;
red.global.add.u64 [%rd5], 1;
}`)
	if err != nil {
		t.Fatal(err)
	}
	mem := NewMemory(0)
	out, _ := mem.Alloc(8 * 60)
	if _, err := m.Launch(context.Background(), LaunchConfig{Grid: [3]int{3, 4, 5}, Threads: 7, Params: []uint64{out, 0}, Memory: mem}); err != nil {
		t.Fatal(err)
	}
	raw := make([]byte, 8*60)
	if err := mem.Read(out, raw); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		if readBits(raw[8*i:8*i+8]) != 7 {
			t.Fatalf("block %d ran %d times", i, readBits(raw[8*i:8*i+8]))
		}
	}
}
