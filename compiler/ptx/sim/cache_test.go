package sim

import (
	"strings"
	"testing"
)

// TestCaches hands a number over between two blocks by the instructions of a writer and a reader, which has looked at the
// place before. Where something is missing, some seed shows the reader old data.
func TestCaches(t *testing.T) {
	const body = `
mov.u32 %r1, %ctaid.x;
setp.ne.u32 %p1, %r0, 0;
@%p1 exit;
setp.eq.u32 %p2, %r1, 0;
@%p2 bra writer;
ld.global.u64 %rd10, [%rd2];
again:
READ
setp.eq.u32 %p3, %r2, 0;
@%p3 bra again;
AFTER
ld.global.u64 %rd10, [%rd2];
st.global.u64 [%rd1], %rd10;
exit;
writer:
st.global.u64 [%rd2], 7;
WRITE
`
	for _, c := range []struct {
		name, write, read, after string
		ordered                  bool
	}{
		{"release, acquire", "st.release.gpu.global.u32 [%rd2+32], 1;", "ld.acquire.gpu.global.u32 %r2, [%rd2+32];", "", true},
		{"atomics", "atom.acq_rel.gpu.global.exch.b32 %r3, [%rd2+32], 1;", "atom.acq_rel.gpu.global.cas.b32 %r2, [%rd2+32], 9, 9;", "", true},
		{"fences", "fence.acq_rel.gpu; st.volatile.global.u32 [%rd2+32], 1;", "ld.volatile.global.u32 %r2, [%rd2+32];", "fence.sc.sys;", true},
		{"no release", "st.relaxed.gpu.global.u32 [%rd2+32], 1;", "ld.acquire.gpu.global.u32 %r2, [%rd2+32];", "", false},
		{"no acquire", "red.release.gpu.global.add.u32 [%rd2+32], 1;", "ld.relaxed.gpu.global.u32 %r2, [%rd2+32];", "", false},
		{"of a block", "atom.acq_rel.gpu.global.exch.b32 %r3, [%rd2+32], 1;", "atom.acq_rel.cta.global.cas.b32 %r2, [%rd2+32], 9, 9;", "", false},
		{"fence of a block", "fence.acq_rel.gpu; st.volatile.global.u32 [%rd2+32], 1;", "ld.volatile.global.u32 %r2, [%rd2+32];", "fence.acq_rel.cta;", false},
	} {
		stale := 0
		for seed := range uint64(16) {
			text := strings.NewReplacer("READ", c.read, "AFTER", c.after, "WRITE", c.write).Replace(body)
			if out := (trial{body: text, grid: 2, seed: seed, in: make([]uint64, 32)}).must(t); out[0] != 7 {
				stale++
			}
		}
		if c.ordered != (stale == 0) {
			t.Errorf("%s: %d of 16 runs read old data", c.name, stale)
		}
	}
}
