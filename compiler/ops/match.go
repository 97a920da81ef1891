package ops

import (
	"slices"
	"strconv"
	"sync"

	"github.com/newtlab/newt/compiler/types"
)

// Infer checks operands and attributes against op's row and gives the results' types. An absent
// optional operand is a nil pointer. For an operation with regions, yields holds the operand
// types of each region's terminator.
//
// Builder, verifier, text parser and wire decoder all ask here and nowhere else.
func Infer(op Op, operands []*types.Type, attrs Attrs, yields ...[]*types.Type) ([]types.Type, *Mismatch) {
	if op == Invalid || op >= N {
		return nil, &Mismatch{Op: Invalid, Kind: BadAttr, Operand: -1, With: -1, Want: "a known operation"}
	}
	if m := checkAttrs(op, attrs); m != nil {
		return nil, m
	}
	u := uses.Get().(*use)
	defer uses.Put(u)
	*u = use{op: op, operands: operands, attrs: attrs, yields: yields}
	u.form = u.chooseForm()
	if m := u.match(); m != nil {
		return nil, m
	}
	if !u.form.ByRule {
		u.results = make([]types.Type, len(u.form.Results))
		for i := range u.results {
			u.results[i] = u.instantiate(&u.form.Results[i])
		}
	}
	if rule := rules[op]; rule != nil {
		if m := rule(u); m != nil {
			return nil, m
		}
	}
	return u.results, nil
}

// uses are reused: the call of a rule makes each escape, which was three quarters of what decoding a kernel allocates.
var uses = sync.Pool{New: func() any { return new(use) }}

// use is one use of an operation while it is being checked.
type use struct {
	op       Op
	form     *Form
	operands []*types.Type
	attrs    Attrs
	yields   [][]*types.Type
	results  []types.Type

	elems, shapes, dims [26]binding
}

// binding is what a variable stands for: an aspect of the operand that bound it. The zero binding
// is none. It is small because every use clears a table of them.
type binding struct {
	operand int16 // counted from 1
	dim     int8  // a dimension variable: which of the operand's dimensions
	pointee bool  // an element variable: what the operand points to
}

func (u *use) elem(letter byte) types.Type {
	b := u.elems[letter-'A']
	t := u.operands[b.operand-1].Elem()
	t.Pointer = t.Pointer && !b.pointee
	return t
}

func (u *use) dim(letter byte) int {
	b := u.dims[letter-'A']
	return u.operands[b.operand-1].Shape[b.dim]
}

func (u *use) chooseForm() *Form {
	forms := signatures[u.op].Forms
	if len(u.operands) > 0 && u.operands[0] != nil {
		for i := range forms {
			if o := forms[i].Operands; len(o) > 0 && len(o[0].Pattern.Dims) == len(u.operands[0].Shape) {
				return &forms[i]
			}
		}
	}
	return &forms[0]
}

func (u *use) match() *Mismatch {
	if len(u.operands) > len(u.form.Operands) && !u.form.Variadic {
		return &Mismatch{Op: u.op, Kind: TooMany, Operand: len(u.form.Operands), With: -1,
			Want: plural(len(u.form.Operands), "operand")}
	}
	for i := range u.form.Operands {
		o := &u.form.Operands[i]
		if i >= len(u.operands) || u.operands[i] == nil {
			if o.Optional {
				continue
			}
			return &Mismatch{Op: u.op, Kind: Missing, Operand: i, Name: o.Name, With: -1}
		}
		if m := u.matchOperand(i, &o.Pattern); m != nil {
			return m
		}
	}
	for i := len(u.form.Operands); i < len(u.operands); i++ {
		if u.operands[i] == nil {
			return &Mismatch{Op: u.op, Kind: Missing, Operand: i, Name: u.name(i), With: -1}
		}
		if u.operands[i].IsMemDesc() {
			return u.wrong(WrongElem, i, inRegisters)
		}
	}
	return nil
}

// inRegisters is what is wanted where there is a memory descriptor.
const inRegisters = "a value in registers"

func (u *use) matchOperand(i int, p *Pattern) *Mismatch {
	if m := u.matchElem(i, p); m != nil {
		return m
	}
	t, self := u.operands[i], binding{operand: int16(i + 1)}
	if p.Shape != 0 {
		b := &u.shapes[p.Shape-'A']
		if b.operand == 0 {
			*b = self
		} else if with := int(b.operand - 1); !slices.Equal(t.Shape, u.operands[with].Shape) {
			return u.differ(DifferShape, i, with)
		}
		return nil
	}
	if len(t.Shape) != len(p.Dims) {
		return u.wrong(WrongRank, i, rankText(len(p.Dims)))
	}
	for k, letter := range p.Dims {
		b := &u.dims[letter-'A']
		if b.operand == 0 {
			*b = self
			b.dim = int8(k)
		} else if u.dim(letter) != t.Shape[k] {
			m := u.differ(DifferDim, i, int(b.operand-1))
			m.Dim, m.WithDim = k, int(b.dim)
			return m
		}
	}
	return nil
}

func (u *use) matchElem(i int, p *Pattern) *Mismatch {
	t := u.operands[i]
	if t.IsMemDesc() != p.MemDesc && !p.AnyMem {
		return u.wrong(WrongElem, i, map[bool]string{true: "a memory descriptor", false: inRegisters}[p.MemDesc])
	}
	if t.Pointer != p.Pointer && (p.Pointer || p.Elem == 0) {
		return u.wrong(WrongElem, i, p.elemText())
	}
	if p.Elem == 0 {
		if t.DType != p.DType {
			return u.wrong(WrongElem, i, p.elemText())
		}
		return nil
	}
	elem := t.Elem()
	elem.Pointer = elem.Pointer && !p.Pointer
	b := &u.elems[p.Elem-'A']
	if b.operand == 0 {
		if class := u.elemClass(p.Elem); !class.Holds(elem) {
			return u.wrong(WrongElem, i, class.String())
		}
		*b = binding{operand: int16(i + 1), pointee: p.Pointer}
		return nil
	}
	if want := u.elem(p.Elem); !want.Equal(elem) {
		return u.differElem(i, int(b.operand-1), want.String())
	}
	return nil
}

// elemClass is what the element variable named letter may be: E as the row says, I an integer,
// the others any number.
func (u *use) elemClass(letter byte) Elems {
	switch letter {
	case 'E':
		return table[u.op].Elem
	case 'I':
		return Int
	}
	return Num
}

func (u *use) instantiate(p *Pattern) types.Type {
	t := types.Type{DType: p.DType, Pointer: p.Pointer}
	if p.Elem != 0 {
		elem := u.elem(p.Elem)
		t.DType, t.Pointer = elem.DType, elem.Pointer || p.Pointer
	}
	if p.Shape != 0 {
		t.Shape = u.operands[u.shapes[p.Shape-'A'].operand-1].Shape
	}
	for _, letter := range p.Dims {
		t.Shape = append(t.Shape, u.dim(letter))
	}
	return t
}

func (u *use) name(i int) string {
	if i < len(u.form.Operands) {
		return u.form.Operands[i].Name
	}
	return "operand " + strconv.Itoa(i)
}

func (u *use) wrong(kind Kind, i int, want string) *Mismatch {
	return &Mismatch{Op: u.op, Kind: kind, Operand: i, Name: u.name(i), Got: *u.operands[i], Want: want, With: -1}
}

func (u *use) differ(kind Kind, i, with int) *Mismatch {
	return &Mismatch{Op: u.op, Kind: kind, Operand: i, Name: u.name(i), Got: *u.operands[i],
		With: with, WithName: u.name(with), WithType: *u.operands[with]}
}

func (u *use) differElem(i, with int, want string) *Mismatch {
	m := u.differ(DifferElem, i, with)
	m.Want = want
	return m
}

func (p *Pattern) elemText() string {
	switch {
	case p.Pointer:
		return "a pointer"
	case p.Elem == 0:
		return p.DType.Info().Short
	}
	return "a number"
}

func rankText(rank int) string {
	if rank == 0 {
		return "a scalar"
	}
	return plural(rank, "dimension")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

var elemTexts = [...]string{
	AnyElem: "a number or pointer", Num: "a number", Int: "an integer", Float: "a float",
	WideInt: "a 32- or 64-bit integer",
}

// String says the restriction in words.
func (e Elems) String() string { return elemTexts[e] }

// Holds reports whether t is an element that e allows.
func (e Elems) Holds(t types.Type) bool {
	switch e {
	case Num:
		return !t.Pointer
	case Int:
		return t.IsInt()
	case Float:
		return t.IsFloat()
	case WideInt:
		return t.IsInt() && t.DType.Info().Bits >= 32
	}
	return true
}
