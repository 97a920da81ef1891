package diag

// shapeEntries: shapes, axes, indices, reductions, products.
var shapeEntries = []Entry{
	{
		Code:   "shape-mismatch",
		Triton: "{5}",
		En: Message{
			Headline: "shapes {3} and {4} cannot be broadcast together",
			Label:    "{1} and {2} in dimension {0}",
			Why:      "Dimensions are matched from the right; two sizes are compatible if they are equal or one of them is 1.",
			Help:     "Add a dimension with [:, None] or [None, :], or make the sizes equal.",
		},
		Zh: Message{
			Headline: "形状 {3} 和 {4} 无法一起广播",
			Label:    "第 {0} 维是 {1} 和 {2}",
			Why:      "维度从右边开始对齐；两个大小相等，或者其中一个是 1，才能广播。",
			Help:     "用 [:, None] 或 [None, :] 增加一维，或者让大小相等。",
		},
	},
	{
		Code:   "dim-power-of-two",
		Triton: "{2}",
		En: Message{
			Headline: "dimension {0} has size {1}, which is not a power of two",
			Label:    "not 1, 2, 4, 8, …",
			Why:      "Triton requires every dimension of a tile to be a power of two, so that the tile divides evenly among the threads.",
			Help:     "Use the next power of two, and a mask for the elements beyond the end.",
		},
		Zh: Message{
			Headline: "第 {0} 维的大小是 {1}，不是 2 的幂",
			Label:    "不是 1、2、4、8……",
			Why:      "Triton 要求块的每一维都是 2 的幂，这样块才能均匀地分给各个线程。",
			Help:     "用下一个 2 的幂，超出末尾的元素用掩码去掉。",
		},
	},
	{
		Code:   "dim-positive",
		Triton: "{2}",
		En: Message{
			Headline: "dimension {0} has size {1}",
			Label:    "not positive",
			Why:      "A tile has at least one element in each dimension.",
			Help:     "Use a size of at least 1.",
		},
		Zh: Message{
			Headline: "第 {0} 维的大小是 {1}",
			Label:    "不是正数",
			Why:      "块在每一维上至少有一个元素。",
			Help:     "大小至少为 1。",
		},
	},
	{
		Code:   "tile-too-large",
		Triton: "{2}",
		En: Message{
			Headline: "a tile of {0} elements is too large: the limit is {1}",
			Label:    "too many elements",
			Why:      "A tile is held in the registers of one program.",
			Help:     "Let each program process a smaller block, or loop over blocks.",
		},
		Zh: Message{
			Headline: "块有 {0} 个元素，太大了：上限是 {1}",
			Label:    "元素太多",
			Why:      "块放在一个程序的寄存器里。",
			Help:     "让每个程序处理更小的块，或者分块循环。",
		},
	},
	{
		Code: "rank-too-large",
		En: Message{
			Headline: "a tile has at most {0} dimensions",
			Label:    "too many dimensions",
			Why:      "A tile of 2^20 elements never needs more.",
			Help:     "Merge dimensions with tl.reshape.",
		},
		Zh: Message{
			Headline: "块最多有 {0} 维",
			Label:    "维数太多",
			Why:      "2^20 个元素的块用不着更多维。",
			Help:     "用 tl.reshape 合并维度。",
		},
	},
	{
		Code:   "arange-range",
		Triton: "{2}",
		En: Message{
			Headline: "tl.arange({0}, {1}) has no elements",
			Label:    "the end is not greater than the start",
			Why:      "The second bound must be greater than the first.",
			Help:     "Swap or change the bounds.",
		},
		Zh: Message{
			Headline: "tl.arange({0}, {1}) 没有元素",
			Label:    "end 不大于 start",
			Why:      "第二个界必须大于第一个。",
			Help:     "交换或修改上下界。",
		},
	},
	{
		Code:   "arange-power-of-two",
		Triton: "{2}",
		En: Message{
			Headline: "the length of tl.arange({0}, {1}) is not a power of two",
			Label:    "not 1, 2, 4, 8, …",
			Why:      "Triton requires every dimension of a tile to be a power of two, so that the tile divides evenly among the threads.",
			Help:     "Use the next power of two, and a mask for the elements beyond the end.",
		},
		Zh: Message{
			Headline: "tl.arange({0}, {1}) 的长度不是 2 的幂",
			Label:    "不是 1、2、4、8……",
			Why:      "Triton 要求块的每一维都是 2 的幂，这样块才能均匀地分给各个线程。",
			Help:     "用下一个 2 的幂，超出末尾的元素用掩码去掉。",
		},
	},
	{
		Code:   "arange-int32",
		Triton: "{2}",
		En: Message{
			Headline: "tl.arange({0}, {1}) is out of the range of int32",
			Label:    "does not fit int32",
			Why:      "The elements of tl.arange are int32.",
			Help:     "Start at 0 and add the start in int64.",
		},
		Zh: Message{
			Headline: "tl.arange({0}, {1}) 超出 int32 的范围",
			Label:    "放不进 int32",
			Why:      "tl.arange 的元素是 int32。",
			Help:     "从 0 开始，再以 int64 加上起点。",
		},
	},
	{
		Code: "shape-kind",
		En: Message{
			Headline: "a shape must be a tuple or list of sizes, and `{0}` is {1}",
			Label:    "not a shape",
			Why:      "A shape is written [BLOCK] or (M, N).",
			Help:     "Write the sizes as a list.",
		},
		Zh: Message{
			Headline: "形状应当是由大小组成的元组或列表，而 `{0}` 是 {1}",
			Label:    "不是形状",
			Why:      "形状写成 [BLOCK] 或 (M, N)。",
			Help:     "把各维大小写成列表。",
		},
	},
	{
		Code: "cannot-broadcast-to",
		En: Message{
			Headline: "`{0}` of shape {1} cannot be broadcast to {2}",
			Label:    "incompatible shape",
			Why:      "Only dimensions of size 1 can be broadcast.",
			Help:     "Reshape it first, or choose a compatible shape.",
		},
		Zh: Message{
			Headline: "形状为 {1} 的 `{0}` 不能广播到 {2}",
			Label:    "形状不兼容",
			Why:      "只有大小为 1 的维度才能广播。",
			Help:     "先改变形状，或者选一个兼容的形状。",
		},
	},
	{
		Code: "reshape-numel",
		En: Message{
			Headline: "`{0}` has {2} elements, and shape {3} has {4}",
			Label:    "different number of elements",
			Why:      "A reshape keeps every element of {1}.",
			Help:     "Choose a shape with {2} elements.",
		},
		Zh: Message{
			Headline: "`{0}` 有 {2} 个元素，而形状 {3} 有 {4} 个",
			Label:    "元素个数不同",
			Why:      "reshape 会保留 {1} 的每个元素。",
			Help:     "选一个有 {2} 个元素的形状。",
		},
	},
	{
		Code:   "axis-out-of-range",
		Triton: "invalid axis {0}. Expected -{1} <= axis < {1}",
		En: Message{
			Headline: "axis {0} does not exist: the tile has {1} dimensions",
			Label:    "no such axis",
			Why:      "Axes count from 0; negative ones count from the end.",
			Help:     "Axes that exist: {2}.",
		},
		Zh: Message{
			Headline: "没有第 {0} 轴：这个块只有 {1} 维",
			Label:    "没有这个轴",
			Why:      "轴从 0 开始数，负数从末尾倒数。",
			Help:     "有这些轴：{2}。",
		},
	},
	{
		Code:   "grid-axis",
		Triton: "{0} axis must be 0, 1, or 2 but got {1}",
		En: Message{
			Headline: "a grid has axes 0, 1 and 2, not {1}",
			Label:    "no such axis",
			Why:      "A grid has at most three axes, and tl.{0} takes the number of one.",
			Help:     "Use 0, 1 or 2.",
		},
		Zh: Message{
			Headline: "网格只有 0、1、2 三个轴，没有 {1}",
			Label:    "没有这个轴",
			Why:      "网格最多三个轴，tl.{0} 的参数是其中一个的编号。",
			Help:     "使用 0、1 或 2。",
		},
	},
	{
		Code: "permutation",
		En: Message{
			Headline: "`{0}` does not list each of the {1} dimensions once",
			Label:    "not a permutation",
			Why:      "Each dimension of the input becomes one dimension of the result.",
			Help:     "List each dimension exactly once.",
		},
		Zh: Message{
			Headline: "`{0}` 没有把 {1} 个维度各列一次",
			Label:    "不是排列",
			Why:      "输入的每一维对应结果的一维。",
			Help:     "每个维度恰好写一次。",
		},
	},
	{
		Code: "trans-rank",
		En: Message{
			Headline: "`{0}` is {1}, and a transpose needs two dimensions",
			Label:    "fewer than two dimensions",
			Why:      "A transpose swaps the last two dimensions.",
			Help:     "Add a dimension with [:, None] first.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {1}，而转置需要两个维度",
			Label:    "不足两维",
			Why:      "转置交换最后两维。",
			Help:     "先用 [:, None] 增加一维。",
		},
	},
	{
		Code: "split-last-dim",
		En: Message{
			Headline: "tl.split needs a last dimension of size 2, and `{0}` is {1}",
			Label:    "not of size 2",
			Why:      "tl.split is the inverse of tl.join.",
			Help:     "Reshape it to […, 2] first.",
		},
		Zh: Message{
			Headline: "tl.split 要求最后一维大小为 2，而 `{0}` 是 {1}",
			Label:    "大小不是 2",
			Why:      "tl.split 是 tl.join 的逆运算。",
			Help:     "先 reshape 成 […, 2]。",
		},
	},
	{
		Code:   "needs-tile",
		Triton: "'dtype' object has no attribute 'numel'",
		En: Message{
			Headline: "`{0}` needs a tile, and `{1}` is a scalar",
			Label:    "no dimensions",
			Why:      "The function works along a dimension.",
			Help:     "Use the value itself.",
		},
		Zh: Message{
			Headline: "`{0}` 需要块，而 `{1}` 是标量",
			Label:    "没有维度",
			Why:      "这个函数沿某一维计算。",
			Help:     "直接使用这个值。",
		},
	},
	{
		Code: "needs-one-element",
		En: Message{
			Headline: "a scalar is needed, and `{0}` is {1}",
			Label:    "several elements",
			Why:      "It is not clear which element is meant.",
			Help:     "Reduce it first, for example with tl.sum.",
		},
		Zh: Message{
			Headline: "这里需要标量，而 `{0}` 是 {1}",
			Label:    "有多个元素",
			Why:      "无法判断指的是哪个元素。",
			Help:     "先做归约，比如 tl.sum。",
		},
	},
	{
		Code:   "index-unsupported",
		Triton: "unsupported tensor index: {1}",
		En: Message{
			Headline: "`{1}` cannot index `{0}`",
			Label:    "only `None` and `:` are supported",
			Why:      "A tile is distributed over the threads of a program, so a single element cannot be picked out.",
			Help:     "Load only the part that is needed, or use tl.gather, tl.where or a reduction.",
		},
		Zh: Message{
			Headline: "不能用 `{1}` 取 `{0}` 的元素",
			Label:    "只支持 `None` 和 `:`",
			Why:      "块分布在程序的各个线程里，不能单独取出一个元素。",
			Help:     "只加载需要的部分，或者用 tl.gather、tl.where 或归约。",
		},
	},
	{
		Code: "too-many-indices",
		En: Message{
			Headline: "`{0}` has {1} dimensions, and the index has {2}",
			Label:    "one `:` too many",
			Why:      "Each `:` stands for one dimension; Triton ignores those beyond the last.",
			Help:     "Remove a `:`.",
		},
		Zh: Message{
			Headline: "`{0}` 只有 {1} 维，下标却有 {2} 维",
			Label:    "多了一个 `:`",
			Why:      "每个 `:` 代表一维；Triton 会忽略多余的。",
			Help:     "去掉一个 `:`。",
		},
	},
	{
		Code:   "expand-dims-twice",
		Triton: "expand_dims received duplicate axes, normalized axes = {0}",
		En: Message{
			Headline: "an axis is given twice: {0}",
			Label:    "the same axis twice",
			Why:      "An axis is a position in the result, and only one new dimension can be there.",
			Help:     "Give different axes.",
		},
		Zh: Message{
			Headline: "同一个轴给了两次：{0}",
			Label:    "轴重复",
			Why:      "轴是结果中的位置，一个位置只能放一个新的维。",
			Help:     "使用不同的轴。",
		},
	},
	{
		Code: "not-indexable",
		En: Message{
			Headline: "`{0}` is {1} and cannot be indexed",
			Label:    "no elements",
			Why:      "Only tuples and tiles can be indexed.",
			Help:     "Use the value itself.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {1}，不能用下标",
			Label:    "没有元素",
			Why:      "只有元组和块可以用下标。",
			Help:     "直接使用这个值。",
		},
	},
	{
		Code: "index-out-of-range",
		En: Message{
			Headline: "index `{0}` is out of range: the tuple has {1} elements",
			Label:    "no such element",
			Why:      "The elements of a tuple are numbered from 0.",
			Help:     "Use an index below {1}.",
		},
		Zh: Message{
			Headline: "下标 `{0}` 超出范围：元组有 {1} 个元素",
			Label:    "没有这个元素",
			Why:      "元组的元素从 0 开始数。",
			Help:     "使用小于 {1} 的下标。",
		},
	},
	{
		Code: "no-length",
		En: Message{
			Headline: "{0} has no length",
			Label:    "`len` does not work on this",
			Why:      "Only tuples and tiles have a length.",
			Help:     "Use the value itself.",
		},
		Zh: Message{
			Headline: "{0} 没有长度",
			Label:    "不能用 `len`",
			Why:      "元组和块才有长度。",
			Help:     "直接使用这个值。",
		},
	},
	{
		Code: "builtin-reduce",
		En: Message{
			Headline: "Python's `{0}` does not reduce a tile",
			Label:    "one tile, not several values",
			Why:      "Python's `{0}` compares its arguments with each other.",
			Help:     "Use tl.{0}.",
		},
		Zh: Message{
			Headline: "Python 的 `{0}` 不能归约一个块",
			Label:    "只有一个块，不是几个值",
			Why:      "Python 的 `{0}` 在各个参数之间比较。",
			Help:     "改用 tl.{0}。",
		},
	},
	{
		Code: "reduce-shapes",
		En: Message{
			Headline: "tiles that are reduced together must have the same shape",
			Label:    "different shapes",
			Why:      "The reduction combines their elements position by position.",
			Help:     "Broadcast them first.",
		},
		Zh: Message{
			Headline: "一起归约的块形状必须相同",
			Label:    "形状不同",
			Why:      "归约按位置合并它们的元素。",
			Help:     "先做广播。",
		},
	},
	{
		Code: "combine-not-function",
		En: Message{
			Headline: "`{0}` needs a function that combines elements, not {1}",
			Label:    "not a function",
			Why:      "Elements are combined two at a time.",
			Help:     "Pass a @triton.jit function that takes two elements.",
		},
		Zh: Message{
			Headline: "`{0}` 需要一个合并元素的函数，而不是 {1}",
			Label:    "不是函数",
			Why:      "元素是两两合并的。",
			Help:     "传入一个接受两个元素的 @triton.jit 函数。",
		},
	},
	{
		Code: "combine-count",
		En: Message{
			Headline: "the combining function must return {0} values, and it returns {1}",
			Label:    "different number of values",
			Why:      "What the function returns is combined again.",
			Help:     "Return as many values as there are tiles.",
		},
		Zh: Message{
			Headline: "合并函数必须返回 {0} 个值，却返回了 {1} 个",
			Label:    "个数不同",
			Why:      "它的返回值还要继续合并。",
			Help:     "返回值的个数要和块的个数一样。",
		},
	},
	{
		Code: "combine-type",
		En: Message{
			Headline: "the combining function must return {0}, and it returns {1}",
			Label:    "different type",
			Why:      "What the function returns is combined again, so it must have the type of the elements.",
			Help:     "Convert the result with .to(…).",
		},
		Zh: Message{
			Headline: "合并函数必须返回 {0}，却返回了 {1}",
			Label:    "类型不同",
			Why:      "它的返回值还要继续合并，所以类型与元素相同。",
			Help:     "用 .to(…) 转换结果。",
		},
	},
	{
		Code: "map-not-function",
		En: Message{
			Headline: "tl.map_elementwise needs a function, not {0}",
			Label:    "not a function",
			Why:      "The function is called with the elements of the tiles, which are scalars.",
			Help:     "Pass a @triton.jit function first, then the tiles.",
		},
		Zh: Message{
			Headline: "tl.map_elementwise 需要一个函数，而不是 {0}",
			Label:    "不是函数",
			Why:      "函数会以各块的元素（标量）调用。",
			Help:     "先传入 @triton.jit 函数，再传入各块。",
		},
	},
	{
		Code: "map-operation",
		En: Message{
			Headline: "a function that is mapped over elements only computes with their values",
			Label:    "not possible for single elements",
			Why:      "tl.map_elementwise calls the function with one element of each tile. It can neither access memory nor print, and it has no tiles.",
			Help:     "Load before tl.map_elementwise and pass what is loaded; store what it returns.",
		},
		Zh: Message{
			Headline: "逐元素调用的函数只能用元素的值做计算",
			Label:    "对单个元素不可行",
			Why:      "tl.map_elementwise 以每个块的一个元素调用函数：它不能访问内存，不能打印，也没有块。",
			Help:     "在 tl.map_elementwise 之前加载并把结果传入；返回值在之后存储。",
		},
	},
	{
		Code: "map-pack",
		En: Message{
			Headline: "`pack` cannot be {0} for a tile of {1} elements",
			Label:    "not a power of two, or more than there are",
			Why:      "The function is called once for each group of `pack` elements of each tile.",
			Help:     "Use 1, or a smaller power of two.",
		},
		Zh: Message{
			Headline: "块有 {1} 个元素，`pack` 不能是 {0}",
			Label:    "不是 2 的幂，或者超过元素个数",
			Why:      "每个块每 `pack` 个元素调用一次函数。",
			Help:     "用 1，或者更小的 2 的幂。",
		},
	},
	{
		Code: "map-result-count",
		En: Message{
			Headline: "the mapped function must return a multiple of {0} values, and it returns {1}",
			Label:    "with pack={0}",
			Why:      "The function is called once for {0} elements of each tile, and returns {0} elements of each result.",
			Help:     "Return {0} values for each result, those of one result after the other.",
		},
		Zh: Message{
			Headline: "被映射的函数必须返回 {0} 的倍数个值，却返回了 {1} 个",
			Label:    "每组 {0} 个元素",
			Why:      "函数对每个块的 {0} 个元素调用一次，并返回每个结果的 {0} 个元素。",
			Help:     "每个结果返回 {0} 个值，先是一个结果的，再是下一个的。",
		},
	},
	{
		Code: "map-result-type",
		En: Message{
			Headline: "the elements of one result are {0} and {1}",
			Label:    "different types",
			Why:      "With `pack`, the function returns several elements of each result, which must have one type.",
			Help:     "Convert one of them with .to(…).",
		},
		Zh: Message{
			Headline: "同一个结果的元素既有 {0} 又有 {1}",
			Label:    "类型不同",
			Why:      "给出 `pack` 时，函数返回每个结果的若干元素，它们的类型必须相同。",
			Help:     "用 .to(…) 转换其中一个。",
		},
	},
	{
		Code: "scaled-rank",
		En: Message{
			Headline: "`{0}` of tl.dot_scaled has {1} dimensions",
			Label:    "not a matrix",
			Why:      "tl.dot_scaled multiplies matrices, or batches of them.",
			Help:     "Pass tiles of two dimensions, or of three with the batch first.",
		},
		Zh: Message{
			Headline: "tl.dot_scaled 的 `{0}` 有 {1} 维",
			Label:    "不是矩阵",
			Why:      "tl.dot_scaled 计算矩阵或成批矩阵的乘积。",
			Help:     "传入二维的块；三维时第一维是批。",
		},
	},
	{
		Code: "scaled-dtype",
		En: Message{
			Headline: "`{0}` in the format {1} must be {2}, and is {3}",
			Label:    "does not hold {1}",
			Why:      "The format says what the bits of the elements mean; an unsigned integer of the same width may hold them, and two e2m1 are in a uint8.",
			Help:     "Convert `{0}`, or name the format that it has.",
		},
		Zh: Message{
			Headline: "`{0}` 的格式为 {1}，类型应为 {2}，却是 {3}",
			Label:    "不能存放 {1}",
			Why:      "格式说明元素各位的含义；也可以用同宽的无符号整数存放，每个 uint8 含两个 e2m1。",
			Help:     "转换 `{0}`，或写出它实际的格式。",
		},
	},
	{
		Code: "scaled-pack",
		En: Message{
			Headline: "`{0}` cannot be False for {1}",
			Label:    "only e2m1 is packed",
			Why:      "Two elements of e2m1 are in one uint8, along K or along the other dimension. Elements of other formats are not packed.",
			Help:     "Leave `{0}` out.",
		},
		Zh: Message{
			Headline: "格式为 {1} 时 `{0}` 不能为 False",
			Label:    "只有 e2m1 是打包的",
			Why:      "两个 e2m1 元素放在一个 uint8 里，可以沿 K，也可以沿另一维。其他格式不打包。",
			Help:     "去掉 `{0}`。",
		},
	},
	{
		Code: "scaled-shapes",
		En: Message{
			Headline: "tl.dot_scaled cannot multiply {0} by {1}",
			Label:    "K differs",
			Why:      "The elements along the last dimension of lhs are multiplied by those along the second last of rhs; e2m1 counts twice.",
			Help:     "Load tiles with the same K.",
		},
		Zh: Message{
			Headline: "tl.dot_scaled 无法计算 {0} 乘 {1}",
			Label:    "K 不同",
			Why:      "lhs 最后一维的元素与 rhs 倒数第二维的元素相乘；e2m1 按两倍计。",
			Help:     "加载 K 相同的块。",
		},
	},
	{
		Code: "scaled-scale",
		En: Message{
			Headline: "`{0}` must be {1}, and is {2}",
			Label:    "not a scale for each 32 elements",
			Why:      "Each 32 elements along K = {3} of each row share a scale, a uint8; the scales of rhs are [N, K / 32] as well.",
			Help:     "Load the scales with that shape, or pass None.",
		},
		Zh: Message{
			Headline: "`{0}` 应为 {1}，却是 {2}",
			Label:    "不是每 32 个元素一个缩放因子",
			Why:      "每行沿 K = {3} 每 32 个元素共用一个 uint8 缩放因子；rhs 的缩放因子形状也是 [N, K / 32]。",
			Help:     "按该形状加载缩放因子，或传入 None。",
		},
	},
	{
		Code: "gather-index",
		En: Message{
			Headline: "the indices of tl.gather must be integers, and `{0}` is {1}",
			Label:    "not integers",
			Why:      "An index is the position of an element.",
			Help:     "Convert it with .to(tl.int32).",
		},
		Zh: Message{
			Headline: "tl.gather 的下标必须是整数，而 `{0}` 是 {1}",
			Label:    "不是整数",
			Why:      "下标是元素的位置。",
			Help:     "用 .to(tl.int32) 转换。",
		},
	},
	{
		Code: "gather-shape",
		En: Message{
			Headline: "tl.gather cannot index {0} with indices of shape {1}",
			Label:    "only axis {2} may differ",
			Why:      "At each position of the index, one element is picked along axis {2}.",
			Help:     "Make the other dimensions equal.",
		},
		Zh: Message{
			Headline: "tl.gather 不能用形状为 {1} 的下标从 {0} 中取元素",
			Label:    "只有第 {2} 轴可以不同",
			Why:      "下标的每个位置沿第 {2} 轴取一个元素。",
			Help:     "让其他维度相等。",
		},
	},
	{
		Code: "histogram-input",
		En: Message{
			Headline: "tl.histogram counts one-dimensional integers, and `{0}` is {1}",
			Label:    "not one-dimensional integers",
			Why:      "Each element is the number of the bin that it falls into.",
			Help:     "Convert with .to(tl.int32), and flatten with tl.ravel.",
		},
		Zh: Message{
			Headline: "tl.histogram 统计一维整数，而 `{0}` 是 {1}",
			Label:    "不是一维整数",
			Why:      "每个元素是它所属的箱的编号。",
			Help:     "用 .to(tl.int32) 转换，并用 tl.ravel 变成一维。",
		},
	},
	{
		Code: "hint-values",
		En: Message{
			Headline: "`{0}` needs {1} values here, and it has {2}",
			Label:    "one for each dimension",
			Why:      "The hint is given for each dimension of the tile.",
			Help:     "Give one value for each dimension.",
		},
		Zh: Message{
			Headline: "`{0}` 在这里需要 {1} 个值，却有 {2} 个",
			Label:    "每一维一个",
			Why:      "这个提示是针对块的每一维给出的。",
			Help:     "每一维给一个值。",
		},
	},
	{
		Code:   "dot-lhs-dtype",
		Triton: "{1}",
		En: Message{
			Headline: "tl.dot does not take {0} as its left operand",
			Label:    "{0} on the left",
			Why:      "Tensor cores multiply int8, fp8, fp16, bf16, fp32 (as tf32) and fp64.",
			Help:     "Convert with .to(…).",
		},
		Zh: Message{
			Headline: "tl.dot 的左操作数不能是 {0}",
			Label:    "左边是 {0}",
			Why:      "Tensor Core 只支持 int8、fp8、fp16、bf16、fp32（按 tf32）和 fp64。",
			Help:     "用 .to(…) 转换。",
		},
	},
	{
		Code:   "dot-rhs-dtype",
		Triton: "{1}",
		En: Message{
			Headline: "tl.dot does not take {0} as its right operand",
			Label:    "{0} on the right",
			Why:      "Tensor cores multiply int8, fp8, fp16, bf16, fp32 (as tf32) and fp64.",
			Help:     "Convert with .to(…).",
		},
		Zh: Message{
			Headline: "tl.dot 的右操作数不能是 {0}",
			Label:    "右边是 {0}",
			Why:      "Tensor Core 只支持 int8、fp8、fp16、bf16、fp32（按 tf32）和 fp64。",
			Help:     "用 .to(…) 转换。",
		},
	},
	{
		Code:   "dot-mixed-dtypes",
		Triton: "{2}",
		En: Message{
			Headline: "the operands of tl.dot must have the same dtype, not {0} and {1}",
			Label:    "two dtypes",
			Why:      "Tensor cores multiply operands of one type.",
			Help:     "Convert one of them with .to(…).",
		},
		Zh: Message{
			Headline: "tl.dot 两个操作数的 dtype 必须相同，这里是 {0} 和 {1}",
			Label:    "两种 dtype",
			Why:      "Tensor Core 只能乘同一类型的数。",
			Help:     "用 .to(…) 转换其中一个。",
		},
	},
	{
		Code:   "dot-uint8",
		Triton: "{0}",
		En: Message{
			Headline: "tl.dot takes int8, not uint8",
			Label:    "unsigned",
			Why:      "Triton multiplies only signed bytes.",
			Help:     "Convert with .to(tl.int8).",
		},
		Zh: Message{
			Headline: "tl.dot 支持 int8，不支持 uint8",
			Label:    "无符号",
			Why:      "Triton 只乘有符号字节。",
			Help:     "用 .to(tl.int8) 转换。",
		},
	},
	{
		Code:   "dot-out-bf16",
		Triton: "{0}",
		En: Message{
			Headline: "the result of tl.dot cannot be bf16",
			Label:    "out_dtype is bf16",
			Why:      "Products are accumulated in fp32 or fp16.",
			Help:     "Remove out_dtype and convert the result with .to(tl.bfloat16).",
		},
		Zh: Message{
			Headline: "tl.dot 的结果不能是 bf16",
			Label:    "out_dtype 是 bf16",
			Why:      "累加只用 fp32 或 fp16。",
			Help:     "去掉 out_dtype，再用 .to(tl.bfloat16) 转换结果。",
		},
	},
	{
		Code: "dot-acc-type",
		En: Message{
			Headline: "the accumulator `{0}` is {1}, and the product is {2}",
			Label:    "different type",
			Why:      "The product is added to the accumulator in place.",
			Help:     "Create the accumulator with tl.zeros of that type.",
		},
		Zh: Message{
			Headline: "累加器 `{0}` 是 {1}，而乘积是 {2}",
			Label:    "类型不同",
			Why:      "乘积直接加到累加器上。",
			Help:     "用 tl.zeros 创建这种类型的累加器。",
		},
	},
	{
		Code:   "dot-rank",
		Triton: "{2}",
		En: Message{
			Headline: "tl.dot multiplies matrices, not {0} and {1}",
			Label:    "two or three dimensions each",
			Why:      "Both operands are matrices, or batches of the same number of matrices.",
			Help:     "Add dimensions with [:, None], or use tl.sum(a * b).",
		},
		Zh: Message{
			Headline: "tl.dot 做矩阵乘法，不能用于 {0} 和 {1}",
			Label:    "两边都应是二维或三维",
			Why:      "两个操作数都是矩阵，或者个数相同的一批矩阵。",
			Help:     "用 [:, None] 增加维度，或者用 tl.sum(a * b)。",
		},
	},
	{
		Code:   "dot-batch",
		Triton: "{2}",
		En: Message{
			Headline: "the batch sizes of {0} and {1} differ",
			Label:    "different number of matrices",
			Why:      "In three dimensions, each matrix of the left operand is multiplied with one of the right.",
			Help:     "Make the first dimensions equal.",
		},
		Zh: Message{
			Headline: "{0} 和 {1} 的批大小不同",
			Label:    "矩阵个数不同",
			Why:      "三维时，左操作数的每个矩阵与右操作数的一个矩阵相乘。",
			Help:     "让第一维相等。",
		},
	},
	{
		Code:   "dot-inner-dim",
		Triton: "{4}",
		En: Message{
			Headline: "matrices {0} and {1} cannot be multiplied",
			Label:    "{2} columns against {3} rows",
			Why:      "The left operand needs as many columns as the right operand has rows.",
			Help:     "Transpose one of them with tl.trans.",
		},
		Zh: Message{
			Headline: "矩阵 {0} 和 {1} 不能相乘",
			Label:    "{2} 列对 {3} 行",
			Why:      "左操作数的列数必须等于右操作数的行数。",
			Help:     "用 tl.trans 转置其中一个。",
		},
	},
	{
		Code:   "dot-too-small",
		Triton: "{3}",
		En: Message{
			Headline: "Triton's tl.dot needs tiles of at least {0} × {2} by {2} × {1}",
			Label:    "smaller here",
			Why:      "The GPU's tensor cores work on fragments of that size.",
			Help:     "Use larger blocks, or tl.sum(a[:, :, None] * b[None, :, :], 1).",
		},
		Zh: Message{
			Headline: "Triton 的 tl.dot 至少需要 {0} × {2} 乘 {2} × {1} 的块",
			Label:    "这里更小",
			Why:      "GPU 的 Tensor Core 按这样的大小计算。",
			Help:     "用更大的块，或者 tl.sum(a[:, :, None] * b[None, :, :], 1)。",
		},
	},
}
