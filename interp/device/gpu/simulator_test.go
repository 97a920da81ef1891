package gpu_test

import (
	"testing"

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
