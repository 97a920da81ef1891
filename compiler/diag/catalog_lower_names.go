package diag

// constexprEntries: what has to be known at compile time.
var constexprEntries = []Entry{
	{
		Code:   "needs-constexpr",
		Triton: "{0}'s arguments must be of type tl.constexpr",
		En: Message{
			Headline: "`{0}` needs a constexpr, and `{1}` is only known at run time",
			Label:    "not known at compile time",
			Why:      "Sizes and shapes decide what code is generated, so they must be known at compile time.",
			Help:     "Pass it as a `tl.constexpr` parameter.",
		},
		Zh: Message{
			Headline: "`{0}` 需要 constexpr，而 `{1}` 要到运行时才知道",
			Label:    "编译时不知道它的值",
			Why:      "大小和形状决定了生成什么代码，所以必须在编译时已知。",
			Help:     "把它作为 `tl.constexpr` 参数传入。",
		},
	},
	{
		Code: "constexpr-result",
		En: Message{
			Headline: "`{0}` returns an object of class {1}, which kernels cannot use",
			Label:    "called at compile time",
			Why:      "Python runs the function, and its result becomes a constexpr of the kernel.",
			Help:     "Return a number, a string, a dtype or a tuple of such.",
		},
		Zh: Message{
			Headline: "`{0}` 返回 {1} 类的对象，kernel 不能使用",
			Label:    "在编译时调用",
			Why:      "这个函数由 Python 运行，返回值成为 kernel 的 constexpr。",
			Help:     "请返回数、字符串、dtype，或由它们组成的元组。",
		},
	},
	{
		Code: "needs-int",
		En: Message{
			Headline: "`{0}` needs an integer, and `{1}` is {2}",
			Label:    "not an integer",
			Why:      "Sizes, axes and steps are integers.",
			Help:     "Use an integer, for example `//` instead of `/`.",
		},
		Zh: Message{
			Headline: "`{0}` 需要整数，而 `{1}` 是 {2}",
			Label:    "不是整数",
			Why:      "大小、轴和步长都是整数。",
			Help:     "改用整数，比如用 `//` 代替 `/`。",
		},
	},
	{
		Code: "constexpr-from-tensor",
		En: Message{
			Headline: "`{0}` is declared a constexpr, but `{1}` is only known at run time",
			Label:    "a run-time {2}",
			Why:      "Triton takes it and keeps the run-time value, so the annotation has no effect: what needs a constexpr, such as a shape, still refuses `{0}`.",
			Help:     "Remove the annotation.",
		},
		Zh: Message{
			Headline: "`{0}` 声明为 constexpr，但 `{1}` 要到运行时才知道",
			Label:    "运行时的 {2}",
			Why:      "Triton 接受这种写法并保留运行时的值，所以这个注解不起作用：需要 constexpr 的地方（比如形状）仍然不接受 `{0}`。",
			Help:     "去掉这个注解。",
		},
	},
	{
		Code: "constexpr-argument",
		En: Message{
			Headline: "`{0}` needs a constexpr for `{1}`",
			Label:    "only known at run time",
			Why:      "The parameter is annotated with tl.constexpr, so its value decides what code is generated.",
			Help:     "Pass a value that is known at compile time, or remove the annotation.",
		},
		Zh: Message{
			Headline: "`{0}` 的参数 `{1}` 需要 constexpr",
			Label:    "要到运行时才知道",
			Why:      "这个参数有 tl.constexpr 注解，它的值决定了生成什么代码。",
			Help:     "传入一个编译时已知的值，或者去掉注解。",
		},
	},
	{
		Code: "argument-annotation",
		En: Message{
			Headline: "`{0}` is annotated {1}, which cannot hold {2}",
			Label:    "sets the dtype of the parameter",
			Why:      "A parameter that is annotated with a dtype has that dtype, whatever the launch passes.",
			Help:     "Remove the annotation, or use a dtype that can hold the argument.",
		},
		Zh: Message{
			Headline: "`{0}` 的注解是 {1}，放不下 {2}",
			Label:    "参数的 dtype 由它决定",
			Why:      "参数有 dtype 注解时就是那个 dtype，不管 kernel 启动时传入什么。",
			Help:     "去掉注解，或者换成放得下这个参数的 dtype。",
		},
	},
	{
		Code: "constexpr-ignored",
		En: Message{
			Headline: "`{1}` of `{0}` is annotated tl.constexpr, and `{2}` is a run-time value",
			Label:    "stays a run-time value",
			Why:      "Triton uses the annotation when a kernel is launched, and ignores it in calls between functions.",
			Help:     "Remove the annotation, or pass a constexpr.",
		},
		Zh: Message{
			Headline: "`{0}` 的参数 `{1}` 有 tl.constexpr 注解，而 `{2}` 是运行时的值",
			Label:    "仍然是运行时的值",
			Why:      "Triton 只在启动 kernel 时看这个注解，函数之间的调用不看。",
			Help:     "去掉注解，或者传入 constexpr。",
		},
	},
	{
		Code: "default-unknown",
		En: Message{
			Headline: "the default of `{0}` is not known at compile time",
			Label:    "not a constant",
			Why:      "A default must be a number, a dtype or another constexpr.",
			Help:     "Pass the value at each call.",
		},
		Zh: Message{
			Headline: "`{0}` 的默认值在编译时不知道",
			Label:    "不是常量",
			Why:      "默认值必须是数、dtype 或其他 constexpr。",
			Help:     "每次调用时传入这个值。",
		},
	},
	{
		Code: "comprehension-condition",
		En: Message{
			Headline: "the condition of a comprehension must be known at compile time",
			Label:    "only known at run time",
			Why:      "The length of the result decides what code is generated.",
			Help:     "Use tl.where on the values instead.",
		},
		Zh: Message{
			Headline: "推导式的条件必须在编译时已知",
			Label:    "要到运行时才知道",
			Why:      "结果的长度决定了生成什么代码。",
			Help:     "改为对数值用 tl.where。",
		},
	},
	{
		Code: "assert-false",
		En: Message{
			Headline: "assertion failed: {0}",
			Label:    "false, and not checked",
			Why:      "Triton compiles `assert` only with TRITON_DEBUG=1, so the kernel runs anyway.",
			Help:     "For what must be true at compile time, use tl.static_assert.",
		},
		Zh: Message{
			Headline: "断言失败：{0}",
			Label:    "为假，但不会检查",
			Why:      "Triton 只在设置 TRITON_DEBUG=1 时编译 `assert`，所以 kernel 照样运行。",
			Help:     "编译时必须成立的条件用 tl.static_assert。",
		},
	},
	{
		Code:   "assert-kind",
		Triton: "cannot convert {0} to tensor",
		En: Message{
			Headline: "`assert` needs a number or a tensor, and `{0}` is {1}",
			Label:    "neither a number nor a tensor",
			Why:      "Triton converts the condition to a tensor; a tuple in parentheses, `assert (x, 'text')`, is always true.",
			Help:     "Write the condition without parentheses: `assert x, 'text'`.",
		},
		Zh: Message{
			Headline: "`assert` 需要数或张量，而 `{0}` 是 {1}",
			Label:    "既不是数也不是张量",
			Why:      "Triton 会把条件转换成张量；带括号的元组 `assert (x, 'text')` 永远为真。",
			Help:     "去掉括号：`assert x, 'text'`。",
		},
	},
	{
		Code:   "static-assert",
		Triton: "{0}",
		En: Message{
			Headline: "static assertion failed: {0}",
			Label:    "false at compile time",
			Why:      "An assertion on a constexpr is checked at compile time.",
			Help:     "Call the kernel with other constexprs, or change the assertion.",
		},
		Zh: Message{
			Headline: "静态断言失败：{0}",
			Label:    "编译时为假",
			Why:      "针对 constexpr 的断言在编译时检查。",
			Help:     "换一组 constexpr 来调用，或者修改断言。",
		},
	},
	{
		Code:   "python-error",
		Triton: "{1}",
		En: Message{
			Headline: "{0}: {1}",
			Label:    "Python raises this",
			Why:      "Expressions known at compile time are evaluated by Python's rules.",
			Help:     "Change the operands.",
		},
		Zh: Message{
			Headline: "{0}：{1}（Python 异常）",
			Label:    "Python 会抛出这个异常",
			Why:      "编译时已知的表达式按 Python 自己的规则求值。",
			Help:     "修改参与运算的值。",
		},
	},
	{
		Code: "global-unknown",
		En: Message{
			Headline: "the value of the global `{0}` is not known at compile time",
			Label:    "computed by the host program",
			Why:      "A kernel can use module-level numbers, dtypes and @triton.jit functions, but no value that Python computes later.",
			Help:     "Pass it as an argument.",
		},
		Zh: Message{
			Headline: "全局变量 `{0}` 的值在编译时不知道",
			Label:    "由主机程序计算",
			Why:      "kernel 只能使用模块层的数、dtype 和 @triton.jit 函数，不能使用 Python 之后算出的值。",
			Help:     "把它作为参数传入。",
		},
	},
}

// nameEntries: names, attributes and calls.
var nameEntries = []Entry{
	{
		Code:   "unknown-name",
		Triton: "module 'triton.language' has no attribute '{1}'",
		En: Message{
			Headline: "`{0}` has no `{1}`",
			Label:    "no such name",
			Why:      "The set of functions and types of the language is fixed.",
			Help:     "Look it up in the reference of `{0}`.",
		},
		Zh: Message{
			Headline: "`{0}` 里没有 `{1}`",
			Label:    "没有这个名字",
			Why:      "语言的函数和类型是固定的。",
			Help:     "请查阅 `{0}` 的参考。",
		},
	},
	{
		Code: "more-diagnostics",
		En: Message{
			Headline: "{0} more messages are not shown",
			Why:      "Many messages usually have few causes; the first ones point to them.",
			Help:     "Fix the first ones, and check again.",
		},
		Zh: Message{
			Headline: "还有 {0} 条消息没有显示",
			Why:      "这么多消息往往出自少数几个原因，从最前面的几条就能找到。",
			Help:     "先改正最前面的，再检查一次。",
		},
	},
	{
		Code:   "unknown-method",
		Triton: "'tensor' object has no attribute '{1}'",
		En: Message{
			Headline: "tensors have no `.{1}`",
			Label:    "`{0}` is a tensor",
			Why:      "A tensor in a kernel is a tile in registers; it has the methods of tl, not those of torch.",
			Help:     "Use a function of tl.",
		},
		Zh: Message{
			Headline: "张量没有 `.{1}`",
			Label:    "`{0}` 是张量",
			Why:      "kernel 里的张量是寄存器里的块，用的是 tl 的方法，不是 torch 的。",
			Help:     "改用 tl 的函数。",
		},
	},
	{
		Code:   "dtype-without",
		Triton: "'dtype' object has no attribute '{1}'",
		En: Message{
			Headline: "`{0}` is {2}, which has no `.{1}`",
			Label:    "no such attribute",
			Why:      "Pointers have .element_ty, tiles have .shape and .numel, and scalar integers and floats have a bit width.",
			Help:     "Check with hasattr, isinstance or .is_ptr() first.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {2}，没有 `.{1}`",
			Label:    "没有这个属性",
			Why:      "指针有 .element_ty，块有 .shape 和 .numel，标量整数和浮点数有位宽。",
			Help:     "先用 hasattr、isinstance 或 .is_ptr() 判断。",
		},
	},
	{
		Code:   "unknown-dtype-attribute",
		Triton: "'dtype' object has no attribute '{1}'",
		En: Message{
			Headline: "dtypes have no `.{1}`",
			Label:    "`{0}` is a dtype",
			Why:      "A dtype has a bit width, a kind and, for pointers, the type pointed to.",
			Help:     "Use .element_ty, .primitive_bitwidth, .is_floating() or similar.",
		},
		Zh: Message{
			Headline: "dtype 没有 `.{1}`",
			Label:    "`{0}` 是 dtype",
			Why:      "dtype 只知道自己的位宽、种类，指针还知道所指的类型。",
			Help:     "使用 .element_ty、.primitive_bitwidth、.is_floating() 等。",
		},
	},
	{
		Code: "no-field",
		En: Message{
			Headline: "{0} has no field `{1}`",
			Label:    "no such field",
			Why:      "A NamedTuple has the fields that its class lists: {2}.",
			Help:     "Use one of its fields, or its items by their positions.",
		},
		Zh: Message{
			Headline: "{0} 没有字段 `{1}`",
			Label:    "没有这个字段",
			Why:      "NamedTuple 只有类中列出的字段：{2}。",
			Help:     "使用其中一个字段，或按位置取元素。",
		},
	},
	{
		Code:   "aggregate-init",
		Triton: "constructor for {0} did not initialize its attributes",
		En: Message{
			Headline: "`{0}` has no `__init__` that can make it",
			Label:    "cannot be made",
			Why: "An object of an aggregate is what its `__init__` assigns, which Triton 3.6 runs as Python: it makes none " +
				"of the fields, and cannot call one under `@triton.jit`.",
			Help: "Write `def __init__(self, …)`, without a decorator, that assigns each field.",
		},
		Zh: Message{
			Headline: "`{0}` 没有能构造它的 `__init__`",
			Label:    "无法构造",
			Why: "聚合类的对象由 `__init__` 的赋值构成，Triton 3.6 把它作为 Python 运行：既不会按字段生成，也不能调用带 " +
				"`@triton.jit` 的。",
			Help: "写一个不带装饰器的 `def __init__(self, …)`，给每个字段赋值。",
		},
	},
	{
		Code:   "field-unset",
		Triton: "constructor for {0} did not initialize attribute '{1}'",
		En: Message{
			Headline: "`{0}` has no value for its field `{1}`",
			Label:    "never assigned",
			Why:      "`__init__` has to assign each field that the class annotates, before anybody reads it.",
			Help:     "Assign `self.{1}` in `__init__`.",
		},
		Zh: Message{
			Headline: "`{0}` 的字段 `{1}` 没有值",
			Label:    "没有赋值",
			Why:      "类里注解的每个字段，`__init__` 都要在读取之前赋值。",
			Help:     "在 `__init__` 里给 `self.{1}` 赋值。",
		},
	},
	{
		Code:   "field-type",
		Triton: "Expected {3} for attribute '{1}', got {2}",
		En: Message{
			Headline: "`{0}.{1}` is annotated {3}, and the value is {2}",
			Label:    "not an instance of the annotation",
			Why: "Triton checks a field's value against its annotation: tl.tensor is what exists at run time, tl.constexpr " +
				"what is known while compiling. An annotation that is no class of Triton's takes nothing.",
			Help: "Annotate the field with tl.tensor, tl.constexpr, tl.tuple, tl.tensor_descriptor or an aggregate, as " +
				"its value is.",
		},
		Zh: Message{
			Headline: "`{0}.{1}` 的注解是 {3}，而值是 {2}",
			Label:    "不符合注解",
			Why: "Triton 按注解检查字段的值：tl.tensor 是运行时的值，tl.constexpr 是编译时已知的值。注解如果不是 Triton " +
				"的类，就什么都不接受。",
			Help: "按值的种类把字段注解为 tl.tensor、tl.constexpr、tl.tuple、tl.tensor_descriptor 或某个聚合类。",
		},
	},
	{
		Code:   "no-member",
		Triton: "{0} has no attribute '{1}'",
		En: Message{
			Headline: "{0} has no field or method `{1}`",
			Label:    "no such member",
			Why:      "An aggregate has the fields that its class annotates and its methods: {2}.",
			Help:     "Use one of these, or annotate the field in the class.",
		},
		Zh: Message{
			Headline: "{0} 没有字段或方法 `{1}`",
			Label:    "没有这个成员",
			Why:      "聚合类只有类中注解的字段和它的方法：{2}。",
			Help:     "使用其中一个，或在类里注解这个字段。",
		},
	},
	{
		Code: "no-attribute",
		En: Message{
			Headline: "{0} has no `.{1}`",
			Label:    "no such attribute",
			Why:      "Only tensors, dtypes and modules have attributes in a kernel.",
			Help:     "Remove the attribute.",
		},
		Zh: Message{
			Headline: "{0} 没有 `.{1}`",
			Label:    "没有这个属性",
			Why:      "kernel 里只有张量、dtype 和模块有属性。",
			Help:     "去掉这个属性。",
		},
	},
	{
		Code: "module-in-kernel",
		En: Message{
			Headline: "`{0}` cannot be used in a kernel",
			Label:    "`{1}` belongs to the host program",
			Why:      "A kernel runs on the GPU, where only tl's functions and other @triton.jit functions exist.",
			Help:     "Use the function of tl, or compute it before the launch and pass it as an argument.",
		},
		Zh: Message{
			Headline: "kernel 里不能使用 `{0}`",
			Label:    "`{1}` 属于主机程序",
			Why:      "kernel 在 GPU 上运行，那里只有 tl 的函数和其他 @triton.jit 函数。",
			Help:     "改用 tl 的函数，或者在 kernel 启动之前算好，作为参数传入。",
		},
	},
	{
		Code: "host-only",
		En: Message{
			Headline: "`{0}` belongs outside the kernel",
			Label:    "not supported in kernels",
			Why:      "It runs in Python, before the kernel is launched.",
			Help:     "Move it out of the kernel.",
		},
		Zh: Message{
			Headline: "`{0}` 要写在 kernel 外面",
			Label:    "kernel 不支持",
			Why:      "它在 Python 里执行，早于 kernel 启动。",
			Help:     "把它移到 kernel 外面。",
		},
	},
	{
		Code: "not-callable",
		En: Message{
			Headline: "`{0}` is {1} and cannot be called",
			Label:    "not a function",
			Why:      "Only functions of tl and @triton.jit functions can be called.",
			Help:     "Remove the parentheses, or call a function.",
		},
		Zh: Message{
			Headline: "`{0}` 是 {1}，不能调用",
			Label:    "不是函数",
			Why:      "只能调用 tl 的函数和 @triton.jit 函数。",
			Help:     "去掉括号，或者改为调用函数。",
		},
	},
	{
		Code:   "dtype-called",
		Triton: "'dtype' object is not callable",
		En: Message{
			Headline: "a dtype cannot be called",
			Label:    "`{0}` is a type, not a function",
			Why:      "Tensors are converted with their method .to.",
			Help:     "Write `x.to({0})`.",
		},
		Zh: Message{
			Headline: "dtype 不能当作函数调用",
			Label:    "`{0}` 是类型，不是函数",
			Why:      "张量要用 .to 方法转换。",
			Help:     "写成 `x.to({0})`。",
		},
	},
	{
		Code:   "unknown-keyword",
		Triton: "{0}() got an unexpected keyword argument '{1}'",
		En: Message{
			Headline: "`{0}` has no parameter `{1}`",
			Label:    "no such parameter",
			Why:      "Keyword arguments are matched by exact name.",
			Help:     "Check the signature of `{0}`.",
		},
		Zh: Message{
			Headline: "`{0}` 没有参数 `{1}`",
			Label:    "没有这个参数",
			Why:      "关键字参数按名字精确匹配。",
			Help:     "请查看 `{0}` 的签名。",
		},
	},
	{
		Code: "missing-argument",
		En: Message{
			Headline: "`{0}` is called without the argument `{1}`",
			Label:    "missing argument",
			Why:      "Parameters without a default need an argument.",
			Help:     "Pass `{1}`.",
		},
		Zh: Message{
			Headline: "调用 `{0}` 时缺少参数 `{1}`",
			Label:    "少传了",
			Why:      "没有默认值的参数必须传入。",
			Help:     "传入 `{1}`。",
		},
	},
	{
		Code: "too-many-arguments",
		En: Message{
			Headline: "`{0}` takes {1} positional arguments, and {2} are given",
			Label:    "one too many",
			Why:      "Each argument needs a parameter.",
			Help:     "Remove it, or pass it by keyword.",
		},
		Zh: Message{
			Headline: "`{0}` 最多接受 {1} 个位置参数，这里给了 {2} 个",
			Label:    "多出来的参数",
			Why:      "每个参数都要有对应的形参。",
			Help:     "去掉它，或者写明它对应的参数名。",
		},
	},
	{
		Code: "argument-twice",
		En: Message{
			Headline: "`{0}` gets two values for `{1}`",
			Label:    "already given by position",
			Why:      "Positional arguments fill the parameters in order.",
			Help:     "Remove one of the two.",
		},
		Zh: Message{
			Headline: "`{0}` 的参数 `{1}` 得到了两个值",
			Label:    "已经按位置传入",
			Why:      "位置参数按顺序填入形参。",
			Help:     "去掉其中一个。",
		},
	},
	{
		Code: "isinstance-type",
		En: Message{
			Headline: "isinstance needs a type, and `{0}` is {1}",
			Label:    "not a type",
			Why:      "Types in kernels are int, float, bool, str, tuple, tl.tensor, tl.dtype and tl.constexpr.",
			Help:     "Compare x.dtype instead.",
		},
		Zh: Message{
			Headline: "isinstance 需要类型，而 `{0}` 是 {1}",
			Label:    "不是类型",
			Why:      "kernel 里的类型有 int、float、bool、str、tuple、tl.tensor、tl.dtype 和 tl.constexpr。",
			Help:     "改为比较 x.dtype。",
		},
	},
	{
		Code:   "launch-missing-argument",
		Triton: "dynamic_func() missing 1 required positional argument: '{1}'",
		En: Message{
			Headline: "`{0}` is launched without the argument `{1}`",
			Label:    "no argument for this parameter",
			Why:      "Parameters without a default need an argument at each launch.",
			Help:     "Pass `{1}`, or give it a default.",
		},
		Zh: Message{
			Headline: "kernel `{0}` 启动时缺少参数 `{1}`",
			Label:    "这个参数没有值",
			Why:      "没有默认值的参数每次 kernel 启动都要传入。",
			Help:     "传入 `{1}`，或者给它一个默认值。",
		},
	},
	{
		Code:   "launch-unknown-argument",
		Triton: "Keyword argument {1} was specified but unrecognised",
		En: Message{
			Headline: "`{0}` has no parameter `{1}`",
			Label:    "launched with `{1}`",
			Why:      "The arguments of a launch are matched with the names of the kernel's parameters.",
			Help:     "Add the parameter, or remove the argument.",
		},
		Zh: Message{
			Headline: "`{0}` 没有参数 `{1}`",
			Label:    "kernel 启动时传了 `{1}`",
			Why:      "kernel 启动时的参数按形参的名字匹配。",
			Help:     "加上这个参数，或者不要传它。",
		},
	},
	{
		Code: "launch-too-many",
		En: Message{
			Headline: "`{0}` has {1} parameters and is launched with {2} arguments",
			Label:    "too few parameters",
			Why:      "Each argument needs a parameter.",
			Help:     "Add parameters, or pass fewer arguments.",
		},
		Zh: Message{
			Headline: "`{0}` 有 {1} 个参数，kernel 启动时却传了 {2} 个",
			Label:    "参数太少",
			Why:      "每个实参都要有对应的形参。",
			Help:     "增加参数，或者少传几个。",
		},
	},
	{
		Code: "kernel-star-param",
		En: Message{
			Headline: "a kernel cannot have a parameter *{0}",
			Label:    "the number of parameters must be fixed",
			Why:      "Each argument of a launch becomes a parameter on the GPU.",
			Help:     "Name each parameter.",
		},
		Zh: Message{
			Headline: "kernel 不能有 *{0} 这样的参数",
			Label:    "参数个数必须固定",
			Why:      "kernel 启动时的每个参数都会成为 GPU 上的一个参数。",
			Help:     "逐个写出参数。",
		},
	},
	{
		Code: "no-kernel",
		En: Message{
			Headline: "there is no kernel in this file",
			Why:      "A kernel is a function decorated with @triton.jit.",
			Help:     "Write @triton.jit above the function.",
		},
		Zh: Message{
			Headline: "这个文件里没有 kernel",
			Why:      "kernel 是带有 @triton.jit 装饰器的函数。",
			Help:     "在函数上面加一行 @triton.jit。",
		},
	},
	{
		Code: "kernel-not-found",
		En: Message{
			Headline: "there is no kernel named `{0}`",
			Label:    "the kernel here is `{1}`",
			Why:      "A kernel is found by the name of its function.",
			Help:     "Name a kernel that is there; where the name is prescribed, as in a puzzle, rename the function to `{0}`.",
		},
		Zh: Message{
			Headline: "没有名为 `{0}` 的 kernel",
			Label:    "这里的 kernel 是 `{1}`",
			Why:      "kernel 按函数名查找。",
			Help:     "请写一个存在的 kernel 的名字；名字有规定时（例如在练习题里），把函数改名为 `{0}`。",
		},
	},
}
