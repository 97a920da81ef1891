package diag

// hostEntries are the diagnostics of host scripts.
var hostEntries = []Entry{
	{
		Code: "host-exception",
		En:   Message{Headline: "`{0}`: {1}", Label: "raised here", Why: "the program raised an exception that nothing caught", Help: "the text is what Python and torch say here"},
		Zh:   Message{Headline: "程序抛出 `{0}`：{1}", Label: "在这里抛出", Why: "程序抛出了异常，没有任何地方捕获它", Help: "消息的内容与 Python 和 torch 在此处给出的一致"},
	},
	{
		Code: "host-exception-bare",
		En:   Message{Headline: "`{0}`", Label: "raised here", Why: "the program raised an exception without a message, and nothing caught it", Help: "look at the condition on this line"},
		Zh:   Message{Headline: "程序抛出 `{0}`", Label: "在这里抛出", Why: "程序抛出了一个没有附带消息的异常，没有任何地方捕获它", Help: "请检查这一行的条件"},
	},
	{
		Code: "host-steps",
		En:   Message{Headline: "stopped after {0} steps, in line {1}", Label: "still running here", Why: "a program may take only so many steps, so that an endless loop cannot hang the page", Help: "check that this loop ends; or make the data smaller"},
		Zh:   Message{Headline: "运行了 {0} 步后停止，停在第 {1} 行", Label: "停下时还在这里运行", Why: "程序的步数有上限，这样死循环不会卡住页面", Help: "请确认这个循环会结束，或者把数据改小一些"},
	},
	{
		Code: "host-stopped",
		En:   Message{Headline: "the run was stopped", Label: "it had come this far", Why: "you, or the page, asked it to stop", Help: "run it again when you are ready"},
		Zh:   Message{Headline: "运行已停止", Label: "停下时运行到这里", Why: "你或页面要求停止运行", Help: "准备好后可以重新运行"},
	},
	{
		Code: "host-unsupported",
		En:   Message{Headline: "newt does not run this Python construct", Label: "this part", Why: "host code is ordinary Python, but newt knows only what tests and launches of kernels need", Help: "write it another way; the kernel itself is not affected"},
		Zh:   Message{Headline: "newt 不支持这种 Python 写法", Label: "这一部分", Why: "主机端代码是普通的 Python，但 newt 只实现了测试和启动 kernel 所需的部分", Help: "请换一种写法，kernel 本身不受影响"},
	},
	{
		Code: "host-no-launcher",
		En:   Message{Headline: "the kernel `{0}` cannot be launched here", Label: "launched here", Why: "this code only describes what a kernel should compute; it runs without a device", Help: "compute the result with torch instead"},
		Zh:   Message{Headline: "这里不能启动 kernel `{0}`", Label: "在这里启动", Why: "这段代码只描述 kernel 应当算出什么，运行时没有设备", Help: "请改用 torch 计算结果"},
	},
	{
		Code: "host-kernel-argument",
		En:   Message{Headline: "a kernel takes no {1} for `{0}`", Label: "launched here", Why: "a kernel takes tensors, numbers, strings, dtypes and None", Help: "pass the tensors and numbers that it holds one by one"},
		Zh:   Message{Headline: "内核的参数 `{0}` 不能是 {1}", Label: "在这里启动", Why: "内核只接受张量、数、字符串、dtype 和 None", Help: "请把其中的张量和数逐个传入"},
	},
}

var hostPhrases = []Phrase{
	{"host.called-here", "called here", "在这里被调用"},
}
