// Package ir is the tile IR: what a kernel means once its constexprs and argument types are known.
// A Func is a tree of blocks in SSA form; control flow is structured (if, for, while), calls are
// inlined. Every engine runs it, and its wire form is what a runner accepts.
//
// # How it hangs together
//
// Package ops says what each operation takes and gives. A [Builder] appends instructions that fit;
// [Verify] checks a whole function, wherever it came from, and is the barrier between the network
// and the engines. [Print] and [Parse] are the text form, [Encode] and [Decode] the wire form;
// README.md describes both for those who write them from outside.
//
// An instruction with regions owns its blocks: nothing is shared, so a function is a tree and one
// recursive walk meets definitions before uses. A region may use every value defined before its
// owner in the enclosing blocks.
package ir

import (
	"github.com/newtlab/newt/compiler/layout"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/inline"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/compiler/types"
)

// Func is one kernel.
type Func struct {
	Name   string
	Params []*Param
	Body   *Block // its Args are the parameters' values; ends in return
}

// Param is a kernel parameter that exists at run time: a pointer or a scalar.
type Param struct {
	Name  string
	Value *Value
	// Divisible says that the value, or a pointer's address, is a multiple of this many (bytes for
	// pointers, units for integers); 1 where nothing is known.
	Divisible int
}

// Value is the result of an instruction or the argument of a block.
type Value struct {
	Type  types.Type
	Def   *Instr // nil for block arguments
	Index int    // which result of Def, or which argument of its block
	Name  string // the variable it was first assigned to, for people; may be empty
	ID    int    // dense number for slices on the side, as Func.Number last gave it
	// Layout says which threads hold the elements, in functions that are placed; nil in tile IR. Mem says, of a memory
	// descriptor, where in shared memory they are.
	Layout *layout.Layout
	Mem    *layout.Mem
}

// Instr is one operation.
type Instr struct {
	Op       ops.Op
	Operands []*Value // an absent optional operand is nil; the last is never absent
	Results  []*Value
	Attrs    ops.Attrs // in the order of the op's row, optional ones omitted at their default
	Regions  []*Block
	Span     source.Span // where in the source it came from
	// Scratch is the shared memory, from local_alloc, through which threads of several warps exchange values while the
	// operation is done, in functions that are placed; nil: there is none.
	Scratch *Value
}

// Block is a straight run of instructions that ends in a terminator.
type Block struct {
	Args   []*Value
	Instrs []*Instr
}

// Attr is a named attribute.
type Attr = ops.AttrValue

// Int is the attribute's integer value, 0 if it is absent.
func (in *Instr) Int(name string) int64 { return in.Attrs.Int(name) }

// Ints is the attribute's list of integers, nil if it is absent.
func (in *Instr) Ints(name string) []int64 { return in.Attrs.Ints(name) }

// Str is the attribute's string or enumeration value, "" if it is absent.
func (in *Instr) Str(name string) string { return in.Attrs.Str(name) }

// Bool is the attribute's truth value, false if it is absent.
func (in *Instr) Bool(name string) bool { return in.Attrs.Bool(name) }

// MemoryOrder is what an atomic's memory order has; other instructions have none.
func (in *Instr) MemoryOrder() (release, acquire bool) {
	sem := in.Str("sem")
	return sem == "release" || sem == "acq_rel", sem == "acquire" || sem == "acq_rel"
}

// Scalar is the attribute's constant, the int1 false if it is absent.
func (in *Instr) Scalar(name string) num.Scalar { return in.Attrs.Scalar(name) }

// InlineAsm is the checked text of an InlineAsm or InlineAsmVolatile that fits.
func (in *Instr) InlineAsm() *inline.Asm {
	a, err := ops.ParseInlineAsm(typesOf(nil, in.Operands), in.Attrs)
	if err != nil {
		// The builder and the verifier have taken it.
		panic(err)
	}
	return a
}

// Operand is the i-th operand, nil if it is absent.
func (in *Instr) Operand(i int) *Value {
	if i < len(in.Operands) {
		return in.Operands[i]
	}
	return nil
}

// Mask is the operand that says which elements take part, nil where all do.
func (in *Instr) Mask() *Value {
	if i := in.Op.Mask(); i > 0 {
		return in.Operand(i)
	}
	return nil
}

// Result is the first result, nil if there is none.
func (in *Instr) Result() *Value {
	if len(in.Results) == 0 {
		return nil
	}
	return in.Results[0]
}

// Terminator is the block's last instruction, nil while the block is being built.
func (b *Block) Terminator() *Instr {
	if n := len(b.Instrs); n > 0 && b.Instrs[n-1].Op.Has(ops.Terminator) {
		return b.Instrs[n-1]
	}
	return nil
}

// Walk calls f for every instruction below b, regions' instructions after their owner's.
func (b *Block) Walk(f func(*Instr)) {
	for _, in := range b.Instrs {
		f(in)
		for _, r := range in.Regions {
			r.Walk(f)
		}
	}
}

// Number gives every value of f a dense ID in order of definition and returns how many there are.
func (f *Func) Number() int {
	n := 0
	f.Body.number(&n)
	return n
}

// Values is how many values f has, which is one more than the largest ID that Number gives.
func (f *Func) Values() int {
	n := len(f.Params)
	f.Body.Walk(func(in *Instr) {
		n += len(in.Results)
		for _, r := range in.Regions {
			n += len(r.Args)
		}
	})
	return n
}

func (b *Block) number(n *int) {
	for _, v := range b.Args {
		v.ID = *n
		*n++
	}
	for _, in := range b.Instrs {
		for _, v := range in.Results {
			v.ID = *n
			*n++
		}
		for _, r := range in.Regions {
			r.number(n)
		}
	}
}
