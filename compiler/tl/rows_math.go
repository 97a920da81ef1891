package tl

import (
	"github.com/newtlab/newt/compiler/ops"
)

// floatsOnly ends the documentation of every row with an Op: what its operand may be.
const (
	floatsOnlyEn = " The operand is fp32 or fp64; convert others with .to(tl.float32) first."
	floatsOnlyZh = "操作数必须是 fp32 或 fp64，其他类型先用 .to(tl.float32) 转换。"
)

func unaryRow(name string, op ops.Op, en, zh string) Row {
	return Row{Name: name, Params: "x", Bind: Op, Op: op, Method: true, Math: true,
		Doc:     Text{en + floatsOnlyEn, zh + floatsOnlyZh},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl." + name + "(x + 1))"}
}

var mathRows = []Row{
	unaryRow("exp", ops.Exp, "e to the power of each element.", "每个元素的 e 次幂。"),
	unaryRow("exp2", ops.Exp2, "2 to the power of each element.", "每个元素的 2 次幂。"),
	unaryRow("log", ops.Log, "The natural logarithm of each element.", "每个元素的自然对数。"),
	unaryRow("log2", ops.Log2, "The logarithm to base 2 of each element.", "每个元素以 2 为底的对数。"),
	unaryRow("sin", ops.Sin, "The sine of each element, in radians.", "每个元素的正弦（弧度）。"),
	unaryRow("cos", ops.Cos, "The cosine of each element, in radians.", "每个元素的余弦（弧度）。"),
	unaryRow("sqrt", ops.Sqrt, "The square root of each element, fast.", "每个元素的平方根（快速）。"),
	unaryRow("sqrt_rn", ops.SqrtRN, "The square root of each element, rounded to nearest.", "每个元素的平方根，舍入到最近。"),
	unaryRow("rsqrt", ops.Rsqrt, "1 divided by the square root of each element.", "每个元素平方根的倒数。"),
	unaryRow("erf", ops.Erf, "The error function of each element.", "每个元素的误差函数。"),
	unaryRow("floor", ops.Floor, "Each element rounded down.", "每个元素向下取整。"),
	unaryRow("ceil", ops.Ceil, "Each element rounded up.", "每个元素向上取整。"),
	{
		Name:   "abs",
		Params: "x",
		Method: true,
		Math:   true,
		Doc: Text{
			"The absolute value of each element.",
			"每个元素的绝对值。",
		},
		Example: "print('got', tl.abs(tl.arange(0, 4) - 2))",
	},
	{
		Name:   "sigmoid",
		Params: "x",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"1 / (1 + exp(-x)) of each element.",
			"每个元素的 1 / (1 + exp(-x))。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.sigmoid(x))",
	},
	{
		Name:   "softmax",
		Params: "x, dim=None, keep_dims=False, ieee_rounding=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"exp of each element divided by the sum of all, along a dimension (the first by default). The largest is subtracted first, so nothing overflows.",
			"沿某一维（默认第一维）：每个元素的 exp 除以它们的总和。先减去最大值，因此不会溢出。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.softmax(x))",
	},
	{
		Name:   "where",
		Params: "condition, x, y",
		Method: true,
		Doc: Text{
			"x where condition holds, else y, element by element. Both sides are computed, so it does not guard a load: use its mask.",
			"逐元素选择：condition 成立取 x，否则取 y。两边都会计算，因此不能保护读取内存，应使用 load 的 mask。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.where(x < 4, x, 0))",
	},
	{
		Name:   "maximum",
		Params: "x, y, propagate_nan=PropagateNan.NONE",
		Doc: Text{
			"The larger of two, element by element. NaNs are ignored unless propagate_nan is tl.PropagateNan.ALL.",
			"逐元素取较大者。除非 propagate_nan=tl.PropagateNan.ALL，否则 NaN 会被忽略。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.maximum(x, 3))",
	},
	{
		Name:   "minimum",
		Params: "x, y, propagate_nan=PropagateNan.NONE",
		Doc: Text{
			"The smaller of two, element by element. NaNs are ignored unless propagate_nan is tl.PropagateNan.ALL.",
			"逐元素取较小者。除非 propagate_nan=tl.PropagateNan.ALL，否则 NaN 会被忽略。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.minimum(x, 3))",
	},
	{
		Name:   "clamp",
		Params: "x, min, max, propagate_nan=PropagateNan.NONE",
		Doc: Text{
			"Each element, clamped to the range min … max. Floats only.",
			"把每个元素限制在 min … max 之间。只用于浮点数。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 8))\nprint('got', tl.clamp(x, 2.0, 5.0))",
	},
	{
		Name:   "add",
		Params: "x, y, sanitize_overflow=True",
		Method: true,
		Doc: Text{
			"x + y.",
			"x + y。",
		},
		Example: "print('got', tl.add(tl.arange(0, 4), 1))",
	},
	{
		Name:   "sub",
		Params: "x, y, sanitize_overflow=True",
		Method: true,
		Doc: Text{
			"x - y.",
			"x - y。",
		},
		Example: "print('got', tl.sub(tl.arange(0, 4), 1))",
	},
	{
		Name:   "mul",
		Params: "x, y, sanitize_overflow=True",
		Method: true,
		Doc: Text{
			"x * y.",
			"x * y。",
		},
		Example: "print('got', tl.mul(tl.arange(0, 4), 2))",
	},
	{
		Name:   "fma",
		Params: "x, y, z",
		Math:   true,
		Doc: Text{
			"x * y + z with a single rounding.",
			"x * y + z，只舍入一次。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.fma(x, x, x))",
	},
	{
		Name:   "fdiv",
		Params: "x, y, ieee_rounding=False",
		Math:   true,
		Doc: Text{
			"x / y for floats, fast unless ieee_rounding is set.",
			"浮点数的 x / y；除非设置 ieee_rounding，否则取快速版本。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.fdiv(x, x + 1.0))",
	},
	{
		Name:   "div_rn",
		Params: "x, y",
		Math:   true,
		Doc: Text{
			"x / y for floats, rounded to nearest.",
			"浮点数的 x / y，舍入到最近。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.div_rn(x, x + 1.0))",
	},
	{
		Name:   "umulhi",
		Params: "x, y",
		Math:   true,
		Doc: Text{
			"The upper half of the product of two 32- or 64-bit integers, treated as unsigned.",
			"两个 32 位或 64 位整数按无符号相乘后的高半部分。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.umulhi(x << 30, x << 30))",
	},
	{
		Name:   "cdiv",
		Params: "x, div",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"x / div rounded up: how many blocks of size div cover x elements.",
			"x / div 向上取整：要覆盖 x 个元素需要多少个大小为 div 的块。",
		},
		Example: "print('got', tl.cdiv(n, 4))",
	},
	{
		Name: "PropagateNan",
		Bind: Property,
		Doc: Text{
			"PropagateNan.ALL propagates NaNs in tl.maximum, tl.minimum and tl.clamp; PropagateNan.NONE ignores them.",
			"PropagateNan.ALL 让 NaN 在 tl.maximum、tl.minimum、tl.clamp 中传播；PropagateNan.NONE 则忽略它。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.maximum(x, 1.0, propagate_nan=tl.PropagateNan.ALL))",
	},
	{
		Name: "math",
		Bind: Property,
		Doc: Text{
			"The mathematical functions under another name: tl.math.exp is tl.exp.",
			"数学函数的另一入口：tl.math.exp 即 tl.exp。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.math.exp2(x))",
	},
}

var linearRows = []Row{
	{
		Name:   "dot",
		Params: "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, out_dtype=float32",
		Method: true,
		Doc: Text{
			"Matrix product of two tiles, [M, K] by [K, N], or of two batches of them. Adds to acc if it is given. fp32 inputs are rounded to tf32 unless input_precision is 'ieee'.",
			"两个块的矩阵乘积：[M, K] 乘 [K, N]，也可以是成批的矩阵。给了 acc 就加到它上面。fp32 输入默认舍入为 tf32，除非 input_precision='ieee'。",
		},
		Example: "a = tl.full((16, 16), 2.0, tl.float32)\nb = tl.full((16, 16), 3.0, tl.float32)\nprint('got', tl.max(tl.dot(a, b)))",
	},
	{
		Name: "dot_scaled",
		Params: "lhs, lhs_scale, lhs_format, rhs, rhs_scale, rhs_format, acc=None, fast_math=False, lhs_k_pack=True, " +
			"rhs_k_pack=True, out_dtype=float32",
		Doc: Text{
			"Matrix product of tiles in microscaled formats: e2m1 (two in a uint8), e4m3, e5m2, and fp16 and bf16. Each 32 elements along K share a scale, 2 to the power of a uint8 less 127: lhs_scale is [M, K / 32], rhs_scale [N, K / 32], or None. As Triton does on GPUs without such instructions, it multiplies in bf16, or in fp16 if one side is fp16.",
			"微缩放（microscaling）格式的矩阵乘积：e2m1（每个 uint8 含两个）、e4m3、e5m2，以及 fp16 和 bf16。沿 K 每 32 个元素共用一个缩放因子，即 2 的（uint8 减 127）次幂：lhs_scale 为 [M, K / 32]，rhs_scale 为 [N, K / 32]，也可以是 None。与 Triton 在没有相应指令的 GPU 上一样，以 bf16 计算；有一侧为 fp16 时以 fp16 计算。",
		},
		Example: "a = tl.full((16, 32), 0x38, tl.uint8)\ns = tl.full((16, 1), 128, tl.uint8)\nb = tl.full((32, 16), 3.0, tl.bfloat16)\nprint('got', tl.max(tl.dot_scaled(a, s, 'e4m3', b, None, 'bf16')))",
	},
}
