package sim

import "testing"

// benches: each body runs its loop 1000 times in 128 threads; the metric is thread instructions a second.
var benches = []struct{ name, body string }{
	{"fma", loop(`fma.rn.f32 %f2, %f2, %f1, %f1;
mul.f32 %f3, %f2, %f1;
add.f32 %f2, %f3, %f1;
max.f32 %f3, %f3, %f2;`)},
	{"int", loop(`mad.lo.s32 %r3, %r1, %r0, %r2;
xor.b32 %r4, %r3, %r2;
shl.b32 %r5, %r4, 3;
add.s64 %rd5, %rd5, 16;`)},
	{"half", loop(`fma.rn.f16x2 %r3, %r2, %r2, %r2;
cvt.rn.f16x2.f32 %r4, %f1, %f2;
add.f16x2 %r3, %r3, %r4;
cvt.f32.f16 %f3, %h1;`)},
	{"global", loop(`ld.global.u64 %rd5, [%rd4];
st.global.u64 [%rd3], %rd5;`)},
	{"shared", loop(`st.shared.f32 [%r6], %f1;
bar.sync 0;
ld.shared.f32 %f2, [%r7];
bar.sync 0;`)},
	{"shared16", loop(`st.shared.v4.f32 [%r8], {%f1, %f2, %f2, %f1};
bar.sync 0;
ld.shared.v4.f32 {%f4, %f5, %f6, %f7}, [%r8];
bar.sync 0;`)},
	{"mma", loop(`mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f10,%f11,%f12,%f13}, {%r2,%r2,%r2,%r2}, {%r2,%r2}, {%f1,%f1,%f1,%f1};`)},
}

func loop(body string) string {
	return `
mov.u32 %r1, smem;
mad.lo.u32 %r6, %r0, 4, %r1;
mad.lo.u32 %r8, %r0, 16, %r1;
xor.b32 %r7, %r0, 33;
mad.lo.u32 %r7, %r7, 4, %r1;
mov.u32 %r1, 0;
mov.u32 %r2, 0x3c003c00;
mov.b64 %rd5, 0;
mov.b16 %h1, 0x3c00;
mov.f32 %f1, 0f3F800000;
mov.f32 %f2, 0f3F800000;
again:
` + body + `
add.u32 %r1, %r1, 1;
setp.lt.u32 %p1, %r1, 1000;
@%p1 bra again;`
}

func BenchmarkLaunch(b *testing.B) {
	for _, c := range benches {
		b.Run(c.name, func(b *testing.B) {
			var threads uint64
			for b.Loop() {
				_, r, err := trial{body: c.body, threads: 128, shared: 2048}.run(b)
				if err != nil {
					b.Fatal(err)
				}
				threads += r.Total.Threads
			}
			b.ReportMetric(float64(threads)/b.Elapsed().Seconds()/1e6, "Mthread-instr/s")
		})
	}
}
