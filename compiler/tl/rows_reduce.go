package tl

var reduceRows = []Row{
	{
		Name:   "sum",
		Params: "input, axis=None, keep_dims=False, dtype=None",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The sum along an axis, or of the whole tile. Integers narrower than 32 bits are summed as 32.",
			"沿某一轴求和；不给 axis 则求全部之和。窄于 32 位的整数按 32 位求和。",
		},
		Example: "x = tl.reshape(tl.arange(0, 8), (2, 4))\nprint('got', tl.sum(x, axis=1))",
	},
	{
		Name:   "max",
		Params: "input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The largest element along an axis, or of the whole tile; with return_indices=True its index too.",
			"沿某一轴（或全部元素）取最大值；return_indices=True 时同时给出下标。",
		},
		Example: "x = tl.reshape(tl.arange(0, 8), (2, 4))\nprint('got', tl.max(x, axis=1))",
	},
	{
		Name:   "min",
		Params: "input, axis=None, return_indices=False, return_indices_tie_break_left=True, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The smallest element along an axis, or of the whole tile; with return_indices=True its index too.",
			"沿某一轴（或全部元素）取最小值；return_indices=True 时同时给出下标。",
		},
		Example: "x = tl.reshape(tl.arange(0, 8), (2, 4))\nprint('got', tl.min(x, axis=0))",
	},
	{
		Name:   "argmax",
		Params: "input, axis, tie_break_left=True, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The index of the largest element along an axis; the first if there are several.",
			"沿某一轴最大元素的下标；有多个时取第一个。",
		},
		Example: "x = (tl.arange(0, 8) * 5) % 8\nprint('got', tl.argmax(x, 0))",
	},
	{
		Name:   "argmin",
		Params: "input, axis, tie_break_left=True, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The index of the smallest element along an axis; the first if there are several.",
			"沿某一轴最小元素的下标；有多个时取第一个。",
		},
		Example: "x = (tl.arange(0, 8) * 5 + 3) % 8\nprint('got', tl.argmin(x, 0))",
	},
	{
		Name:   "xor_sum",
		Params: "input, axis=None, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Bitwise exclusive or of all elements along an axis.",
			"沿某一轴把所有元素按位异或。",
		},
		Example: "print('got', tl.xor_sum(tl.arange(0, 8), 0))",
	},
	{
		Name:   "reduce_or",
		Params: "input, axis, keep_dims=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Bitwise or of all elements along an axis.",
			"沿某一轴把所有元素按位或。",
		},
		Example: "print('got', tl.reduce_or(tl.arange(0, 8), 0))",
	},
	{
		Name:   "reduce",
		Params: "input, axis, combine_fn, keep_dims=False",
		Method: true,
		Doc: Text{
			"Reduces along an axis with your own @triton.jit function of two elements. Several tiles, as a tuple, are reduced together.",
			"沿某一轴归约，用自己的 @triton.jit 函数两两合并元素。可以把几个块作为元组一起归约。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.reduce(x, 0, lambda a, b: a + b))",
	},
	{
		Name:   "associative_scan",
		Params: "input, axis, combine_fn, reverse=False",
		Method: true,
		Doc: Text{
			"Inclusive scan along an axis with your own function: element i combines elements 0 … i.",
			"用自己的函数沿某一轴做前缀合并：第 i 个结果合并了第 0 … i 个元素。",
		},
		Example: "x = tl.arange(0, 8)\nprint('got', tl.associative_scan(x, 0, lambda a, b: a + b))",
	},
	{
		Name:   "cumsum",
		Params: "input, axis=0, reverse=False, dtype=None",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Prefix sum along an axis.",
			"沿某一轴的前缀和。",
		},
		Example: "print('got', tl.cumsum(tl.arange(0, 8), 0))",
	},
	{
		Name:   "cumprod",
		Params: "input, axis=0, reverse=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Prefix product along an axis.",
			"沿某一轴的前缀积。",
		},
		Example: "print('got', tl.cumprod(tl.arange(0, 8) + 1, 0))",
	},
}

var randomRows = []Row{
	{
		Name:   "philox",
		Params: "seed, c0, c1, c2, c3, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"The Philox random generator: four random 32-bit integers from a seed and four counters.",
			"Philox 随机数发生器：由种子和四个计数器得到四个 32 位随机整数。",
		},
		Example: "a, b, c, d = tl.philox(0, tl.arange(0, 4).to(tl.uint32), 0, 0, 0)\nprint('got', a)",
	},
	{
		Name:   "philox_impl",
		Params: "c0, c1, c2, c3, k0, k1, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"The rounds of tl.philox: four counters and two keys of uint32 or uint64, and four random integers of that type.",
			"tl.philox 的各轮运算：由 uint32 或 uint64 的四个计数器和两个密钥得到四个同类型的随机整数。",
		},
		Example: "c = tl.arange(0, 4).to(tl.uint32)\nk = tl.full([], 7, tl.uint32)\na, b, _, _ = tl.philox_impl(c, c, c, c, k, k)\nprint('got', a)",
	},
	{
		Name:   "randint",
		Params: "seed, offset, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"One random 32-bit integer per offset.",
			"每个 offset 对应一个 32 位随机整数。",
		},
		Example: "print('got', tl.randint(0, tl.arange(0, 4)))",
	},
	{
		Name:   "randint4x",
		Params: "seed, offset, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"Four random 32-bit integers per offset, for the work that tl.randint needs for one.",
			"每个 offset 对应四个 32 位随机整数，开销与 tl.randint 的一个相同。",
		},
		Example: "a, b, c, d = tl.randint4x(0, tl.arange(0, 4))\nprint('got', d)",
	},
	{
		Name:   "uint_to_uniform_float",
		Params: "x",
		Bind:   PreludeFn,
		Doc: Text{
			"Random integers of 32 or 64 bits as fp32 in [0, 1).",
			"把 32 或 64 位随机整数变成 [0, 1) 内的 fp32。",
		},
		Example: "print('got', tl.uint_to_uniform_float(tl.randint(0, tl.arange(0, 4))))",
	},
	{
		Name:   "rand",
		Params: "seed, offset, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"One random fp32 in [0, 1) per offset. The same seed and offset give the same number.",
			"每个 offset 对应一个 [0, 1) 内的 fp32 随机数。种子和 offset 相同则结果相同。",
		},
		Example: "print('got', tl.rand(0, tl.arange(0, 4)))",
	},
	{
		Name:   "rand4x",
		Params: "seed, offsets, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"Four random fp32 in [0, 1) per offset.",
			"每个 offset 对应四个 [0, 1) 内的 fp32 随机数。",
		},
		Example: "a, b, c, d = tl.rand4x(0, tl.arange(0, 4))\nprint('got', d)",
	},
	{
		Name:   "pair_uniform_to_normal",
		Params: "u1, u2",
		Bind:   PreludeFn,
		Doc: Text{
			"Two uniformly distributed numbers in [0, 1) as two normally distributed ones (Box and Muller).",
			"把两个 [0, 1) 内均匀分布的数变成两个标准正态分布的数（Box–Muller 变换）。",
		},
		Example: "u1, u2, _, _ = tl.rand4x(0, tl.arange(0, 4))\na, b = tl.pair_uniform_to_normal(u1, u2)\nprint('got', b)",
	},
	{
		Name:   "randn",
		Params: "seed, offset, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"One normally distributed fp32 per offset.",
			"每个 offset 对应一个服从标准正态分布的 fp32。",
		},
		Example: "print('got', tl.randn(0, tl.arange(0, 4)))",
	},
	{
		Name:   "randn4x",
		Params: "seed, offset, n_rounds=10",
		Bind:   PreludeFn,
		Doc: Text{
			"Four normally distributed fp32 per offset.",
			"每个 offset 对应四个服从标准正态分布的 fp32。",
		},
		Example: "a, b, c, d = tl.randn4x(0, tl.arange(0, 4))\nprint('got', d)",
	},
}
