package tl

var tritonRows = []Row{
	{
		Name:   "jit",
		Where:  Triton,
		Params: "fn=None, version=None, repr=None, launch_metadata=None, do_not_specialize=None, do_not_specialize_on_alignment=None, debug=None, noinline=None",
		Doc: Text{
			"Marks a function as a kernel, or as a helper that kernels call.",
			"把函数变成 kernel，或 kernel 可以调用的辅助函数。",
		},
		Example: "print('got', n)",
	},
	{
		Name:   "cdiv",
		Where:  Triton,
		Params: "x, div",
		Bind:   PreludeFn,
		Doc: Text{
			"x / div rounded up.",
			"x / div 向上取整。",
		},
		Example: "print('got', triton.cdiv(n, 4))",
	},
	{
		Name:   "next_power_of_2",
		Where:  Triton,
		Params: "n",
		Doc: Text{
			"The smallest power of two that is at least n, a constexpr.",
			"不小于 n（constexpr）的最小的 2 的幂。",
		},
		Example: "tl.static_print(triton.next_power_of_2(100))",
	},
	{
		Name:  "language",
		Where: Triton,
		Bind:  Property,
		Doc: Text{
			"The module that kernels use as tl.",
			"kernel 中以 tl 之名使用的模块。",
		},
		Example: "print('got', triton.language.arange(0, 4))",
	},
}
