package propose

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/syntax"
)

// walker reads a kernel from top to bottom and notes how it addresses memory.
type walker struct {
	values   map[string]linear   // of variables; a variable without a value is not linear
	bounds   map[string]string   // by index: what a mask or a remainder keeps it below
	accesses []access            // in the order of the text
	shapes   map[string][]string // by pointer: the shape that a block pointer or a descriptor states
	strides  map[string][]string // likewise
	cdivs    map[string]cdiv     // by the text of a value
	dot      bool                // the kernel multiplies tiles
}

// access is a load, a store or an atomic.
type access struct {
	pointer string
	offsets linear // the terms with an index
	store   bool
	load    bool
}

func walkKernel(fn *syntax.FunctionDef) *walker {
	w := &walker{values: map[string]linear{}, bounds: map[string]string{}, shapes: map[string][]string{},
		strides: map[string][]string{}, cdivs: map[string]cdiv{}}
	for i := range fn.Params.List {
		w.values[fn.Params.List[i].Name] = symbol(fn.Params.List[i].Name)
	}
	w.walkBlock(fn.Body)
	w.splitRows()
	return w
}

// splitRows takes pid * B + arange(0, B) apart where pid is an index by itself elsewhere, or was loaded, and
// nothing bounds the whole: then B is the length of a row, and pid the row.
func (w *walker) splitRows() {
	rows := map[string]bool{}
	for _, a := range w.accesses {
		for _, t := range a.offsets {
			rows[t.index.key] = true
		}
	}
	for i := range w.accesses {
		var offsets linear
		for _, t := range w.accesses[i].offsets {
			if by := t.index.by; by != nil && (rows[by.key] || by.of != "") && w.bounds[t.index.key] == "" {
				offsets = append(offsets, t.split()...)
			} else {
				offsets = append(offsets, t)
			}
		}
		w.accesses[i].offsets = offsets
	}
}

func (w *walker) walkBlock(body []syntax.Stmt) {
	for _, s := range body {
		w.walkStmt(s)
	}
}

func (w *walker) walkStmt(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Assign:
		w.walkAssign(s.Targets[len(s.Targets)-1], s.Value)
	case *syntax.AnnAssign:
		if s.Value != nil {
			w.walkAssign(s.Target, s.Value)
		}
	case *syntax.AugAssign:
		w.augAssign(s)
	case *syntax.ExprStmt:
		w.evaluate(s.Value)
	case *syntax.If:
		w.evaluate(s.Test)
		w.walkBlock(s.Body)
		w.walkBlock(s.Else)
	case *syntax.While:
		w.evaluate(s.Test)
		w.walkBlock(s.Body)
	case *syntax.For:
		w.walkLoop(s)
	case *syntax.Return:
		if s.Value != nil {
			w.evaluate(s.Value)
		}
	}
}

func (w *walker) walkAssign(target, value syntax.Expr) {
	switch t := target.(type) {
	case *syntax.Name:
		w.assignName(t.ID, value)
	case *syntax.Tuple:
		if v, ok := value.(*syntax.Tuple); ok && len(v.Elts) == len(t.Elts) {
			for i := range t.Elts {
				w.walkAssign(t.Elts[i], v.Elts[i])
			}
			return
		}
		w.evaluate(value)
	}
}

func (w *walker) assignName(name string, value syntax.Expr) {
	if v, ok := w.evaluate(value); ok {
		w.values[name] = v.collapsed(name)
	} else {
		// A name that is not linear has no value; an old value would be wrong.
		delete(w.values, name)
	}
}

func (w *walker) augAssign(s *syntax.AugAssign) {
	name, ok := s.Target.(*syntax.Name)
	if !ok {
		return
	}
	w.assignName(name.ID, &syntax.BinOp{Op: s.Op, Left: name, Right: s.Value})
}

// walkLoop walks a body once, for any iteration. A pointer that the body advances by the same amount each
// time is, in any iteration, its start plus that amount times the iteration's number.
func (w *walker) walkLoop(s *syntax.For) {
	target, ok := s.Target.(*syntax.Name)
	l := w.rangeOf(s.Iter)
	if !ok || l == nil {
		w.walkBlock(s.Body)
		return
	}
	key := fmt.Sprintf("loop%d", s.Span().Start)
	w.values[target.ID] = ofIndex(&index{key: key, loop: l})
	// The pointer's value inside of the body is that of any iteration, so it is advanced before the body.
	var body []syntax.Stmt
	for _, inner := range s.Body {
		if !w.noteAdvance(inner, key, l) {
			body = append(body, inner)
		}
	}
	w.walkBlock(body)
}

// noteAdvance notes pointer += amount.
func (w *walker) noteAdvance(s syntax.Stmt, key string, l *loop) bool {
	aug, ok := s.(*syntax.AugAssign)
	if !ok || aug.Op != "+" {
		return false
	}
	name, ok := aug.Target.(*syntax.Name)
	if !ok {
		return false
	}
	start, known := w.values[name.ID]
	amount, linear := w.evaluate(aug.Value)
	if !known || !linear || !amount.uniform() || w.pointerOf(start) == "" {
		return false
	}
	iteration := &index{key: key + "#", loop: l, countsIterations: true}
	moved, ok := ofIndex(iteration).times(amount)
	if ok {
		moved, ok = start.plus(moved)
	}
	if ok {
		w.values[name.ID] = moved
	}
	return ok
}

// rangeOf reads range(stop), tl.range(start, stop) or (start, stop, step).
func (w *walker) rangeOf(e syntax.Expr) *loop {
	call, ok := e.(*syntax.Call)
	if !ok || !slices.Contains([]string{"range", "static_range"}, syntax.LastName(call.Func)) || len(call.Args) == 0 {
		return nil
	}
	l := &loop{step: "1"}
	stop := call.Args[min(1, len(call.Args)-1)]
	if v, ok := w.evaluate(stop); ok {
		l.stop, l.blocks = v.text(), w.cdivs[v.text()]
	}
	if len(call.Args) > 2 {
		if v, ok := w.evaluate(call.Args[2]); ok {
			l.step = v.text()
		}
	}
	return l
}

// evaluate evaluates an expression and notes the accesses and the comparisons in it.
func (w *walker) evaluate(e syntax.Expr) (linear, bool) {
	switch e := e.(type) {
	case *syntax.Name:
		v, ok := w.values[e.ID]
		return v, ok
	case *syntax.Constant:
		n, err := strconv.Atoi(e.Text)
		return constant(n), e.Kind == syntax.IntConst && err == nil
	case *syntax.BinOp:
		return w.evalBinary(e)
	case *syntax.Subscript: // x[:, None]
		return w.evaluate(e.Value)
	case *syntax.Call:
		return w.evalCall(e)
	case *syntax.Compare:
		w.noteComparison(e)
	case *syntax.UnaryOp:
		w.evaluate(e.Operand)
	case *syntax.BoolOp:
		for _, v := range e.Values {
			w.evaluate(v)
		}
	case *syntax.IfExp:
		w.evaluate(e.Test)
		w.evaluate(e.Body)
		w.evaluate(e.Else)
	}
	return nil, false
}

func (w *walker) evalBinary(e *syntax.BinOp) (linear, bool) {
	left, lok := w.evaluate(e.Left)
	right, rok := w.evaluate(e.Right)
	if !lok || !rok {
		return nil, false
	}
	switch e.Op {
	case "+":
		return left.plus(right)
	case "-":
		return left.plus(right.negated())
	case "*":
		return left.times(right)
	// x % n wraps an index: it stays the same index, below n.
	case "%":
		if len(left) == 1 && left[0].index != nil && left[0].index.block != "" && right.text() != "" {
			w.bounds[left[0].index.key] = right.text()
			return left, true
		}
	}
	return w.evalOpaque(e, left, right)
}

// evalOpaque is a value that is not linear but depends on the program alone, or on nothing.
func (w *walker) evalOpaque(e syntax.Expr, parts ...linear) (linear, bool) {
	var axes []int
	for _, p := range parts {
		a, ok := p.axes()
		if !ok {
			return nil, false
		}
		axes = append(axes, a...)
	}
	text := syntax.String(e)
	if len(text) > maxText {
		return nil, false
	}
	if len(axes) == 0 {
		return symbol("(" + text + ")"), true
	}
	slices.Sort(axes)
	return ofIndex(&index{key: text, axes: slices.Compact(axes), opaque: true}), true
}

// evalCall evaluates the calls that addresses are made of.
func (w *walker) evalCall(e *syntax.Call) (linear, bool) {
	args := make([]linear, len(e.Args))
	linear := true
	for i, a := range e.Args {
		v, ok := w.evaluate(a)
		args[i], linear = v, linear && ok
	}
	for _, k := range e.Keywords {
		w.evaluate(k.Value)
	}
	switch name := syntax.LastName(e.Func); name {
	case "program_id":
		axis := constant(0)
		if a := callArgument(e, 0, "axis"); a != nil {
			axis, _ = w.evaluate(a)
		}
		n, err := strconv.Atoi(axis.text())
		if axis.text() == "" {
			n, err = 0, nil
		}
		return ofIndex(&index{key: fmt.Sprintf("pid%d", n), axes: []int{n}}), err == nil
	case "arange":
		if len(args) != 2 || args[1].text() == "" {
			return nil, false
		}
		return ofIndex(&index{key: fmt.Sprintf("arange%d", e.Span().Start), block: args[1].text(), lanes: true}), true
	case "cdiv":
		if len(args) != 2 || args[0].text() == "" || args[1].text() == "" {
			return nil, false
		}
		text := fmt.Sprintf("triton.cdiv(%s, %s)", args[0].text(), args[1].text())
		if len(text) > maxText {
			return nil, false
		}
		w.cdivs[text] = cdiv{args[0].text(), args[1].text()}
		return symbol(text), true
	case "load", "store":
		return w.noteAccess(e, name)
	case "make_block_ptr", "make_tensor_descriptor":
		w.noteDescriptor(e)
		return nil, false
	case "dot":
		w.dot = true
		return nil, false
	case "multiple_of", "max_contiguous", "cast":
		if len(args) > 0 && args[0] != nil {
			return args[0], true
		}
		return nil, false
	case "to", "broadcast_to", "expand_dims":
		if method, ok := e.Func.(*syntax.Attribute); ok {
			if v, ok := w.evaluate(method.Value); ok {
				return v, true
			}
		}
		return nil, false
	default:
		if strings.HasPrefix(name, "atomic_") {
			return w.noteAccess(e, name)
		}
	}
	if linear && len(args) > 0 && len(e.Keywords) == 0 {
		return w.evalOpaque(e, args...)
	}
	return nil, false
}

// callArgument is the argument of a parameter, by position or by name; nil if there is none.
func callArgument(e *syntax.Call, at int, name string) syntax.Expr {
	for _, k := range e.Keywords {
		if k.Name == name {
			return k.Value
		}
	}
	if at < len(e.Args) {
		return e.Args[at]
	}
	return nil
}

// noteAccess notes a load, a store or an atomic. What it loads can be an index in its turn.
func (w *walker) noteAccess(e *syntax.Call, name string) (linear, bool) {
	address := callArgument(e, 0, "pointer")
	if address == nil {
		return nil, false
	}
	v, ok := w.evaluate(address)
	pointer := w.pointerOf(v)
	if !ok || pointer == "" {
		return nil, false
	}
	offsets := slices.DeleteFunc(slices.Clone(v), func(t term) bool { return t.index == nil })
	w.accesses = append(w.accesses,
		access{pointer: pointer, offsets: offsets, load: name == "load", store: name != "load"})
	return ofIndex(&index{key: fmt.Sprintf("loaded%d", e.Span().Start), of: pointer}), name == "load"
}

// pointerOf is the parameter that an address begins with.
func (w *walker) pointerOf(address linear) string {
	for _, t := range address {
		if t.index == nil && t.factor == 1 && len(t.scale) == 1 && isName(t.scale[0]) {
			return t.scale[0]
		}
	}
	return ""
}

func isName(text string) bool { return !strings.ContainsAny(text, "(. ") }

// noteDescriptor notes the shape and the strides that a block pointer or a descriptor states.
func (w *walker) noteDescriptor(e *syntax.Call) {
	base := callArgument(e, 0, "base")
	if base == nil {
		return
	}
	v, _ := w.evaluate(base)
	if pointer := w.pointerOf(v); pointer != "" {
		w.shapes[pointer] = w.evalTexts(callArgument(e, 1, "shape"))
		w.strides[pointer] = w.evalTexts(callArgument(e, 2, "strides"))
	}
}

// evalTexts are the elements of a tuple or a list of uniform values; nil if one of them is another.
func (w *walker) evalTexts(e syntax.Expr) []string {
	var elements []syntax.Expr
	switch e := e.(type) {
	case *syntax.Tuple:
		elements = e.Elts
	case *syntax.List:
		elements = e.Elts
	}
	var texts []string
	for _, element := range elements {
		v, ok := w.evaluate(element)
		if !ok || v.text() == "" {
			return nil
		}
		texts = append(texts, v.text())
	}
	return texts
}

// noteComparison notes index < limit, with everything on one side: k * B + arange(0, B) < K and
// arange(0, B) < K - k * B are the same bound.
func (w *walker) noteComparison(e *syntax.Compare) {
	left := e.Left
	for i, op := range e.Ops {
		right := e.Comparators[i]
		a, aok := w.evaluate(left)
		b, bok := w.evaluate(right)
		switch {
		case !aok || !bok:
		// Everything on one side: an index less its limits is negative.
		case op == "<":
			w.noteBound(a.plus(b.negated()))
		case op == ">":
			w.noteBound(b.plus(a.negated()))
		}
		left = right
	}
}

// noteBound notes that a difference is negative, if it is linear: one index less one limit.
func (w *walker) noteBound(difference linear, isLinear bool) {
	if !isLinear {
		return
	}
	var i *index
	var limits linear
	for _, t := range difference {
		switch {
		case t.index == nil:
			limits = append(limits, t)
		// With an index that has a factor, or two of them, the comparison bounds no single one.
		case i == nil && t.factor == 1 && len(t.scale) == 0:
			i = t.index
		default:
			return
		}
	}
	if text := limits.negated().text(); i != nil && text != "" {
		w.bounds[i.key] = text
	}
}
