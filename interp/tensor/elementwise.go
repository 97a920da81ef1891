package tensor

import (
	"cmp"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
)

// broadcastShapes is the shape that all shapes stretch to, by torch's rule.
func broadcastShapes(shapes ...[]int) []int {
	var out []int
	for _, s := range shapes {
		// Shapes are aligned at their last dimension.
		if len(s) > len(out) {
			out = append(slices.Repeat([]int{1}, len(s)-len(out)), out...)
		}
		lead := len(out) - len(s)
		for i, d := range slices.Backward(s) { // as torch does, which names the last that differs
			switch have := out[lead+i]; {
			case have == 1:
				out[lead+i] = d
			case d != 1 && d != have:
				runtimeError("The size of tensor a (%d) must match the size of tensor b (%d) at non-singleton "+
					"dimension %d",
					have, d, lead+i)
			}
		}
	}
	return out
}

// expandTo stretches the layout to shape, which it must broadcast to.
func (g layout) expandTo(shape []int) layout {
	strides := make([]int, len(shape))
	lead := len(shape) - len(g.shape)
	for i := lead; i < len(shape); i++ {
		// Dimensions that are new or stretched keep the stride 0: the same element again.
		if g.shape[i-lead] == shape[i] {
			strides[i] = g.strides[i-lead]
		}
	}
	return layout{shape, strides, g.offset}
}

// source reads one operand of an elementwise operation, stretched to the common shape and
// converted to the dtype that the operation computes in.
type source struct {
	*reader
	single bool // values pass through float32 first
}

func (t *Tensor) source(shape []int, compute num.DType) source {
	// A float64 or wide integer operand of a float32 operation is first rounded to float32, as torch converts it.
	single := compute != num.Float64 && compute.Info().Float && t.dtype.Info().Bits > 24 && t.dtype != num.Float32
	return source{t.asStrided(t.expandTo(shape)).reader(), single}
}

func (s source) floats(dst []float64) {
	s.reader.floats(dst)
	if s.single {
		for i, v := range dst {
			dst[i] = float64(float32(v))
		}
	}
}

// registers are the dtype in which num's kernels of a dtype take their operands: narrow floats are fp32 values.
func registers(d num.DType) num.DType {
	if d.Info().Class == num.ClassF32 {
		return num.Float32
	}
	return d
}

// typedSource reads one operand of an elementwise operation, stretched to the common shape, into registers of a dtype.
type typedSource struct {
	*reader
	cast num.UnaryFn // nil: elements are loaded as they are
	vec  num.Vec
}

func (t *Tensor) typedSource(shape []int, as num.DType) typedSource {
	return t.asStrided(t.expandTo(shape)).typedElements(t.storage.read(), as)
}

// typedElements is elements in registers of a dtype.
func (t *Tensor) typedElements(data []byte, as num.DType) typedSource {
	s := typedSource{reader: t.elements(data)}
	if registers(t.dtype) != as {
		s.cast, s.vec = num.Cast(t.dtype, as, num.RTNE), num.MakeVec(as.Info().Class, s.reader.vec.Len())
	}
	return s
}

func (s *typedSource) next(n int) num.Vec {
	v := s.load(n)
	if s.cast == nil {
		return v
	}
	s.cast(prefix(s.vec, n), v)
	return prefix(s.vec, n)
}

// mapTyped writes f of the sources' elements to out in its own registers, which f leaves canonical. f gets one vector a
// source, in registers of as, and calls for several parts of out run at the same time.
func mapTyped(out *Tensor, inputs []*Tensor, as []num.DType, f func(dst num.Vec, in []num.Vec)) {
	data := sharedBytes(out, inputs)
	chunksInParallel(out.numel(), func(from, to int) {
		sources, in := make([]typedSource, len(inputs)), make([]num.Vec, len(inputs))
		for i, t := range inputs {
			sources[i] = t.typedSource(out.shape, as[i])
			sources[i].seek(from)
		}
		w := &writer{*out.elements(data)}
		w.seek(from)
		out.storage.of.chunksOf(from, to, func(from, to int) {
			n := to - from
			for i := range in {
				in[i] = sources[i].next(n)
			}
			w.put(n, func(dst num.Vec) { f(dst, in) })
		})
	})
}

// mapFloats writes f of the sources' elements to out. f gets one slice a source, which it must not change; calls for
// several parts of out run at the same time.
func mapFloats(out *Tensor, compute num.DType, inputs []*Tensor, f func(dst []float64, in [][]float64)) {
	data, size := sharedBytes(out, inputs), min(chunk, out.numel())
	chunksInParallel(out.numel(), func(from, to int) {
		sources := make([]source, len(inputs))
		values, in := make([][]float64, len(inputs)), make([][]float64, len(inputs))
		for i, t := range inputs {
			sources[i], values[i] = t.source(out.shape, compute), make([]float64, size)
			sources[i].seek(from)
			if sources[i].constant {
				sources[i].floats(values[i])
			}
		}
		w, dst := &writer{*out.elements(data)}, make([]float64, size)
		w.seek(from)
		out.storage.of.chunksOf(from, to, func(from, to int) {
			n := to - from
			for i := range in {
				if in[i] = values[i][:n]; !sources[i].constant {
					sources[i].floats(in[i])
				}
			}
			f(dst[:n], in)
			w.floats(dst[:n])
		})
	})
}

// sharedBytes are the bytes of out, which is about to be changed. Those of the inputs are here then as well: a storage
// that has to ask a device for them is for one goroutine.
func sharedBytes(out *Tensor, inputs []*Tensor) []byte {
	for _, t := range inputs {
		t.storage.read()
	}
	return out.storage.write()
}

// mapInts is mapFloats in the domain of integers.
func mapInts(out *Tensor, inputs []*Tensor, f func(dst []int64, in [][]int64)) {
	data, size := sharedBytes(out, inputs), min(chunk, out.numel())
	chunksInParallel(out.numel(), func(from, to int) {
		sources, in := make([]source, len(inputs)), make([][]int64, len(inputs))
		for i, t := range inputs {
			sources[i], in[i] = t.source(out.shape, num.Int64), make([]int64, size)
			sources[i].seek(from)
		}
		w, dst := &writer{*out.elements(data)}, make([]int64, size)
		w.seek(from)
		out.storage.of.chunksOf(from, to, func(from, to int) {
			n := to - from
			for i := range in {
				in[i] = in[i][:n]
				sources[i].ints(in[i])
			}
			f(dst[:n], in)
			w.ints(dst[:n])
		})
	})
}

// copyFrom writes src, broadcast and converted, to t.
func (t *Tensor) copyFrom(src *Tensor) {
	t.copyElements(src)
	t.computed("copy", src)
}

func (t *Tensor) copyElements(src *Tensor) {
	if !stretches(src.shape, t.shape) {
		runtimeError("output with shape %s doesn't match the broadcast shape %s", shapeText(t.shape),
			shapeText(broadcastShapes(t.shape, src.shape)))
	}
	if t.numel() == 0 {
		return
	}
	if t.dtype != src.dtype && (t.IsComplex() || src.IsComplex()) || t.IsComplex() && src.numel() == 1 {
		t.copyComplex(src)
		return
	}
	// Values of one dtype are copied bit by bit: a conversion would change a NaN, and the infinity of fp8e5.
	if src.dtype == t.dtype && slices.Equal(src.shape, t.shape) && t.isContiguous() && src.isContiguous() {
		copy(t.storage.write()[t.offset*t.dtype.Info().Bytes:], src.Bytes())
		return
	}
	if src.numel() == 1 {
		t.fill(src.item())
		return
	}
	if src.storage == t.storage { // the two may overlap: read all before anything is written
		packed := &Storage{Storage: *device.StorageOf(slices.Clone(src.Bytes()))}
		src = &Tensor{layout: contiguous(src.shape), storage: packed, dtype: src.dtype}
	}
	if src.dtype == t.dtype {
		t.copyBytes(src)
		return
	}
	if kernel := castKernel(src.dtype, t.dtype); kernel != nil {
		as := []num.DType{registers(src.dtype)}
		mapTyped(t, []*Tensor{src}, as, func(dst num.Vec, in []num.Vec) { kernel(dst, in[0]) })
		return
	}
	// Integers of 64 bits do not fit a float64: they are copied as integers.
	if src.isFloat() {
		mapFloats(t, num.Float64, []*Tensor{src}, func(dst []float64, in [][]float64) { copy(dst, in[0]) })
		return
	}
	mapInts(t, []*Tensor{src}, func(dst []int64, in [][]int64) { copy(dst, in[0]) })
}

// copyBytes copies elements of the same dtype.
func (t *Tensor) copyBytes(src *Tensor) {
	data := sharedBytes(t, []*Tensor{src})
	chunksInParallel(t.numel(), func(from, to int) {
		r, w := src.asStrided(src.expandTo(t.shape)).reader(), &writer{*t.elements(data)}
		r.seek(from)
		w.seek(from)
		cmp.Or(t.storage.of, src.storage.of).chunksOf(from, to, func(from, to int) {
			copy(w.room(to-from), r.bytes(to-from))
			w.scatter(to - from)
		})
	})
}

// castKernel converts as torch does; nil where num's conversion is another: of what is wider than fp32 to narrow
// floats, which torch rounds twice, to fp8, which has infinities there, and of floats to integers.
func castKernel(from, to num.DType) num.UnaryFn {
	a, b := from.Info(), to.Info()
	switch {
	case from == num.Int1 || to == num.Int1 || from.IsFP8() || to.IsFP8(), a.Float && !b.Float,
		to != num.Float32 && b.Class == num.ClassF32 && a.Class != num.ClassF32:
		return nil
	}
	return num.Cast(from, to, num.RTNE)
}

// stretches reports whether a tensor of shape from broadcasts to shape to.
func stretches(from, to []int) bool {
	lead := len(to) - len(from)
	for i, d := range from {
		switch {
		case lead < 0 && i < -lead && d != 1:
			return false
		case i+lead >= 0 && d != 1 && d != to[i+lead]:
			return false
		}
	}
	return true
}

// fill writes one Python number to every element.
func (t *Tensor) fill(v any) {
	t.fillElements(v)
	if c := t.storage.of; c != nil && c.Trace != nil {
		c.Trace.describe(&write{storage: t.at(), out: t.layout, dtype: t.dtype, op: "fill",
			numbers: []float64{toFloat(v)}})
	}
}

func (t *Tensor) fillElements(v any) {
	if isZero(v) && t.isContiguous() && t.numel()*t.dtype.Info().Bytes == t.storage.Len() {
		t.storage.Clear()
		return
	}
	if t.IsComplex() {
		parts := c128(v)
		realView(t).copyElements(&Tensor{layout: contiguous([]int{2}), storage: parts.storage, dtype: num.Float64})
		return
	}
	switch v := v.(type) {
	case float64:
		repeatInto(t, v, (*writer).floats)
	case bool:
		repeatInto(t, truth(v), (*writer).ints)
	case int64:
		repeatInto(t, v, (*writer).ints)
	}
}

func repeatInto[T any](t *Tensor, v T, write func(*writer, []T)) {
	w, values := t.writer(), slices.Repeat([]T{v}, min(chunk, t.numel()))
	t.storage.of.chunksOf(0, t.numel(), func(from, to int) { write(w, values[:to-from]) })
}

// isZero reports whether the bytes of a number are zeros in every dtype.
func isZero(v any) bool {
	f, isFloat := v.(float64)
	return v == int64(0) || v == false || isFloat && math.Float64bits(f) == 0
}

// item is the only element as a Python number.
func (t *Tensor) item() any {
	if t.numel() != 1 {
		runtimeError("a Tensor with %d elements cannot be converted to Scalar", t.numel())
	}
	switch {
	case t.IsComplex():
		return t.complexItem()
	case t.isFloat():
		return t.Floats()[0]
	case t.dtype == num.Int1:
		return t.Ints()[0] != 0
	}
	return t.Ints()[0]
}

// arithmetic refuses the dtypes that torch stores but does not compute with.
func arithmetic(name string, d num.DType) {
	if d.IsFP8() {
		raise("NotImplementedError", "\"%s\" not implemented for '%s'", name, legacyNames[d])
	}
}
