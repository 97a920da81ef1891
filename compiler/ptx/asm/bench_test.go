package asm

import "testing"

// large is a kernel's worth of straight-line arithmetic with exchanges through shared memory.
func large() *Program {
	s := newScript()
	x := s.tid()
	for range 200 {
		for i := range 32 {
			s.store(int64(4*i), s.Do("mad.lo.s32", R(x), I(int64(i)), R(x)))
		}
		s.Barrier()
		for i := range 32 {
			x = s.Do("add.s32", R(x), R(s.load(int64(4*i))))
		}
	}
	s.out(x)
	return s.Program
}

func BenchmarkFinish(b *testing.B) {
	for b.Loop() {
		p := large()
		b.ReportMetric(float64(p.body.len()), "instructions")
		if _, _, err := Finish(p); err != nil {
			b.Fatal(err)
		}
	}
}
