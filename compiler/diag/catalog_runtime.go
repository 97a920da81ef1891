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
			Why:      "A GPU would read unrelated memory, or stop with an illegal memory access.",
			Help:     "If an offset is not the one that you mean, mend it: is the stride right? If lanes lie past the end, pass a mask that is false for them, such as `mask=offsets < n`.",
		},
		Zh: Message{
			Headline: "读取 `{0}` 的下标 {1} 越界：它只有 {2} 个元素",
			Label:    "读到了 `{0}` 之外：{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "在 GPU 上会读到无关的数据，或因非法内存访问而中止。",
			Help:     "如果偏移量算得不对，就改正它：步长对吗？如果是通道超出了末尾，就传入让这些通道为假的掩码，例如 `mask=offsets < n`。",
		},
	},
	{
		Code: "out-of-bounds-store",
		En: Message{
			Headline: "`{0}` is written at index {1}, but it has {2} elements",
			Label:    "writes outside `{0}`: {3}; {4} such elements in this launch",
			Why:      "A GPU would overwrite unrelated memory, or stop with an illegal memory access. newt skipped these elements.",
			Help:     "If an offset is not the one that you mean, mend it: is the stride right? If lanes lie past the end, pass a mask that is false for them, such as `mask=offsets < n`.",
		},
		Zh: Message{
			Headline: "写入 `{0}` 的下标 {1} 越界：它只有 {2} 个元素",
			Label:    "写到了 `{0}` 之外：{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "在 GPU 上会覆盖别处的数据，或因非法内存访问而中止。newt 已跳过这些元素。",
			Help:     "如果偏移量算得不对，就改正它：步长对吗？如果是通道超出了末尾，就传入让这些通道为假的掩码，例如 `mask=offsets < n`。",
		},
	},
	{
		Code: "out-of-bounds-atomic",
		En: Message{
			Headline: "an atomic operation uses index {1} of `{0}`, which has {2} elements",
			Label:    "accesses memory outside `{0}`: {3}; {4} such elements in this launch",
			Why:      "A GPU would change unrelated memory, or stop with an illegal memory access. newt skipped these elements.",
			Help:     "Pass a mask that is false for offsets out of bounds.",
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
			Why:      "The result for such an index is undefined on a GPU; newt gives 0.",
			Help:     "Keep every index between 0 and {2} - 1.",
		},
		Zh: Message{
			Headline: "gather 的下标 {1} 超出了该轴的范围（共 {2} 个元素）",
			Label:    "首次出现在{3}；这次 kernel 启动共有 {4} 个这样的下标",
			Why:      "在 GPU 上，这样的下标得到的结果是未定义的；newt 给出 0。",
			Help:     "让每个下标都在 0 到 {2} - 1 之间。",
		},
	},
	{
		Code: "wild-pointer",
		En: Message{
			Headline: "this pointer does not point into any tensor",
			Label:    "first in {3}; {4} such elements in this launch",
			Why: "A kernel may access only the memory of the tensors passed to it, and of those whose `data_ptr()` the script has " +
				"asked for and which still exist. The address must be a multiple of the element's size.",
			Help: "Compute pointers from the kernel's pointer arguments, or store `tensor.data_ptr()` and keep the tensor.",
		},
		Zh: Message{
			Headline: "这个指针不指向任何张量",
			Label:    "首次出现在{3}；这次 kernel 启动共有 {4} 个这样的元素",
			Why:      "kernel 只能使用传给它的张量的内存，以及脚本取过 `data_ptr()` 且仍然存在的张量的内存。地址必须是元素大小的倍数。",
			Help:     "从 kernel 的指针参数出发计算指针；或者存下 `tensor.data_ptr()`，并保留这个张量。",
		},
	},
	{
		Code: "loop-budget",
		En: Message{
			Headline: "this loop did not end within the instruction budget of the launch",
			Label:    "still running in program {0}",
			Why:      "newt stops a launch that does far more work than usual, since a loop may never end.",
			Help:     "Check that the loop's condition becomes false; for a large problem, try smaller sizes.",
		},
		Zh: Message{
			Headline: "这个循环没有在这次 kernel 启动的指令预算内结束",
			Label:    "程序 {0} 仍在其中运行",
			Why:      "循环可能永不结束，所以工作量远超常规的 kernel 启动会被 newt 停止。",
			Help:     "检查循环条件是否会变为假；若问题规模确实很大，请缩小规模。",
		},
	},
	{
		Code: "launch-budget",
		En: Message{
			Headline: "the launch did not end within its instruction budget: {0} of {1} programs have finished",
			Why:      "newt stops a launch that does far more work than usual.",
			Help:     "Launch fewer programs, or let each do more work with a larger block.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动没有在指令预算内结束：{1} 个程序中完成了 {0} 个",
			Why:      "工作量远超常规的 kernel 启动会被 newt 停止。",
			Help:     "减少程序的数量，或增大块，让每个程序多做一些工作。",
		},
	},
	{
		Code: "assert-failed",
		En: Message{
			Headline: "device assertion failed{1}",
			Label:    "false in program {0} at element {2}",
			Why:      "`tl.device_assert` stops the kernel if any element of its condition is false.",
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
			Headline: "the condition of `tl.assume` is false",
			Label:    "false in program {0}",
			Why:      "The compiler relies on an assumption without checking it, so a wrong one gives wrong results on a GPU.",
			Help:     "Remove the assumption, or make sure that it is true in every program.",
		},
		Zh: Message{
			Headline: "`tl.assume` 的条件不成立",
			Label:    "在程序 {0} 中为假",
			Why:      "编译器会直接利用假设而不检查：错误的假设会让 GPU 算出错误的结果。",
			Help:     "删去这个假设，或确保它对每个程序都成立。",
		},
	},
	{
		Code: "grid-out-of-range",
		En: Message{
			Headline: "the grid has {0} programs along {1}, outside the range 1 to {2}",
			Why:      "CUDA allows 1 to 2147483647 programs along x, and 1 to 65535 along y and z.",
			Help:     "Put the largest dimension first, or divide the work differently.",
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
			Why:      "Every run-time parameter needs a value.",
			Help:     "Pass one argument for each parameter that is not a constexpr.",
		},
		Zh: Message{
			Headline: "`{0}` 需要 {1} 个参数，kernel 启动时传入了 {2} 个",
			Why:      "每个运行时参数都需要一个值。",
			Help:     "为每个非 constexpr 参数传入一个值。",
		},
	},
	{
		Code: "launch-address",
		En: Message{
			Headline: "argument {1} of the launch of `{0}` is no memory that the kernel could reach by its address",
			Why:      "Arguments beyond the parameters are whole tensors, each with an address that is a multiple of 256.",
			Help:     "Pass tensors whose addresses the kernel reads, after the arguments of its parameters.",
		},
		Zh: Message{
			Headline: "启动 `{0}` 时的第 {1} 个参数不是 kernel 能按地址访问的内存",
			Why:      "参数表之外的参数必须是完整的张量，并带有 256 的倍数的地址。",
			Help:     "把 kernel 要按地址访问的张量放在其他参数之后传入。",
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
			Headline: "`{0}` points to element {1} of a buffer of {2} elements",
			Why:      "A pointer argument must point into the memory of its tensor.",
			Help:     "Check the offset of the view.",
		},
		Zh: Message{
			Headline: "`{0}` 指向第 {1} 个元素，而这个缓冲区只有 {2} 个元素",
			Why:      "指针参数必须指向其张量的内存。",
			Help:     "检查视图的偏移。",
		},
	},
	{
		Code: "launch-cancelled",
		En: Message{
			Headline: "the launch was stopped: {0} of {1} programs have finished",
			Why:      "It was cancelled, or its time was up.",
			Help:     "What the kernel has written so far is kept.",
		},
		Zh: Message{
			Headline: "这次 kernel 启动已被停止：{1} 个程序中完成了 {0} 个",
			Why:      "它被取消了，或者时间已到。",
			Help:     "kernel 已经写入的内容保持不变。",
		},
	},
	{
		Code: "launch-argument-divisible",
		En: Message{
			Headline: "`{0}` was compiled as a multiple of {1}, but the launch passes {2}",
			Why:      "Vectorized loads and stores on a GPU rely on the alignment that was given when the kernel was compiled.",
			Help:     "Compile the kernel again for these arguments.",
		},
		Zh: Message{
			Headline: "`{0}` 是按 {1} 的倍数编译的，kernel 启动时传入的却是 {2}",
			Why:      "GPU 上的向量化读写依赖编译时给出的对齐信息。",
			Help:     "请针对这些参数重新编译 kernel。",
		},
	},
	{
		Code: "launch-deadline",
		En: Message{
			Headline: "the launch did not end within {0} and was killed",
			Why:      "A GPU cannot stop a single kernel, so its process was killed, and the tensors on the device were lost with it.",
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
			Headline: "the GPU driver rejected this launch",
			Why:      "The driver's message is: {0}.",
			Help:     "Use smaller blocks or fewer warps: one program may need more registers or shared memory than the GPU has.",
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
			Why:      "Tiles that threads exchange and the stages of software pipelining are in shared memory at the same time.",
			Help:     "Use smaller blocks, or a smaller `num_stages`.",
		},
		Zh: Message{
			Headline: "`{0}` 的一个程序需要 {1} 字节共享内存；这块 GPU 只有 {2} 字节",
			Why:      "线程之间交换的块和软件流水各级的缓冲会同时占用共享内存。",
			Help:     "使用更小的块，或减小 `num_stages`。",
		},
	},
	{
		Code: "too-many-threads",
		En: Message{
			Headline: "`{0}` has {1} threads in one program; a GPU has at most {2}",
			Why:      "Each warp is 32 threads, and a program runs as one thread block.",
			Help:     "Use a smaller `num_warps`: at most 32.",
		},
		Zh: Message{
			Headline: "`{0}` 的一个程序有 {1} 个线程；GPU 最多支持 {2} 个",
			Why:      "每个 warp 有 32 个线程，一个程序作为一个线程块运行。",
			Help:     "减小 `num_warps`：最多 32。",
		},
	},
	{
		Code: "device-fault",
		En: Message{
			Headline: "the kernel put the GPU context into an error state",
			Why:      "The GPU cannot recover from this error, which newt's checks should have prevented. The driver's message is: {0}.",
			Help:     "Please report it as an issue of newt, with the source of the kernel. The next run uses a new process.",
		},
		Zh: Message{
			Headline: "这个 kernel 使 GPU 上下文进入错误状态",
			Why:      "GPU 无法从这个错误恢复，而 newt 的检查本应阻止它发生。驱动给出的原因：{0}。",
			Help:     "请在 newt 的 issue 中报告，并附上 kernel 源码。下一次运行会使用新的进程。",
		},
	},
	{
		Code: "device-lost",
		En: Message{
			Headline: "the process that used the GPU has ended, and the tensors on the device are lost",
			Why:      "It was stopped, or an earlier launch crashed it: {0}.",
			Help:     "Run again: a new process is ready.",
		},
		Zh: Message{
			Headline: "使用 GPU 的进程已经结束，设备上的张量也随之丢失",
			Why:      "它被停止了，或因之前的一次 kernel 启动而崩溃：{0}。",
			Help:     "请重新运行：新的进程已经就绪。",
		},
	},
	{
		Code: "kernel-too-large",
		En: Message{
			Headline: "`{0}` needs {1} MiB for the values of one program; the limit is {2}",
			Why:      "All tiles that are live at the same time use memory in each program.",
			Help:     "Use smaller blocks, or loop over parts of the data.",
		},
		Zh: Message{
			Headline: "`{0}` 的一个程序需要 {1} MiB 来存放各个值；上限是 {2} MiB",
			Why:      "同一时刻存活的每个块都会占用各程序的内存。",
			Help:     "使用更小的块，或在循环中分批处理数据。",
		},
	},
	{
		Code: "unsupported-operation",
		En: Message{
			Headline: "`{0}` does not support `{1}`",
			Why:      "The operation is not defined for this type.",
			Help:     "Convert the operands with `.to(...)` first.",
		},
		Zh: Message{
			Headline: "`{0}` 不支持 `{1}`",
			Why:      "这种类型没有定义该操作。",
			Help:     "先用 `.to(...)` 转换操作数。",
		},
	},
	{
		Code: "out-of-memory",
		En: Message{
			Headline: "the device has no memory for {0} more bytes",
			Why:      "It has {1} bytes, of which newt's tensors take {2}. On a GPU, other programs may take the rest.",
			Help:     "Use smaller tensors.",
		},
		Zh: Message{
			Headline: "设备上放不下另外 {0} 个字节",
			Why:      "设备共有 {1} 个字节，newt 的张量占用其中 {2} 个。在 GPU 上，其余的可能被其他程序占用。",
			Help:     "使用更小的张量。",
		},
	},
	{
		Code: "copy-out-of-range",
		En: Message{
			Headline: "a copy of {1} bytes at offset {0} is outside the buffer, which has {2} bytes",
			Why:      "Only allocated memory can be copied to or from.",
			Help:     "Check the offset and the length.",
		},
		Zh: Message{
			Headline: "从偏移 {0} 起复制 {1} 个字节超出了范围：这个缓冲区只有 {2} 个字节",
			Why:      "只能复制已分配的内存。",
			Help:     "检查偏移和长度。",
		},
	},
	{
		Code: "internal-error",
		En: Message{
			Headline: "internal error in newt",
			Why:      "The kernel may be correct. The error is: {0}.",
			Help:     "Please report it as an issue of newt, with the source of the kernel.",
		},
		Zh: Message{
			Headline: "newt 内部错误",
			Why:      "kernel 本身可能没有问题。错误内容：{0}。",
			Help:     "请在 newt 的 issue 中报告，并附上 kernel 源码。",
		},
	},
	{
		Code: "race-stores",
		En: Message{
			Headline: "programs {1} and {2} both write element {3} of `{0}`",
			Label:    "program {2} writes it too",
			Why:      "Programs run concurrently, in no defined order, so which value remains is undefined.",
			Help:     "Let each element be written by a single program, or combine values with an atomic operation such as `tl.atomic_add`.",
		},
		Zh: Message{
			Headline: "程序 {1} 和 {2} 都写入了 `{0}` 的第 {3} 个元素",
			Label:    "程序 {2} 也写了它",
			Why:      "各程序并发运行，没有确定的先后顺序，所以最后留下哪个值是不确定的。",
			Help:     "让每个元素只由一个程序写入，或用 `tl.atomic_add` 等原子操作合并。",
		},
	},
	{
		Code: "race-load-store",
		En: Message{
			Headline: "programs {1} and {2} access element {3} of `{0}` at the same time, and one of them writes it",
			Label:    "program {2} accesses it too",
			Why:      "Programs run concurrently, in no defined order, so the value read may be the old or the new one.",
			Help:     "Write to another tensor, split the work into two launches, or use atomic operations.",
		},
		Zh: Message{
			Headline: "程序 {1} 和程序 {2} 同时访问 `{0}` 的第 {3} 个元素，其中一个在写入",
			Label:    "程序 {2} 也访问了它",
			Why:      "各程序并发运行，没有确定的先后顺序：读到的可能是旧值，也可能是新值。",
			Help:     "写到另一个张量、把工作分成两次 kernel 启动，或使用原子操作。",
		},
	},
	{
		Code: "race-same-value",
		En: Message{
			Headline: "programs {1} and {2} access element {3} of `{0}` concurrently, and the value written is the one that is there",
			Label:    "program {2} writes the value that `{0}` has",
			Why:      "Programs run concurrently, in no defined order. The result is the same in any order only as long as the values are equal.",
			Help:     "Let a single program write the element, or keep it as it is if the values are always equal.",
		},
		Zh: Message{
			Headline: "程序 {1} 和 {2} 并发访问 `{0}` 的第 {3} 个元素，写入的值与原有的值相同",
			Label:    "程序 {2} 写入的正是 `{0}` 中已有的值",
			Why:      "各程序并发运行，没有确定的先后顺序。只有这些值始终相等，结果才与顺序无关。",
			Help:     "让这个元素只由一个程序写入；如果这些值总是相等，也可以保持原样。",
		},
	},
	{
		Code: "race-scope",
		En: Message{
			Headline: "the atomic operations of programs {1} and {2} on element {3} of `{0}` are not atomic to each other",
			Label:    "scope `cta` of program {1} or {2}",
			Why:      "With `scope=\"cta\"` an operation is atomic only among the threads of its own program.",
			Help:     "Use `scope=\"gpu\"`, the default, where several programs change an element.",
		},
		Zh: Message{
			Headline: "程序 {1} 和 {2} 对 `{0}` 第 {3} 个元素的原子操作，彼此之间并不是原子的",
			Label:    "程序 {1} 或 {2} 的 scope 是 `cta`",
			Why:      "`scope=\"cta\"` 的操作只在本程序的线程之间是原子的。",
			Help:     "多个程序修改同一个元素时，请使用默认的 `scope=\"gpu\"`。",
		},
	},
	{
		Code: "race-lanes",
		En: Message{
			Headline: "lanes {5} and {6} of a store of program {2} write different values to element {3} of `{0}`",
			Label:    "two lanes, one element",
			Why:      "The lanes of a store run concurrently, in no defined order, so which value remains is undefined.",
			Help:     "Make the offsets of the store distinct, or combine the values with an atomic operation such as `tl.atomic_add`.",
		},
		Zh: Message{
			Headline: "程序 {2} 的一次 store 中，通道 {5} 和 {6} 向 `{0}` 的第 {3} 个元素写入了不同的值",
			Label:    "两个通道写同一个元素",
			Why:      "一次 store 的各个通道并发执行，没有确定的先后顺序，所以最后留下哪个值是不确定的。",
			Help:     "让这次 store 的偏移互不相同，或用 `tl.atomic_add` 等原子操作合并这些值。",
		},
	},
	{
		Code: "read-unwritten",
		En: Message{
			Headline: "program {2} reads element {1} of `{0}`, which nobody has written",
			Label:    "lane {3} reads undefined memory",
			Why:      "`{0}` was made without values, as by `torch.empty`, and no program has stored to this element before it is read.",
			Help:     "Create the tensor with `torch.zeros`, or store to the element first.",
		},
		Zh: Message{
			Headline: "程序 {2} 读取了 `{0}` 的第 {1} 个元素，而它从未被写入",
			Label:    "通道 {3} 读到未定义的内存",
			Why:      "`{0}` 创建时没有初始值（例如用 `torch.empty`），读取之前也没有程序写过这个元素。",
			Help:     "用 `torch.zeros` 创建张量，或先写入这个元素。",
		},
	},
	{
		Code: "undefined-lane-store",
		En: Message{
			Headline: "program {0} stores an undefined value",
			Label:    "the value of lane {1} comes from a lane that a mask left out",
			Why:      "A load gives no defined value to the lanes that its mask leaves out, unless it has an `other`.",
			Help:     "Give the load an `other`, or mask the store as well.",
		},
		Zh: Message{
			Headline: "程序 {0} 写入了未定义的值",
			Label:    "通道 {1} 的值来自被 mask 去掉的通道",
			Why:      "load 没有 `other` 时，被 mask 去掉的通道没有确定的值。",
			Help:     "给 load 加上 `other`，或者让 store 也带上 mask。",
		},
	},
	{
		Code: "undefined-lane-branch",
		En: Message{
			Headline: "program {0} decides by an undefined value",
			Label:    "the condition comes from a lane that a mask left out",
			Why:      "A load gives no defined value to the lanes that its mask leaves out, unless it has an `other`.",
			Help:     "Give the load an `other` that makes the condition right.",
		},
		Zh: Message{
			Headline: "程序 {0} 根据未定义的值做判断",
			Label:    "条件来自被 mask 去掉的通道",
			Why:      "load 没有 `other` 时，被 mask 去掉的通道没有确定的值。",
			Help:     "给 load 加上能让条件成立与否都正确的 `other`。",
		},
	},
	{
		Code: "undefined-lane-address",
		En: Message{
			Headline: "program {0} computes an address from an undefined value",
			Label:    "the address of lane {1} comes from a lane that a mask left out",
			Why:      "A load gives no defined value to the lanes that its mask leaves out, unless it has an `other`.",
			Help:     "Give the load of the offsets an `other` such as 0, or use its mask for this access, too.",
		},
		Zh: Message{
			Headline: "程序 {0} 用未定义的值计算地址",
			Label:    "通道 {1} 的地址来自被 mask 去掉的通道",
			Why:      "load 没有 `other` 时，被 mask 去掉的通道没有确定的值。",
			Help:     "给读取偏移的 load 加上 `other`（例如 0），或者让这次访问使用同一个 mask。",
		},
	},
	{
		Code: "undefined-lane-mask",
		En: Message{
			Headline: "program {0} masks lane {1} by an undefined value",
			Label:    "this mask comes from a lane that another mask left out",
			Why:      "A load gives no defined value to the lanes that its mask leaves out, unless it has an `other`.",
			Help:     "Give the load an `other` that makes the mask false, or combine both masks with `&`.",
		},
		Zh: Message{
			Headline: "程序 {0} 用未定义的值作为通道 {1} 的 mask",
			Label:    "这个 mask 来自被另一个 mask 去掉的通道",
			Why:      "load 没有 `other` 时，被 mask 去掉的通道没有确定的值。",
			Help:     "给 load 加上能让 mask 为假的 `other`，或用 `&` 合并两个 mask。",
		},
	},
	{
		Code: "nan-origin",
		En: Message{
			Headline: "a NaN that program {0} stores begins here",
			Label:    "lane {1} becomes NaN",
			Why:      "None of the operands is NaN, and the result is: as 0/0, inf - inf, or the logarithm or root of a negative number.",
			Help:     "Check the operands of this operation, for instance with `tl.device_print`, and use `tl.where` or `tl.maximum` to keep them in its domain.",
		},
		Zh: Message{
			Headline: "程序 {0} 写入的 NaN 从这里产生",
			Label:    "通道 {1} 变成 NaN",
			Why:      "操作数都不是 NaN，结果却是 NaN，例如 0/0、inf - inf，或负数的对数和平方根。",
			Help:     "检查这个操作的操作数（例如用 `tl.device_print`），并用 `tl.where` 或 `tl.maximum` 把它们限制在定义域内。",
		},
	},
	{
		Code: "overflow-origin",
		En: Message{
			Headline: "an infinity that program {0} stores begins here",
			Label:    "lane {1} becomes infinite",
			Why:      "All operands are finite, and the result is too large for its dtype, or a division by zero.",
			Help:     "Compute in a wider dtype, or scale the operands, as softmax does by subtracting the maximum.",
		},
		Zh: Message{
			Headline: "程序 {0} 写入的无穷大从这里产生",
			Label:    "通道 {1} 变成无穷大",
			Why:      "操作数都是有限的，结果却超出了 dtype 的范围，或者除以了零。",
			Help:     "用更宽的 dtype 计算，或先缩放操作数，例如 softmax 先减去最大值。",
		},
	},
	{
		Code: "hint-divisibility",
		En: Message{
			Headline: "`tl.multiple_of` promises multiples of {3}, and program {0} has {2}",
			Label:    "lane {1} is {2}",
			Why:      "The compiler relies on the promise: it may use wide accesses that are misaligned then, and read or write other elements.",
			Help:     "Remove the hint, or pass sizes and offsets that are multiples of {3}.",
		},
		Zh: Message{
			Headline: "`tl.multiple_of` 保证值是 {3} 的倍数，而程序 {0} 中出现了 {2}",
			Label:    "通道 {1} 的值是 {2}",
			Why:      "编译器会依赖这个保证：它可能使用更宽的访问，此时地址没有对齐，会读写到其他元素。",
			Help:     "去掉这个提示，或传入 {3} 的倍数作为大小和偏移。",
		},
	},
	{
		Code: "hint-contiguity",
		En: Message{
			Headline: "`tl.max_contiguous` promises {3} consecutive values, and in program {0} lane {1} does not follow the one before it",
			Label:    "the value {2}",
			Why:      "The compiler relies on the promise: it may replace the accesses of several lanes by a wide one to other elements.",
			Help:     "Remove the hint, or promise no more consecutive values than there are.",
		},
		Zh: Message{
			Headline: "`tl.max_contiguous` 保证有 {3} 个连续的值，而程序 {0} 的通道 {1} 与前一个通道不连续",
			Label:    "值为 {2}",
			Why:      "编译器会依赖这个保证：它可能把几个通道的访问合并成一次更宽的访问，从而访问到其他元素。",
			Help:     "去掉这个提示，或者不要保证比实际更多的连续值。",
		},
	},
	{
		Code: "hint-constancy",
		En: Message{
			Headline: "`tl.max_constancy` promises {3} equal values, and in program {0} lane {1} differs from the one before it",
			Label:    "the value {2}",
			Why:      "The compiler relies on the promise: it may access memory or compute once for all of these lanes.",
			Help:     "Remove the hint, or promise no more equal values than there are.",
		},
		Zh: Message{
			Headline: "`tl.max_constancy` 保证有 {3} 个相等的值，而程序 {0} 的通道 {1} 与前一个通道不相等",
			Label:    "值为 {2}",
			Why:      "编译器会依赖这个保证：它可能让这些通道只访问一次内存，或只计算一次。",
			Help:     "去掉这个提示，或者不要保证比实际更多的相等的值。",
		},
	},
	{
		Code: "races-incomplete",
		En: Message{
			Headline: "the race check did not cover the whole launch",
			Why:      "It tracks at most {0} elements, {1} atomic operations that release and {2} races; races beyond these limits may be missed.",
			Help:     "To check for races, launch the kernel on smaller tensors or a smaller grid.",
		},
		Zh: Message{
			Headline: "竞争检查没有覆盖整次 kernel 启动",
			Why:      "最多跟踪 {0} 个张量元素、{1} 个做过原子操作的程序和 {2} 处竞争；超出的部分可能会漏报。",
			Help:     "请用更小的张量或更小的 grid 启动 kernel 来检查竞争。",
		},
	},
	{
		Code: "sanitize-budget",
		En: Message{
			Headline: "the sanitizers checked {0} of {1} programs",
			Why:      "They stop after as much work as fits a page; what the other programs do was not checked.",
			Help:     "To check every program, launch the kernel on smaller tensors or a smaller grid.",
		},
		Zh: Message{
			Headline: "检查只覆盖了 {1} 个程序中的 {0} 个",
			Why:      "检查的工作量以网页能承受为限，到此为止；其余程序没有检查。",
			Help:     "请用更小的张量或更小的 grid 启动 kernel，以检查每个程序。",
		},
	},
	{
		Code: "sanitize-findings",
		En: Message{
			Headline: "a sanitizer found more than {0} places",
			Why:      "Those after the first {0} are left out.",
			Help:     "Mend some of the places, and check again.",
		},
		Zh: Message{
			Headline: "某项检查发现的问题超过 {0} 处",
			Why:      "只列出前 {0} 处，其余省略。",
			Help:     "请先修正其中一部分，再重新检查。",
		},
	},
}

var runtimePhrases = []Phrase{
	{"runtime.program", "program {0}", "程序 {0}"},
	{"runtime.program-lane", "program {0}, lane {1} of {2}", "程序 {0} 的通道 {1}（共 {2} 个）"},
	{"runtime.program-lanes", "program {0}, lanes {1} to {2} of {3}", "程序 {0} 的通道 {1} 到 {2}（共 {3} 个）"},
	{"race-other-store", "the other program writes it here", "另一个程序在这里写入"},
	{"race-other-load", "the other program reads it here", "另一个程序在这里读取"},
	{"race-weak-acquire", "this atomic operation does not acquire from other programs (`sem`, `scope`), so it orders nothing that follows it",
		"这个原子操作不从其他程序获取（acquire，见 `sem` 和 `scope`），因此不约束其后操作的顺序"},
	{"race-weak-release", "this atomic operation does not release to other programs (`sem`, `scope`), so it orders nothing that comes before it",
		"这个原子操作不向其他程序释放（release，见 `sem` 和 `scope`），因此不约束其前操作的顺序"},
	{"undefined-origin", "this load leaves the lane undefined", "这次 load 使该通道未定义"},
	{"nonfinite-stored", "it is stored here", "在这里写入"},
	{"race-other-atomic", "the other program changes it here", "另一个程序在这里原子地修改"},
}
