package tl

var createRows = []Row{
	{
		Name:   "arange",
		Params: "start, end",
		Doc: Text{
			"The integers start, start+1, …, end-1 as an int32 tile. Both bounds are constexpr and end - start is a power of two.",
			"由整数 start、start+1、…、end-1 组成的 int32 块。两个界都必须是 constexpr，且 end - start 是 2 的幂。",
		},
		Example: "print('got', tl.arange(0, 8))",
	},
	{
		Name:   "zeros",
		Params: "shape, dtype",
		Doc: Text{
			"A tile of zeros, the usual initial value of an accumulator.",
			"全零的块，常用作累加器的初值。",
		},
		Example: "acc = tl.zeros((2, 4), dtype=tl.float32)\nprint('got', acc)",
	},
	{
		Name:   "full",
		Params: "shape, value, dtype",
		Doc: Text{
			"A tile in which every element is value.",
			"每个元素都等于 value 的块。",
		},
		Example: "print('got', tl.full((4,), -float('inf'), tl.float32))",
	},
	{
		Name:   "zeros_like",
		Params: "input",
		Bind:   PreludeFn,
		Doc: Text{
			"Zeros with the shape and dtype of another tile.",
			"与另一个块形状、类型都相同的全零块。",
		},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.zeros_like(x))",
	},
	{
		Name:   "to_tensor",
		Params: "x",
		Doc: Text{
			"Converts a number to a run-time tensor.",
			"把一个数变成运行时的张量。",
		},
		Example: "print('got', tl.to_tensor(3))",
	},
	{
		Name:   "cast",
		Params: "input, dtype, fp_downcast_rounding=None, bitcast=False",
		Method: true,
		Doc: Text{
			"Converts to another dtype, as x.to does. With bitcast=True the bits stay and only the type changes.",
			"转换为另一种 dtype，与 x.to 相同。bitcast=True 时位不变，只改变类型。",
		},
		Example: "print('got', tl.cast(tl.arange(0, 4), tl.float32))",
	},
	{
		Name:   "cat",
		Params: "input, other, can_reorder=False, dim=0",
		Method: true,
		Doc: Text{
			"Concatenates two tiles of the same shape along a dimension.",
			"把两个形状相同的块沿某一维首尾相接。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.cat(x, x + 10, can_reorder=True))",
	},
}
