package cpu_test

import (
	"sync"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/cpu"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
)

func TestDevice(t *testing.T) {
	devicetest.Run(t, func() device.Device { return cpu.New(cpu.Options{}) })
}

func TestMemoryLimit(t *testing.T) {
	dev := cpu.New(cpu.Options{MemoryBytes: 100})
	m, err := dev.Alloc(60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dev.Alloc(41); err == nil {
		t.Error("101 bytes of 100 were given out")
	}
	m.Free()
	if _, err := dev.Alloc(100); err != nil {
		t.Errorf("memory that was freed is not given out again: %v", err)
	}
}

// TestLocksInOrder launches on the same two pieces of memory in both orders while both are written to:
// nobody waits for ever.
func TestLocksInOrder(t *testing.T) {
	fn, err := ir.Parse("func @nothing(%a: *i32, %b: *i32) {\n  return\n}\n")
	if err != nil {
		t.Fatal(err)
	}
	dev := cpu.New(cpu.Options{})
	kernel, err := dev.Load(fn, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m [2]device.Memory
	for i := range m {
		if m[i], err = dev.Alloc(4); err != nil {
			t.Fatal(err)
		}
	}
	var work sync.WaitGroup
	for i := range m {
		pointer := func(i int) device.Arg { return device.Pointer{Memory: m[i], DType: num.Int32} }
		work.Go(func() {
			for range 20000 {
				if _, err := kernel.Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{pointer(i), pointer(1 - i)}}); err != nil {
					t.Error(err)
					return
				}
			}
		})
		work.Go(func() {
			for range 100000 {
				m[i].Write(0, []byte{1, 2, 3, 4})
			}
		})
	}
	done := make(chan struct{})
	go func() { work.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Fatal("launches and copies wait for each other")
	}
}
