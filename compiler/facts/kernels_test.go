package facts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// maker makes random kernels of what real ones compute addresses with: aranges, program ids,
// arguments, arithmetic on them, masks, loops that move pointers. Unlike irgen's, they leave their
// arguments' memory as often as not.
type maker struct {
	*rand.Rand
	b      *ir.Builder
	values []*ir.Value // integers and truth values in scope
	ptrs   []*ir.Value // pointers in scope
	depth  int
	shapes [][]int // all ways from one to another are moves that maker knows
}

// The shapes that tiles have: usually narrow, and wide where narrow integers wrap within a tile.
var (
	narrow = [][]int{nil, {8}, {16}, {8, 1}, {1, 8}, {8, 8}, {16, 8}, {8, 16}}
	wide   = [][]int{nil, {8}, {512}, {1024}, {4096}, {512, 1}, {1, 512}, {8, 512}, {512, 8}}
)

// numbers are constants and arguments that make a difference.
var numbers = []int64{
	0, 1, 1, 2, 3, 4, 5, 7, 8, 8, 15, 16, 16, 24, 31, 32, 33, 48, 64, 100, 128, -1, -3, -8, 1 << 20, 1<<31 - 1,
	1<<31 - 8, -1 << 31, 1 << 16, 127, -128, 255, 256, 512, 1<<15 - 1, 1 << 15,
}

func (m *maker) number() int64 {
	if m.IntN(8) > 0 {
		return numbers[m.IntN(17)]
	}
	return numbers[m.IntN(len(numbers))]
}

// makeKernel makes a kernel with pointers to fp32, i32 and fp16 and integer arguments.
func makeKernel(seed uint64) *ir.Func {
	m := &maker{Rand: rand.New(rand.NewPCG(seed, 7)), b: ir.NewBuilder("random"), shapes: narrow}
	if seed%8 == 7 {
		m.shapes = wide
	}
	for _, d := range []num.DType{num.Float32, num.Int32, num.Float16} {
		m.ptrs = append(m.ptrs, m.b.Param("p_"+d.Info().Short, types.PointerTo(d), 16))
	}
	for _, name := range []string{"n", "k", "s"} {
		m.values = append(m.values, m.b.Param(name, types.Scalar(num.Int32), 1))
	}
	m.values = append(m.values, m.b.Param("aligned", types.Scalar(num.Int32), 16),
		m.b.Param("wide", types.Scalar(num.Int64), 1))
	for range 15 + m.IntN(40) {
		m.step()
	}
	m.access()
	m.emit(ops.Return, nil)
	return m.b.Finish()
}

func (m *maker) emit(op ops.Op, operands []*ir.Value, attrs ...ir.Attr) []*ir.Value {
	return m.emitRegions(op, operands, nil, attrs...)
}

func (m *maker) emitRegions(op ops.Op, operands []*ir.Value, regions []*ir.Block, attrs ...ir.Attr) []*ir.Value {
	out, bad := m.b.EmitRegions(source.Span{}, op, operands, regions, attrs...)
	if bad != nil {
		panic(bad.Error())
	}
	for _, v := range out {
		if v.Type.Pointer {
			m.ptrs = append(m.ptrs, v)
		} else if v.Type.IsInt() {
			m.values = append(m.values, v)
		}
	}
	return out
}

func attr(name string, value any) ir.Attr { return ir.Attr{Name: name, Value: value} }

func (m *maker) one(op ops.Op, operands []*ir.Value, attrs ...ir.Attr) *ir.Value {
	return m.emit(op, operands, attrs...)[0]
}

func (m *maker) constant(d num.DType, shape []int) *ir.Value {
	return m.one(ops.Const, nil, attr("value", num.FromInt(d, m.number())), attr("shape", ir.Ints(shape)))
}

// any is some value in scope; recent ones more often.
func (m *maker) any(list []*ir.Value, fits func(types.Type) bool) *ir.Value {
	for range 12 {
		v := list[max(m.IntN(len(list)), m.IntN(len(list)))]
		if fits(v.Type) {
			return v
		}
	}
	return nil
}

func (m *maker) shape() []int { return m.shapes[m.IntN(len(m.shapes))] }

func isMask(t types.Type) bool  { return t.DType == num.Int1 && !t.Pointer }
func isIndex(t types.Type) bool { return t.IsInt() && t.DType != num.Int1 }

// shaped gives v another shape: by broadcasting where it can, else a new value of it.
func (m *maker) shaped(v *ir.Value, shape []int) *ir.Value {
	have := v.Type.Shape
	switch {
	case slices.Equal(have, shape):
		return v
	case len(have) == 0:
		return m.one(ops.Splat, []*ir.Value{v}, attr("shape", ir.Ints(shape)))
	case len(have) == 1 && len(shape) == 2 && (have[0] == shape[0] || have[0] == shape[1]):
		axis := int64(1)
		if have[0] != shape[0] || have[0] == shape[1] && m.IntN(2) == 0 {
			axis = 0
		}
		v = m.one(ops.ExpandDims, []*ir.Value{v}, attr("axis", axis))
		return m.shaped(v, shape)
	case len(have) == 2 && len(shape) == 2 && (have[0] == 1 || have[0] == shape[0]) &&
		(have[1] == 1 || have[1] == shape[1]):
		return m.one(ops.Broadcast, []*ir.Value{v}, attr("shape", ir.Ints(shape)))
	case v.Type.Pointer:
		return nil
	case v.Type.DType == num.Int32 && len(shape) == 1 && m.IntN(3) > 0:
		return m.one(ops.Arange, nil, attr("start", int64(0)), attr("end", int64(shape[0])))
	}
	return m.constant(v.Type.DType, shape)
}

// index is an integer of dtype d and a shape.
func (m *maker) index(d num.DType, shape []int) *ir.Value {
	v := m.any(m.values, isIndex)
	if v == nil {
		return m.constant(d, shape)
	}
	if v.Type.DType != d {
		v = m.one(ops.Cast, []*ir.Value{v}, attr("to", d.Info().Short))
	}
	return m.shaped(v, shape)
}

func (m *maker) mask(shape []int) *ir.Value {
	if v := m.any(m.values, isMask); v != nil && m.IntN(4) > 0 {
		return m.shaped(v, shape)
	}
	return m.shaped(m.compare(shape), shape)
}

func (m *maker) compare(shape []int) *ir.Value {
	op := []ops.Op{ops.Lt, ops.Lt, ops.Lt, ops.Le, ops.Gt, ops.Ge, ops.Eq, ops.Ne}[m.IntN(8)]
	x := m.index(num.Int32, shape)
	return m.one(op, []*ir.Value{x, m.index(x.Type.DType, shape)})
}

var arithmetic = []ops.Op{
	ops.Add, ops.Add, ops.Add, ops.Sub, ops.Mul, ops.Mul, ops.Div, ops.Rem, ops.Rem, ops.Shl, ops.Shr, ops.And, ops.Or,
	ops.Xor, ops.Min, ops.Max,
}

func (m *maker) step() {
	shape := m.shape()
	d := []num.DType{num.Int32, num.Int32, num.Int32, num.Int32, num.Int32, num.Int64, num.Uint32, num.Int8, num.Uint64,
		num.Int16, num.Uint8, num.Uint16}[m.IntN(12)]
	switch m.IntN(24) {
	case 0:
		m.one(ops.ProgramID, nil, attr("axis", int64(m.IntN(3))))
	case 1, 2:
		start := []int64{0, 0, 0, 8, 4, 3}[m.IntN(6)]
		length := int64(8 << m.IntN(2))
		if shape := m.shape(); len(shape) == 1 {
			length = int64(shape[0])
		}
		m.one(ops.Arange, nil, attr("start", start), attr("end", start+length))
	case 3, 4, 5, 6, 7, 8:
		op := arithmetic[m.IntN(len(arithmetic))]
		x := m.index(d, shape)
		y := m.index(d, shape)
		if m.IntN(2) == 0 {
			y = m.constant(d, shape)
		}
		m.one(op, []*ir.Value{x, y})
	case 9, 10:
		m.compare(shape)
	case 11:
		op := []ops.Op{ops.And, ops.And, ops.Or, ops.Xor}[m.IntN(4)]
		m.one(op, []*ir.Value{m.mask(shape), m.mask(shape)})
	case 12:
		unary := []ops.Op{ops.Neg, ops.Abs, ops.Not}[m.IntN(3)]
		m.one(unary, []*ir.Value{m.index(d, shape)})
	case 13:
		m.one(ops.Not, []*ir.Value{m.mask(shape)})
	case 14:
		m.one(ops.Select, []*ir.Value{m.mask(shape), m.index(d, shape), m.index(d, shape)})
	case 15:
		m.reorder()
	case 16, 17:
		m.pointer()
	case 18, 19, 20:
		m.access()
	case 21:
		m.branch()
	default:
		m.loop()
	}
}

// reorder moves elements of some tile.
func (m *maker) reorder() {
	list := m.values
	if m.IntN(3) == 0 {
		list = m.ptrs
	}
	v := m.any(list, func(t types.Type) bool { return len(t.Shape) > 0 })
	if v == nil {
		return
	}
	switch shape := v.Type.Shape; {
	case len(shape) == 2 && m.IntN(2) == 0:
		m.one(ops.Trans, []*ir.Value{v}, attr("perm", []int64{1, 0}))
	case len(shape) == 2 && shape[0]*shape[1] <= 16:
		m.one(ops.Reshape, []*ir.Value{v}, attr("shape", []int64{int64(shape[0] * shape[1])}))
	case v.Type.Numel() == 8 || v.Type.Numel() == 512 && m.IntN(2) == 0:
		n := int64(v.Type.Numel())
		m.one(ops.Reshape, []*ir.Value{v}, attr("shape", [][]int64{{n, 1}, {1, n}}[m.IntN(2)]))
	case v.Type.Numel() >= 64:
		m.one(ops.Reshape, []*ir.Value{v}, attr("shape", []int64{8, int64(v.Type.Numel() / 8)}))
	default:
		m.one(ops.Join, []*ir.Value{v, v})
	}
}

func (m *maker) pointer() *ir.Value {
	p := m.any(m.ptrs, func(types.Type) bool { return true })
	shape := m.shape()
	if q := m.shaped(p, shape); q != nil {
		p = q
	}
	d := []num.DType{num.Int32, num.Int32, num.Int32, num.Int64, num.Uint32, num.Uint64}[m.IntN(6)]
	return m.one(ops.AddPtr, []*ir.Value{p, m.index(d, p.Type.Shape)})
}

func (m *maker) access() {
	p := m.pointer()
	var mask *ir.Value
	if m.IntN(5) > 0 {
		mask = m.mask(p.Type.Shape)
	}
	switch m.IntN(3) {
	case 0:
		v := m.one(ops.Const, nil, attr("value", num.FromInt(p.Type.DType, 1)), attr("shape", ir.Ints(p.Type.Shape)))
		m.emit(ops.Store, []*ir.Value{p, v, mask})
	default:
		m.one(ops.Load, []*ir.Value{p, mask})
	}
}

// scoped makes a block's instructions; what it defines goes out of scope again.
func (m *maker) scoped(b *ir.Block, fill func() []*ir.Value) {
	values, ptrs := m.values[:len(m.values):len(m.values)], m.ptrs[:len(m.ptrs):len(m.ptrs)]
	m.b.Push(b)
	m.depth++
	for _, a := range b.Args {
		if a.Type.Pointer {
			m.ptrs = append(m.ptrs, a)
		} else {
			m.values = append(m.values, a)
		}
	}
	for range 2 + m.IntN(8) {
		m.step()
	}
	m.emit(ops.Yield, fill())
	m.depth--
	m.b.Pop()
	m.values, m.ptrs = values, ptrs
}

func (m *maker) branch() {
	if m.depth >= 3 {
		return
	}
	cond := m.mask(nil)
	d := num.Int32
	shape := m.shape()
	blocks := []*ir.Block{m.b.Block(), m.b.Block()}
	for _, b := range blocks {
		m.scoped(b, func() []*ir.Value { return []*ir.Value{m.index(d, shape), m.scalarPointer()} })
	}
	m.emitRegions(ops.If, []*ir.Value{cond}, blocks)
}

// scalarPointer is a pointer to fp32 without dimensions.
func (m *maker) scalarPointer() *ir.Value {
	p := m.any(m.ptrs, func(t types.Type) bool { return t.IsScalar() && t.DType == num.Float32 })
	if p == nil {
		p = m.ptrs[0]
	}
	return p
}

// next is what a loop carries on: mostly what it was, moved by something from outside.
func (m *maker) next(arg *ir.Value, outside []*ir.Value) *ir.Value {
	op, d := ops.Add, arg.Type.DType
	if arg.Type.Pointer {
		op, d = ops.AddPtr, num.Int32
	}
	switch m.IntN(6) {
	case 0:
		return arg
	case 1:
		if !arg.Type.Pointer {
			return m.index(d, arg.Type.Shape)
		}
		return m.one(op, []*ir.Value{arg, m.index(d, arg.Type.Shape)})
	}
	var by *ir.Value
	for _, v := range outside {
		if v.Type.DType == d && slices.Equal(v.Type.Shape, arg.Type.Shape) && m.IntN(3) == 0 {
			by = v
		}
	}
	if by == nil {
		by = m.constant(d, arg.Type.Shape)
	}
	return m.one(op, []*ir.Value{arg, by})
}

func (m *maker) loop() {
	if m.depth >= 3 {
		return
	}
	shape := m.shape()
	bounds := []*ir.Value{m.constant(num.Int32, nil), m.index(num.Int32, nil), m.constant(num.Int32, nil)}
	first := []*ir.Value{m.index(num.Int32, shape), m.index(num.Int32, nil), m.scalarPointer()}
	if p := m.any(m.ptrs, func(t types.Type) bool { return !t.IsScalar() }); p != nil {
		first = append(first, p)
	}
	steps := []*ir.Value{m.constant(num.Int32, shape)}
	for _, v := range first {
		if v.Type.Pointer && !v.Type.IsScalar() {
			steps = append(steps, m.constant(num.Int32, v.Type.Shape))
		}
	}
	outside := append(slices.Clone(m.values), steps...)
	argTypes := []types.Type{types.Scalar(num.Int32)}
	for _, v := range first {
		argTypes = append(argTypes, v.Type)
	}
	if m.IntN(5) == 0 {
		m.while(first, argTypes[1:], outside)
		return
	}
	body := m.b.Block(argTypes...)
	m.scoped(body, func() []*ir.Value { return m.nexts(body.Args[1:], outside) })
	m.emitRegions(ops.For, append(bounds, first...), []*ir.Block{body})
}

func (m *maker) nexts(args, outside []*ir.Value) (out []*ir.Value) {
	for _, a := range args {
		out = append(out, m.next(a, outside))
	}
	return out
}

// while goes on while a carried number is below another.
func (m *maker) while(first []*ir.Value, argTypes []types.Type, outside []*ir.Value) {
	before, after := m.b.Block(argTypes...), m.b.Block(argTypes...)
	limit := m.index(num.Int32, nil)
	m.b.Push(before)
	below := m.one(ops.Lt, []*ir.Value{before.Args[1], limit})
	m.emit(ops.Condition, append([]*ir.Value{below}, before.Args...))
	m.b.Pop()
	m.values = m.values[:len(m.values)-1]
	m.scoped(after, func() []*ir.Value {
		out := m.nexts(after.Args, outside)
		out[1] = m.one(ops.Add, []*ir.Value{after.Args[1], m.constant(num.Int32, nil)})
		return out
	})
	m.emitRegions(ops.While, first, []*ir.Block{before, after})
}

// author writes random kernels that address two tensors by rows and columns of a tile, in ways that are right, nearly
// right or arbitrary.
type author struct{ *rand.Rand }

func (m author) pick(list ...string) string { return list[m.IntN(len(list))] }

// number is an integer, of row and column of the tile among others.
func (m author) number(depth int) string {
	if depth == 0 || m.IntN(3) == 0 {
		return m.pick("p", "q", "N", "M", "S", "i", "j", "t", "row", "col", "row", "col", "g", "1", "4", "8", "3", "100",
			"(zero + 65536)")
	}
	x, y := m.number(depth-1), m.number(depth-1)
	switch m.IntN(10) {
	case 8:
		return fmt.Sprintf("((%s) + zero)%s", x, m.pick(".to(tl.int8)", ".to(tl.int64)", ".to(tl.int16).to(tl.int32)",
			".to(tl.uint8).to(tl.int32)"))
	case 9:
		return fmt.Sprintf("((%s + zero) %s)", x, m.pick("<< 3", ">> 1", "& 7", "<< 30", ">> 3"))
	case 0:
		return fmt.Sprintf("((%s) // %s)", x, m.pick("4", "8", "N", "M"))
	case 1:
		return fmt.Sprintf("((%s) %% %s)", x, m.pick("4", "8", "N", "M"))
	case 2:
		return fmt.Sprintf("tl.minimum(%s, %s)", x, y)
	case 3:
		return fmt.Sprintf("(%s - %s)", x, y)
	case 4, 5:
		return fmt.Sprintf("(%s * %s)", x, m.pick("N", "M", "S", "4", "8"))
	}
	return fmt.Sprintf("(%s + %s)", x, y)
}

func (m author) offset() string {
	if m.IntN(4) == 0 {
		return m.number(2)
	}
	row := m.pick("row", "row", "row", "row % N", "p", "t * 8 + i", "row // 2", "tl.minimum(row, N - 1)", "c + i")
	col := m.pick("col", "col", "col", "col % M", "j", "t * 4 + j", "col + 1", "q * 4 + j // 2", "t")
	return fmt.Sprintf("(%s) * %s + %s", row, m.pick("M", "M", "M", "S", "4", "N"), col)
}

func (m author) mask() string {
	terms := []string{}
	for range m.IntN(4) {
		terms = append(terms, m.pick("(row < N)", "(col < M)", "(row < N)", "(col < M)", "(row <= N)", "(t < N)", "(p == 0)",
			"(q == 0)", "("+m.number(1)+" < "+m.number(1)+")", "(row >= 0)", "(t * 8 + i < N)", "(t * 4 + j < M)"))
	}
	return strings.Join(append(terms, "(zero == 0)"), " & ")
}

func (m author) access() string {
	name := m.pick("x", "z")
	at := "zero + " + m.offset()
	switch m.IntN(6) {
	case 0, 1, 2:
		return fmt.Sprintf("tl.store(%s + (%s), a, mask=%s)", name, at, m.mask())
	case 3:
		return fmt.Sprintf("tl.atomic_add(%s + (%s), a, mask=%s)", name, at, m.mask())
	}
	return fmt.Sprintf("a += tl.load(%s + (%s), mask=%s, other=0)", name, at, m.mask())
}

// kernel is a kernel's text.
func (m author) kernel() string {
	lines := []string{
		"import triton", "import triton.language as tl", "@triton.jit", "def k(x, z, N, M, S):",
		"    p = tl.program_id(0)", "    q = tl.program_id(" + m.pick("1", "1", "0") + ")", "    g = tl.num_programs(0)",
		"    i = tl.arange(0, 8)[:, None]", "    j = tl.arange(0, 4)[None, :]",
		"    row = p * " + m.pick("8", "8", "8", "4") + " + i", "    col = q * 4 + j",
		"    a = tl.zeros([8, 4], tl.int32)", "    zero = tl.zeros([8, 4], tl.int32)",
		"    c = p * " + m.pick("8", "1"), "    t = 0",
	}
	indent := "    "
	for range 1 + m.IntN(3) {
		switch m.IntN(5) {
		case 0:
			lines = append(lines, indent+"for t in range("+m.pick("0", "p", "q")+", "+
				m.pick("N", "M", "tl.cdiv(N, 8)", "tl.cdiv(M, 4)", "3")+", "+m.pick("1", "1", "g", "2")+"):")
			indent += "    "
			lines = append(lines, indent+m.access(), indent+"c += "+m.pick("8", "M", "g * 8", "t"))
		case 1:
			lines = append(lines, indent+"if "+m.pick("p == 0", "p < N", "p * 8 < N", "q != 0")+":", indent+"    "+m.access())
		default:
			lines = append(lines, indent+m.access())
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
