package diag

// runtimeEntries are the diagnostics of interpreted kernels.
// Arguments of accesses: 0 the tensor, 1 the index, 2 the tensor's elements, 3 the program and its
// lanes (a phrase), 4 how many elements in all.
var runtimeEntries = []Entry{
	{
		Code: "out-of-bounds-load",
		En: Message{
			Headline: "`{0}` is read at index {1}, but it has {2} elements",
			Label:    "reads outside `{0}`: {3}; {4} such elements in this launch",
			Why:      "A GPU would read whatever lies there, or stop with an illegal memory access.",
			Help:     "Pass a mask that is false where the offset is outside, such as `mask=offsets < n`.",
		},
		Zh: Message{
			Headline: "读取 `{0}` 的下标 {1} 越界：它只有 {2} 个元素",
			Label:    "读到了 `{0}` 之外：{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "在 GPU 上会读到无关的数据，或因非法内存访问而中止。",
			Help:     "传入掩码，让越界的通道为假，例如 `mask=offsets < n`。",
		},
	},
	{
		Code: "out-of-bounds-store",
		En: Message{
			Headline: "`{0}` is written at index {1}, but it has {2} elements",
			Label:    "writes outside `{0}`: {3}; {4} such elements in this launch",
			Why:      "A GPU would overwrite whatever lies there, or stop with an illegal memory access. newt left these elements out.",
			Help:     "Pass a mask that is false where the offset is outside, such as `mask=offsets < n`.",
		},
		Zh: Message{
			Headline: "写入 `{0}` 的下标 {1} 越界：它只有 {2} 个元素",
			Label:    "写到了 `{0}` 之外：{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "在 GPU 上会覆盖别处的数据，或因非法内存访问而中止。newt 已跳过这些元素。",
			Help:     "传入掩码，让越界的通道为假，例如 `mask=offsets < n`。",
		},
	},
	{
		Code: "out-of-bounds-atomic",
		En: Message{
			Headline: "an atomic operation uses index {1} of `{0}`, which has {2} elements",
			Label:    "accesses memory outside `{0}`: {3}; {4} such elements in this launch",
			Why:      "A GPU would change whatever lies there, or stop with an illegal memory access. newt left these elements out.",
			Help:     "Pass a mask that is false where the offset is outside.",
		},
		Zh: Message{
			Headline: "原子操作使用了 `{0}` 的下标 {1}，而它只有 {2} 个元素",
			Label:    "访问了 `{0}` 之外：{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "在 GPU 上会改动别处的数据，或因非法内存访问而中止。newt 已跳过这些元素。",
			Help:     "传入掩码，让越界的通道为假。",
		},
	},
	{
		Code: "out-of-bounds-gather",
		En: Message{
			Headline: "gather index {1} is outside the axis, which has {2} elements",
			Label:    "first in {3}; {4} such indices in this launch",
			Why:      "What a GPU gives for such an index is undefined; newt gives 0.",
			Help:     "Keep every index between 0 and {2} - 1.",
		},
		Zh: Message{
			Headline: "gather 的下标 {1} 超出了该轴的范围（共 {2} 个元素）",
			Label:    "首次出现在{3}；这次 kernel 启动共有 {4} 个这样的下标",
			Why:      "GPU 对这样的下标没有确定的结果；newt 给出 0。",
			Help:     "让每个下标都在 0 到 {2} - 1 之间。",
		},
	},
	{
		Code: "wild-pointer",
		En: Message{
			Headline: "this pointer does not point into any argument",
			Label:    "first in {3}; {4} such elements in this launch",
			Why:      "A kernel may only use the memory of the tensors that it was given.",
			Help:     "Build pointers from the kernel's pointer arguments.",
		},
		Zh: Message{
			Headline: "这个指针不指向任何参数",
			Label:    "首次出现在{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "kernel 只能使用传给它的张量的内存。",
			Help:     "从 kernel 的指针参数出发计算指针。",
		},
	},
	{
		Code: "loop-budget",
		En: Message{
			Headline: "this loop did not end within the launch's budget",
			Label:    "still running in program {0}",
			Why:      "newt stops a launch that does far more work than usual, since a loop may never end.",
			Help:     "Check that the loop's condition becomes false; for a large problem, try smaller sizes or raise the budget.",
		},
		Zh: Message{
			Headline: "这个循环没有在这次 kernel 启动的预算内结束",
			Label:    "程序 {0} 仍在其中运行",
			Why:      "循环可能永不结束，所以工作量远超常规的 kernel 启动会被 newt 停止。",
			Help:     "检查循环条件是否会变为假；若问题规模确实很大，请缩小规模或提高预算。",
		},
	},
	{
		Code: "launch-budget",
		En: Message{
			Headline: "the launch did not end within its budget: {0} of {1} programs are done",
			Why:      "newt stops a launch that does far more work than usual.",
			Help:     "Launch fewer programs, or let each do more with a larger block.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动没有在预算内结束：{1} 个程序中完成了 {0} 个",
			Why:      "工作量远超常规的 kernel 启动会被 newt 停止。",
			Help:     "减少程序的数量，或增大块，让每个程序多做一些工作。",
		},
	},
	{
		Code: "assert-failed",
		En: Message{
			Headline: "device assertion failed{1}",
			Label:    "false in program {0} at element {2}",
			Why:      "`tl.device_assert` stops the kernel where an element of its condition is false.",
			Help:     "Print the values that the condition depends on with `tl.device_print`.",
		},
		Zh: Message{
			Headline: "设备断言失败{1}",
			Label:    "在程序 {0} 的第 {2} 个元素处为假",
			Why:      "条件中有元素为假时，`tl.device_assert` 会停止 kernel。",
			Help:     "用 `tl.device_print` 打印条件所依赖的值。",
		},
	},
	{
		Code: "assumption-wrong",
		En: Message{
			Headline: "what `tl.assume` says is not true",
			Label:    "false in program {0}",
			Why:      "The compiler builds on an assumption without checking it: a wrong one gives wrong results on a GPU.",
			Help:     "Remove the assumption, or make sure that it holds for every program.",
		},
		Zh: Message{
			Headline: "`tl.assume` 所说的并不成立",
			Label:    "在程序 {0} 中为假",
			Why:      "编译器会直接利用假设而不检查：错误的假设会让 GPU 算出错误的结果。",
			Help:     "删去这个假设，或确保它对每个程序都成立。",
		},
	},
	{
		Code: "grid-out-of-range",
		En: Message{
			Headline: "the grid has {0} programs along {1}, outside 1 to {2}",
			Why:      "CUDA takes 1 to 2147483647 programs along x, and 1 to 65535 along y and z.",
			Help:     "Put the largest dimension first, or split the work otherwise.",
		},
		Zh: Message{
			Headline: "网格在 {1} 方向上有 {0} 个程序，超出了 1 到 {2} 的范围",
			Why:      "CUDA 在 x 方向接受 1 到 2147483647 个程序，在 y 和 z 方向接受 1 到 65535 个。",
			Help:     "把最大的维度放在最前面，或换一种方式划分工作。",
		},
	},
	{
		Code: "launch-arguments",
		En: Message{
			Headline: "`{0}` takes {1} arguments, but the launch passes {2}",
			Why:      "Every parameter that exists at run time needs a value.",
			Help:     "Pass one argument for each parameter that is not a constexpr.",
		},
		Zh: Message{
			Headline: "`{0}` 需要 {1} 个参数，kernel 启动时传入了 {2} 个",
			Why:      "每个运行时参数都需要一个值。",
			Help:     "为每个非 constexpr 参数传入一个值。",
		},
	},
	{
		Code: "launch-argument-type",
		En: Message{
			Headline: "`{0}` is a {1}, but the launch passes a {2}",
			Why:      "The kernel was compiled for arguments of other types.",
			Help:     "Compile the kernel for the types that it is launched with.",
		},
		Zh: Message{
			Headline: "`{0}` 的类型是 {1}，kernel 启动时传入的却是 {2}",
			Why:      "kernel 是按其他参数类型编译的。",
			Help:     "按 kernel 启动时的参数类型编译 kernel。",
		},
	},
	{
		Code: "launch-argument-offset",
		En: Message{
			Headline: "`{0}` points to element {1} of a memory of {2}",
			Why:      "A pointer argument must point into its tensor's memory.",
			Help:     "Check the view's offset.",
		},
		Zh: Message{
			Headline: "`{0}` 指向第 {1} 个元素，而这块内存只有 {2} 个",
			Why:      "指针参数必须指向其张量的内存。",
			Help:     "检查视图的偏移。",
		},
	},
	{
		Code: "launch-cancelled",
		En: Message{
			Headline: "the launch was stopped: {0} of {1} programs are done",
			Why:      "Someone asked for it, or its time was up.",
			Help:     "What the kernel has written so far stays as it is.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动已被停止：{1} 个程序中完成了 {0} 个",
			Why:      "有人要求停止，或时间已到。",
			Help:     "kernel 已经写入的内容保持不变。",
		},
	},
	{
		Code: "launch-argument-divisible",
		En: Message{
			Headline: "`{0}` was compiled as a multiple of {1}, but the launch passes {2}",
			Why:      "Vector loads and stores on a GPU rely on what was said about alignment when the kernel was compiled.",
			Help:     "Compile the kernel again for these arguments.",
		},
		Zh: Message{
			Headline: "`{0}` 是按 {1} 的倍数编译的，kernel 启动时传入的却是 {2}",
			Why:      "GPU 上的向量读写依赖编译时给出的对齐信息。",
			Help:     "请针对这些参数重新编译 kernel。",
		},
	},
	{
		Code: "launch-deadline",
		En: Message{
			Headline: "the launch did not end within {0} and was ended by force",
			Why:      "A GPU cannot stop one kernel alone: its process was ended, and the tensors on the device are lost with it.",
			Help:     "Check that every loop ends; for a large problem, try smaller sizes.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动没有在 {0} 内结束，已被强制终止",
			Why:      "GPU 无法只停下一个 kernel：它所在的进程已被结束，设备上的张量也随之丢失。",
			Help:     "检查每个循环是否都会结束；若问题规模确实很大，请先缩小规模。",
		},
	},
	{
		Code: "launch-refused",
		En: Message{
			Headline: "the GPU's driver refuses this launch",
			Why:      "It says: {0}.",
			Help:     "Use smaller blocks or fewer warps: one program may need more registers or shared memory than there are.",
		},
		Zh: Message{
			Headline: "GPU 驱动拒绝了这次 kernel 启动",
			Why:      "驱动给出的原因：{0}。",
			Help:     "使用更小的块或更少的 warp：单个程序所需的寄存器或共享内存可能超出了上限。",
		},
	},
	{
		Code: "shared-memory",
		En: Message{
			Headline: "`{0}` needs {1} bytes of shared memory for one program; this GPU has {2}",
			Why:      "Tiles that threads exchange, and those of a pipeline's stages, lie in shared memory at the same time.",
			Help:     "Use smaller blocks, or a smaller `num_stages`.",
		},
		Zh: Message{
			Headline: "`{0}` 的一个程序需要 {1} 字节共享内存；这块 GPU 只有 {2} 字节",
			Why:      "线程之间交换的块和流水线各级的块会同时占用共享内存。",
			Help:     "使用更小的块，或减小 `num_stages`。",
		},
	},
	{
		Code: "device-fault",
		En: Message{
			Headline: "the kernel broke the GPU's context",
			Why:      "An error that the GPU does not recover from; newt's own checks should have come before it. The driver says: {0}.",
			Help:     "Please report it with the kernel's source. The next run gets a fresh process.",
		},
		Zh: Message{
			Headline: "这个 kernel 使 GPU 上下文失效",
			Why:      "GPU 遇到了无法恢复的错误；newt 的检查本应先一步发现它。驱动给出的原因：{0}。",
			Help:     "请附上 kernel 源码报告这个问题。下一次运行会使用新的进程。",
		},
	},
	{
		Code: "device-lost",
		En: Message{
			Headline: "the process that held the GPU is gone, and the tensors on the device with it",
			Why:      "It was ended, or an earlier launch broke it: {0}.",
			Help:     "Run again: a fresh process is ready.",
		},
		Zh: Message{
			Headline: "占有 GPU 的进程已经不在，设备上的张量也随之丢失",
			Why:      "它已被结束，或被之前的 kernel 启动破坏：{0}。",
			Help:     "请重新运行：新的进程已经就绪。",
		},
	},
	{
		Code: "kernel-too-large",
		En: Message{
			Headline: "`{0}` needs {1} MiB for one program's values; newt allows {2}",
			Why:      "Every tile that is alive at the same time takes memory in each program.",
			Help:     "Use smaller blocks, or loop over parts of the data.",
		},
		Zh: Message{
			Headline: "`{0}` 的一个程序需要 {1} MiB 来存放各个值；newt 允许 {2} MiB",
			Why:      "同一时刻存活的每个块都会占用各程序的内存。",
			Help:     "使用更小的块，或在循环中分批处理数据。",
		},
	},
	{
		Code: "unsupported-operation",
		En: Message{
			Headline: "`{0}` cannot be computed on `{1}`",
			Why:      "The operation has no meaning for this type.",
			Help:     "Convert the operands with `.to(...)` first.",
		},
		Zh: Message{
			Headline: "无法在 `{1}` 上计算 `{0}`",
			Why:      "该操作对这种类型没有意义。",
			Help:     "先用 `.to(...)` 转换操作数。",
		},
	},
	{
		Code: "out-of-memory",
		En: Message{
			Headline: "there is no room for {0} more bytes on the device",
			Why:      "It has {1} bytes, of which {2} are in use.",
			Help:     "Use smaller tensors.",
		},
		Zh: Message{
			Headline: "设备上放不下另外 {0} 个字节",
			Why:      "设备共有 {1} 个字节，其中 {2} 个正在使用。",
			Help:     "使用更小的张量。",
		},
	},
	{
		Code: "copy-out-of-range",
		En: Message{
			Headline: "a copy of {1} bytes at offset {0} leaves the memory, which has {2}",
			Why:      "Only memory that was allocated can be copied to or from.",
			Help:     "Check the offset and the length.",
		},
		Zh: Message{
			Headline: "从偏移 {0} 起复制 {1} 个字节超出了范围：这块内存只有 {2} 个字节",
			Why:      "只能复制已分配的内存。",
			Help:     "检查偏移和长度。",
		},
	},
	{
		Code: "internal-error",
		En: Message{
			Headline: "newt itself made a mistake while running this kernel",
			Why:      "The kernel may be right. What went wrong inside: {0}.",
			Help:     "Please report it with the kernel's source.",
		},
		Zh: Message{
			Headline: "运行这个 kernel 时 newt 自身出错了",
			Why:      "kernel 本身可能没有问题。内部出错的内容：{0}。",
			Help:     "请附上 kernel 源码报告这个问题。",
		},
	},
	{
		Code: "race-stores",
		En: Message{
			Headline: "programs {1} and {2} both write element {3} of `{0}`",
			Label:    "program {2} writes it too",
			Why:      "Programs run at the same time, in no order: which value stays is a matter of chance.",
			Help:     "Let each element be written by one program, or combine values with `tl.atomic_add` and its like.",
		},
		Zh: Message{
			Headline: "程序 {1} 和 {2} 都写入了 `{0}` 的第 {3} 个元素",
			Label:    "程序 {2} 也写了它",
			Why:      "各程序同时运行，没有先后顺序：最后留下哪个值全凭运气。",
			Help:     "让每个元素只由一个程序写入，或用 `tl.atomic_add` 等原子操作合并。",
		},
	},
	{
		Code: "race-load-store",
		En: Message{
			Headline: "program {1} and program {2} use element {3} of `{0}` at once, and one of them writes it",
			Label:    "program {2} uses it too",
			Why:      "Programs run at the same time, in no order: the value that is read may be the old one or the new one.",
			Help:     "Write to another tensor, split the work into two launches, or use atomic operations.",
		},
		Zh: Message{
			Headline: "程序 {1} 和程序 {2} 同时使用 `{0}` 的第 {3} 个元素，其中一个在写入",
			Label:    "程序 {2} 也用到了它",
			Why:      "各程序同时运行，没有先后顺序：读到的可能是旧值，也可能是新值。",
			Help:     "写到另一个张量、把工作分成两次 kernel 启动，或使用原子操作。",
		},
	},
	{
		Code: "races-incomplete",
		En: Message{
			Headline: "the search for races did not cover the whole launch",
			Why:      "It follows at most {0} elements of tensors, {1} programs with atomic operations and {2} races; beyond that races may be missed.",
			Help:     "Launch the kernel on smaller tensors or a smaller grid to look for races.",
		},
		Zh: Message{
			Headline: "对竞争的检查没有覆盖整次 kernel 启动",
			Why:      "最多跟踪 {0} 个张量元素、{1} 个做过原子操作的程序和 {2} 处竞争；超出的部分可能会漏报。",
			Help:     "请用更小的张量或更小的 grid 启动 kernel 来检查竞争。",
		},
	},
}

var runtimePhrases = []Phrase{
	{"runtime.program", "program {0}", "程序 {0}"},
	{"runtime.program-lane", "program {0}, lane {1} of {2}", "程序 {0} 的通道 {1}（共 {2} 个）"},
	{"runtime.program-lanes", "program {0}, lanes {1} to {2} of {3}", "程序 {0} 的通道 {1} 到 {2}（共 {3} 个）"},
	{"race-other-store", "the other program writes it here", "另一个程序在这里写入"},
	{"race-other-load", "the other program reads it here", "另一个程序在这里读取"},
	{"race-other-atomic", "the other program changes it here", "另一个程序在这里原子地修改"},
}
