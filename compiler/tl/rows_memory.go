package tl

var memoryRows = []Row{
	{
		Name:   "load",
		Params: "pointer, mask=None, other=None, boundary_check=(), padding_option='', cache_modifier='', eviction_policy='', volatile=False",
		Doc: Text{
			"Reads memory at a pointer or at a tile of pointers. Lanes where mask is false are not read: they get other, and are undefined without it.",
			"读取一个指针或一块指针所指的内存。mask 为假的通道不读取，得到 other；没有给 other 时其值未定义。",
		},
		Example: "offs = tl.arange(0, 16)\nx = tl.load(x_ptr + offs, mask=offs < n, other=0.0)\nprint('got', x)",
	},
	{
		Name:   "store",
		Params: "pointer, value, mask=None, boundary_check=(), cache_modifier='', eviction_policy=''",
		Method: true,
		Doc: Text{
			"Writes a value to memory at a pointer or at a tile of pointers, where mask is true.",
			"把 value 写到一个指针或一块指针所指的内存，只写 mask 为真的通道。",
		},
		Example: "offs = tl.arange(0, 16)\ntl.store(out_ptr + offs, offs * 2.0, mask=offs < n)",
	},
	{
		Name:   "make_block_ptr",
		Params: "base, shape, strides, offsets, block_shape, order",
		Doc: Text{
			"A pointer to a block of a tensor. shape and strides describe the tensor that begins at base, offsets say where the block begins, and block_shape is its size. tl.load and tl.store keep it inside of the tensor in the dimensions of boundary_check. order lists the dimensions from the contiguous one on.",
			"指向张量中一块的指针。shape 和 strides 描述从 base 开始的张量，offsets 是块的起点，block_shape 是块的大小。tl.load 和 tl.store 在 boundary_check 列出的维度上防止越界。order 从连续的那一维开始列出各维。",
		},
		Example: "p = tl.make_block_ptr(x_ptr, shape=(2, 5), strides=(8, 1), offsets=(0, 4), block_shape=(2, 4), order=(1, 0))\nprint('got', tl.load(p, boundary_check=(0, 1), padding_option='zero'))",
	},
	{
		Name:   "advance",
		Params: "base, offsets",
		Method: true,
		Doc: Text{
			"The block pointer that is offsets further on, one for each dimension. The old one does not change: p = tl.advance(p, (0, BLOCK)).",
			"向前移动 offsets（每维一个）之后的块指针。原来的不变，所以要写 p = tl.advance(p, (0, BLOCK))。",
		},
		Example: "p = tl.make_block_ptr(x_ptr, (16,), (1,), (0,), (4,), (0,))\nacc = tl.zeros((4,), tl.float32)\nfor i in range(4):\n    acc += tl.load(p)\n    p = tl.advance(p, (4,))\ntl.store(tl.make_block_ptr(out_ptr, (16,), (1,), (0,), (4,), (0,)), acc)",
	},
	{
		Name:   "atomic_add",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Adds to memory atomically, so that several programs can add to one element. Returns the old value.",
			"原子地把 val 加到内存上，多个程序可以同时加到同一个元素。返回旧值。",
		},
		Example: "old = tl.atomic_add(out_ptr, 1.0)\nprint('got', old)",
	},
	{
		Name:   "atomic_max",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomically stores the larger of memory and val. Returns the old value.",
			"原子地在内存中留下较大值。返回旧值。",
		},
		Example: "tl.atomic_max(i_ptr, 7)",
	},
	{
		Name:   "atomic_min",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomically stores the smaller of memory and val. Returns the old value.",
			"原子地在内存中留下较小值。返回旧值。",
		},
		Example: "tl.atomic_min(i_ptr + 5, 2)",
	},
	{
		Name:   "atomic_and",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomic bitwise and with memory. Returns the old value.",
			"原子地对内存按位与。返回旧值。",
		},
		Example: "tl.atomic_and(i_ptr + 7, 3)",
	},
	{
		Name:   "atomic_or",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomic bitwise or with memory. Returns the old value.",
			"原子地对内存按位或。返回旧值。",
		},
		Example: "tl.atomic_or(i_ptr, 4)",
	},
	{
		Name:   "atomic_xor",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomic bitwise exclusive or with memory. Returns the old value.",
			"原子地对内存按位异或。返回旧值。",
		},
		Example: "tl.atomic_xor(i_ptr, 1)",
	},
	{
		Name:   "atomic_xchg",
		Params: "pointer, val, mask=None, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomically exchanges val with memory and returns the old value.",
			"原子地把 val 换入内存，返回旧值。",
		},
		Example: "print('got', tl.atomic_xchg(i_ptr + 3, 9))",
	},
	{
		Name:   "atomic_cas",
		Params: "pointer, cmp, val, sem=None, scope=None",
		Method: true,
		Doc: Text{
			"Atomic compare and swap: writes val if memory equals cmp. Returns the old value.",
			"原子的比较并交换：内存等于 cmp 时写入 val。返回旧值。",
		},
		Example: "print('got', tl.atomic_cas(i_ptr, 0, 5))",
	},
}
