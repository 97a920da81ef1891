package gpu_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/interp/device/gpu"
)

// TestTensorMaps: loads whose tiles are boxes of their matrices in a launch are made by tensor copies, with tensor maps of
// its own pitches, and without remainders of rows and columns; those whose rows or columns wrap around, or whose tensors are parts of others, are not.
func TestTensorMaps(t *testing.T) {
	driver := &counting{Driver: gpu.NewSimulator(gpu.SimulatorOptions{})}
	d := gpu.Open(driver, gpu.Options{})
	defer d.Close()
	k, err := d.Load(devicetest.TileMatmulKernel(t), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range devicetest.TileMatmuls {
		c.Run(t, d, k)
		text := k.(interface{ Compiled() *device.Compiled }).Compiled().PTX
		if got := strings.Count(text, "_tensor[128]"); got != c.Boxes {
			t.Errorf("%s: %d tensor maps, want %d", c.Name, got, c.Boxes)
		}
		// The two remainders of scalars aside, rows and columns are remainders where tiles wrap around alone.
		if n := strings.Count(text, "rem."); (n > 2) != (c.M%128 > 0) || c.Boxes == 2 && n > 1 {
			t.Errorf("%s: %d remainders", c.Name, n)
		}
	}
	if n := len(driver.loads); n != 6 {
		t.Errorf("%d modules, want one for each set of tensor maps and of remainders", n)
	}
}

// TestPersistent: thread blocks are persistent in launches of more programs than the device has multiprocessors.
func TestPersistent(t *testing.T) {
	for _, c := range []struct {
		processors, programs int
		persistent           bool
	}{{2, 5, true}, {5, 5, false}, {0, 5, false}} {
		d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{Processors: c.processors}), gpu.Options{})
		k, err := d.Load(devicetest.TileMatmulKernel(t), device.Options{NumStages: 4})
		if err != nil {
			t.Fatal(err)
		}
		devicetest.ManyTiles(c.programs-3).Run(t, d, k)
		text := k.(device.Compiler).Compiled().PTX
		if got := strings.Contains(text, "matmul_programs"); got != c.persistent {
			t.Errorf("%+v: persistent: %v", c, got)
		}
		d.Close()
	}
}

// TestTensorMapsOfKeptCode: a launch of code that was compiled for an equal function, which was decoded from the same
// bytes, has tensor maps of its own pitches as well.
func TestTensorMapsOfKeptCode(t *testing.T) {
	code := gpu.NewCode()
	for range 2 {
		d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{Code: code})
		k, err := d.Load(devicetest.TileMatmulKernel(t), device.Options{})
		if err != nil {
			t.Fatal(err)
		}
		devicetest.TileMatmuls[0].Run(t, d, k)
		if text := k.(device.Compiler).Compiled().PTX; !strings.Contains(text, "_tensor[128]") {
			t.Error("the code has no tensor map")
		}
		d.Close()
	}
}
