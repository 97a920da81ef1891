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
func (l *lowerer) pointerArg(c *call) (*ir.Value, bool) {
	a := c.arg("pointer")
	t, ok := a.val.(tensor)
	if ok && t.v.Type.Pointer {
		return t.v, true
	}
	if !isPoison(a.val) {
		l.fail(diag.New("not-a-pointer", l.place(a.expr), c.row.Path(), l.text(a.expr), kindText(a.val)))
	}
	return nil, false
}

// maskArg is the mask of a memory access; nil where every lane takes part. It must be int1 and fit
// the pointer's shape.
func (l *lowerer) maskArg(c *call, ptr *ir.Value) (mask *ir.Value, ok bool) {
	a := c.arg("mask")
	if !c.has("mask") {
		return nil, true
	}
	if k, isConstant := a.val.(constant); isConstant && k == yes {
		return nil, true
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if v.Type.Pointer || v.Type.DType != num.Int1 {
		d := diag.New("mask-not-bool", l.place(a.expr), c.row.Path(), l.text(a.expr), typeText(v.Type))
		if v.Type.IsInt() {
			d.Suggest(false, diag.Text{Key: "fix-compare-zero"}, wrapEdits(l.place(a.expr), a.expr, " != 0")...)
		}
		l.fail(d)
		return nil, false
	}
	if ptr.Type.IsScalar() && !v.Type.IsScalar() {
		l.fail(l.shapesOf(diag.New("block-with-scalar-pointer", l.place(a.expr), c.row.Path(), "mask", l.text(a.expr), typeText(v.Type)), c, ptr, v, a.expr))
		return nil, false
	}
	return v, true
}

// shapesOf notes what gave the pointer and another argument their shapes.
func (l *lowerer) shapesOf(d *diag.Diagnostic, c *call, ptr, v *ir.Value, e syntax.Expr) *diag.Diagnostic {
	p := c.arg("pointer")
	l.becauseShape(d, tensor{ptr}, p.expr)
	l.becauseShape(d, tensor{v}, e)
	return d
}

// load lowers tl.load.
func (l *lowerer) load(c *call) value {
	ptr, ok := l.pointerArg(c)
	if !ok {
		return poison{}
	}
	mask, ok := l.maskArg(c, ptr)
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if c.has("other") && !c.has("mask") {
		l.fail(diag.New("other-without-mask", l.place(c.arg("other").expr)))
		return poison{}
	}
	other, ok := l.otherArg(c, ptr)
	if !ok {
		return poison{}
	}
	for _, v := range []struct {
		val  *ir.Value
		name string
	}{{mask, "mask"}, {other, "other"}} {
		if v.val == nil {
			continue
		}
		shape, r := types.BroadcastShapes(ptr.Type.Shape, v.val.Type.Shape)
		if r != nil {
			return l.fail(l.shapesOf(diag.New("mask-shape", l.place(c.arg(v.name).expr), v.name,
				types.ShapeString(v.val.Type.Shape), types.ShapeString(ptr.Type.Shape), r.Triton), c, ptr, v.val, c.arg(v.name).expr))
		}
		ptr = l.broadcastTo(at, ptr, shape)
	}
	operands := []*ir.Value{ptr}
	if mask != nil {
		operands = append(operands, l.broadcastTo(at, mask, ptr.Type.Shape))
		if other != nil {
			operands = append(operands, l.broadcastTo(at, other, ptr.Type.Shape))
		}
	}
	attrs, ok := l.memoryAttrs(c)
	if !ok {
		return poison{}
	}
	return tensor{l.emit(at, ops.Load, operands, attrs...)}
}

// otherArg is what lanes that are not read get.
func (l *lowerer) otherArg(c *call, ptr *ir.Value) (*ir.Value, bool) {
	if !c.has("other") {
		return nil, true
	}
	a := c.arg("other")
	if k, isConstant := a.val.(constant); isConstant {
		o, r := numberOf(k)
		if r == nil {
			return l.scalar(a.expr.Span(), o.Constant(ptr.Type.DType)), true
		}
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if ptr.Type.IsScalar() && !v.Type.IsScalar() {
		l.fail(l.shapesOf(diag.New("block-with-scalar-pointer", l.place(a.expr), c.row.Path(), "other", l.text(a.expr), typeText(v.Type)), c, ptr, v, a.expr))
		return nil, false
	}
	return l.castChecked(v, ptr.Type.DType, a.expr)
}

// castChecked converts a value to a dtype where Triton's rules allow it.
func (l *lowerer) castChecked(v *ir.Value, d num.DType, e syntax.Expr) (*ir.Value, bool) {
	if !l.allowed(types.Cast(v.Type, d), l.place(e)) {
		return nil, false
	}
	if v.Type.Pointer {
		l.fail(diag.New("pointer-cast", l.place(e), l.text(e), d.Info().Name))
		return nil, false
	}
	return l.cast(e.Span(), v, d), true
}

// cacheModifiers and evictions are what the arguments may say.
var (
	cacheModifiers = []string{"", ".ca", ".cg", ".cs", ".cv", ".wb", ".wt"}
	evictions      = []string{"", "evict_normal", "evict_first", "evict_last"}
)

// memoryAttrs reads the hints of a load or store.
func (l *lowerer) memoryAttrs(c *call) ([]ir.Attr, bool) {
	var attrs []ir.Attr
	cache, ok1 := l.choice(c, "cache_modifier", cacheModifiers)
	evict, ok2 := l.choice(c, "eviction_policy", evictions)
	if cache != "" {
		attrs = append(attrs, ir.Attr{Name: "cache", Value: cache[1:]})
	}
	if evict != "" && evict != "evict_normal" {
		attrs = append(attrs, ir.Attr{Name: "eviction", Value: evict})
	}
	if k, ok := c.get("volatile").(constant); ok && k == yes {
		attrs = append(attrs, ir.Attr{Name: "volatile", Value: true})
	}
	if t, ok := c.get("boundary_check").(tuple); ok && len(t.elems) > 0 {
		l.fail(diag.New("block-pointer-argument", l.place(c.arg("boundary_check").expr), "boundary_check"))
		return nil, false
	}
	return attrs, ok1 && ok2
}

// choice is a string argument that must be one of a list.
func (l *lowerer) choice(c *call, name string, list []string) (string, bool) {
	a := c.arg(name)
	if isNone(a.val) {
		return "", true
	}
	k, _ := a.val.(constant)
	s, ok := k.v.(python.Str)
	if ok && slices.Contains(list, string(s)) {
		return string(s), true
	}
	quoted := make([]string, 0, len(list))
	for _, w := range list {
		if w != "" {
			quoted = append(quoted, "'"+w+"'")
		}
	}
	l.fail(diag.New("bad-choice", l.place(a.expr), name, l.text(a.expr), strings.Join(quoted, ", ")))
	return "", false
}

// store lowers tl.store.
func (l *lowerer) store(c *call) value {
	ptr, ok := l.pointerArg(c)
	if !ok {
		return poison{}
	}
	a := c.arg("value")
	v, ok := l.valueFor(c, ptr, a)
	if !ok {
		return poison{}
	}
	mask, ok := l.maskArg(c, ptr)
	if !ok {
		return poison{}
	}
	at := c.node.Span()
	if mask != nil {
		if mask, ok = l.fitted(c, ptr, mask, "mask", c.arg("mask").expr); !ok {
			return poison{}
		}
	}
	attrs, ok := l.memoryAttrs(c)
	if !ok {
		return poison{}
	}
	l.emitNone(at, ops.Store, []*ir.Value{ptr, v, mask}, attrs...)
	return none
}

// valueFor is the value of a store or atomic, converted to what the pointer points at and shaped
// like the pointer.
func (l *lowerer) valueFor(c *call, ptr *ir.Value, a argument) (*ir.Value, bool) {
	if k, isConstant := a.val.(constant); isConstant {
		if o, r := numberOf(k); r == nil {
			return l.full(a.expr.Span(), o.Constant(ptr.Type.DType), ptr.Type.Shape), true
		}
	}
	v, ok := l.tensorArg(a.val, a.expr)
	if !ok {
		return nil, false
	}
	if ptr.Type.IsScalar() && !v.Type.IsScalar() {
		l.fail(l.shapesOf(diag.New("block-with-scalar-pointer", l.place(a.expr), c.row.Path(), "value", l.text(a.expr), typeText(v.Type)), c, ptr, v, a.expr))
		return nil, false
	}
	if v.Type.Pointer {
		l.fail(l.addressStored(c, a))
		return nil, false
	}
	if v, ok = l.castChecked(v, ptr.Type.DType, a.expr); !ok {
		return nil, false
	}
	return l.fitted(c, ptr, v, "value", a.expr)
}

// addressStored reports addresses where the values that lie there are meant, and offers to load
// them with the mask of the store.
func (l *lowerer) addressStored(c *call, a argument) *diag.Diagnostic {
	end := ")"
	if mask := c.arg("mask"); c.has("mask") {
		end = ", mask=" + l.userFile().Slice(l.place(mask.expr)) + ")"
	}
	at := l.place(a.expr)
	return diag.New("address-stored", at, c.row.Path(), l.text(a.expr)).
		Suggest(false, diag.Text{Key: "fix-load"},
			diag.Edit{Span: source.Span{Start: at.Start, End: at.Start}, New: "tl.load("},
			diag.Edit{Span: source.Span{Start: at.End, End: at.End}, New: end})
}

// fitted broadcasts an argument to the pointer's shape; the pointer itself is not broadcast.
func (l *lowerer) fitted(c *call, ptr, v *ir.Value, name string, e syntax.Expr) (*ir.Value, bool) {
	shape, r := types.BroadcastShapes(ptr.Type.Shape, v.Type.Shape)
	if r != nil {
		l.fail(l.shapesOf(diag.New("mask-shape", l.place(e), name, types.ShapeString(v.Type.Shape), types.ShapeString(ptr.Type.Shape), r.Triton), c, ptr, v, e))
		return nil, false
	}
	if !slices.Equal(shape, ptr.Type.Shape) {
		p := c.arg("pointer")
		l.fail(l.shapesOf(diag.New("store-pointer-shape", l.place(p.expr), types.ShapeString(ptr.Type.Shape), name, types.ShapeString(shape)), c, ptr, v, e))
		return nil, false
	}
	return l.broadcastTo(e.Span(), v, shape), true
}

// semantics and scopes of atomics.
var (
	semantics = []string{"acq_rel", "relaxed", "acquire", "release"}
	scopes    = []string{"gpu", "cta", "sys"}
)

func (l *lowerer) atomicAttrs(c *call) ([]ir.Attr, bool) {
	sem, ok1 := l.choice(c, "sem", semantics)
	scope, ok2 := l.choice(c, "scope", scopes)
	if sem == "" {
		sem = semantics[0]
	}
	if scope == "" {
		scope = scopes[0]
	}
	return []ir.Attr{{Name: "sem", Value: sem}, {Name: "scope", Value: scope}}, ok1 && ok2
}

// atomic makes the special of tl.atomic_<rmw>.
func atomic(rmw string) special {
	return func(l *lowerer, c *call) value {
		ptr, ok := l.pointerArg(c)
		if !ok {
			return poison{}
		}
		t := types.Scalar(ptr.Type.DType)
		bits := t.DType.Info().Bits
		bitwise := rmw == "and" || rmw == "or" || rmw == "xor"
		if t.IsInt() && bits < 32 || t.IsFloat() && (bits < 16 || bits == 16 && rmw != "add") || bitwise && t.IsFloat() {
			return l.fail(diag.New("atomic-dtype", l.place(c.node), c.row.Path(), t.DType.Info().Name))
		}
		v, ok := l.valueFor(c, ptr, c.arg("val"))
		if !ok {
			return poison{}
		}
		mask, ok := l.maskArg(c, ptr)
		if ok && mask != nil {
			mask, ok = l.fitted(c, ptr, mask, "mask", c.arg("mask").expr)
		}
		attrs, ok2 := l.atomicAttrs(c)
		if !ok || !ok2 {
			return poison{}
		}
		return tensor{l.emit(c.node.Span(), ops.AtomicRMW, []*ir.Value{ptr, v, mask}, append(attrs, ir.Attr{Name: "rmw", Value: rmw})...)}
	}
}

// atomicCAS lowers tl.atomic_cas.
func (l *lowerer) atomicCAS(c *call) value {
	ptr, ok := l.pointerArg(c)
	if !ok {
		return poison{}
	}
	if bits := ptr.Type.DType.Info().Bits; bits < 16 {
		return l.fail(diag.New("atomic-dtype", l.place(c.node), c.row.Path(), ptr.Type.DType.Info().Name))
	}
	cmp, ok1 := l.valueFor(c, ptr, c.arg("cmp"))
	val, ok2 := l.valueFor(c, ptr, c.arg("val"))
	attrs, ok3 := l.atomicAttrs(c)
	if !ok1 || !ok2 || !ok3 {
		return poison{}
	}
	return tensor{l.emit(c.node.Span(), ops.AtomicCAS, []*ir.Value{ptr, cmp, val}, attrs...)}
}
