package diag

// recordedEntries are what is wrong with files of recorded launches.
var recordedEntries = []Entry{
	{
		Code: "recorded-archive",
		En: Message{
			Headline: "the file is not a zip archive, or its end is missing",
			Why:      "Recorded launches (.launch) are a zip archive, whose list of members is at the end.",
			Help:     "Copy the file again, or record again and let the recorded program come to its end.",
		},
		Zh: Message{
			Headline: "文件不是 zip 压缩包，或者末尾缺失",
			Why:      "录制的 kernel 启动（.launch）是 zip 压缩包，成员列表在文件末尾。",
			Help:     "请重新复制这个文件，或者重新录制，并让被录制的程序运行到结束。",
		},
	},
	{
		Code: "recorded-member",
		En: Message{
			Headline: "`{0}` is missing from the archive or damaged",
			Why:      "The manifest refers to its sources and storages by name, and each has a checksum.",
			Help:     "Copy the file again, or record again.",
		},
		Zh: Message{
			Headline: "压缩包里缺少 `{0}`，或者它已损坏",
			Why:      "清单按名字引用源码和存储，每个成员都有校验和。",
			Help:     "请重新复制这个文件，或者重新录制。",
		},
	},
	{
		Code: "recorded-size",
		En: Message{
			Headline: "`{0}` unpacks to {1} bytes, and {2} may still be read",
			Why:      "What an archive unpacks to is bounded, so that a small file cannot fill the memory.",
			Help:     "Record fewer launches, or smaller tensors.",
		},
		Zh: Message{
			Headline: "`{0}` 解压后有 {1} 字节，只能再读取 {2} 字节",
			Why:      "解压后的大小有上限，这样小文件就无法占满内存。",
			Help:     "请录制更少的 kernel 启动，或者更小的张量。",
		},
	},
	{
		Code: "recorded-many",
		En: Message{
			Headline: "`{0}` has {1} entries, and at most {2} are read",
			Why:      "The lists of a recording are bounded.",
			Help:     "Record fewer launches.",
		},
		Zh: Message{
			Headline: "`{0}` 有 {1} 项，最多只读取 {2} 项",
			Why:      "录制文件里的列表有上限。",
			Help:     "请录制更少的 kernel 启动。",
		},
	},
	{
		Code: "recorded-json",
		En: Message{
			Headline: "`manifest.json` is not valid JSON",
			Why:      "The manifest says what was launched with which arguments.",
			Help:     "Record again: the file was edited, or written by another program.",
		},
		Zh: Message{
			Headline: "`manifest.json` 不是有效的 JSON",
			Why:      "清单说明启动了哪些 kernel、用了哪些参数。",
			Help:     "请重新录制：这个文件被改动过，或者由别的程序写成。",
		},
	},
	{
		Code: "recorded-version",
		En: Message{
			Headline: "the file has version {0} of the format, and newt reads version {1}",
			Why:      "Another version may mean something else by the same fields.",
			Help:     "Record again with the recorder of this newt, which `newt record` prints, or take the newest newt.",
		},
		Zh: Message{
			Headline: "文件的格式版本是 {0}，newt 读取版本 {1}",
			Why:      "在另一个版本里，同样的字段可能有别的含义。",
			Help:     "请用当前 newt 的录制程序（`newt record` 会输出它）重新录制，或者使用最新的 newt。",
		},
	},
	{
		Code: "recorded-unknown",
		En: Message{
			Headline: "the manifest has a field `{0}`, which newt does not know",
			Why:      "A field that is passed over could change what a launch computes.",
			Help:     "Record again with the recorder of this newt, which `newt record` prints.",
		},
		Zh: Message{
			Headline: "清单里有 newt 不认识的字段 `{0}`",
			Why:      "被忽略的字段可能会改变 kernel 的计算结果。",
			Help:     "请用当前 newt 的录制程序（`newt record` 会输出它）重新录制。",
		},
	},
	{
		Code: "recorded-field",
		En: Message{
			Headline: "`{0}` of the manifest is not {1}",
			Why:      "All that a recording says is checked before anything of it runs.",
			Help:     "Record again: the file was edited, or written by another program.",
		},
		Zh: Message{
			Headline: "清单的 `{0}` 不是{1}",
			Why:      "录制文件的全部内容都在运行之前检查。",
			Help:     "请重新录制：这个文件被改动过，或者由别的程序写成。",
		},
	},
}

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
