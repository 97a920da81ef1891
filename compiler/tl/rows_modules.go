package tl

// coreRows are names of triton.language.core that tl lacks.
var coreRows = []Row{
	{
		Name:  "_aggregate",
		Where: Core,
		Bind:  Property,
		Doc: Text{
			"The decorator of a class whose annotated fields a kernel handles as one value, with methods under @triton.jit.",
			"类的装饰器：kernel 把类中注解的字段作为一个值使用，方法带 @triton.jit。",
		},
		Module: `
@tl.core._aggregate
class Window:
    start: tl.tensor
    size: tl.constexpr

    def __init__(self, start, size):
        self.start = start
        self.size = size

    @triton.jit
    def read(self, ptr):
        return tl.load(ptr + self.start + tl.arange(0, self.size))

    @triton.jit
    def next(self):
        return Window(self.start + self.size, self.size)
`,
		Example: "w = Window(n - 10, 4)\nfor _ in range(2):\n    w = w.next()\ntl.store(out_ptr + tl.arange(0, 4), w.read(x_ptr))",
	},
	{
		Name:  "CONSTEXPR_0",
		Where: Core,
		Bind:  Constant,
		Doc: Text{
			"tl.constexpr(0), which Triton's library has as a default.",
			"tl.constexpr(0)，Triton 的库用它作默认值。",
		},
		Example: "tl.static_print(tl.core.CONSTEXPR_0)",
	},
	{
		Name:   "get_int_dtype",
		Where:  Core,
		Params: "bitwidth, signed",
		Bind:   PreludeFn,
		Doc: Text{
			"The integer type with a number of bits: int8, uint64.",
			"给定位数的整数类型，如 int8、uint64。",
		},
		Example: "tl.static_print(tl.core.get_int_dtype(bitwidth=16, signed=False))",
	},
}

// combineRow is a function of triton.language.standard that tl.reduce and tl.associative_scan combine with.
func combineRow(name, en, zh string) Row {
	return Row{Name: name, Where: Standard, Params: "a, b", Bind: PreludeFn, Doc: Text{en, zh},
		Example: "print('got', tl.reduce(tl.arange(0, 4), 0, tl.standard." + name + "))"}
}

// combineIndexedRow is one that combines pairs of a value and its index.
func combineIndexedRow(name, en, zh string) Row {
	return Row{Name: name, Where: Standard, Params: "value1, index1, value2, index2", Bind: PreludeFn, Doc: Text{en, zh},
		Example: "i = tl.arange(0, 4)\nv, k = tl.reduce((tl.load(x_ptr + i), i), 0, tl.standard." + name +
			")\nprint('got', v, k)"}
}

// standardRows are names of triton.language.standard that tl lacks: Triton's own, which libraries use.
var standardRows = []Row{
	{
		Name:   "_log2",
		Where:  Standard,
		Params: "i",
		Doc: Text{
			"The logarithm of a constexpr to base 2, rounded down.",
			"constexpr 以 2 为底的对数，向下取整。",
		},
		Example: "tl.static_print(tl.standard._log2(16))",
	},
	{
		Name:   "_is_power_of_two",
		Where:  Standard,
		Params: "i",
		Bind:   PreludeFn,
		Doc: Text{
			"Whether a constexpr is a power of two.",
			"constexpr 是否为 2 的幂。",
		},
		Example: "tl.static_print(tl.standard._is_power_of_two(16))",
	},
	combineRow("_sum_combine", "a + b, as tl.sum combines.", "a + b，tl.sum 的合并函数。"),
	combineRow("_prod_combine", "a * b, as tl.cumprod combines.", "a * b，tl.cumprod 的合并函数。"),
	combineRow("_xor_combine", "a ^ b, as tl.xor_sum combines.", "a ^ b，tl.xor_sum 的合并函数。"),
	combineRow("_or_combine", "a | b, as tl.reduce_or combines.", "a | b，tl.reduce_or 的合并函数。"),
	combineRow("_elementwise_max", "The larger one, as tl.max combines.", "较大者，tl.max 的合并函数。"),
	combineRow("_elementwise_min", "The smaller one, as tl.min combines.", "较小者，tl.min 的合并函数。"),
	combineIndexedRow("_argmax_combine_tie_break_left",
		"The larger value and its index, the smaller index of equal values.", "较大的值及其下标；值相等时取较小的下标。"),
	combineIndexedRow("_argmax_combine_tie_break_fast",
		"The larger value and its index, either index of equal values.", "较大的值及其下标；值相等时取任一下标。"),
	combineIndexedRow("_argmin_combine_tie_break_left",
		"The smaller value and its index, the smaller index of equal values.", "较小的值及其下标；值相等时取较小的下标。"),
	combineIndexedRow("_argmin_combine_tie_break_fast",
		"The smaller value and its index, either index of equal values.", "较小的值及其下标；值相等时取任一下标。"),
}

// cudaRows are the names of triton.language.extra.cuda. newt launches no kernel before the one in front of it has
// ended, which is programmatic dependent launch switched off: gdc_wait and gdc_launch_dependents then do nothing, as
// PTX says of griddepcontrol.
var cudaRows = []Row{
	{
		Name:  "gdc_wait",
		Where: CUDA,
		Bind:  PreludeFn,
		Doc: Text{
			"Waits until the kernels before this one have ended. They always have in newt.",
			"等待之前的 kernel 结束。在 newt 中它们总是已经结束。",
		},
		Example: "tl.extra.cuda.gdc_wait()\nprint('got', tl.load(x_ptr))",
	},
	{
		Name:  "gdc_launch_dependents",
		Where: CUDA,
		Bind:  PreludeFn,
		Doc: Text{
			"Allows the next kernel to start before this one has ended. newt starts it afterwards.",
			"允许下一个 kernel 在本 kernel 结束前启动。newt 在其结束后才启动。",
		},
		Example: "tl.store(out_ptr, 1.0)\ntl.extra.cuda.gdc_launch_dependents()",
	},
	{
		Name:  "smid",
		Where: CUDA,
		Bind:  PreludeFn,
		Doc: Text{
			"The number of the streaming multiprocessor that runs the program, as int32.",
			"运行当前程序的流式多处理器（SM）的编号，int32。",
		},
		Example: "print('got', tl.extra.cuda.smid() >= 0)",
	},
	{
		Name:  "globaltimer",
		Where: CUDA,
		Bind:  PreludeFn,
		Doc: Text{
			"The GPU's clock in nanoseconds, as int64.",
			"GPU 的时钟，单位为纳秒，int64。",
		},
		Example: "start = tl.extra.cuda.globaltimer()\nprint('got', tl.extra.cuda.globaltimer() - start >= 0)",
	},
	{
		Name:  "num_warps",
		Where: CUDA,
		Doc: Text{
			"How many warps run a program, as a constexpr: num_warps of the launch, or 4.",
			"运行一个程序的 warp 数，是 constexpr：即 kernel 启动时的 num_warps，默认为 4。",
		},
		Example: "tl.static_print(tl.extra.cuda.num_warps())",
	},
	{
		Name:  "num_threads",
		Where: CUDA,
		Doc: Text{
			"How many threads run a program, as a constexpr: 32 for each warp.",
			"运行一个程序的线程数，是 constexpr：每个 warp 32 个。",
		},
		Example: "tl.static_print(tl.extra.cuda.num_threads())",
	},
}

// targetRow is a question about the target, of Python's kind: the answer is a constexpr.
func targetRow(name, en, zh string) Row {
	return Row{Name: name, Where: TargetInfo, Bind: PreludeFn, Doc: Text{en, zh},
		Example: "tl.static_print(tl.target_info." + name + "())"}
}

// targetInfoRows are the names of triton.language.target_info.
var targetInfoRows = []Row{
	targetRow("is_cuda", "Whether kernels are compiled for CUDA: True.", "是否为 CUDA 编译：True。"),
	targetRow("is_hip", "Whether kernels are compiled for AMD's HIP: False.", "是否为 AMD 的 HIP 编译：False。"),
	targetRow("is_hip_cdna3", "Whether kernels are compiled for AMD's CDNA 3: False.", "是否为 AMD CDNA 3 编译：False。"),
	targetRow("is_hip_cdna4", "Whether kernels are compiled for AMD's CDNA 4: False.", "是否为 AMD CDNA 4 编译：False。"),
	{Name: "cuda_capability_geq", Where: TargetInfo, Params: "major, minor=0", Bind: PreludeFn, Doc: Text{
		"Whether the GPU's compute capability is at least major.minor. It counts as 9.0, which all targets of newt emulate.",
		"GPU 的计算能力是否不低于 major.minor。newt 一律按 9.0 回答，它的所有目标都支持 9.0 的功能。"},
		Example: "tl.static_print(tl.target_info.cuda_capability_geq(8, 0))"},
	targetRow("is_xpu", "Whether kernels are compiled for Intel's GPUs: False.", "是否为 Intel GPU 编译：False。"),
}
