package host

import (
	"time"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/tensor"
)

// toTensorArgument converts a value for package tensor. What it does not know stays as it is and
// is refused there by its type's name.
func (m *machine) toTensorArgument(v Value) any {
	switch v := v.(type) {
	case python.None:
		return nil
	case python.Bool:
		return bool(v)
	case python.Int:
		n, ok := v.Int64()
		if !ok {
			raise("RuntimeError", "Overflow when unpacking long")
		}
		return n
	case python.Float:
		return float64(v)
	case Complex:
		return complex128(v)
	case python.Str:
		return string(v)
	case *Class: // Python's own types name dtypes
		if d, ok := map[string]num.DType{"float": num.Float64, "int": num.Int64, "bool": num.Int1}[v.Name]; ok &&
			builtins[v.Name] == Value(v) {
			return d
		}
	case Tensor:
		return v.Tensor
	case DType:
		return num.DType(v)
	case Device:
		return v.Device
	case *generator:
		return v.Stream
	case Size:
		return tensor.Size(v)
	case constexpr:
		return m.toTensorArgument(v.value)
	case *Instance: // an array of numpy has a tensor
		if t, ok := v.attrs.named("_tensor"); ok {
			return m.toTensorArgument(t)
		}
	case *List:
		return m.toTensorArguments(v.Items)
	case Tuple:
		return m.toTensorArguments(v)
	case *Named:
		return m.toTensorArguments(v.Items)
	case Range:
		return m.toTensorArguments(m.itemsOf(v))
	}
	return foreign{v}
}

// foreign is a Python object that tensors have no use for.
type foreign struct{ value Value }

// String names the object's type, for messages.
func (f foreign) String() string { return f.value.Type() }

func (m *machine) toTensorArguments(list []Value) []any {
	m.budget.enterLevel()
	out := make([]any, len(list))
	for i, v := range list {
		m.budget.countStep(m.at)
		out[i] = m.toTensorArgument(v)
	}
	m.budget.leaveLevel()
	return out
}

// fromTensorResult converts what package tensor returns. m may be nil.
func (m *machine) fromTensorResult(v any) Value {
	switch v := v.(type) {
	case *tensor.Tensor:
		return Tensor{v}
	case bool:
		return python.Bool(v)
	case int64:
		return python.NewInt(v)
	case float64:
		return python.Float(v)
	case complex128:
		return Complex(v)
	case string:
		return python.Str(v)
	case num.DType:
		return DType(v)
	case tensor.Size:
		return Size(v)
	case tensor.Device:
		return Device{v}
	case tensor.GradFn:
		return gradFn{v}
	case tensor.Layout:
		return Text{"torch.layout", string(v)}
	case []any:
		items := make([]Value, len(v))
		for i, x := range v {
			m.tick()
			items[i] = m.fromTensorResult(x)
		}
		return &List{items}
	case []*tensor.Tensor:
		return tensorTuple(v)
	case tensor.Several:
		out := make(Tuple, len(v))
		for i, x := range v {
			out[i] = m.fromTensorResult(x)
		}
		return out
	case tensor.Named:
		return &Named{Name: v.Type, Fields: v.Names, Items: tensorTuple(v.Values)}
	}
	return none
}

func tensorTuple(list []*tensor.Tensor) Tuple {
	out := make(Tuple, len(list))
	for i, t := range list {
		out[i] = Tensor{t}
	}
	return out
}

// callTensor runs one operation of package tensor.
func (m *machine) callTensor(op *tensor.Op, a arguments) Value {
	var keywords map[string]any
	if len(a.keywords) > 0 {
		keywords = make(map[string]any, len(a.keywords))
		for _, k := range a.keywords {
			keywords[k.name] = m.toTensorArgument(k.value)
		}
	}
	if op.Name == "tolist" && len(a.positional) > 0 {
		if t, ok := a.positional[0].(Tensor); ok {
			m.budget.chargeItems(t.Numel())
		}
	}
	var began time.Duration
	if m.clock.profile != nil {
		began = m.clock.now()
	}
	v, err := m.tensors.Call(op, m.toTensorArguments(a.positional), keywords)
	check(err)
	result := m.fromTensorResult(v)
	if m.clock.profile != nil && (is[Tensor](result) || op.Name == "backward") {
		m.clock.profile.add(profiledEvent{name: "aten::" + op.Name, began: began, took: m.clock.now() - began})
	}
	switch op.Name {
	case "stride":
		if l, ok := result.(*List); ok {
			return Tuple(l.Items)
		}
	}
	return result
}

// callTorch runs an operation under torch by its name.
func (m *machine) callTorch(name string, args ...Value) Value {
	op, ok := m.tensors.Operations.Lookup(tensor.InTorch, name)
	if !ok {
		lack("AttributeError", "torch."+name, nil)
	}
	return m.callTensor(op, arguments{positional: args})
}

// tensorMethod runs a tensor's method by its name.
func (m *machine) tensorMethod(t Tensor, name string, args ...Value) Value {
	op, ok := m.tensors.Operations.Lookup(tensor.InMethod, name)
	if !ok {
		lack("AttributeError", "Tensor."+name, nil)
	}
	return m.callTensor(op, arguments{positional: append([]Value{t}, args...)})
}

// operation wraps an operation as a function value.
func operation(op *tensor.Op) *Builtin {
	call := func(m *machine, a arguments) Value { return m.callTensor(op, a) }
	return &Builtin{Name: op.Name, module: true, call: call}
}

// attr is t.name: a property or an operation.
func (t Tensor) attr(m *machine, name string) (Value, bool) {
	v, ok, err := m.tensors.Attribute(t.Tensor, name)
	check(err)
	if ok {
		if v == nil {
			return none, true
		}
		return m.fromTensorResult(v), true
	}
	op, ok := m.tensors.Operations.Lookup(tensor.InMethod, name)
	if !ok {
		return nil, false
	}
	return &Method{t, operation(op)}, true
}

func init() {
	tensorClass.describe(typeRecord{
		make: legacyClass("FloatTensor").make,
		slots: slots{
			length: func(_ *machine, v Value) int {
				shape := v.(Tensor).Shape()
				if len(shape) == 0 {
					raise("TypeError", "len() of a 0-d tensor")
				}
				return shape[0]
			},
			item: func(m *machine, v, index Value) Value {
				t, err := m.tensors.Index(v.(Tensor).Tensor, indexItems(m, index))
				check(err)
				return Tensor{t}
			},
			setItem: func(m *machine, v, index, x Value) {
				check(m.tensors.SetIndex(v.(Tensor).Tensor, indexItems(m, index), m.toTensorArgument(x)))
			},
			items: func(m *machine, v Value) []Value {
				parts, err := m.tensors.Unbind(v.(Tensor).Tensor)
				check(err)
				out := make([]Value, len(parts))
				for i, t := range parts {
					out[i] = Tensor{t}
				}
				return out
			},
			truth: func(m *machine, v Value) bool {
				t := v.(Tensor)
				if t.Numel() != 1 {
					raise("RuntimeError", "Boolean value of Tensor with %s value%s is ambiguous",
						map[bool]string{true: "no", false: "more than one"}[t.Numel() == 0],
						map[bool]string{true: "s", false: ""}[t.Numel() == 0])
				}
				return m.truthOf(m.tensorMethod(t, "item"))
			},
			compare: func(m *machine, op string, v, other Value) Value {
				if y := plain(other); isTensor(y) || isScalar(y) {
					return m.callTorch(tensorOperators[op], v, y)
				}
				return notImplemented
			},
			binaryOps:  " + - * / // % ** @ << >> & | ^ ",
			binary:     operateTensors,
			inPlaceOps: " + - * / // % ** << >> & | ^ ",
			inPlace: func(m *machine, op string, v, other Value) Value {
				// torch has no in-place matrix product.
				if y := plain(other); op != "@" && (isTensor(y) || isScalar(y)) {
					return m.tensorMethod(v.(Tensor), tensorOperators[op]+"_", y)
				}
				return notImplemented
			},
			unaryOps: " - + ~ abs ",
			unary: func(m *machine, op string, v Value) Value {
				name := map[string]string{"-": "neg", "+": "positive", "~": "bitwise_not", "abs": "abs"}[op]
				return m.tensorMethod(v.(Tensor), name)
			},
			hash: hashIdentity,
			// Tensor.__format__ formats a tensor of no dimensions as its number; others have no format but "".
			format: func(m *machine, v Value, spec string) string {
				t := v.(Tensor)
				switch {
				case len(t.Shape()) == 0:
					return m.formatValue(m.tensorMethod(t, "item"), spec)
				case spec != "":
					raise("TypeError", "unsupported format string passed to Tensor.__format__")
				}
				return m.strOf(v)
			},
			repr: func(p *printer, v Value, _ int) string {
				t := v.(Tensor)
				if p.m == nil {
					return p.charge(t.String())
				}
				return p.charge(t.Text(p.m.tensors.PrintOptions))
			},
		},
		methods: map[string]method{"numpy(self, *, force=False)": tensorNumpy,
			"register_hook(self, hook)": registerHook},
	})
}

// tensorOperators names the operation behind each operator on tensors.
var tensorOperators = map[string]string{
	"+": "add", "-": "sub", "*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "**": "pow", "@": "matmul",
	"&": "bitwise_and", "|": "bitwise_or", "^": "bitwise_xor", "<<": "bitwise_left_shift", ">>": "bitwise_right_shift",
	"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge",
}

func isTensor(v Value) bool {
	_, ok := v.(Tensor)
	return ok
}

// isScalar reports whether an operator takes v beside a tensor.
func isScalar(v Value) bool {
	_, isComplex := v.(Complex)
	return isComplex || isNumber(v)
}

// operateTensors is an operator with a tensor on one side and a tensor or a number on the other.
func operateTensors(m *machine, op string, v, other Value, reflected bool) Value {
	y := plain(other)
	if !isTensor(y) && (!isScalar(y) || op == "@") {
		return notImplemented
	}
	switch {
	case reflected && op == "/" && isScalar(y):
		// torch's __rtruediv__ multiplies by the reciprocal.
		return m.callTorch("mul", m.callTorch("reciprocal", v), y)
	case reflected:
		v, y = y, v
	}
	return m.callTorch(tensorOperators[op], v, y)
}

func (t Tensor) setAttr(m *machine, name string, v Value) bool {
	ok, err := m.tensors.SetAttribute(t.Tensor, name, m.toTensorArgument(v))
	check(err)
	return ok
}

// gradFn is a tensor's grad_fn.
type gradFn struct{ tensor.GradFn }

// Type is the name of the operation's class.
func (g gradFn) Type() string { return g.Name() }

func (g gradFn) repr() string { return "<" + g.Name() + " object at 0x7f0000000000>" }

func (g gradFn) attr(_ *machine, name string) (Value, bool) {
	switch name {
	case "name":
		return boundTo(name, func(*machine, arguments) Value { return python.Str(g.Name()) }), true
	case "next_functions":
		var list Tuple
		inputs, wanted := g.Inputs()
		for i, f := range inputs {
			pair := Tuple{none, intValue(0)}
			if wanted[i] {
				pair[0] = gradFn{f}
			}
			list = append(list, pair)
		}
		return list, true
	}
	return nil, false
}

// registerHook is t.register_hook(f): f sees the gradient of t in backward, and may return another.
func registerHook(m *machine, a arguments) Value {
	f := a.positional[1]
	remove, err := m.tensors.AddHook(self[Tensor](a).Tensor, func(g *tensor.Tensor) *tensor.Tensor {
		switch v := m.callValue(f, arguments{positional: []Value{Tensor{g}}}).(type) {
		case Tensor:
			return v.Tensor
		case python.None:
		default:
			raise("TypeError", "expected Variable, but hook returned '%s'", v.Type())
		}
		return nil
	})
	check(err)
	return &record{"RemovableHandle", "<torch.utils.hooks.RemovableHandle object>", map[string]Value{
		"remove": boundTo("remove", func(*machine, arguments) Value { remove(); return none })}}
}

// tensorNames lists the attributes of tensors, for suggestions.
func tensorNames(m *machine) []string {
	return append(m.tensors.Operations.Names(tensor.InMethod), tensor.AttributeNames()...)
}

// indexItems converts the inside of t[…].
func indexItems(m *machine, index Value) []any {
	list, ok := index.(Tuple)
	if !ok {
		list = Tuple{index}
	}
	out := make([]any, len(list))
	for i, v := range list {
		switch v := v.(type) {
		case Slice:
			out[i] = tensor.Slice{Start: sliceBound(v.Start), Stop: sliceBound(v.Stop), Step: sliceBound(v.Step)}
		case Ellipsis:
			out[i] = tensor.Ellipsis{}
		case Range, Tuple:
			out[i] = m.toTensorArguments(m.itemsOf(v))
		default:
			out[i] = m.toTensorArgument(v)
		}
	}
	return out
}

func sliceBound(v Value) *int {
	if v == none {
		return nil
	}
	n := int(max(min(asIndex(v), 1<<40), -1<<40))
	return &n
}

// tensorNumpy is t.numpy(): an array of the same storage.
func tensorNumpy(m *machine, a arguments) Value {
	t := self[Tensor](a)
	if m.truthOf(a.positional[1]) {
		t = m.tensorMethod(m.tensorMethod(t, "detach").(Tensor), "cpu").(Tensor)
	}
	switch {
	case t.Device() != tensor.CPU:
		raise("TypeError", "can't convert %s device type tensor to numpy. "+
			"Use Tensor.cpu() to copy the tensor to host memory first.", t.Device())
	case t.RequiresGrad():
		raise("RuntimeError", "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.")
	case t.DType() == num.BFloat16 || t.DType().IsFP8():
		raise("TypeError", "Got unsupported ScalarType %s", tensor.ScalarType(t.DType()))
	case t.IsComplex():
		lack("NotImplementedError", "arrays of complex numbers", nil)
	}
	array := m.attrOf(m.modules.mustModule("numpy"), "ndarray")
	return m.callValue(array, arguments{positional: []Value{t}})
}

// fromNumpy is torch.from_numpy(array): a tensor of the same storage.
func fromNumpy(m *machine, a arguments) Value {
	if o, ok := a.positional[0].(*Instance); ok {
		if t, ok := o.attrs.named("_tensor"); ok {
			return t
		}
		if kind, ok := o.attrs.named("_kind"); ok {
			of := "object_"
			if kind != python.Str("object") {
				of = "str_"
			}
			raise("TypeError", "can't convert np.ndarray of type numpy.%s. The only supported types are: float64, "+
				"float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, "+
				"uint16, uint8, and bool.", of)
		}
	}
	raise("TypeError", "expected np.ndarray (got %s)", a.positional[0].Type())
	return nil
}

// fromFile is torch.from_file(filename, shared, size): a tensor of the first elements in a file. Files are read, and
// never changed.
func fromFile(m *machine, a arguments) Value {
	v := a.positional
	name := m.strOf(v[0])
	d, isDType := given(v[3], DType(num.Float32)).(DType)
	size := asIndex(v[2])
	switch shared := v[1]; {
	case shared != none && m.truthOf(shared):
		lack("NotImplementedError", "torch.from_file with shared=True", nil)
	case !isDType:
		raise("TypeError", "from_file(): argument 'dtype' must be torch.dtype, not %s", v[3].Type())
	}
	data, ok := m.files.readBytes(name) // tensors have a budget of their own
	if !ok {
		raise("RuntimeError", "unable to open file <%s> in read-only mode: No such file or directory (2)", name)
	}
	bytes := int64(num.DType(d).Info().Bytes)
	switch {
	case size < 0:
		raise("RuntimeError", "unable to mmap %d bytes from file <%s>: Cannot allocate memory (12)", size*bytes, name)
	case size > int64(len(data))/bytes:
		raise("RuntimeError", "file <%s> size <%d> is smaller than the required mapping size <%d>", name, len(data),
			size*bytes)
	}
	t, err := m.tensors.FromBytes(num.DType(d), []int{int(size)}, data[:size*bytes])
	check(err)
	return Tensor{t}
}
