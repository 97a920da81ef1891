package ir

import (
	"fmt"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
)

// Error is one reason why a function is not well formed.
type Error struct {
	Span source.Span // of the instruction at fault, if there is one
	In   *Instr      // that instruction, or one before it; nil: there is none
	Text string
}

func (e *Error) Error() string { return e.Text }

// maxErrors bounds what Verify reports.
const maxErrors = 20

// Verify checks everything that the engines rely on and returns what is wrong, at most 20 reasons:
//   - the function is a tree: no block, instruction or value occurs twice;
//   - each operand is defined before its use, in the same block or one around it;
//   - operands, attributes, region arguments and results fit the operations' rows;
//   - blocks end in the terminator that their owner wants, and have no other;
//   - reductions and scans combine by pure scalar code without regions;
//   - names are identifiers, and all is within the limits of this package and of package ops.
//
// It is the security boundary for IR from outside: it does not panic, whatever it is given.
func Verify(f *Func) []*Error { return verify(f, &poll{}, 0, 0) }

// VerifyPlaced is Verify of a function that is placed on threads: it may have operations that are ops.Placed; every
// tile has a layout of its shape, in threads, all on as many warps, or in shared memory if it is a memory descriptor;
// and where an operation moves no elements between threads, or moves them in one way, the layouts of its operands and
// results fit each other (placed.go).
func VerifyPlaced(f *Func) []*Error {
	v := newVerifier(&poll{}, 0, 0)
	v.placed = true
	v.fn(f)
	return v.errors
}

// verify is Verify of a function with about so many instructions and values. It says nothing more once p has stopped.
func verify(f *Func, p *poll, instrs, values int) []*Error {
	v := newVerifier(p, instrs, values)
	v.fn(f)
	return v.errors
}

func newVerifier(p *poll, instrs, values int) *verifier {
	return &verifier{
		blocks: map[*Block]bool{},
		instrs: make(map[*Instr]struct{}, instrs),
		values: make(map[*Value]bool, values),
		poll:   p,
	}
}

type verifier struct {
	errors []*Error
	span   source.Span
	in     *Instr // that is checked
	poll   *poll
	placed bool // the function is placed on threads
	warps  int  // of a placed function; 0 before its first tile
	blocks map[*Block]bool
	instrs map[*Instr]struct{}
	values map[*Value]bool // true while in scope, false afterwards
}

func (v *verifier) fail(format string, args ...any) bool {
	if len(v.errors) < maxErrors {
		v.errors = append(v.errors, &Error{v.span, v.in, fmt.Sprintf(format, args...)})
	}
	return false
}

func (v *verifier) fn(f *Func) {
	switch {
	case f == nil || f.Body == nil:
		v.fail("no function")
		return
	case f.Name == "" || !validName(f.Name):
		v.fail("the function's name is not an identifier")
	case len(f.Params) > MaxParams:
		v.fail("more than %d parameters", MaxParams)
		return
	case len(f.Params) != len(f.Body.Args):
		v.fail("%d parameters, but the body has %d arguments", len(f.Params), len(f.Body.Args))
		return
	}
	seen := map[string]bool{}
	for i, p := range f.Params {
		switch {
		case p == nil || p.Value == nil || p.Value != f.Body.Args[i]:
			v.fail("parameter %d is not argument %d of the body", i, i)
			return
		case !p.Value.Type.IsScalar():
			v.fail("parameter %d is a tile", i)
		case p.Name == "" || seen[p.Name] || p.Name != p.Value.Name:
			v.fail("parameter %d has no name of its own", i)
		case p.Divisible < 1 || p.Divisible > math.MaxInt32:
			v.fail("parameter %d: divisibility %d", i, p.Divisible)
		}
		seen[p.Name] = true
	}
	v.block(f.Body, ops.Return, ops.Invalid, 0)
}

// block checks b and the blocks below it; end is the terminator that owner wants.
func (v *verifier) block(b *Block, end, owner ops.Op, depth int) {
	if b == nil || v.blocks[b] {
		v.fail("a block that is absent or occurs twice")
		return
	}
	v.blocks[b] = true
	if depth > MaxDepth {
		v.fail("more than %d regions inside each other", MaxDepth)
		return
	}
	for i, a := range b.Args {
		v.define(a, nil, i)
	}
	for i, in := range b.Instrs {
		if len(v.errors) >= maxErrors || !v.instr(in, depth) {
			return
		}
		if in.Op.Has(ops.Terminator) != (i == len(b.Instrs)-1) {
			v.fail("%s: a block ends in its only terminator", in.Op)
			return
		}
		if (owner == ops.Reduce || owner == ops.Scan) && in.Op != end {
			v.combine(in)
		}
	}
	if t := b.Terminator(); t == nil || t.Op != end {
		v.fail("a block does not end in %s", end)
	}
	for _, a := range b.Args {
		v.leave(a)
	}
	for _, in := range b.Instrs {
		for _, r := range in.Results {
			v.leave(r)
		}
	}
}

// combine checks an instruction of a reduction's region.
func (v *verifier) combine(in *Instr) {
	ok := in.Op.Has(ops.Pure) && len(in.Regions) == 0
	for _, list := range [...][]*Value{in.Operands, in.Results} {
		for _, x := range list {
			ok = ok && (x == nil || x.Type.IsScalar())
		}
	}
	if !ok {
		v.fail("%s: reductions and scans combine by pure scalar code", in.Op)
	}
}

// define brings a value into scope; def and index are what its fields must say.
func (v *verifier) define(x *Value, def *Instr, index int) bool {
	if x == nil || x.Def != def || x.Index != index {
		return v.fail("a value does not know its definition")
	}
	if _, twice := v.values[x]; twice {
		return v.fail("a value is defined twice")
	}
	if x.Type.DType >= num.NumDTypes {
		return v.fail("a value has no dtype")
	}
	if want := ops.CheckShape(x.Type.Shape); want != "" {
		return v.fail("a value's shape: want %s", want)
	}
	if x.Name != "" && !validName(x.Name) {
		return v.fail("a value's name is not an identifier")
	}
	switch {
	case x.Layout != nil && !v.placed:
		return v.fail("a value has a layout, but the function is not placed on threads")
	case x.Type.IsMemDesc() && !v.placed:
		return v.fail("a value is in shared memory, but the function is not placed on threads")
	case x.Mem != nil && !x.Type.IsMemDesc():
		return v.fail("a value has a layout in shared memory, but is no memory descriptor")
	case x.Type.IsMemDesc() && !x.Type.IsScalar():
		if m := x.Mem; m == nil || !m.Valid() || !slices.Equal(m.Shape, x.Type.Shape) ||
			m.ElemBits != max(8, x.Type.DType.Info().Bits) {
			return v.fail("a memory descriptor has no layout of its shape and dtype")
		}
	case v.placed && !x.Type.IsScalar() && !v.layout(x):
		return false
	}
	v.values[x] = true
	return true
}

// layout checks the layout of a tile by itself.
func (v *verifier) layout(x *Value) bool {
	if x.Layout == nil || !slices.Equal(x.Layout.Shape, x.Type.Shape) {
		return v.fail("a tile has no layout of its shape")
	}
	if err := x.Layout.Valid(); err != nil {
		return v.fail("a tile's layout: %v", err)
	}
	if v.warps == 0 {
		v.warps = x.Layout.Warps()
	}
	if n := x.Layout.Warps(); n != v.warps {
		return v.fail("a tile is on %d warps, those before it on %d", n, v.warps)
	}
	return true
}

func (v *verifier) leave(x *Value) {
	if x != nil && v.values[x] {
		v.values[x] = false
	}
}

// instr checks one instruction and its regions; after a false, nothing that follows can be judged.
func (v *verifier) instr(in *Instr, depth int) bool {
	switch {
	case in == nil || v.seen(in):
		return v.fail("an instruction that is absent or occurs twice")
	case in.Op == ops.Invalid || in.Op >= ops.N:
		return v.fail("an unknown operation")
	case in.Op.Has(ops.Placed) && !v.placed:
		return v.fail("%s: an operation of functions that are placed on threads", in.Op)
	case in.Attrs.HasPlaced(in.Op) && !v.placed:
		return v.fail("%s: an attribute of functions that are placed on threads", in.Op)
	}
	v.instrs[in] = struct{}{}
	v.span, v.in = in.Span, in
	if v.poll.stopped(1 + len(in.Operands)) {
		return v.fail("stopped")
	}
	switch n := len(in.Operands); {
	case len(v.instrs) > MaxInstrs:
		return v.fail("more than %d instructions", MaxInstrs)
	case n > MaxArity:
		return v.fail("%s: more than %d operands", in.Op, MaxArity)
	case n > 0 && in.Operands[n-1] == nil:
		return v.fail("%s: the last operand is absent", in.Op)
	case in.Span.Start < 0 || in.Span.End < in.Span.Start:
		return v.fail("%s: its span is %d:%d", in.Op, in.Span.Start, in.Span.End)
	}
	for i, x := range in.Operands {
		if x != nil && !v.values[x] {
			return v.fail("%s: operand %d is not defined here", in.Op, i)
		}
	}
	switch x := in.Scratch; {
	case x == nil:
	case !v.values[x] || x.Def == nil || x.Def.Op != ops.LocalAlloc || x.Def.Int("bytes") == 0:
		return v.fail("%s: want scratch memory that is defined here", in.Op)
	case !in.Op.Has(ops.Exchanges):
		return v.fail("%s: an operation that takes no scratch memory", in.Op)
	}
	return v.regions(in, depth) && v.results(in)
}

func (v *verifier) seen(in *Instr) bool {
	_, seen := v.instrs[in]
	return seen
}

func (v *verifier) regions(in *Instr, depth int) bool {
	want := in.Op.Def().Regions
	if len(in.Regions) != len(want) {
		return v.fail("%s: %d regions, want %d", in.Op, len(in.Regions), len(want))
	}
	before := len(v.errors)
	for i, r := range in.Regions {
		v.block(r, terminatorOf(in.Op, i), in.Op, depth+1)
		if len(v.errors) > before {
			return false
		}
	}
	v.span, v.in = in.Span, in
	if m := checkRegions(in); m != nil {
		return v.fail("%s", m.Error())
	}
	return true
}

func (v *verifier) results(in *Instr) bool {
	inferred, m := in.infer()
	if m != nil {
		return v.fail("%s", m.Error())
	}
	if len(inferred) != len(in.Results) {
		return v.fail("%s: %d results, want %d", in.Op, len(in.Results), len(inferred))
	}
	for i, r := range in.Results {
		if !v.define(r, in, i) {
			return false
		}
		if !r.Type.Equal(inferred[i]) {
			return v.fail("%s: result %d is %s, want %s", in.Op, i, r.Type, inferred[i])
		}
	}
	if v.placed {
		if wrong := checkLayouts(in); wrong != "" {
			return v.fail("%s", wrong)
		}
	}
	return true
}

// validName accepts identifiers, and identifiers joined by dots (a tuple's items: t.0).
func validName(name string) bool {
	if len(name) > MaxName || !utf8.ValidString(name) {
		return false
	}
	for i, r := range name {
		switch {
		case r == '_' || unicode.IsLetter(r):
		case i > 0 && (r == '.' || unicode.IsDigit(r) || unicode.IsMark(r)):
		default:
			return false
		}
	}
	return name != ""
}
