package triton

// Change is something that a release of Triton has and another has not, and that is no name, parameter or message:
// those have their lifetimes in the tables of packages tl and diag.
type Change uint8

// The changes, by where they are noticed: syntax, constexprs and tuples, aggregates, types, values.
const (
	NamedExpr Change = iota
	RememberedConstexpr
	VarArgs
	StarredConstexpr
	ComprehensionIf
	UnpackArity
	KeywordOnly
	IntegerWhile

	ConstexprReturns
	ConstexprTuples

	AggregateInit
	AggregateMutable
	AggregateOperators

	DotFollowsAcc
	ScaledBatch
	ScaledFactor
	Float8Division
	HistogramInt32
	BooleanMask
	MemberDType

	SignedZero
	IEEEDivision
	NegativeDim
	CatReorders
	CatKeepsOrder
	SoftmaxDim
	TopKOne
	FlipLastDim
	Int16Offsets
	LoadStreaming

	numChanges
)

// Row is what the table says of a change.
type Row struct {
	Key    string // as documents name it
	Source string // the pull request of Triton that made it
	Lifetime
}

func since(v Version, source, key string) Row { return Row{key, source, Lifetime{Since: v}} }
func until(v Version, source, key string) Row { return Row{key, source, Lifetime{Until: v}} }

var changes = [numChanges]Row{
	NamedExpr:           since(V38, "#10322", "`name := value` in an expression"),
	RememberedConstexpr: since(V38, "#10322", "`x: tl.constexpr` without a value binds the next assignment"),
	VarArgs:             since(V38, "#9863", "`*args` as a parameter"),
	StarredConstexpr:    since(V38, "#9863", "`f(*t)` of a tuple that is a constexpr"),
	ComprehensionIf:     since(V39, "#10888", "`if` in a list comprehension"),
	UnpackArity:         since(V39, "#11053", "unpacking counts the values"),
	KeywordOnly:         since(V39, "#11418", "parameters that are passed by name only"),
	IntegerWhile:        since(V39, "#11234", "an integer as the condition of `while`"),

	ConstexprReturns: since(V37, "#8785", "a constexpr that a function returns stays one"),
	ConstexprTuples:  since(V38, "#10451", "a tuple passed to a constexpr parameter is a tuple of constexprs"),

	AggregateInit:      since(V38, "#9424", "aggregates without `__init__`, with defaults and inherited fields"),
	AggregateMutable:   until(V38, "#9572", "fields of an aggregate are assigned after construction"),
	AggregateOperators: since(V39, "#10990", "operators call the methods of aggregates"),

	DotFollowsAcc:  since(V38, "#10353", "tl.dot takes its out_dtype from acc"),
	ScaledBatch:    since(V37, "#9000", "tl.dot_scaled of batches"),
	ScaledFactor:   since(V38, "#9561", "tl.dot_scaled takes the size of a group from the shapes"),
	Float8Division: since(V39, "#10883", "`/` and `%` of fp8 give fp32"),
	HistogramInt32: since(V39, "#10891", "tl.histogram takes 32-bit integers alone"),
	BooleanMask:    since(V38, "#10069", "the mask of an atomic must be boolean"),
	MemberDType:    since(V39, "#11218", "x.exp() and the like check the dtype, as tl.exp(x) does"),

	SignedZero:    since(V38, "#10270", "`-x` of 0.0 is -0.0"),
	IEEEDivision:  since(V38, "#10074", "tl.fdiv honours ieee_rounding"),
	NegativeDim:   since(V39, "#10892", "tl.squeeze and tl.unsqueeze count a negative dim from the end"),
	CatReorders:   until(V39, "#11293", "tl.cat with can_reorder=True may reorder"),
	CatKeepsOrder: since(V37, "#9312", "tl.cat with can_reorder=False"),
	SoftmaxDim:    since(V39, "#11409", "tl.softmax normalizes along any dim without keep_dims"),
	TopKOne:       since(V39, "#10952", "tl.topk of one element"),
	FlipLastDim:   since(V39, "#10819", "tl.flip without a dim"),
	Int16Offsets:  since(V38, "#10163", "int16 offsets of desc.gather and desc.scatter"),
	LoadStreaming: since(V38, "#9936", "cache_modifier=\".cs\" of tl.load"),
}

// Changes lists what the table says of every change.
func Changes() []Row { return changes[:] }
