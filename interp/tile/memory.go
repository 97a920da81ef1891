package tile

import (
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/trace"
)

// argument is the storage that the pointers of one argument may reach.
type argument struct {
	name   string
	data   []byte // nil for scalars
	origin int64  // the byte that offset 0 means
	// address is what the kernel takes for that of the first byte.
	address int64
}

// memoryOp is the part that loads, stores and atomics have in common. Where pointers and mask have forms, and all
// elements exist, these are a region. Else pointers are looked at lane by lane: a run of lanes whose pointers follow
// each other is clipped to the argument's storage once and copied as a whole; single lanes are gathered or scattered
// through a window.
type memoryOp struct {
	kind  trace.Kind
	instr *ir.Instr
	span  source.Span
	dtype num.DType
	shift int // log2 of the element's bytes
	ptr   int // slots; -1 where absent
	mask  int
	// extent is that of the pointers where they may have forms, and so may the mask if there is one; else it is nil.
	// elements makes their elements.
	extent   *extent
	elements []step
	order    trace.Order
	// unread says that nobody uses the old values that an atomic operation gives.
	unread bool
	number int // among the function's memory operations
}

func (p *planner) memoryOp(kind trace.Kind, in *ir.Instr, mask *ir.Value) memoryOp {
	d := in.Operands[0].Type.DType
	shift := 0
	for 1<<shift < d.Info().Bytes {
		shift++
	}
	unread := kind == trace.Atomic && p.live.last[p.live.root(in.Results[0])] == in
	p.accesses = append(p.accesses, in)
	o := memoryOp{kind: kind, instr: in, span: in.Span, dtype: d, shift: shift, order: orderOf(in), unread: unread,
		number: len(p.accesses) - 1}
	// Loads and stores make the elements of pointers and mask where they need them, atomic operations always.
	o.elements = p.planApart(func() { o.ptr, o.mask = p.slot(in.Operands[0]), p.optionalSlot(mask) })
	if in.Op.Has(ops.Atomic) {
		p.code = append(p.code, o.elements...)
	} else if p.hasForm(in.Operands[0]) && (mask == nil || p.hasForm(mask)) {
		o.extent = extentOf(in.Operands[0].Type)
	}
	p.lanewise = p.lanewise || o.extent == nil
	return o
}

// pointees are the arguments that each memory operation may reach.
func (p *planner) pointees() [][]int {
	of := p.fn.Pointees()
	out := make([][]int, len(p.accesses))
	for i, in := range p.accesses {
		out[i] = of[in]
	}
	return out
}

// orderOf is what the attributes of a memory operation say of its order. A volatile load is a relaxed one of the whole
// system (PTX ISA, "Volatile Operation").
func orderOf(in *ir.Instr) trace.Order {
	sem := in.Str("sem")
	return trace.Order{
		Strong: sem != "" || in.Bool("volatile"), Acquire: sem == "acquire" || sem == "acq_rel",
		Release: sem == "release" || sem == "acq_rel", CTA: in.Str("scope") == "cta",
	}
}

// noneOrAll classifies a mask: whether no lane takes part, and whether all do.
func noneOrAll(mask []int32) (none, all bool) {
	// Lanes of a mask are 0 or 1, so their sum tells both at once, in a loop without branches.
	sum := int32(0)
	for _, x := range mask {
		sum += x
	}
	return sum == 0, int(sum) == len(mask)
}

// maskOf is the operation's mask, nil where every lane takes part; none where no lane does.
func (o *memoryOp) maskOf(m *machine) (mask []int32, none bool) {
	if o.mask < 0 {
		return nil, false
	}
	mask = m.v[o.mask].I32
	none, all := noneOrAll(mask)
	if all {
		mask = nil
	}
	return mask, none
}

// clipRun finds the lanes of a run whose elements exist, and the bytes from the first one on.
// p is lane i's pointer.
func (o *memoryOp) clipRun(m *machine, p int64, i, end int) (lo, hi int, at []byte) {
	arg, off := trace.Split(p)
	// An address that is in no reachable memory points into an argument that does not exist.
	if arg >= len(m.args) || m.args[arg].data == nil {
		m.violate(finding{"wild-pointer", o.span, noArgument}, off, 0, i, end-1, m.v[o.ptr].Len())
		return end, end, nil
	}
	a := &m.args[arg]
	first := off<<o.shift + a.origin
	// Offsets have 48 bits and elements at most 8 bytes: no sum here overflows 64 bits.
	if n := int64(end-i) << o.shift; first >= 0 && first+n <= int64(len(a.data)) {
		return i, end, a.data[first:]
	}
	return o.clipOutOfBounds(m, arg, off, i, end)
}

func (o *memoryOp) clipOutOfBounds(m *machine, arg int, off int64, i, end int) (lo, hi int, at []byte) {
	a := &m.args[arg]
	// In elements, the storage reaches from least to limit; what lies before the argument's first element belongs to
	// it.
	least := -(a.origin >> o.shift)
	limit := (int64(len(a.data)) - a.origin) >> o.shift
	from, to := max(off, least), min(off+int64(end-i), limit)
	wrong, lanes := finding{o.kind.OutOfBounds(), o.span, arg}, m.v[o.ptr].Len()
	if from >= to {
		m.violate(wrong, off, limit, i, end-1, lanes)
		return end, end, nil
	}
	if from > off {
		m.violate(wrong, off, limit, i, i+int(from-off)-1, lanes)
	}
	// Lanes before the storage and lanes past it are two findings of one site, merged by violate.
	if past := off + int64(end-i) - to; past > 0 {
		m.violate(wrong, to, limit, end-int(past), end-1, lanes)
	}
	return i + int(from-off), i + int(to-off), a.data[from<<o.shift+a.origin:]
}

// window is where the elements of one argument are.
type window struct {
	data         []byte
	base, origin int64 // the pointer to offset 0 and the byte that it means
	last         int64 // the last byte that an element can begin at; negative where there is none
	shift        int
}

// window is that of the argument that p points into; an empty one where p is wild.
func (o *memoryOp) window(m *machine, p int64) window {
	arg, _ := trace.Split(p)
	if arg >= len(m.args) {
		return window{last: -1}
	}
	a := &m.args[arg]
	return window{a.data, trace.Pointer(arg, 0), a.origin, int64(len(a.data)) - 1<<o.shift, o.shift}
}

// byteOffset is the byte of lane i's element; -1 where it is not in the window, or begins a run.
func (w *window) byteOffset(ptr []int64, i int) int64 {
	// A pointer into another argument differs from base in the bits above the offset's, far outside the storage.
	// There are at most 8,191 arguments (maxArguments), so the shift drops no bit of the difference.
	at := (ptr[i]-w.base)<<w.shift + w.origin
	if at < 0 || at > w.last || i+1 < len(ptr) && ptr[i+1] == ptr[i]+1 {
		return -1
	}
	return at
}

// words is v as plain words where an element in memory is one, the most frequent case; else nil.
func (o *memoryOp) words(v num.Vec) []uint32 {
	if o.shift != 2 {
		return nil
	}
	return words32(v)
}

// notifyObserver tells the observer of a load or store.
func (o *memoryOp) notifyObserver(m *machine, values num.Vec) {
	o.notifyAtomic(m, values, num.Vec{}, nil)
}

// notifyAtomic tells the observer of an access: see trace.Access for what only some atomic operations have.
func (o *memoryOp) notifyAtomic(m *machine, values, compare num.Vec, combine num.BinaryFn) {
	a := trace.Access{
		Kind: o.kind, Program: m.told.Program, Instr: o.instr,
		Span: o.span, DType: o.dtype, Ptr: m.v[o.ptr].I64, Values: values, Compare: compare, Combine: combine,
		Order: o.order, Unread: o.unread, Args: m.pointees[o.number],
	}
	if o.mask >= 0 {
		a.Mask = m.v[o.mask].I32
	}
	m.access.Set(a)
	m.observe.Access(&m.access)
}
