package triton

// Change is something that a release of Triton has and another has not, and that is no name, parameter or message:
// those have their lifetimes in the tables of packages tl and diag.
type Change uint8

// The changes, by where they are noticed: syntax, constexprs and tuples, aggregates, types, values. Each with the pull
// request of Triton that made it; the page compiler/VERSIONS.md has these words.
const (
	NamedExpr           Change = iota // #10322: `name := value` in an expression
	RememberedConstexpr               // #10322: `x: tl.constexpr` without a value binds the next assignment
	VarArgs                           // #9863: `*args` as a parameter
	StarredConstexpr                  // #9863: `f(*t)` of a tuple that is a constexpr
	ComprehensionIf                   // #10888: `if` in a list comprehension
	UnpackArity                       // #11053: unpacking counts the values
	NestedTargets                     // #10322: a tuple of targets in a tuple of targets
	KeywordOnly                       // #11418, not read: parameters that are passed by name only
	IntegerWhile                      // #11234: an integer as the condition of `while`

	ConstexprReturns // #8785: a constexpr that a function returns stays one
	ConstexprTuples  // #10451: a tuple passed to a constexpr parameter is a tuple of constexprs

	AggregateInit      // #9424: aggregates without `__init__`, with defaults, inherited fields and annotations in quotes
	AggregateOperators // #10990: unary operators, and those that the right operand has the method of, call the methods of aggregates

	DotFollowsAcc  // #10353: tl.dot takes its out_dtype from acc
	ScaledBatch    // #9000: tl.dot_scaled of batches
	ScaledFactor   // #9561: tl.dot_scaled takes the size of a group from the shapes
	Float8Division // #10883: `/` and `%` of fp8 give fp32
	HistogramInt32 // #10891: tl.histogram takes 32-bit integers alone
	BooleanMask    // #10069: the mask of an atomic must be boolean
	MemberDType    // #11218: x.exp() and x.sqrt() check the dtype, as tl.exp(x) does

	SignedZero      // #10270: `-x` of 0.0 is -0.0
	IEEEDivision    // #10074: tl.fdiv honours ieee_rounding
	NegativeDim     // #10892: tl.squeeze and tl.unsqueeze count a negative dim from the end
	CatReorders     // #11293: tl.cat with can_reorder=True may reorder
	CatKeepsOrder   // #9312: tl.cat with can_reorder=False
	SoftmaxDim      // #11409, not read: tl.softmax normalizes along any dim without keep_dims
	TopKOne         // #10952: tl.topk of one element
	FlipLastDim     // #10819: tl.flip without a dim
	Int16Offsets    // #10163: int16 offsets of desc.gather and desc.scatter
	BlockStoreCasts // #9668: a store through a block pointer converts the value
	DescriptorWords // #10833: messages no longer call tensor descriptors block pointers
	Float8Constants // #8882: constants of fp8
	LoadStreaming   // #9936: cache_modifier=".cs" of tl.load
	BuiltinExtremes // #8785: the builtins min and max of tiles warn

	NumChanges
)

// changes are the versions that each of them holds in.
var changes = [NumChanges]Lifetime{
	NamedExpr:           {Since: V38},
	RememberedConstexpr: {Since: V38},
	VarArgs:             {Since: V38},
	StarredConstexpr:    {Since: V38},
	ComprehensionIf:     {Since: V39},
	UnpackArity:         {Since: V39},
	NestedTargets:       {Since: V38},
	KeywordOnly:         {Since: V39},
	IntegerWhile:        {Since: V39},
	ConstexprReturns:    {Since: V37},
	ConstexprTuples:     {Since: V38},
	AggregateInit:       {Since: V38},
	AggregateOperators:  {Since: V39},
	DotFollowsAcc:       {Since: V38},
	ScaledBatch:         {Since: V37},
	ScaledFactor:        {Since: V38},
	Float8Division:      {Since: V39},
	HistogramInt32:      {Since: V39},
	BooleanMask:         {Since: V38},
	MemberDType:         {Since: V39},
	SignedZero:          {Since: V38},
	IEEEDivision:        {Since: V38},
	NegativeDim:         {Since: V39},
	CatReorders:         {Until: V39},
	CatKeepsOrder:       {Since: V37},
	SoftmaxDim:          {Since: V39},
	TopKOne:             {Since: V39},
	FlipLastDim:         {Since: V39},
	Int16Offsets:        {Since: V38},
	BlockStoreCasts:     {Since: V38},
	DescriptorWords:     {Since: V39},
	Float8Constants:     {Since: V37},
	LoadStreaming:       {Since: V38},
	BuiltinExtremes:     {Since: V37},
}
