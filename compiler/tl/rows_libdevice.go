package tl

import (
	"fmt"
	"strings"
)

// The overloads of many functions: the dtypes of their arguments.
const (
	floats      = "fp32|fp64"
	floatPairs  = "fp32 fp32|fp64 fp64"
	floatTriple = "fp32 fp32 fp32|fp64 fp64 fp64"
	scaledFloat = "fp32 int32|fp64 int32"
	integers    = "int32|int64"
	intPairs    = "int32 int32|uint32 uint32"
)

// deviceArgs are arguments of an example, by dtype.
var deviceArgs = map[string]string{
	"fp32": "x", "fp64": "x.to(tl.float64)", "int32": "i", "int64": "i.to(tl.int64)", "uint32": "i.to(tl.uint32)",
	"uint64": "i.to(tl.uint64)",
}

// deviceFunction is a function of libdevice.py, with the dtypes of its arguments, its overloads separated by |.
type deviceFunction struct{ name, overloads, en, zh string }

func (f deviceFunction) row() Row {
	overloads := strings.Split(f.overloads, "|")
	var params, args []string
	for k, d := range strings.Fields(overloads[0]) {
		params = append(params, fmt.Sprint("arg", k))
		args = append(args, deviceArgs[d])
	}
	example := "i = tl.arange(0, 4)\nx = tl.load(x_ptr + i)\nprint('got', tl.extra.libdevice." + f.name + "(" +
		strings.Join(args, ", ") + "))"
	return Row{Name: f.name, Where: Libdevice, Params: strings.Join(params, ", "), Bind: PreludeFn,
		Overloads: overloads, doc: Text{f.en, f.zh}, example: example}
}

func rowsOf(functions []deviceFunction) (rows []Row) {
	for _, f := range functions {
		rows = append(rows, f.row())
	}
	return rows
}

// deviceFunctions are the functions of CUDA's libdevice that Triton has under triton.language.extra.libdevice. They are
// data, which a first visit to the page fetches in fewer bytes than code that makes it.
var deviceFunctions = []deviceFunction{
	{"isnan", floats, "Which elements are NaN, as int1.", "哪些元素是 NaN，结果为 int1。"},
	{"isinf", floats, "Which elements are infinite, as int1.", "哪些元素是无穷大，结果为 int1。"},
	{"finitef", "fp32",
		"Which elements are neither infinite nor NaN, as int1.", "哪些元素是有限数，结果为 int1。"},
	{"isfinited", "fp64",
		"Which elements are neither infinite nor NaN, as int1.", "哪些元素是有限数，结果为 int1。"},
	{"signbit", floats, "1 where the sign bit is set, 0 elsewhere, as int32.", "符号位为 1 处取 1，否则取 0，结果为 int32。"},
	{"copysign", floatPairs, "arg0 with the sign of arg1.", "arg0 的大小，arg1 的符号。"},
	{"nextafter", floatPairs, "The next float after arg0 towards arg1.", "从 arg0 朝 arg1 方向的下一个浮点数。"},
	{"trunc", floats, "Each element rounded towards zero.", "每个元素向零取整。"},
	{"rint", floats, "Each element rounded to the nearest integer, ties to even.", "每个元素舍入到最近的整数，平局取偶数。"},
	{"nearbyint", floats, "Each element rounded to the nearest integer, ties to even.", "每个元素舍入到最近的整数，平局取偶数。"},
	{"round", floats,
		"Each element rounded to the nearest integer, ties away from zero.", "每个元素舍入到最近的整数，平局远离零。"},
	{"llrint", floats,
		"Each element rounded to the nearest integer, ties to even, as int64.", "每个元素舍入到最近的整数，平局取偶数，结果为 int64。"},
	{"llround", floats,
		"Each element rounded to the nearest integer, ties away from zero, as int64.", "每个元素舍入到最近的整数，平局远离零，结果为 int64。"},
	{"fdim", floatPairs, "arg0 - arg1 where it is positive, else 0.", "arg0 - arg1 为正时取其值，否则取 0。"},
	{"saturatef", "fp32",
		"Each element limited to 0 … 1; NaN becomes 0.", "把每个元素限制在 0 … 1 之间；NaN 变为 0。"},
	{"fmod", floatPairs,
		"What is left of arg0 / arg1 rounded towards zero, exactly.", "arg0 / arg1 向零取整后的余数，精确。"},
	{"remainder", floatPairs,
		"What is left of arg0 / arg1 rounded to nearest, exactly.", "arg0 / arg1 舍入到最近整数后的余数，精确。"},
	{"ldexp", scaledFloat, "arg0 times 2 to the power of arg1.", "arg0 乘以 2 的 arg1 次幂。"},
	{"scalbn", scaledFloat, "arg0 times 2 to the power of arg1.", "arg0 乘以 2 的 arg1 次幂。"},
	{"ilogb", floats, "The binary exponent of each element, as int32.", "每个元素的二进制指数，结果为 int32。"},
	{"logb", floats, "The binary exponent of each element, as a float.", "每个元素的二进制指数，结果为浮点数。"},
	{"exp", floats, "e to the power of each element, within an ulp.", "每个元素的 e 次幂，误差不超过 1 ulp。"},
	{"expm1", floats, "exp(arg0) - 1, exact near 0 too.", "exp(arg0) - 1，在 0 附近也精确。"},
	{"exp10", floats, "10 to the power of each element.", "10 的每个元素次幂。"},
	{"log1p", floats, "The natural logarithm of 1 + arg0, exact near 0 too.", "1 + arg0 的自然对数，在 0 附近也精确。"},
	{"log10", floats, "The logarithm to base 10 of each element.", "每个元素以 10 为底的对数。"},
	{"pow", "fp32 fp32|fp64 fp64|fp32 int32|fp64 int32",
		"arg0 to the power of arg1.", "arg0 的 arg1 次幂。"},
	{"sinh", floats, "The hyperbolic sine of each element.", "每个元素的双曲正弦。"},
	{"cosh", floats, "The hyperbolic cosine of each element.", "每个元素的双曲余弦。"},
	{"tanh", floats, "The hyperbolic tangent of each element.", "每个元素的双曲正切。"},
	{"asinh", floats, "The inverse hyperbolic sine of each element.", "每个元素的反双曲正弦。"},
	{"acosh", floats, "The inverse hyperbolic cosine of each element.", "每个元素的反双曲余弦。"},
	{"atanh", floats, "The inverse hyperbolic tangent of each element.", "每个元素的反双曲正切。"},
	{"tan", floats, "The tangent of each element, in radians.", "每个元素的正切（弧度）。"},
	{"asin", floats, "The arc sine of each element, in radians.", "每个元素的反正弦（弧度）。"},
	{"acos", floats, "The arc cosine of each element, in radians.", "每个元素的反余弦（弧度）。"},
	{"atan", floats, "The arc tangent of each element, in radians.", "每个元素的反正切（弧度）。"},
	{"atan2", floatPairs, "The angle of the point (arg1, arg0), in radians.", "点 (arg1, arg0) 的角度（弧度）。"},
	{"sinpi", floats, "The sine of π times each element.", "每个元素乘以 π 后的正弦。"},
	{"cospi", floats, "The cosine of π times each element.", "每个元素乘以 π 后的余弦。"},
	{"cbrt", floats, "The cube root of each element.", "每个元素的立方根。"},
	{"rcbrt", floats, "1 divided by the cube root of each element.", "每个元素立方根的倒数。"},
	{"erfc", floats, "1 - erf(arg0), exact where it is small, too.", "1 - erf(arg0)，很小时也精确。"},
	{"erfcx", floats, "exp(arg0 * arg0) * erfc(arg0).", "exp(arg0 * arg0) * erfc(arg0)。"},
	{"normcdf", floats, "The cumulative distribution function of the normal distribution.", "标准正态分布的累积分布函数。"},
	{"tgamma", floats, "The gamma function of each element.", "每个元素的伽马函数。"},
	{"lgamma", floats, "The natural logarithm of the magnitude of the gamma function.", "伽马函数绝对值的自然对数。"},
	{"hypot", floatPairs,
		"The square root of the sum of squares, without overflow on the way.", "平方和的平方根，中途不会溢出。"},
	{"rhypot", floatPairs, "1 divided by hypot.", "hypot 的倒数。"},
	{"norm3d", floatTriple, "The length of a vector of three.", "三维向量的长度。"},
	{"rnorm3d", floatTriple, "1 divided by the length of a vector of three.", "三维向量长度的倒数。"},
	{"norm4d", "fp32 fp32 fp32 fp32|fp64 fp64 fp64 fp64",
		"The length of a vector of four.", "四维向量的长度。"},
	{"rnorm4d", "fp32 fp32 fp32 fp32|fp64 fp64 fp64 fp64",
		"1 divided by the length of a vector of four.", "四维向量长度的倒数。"},
	{"fma_rn", floatTriple, "arg0 * arg1 + arg2 with a single rounding.", "arg0 * arg1 + arg2，只舍入一次。"},
	{"rsqrt_rn", "fp32",
		"1 divided by the square root of each element, rounded to nearest.", "每个元素平方根的倒数，舍入到最近。"},
	{"fast_sinf", "fp32", "The sine of each element, fast.", "每个元素的正弦（快速）。"},
	{"fast_cosf", "fp32", "The cosine of each element, fast.", "每个元素的余弦（快速）。"},
	{"fast_tanf", "fp32", "The tangent of each element, fast.", "每个元素的正切（快速）。"},
	{"fast_tanhf", "fp32", "The hyperbolic tangent of each element, fast.", "每个元素的双曲正切（快速）。"},
	{"fast_logf", "fp32", "The natural logarithm of each element, fast.", "每个元素的自然对数（快速）。"},
	{"fast_log2f", "fp32", "The logarithm to base 2 of each element, fast.", "每个元素的以 2 为底的对数（快速）。"},
	{"fast_log10f", "fp32",
		"The logarithm to base 10 of each element, fast.", "每个元素的以 10 为底的对数（快速）。"},
	{"fast_expf", "fp32", "e to the power of each element, fast.", "每个元素的 e 次幂（快速）。"},
	{"fast_exp10f", "fp32", "10 to the power of each element, fast.", "10 的每个元素次幂（快速）。"},
	{"fast_powf", "fp32 fp32", "arg0 to the power of arg1, fast.", "arg0 的 arg1 次幂（快速）。"},
	{"fast_dividef", "fp32 fp32", "arg0 / arg1, fast: 0 where arg1 is beyond 2^126.",
		"arg0 / arg1（快速）：arg1 的绝对值超过 2^126 时结果为 0。"},
	{"popc", integers, "How many bits are set, as int32.", "为 1 的位数，结果为 int32。"},
	{"clz", integers, "How many bits from the top are 0, as int32.", "最高位起连续的 0 的个数，结果为 int32。"},
	{"ffs", integers,
		"The place of the lowest bit that is set, counted from 1; 0 of 0. As int32.", "最低的 1 所在的位置，从 1 数起；0 得 0。结果为 int32。"},
	{"brev", integers, "The bits in reverse order.", "把所有位倒序。"},
	{"mulhi", "int32 int32|uint32 uint32|int64 int64|uint64 uint64",
		"The upper half of the product.", "乘积的高半部分。"},
	{"mul24", intPairs, "The product of the lower 24 bits.", "低 24 位的乘积。"},
	{"sad", "int32 int32 uint32|uint32 uint32 uint32",
		"The difference of arg0 and arg1 without its sign, plus arg2.", "arg0 与 arg1 之差的绝对值加 arg2。"},
	{"hadd", intPairs, "(arg0 + arg1) // 2 without overflow.", "(arg0 + arg1) // 2，不会溢出。"},
	{"rhadd", intPairs, "(arg0 + arg1 + 1) // 2 without overflow.", "(arg0 + arg1 + 1) // 2，不会溢出。"},
	{"byte_perm", "int32 int32 int32",
		"Four of the eight bytes of arg1 and arg0; each four bits of arg2 choose one.", "arg1 与 arg0 的八个字节中的四个，由 arg2 的每四位选择。"},
	{"float_as_int", "fp32", "The bits of each element as int32.", "把每个元素的位当作 int32。"},
	{"float_as_uint", "fp32", "The bits of each element as int32.", "把每个元素的位当作 int32。"},
	{"int_as_float", "int32", "The bits of each element as fp32.", "把每个元素的位当作 fp32。"},
	{"uint_as_float", "uint32", "The bits of each element as fp32.", "把每个元素的位当作 fp32。"},
	{"double_as_longlong", "fp64", "The bits of each element as int64.", "把每个元素的位当作 int64。"},
	{"longlong_as_double", "int64", "The bits of each element as fp64.", "把每个元素的位当作 fp64。"},
	{"double2hiint", "fp64",
		"The upper 32 bits of each element, as int32.", "每个元素的高 32 位，结果为 int32。"},
	{"double2loint", "fp64",
		"The lower 32 bits of each element, as int32.", "每个元素的低 32 位，结果为 int32。"},
	{"hiloint2double", "int32 int32",
		"The fp64 whose upper bits are arg0 and lower bits arg1.", "高位为 arg0、低位为 arg1 的 fp64。"},
	{"int2double_rn", "int32", "Each element as fp64, rounded to nearest.", "把每个元素转换为 fp64，舍入到最近。"},
	{"uint2double_rn", "uint32", "Each element as fp64, rounded to nearest.", "把每个元素转换为 fp64，舍入到最近。"},
}
