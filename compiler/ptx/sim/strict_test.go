package sim

import "testing"

// TestFaults plants one bug in each body. A body's first line is empty.
func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name        string
		kind        Kind
		line, other int // of the body
		trial       trial
	}{
		{"register", Uninitialized, 2, 0, trial{body: `
add.u32 %r1, %r2, 1;`}},
		{"register of some lanes", Uninitialized, 4, 0, trial{body: `
setp.lt.u32 %p1, %r0, 7;
@%p1 mov.u32 %r1, 1;
add.u32 %r2, %r1, 1;`}},
		{"guard", Uninitialized, 2, 0, trial{body: `
@%p1 mov.u32 %r1, 1;`}},
		{"global bounds", Bounds, 2, 0, trial{body: `
st.global.u32 [%rd1+256], %r0;`}},
		{"global below", Bounds, 2, 0, trial{body: `
ld.global.u32 %r1, [%rd1+-4];`}},
		{"null", Bounds, 3, 0, trial{body: `
mov.b64 %rd5, 0;
ld.global.u32 %r1, [%rd5];`}},
		{"alignment", Misaligned, 2, 0, trial{body: `
ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd4];`}},
		{"shared bounds", Bounds, 3, 0, trial{shared: 64, body: `
mov.u32 %r1, smem;
st.shared.u32 [%r1+64], %r0;`}},
		{"shared null", Bounds, 3, 0, trial{shared: 64, body: `
mov.u32 %r1, 0;
st.shared.u32 [%r1], %r0;`}},
		{"shared unwritten", Uninitialized, 5, 0, trial{shared: 128, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.u32 [smem], %r0;
bar.sync 0;
ld.shared.v2.u32 {%r2, %r3}, [smem];`}},
		{"local unwritten", Uninitialized, 4, 0, trial{body: `
.local .align 8 .b8 mine[16];
st.local.u32 [mine], %r0;
ld.local.u64 %rd5, [mine];`}},
		{"mbarrier that is none", Argument, 5, 0, trial{shared: 64, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.u64 [smem], %rd1;
bar.sync 0;
mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [smem], 0;`}},
		{"mbarrier twice", Argument, 4, 0, trial{shared: 64, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared::cta.b64 [smem], 1;
@%p1 mbarrier.init.shared::cta.b64 [smem], 1;`}},
		{"more arrive than an mbarrier is for", Argument, 5, 0, trial{shared: 64, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared::cta.b64 [smem], 1;
bar.sync 0;
mbarrier.arrive.expect_tx.shared::cta.b64 %rd5, [smem], 16;`}},
		{"mbarrier used with no barrier since it was made", Race, 4, 3, trial{shared: 64, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 mbarrier.init.shared::cta.b64 [smem], 2;
mbarrier.try_wait.parity.shared::cta.b64 %p2, [smem], 0;`}},
		{"warps race", Race, 8, 6, trial{threads: 64, shared: 256, body: `
mov.u32 %r1, smem;
mad.lo.u32 %r2, %r0, 4, %r1;
st.shared.u32 [%r2], 0;
bar.sync 0;
st.shared.u32 [%r2], %r0;
xor.b32 %r3, %r2, 128;
ld.shared.u32 %r4, [%r3];`}},
		{"lanes race", Race, 5, 3, trial{shared: 128, body: `
mad.lo.u32 %r2, %r0, 4, 1024;
st.shared.u32 [%r2], %r0;
xor.b32 %r3, %r2, 4;
ld.shared.u32 %r4, [%r3];`}},
		{"write after read", Race, 7, 5, trial{threads: 64, shared: 256, body: `
mad.lo.u32 %r2, %r0, 4, 1024;
st.shared.u32 [%r2], %r0;
bar.sync 0;
ld.shared.u32 %r4, [smem];
setp.eq.u32 %p1, %r0, 40;
@%p1 st.shared.u32 [smem], %r0;`}},
		{"same value twice", Race, 2, 2, trial{shared: 4, body: `
st.shared.u32 [smem], 7;`}},
		{"bytes of a word", Race, 6, 4, trial{threads: 64, shared: 256, body: `
add.u32 %r2, %r0, 1024;
cvt.u16.u32 %h1, %r0;
st.shared.u8 [%r2], %h1;
and.b32 %r2, %r2, 0xfffffffc;
ld.shared.u32 %r3, [%r2];`}},
		{"atomic and plain", Race, 6, 5, trial{threads: 64, shared: 4, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.u32 [smem], 0;
bar.sync 0;
red.shared.add.u32 [smem], 1;
@%p1 ld.shared.u32 %r1, [smem];`}},
		{"copy read at once", Async, 3, 2, trial{shared: 16, body: `
cp.async.ca.shared.global [smem], [%rd2], 4;
ld.shared.u32 %r1, [smem];`, threads: 1}},
		{"copy of a later group", Async, 7, 4, trial{threads: 1, shared: 32, body: `
cp.async.ca.shared.global [smem], [%rd2], 4;
cp.async.commit_group;
cp.async.ca.shared.global [smem+16], [%rd2], 4;
cp.async.commit_group;
cp.async.wait_group 1;
ld.shared.u32 %r1, [smem+16];`}},
		{"copy without barrier", Race, 10, 6, trial{threads: 64, shared: 512, in: make([]uint64, 64), body: `
mad.lo.u32 %r2, %r0, 8, 1024;
xor.b32 %r3, %r2, 256;
st.shared.u64 [%r2], 0;
bar.sync 0;
cp.async.ca.shared.global [%r2], [%rd4], 8;
cp.async.commit_group;
cp.async.wait_group 0;
mov.u32 %r5, 1;
ld.shared.u32 %r4, [%r3];`}},
		{"copy over what is read", Race, 6, 5, trial{threads: 64, shared: 16, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.u32 [smem], 1;
bar.sync 0;
ld.shared.u32 %r1, [smem];
@%p1 cp.async.ca.shared.global [smem], [%rd2], 4;`}},
		{"src-size", Argument, 3, 0, trial{threads: 1, shared: 16, body: `
mov.u32 %r1, 17;
cp.async.cg.shared.global [smem], [%rd2], 16, %r1;`}},
		{"part of a warp at bar", Divergent, 3, 0, trial{body: `
setp.lt.u32 %p1, %r0, 5;
@%p1 bar.sync 0;`}},
		{"one warp skips the barrier", Deadlock, 6, 0, trial{threads: 64, body: `
setp.lt.u32 %p1, %r0, 32;
@%p1 bra skip;
mov.u32 %r1, 1;
mov.u32 %r1, 2;
bar.sync 1, 64;
skip:
ret;`}},
		{"two barriers at once", Divergent, 6, 4, trial{threads: 64, body: `
setp.lt.u32 %p1, %r0, 32;
@%p1 bra other;
bar.sync 0;
ret;
other: bar.sync 0;`}},
		{"barrier number", Argument, 3, 0, trial{body: `
mov.u32 %r1, 16;
bar.sync %r1;`}},
		{"barrier count", Argument, 3, 0, trial{body: `
mov.u32 %r1, 33;
bar.sync 1, %r1;`}},
		{"mma in part of a warp", Divergent, 5, 0, trial{body: `
mov.f32 %f1, 0f00000000;
mov.u32 %r1, 0;
setp.lt.u32 %p1, %r0, 31;
@%p1 mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f2,%f3,%f4,%f5}, {%r1,%r1}, {%r1}, {%f1,%f1,%f1,%f1};`}},
		{"ldmatrix in part of a warp", Divergent, 2, 0, trial{threads: 16, shared: 512, body: `
ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [smem];`}},
		{"member absent", Divergent, 3, 0, trial{body: `
setp.lt.u32 %p1, %r0, 16;
@%p1 shfl.sync.idx.b32 %r1, %r0, 0, 31, -1;`}},
		{"not a member", Divergent, 2, 0, trial{body: `
shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffff;`}},
		{"shfl from outside", Divergent, 5, 0, trial{body: `
setp.ge.u32 %p1, %r0, 16;
@%p1 exit;
mov.u32 %r2, 20;
shfl.sync.idx.b32 %r1, %r0, %r2, 31, 0xffff;`}},
		{"uniform branch", Divergent, 3, 0, trial{body: `
setp.ge.u32 %p1, %r0, 16;
@%p1 bra.uni end;
end:`}},
		{"trap", Trap, 3, 0, trial{body: `
setp.eq.u32 %p1, %r0, 16;
@%p1 trap;`}},
		{"endless", Budget, 0, 0, trial{budget: 1000, body: `
again: bra again;`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.trial.fault(t, c.kind, c.line, c.other)
		})
	}
}

// TestAllowed has what the rules must let through.
func TestAllowed(t *testing.T) {
	for name, c := range map[string]trial{
		"lanes with bar.warp.sync": {shared: 128, body: `
mad.lo.u32 %r2, %r0, 4, 1024;
st.shared.u32 [%r2], %r0;
bar.warp.sync 0xffffffff;
xor.b32 %r3, %r2, 4;
ld.shared.u32 %r4, [%r3];
bar.warp.sync -1;
st.shared.u32 [%r2], %r0;`},
		"shfl orders": {shared: 128, body: `
mad.lo.u32 %r2, %r0, 4, 1024;
st.shared.u32 [%r2], %r0;
shfl.sync.bfly.b32 %r5, %r0, 1, 31, -1;
xor.b32 %r3, %r2, 4;
ld.shared.u32 %r4, [%r3];`},
		"bytes apart": {threads: 64, shared: 64, body: `
add.u32 %r2, %r0, 1024;
cvt.u16.u32 %h1, %r0;
st.shared.u8 [%r2], %h1;
ld.shared.u8 %h2, [%r2];
bar.sync 0;
ld.shared.u8 %h2, [smem+5];`},
		"exited warps count as arrived": {threads: 96, body: `
setp.ge.u32 %p1, %r0, 64;
@%p1 exit;
bar.sync 0;
bar.sync 0;`},
		"named barriers order those who come": {threads: 96, shared: 4, body: `
setp.ge.u32 %p1, %r0, 64;
@%p1 bra rest;
setp.eq.u32 %p2, %r0, 0;
@%p2 st.shared.u32 [smem], 5;
bar.sync 3, 64;
ld.shared.u32 %r1, [smem];
rest:
bar.sync 0;
@%p1 ld.shared.u32 %r1, [smem];`},
		"arrive and sync": {threads: 64, shared: 4, body: `
setp.ge.u32 %p1, %r0, 32;
@%p1 bra consumer;
setp.eq.u32 %p2, %r0, 0;
@%p2 st.shared.u32 [smem], 5;
bar.arrive 1, 64;
ret;
consumer:
bar.sync 1, 64;
ld.shared.u32 %r1, [smem];`},
		"atomics do not race": {threads: 128, shared: 4, body: `
setp.eq.u32 %p2, %r0, 0;
@%p2 st.shared.u32 [smem], 5;
bar.sync 0;
atom.shared.add.u32 %r1, [smem], 1;
atom.shared.max.u32 %r1, [smem], 1;
bar.sync 0;
@%p2 st.shared.u32 [smem], 5;`},
		"barrier in a divergent warp": {threads: 64, body: `
setp.lt.u32 %p1, %r0, 7;
@%p1 bra low;
barrier.sync 2, 64;
bra join;
low:
barrier.sync 2, 64;
join:
bar.sync 0;`},
		"reduction over two warps": {threads: 64, shared: 8, body: `
shr.u32 %r1, %r0, 5;
mad.lo.u32 %r2, %r1, 4, 1024;
and.b32 %r3, %r0, 31;
setp.eq.u32 %p1, %r3, 0;
mov.u32 %r9, 0;
again:
@%p1 st.shared.u32 [%r2], %r1;
bar.sync 0;
ld.shared.v2.u32 {%r4, %r5}, [smem];
bar.sync 0;
add.u32 %r9, %r9, 1;
setp.lt.u32 %p2, %r9, 3;
@%p2 bra again;`},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(8) {
				c.seed = seed
				c.must(t)
			}
		})
	}
}

// TestBarrierCounts has barriers whose number of threads does not fit those that come.
func TestBarrierCounts(t *testing.T) {
	trial{threads: 40, body: `
bar.sync 1, 64;
bar.arrive 2, 96;
bar.sync 0;`}.must(t)
	trial{threads: 96, body: `
bar.sync 3, 64;`}.fault(t, Deadlock, 2, 0)
	trial{body: `
setp.lt.u32 %p1, %r0, 7;
@%p1 barrier.arrive 1, 32;
barrier.arrive 1, 32;`}.fault(t, Divergent, 4, 0)
	trial{threads: 64, shared: 4, body: `
setp.eq.u32 %p1, %r0, 0;
@%p1 st.shared.u32 [smem], 1;
setp.lt.u32 %p2, %r0, 32;
@%p2 exit;
bar.sync 0;
ld.shared.u32 %r1, [smem];`}.must(t)
}
