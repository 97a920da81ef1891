// Package ir is the tile IR: what a kernel means once its constexprs and argument types are known.
// A Func is a tree of blocks in SSA form; control flow is structured (if, for, while), calls are
// inlined. Every engine runs it, and its wire form is what a runner accepts.
package ir

import (
	"github.com/newtlab/newt/compiler/ops"
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
}

// Instr is one operation.
type Instr struct {
	Op       ops.Op
	Operands []*Value // an absent optional operand is nil
	Results  []*Value
	Attrs    []Attr // in the order of the op's row, optional ones omitted at their zero value
	Regions  []*Block
	Span     source.Span // where in the source it came from
}

// Block is a straight run of instructions that ends in a terminator.
type Block struct {
	Args   []*Value
	Instrs []*Instr
}

// Attr is a named attribute: its value is an int64, []int64, string, bool or num.Scalar,
// as the op's row says.
type Attr struct {
	Name  string
	Value any
}

// Int is the attribute's integer value, 0 where it is absent.
func (in *Instr) Int(name string) int64 { v, _ := in.attr(name).(int64); return v }

// Ints is the attribute's list of integers, nil where it is absent.
func (in *Instr) Ints(name string) []int64 { v, _ := in.attr(name).([]int64); return v }

// Str is the attribute's string or enumeration value, "" where it is absent.
func (in *Instr) Str(name string) string { v, _ := in.attr(name).(string); return v }

// Bool is the attribute's truth value, false where it is absent.
func (in *Instr) Bool(name string) bool { v, _ := in.attr(name).(bool); return v }

func (in *Instr) attr(name string) any {
	for _, a := range in.Attrs {
		if a.Name == name {
			return a.Value
		}
	}
	return nil
}

// Operand is the i-th operand, nil where it is absent.
func (in *Instr) Operand(i int) *Value {
	if i < len(in.Operands) {
		return in.Operands[i]
	}
	return nil
}

// Result is the first result, nil where there is none.
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
