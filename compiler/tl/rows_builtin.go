package tl

var builtinRows = []Row{
	{
		Name:   "range",
		Where:  Builtin,
		Params: "arg1, arg2=None, arg3=None, /, *, step=None, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, warp_specialize=False, disable_licm=False",
		Doc: Text{
			"The integers that a for loop iterates over. The keywords of tl.range, step among them, are accepted and have no effect here.",
			"for 循环依次取的数。可以写 tl.range 的关键字参数（包括 step），但在这里不起作用。",
		},
		Example: "for i in range(0, n, 4):\n    print('got', i)",
	},
	{
		Name:   "min",
		Where:  Builtin,
		Params: "*args, key=None",
		Doc: Text{
			"The smallest of its arguments; tensors are compared element by element.",
			"参数中的最小者；张量逐元素比较。",
		},
		Example: "print('got', min(n, 4))",
	},
	{
		Name:   "max",
		Where:  Builtin,
		Params: "*args, key=None",
		Doc: Text{
			"The largest of its arguments; tensors are compared element by element.",
			"参数中的最大者；张量逐元素比较。",
		},
		Example: "print('got', max(n, 4))",
	},
	{
		Name:   "abs",
		Where:  Builtin,
		Params: "x",
		Doc: Text{
			"The absolute value.",
			"绝对值。",
		},
		Example: "print('got', abs(n - 20))",
	},
	{
		Name:   "len",
		Where:  Builtin,
		Params: "obj",
		Doc: Text{
			"The length of a tuple or of a tile's first dimension.",
			"元组的长度，或块第一维的大小。",
		},
		Example: "tl.static_print(len(tl.arange(0, 4).shape))",
	},
	{
		Name:   "float",
		Where:  Builtin,
		Params: "x=0",
		Doc: Text{
			"A constexpr as a float; float('inf') is infinity.",
			"把 constexpr 变成浮点数；float('inf') 是无穷大。",
		},
		Example: "print('got', tl.full((2,), float('inf'), tl.float32))",
	},
	{
		Name:   "int",
		Where:  Builtin,
		Params: "x=0",
		Doc: Text{
			"A constexpr as an integer.",
			"把 constexpr 变成整数。",
		},
		Example: "tl.static_print(int(3.7))",
	},
	{
		Name:   "bool",
		Where:  Builtin,
		Params: "x=False",
		Doc: Text{
			"A constexpr as True or False.",
			"把 constexpr 变成 True 或 False。",
		},
		Example: "tl.static_print(bool(3))",
	},
	{
		Name:   "str",
		Where:  Builtin,
		Params: "x=''",
		Doc: Text{
			"A constexpr as a string.",
			"把 constexpr 变成字符串。",
		},
		Example: "tl.static_print(str(3))",
	},
	{
		Name:   "print",
		Where:  Builtin,
		Params: "*values, sep=' ', end='\\n', file=None, flush=False, hex=False",
		Doc: Text{
			"Prints values while running, as NumPy shows them.",
			"运行时打印数值，格式与 NumPy 相同。",
		},
		Example: "print('x =', tl.arange(0, 4))",
	},
	{
		Name:   "isinstance",
		Where:  Builtin,
		Params: "obj, types",
		Doc: Text{
			"Whether a value has a type, known at compile time.",
			"值是否属于某种类型，编译时已知。",
		},
		Example: "tl.static_print(isinstance(3, int))",
	},
	{
		Name:   "getattr",
		Where:  Builtin,
		Params: "obj, name, *default",
		Doc: Text{
			"An attribute by its name.",
			"按名字取属性。",
		},
		Example: "tl.static_print(getattr(tl.arange(0, 4), 'shape'))",
	},
	{
		Name:   "hasattr",
		Where:  Builtin,
		Params: "obj, name",
		Doc: Text{
			"Whether there is an attribute of that name.",
			"是否有该名字的属性。",
		},
		Example: "tl.static_print(hasattr(tl.arange(0, 4), 'shape'))",
	},
	{
		Name:   "tuple",
		Where:  Builtin,
		Params: "x=()",
		Doc: Text{
			"A sequence as a tuple.",
			"把序列变成元组。",
		},
		Example: "tl.static_print(tuple([1, 2]))",
	},
	{
		Name:   "list",
		Where:  Builtin,
		Params: "x=()",
		Doc: Text{
			"A sequence as a list.",
			"把序列变成列表。",
		},
		Example: "tl.static_print(list((1, 2)))",
	},
	{
		Name:   "zip",
		Where:  Builtin,
		Params: "*args",
		Doc: Text{
			"Iterates over several sequences together.",
			"同时遍历几个序列。",
		},
		Example: "for a, b in zip((1, 2), (3, 4)):\n    tl.static_print(a + b)",
	},
	{
		Name:   "enumerate",
		Where:  Builtin,
		Params: "x, start=0",
		Doc: Text{
			"Iterates over a sequence with the index of each element.",
			"带编号地遍历序列。",
		},
		Example: "for i, a in enumerate((5, 6)):\n    tl.static_print(i, a)",
	},
	{
		Name:   "pow",
		Where:  Builtin,
		Params: "x, y",
		Doc: Text{
			"x to the power of y for constexprs.",
			"constexpr 的 x 的 y 次幂。",
		},
		Example: "tl.static_print(pow(2, 5))",
	},
	{
		Name:   "round",
		Where:  Builtin,
		Params: "x, ndigits=None",
		Doc: Text{
			"A constexpr rounded.",
			"对 constexpr 取整。",
		},
		Example: "tl.static_print(round(2.5))",
	},
}
