package diag

// documentEntries are the diagnostics of documents: scripts, notebooks and Markdown as files.
var documentEntries = []Entry{
	{
		Code: "kernels-not-launched",
		En: Message{
			Headline: "not checked with the types of their arguments: {0}",
			Label:    "no launch says what it is called with",
			Why:      "The file does not launch these kernels, so types and shapes that depend on their arguments were not checked.",
			Help:     "newt compile FILE --kernel NAME --signature … checks one for given types, and newt run checks each launch.",
		},
		Zh: Message{
			Headline: "未按参数类型检查：{0}",
			Label:    "没有 kernel 启动说明它的参数",
			Why:      "这个文件没有启动这些 kernel，因此依赖参数的类型和形状没有检查。",
			Help:     "newt compile FILE --kernel NAME --signature … 按给定的类型检查，newt run 检查每一次 kernel 启动。",
		},
	},
	{
		Code: "document-size",
		En: Message{
			Headline: "the document has {0} MiB, and at most {1} MiB are read",
			Why:      "The size of a document is limited, so that it fits the memory of a page.",
			Help:     "Clear the outputs of the notebook, or keep its data in files of their own.",
		},
		Zh: Message{
			Headline: "文档有 {0} MiB，最多只读取 {1} MiB",
			Why:      "文档的大小有上限，这样网页的内存才放得下。",
			Help:     "请清除 notebook 的输出，或者把数据放到单独的文件里。",
		},
	},
	{
		Code: "document-cells",
		En: Message{
			Headline: "the document has {0} cells, and at most {1} are read",
			Why:      "The number of cells is limited.",
			Help:     "Split the document.",
		},
		Zh: Message{
			Headline: "文档有 {0} 个单元格，最多只读取 {1} 个",
			Why:      "单元格的数目有上限。",
			Help:     "请把文档拆开。",
		},
	},
	{
		Code: "document-encoding",
		En: Message{
			Headline: "the file is not UTF-8 text: byte {0} is not part of a character",
			Label:    "here",
			Why:      "Python source, notebooks and Markdown are read as UTF-8.",
			Help:     "Save the file as UTF-8. A file of another kind, such as a picture or an archive, is not a document.",
		},
		Zh: Message{
			Headline: "文件不是 UTF-8 文本：第 {0} 个字节不属于任何字符",
			Label:    "在这里",
			Why:      "Python 源码、notebook 和 Markdown 都按 UTF-8 读取。",
			Help:     "请把文件另存为 UTF-8。图片、压缩包之类的文件不是文档。",
		},
	},
	{
		Code: "document-json",
		En: Message{
			Headline: "the notebook is not valid JSON: {0}",
			Label:    "broken here",
			Why:      "A notebook (.ipynb) is a JSON file. This one was cut off or edited by hand, or is the result of a merge.",
			Help:     "Repair the file at this place, or save the notebook again from Jupyter.",
		},
		Zh: Message{
			Headline: "notebook 不是有效的 JSON：{0}",
			Label:    "从这里开始出错",
			Why:      "notebook（.ipynb）是 JSON 文件。这个文件可能被截断、被手工改过，或者是合并的结果。",
			Help:     "请修复这一处，或者从 Jupyter 重新保存这个 notebook。",
		},
	},
	{
		Code: "document-notebook",
		En: Message{
			Headline: "the JSON is not a notebook: it has no `{0}`",
			Label:    "of this object",
			Why:      "A notebook is a JSON object with `nbformat` and `cells`.",
			Help:     "Check that this is the right file.",
		},
		Zh: Message{
			Headline: "这个 JSON 不是 notebook：缺少 `{0}`",
			Label:    "在这个对象里",
			Why:      "notebook 是含有 `nbformat` 和 `cells` 的 JSON 对象。",
			Help:     "请确认文件没有选错。",
		},
	},
	{
		Code: "document-notebook-cell",
		En: Message{
			Headline: "cell {0} of the notebook has no valid `{1}`",
			Label:    "this cell",
			Why:      "Each cell has a `cell_type`, which is `code`, `markdown` or `raw`, and a `source`, which is a string or a list of strings.",
			Help:     "Repair or delete this cell.",
		},
		Zh: Message{
			Headline: "notebook 的第 {0} 个单元格没有有效的 `{1}`",
			Label:    "这个单元格",
			Why:      "每个单元格都有 `cell_type`（`code`、`markdown` 或 `raw`）和 `source`（字符串或字符串列表）。",
			Help:     "请修复或删除这个单元格。",
		},
	},
	{
		Code: "document-notebook-version",
		En: Message{
			Headline: "notebooks of format {0} cannot be read",
			Label:    "the format's version",
			Why:      "newt reads nbformat 3 and 4, which all releases of Jupyter since 2013 write.",
			Help:     "Open the notebook in Jupyter and save it again.",
		},
		Zh: Message{
			Headline: "无法读取格式版本为 {0} 的 notebook",
			Label:    "格式的版本",
			Why:      "newt 读取 nbformat 3 和 4，即 2013 年以来各版 Jupyter 所写的格式。",
			Help:     "请在 Jupyter 里打开这个 notebook 并重新保存。",
		},
	},
	{
		Code: "document-language",
		En: Message{
			Headline: "the notebook's language is `{0}`, not Python",
			Why:      "newt runs Python.",
			Help:     "If the cells are Python, set `language` in the notebook's `kernelspec` to `python`.",
		},
		Zh: Message{
			Headline: "这个 notebook 的语言是 `{0}`，不是 Python",
			Why:      "newt 运行的是 Python。",
			Help:     "如果单元格里是 Python，请把 notebook 的 `kernelspec` 中的 `language` 改为 `python`。",
		},
	},
	{
		Code: "document-magic",
		En: Message{
			Headline: "`{0}` is skipped",
			Label:    "not run",
			Why:      "This is a command of IPython, not Python, and newt has no such command.",
			Help:     "Nothing to do, unless later cells need what it does.",
		},
		Zh: Message{
			Headline: "跳过了 `{0}`",
			Label:    "没有运行",
			Why:      "这是 IPython 的命令，不是 Python，newt 没有这个命令。",
			Help:     "如果后面的单元格不依赖它的效果，就不用处理。",
		},
	},
	{
		Code: "document-magic-once",
		En: Message{
			Headline: "`{0}` runs its code once and measures nothing",
			Label:    "run once",
			Why:      "Times of an interpreter would say nothing about Python's.",
			Help:     "Use `triton.testing.do_bench` to time a kernel on a GPU.",
		},
		Zh: Message{
			Headline: "`{0}` 只运行一次代码，不计时",
			Label:    "运行了一次",
			Why:      "解释器的耗时说明不了 Python 的耗时。",
			Help:     "要测量 kernel 在 GPU 上的耗时，请用 `triton.testing.do_bench`。",
		},
	},
	{
		Code: "document-shell",
		En: Message{
			Headline: "the shell command `{0}` is skipped",
			Label:    "not run",
			Why:      "newt starts no other programs and installs no packages.",
			Help:     "Nothing to do for a package that newt has. Place files that the command would fetch next to the document.",
		},
		Zh: Message{
			Headline: "跳过了 shell 命令 `{0}`",
			Label:    "没有运行",
			Why:      "newt 不启动其他程序，也不安装软件包。",
			Help:     "如果是 newt 已有的软件包，就不用处理。命令要下载的文件，请放到文档所在的文件夹。",
		},
	},
}
