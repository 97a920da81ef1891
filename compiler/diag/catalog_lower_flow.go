package diag

// flowEntries: statements, branches, loops, functions.
var flowEntries = []Entry{
	{
		Code:   "unsupported-statement",
		Triton: "unsupported AST node type: {1}",
		En: Message{
			Headline: "`{0}` cannot be used in a kernel",
			Label:    "not supported in kernels",
			Why:      "A kernel is compiled for the GPU, which has no exceptions, modules, classes or context managers.",
			Help:     "Move it out of the kernel.",
		},
		Zh: Message{
			Headline: "kernel 里不能使用 `{0}`",
			Label:    "kernel 不支持",
			Why:      "kernel 要编译到 GPU 上，那里没有异常、模块、类和上下文管理器。",
			Help:     "把它移到 kernel 外面。",
		},
	},
	{
		Code:   "unsupported-expression",
		Triton: "unsupported AST node type: {1}",
		En: Message{
			Headline: "`{0}` cannot be used in a kernel",
			Label:    "not supported in kernels",
			Why:      "The values of a kernel are numbers, tensors and tuples.",
			Help:     "Use a tuple, or several variables.",
		},
		Zh: Message{
			Headline: "kernel 里不能使用 `{0}`",
			Label:    "kernel 不支持",
			Why:      "kernel 里的值只有数、张量和元组。",
			Help:     "改用元组，或者几个变量。",
		},
	},
	{
		Code:   "condition-tile",
		Triton: "Boolean value of Tensor with more than one value is ambiguous",
		En: Message{
			Headline: "a condition must be a single value, and `{0}` is {1}",
			Label:    "many values at once",
			Why:      "`if` and `while` branch for the whole program, while a tile has a value for each of its elements.",
			Help:     "Use tl.where to select element by element, or a mask.",
		},
		Zh: Message{
			Headline: "条件必须是单个值，而 `{0}` 是 {1}",
			Label:    "一次有许多个值",
			Why:      "`if` 和 `while` 为整个程序选择分支，而块的每个元素都有自己的值。",
			Help:     "用 tl.where 逐元素选择，或者使用掩码。",
		},
	},
	{
		Code: "condition-one-element",
		En: Message{
			Headline: "the condition `{0}` is a tile of one element, {1}",
			Label:    "its only element is used",
			Why:      "Triton takes the element and warns.",
			Help:     "Use a scalar, for example `tl.sum(x)` or an element loaded through a single pointer.",
		},
		Zh: Message{
			Headline: "条件 `{0}` 是只有一个元素的块，类型 {1}",
			Label:    "取其中的元素",
			Why:      "Triton 会取出这个元素并给出警告。",
			Help:     "改用标量，例如 `tl.sum(x)`，或通过单个指针加载的元素。",
		},
	},
	{
		Code:   "undefined-branch",
		Triton: "{0} is not defined",
		En: Message{
			Headline: "`{0}` is assigned in only one branch of the if",
			Label:    "may have no value here",
			Why:      "Which branch runs is known only on the GPU, so both branches must assign the name a value of the same type.",
			Help:     "Assign `{0}` before the if, or in the other branch too.",
		},
		Zh: Message{
			Headline: "`{0}` 只在 if 的一个分支里赋值",
			Label:    "这里可能没有值",
			Why:      "走哪个分支要到 GPU 上才知道，所以两个分支里都要有同一类型的值。",
			Help:     "在 if 之前或在另一个分支里也给 `{0}` 赋值。",
		},
	},
	{
		Code:   "undefined-loop",
		Triton: "{0} is not defined",
		En: Message{
			Headline: "`{0}` is assigned only inside the loop",
			Label:    "may have no value here",
			Why:      "A loop may run zero times, so a name that is first assigned in it may have no value afterwards.",
			Help:     "Assign `{0}` before the loop.",
		},
		Zh: Message{
			Headline: "`{0}` 只在循环里面赋值",
			Label:    "这里可能没有值",
			Why:      "循环可能一次也不执行，所以只在循环里赋值的变量，循环之后可能没有值。",
			Help:     "在循环之前先给 `{0}` 赋值。",
		},
	},
	{
		Code: "loop-variable",
		En: Message{
			Headline: "`{0}` has no value after its loop",
			Label:    "undefined here",
			Why:      "In Python a loop's variable keeps its last value. Triton compiles this too, but leaves the value undefined: on a GPU it is what happens to be in a register.",
			Help:     "Assign `{0}` to another variable in the loop, one that has a value before it, or compute it again after the loop.",
		},
		Zh: Message{
			Headline: "循环结束后 `{0}` 没有值",
			Label:    "这里的值未定义",
			Why:      "在 Python 里，循环变量会保留最后一次的值。Triton 虽然能编译这种写法，但循环之后的值是未定义的：在 GPU 上就是寄存器里碰巧留下的内容。",
			Help:     "在循环里把 `{0}` 赋给另一个循环之前已有值的变量，或者在循环之后重新计算它。",
		},
	},
	{
		Code:   "branch-type",
		Triton: "Mismatched type for {0} between then block ({1}) and else block ({2})",
		En: Message{
			Headline: "`{0}` is {1} in one branch and {2} in the other",
			Label:    "two types for one name",
			Why:      "After the if, `{0}` has one type, whichever branch ran.",
			Help:     "Give both values the same type and shape.",
		},
		Zh: Message{
			Headline: "`{0}` 在一个分支里是 {1}，在另一个分支里是 {2}",
			Label:    "同一个名字有两种类型",
			Why:      "无论走哪个分支，if 之后 `{0}` 只能有一种类型。",
			Help:     "让两个值的类型和形状一致。",
		},
	},
	{
		Code:   "ternary-type",
		Triton: "Ternary expression with dynamic condition has inconsistent types {0} and {1}",
		En: Message{
			Headline: "one side of the conditional expression is {0} and the other {1}",
			Label:    "two types for one value",
			Why:      "Which side is used is known only at run time, so both must have the same type.",
			Help:     "Give both sides the same type and shape, or use tl.where.",
		},
		Zh: Message{
			Headline: "条件表达式的一边是 {0}，另一边是 {1}",
			Label:    "同一个值有两种类型",
			Why:      "取哪一边要到运行时才知道，所以两边的类型必须一致。",
			Help:     "让两边的类型和形状一致，或者改用 tl.where。",
		},
	},
	{
		Code:   "return-type",
		Triton: "Return type mismatch: {1} and {2}",
		En: Message{
			Headline: "the function returns {1} in one place and {2} in another",
			Label:    "two types for one result",
			Why:      "Which return is reached is known only at run time, so all results must have the same type.",
			Help:     "Return values of the same type and shape everywhere.",
		},
		Zh: Message{
			Headline: "函数在一处返回 {1}，在另一处返回 {2}",
			Label:    "同一个结果有两种类型",
			Why:      "走到哪个 return 要到运行时才知道，所以结果的类型必须一致。",
			Help:     "让各处返回值的类型和形状一致。",
		},
	},
	{
		Code: "unreachable-code",
		En: Message{
			Headline: "the code after `{0}` never runs",
			Label:    "not reached",
			Why:      "`{0}` leaves at once, so nothing behind it in the same block is reached.",
			Help:     "Remove the `{0}`, or write it after these lines.",
		},
		Zh: Message{
			Headline: "`{0}` 之后的语句不会执行",
			Label:    "到不了这里",
			Why:      "`{0}` 会立即离开，同一个代码块里它后面的语句都到不了。",
			Help:     "删掉这个 `{0}`，或者把它移到这些行之后。",
		},
	},
	{
		Code: "return-missing",
		En: Message{
			Headline: "`{0}` returns a value, but not on every path",
			Label:    "the end of the function can be reached without this return",
			Why: "Which return is reached is known only at run time. Where none is, the result is undefined in Triton, " +
				"and 0 in newt.",
			Help: "Return a value at the end of the function, too.",
		},
		Zh: Message{
			Headline: "`{0}` 会返回值，但不是每条路径都返回",
			Label:    "不经过这个 return 也可能走到函数末尾",
			Why:      "走到哪个 return 要到运行时才知道。如果一个也没走到，结果在 Triton 中未定义，在 newt 中是 0。",
			Help:     "在函数末尾也返回一个值。",
		},
	},
	{
		Code:   "loop-type",
		Triton: "Loop-carried variable {0} has initial type {3} but is re-assigned to {4} in loop! Please make sure that the type stays consistent.",
		En: Message{
			Headline: "the loop changes `{0}` from {1} to {2}",
			Label:    "not the type that it has before the loop",
			Why:      "A variable carried from one iteration to the next must keep its type and shape.",
			Help:     "Convert it back with .to(…), or use another name inside the loop.",
		},
		Zh: Message{
			Headline: "循环把 `{0}` 从 {1} 变成了 {2}",
			Label:    "与循环之前的类型不同",
			Why:      "在循环各次迭代之间传递的变量，类型和形状必须保持不变。",
			Help:     "用 .to(…) 转换回来，或者在循环里用另一个名字。",
		},
	},
	{
		Code: "loop-undefined",
		En: Message{
			Headline: "`{0}` may have no value at the end of the loop's body",
			Label:    "assigned in one branch only",
			Why:      "The next iteration starts with the value that this one leaves.",
			Help:     "Assign `{0}` in every branch.",
		},
		Zh: Message{
			Headline: "循环体结束时 `{0}` 可能没有值",
			Label:    "只在一个分支里赋值",
			Why:      "下一次迭代要用这一次留下的值。",
			Help:     "在每个分支里都给 `{0}` 赋值。",
		},
	},
	{
		Code: "loop-unstable",
		En: Message{
			Headline: "the types in this loop change with every iteration",
			Why:      "A variable carried from one iteration to the next must keep its type and shape.",
			Help:     "Before the loop, assign its variables values of their final types.",
		},
		Zh: Message{
			Headline: "这个循环里的类型每次迭代都在变",
			Why:      "在循环各次迭代之间传递的变量，类型和形状必须保持不变。",
			Help:     "在循环之前就给这些变量最终类型的值。",
		},
	},
	{
		Code:   "in-unsupported",
		Triton: "'In' object has no attribute '__name__'",
		En: Message{
			Headline: "`{0}` does not work on run-time values",
			Label:    "only known at run time",
			Why:      "Membership is decided at compile time, so only values that are known then can be tested.",
			Help:     "Compare with each value and combine the results with |.",
		},
		Zh: Message{
			Headline: "`{0}` 不能用于运行时的值",
			Label:    "要到运行时才知道",
			Why:      "是否属于其中在编译时判断，所以只能用于编译时已知的值。",
			Help:     "逐个比较，再用 | 连接结果。",
		},
	},
	{
		Code: "loop-else",
		En: Message{
			Headline: "a loop in a kernel cannot have an else",
			Label:    "remove this branch",
			Why:      "The else of a loop runs if no break did, and Triton does not support it.",
			Help:     "Move its statements below the loop.",
		},
		Zh: Message{
			Headline: "kernel 里的循环不能有 else",
			Label:    "去掉这个分支",
			Why:      "循环的 else 在没有执行 break 时运行，Triton 不支持它。",
			Help:     "把其中的语句移到循环后面。",
		},
	},
	{
		Code: "range-bound",
		En: Message{
			Headline: "a range needs integers, and this one has {0}",
			Label:    "not an integer",
			Why:      "The bounds and the step of a for loop are integers.",
			Help:     "Convert it with .to(tl.int32).",
		},
		Zh: Message{
			Headline: "range 需要整数，这里却有 {0}",
			Label:    "不是整数",
			Why:      "for 循环的上下界和步长都是整数。",
			Help:     "用 .to(tl.int32) 转换。",
		},
	},
	{
		Code: "range-hint",
		En: Message{
			Headline: "Python's range ignores `{0}`",
			Label:    "without effect",
			Why:      "`{0}` is an option of tl.range; on Python's range Triton accepts it and ignores it.",
			Help:     "Use tl.range.",
		},
		Zh: Message{
			Headline: "Python 的 range 会忽略 `{0}`",
			Label:    "不起作用",
			Why:      "`{0}` 是 tl.range 的选项；写在 Python 的 range 上，Triton 接受但会忽略。",
			Help:     "使用 tl.range。",
		},
	},
	{
		Code: "range-step-zero",
		En: Message{
			Headline: "the step of a range cannot be 0",
			Label:    "never ends",
			Why:      "A loop with a step of 0 never ends.",
			Help:     "Use another step.",
		},
		Zh: Message{
			Headline: "range 的步长不能是 0",
			Label:    "永远不会结束",
			Why:      "步长为 0 的循环永远不会结束。",
			Help:     "改用别的步长。",
		},
	},
	{
		Code:   "not-iterable",
		Triton: "Only `range` and `static_range` iterators are currently supported",
		En: Message{
			Headline: "a for loop cannot iterate over {0}",
			Label:    "not a range",
			Why:      "A for loop iterates over range, tl.range or tl.static_range.",
			Help:     "Iterate over the indices with range.",
		},
		Zh: Message{
			Headline: "for 循环不能遍历 {0}",
			Label:    "不是 range",
			Why:      "for 循环只能遍历 range、tl.range 或 tl.static_range。",
			Help:     "用 range 遍历下标。",
		},
	},
	{
		Code: "recursion",
		En: Message{
			Headline: "`{0}` calls itself",
			Label:    "{1}",
			Why:      "Calls are inlined into their caller, so a function cannot call itself unless other constexprs end it.",
			Help:     "Write it as a loop, or recurse on a constexpr.",
		},
		Zh: Message{
			Headline: "`{0}` 调用了自己",
			Label:    "{1}",
			Why:      "被调用的函数会内联到调用者里，所以除非由变化的 constexpr 终止，否则不能调用自己。",
			Help:     "改写成循环，或者对 constexpr 递归。",
		},
	},
	{
		Code: "kernel-returns",
		En: Message{
			Headline: "a kernel cannot return a value",
			Label:    "no one receives it",
			Why:      "A kernel runs as many programs at once; its results are what it stores in memory.",
			Help:     "Store the result with tl.store.",
		},
		Zh: Message{
			Headline: "kernel 不能返回值",
			Label:    "没有人接收它",
			Why:      "kernel 同时运行许多个程序，结果要写进内存。",
			Help:     "用 tl.store 存储结果。",
		},
	},
	{
		Code: "function-returned",
		En: Message{
			Headline: "a nested function cannot be returned",
			Label:    "uses variables of the enclosing function",
			Why:      "It refers to variables of the enclosing function, which no longer exist after the return.",
			Help:     "Define it at module level.",
		},
		Zh: Message{
			Headline: "不能返回嵌套的函数",
			Label:    "它用到了外层函数的变量",
			Why:      "它引用了外层函数的变量，返回之后这些变量就不存在了。",
			Help:     "在模块层定义它。",
		},
	},
	{
		Code: "bad-target",
		En: Message{
			Headline: "cannot assign to `{0}`",
			Label:    "not a name",
			Why:      "Only a name or a tuple of names can be assigned to.",
			Help:     "Assign to a name.",
		},
		Zh: Message{
			Headline: "不能给 `{0}` 赋值",
			Label:    "不是名字",
			Why:      "只能给名字或由名字组成的元组赋值。",
			Help:     "给一个名字赋值。",
		},
	},
	{
		Code:   "subscript-assigned",
		Triton: "__setitem__ is not supported in triton",
		En: Message{
			Headline: "the elements of `{0}` cannot be assigned",
			Label:    "a value, not memory",
			Why:      "A tile in a kernel is a value in registers; memory is written through pointers.",
			Help:     "Write with tl.store(pointer + offset, value), or select with tl.where.",
		},
		Zh: Message{
			Headline: "不能给 `{0}` 的元素赋值",
			Label:    "它是值，不是内存",
			Why:      "kernel 里的块是寄存器里的值；写内存要通过指针。",
			Help:     "用 tl.store(指针 + 偏移, 值) 写入，或者用 tl.where 选择。",
		},
	},
	{
		Code:   "attribute-assigned",
		Triton: "Attribute assignment is not supported in triton",
		En: Message{
			Headline: "`{0}` cannot be assigned",
			Label:    "attributes are fixed",
			Why:      "The attributes of a value in a kernel are read-only.",
			Help:     "Use a variable; of an aggregate, make a new object.",
		},
		Zh: Message{
			Headline: "不能给 `{0}` 赋值",
			Label:    "属性是固定的",
			Why:      "kernel 里的值的属性是只读的。",
			Help:     "改用变量；如果是聚合类的对象，就构造一个新的。",
		},
	},
	{
		Code: "unpack-not-tuple",
		En: Message{
			Headline: "{0} cannot be unpacked",
			Label:    "not a tuple",
			Why:      "Assigning several names at once needs a tuple with as many values.",
			Help:     "Assign to one name.",
		},
		Zh: Message{
			Headline: "{0} 不能解包",
			Label:    "不是元组",
			Why:      "同时给几个名字赋值，需要元素个数相同的元组。",
			Help:     "只给一个名字赋值。",
		},
	},
	{
		Code: "unpack-count",
		En: Message{
			Headline: "{1} values cannot be unpacked into {0} names",
			Label:    "the numbers differ",
			Why:      "Each name takes one value.",
			Help:     "Use as many names as there are values.",
		},
		Zh: Message{
			Headline: "{1} 个值不能解包给 {0} 个名字",
			Label:    "个数不一致",
			Why:      "每个名字对应一个值。",
			Help:     "让名字和值一样多。",
		},
	},
	{
		Code: "star-not-tuple",
		En: Message{
			Headline: "only a tuple can be unpacked with *, not {0}",
			Label:    "not a tuple",
			Why:      "* passes the elements of a tuple one by one.",
			Help:     "Pass the value itself.",
		},
		Zh: Message{
			Headline: "只有元组能用 * 展开，{0} 不行",
			Label:    "不是元组",
			Why:      "* 会把元组的元素逐个传入。",
			Help:     "直接传这个值。",
		},
	},
	{
		Code: "not-printable",
		En: Message{
			Headline: "`{0}` is {1} and cannot be printed",
			Label:    "not printable",
			Why:      "Numbers, tensors, dtypes and tuples can be printed.",
			Help:     "Print a number, a tensor, a dtype or a tuple.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {1}，不能打印",
			Label:    "无法打印",
			Why:      "可以打印数、张量、dtype 和元组。",
			Help:     "改为打印数、张量、dtype 或元组。",
		},
	},
}

// limitEntries: what is too much, and what is newt's own fault.
var limitEntries = []Entry{
	{
		Code: "too-much-code",
		En: Message{
			Headline: "the kernel expands to more than {0} instructions",
			Label:    "the limit is reached here",
			Why:      "An unrolled loop is repeated for each iteration, and an inlined function for each call.",
			Help:     "Use range instead of tl.static_range, or smaller constexprs.",
		},
		Zh: Message{
			Headline: "kernel 展开后超过 {0} 条指令",
			Label:    "到这里达到上限",
			Why:      "展开的循环和内联的函数，每次迭代、每次调用都会重复一遍。",
			Help:     "用 range 代替 tl.static_range，或者用更小的 constexpr。",
		},
	},
	{
		Code: "too-nested",
		En: Message{
			Headline: "branches and loops are nested more than {0} levels deep",
			Label:    "one level too deep",
			Why:      "An if that returns moves everything after it into its other branch, so many such ifs in a row nest.",
			Help:     "Combine the conditions with & and |.",
		},
		Zh: Message{
			Headline: "分支和循环嵌套超过 {0} 层",
			Label:    "嵌套太深",
			Why:      "if 里有 return 时，后面的内容都会放进另一个分支，连续许多个就会层层嵌套。",
			Help:     "用 & 和 | 合并条件。",
		},
	},
	{
		Code: "unroll-too-long",
		En: Message{
			Headline: "the loop unrolls to more than {0} iterations",
			Label:    "too many iterations",
			Why:      "An unrolled loop repeats its body for each iteration.",
			Help:     "Use range instead of tl.static_range.",
		},
		Zh: Message{
			Headline: "循环展开后超过 {0} 次迭代",
			Label:    "迭代次数太多",
			Why:      "展开的循环，每次迭代都会重复一遍循环体。",
			Help:     "用 range 代替 tl.static_range。",
		},
	},
	{
		Code: "call-too-deep",
		En: Message{
			Headline: "calls are nested more than {0} levels deep",
			Label:    "one call too deep",
			Why:      "Calls are inlined into their caller.",
			Help:     "Reduce the nesting of helper functions.",
		},
		Zh: Message{
			Headline: "调用嵌套超过 {0} 层",
			Label:    "嵌套太深",
			Why:      "被调用的函数会内联到调用者里。",
			Help:     "减少辅助函数之间的嵌套。",
		},
	},
	{
		Code: "text-too-long",
		En: Message{
			Headline: "the text is longer than {0} bytes",
			Label:    "too long",
			Why:      "The text of a print is sent to the device with the kernel.",
			Help:     "Print less at a time.",
		},
		Zh: Message{
			Headline: "文字超过 {0} 字节",
			Label:    "太长",
			Why:      "打印的文字要随 kernel 一起送到设备上。",
			Help:     "分几次打印。",
		},
	},
}
