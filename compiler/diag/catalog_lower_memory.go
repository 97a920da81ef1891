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
			Why:      "Every pointer in newt is an argument plus an offset in elements, so that each access can be checked.",
			Help:     "Keep the pointer, and compute with offsets.",
		},
		Zh: Message{
			Headline: "指针或数 `{0}` 在这里不能转换成 {1}",
			Label:    "没有这种转换",
			Why:      "newt 的每个指针都是一个参数加元素偏移量，这样每次访问都能检查。",
			Help:     "保留指针，用偏移量来计算。",
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
