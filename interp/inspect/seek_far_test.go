package inspect_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
)

// loop makes a launch of a loop of so many steps.
func loop(t testing.TB, steps int) *inspect.Launch {
	t.Helper()
	body := fmt.Sprintf("    s = n\n    for i in range(%d):\n        s = (s * 3 + i) & 1023\n    tl.store(z, s)\n", steps/4)
	_, l := inspected(t, body, device.Launch{Grid: [3]int{1, 1, 1}, Budget: 1 << 40}, vector, vector)
	return l
}

// seekLast goes to a step near the end of a loop of so many steps.
func seekLast(t testing.TB, l *inspect.Launch, steps, back int) {
	t.Helper()
	at := steps/4 - back
	found, why, err := l.Seek(context.Background(), inspect.Seek{Stops: []inspect.Stop{{Line: 14, Iterations: []int{at}}}})
	if why != nil || err != nil || found.Stop != 0 || found.Step != 4*(at+1)-1 {
		t.Fatalf("%+v, %v, %v", found, why, err)
	}
}

// heap is the memory that is in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSeekFar: what a launch of millions of steps keeps does not grow with them, and the page's looks at its end agree.
func TestSeekFar(t *testing.T) {
	if testing.Short() {
		t.Skip("a launch of half a million iterations")
	}
	const steps = 2_000_000
	l := loop(t, steps)
	before := heap()
	seekLast(t, l, steps, 10)
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	r := run(t, l, [3]int{}, steps-40)
	seekLast(t, l, steps, steps/8)
	if r.Total != steps+1 || len(r.Steps) != 41 || r.Steps[0].Iterations[0] != steps/4-10 {
		t.Errorf("%d steps from %d of %d", len(r.Steps), r.From, r.Total)
	}
	runtime.KeepAlive(l)
}

// BenchmarkSeek measures the way to the end of a long loop: the first one, later ones, and windows of steps there; and
// the most memory in use.
func BenchmarkSeek(b *testing.B) {
	for _, steps := range []int{1e7, 1e8} {
		b.Run(fmt.Sprint(steps), func(b *testing.B) {
			l := loop(b, steps)
			var most uint64
			measured := func(name string, look func()) {
				start := time.Now()
				look()
				b.ReportMetric(float64(time.Since(start).Milliseconds()), name+"-ms")
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapSys)
			}
			for b.Loop() {
				measured("first", func() { seekLast(b, l, steps, 10) })
				measured("again", func() { seekLast(b, l, steps, 9) })
				measured("middle", func() { seekLast(b, l, steps, steps/8) })
				measured("whole", func() { run(b, l, [3]int{}, 0) })
				measured("window", func() { run(b, l, [3]int{}, steps-1000) })
				measured("window-before", func() { run(b, l, [3]int{}, steps/2) })
			}
			b.ReportMetric(float64(most>>20), "heap-MB")
			runtime.KeepAlive(l)
		})
	}
}
