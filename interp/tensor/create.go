package tensor

import (
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
)

// factory is the tail of every creation function's signature.
const factory = ", *, dtype: dtype? = None, requires_grad: bool = False, device: device? = None"

// creationOps make tensors from nothing.
var creationOps = []Op{
	{Name: "tensor", Where: InTorch, Signature: "data: any" + factory, run: func(c *Context, a args) any {
		return c.withRequiresGrad(tensorFrom(c, a[0], a[1]), a.bool(2))
	}},
	{Name: "as_tensor", Where: InTorch, Signature: "data: any, dtype: dtype? = None, device: device? = None",
		run: func(c *Context, a args) any {
			if t := a.tensor(0); t != nil {
				return toDevice(c, t, c.cuda, a.dtype(1, t.dtype))
			}
			return tensorFrom(c, a[0], a[1])
		}},
	{Name: "zeros", Where: InTorch, Signature: "*size: ints" + factory, run: func(c *Context, a args) any {
		if size := a.ints(0); len(size) > 0 && slices.Min(size) < 0 {
			runtimeError("zeros: Dimension size must be non-negative.")
		}
		return filled(int64(0))(c, a)
	}},
	{Name: "ones", Where: InTorch, Signature: "*size: ints" + factory, run: filled(int64(1))},
	{Name: "empty", Where: InTorch, Signature: "*size: ints" + factory, run: undefined(filled(int64(0)))},
	{Name: "full", Where: InTorch, Signature: "size: ints, fill_value: Number" + factory,
		run: func(c *Context, a args) any {
			return c.withRequiresGrad(full(c, a.ints(0), a[1], a.dtype(2, numberDType(a[1]))), a.bool(3))
		}},
	{Name: "scalar_tensor", Where: InTorch, Signature: "s: Number" + factory, run: func(c *Context, a args) any {
		return c.withRequiresGrad(full(c, nil, a[0], a.dtype(1, num.Float32)), a.bool(2))
	}},
	{Name: "zeros_like", Where: InTorch, Signature: "input: Tensor" + factory, run: filledLike(int64(0))},
	{Name: "ones_like", Where: InTorch, Signature: "input: Tensor" + factory, run: filledLike(int64(1))},
	{Name: "empty_like", Where: InTorch, Signature: "input: Tensor" + factory, run: undefined(filledLike(int64(0)))},
	{Name: "full_like", Where: InTorch, Signature: "input: Tensor, fill_value: Number" + factory,
		run: func(c *Context, a args) any {
			return c.withRequiresGrad(full(c, a.tensor(0).shape, a[1], a.dtype(2, a.tensor(0).dtype)), a.bool(3))
		}},
	{Name: "new_zeros", Where: InMethod, Signature: "input: Tensor, *size: ints" + factory, run: filledNew(int64(0))},
	{Name: "new_ones", Where: InMethod, Signature: "input: Tensor, *size: ints" + factory, run: filledNew(int64(1))},
	{Name: "new_empty", Where: InMethod, Signature: "input: Tensor, *size: ints" + factory, run: undefined(filledNew(int64(0)))},
	{Name: "new_full", Where: InMethod, Signature: "input: Tensor, size: ints, fill_value: Number" + factory,
		run: func(c *Context, a args) any {
			return c.withRequiresGrad(full(c, a.ints(1), a[2], a.dtype(3, a.tensor(0).dtype)), a.bool(4))
		}},
	{Name: "new_tensor", Where: InMethod, Signature: "input: Tensor, data: any" + factory,
		run: func(c *Context, a args) any {
			return c.withRequiresGrad(tensorFrom(c, a[1], a.dtype(2, a.tensor(0).dtype)), a.bool(3))
		}},
	{Name: "arange", Where: InTorch, Signature: "start: Number, end: Number? = None, step: Number = 1" + factory,
		run: func(c *Context, a args) any {
			start, end := a[0], a[1]
			if end == nil {
				start, end = int64(0), start
			}
			return c.withRequiresGrad(arange(c, start, end, a[2], a[3]), a.bool(4))
		}},
	{Name: "linspace", Where: InTorch, Signature: "start: Number, end: Number, steps: int" + factory,
		run: func(c *Context, a args) any {
			return c.withRequiresGrad(linspace(c, a.float(0), a.float(1), a.int(2), a.dtype(3, num.Float32)), a.bool(4))
		}},
	{Name: "eye", Where: InTorch, Signature: "n: int, m: int? = None" + factory, run: func(c *Context, a args) any {
		m := a.int(0)
		if a.has(1) {
			m = a.int(1)
		}
		if a.int(0) < 0 {
			runtimeError("n must be greater or equal to 0, got %d", a.int(0))
		}
		t := c.alloc(a.dtype(2, num.Float32), a.int(0), m)
		if t.numel() > 0 {
			t.asStrided(layout{[]int{min(a.int(0), m)}, []int{m + 1}, 0}).fill(int64(1))
		}
		return c.withRequiresGrad(t, a.bool(3))
	}},
}

func filled(v any) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		return c.withRequiresGrad(full(c, a.ints(0), v, a.dtype(1, num.Float32)), a.bool(2))
	}
}

// undefined marks the memory of the new tensor as one that nobody has written to.
func undefined(run func(c *Context, a args) any) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := run(c, a).(*Tensor)
		t.storage.Undefined = true
		return t
	}
}

func filledLike(v any) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		return c.withRequiresGrad(full(c, a.tensor(0).shape, v, a.dtype(1, a.tensor(0).dtype)), a.bool(2))
	}
}

func filledNew(v any) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		return c.withRequiresGrad(full(c, a.ints(1), v, a.dtype(2, a.tensor(0).dtype)), a.bool(3))
	}
}

// withRequiresGrad marks a new leaf as requiring a gradient.
func (c *Context) withRequiresGrad(t *Tensor, requiresGrad bool) *Tensor {
	if requiresGrad && !t.differentiable() {
		runtimeError("Only Tensors of floating point and complex dtype can require gradients")
	}
	if requiresGrad {
		t.requireGrad(true)
	}
	return t
}

func (t *Tensor) requireGrad(on bool) {
	switch {
	case on && !t.differentiable():
		runtimeError("only Tensors of floating point dtype can require gradients")
	case !on && !t.isLeaf():
		runtimeError("you can only change requires_grad flags of leaf variables. " +
			"If you want to use a computed variable in a subgraph that doesn't require differentiation use " +
			"var_no_grad = var.detach().")
	}
	t.requiresGrad = on
}

// full is a tensor of one number, which has to fit the dtype. One element in the CPU's memory takes infinity for a
// float that is too large for fewer than 32 bits: torch's scalar_fill.
func full(c *Context, shape []int, v any, d num.DType) *Tensor {
	t := c.alloc(d, shape...)
	if info := d.Info(); c.cuda || t.numel() != 1 || !info.Float || info.Bits >= 32 {
		refuseOverflow(v, d, nativeNames[d])
	}
	if v != int64(0) {
		t.fill(v)
	}
	return t
}

// numberDType is the dtype that torch gives a Python number.
func numberDType(v any) num.DType {
	switch v.(type) {
	case bool:
		return num.Int1
	case int64:
		return num.Int64
	case complex128:
		return num.Complex64
	}
	return num.Float32
}

func arange(c *Context, start, end, step, dtype any) *Tensor {
	d := num.Int64
	for _, v := range []any{start, end, step} {
		if _, ok := v.(float64); ok {
			d = num.Float32
		}
	}
	first, stop, stride := toFloat(start), toFloat(end), toFloat(step)
	switch {
	case stride == 0 || stride != stride:
		runtimeError("step must be nonzero")
	case math.IsInf(first, 0) || math.IsInf(stop, 0) || first != first || stop != stop:
		runtimeError("unsupported range: %v -> %v", first, stop)
	case (stride > 0) != (stop >= first) && stop != first:
		runtimeError("upper bound and lower bound inconsistent with step sign")
	}
	size := math.Ceil((stop - first) / stride)
	from, whole := start.(int64)
	to, wholeEnd := end.(int64)
	by, wholeStep := step.(int64)
	if whole = whole && wholeEnd && wholeStep; whole { // float64 would lose digits above 2^53
		n := uint64(to) - uint64(from)
		if by < 0 {
			n = -n
		}
		by := uint64(max(by, -by))
		size = float64(n/by) + float64(truth(n%by != 0))
	}
	if size > float64(c.options.MaxElements) {
		limit("a range of %v elements is more than %d, the most that are allowed here", size, c.options.MaxElements)
	}
	if dtype != nil {
		d = dtype.(num.DType)
	}
	t := c.alloc(d, int(size))
	if whole && d == num.Int64 {
		values := make([]int64, int(size))
		for i := range polled(c, values) {
			values[i] = from + int64(i)*by
		}
		t.setInts(values)
		return t
	}
	values := make([]float64, int(size))
	for i := range polled(c, values) {
		// The conversion keeps Go from fusing the product and the sum.
		values[i] = first + float64(float64(i)*stride)
	}
	t.setFloats(values)
	return t
}

func linspace(c *Context, start, end float64, steps int, d num.DType) *Tensor {
	if steps < 0 {
		runtimeError("number of steps must be non-negative")
	}
	t := c.alloc(d, steps)
	values := make([]float64, steps)
	for i := range polled(c, values) {
		values[i] = linspaceAt(start, end, steps, i, d != num.Float64)
	}
	t.setFloats(values)
	return t
}

// linspaceAt counts from the nearer end, as torch does, in the precision of the dtype.
func linspaceAt(start, end float64, steps, i int, single bool) float64 {
	round := func(v float64) float64 { return v }
	if single {
		round = func(v float64) float64 { return float64(float32(v)) }
	}
	if steps == 1 {
		return start
	}
	step := round(round(round(end)-round(start)) / float64(steps-1))
	if i < steps/2 {
		return round(start) + step*float64(i)
	}
	return round(end) - step*float64(steps-1-i)
}

// tensorFrom copies Python data: a number, nested lists of numbers, or a tensor.
func tensorFrom(c *Context, data, dtype any) *Tensor {
	if t, ok := data.(*Tensor); ok {
		out := c.alloc(orDType(dtype, t.dtype), t.shape...)
		out.copyFrom(t)
		return out
	}
	var shape []int
	// The shape is that of the first items all the way down; reading refuses lists of other lengths.
	for v, depth := data, 0; ; depth++ {
		list, ok := v.([]any)
		if size, isSize := v.(Size); isSize {
			list, ok = sizeItems(size), true
		}
		if !ok {
			if text, isText := v.(string); isText && depth > 0 && text != "" {
				valueError("too many dimensions 'str'") // a string is a sequence, and one of another sequence
			}
			break
		}
		if depth > 64 {
			valueError("too many dimensions")
		}
		if shape = append(shape, len(list)); len(list) == 0 {
			break
		}
		v = list[0]
	}
	l := &literalReader{shape: shape}
	l.read(data, 0)
	d := l.dtype
	if len(l.values) == 0 {
		d = num.Float32 // torch's default dtype
	}
	t := c.alloc(orDType(dtype, d), shape...)
	if isComplex(d) || t.IsComplex() {
		l.storeComplex(t)
	} else {
		l.store(t)
	}
	return t
}

func sizeItems(s Size) []any {
	out := make([]any, len(s))
	for i, n := range s {
		out[i] = int64(n)
	}
	return out
}

func orDType(dtype any, otherwise num.DType) num.DType {
	if d, ok := dtype.(num.DType); ok {
		return d
	}
	return otherwise
}

// literalReader flattens nested lists.
type literalReader struct {
	shape  []int
	values []any     // numbers, and tensors of one element
	dtype  num.DType // of all values so far, promoted
}

func (l *literalReader) read(v any, depth int) {
	if s, ok := v.(Size); ok {
		v = sizeItems(s)
	}
	switch v := v.(type) {
	case []any:
		if depth >= len(l.shape) || len(v) != l.shape[depth] {
			want := 0
			if depth < len(l.shape) {
				want = l.shape[depth]
			}
			valueError("expected sequence of length %d at dim %d (got %d)", want, depth, len(v))
		}
		for _, x := range v {
			l.read(x, depth+1)
		}
		return
	case *Tensor, bool, int64, float64, complex128:
	case string:
		typeError("new(): invalid data type 'str'")
	default:
		runtimeError("Could not infer dtype of %s", pythonType(v))
	}
	if depth != len(l.shape) {
		typeError("not a sequence")
	}
	d := numberDType(v)
	if t, isTensor := v.(*Tensor); isTensor {
		d = t.dtype
	}
	if len(l.values) > 0 {
		d = promote(l.dtype, d)
	}
	l.dtype = d
	l.values = append(l.values, v)
}

// store writes the values to t.
func (l *literalReader) store(t *Tensor) {
	floats, hasFloats := make([]float64, len(l.values)), false
	ints := make([]int64, len(l.values))
	for i, v := range polled(t.storage.of, l.values) {
		v = l.number(v, t.dtype)
		if !t.isFloat() {
			refuseOverflow(v, t.dtype, TorchName(t.dtype))
		}
		switch v := v.(type) {
		case bool:
			ints[i] = truth(v)
		case int64:
			ints[i] = v
		case float64:
			hasFloats = true
		}
		floats[i] = toFloat(v)
	}
	if hasFloats {
		t.setFloats(floats)
	} else {
		t.setInts(ints)
	}
}

// number is a value as Python's int() or float() gives it, which torch calls by the dtype that is stored.
func (l *literalReader) number(v any, d num.DType) any {
	t, isTensor := v.(*Tensor)
	switch {
	case !isTensor:
		return v
	case !d.Info().Float && d != num.Int1 && (t.isFloat() || t.numel() != 1):
		typeError("only integer tensors of a single element can be converted to an index")
	case t.numel() != 1:
		valueError("only one element tensors can be converted to Python scalars")
	}
	return t.item()
}
