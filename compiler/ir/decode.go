package ir

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// MaxWire is the largest wire form that Decode reads, in bytes.
const MaxWire = 4 << 20

// Decode reads the wire form. What it returns passes Verify, and Encode gives the same bytes for
// it; everything else is an error, never a panic, whatever the bytes are.
func Decode(wire []byte) (*Func, error) {
	if len(wire) > MaxWire {
		return nil, fmt.Errorf("more than %d bytes", MaxWire)
	}
	d := decoder{rest: wire}
	f := d.function()
	if d.err == nil && len(d.rest) > 0 {
		d.fail("%d bytes after the end", len(d.rest))
	}
	if d.err != nil {
		return nil, d.err
	}
	if errs := Verify(f); len(errs) > 0 {
		return nil, errs[0]
	}
	// One comparison covers every way to write the same thing twice: long varints, unused names,
	// defaults spelt out.
	if !bytes.Equal(Encode(f), wire) {
		return nil, errors.New("not the canonical form")
	}
	return f, nil
}

// decoder reads until the first error; afterwards every read gives zero.
type decoder struct {
	rest  []byte
	err   error
	b     *Builder
	names []string // names[0] is ""
	scope []*Value
	last  int64 // start of the last span
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
	d.names = append(d.names, "")
	for range d.count(MaxInstrs, "names") {
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
	d.scope = append(d.scope, v)
}

func (d *decoder) instrs() {
	for range d.count(MaxInstrs, "instructions") {
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
	operands := d.operands()
	attrs := d.attrs(op)
	regions := d.regions(op, operands, attrs)
	if d.err != nil {
		return
	}
	results, m := d.b.EmitRegions(span, op, operands, regions, attrs...)
	if m != nil {
		d.fail("%s", m.Error())
		return
	}
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

func (d *decoder) operands() []*Value {
	n := d.count(MaxArity, "operands")
	operands := make([]*Value, n)
	for i := range operands {
		back := d.uint()
		if back > uint64(len(d.scope)) {
			d.fail("operand %d reaches %d values back", i, back)
			return nil
		}
		if back > 0 {
			operands[i] = d.scope[len(d.scope)-int(back)]
		}
	}
	return operands
}

func (d *decoder) attrs(op ops.Op) []Attr {
	row := op.Def().Attrs
	var attrs []Attr
	for i := range row {
		attrs = append(attrs, Attr{Name: row[i].Name, Value: d.attr(&row[i])})
	}
	return attrs
}

func (d *decoder) attr(a *ops.Attr) any {
	switch a.Kind {
	case ops.IntsAttr:
		var list []int64
		for range d.count(ops.MaxRank, "integers") {
			list = append(list, d.int())
		}
		return list
	case ops.EnumAttr:
		i := d.uint()
		if i >= uint64(len(a.Enum)) {
			d.fail("attribute %s: value %d", a.Name, i)
			return ""
		}
		return a.Enum[i]
	case ops.StringAttr:
		return d.string(ops.MaxString)
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
