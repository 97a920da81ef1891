package host

import (
	"time"

	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// Device is torch.device.
type Device struct{ tensor.Device }

// Type is torch's name for the class.
func (Device) Type() string { return "torch.device" }

func (d Device) repr() string { return d.Repr() }

func (d Device) str() string { return d.String() }

func (d Device) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "type":
		return python.Str(d.Device.Type), true
	case "index":
		if d.Index < 0 {
			return none, true
		}
		return intValue(d.Index), true
	}
	return nil, false
}

// deviceMode is what a with statement makes of a device: tensors made from nothing lie on it.
type deviceMode struct {
	device Device
	before tensor.Device
}

// Type is torch's name for the class.
func (*deviceMode) Type() string { return "DeviceContext" }

func (d *deviceMode) enter(m *machine) Value {
	d.before, m.tensors.DefaultDevice = m.tensors.DefaultDevice, d.device.Device
	return d.device
}

func (d *deviceMode) exit(m *machine, _ *Exception) bool {
	m.tensors.DefaultDevice = d.before
	return false
}

// deviceFrom makes a device of what torch.device and device= take.
func deviceFrom(m *machine, v Value) Device {
	d, err := tensor.ParseDevice(m.toTensorArgument(v))
	check(err)
	return Device{d}
}

// makeDevice is torch.device(type, index).
func makeDevice(m *machine, a arguments) Value {
	d := deviceFrom(m, a.positional[0])
	if a.positional[1] != nil {
		if d.Index >= 0 {
			raise("RuntimeError", "type (string) must not include an index because index was passed explicitly: %s",
				m.strOf(a.positional[0]))
		}
		if d.Index = int(asIndex(a.positional[1])); d.Index < 0 {
			raise("RuntimeError", "Device index must not be negative")
		}
	}
	return d
}

// DeviceInfo describes the chosen device to scripts that ask torch.cuda or Triton's driver for it.
type DeviceInfo struct {
	Name         string
	Major, Minor int // the compute capability
	Processors   int // streaming multiprocessors
	MemoryBytes  int64
	Apart        bool // its launches do not run on this process's processors, as torch's operations do
	Compiles     bool // kernels to machine code: products of matrices run there, too
}

// Describer is a Launcher that knows its device.
type Describer interface{ Describe() DeviceInfo }

// referenceDevice is what the recorded results of torch and Triton come from, and what code that asks is told where the
// launcher knows no better: a script written for a GPU finds one.
var referenceDevice = DeviceInfo{Name: "CPU", Major: 9, Processors: 132, MemoryBytes: 150_113_484_800}

// deviceInfo describes the chosen device.
func deviceInfo(m *machine) DeviceInfo {
	info := referenceDevice
	d, ok := m.options.Launcher.(Describer)
	if !ok {
		return info
	}
	own := d.Describe()
	info.Apart, info.Compiles = own.Apart, own.Compiles
	if own.Name != "" {
		info.Name = own.Name
	}
	if own.Processors > 0 {
		info.Major, info.Minor, info.Processors = own.Major, own.Minor, own.Processors
	}
	if own.MemoryBytes > 0 {
		info.MemoryBytes = own.MemoryBytes
	}
	return info
}

// cudaFunctions are those that prelude/torch.cuda.py stands on.
func cudaFunctions() map[string]method {
	return map[string]method{
		"_device": func(m *machine, _ arguments) Value { // name, compute capability, multiprocessors, bytes of memory
			d := deviceInfo(m)
			return Tuple{python.Str(d.Name), intValue(d.Major), intValue(d.Minor), intValue(d.Processors),
				python.NewInt(d.MemoryBytes)}
		},
		"memory_allocated":     func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Live()) },
		"max_memory_allocated": func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Peak()) },
		"reset_peak_memory_stats": func(m *machine, _ arguments) Value {
			m.tensors.ResetPeak()
			return none
		},
		"manual_seed(seed)": seedCUDA, "manual_seed_all(seed)": seedCUDA,
		"seed": func(m *machine, _ arguments) Value {
			m.tensors.CUDAGenerator.Seed(tensor.DefaultSeed) // a run is the same each time
			return none
		},
		"initial_seed": func(m *machine, _ arguments) Value {
			return seedValue(m.tensors.CUDAGenerator.InitialSeed())
		},
		"get_rng_state": func(m *machine, _ arguments) Value { return stateOf(m, m.tensors.CUDAGenerator) },
		"set_rng_state(new_state, device='cuda')": func(m *machine, a arguments) Value {
			setState(m, m.tensors.CUDAGenerator, a.positional[0])
			return none
		},
		"_now()": func(m *machine, _ arguments) Value { // in milliseconds
			return python.Float(float64(m.clock.now()) / float64(time.Millisecond))
		},
	}
}

func seedCUDA(m *machine, a arguments) Value {
	m.tensors.CUDAGenerator.Seed(uint64(asIndex(integerFrom(m, a.positional[0]))))
	return none
}
