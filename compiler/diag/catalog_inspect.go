package diag

// inspectPhrases are what a step of a program does, in one sentence: program, verb, elements, then the lanes that have
// none.
var inspectPhrases = []Phrase{
	{"inspect.access", "program {0} {1} {2}", "程序 {0} {1} {2}"},
	{"inspect.load", "reads", "读取"},
	{"inspect.store", "writes", "写入"},
	{"inspect.atomic", "atomically updates", "原子地更新"},
	{"inspect.some", "{0} elements of {1}", "{1} 中的 {0} 个元素"},
	{"inspect.none", "no element of {0}", "{0} 的 0 个元素"},
	{"inspect.also", "{0}; {1}", "{0}；{1}"},
	{"inspect.masked", "{0} lanes are masked off", "{0} 个通道被掩码屏蔽"},
	{"inspect.masked-one", "1 lane is masked off", "1 个通道被掩码屏蔽"},
	{"inspect.past", "{0} lanes lie past the end", "{0} 个通道越过了末尾"},
	{"inspect.past-one", "1 lane lies past the end", "1 个通道越过了末尾"},
	{"inspect.before", "{0} lanes lie before the beginning", "{0} 个通道在开头之前"},
	{"inspect.before-one", "1 lane lies before the beginning", "1 个通道在开头之前"},
	{"inspect.true", "{0} of {1} true", "{1} 个中有 {0} 个为真"},
	{"inspect.too-large", "the tensors have {0} elements, and at most {1} can be shown", "这些张量共有 {0} 个元素，最多只能显示 {1} 个"},
	{"inspect.finding", "{0}: {1}", "{0}：{1}"},
	{"inspect.lanes", "{0}, lanes {1} to {2}", "{0} 的通道 {1} 到 {2}"},
	{"inspect.some-lanes", "{0}, {1} lanes, the first of them {2}", "{0} 的 {1} 个通道，第一个是 {2}"},
	{"inspect.gone", "the arguments of this launch are no longer kept; run its cell again", "这次 kernel 启动的参数已经不再保留，请重新运行它的单元格"},
}
