package lower

import (
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/types"
)

// pointerArg is the pointer of a memory access.
func (c *call) pointerArg() (*ir.Value, bool) {
	l := c.l
	a := c.arg("pointer")
	t, ok := a.val.(tensor)
	if ok && t.v.Type.Pointer {
		return t.v, true
	}
	if !isPoison(a.val) {
		d := diag.New("not-a-pointer", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr), kindText(a.val))
		c.suggestExchange(d, a.expr, func(v *ir.Value) bool { return v.Type.Pointer })
		l.fail(d)
	}
	return nil, false
}

// maskArg is the mask of a memory access; nil if every lane takes part. It must be int1 and fit
// the pointer's shape.
func (c *call) maskArg(ptr *ir.Value) (mask *ir.Value, ok bool) {
	l := c.l
	a := c.arg("mask")
	if !c.isGiven("mask") {
		return nil, true
	}
	// mask=True is no mask: the load is unconditional.
	if k, isConstant := a.val.(constant); isConstant && k == pyTrue {
		return nil, true
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if v.Type.Pointer || v.Type.DType != num.Int1 {
		d := diag.New("mask-not-bool", l.spanOf(a.expr), c.row.Path(), l.sourceText(a.expr), typeText(v.Type))
		if v.Type.IsInt() {
			d.Suggest(false, diag.Text{Key: "fix-compare-zero"}, wrapEdits(l.spanOf(a.expr), a.expr, " != 0")...)
		}
		c.suggestExchange(d, a.expr, func(v *ir.Value) bool { return !v.Type.Pointer && v.Type.DType == num.Int1 })
		l.fail(d)
		return nil, false
	}
	if !c.checkScalarAccess(ptr, v, "mask", a.expr) {
		return nil, false
	}
	return v, true
}

// suggestExchange asks of a mask or a pointer that is none whether it was exchanged with a value that could be one.
func (c *call) suggestExchange(d *diag.Diagnostic, found syntax.Expr, could func(*ir.Value) bool) {
	l := c.l
	value := c.arg("value")
	t, ok := value.val.(tensor)
	if !ok || !could(t.v) {
		return
	}
	from, to := l.spanOf(value.expr), l.spanOf(found)
	if from == to { // both are of one call into the prelude
		return
	}
	d.Primary.Text = diag.Text{Key: "exchanged-with", Args: []any{l.sourceText(value.expr)}}
	d.Suggest(false, diag.Text{Key: "fix-exchange", Args: []any{l.sourceText(value.expr), l.sourceText(found)}},
		diag.Edit{Span: from, New: l.userFile().Slice(to)}, diag.Edit{Span: to, New: l.userFile().Slice(from)})
}

// lowerLoad lowers tl.load.
func lowerLoad(l *lowerer, c *call) value {
	if d, ok := c.value("pointer").(descriptor); ok && d.blockPointer {
		return c.lowerBlockLoad(d)
	}
	ptr, ok := c.pointerArg()
	if !ok || !c.refuseBlockArguments() {
		return poison{}
	}
	mask, ok := c.maskArg(ptr)
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	// What a masked-out lane gets cannot be said without a mask.
	if c.isGiven("other") && !c.isGiven("mask") {
		l.fail(diag.New("other-without-mask", l.spanOf(c.arg("other").expr)))
		return poison{}
	}
	other, ok := c.otherArg(ptr)
	if !ok {
		return poison{}
	}
	// A load broadcasts pointer, mask and other against each other; a store never broadcasts its pointer.
	for _, v := range []struct {
		val  *ir.Value
		name string
	}{{mask, "mask"}, {other, "other"}} {
		if v.val == nil {
			continue
		}
		shape, r := types.BroadcastShapes(ptr.Type.Shape, v.val.Type.Shape)
		if r != nil {
			return l.fail(l.noteShapes(diag.New("mask-shape", l.spanOf(c.arg(v.name).expr), v.name,
				types.ShapeString(v.val.Type.Shape), types.ShapeString(ptr.Type.Shape), r.Triton), c, ptr, v.val,
				c.arg(v.name).expr))
		}
		ptr = l.b.broadcast(at, ptr, shape)
	}
	operands := []*ir.Value{ptr}
	if mask != nil {
		operands = append(operands, l.b.broadcast(at, mask, ptr.Type.Shape))
		if other != nil {
			operands = append(operands, l.b.broadcast(at, other, ptr.Type.Shape))
		}
	}
	attrs, ok := c.memoryAttributes(loadModifiers)
	if !ok {
		return poison{}
	}
	return tensor{l.b.emit(at, ops.Load, operands, attrs...)}
}

// checkScalarAccess reports a tile as an argument of an access through a scalar pointer. Triton: "Mask
// argument cannot be block type if pointer argument is not a block".
func (c *call) checkScalarAccess(ptr, v *ir.Value, name string, e syntax.Expr) bool {
	if !ptr.Type.IsScalar() || v.Type.IsScalar() {
		return true
	}
	l := c.l
	d := diag.New("block-with-scalar-pointer", l.spanOf(e), c.row.Path(), name, l.sourceText(e), typeText(v.Type))
	l.fail(l.noteShapes(d, c, ptr, v, e))
	return false
}

// otherArg reads other, the value of masked-off lanes, as the pointer's element type; nil if not given.
func (c *call) otherArg(ptr *ir.Value) (*ir.Value, bool) {
	l := c.l
	if !c.isGiven("other") {
		return nil, true
	}
	a := c.arg("other")
	if k, isConstant := a.val.(constant); isConstant {
		o, r := numberOf(k)
		if r == nil {
			return l.constantOf(o, ptr.Type.DType, nil, a.expr)
		}
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if !c.checkScalarAccess(ptr, v, "other", a.expr) {
		return nil, false
	}
	return l.castToMemory(v, ptr.Type.DType, a.expr)
}

// memoryDType is the dtype in which Triton accesses memory of d: int1 as int8, so that 0.5 and 256 are stored as False.
func memoryDType(d num.DType) num.DType {
	if d == num.Int1 {
		return num.Int8
	}
	return d
}

// constantOf is a Python number as a tile of what memory of d holds: Triton makes a tensor of it first, and converts
// that.
func (l *lowerer) constantOf(o types.Operand, d num.DType, shape []int, e syntax.Expr) (*ir.Value, bool) {
	if !l.isAllowed(types.Cast(types.Scalar(o.DType), memoryDType(d)), l.spanOf(e)) {
		return nil, false
	}
	n := o.Constant(memoryDType(d)).Cast(d)
	if shape == nil {
		return l.b.constant(e.Span(), n), true
	}
	return l.b.fill(e.Span(), n, shape), true
}

// castToMemory converts a value to what memory of d holds.
func (l *lowerer) castToMemory(v *ir.Value, d num.DType, e syntax.Expr) (*ir.Value, bool) {
	if v.Type.Pointer || v.Type.DType == d {
		return l.castChecked(v, d, e)
	}
	v, ok := l.castChecked(v, memoryDType(d), e)
	if !ok {
		return nil, false
	}
	return l.castChecked(v, d, e)
}

// castChecked converts a value to a dtype where Triton's rules allow it.
func (l *lowerer) castChecked(v *ir.Value, d num.DType, e syntax.Expr) (*ir.Value, bool) {
	if !l.isAllowed(types.Cast(v.Type, d), l.spanOf(e)) {
		return nil, false
	}
	if v.Type.Pointer {
		l.fail(diag.New("pointer-cast", l.spanOf(e), l.sourceText(e), d.Info().Name))
		return nil, false
	}
	return l.b.cast(e.Span(), v, d), true
}

// What the hints of loads and stores may say.
var (
	loadModifiers  = []string{"", ".ca", ".cg", ".cs", ".cv"}
	storeModifiers = []string{"", ".wb", ".cg", ".cs", ".wt"}
	evictions      = []string{"", "evict_normal", "evict_first", "evict_last"}
)

// memoryAttributes reads the hints of a load or store, of which modifiers are the cache modifiers.
func (c *call) memoryAttributes(modifiers []string) ([]ir.Attr, bool) {
	var attrs []ir.Attr
	cache, ok1 := c.choiceArg("cache_modifier", modifiers)
	evict, ok2 := c.choiceArg("eviction_policy", evictions)
	if cache != "" {
		attrs = append(attrs, ir.Attr{Name: "cache", Value: cache[1:]})
	}
	if evict != "" && evict != "evict_normal" {
		attrs = append(attrs, ir.Attr{Name: "eviction", Value: evict})
	}
	if k, ok := c.value("volatile").(constant); ok && k == pyTrue {
		attrs = append(attrs, ir.Attr{Name: "volatile", Value: true})
	}
	return attrs, ok1 && ok2
}

// refuseBlockArguments reports what only block pointers have a use for.
func (c *call) refuseBlockArguments() bool {
	for _, name := range []string{"boundary_check", "padding_option"} {
		p, known := toPython(c.value(name))
		if c.isGiven(name) && !(known && !python.Truth(p)) {
			c.l.fail(diag.New("block-pointer-argument", c.l.spanOf(c.arg(name).expr), name))
			return false
		}
	}
	return true
}

// choiceArg is a string argument that must be one of a list.
func (c *call) choiceArg(name string, list []string) (string, bool) {
	l := c.l
	a := c.arg(name)
	if isNone(a.val) {
		return "", true
	}
	k, _ := a.val.(constant)
	s, ok := k.v.(python.Str)
	if ok && slices.Contains(list, string(s)) {
		return string(s), true
	}
	if !ok && l.underGuess() {
		return "", false // the guess was none for a text
	}
	quoted := make([]string, 0, len(list))
	for _, w := range list {
		if w != "" {
			quoted = append(quoted, "'"+w+"'")
		}
	}
	l.fail(diag.New("bad-choice", l.spanOf(a.expr), name, l.sourceText(a.expr), strings.Join(quoted, ", ")))
	return "", false
}

// lowerStore lowers tl.store.
func lowerStore(l *lowerer, c *call) value {
	if d, ok := c.value("pointer").(descriptor); ok && d.blockPointer {
		return c.lowerBlockStore(d)
	}
	ptr, ok := c.pointerArg()
	if !ok || !c.refuseBlockArguments() {
		return poison{}
	}
	a := c.arg("value")
	v, ok := c.storedValue(ptr, a)
	if !ok {
		return poison{}
	}
	mask, ok := c.maskArg(ptr)
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if mask != nil {
		if mask, ok = c.fitToPointer(ptr, mask, "mask", c.arg("mask").expr); !ok {
			return poison{}
		}
	}
	attrs, ok := c.memoryAttributes(storeModifiers)
	if !ok {
		return poison{}
	}
	l.b.emitVoid(at, ops.Store, []*ir.Value{ptr, v, mask}, attrs...)
	return pyNone
}

// storedValue is the value of a store or atomic, converted to what the pointer points at and shaped
// like the pointer.
func (c *call) storedValue(ptr *ir.Value, a argument) (*ir.Value, bool) {
	l := c.l
	if k, isConstant := a.val.(constant); isConstant {
		if o, r := numberOf(k); r == nil {
			return l.constantOf(o, ptr.Type.DType, ptr.Type.Shape, a.expr)
		}
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if !c.checkScalarAccess(ptr, v, "value", a.expr) {
		return nil, false
	}
	if v.Type.Pointer {
		l.fail(c.explainStoredAddress(a))
		return nil, false
	}
	if v, ok = l.castToMemory(v, ptr.Type.DType, a.expr); !ok {
		return nil, false
	}
	return c.fitToPointer(ptr, v, "value", a.expr)
}

// explainStoredAddress reports addresses where the values that lie there are meant, and offers to load
// them with the mask of the store.
func (c *call) explainStoredAddress(a argument) *diag.Diagnostic {
	l := c.l
	end := ")"
	if mask := c.arg("mask"); c.isGiven("mask") {
		end = ", mask=" + l.userFile().Slice(l.spanOf(mask.expr)) + ")"
	}
	at := l.spanOf(a.expr)
	return diag.New("address-stored", at, c.row.Path(), l.sourceText(a.expr)).
		Suggest(false, diag.Text{Key: "fix-load"},
			diag.Edit{Span: source.Span{Start: at.Start, End: at.Start}, New: "tl.load("},
			diag.Edit{Span: source.Span{Start: at.End, End: at.End}, New: end})
}

// fitToPointer broadcasts an argument to the pointer's shape; the pointer itself is not broadcast.
func (c *call) fitToPointer(ptr, v *ir.Value, name string, e syntax.Expr) (*ir.Value, bool) {
	l := c.l
	shape, r := types.BroadcastShapes(ptr.Type.Shape, v.Type.Shape)
	if r != nil {
		l.fail(l.noteShapes(diag.New("mask-shape", l.spanOf(e), name, types.ShapeString(v.Type.Shape),
			types.ShapeString(ptr.Type.Shape), r.Triton), c, ptr, v, e))
		return nil, false
	}
	if !slices.Equal(shape, ptr.Type.Shape) {
		p := c.arg("pointer")
		l.fail(l.noteShapes(diag.New("store-pointer-shape", l.spanOf(p.expr), types.ShapeString(ptr.Type.Shape), name,
			types.ShapeString(shape)), c, ptr, v, e))
		return nil, false
	}
	return l.b.broadcast(e.Span(), v, shape), true
}

// semantics and scopes of atomics.
var (
	semantics = []string{"acq_rel", "relaxed", "acquire", "release"}
	scopes    = []string{"gpu", "cta", "sys"}
)

func (c *call) atomicAttributes() ([]ir.Attr, bool) {
	sem, ok1 := c.choiceArg("sem", semantics)
	scope, ok2 := c.choiceArg("scope", scopes)
	// Triton's defaults, spelled out in the IR.
	if sem == "" {
		sem = semantics[0]
	}
	if scope == "" {
		scope = scopes[0]
	}
	return []ir.Attr{{Name: "sem", Value: sem}, {Name: "scope", Value: scope}}, ok1 && ok2
}

// lowerAtomicRMW makes the special of tl.atomic_<rmw>.
func lowerAtomicRMW(rmw string) special {
	return func(l *lowerer, c *call) value {
		ptr, ok := c.pointerArg()
		if !ok {
			return poison{}
		}
		t := types.Scalar(ptr.Type.DType)
		bits := t.DType.Info().Bits
		// Triton: integers of 32 bits and more, fp16 and bf16 for add alone, bitwise ones on integers alone.
		bitwise := rmw == "and" || rmw == "or" || rmw == "xor"
		if t.IsInt() && bits < 32 || t.IsFloat() && (bits < 16 || bits == 16 && rmw != "add") || bitwise &&
			t.IsFloat() {
			return l.fail(diag.New("atomic-dtype", l.spanOf(c.node), c.row.Path(), t.DType.Info().Name))
		}
		v, ok := c.storedValue(ptr, c.arg("val"))
		if !ok {
			return poison{}
		}
		mask, ok := c.maskArg(ptr)
		if ok && mask != nil {
			mask, ok = c.fitToPointer(ptr, mask, "mask", c.arg("mask").expr)
		}
		attrs, ok2 := c.atomicAttributes()
		if !ok || !ok2 {
			return poison{}
		}
		return tensor{l.b.emit(c.node.Span(), ops.AtomicRMW, []*ir.Value{ptr, v, mask},
			append(attrs, ir.Attr{Name: "rmw", Value: rmw})...)}
	}
}

// lowerAtomicCAS lowers tl.atomic_cas.
func lowerAtomicCAS(l *lowerer, c *call) value {
	ptr, ok := c.pointerArg()
	if !ok {
		return poison{}
	}
	if bits := ptr.Type.DType.Info().Bits; bits < 16 {
		return l.fail(diag.New("atomic-dtype", l.spanOf(c.node), c.row.Path(), ptr.Type.DType.Info().Name))
	}
	cmp, ok1 := c.storedValue(ptr, c.arg("cmp"))
	val, ok2 := c.storedValue(ptr, c.arg("val"))
	attrs, ok3 := c.atomicAttributes()
	if !ok1 || !ok2 || !ok3 {
		return poison{}
	}
	return tensor{l.b.emit(c.node.Span(), ops.AtomicCAS, []*ir.Value{ptr, cmp, val}, attrs...)}
}
