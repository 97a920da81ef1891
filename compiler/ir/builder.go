package ir

import (
	"fmt"
	"slices"
	"sync"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Limits on one function; part of the security boundary.
const (
	MaxInstrs = 200_000 // instructions, those in regions included
	MaxDepth  = 200     // regions inside each other
	MaxParams = 1024
	MaxArity  = 4096 // operands or results of one instruction
	MaxName   = 256  // bytes of a name
)

// Builder makes a function instruction by instruction. Each is checked as it comes, so what Finish
// returns passes Verify, provided that names are identifiers and regions end in their terminators.
//
// Regions are blocks made first and handed to their owner afterwards: Block makes one, Push aims
// Emit at it, Pop aims back, EmitRegions takes it. A block that is dropped leaves no trace, so a
// loop body may be lowered twice when its carried values turn out to need other types.
type Builder struct {
	fn     *Func
	stack  []*Block // blocks being filled, innermost last
	instrs int
}

// NewBuilder starts a function of that name; Emit appends to its body.
func NewBuilder(name string) *Builder {
	body := &Block{}
	return &Builder{fn: &Func{Name: name, Body: body}, stack: []*Block{body}}
}

// Param adds a parameter; divisible is 1 where nothing is known (see Param.Divisible).
func (b *Builder) Param(name string, t types.Type, divisible int) *Value {
	v := b.AddArg(b.fn.Body, t)
	v.Name = name
	b.fn.Params = append(b.fn.Params, &Param{Name: name, Value: v, Divisible: max(1, divisible)})
	return v
}

// Block makes a block with arguments of these types that belongs to nothing yet.
func (b *Builder) Block(args ...types.Type) *Block {
	block := &Block{}
	for _, t := range args {
		b.AddArg(block, t)
	}
	return block
}

// AddArg gives a block one more argument.
func (b *Builder) AddArg(block *Block, t types.Type) *Value {
	v := &Value{Type: t, Index: len(block.Args)}
	block.Args = append(block.Args, v)
	return v
}

// Push makes Emit append to block until the matching Pop.
func (b *Builder) Push(block *Block) { b.stack = append(b.stack, block) }

// Pop returns to the block that was current before the last Push.
func (b *Builder) Pop() { b.stack = b.stack[:len(b.stack)-1] }

// grow makes room for n more instructions in the current block.
func (b *Builder) grow(n int) {
	block := b.Current()
	block.Instrs = slices.Grow(block.Instrs, n)
}

// Current is the block that Emit appends to.
func (b *Builder) Current() *Block { return b.stack[len(b.stack)-1] }

// Emit appends an instruction without regions and returns its results. Attributes may come in any
// order and may spell out defaults.
func (b *Builder) Emit(span source.Span, op ops.Op, operands []*Value, attrs ...Attr) ([]*Value, *ops.Mismatch) {
	return b.EmitRegions(span, op, operands, nil, attrs...)
}

// EmitRegions appends an instruction that owns regions, each already ended by its terminator.
func (b *Builder) EmitRegions(
	span source.Span, op ops.Op, operands []*Value, regions []*Block, attrs ...Attr,
) ([]*Value, *ops.Mismatch) {
	if m := b.limit(op, len(operands)); m != nil {
		return nil, m
	}
	in, m := NewInstr(span, op, operands, regions, attrs...)
	if m != nil {
		return nil, m
	}
	b.instrs++
	block := b.Current()
	block.Instrs = append(block.Instrs, in)
	return in.Results, nil
}

// NewInstr makes an instruction that is in no block yet, with its results.
func NewInstr(span source.Span, op ops.Op, operands []*Value, regions []*Block, attrs ...Attr) (*Instr, *ops.Mismatch) {
	for len(operands) > 0 && operands[len(operands)-1] == nil {
		operands = operands[:len(operands)-1]
	}
	store := new(instrStore)
	in := &store.instr
	*in = Instr{Op: op, Attrs: ops.Normalize(op, attrs), Regions: regions, Span: span}
	if len(operands) > 0 {
		in.Operands = slices.Clip(append(store.operands[:0], operands...))
	}
	if m := checkRegions(in); m != nil {
		return nil, m
	}
	results, m := in.infer()
	if m != nil {
		return nil, m
	}
	if len(results) == 1 {
		store.value = Value{Type: results[0], Def: in}
		store.results[0] = &store.value
		in.Results = store.results[:]
	} else {
		in.setResults(results)
	}
	return in, nil
}

// instrStore is an instruction with room for what most have: few operands and one result.
type instrStore struct {
	instr    Instr
	value    Value
	results  [1]*Value
	operands [3]*Value
}

// Emit1 is Emit for operations with one result.
func (b *Builder) Emit1(span source.Span, op ops.Op, operands []*Value, attrs ...Attr) (*Value, *ops.Mismatch) {
	results, m := b.Emit(span, op, operands, attrs...)
	if m != nil || len(results) == 0 {
		return nil, m
	}
	return results[0], nil
}

// Const appends a constant: a scalar, or a tile that holds it everywhere.
func (b *Builder) Const(span source.Span, value num.Scalar, shape ...int) (*Value, *ops.Mismatch) {
	return b.Emit1(span, ops.Const, nil, Attr{Name: "value", Value: value}, Attr{Name: "shape", Value: Ints(shape)})
}

// Finish returns the function. The body must have its terminator by now.
func (b *Builder) Finish() *Func { return b.fn }

// Ints converts a shape to an attribute's value.
func Ints(shape []int) []int64 {
	if len(shape) == 0 {
		return nil
	}
	out := make([]int64, len(shape))
	for i, d := range shape {
		out[i] = int64(d)
	}
	return out
}

func (b *Builder) limit(op ops.Op, operands int) *ops.Mismatch {
	switch {
	case b.instrs >= MaxInstrs:
		return refuse(op, ops.LimitReached, "at most %d instructions", MaxInstrs)
	case len(b.stack)-1 > MaxDepth:
		return refuse(op, ops.LimitReached, "at most %d regions inside each other", MaxDepth)
	case operands > MaxArity:
		return refuse(op, ops.LimitReached, "at most %d operands", MaxArity)
	}
	return nil
}

func refuse(op ops.Op, kind ops.Kind, format string, args ...any) *ops.Mismatch {
	return &ops.Mismatch{Op: op, Kind: kind, Operand: -1, With: -1, Want: fmt.Sprintf(format, args...)}
}

// setResults makes the result values.
func (in *Instr) setResults(results []types.Type) {
	if len(results) == 0 {
		return
	}
	store := make([]Value, len(results))
	in.Results = make([]*Value, len(results))
	for i, t := range results {
		store[i] = Value{Type: t, Def: in, Index: i}
		in.Results[i] = &store[i]
	}
}

// typeLists saves infer an allocation for every instruction.
var typeLists = sync.Pool{New: func() any { return new([]*types.Type) }}

// infer computes the results' types.
func (in *Instr) infer() ([]types.Type, *ops.Mismatch) {
	list := typeLists.Get().(*[]*types.Type)
	operands := typesOf((*list)[:0], in.Operands)
	defer func() {
		clear(operands) // so that the list keeps no instruction alive
		*list = operands
		typeLists.Put(list)
	}()
	if len(in.Regions) == 0 {
		return ops.Infer(in.Op, operands, in.Attrs)
	}
	yields := make([][]*types.Type, len(in.Regions))
	for i, r := range in.Regions {
		yields[i] = typesOf(nil, r.Terminator().Operands)
	}
	return ops.Infer(in.Op, operands, in.Attrs, yields...)
}

func typesOf(dst []*types.Type, vs []*Value) []*types.Type {
	for _, v := range vs {
		if v == nil {
			dst = append(dst, nil)
		} else {
			dst = append(dst, &v.Type)
		}
	}
	return dst
}

// checkRegions wants the row's number of regions, each ended by the right terminator and with
// arguments of the right types.
func checkRegions(in *Instr) *ops.Mismatch {
	names := in.Op.Def().Regions
	if len(in.Regions) != len(names) {
		return refuse(in.Op, ops.BadRegion, "%d regions, not %d", len(names), len(in.Regions))
	}
	if len(names) == 0 {
		return nil
	}
	operands := typesOf(nil, in.Operands)
	if m := ops.CheckOperands(in.Op, operands, in.Attrs); m != nil {
		return m
	}
	var first []*types.Type
	for i, r := range in.Regions {
		want := terminatorOf(in.Op, i)
		end := r.Terminator()
		if end == nil || end.Op != want {
			return refuse(in.Op, ops.BadRegion, "region %s to end in %s", names[i], want)
		}
		args := ops.RegionArgs(in.Op, i, operands, first)
		if len(args) != len(r.Args) {
			return refuse(in.Op, ops.BadRegion, "%d arguments in region %s, not %d", len(args), names[i], len(r.Args))
		}
		for k, t := range args {
			if !t.Equal(r.Args[k].Type) {
				return refuse(in.Op, ops.BadRegion, "argument %d of region %s to be %s, not %s", k, names[i], t,
					r.Args[k].Type)
			}
		}
		if i == 0 {
			first = typesOf(nil, end.Operands)
		}
	}
	return nil
}

// terminatorOf is the operation that ends region i of op.
func terminatorOf(op ops.Op, i int) ops.Op {
	if op == ops.While && i == 0 {
		return ops.Condition
	}
	return ops.Yield
}
