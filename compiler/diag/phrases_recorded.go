package diag

// recordedPhrases are what a field of the manifest has to be, and what a replay says.
var recordedPhrases = []Phrase{
	{"recorded.format", "`{0}`", " `{0}`"},
	{"recorded.type", "of the type that it has in the format", "格式规定的类型"},
	{"recorded.name", "a new identifier of Python", "新的 Python 标识符"},
	{"recorded.grid", "a grid of three sizes below 2147483648", "由三个小于 2147483648 的大小组成的网格"},
	{"recorded.option", "a bool, an integer or a string", "布尔值、整数或字符串"},
	{"recorded.bytes", "the size of the storage's members", "存储成员的大小"},
	{"recorded.value", "one value of one kind", "一个种类的一个值"},
	{"recorded.depth", "nested less deeply", "嵌套较浅的值"},
	{"recorded.int", "an integer of at most 40 digits", "至多 40 位的整数"},
	{"recorded.float", "a float as Python prints it", "Python 打印形式的浮点数"},
	{"recorded.dtype", "a dtype of triton.language", "triton.language 的 dtype"},
	{"recorded.torch-dtype", "a dtype of torch", "torch 的 dtype"},
	{"recorded.storage", "the number of a storage of the launch", "录制的 kernel 启动的存储编号"},
	{"recorded.strides", "one stride for each of at most 64 dimensions", "至多 64 个维度中每一维的步长"},
	{"recorded.sizes", "a list of sizes that are not negative, and not too large", "大小不为负、也不过大的列表"},
	{"recorded.within", "within the tensor's storage", "张量存储范围内的位置"},
	{"recorded.padding", "`zero` or `nan`", " `zero` 或 `nan`"},
}
