package inline

import "sync/atomic"

// Assembler checks a text whose operands are $0, $1, … in registers of the given types, such as b32 and pred.
type Assembler func(text string, registers []string) (Text, *Error)

// Text is a text that an Assembler has checked. It is not changed once made.
type Text interface {
	// Len is the number of instructions.
	Len() int
	// FrameBytes is about the memory of a frame.
	FrameBytes() int64
	// Version is the least PTX version, times ten, in which a target has the instructions; missing is one that the
	// target does not have.
	Version(target string) (version int, missing string)
	// Print writes the text, a line for each statement, with the given names for the operands.
	Print(operands []string) []string
	// NewFrame makes a frame. A frame is for one goroutine.
	NewFrame() Frame
}

// Frame runs a text on many lanes at a time.
type Frame interface {
	// Operand is the register of operand n, which the caller may write before Run and read after it.
	Operand(n int) *Lanes
	Run()
}

// Lanes is one register's bits in each lane, zero-extended; a predicate's are 0 or 1.
type Lanes [32]uint64

var (
	assembler Assembler
	missed    atomic.Bool
)

// Register sets the program's assembler. It is called from the init function of a package that has one, as with
// crypto.RegisterHash, so that a program without that package does not link an assembler.
func Register(a Assembler) { assembler = a }

// Missed reports whether a text has been refused since the last call because the program has no assembler.
func Missed() bool { return missed.Swap(false) }

func assemble(text string, registers []string) (Text, *Error) {
	if assembler == nil {
		missed.Store(true)
		return nil, &Error{noAssembler, []any{"no assembler of PTX is linked"}}
	}
	return assembler(text, registers)
}
