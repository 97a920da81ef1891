package tensor

import (
	"strings"

	"github.com/newtlab/newt/compiler/num"
)

// Complex tensors are pairs of floats, and operations on them are composed of those on their parts. So are their
// gradients, which are torch's: by the real part, and by the imaginary part times i.

func isComplex(d num.DType) bool { return d == num.Complex64 || d == num.Complex128 }

// IsComplex reports whether the elements are complex numbers.
func (t *Tensor) IsComplex() bool { return isComplex(t.dtype) }

// differentiable reports whether the elements may have gradients.
func (t *Tensor) differentiable() bool { return t.isFloat() || t.IsComplex() }

// PartOf is the dtype of the parts of a complex dtype, and any other one itself.
func PartOf(d num.DType) num.DType {
	switch d {
	case num.Complex64:
		return num.Float32
	case num.Complex128:
		return num.Float64
	}
	return d
}

// complexOf is the complex dtype whose parts have a dtype.
func complexOf(part num.DType) num.DType {
	switch part {
	case num.Float32:
		return num.Complex64
	case num.Float64:
		return num.Complex128
	}
	lack("NotImplementedError", "torch.complex32")
	return 0
}

// promoteComplex is promote where one of the two is complex.
func promoteComplex(a, b num.DType) num.DType {
	for _, d := range []num.DType{a, b} {
		if d == num.Float64 || d == num.Complex128 {
			return num.Complex128
		}
	}
	return num.Complex64
}

// complexOps make complex tensors and take them apart.
func complexOps() []Op {
	parts := func(name string, combine func(c *Context, x, y *Tensor) (re, im *Tensor)) Op {
		return Op{Name: name, Where: InTorch, Signature: "input: Tensor, other: Tensor",
			grad: gradNamed(strings.ToUpper(name[:1]) + name[1:] + "Backward0"),
			run: func(c *Context, a args) any {
				x, y := a.tensor(0), a.tensor(1)
				switch {
				case !x.isFloat() || x.dtype == num.BFloat16 || x.dtype.IsFP8():
					runtimeError("Expected both inputs to be Half, Float or Double tensors but got %s and %s",
						legacyNames[x.dtype], legacyNames[y.dtype])
				case x.dtype != y.dtype:
					runtimeError("Expected object of scalar type %s but got scalar type %s for second argument",
						legacyNames[x.dtype], legacyNames[y.dtype])
				}
				re, im := combine(c, x, y)
				return ofParts(c, re, im)
			}}
	}
	part := func(name string, i int) Op {
		return Op{Name: name, Where: InTorch, Signature: "input: Tensor", run: func(c *Context, a args) any {
			return complexPart(c, a.tensor(0), i)
		}}
	}
	return []Op{
		parts("complex", func(_ *Context, x, y *Tensor) (re, im *Tensor) { return x, y }),
		parts("polar", func(c *Context, x, y *Tensor) (re, im *Tensor) {
			// torch takes the sign of the result for that of the size, whose gradient is 0 at 0.
			size := c.record(x.detach(), "polar", []*Tensor{x}, func(g *Tensor) []*Tensor {
				return []*Tensor{mul(c, g, applyUnary(c, "sign", x.detach()))}
			})
			return mul(c, size, applyUnary(c, "cos", y)), mul(c, size, applyUnary(c, "sin", y))
		}),
		part("real", 0), part("imag", 1),
		conjugation("conj_physical", false), conjugation("conj", false), conjugation("adjoint", true),
		{Name: "view_as_real", Where: InTorch, Signature: "input: Tensor", run: func(c *Context, a args) any {
			if !a.tensor(0).IsComplex() {
				runtimeError("view_as_real is only supported for complex tensors")
			}
			return viewAsReal(c, a.tensor(0))
		}},
		{Name: "view_as_complex", Where: InTorch, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return viewAsComplex(c, a.tensor(0)) }},
		{Name: "angle", Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
			t := a.tensor(0)
			if !t.IsComplex() {
				lack("NotImplementedError", "torch.angle of real numbers")
			}
			re, im := complexPart(c, t, 0), complexPart(c, t, 1)
			return applyBinary(c, "atan2", operand{im, false}, operand{re, false})
		}},
		{Name: "is_complex", Where: everywhere, Signature: "input: Tensor",
			run: func(c *Context, a args) any { return a.tensor(0).IsComplex() }},
	}
}

// onComplex are the operations that take complex tensors.
var onComplex = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(`conj_physical conj adjoint resolve_conj view_as_real real imag angle is_complex view view_as reshape reshape_as permute
		transpose t movedim expand expand_as broadcast_to squeeze unsqueeze flatten ravel unflatten narrow select unbind
		split chunk clone contiguous to type_as cpu cuda item tolist numel nelement dim ndimension size stride
		element_size storage_offset data_ptr is_contiguous is_floating_point is_tensor tensor zeros ones empty zeros_like
		ones_like empty_like new_zeros new_ones new_empty full full_like eye cat stack repeat flip diagonal add sub mul
		div eq ne neg abs exp sum mean cumsum trace matmul mm bmm mv dot outer equal type cfloat cdouble detach
		requires_grad_ requires_grad backward copy_ zero_ result_type promote_types`) {
		names[name] = true
	}
	return names
}()

// refuseComplex refuses complex arguments of an operation that takes none.
func (op *Op) refuseComplex(a args) {
	complexArgument := func(v any) bool {
		switch v := v.(type) {
		case *Tensor:
			return v != nil && v.IsComplex()
		case operand:
			return v.IsComplex()
		case num.DType:
			return isComplex(v)
		case complex128:
			return true
		}
		return false
	}
	for _, v := range a {
		if list, ok := v.([]*Tensor); ok && len(list) > 0 {
			v = list[0]
		}
		if complexArgument(v) && !onComplex[strings.TrimSuffix(op.Name, "_")] && !onComplex[op.Name] {
			lack("NotImplementedError", "%s on complex tensors", op.path())
		}
	}
}

// conjugation is a row for conjugate, of a tensor or of its matrices transposed.
func conjugation(name string, transposed bool) Op {
	return Op{Name: name, Where: everywhere, Signature: "input: Tensor", run: func(c *Context, a args) any {
		t := a.tensor(0)
		if transposed {
			t = transpose(c, t, -1, -2)
		}
		return conjugate(c, t)
	}}
}

// conjugate is a copy with the other sign of the imaginary part.
func conjugate(c *Context, t *Tensor) *Tensor {
	if !t.IsComplex() {
		return t
	}
	return composed(ofParts(c, complexPart(c, t, 0), applyUnary(c, "neg", complexPart(c, t, 1))), "conj")
}

// viewAsReal has the two parts in another dimension, the last one.
func viewAsReal(c *Context, t *Tensor) *Tensor {
	return c.record(realView(t), "view_as_real", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{complexView(contiguousCopy(c, g))}
	})
}

// realView is viewAsReal without a graph.
func realView(t *Tensor) *Tensor {
	g := layout{offset: 2 * t.offset}
	for i, n := range t.shape {
		g.shape, g.strides = append(g.shape, n), append(g.strides, 2*t.strides[i])
	}
	g.shape, g.strides = append(g.shape, 2), append(g.strides, 1)
	return &Tensor{layout: g, storage: t.storage, dtype: PartOf(t.dtype)}
}

// viewAsComplex takes the last dimension, of size 2, for the parts.
func viewAsComplex(c *Context, t *Tensor) *Tensor {
	last := len(t.shape) - 1
	switch {
	case !t.isFloat() || t.dtype == num.BFloat16 || t.dtype.IsFP8():
		runtimeError("view_as_complex is only supported for half, float and double tensors, "+
			"but got a tensor of scalar type: %s", legacyNames[t.dtype])
	case last < 0:
		runtimeError("Input tensor must have one or more dimensions")
	case t.shape[last] != 2:
		runtimeError("Tensor must have a last dimension of size 2")
	case t.strides[last] != 1:
		runtimeError("Tensor must have a last dimension with stride 1")
	case t.offset%2 != 0:
		runtimeError("Tensor must have a storage_offset divisible by 2")
	}
	for i, stride := range t.strides[:last] {
		if stride%2 != 0 && t.shape[i] > 1 {
			runtimeError("Tensor must have a stride divisible by 2 for all but last dimension")
		}
	}
	return c.record(complexView(t), "view_as_complex", []*Tensor{t}, func(g *Tensor) []*Tensor {
		return []*Tensor{realView(g)}
	})
}

// complexView is viewAsComplex without a graph.
func complexView(t *Tensor) *Tensor {
	g := layout{offset: t.offset / 2}
	for i, n := range t.shape[:len(t.shape)-1] {
		g.shape, g.strides = append(g.shape, n), append(g.strides, t.strides[i]/2)
	}
	return &Tensor{layout: g, storage: t.storage, dtype: complexOf(t.dtype)}
}

// complexPart is a view of the real (0) or imaginary (1) part.
func complexPart(c *Context, t *Tensor, i int) *Tensor {
	switch {
	case t.IsComplex():
		return selectAt(c, viewAsReal(c, t), len(t.shape), i)
	case i == 1:
		runtimeError("imag is not implemented for tensors with non-complex dtypes.")
	}
	return t
}

// partsOf are the parts in a dtype; the imaginary part of a real number is 0.
func partsOf(c *Context, t *Tensor, part num.DType) (re, im *Tensor) {
	if !t.IsComplex() {
		return toDType(c, t, part), c.alloc(part)
	}
	return toDType(c, complexPart(c, t, 0), part), toDType(c, complexPart(c, t, 1), part)
}

// ofParts puts parts together.
func ofParts(c *Context, re, im *Tensor) *Tensor {
	shape := broadcastShapes(re.shape, im.shape)
	both := []*Tensor{unsqueeze(c, expand(c, re, shape), len(shape)), unsqueeze(c, expand(c, im, shape), len(shape))}
	return viewAsComplex(c, cat(c, both, len(shape)))
}

// composed is a result that the graph calls by the name of its operation.
func composed(t *Tensor, name string) *Tensor {
	if t.node != nil {
		t.node.name = backwardName(name)
	}
	return t
}

// complexBinary is computeBinary where an operand is complex.
func complexBinary(c *Context, name string, x, y operand) *Tensor {
	part := PartOf(resultType(x, y))
	xr, xi := partsOf(c, x.Tensor, part)
	yr, yi := partsOf(c, y.Tensor, part)
	switch {
	case name == "add", name == "sub":
		// torch adds the second operand times alpha, here 1 or -1, which decides the signs of zeros.
		alpha := map[string]float64{"add": 1, "sub": -1}[name]
		times := func(t *Tensor, v float64) *Tensor { return applyBinaryNumber(c, "mul", t, v) }
		yr, yi = sub(c, times(yr, alpha), times(yi, 0)), add(c, times(yr, 0), times(yi, alpha))
		return composed(ofParts(c, add(c, xr, yr), add(c, xi, yi)), name)
	case name == "mul":
		re, im := sub(c, mul(c, xr, yr), mul(c, xi, yi)), add(c, mul(c, xr, yi), mul(c, xi, yr))
		return composed(ofParts(c, re, im), name)
	case name == "div" && !y.IsComplex():
		return composed(ofParts(c, div(c, xr, yr), div(c, xi, yr)), name)
	case name == "eq", name == "ne":
		compare := func(x, y *Tensor) operand {
			return operand{applyBinary(c, name, operand{x, false}, operand{y, false}), false}
		}
		both := map[string]string{"eq": "logical_and", "ne": "logical_or"}[name]
		return applyBinary(c, both, compare(xr, yr), compare(xi, yi))
	}
	lack("NotImplementedError", "torch.%s on complex tensors", name)
	return nil
}

// complexUnary is computeUnary for a complex tensor.
func complexUnary(c *Context, name string, t *Tensor) *Tensor {
	re, im := partsOf(c, t, PartOf(t.dtype))
	switch name {
	case "neg":
		return composed(ofParts(c, applyUnary(c, name, re), applyUnary(c, name, im)), name)
	case "exp":
		size := applyUnary(c, name, re)
		cos, sin := applyUnary(c, "cos", im), applyUnary(c, "sin", im)
		return composed(ofParts(c, mul(c, size, cos), mul(c, size, sin)), name)
	case "abs":
		if c.GradEnabled && t.needsGrad() { // that of hypot is NaN at 0
			lack("RuntimeError", "the derivative of torch.abs on complex tensors")
		}
		return applyBinary(c, "hypot", operand{re, false}, operand{im, false})
	}
	lack("NotImplementedError", "torch.%s on complex tensors", name)
	return nil
}

// onParts is what f, which works on both parts alike, makes of a complex tensor.
func onParts(c *Context, t *Tensor, name string, f func(part *Tensor) *Tensor) *Tensor {
	return composed(ofParts(c, f(complexPart(c, t, 0)), f(complexPart(c, t, 1))), name)
}

// complexProduct is batchedProduct of complex matrices.
func complexProduct(c *Context, x, y *Tensor) *Tensor {
	xr, xi := partsOf(c, x, PartOf(x.dtype))
	yr, yi := partsOf(c, y, PartOf(y.dtype))
	re := sub(c, batchedProduct(c, xr, yr), batchedProduct(c, xi, yi))
	return ofParts(c, re, add(c, batchedProduct(c, xr, yi), batchedProduct(c, xi, yr)))
}

// copyComplex is copyElements where one of the two tensors is complex.
func (t *Tensor) copyComplex(src *Tensor) {
	src = src.asStrided(src.expandTo(t.shape))
	part := func(t *Tensor, i int) *Tensor {
		r := realView(t)
		last := len(t.shape)
		return r.asStrided(layout{r.shape[:last], r.strides[:last], r.offset + i})
	}
	switch {
	case !t.IsComplex() && t.dtype == num.Int1:
		lack("NotImplementedError", "Tensor.to(torch.bool) of complex numbers")
	case !t.IsComplex():
		t.copyElements(part(src, 0))
	case !src.IsComplex():
		part(t, 0).copyElements(src)
		part(t, 1).fillElements(0.0)
	default:
		realView(t).copyElements(realView(src))
	}
}

// storeComplex is store where t or a value is complex.
func (l *literalReader) storeComplex(t *Tensor) {
	parts := make([]float64, 0, 2*len(l.values))
	for _, v := range l.values {
		if one, ok := v.(*Tensor); ok {
			v = one.item()
		}
		z, ok := v.(complex128)
		if !ok {
			z = complex(toFloat(v), 0)
		} else if !t.IsComplex() {
			runtimeError("value cannot be converted to type %s without overflow", nativeNames[t.dtype])
		}
		parts = append(parts, real(z), imag(z))
	}
	realView(t).setFloats(parts)
}

// c128 is a number as a complex tensor without dimensions.
func c128(v any) *Tensor {
	z, ok := v.(complex128)
	if !ok {
		z = complex(toFloat(v), 0)
	}
	t := &Tensor{layout: contiguous(nil), storage: newStorage(16), dtype: num.Complex128}
	realView(t).setFloats([]float64{real(z), imag(z)})
	return t
}

// complexItem is the only element.
func (t *Tensor) complexItem() complex128 {
	v := realView(t).Floats()
	return complex(v[0], v[1])
}

// complexes are the elements in row-major order.
func (t *Tensor) complexes() []complex128 {
	out, v := make([]complex128, t.numel()), realView(t).Floats()
	for i := range polled(t.storage.of, out) {
		out[i] = complex(v[2*i], v[2*i+1])
	}
	return out
}
