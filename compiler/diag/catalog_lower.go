package diag

import "slices"

// lowerEntries are the diagnostics of lowering, by what they are about.
var lowerEntries = slices.Concat(supersetEntries, constexprEntries, nameEntries, typeEntries,
	shapeEntries, memoryEntries, flowEntries, asmEntries, limitEntries)

var lowerPhrases = []Phrase{
	{"assigned-here", "`{0}` is assigned here", "`{0}` 在这里赋值"},
	{"leaves-here", "`{0}` leaves here", "`{0}` 在这里离开"},
	{"defined-here", "`{0}` is defined here", "`{0}` 在这里定义"},
	{"parameter-here", "`{0}` is a parameter", "`{0}` 是参数"},
	{"first-value", "before the loop `{0}` is {1}", "循环之前 `{0}` 是 {1}"},
	{"is-of-type", "`{0}` is {1}", "`{0}` 的类型是 {1}"},
	{"has-shape", "`{0}` has shape {1}", "`{0}` 的形状是 {1}"},
	{"shape-from", "its shape {0} comes from here", "形状 {0} 来自这里"},
	{"loaded-here", "loaded here with a mask and without `other`", "在这里加载，有掩码而没有 `other`"},
	{"fix-add-argument", "add {0} to the load", "给 load 加上 {0}"},
	{"value-of-launch", "its value is compiled in at each launch", "每次 kernel 启动时编译进它的值"},
	{"fix-load", "load the values with tl.load(…)", "用 tl.load(…) 读出这些值"},
	{"exchanged-with", "exchanged with `{0}`?", "是不是与 `{0}` 写反了？"},
	{"fix-exchange", "exchange `{0}` and `{1}`", "交换 `{0}` 和 `{1}`"},
	{"fix-replace", "write `{0}`", "改为 `{0}`"},
	{"fix-annotate-constexpr", "annotate `{0}` with tl.constexpr", "给 `{0}` 加上 tl.constexpr 注解"},
	{"fix-wrap-constexpr", "wrap the value in tl.constexpr(…)", "用 tl.constexpr(…) 包住这个值"},
	{"fix-to-float32", "convert with .to(tl.float32)", "用 .to(tl.float32) 转换"},
	{"fix-to-int", "convert with .to(tl.int32)", "用 .to(tl.int32) 转换"},
	{"fix-to-other", "convert `{0}` to the dtype of `{1}`", "把 `{0}` 转换成 `{1}` 的 dtype"},
	{"fix-compare-zero", "compare with 0", "与 0 比较"},
	{"fix-bitwise", "use `{0}`", "改用 `{0}`"},
}
