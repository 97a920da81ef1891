package sim

import (
	"fmt"
	"math/bits"
)

// Kind says which rule a kernel broke.
type Kind uint8

// The rules. All but Trap, Budget and Bounds are laws that hardware does not check, or not so closely.
const (
	Bounds        Kind = iota // an address outside every allocation, or outside shared memory
	Misaligned                // an address that is not a multiple of the access's size
	Uninitialized             // a register or shared byte read before it was written
	Race                      // two accesses to a shared byte, one a write, with nothing between that orders them
	Async                     // shared bytes or registers touched while cp.async or wgmma may still write or read them
	Divergent                 // threads of a warp, or warps of a block, part where they must be together
	Deadlock                  // threads wait at a barrier that nobody else will reach
	Trap                      // the trap instruction
	Budget                    // more instructions than the launch allows
	Argument                  // an operand whose value the instruction does not take
	Fence                     // no fence between accesses of products of warp groups and others
)

var kindNames = [...]string{"out of bounds", "misaligned", "uninitialized", "race", "asynchronous access",
	"divergence", "deadlock", "trap", "budget", "argument", "fence"}

func (k Kind) String() string { return kindNames[k] }

// Fault is why a launch stopped.
type Fault struct {
	Kind    Kind
	Line    int // 1-based, in the PTX text; 0 for Budget
	Other   int // the line of the other access of a race or copy, or 0
	Entry   string
	Block   [3]int
	Thread  int    // in the block
	Address uint64 // of Bounds, Misaligned, and faults on shared memory
	Message string

	lane  int
	other int // instruction of the other access, or -1
}

func (f *Fault) Error() string {
	s := fmt.Sprintf("ptx line %d: %s: %s (block %d,%d,%d thread %d)", f.Line, f.Kind, f.Message, f.Block[0],
		f.Block[1], f.Block[2], f.Thread)
	if f.Other > 0 {
		s += fmt.Sprintf("; the other access is at line %d", f.Other)
	}
	return s
}

// faultAt is a fault of the first lane of mask.
func faultAt(k Kind, mask uint32, format string, args ...any) *Fault {
	return &Fault{Kind: k, Message: fmt.Sprintf(format, args...), lane: bits.TrailingZeros32(mask) & 31, other: -1}
}

func addressFault(k Kind, lane int, address uint64, format string, args ...any) *Fault {
	return &Fault{Kind: k, Message: fmt.Sprintf(format, args...), lane: lane, Address: address, other: -1}
}

// locate fills in what the instruction and the warp know.
func (w *warp) locate(f *Fault, in *inst) *Fault {
	f.Line = int(in.line)
	f.Entry = w.kernel.name
	f.Block = w.block.id
	f.Thread = w.id*warpSize + f.lane
	if f.other >= 0 {
		f.Other = int(w.kernel.code[f.other].line)
	}
	return f
}
