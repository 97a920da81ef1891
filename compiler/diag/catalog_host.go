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
		En:   Message{Headline: "the kernel `{0}` cannot be launched here", Label: "this launch", Why: "this code only describes what a kernel should compute; it runs without a device", Help: "compute the result with torch instead"},
		Zh:   Message{Headline: "这里不能启动 kernel `{0}`", Label: "这次启动", Why: "这段代码只描述 kernel 应当算出什么，运行时没有设备", Help: "请改用 torch 计算结果"},
	},
	{
		Code: "not-in-newt",
		En: Message{
			Headline: "newt has no `{0}`", Label: "not available here",
			Why:  "newt has the part of Python, torch and Triton that kernels and their tests need, and this is outside of it; whether the real ones take it is another matter",
			Help: "write it with what newt has, or run the program under real Triton",
		},
		Zh: Message{
			Headline: "newt 没有 `{0}`", Label: "这里不可用",
			Why:  "newt 只实现了 kernel 及其测试所需的那部分 Python、torch 和 Triton，这一项不在其中；真正的 Python、torch 或 Triton 是否接受它是另一回事",
			Help: "请改用 newt 已有的功能，或者在真正的 Triton 上运行这段程序",
		},
	},
	{
		Code: "newt-limit",
		En:   Message{Headline: "past a limit of newt: {0}", Label: "here", Why: "newt bounds what one run may use, so that no program can take the whole machine; Python, torch and Triton may well allow it", Help: "make the data smaller"},
		Zh:   Message{Headline: "超出了 newt 的限制：{0}", Label: "在这里", Why: "newt 限制每次运行可用的资源，以免某个程序占满整台机器；Python、torch 和 Triton 本身可能允许这样做", Help: "请把数据改小一些"},
	},
	{
		Code: "autotune-untimed",
		En: Message{
			Headline: "none of the {0} configs of `{1}` was timed; newt launches the first that compiles: {2}", Label: "Triton times each config here",
			Why:  "the result of a kernel should not depend on its config, and the times of an interpreter would say nothing about a GPU",
			Help: "to find the fastest config, run the program under real Triton on a GPU",
		},
		Zh: Message{
			Headline: "没有对 `{1}` 的 {0} 个 config 计时；newt 使用第一个能编译的：{2}", Label: "Triton 会在这里对每个 config 计时",
			Why:  "kernel 的结果不应依赖 config，而解释器的耗时并不能说明 GPU 上的快慢",
			Help: "要找出最快的 config，请在 GPU 上用真正的 Triton 运行",
		},
	},
	{
		Code: "decorator-not-applied",
		En: Message{
			Headline: "`{0}` is not applied to this launch", Label: "left out here",
			Why:  "this launch names the kernel itself and gives all of its arguments, so nothing is left for the decorator to choose",
			Help: "give the values that the decorator would choose, or launch the kernel from the script with `newt run`",
		},
		Zh: Message{
			Headline: "这次 kernel 启动没有应用 `{0}`", Label: "这里没有应用",
			Why:  "这次启动直接指定了 kernel 和它的全部参数，装饰器没有什么可选的",
			Help: "请直接给出装饰器会选择的值，或者用 `newt run` 在脚本中启动这个 kernel",
		},
	},
	{
		Code: "decorator-unknown",
		En: Message{
			Headline: "newt does not know the decorator `{0}` and leaves it out", Label: "not applied",
			Why:  "the kernel is compiled from its own text; what a decorator would make of it is not known without running the program",
			Help: "remove it if the kernel does not depend on it, or launch the kernel from the script with `newt run`",
		},
		Zh: Message{
			Headline: "newt 不认识装饰器 `{0}`，没有应用它", Label: "不起作用",
			Why:  "kernel 是按它自己的代码编译的；不运行程序就无法知道装饰器会把它变成什么",
			Help: "如果 kernel 不依赖它，请去掉；或者用 `newt run` 在脚本中启动这个 kernel",
		},
	},
	{
		Code: "host-kernel-argument",
		En:   Message{Headline: "a kernel takes no {1} for `{0}`", Label: "launched here", Why: "a kernel takes tensors, numbers, strings, dtypes and None", Help: "pass the tensors and numbers that it holds one by one"},
		Zh:   Message{Headline: "kernel 的参数 `{0}` 不能是 {1}", Label: "在这里启动", Why: "kernel 只接受张量、数、字符串、dtype 和 None", Help: "请把其中的张量和数逐个传入"},
	},
}

var hostPhrases = []Phrase{
	{"host.called-here", "called here", "在这里被调用"},
	{"host.launched-here", "launched here", "在这里启动 kernel"},
	{"nearest-in-newt", "the nearest that newt has is `{0}`", "newt 里最接近的是 `{0}`"},
}
