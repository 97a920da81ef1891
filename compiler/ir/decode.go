package ir

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Limits on what Decode takes, in bytes: the wire form, and the function that it makes of it. Some kernels take eighty
// times as much memory as their wire form, real ones about thirty times.
const (
	MaxWire   = 4 << 20
	MaxMemory = 32 << 20
)

// Decode reads the wire form. What it returns passes Verify, and Encode gives the same bytes for
// it; everything else is an error, never a panic, whatever the bytes are.
func Decode(wire []byte) (*Func, error) { return DecodeContext(context.Background(), wire) }

// DecodeContext is Decode that gives up when ctx ends; the error is then the context's.
func DecodeContext(ctx context.Context, wire []byte) (*Func, error) {
	if len(wire) > MaxWire {
		return nil, fmt.Errorf("more than %d bytes", MaxWire)
	}
	p := &poll{ctx: ctx}
	d := decoder{rest: wire, unannounced: len(wire) / minInstrBytes, poll: p}
	f := d.function()
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes after the end", len(d.rest))
	}
	if d.err != nil {
		return nil, d.err
	}
	errs := verify(f, p, d.b.instrs, d.values)
	if p.err != nil {
		return nil, p.err // before what verify says: it did not see the rest
	}
	if len(errs) > 0 {
		return nil, errs[0]
	}
	// One comparison covers every way to write the same thing twice: long varints, unused names,
	// defaults spelt out.
	head, body := encode(f, p, len(wire))
	if p.err != nil {
		return nil, p.err
	}
	if !bytes.HasPrefix(wire, head) || !bytes.Equal(wire[len(head):], body) {
		return nil, errors.New("not the canonical form")
	}
	return f, nil
}

// poll asks a context now and then whether to go on.
type poll struct {
	ctx   context.Context // nil if nothing stops the work
	steps int             // since it was asked
	err   error           // the context's, once it has ended
}

// pollEvery is how many steps, some hundred nanoseconds each, are done before the context is asked again.
const pollEvery = 1024

// stopped counts steps and reports whether the context has ended.
func (p *poll) stopped(steps int) bool {
	if p.steps += steps; p.steps >= pollEvery && p.ctx != nil && p.err == nil {
		p.steps, p.err = 0, p.ctx.Err()
	}
	return p.err != nil
}

// minInstrBytes is the length of the shortest instruction: an operation, two numbers for the span, no operands.
const minInstrBytes = 4

// decoder reads until the first error; afterwards every read gives zero.
type decoder struct {
	rest     []byte
	err      error
	poll     *poll
	b        *Builder
	names    []string // names[0] is ""
	scope    []*Value
	operands []*Value // of the instructions that are being read, those with regions first
	last     int64    // start of the last span

	unannounced int // instructions that may still be announced: each takes bytes
	values      int // how many were made
	memory      int // bytes that the function takes so far
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
		d.rest = nil
	}
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.fail("the bytes end inside a number")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.rest)
	if n <= 0 {
		d.fail("the bytes end inside a number")
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

// count reads how many items follow; each takes at least one byte, so there cannot be more of them
// than bytes, and a length never makes Decode allocate more than it was sent.
func (d *decoder) count(limit int, what string) int {
	n := d.uint()
	if n > uint64(limit) || n > uint64(len(d.rest)) {
		d.fail("%d %s", n, what)
		return 0
	}
	return int(n)
}

func (d *decoder) string(limit int) string {
	n := d.count(limit, "bytes of text")
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) function() *Func {
	magic := append([]byte(wireMagic), wireVersion)
	if !bytes.HasPrefix(d.rest, magic) {
		d.fail("not IR, or of another version than %d", wireVersion)
		return nil
	}
	d.rest = d.rest[len(magic):]
	names := d.count(MaxInstrs, "names")
	d.names = append(make([]string, 0, 1+names), "")
	for range names {
		d.names = append(d.names, d.string(MaxName))
	}
	d.b = NewBuilder(d.name())
	for range d.count(MaxParams, "parameters") {
		d.parameter()
	}
	d.instrs()
	return d.b.Finish()
}

func (d *decoder) name() string {
	i := d.uint()
	if i >= uint64(len(d.names)) {
		d.fail("name %d of %d", i, len(d.names)-1)
		return ""
	}
	return d.names[i]
}

func (d *decoder) parameter() {
	name, kind, divisible := d.name(), d.uint(), d.uint()
	dtype := num.DType(kind >> 1)
	if kind>>1 >= uint64(num.NumDTypes) || divisible < 1 || divisible > math.MaxInt32 {
		d.fail("parameter %s: type %d, divisibility %d", name, kind, divisible)
		return
	}
	v := d.b.Param(name, types.Type{DType: dtype, Pointer: kind&1 == 1}, int(divisible))
	d.scope = append(d.scope, v)
}

func (d *decoder) define(v *Value) {
	v.Name = d.name()
	if len(d.scope) == cap(d.scope) {
		d.scope = slices.Grow(d.scope, len(d.scope)+16) // twice as many: append would allocate more often
	}
	d.scope = append(d.scope, v)
	d.values++
	d.take(valueBytes + 8*len(v.Type.Shape))
}

// The bytes of an instruction, of a value, and of an attribute, each with the pointers to it.
const (
	instrBytes = 120
	valueBytes = 96
	attrBytes  = 32
)

// take counts bytes that the function takes.
func (d *decoder) take(bytes int) {
	if d.memory += bytes; d.memory > MaxMemory {
		d.fail("the kernel takes more than %d MiB", MaxMemory>>20)
	}
}

func (d *decoder) instrs() {
	n := d.count(MaxInstrs, "instructions")
	if d.unannounced -= n; d.unannounced < 0 {
		d.fail("more instructions than fit in the bytes")
		return
	}
	d.b.grow(n)
	for range n {
		if d.err != nil {
			return
		}
		d.instr()
	}
}

func (d *decoder) instr() {
	op, ok := ops.ByWire(uint8(min(d.uint(), math.MaxUint8)))
	if !ok {
		d.fail("an unknown operation")
		return
	}
	span := d.span()
	mark := len(d.operands)
	operands := d.someOperands()
	attrs := d.attrs(op)
	regions := d.regions(op, operands, attrs)
	if d.poll.stopped(1 + len(operands)) {
		d.fail("%w", d.poll.err)
	}
	if d.err != nil {
		return
	}
	results, m := d.b.EmitRegions(span, op, operands, regions, attrs...)
	if m != nil {
		d.fail("%s", m.Error())
		return
	}
	d.operands = d.operands[:mark]
	d.take(instrBytes + 8*len(operands))
	for _, v := range results {
		d.define(v)
	}
}

func (d *decoder) span() source.Span {
	start := d.last + d.int()
	length := d.uint()
	if start < 0 || start > math.MaxInt32 || length > math.MaxInt32-uint64(start) {
		d.fail("a span from %d with length %d", start, length)
		return source.Span{}
	}
	d.last = start
	return source.Span{Start: int32(start), End: int32(start) + int32(length)}
}

// someOperands reads an instruction's operands. They are the decoder's, and valid until the instruction has been made.
func (d *decoder) someOperands() []*Value {
	n, mark := d.count(MaxArity, "operands"), len(d.operands)
	for i := range n {
		back := d.uint()
		if back > uint64(len(d.scope)) {
			d.fail("operand %d reaches %d values back", i, back)
			return nil
		}
		var v *Value
		if back > 0 {
			v = d.scope[len(d.scope)-int(back)]
		}
		d.operands = append(d.operands, v)
	}
	return d.operands[mark:]
}

func (d *decoder) attrs(op ops.Op) []Attr {
	row := op.Def().Attrs
	var attrs []Attr
	for i := range row {
		if row[i].Placed {
			continue
		}
		a := Attr{Name: row[i].Name, Value: d.attr(&row[i])}
		if row[i].Omits(a.Value) {
			continue
		}
		if attrs == nil {
			attrs = make([]Attr, 0, len(row)-i)
			d.take(attrBytes * cap(attrs))
		}
		attrs = append(attrs, a)
	}
	return attrs
}

func (d *decoder) attr(a *ops.Attr) any {
	switch a.Kind {
	case ops.IntsAttr:
		n := d.count(ops.MaxRank, "integers")
		if n == 0 {
			return []int64(nil)
		}
		list := make([]int64, n)
		for i := range list {
			list[i] = d.int()
		}
		d.take(8 * n)
		return list
	case ops.EnumAttr:
		i := d.uint()
		if i >= uint64(len(a.Enum)) {
			d.fail("attribute %s: value %d", a.Name, i)
			return ""
		}
		return a.Enum[i]
	case ops.StringAttr:
		s := d.string(ops.MaxString)
		d.take(len(s))
		return s
	case ops.BoolAttr:
		return d.uint() != 0
	case ops.ScalarAttr:
		dtype, bits := d.uint(), d.uint()
		return num.Scalar{DType: num.DType(min(dtype, math.MaxUint8)), Bits: bits}
	}
	return d.int()
}

func (d *decoder) regions(op ops.Op, operands []*Value, attrs []Attr) []*Block {
	names := op.Def().Regions
	if len(names) == 0 || d.err != nil {
		return nil
	}
	if len(d.b.stack) > MaxDepth {
		d.fail("more than %d regions inside each other", MaxDepth)
		return nil
	}
	operandTypes := typesOf(nil, operands)
	if m := ops.CheckOperands(op, operandTypes, ops.Normalize(op, attrs)); m != nil {
		d.fail("%s", m.Error())
		return nil
	}
	regions := make([]*Block, len(names))
	var first []*types.Type
	for i := range regions {
		r := d.b.Block(ops.RegionArgs(op, i, operandTypes, first)...)
		mark := len(d.scope)
		for _, a := range r.Args {
			d.define(a)
		}
		d.b.Push(r)
		d.instrs()
		d.b.Pop()
		d.scope = d.scope[:mark]
		regions[i] = r
		if end := r.Terminator(); i == 0 && end != nil {
			first = typesOf(nil, end.Operands)
		}
	}
	return regions
}
