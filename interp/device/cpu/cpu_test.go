package cpu_test

import (
	"bytes"
	"runtime"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
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

// TestReadsBetweenLaunches: memory is read as it is before a launch or behind it, and never in between.
func TestReadsBetweenLaunches(t *testing.T) {
	fn, err := ir.Parse(`func @step(%p: *i32) {
  %pid = program_id {axis=0} : i32
  %at = addptr %p, %pid : *i32
  %v = load %at : i32
  %one = const {value=i32(1)} : i32
  %w = add %v, %one : i32
  store %at, %w
  return
}
`)
	if err != nil {
		t.Fatal(err)
	}
	dev := cpu.New(cpu.Options{})
	k, err := dev.Load(fn, device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const programs, size, launches = 256, 4, 200
	m, err := dev.Alloc(programs * size)
	if err != nil {
		t.Fatal(err)
	}
	l := device.Launch{Grid: [3]int{programs, 1, 1}, Args: []device.Arg{device.Pointer{Name: "p", DType: num.Int32, Memory: m}}}
	end := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < launches && err == nil; i++ {
			_, err = k.Launch(t.Context(), l)
		}
		end <- err
	}()
	for data := make([]byte, programs*size); ; {
		if err := m.Read(0, data); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(data, bytes.Repeat(data[:size], programs)) {
			t.Fatal("a read came between the programs of a launch")
		}
		select {
		case err := <-end:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
			runtime.Gosched() // which a browser's one thread needs
		}
	}
}
