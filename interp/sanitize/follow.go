package sanitize

import (
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/interp/trace"
)

// follower follows marks of lanes from operation to operation through one program after the other. What it keeps is
// bounded by the values of one program; marks are not followed through memory.
type follower struct {
	reports
	args []trace.Buffer

	accesses
	marks   marks
	known   integers
	control trace.Flow
	ptr     []int64 // of the last access
	mask    []int32 // of the last access; nil where all lanes take part
	origins []origin
	numbers map[*ir.Instr]int // of origins
}

// origin is where a mark comes from; tensor is what a load has read from.
type origin struct {
	instr  *ir.Instr
	tensor string
}

func newFollower(args []trace.Buffer) follower {
	return follower{args: args, marks: marks{of: map[*ir.Value][]mark{}}, known: integers{},
		numbers: map[*ir.Instr]int{}}
}

// begin forgets the marks of an earlier program.
func (f *follower) begin(program [3]int) {
	if program != f.program {
		f.accesses.begin(program)
		f.marks.forget()
		f.control.Forget()
	}
}

// Access keeps the lanes for the operation that made the access, which comes next.
func (f *follower) Access(a *trace.Access) {
	f.begin(a.Program)
	f.made++
	f.ptr, f.mask = a.Ptr, a.Mask
}

// tensor names what a lane of the last access points into.
func (f *follower) tensor(lane int) string {
	if arg, _ := trace.Split(f.ptr[lane]); arg < len(f.args) {
		return f.args[arg].Name
	}
	return ""
}

// active reports whether lane i took part in the last access.
func (f *follower) active(i int) bool { return f.mask == nil || f.mask[i] != 0 }

// mark is a mark of a kind with an origin, of which there is one for each operation.
func (f *follower) mark(kind uint8, from origin) mark {
	n, ok := f.numbers[from.instr]
	if !ok {
		n = len(f.origins)
		f.numbers[from.instr] = n
		f.origins = append(f.origins, from)
	}
	return newMark(kind, n)
}

// origin is where a mark comes from; the zero origin for none.
func (f *follower) origin(m mark) origin {
	if m == 0 {
		return origin{}
	}
	return f.origins[m.origin()]
}

// handover is what an operation with regions hands on: the value to[i] is one of those from[i] that it is given.
type handover struct{ to, from []*ir.Value }

// handovers are those of an operation, in all.
func handovers(in *ir.Instr) []handover {
	yielded := func(region int) []*ir.Value { return in.Regions[region].Terminator().Operands }
	switch in.Op {
	case ops.If:
		return []handover{{in.Results, yielded(0)}, {in.Results, yielded(1)}}
	case ops.For:
		args, inits := in.Regions[0].Args[1:], trace.Inits(in)
		return []handover{{args, inits}, {args, yielded(0)}, {in.Results, inits}, {in.Results, yielded(0)}}
	case ops.While:
		args, inits, passed := in.Regions[0].Args, trace.Inits(in), yielded(0)[1:]
		return []handover{{args, inits}, {args, yielded(1)}, {in.Regions[1].Args, passed}, {in.Results, passed}}
	}
	return nil
}

// conditionsOf are the values that an operation with regions decides by.
func conditionsOf(in *ir.Instr) []*ir.Value {
	switch in.Op {
	case ops.If:
		return in.Operands[:1]
	case ops.For:
		return in.Operands[:3]
	case ops.While:
		return in.Regions[0].Terminator().Operands[:1]
	}
	return nil
}

// enter gives the arguments of a region the marks of what is handed to it.
func (f *follower) enter(in *ir.Instr, region *ir.Block) { f.move(f.control.Enter(in, region)) }

// leave gives the results of an operation with regions the marks of what its last region yielded.
func (f *follower) leave(in *ir.Instr) { f.move(f.control.Leave(in)) }

func (f *follower) move(to, from []*ir.Value) {
	f.marks.move(to, from)
	f.known.move(to, from)
}

// through are the marks that a result of in has from its operands; nil where none has marks.
func (f *follower) through(in *ir.Instr, result int) []mark {
	return f.marks.through(in, result, f.known)
}

// storedOperands are the values that an operation stores, compares memory with, or combines it with.
func storedOperands(in *ir.Instr) []*ir.Value {
	mask := in.Mask()
	return slices.DeleteFunc(slices.Clone(in.Operands[1:]), func(v *ir.Value) bool { return v == nil || v == mask })
}

// atAccess is a lane of the last access, and atBranch what comes after it.
func (f *follower) atAccess(tensor string, lane int) diag.Runtime {
	return diag.Runtime{Program: f.program, Tensor: tensor, Access: f.made - 1, Lanes: []int{lane}}
}

func (f *follower) atBranch(tensor string) diag.Runtime {
	return diag.Runtime{Program: f.program, Tensor: tensor, Access: f.made}
}
