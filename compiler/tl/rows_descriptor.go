package tl

// How the examples begin: with blocks of one and of two rows of eight columns, and with one of integers.
const (
	oneRow  = "desc = tl.make_tensor_descriptor(x_ptr, [2, 8], [8, 1], [1, 8])\n"
	twoRows = "desc = tl.make_tensor_descriptor(out_ptr, [2, 8], [8, 1], [2, 8])\n"
	counts  = "desc = tl.make_tensor_descriptor(i_ptr, [2, 8], [8, 1], [1, 8])\n"
)

var descriptorRows = []Row{
	{
		Name:   "make_tensor_descriptor",
		Params: "base, shape, strides, block_shape, padding_option='zero'",
		Doc: Text{
			"A descriptor of a tensor in memory, of which load and store access blocks of block_shape. The last stride is 1, and the last dimension of a block has at least 16 bytes. Loads give padding_option outside of the tensor, 'zero' or 'nan'; stores leave out what lies there.",
			"描述内存中的一个张量，load 和 store 按 block_shape 访问其中的块。最后一维的步长为 1，块的最后一维至少 16 字节。load 在张量之外得到 padding_option（'zero' 或 'nan'），store 不写那里。",
		},
		Example: "desc = tl.make_tensor_descriptor(x_ptr, shape=[2, 5], strides=[8, 1], block_shape=[2, 4])\nprint('got', desc.load([1, 3]))",
	},
	{
		Name:   "load_tensor_descriptor",
		Params: "desc, offsets",
		Doc: Text{
			"Loads the block that begins at offsets, one for each dimension: desc.load(offsets).",
			"读取从 offsets（每维一个）开始的块，即 desc.load(offsets)。",
		},
		Example: oneRow + "print('got', tl.load_tensor_descriptor(desc, [1, 0]))",
	},
	{
		Name:   "store_tensor_descriptor",
		Params: "desc, offsets, value",
		Doc: Text{
			"Stores a block at offsets, one for each dimension: desc.store(offsets, value).",
			"把一块写到从 offsets（每维一个）开始的位置，即 desc.store(offsets, value)。",
		},
		Example: twoRows + "tl.store_tensor_descriptor(desc, [0, 4], tl.full((2, 8), 3, tl.float32))",
	},
	{
		Name:   "load",
		Where:  Descriptor,
		Params: "offsets",
		Doc: Text{
			"Loads the block that begins at offsets, one for each dimension. Outside of the tensor it holds the descriptor's padding.",
			"读取从 offsets（每维一个）开始的块。张量之外是描述符的填充值。",
		},
		Example: oneRow + "print('got', desc.load([0, 4]))",
	},
	{
		Name:   "store",
		Where:  Descriptor,
		Params: "offsets, value",
		Doc: Text{
			"Stores a block at offsets, one for each dimension, converted to the descriptor's dtype. What lies outside of the tensor is left out.",
			"把一块写到从 offsets（每维一个）开始的位置，并转换为描述符的 dtype。张量之外的部分不写。",
		},
		Example: twoRows + "desc.store([1, 0], tl.full((2, 8), 3, tl.float32))",
	},
	{
		Name:   "gather",
		Where:  Descriptor,
		Params: "x_offsets, y_offset",
		Doc: Text{
			"Loads the rows whose numbers are in x_offsets, at least eight, from column y_offset on. The descriptor's blocks have one row.",
			"读取 x_offsets 中编号的行（至少八行），从第 y_offset 列开始。描述符的块只有一行。",
		},
		Example: oneRow + "print('got', desc.gather(tl.arange(0, 8) % 2, 0))",
	},
	{
		Name:   "scatter",
		Where:  Descriptor,
		Params: "value, x_offsets, y_offset",
		Doc: Text{
			"Stores the rows of value to the rows whose numbers are in x_offsets, from column y_offset on.",
			"把 value 的各行写到 x_offsets 中编号的行，从第 y_offset 列开始。",
		},
		Example: "desc = tl.make_tensor_descriptor(out_ptr, [2, 8], [8, 1], [1, 8])\ni = tl.arange(0, 8)\ndesc.scatter(tl.zeros((8, 8), tl.float32) + 5, i, 0)",
	},
	descriptorAtomic("add", "Adds a block to memory atomically.", "原子地把一块加到内存上。"),
	descriptorAtomic("min", "Atomically stores the smaller of memory and the block.", "原子地在内存中留下较小值。"),
	descriptorAtomic("max", "Atomically stores the larger of memory and the block.", "原子地在内存中留下较大值。"),
	descriptorAtomic("and", "Atomic bitwise and with memory.", "原子地对内存按位与。"),
	descriptorAtomic("or", "Atomic bitwise or with memory.", "原子地对内存按位或。"),
	descriptorAtomic("xor", "Atomic bitwise exclusive or with memory.", "原子地对内存按位异或。"),
	descriptorProperty("shape", "The extents of the tensor, a tuple of int32 scalars.", "张量各维的长度，由 int32 标量组成的元组。",
		"print('got', desc.shape[0])"),
	descriptorProperty("strides", "The strides of the tensor in elements, a tuple of int64 scalars.",
		"张量各维的步长（以元素计），由 int64 标量组成的元组。", "print('got', desc.strides[0])"),
	descriptorProperty("block_shape", "The shape of a block, a tuple of constexpr numbers.",
		"块的形状，由 constexpr 整数组成的元组。", "tl.static_print(desc.block_shape)"),
	descriptorProperty("block_type", "The type of a block: its element type and shape.", "块的类型：元素类型与形状。",
		"tl.static_print(desc.block_type)"),
	descriptorProperty("dtype", "The element type.", "元素类型。", "tl.static_print(desc.dtype)"),
}

func descriptorAtomic(rmw, en, zh string) Row {
	return Row{
		Name: "atomic_" + rmw, Where: Descriptor, Params: "offsets, value",
		Doc: Text{en + " The block begins at offsets; what lies outside of the tensor is left out.",
			zh + "块从 offsets 开始，张量之外的部分不写。"},
		Example: counts + "desc.atomic_" + rmw + "([0, 0], 6 - tl.arange(0, 8)[None, :])",
	}
}

func descriptorProperty(name, en, zh, example string) Row {
	return Row{Name: name, Where: Descriptor, Bind: Property, Doc: Text{en, zh}, Example: oneRow + example}
}
