package tensor

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Where says under which names torch offers an operation.
type Where uint8

// The places: torch.name, tensor.name, torch.nn.functional.name.
const (
	InTorch Where = 1 << iota
	InMethod
	InFunctional
	InInit     // torch.nn.init.name
	InAutograd // torch.autograd.name
	InLinalg   // torch.linalg.name
)

// Op is one row of the table: a function of torch's.
type Op struct {
	Name      string
	Where     Where
	Signature string // parameters in Python's notation; see parseSignature
	called    string // what messages call it, if not by its name
	run       func(c *Context, a args) any
	params    []param
	grad      func(a args) string // the graph's name for the result, where run composes it from others
	method    bool                // it is called on its first argument
	mixes     bool                // its tensors may lie on several devices; the result is on the first one's
	device    int                 // the parameter that names a device, or -1
}

// path is the operation's name with the place where torch has it first.
func (op *Op) path() string {
	if op.method {
		return "Tensor." + op.Name
	}
	for _, place := range []struct {
		where  Where
		prefix string
	}{
		{InTorch, "torch."}, {InMethod, "Tensor."}, {InFunctional, "torch.nn.functional."}, {InInit, "torch.nn.init."},
		{InLinalg, "torch.linalg."},
	} {
		if op.Where&place.where != 0 {
			return place.prefix + op.Name
		}
	}
	return "torch.autograd." + op.Name
}

// title is what messages call the operation.
func (op *Op) title() string { return cmp.Or(op.called, op.Name) }

// gradNamed is a fixed name for the graph.
func gradNamed(name string) func(args) string { return func(args) string { return name } }

// gradByDim is the name of a reduction: torch numbers the form with a dimension 1, that of
// everything 0.
func gradByDim(name string) func(args) string {
	return func(a args) string {
		if a.has(1) {
			return name + "Backward1"
		}
		return name + "Backward0"
	}
}

// rename puts the graph's name on fresh results.
func rename(result any, name string) {
	switch v := result.(type) {
	case *Tensor:
		if v.node != nil && v.node.leaf == nil {
			v.node.name = name
		}
	case []*Tensor:
		for _, t := range v {
			rename(t, name)
		}
	case Named:
		rename(v.Values, name)
	}
}

// Size is a shape as Python sees it: torch.Size.
type Size []int

// Named is one of torch.return_types: a tuple whose items have names.
type Named struct {
	Type   string // "max"
	Names  []string
	Values []*Tensor
}

// Operations are a set of operations by place and name. There are two, so that a program which only runs the specs of
// puzzles does not link what documents use.
type Operations struct {
	rows  func() []Op
	once  sync.Once // makes the table when something is first looked up
	table map[Where]map[string]*Op
}

func (o *Operations) names(where Where) map[string]*Op {
	o.once.Do(func() { o.table = tableOf(o.rows()) })
	return o.table[where]
}

// CoreOperations are those that the specs of puzzles use: elementwise ones, views, reductions, products and random
// numbers.
func CoreOperations() *Operations { return &coreOperations }

var coreOperations = Operations{rows: coreRows}

// AllOperations are all operations.
func AllOperations() *Operations { return &allOperations }

var allOperations = Operations{rows: allRows}

func allRows() []Op {
	return slices.Concat(coreRows(), nnOps(), activationOps(), lossOps(), normOps(), convOps(), statisticOps(),
		productOps(), arrangementOps(), linalgOps(), imageOps(), samplerOps(), complexOps())
}

func coreRows() []Op {
	return slices.Concat(creationOps, randomOps, unaryRows(), binaryRows(), elementOps, viewOps, joinOps, indexOps,
		reduceOps, orderOps, matmulOps, convertOps, gradOps)
}

func tableOf(rows []Op) map[Where]map[string]*Op {
	t := map[Where]map[string]*Op{InTorch: {}, InMethod: {}, InFunctional: {}, InInit: {}, InAutograd: {}, InLinalg: {}}
	for i := range rows {
		op := &rows[i]
		op.params = parseSignature(op.Signature)
		op.device = slices.IndexFunc(op.params, func(p param) bool { return p.kind == "device" })
		for where, names := range t {
			if op.Where&where != 0 {
				row := *op
				row.method = where == InMethod
				names[op.Name] = &row
			}
		}
	}
	for _, names := range t {
		addAliases(names)
	}
	return t
}

// aliases maps torch's second names to the first.
var aliases = map[string]string{
	"absolute": "abs", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div",
	"greater": "gt", "greater_equal": "ge", "less": "lt", "less_equal": "le", "not_equal": "ne",
	"clip": "clamp", "concat": "cat", "concatenate": "cat", "swapaxes": "transpose",
	"swapdims": "transpose", "negative": "neg", "arccos": "acos", "arcsin": "asin", "arctan": "atan",
	"fix": "trunc", "moveaxis": "movedim", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
	"arctan2": "atan2", "sgn": "sign", "row_stack": "vstack", "ger": "outer",
}

func addAliases(names map[string]*Op) {
	for alias, name := range aliases {
		if op, ok := names[name]; ok {
			names[alias] = op
		}
	}
}

// Lookup finds an operation by its place and name. A method name ending in "_" that has no row of
// its own is the in-place form of the row without it.
func (o *Operations) Lookup(where Where, name string) (*Op, bool) {
	if op, ok := o.names(where)[name]; ok {
		return op, true
	}
	if plain, ok := strings.CutSuffix(name, "_"); ok {
		op, ok := o.names(where)[plain]
		if ok && inPlaceForms[plain]&where != 0 {
			written := *op
			written.Name, written.Where, written.run = name, where, inPlaceRun(op)
			written.grad, written.mixes, written.device = nil, false, -1
			return &written, true
		}
	}
	return nil, false
}

// Names lists the operations of a place, sorted; those in place of torch and torch.nn.functional follow. There are too
// many of tensors, which have one for nearly each operation.
func (o *Operations) Names(where Where) []string {
	rows, forms := o.names(where), []string{}
	for name, places := range inPlaceForms {
		if rows[name] != nil && rows[name+"_"] == nil && places&where&^InMethod != 0 {
			forms = append(forms, name+"_")
		}
	}
	slices.Sort(forms)
	return append(sortedKeys(rows), forms...)
}

// Call runs op on Python values: *Tensor, bool, int64, float64, string, num.DType, Device, Size,
// *Generator, []any for lists and tuples, nil for None. The result is one of these, a []*Tensor or
// a Named. A failure is an *Error.
func (c *Context) Call(op *Op, positional []any, keywords map[string]any) (result any, err error) {
	defer guard(&err)
	// out is no parameter of the rows: any result can be written to a tensor.
	if into, ok := keywords["out"].(*Tensor); ok && op.Where&InTorch != 0 {
		rest := maps.Clone(keywords)
		delete(rest, "out")
		return c.callInto(into, op, positional, rest)
	}
	a := bind(op, positional, keywords)
	op.refuseComplex(a)
	defer c.placeOn(c.place(op, a))()
	c.autocast(op, a)
	if c.Trace != nil {
		c.Trace.calls = append(c.Trace.calls, traced{len(c.Trace.writes), op, a})
	}
	result = op.run(c, a)
	if op.grad != nil {
		rename(result, op.grad(a))
	}
	if c.Called != nil {
		c.Called(op.Name, tensorsIn([]any(a)), tensorsIn(result))
	}
	return result, nil
}

// tensorsIn lists the tensors in an argument of a call, or in its result.
func tensorsIn(v any) (list []*Tensor) {
	switch v := v.(type) {
	case *Tensor:
		if v != nil {
			list = []*Tensor{v}
		}
	case []*Tensor:
		list = v
	case operand:
		if !v.number {
			list = []*Tensor{v.Tensor}
		}
	case Named:
		list = v.Values
	case []any:
		for _, x := range v {
			list = append(list, tensorsIn(x)...)
		}
	case Several:
		return tensorsIn([]any(v))
	}
	return list
}

// callInto runs op and writes its result to a tensor, which takes the result's shape.
func (c *Context) callInto(out *Tensor, op *Op, positional []any, keywords map[string]any) (any, error) {
	enabled := c.GradEnabled
	c.GradEnabled = false
	result, err := c.Call(op, positional, keywords)
	c.GradEnabled = enabled
	t, ok := result.(*Tensor)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		lack("TypeError", "%s(…, out=)", op.path())
	case category(t.dtype) > category(out.dtype):
		runtimeError("result type %s can't be cast to the desired output type %s",
			legacyNames[t.dtype], legacyNames[out.dtype])
	}
	defer c.placeOn(out.storage.cuda)()
	if !equalShapes(out.shape, t.shape) {
		fresh := toDevice(c, t, out.storage.cuda, out.dtype)
		out.layout, out.storage = contiguous(t.shape), clone(c, fresh).storage
		return out, nil
	}
	out.copyFrom(t)
	out.storage.writes++
	return out, nil
}

// inPlaceForms are the operations with a form that writes to its first argument, its name followed by "_", and where.
var inPlaceForms = func() map[string]Where {
	m := map[string]Where{}
	add := func(where Where, names iter.Seq[string]) {
		for name := range names {
			m[name] |= where
		}
	}
	add(InMethod, maps.Keys(unaryNamed))
	add(InMethod, maps.Keys(binaryNamed))
	add(InMethod, strings.FieldsSeq(`addcdiv addcmul addmm baddbmm bitwise_not clamp clamp_max clamp_min cumprod cumsum
		index_add index_copy index_fill index_put lerp masked_fill masked_scatter nan_to_num relu round scatter scatter_add
		scatter_reduce tril triu`))
	add(InTorch, strings.FieldsSeq(`abs acos acosh asin asinh atan atanh ceil clamp clamp_max clamp_min cos cosh
		deg2rad erf erfc exp exp2 expm1 floor frac gcd lcm ldexp log log10 log1p log2 logit nan_to_num neg rad2deg
		reciprocal relu round rsqrt sigmoid sin sinh sqrt square tan tanh trunc xlogy`))
	add(InFunctional, strings.FieldsSeq("celu elu hardtanh leaky_relu relu selu threshold"))
	for alias, name := range aliases {
		m[alias] |= m[name]
	}
	return m
}()

func inPlaceRun(op *Op) func(c *Context, a args) any {
	return func(c *Context, a args) any {
		t := a.tensor(0)
		if number, ok := a[0].(operand); ok && number.number { // which the row takes out of place
			typeError("%s(): argument 'input' (position 1) must be Tensor, not %s", op.Name+"_",
				[]string{"bool", "int", "float", "complex"}[category(number.dtype)])
		}
		c.checkInPlace(t)
		return c.writeInPlace(t, op.run(c, a).(*Tensor))
	}
}
