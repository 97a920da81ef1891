package cpu_test

import (
	"testing"

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
