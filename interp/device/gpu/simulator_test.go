package gpu_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/interp/device/gpu"
)

func TestSimulator(t *testing.T) {
	for name, o := range map[string]gpu.SimulatorOptions{"sm_90a": {}, "sm_80": {Target: "sm_80", Seed: 7}} {
		t.Run(name, func(t *testing.T) {
			devicetest.Run(t, func() device.Device { return gpu.Open(gpu.NewSimulator(o), gpu.Options{}) })
		})
	}
}

// TestInPlace: a launch on memory of this process changes it until Restore, in pages that it reaches over their ends.
func TestInPlace(t *testing.T) {
	d := gpu.OpenInPlace(gpu.SimulatorOptions{}, gpu.Options{})
	k := load(t, d, shifted)
	data := make([]byte, 3*4096-4)
	for i := range data {
		data[i] = byte(i % 251)
	}
	before := slices.Clone(data)
	pointer := device.Pointer{Memory: d.Wrap(data), DType: num.Int32}
	x, z := pointer, pointer
	z.Offset = 1024 - 16 // of the elements, so that half of what is stored is in the second page
	launch := func() (*device.Report, error) {
		return k.Launch(t.Context(), device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{x, z, integer(8)}})
	}
	if report, err := launch(); err != nil || len(report.Diagnostics) > 0 {
		t.Fatal(report, err)
	}
	const at = 4 * (1024 - 16)
	if !bytes.Equal(data[at:at+128], before[32:160]) || !bytes.Equal(data[:at], before[:at]) ||
		!bytes.Equal(data[at+128:], before[at+128:]) {
		t.Errorf("after the launch: % x", data[at-4:at+132])
	}
	d.Restore()
	if !bytes.Equal(data, before) {
		t.Error("what the launch has stored is still there")
	}
	if report, err := launch(); err == nil && len(report.Diagnostics) == 0 {
		t.Error("a launch on memory that was given back")
	}
}
