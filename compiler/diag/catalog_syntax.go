package diag

// syntaxEntries are the diagnostics of parsing.
var syntaxEntries = []Entry{
	{
		Code: "unexpected-indent",
		En: Message{
			Headline: "unexpected indentation",
			Label:    "deeper than the line above",
			Why:      "Only a line that ends with `:` opens a block.",
			Help:     "Remove the extra spaces at the start of the line.",
		},
		Zh: Message{
			Headline: "意外的缩进",
			Label:    "比上一行更深",
			Why:      "只有以 `:` 结尾的行才会开启新的代码块。",
			Help:     "删掉行首多出来的空格。",
		},
	},
	{
		Code: "expected-block",
		En: Message{
			Headline: "expected an indented block after `{0}`",
			Label:    "nothing is indented below",
			Why:      "The statements of `{0}` are on the lines below it, indented deeper.",
			Help:     "Indent the lines that belong to it, or write `pass` if there is nothing to do.",
		},
		Zh: Message{
			Headline: "`{0}` 后面要有一个缩进的代码块",
			Label:    "下面没有缩进的内容",
			Why:      "属于 `{0}` 的语句要写在它下面，并且缩进更深。",
			Help:     "把属于它的语句缩进；如果什么也不做，就写 `pass`。",
		},
	},
	{
		Code: "missing-colon",
		En: Message{
			Headline: "`:` is missing at the end of the `{0}` line",
			Label:    "add `:` here",
			Why:      "A line that opens a block ends with `:`.",
			Help:     "Add `:`.",
		},
		Zh: Message{
			Headline: "`{0}` 这一行的末尾缺少 `:`",
			Label:    "在这里加上 `:`",
			Why:      "开启代码块的那一行要以 `:` 结尾。",
			Help:     "加上 `:`。",
		},
	},
	{
		Code: "unexpected-token",
		En: Message{
			Headline: "unexpected `{0}`",
			Label:    "expected an operator or the end of the statement",
			Why:      "Two parts of a statement need an operator, a comma or a new line between them.",
			Help:     "Look for something missing before `{0}`.",
		},
		Zh: Message{
			Headline: "意外的 `{0}`",
			Label:    "到这里语句应该结束，或者需要一个运算符",
			Why:      "语句的两个部分之间要有运算符、逗号或者换行。",
			Help:     "看看 `{0}` 前面是不是漏了什么。",
		},
	},
	{
		Code: "expected-expression",
		En: Message{
			Headline: "expected a value before `{0}`",
			Label:    "a value is missing before this",
			Why:      "Operators, commas and brackets need a value here, such as a name, a number or a call.",
			Help:     "Write the missing value, or remove the extra symbol.",
		},
		Zh: Message{
			Headline: "`{0}` 前面缺少一个值",
			Label:    "这里之前少了一个值",
			Why:      "运算符、逗号和括号在这里需要一个值：名字、数字、函数调用等。",
			Help:     "补上缺少的值，或者删掉多余的符号。",
		},
	},
	{
		Code: "expected-expression-at-end",
		En: Message{
			Headline: "expected a value before the end of the line",
			Label:    "a value is missing here",
			Why:      "An operator, `=` or a comma at the end of a line needs something after it; a line continues only inside brackets.",
			Help:     "Write the missing value, or put the whole expression in brackets to continue on the next line.",
		},
		Zh: Message{
			Headline: "这一行结束得太早，后面还缺一个值",
			Label:    "这里少了一个值",
			Why:      "行尾的运算符、`=` 或逗号后面必须有内容；只有在括号里才能换行继续写。",
			Help:     "补上缺少的值；如果想换行，就把整个表达式放进括号。",
		},
	},
	{
		Code: "expected-token",
		En: Message{
			Headline: "expected `{0}` before `{1}`",
			Label:    "`{0}` is missing before this",
			Why:      "This statement or expression needs `{0}` here.",
			Help:     "Add `{0}`.",
		},
		Zh: Message{
			Headline: "`{1}` 前面应该有 `{0}`",
			Label:    "这里之前缺少 `{0}`",
			Why:      "这种语句或表达式在这个位置需要 `{0}`。",
			Help:     "补上 `{0}`。",
		},
	},
	{
		Code: "line-ends-early",
		En: Message{
			Headline: "expected `{0}` before the end of the line",
			Label:    "`{0}` is missing here",
			Why:      "The statement is not complete.",
			Help:     "Complete the line.",
		},
		Zh: Message{
			Headline: "这一行结束得太早，后面还应该有 `{0}`",
			Label:    "这里缺少 `{0}`",
			Why:      "这条语句还不完整。",
			Help:     "把这一行补完整。",
		},
	},
	{
		Code: "expected-name",
		En: Message{
			Headline: "expected a name, not `{0}`",
			Label:    "a name is missing",
			Why:      "After `.`, `def`, `class`, `import`, `as` and in parameter lists Python needs a name.",
			Help:     "Write a name: letters, digits and `_`, not beginning with a digit.",
		},
		Zh: Message{
			Headline: "这里应该是一个名字，而不是 `{0}`",
			Label:    "缺少名字",
			Why:      "在 `.`、`def`、`class`、`import`、`as` 之后以及参数列表里，Python 需要一个名字。",
			Help:     "写一个名字：由字母、数字和 `_` 组成，不能以数字开头。",
		},
	},
	{
		Code: "expected-name-at-end",
		En: Message{
			Headline: "expected a name before the end of the line",
			Label:    "a name is missing here",
			Why:      "After `.`, `def`, `class`, `import` and `as` Python needs a name.",
			Help:     "Write the missing name.",
		},
		Zh: Message{
			Headline: "这一行结束得太早，后面还缺一个名字",
			Label:    "这里缺少名字",
			Why:      "在 `.`、`def`、`class`、`import`、`as` 之后，Python 需要一个名字。",
			Help:     "补上缺少的名字。",
		},
	},
	{
		Code: "keyword-as-name",
		En: Message{
			Headline: "`{0}` is a keyword and cannot be used as a name",
			Label:    "a Python keyword",
			Why:      "Keywords have a fixed meaning and cannot name variables, parameters or attributes.",
			Help:     "Choose another name, such as `{0}_`.",
		},
		Zh: Message{
			Headline: "`{0}` 是关键字，不能用作名字",
			Label:    "Python 的关键字",
			Why:      "关键字有固定的含义，不能用作变量、参数或属性的名字。",
			Help:     "换一个名字，比如 `{0}_`。",
		},
	},
	{
		Code: "assign-in-condition",
		En: Message{
			Headline: "`=` assigns; a condition compares with `==`",
			Label:    "`==` is meant here",
			Why:      "Python does not allow `=` in a condition, because it is easily confused with `==`.",
			Help:     "Write `==`.",
		},
		Zh: Message{
			Headline: "`=` 是赋值，条件里比较要用 `==`",
			Label:    "这里应该是 `==`",
			Why:      "正因为两者容易混淆，Python 不允许在条件里写赋值。",
			Help:     "改成 `==`。",
		},
	},
	{
		Code: "assign-in-expression",
		En: Message{
			Headline: "`=` is not allowed in an expression",
			Label:    "an assignment is a statement",
			Why:      "In the brackets of a call, `=` follows the plain name of an argument; elsewhere use `==` to compare or `:=` to assign.",
			Help:     "Write `==` to compare, `:=` to assign, or a separate statement.",
		},
		Zh: Message{
			Headline: "`=` 不能写在表达式里面",
			Label:    "赋值要单独写成语句",
			Why:      "在括号里，`=` 只用来给调用的参数命名，左边必须是一个简单的名字；比较用 `==`，在表达式里赋值用 `:=`。",
			Help:     "比较就写 `==`，赋值就写 `:=`，或者单独写一条语句。",
		},
	},
	{
		Code: "increment-operator",
		En: Message{
			Headline: "Python has no `{0}{0}` operator",
			Label:    "write ` {0}= 1`",
			Why:      "Numbers in Python are immutable; a variable gets a new value by assignment.",
			Help:     "Write `{0}= 1`.",
		},
		Zh: Message{
			Headline: "Python 没有 `{0}{0}` 运算符",
			Label:    "写成 `{0}= 1`",
			Why:      "Python 的数字是不可变的，要通过赋值让变量得到新的值。",
			Help:     "写成 `{0}= 1`。",
		},
	},
	{
		Code: "else-if",
		En: Message{
			Headline: "Python writes `elif`, not `else if`",
			Label:    "write `elif`",
			Why:      "In Python `else` is followed by `:`, so a further condition has its own keyword.",
			Help:     "Write `elif`.",
		},
		Zh: Message{
			Headline: "Python 里写 `elif`，不写 `else if`",
			Label:    "写成 `elif`",
			Why:      "`else` 后面紧跟 `:`，所以后续条件有专门的关键字。",
			Help:     "写成 `elif`。",
		},
	},
	{
		Code: "stray-clause",
		En: Message{
			Headline: "`{0}` has no matching `{1}`",
			Label:    "nothing above it at this indentation",
			Why:      "`{0}` continues the statement directly above it, at the same indentation.",
			Help:     "Indent `{0}` like the `{1}` it belongs to, or add the `{1}`.",
		},
		Zh: Message{
			Headline: "`{0}` 没有对应的 `{1}`",
			Label:    "上面同一层缩进没有可以对应的语句",
			Why:      "`{0}` 是上面那条语句的后续部分，两者必须紧挨着并且缩进相同。",
			Help:     "把 `{0}` 和它所属的 `{1}` 对齐，或者补上 `{1}`。",
		},
	},
	{
		Code: "bad-assign-target",
		En: Message{
			Headline: "cannot assign to `{0}`",
			Label:    "not a valid target",
			Why:      "The left side of an assignment is a name, an attribute, an element or a tuple of these.",
			Help:     "Put the name on the left; to compare, write `==`.",
		},
		Zh: Message{
			Headline: "不能给 `{0}` 赋值",
			Label:    "不是合法的赋值目标",
			Why:      "赋值的左边只能是名字、属性、下标元素，或者由它们组成的元组。",
			Help:     "把名字写在左边；如果要比较，写 `==`。",
		},
	},
	{
		Code: "bad-walrus-target",
		En: Message{
			Headline: "`:=` can only assign to a plain name",
			Label:    "not a plain name",
			Why:      "Attributes and elements need an assignment statement of their own.",
			Help:     "Assign to a name, or use a separate statement.",
		},
		Zh: Message{
			Headline: "`:=` 只能给简单的名字赋值",
			Label:    "不是简单的名字",
			Why:      "给属性和下标元素赋值要单独写语句。",
			Help:     "改成给名字赋值，或者单独写一条语句。",
		},
	},
	{
		Code: "walrus-statement",
		En: Message{
			Headline: "`:=` cannot be a statement by itself",
			Label:    "write `=`",
			Why:      "`:=` is for assignments inside expressions.",
			Help:     "Write `=`.",
		},
		Zh: Message{
			Headline: "`:=` 不能单独作为语句",
			Label:    "写成 `=`",
			Why:      "`:=` 用于在表达式内部赋值。",
			Help:     "写成 `=`。",
		},
	},
	{
		Code: "bad-star",
		En: Message{
			Headline: "`*` is not allowed here by itself",
			Label:    "nothing to unpack into",
			Why:      "A star unpacks into a call, a list, a tuple or several targets.",
			Help:     "Add a comma to make it a tuple, or remove the star.",
		},
		Zh: Message{
			Headline: "`*` 不能单独出现在这里",
			Label:    "没有可以展开到的地方",
			Why:      "星号用来把内容展开到函数调用、列表、元组或者多个赋值目标里。",
			Help:     "加一个逗号变成元组，或者去掉星号。",
		},
	},
	{
		Code: "default-order",
		En: Message{
			Headline: "parameter `{0}` needs a default, because `{1}` before it has one",
			Label:    "no default here",
			Why:      "Arguments are matched from left to right, so a parameter with a default cannot come before one without.",
			Help:     "Move `{0}` before `{1}`, or give it a default.",
		},
		Zh: Message{
			Headline: "参数 `{0}` 需要默认值，因为它前面的 `{1}` 有默认值",
			Label:    "这里没有默认值",
			Why:      "实参从左到右匹配，所以有默认值的参数不能放在没有默认值的参数前面。",
			Help:     "把 `{0}` 移到 `{1}` 前面，或者给它一个默认值。",
		},
	},
	{
		Code: "default-of-star",
		En: Message{
			Headline: "`{0}` collects arguments, so it cannot have a default",
			Label:    "a default for a starred parameter",
			Why:      "A starred parameter is empty if no arguments are left for it.",
			Help:     "Remove the default.",
		},
		Zh: Message{
			Headline: "`{0}` 用来收集参数，不能有默认值",
			Label:    "带星号的参数不能有默认值",
			Why:      "没有剩余的实参时，带星号的参数就是空的。",
			Help:     "去掉默认值。",
		},
	},
	{
		Code: "duplicate-parameter",
		En: Message{
			Headline: "parameter `{0}` appears twice",
			Label:    "the second `{0}`",
			Why:      "Each parameter needs a name of its own.",
			Help:     "Rename one of them.",
		},
		Zh: Message{
			Headline: "参数 `{0}` 出现了两次",
			Label:    "第二个 `{0}`",
			Why:      "每个参数要有自己的名字。",
			Help:     "给其中一个换个名字。",
		},
	},
	{
		Code: "bad-parameter-order",
		En: Message{
			Headline: "`{0}` is not allowed at this position of the parameter list",
			Label:    "wrong order",
			Why:      "The order is: positional-only parameters before `/`, plain ones, `*args` or `*`, keyword-only ones, `**kwargs`; a lone `*` needs a parameter after it.",
			Help:     "Put the parameters in that order.",
		},
		Zh: Message{
			Headline: "参数列表的这个位置不能写 `{0}`",
			Label:    "顺序不对",
			Why:      "顺序是：`/` 之前的参数、普通参数、`*args` 或 `*`、只能按名字传的参数、`**kwargs`；单独的 `*` 后面要有参数。",
			Help:     "按这个顺序排列参数。",
		},
	},
	{
		Code: "positional-after-keyword",
		En: Message{
			Headline: "a positional argument follows a keyword argument",
			Label:    "name it, or move it to the left",
			Why:      "Positional arguments fill the parameters from the left and come before keyword arguments.",
			Help:     "Move this argument before the keyword arguments, or give it a name.",
		},
		Zh: Message{
			Headline: "位置参数写在了关键字参数后面",
			Label:    "要么加上名字，要么移到左边",
			Why:      "位置参数从左到右填入形参，必须写在关键字参数之前。",
			Help:     "把它移到关键字参数前面，或者给它加上名字。",
		},
	},
	{
		Code: "repeated-keyword",
		En: Message{
			Headline: "argument `{0}` is given twice",
			Label:    "the second `{0}`",
			Why:      "A call can give each parameter only one value.",
			Help:     "Remove one of them.",
		},
		Zh: Message{
			Headline: "实参 `{0}` 给了两次",
			Label:    "第二个 `{0}`",
			Why:      "一次调用里每个参数只能有一个值。",
			Help:     "删掉其中一个。",
		},
	},
	{
		Code: "missing-comma",
		En: Message{
			Headline: "a comma or an operator is missing between these two",
			Label:    "two values in a row",
			Why:      "Inside brackets values are separated by commas.",
			Help:     "Add `,` between them.",
		},
		Zh: Message{
			Headline: "这两个值之间缺少逗号或运算符",
			Label:    "两个值连在了一起",
			Why:      "括号里的值要用逗号隔开。",
			Help:     "在它们之间加上 `,`。",
		},
	},
	{
		Code: "print-statement",
		En: Message{
			Headline: "`{0}` is a function: its arguments need parentheses",
			Label:    "add parentheses",
			Why:      "It was a statement in Python 2 and is a function in Python 3.",
			Help:     "Write `{0}(…)`.",
		},
		Zh: Message{
			Headline: "`{0}` 是函数，参数要写在圆括号里",
			Label:    "加上圆括号",
			Why:      "在 Python 2 里它是语句，到 Python 3 变成了函数。",
			Help:     "写成 `{0}(…)`。",
		},
	},
	{
		Code: "mixed-except",
		En: Message{
			Headline: "a `try` statement has `except` or `except*`, not both",
			Label:    "of the other kind",
			Why:      "`except*` takes an exception group apart; `except` takes an exception whole.",
			Help:     "Write all clauses of this `try` the same way.",
		},
		Zh: Message{
			Headline: "同一个 `try` 语句里不能混用 `except` 和 `except*`",
			Label:    "和前面的写法不同",
			Why:      "`except*` 会拆开异常组，`except` 则处理整个异常。",
			Help:     "把这个 `try` 的各个子句写成同一种。",
		},
	},
	{
		Code: "unsupported-syntax",
		En: Message{
			Headline: "newt does not support `{0}`",
			Label:    "syntax that newt does not have",
			Why:      "Kernels and host scripts do not need it.",
			Help:     "Write it in another way.",
		},
		Zh: Message{
			Headline: "newt 不支持 `{0}` 这种写法",
			Label:    "newt 没有的语法",
			Why:      "kernel 和主机脚本用不到它。",
			Help:     "换一种写法。",
		},
	},
	{
		Code: "outside-function",
		En: Message{
			Headline: "`{0}` is allowed only inside a function",
			Label:    "not inside a function",
			Why:      "`{0}` passes a result to the caller of a function, and there is none here.",
			Help:     "Indent the line so that it belongs to the function, or remove `{0}`.",
		},
		Zh: Message{
			Headline: "`{0}` 只能写在函数里面",
			Label:    "不在函数里",
			Why:      "`{0}` 要把结果交给调用者，而这里没有调用者。",
			Help:     "把这一行缩进到函数里面，或者去掉 `{0}`。",
		},
	},
	{
		Code: "outside-loop",
		En: Message{
			Headline: "`{0}` is allowed only inside a loop",
			Label:    "not inside a loop",
			Why:      "`{0}` acts on the enclosing loop, and there is none here.",
			Help:     "Indent the line so that it belongs to the loop, or remove it.",
		},
		Zh: Message{
			Headline: "`{0}` 只能写在循环里面",
			Label:    "不在循环里",
			Why:      "`{0}` 作用于外面的循环，而这里没有循环。",
			Help:     "把这一行缩进到循环里面，或者删掉它。",
		},
	},
	{
		Code: "decorator-alone",
		En: Message{
			Headline: "a decorator must be followed by `def` or `class`",
			Label:    "nothing to decorate",
			Why:      "A decorator applies to the function or class that follows it.",
			Help:     "Put the function directly below, or remove the decorator.",
		},
		Zh: Message{
			Headline: "装饰器下面必须是 `def` 或 `class`",
			Label:    "下面没有可以装饰的内容",
			Why:      "装饰器作用于紧接着它的函数或类。",
			Help:     "把函数放在它的正下方，或者删掉装饰器。",
		},
	},
	{
		Code: "try-alone",
		En: Message{
			Headline: "`try` needs an `except` or a `finally`",
			Label:    "nothing handles what may go wrong",
			Why:      "A `try` by itself does nothing.",
			Help:     "Add `except …:` or `finally:` below, or remove the `try`.",
		},
		Zh: Message{
			Headline: "`try` 需要搭配 `except` 或 `finally`",
			Label:    "没有处理可能出现的错误",
			Why:      "单独的 `try` 不起任何作用。",
			Help:     "在下面加上 `except …:` 或 `finally:`，或者去掉 `try`。",
		},
	},
}

var syntaxPhrases = []Phrase{
	{"opened-here", "opened here", "从这里打开"},
	{"insert", "insert `{0}`", "插入 `{0}`"},
	{"remove", "remove `{0}`", "删掉 `{0}`"},
	{"replace", "replace `{0}` with `{1}`", "把 `{0}` 换成 `{1}`"},
	{"line-up", "align it with the block", "与代码块对齐"},
	{"indent-with-spaces", "indent with spaces", "改用空格缩进"},
	{"comment-out", "comment out the line", "把这一行改成注释"},
	{"add-parentheses", "add parentheses", "加上圆括号"},
	{"keyword-here", "keyword argument here", "关键字参数在这里"},
	{"first-here", "first here", "第一次出现在这里"},
	{"default-here", "has a default", "这里有默认值"},
	{"block-of", "the block of this `{0}`", "这个 `{0}` 的代码块"},
}
