package host

import (
	"fmt"
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

// deviceProperties is torch.cuda.get_device_properties(): the sizes are those of compute capability 9.0, from the
// table of technical specifications in the CUDA C++ Programming Guide.
func deviceProperties(m *machine, _ arguments) Value {
	d := deviceInfo(m)
	numbers := map[string]int64{
		"major": int64(d.Major), "minor": int64(d.Minor), "multi_processor_count": int64(d.Processors),
		"total_memory": d.MemoryBytes, "warp_size": 32, "max_threads_per_multi_processor": 2048,
		"max_threads_per_block": 1024, "regs_per_multiprocessor": 65536, "L2_cache_size": 60 << 20,
		"shared_memory_per_block": 48 << 10, "shared_memory_per_block_optin": 227 << 10,
		"shared_memory_per_multiprocessor": 228 << 10, "is_integrated": 0, "is_multi_gpu_board": 0,
		"clock_rate": int64(modelGPU.smKHz), "memory_clock_rate": int64(modelGPU.memKHz),
		"memory_bus_width": int64(modelGPU.busBits),
	}
	attrs := map[string]Value{"name": python.Str(d.Name)}
	for name, n := range numbers {
		attrs[name] = python.NewInt(n)
	}
	text := fmt.Sprintf("_CudaDeviceProperties(name='%s', major=%d, minor=%d, total_memory=%dMB, "+
		"multi_processor_count=%d, L2_cache_size=60MB)",
		d.Name, d.Major, d.Minor, d.MemoryBytes>>20, d.Processors)
	return &record{"_CudaDeviceProperties", text, attrs}
}

// resetPeak is torch.cuda.reset_peak_memory_stats.
func resetPeak(m *machine, _ arguments) Value {
	m.tensors.ResetPeak()
	return none
}

// cudaFunctions are those of torch.cuda, with prelude/torch_cuda.py.
func cudaFunctions() map[string]method {
	return map[string]method{
		"is_available":   func(*machine, arguments) Value { return python.Bool(true) },
		"is_initialized": func(*machine, arguments) Value { return python.Bool(true) },
		"is_bf16_supported": func(m *machine, _ arguments) Value {
			return python.Bool(deviceInfo(m).Major >= 8)
		},
		"init": ignore, "synchronize": ignore, "empty_cache": ignore, "set_device": ignore, "set_stream": ignore,
		"ipc_collect":             ignore,
		"reset_peak_memory_stats": resetPeak, "reset_max_memory_allocated": resetPeak,
		"device_count":    func(*machine, arguments) Value { return intValue(1) },
		"current_device":  func(*machine, arguments) Value { return intValue(0) },
		"get_device_name": func(m *machine, _ arguments) Value { return python.Str(deviceInfo(m).Name) },
		"get_device_capability": func(m *machine, _ arguments) Value {
			d := deviceInfo(m)
			return Tuple{intValue(d.Major), intValue(d.Minor)}
		},
		"get_device_properties": deviceProperties,
		"memory_allocated":      func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Live()) },
		"max_memory_allocated":  func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Peak()) },
		"memory_reserved":       func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Live()) },
		"max_memory_reserved":   func(m *machine, _ arguments) Value { return python.NewInt(m.tensors.Peak()) },
		"mem_get_info": func(m *machine, _ arguments) Value {
			total := deviceInfo(m).MemoryBytes
			return Tuple{python.NewInt(total - m.tensors.Live()), python.NewInt(total)}
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
