package gpu

import (
	"encoding/binary"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/compiler/ptx/sim"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/tile"
)

// binding is a launch's arguments as the kernel's parameters take them.
type binding struct {
	fn    *ir.Func
	given []tile.Given
	args  []argument

	reachable []byte // the entries of the table that inttoptr looks addresses up in: see ptx.ReachableEntryBytes
}

// argument is one of them.
type argument struct {
	name   string
	origin int64 // elements before the one that a pointer points to
	count  int64 // elements of the storage
	value  int64 // of a scalar, extended to 64 bits; the address of a pointer
	scalar num.Scalar
	slots  map[ptx.ParamKind]uint64
}

// bind reads arguments, and keeps their memory from being freed until release is called. An
// argument that is of no use here stays absent, which check refuses.
func (g *gpu) bind(fn *ir.Func, args []device.Arg) (b *binding, release func()) {
	release = device.Hold(args, func(m device.Memory) *device.Guard {
		if m := g.own(m); m != nil {
			return m.lock
		}
		return nil
	})
	b = &binding{fn: fn, given: make([]tile.Given, len(args)), args: make([]argument, len(args))}
	for i, a := range args {
		switch a := a.(type) {
		case device.Scalar:
			b.given[i] = tile.Given{Kind: tile.GivenScalar, DType: a.DType}
			b.bindScalar(i, a)
		case device.Pointer:
			if m := g.own(a.Memory); m != nil {
				b.given[i] = tile.Given{Kind: tile.GivenPointer, DType: a.DType, Bytes: m.bytes, Offset: a.Offset,
					Address: a.Address}
				b.bindPointer(i, a, m)
			}
		}
	}
	return b, release
}

// own is m if it is g's, else nil.
func (g *gpu) own(m device.Memory) *memory {
	if m, ok := m.(*memory); ok && m.owner == g {
		return m
	}
	return nil
}

// bindScalar extends a number to its parameter's 8 bytes: integers by their sign, floats as their bits.
func (b *binding) bindScalar(i int, s device.Scalar) {
	if i >= len(b.fn.Params) {
		return
	}
	d := b.fn.Params[i].Value.Type.DType
	c := s.Cast(d)
	value := int64(c.Bits)
	if info := d.Info(); info.Signed && !info.Float {
		value = c.Int()
	}
	b.args[i].value, b.args[i].scalar = value, c
	b.args[i].slots = map[ptx.ParamKind]uint64{ptx.Value: uint64(value)}
}

// bindPointer gives the address of the element pointed to, and which offsets from it are valid.
func (b *binding) bindPointer(i int, p device.Pointer, m *memory) {
	size := p.DType.Info().Bytes
	a := &b.args[i]
	if i >= len(b.fn.Params) {
		a.name, a.count = p.Name, int64(m.bytes/size)
		for _, n := range []uint64{uint64(p.Address), m.at, uint64(m.bytes)} {
			b.reachable = binary.LittleEndian.AppendUint64(b.reachable, n)
		}
		return
	}
	a.name = p.Name
	if a.name == "" {
		a.name = b.fn.Params[i].Name
	}
	a.origin, a.count = int64(p.Offset), int64(m.bytes/size)
	// Offsets count from the element that is pointed to: the kernel checks -origin <= offset < count-origin.
	address := m.at + uint64(p.Offset)*uint64(size)
	a.value = int64(address)
	a.slots = map[ptx.ParamKind]uint64{ptx.Base: address, ptx.First: uint64(-a.origin), ptx.Count: uint64(a.count),
		ptx.Address: uint64(p.Address) + uint64(p.Offset)*uint64(size)}
}

// tensorMap is a tensor map for the launch.
func (b *binding) tensorMap(m *ptx.TensorMap, pitch int64) sim.TensorMap {
	return sim.TensorMap{
		Base: b.args[m.Arg].slots[ptx.Base], ElemBytes: m.ElemBytes, Dims: m.Dims,
		Strides: [2]int{ptx.TensorUnit, int(pitch) * m.ElemBytes}, Box: m.Box,
	}
}

// check refuses launches that cannot be, and those for which the code was not made: what it takes
// for aligned must be so, or the GPU stops for good.
func (b *binding) check(grid [3]int) device.Fault {
	if f := tile.Check(b.fn, grid, b.given); f != nil {
		return f
	}
	for i, p := range b.fn.Params {
		if d := int64(p.Divisible); d > 1 && b.args[i].value%d != 0 {
			return fault("launch-argument-divisible", p.Name, d, b.args[i].value)
		}
	}
	return nil
}
