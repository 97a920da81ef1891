package diag

// resolveEntries are the diagnostics of name resolution.
var resolveEntries = []Entry{
	{
		Code: "language-name-bare",
		En: Message{
			Headline: "`{0}` is not defined; the language has `{1}`",
			Label:    "write `{1}`",
			Why:      "a kernel reaches the language through the module that it is imported as",
			Help:     "put the module's name in front",
		},
		Zh: Message{
			Headline: "`{0}` 没有定义；语言里有 `{1}`",
			Label:    "写成 `{1}`",
			Why:      "kernel 通过导入的模块名使用语言里的函数",
			Help:     "在前面加上模块名",
		},
	},
	{
		Code: "left-function",
		En: Message{
			Headline: "`{0}` is a name of the function `{1}`, and this line is outside of it",
			Label:    "not indented",
			Why:      "a function ends where a line is indented less than its body",
			Help:     "indent this line, and those below that belong to `{1}`, like its body",
		},
		Zh: Message{
			Headline: "`{0}` 是函数 `{1}` 里的名字，而这一行在函数外面",
			Label:    "没有缩进",
			Why:      "缩进比函数体少的一行就结束了这个函数",
			Help:     "把这一行以及下面属于 `{1}` 的行缩进到函数体的位置",
		},
	},
	{
		Code: "undefined-name",
		En: Message{
			Headline: "`{0}` is not defined",
			Label:    "no such name here",
			Why:      "a name has to be assigned, imported or a parameter before it can be used, and capital letters count",
			Help:     "check the spelling, or define it first",
		},
		Zh: Message{
			Headline: "`{0}` 没有定义",
			Label:    "这里没有这个名字",
			Why:      "名字要先赋值、导入，或者是参数，才能使用；大小写也要一致",
			Help:     "检查拼写，或者先定义它",
		},
	},
	{
		Code: "used-before-assignment",
		En: Message{
			Headline: "`{0}` is used before it has a value",
			Label:    "no value yet",
			Why:      "a name that a function assigns anywhere belongs to that function everywhere in it, and here none of the assignments has run",
			Help:     "assign `{0}` first, for example a start value before the loop",
		},
		Zh: Message{
			Headline: "`{0}` 还没有值就被使用了",
			Label:    "这时还没有值",
			Why:      "函数里只要有一处给某个名字赋值，它在整个函数里就是局部的，而这里还没有任何一次赋值执行过",
			Help:     "先给 `{0}` 赋值，比如在循环前给一个初始值",
		},
	},
	{
		Code: "implicit-import",
		En: Message{
			Headline: "`{0}` is used without an import",
			Label:    "newt reads this as `{1}`",
			Why:      "newt fills in the usual imports for pasted kernels; Python itself would stop here",
			Help:     "add `{1}` at the top",
		},
		Zh: Message{
			Headline: "使用了 `{0}`，但没有导入",
			Label:    "newt 按 `{1}` 理解",
			Why:      "newt 会给贴进来的 kernel 补上常用的导入，而 Python 会在这里报错",
			Help:     "在开头加上 `{1}`",
		},
	},
	{
		Code: "nonlocal-unknown",
		En: Message{
			Headline: "no function around this one has a variable `{0}`",
			Label:    "nothing to refer to",
			Why:      "`nonlocal` names a variable of an enclosing function",
			Help:     "assign `{0}` in the enclosing function, or use `global` for a variable of the module",
		},
		Zh: Message{
			Headline: "外层函数里没有变量 `{0}`",
			Label:    "没有可以指向的变量",
			Why:      "`nonlocal` 指向外层函数的变量",
			Help:     "在外层函数里给 `{0}` 赋值；如果是模块的变量，用 `global`",
		},
	},
}

var resolvePhrases = []Phrase{
	{"did-you-mean", "did you mean `{0}`?", "是不是想写 `{0}`？"},
	{"defined-here", "`{0}` is defined here", "`{0}` 在这里定义"},
	{"assigned-here", "`{0}` is first assigned here", "`{0}` 在这里才第一次赋值"},
	{"add-import", "import `{0}`", "导入 `{0}`"},
}
