package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/tensor"
)

// call runs an operation of torch in a context.
func call(c *tensor.Context, method string, args ...any) (*tensor.Tensor, error) {
	return callWith(c, method, nil, args...)
}

func callWith(c *tensor.Context, method string, keywords map[string]any, args ...any) (*tensor.Tensor, error) {
	op, ok := c.Operations.Lookup(tensor.InMethod, method)
	if !ok {
		return nil, fmt.Errorf("torch.Tensor.%s is missing", method)
	}
	heard := c.Called // which hears of the program's own operations
	c.Called = nil
	defer func() { c.Called = heard }()
	out, err := c.Call(op, args, keywords)
	t, _ := out.(*tensor.Tensor)
	return t, err
}

// copier copies values to a context, tensors with the whole of their memory and with their places in it: those that
// share memory share the copy.
type copier struct {
	to     *tensor.Context
	memory map[*tensor.Storage]*tensor.Tensor // the copies, as bytes
}

func newCopier(to *tensor.Context) *copier { return &copier{to, map[*tensor.Storage]*tensor.Tensor{}} }

// copy copies a tensor.
func (c *copier) copy(t *tensor.Tensor) (*tensor.Tensor, error) {
	bytes := c.memory[t.Storage()]
	if bytes == nil {
		data, err := t.Storage().Read()
		if err == nil {
			bytes, err = onDevice(c.to, t.Device(), num.Uint8, []int{len(data)}, data)
		}
		if err != nil {
			return nil, err
		}
		c.memory[t.Storage()] = bytes
	}
	return viewed(c.to, bytes, t, t.Strides(), t.Offset())
}

// onDevice makes a tensor of bytes.
func onDevice(c *tensor.Context, on tensor.Device, d num.DType, shape []int, data []byte) (*tensor.Tensor, error) {
	t, err := c.FromBytes(d, shape, data)
	if err == nil && t.Device() != on {
		t, err = call(c, "to", t, on)
	}
	return t, err
}

// viewed is a view of bytes with the dtype and the shape of a tensor.
func viewed(c *tensor.Context, bytes, like *tensor.Tensor, strides []int, offset int) (*tensor.Tensor, error) {
	width := like.DType().Info().Bytes
	whole, err := call(c, "narrow", bytes, int64(0), int64(0), int64(bytes.Numel()/width*width))
	if err == nil {
		whole, err = callWith(c, "view", map[string]any{"dtype": like.DType()}, whole)
	}
	if err == nil {
		whole, err = call(c, "as_strided", whole, ints(like.Shape()), ints(strides), int64(offset))
	}
	if err == nil && like.RequiresGrad() {
		whole, err = call(c, "requires_grad_", whole)
	}
	return whole, err
}

func ints(list []int) (out []any) {
	for _, n := range list {
		out = append(out, int64(n))
	}
	return out
}

// values copies values to another session, as far as they are plain data and tensors.
func (c *copier) values(v host.Value) (host.Value, error) {
	return mapTensors(v, c.copy)
}

// mapTensors copies plain data, with f's tensors in place of its own.
func mapTensors(v host.Value, f func(*tensor.Tensor) (*tensor.Tensor, error)) (host.Value, error) {
	return host.MapLeaves(v, func(path string, leaf host.Value) (host.Value, error) {
		switch leaf := leaf.(type) {
		case host.Tensor:
			t, err := f(leaf.Tensor)
			if err != nil {
				return nil, err
			}
			return host.FromTensor(t), nil
		case python.None, python.Bool, python.Int, python.Float, python.Str, host.Complex, host.Bytes, host.DType,
			host.TritonDType, host.Device, host.Size, host.Range:
			return leaf, nil
		}
		return nil, fmt.Errorf("a value of type %s cannot be copied to another session", leaf.Type())
	})
}

// leaf is a value in what a function was given or has returned, and where it stands.
type leaf struct {
	path  string
	value host.Value
}

// leavesOf lists what plain data holds.
func leavesOf(v host.Value) (list []leaf, err error) {
	_, err = host.MapLeaves(v, func(path string, x host.Value) (host.Value, error) {
		list = append(list, leaf{path, x})
		return x, nil
	})
	return list, err
}

// tensorsOf are the tensors in plain data.
func tensorsOf(v host.Value) (list []*tensor.Tensor) {
	leaves, _ := leavesOf(v)
	for _, l := range leaves {
		if t, ok := l.value.(host.Tensor); ok {
			list = append(list, t.Tensor)
		}
	}
	return list
}

// doubled is a copy of arguments in which floats are float64.
func doubled(c *tensor.Context, v host.Value) (host.Value, error) {
	copies := newCopier(c)
	return mapTensors(v, func(t *tensor.Tensor) (*tensor.Tensor, error) {
		t, err := copies.copy(t)
		if err == nil && t.DType().Info().Float && !t.IsComplex() {
			t, err = call(c, "to", t, num.Float64)
		}
		return t, err
	})
}

// laidOut is a copy of arguments whose tensors lie in memory otherwise: Offset has them begin at element 5 of larger
// memory, Strided has gaps between the elements of a row. ok is false where nothing is left to change.
func laidOut(c *tensor.Context, v host.Value, kind Kind) (out host.Value, ok bool, err error) {
	out, err = mapTensors(v, func(t *tensor.Tensor) (*tensor.Tensor, error) {
		if t.Dim() == 0 || t.Numel() == 0 || !t.IsContiguous() {
			return newCopier(c).copy(t)
		}
		ok = true
		strides, offset := t.Strides(), 5
		if kind == Strided {
			offset = 0
			for i := range strides {
				strides[i] *= 2
			}
		}
		last := offset
		for i, n := range t.Shape() {
			last += (n - 1) * strides[i]
		}
		memory := slices.Repeat([]byte{0xff}, (last+9)*t.DType().Info().Bytes) // NaN around
		bytes, err := onDevice(c, t.Device(), num.Uint8, []int{len(memory)}, memory)
		if err != nil {
			return nil, err
		}
		to, err := viewed(c, bytes, t, strides, offset)
		if err == nil {
			_, err = call(c, "copy_", to, t)
		}
		return to, err
	})
	return out, ok, err
}

// special puts values into float tensors that arithmetic treats specially. ok is false where there are no such tensors.
func special(c *tensor.Context, v host.Value, seed uint32) (out host.Value, ok bool, err error) {
	copies, next := newCopier(c), seed
	out, err = mapTensors(v, func(t *tensor.Tensor) (*tensor.Tensor, error) {
		t, err := copies.copy(t)
		n := t.Numel()
		if err != nil || n < 4*len(specials) || !t.IsContiguous() || !t.DType().Info().Float || t.IsComplex() {
			return t, err
		}
		flat, err := call(c, "view", t, int64(-1))
		for _, x := range specials {
			if err != nil {
				return nil, err
			}
			next = next*1664525 + 1013904223 // Numerical Recipes, "An even quicker generator"
			err = c.SetIndex(flat, []any{int64(next>>8) % int64(n)}, x)
		}
		ok = true
		return t, err
	})
	return out, ok, err
}

var specials = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 3e4}

// overwrite writes the values of new arguments into the memory of old ones; false where they are laid out otherwise.
func overwrite(c *tensor.Context, old, with host.Value) (bool, error) {
	to, from := tensorsOf(old), tensorsOf(with)
	if len(to) != len(from) {
		return false, nil
	}
	for i, t := range to {
		f := from[i]
		if t.DType() != f.DType() || !slices.Equal(t.Shape(), f.Shape()) || !slices.Equal(t.Strides(), f.Strides()) ||
			t.Device() != f.Device() || t.RequiresGrad() || f.RequiresGrad() {
			return false, nil
		}
	}
	for i, t := range to {
		if _, err := call(c, "copy_", t, from[i]); err != nil {
			return false, err
		}
	}
	return true, nil
}
