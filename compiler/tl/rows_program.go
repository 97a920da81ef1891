package tl

var programRows = []Row{
	{
		Name:   "program_id",
		Params: "axis",
		Doc: Text{
			"The index of this program along a grid axis: 0, 1 or 2. Every program runs the same kernel; with this number it finds its own part of the data.",
			"当前程序在网格某一轴（0、1 或 2）上的编号。所有程序运行同一个 kernel，靠这个编号找到自己负责的那部分数据。",
		},
		Example: "pid = tl.program_id(axis=0)\nprint('got', pid)",
	},
	{
		Name:   "num_programs",
		Params: "axis",
		Doc: Text{
			"The number of programs of the grid along an axis.",
			"网格在某一轴上的程序总数。",
		},
		Example: "print('got', tl.num_programs(0))",
	},
	{
		Name:   "range",
		Params: "arg1, arg2=None, step=None, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, warp_specialize=False, disable_licm=False",
		Doc: Text{
			"Like range, with options for the compiler: num_stages is the number of stages of software pipelining. The result is the same without them.",
			"与 range 相同，另有给编译器的选项：num_stages 是软件流水的级数。这些选项不影响结果。",
		},
		Example: "total = 0\nfor i in tl.range(0, n, num_stages=2):\n    total += i\nprint('got', total)",
	},
	{
		Name:   "static_range",
		Params: "arg1, arg2=None, step=None",
		Doc: Text{
			"A loop that is unrolled at compile time: the bounds must be known then, and the index is a constexpr.",
			"编译时展开的循环：上下界必须在编译时已知，循环变量是 constexpr。",
		},
		Example: "total = 0\nfor i in tl.static_range(4):\n    total += i\nprint('got', total)",
	},
	{
		Name:   "condition",
		Params: "arg1, disable_licm=False",
		Doc: Text{
			"Wraps the condition of a while loop so that hints can be given; the loop means the same without it.",
			"包住 while 循环的条件，以便附加提示；去掉它循环的含义不变。",
		},
		Example: "i = 0\nwhile tl.condition(i < 3):\n    i += 1\nprint('got', i)",
	},
	{
		Name:   "constexpr",
		Params: "value",
		Doc: Text{
			"A value known at compile time. As an annotation, `BLOCK: tl.constexpr` makes a parameter or a variable one. Shapes and the bounds of tl.arange must be constexpr.",
			"编译时已知的值。写成注解 `BLOCK: tl.constexpr`，参数或变量就成为 constexpr。形状和 tl.arange 的上下界必须是 constexpr。",
		},
		Example: "BLOCK: tl.constexpr = 8\nprint('got', tl.arange(0, BLOCK))",
	},
}

var hintRows = []Row{
	{
		Name:   "multiple_of",
		Params: "input, values",
		Doc: Text{
			"Tells the compiler that the first value of each group of elements is a multiple of values. The value itself stays the same.",
			"向编译器保证每组元素的第一个值是 values 的倍数。数值本身不变。",
		},
		Example: "offs = tl.multiple_of(tl.arange(0, 8), 8)\nprint('got', offs)",
	},
	{
		Name:   "max_contiguous",
		Params: "input, values",
		Doc: Text{
			"Tells the compiler that the first `values` elements are consecutive.",
			"向编译器保证前 values 个元素是连续的整数。",
		},
		Example: "print('got', tl.max_contiguous(tl.arange(0, 8), 8))",
	},
	{
		Name:   "max_constancy",
		Params: "input, values",
		Doc: Text{
			"Tells the compiler that the first `values` elements are equal.",
			"向编译器保证前 values 个元素相等。",
		},
		Example: "print('got', tl.max_constancy(tl.arange(0, 8) // 8, 8))",
	},
	{
		Name:   "assume",
		Params: "cond",
		Doc: Text{
			"Tells the compiler that a condition holds, so that it can be used for optimization.",
			"向编译器保证条件成立，编译器可以据此优化。",
		},
		Example: "tl.assume(n > 0)\nprint('got', n)",
	},
	{
		Name:   "debug_barrier",
		Params: "",
		Doc: Text{
			"A barrier: synchronizes all threads of the program.",
			"屏障：同步程序内的所有线程。",
		},
		Example: "tl.debug_barrier()",
	},
	{
		Name:   "inline_asm_elementwise",
		Params: "asm, constraints, args, dtype, is_pure, pack",
		Doc: Text{
			"Runs PTX instructions on each group of pack elements; $0, $1, … in the text are the registers of the results, then of args, as the constraints say. With a tuple of dtypes it has as many results. newt takes instructions that compute in registers.",
			"对每组 pack 个元素执行 PTX 指令；文本里的 $0、$1…… 按约束依次是结果和 args 的寄存器。dtype 是元组时有同样多个结果。newt 接受在寄存器上计算的指令。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.inline_asm_elementwise('shl.b32 $0, $1, 3;', '=r,r', [x], dtype=tl.int32, is_pure=True, pack=1))",
	},
	{
		Name:   "map_elementwise",
		Params: "scalar_fn, *args, pack=1",
		Doc: Text{
			"Calls a function with the scalars at each position of the tiles, broadcast together, and makes tiles of what it returns. The function may have ifs and loops that differ by element; it has no access to memory. With pack it is called once for a group of elements: first those of the first tile, then those of the second.",
			"把各块（一起广播后）每个位置上的标量传给函数，并把返回值组成块。函数里可以有因元素而异的 if 和循环，但不能访问内存。给出 pack 时，函数对每组元素调用一次：先是第一个块的元素，再是第二个块的。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.map_elementwise(tl.standard._elementwise_max, x, 3 - x))",
	},
}

var debugRows = []Row{
	{
		Name:   "static_print",
		Params: "*values, sep=' ', end='\\n', file=None, flush=False",
		Doc: Text{
			"Prints at compile time: shapes, dtypes and constexprs.",
			"在编译时打印，可看形状、类型和 constexpr。",
		},
		Example: "x = tl.arange(0, 8)\ntl.static_print(x.shape, x.dtype)",
	},
	{
		Name:   "static_assert",
		Params: "cond, msg=''",
		Doc: Text{
			"Stops the compilation with a message unless a constexpr condition holds.",
			"constexpr 条件不成立时，带着消息停止编译。",
		},
		Example: "x = tl.arange(0, 8)\ntl.static_assert(x.shape[0] == 8, 'eight lanes')",
	},
	{
		Name:   "device_print",
		Params: "prefix, *args, hex=False",
		Doc: Text{
			"Prints values while running, one line for each element. prefix is a string.",
			"运行时打印数值，每个元素一行。prefix 是字符串。",
		},
		Example: "tl.device_print('x', tl.arange(0, 4))",
	},
	{
		Name:   "device_assert",
		Params: "cond, msg='', mask=None",
		Doc: Text{
			"Stops the program where a condition is false at run time.",
			"运行时条件不成立则停止程序。",
		},
		Example: "tl.device_assert(tl.arange(0, 4) < 4, 'in range')",
	},
}
