package diag

// textEntries are the diagnostics of scanning: characters, literals, brackets and indentation.
var textEntries = []Entry{
	{
		Code: "source-too-large",
		En: Message{
			Headline: "the source has {0} bytes, and the limit is {1}",
			Why:      "newt reads programs of up to {1} bytes, so that a pasted file cannot freeze the page.",
			Help:     "Remove what the kernel does not need, such as data written into the source.",
		},
		Zh: Message{
			Headline: "源代码有 {0} 字节，上限是 {1} 字节",
			Why:      "newt 只读取不超过 {1} 字节的程序，免得贴进来的大文件把页面卡住。",
			Help:     "删掉 kernel 用不到的内容，比如写在源代码里的数据。",
		},
	},
	{
		Code: "nul-byte",
		En: Message{
			Headline: "the source contains a NUL byte",
			Label:    "this byte is zero",
			Why:      "Python source is text; a zero byte means that the file is something else, often text in UTF-16.",
			Help:     "Save the file as UTF-8 and open it again.",
		},
		Zh: Message{
			Headline: "源代码里有 NUL 字节",
			Label:    "这个字节是零",
			Why:      "Python 源代码必须是文本，出现零字节说明这个文件不是普通文本，常见的原因是用 UTF-16 保存。",
			Help:     "把文件另存为 UTF-8 再打开。",
		},
	},
	{
		Code: "invalid-utf8",
		En: Message{
			Headline: "the source is not valid UTF-8",
			Label:    "not UTF-8 from here",
			Why:      "Python reads source as UTF-8.",
			Help:     "Save the file as UTF-8 and open it again.",
		},
		Zh: Message{
			Headline: "源代码不是合法的 UTF-8",
			Label:    "从这里开始不是 UTF-8",
			Why:      "Python 按 UTF-8 读取源代码。",
			Help:     "把文件另存为 UTF-8 再打开。",
		},
	},
	{
		Code: "invalid-character",
		En: Message{
			Headline: "`{0}` has no meaning in Python",
			Label:    "not part of any Python token",
			Why:      "Outside strings and comments, Python allows letters, digits and a fixed set of symbols.",
			Help:     "Remove it, or put it into a string.",
		},
		Zh: Message{
			Headline: "`{0}` 在 Python 里没有意义",
			Label:    "不属于任何 Python 记号",
			Why:      "在字符串和注释之外，Python 只认字母、数字和固定的一些符号。",
			Help:     "删掉它，或者放进字符串里。",
		},
	},
	{
		Code: "lookalike-character",
		En: Message{
			Headline: "`{0}` looks like `{1}` but is another character",
			Label:    "write `{1}` here",
			Why:      "Input methods and word processors insert typographic characters, and Python accepts only the ASCII one.",
			Help:     "Replace it with `{1}`.",
		},
		Zh: Message{
			Headline: "`{0}` 看起来像 `{1}`，其实是另一个字符",
			Label:    "这里要写 `{1}`",
			Why:      "输入法和文字处理软件会打出全角或弯曲的符号，而 Python 只认 ASCII 里的那一个。",
			Help:     "换成 `{1}`，可以先切换到英文输入法。",
		},
	},
	{
		Code: "unterminated-string",
		En: Message{
			Headline: "this string has no closing `{0}`",
			Label:    "the string starts here",
			Why:      "A string must end with the quotes it began with; only a triple-quoted string may span lines.",
			Help:     "Add `{0}` where the string ends.",
		},
		Zh: Message{
			Headline: "这个字符串缺少结尾的 `{0}`",
			Label:    "字符串从这里开始",
			Why:      "字符串要用开头的那种引号结束，只有三引号字符串才能跨行。",
			Help:     "在字符串结束的地方补上 `{0}`。",
		},
	},
	{
		Code: "unclosed-bracket",
		En: Message{
			Headline: "`{0}` is never closed",
			Label:    "`{1}` is missing, here at the latest",
			Why:      "Inside brackets a line break is ignored, so Python kept reading until a line that can only be a new statement.",
			Help:     "Add `{1}` where the brackets should end.",
		},
		Zh: Message{
			Headline: "`{0}` 一直没有闭合",
			Label:    "最迟在这里就该有 `{1}`",
			Why:      "括号里的换行会被 Python 接起来，所以它一直读到了下一条语句。",
			Help:     "在括号应该结束的地方补上 `{1}`。",
		},
	},
	{
		Code: "unmatched-bracket",
		En: Message{
			Headline: "`{0}` has no opening bracket",
			Label:    "no bracket is open here",
			Why:      "Each closing bracket needs an opening one before it.",
			Help:     "Remove it, or add the opening bracket.",
		},
		Zh: Message{
			Headline: "`{0}` 没有对应的左括号",
			Label:    "这里没有打开的括号",
			Why:      "每个右括号前面都要有一个左括号。",
			Help:     "删掉它，或者补上左括号。",
		},
	},
	{
		Code: "mismatched-bracket",
		En: Message{
			Headline: "`{0}` cannot close `{1}`",
			Label:    "expected `{2}`",
			Why:      "Brackets must be closed in the reverse order of opening, each by its own kind.",
			Help:     "Write `{2}`, or look for a bracket that is missing before it.",
		},
		Zh: Message{
			Headline: "`{0}` 不能用来闭合 `{1}`",
			Label:    "这里应该是 `{2}`",
			Why:      "括号要按打开的相反顺序闭合，而且种类要一致。",
			Help:     "改成 `{2}`，或者看看前面是不是漏了括号。",
		},
	},
	{
		Code: "mixed-indentation",
		En: Message{
			Headline: "this line mixes tabs and spaces",
			Label:    "its depth depends on the width of a tab",
			Why:      "Editors show tabs in different widths, so Python rejects indentation whose depth depends on it.",
			Help:     "Indent with spaces alone, four for each level.",
		},
		Zh: Message{
			Headline: "这一行的缩进混用了制表符和空格",
			Label:    "缩进深度取决于制表符的宽度",
			Why:      "各种编辑器里制表符的宽度不同，所以 Python 不接受深度取决于这个宽度的缩进。",
			Help:     "只用空格缩进，每一层四个。",
		},
	},
	{
		Code: "outdented-line",
		En: Message{
			Headline: "this line is indented less than the lines around it",
			Label:    "the block continues below it",
			Why:      "A line with less indentation ends the block, but the next line is indented as if the block continued.",
			Help:     "Indent it like the lines around it.",
		},
		Zh: Message{
			Headline: "这一行的缩进比上下的行少",
			Label:    "代码块在它下面还在继续",
			Why:      "缩进变少就结束了代码块，而下一行的缩进又像是代码块没有结束。",
			Help:     "让它和上下的行对齐。",
		},
	},
	{
		Code: "bad-dedent",
		En: Message{
			Headline: "the indentation of this line matches no enclosing block",
			Label:    "not the depth of any open block",
			Why:      "After a block, the next line must have exactly the indentation of one of the enclosing blocks.",
			Help:     "Indent the line like the block it belongs to.",
		},
		Zh: Message{
			Headline: "这一行的缩进和上面任何一个代码块都对不齐",
			Label:    "与外层代码块的缩进都不一致",
			Why:      "代码块结束后，下一行的缩进必须与外面的某一层完全相同。",
			Help:     "把这一行移到它所属代码块的缩进位置。",
		},
	},
	{
		Code: "c-operator",
		En: Message{
			Headline: "Python writes `{1}`, not `{0}`",
			Label:    "write `{1}`",
			Why:      "`{0}` is an operator of C; the logical operators of Python are words.",
			Help:     "Write `{1}`; to combine tiles element by element, use `&`, `|` or `~`.",
		},
		Zh: Message{
			Headline: "Python 里写 `{1}`，不写 `{0}`",
			Label:    "写成 `{1}`",
			Why:      "`{0}` 是 C 的写法，Python 的逻辑运算符是单词。",
			Help:     "写成 `{1}`；如果要对张量逐元素运算，用 `&`、`|` 或 `~`。",
		},
	},
	{
		Code: "bad-number",
		En: Message{
			Headline: "`{0}` is not a number",
			Label:    "cannot be read as a number",
			Why:      "A number has digits, possibly with `_` between two of them, a decimal point and an exponent; a name cannot begin with a digit.",
			Help:     "Correct the number, or begin the name with a letter.",
		},
		Zh: Message{
			Headline: "`{0}` 不是合法的数字",
			Label:    "无法读成数字",
			Why:      "数字由数位组成，数位之间可以有 `_`，可以有小数点和指数；名字不能以数字开头。",
			Help:     "改正这个数字，或者让名字以字母开头。",
		},
	},
	{
		Code: "leading-zeros",
		En: Message{
			Headline: "`{0}` begins with a zero",
			Label:    "leading zeros are not allowed",
			Why:      "In Python 2 a leading zero meant octal, so Python 3 rejects it.",
			Help:     "Remove the zeros; an octal number begins with `0o`.",
		},
		Zh: Message{
			Headline: "`{0}` 以零开头",
			Label:    "不允许前导零",
			Why:      "Python 2 里前导零表示八进制，所以 Python 3 不再接受。",
			Help:     "去掉前面的零；八进制要写 `0o`。",
		},
	},
	{
		Code: "number-too-long",
		En: Message{
			Headline: "this number has too many digits",
			Label:    "longer than 4300 digits",
			Why:      "Python limits integers to 4300 digits.",
			Help:     "Compute the number, for example with `**`.",
		},
		Zh: Message{
			Headline: "这个数字太长了",
			Label:    "超过 4300 位",
			Why:      "Python 最多读取 4300 位的整数。",
			Help:     "用计算得到它，比如用 `**`。",
		},
	},
	{
		Code: "bad-escape",
		En: Message{
			Headline: "`{0}` is not a complete escape sequence",
			Label:    "digits are missing or too large",
			Why:      "`\\x` needs two hexadecimal digits, `\\u` four and `\\U` eight, up to 10FFFF.",
			Help:     "Complete the digits, write `\\\\` for a backslash, or put `r` before the string.",
		},
		Zh: Message{
			Headline: "`{0}` 不是完整的转义序列",
			Label:    "数位不够，或者超出范围",
			Why:      "`\\x` 后面要有两位十六进制数，`\\u` 要四位，`\\U` 要八位，最大 10FFFF。",
			Help:     "补全数位；要写反斜杠本身就用 `\\\\`，或者在字符串前加 `r`。",
		},
	},
	{
		Code: "named-escape",
		En: Message{
			Headline: "newt does not support the escape `{0}`",
			Label:    "a character given by its name",
			Why:      "newt does not include the table of Unicode names; the character is shown as a question mark.",
			Help:     "Write the character itself, or its number as `\\u…`.",
		},
		Zh: Message{
			Headline: "newt 不支持转义 `{0}`",
			Label:    "用名字表示的字符",
			Why:      "newt 没有携带 Unicode 字符名称表，这个字符会显示成问号。",
			Help:     "直接写出这个字符，或者用 `\\u…` 写它的编号。",
		},
	},
	{
		Code: "bytes-not-ascii",
		En: Message{
			Headline: "a bytes literal can contain only ASCII characters",
			Label:    "not ASCII",
			Why:      "Each character of a bytes literal is one byte, and other characters have no single byte.",
			Help:     "Write the bytes as `\\x…`, or remove the `b`.",
		},
		Zh: Message{
			Headline: "bytes 字面量里只能有 ASCII 字符",
			Label:    "不是 ASCII",
			Why:      "bytes 字面量表示的是字节，其他字符不对应单个字节。",
			Help:     "用 `\\x…` 写出字节，或者去掉 `b`。",
		},
	},
	{
		Code: "mixed-bytes",
		En: Message{
			Headline: "text and bytes cannot be concatenated",
			Label:    "one is `str`, another `bytes`",
			Why:      "Adjacent literals are concatenated, so they must be of the same kind.",
			Help:     "Make all of them text, or all of them bytes.",
		},
		Zh: Message{
			Headline: "文本和 bytes 不能拼在一起",
			Label:    "一个是 `str`，另一个是 `bytes`",
			Why:      "相邻的字面量会合成一个，所以种类必须相同。",
			Help:     "全部写成文本，或者全部写成 bytes。",
		},
	},
	{
		Code: "fstring-brace",
		En: Message{
			Headline: "a single `}` is not allowed in an f-string",
			Label:    "there is no open `{`",
			Why:      "In an f-string braces enclose a value.",
			Help:     "For the character itself, write `}}`.",
		},
		Zh: Message{
			Headline: "f-string 里不能单独出现 `}`",
			Label:    "这里没有打开的 `{`",
			Why:      "f-string 用花括号括住要插入的值。",
			Help:     "要写这个字符本身就用 `}}`。",
		},
	},
	{
		Code: "fstring-empty",
		En: Message{
			Headline: "empty braces in an f-string",
			Label:    "an expression is missing",
			Why:      "In an f-string, braces enclose an expression whose value is inserted.",
			Help:     "Write an expression, or `{{` for the character itself.",
		},
		Zh: Message{
			Headline: "f-string 里的花括号是空的",
			Label:    "缺少表达式",
			Why:      "f-string 的花括号里要写一个表达式，它的值会插入到文本中。",
			Help:     "写一个表达式；要写花括号本身就用 `{{`。",
		},
	},
	{
		Code: "fstring-unclosed-field",
		En: Message{
			Headline: "`}` is missing in this f-string",
			Label:    "the string ends inside the braces",
			Why:      "Each `{` of an f-string needs a `}` after the expression.",
			Help:     "Add `}`, or write `{{` for the character itself.",
		},
		Zh: Message{
			Headline: "这个 f-string 里缺少 `}`",
			Label:    "字符串结束时花括号还没有闭合",
			Why:      "f-string 里每个 `{` 的表达式后面都要有 `}`。",
			Help:     "补上 `}`；要写花括号本身就用 `{{`。",
		},
	},
	{
		Code: "fstring-conversion",
		En: Message{
			Headline: "`{0}` is not a conversion",
			Label:    "expected `r`, `s` or `a`",
			Why:      "After `!` an f-string takes `r` for repr, `s` for str or `a` for ascii.",
			Help:     "Write `!r`, `!s` or `!a`; a format comes after `:`.",
		},
		Zh: Message{
			Headline: "`{0}` 不是合法的转换",
			Label:    "应该是 `r`、`s` 或 `a`",
			Why:      "f-string 的 `!` 后面可以是表示 repr 的 `r`、表示 str 的 `s`、表示 ascii 的 `a`。",
			Help:     "写成 `!r`、`!s` 或 `!a`；格式要写在 `:` 后面。",
		},
	},
	{
		Code: "name-too-long",
		En: Message{
			Headline: "this name is too long",
			Label:    "{0} bytes",
			Why:      "newt reads names of up to {1} bytes.",
			Help:     "Give it a shorter name.",
		},
		Zh: Message{
			Headline: "这个名字太长了",
			Label:    "{0} 个字节",
			Why:      "newt 最多读取 {1} 个字节的名字。",
			Help:     "换一个短一些的名字。",
		},
	},
	{
		Code: "too-deep",
		En: Message{
			Headline: "this is nested too deeply",
			Label:    "over the limit of nesting",
			Why:      "newt limits nesting to 200 brackets, 100 blocks and 1000 levels of expressions, so that no program can exhaust its memory.",
			Help:     "Move parts of it into variables or functions.",
		},
		Zh: Message{
			Headline: "嵌套得太深了",
			Label:    "超出了嵌套的上限",
			Why:      "为了不让任何程序耗尽内存，newt 最多读取 200 层括号、100 层代码块和 1000 层的表达式。",
			Help:     "把其中的一部分放进变量或函数里。",
		},
	},
	{
		Code: "ipython-magic",
		En: Message{
			Headline: "`{0}` is a notebook command, and newt skips it",
			Label:    "skipped",
			Why:      "Lines that begin with `%` or `!` are commands for IPython, not Python.",
			Help:     "Remove the line, or turn it into a comment.",
		},
		Zh: Message{
			Headline: "`{0}` 是 notebook 的命令，newt 会跳过它",
			Label:    "已跳过",
			Why:      "以 `%` 或 `!` 开头的行是给 IPython 的命令，不是 Python。",
			Help:     "删掉这一行，或者改成注释。",
		},
	},
	{
		Code: "stray-backslash",
		En: Message{
			Headline: "a backslash is allowed only at the very end of a line",
			Label:    "something follows the backslash",
			Why:      "Outside strings a backslash continues the line on the next one, and even a space after it prevents that.",
			Help:     "Remove the backslash or what follows it; inside brackets none is needed.",
		},
		Zh: Message{
			Headline: "反斜杠只能放在一行的最末尾",
			Label:    "反斜杠后面还有内容",
			Why:      "在字符串之外，反斜杠表示接上下一行，后面哪怕有一个空格也不行。",
			Help:     "去掉反斜杠或者它后面的内容；在括号里换行不需要反斜杠。",
		},
	},
}
