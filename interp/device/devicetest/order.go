package devicetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

const nothing = "func @nothing(%a: *i32, %b: *i32) {\n  return\n}\n"

// testOrder launches on the same two pieces of memory in both orders while both are written to: nobody
// waits for ever.
func testOrder(t *testing.T, f *fixture) {
	const long, patience = 300 * time.Millisecond, 20 * time.Second
	k := f.load(nothing)
	m := [2]device.Pointer{f.zeros(num.Int32, 1), f.zeros(num.Int32, 1)}
	var work sync.WaitGroup
	end := time.Now().Add(long)
	until := func(do func() error) {
		work.Go(func() {
			for time.Now().Before(end) {
				if err := do(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range m {
		l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{m[i], m[1-i]}}
		until(func() error { _, err := k.Launch(context.Background(), l); return err })
		until(func() error { return m[i].Memory.Write(0, make([]byte, 4)) })
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		t.Fatal("launches and copies wait for each other")
	}
}
