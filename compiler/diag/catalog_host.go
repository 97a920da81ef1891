package diag

// hostEntries are the diagnostics of host scripts.
var hostEntries = []Entry{
	{
		Code: "host-exception",
		En: Message{
			Headline: "`{0}`: {1}",
			Label:    "raised here",
			Why:      "The program raised an exception that nothing caught.",
			Help:     "The message is the one that Python or torch gives here.",
		},
		Zh: Message{
			Headline: "程序抛出 `{0}`：{1}",
			Label:    "在这里抛出",
			Why:      "程序抛出了异常，没有任何地方捕获它。",
			Help:     "消息的内容与 Python 或 torch 在这里给出的相同。",
		},
	},
	{
		Code: "host-exception-bare",
		En: Message{
			Headline: "`{0}`",
			Label:    "raised here",
			Why:      "The program raised an exception without a message, and nothing caught it.",
			Help:     "Check the condition on this line.",
		},
		Zh: Message{
			Headline: "程序抛出 `{0}`",
			Label:    "在这里抛出",
			Why:      "程序抛出了一个没有附带消息的异常，没有任何地方捕获它。",
			Help:     "请检查这一行的条件。",
		},
	},
	{
		Code: "host-steps",
		En: Message{
			Headline: "stopped after {0} steps, at line {1}",
			Label:    "still running here",
			Why:      "The number of steps is limited, so that an endless loop cannot hang the page.",
			Help:     "Check that this loop ends, or make the data smaller.",
		},
		Zh: Message{
			Headline: "运行了 {0} 步后停止，停在第 {1} 行",
			Label:    "停下时还在这里运行",
			Why:      "程序的步数有上限，这样死循环不会卡住页面。",
			Help:     "请确认这个循环会结束，或者把数据改小一些。",
		},
	},
	{
		Code: "host-stopped",
		En: Message{
			Headline: "the run was stopped",
			Label:    "it had reached this line",
			Why:      "The run was stopped by you or by the page.",
			Help:     "Run it again when you are ready.",
		},
		Zh: Message{
			Headline: "运行已停止",
			Label:    "停下时运行到这里",
			Why:      "你或页面要求停止运行。",
			Help:     "准备好后可以重新运行。",
		},
	},
	{
		Code: "host-unsupported",
		En: Message{
			Headline: "newt does not support this Python construct",
			Label:    "not supported",
			Why:      "Host code is ordinary Python, of which newt implements what tests and kernel launches need.",
			Help:     "Write it another way; the kernel itself is not affected.",
		},
		Zh: Message{
			Headline: "newt 不支持这种 Python 写法",
			Label:    "无法运行",
			Why:      "主机端代码是普通的 Python，但 newt 只实现了测试和启动 kernel 所需的部分。",
			Help:     "请换一种写法，kernel 本身不受影响。",
		},
	},
	{
		Code: "host-no-launcher",
		En: Message{
			Headline: "the kernel `{0}` cannot be launched here",
			Label:    "this launch",
			Why:      "This code only specifies what a kernel should compute; it runs without a device.",
			Help:     "Compute the result with torch instead.",
		},
		Zh: Message{
			Headline: "这里不能启动 kernel `{0}`",
			Label:    "这次 kernel 启动",
			Why:      "这段代码只描述 kernel 应当算出什么，运行时没有设备。",
			Help:     "请改用 torch 计算结果。",
		},
	},
	{
		Code: "cpu-tensor",
		En: Message{
			Headline: "a kernel cannot be launched on `{0}`, a tensor on the CPU",
			Label:    "this launch",
			Why:      "A GPU cannot read the memory of the CPU, so Triton launches only on tensors of the device.",
			Help:     "Create the tensor with device=\"cuda\", which is the chosen device here, or set os.environ[\"TRITON_INTERPRET\"] = \"1\" before the kernel is defined.",
		},
		Zh: Message{
			Headline: "不能用 CPU 上的张量 `{0}` 启动 kernel",
			Label:    "这次 kernel 启动",
			Why:      "GPU 无法读取 CPU 的内存，因此 Triton 只接受设备上的张量。",
			Help:     "创建张量时请写 device=\"cuda\"（在这里就是所选的设备），或者在定义 kernel 之前设置 os.environ[\"TRITON_INTERPRET\"] = \"1\"。",
		},
	},
	{
		Code: "viz-launch",
		En: Message{
			Headline: "triton_viz has traced {0} launches, the last of `{1}`",
			Label:    "shown in newt's own views",
			Why:      "newt records every launch, so that it needs no other program to show one.",
			Help:     "In the page, choose the launch in the list under its cell: memory, values, timeline and timing show it. `newt serve` opens the page.",
		},
		Zh: Message{
			Headline: "triton_viz 跟踪了 {0} 次 kernel 启动，最后一次是 `{1}`",
			Label:    "由 newt 自己的视图显示",
			Why:      "newt 会记录每一次 kernel 启动，不需要另外的程序来显示。",
			Help:     "在页面中，从单元格下方的列表里选择这次 kernel 启动，就能看到内存、数值、时间线和计时；`newt serve` 可以打开页面。",
		},
	},
	{
		Code: "module-not-found",
		En: Message{
			Headline: "there is no module named `{0}`",
			Label:    "neither a module of newt's nor a file",
			Why:      "newt has parts of Python's standard library, torch, triton, numpy and matplotlib, and `{0}` is not among them. No file or folder of that name is in sys.path: {1}.",
			Help:     "If it is a module of your own, start newt in the folder that holds it, name that folder in PYTHONPATH, or add its file to the document in the page. Packages from an index cannot be installed here.",
		},
		Zh: Message{
			Headline: "没有名为 `{0}` 的模块",
			Label:    "既不是 newt 自带的模块，也不是文件",
			Why:      "newt 实现了 Python 标准库、torch、triton、numpy 和 matplotlib 的一部分，其中没有 `{0}`；sys.path 中也没有这个名字的文件或文件夹：{1}。",
			Help:     "如果这是你自己的模块，请在它所在的文件夹里启动 newt，或者把该文件夹写进 PYTHONPATH，或者在页面中把文件添加到文档。这里不能安装软件包索引中的包。",
		},
	},
	{
		Code: "not-in-newt",
		En: Message{
			Headline: "newt has no `{0}`",
			Label:    "not available here",
			Why:      "newt implements the part of Python, torch and Triton that kernels and their tests need, and this is not in it. The originals may support it.",
			Help:     "Use what newt has, or run the program under real Triton.",
		},
		Zh: Message{
			Headline: "newt 没有 `{0}`",
			Label:    "这里不可用",
			Why:      "newt 只实现了 kernel 及其测试所需的那部分 Python、torch 和 Triton，这一项不在其中；它们本身可能是支持的。",
			Help:     "请改用 newt 已有的功能，或者在真正的 Triton 上运行这段程序。",
		},
	},
	{
		Code: "host-internal",
		En: Message{
			Headline: "internal error in newt, at {0} of its source",
			Label:    "while this ran",
			Why:      "The program may be correct: newt has a mistake there. The exception can be caught, and the document goes on.",
			Help:     "Please report it as an issue of newt, with this line and the place. Until then, write the line another way.",
		},
		Zh: Message{
			Headline: "newt 内部错误，位于其源码 {0}",
			Label:    "运行到这里时",
			Why:      "程序本身可能没有问题，是 newt 在那里有错误。这个异常可以捕获，文档会继续运行。",
			Help:     "请在 newt 的 issue 中报告，并附上这一行和上述位置；在修复之前，可以把这一行换一种写法。",
		},
	},
	{
		Code: "host-no-network",
		En: Message{
			Headline: "`{0}`: newt runs scripts without network",
			Label:    "needs the network",
			Why:      "A script of a stranger must not reach anything from your machine.",
			Help:     "Give the file with the document, and open it by its name.",
		},
		Zh: Message{
			Headline: "`{0}`：newt 运行脚本时不连接网络",
			Label:    "这里需要网络",
			Why:      "别人写的脚本不应当能从你的机器访问任何地方。",
			Help:     "把文件和文档放在一起，再按文件名打开。",
		},
	},
	{
		Code: "host-no-processes",
		En: Message{
			Headline: "`{0}`: newt runs scripts without other processes",
			Label:    "needs another process",
			Why:      "A script runs inside newt, which starts no programs for it.",
			Help:     "Do the work in this script.",
		},
		Zh: Message{
			Headline: "`{0}`：newt 运行脚本时不启动其他进程",
			Label:    "这里需要另一个进程",
			Why:      "脚本在 newt 内部运行，newt 不会替它启动程序。",
			Help:     "请在这个脚本里完成这项工作。",
		},
	},
	{
		Code: "host-no-threads",
		En: Message{
			Headline: "`{0}`: newt runs scripts in one thread",
			Label:    "needs threads",
			Why:      "Every run of a script gives the same output, so that nothing in it runs at once.",
			Help:     "Call the functions one after the other.",
		},
		Zh: Message{
			Headline: "`{0}`：newt 只用一个线程运行脚本",
			Label:    "这里需要多线程",
			Why:      "脚本每次运行都应当输出相同的结果，所以其中没有同时进行的部分。",
			Help:     "请依次调用这些函数。",
		},
	},
	{
		Code: "host-no-pickle",
		En: Message{
			Headline: "`{0}`: newt does not pickle objects",
			Label:    "needs Python's own format",
			Why:      "A pickle names code to run when it is read, which newt does not have.",
			Help:     "Write the data as JSON (`json`).",
		},
		Zh: Message{
			Headline: "`{0}`：newt 不支持 pickle",
			Label:    "这里需要 Python 自己的格式",
			Why:      "读取 pickle 时会执行其中指定的代码，newt 没有这些代码。",
			Help:     "用 JSON（`json`）保存数据。",
		},
	},
	{
		Code: "no-download",
		En: Message{
			Headline: "newt does not download `{0}`",
			Label:    "this download",
			Why:      "A document may come from a stranger, so its code reaches only the files next to it.",
			Help:     "Download the file yourself, and put it next to the document under the name that the code reads.",
		},
		Zh: Message{
			Headline: "newt 不会下载 `{0}`",
			Label:    "这次下载",
			Why:      "文档可能来自陌生人，因此其中的代码只能读取文档旁边的文件。",
			Help:     "请自行下载该文件，放在文档旁边，文件名与代码读取的一致。",
		},
	},
	{
		Code: "newt-limit",
		En: Message{
			Headline: "over a limit of newt: {0}",
			Label:    "here",
			Why:      "newt limits the resources of a run, so that no program can take the whole machine. Python, torch and Triton may allow this.",
			Help:     "Make the data smaller.",
		},
		Zh: Message{
			Headline: "超出了 newt 的限制：{0}",
			Label:    "在这里",
			Why:      "newt 限制每次运行可用的资源，以免某个程序占满整台机器；Python、torch 和 Triton 本身可能允许这样做。",
			Help:     "请把数据改小一些。",
		},
	},
	{
		Code: "measured-here",
		En: Message{
			Headline: "torch's operations are measured on this machine's CPU, not on {0}",
			Label:    "no kernel is launched here",
			Why:      "newt runs torch's operations, which kernels are compared with, on the CPU. Their times say nothing about a GPU.",
			Help:     "Compare the kernel's results with them, and its times with those of torch on the GPU.",
		},
		Zh: Message{
			Headline: "torch 的运算是在本机 CPU 上计时的，不在 {0} 上",
			Label:    "这里没有启动 kernel",
			Why:      "newt 在 CPU 上执行用作参照的 torch 运算，其耗时不能说明 GPU 的性能。",
			Help:     "可以用它核对 kernel 的结果；耗时请与 torch 在 GPU 上的结果比较。",
		},
	},
	{
		Code: "autotune-interpreted",
		En: Message{
			Headline: "the {0} configs of `{1}` are not timed without a GPU",
			Label:    "tuned without a GPU",
			Why:      "What the interpreter takes says little about which config is the fastest on a GPU. The one that a model of an H100 expects to be the fastest at the first launch is used for all, or the first config without a model.",
			Help:     "Run the program on a device with a GPU to tune the kernel for it. `newt tune` prints the model's order, and so does the page where a document asks for that.",
		},
		Zh: Message{
			Headline: "没有 GPU，因此不对 `{1}` 的 {0} 个 config 计时",
			Label:    "没有用 GPU 调优",
			Why:      "解释器上的耗时并不说明哪个 config 在 GPU 上最快。这里一律使用 H100 模型在第一次 kernel 启动时认为最快的 config；没有模型时使用第一个。",
			Help:     "要为 GPU 调优，请选择一个带 GPU 的设备运行。`newt tune` 会列出模型的排序，页面的文档中也有这个选项。",
		},
	},
	{
		Code: "sweep-ended",
		En: Message{
			Headline: "`{0}`: {1} of {2} points were not measured",
			Label:    "the sweep ends here",
			Why:      "Without a GPU a sweep takes minutes to hours, and its times are those of the interpreter.",
			Help:     "`newt run --sweep` measures all points, and `--no-sweep` none. On a device with a GPU nothing is left out.",
		},
		Zh: Message{
			Headline: "`{0}`：{2} 个点中有 {1} 个没有测量",
			Label:    "扫描到此为止",
			Why:      "没有 GPU 时，一次扫描要几分钟到几小时，而且得到的是解释器的时间。",
			Help:     "`newt run --sweep` 会测量所有点，`--no-sweep` 则一个都不测。在带 GPU 的设备上不会省略任何点。",
		},
	},
	{
		Code:   "global-changed",
		Triton: "Global variable {0} has changed since we compiled this kernel, from {2} to {3}",
		En: Message{
			Headline: "the global `{0}` has changed since `{1}` was compiled, from {2} to {3}",
			Label:    "launched with the changed global",
			Why:      "The value of a global is compiled into a kernel, and Triton compares it at each launch.",
			Help:     "Pass the value as a `tl.constexpr` parameter, or define the kernel again after the change.",
		},
		Zh: Message{
			Headline: "`{1}` 编译之后，全局变量 `{0}` 从 {2} 变成了 {3}",
			Label:    "全局变量改变后在这里启动 kernel",
			Why:      "全局变量的值会编译进 kernel，Triton 在 kernel 启动时都会比较它。",
			Help:     "把这个值作为 `tl.constexpr` 参数传入，或者在改变之后重新定义 kernel。",
		},
	},
	{
		Code: "autotune-unranked",
		En: Message{
			Headline: "the configs of `{0}` are not ranked: {1}",
			Label:    "the model expects nothing of a config of this launch",
			Why:      "Configs are put in order once the model of a GPU knows what to expect of each of them.",
			Help:     "All configs are timed on a GPU; without one, the first that compiles is used.",
		},
		Zh: Message{
			Headline: "`{0}` 的 config 没有排序：{1}",
			Label:    "模型无法估计这次 kernel 启动的一个 config",
			Why:      "只有模型对每个 config 都有估计，才能给它们排序。",
			Help:     "有 GPU 时会对所有 config 计时；没有 GPU 时使用第一个能编译的 config。",
		},
	},
	{
		Code: "model-gone",
		En: Message{
			Headline: "the model of a GPU did not answer",
			Why:      "The model is a program of its own, which ended or could not be loaded.",
			Help:     "Run it again; reload the page if that does not help.",
		},
		Zh: Message{
			Headline: "GPU 模型没有回应",
			Why:      "模型是一个单独的程序，它已退出，或无法加载。",
			Help:     "请再运行一次；如果没有用，请重新加载页面。",
		},
	},
	{
		Code: "model-too-large",
		En: Message{
			Headline: "the launch has {0} bytes of tensors, and the model of a GPU takes {1} at most",
			Why:      "The model copies the tensors of a launch into a simulated GPU, which shares the page's memory.",
			Help:     "`newt tune` has no such limit.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动的张量有 {0} 字节，而 GPU 模型最多接受 {1} 字节",
			Why:      "模型把 kernel 启动的张量复制到模拟的 GPU 中，它与页面共用内存。",
			Help:     "`newt tune` 没有这个限制。",
		},
	},
	{
		Code:   "triton-shared-memory",
		Triton: "out of resource: shared memory, Required: {1}, Hardware limit: {2}. Reducing block sizes or `num_stages` may help.",
		En: Message{
			Headline: "Triton refuses this launch of `{0}` on {3}: its code needs at least {1} bytes of shared memory, and there are {2}",
			Label:    "launched here",
			Why: "Triton keeps `num_stages` buffers of the tiles that a loop loads for `tl.dot`, and compiles nothing where they " +
				"do not fit. newt takes fewer stages.",
			Help: "Use smaller blocks, or a smaller `num_stages`.",
		},
		Zh: Message{
			Headline: "Triton 会拒绝在 {3} 上启动 `{0}`：它的代码至少需要 {1} 字节共享内存，而只有 {2} 字节",
			Label:    "在这里启动",
			Why:      "对循环中为 `tl.dot` 加载的块，Triton 保留 `num_stages` 份缓冲；放不下就不编译。newt 会减少级数。",
			Help:     "使用更小的块，或减小 `num_stages`。",
		},
	},
	{
		Code: "metadata-shared",
		En: Message{
			Headline: "`metadata.shared` of `{0}` is what newt's code takes, {1} bytes; Triton's code takes {2} or more",
			Label:    "compiled here",
			Why:      "newt and Triton allocate shared memory each in their own way.",
			Help:     "Do not compute the occupancy of Triton's code from it.",
		},
		Zh: Message{
			Headline: "`{0}` 的 `metadata.shared` 是 newt 的代码所用的 {1} 字节；Triton 的代码至少用 {2} 字节",
			Label:    "在这里编译",
			Why:      "newt 与 Triton 各按自己的方式分配共享内存。",
			Help:     "不要由此计算 Triton 代码的占用率。",
		},
	},
	{
		Code: "registers-assumed",
		En: Message{
			Headline: "the registers of `{0}` are not known without a GPU's driver; {1} are assumed",
			Label:    "compiled here",
			Why:      "Only the driver's compiler assigns registers. What a script computes from their number is not that of a GPU.",
			Help:     "Run the program on a device with a GPU.",
		},
		Zh: Message{
			Headline: "没有 GPU 驱动就不知道 `{0}` 用多少寄存器，这里按 {1} 个计",
			Label:    "在这里编译",
			Why:      "寄存器由驱动的编译器分配；脚本由此算出的数与 GPU 上的不同。",
			Help:     "请选择一个带 GPU 的设备运行。",
		},
	},
	{
		Code: "no-gpu-code",
		En: Message{
			Headline: "there is no PTX of `{0}` here",
			Label:    "compiled for the interpreter",
			Why:      "This device runs tile IR and makes no code for a GPU.",
			Help:     "`newt compile FILE --emit ptx` prints the PTX of a kernel, and the page shows it in the view of stages.",
		},
		Zh: Message{
			Headline: "这里没有 `{0}` 的 PTX",
			Label:    "为解释器编译",
			Why:      "这个设备直接执行 tile IR，不生成 GPU 代码。",
			Help:     "`newt compile FILE --emit ptx` 会打印 kernel 的 PTX，网页的“编译阶段”视图中也能看到。",
		},
	},
	{
		Code: "decorator-not-applied",
		En: Message{
			Headline: "`{0}` is not applied to this launch",
			Label:    "ignored for this launch",
			Why:      "This launch names the kernel directly and passes all of its arguments, so the decorator has nothing to choose.",
			Help:     "Pass the values that the decorator would choose, or launch the kernel from the script with `newt run`.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动没有应用 `{0}`",
			Label:    "这一次被忽略",
			Why:      "这次 kernel 启动直接指定了 kernel 和它的全部参数，装饰器没有什么可选的。",
			Help:     "请直接给出装饰器会选择的值，或者用 `newt run` 在脚本中启动这个 kernel。",
		},
	},
	{
		Code: "decorator-unknown",
		En: Message{
			Headline: "newt does not know the decorator `{0}` and ignores it",
			Label:    "not applied",
			Why:      "The kernel is compiled from its source; the effect of the decorator is not known without running the program.",
			Help:     "Remove it if the kernel does not depend on it, or launch the kernel from the script with `newt run`.",
		},
		Zh: Message{
			Headline: "newt 不认识装饰器 `{0}`，已忽略它",
			Label:    "不起作用",
			Why:      "kernel 是按它的源代码编译的；不运行程序就无法知道装饰器的作用。",
			Help:     "如果 kernel 不依赖它，请去掉；或者用 `newt run` 在脚本中启动这个 kernel。",
		},
	},
	{
		Code: "host-kernel-argument",
		En: Message{
			Headline: "the kernel argument `{0}` cannot have type {1}",
			Label:    "launched here",
			Why:      "The arguments of a kernel are tensors, numbers, dtypes, kernels, None, and tuples of these.",
			Help:     "Pass the tensors and numbers in it one by one, or in a tuple.",
		},
		Zh: Message{
			Headline: "kernel 的参数 `{0}` 不能是 {1} 类型",
			Label:    "在这里启动",
			Why:      "kernel 只接受张量、数、dtype、kernel、None，以及由它们组成的元组。",
			Help:     "请把其中的张量和数逐个传入，或放进元组。",
		},
	},
}

var hostPhrases = []Phrase{
	{"host.called-here", "called here", "在这里被调用"},
	{"host.raised-here", "raised here", "在这里抛出"},
	{"host.launched-here", "launched here", "在这里启动 kernel"},
	{"output.cut", "the output of this cell is too long; what follows is left out", "这个单元格的输出太长，后面的内容没有显示"},
	{"nearest-in-newt", "the closest name that newt has is `{0}`", "newt 里最接近的名字是 `{0}`"},
}
