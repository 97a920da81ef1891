package inspect_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/newtlab/newt/interp/inspect"
)

// TestSeekFar measures a seek to the end of a loop of millions of steps: what it takes does not grow with them.
func TestSeekFar(t *testing.T) {
	if testing.Short() {
		t.Skip("a launch of half a million iterations")
	}
	body := "    s = n\n    for i in range(500000):\n        s = (s * 3 + i) & 1023\n    tl.store(z, s)\n"
	_, l := kernel(t, body, [3]int{1, 1, 1}, vector, vector)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	found, why, err := l.Seek(context.Background(), inspect.Seek{Stops: []inspect.Stop{{Line: 14, Iterations: []int{499_990}}}})
	took := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if why != nil || err != nil || found.Stop != 0 || found.Step != 4*499_991-1 {
		t.Fatalf("%+v, %v, %v", found, why, err)
	}
	grown := int64(after.HeapSys) - int64(before.HeapSys)
	t.Logf("step %d in %v; the heap has grown by %d kB", found.Step, took, grown>>10)
	if grown > 64<<20 {
		t.Errorf("the heap has grown by %d bytes", grown)
	}
	r := run(t, l, [3]int{}, found.Step)
	if r.From != found.Step || len(r.Steps) == 0 || r.Steps[0].Iterations[0] != 499_990 {
		t.Errorf("%d steps from %d of %d", len(r.Steps), r.From, r.Total)
	}
}
