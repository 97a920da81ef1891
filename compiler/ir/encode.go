package ir

import (
	"encoding/binary"
	"slices"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// The wire form begins with these bytes; the last is the version. README.md describes the rest.
const (
	wireMagic   = "newt"
	wireVersion = 1
)

// Encode writes f, which must pass Verify, in the wire form. Equal functions give equal bytes.
func Encode(f *Func) []byte {
	head, body := encode(f, &poll{}, 0)
	return append(head, body...)
}

// encode writes the wire form, whose length is about size: the head with the names, which are known at the end, and
// what follows it. It stops early where p does.
func encode(f *Func, p *poll, size int) (head, body []byte) {
	e := encoder{buf: make([]byte, 0, size), position: make([]int32, f.Number()), index: map[string]int{"": 0}, poll: p}
	e.function(f)
	head = append([]byte(wireMagic), wireVersion)
	head = binary.AppendUvarint(head, uint64(len(e.names)))
	for _, name := range e.names {
		head = appendString(head, name)
	}
	return head, e.buf
}

type encoder struct {
	buf      []byte
	names    []string // in the order of first use, counted from 1
	index    map[string]int
	position []int32 // by Value.ID: its place among the values in scope
	inScope  int32
	last     int32 // start of the last span
	poll     *poll
}

func (e *encoder) uint(v uint64) { e.buf = binary.AppendUvarint(e.buf, v) }
func (e *encoder) int(v int64)   { e.buf = binary.AppendVarint(e.buf, v) }

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func (e *encoder) name(s string) {
	i, ok := e.index[s]
	if !ok {
		e.names = append(e.names, s)
		i = len(e.names)
		e.index[s] = i
	}
	e.uint(uint64(i))
}

func (e *encoder) function(f *Func) {
	e.name(f.Name)
	e.uint(uint64(len(f.Params)))
	for _, p := range f.Params {
		e.define(p.Value)
		e.typ(p.Value.Type)
		e.uint(uint64(p.Divisible))
	}
	e.instrs(f.Body)
}

// typ writes a parameter's type; all others follow from the operations.
func (e *encoder) typ(t types.Type) {
	d := uint64(t.DType) << 1
	if t.Pointer {
		d |= 1
	}
	e.uint(d)
}

func (e *encoder) define(v *Value) {
	e.position[v.ID] = e.inScope
	e.inScope++
	e.name(v.Name)
}

func (e *encoder) instrs(b *Block) {
	e.uint(uint64(len(b.Instrs)))
	for _, in := range b.Instrs {
		if e.poll.stopped(1 + len(in.Operands)) {
			return
		}
		e.instr(in)
	}
}

func (e *encoder) instr(in *Instr) {
	row := in.Op.Def()
	e.uint(uint64(row.Wire))
	e.span(in.Span)
	e.uint(uint64(len(in.Operands)))
	for _, v := range in.Operands {
		if v == nil {
			e.uint(0)
		} else {
			e.uint(uint64(e.inScope - e.position[v.ID]))
		}
	}
	for i := range row.Attrs {
		if row.Attrs[i].Placed {
			continue
		}
		e.attr(&row.Attrs[i], in.Attrs.Get(row.Attrs[i].Name))
	}
	for _, r := range in.Regions {
		mark := e.inScope
		for _, a := range r.Args {
			e.define(a)
		}
		e.instrs(r)
		e.inScope = mark
	}
	for _, v := range in.Results {
		e.define(v)
	}
}

func (e *encoder) span(s source.Span) {
	e.int(int64(s.Start) - int64(e.last))
	e.uint(uint64(s.End - s.Start))
	e.last = s.Start
}

// attr writes a's value; an absent one is written as its default.
func (e *encoder) attr(a *ops.Attr, value any) {
	switch a.Kind {
	case ops.IntAttr:
		v, _ := value.(int64)
		e.int(v)
	case ops.IntsAttr:
		list, _ := value.([]int64)
		e.uint(uint64(len(list)))
		for _, v := range list {
			e.int(v)
		}
	case ops.EnumAttr:
		s, _ := value.(string)
		e.uint(uint64(max(0, slices.Index(a.Enum, s))))
	case ops.StringAttr:
		s, _ := value.(string)
		e.buf = appendString(e.buf, s)
	case ops.BoolAttr:
		v, _ := value.(bool)
		e.buf = append(e.buf, 0)
		if v {
			e.buf[len(e.buf)-1] = 1
		}
	case ops.ScalarAttr:
		s, _ := value.(num.Scalar)
		e.uint(uint64(s.DType))
		e.uint(s.Bits)
	}
}
