package tensor

import (
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// toDType converts the dtype; a tensor of d already is returned as it is.
func toDType(c *Context, t *Tensor, d num.DType) *Tensor {
	if t.dtype == d {
		return t
	}
	out := c.alloc(d, t.shape...)
	out.copyFrom(t)
	// fit, in graph.go, converts gradients to the dtype of the input that they belong to.
	return c.record(out, "to", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{g} })
}

// clone is a contiguous copy.
func clone(c *Context, t *Tensor) *Tensor {
	out := c.alloc(t.dtype, t.shape...)
	out.copyFrom(t)
	return c.record(out, "clone", []*Tensor{t}, func(g *Tensor) []*Tensor { return []*Tensor{g} })
}

// contiguousCopy is t, or a contiguous copy of it.
func contiguousCopy(c *Context, t *Tensor) *Tensor {
	if t.isContiguous() && t.offset == 0 { // so that layouts over contiguous(shape) apply to it
		return t
	}
	return clone(c, t)
}

// detach is a view without a graph.
func (t *Tensor) detach() *Tensor { return t.asStrided(t.layout) }

// cast is a method such as float() or long().
func cast(name string, d num.DType) Op {
	return Op{Name: name, Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return toDType(c, a.tensor(0), d) }}
}

// convertOps change dtypes, copy, and leave torch for Python.
var convertOps = []Op{
	cast("bool", num.Int1), cast("char", num.Int8), cast("short", num.Int16), cast("int", num.Int32),
	cast("long", num.Int64), cast("byte", num.Uint8),
	cast("half", num.Float16), cast("bfloat16", num.BFloat16), cast("float", num.Float32), cast("double", num.Float64),
	cast("cfloat", num.Complex64), cast("cdouble", num.Complex128),
	{Name: "to", Where: InMethod, mixes: true,
		Signature: "input: Tensor, target: any = None, second: any = None, third: any = None, *, dtype: dtype? = None, device: any = None, copy: bool = False",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			d, cuda := t.dtype, t.storage.cuda
			// Device, dtype and flags stand in any order: torch's overloads tell them apart by type.
			for _, v := range a[1:6] {
				takeTarget(v, &cuda, &d)
			}
			if a.bool(6) && d == t.dtype && cuda == t.storage.cuda {
				return clone(c, t)
			}
			return toDevice(c, t, cuda, d)
		}},
	{Name: "type", Where: InMethod, Signature: "input: Tensor, dtype: any = None",
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			switch d := a[1].(type) {
			case nil:
				return t.legacyType()
			case num.DType:
				return toDType(c, t, d)
			case string:
				cuda, legacy, ok := legacyTensor(d)
				if !ok {
					valueError("invalid type: '%s'", d)
				}
				return toDevice(c, t, cuda, legacy)
			}
			runtimeError("dtype must be a type, str, or dtype object")
			return nil
		}},
	{Name: "type_as", Where: InMethod, Signature: "input: Tensor, other: Tensor", mixes: true,
		run: func(c *Context, a args) any {
			return toDevice(c, a.tensor(0), a.tensor(1).storage.cuda, a.tensor(1).dtype)
		}},
	{Name: "cpu", Where: InMethod, Signature: "input: Tensor", run: func(c *Context, a args) any {
		return toDevice(c, a.tensor(0), false, a.tensor(0).dtype)
	}},
	{Name: "cuda", Where: InMethod, Signature: "input: Tensor, device: any = None", run: func(c *Context, a args) any {
		cuda := true
		takeTarget(a[1], &cuda, new(num.DType))
		return toDevice(c, a.tensor(0), cuda, a.tensor(0).dtype)
	}},
	{Name: "contiguous", Where: InMethod, Signature: "input: Tensor", run: func(c *Context, a args) any {
		if a.tensor(0).isContiguous() {
			return a.tensor(0)
		}
		return clone(c, a.tensor(0))
	}},
	{Name: "clone", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return clone(c, a.tensor(0)) }},
	{Name: "item", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return a.tensor(0).item() }},
	{Name: "tolist", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return nested(a.tensor(0)) }},
	{Name: "is_contiguous", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return a.tensor(0).isContiguous() }},
	{Name: "is_floating_point", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return a.tensor(0).isFloat() }},
	{Name: "numel", Where: everywhere, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(a.tensor(0).numel()) }},
	{Name: "nelement", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(a.tensor(0).numel()) }},
	{Name: "dim", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(len(a.tensor(0).shape)) }},
	{Name: "ndimension", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(len(a.tensor(0).shape)) }},
	{Name: "element_size", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(a.tensor(0).dtype.Info().Bytes) }},
	{Name: "storage_offset", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return int64(a.tensor(0).offset) }},
	{Name: "data_ptr", Where: InMethod, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		if t.numel() == 0 { // torch's allocators give no memory for no elements
			return int64(0)
		}
		c.Tell(t)
		return t.storage.address + int64(t.offset*t.dtype.Info().Bytes)
	}},
	{Name: "size", Where: InMethod, Signature: "input: Tensor, dim: any = None", run: func(c *Context, a args) any {
		if name, ok := a[1].(string); ok { // of a named dimension, which no tensor here has
			names := strings.Repeat(", None", len(a.tensor(0).shape))
			runtimeError("Name '%s' not found in Tensor[%s].", name, strings.TrimPrefix(names, ", "))
		}
		if n, ok := takeInt(a[1]); ok {
			a[1] = n
		}
		return sizeOrOne(a, a.tensor(0).shape)
	}},
	{Name: "stride", Where: InMethod, Signature: "input: Tensor, dim: int? = None", run: func(c *Context, a args) any {
		if v := sizeOrOne(a, a.tensor(0).strides); a.has(1) {
			return v
		}
		return sizeItems(a.tensor(0).strides)
	}},
	{Name: "copy_", Where: InMethod, Signature: "input: Tensor, other: Tensor", mixes: true,
		run: func(c *Context, a args) any {
			t := a.tensor(0)
			c.checkInPlace(t)
			t.checkHolds(a.tensor(1).shape)
			assignBroadcast(c, t, a.tensor(1))
			return t
		}},
	{Name: "fill_", Where: InMethod, Signature: "input: Tensor, value: Operand", run: func(c *Context, a args) any {
		v := a.operand(1)
		if len(v.shape) > 0 {
			runtimeError("fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.", len(v.shape))
		}
		return fillInPlace(c, a.tensor(0), v.item())
	}},
	{Name: "zero_", Where: InMethod, Signature: "input: Tensor",
		run: func(c *Context, a args) any { return fillInPlace(c, a.tensor(0), int64(0)) }},
	{Name: "equal", Where: everywhere, Signature: "input: Tensor, other: Tensor",
		run: func(c *Context, a args) any { return sameElements(c, a.tensor(0), a.tensor(1)) }},
	{Name: "allclose", Where: everywhere,
		Signature: "input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False",
		run:       func(c *Context, a args) any { return anyOrAll(c, isClose(c, a), nil, false, true).item() }},
	{Name: "isclose", Where: everywhere,
		Signature: "input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False",
		run:       func(c *Context, a args) any { return isClose(c, a) }},
	{Name: "result_type", Where: InTorch, Signature: "tensor1: Operand, tensor2: Operand", mixes: true,
		run: func(c *Context, a args) any { return resultType(a.operand(0), a.operand(1)) }},
	{Name: "promote_types", Where: InTorch, Signature: "type1: dtype, type2: dtype",
		run: func(c *Context, a args) any { return promote(a.dtype(0, 0), a.dtype(1, 0)) }},
	{Name: "is_tensor", Where: InTorch, Signature: "obj: any",
		run: func(c *Context, a args) any { return a.tensor(0) != nil }},
}

func sizeOrOne(a args, sizes []int) any {
	if a.has(1) {
		d := axis(a.int(1), len(sizes))
		if len(sizes) == 0 {
			indexError("Dimension specified as %d but tensor has no dimensions", a.int(1))
		}
		return int64(sizes[d])
	}
	return Size(slices.Clone(sizes))
}

// fillInPlace overwrites t with one number.
func fillInPlace(c *Context, t *Tensor, v any) *Tensor {
	c.checkInPlace(t)
	if t.numel() != 1 {
		refuseOverflow(v, t.dtype, nativeNames[t.dtype])
	}
	assignBroadcast(c, t, full(c, nil, v, t.dtype))
	return t
}

func sameElements(c *Context, x, y *Tensor) bool {
	return equalShapes(x.shape, y.shape) && anyOrAll(c, applyBinary(c, "eq", operand{x, false}, operand{y, false}), nil,
		false, true).item().(bool)
}

// isClose is |x − y| ≤ atol + rtol·|y|, elementwise; equal infinities are close.
func isClose(c *Context, a args) *Tensor {
	x, y := a.tensor(0), a.tensor(1)
	if x.dtype != y.dtype {
		runtimeError("%s did not match %s", legacyNames[x.dtype], legacyNames[y.dtype])
	}
	rtol, atol, nan := a.float(2), a.float(3), a.bool(4)
	out := c.alloc(num.Int1, broadcastShapes(x.shape, y.shape)...)
	mapFloats(out, num.Float64, []*Tensor{x, y}, func(dst []float64, in [][]float64) {
		for i, p := range in[0] {
			dst[i] = float64(truth(close(p, in[1][i], rtol, atol) || nan && p != p && in[1][i] != in[1][i]))
		}
	})
	return out
}

func close(x, y, rtol, atol float64) bool {
	if x == y {
		return true
	}
	// An infinite y would make any tolerance infinite.
	return !math.IsInf(x, 0) && !math.IsInf(y, 0) && math.Abs(x-y) <= atol+rtol*math.Abs(y)
}

// nested is the elements as Python numbers in nested lists.
func nested(t *Tensor) any {
	if len(t.shape) == 0 {
		return t.item()
	}
	flat := make([]any, t.numel())
	if t.IsComplex() {
		for i, v := range polled(t.storage.of, t.complexes()) {
			flat[i] = v
		}
	} else if t.isFloat() {
		for i, v := range polled(t.storage.of, t.Floats()) {
			flat[i] = v
		}
	} else {
		for i, v := range polled(t.storage.of, t.Ints()) {
			if flat[i] = v; t.dtype == num.Int1 {
				flat[i] = v != 0
			}
		}
	}
	return nest(flat, t.shape)
}

func nest(flat []any, shape []int) any {
	if len(shape) <= 1 {
		return flat
	}
	out := make([]any, shape[0])
	for i := range out {
		step := len(flat) / shape[0] // the elements of one row, whatever is below it
		out[i] = nest(flat[i*step:(i+1)*step], shape[1:])
	}
	return out
}

func equalShapes(a, b []int) bool { return slices.Equal(a, b) }

// LegacyNames are the types of tensors in torch's old words, FloatTensor and the like.
func LegacyNames() []string {
	var names []string
	for _, name := range legacyNames {
		if name != "" {
			names = append(names, name+"Tensor")
		}
	}
	slices.Sort(names)
	return names
}

// LegacyDType is the dtype of a type in torch's old words, such as FloatTensor.
func LegacyDType(name string) (num.DType, bool) {
	_, d, ok := legacyTensor("torch." + name)
	return d, ok
}

// legacyTensor reads a type in torch's old words, such as torch.cuda.FloatTensor.
func legacyTensor(name string) (cuda bool, d num.DType, ok bool) {
	name, ok = strings.CutPrefix(name, "torch.")
	name, cuda = strings.CutPrefix(name, "cuda.")
	for d, legacy := range legacyNames {
		if ok && legacy != "" && name == legacy+"Tensor" {
			return cuda, num.DType(d), true
		}
	}
	return false, 0, false
}

// legacyType is the name of t's type in torch's old words, such as torch.cuda.FloatTensor.
func (t *Tensor) legacyType() string {
	return word(t.Device() == CUDA, "torch.cuda.", "torch.") + legacyNames[t.dtype] + "Tensor"
}
