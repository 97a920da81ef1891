package host

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
)

// torch.testing.assert_close, with the words of torch 2.11 (torch/testing/_comparison.py).

// comparison holds the options of one assert_close.
type comparison struct {
	m                                              *machine
	rtol, atol                                     Value // None: by dtype
	equalNaN, checkDevice, checkDType, checkStride bool
	item                                           string // of a container: [0]['key']
}

// closeTolerance is the default rtol and atol by dtype; others must be equal.
var closeTolerance = [num.NumDTypes][2]float64{
	num.Float16: {1e-3, 1e-5}, num.BFloat16: {1.6e-2, 1e-5}, num.Float32: {1.3e-6, 1e-5}, num.Float64: {1e-7, 1e-7},
}

func assertClose(m *machine, a arguments) Value {
	option := func(name string, otherwise Value) Value {
		if v, ok := a.take(name); ok {
			return v
		}
		return otherwise
	}
	c := comparison{m: m, rtol: option("rtol", none), atol: option("atol", none),
		equalNaN:    m.truthOf(option("equal_nan", python.Bool(false))),
		checkDevice: m.truthOf(option("check_device", python.Bool(true))),
		checkDType:  m.truthOf(option("check_dtype", python.Bool(true))),
		checkStride: m.truthOf(option("check_stride", python.Bool(false)))}
	option("allow_subclasses", none)
	option("check_layout", none)
	msg := option("msg", none)
	values := [2]Value{}
	for i, name := range []string{"actual", "expected"} {
		if i < len(a.positional) {
			values[i] = a.positional[i]
		} else if values[i] = option(name, nil); values[i] == nil {
			raise("TypeError", "assert_close() missing 1 required positional argument: '%s'", name)
		}
	}
	if len(a.keywords) > 0 {
		raise("TypeError", "assert_close() got an unexpected keyword argument '%s'", a.keywords[0].name)
	}
	if len(a.positional) > 2 {
		raise("TypeError", "assert_close() takes 2 positional arguments but %d were given", len(a.positional))
	}
	wrong := c.compare(values[0], values[1])
	switch {
	case wrong == "":
	case is[python.Str](msg):
		throw("AssertionError", m.strOf(msg))
	case msg != none:
		throw("AssertionError", m.strOf(m.callValue(msg, arguments{positional: []Value{python.Str(wrong)}})))
	default:
		throw("AssertionError", wrong)
	}
	return none
}

// compare says what is wrong with the first pair of values that is not close, or nothing.
func (c comparison) compare(x, y Value) string {
	c.m.budget.enterLevel()
	defer func() { c.m.budget.leaveLevel() }()
	if a, ok := c.sequence(x); ok {
		if b, ok := c.sequence(y); ok {
			return c.sequences(a, b)
		}
	}
	if a, ok := x.(*Dict); ok {
		if b, ok := y.(*Dict); ok {
			return c.mappings(a, b)
		}
	}
	s, isTensor := x.(Tensor)
	t, both := y.(Tensor)
	switch {
	case x == none || y == none:
		if x == y {
			return ""
		}
		return c.at(fmt.Sprintf("None mismatch: %s is not %s", c.m.strOf(x), c.m.strOf(y)))
	case is[python.Bool](x) && is[python.Bool](y):
		if x == y {
			return ""
		}
		return c.at(fmt.Sprintf("Booleans mismatch: %s is not %s", c.m.strOf(x), c.m.strOf(y)))
	case isReal(x) && isReal(y):
		return c.numbers(x, y)
	case isTensor && both:
		return c.tensors(s, t)
	}
	raise("TypeError", "%s",
		c.at(fmt.Sprintf("No comparison pair was able to handle inputs of type %s and %s.", c.m.strOf(typeOf(x)),
			c.m.strOf(typeOf(y)))))
	return ""
}

// at adds to a message which item of a container it concerns.
func (c comparison) at(message string) string {
	if c.item != "" {
		message += "\n\nThe failure occurred for item " + c.item
	}
	return message
}

func isReal(v Value) bool { return is[python.Int](v) || is[python.Float](v) }

// sequence lists the items of a sequence that is not a text.
func (c comparison) sequence(v Value) ([]Value, bool) {
	switch v.(type) {
	case *List, Tuple, Size, *Named, Range:
		return c.m.itemsOf(v), true
	}
	return nil, false
}

func (c comparison) sequences(a, b []Value) string {
	if len(a) != len(b) {
		return c.at(fmt.Sprintf("The length of the sequences mismatch: %d != %d", len(a), len(b)))
	}
	for i := range a {
		if wrong := c.inside(intValue(i)).compare(a[i], b[i]); wrong != "" {
			return wrong
		}
	}
	return ""
}

// inside is the comparison of the items with a key.
func (c comparison) inside(key Value) comparison {
	c.item += c.m.reprOf(&List{[]Value{key}})
	return c
}

func (c comparison) mappings(a, b *Dict) string {
	without := func(x, y *Dict) Value {
		rest := &List{}
		for _, k := range x.list() {
			if _, ok := y.get(k); !ok {
				rest.Items = append(rest.Items, k)
			}
		}
		return builtinSorted(c.m, arguments{positional: []Value{rest}})
	}
	missing, additional := without(b, a), without(a, b)
	if c.m.truthOf(missing) || c.m.truthOf(additional) {
		return c.at(fmt.Sprintf("The keys of the mappings do not match:\nMissing keys in the actual mapping: %s\n"+
			"Additional keys in the actual mapping: %s", c.m.reprOf(missing), c.m.reprOf(additional)))
	}
	for _, k := range c.m.itemsOf(builtinSorted(c.m, arguments{positional: []Value{&List{a.list()}}})) {
		x, _ := a.get(k)
		y, _ := b.get(k)
		if wrong := c.inside(k).compare(x, y); wrong != "" {
			return wrong
		}
	}
	return ""
}

// tolerances are rtol and atol: as given, or the loosest of the dtypes.
func (c comparison) tolerances(dtypes ...num.DType) (rtol, atol Value) {
	if (c.rtol == none) != (c.atol == none) {
		missing := "rtol"
		if c.atol == none {
			missing = "atol"
		}
		raise("ValueError", "%s",
			c.at("Both 'rtol' and 'atol' must be either specified or omitted, but got no "+missing+"."))
	}
	if c.rtol != none {
		return c.rtol, c.atol
	}
	loosest := [2]float64{}
	for _, d := range dtypes {
		for i, tolerance := range closeTolerance[d] {
			loosest[i] = max(loosest[i], tolerance)
		}
	}
	return python.Float(loosest[0]), python.Float(loosest[1])
}

func dtypeOfNumber(v Value) num.DType {
	if is[python.Float](v) {
		return num.Float64
	}
	return num.Int64
}

func (c comparison) numbers(x, y Value) string {
	rtol, atol := c.tolerances(dtypeOfNumber(x), dtypeOfNumber(y))
	if c.checkDType && x.Type() != y.Type() {
		return c.at(fmt.Sprintf("The (d)types do not match: %s != %s.", c.m.strOf(typeOf(x)), c.m.strOf(typeOf(y))))
	}
	if c.m.truthOf(c.m.compareValues("==", x, y)) || c.equalNaN && isNaN(x) && isNaN(y) {
		return ""
	}
	difference := c.m.unaryOp("abs", c.m.binaryOp("-", x, y))
	allowed := c.m.binaryOp("+", atol, c.m.binaryOp("*", rtol, c.m.unaryOp("abs", y)))
	if f, _, err := python.AsFloat(difference); err == nil && !math.IsInf(f,
		0) && c.m.truthOf(c.m.compareValues("<=", difference, allowed)) {
		return ""
	}
	return c.at(c.scalarsDiffer(x, y, rtol, atol))
}

func isNaN(v Value) bool {
	f, ok := v.(python.Float)
	return ok && math.IsNaN(float64(f))
}

func (c comparison) scalarsDiffer(x, y, rtol, atol Value) string {
	absolute := c.m.unaryOp("abs", c.m.binaryOp("-", x, y))
	var relative Value = python.Float(math.Inf(1))
	if !c.m.truthOf(c.m.compareValues("==", y, intValue(0))) {
		relative = c.m.binaryOp("/", absolute, c.m.unaryOp("abs", y))
	}
	lines := []string{
		fmt.Sprintf("Expected %s but got %s.", c.m.strOf(y), c.m.strOf(x)),
		"Absolute difference: " + c.m.strOf(absolute) + c.upTo(atol, rtol, atol),
		"Relative difference: " + c.m.strOf(relative) + c.upTo(rtol, rtol, atol),
	}
	return c.headline("Scalars", rtol, atol) + strings.Join(lines, "\n")
}

func (c comparison) exact(rtol, atol Value) bool { return !c.m.truthOf(rtol) && !c.m.truthOf(atol) }

func (c comparison) headline(what string, rtol, atol Value) string {
	if c.exact(rtol, atol) {
		return what + " are not equal!\n\n"
	}
	return what + " are not close!\n\n"
}

// upTo is the tolerance that a difference is held against.
func (c comparison) upTo(tolerance, rtol, atol Value) string {
	if c.exact(rtol, atol) {
		return ""
	}
	return " (up to " + c.m.strOf(tolerance) + " allowed)"
}

func (c comparison) tensors(x, y Tensor) string {
	rtol, atol := c.tolerances(x.DType(), y.DType())
	differ := func(attribute string, a, b Value) string {
		return c.at(fmt.Sprintf("The values for attribute '%s' do not match: %s != %s.", attribute, c.m.strOf(a),
			c.m.strOf(b)))
	}
	if !slices.Equal(x.Shape(), y.Shape()) {
		return differ("shape", Size(x.Shape()), Size(y.Shape()))
	}
	a, b := c.m.tensorMethod(x, "stride"), c.m.tensorMethod(y, "stride")
	if c.checkStride && c.m.reprOf(a) != c.m.reprOf(b) {
		return differ("stride()", a, b)
	}
	if a, b := c.m.attrOf(x, "device"), c.m.attrOf(y, "device"); c.checkDevice && c.m.strOf(a) != c.m.strOf(b) {
		return differ("device", a, b)
	}
	if x.DType() != y.DType() {
		if c.checkDType {
			return differ("dtype", DType(x.DType()), DType(y.DType()))
		}
		common := c.m.callTorch("promote_types", DType(x.DType()), DType(y.DType()))
		x, y = c.m.tensorMethod(x, "to", common).(Tensor), c.m.tensorMethod(y, "to", common).(Tensor)
	}
	if x.Numel() == 0 {
		return ""
	}
	if x.Device() != y.Device() {
		x, y = c.m.tensorMethod(x, "cpu").(Tensor), c.m.tensorMethod(y, "cpu").(Tensor)
	}
	// torch compares the bits of 8-bit floats, whatever the tolerances, and names no differences.
	bits := x.DType().IsFP8()
	options := []Value{rtol, atol, python.Bool(c.equalNaN)}
	if bits {
		x, y = c.m.tensorMethod(x, "float").(Tensor), c.m.tensorMethod(y, "float").(Tensor)
		options = []Value{intValue(0), intValue(0), python.Bool(true)}
	}
	near := c.m.callTorch("isclose", append([]Value{x, y}, options...)...).(Tensor)
	switch {
	case c.m.truthOf(c.m.tensorMethod(near, "all")):
		return ""
	case len(x.Shape()) == 0 && !bits:
		return c.at(c.scalarsDiffer(c.m.tensorMethod(x, "item"), c.m.tensorMethod(y, "item"), rtol, atol))
	}
	return c.at(c.tensorsDiffer(x, y, near, rtol, atol, bits))
}

// tensorsDiffer counts the elements that are not near and finds the greatest differences among them.
func (c comparison) tensorsDiffer(x, y, near Tensor, rtol, atol Value, bits bool) string {
	m := c.m
	far := m.tensorMethod(m.callTorch("logical_not", near).(Tensor), "flatten").(Tensor)
	wrong := asIndex(m.tensorMethod(far, "sum"))
	count := fmt.Sprintf("Mismatched elements: %d / %d (%.1f%%)\n", wrong, x.Numel(),
		100*float64(wrong)/float64(x.Numel()))
	if bits {
		first := asIndex(m.callTorch("argmax", m.tensorMethod(far, "to", DType(num.Int32))))
		return "Tensor-likes are not 'equal'!\n\n" + count + "The first mismatched element is at index " +
			m.reprOf(unravel(int(first), x.Shape())) + "."
	}
	a, b := m.tensorMethod(x, "flatten").(Tensor), m.tensorMethod(y, "flatten").(Tensor)
	if !x.DType().Info().Float {
		a, b = m.tensorMethod(a, "to", DType(num.Int64)).(Tensor), m.tensorMethod(b, "to", DType(num.Int64)).(Tensor)
	}
	matches := m.tensorMethod(near, "flatten")
	absolute := m.tensorMethod(m.callTorch("abs", m.binaryOp("-", a, b)).(Tensor), "masked_fill", matches, intValue(0))
	relative := m.binaryOp("/", absolute, m.callTorch("abs", b)).(Tensor)
	relative = m.tensorMethod(relative, "masked_fill", matches, intValue(0)).(Tensor)
	greatest := func(kind string, differences, tolerance Value) string {
		i := asIndex(m.callTorch("argmax", differences))
		value := m.tensorMethod(m.itemOf(differences, python.NewInt(i)).(Tensor), "item")
		return fmt.Sprintf("Greatest %s difference: %s at index %s%s", kind, m.strOf(value),
			m.reprOf(unravel(int(i), x.Shape())), c.upTo(tolerance, rtol, atol))
	}
	return c.headline("Tensor-likes", rtol, atol) + count + greatest("absolute", absolute,
		atol) + "\n" + greatest("relative", relative, rtol)
}

// unravel is the index of element i, counted in row-major order.
func unravel(i int, shape []int) Tuple {
	index := make(Tuple, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		index[d] = intValue(i % shape[d])
		i /= shape[d]
	}
	return index
}
