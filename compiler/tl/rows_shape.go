package tl

var shapeRows = []Row{
	{
		Name:   "broadcast",
		Params: "input, other",
		Doc: Text{
			"Broadcasts two tiles to a common shape: dimensions of size 1 are repeated, missing ones are added in front.",
			"把两个块广播到共同的形状：大小为 1 的维度被重复，缺少的维度补在最前面。",
		},
		Example: "x, y = tl.broadcast(tl.arange(0, 2)[:, None], tl.arange(0, 4)[None, :])\nprint('got', x + y)",
	},
	{
		Name:   "broadcast_to",
		Params: "input, *shape",
		Method: true,
		Doc: Text{
			"Broadcasts a tile to the given shape: dimensions of size 1 are repeated.",
			"把块广播到给定的形状：大小为 1 的维度被重复。",
		},
		Example: "print('got', tl.broadcast_to(tl.arange(0, 2)[:, None], (2, 4)))",
	},
	{
		Name:   "expand_dims",
		Params: "input, axis",
		Method: true,
		Doc: Text{
			"Adds a dimension of size 1 at axis. x[:, None] does the same for the last one.",
			"在 axis 处插入一个大小为 1 的维度。x[:, None] 就是在最后插入。",
		},
		Example: "x = tl.expand_dims(tl.arange(0, 4), 0)\ntl.static_print(x.shape)",
	},
	{
		Name:   "reshape",
		Params: "input, *shape, can_reorder=False",
		Method: true,
		Doc: Text{
			"The same elements in the same row-major order under another shape.",
			"按同样的行主序重新排成另一种形状，元素不变。",
		},
		Example: "print('got', tl.reshape(tl.arange(0, 8), (2, 4)))",
	},
	{
		Name:   "view",
		Params: "input, *shape",
		Method: true,
		Doc: Text{
			"An older name of reshape; Triton leaves the order of the elements open, newt keeps it.",
			"reshape 的旧名。Triton 不保证元素次序，newt 保持次序不变。",
		},
		Example: "print('got', tl.view(tl.arange(0, 8), (4, 2)))",
	},
	{
		Name:   "ravel",
		Params: "x, can_reorder=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"All elements as one dimension.",
			"把所有元素排成一维。",
		},
		Example: "print('got', tl.ravel(tl.reshape(tl.arange(0, 8), (2, 4))))",
	},
	{
		Name:   "trans",
		Params: "input, *dims",
		Method: true,
		Doc: Text{
			"Permutes the dimensions; without dims it swaps the last two. x.T does the same for two dimensions.",
			"重排各个维度；不给 dims 时交换最后两维。二维时可写成 x.T。",
		},
		Example: "print('got', tl.trans(tl.reshape(tl.arange(0, 8), (2, 4))))",
	},
	{
		Name:   "permute",
		Params: "input, *dims",
		Method: true,
		Doc: Text{
			"Permutes the dimensions: dimension i of the result is dimension dims[i] of the input.",
			"重排各个维度：结果的第 i 维是输入的第 dims[i] 维。",
		},
		Example: "print('got', tl.permute(tl.reshape(tl.arange(0, 8), (2, 4)), (1, 0)))",
	},
	{
		Name:   "join",
		Params: "a, b",
		Doc: Text{
			"Puts two tiles side by side in a new last dimension of size 2.",
			"把两个块并排放进一个大小为 2 的新的最后一维。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.join(x, x * 10))",
	},
	{
		Name:   "split",
		Params: "a",
		Method: true,
		Doc: Text{
			"The inverse of join: splits a tile whose last dimension is 2 into two.",
			"join 的逆运算：把最后一维为 2 的块拆成两个。",
		},
		Example: "a, b = tl.split(tl.reshape(tl.arange(0, 8), (4, 2)))\nprint('got', a)\nprint('got', b)",
	},
	{
		Name:   "interleave",
		Params: "a, b",
		Bind:   PreludeFn,
		Doc: Text{
			"Interleaves two tiles along the last dimension.",
			"沿最后一维交替取两个块的元素。",
		},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.interleave(x, x * 10))",
	},
	{
		Name:   "gather",
		Params: "src, index, axis",
		Method: true,
		Doc: Text{
			"Picks elements along an axis: each element of index is the position of an element of src.",
			"沿某一轴取元素：index 的每个元素是 src 中要取的元素的下标。",
		},
		Example: "x = tl.arange(0, 8) * 10\nprint('got', tl.gather(x, 7 - tl.arange(0, 8), 0))",
	},
	{
		Name:   "flip",
		Params: "x, dim=None",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Reverses the order along a dimension, the last one by default.",
			"沿某一维（默认最后一维）反转次序。",
		},
		Example: "print('got', tl.flip(tl.arange(0, 8), 0))",
	},
	{
		Name:   "sort",
		Params: "x, dim=None, descending=False",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"Sorts along the last dimension.",
			"沿最后一维排序。",
		},
		Example: "x = (tl.arange(0, 8) * 5) % 8\nprint('got', tl.sort(x))",
	},
	{
		Name:   "bitonic_merge",
		Params: "x, dim=None, descending=False",
		Bind:   PreludeFn,
		Doc: Text{
			"Sorts the last dimension where its halves are sorted in opposite directions: the last step of tl.sort.",
			"当最后一维的两半按相反方向有序时对其排序，即 tl.sort 的最后一步。",
		},
		Example: "i = tl.arange(0, 8)\nprint('got', tl.bitonic_merge(tl.where(i < 4, i, 11 - i)))",
	},
	{
		Name:   "topk",
		Params: "x, k, dim=None",
		Method: true,
		Bind:   PreludeFn,
		Doc: Text{
			"The k largest elements of the last dimension, largest first; k is a power of two.",
			"最后一维上最大的 k 个元素，从大到小；k 是 2 的幂。",
		},
		Example: "x = (tl.arange(0, 8) * 5) % 8\nprint('got', tl.topk(x, 2))",
	},
	{
		Name:   "histogram",
		Params: "input, num_bins, mask=None",
		Method: true,
		Doc: Text{
			"Counts how often each of 0 … num_bins-1 occurs in a 1-D integer tile; others are dropped.",
			"统计一维整数块中 0 … num_bins-1 各出现多少次，超出范围的不计。",
		},
		Example: "print('got', tl.histogram(tl.arange(0, 8) // 2, 4))",
	},
	{
		Name:   "swizzle2d",
		Params: "i, j, size_i, size_j, size_g",
		Bind:   PreludeFn,
		Doc: Text{
			"Renumbers the programs of a size_i × size_j grid so that groups of size_g rows are processed together, which improves cache reuse.",
			"把 size_i × size_j 网格中的程序重新编号，每 size_g 行为一组，按列先走完一组，从而提高缓存命中率。",
		},
		Example: "i, j = tl.swizzle2d(0, 1, 4, 4, 2)\nprint('got', i, j)",
	},
}
