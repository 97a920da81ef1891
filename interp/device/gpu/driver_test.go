package gpu_test

import (
	"context"
	"errors"
	"testing"

	"github.com/newtlab/newt/interp/device/gpu"
)

const marks = `.version 7.0
.target sm_80
.address_size 64
.visible .entry mark(.param .u64 at)
{
	.reg .u64 %a;
	.reg .u32 %v;
	ld.param.u64 %a, [at];
	ld.global.u32 %v, [%a];
	add.u32 %v, %v, 7;
	st.global.u32 [%a], %v;
	ret;
}
`

const stray = `.version 7.0
.target sm_80
.address_size 64
.visible .entry stray(.param .u64 at)
{
	.reg .u64 %a;
	ld.param.u64 %a, [at];
	st.global.u32 [%a+4096], 1;
	ret;
}
`

// TestSimulatorDriver clears, launches and reads back, and breaks rules.
func TestSimulatorDriver(t *testing.T) {
	d := gpu.NewSimulator(gpu.SimulatorOptions{MemoryBytes: 1 << 16})
	at, err := d.Alloc(16)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(at, []byte{1, 0, 0, 0, 9}); err != nil {
		t.Fatal(err)
	}
	m, err := d.Load(gpu.Source{PTX: marks, Entry: "mark"})
	if err != nil {
		t.Fatal(err)
	}
	l := &gpu.Launch{Module: m, Grid: [3]int{1, 1, 1}, Threads: 1, Params: []uint64{at}, Read: []gpu.Area{{Address: at, Bytes: 5}}}
	for _, want := range []string{"\x08\x00\x00\x00\x09", "\x07\x00\x00\x00\x09"} {
		if _, err := d.Launch(t.Context(), l); err != nil || string(l.Got[0]) != want {
			t.Errorf("%x came back, %v, want %x", l.Got, err, want)
		}
		l.Clear = []gpu.Area{{Address: at, Bytes: 4}}
	}
	if _, err := d.Alloc(1 << 17); !errors.Is(err, gpu.ErrMemory) {
		t.Errorf("twice the memory there is: %v", err)
	}
	if _, err := d.Load(gpu.Source{PTX: "nothing"}); !errors.Is(err, gpu.ErrImage) {
		t.Errorf("no PTX: %v", err)
	}
	l.Threads = 2048
	if _, err := d.Launch(t.Context(), l); !errors.Is(err, gpu.ErrLaunch) {
		t.Errorf("2048 threads: %v", err)
	}
	if l.Module, err = d.Load(gpu.Source{PTX: stray, Entry: "stray"}); err != nil {
		t.Fatal(err)
	}
	l.Threads = 1
	if _, err := d.Launch(context.Background(), l); !errors.Is(err, gpu.ErrKernel) {
		t.Errorf("a write outside all memory: %v", err)
	}
}
