package host

import (
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// randomFunctions are torch.random's: the state of the CPU's stream, under torch as well.
func randomFunctions() map[string]method {
	return map[string]method{
		"manual_seed(seed)": manualSeed,
		"initial_seed": func(m *machine, _ arguments) Value {
			return seedValue(m.tensors.Generator.InitialSeed())
		},
		"seed": func(m *machine, _ arguments) Value {
			m.tensors.Generator.Seed(tensor.DefaultSeed) // a run is the same each time
			m.tensors.CUDAGenerator.Seed(tensor.DefaultSeed)
			return seedValue(tensor.DefaultSeed)
		},
		"get_rng_state": func(m *machine, _ arguments) Value { return stateOf(m, m.tensors.Generator) },
		"set_rng_state(new_state)": func(m *machine, a arguments) Value {
			setState(m, m.tensors.Generator, a.positional[0])
			return none
		},
	}
}

// manualSeed is torch.manual_seed(seed), which restarts the streams of both devices.
func manualSeed(m *machine, a arguments) Value {
	seed := uint64(asIndex(integerFrom(m, a.positional[0])))
	m.tensors.Generator.Seed(seed)
	m.tensors.CUDAGenerator.Seed(seed)
	return &generator{m.tensors.Generator, Device{tensor.CPU}}
}

// stateOf is a stream's state as a tensor of bytes.
func stateOf(m *machine, s tensor.Stream) Value {
	data := s.State()
	t, err := m.tensors.FromBytes(num.Uint8, []int{len(data)}, data)
	check(err)
	return Tensor{t}
}

// setState puts a stream back to where stateOf found it.
func setState(m *machine, s tensor.Stream, v Value) {
	t, ok := v.(Tensor)
	if !ok || t.DType() != num.Uint8 {
		raise("TypeError", "expected a torch.ByteTensor, but got %s", v.Type())
	}
	if !s.SetState(t.Bytes()) {
		raise("RuntimeError", "RNG state is wrong size")
	}
}

// generator is torch.Generator: a random stream of its own, on the device that it was made for.
type generator struct {
	tensor.Stream
	on Device
}

// Type is the name of torch's class.
func (*generator) Type() string { return "torch._C.Generator" }

func (*generator) repr() string { return "<torch._C.Generator object at 0x7f0000000000>" }

func makeGenerator(m *machine, a arguments) Value {
	device := deviceFrom(m, a.positional[0])
	return &generator{tensor.NewStream(device.Device), device}
}

func (g *generator) attr(_ *machine, name string) (Value, bool) {
	if name == "device" {
		return g.on, true
	}
	return nil, false
}

// generatorMethods are those of torch.Generator.
func generatorMethods() map[string]method {
	return map[string]method{
		"manual_seed(self, seed, /)": func(m *machine, a arguments) Value {
			g := self[*generator](a)
			g.Seed(uint64(asIndex(integerFrom(m, a.positional[1]))))
			return g
		},
		"initial_seed(self, /)": func(_ *machine, a arguments) Value {
			return seedValue(self[*generator](a).InitialSeed())
		},
		"seed(self, /)": func(_ *machine, a arguments) Value {
			g := self[*generator](a)
			g.Seed(tensor.DefaultSeed) // a run is the same each time
			return seedValue(g.InitialSeed())
		},
		"get_state(self, /)": func(m *machine, a arguments) Value { return stateOf(m, self[*generator](a).Stream) },
		"set_state(self, new_state, /)": func(m *machine, a arguments) Value {
			g := self[*generator](a)
			setState(m, g.Stream, a.positional[1])
			return g
		},
		"clone_state(self, /)": func(_ *machine, a arguments) Value {
			g := self[*generator](a)
			clone := &generator{tensor.NewStream(g.Device()), g.on}
			clone.SetState(g.State())
			return clone
		},
		"get_offset(self, /)": func(_ *machine, a arguments) Value {
			return seedValue(self[*generator](a).philox("get_offset").Offset())
		},
		"set_offset(self, offset, /)": func(_ *machine, a arguments) Value {
			self[*generator](a).philox("set_offset").SetOffset(uint64(asIndex(a.positional[1])))
			return none
		},
	}
}

// philox is the stream of a generator on a GPU, which alone has an offset.
func (g *generator) philox(name string) *tensor.Philox {
	p, ok := g.Stream.(*tensor.Philox)
	if !ok {
		raise("RuntimeError", "%s is not implemented for the CPU generator", name)
	}
	return p
}

// setAutocast is _set_autocast(device type, dtype or None): it says in what dtype matrix products are computed, and
// gives what it was before.
func setAutocast(m *machine, a arguments) Value {
	device := m.strOf(a.positional[0])
	before, on := m.tensors.Autocast[device]
	if d, ok := a.positional[1].(DType); ok {
		if m.tensors.Autocast == nil {
			m.tensors.Autocast = map[string]num.DType{}
		}
		m.tensors.Autocast[device] = num.DType(d)
	} else {
		delete(m.tensors.Autocast, device)
	}
	if !on {
		return none
	}
	return DType(before)
}

// autocastDType is what autocast computes in on a device, by default or by the context that is open.
func autocastDType(m *machine, device string) (d num.DType, on bool) {
	if d, on := m.tensors.Autocast[device]; on {
		return d, true
	}
	if device == "cpu" {
		return num.BFloat16, false
	}
	return num.Float16, false
}

func isAutocastEnabled(m *machine, a arguments) Value {
	_, on := autocastDType(m, m.strOf(a.positional[0]))
	return python.Bool(on)
}

func getAutocastDType(m *machine, a arguments) Value {
	d, _ := autocastDType(m, m.strOf(a.positional[0]))
	return DType(d)
}
