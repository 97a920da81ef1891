package devicetest

import (
	"context"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// testTiming measures a kernel, one that faults, and one that nobody waits for.
func testTiming(t *testing.T, f *fixture) {
	if !f.dev.Capabilities().Times {
		t.Skip("the device does not measure")
	}
	timer := func(text string) device.Timer {
		k, ok := f.load(text).(device.Timer)
		if !ok {
			t.Fatal("the kernel is not a Timer, though the device says so")
		}
		return k
	}
	x, z := f.tensor(num.Float32, ramp(32, 1)...), f.zeros(num.Float32, 32)
	l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{x, x, z, integer(32)}}
	timings, err := timer(VectorAdd).Time(context.Background(), l,
		device.TimingRequest{Warmup: time.Millisecond, Measure: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if s := timings.Summary(); s.N == 0 || s.Min <= 0 || timings.Clock == "" {
		t.Errorf("timings are %+v", timings)
	}
	f.expect(z, 0, ramp(32, 2)...)

	one := device.Launch{Grid: [3]int{8, 1, 1}, Args: []device.Arg{f.zeros(num.Int32, 1)}}
	_, err = timer(asserts).Time(context.Background(), one, device.TimingRequest{})
	if fault, ok := err.(device.Fault); !ok || fault.Diagnostic().Code != "assert-failed" {
		t.Errorf("measuring a kernel whose assertion fails gave %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := timer(VectorAdd).Time(ctx, l, device.TimingRequest{}); err == nil {
		t.Error("a measurement that was cancelled gave timings")
	}
}
