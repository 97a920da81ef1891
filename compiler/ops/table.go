package ops

import "github.com/newtlab/newt/compiler/num"

// Op is an operation; it indexes the table.
type Op uint8

// The operations.
const (
	Invalid Op = iota

	// Values from nothing.
	Const
	ProgramID
	NumPrograms
	Arange

	// Shapes.
	Splat
	ExpandDims
	Broadcast
	Reshape
	Trans
	Join
	Split

	// Elementwise, two operands of one type.
	Add
	Sub
	Mul
	Div
	DivRN
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Min
	Max
	UMulHi
	Eq
	Ne
	Lt
	Le
	Gt
	Ge

	// Elementwise, one operand.
	Neg
	Not
	Abs
	Exp
	Exp2
	Log
	Log2
	Sin
	Cos
	Sqrt
	SqrtRN
	Rsqrt
	Erf
	Floor
	Ceil

	// Elementwise, three operands.
	FMA
	Select

	// Types.
	Cast
	Bitcast

	// Inline assembly.
	InlineAsm
	InlineAsmVolatile

	// Memory.
	AddPtr
	PtrDiff
	IntToPtr
	PtrToInt
	Load
	Store
	AtomicRMW
	AtomicCAS
	AtomicLoad
	AtomicStore

	// Whole tiles.
	Dot
	Reduce
	Scan
	Gather
	Histogram

	// Facts and effects.
	Hint
	Assume
	Barrier
	Print
	Assert

	// Control.
	If
	For
	While
	Yield
	Condition
	Return

	// What placement adds for the threads of a GPU.
	ConvertLayout
	Uniform
	LocalAlloc
	MemDescIndex
	MemDescTrans
	LocalStore
	LocalLoad
	AsyncCopy
	AsyncCommit
	AsyncWait
	MbarrierInit
	MbarrierExpect
	MbarrierWait
	MbarrierInval
	TMALoad
	FenceAsync
	WGMMA
	WGMMAWait
	WarpgroupID
	NamedBarrierArrive
	NamedBarrierWait

	N // how many there are
)

var (
	axis     = Attr{Name: "axis", Kind: IntAttr}
	shape    = Attr{Name: "shape", Kind: IntsAttr}
	nan      = Attr{Name: "propagate_nan", Kind: BoolAttr, Optional: true}
	cache    = Attr{Name: "cache", Kind: EnumAttr, Enum: []string{"", "ca", "cg", "cs", "cv", "wb", "wt"}, Optional: true}
	evict    = Attr{Name: "eviction", Kind: EnumAttr, Enum: []string{"", "evict_first", "evict_last"}, Optional: true}
	volatile = Attr{Name: "volatile", Kind: BoolAttr, Optional: true}
	// silent is of a load that is made again elsewhere, where what is out of bounds is reported.
	silent    = Attr{Name: "silent", Kind: BoolAttr, Optional: true, Placed: true}
	sem       = Attr{Name: "sem", Kind: EnumAttr, Enum: []string{"acq_rel", "relaxed", "acquire", "release"}}
	combine   = []string{"combine"}
	inlineAsm = []Attr{
		{Name: "text", Kind: StringAttr}, {Name: "constraints", Kind: StringAttr}, {Name: "results", Kind: StringAttr},
		{Name: "pack", Kind: IntAttr},
	}
	pending = Attr{Name: "pending", Kind: IntAttr, Optional: true}
	scope   = Attr{Name: "scope", Kind: EnumAttr, Enum: []string{"gpu", "cta", "sys"}}
)

var table = [N]Def{
	Invalid: {Name: "invalid"},

	Const: {
		Name: "const", Wire: 1,
		Sig:    "() -> ...",
		Attrs:  []Attr{{Name: "value", Kind: ScalarAttr}, {Name: "shape", Kind: IntsAttr, Optional: true}},
		Traits: Pure,
		Why:    "the same value in every element",
	},
	ProgramID: {
		Name: "program_id", Wire: 2,
		Sig:    "() -> i32",
		Attrs:  []Attr{axis},
		Traits: Pure,
		Why:    "this program's index along a grid axis",
	},
	NumPrograms: {
		Name: "num_programs", Wire: 3,
		Sig:    "() -> i32",
		Attrs:  []Attr{axis},
		Traits: Pure,
		Why:    "the grid's size along an axis",
	},
	Arange: {
		Name: "arange", Wire: 4,
		Sig:    "() -> ...",
		Attrs:  []Attr{{Name: "start", Kind: IntAttr}, {Name: "end", Kind: IntAttr}},
		Traits: Pure,
		Why:    "start, start+1, …, end-1 as i32",
	},

	Splat: {
		Name: "splat", Wire: 5,
		Sig:    "(x: E) -> ...",
		Attrs:  []Attr{shape},
		Traits: Pure,
		Why:    "a scalar repeated over a shape",
	},
	ExpandDims: {
		Name: "expand_dims", Wire: 6,
		Sig:    "(x: E[S]) -> ...",
		Attrs:  []Attr{axis},
		Traits: Pure,
		Why:    "a new dimension of size 1",
	},
	Broadcast: {
		Name: "broadcast", Wire: 7,
		Sig:    "(x: E[S]) -> ...",
		Attrs:  []Attr{shape},
		Traits: Pure,
		Why:    "dimensions of size 1 repeated; the rank stays",
	},
	Reshape: {
		Name: "reshape", Wire: 8,
		Sig:    "(x: E[S]) -> ...",
		Attrs:  []Attr{shape},
		Traits: Pure,
		Why:    "the same elements in row-major order under another shape",
	},
	Trans: {
		Name: "trans", Wire: 9,
		Sig:    "(x: E[S]) -> ...",
		Attrs:  []Attr{{Name: "perm", Kind: IntsAttr}},
		Traits: Pure,
		Why:    "result dimension i is operand dimension perm[i]",
	},
	Join: {
		Name: "join", Wire: 10,
		Sig:    "(x: E[S], y: E[S]) -> ...",
		Traits: Pure,
		Why:    "two tiles side by side in a new last dimension of size 2",
	},
	Split: {Name: "split", Wire: 11, Sig: "(x: E[S]) -> ...", Traits: Pure, Why: "undoes join: two results"},

	Add: {Name: "add", Wire: 12, Arith: binary(num.Add), Elem: Num, Traits: Commutative, Why: "sum; integers wrap"},
	Sub: {Name: "sub", Wire: 13, Arith: binary(num.Sub), Elem: Num, Why: "difference; integers wrap"},
	Mul: {
		Name: "mul", Wire: 14, Arith: binary(num.Mul), Elem: Num, Traits: Commutative,
		Why: "product; integers wrap",
	},
	Div: {
		Name: "div", Wire: 15, Arith: binary(num.Div), Elem: Num,
		Why: "quotient; integers truncate toward zero, floats may be a few ulps off",
	},
	DivRN: {Name: "div_rn", Wire: 16, Arith: binary(num.DivRN), Elem: Float, Why: "quotient rounded to nearest"},
	Rem:   {Name: "rem", Wire: 17, Arith: binary(num.Rem), Elem: Num, Why: "remainder with the sign of the dividend"},
	And:   {Name: "and", Wire: 18, Arith: binary(num.And), Elem: Int, Traits: Commutative, Why: "bitwise and"},
	Or:    {Name: "or", Wire: 19, Arith: binary(num.Or), Elem: Int, Traits: Commutative, Why: "bitwise or"},
	Xor: {
		Name: "xor", Wire: 20, Arith: binary(num.Xor), Elem: Int, Traits: Commutative,
		Why: "bitwise exclusive or",
	},
	Shl: {Name: "shl", Wire: 21, Arith: binary(num.Shl), Elem: Int, Why: "shift left"},
	Shr: {
		Name: "shr", Wire: 22, Arith: binary(num.Shr), Elem: Int,
		Why: "shift right, arithmetic where the type is signed",
	},
	Min: {
		Name: "min", Wire: 23, Arith: binaryNaN(num.Min, num.MinNaN), Elem: Num,
		Attrs: []Attr{nan}, Traits: Commutative,
		Why: "the smaller; a NaN loses unless propagate_nan",
	},
	Max: {
		Name: "max", Wire: 24, Arith: binaryNaN(num.Max, num.MaxNaN), Elem: Num,
		Attrs: []Attr{nan}, Traits: Commutative,
		Why: "the larger; a NaN loses unless propagate_nan",
	},
	UMulHi: {
		Name: "umulhi", Wire: 25, Arith: binary(num.UMulHi), Elem: WideInt, Traits: Commutative,
		Why: "upper half of the unsigned product",
	},
	Eq: {
		Name: "eq", Wire: 26, Arith: comparison(num.Eq), Elem: AnyElem, Traits: Commutative,
		Why: "equal; false for NaN",
	},
	Ne: {
		Name: "ne", Wire: 27, Arith: comparison(num.Ne), Elem: AnyElem, Traits: Commutative,
		Why: "not equal; true for NaN",
	},
	Lt: {Name: "lt", Wire: 28, Arith: comparison(num.Lt), Elem: AnyElem, Why: "less"},
	Le: {Name: "le", Wire: 29, Arith: comparison(num.Le), Elem: AnyElem, Why: "less or equal"},
	Gt: {Name: "gt", Wire: 30, Arith: comparison(num.Gt), Elem: AnyElem, Why: "greater"},
	Ge: {Name: "ge", Wire: 31, Arith: comparison(num.Ge), Elem: AnyElem, Why: "greater or equal"},

	Neg:  {Name: "neg", Wire: 32, Arith: unary(num.Neg), Elem: Num, Why: "negated"},
	Not:  {Name: "not", Wire: 33, Arith: unary(num.Not), Elem: Int, Why: "bitwise complement"},
	Abs:  {Name: "abs", Wire: 34, Arith: unary(num.Abs), Elem: Num, Why: "absolute value"},
	Exp:  {Name: "exp", Wire: 35, Arith: unary(num.Exp), Elem: Float, Traits: Inexact, Why: "e to the x"},
	Exp2: {Name: "exp2", Wire: 36, Arith: unary(num.Exp2), Elem: Float, Traits: Inexact, Why: "2 to the x"},
	Log:  {Name: "log", Wire: 37, Arith: unary(num.Log), Elem: Float, Traits: Inexact, Why: "natural logarithm"},
	Log2: {Name: "log2", Wire: 38, Arith: unary(num.Log2), Elem: Float, Traits: Inexact, Why: "logarithm to base 2"},
	Sin:  {Name: "sin", Wire: 39, Arith: unary(num.Sin), Elem: Float, Traits: Inexact, Why: "sine"},
	Cos:  {Name: "cos", Wire: 40, Arith: unary(num.Cos), Elem: Float, Traits: Inexact, Why: "cosine"},
	Sqrt: {
		Name: "sqrt", Wire: 41, Arith: unary(num.Sqrt), Elem: Float, Traits: Inexact,
		Why: "square root, a few ulps",
	},
	SqrtRN: {
		Name: "sqrt_rn", Wire: 42, Arith: unary(num.SqrtRN), Elem: Float,
		Why: "square root rounded to nearest",
	},
	Rsqrt: {Name: "rsqrt", Wire: 43, Arith: unary(num.Rsqrt), Elem: Float, Traits: Inexact, Why: "1 / square root"},
	Erf:   {Name: "erf", Wire: 44, Arith: unary(num.Erf), Elem: Float, Traits: Inexact, Why: "error function"},
	Floor: {Name: "floor", Wire: 45, Arith: unary(num.Floor), Elem: Float, Why: "rounded down"},
	Ceil:  {Name: "ceil", Wire: 46, Arith: unary(num.Ceil), Elem: Float, Why: "rounded up"},

	FMA: {
		Name: "fma", Wire: 47,
		Sig: "(x: E[S], y: E[S], z: E[S]) -> E[S]", Arith: Arith{Class: Ternary}, Elem: Float,
		Why: "x·y + z, rounded once",
	},
	Select: {
		Name: "select", Wire: 48,
		Sig: "(cond: i1[S], x: E[S], y: E[S]) -> E[S]", Arith: Arith{Class: Ternary}, Elem: AnyElem,
		Why: "x where cond holds, else y",
	},

	Cast: {
		Name: "cast", Wire: 49,
		Sig:    "(x: E[S]) -> ...",
		Elem:   Num,
		Attrs:  []Attr{{Name: "to", Kind: EnumAttr, Enum: dtypeNames()}, {Name: "rounding", Kind: EnumAttr, Enum: []string{"rtne", "rtz"}, Optional: true}},
		Traits: Pure | Elementwise,
		Why:    "converted to another dtype",
	},
	Bitcast: {
		Name: "bitcast", Wire: 50,
		Sig:    "(x: E[S]) -> ...",
		Attrs:  []Attr{{Name: "to", Kind: EnumAttr, Enum: dtypeNames()}},
		Traits: Pure | Elementwise,
		Why:    "the same bits as another dtype of the same width; a pointer stays a pointer",
	},

	InlineAsm: {
		Name: "inline_asm", Wire: 73,
		Sig:    "(...) -> ...",
		Elem:   Num,
		Attrs:  inlineAsm,
		Traits: Pure | Elementwise,
		Why:    "PTX instructions run on groups of pack elements, as package inline describes",
	},
	InlineAsmVolatile: {
		Name: "inline_asm_volatile", Wire: 75,
		Sig:    "(...) -> ...",
		Elem:   Num,
		Attrs:  inlineAsm,
		Traits: Effect | Elementwise,
		Why:    "inline_asm whose results may differ each time, such as a clock: it is neither removed nor merged",
	},

	AddPtr: {
		Name: "addptr", Wire: 51,
		Sig:    "(ptr: *E[S], offset: I[S]) -> *E[S]",
		Traits: Pure | Elementwise,
		Why:    "pointer moved by an integer number of elements",
	},
	PtrDiff: {
		Name: "ptrdiff", Wire: 52,
		Sig:    "(x: *E[S], y: *E[S]) -> i64[S]",
		Traits: Pure | Elementwise,
		Why:    "distance in elements of two pointers into one argument",
	},
	IntToPtr: {
		Name: "inttoptr", Wire: 74,
		Sig:    "(address: i64[S]) -> ...",
		Attrs:  []Attr{{Name: "to", Kind: EnumAttr, Enum: dtypeNames()}},
		Traits: Pure | Elementwise,
		Why:    "pointer to an address in the memory that the launch says may be reached; outside of it, to nothing",
	},
	PtrToInt: {
		Name: "ptrtoint", Wire: 76,
		Sig:    "(ptr: *E[S]) -> i64[S]",
		Traits: Pure | Elementwise,
		Why:    "address of a pointer's element, as the launch says where the tensor's memory begins",
	},
	Load: {
		Name: "load", Wire: 53,
		Sig:    "(ptr: *E[S], mask?: i1[S], other?: E[S]) -> E[S]",
		Attrs:  []Attr{cache, evict, volatile, silent},
		Traits: Reads | Elementwise,
		Why:    "reads memory; lanes that the mask leaves out get other, or are undefined",
	},
	Store: {
		Name: "store", Wire: 54,
		Sig:    "(ptr: *E[S], value: E[S], mask?: i1[S]) -> ()",
		Attrs:  []Attr{cache, evict},
		Traits: Writes | Elementwise,
		Why:    "writes memory where the mask allows",
	},
	AtomicRMW: {
		Name: "atomic_rmw", Wire: 55,
		Sig:    "(ptr: *E[S], value: E[S], mask?: i1[S]) -> E[S]",
		Attrs:  []Attr{{Name: "rmw", Kind: EnumAttr, Enum: []string{"add", "max", "min", "and", "or", "xor", "xchg"}}, sem, scope},
		Traits: Atomic | Reads | Writes | Elementwise | Exchanges,
		Why:    "reads, combines, writes as one step; gives the old value",
	},
	AtomicCAS: {
		Name: "atomic_cas", Wire: 56,
		Sig:    "(ptr: *E[S], cmp: E[S], value: E[S]) -> E[S]",
		Attrs:  []Attr{sem, scope},
		Traits: Atomic | Reads | Writes | Elementwise | Exchanges,
		Why:    "writes value where memory equals cmp; gives the old value",
	},
	AtomicLoad: {
		Name: "atomic_load", Wire: 77,
		Sig:    "(ptr: *E[S], mask?: i1[S]) -> E[S]",
		Attrs:  []Attr{{Name: "sem", Kind: EnumAttr, Enum: []string{"acquire", "relaxed"}}, scope},
		Traits: Atomic | Reads | Writes | Elementwise | Exchanges, // no access may be moved across an acquire
		Why:    "reads what one store has written, or an acquire reads from a release",
	},
	AtomicStore: {
		Name: "atomic_store", Wire: 78,
		Sig:    "(ptr: *E[S], value: E[S], mask?: i1[S]) -> ()",
		Attrs:  []Attr{{Name: "sem", Kind: EnumAttr, Enum: []string{"release", "relaxed"}}, scope},
		Traits: Atomic | Reads | Writes | Elementwise,
		Why:    "writes as one step",
	},

	Dot: {
		Name: "dot", Wire: 57,
		Sig:    "(a: &?A[M, K], b: &?B[K, N], acc: R[M, N]) -> R[M, N] | (a: &?A[P, M, K], b: &?B[P, K, N], acc: R[P, M, N]) -> R[P, M, N]",
		Attrs:  []Attr{{Name: "input_precision", Kind: EnumAttr, Enum: []string{"tf32", "tf32x3", "ieee", "bf16x3", "bf16x6"}}},
		Traits: Pure | WholeTile,
		Why:    "matrix product added to acc; floats or integers throughout",
	},
	Reduce: {
		Name: "reduce", Wire: 58,
		Sig:     "(x: E[S], ...) -> ...",
		Elem:    Num,
		Regions: combine,
		Attrs:   []Attr{axis},
		Traits:  Pure | Structured | WholeTile | Exchanges,
		Why:     "tiles of one shape combined along an axis by the region, which takes two groups of scalars and yields one",
	},
	Scan: {
		Name: "scan", Wire: 59,
		Sig:     "(x: E[S], ...) -> ...",
		Elem:    Num,
		Regions: combine,
		Attrs:   []Attr{axis, {Name: "reverse", Kind: BoolAttr, Optional: true}},
		Traits:  Pure | Structured | WholeTile | Exchanges,
		Why:     "running combination along an axis",
	},
	Gather: {
		Name: "gather", Wire: 60,
		Sig:    "(src: E[S], index: I[T]) -> E[T]",
		Attrs:  []Attr{axis},
		Traits: Pure | WholeTile | Exchanges,
		Why:    "elements picked along an axis; the other dimensions agree. An index outside the axis gives an undefined element",
	},
	Histogram: {
		Name: "histogram", Wire: 61,
		Sig:    "(x: i32[N], mask?: i1[N]) -> ...",
		Attrs:  []Attr{{Name: "num_bins", Kind: IntAttr}},
		Traits: Pure | WholeTile | Exchanges,
		Why:    "how often each of 0 … num_bins-1 occurs; other values are not counted",
	},

	Hint: {
		Name: "hint", Wire: 62,
		Sig:    "(x: E[S]) -> E[S]",
		Attrs:  []Attr{{Name: "divisibility", Kind: IntsAttr, Optional: true}, {Name: "contiguity", Kind: IntsAttr, Optional: true}, {Name: "constancy", Kind: IntsAttr, Optional: true}},
		Traits: Pure | Elementwise,
		Why:    "its operand, with facts that the author vouches for",
	},
	Assume: {
		Name: "assume", Wire: 63,
		Sig:    "(cond: i1) -> ()",
		Traits: Effect,
		Why:    "the author vouches that cond holds",
	},
	Barrier: {
		Name: "barrier", Wire: 64,
		Sig:    "() -> ()",
		Traits: Effect | Reads | Writes,
		Why:    "all threads of the program wait for each other",
	},
	Print: {
		Name: "print", Wire: 65,
		Sig:    "(...) -> ()",
		Attrs:  []Attr{{Name: "text", Kind: StringAttr}, {Name: "style", Kind: EnumAttr, Enum: []string{"device", "python", "call"}}, {Name: "hex", Kind: BoolAttr, Optional: true}},
		Traits: Effect | Exchanges,
		Why:    "prints text; each {} in it stands for an operand, {{ for a brace",
	},
	Assert: {
		Name: "assert", Wire: 66,
		Sig:    "(cond: i1[S]) -> ()",
		Attrs:  []Attr{{Name: "message", Kind: StringAttr}},
		Traits: Effect,
		Why:    "stops the program where an element of cond is false",
	},

	If: {
		Name: "if", Wire: 67,
		Sig:     "(cond: i1) -> ...",
		Regions: []string{"then", "else"},
		Traits:  Structured,
		Why:     "the region that cond picks yields the results",
	},
	For: {
		Name: "for", Wire: 68,
		Sig:     "(lower: I, upper: I, step: I, ...) -> ...",
		Regions: []string{"do"},
		Attrs:   []Attr{{Name: "num_stages", Kind: IntAttr, Optional: true}},
		Traits:  Structured,
		Why:     "lower, upper, step, then the carried values: the region takes the index and the carried values and yields the next ones. It runs while index < upper, and never where step < 1",
	},
	While: {
		Name: "while", Wire: 69,
		Sig:     "(...) -> ...",
		Regions: []string{"cond", "do"},
		Traits:  Structured,
		Why:     "region cond takes the carried values and ends in condition, whose values go to region do, which yields the next ones, or are the results",
	},
	Yield: {
		Name: "yield", Wire: 70,
		Sig:    "(...) -> ()",
		Traits: Terminator,
		Why:    "the values that a region hands back",
	},
	Condition: {
		Name: "condition", Wire: 71,
		Sig:    "(cond: i1, ...) -> ()",
		Traits: Terminator,
		Why:    "ends region cond of while",
	},
	Return: {Name: "return", Wire: 72, Sig: "() -> ()", Traits: Terminator, Why: "ends the kernel"},

	ConvertLayout: {
		Name:   "convert_layout",
		Sig:    "(x: E[S]) -> E[S]",
		Traits: Pure | Placed | Exchanges,
		Why:    "its operand, in the layout of the result",
	},
	Uniform: {
		Name:   "uniform",
		Sig:    "(x: E) -> E",
		Traits: Pure | Placed | Exchanges,
		Why:    "its operand as thread 0 has it, in all threads",
	},
	LocalAlloc: {
		Name: "local_alloc",
		Sig:  "(value?: E[S]) -> ...",
		Attrs: []Attr{
			{Name: "dtype", Kind: EnumAttr, Enum: dtypeNames(), Optional: true}, {Name: "shape", Kind: IntsAttr, Optional: true},
			{Name: "buffers", Kind: IntAttr, Optional: true}, {Name: "bytes", Kind: IntAttr, Optional: true},
			{Name: "per_warp", Kind: BoolAttr, Optional: true}, {Name: "offsets", Kind: IntsAttr, Optional: true},
		},
		Traits: Effect | WritesShared | Placed,
		Why:    "shared memory in the layout of the result: for value, which is stored there, or for as many tiles of dtype and shape as buffers says, or one; what has no shape is an mbarrier. Or scratch memory of so many bytes, of which, per_warp, each warp has a part of its own. offsets says where in the program's shared memory each tile begins, in bytes",
	},
	MemDescIndex: {
		Name:   "memdesc_index",
		Sig:    "(buffers: &E[S], index: i32) -> ...",
		Traits: Pure | Placed,
		Why:    "one of several tiles in shared memory",
	},
	MemDescTrans: {
		Name:   "memdesc_trans",
		Sig:    "(x: &E[S]) -> ...",
		Attrs:  []Attr{{Name: "perm", Kind: IntsAttr}},
		Traits: Pure | Placed,
		Why:    "the same memory seen as a tile whose dimension i is dimension perm[i]",
	},
	LocalStore: {
		Name:   "local_store",
		Sig:    "(value: E[S], to: &E[S]) -> ()",
		Traits: WritesShared | Placed,
		Why:    "writes a tile to shared memory; one of the threads that hold an element does",
	},
	LocalLoad: {
		Name:   "local_load",
		Sig:    "(from: &E[S]) -> E[S]",
		Traits: ReadsShared | Placed,
		Why:    "reads a tile from shared memory in the layout of the result",
	},
	AsyncCopy: {
		Name:   "async_copy",
		Sig:    "(ptr: *E[S], to: &E[S], mask?: i1[S], pred?: i1) -> ()",
		Traits: Reads | WritesShared | Elementwise | Placed,
		Why:    "begins to copy a tile from memory to shared memory (cp.async), zeros where the mask leaves elements out, or everywhere if pred is false",
	},
	AsyncCommit: {
		Name:   "async_commit",
		Sig:    "() -> ()",
		Traits: Effect | Placed,
		Why:    "makes a group of the thread's copies since the last one",
	},
	AsyncWait: {
		Name:   "async_wait",
		Sig:    "() -> ()",
		Attrs:  []Attr{pending},
		Traits: Effect | WritesShared | Placed,
		Why:    "waits until all but the last pending groups of the thread's copies are complete; a barrier then tells the others",
	},
	MbarrierInit: {
		Name:   "mbarrier_init",
		Sig:    "(bar: &i64) -> ()",
		Traits: Effect | WritesShared | Placed,
		Why:    "makes mbarriers ready for phases of one arrival",
	},
	MbarrierExpect: {
		Name:   "mbarrier_expect",
		Sig:    "(bar: &i64, pred?: i1) -> ()",
		Attrs:  []Attr{{Name: "bytes", Kind: IntAttr}},
		Traits: Effect | WritesShared | Placed,
		Why:    "arrives, unless pred is false, for the one thread that issues copies: the phase ends when they have written so many bytes",
	},
	MbarrierWait: {
		Name:   "mbarrier_wait",
		Sig:    "(bar: &i64, phase: i32) -> ()",
		Traits: Effect | ReadsShared | Placed,
		Why:    "waits for the end of the phase whose parity is given; what its copies wrote is then there for this thread",
	},
	MbarrierInval: {
		Name:   "mbarrier_inval",
		Sig:    "(bar: &i64) -> ()",
		Traits: Effect | WritesShared | Placed,
		Why:    "ends the use of mbarriers, whose memory may then hold something else",
	},
	TMALoad: {
		Name:   "tma_load",
		Sig:    "(ptr: *E[S], to: &E[S], bar: &i64, mask?: i1[S], pred?: i1) -> ()",
		Traits: Reads | WritesShared | Placed,
		Why:    "begins to copy a tile that is a box of a matrix to shared memory (cp.async.bulk.tensor), as one thread for all, unless pred is false; the mbarrier counts its bytes",
	},
	FenceAsync: {
		Name:   "fence_async",
		Sig:    "() -> ()",
		Attrs:  []Attr{{Name: "global", Kind: BoolAttr, Optional: true}},
		Traits: Effect | Placed,
		Why:    "what the thread has written to shared memory, or to all memory, is there for wgmma and tensor copies (fence.proxy.async)",
	},
	WGMMA: {
		Name:   "wgmma",
		Sig:    "(a: &?A[M, K], b: &?B[K, N], acc: R[M, N], use_acc?: i1) -> R[M, N]",
		Traits: Effect | ReadsShared | Placed | WholeTile,
		Why:    "issues a matrix product added to acc, or without acc where use_acc is false, as one group (wgmma.mma_async), one operand being in shared memory; the result is there after wgmma_wait, until when neither acc nor the operands may change",
	},
	WGMMAWait: {
		Name:   "wgmma_wait",
		Sig:    "(...) -> ...",
		Attrs:  []Attr{pending},
		Traits: Effect | Placed,
		Why:    "waits until all but the last pending groups of wgmma are complete, and gives back its operands, results of theirs",
	},
	WarpgroupID: {
		Name:   "warpgroup_id",
		Sig:    "() -> i32",
		Traits: Pure | Placed,
		Why:    "the number of the thread's warpgroup, of four warps",
	},
	NamedBarrierArrive: {
		Name:   "named_barrier_arrive",
		Sig:    "(id: i32, pred?: i1) -> ()",
		Attrs:  []Attr{{Name: "threads", Kind: IntAttr}},
		Traits: Effect | Placed,
		Why:    "the warp arrives at a barrier for so many threads, unless pred is false, and goes on (bar.arrive)",
	},
	NamedBarrierWait: {
		Name:   "named_barrier_wait",
		Sig:    "(id: i32, pred?: i1) -> ()",
		Attrs:  []Attr{{Name: "threads", Kind: IntAttr}},
		Traits: Effect | Placed,
		Why:    "the warp arrives at a barrier for so many threads, unless pred is false, and waits until all have (bar.sync)",
	},
}
