package diag

// asmEntries: inline assembly.
var asmEntries = []Entry{
	{
		Code: "asm-string",
		En: Message{
			Headline: "`{0}` must be a string known while compiling, and `{1}` is {2}",
			Label:    "not a constexpr string",
			Why:      "The assembly text becomes part of the kernel, so it must be known when the kernel is compiled.",
			Help:     "Write a string, or a `tl.constexpr` that holds one.",
		},
		Zh: Message{
			Headline: "`{0}` 必须是编译时已知的字符串，而 `{1}` 是 {2}",
			Label:    "不是 constexpr 字符串",
			Why:      "汇编文本会成为 kernel 的一部分，编译 kernel 时必须已知。",
			Help:     "写一个字符串，或者存有字符串的 `tl.constexpr`。",
		},
	},
	{
		Code: "asm-args",
		En: Message{
			Headline: "`args` must be a list, and `{0}` is {1}",
			Label:    "not a list",
			Why:      "Each element of `args` is one argument of the assembly text.",
			Help:     "Put it in brackets: `args=[x]`.",
		},
		Zh: Message{
			Headline: "`args` 必须是列表，而 `{0}` 是 {1}",
			Label:    "不是列表",
			Why:      "`args` 的每个元素是汇编文本的一个参数。",
			Help:     "加上方括号：`args=[x]`。",
		},
	},
	{
		Code: "asm-pointer",
		En: Message{
			Headline: "inline assembly in newt works on numbers, and `{0}` is {1}",
			Label:    "a pointer",
			Why:      "newt checks every access to memory against the bounds of its tensor, so a pointer in newt is a tensor with an offset, and assembly text cannot compute with it.",
			Help:     "Load with `tl.load`, pass the values, and store the results with `tl.store`.",
		},
		Zh: Message{
			Headline: "newt 的内联汇编只处理数，而 `{0}` 是 {1}",
			Label:    "是指针",
			Why:      "newt 会按张量的边界检查每次内存访问，所以 newt 里的指针是张量加偏移，汇编文本无法用它计算。",
			Help:     "用 `tl.load` 读取，把值传进去，再用 `tl.store` 写回结果。",
		},
	},
	{
		Code: "asm-immediate",
		En: Message{
			Headline: "the constraint of `{0}` asks for a number known while compiling, and it is {1}",
			Label:    "not known while compiling",
			Why:      "An operand with constraint `n` or `i` stands as a number in the instruction.",
			Help:     "Pass a `tl.constexpr` integer, or use the constraint `r`.",
		},
		Zh: Message{
			Headline: "`{0}` 的约束要求编译时已知的数，而它是 {1}",
			Label:    "编译时未知",
			Why:      "约束为 `n` 或 `i` 的操作数会作为数直接写进指令里。",
			Help:     "传入 `tl.constexpr` 整数，或者改用约束 `r`。",
		},
	},
	{
		Code: "asm-pack",
		En: Message{
			Headline: "`pack` cannot be {0}",
			Label:    "not 1, 2, 4, … 64",
			Why:      "The text runs once for `pack` elements of each argument; the number is a power of two.",
			Help:     "Use 1, or 4 for 8-bit and 2 for 16-bit elements that share a 32-bit register.",
		},
		Zh: Message{
			Headline: "`pack` 不能是 {0}",
			Label:    "不是 1、2、4……64",
			Why:      "汇编文本对每个参数的 `pack` 个元素执行一次，这个数必须是 2 的幂。",
			Help:     "用 1；若要让元素共用 32 位寄存器，8 位元素用 4，16 位元素用 2。",
		},
	},
	{
		Code: "asm-pack-elements",
		En: Message{
			Headline: "a tile of {1} elements cannot be divided into groups of {0}",
			Label:    "more than the tile has",
			Why:      "The text runs once for each group of `pack` elements.",
			Help:     "Use a larger tile, or a smaller `pack`.",
		},
		Zh: Message{
			Headline: "{1} 个元素的块无法分成每组 {0} 个",
			Label:    "比块的元素还多",
			Why:      "汇编文本对每组 `pack` 个元素执行一次。",
			Help:     "用更大的块，或者更小的 `pack`。",
		},
	},
	{
		Code: "asm-constraint",
		En: Message{
			Headline: "`{0}` is not a constraint of inline assembly",
			Label:    "unknown constraint",
			Why:      "A constraint says what register an operand has: `r` 32 bits, `h` 16, `l` 64, `f` fp32, `d` fp64, `b` a predicate, `n` a constant; `=` marks outputs.",
			Help:     "Write the constraints with commas between them, such as `\"=r,r,r\"`.",
		},
		Zh: Message{
			Headline: "`{0}` 不是内联汇编的约束",
			Label:    "未知约束",
			Why:      "约束说明操作数用哪种寄存器：`r` 是 32 位，`h` 是 16 位，`l` 是 64 位，`f` 是 fp32，`d` 是 fp64，`b` 是谓词，`n` 是常数；`=` 表示输出。",
			Help:     "用逗号分隔各个约束，例如 `\"=r,r,r\"`。",
		},
	},
	{
		Code: "asm-constraint-order",
		En: Message{
			Headline: "the output `{0}` comes after an input",
			Label:    "outputs come first",
			Why:      "Operands are numbered with the outputs first: `$0` is the first result.",
			Help:     "Move the constraints with `=` to the front.",
		},
		Zh: Message{
			Headline: "输出 `{0}` 出现在输入之后",
			Label:    "输出要放在前面",
			Why:      "操作数从输出开始编号：`$0` 是第一个结果。",
			Help:     "把带 `=` 的约束移到前面。",
		},
	},
	{
		Code: "asm-constraint-count",
		En: Message{
			Headline: "the call needs {0} output and {1} input constraints, and there are {2} and {3}",
			Label:    "{2} outputs, {3} inputs",
			Why:      "Each register of a result or an argument has a constraint. With `pack`, an 8-bit or 16-bit argument shares 32-bit registers, and a wider one has `pack` registers.",
			Help:     "Write one `=` constraint for each register of `dtype`, then one for each register of `args`.",
		},
		Zh: Message{
			Headline: "这个调用需要 {0} 个输出约束和 {1} 个输入约束，实际有 {2} 个和 {3} 个",
			Label:    "输出 {2} 个，输入 {3} 个",
			Why:      "结果和参数的每个寄存器都有一个约束。使用 `pack` 时，8 位和 16 位的参数共用 32 位寄存器，更宽的参数有 `pack` 个寄存器。",
			Help:     "先为 `dtype` 的每个寄存器写一个 `=` 约束，再为 `args` 的每个寄存器写一个约束。",
		},
	},
	{
		Code: "asm-constraint-width",
		En: Message{
			Headline: "`${0}` has {4} bits of {3}, and the constraint `{1}` gives it a register of {2} bits",
			Label:    "too narrow",
			Why:      "A register holds the whole operand.",
			Help:     "Use `h` for 16 bits, `r` or `f` for 32 and `l` or `d` for 64.",
		},
		Zh: Message{
			Headline: "`${0}` 是 {4} 位的 {3}，而约束 `{1}` 给它的寄存器只有 {2} 位",
			Label:    "太窄",
			Why:      "寄存器要放得下整个操作数。",
			Help:     "16 位用 `h`，32 位用 `r` 或 `f`，64 位用 `l` 或 `d`。",
		},
	},
	{
		Code: "asm-syntax",
		En: Message{
			Headline: "line {0} of the assembly text is not a PTX instruction: {1}",
			Label:    "not PTX",
			Why:      "The text is PTX: declarations of registers, and instructions that end with `;`.",
			Help:     "Compare it with the instruction's section in the PTX ISA manual.",
		},
		Zh: Message{
			Headline: "汇编文本第 {0} 行无法识别：{1}",
			Label:    "不是 PTX",
			Why:      "汇编文本由 PTX 的寄存器声明和以 `;` 结尾的指令组成。",
			Help:     "对照 PTX ISA 手册里这条指令的章节。",
		},
	},
	{
		Code: "asm-operand",
		En: Message{
			Headline: "there is no operand `{1}`",
			Label:    "in line {0} of the text",
			Why:      "Operands are `$0`, `$1`, …: first a register for each output constraint, then one for each input constraint.",
			Help:     "Count the constraints; write `$$` for a dollar sign.",
		},
		Zh: Message{
			Headline: "没有操作数 `{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "操作数是 `$0`、`$1`……：先是每个输出约束的寄存器，再是每个输入约束的寄存器。",
			Help:     "数一数约束的个数；美元符号写成 `$$`。",
		},
	},
	{
		Code: "asm-unknown",
		En: Message{
			Headline: "newt does not know the instruction `{1}`",
			Label:    "in line {0} of the text",
			Why:      "Inline assembly has the instructions that compute in registers, up to PTX 8.4 and sm_90a; later ones, such as the conversions to fp4 and the stochastic rounding of sm_100a, are not among them.",
			Help:     "Check the spelling; the modifiers have a fixed order.",
		},
		Zh: Message{
			Headline: "newt 不认识指令 `{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "newt 的指令表包含 PTX 8.4 和 sm_90a 以内在寄存器上计算的指令；更新的指令不在其中，比如 sm_100a 上到 fp4 的转换和随机舍入。",
			Help:     "检查拼写；修饰符的顺序是固定的。",
		},
	},
	{
		Code: "asm-memory",
		En: Message{
			Headline: "inline assembly cannot access memory: `{1}`",
			Label:    "in line {0} of the text",
			Why:      "newt checks every access to memory against the bounds of its tensor, which it cannot do inside assembly text.",
			Help:     "Use `tl.load`, `tl.store` or `tl.atomic_*`, and pass their values to the text.",
		},
		Zh: Message{
			Headline: "内联汇编不能访问内存：`{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "newt 会按张量的边界检查每次内存访问，而汇编文本里的访问无法检查。",
			Help:     "用 `tl.load`、`tl.store` 或 `tl.atomic_*` 访问内存，再把值传给汇编文本。",
		},
	},
	{
		Code: "asm-control",
		En: Message{
			Headline: "inline assembly cannot branch, call or exit: `{1}`",
			Label:    "in line {0} of the text",
			Why:      "The text runs once for each group of elements, from its first instruction to its last, so that newt can be sure that it ends.",
			Help:     "Use predicates, such as `@p mov.b32 …;`, or an `if` or a loop of the kernel.",
		},
		Zh: Message{
			Headline: "内联汇编不能跳转、调用或退出：`{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "汇编文本对每组元素从头到尾执行一次，这样 newt 才能确定它会结束。",
			Help:     "用谓词，例如 `@p mov.b32 …;`，或者用 kernel 里的 `if` 和循环。",
		},
	},
	{
		Code: "asm-barrier",
		En: Message{
			Headline: "inline assembly cannot wait for other threads: `{1}`",
			Label:    "in line {0} of the text",
			Why:      "newt places the barriers of a kernel itself; one more could make it hang.",
			Help:     "Use `tl.debug_barrier()`, or leave it out: newt orders the accesses of one program.",
		},
		Zh: Message{
			Headline: "内联汇编不能等待其他线程：`{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "kernel 的同步由 newt 自己安排，额外的同步可能让 kernel 卡住。",
			Help:     "用 `tl.debug_barrier()`，或者去掉它：同一个程序的访问次序由 newt 保证。",
		},
	},
	{
		Code: "asm-lanes",
		En: Message{
			Headline: "inline assembly cannot depend on threads: `{1}`",
			Label:    "in line {0} of the text",
			Why:      "Which thread holds which element is up to the compiler, and the CPU has no threads; the result must depend on the elements alone.",
			Help:     "Use `tl.arange` for positions, `tl.program_id` for the program and `tl.reduce` or `tl.gather` to combine elements.",
		},
		Zh: Message{
			Headline: "内联汇编不能依赖线程：`{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "哪个线程持有哪个元素由编译器决定，CPU 上也没有线程；结果只能取决于元素本身。",
			Help:     "位置用 `tl.arange`，程序编号用 `tl.program_id`，组合元素用 `tl.reduce` 或 `tl.gather`。",
		},
	},
	{
		Code: "asm-directive",
		En: Message{
			Headline: "inline assembly cannot have the directive `{1}`",
			Label:    "in line {0} of the text",
			Why:      "The text can declare registers with `.reg`; memory, functions and debug information belong to the compiler.",
			Help:     "Leave the directive out.",
		},
		Zh: Message{
			Headline: "内联汇编不能有伪指令 `{1}`",
			Label:    "在文本第 {0} 行",
			Why:      "汇编文本可以用 `.reg` 声明寄存器；内存、函数和调试信息由编译器负责。",
			Help:     "去掉这条伪指令。",
		},
	},
	{
		Code: "asm-target",
		En: Message{
			Headline: "{1} does not have the instruction `{0}`",
			Label:    "compiled for {1}",
			Why:      "The inline assembly uses an instruction that only later GPUs have.",
			Help:     "Run it on the CPU or on a later GPU, or compute the same with the functions of `tl`.",
		},
		Zh: Message{
			Headline: "{1} 没有指令 `{0}`",
			Label:    "编译目标是 {1}",
			Why:      "内联汇编用到了只有更新的 GPU 才有的指令。",
			Help:     "在 CPU 或更新的 GPU 上运行，或者用 `tl` 的函数计算同样的结果。",
		},
	},
}
