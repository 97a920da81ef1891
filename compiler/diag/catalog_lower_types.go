package diag

// typeEntries: dtypes and operators. The last argument of what the type rules refuse is Triton's
// own wording.
var typeEntries = []Entry{
	{
		Code:   "operand-types",
		Triton: "{1}",
		En: Message{
			Headline: "bitwise operators need integers, not {0}",
			Label:    "on floats",
			Why:      "& | ^ << >> operate on the bits of integers.",
			Help:     "Compare first, or convert with .to(tl.int32).",
		},
		Zh: Message{
			Headline: "位运算需要整数，不能用于 {0}",
			Label:    "用在了浮点数上",
			Why:      "& | ^ << >> 对整数的二进制位做运算。",
			Help:     "先做比较，或者用 .to(tl.int32) 转换。",
		},
	},
	{
		Code:   "floor-division-float",
		Triton: "{1}",
		En: Message{
			Headline: "`//` divides integers only, and this is {0}",
			Label:    "on floats",
			Why:      "Triton has no floor division for floats.",
			Help:     "Use `/`, and tl.floor on the result.",
		},
		Zh: Message{
			Headline: "`//` 只能用于整数，这里是 {0}",
			Label:    "用在了浮点数上",
			Why:      "Triton 没有浮点数的整除。",
			Help:     "用 `/`，再对结果用 tl.floor。",
		},
	},
	{
		Code:   "mixed-signedness",
		Triton: "{2}",
		En: Message{
			Headline: "{0} cannot be divided by {1}",
			Label:    "signed and unsigned",
			Why:      "Triton refuses to divide signed by unsigned integers, because the result is rarely the intended one.",
			Help:     "Convert one of them with .to(…).",
		},
		Zh: Message{
			Headline: "{0} 和 {1} 之间不能做除法",
			Label:    "一个有符号，一个无符号",
			Why:      "Triton 不允许有符号数与无符号数相除，因为结果往往不是想要的。",
			Help:     "用 .to(…) 转换其中一个。",
		},
	},
	{
		Code:   "negative-number-unsigned",
		Triton: "{0}",
		En: Message{
			Headline: "a negative number is used with an unsigned tensor",
			Label:    "cannot be converted to unsigned",
			Why:      "The number is converted to the dtype of the tensor, which has no negative values.",
			Help:     "Convert the tensor to a signed type.",
		},
		Zh: Message{
			Headline: "负数与无符号张量做运算",
			Label:    "无法表示成无符号数",
			Why:      "数会转换成张量的 dtype，而这种类型没有负值。",
			Help:     "把张量转换成有符号类型。",
		},
	},
	{
		Code:   "number-out-of-range",
		Triton: "{2}",
		En: Message{
			Headline: "{0} is out of the range of {1}",
			Label:    "does not fit",
			Why:      "The number is converted to the dtype of the tensor.",
			Help:     "Convert the tensor to a wider type.",
		},
		Zh: Message{
			Headline: "{0} 超出了 {1} 的范围",
			Label:    "放不下",
			Why:      "数会转换成张量的 dtype。",
			Help:     "把张量转换成更宽的类型。",
		},
	},
	{
		Code:   "number-too-large",
		Triton: "{1}",
		En: Message{
			Headline: "no integer type can hold {0}",
			Label:    "more than 64 bits",
			Why:      "Integers on the GPU have at most 64 bits.",
			Help:     "Use a float, or a smaller number.",
		},
		Zh: Message{
			Headline: "没有整数类型能容纳 {0}",
			Label:    "超过 64 位",
			Why:      "GPU 上的整数最多 64 位。",
			Help:     "改用浮点数，或者更小的数。",
		},
	},
	{
		Code:   "not-a-number",
		Triton: "{1}",
		En: Message{
			Headline: "{0} is not a number",
			Label:    "cannot be converted to a tensor",
			Why:      "Values on the GPU are numbers.",
			Help:     "Use a number.",
		},
		Zh: Message{
			Headline: "{0} 不是数",
			Label:    "不能转换成张量",
			Why:      "GPU 上的值都是数。",
			Help:     "改用数。",
		},
	},
	{
		Code: "number-wanted",
		En: Message{
			Headline: "expected a number or a tensor, and `{0}` is {1}",
			Label:    "not a number",
			Why:      "The operation works element by element on numbers.",
			Help:     "Pass a number or a tensor.",
		},
		Zh: Message{
			Headline: "这里需要数或张量，而 `{0}` 是 {1}",
			Label:    "不是数",
			Why:      "这个运算逐元素作用于数。",
			Help:     "传入数或张量。",
		},
	},
	{
		Code: "operand-kinds",
		En: Message{
			Headline: "`{0}` does not take {1} and {2}",
			Label:    "unsupported operands",
			Why:      "Operators work on numbers and tensors.",
			Help:     "Convert one of the operands.",
		},
		Zh: Message{
			Headline: "`{0}` 不接受 {1} 和 {2}",
			Label:    "不支持的操作数",
			Why:      "运算符作用于数和张量。",
			Help:     "转换其中一个操作数。",
		},
	},
	{
		Code: "operator-unsupported",
		En: Message{
			Headline: "tensors have no `{0}`",
			Label:    "not supported in Triton",
			Why:      "The matrix product of tiles is tl.dot.",
			Help:     "Write tl.dot(a, b).",
		},
		Zh: Message{
			Headline: "张量没有 `{0}` 运算",
			Label:    "Triton 不支持",
			Why:      "块的矩阵乘积是 tl.dot。",
			Help:     "写成 tl.dot(a, b)。",
		},
	},
	{
		Code:   "power",
		Triton: "'tensor' object has no attribute '__pow__'",
		En: Message{
			Headline: "tensors have no `**`",
			Label:    "only small constant powers are expanded",
			Why:      "Triton has no power of tensors.",
			Help:     "Use tl.exp2(y * tl.log2(x)), or write out the product.",
		},
		Zh: Message{
			Headline: "张量没有 `**` 运算",
			Label:    "只有小的常量指数会展开成乘积",
			Why:      "Triton 没有张量的乘方。",
			Help:     "用 tl.exp2(y * tl.log2(x))，或者写成乘积。",
		},
	},
	{
		Code: "unary-operand",
		En: Message{
			Headline: "`{0}` does not work on `{1}`, which is {2}",
			Label:    "not a number",
			Why:      "The operator works on numbers and tensors of numbers.",
			Help:     "Use a number or a tensor.",
		},
		Zh: Message{
			Headline: "`{0}` 不能用于 `{1}`，它是 {2}",
			Label:    "不是数",
			Why:      "这个运算符作用于数和由数组成的张量。",
			Help:     "改用数或张量。",
		},
	},
	{
		Code:   "dtype-unsupported",
		Triton: "{2}",
		En: Message{
			Headline: "this function takes {0}, not {1}",
			Label:    "this is {1}",
			Why:      "The GPU computes it only in these types.",
			Help:     "Convert first, for example with .to(tl.float32).",
		},
		Zh: Message{
			Headline: "这个函数只接受 {0}，不接受 {1}",
			Label:    "这里是 {1}",
			Why:      "GPU 只用这些类型计算它。",
			Help:     "先转换，比如用 .to(tl.float32)。",
		},
	},
	{
		Code:   "invert-float",
		Triton: "{1}",
		En: Message{
			Headline: "`~` needs an integer, not {0}",
			Label:    "on a float",
			Why:      "`~` inverts the bits of an integer.",
			Help:     "Use `-`, or compare first.",
		},
		Zh: Message{
			Headline: "`~` 需要整数，不能用于 {0}",
			Label:    "用在了浮点数上",
			Why:      "`~` 把整数的二进制位取反。",
			Help:     "改用 `-`，或者先做比较。",
		},
	},
	{
		Code:   "not-needs-bool",
		Triton: "{2}",
		En: Message{
			Headline: "`not`, `and` and `or` need booleans, and this is {1}",
			Label:    "not boolean",
			Why:      "On tensors these operators work on int1, the type of comparisons.",
			Help:     "Write a comparison: `x != 0`.",
		},
		Zh: Message{
			Headline: "`not`、`and`、`or` 需要布尔值，而这里是 {1}",
			Label:    "不是布尔值",
			Why:      "用于张量时，它们作用于 int1，也就是比较结果的类型。",
			Help:     "先做比较：`x != 0`。",
		},
	},
	{
		Code: "logical-on-tiles",
		En: Message{
			Headline: "for tiles, write `{1}` instead of `{0}`",
			Label:    "works element by element here",
			Why:      "Triton still accepts it, and warns that it is deprecated.",
			Help:     "Write `{1}`, with parentheses around the comparisons.",
		},
		Zh: Message{
			Headline: "对块请写 `{1}`，不要写 `{0}`",
			Label:    "这里逐元素运算",
			Why:      "Triton 目前接受，但会警告它已弃用。",
			Help:     "写成 `{1}`，并给比较加上括号。",
		},
	},
	{
		Code: "no-overload",
		En: Message{
			Headline: "`{0}` has no variant for {1}",
			Label:    "of {1}",
			Why:      "CUDA's libdevice has one for {2}.",
			Help:     "Convert the arguments first: `x.to(tl.{3})`.",
		},
		Zh: Message{
			Headline: "`{0}` 没有用于 {1} 的版本",
			Label:    "参数为 {1}",
			Why:      "CUDA 的 libdevice 只有用于 {2} 的版本。",
			Help:     "先转换参数：`x.to(tl.{3})`。",
		},
	},
	{
		Code: "where-condition",
		En: Message{
			Headline: "the condition `{0}` is {1}, not boolean",
			Label:    "treated as `!= 0`",
			Why:      "Triton accepts it and warns.",
			Help:     "Write a comparison: `x != 0`.",
		},
		Zh: Message{
			Headline: "条件 `{0}` 是 {1}，不是布尔值",
			Label:    "当作 `!= 0`",
			Why:      "Triton 会接受并给出警告。",
			Help:     "写成比较：`x != 0`。",
		},
	},
	{
		Code:   "fp8-with-int",
		Triton: "{2}",
		En: Message{
			Headline: "{0} and {1} cannot be combined",
			Label:    "an 8-bit float and an integer",
			Why:      "An 8-bit float can only be combined with floats.",
			Help:     "Convert both to tl.float32.",
		},
		Zh: Message{
			Headline: "{0} 和 {1} 不能一起运算",
			Label:    "8 位浮点数与整数",
			Why:      "8 位浮点数只能与浮点数运算。",
			Help:     "把两者都转换成 tl.float32。",
		},
	},
	{
		Code:   "fp8-arithmetic",
		Triton: "{1}",
		En: Message{
			Headline: "Triton does not compute in {0}",
			Label:    "rounded after each operation here",
			Why:      "8-bit floats are a storage format; the GPU has no arithmetic on them.",
			Help:     "Convert to tl.float32 first.",
		},
		Zh: Message{
			Headline: "Triton 不用 {0} 做运算",
			Label:    "这里每步运算后都舍入",
			Why:      "8 位浮点数是存储格式，GPU 不对它们做算术。",
			Help:     "先转换成 tl.float32。",
		},
	},
	{
		Code:   "fp8-cast",
		Triton: "{2}",
		En: Message{
			Headline: "Triton does not convert {0} to {1} in one step",
			Label:    "two roundings here",
			Why:      "8-bit floats convert only to and from fp32, fp16 and bf16.",
			Help:     "Convert through .to(tl.float32).",
		},
		Zh: Message{
			Headline: "Triton 不能一步把 {0} 转换成 {1}",
			Label:    "这里要舍入两次",
			Why:      "8 位浮点数只能与 fp32、fp16、bf16 互相转换。",
			Help:     "中间经过 .to(tl.float32)。",
		},
	},
	{
		Code:   "cast-impossible",
		Triton: "{4}",
		En: Message{
			Headline: "{0} cannot be converted to {1}",
			Label:    "no such conversion",
			Why:      "8-bit floats convert to floats only.",
			Help:     "Convert through .to(tl.float32).",
		},
		Zh: Message{
			Headline: "{0} 不能转换成 {1}",
			Label:    "没有这种转换",
			Why:      "8 位浮点数只能转换成浮点数。",
			Help:     "中间经过 .to(tl.float32)。",
		},
	},
	{
		Code:   "bitcast-width",
		Triton: "{2}",
		En: Message{
			Headline: "a bitcast keeps the bit width, and {0} bits are not {1}",
			Label:    "different widths",
			Why:      "A bitcast reads the same bits as another type.",
			Help:     "Choose a dtype of {0} bits.",
		},
		Zh: Message{
			Headline: "bitcast 不改变位宽，而 {0} 位不等于 {1} 位",
			Label:    "位宽不同",
			Why:      "bitcast 把同样的二进制位当作另一种类型来读。",
			Help:     "选一个 {0} 位的 dtype。",
		},
	},
	{
		Code:   "rounding-not-narrowing",
		Triton: "fp_downcast_rounding should be set only for truncating fp conversions. Source scalar type is {0} and destination type is {1}",
		En: Message{
			Headline: "a rounding mode is given, but converting {0} to {1} does not narrow a float",
			Label:    "nothing to round",
			Why:      "`fp_downcast_rounding` sets the rounding of conversions to a narrower float.",
			Help:     "Remove it.",
		},
		Zh: Message{
			Headline: "给出了舍入方式，但从 {0} 到 {1} 并没有缩短浮点数",
			Label:    "无需舍入",
			Why:      "`fp_downcast_rounding` 设定转换成更窄的浮点数时如何舍入。",
			Help:     "去掉它。",
		},
	},
	{
		Code: "dtype-kind",
		En: Message{
			Headline: "expected a dtype, and `{0}` is {1}",
			Label:    "not an element type",
			Why:      "Element types are tl.float32, tl.int32 and so on.",
			Help:     "Write tl.float32 or another dtype of tl.",
		},
		Zh: Message{
			Headline: "这里需要 dtype，而 `{0}` 是 {1}",
			Label:    "不是元素类型",
			Why:      "元素类型有 tl.float32、tl.int32 等。",
			Help:     "写 tl.float32 或 tl 的其他 dtype。",
		},
	},
	{
		Code:   "fdiv-int",
		Triton: "{2}",
		En: Message{
			Headline: "tl.fdiv divides floats, not {0} and {1}",
			Label:    "on integers",
			Why:      "tl.fdiv is the fast division of floats.",
			Help:     "Use `/`.",
		},
		Zh: Message{
			Headline: "tl.fdiv 只做浮点除法，不能用于 {0} 和 {1}",
			Label:    "用在了整数上",
			Why:      "tl.fdiv 是浮点数的快速除法。",
			Help:     "改用 `/`。",
		},
	},
	{
		Code:   "fdiv-mixed",
		Triton: "{2}",
		En: Message{
			Headline: "tl.fdiv needs one dtype on both sides, not {0} and {1}",
			Label:    "two dtypes",
			Why:      "tl.fdiv does not convert its operands.",
			Help:     "Convert one of them with .to(…).",
		},
		Zh: Message{
			Headline: "tl.fdiv 两边的 dtype 必须相同，这里是 {0} 和 {1}",
			Label:    "两种 dtype",
			Why:      "tl.fdiv 不会自动转换操作数。",
			Help:     "用 .to(…) 转换其中一个。",
		},
	},
	{
		Code:   "fdiv-narrow",
		Triton: "{1}",
		En: Message{
			Headline: "Triton's tl.fdiv fails on {0}",
			Label:    "computed by newt",
			Why:      "The GPU divides only fp32 and fp64.",
			Help:     "Convert to tl.float32 first.",
		},
		Zh: Message{
			Headline: "Triton 的 tl.fdiv 不能用于 {0}",
			Label:    "newt 照样计算",
			Why:      "GPU 只对 fp32 和 fp64 做除法。",
			Help:     "先转换成 tl.float32。",
		},
	},
	{
		Code:   "fma-int",
		Triton: "{1}",
		En: Message{
			Headline: "Triton's tl.fma fails on {0}",
			Label:    "computed by newt as a multiplication and an addition",
			Why:      "A fused multiply-add rounds once, and integer arithmetic does not round.",
			Help:     "Write x * y + z.",
		},
		Zh: Message{
			Headline: "Triton 的 tl.fma 不能用于 {0}",
			Label:    "newt 用乘法和加法计算",
			Why:      "融合乘加只舍入一次，而整数运算没有舍入。",
			Help:     "写成 x * y + z。",
		},
	},
	{
		Code:   "clamp-int",
		Triton: "{1}",
		En: Message{
			Headline: "tl.clamp works on floats, not {0}",
			Label:    "on integers",
			Why:      "Triton defines tl.clamp for floats only.",
			Help:     "Use tl.minimum(tl.maximum(x, lo), hi).",
		},
		Zh: Message{
			Headline: "tl.clamp 只用于浮点数，不能用于 {0}",
			Label:    "用在了整数上",
			Why:      "Triton 只为浮点数定义了 tl.clamp。",
			Help:     "改用 tl.minimum(tl.maximum(x, lo), hi)。",
		},
	},
	{
		Code:   "xor-sum-float",
		Triton: "{1}",
		En: Message{
			Headline: "tl.xor_sum needs integers, not {0}",
			Label:    "on floats",
			Why:      "Exclusive or operates on the bits of integers.",
			Help:     "Use tl.sum.",
		},
		Zh: Message{
			Headline: "tl.xor_sum 需要整数，不能用于 {0}",
			Label:    "用在了浮点数上",
			Why:      "异或作用于整数的二进制位。",
			Help:     "改用 tl.sum。",
		},
	},
	{
		Code:   "flip-needs-dim",
		Triton: "{0}",
		En: Message{
			Headline: "Triton's tl.flip needs its dim argument",
			Label:    "flips the last dimension here",
			Why:      "The default of dim does not work in Triton 3.6.",
			Help:     "Write tl.flip(x, 0).",
		},
		Zh: Message{
			Headline: "Triton 的 tl.flip 必须写明维度",
			Label:    "这里反转最后一维",
			Why:      "dim 的默认值在 Triton 3.6 里不能用。",
			Help:     "写成 tl.flip(x, 0)。",
		},
	},
}
