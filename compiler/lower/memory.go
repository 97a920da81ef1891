package lower

import (
	"cmp"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/syntax"
	"github.com/newtlab/newt/compiler/triton"
	"github.com/newtlab/newt/compiler/types"
)

// pointerArg is the pointer of a memory access.
func (c *call) pointerArg() *ir.Value {
	a := c.arg("pointer")
	t, ok := a.val.(tensor)
	if !ok || !t.v.Type.Pointer {
		shown := kindText(a.val)
		if ok && t.v.Type.IsScalar() {
			shown = "triton.language." + shown
		}
		d := diag.New("not-a-pointer", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr), kindText(a.val), shown)
		c.suggestExchange(d, a.expr, func(v *ir.Value) bool { return v.Type.Pointer })
		c.fail(d)
	}
	return t.v
}

// maskArg is the mask of a memory access; nil if every lane takes part. It must be int1 and fit
// the pointer's shape.
func (c *call) maskArg(ptr *ir.Value) *ir.Value {
	a := c.arg("mask")
	// mask=True is no mask: the load is unconditional.
	if !c.isGiven("mask") || a.val == value(pyTrue) {
		return nil
	}
	v := c.tensorOf(a)
	if v.Type.Pointer || v.Type.DType != num.Int1 {
		said := parsingFailed
		if !strings.HasPrefix(c.row.Name, "atomic_") || c.has(triton.BooleanMask) {
			said = "Mask must have boolean scalar type"
		}
		d := diag.New("mask-not-bool", c.spanOf(a.expr), c.row.Path(), c.sourceText(a.expr), typeText(v.Type), said)
		if v.Type.IsInt() {
			d.Suggest(false, diag.Text{Key: "fix-compare-zero"}, wrapEdits(c.spanOf(a.expr), a.expr, " != 0")...)
		}
		c.suggestExchange(d, a.expr, func(v *ir.Value) bool { return !v.Type.Pointer && v.Type.DType == num.Int1 })
		c.fail(d)
	}
	c.checkScalarAccess(ptr, v, "mask", a.expr)
	return v
}

// fittedMask is the mask of an access, repeated over the pointer's shape; nil if every lane takes part.
func (c *call) fittedMask(ptr *ir.Value) *ir.Value {
	mask := c.maskArg(ptr)
	if mask == nil {
		return nil
	}
	return c.fitToPointer(ptr, mask, "mask", c.arg("mask").expr)
}

// suggestExchange asks of a mask or a pointer that is none whether it was exchanged with a value that could be one.
func (c *call) suggestExchange(d *diag.Diagnostic, found syntax.Expr, could func(*ir.Value) bool) {
	value := c.arg("value")
	t, ok := value.val.(tensor)
	if !ok || !could(t.v) {
		return
	}
	from, to := c.spanOf(value.expr), c.spanOf(found)
	if from == to { // both are of one call into the prelude
		return
	}
	d.Primary.Text = diag.Text{Key: "exchanged-with", Args: []any{c.sourceText(value.expr)}}
	d.Suggest(false, diag.Text{Key: "fix-exchange", Args: []any{c.sourceText(value.expr), c.sourceText(found)}},
		diag.Edit{Span: from, New: c.userFile().Slice(to)}, diag.Edit{Span: to, New: c.userFile().Slice(from)})
}

// lowerLoad lowers tl.load.
func lowerLoad(c *call) value {
	if d, ok := c.value("pointer").(descriptor); ok && d.blockPointer {
		return c.lowerBlockLoad(d)
	}
	ptr := c.pointerArg()
	c.refuseBlockArguments()
	mask := c.maskArg(ptr)
	at := c.node.Span()
	// What a masked-out lane gets cannot be said without a mask.
	if c.isGiven("other") && !c.isGiven("mask") {
		c.fail(diag.New("other-without-mask", c.spanOf(c.arg("other").expr)))
		return poison{}
	}
	other := c.otherArg(ptr)
	// A load broadcasts pointer, mask and other against each other; a store never broadcasts its pointer.
	for _, v := range []struct {
		val  *ir.Value
		name string
	}{{mask, "mask"}, {other, "other"}} {
		if v.val == nil {
			continue
		}
		ptr = c.b.broadcast(at, ptr, c.shapeWithPointer(ptr, v.val, v.name, c.arg(v.name).expr))
	}
	operands := []*ir.Value{ptr}
	if mask != nil {
		operands = append(operands, c.b.broadcast(at, mask, ptr.Type.Shape))
		if other != nil {
			operands = append(operands, c.b.broadcast(at, other, ptr.Type.Shape))
		}
	}
	return tensor{c.b.emit(at, ops.Load, operands, c.memoryAttributes(c.loadModifiers())...)}
}

// checkScalarAccess reports a tile as an argument of an access through a scalar pointer. Triton: "Mask
// argument cannot be block type if pointer argument is not a block".
func (c *call) checkScalarAccess(ptr, v *ir.Value, name string, e syntax.Expr) {
	if ptr.Type.IsScalar() && !v.Type.IsScalar() {
		said := ""
		switch {
		case c.row.Name != "load" && c.row.Name != "store" && !c.has(triton.BooleanMask):
			said = parsingFailed
		case c.row.Name == "load" || c.row.Name == "store":
			said = strings.ToUpper(name[:1]) + name[1:] +
				" argument cannot be block type if pointer argument is not a block"
		}
		d := diag.New("block-with-scalar-pointer", c.spanOf(e), c.row.Path(), name, c.sourceText(e), typeText(v.Type),
			said)
		c.fail(c.noteShapes(d, ptr, v, e))
	}
}

// otherArg reads other, the value of masked-off lanes, as the pointer's element type; nil if not given.
func (c *call) otherArg(ptr *ir.Value) *ir.Value {
	if !c.isGiven("other") {
		return nil
	}
	a := c.arg("other")
	if v := c.constantOf(a, ptr.Type.DType, nil); v != nil {
		return v
	}
	v := c.tensorOf(a)
	c.checkScalarAccess(ptr, v, "other", a.expr)
	return c.castToMemory(v, ptr.Type.DType, a.expr)
}

// memoryDType is the dtype in which Triton accesses memory of d: int1 as int8, so that 0.5 and 256 are stored as False.
func memoryDType(d num.DType) num.DType {
	if d == num.Int1 {
		return num.Int8
	}
	return d
}

// constantOf is an argument that is a Python number as a tile of what memory of d holds: Triton makes a tensor of it
// first, and converts that. It is nil for any other.
func (c *call) constantOf(a argument, d num.DType, shape []int) *ir.Value {
	k, ok := a.val.(constant)
	if !ok {
		return nil
	}
	o, r := numberOf(k)
	if r != nil {
		return nil
	}
	c.must(c.isAllowed(types.Cast(types.Scalar(o.DType), memoryDType(d)), c.spanOf(a.expr)))
	n := o.Constant(memoryDType(d)).Cast(d)
	if shape == nil {
		return c.b.constant(a.expr.Span(), n)
	}
	return c.b.fill(a.expr.Span(), n, shape)
}

// castToMemory converts a value to what memory of d holds.
func (c *call) castToMemory(v *ir.Value, d num.DType, e syntax.Expr) *ir.Value {
	if !v.Type.Pointer && v.Type.DType != d {
		v = c.castChecked(v, memoryDType(d), e)
	}
	return c.castChecked(v, d, e)
}

// castChecked converts a value to a dtype where Triton's rules allow it.
func (c *call) castChecked(v *ir.Value, d num.DType, e syntax.Expr) *ir.Value {
	c.must(c.isAllowed(types.Cast(v.Type, d), c.spanOf(e)))
	if v.Type.Pointer {
		c.fail(diag.New("pointer-cast", c.spanOf(e), c.sourceText(e), d.Info().Name))
	}
	return c.b.cast(e.Span(), v, d)
}

// What the hints of loads and stores may say.
var (
	loadModifiers  = []string{"", ".ca", ".cg", ".cv", ".cs"}
	storeModifiers = []string{"", ".wb", ".cg", ".cs", ".wt"}
)

// loadModifiers are those of the version of Triton: the last one is new.
func (c *call) loadModifiers() []string {
	if c.has(triton.LoadStreaming) {
		return loadModifiers
	}
	return loadModifiers[:len(loadModifiers)-1]
}

// memoryAttributes reads the hints of a load or store, of which modifiers are the cache modifiers. ptxas refuses two of
// them together, as Triton writes them to one instruction, but for .cv, which is itself volatile to it.
func (c *call) memoryAttributes(modifiers []string) (attrs []ir.Attr) {
	var exclusive []string
	cache := c.choice("cache_modifier", modifiers...)
	if cache != "" {
		attrs = append(attrs, ir.Attr{Name: "cache", Value: cache[1:]})
	}
	if cache != "" && cache != ".cv" {
		exclusive = append(exclusive, "cache_modifier")
	}
	if evict := c.choice("eviction_policy", "", "evict_first", "evict_last"); evict != "" {
		attrs = append(attrs, ir.Attr{Name: "eviction", Value: evict})
		exclusive = append(exclusive, "eviction_policy")
	}
	if c.isTrue("volatile") {
		attrs = append(attrs, ir.Attr{Name: "volatile", Value: true})
		exclusive = append(exclusive, "volatile")
	}
	if len(exclusive) > 1 {
		c.warnSuperset(diag.New("access-modifiers", c.spanOf(c.node), c.row.Path(), exclusive[0], exclusive[1]))
	}
	return attrs
}

// refuseBlockArguments reports what only block pointers have a use for.
func (c *call) refuseBlockArguments() {
	for _, name := range []string{"boundary_check", "padding_option"} {
		p, known := toPython(c.value(name))
		if c.isGiven(name) && !(known && !python.Truth(p)) {
			said := "`padding_option` or `boundary_check` argument is not supported for loading a tensor ofpointers " +
				"or loading a scalar."
			if c.row.Name == "store" {
				said = "`boundary_check` argument is not supported for storing a tensor of pointers or storing a " +
					"scalar."
			}
			said += " Because the compiler does not know the boundary; please use block pointers (defined by " +
				"`make_block_ptr`) instead"
			c.fail(diag.New("block-pointer-argument", c.spanOf(c.arg(name).expr), name, said))
		}
	}
}

// lowerStore lowers tl.store.
func lowerStore(c *call) value {
	if d, ok := c.value("pointer").(descriptor); ok && d.blockPointer {
		return c.lowerBlockStore(d)
	}
	ptr := c.pointerArg()
	c.refuseBlockArguments()
	operands := []*ir.Value{ptr, c.storedValue(ptr, c.arg("value")), c.fittedMask(ptr)}
	c.b.emitVoid(c.node.Span(), ops.Store, operands, c.memoryAttributes(storeModifiers)...)
	return pyNone
}

// storedValue is the value of a store or atomic, converted to what the pointer points at and shaped
// like the pointer.
func (c *call) storedValue(ptr *ir.Value, a argument) *ir.Value {
	if v := c.constantOf(a, ptr.Type.DType, ptr.Type.Shape); v != nil {
		return v
	}
	v := c.tensorOf(a)
	c.checkScalarAccess(ptr, v, "value", a.expr)
	if v.Type.Pointer {
		c.fail(c.explainStoredAddress(a))
	}
	return c.fitToPointer(ptr, c.castToMemory(v, ptr.Type.DType, a.expr), "value", a.expr)
}

// explainStoredAddress reports addresses where the values that lie there are meant, and offers to load
// them with the mask of the store.
func (c *call) explainStoredAddress(a argument) *diag.Diagnostic {
	end := ")"
	if mask := c.arg("mask"); c.isGiven("mask") {
		end = ", mask=" + c.userFile().Slice(c.spanOf(mask.expr)) + ")"
	}
	at := c.spanOf(a.expr)
	return diag.New("address-stored", at, c.row.Path(), c.sourceText(a.expr)).
		Suggest(false, diag.Text{Key: "fix-load"},
			diag.Edit{Span: source.Span{Start: at.Start, End: at.Start}, New: "tl.load("},
			diag.Edit{Span: source.Span{Start: at.End, End: at.End}, New: end})
}

// fitToPointer broadcasts an argument to the pointer's shape; the pointer itself is not broadcast.
func (c *call) fitToPointer(ptr, v *ir.Value, name string, e syntax.Expr) *ir.Value {
	shape := c.shapeWithPointer(ptr, v, name, e)
	if !slices.Equal(shape, ptr.Type.Shape) {
		p := c.arg("pointer")
		said := "Expected pointer argument to have shape " + types.ShapeString(shape) + " but got " +
			types.ShapeString(ptr.Type.Shape)
		if strings.HasPrefix(c.row.Name, "atomic_") {
			said = "Expected pointer argument to have shape …"
			if !c.has(triton.BooleanMask) {
				said = broadcastSaid(v.Type.Shape, ptr.Type.Shape, printedShape(ptr.Type.Shape))
			}
		}
		c.fail(c.noteShapes(diag.New("store-pointer-shape", c.spanOf(p.expr), types.ShapeString(ptr.Type.Shape), name,
			types.ShapeString(shape), said), ptr, v, e))
	}
	return c.b.broadcast(e.Span(), v, shape)
}

// shapeWithPointer is the common shape of the pointer and another argument.
func (c *call) shapeWithPointer(ptr, v *ir.Value, name string, e syntax.Expr) []int {
	shape, r := types.BroadcastShapes(ptr.Type.Shape, v.Type.Shape)
	if r != nil {
		c.fail(c.noteShapes(diag.New("mask-shape", c.spanOf(e), name, types.ShapeString(v.Type.Shape),
			types.ShapeString(ptr.Type.Shape), r.Triton), ptr, v, e))
	}
	return shape
}

// The memory orders of atomic operations, Triton's default first.
var (
	updateOrders = []string{"acq_rel", "relaxed", "acquire", "release"}
	loadOrders   = []string{"acquire", "relaxed"}
	storeOrders  = []string{"release", "relaxed"}
)

// atomicAttributes are how an atomic is ordered, and for whom: Triton's defaults are spelled out in the IR.
func (c *call) atomicAttributes(orders []string) []ir.Attr {
	sem := c.choice("sem", orders...)
	scope := c.choice("scope", "gpu", "cta", "sys")
	return []ir.Attr{{Name: "sem", Value: cmp.Or(sem, orders[0])}, {Name: "scope", Value: cmp.Or(scope, "gpu")}}
}

// lowerAtomicRMW makes the special of tl.atomic_<rmw>.
func lowerAtomicRMW(rmw string) special {
	return func(c *call) value {
		ptr := c.pointerArg()
		t := types.Scalar(ptr.Type.DType)
		bits := t.DType.Info().Bits
		// Triton: integers of 32 bits and more, fp16 and bf16 for add alone, bitwise ones on integers alone.
		bitwise := rmw == "and" || rmw == "or" || rmw == "xor"
		if t.IsInt() && bits < 32 || t.IsFloat() && (bits < 16 || bits == 16 && rmw != "add") || bitwise &&
			t.IsFloat() {
			said := "atomic_" + rmw + " does not support " + t.DType.Info().Name
			if bitwise && t.IsFloat() {
				said = ""
			}
			return c.fail(diag.New("atomic-dtype", c.spanOf(c.node), c.row.Path(), t.DType.Info().Name, said))
		}
		operands := []*ir.Value{ptr, c.storedValue(ptr, c.arg("val")), c.fittedMask(ptr)}
		return tensor{c.b.emit(c.node.Span(), ops.AtomicRMW, operands,
			append(c.atomicAttributes(updateOrders), ir.Attr{Name: "rmw", Value: rmw})...)}
	}
}

// lowerAtomicCAS lowers tl.atomic_cas.
func lowerAtomicCAS(c *call) value {
	ptr := c.pointerArg()
	if bits := ptr.Type.DType.Info().Bits; bits < 16 {
		return c.fail(diag.New("atomic-dtype", c.spanOf(c.node), c.row.Path(), ptr.Type.DType.Info().Name, ""))
	}
	operands := []*ir.Value{ptr, c.storedValue(ptr, c.arg("cmp")), c.storedValue(ptr, c.arg("val"))}
	return tensor{c.b.emit(c.node.Span(), ops.AtomicCAS, operands, c.atomicAttributes(updateOrders)...)}
}

// lowerAtomicLoad lowers tl.atomic_load.
func lowerAtomicLoad(c *call) value {
	ptr := c.movedPointer()
	operands := []*ir.Value{ptr, c.fittedMask(ptr)}
	return tensor{c.b.emit(c.node.Span(), ops.AtomicLoad, operands, c.atomicAttributes(loadOrders)...)}
}

// lowerAtomicStore lowers tl.atomic_store.
func lowerAtomicStore(c *call) value {
	ptr := c.movedPointer()
	operands := []*ir.Value{ptr, c.storedValue(ptr, c.arg("val")), c.fittedMask(ptr)}
	c.b.emitVoid(c.node.Span(), ops.AtomicStore, operands, c.atomicAttributes(storeOrders)...)
	return pyNone
}

// movedPointer is the pointer of an atomic load or store, to elements of whole bytes.
func (c *call) movedPointer() *ir.Value {
	ptr := c.pointerArg()
	if d := ptr.Type.DType.Info(); d.Bits < 8 {
		c.fail(diag.New("atomic-dtype", c.spanOf(c.node), c.row.Path(), d.Name, ""))
	}
	return ptr
}
