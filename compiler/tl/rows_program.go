package tl

var programRows = []Row{
	{Name: "program_id", Params: "axis", Doc: Text{
		"The index of this program along a grid axis: 0, 1 or 2. Every program runs the same kernel; this number is how it finds its own part of the data.",
		"当前程序在网格某一轴（0、1 或 2）上的编号。所有程序运行同一个 kernel，靠这个编号找到自己负责的那部分数据。"},
		Example: "pid = tl.program_id(axis=0)\nprint('got', pid)"},
	{Name: "num_programs", Params: "axis", Doc: Text{
		"How many programs the grid has along an axis.",
		"网格在某一轴上的程序总数。"},
		Example: "print('got', tl.num_programs(0))"},
	{Name: "range", Params: "arg1, arg2=None, step=None, num_stages=None, loop_unroll_factor=None, disallow_acc_multi_buffer=False, flatten=False, warp_specialize=False, disable_licm=False", Doc: Text{
		"Like range, with hints to the compiler: num_stages says how many iterations may overlap. The result is the same without them.",
		"与 range 相同，另可给编译器提示：num_stages 表示最多可以重叠多少次迭代。这些提示不影响结果。"},
		Example: "total = 0\nfor i in tl.range(0, n, num_stages=2):\n    total += i\nprint('got', total)"},
	{Name: "static_range", Params: "arg1, arg2=None, step=None", Doc: Text{
		"A loop that is unrolled while compiling: the bounds must be known then, and the index is a constexpr.",
		"编译时展开的循环：上下界必须在编译时已知，循环变量是 constexpr。"},
		Example: "total = 0\nfor i in tl.static_range(4):\n    total += i\nprint('got', total)"},
	{Name: "condition", Params: "arg1, disable_licm=False", Doc: Text{
		"Wraps the condition of a while loop so that hints can be given; the loop means the same without it.",
		"包住 while 循环的条件，以便附加提示；去掉它循环的含义不变。"},
		Example: "i = 0\nwhile tl.condition(i < 3):\n    i += 1\nprint('got', i)"},
	{Name: "constexpr", Params: "value", Doc: Text{
		"A value known while compiling. As an annotation, `BLOCK: tl.constexpr` makes a parameter or a variable one. Shapes and the bounds of tl.arange must be constexpr.",
		"编译时已知的值。写成注解 `BLOCK: tl.constexpr`，参数或变量就成为 constexpr。形状和 tl.arange 的上下界必须是 constexpr。"},
		Example: "BLOCK: tl.constexpr = 8\nprint('got', tl.arange(0, BLOCK))"},
}

var createRows = []Row{
	{Name: "arange", Params: "start, end", Doc: Text{
		"The whole numbers start, start+1, …, end-1 as an int32 tile. Both bounds are constexpr and end - start is a power of two.",
		"由整数 start、start+1、…、end-1 组成的 int32 块。两个界都必须是 constexpr，且 end - start 是 2 的幂。"},
		Example: "print('got', tl.arange(0, 8))"},
	{Name: "zeros", Params: "shape, dtype", Doc: Text{
		"A tile of zeros. The usual start of an accumulator.",
		"全零的块，常用作累加器的初值。"},
		Example: "acc = tl.zeros((2, 4), dtype=tl.float32)\nprint('got', acc)"},
	{Name: "full", Params: "shape, value, dtype", Doc: Text{
		"A tile with the same value everywhere.",
		"每个元素都等于 value 的块。"},
		Example: "print('got', tl.full((4,), -float('inf'), tl.float32))"},
	{Name: "zeros_like", Params: "input", Bind: PreludeFn, Doc: Text{
		"Zeros with the shape and dtype of another tile.",
		"与另一个块形状、类型都相同的全零块。"},
		Example: "x = tl.load(x_ptr + tl.arange(0, 4))\nprint('got', tl.zeros_like(x))"},
	{Name: "to_tensor", Params: "x", Doc: Text{
		"Makes a number a tensor that exists at run time.",
		"把一个数变成运行时的张量。"},
		Example: "print('got', tl.to_tensor(3))"},
	{Name: "cast", Params: "input, dtype, fp_downcast_rounding=None, bitcast=False", Method: true, Doc: Text{
		"Converts to another dtype, as x.to does. With bitcast=True the bits stay and only the type changes.",
		"转换为另一种 dtype，与 x.to 相同。bitcast=True 时位不变，只改变类型。"},
		Example: "print('got', tl.cast(tl.arange(0, 4), tl.float32))"},
	{Name: "cat", Params: "input, other, can_reorder=False, dim=0", Method: true, Doc: Text{
		"Puts two tiles of one shape one after the other along a dimension.",
		"把两个形状相同的块沿某一维首尾相接。"},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.cat(x, x + 10, can_reorder=True))"},
}

var shapeRows = []Row{
	{Name: "broadcast", Params: "input, other", Doc: Text{
		"Gives two tiles a common shape: dimensions of size 1 are repeated, missing ones are added in front.",
		"让两个块具有共同的形状：大小为 1 的维度被重复，缺少的维度补在最前面。"},
		Example: "x, y = tl.broadcast(tl.arange(0, 2)[:, None], tl.arange(0, 4)[None, :])\nprint('got', x + y)"},
	{Name: "broadcast_to", Params: "input, *shape", Method: true, Doc: Text{
		"Repeats a tile's dimensions of size 1 until it has the given shape.",
		"重复大小为 1 的维度，直到块具有给定的形状。"},
		Example: "print('got', tl.broadcast_to(tl.arange(0, 2)[:, None], (2, 4)))"},
	{Name: "expand_dims", Params: "input, axis", Method: true, Doc: Text{
		"Adds a dimension of size 1 at axis. x[:, None] does the same for the last one.",
		"在 axis 处插入一个大小为 1 的维度。x[:, None] 就是在最后插入。"},
		Example: "x = tl.expand_dims(tl.arange(0, 4), 0)\ntl.static_print(x.shape)"},
	{Name: "squeeze", Params: "input, dim", Method: true, Bind: PreludeFn, Doc: Text{
		"Removes a dimension of size 1.",
		"去掉一个大小为 1 的维度。"},
		Example: "x = tl.squeeze(tl.arange(0, 4)[None, :], 0)\ntl.static_print(x.shape)"},
	{Name: "unsqueeze", Params: "input, dim", Method: true, Bind: PreludeFn, Doc: Text{
		"Adds a dimension of size 1, as expand_dims does.",
		"插入一个大小为 1 的维度，与 expand_dims 相同。"},
		Example: "x = tl.unsqueeze(tl.arange(0, 4), 1)\ntl.static_print(x.shape)"},
	{Name: "reshape", Params: "input, *shape, can_reorder=False", Method: true, Doc: Text{
		"The same elements in the same row-major order under another shape.",
		"按同样的行主序重新排成另一种形状，元素不变。"},
		Example: "print('got', tl.reshape(tl.arange(0, 8), (2, 4)))"},
	{Name: "view", Params: "input, *shape", Method: true, Doc: Text{
		"An older name of reshape; Triton leaves the order of the elements open, newt keeps it.",
		"reshape 的旧名。Triton 不保证元素次序，newt 保持次序不变。"},
		Example: "print('got', tl.view(tl.arange(0, 8), (4, 2)))"},
	{Name: "ravel", Params: "x, can_reorder=False", Method: true, Bind: PreludeFn, Doc: Text{
		"All elements as one dimension.",
		"把所有元素排成一维。"},
		Example: "print('got', tl.ravel(tl.reshape(tl.arange(0, 8), (2, 4))))"},
	{Name: "trans", Params: "input, *dims", Method: true, Doc: Text{
		"Permutes the dimensions; without dims it swaps the last two. x.T does the same for two dimensions.",
		"重排各个维度；不给 dims 时交换最后两维。二维时可写成 x.T。"},
		Example: "print('got', tl.trans(tl.reshape(tl.arange(0, 8), (2, 4))))"},
	{Name: "permute", Params: "input, *dims", Method: true, Doc: Text{
		"Permutes the dimensions: dimension i of the result is dimension dims[i] of the input.",
		"重排各个维度：结果的第 i 维是输入的第 dims[i] 维。"},
		Example: "print('got', tl.permute(tl.reshape(tl.arange(0, 8), (2, 4)), (1, 0)))"},
	{Name: "join", Params: "a, b", Doc: Text{
		"Puts two tiles side by side in a new last dimension of size 2.",
		"把两个块并排放进一个大小为 2 的新的最后一维。"},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.join(x, x * 10))"},
	{Name: "split", Params: "a", Method: true, Doc: Text{
		"Undoes join: takes a tile whose last dimension is 2 apart into two.",
		"join 的逆运算：把最后一维为 2 的块拆成两个。"},
		Example: "a, b = tl.split(tl.reshape(tl.arange(0, 8), (4, 2)))\nprint('got', a)\nprint('got', b)"},
	{Name: "interleave", Params: "a, b", Bind: PreludeFn, Doc: Text{
		"Takes elements from two tiles in turn along the last dimension.",
		"沿最后一维交替取两个块的元素。"},
		Example: "x = tl.arange(0, 4)\nprint('got', tl.interleave(x, x * 10))"},
	{Name: "gather", Params: "src, index, axis", Method: true, Doc: Text{
		"Picks elements along an axis: for each place of index, the element of src that index names.",
		"沿某一轴取元素：index 的每个位置指定取 src 的哪一个元素。"},
		Example: "x = tl.arange(0, 8) * 10\nprint('got', tl.gather(x, 7 - tl.arange(0, 8), 0))"},
	{Name: "flip", Params: "x, dim=None", Method: true, Bind: PreludeFn, Doc: Text{
		"Reverses the order along a dimension, the last one by default.",
		"沿某一维（默认最后一维）反转次序。"},
		Example: "print('got', tl.flip(tl.arange(0, 8), 0))"},
	{Name: "sort", Params: "x, dim=None, descending=False", Method: true, Bind: PreludeFn, Doc: Text{
		"Sorts along the last dimension.",
		"沿最后一维排序。"},
		Example: "x = (tl.arange(0, 8) * 5) % 8\nprint('got', tl.sort(x))"},
	{Name: "topk", Params: "x, k, dim=None", Bind: PreludeFn, Doc: Text{
		"The k largest elements of the last dimension, largest first; k is a power of two.",
		"最后一维上最大的 k 个元素，从大到小；k 是 2 的幂。"},
		Example: "x = (tl.arange(0, 8) * 5) % 8\nprint('got', tl.topk(x, 2))"},
	{Name: "histogram", Params: "input, num_bins, mask=None", Method: true, Doc: Text{
		"Counts how often each of 0 … num_bins-1 occurs in a 1-D integer tile; others are dropped.",
		"统计一维整数块中 0 … num_bins-1 各出现多少次，超出范围的不计。"},
		Example: "print('got', tl.histogram(tl.arange(0, 8) // 2, 4))"},
	{Name: "swizzle2d", Params: "i, j, size_i, size_j, size_g", Bind: PreludeFn, Doc: Text{
		"Renumbers the programs of a size_i × size_j grid so that size_g rows are walked together, which keeps more data in the cache.",
		"把 size_i × size_j 网格中的程序重新编号，每 size_g 行为一组，按列先走完一组，从而提高缓存命中率。"},
		Example: "i, j = tl.swizzle2d(0, 1, 4, 4, 2)\nprint('got', i, j)"},
}

var memoryRows = []Row{
	{Name: "load", Params: "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', eviction_policy='', volatile=False", Doc: Text{
		"Reads memory at a pointer or at a tile of pointers. Lanes where mask is false are not read: they get other, and are undefined without it.",
		"读取一个指针或一块指针所指的内存。mask 为假的通道不读取，得到 other；没有给 other 时其值未定义。"},
		Example: "offs = tl.arange(0, 16)\nx = tl.load(x_ptr + offs, mask=offs < n, other=0.0)\nprint('got', x)"},
	{Name: "store", Params: "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''", Doc: Text{
		"Writes a value to memory at a pointer or at a tile of pointers, where mask is true.",
		"把 value 写到一个指针或一块指针所指的内存，只写 mask 为真的通道。"},
		Example: "offs = tl.arange(0, 16)\ntl.store(out_ptr + offs, offs * 2.0, mask=offs < n)"},
	{Name: "atomic_add", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Adds to memory as one indivisible step, so that several programs can add to one place. Gives the old value.",
		"以不可分割的一步把 val 加到内存上，多个程序可以同时加到同一处。返回旧值。"},
		Example: "old = tl.atomic_add(out_ptr, 1.0)\nprint('got', old)"},
	{Name: "atomic_max", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Keeps the larger of memory and val, as one indivisible step. Gives the old value.",
		"以不可分割的一步在内存中留下较大值。返回旧值。"},
		Example: "tl.atomic_max(i_ptr, 7)"},
	{Name: "atomic_min", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Keeps the smaller of memory and val, as one indivisible step. Gives the old value.",
		"以不可分割的一步在内存中留下较小值。返回旧值。"},
		Example: "tl.atomic_min(i_ptr + 5, 2)"},
	{Name: "atomic_and", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Bitwise and with memory, as one indivisible step. Gives the old value.",
		"以不可分割的一步对内存按位与。返回旧值。"},
		Example: "tl.atomic_and(i_ptr + 7, 3)"},
	{Name: "atomic_or", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Bitwise or with memory, as one indivisible step. Gives the old value.",
		"以不可分割的一步对内存按位或。返回旧值。"},
		Example: "tl.atomic_or(i_ptr, 4)"},
	{Name: "atomic_xor", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Bitwise exclusive or with memory, as one indivisible step. Gives the old value.",
		"以不可分割的一步对内存按位异或。返回旧值。"},
		Example: "tl.atomic_xor(i_ptr, 1)"},
	{Name: "atomic_xchg", Params: "pointer, val, mask=None, sem=None, scope=None", Doc: Text{
		"Swaps val into memory as one indivisible step and gives the old value.",
		"以不可分割的一步把 val 换入内存，返回旧值。"},
		Example: "print('got', tl.atomic_xchg(i_ptr + 3, 9))"},
	{Name: "atomic_cas", Params: "pointer, cmp, val, sem=None, scope=None", Doc: Text{
		"Writes val where memory equals cmp, as one indivisible step. Gives the old value.",
		"以不可分割的一步比较并交换：内存等于 cmp 时写入 val。返回旧值。"},
		Example: "print('got', tl.atomic_cas(i_ptr, 0, 5))"},
}

var linearRows = []Row{
	{Name: "dot", Params: "input, other, acc=None, input_precision=None, allow_tf32=None, max_num_imprecise_acc=None, out_dtype=float32", Method: true, Doc: Text{
		"Matrix product of two tiles, [M, K] by [K, N], or of two batches of them. Adds to acc where it is given. fp32 inputs are rounded to tf32 unless input_precision says 'ieee'.",
		"两个块的矩阵乘积：[M, K] 乘 [K, N]，也可以是成批的矩阵。给了 acc 就加到它上面。fp32 输入默认舍入为 tf32，除非 input_precision='ieee'。"},
		Example: "a = tl.full((16, 16), 2.0, tl.float32)\nb = tl.full((16, 16), 3.0, tl.float32)\nprint('got', tl.max(tl.dot(a, b)))"},
}
