package tl

// inductorRow is a function of inductor.py.
func inductorRow(name, params, en, zh, example string) Row {
	return Row{Name: name, Where: Inductor, Params: params, Bind: PreludeFn, doc: Text{en, zh},
		example: "i = tl.arange(0, 4)\nx = tl.load(x_ptr + i)\nprint('got', triton_helpers." + example + ")"}
}

// inductorRows are the functions of torch._inductor.runtime.triton_helpers that torch.compile's kernels call.
var inductorRows = []Row{
	inductorRow("promote_to_tensor", "x", "x as a tensor of at least one dimension.", "把 x 变为至少一维的张量。",
		"promote_to_tensor(x)"),
	inductorRow("is_floating", "x", "Whether x is a float: a constexpr.", "x 是否为浮点数，结果为 constexpr。", "is_floating(x)"),
	inductorRow("div_floor_integer", "a, b", "a / b of integers, rounded down.", "整数 a / b，向下取整。",
		"div_floor_integer(i - 2, 3)"),
	inductorRow("remainder_integer", "a, b", "What is left of a / b rounded down, of the sign of b.",
		"a / b 向下取整后的余数，符号与 b 相同。", "remainder_integer(i - 2, 3)"),
	inductorRow("device_assert_then", "cond, msg, r", "r, after tl.device_assert(cond, msg).",
		"先执行 tl.device_assert(cond, msg)，再给出 r。", "device_assert_then(i < 4, 'too large', i)"),
	inductorRow("minimum", "a, b", "The smaller one of each two elements; NaN if one is NaN.",
		"逐元素取较小者；有 NaN 时结果为 NaN。", "minimum(x, 2.0)"),
	inductorRow("maximum", "a, b", "The larger one of each two elements; NaN if one is NaN.",
		"逐元素取较大者；有 NaN 时结果为 NaN。", "maximum(0, x - 2)"),
	inductorRow("minimum_with_index", "a_value, a_index, b_value, b_index",
		"The smaller value with its index: of equal ones the smaller index.", "较小的值及其下标；值相等时取较小的下标。",
		"minimum_with_index(x, i, 3 - x, 3 - i)"),
	inductorRow("maximum_with_index", "a_value, a_index, b_value, b_index",
		"The larger value with its index: of equal ones the smaller index.", "较大的值及其下标；值相等时取较小的下标。",
		"maximum_with_index(x, i, 3 - x, 3 - i)"),
	inductorRow("min2", "a, dim", "The minimum along an axis; NaN if one is NaN.", "沿某一维的最小值；有 NaN 时结果为 NaN。",
		"min2(x, 0)"),
	inductorRow("max2", "a, dim", "The maximum along an axis; NaN if one is NaN.", "沿某一维的最大值；有 NaN 时结果为 NaN。",
		"max2(x, 0)"),
	inductorRow("min_with_index", "value, index, dim", "The minimum along an axis with its index.", "沿某一维的最小值及其下标。",
		"min_with_index(x, i, 0)"),
	inductorRow("max_with_index", "value, index, dim", "The maximum along an axis with its index.", "沿某一维的最大值及其下标。",
		"max_with_index(x, i, 0)"),
	inductorRow("prod", "input, axis", "The product along an axis.", "沿某一维的乘积。", "prod(x + 1, 0)"),
	inductorRow("any", "a, dim", "The bits that any element along an axis has: of int1, whether one is True.",
		"沿某一维按位或；对 int1 即是否有元素为真。", "any(i == 2, 0)"),
	inductorRow("select_one", "x, mask, dim, keep_dims=False",
		"The one element along an axis at which the mask is True.", "沿某一维取掩码为 True 的那一个元素。",
		"select_one(x, i == 2, 0)"),
	inductorRow("welford_reduce", "value, mean, m2, weight, first_iteration",
		"Mean, sum of squared distances and weight, with one more value.", "加入一个值之后的均值、离差平方和与权重。",
		"welford_reduce(x, tl.zeros_like(x), tl.zeros_like(x), tl.zeros_like(x), True)"),
	inductorRow("welford_combine", "mean_1, m2_1, weight_1, mean_2, m2_2, weight_2",
		"Mean, sum of squared distances and weight of two sets of values together.", "两组值合并后的均值、离差平方和与权重。",
		"welford_combine(x, x * 0, x * 0 + 1, x + 1, x * 0, x * 0 + 1)"),
	inductorRow("welford", "mean, m2, weight, dim",
		"Mean, sum of squared distances and weight along an axis.", "沿某一维合并均值、离差平方和与权重。",
		"welford(x, tl.zeros_like(x), x * 0 + 1, 0)"),
}
