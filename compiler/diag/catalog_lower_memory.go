package diag

// memoryEntries: pointers, loads, stores, atomics.
var memoryEntries = []Entry{
	{
		Code:   "add-pointers",
		Triton: "{0}",
		En: Message{
			Headline: "two pointers cannot be added",
			Label:    "both are pointers",
			Why:      "A pointer plus an integer is a pointer further on; the sum of two pointers has no meaning.",
			Help:     "Add an integer offset, or load one of the two first.",
		},
		Zh: Message{
			Headline: "两个指针不能相加",
			Label:    "两边都是指针",
			Why:      "指针加整数得到后面的指针，两个指针之和没有意义。",
			Help:     "加上整数偏移量，或者先加载其中一个。",
		},
	},
	{
		Code:   "pointer-operands",
		Triton: "{2}",
		En: Message{
			Headline: "this operator does not take {0} and {1}",
			Label:    "only an integer can be added to a pointer",
			Why:      "An offset counts elements, so it is an integer.",
			Help:     "Convert the offset with .to(tl.int32), or load the pointer first.",
		},
		Zh: Message{
			Headline: "这个运算符不接受 {0} 和 {1}",
			Label:    "指针只能加减整数",
			Why:      "偏移量是元素个数，所以是整数。",
			Help:     "用 .to(tl.int32) 转换偏移量，或者先加载指针。",
		},
	},
	{
		Code:   "where-pointer",
		Triton: "error encountered during parsing",
		En: Message{
			Headline: "tl.where cannot select between {0} and {1}",
			Label:    "a pointer and something else",
			Why:      "Both sides must be pointers of one type, or both numbers.",
			Help:     "Load the pointer first.",
		},
		Zh: Message{
			Headline: "tl.where 不能在 {0} 和 {1} 之间选择",
			Label:    "一边是指针，另一边不是",
			Why:      "两边必须都是同一类型的指针，或者都是数。",
			Help:     "先加载指针。",
		},
	},
	{
		Code:   "not-a-pointer",
		Triton: "Unsupported ptr type {2} in `{0}`",
		En: Message{
			Headline: "`{0}` needs a pointer, and `{1}` is {2}",
			Label:    "not a pointer",
			Why:      "Memory is accessed through the kernel's pointer arguments.",
			Help:     "Add an offset to a pointer: `x_ptr + offs`.",
		},
		Zh: Message{
			Headline: "`{0}` 需要指针，而 `{1}` 是 {2}",
			Label:    "不是指针",
			Why:      "访问内存要通过 kernel 的指针参数。",
			Help:     "用指针加偏移量：`x_ptr + offs`。",
		},
	},
	{
		Code: "address-stored",
		En: Message{
			Headline: "`{1}` holds addresses, not the values stored there",
			Label:    "pointers",
			Why:      "`{0}` writes values, and a pointer is only the address of one.",
			Help:     "Load them first: `tl.load({1})`.",
		},
		Zh: Message{
			Headline: "`{1}` 是地址，不是存放在那里的值",
			Label:    "这些是指针",
			Why:      "`{0}` 写入的是值，而指针只是值的地址。",
			Help:     "先把值读出来：`tl.load({1})`。",
		},
	},
	{
		Code:   "pointer-indexed",
		Triton: "Did you forget to add @triton.jit ? (`_semantic` argument must be provided outside of JIT functions.)",
		En: Message{
			Headline: "a pointer cannot be indexed",
			Label:    "`{0}` is a pointer",
			Why:      "Memory is read with tl.load, many elements at once.",
			Help:     "Write tl.load({0} + index).",
		},
		Zh: Message{
			Headline: "指针不能用下标",
			Label:    "`{0}` 是指针",
			Why:      "读内存要用 tl.load，一次读许多元素。",
			Help:     "写成 tl.load({0} + index)。",
		},
	},
	{
		Code:   "pointer-assigned",
		Triton: "__setitem__ is not supported in triton",
		En: Message{
			Headline: "a pointer cannot be assigned by index",
			Label:    "`{0}` is a pointer",
			Why:      "Memory is written with tl.store, many elements at once.",
			Help:     "Write tl.store({0} + index, value).",
		},
		Zh: Message{
			Headline: "不能按下标给指针赋值",
			Label:    "`{0}` 是指针",
			Why:      "写内存要用 tl.store，一次写许多元素。",
			Help:     "写成 tl.store({0} + index, value)。",
		},
	},
	{
		Code: "pointer-cast",
		En: Message{
			Headline: "the pointer or number `{0}` cannot be converted to {1} here",
			Label:    "no such conversion",
			Why: "Every pointer in newt is a tensor plus an offset in elements, so that each access can be checked. Only " +
				"addresses, integers of 64 bits, can become pointers.",
			Help: "Keep the pointer, and compute with offsets; convert an address to tl.int64 first.",
		},
		Zh: Message{
			Headline: "指针或数 `{0}` 在这里不能转换成 {1}",
			Label:    "没有这种转换",
			Why:      "newt 的每个指针都是一个张量加元素偏移量，这样每次访问都能检查。只有地址（64 位整数）能变成指针。",
			Help:     "保留指针，用偏移量来计算；如果是地址，先转换为 tl.int64。",
		},
	},
	{
		Code:   "other-without-mask",
		Triton: "`other` cannot be provided without `mask`",
		En: Message{
			Headline: "`other` is given without `mask`",
			Label:    "never used",
			Why:      "`other` is the value of the lanes whose mask is false.",
			Help:     "Add `mask=…`, or remove `other`.",
		},
		Zh: Message{
			Headline: "给了 `other` 却没有 `mask`",
			Label:    "用不上",
			Why:      "`other` 是掩码为假的通道得到的值。",
			Help:     "加上 `mask=…`，或者去掉 `other`。",
		},
	},
	{
		Code: "mask-without-other",
		En: Message{
			Headline: "lanes that were not loaded take part in this operation",
			Label:    "undefined where the mask is false",
			Why:      "A load with a mask and without `other` leaves the lanes whose mask is false undefined, and this operation uses every lane.",
			Help:     "Give the load `other={0}`, or select with tl.where first.",
		},
		Zh: Message{
			Headline: "没有加载的通道也参与了这个运算",
			Label:    "掩码为假的通道没有确定的值",
			Why:      "load 有 mask 而没有 other 时，掩码为假的通道没有确定的值，而这个运算用到每个通道。",
			Help:     "给 load 加上 `other={0}`，或者先用 tl.where 选择。",
		},
	},
	{
		Code: "boundary-without-padding",
		En: Message{
			Headline: "elements outside of the tensor take part in this operation",
			Label:    "undefined outside of the tensor",
			Why:      "A load with `boundary_check` and without `padding_option` leaves the elements outside of the tensor undefined, and this operation uses every element.",
			Help:     "Give the load `padding_option='zero'`; if the neutral element is {0}, select it with tl.where.",
		},
		Zh: Message{
			Headline: "张量之外的元素也参与了这个运算",
			Label:    "张量之外没有确定的值",
			Why:      "load 有 `boundary_check` 而没有 `padding_option` 时，张量之外的元素没有确定的值，而这个运算用到每个元素。",
			Help:     "给 load 加上 `padding_option='zero'`；如果中性元素是 {0}，用 tl.where 选出它。",
		},
	},
	{
		Code:   "mask-not-bool",
		Triton: "Mask must have boolean scalar type",
		En: Message{
			Headline: "the mask of `{0}` must be boolean, and `{1}` is {2}",
			Label:    "not boolean",
			Why:      "A mask is true or false for each element.",
			Help:     "Write a comparison: `offs < n`.",
		},
		Zh: Message{
			Headline: "`{0}` 的掩码必须是布尔值，而 `{1}` 是 {2}",
			Label:    "不是布尔值",
			Why:      "掩码的每个元素为真或为假。",
			Help:     "写成比较：`offs < n`。",
		},
	},
	{
		Code:   "mask-shape",
		Triton: "{3}",
		En: Message{
			Headline: "`{0}` has shape {1}, and the pointer has shape {2}",
			Label:    "not the shape of the pointer",
			Why:      "One element is read or written for each pointer, so both need the same shape.",
			Help:     "Give both the same shape.",
		},
		Zh: Message{
			Headline: "`{0}` 的形状是 {1}，而指针的形状是 {2}",
			Label:    "与指针的形状不同",
			Why:      "每个指针读写一个元素，所以两者的形状必须相同。",
			Help:     "让两者的形状相同。",
		},
	},
	{
		Code:   "block-with-scalar-pointer",
		Triton: "{1} argument cannot be block type if pointer argument is not a block",
		En: Message{
			Headline: "`{0}` gets a single pointer, but its {1} `{2}` is {3}",
			Label:    "many elements for one pointer",
			Why:      "One pointer reads or writes one element.",
			Help:     "Add offsets to the pointer: `ptr + tl.arange(0, …)`.",
		},
		Zh: Message{
			Headline: "`{0}` 只有一个指针，但 {1} `{2}` 是 {3}",
			Label:    "一个指针对应许多元素",
			Why:      "一个指针只读写一个元素。",
			Help:     "给指针加上偏移量：`ptr + tl.arange(0, …)`。",
		},
	},
	{
		Code:   "store-pointer-shape",
		Triton: "Expected pointer argument to have shape {2} but got {0}",
		En: Message{
			Headline: "the pointer has shape {0}, and the {1} has shape {2}",
			Label:    "too few pointers",
			Why:      "A store writes one element for each pointer; the pointers are not broadcast.",
			Help:     "Give the pointer the shape {2}.",
		},
		Zh: Message{
			Headline: "指针的形状是 {0}，而 {1} 的形状是 {2}",
			Label:    "指针太少",
			Why:      "store 对每个指针写一个元素，指针不会被广播。",
			Help:     "让指针的形状是 {2}。",
		},
	},
	{
		Code: "bad-choice",
		En: Message{
			Headline: "`{0}` cannot be {1}",
			Label:    "not one of the allowed values",
			Why:      "The allowed values are {2}.",
			Help:     "Use one of {2}.",
		},
		Zh: Message{
			Headline: "`{0}` 不能是 {1}",
			Label:    "不是允许的值",
			Why:      "允许的值有 {2}。",
			Help:     "从 {2} 中选一个。",
		},
	},
	{
		Code:   "block-pointer-argument",
		Triton: "`padding_option` or `boundary_check` argument is not supported for loading a tensor of pointers or loading a scalar",
		En: Message{
			Headline: "`{0}` applies only to block pointers",
			Label:    "not a block pointer",
			Why:      "Accesses through ordinary pointers are kept in bounds by a mask.",
			Help:     "Use `mask=…`.",
		},
		Zh: Message{
			Headline: "`{0}` 只用于块指针",
			Label:    "这不是块指针",
			Why:      "普通指针用掩码防止越界。",
			Help:     "使用 `mask=…`。",
		},
	},
	{
		Code:   "block-pointer-base",
		Triton: "Expected `base` to be a pointer type (but not a block pointer type or others)",
		En: Message{
			Headline: "`{0}` needs a scalar pointer, and `{1}` is {2}",
			Label:    "not one pointer",
			Why:      "The base is the address of the tensor's first element; the shape, the strides and the offsets lead to the others.",
			Help:     "Pass a pointer argument, or one plus a scalar offset.",
		},
		Zh: Message{
			Headline: "`{0}` 需要一个标量指针，而 `{1}` 是 {2}",
			Label:    "不是单个指针",
			Why:      "base 是张量第一个元素的地址，其余元素由 shape、strides 和 offsets 确定。",
			Help:     "传入指针参数，或者指针加一个标量偏移。",
		},
	},
	{
		Code:   "block-pointer-rank",
		Triton: "Expected shape/strides/offsets/block_shape to have the same length",
		En: Message{
			Headline: "`{1}` of `{0}` has {2} elements, and a block has {3} dimensions",
			Label:    "{2} instead of {3}",
			Why:      "Each dimension of `block_shape` has one extent, one stride and one offset.",
			Help:     "Give `{1}` {3} elements.",
		},
		Zh: Message{
			Headline: "`{0}` 的 `{1}` 有 {2} 个元素，而块有 {3} 维",
			Label:    "是 {2} 个，应为 {3} 个",
			Why:      "`block_shape` 的每一维各有一个长度、一个步长和一个偏移。",
			Help:     "给 `{1}` 写 {3} 个元素。",
		},
	},
	{
		Code:   "block-dimensions",
		Triton: "{3}",
		En: Message{
			Headline: "`{0}` lists dimensions, and {1} does not",
			Label:    "not distinct dimensions of the block",
			Why:      "The dimensions of this block are numbered from 0 to {2}, and each may be listed once.",
			Help:     "List distinct numbers from 0 to {2}.",
		},
		Zh: Message{
			Headline: "`{0}` 应列出维度，而 {1} 不是",
			Label:    "不是块的互不相同的维度",
			Why:      "这个块的维度编号从 0 到 {2}，每个最多列出一次。",
			Help:     "列出从 0 到 {2} 的互不相同的整数。",
		},
	},
	{
		Code:   "offset-64-bit",
		Triton: "Block pointers only support 32 bit `offsets/block_shape`, add a `.to(tl.int32)` or use regular indexing for 64 bit support",
		En: Message{
			Headline: "offsets of a block have 32 bits, and `{0}` is {1}",
			Label:    "too wide",
			Why:      "Offsets are int32; distances that need 64 bits belong to the base pointer or to the strides.",
			Help:     "Convert it with `.to(tl.int32)`, or add the distance to the base.",
		},
		Zh: Message{
			Headline: "块的偏移是 32 位，而 `{0}` 是 {1}",
			Label:    "位数太多",
			Why:      "偏移是 int32；需要 64 位的距离应放进基指针或步长。",
			Help:     "用 `.to(tl.int32)` 转换，或者把这段距离加到 base 上。",
		},
	},
	{
		Code: "not-a-block-pointer",
		En: Message{
			Headline: "`{0}` needs a block pointer, and `{1}` is {2}",
			Label:    "not a block pointer",
			Why:      "Only what tl.make_block_ptr returns has offsets that can be advanced.",
			Help:     "Move an ordinary pointer with `+`.",
		},
		Zh: Message{
			Headline: "`{0}` 需要块指针，而 `{1}` 是 {2}",
			Label:    "不是块指针",
			Why:      "只有 tl.make_block_ptr 返回的指针才有可以前移的偏移。",
			Help:     "普通指针用 `+` 移动。",
		},
	},
	{
		Code:   "block-pointer-mask",
		Triton: "`mask` and `other` arguments cannot be specified for loading block pointers",
		En: Message{
			Headline: "`{1}` takes no `{0}` with a block pointer",
			Label:    "not with a block pointer",
			Why:      "A block pointer knows the shape of its tensor: `boundary_check` lists the dimensions in which accesses are kept inside, and `padding_option` says what a load gives outside.",
			Help:     "Use `boundary_check=(0, …)`; a value other than zero or NaN can be put in with tl.where.",
		},
		Zh: Message{
			Headline: "`{1}` 用于块指针时没有 `{0}`",
			Label:    "不能用于块指针",
			Why:      "块指针知道张量的形状：`boundary_check` 列出要防止越界的维度，`padding_option` 规定越界处读到什么。",
			Help:     "使用 `boundary_check=(0, …)`；零和 NaN 以外的值可以用 tl.where 放进去。",
		},
	},
	{
		Code:   "padding-nan",
		Triton: "Padding option `nan` is not supported for integer block pointers",
		En: Message{
			Headline: "{0} has no NaN to pad with",
			Label:    "not for integers",
			Why:      "NaN is a value of floats.",
			Help:     "Use `padding_option='zero'`.",
		},
		Zh: Message{
			Headline: "{0} 没有可用来填充的 NaN",
			Label:    "不能用于整数",
			Why:      "NaN 是浮点数的值。",
			Help:     "使用 `padding_option='zero'`。",
		},
	},
	{
		Code:   "block-store-dtype",
		Triton: "Block element type({2}) and value element type({1}) mismatch",
		En: Message{
			Headline: "`{0}` is {1}, and the block pointer points to {2}",
			Label:    "converted to {2}",
			Why:      "Triton does not convert what is stored through a block pointer; newt does.",
			Help:     "Convert the value before the store.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {1}，而块指针指向 {2}",
			Label:    "已转换为 {2}",
			Why:      "通过块指针写入时 Triton 不做类型转换，newt 会转换。",
			Help:     "先转换再 store。",
		},
	},
	{
		Code:   "block-store-shape",
		Triton: "Block shape({2}) and value shape({1}) mismatch",
		En: Message{
			Headline: "`{0}` has shape {1}, and the block has shape {2}",
			Label:    "another shape",
			Why:      "A block is stored as a whole: the value is a scalar or has the block's shape.",
			Help:     "Broadcast or reshape the value to {2}.",
		},
		Zh: Message{
			Headline: "`{0}` 的形状是 {1}，而块的形状是 {2}",
			Label:    "形状不同",
			Why:      "整块一起写入：值是标量，或者与块形状相同。",
			Help:     "把值广播或变形为 {2}。",
		},
	},
	{
		Code: "not-a-descriptor",
		En: Message{
			Headline: "`{0}` needs a tensor descriptor, and `{1}` is {2}",
			Label:    "not a tensor descriptor",
			Why:      "A tensor descriptor comes from tl.make_tensor_descriptor, or from the host as a TensorDescriptor.",
			Help:     "Make one, or load pointers with tl.load.",
		},
		Zh: Message{
			Headline: "`{0}` 需要张量描述符，而 `{1}` 是 {2}",
			Label:    "不是张量描述符",
			Why:      "张量描述符由 tl.make_tensor_descriptor 得到，或者由主机代码以 TensorDescriptor 传入。",
			Help:     "先创建一个，或者用 tl.load 读取指针。",
		},
	},
	{
		Code:   "descriptor-rank",
		Triton: "Expected 1 <= ndim <= 5 but got {0} dimensions",
		En: Message{
			Headline: "a tensor descriptor has 1 to {1} dimensions, not {0}",
			Label:    "not a rank that TMA has",
			Why:      "The hardware that copies blocks, TMA, knows tensors of up to {1} dimensions.",
			Help:     "Merge dimensions, or use pointers.",
		},
		Zh: Message{
			Headline: "张量描述符有 1 到 {1} 维，不能是 {0} 维",
			Label:    "TMA 没有这种秩",
			Why:      "复制块的硬件 TMA 最多支持 {1} 维张量。",
			Help:     "合并一些维度，或者使用指针。",
		},
	},
	{
		Code:   "descriptor-block-bytes",
		Triton: "Descriptor block shape must have at least 16 bytes in the last dimension, but got {0} * {1}",
		En: Message{
			Headline: "the last dimension of the block has {0} × {1} bytes, fewer than {2}",
			Label:    "too few bytes",
			Why:      "TMA copies {2} bytes at a time along the last dimension.",
			Help:     "Give the last dimension at least {3} elements.",
		},
		Zh: Message{
			Headline: "块的最后一维只有 {0} × {1} 字节，少于 {2}",
			Label:    "字节太少",
			Why:      "TMA 沿最后一维每次复制 {2} 字节。",
			Help:     "让最后一维至少有 {3} 个元素。",
		},
	},
	{
		Code:   "descriptor-last-stride",
		Triton: "Tensor descriptor last dim must be 1 but got {0}",
		En: Message{
			Headline: "the last stride of a tensor descriptor is 1, not {0}",
			Label:    "not contiguous",
			Why:      "TMA copies rows whose elements lie one after another.",
			Help:     "Describe the transposed tensor and transpose the block with `.T`, or use pointers.",
		},
		Zh: Message{
			Headline: "张量描述符最后一维的步长是 1，不能是 {0}",
			Label:    "不连续",
			Why:      "TMA 复制元素逐个相邻的行。",
			Help:     "描述转置后的张量，再用 `.T` 转置块；或者使用指针。",
		},
	},
	{
		Code: "descriptor-value-shape",
		En: Message{
			Headline: "`{0}` has shape {1}, and the descriptor stores blocks of shape {2}",
			Label:    "another shape",
			Why:      "A block is stored as a whole.",
			Help:     "Broadcast or reshape the value to {2}.",
		},
		Zh: Message{
			Headline: "`{0}` 的形状是 {1}，而描述符写入的块形状是 {2}",
			Label:    "形状不同",
			Why:      "整块一起写入。",
			Help:     "把值广播或变形为 {2}。",
		},
	},
	{
		Code:   "descriptor-gather-block",
		Triton: "descriptor block must have 1 row, but got {1}",
		En: Message{
			Headline: "`{0}` needs blocks of one row of at least {2} columns, not {1}",
			Label:    "blocks of shape {1}",
			Why:      "Rows are gathered and scattered one by one, 32 bytes or more of each.",
			Help:     "Make the descriptor with block_shape=[1, N].",
		},
		Zh: Message{
			Headline: "`{0}` 需要一行、至少 {2} 列的块，而不是 {1}",
			Label:    "块的形状是 {1}",
			Why:      "各行逐一收集或分散，每行至少 32 字节。",
			Help:     "用 block_shape=[1, N] 创建描述符。",
		},
	},
	{
		Code:   "descriptor-gather-rows",
		Triton: "descriptor gather must have at least 8 rows, but got {1}",
		En: Message{
			Headline: "rows are numbered by a tile of eight or more integers, and `{0}` is {1}",
			Label:    "not row numbers",
			Why:      "The hardware gathers and scatters at least eight rows at a time.",
			Help:     "Pass a one-dimensional tile of integers.",
		},
		Zh: Message{
			Headline: "行号应是含八个以上整数的块，而 `{0}` 是 {1}",
			Label:    "不是行号",
			Why:      "硬件每次至少收集或分散八行。",
			Help:     "传入一维整数块。",
		},
	},
	{
		Code:   "atomic-dtype",
		Triton: "{0} does not support {1}",
		En: Message{
			Headline: "`{0}` does not work on {1}",
			Label:    "no such atomic operation",
			Why:      "The GPU has atomic operations on 32 and 64 bits; bitwise ones take integers only, and fp16 and bf16 can only be added.",
			Help:     "Use another dtype.",
		},
		Zh: Message{
			Headline: "`{0}` 不能用于 {1}",
			Label:    "没有这种原子操作",
			Why:      "GPU 的原子操作支持 32 位和 64 位，按位运算只用于整数，fp16 和 bf16 只能相加。",
			Help:     "换一种 dtype。",
		},
	},
}
