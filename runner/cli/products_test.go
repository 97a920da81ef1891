package cli

import (
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/gpu"
)

// loading is a device that counts the kernels that it loads.
type loading struct {
	device.Device
	loads int
}

func (l *loading) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	l.loads++
	return l.Device.Load(fn, o)
}

// TestProducts: torch's products of tensors on a device that compiles kernels are computed there, and agree with those
// in float64.
func TestProducts(t *testing.T) {
	d := &loading{Device: gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})}
	openers["simulator"] = func(context.Context, *Env, string, use) (device.Device, error) { return d, nil }
	defer delete(openers, "simulator")
	stdout, stderr, status := newt(t, "run", "--device", "simulator", "testdata/products.py", "1", "70")
	if status != exitOK || stdout != "products agree\n" || stderr != "" {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if d.loads == 0 {
		t.Error("nothing was launched on the device")
	}
}
