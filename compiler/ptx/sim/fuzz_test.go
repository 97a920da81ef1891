package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// FuzzLoad loads hostile text and runs what loads: neither may panic, whatever the kernel does.
func FuzzLoad(f *testing.F) {
	for _, c := range benches {
		f.Add(head + c.body + "\n}")
	}
	for _, body := range []string{
		"bar.red.popc.u32 %r1, 0, %p1;", "@!%p1 bra a; a: vote.sync.ballot.b32 %r1, %p1, -1;",
		"setp.lt.and.f32 %p1|%p2, %f1, 0f00000000, !%p3;", "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;",
		"cp.async.cg.shared.global [smem+16], [%rd1], 16, %r1; cp.async.commit_group; cp.async.wait_group 0;",
		"ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];",
		"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2; mov.b64 {%r1,_}, %rd1;", "atom.shared.cas.b32 %r1, [smem], 0, 1;",
		"{ .reg .b32 %q<3>; .local .align 8 .b8 mine[16]; st.local.v2.u32 [mine+8], {%r0, 1}; }", ".loc 1 2 3\n.pragma \"nounroll\";",
		"bfe.s32 %r1, %r0, 200, 255; bfi.b64 %rd5, %rd1, %rd2, 63, 64; shf.l.clamp.b32 %r1, %r0, %r0, 99; lop3.b32 %r1, %r0, %r0, %r0, 0xea;",
		"mov.u32 %r1, 99; bar.sync %r1; barrier.arrive 1, 64; exit;", "prmt.b32 %r1, %r0, 0, 0x1234; createpolicy.fractional.L2::evict_first.b64 %rd5, 1.0;",
	} {
		f.Add(head + body + "\n}")
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Load(text)
		if err != nil {
			return
		}
		mem := NewMemory(1 << 20)
		x, _ := mem.Alloc(4096)
		for _, name := range m.Entries {
			k := m.kernels[name]
			params := make([]uint64, len(k.params))
			for i := range params {
				params[i] = x
			}
			if k.slots > 1000 {
				continue
			}
			for _, threads := range []int{max(k.threads, 1), 40} {
				_, _ = m.Launch(context.Background(), LaunchConfig{Entry: name, Grid: [3]int{3}, Threads: threads, Shared: 256, Params: params,
					Memory: mem, MaxInstructions: 2000})
			}
		}
	})
}

// pieces are instructions for FuzzLaunch; # stands for a digit that the fuzzer picks.
var pieces = []string{
	"add.u32 %r#, %r#, %r#;", "mad.lo.s32 %r#, %r#, %r#, %r#;", "div.s32 %r#, %r#, %r#;", "rem.u64 %rd#, %rd#, %rd#;", "shl.b32 %r#, %r#, %r#;",
	"shr.s64 %rd#, %rd#, %r#;", "bfe.s64 %rd#, %rd#, %r#, %r#;", "bfi.b32 %r#, %r#, %r#, %r#, %r#;", "prmt.b32 %r#, %r#, %r#, %r#;",
	"shf.r.clamp.b32 %r#, %r#, %r#, %r#;", "mul.hi.s64 %rd#, %rd#, %rd#;", "cvt.rzi.sat.s8.f32 %r#, %f#;", "cvt.rn.f16.f32 %h#, %f#;",
	"cvt.rz.bf16x2.f32 %r#, %f#, %f#;", "fma.rz.ftz.f32 %f#, %f#, %f#, %f#;", "div.rp.f32 %f#, %f#, %f#;", "sqrt.rm.f32 %f#, %f#;", "ex2.approx.f32 %f#, %f#;",
	"fma.rn.f16x2 %r#, %r#, %r#, %r#;", "mov.b32 %f#, %r#;", "mov.b32 %r#, %f#;", "setp.lt.s32 %p#, %r#, %r#;", "setp.geu.and.f32 %p#|%p#, %f#, %f#, !%p#;",
	"@%p# bra a#;", "@!%p# bra.uni a#;", "a#:", "@%p# exit;", "bar.sync %r#;", "@%p# barrier.sync %r#, 64;", "@%p# barrier.arrive #, 32;", "bar.red.popc.u32 %r#, #, %p#;",
	"bar.red.or.pred %p#, #, 64, %p#;", "@%p# bar.warp.sync %r#;", "shfl.sync.up.b32 %r#|%p#, %r#, %r#, %r#, -1;", "@%p# shfl.sync.idx.b32 %r#, %r#, #, 31, %r#;",
	"match.any.sync.b32 %r#, %r#, -1;", "elect.sync %r#|%p#, %r#;", "redux.sync.min.s32 %r#, %r#, -1;", "activemask.b32 %r#;",
	"and.b32 %r#, %r#, 252;", "add.u32 %r#, %r#, smem;", "st.shared.u32 [%r#], %r#;", "ld.shared.v2.u32 {%r#, %r#}, [%r#+8];", "@%p# st.shared.v4.f32 [%r#], {%f#, %f#, %f#, %f#};",
	"red.shared.add.u32 [%r#+#], 1;", "atom.shared.cas.b32 %r#, [%r#], %r#, %r#;", "cp.async.ca.shared.global [%r#], [%rd1], 8, %r#;", "cp.async.ca.shared.global [%r#+4], [%rd1], 4;",
	"cp.async.commit_group;", "cp.async.wait_group #;", "cp.async.wait_all;", "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r#,%r#}, [%r#];",
	"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r#], {%r#};", "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f#,%f#,%f#,%f#}, {%r#,%r#}, {%r#}, {%f#,%f#,%f#,%f#};",
	"ld.u32 %r#, [%rd#];", "st.global.u64 [%rd3+#], %rd#;", "cvta.shared.u64 %rd#, %rd#;", "mov.u64 %rd#, smem;", "st.local.u32 [mine+#], %r#;", "ld.local.u16 %r#, [mine+#];",
	"mov.u32 %r#, %r0;", "mov.u32 %r#, #;", "nanosleep.u32 %r#;",
	"mov.u32 %r#, smem+1#;", "fence.proxy.async;", "wgmma.fence.sync.aligned;", "wgmma.commit_group.sync.aligned;", "wgmma.wait_group.sync.aligned 0;",
	"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, {%r#,%r#,%r#,%r#}, %rd#, %p#, 1, -1, 0;",
	"wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f1,%f2,%f3,%f4}, %rd#, %rd#, %p#, 1, 1, 1, 0;",
}

// FuzzLaunch builds kernels from pieces: two bytes pick a piece, then one each of its digits.
func FuzzLaunch(f *testing.F) {
	for i := range 64 {
		var seed []byte
		for j := range 60 {
			seed = append(seed, byte(i*j+j*j*7+i), byte(j*3+i))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, program []byte) {
		body := "\n.local .align 8 .b8 mine[16];\n"
		for i := range 10 {
			body += fmt.Sprintf("mov.b32 %%r%d, %d;mov.b64 %%rd%d, %d;mov.b32 %%f%d, %d;mov.b16 %%h%d, %d;", i+b2i(i == 0)*10, i*i*i*100, i+b2i(i < 5)*10, i<<(6*i), i, i<<(3*i), i, i)
			if i < 8 {
				body += fmt.Sprintf("setp.lt.u32 %%p%d, %%r0, %d;", i, i*i)
			}
		}
		labels := map[string]bool{}
		for len(program) > 1 && len(body) < 1<<14 {
			piece := pieces[int(program[0])%len(pieces)]
			program = program[1:]
			for strings.Contains(piece, "#") && len(program) > 0 {
				limit := byte(10)
				if at := strings.Index(piece, "#"); at > 1 && piece[at-1] == 'p' {
					limit = 8
				}
				piece = strings.Replace(piece, "#", fmt.Sprint(program[0]%limit), 1)
				program = program[1:]
			}
			if strings.HasSuffix(piece, ":") && labels[piece] {
				continue
			}
			labels[piece] = true
			body += strings.ReplaceAll(piece, "#", "1") + "\n"
		}
		for i := range 10 {
			if label := fmt.Sprintf("a%d:", i); !labels[label] {
				body += label + "\n"
			}
		}
		m, err := Load(head + body + "}")
		if err != nil {
			t.Fatalf("%v in\n%s", err, body)
		}
		mem := NewMemory(1 << 20)
		x, _ := mem.Alloc(4096)
		for seed := range uint64(2) {
			_, _ = m.Launch(context.Background(), LaunchConfig{Grid: [3]int{2}, Threads: 136, Shared: 1024, Params: []uint64{x, x}, Memory: mem, MaxInstructions: 3000, Seed: seed})
		}
	})
}
