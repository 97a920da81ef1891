package diag

// resolveEntries are the diagnostics of name resolution.
var resolveEntries = []Entry{
	{
		Code: "language-name-bare",
		En: Message{
			Headline: "`{0}` is not defined; the language has `{1}`",
			Label:    "write `{1}`",
			Why:      "A kernel uses the functions of the language through the module that it imports.",
			Help:     "Write the module's name in front.",
		},
		Zh: Message{
			Headline: "`{0}` 没有定义；语言里有 `{1}`",
			Label:    "写成 `{1}`",
			Why:      "kernel 通过导入的模块名使用语言里的函数。",
			Help:     "在前面加上模块名。",
		},
	},
	{
		Code: "left-function",
		En: Message{
			Headline: "`{0}` is a name in the function `{1}`, and this line is outside it",
			Label:    "not indented",
			Why:      "A function ends where a line is indented less than its body.",
			Help:     "Indent this line, and the following ones that belong to `{1}`, like the body of the function.",
		},
		Zh: Message{
			Headline: "`{0}` 是函数 `{1}` 里的名字，而这一行在函数外面",
			Label:    "没有缩进",
			Why:      "缩进比函数体少的一行就结束了这个函数。",
			Help:     "把这一行以及下面属于 `{1}` 的行缩进到函数体的位置。",
		},
	},
	{
		Code: "undefined-name",
		En: Message{
			Headline: "`{0}` is not defined",
			Label:    "no such name here",
			Why:      "A name must be assigned, imported or a parameter before it is used, and names are case-sensitive.",
			Help:     "Check the spelling, or define it first.",
		},
		Zh: Message{
			Headline: "`{0}` 没有定义",
			Label:    "这里没有这个名字",
			Why:      "名字要先赋值、导入，或者是参数，才能使用；大小写也要一致。",
			Help:     "检查拼写，或者先定义它。",
		},
	},
	{
		Code: "used-before-assignment",
		En: Message{
			Headline: "`{0}` is used before it is assigned",
			Label:    "no value yet",
			Why:      "A name that is assigned anywhere in a function is local to the whole function, and no assignment has run at this point.",
			Help:     "Assign `{0}` first, for example an initial value before the loop.",
		},
		Zh: Message{
			Headline: "`{0}` 在赋值之前就被使用了",
			Label:    "这时还没有值",
			Why:      "函数里只要有一处给某个名字赋值，它在整个函数里就是局部的，而这里还没有任何一次赋值执行过。",
			Help:     "先给 `{0}` 赋值，比如在循环前给一个初始值。",
		},
	},
	{
		Code: "implicit-import",
		En: Message{
			Headline: "`{0}` is used without an import",
			Label:    "newt reads this as `{1}`",
			Why:      "newt adds the usual imports to pasted kernels; Python itself would stop here.",
			Help:     "Add `{1}` at the top.",
		},
		Zh: Message{
			Headline: "使用了 `{0}`，但没有导入",
			Label:    "newt 按 `{1}` 理解",
			Why:      "newt 会给贴进来的 kernel 补上常用的导入，而 Python 会在这里报错。",
			Help:     "在开头加上 `{1}`。",
		},
	},
	{
		Code: "nonlocal-unknown",
		En: Message{
			Headline: "no enclosing function has a variable `{0}`",
			Label:    "nothing to refer to",
			Why:      "`nonlocal` refers to a variable of an enclosing function.",
			Help:     "Assign `{0}` in the enclosing function, or use `global` for a variable of the module.",
		},
		Zh: Message{
			Headline: "外层函数里没有变量 `{0}`",
			Label:    "没有可以指向的变量",
			Why:      "`nonlocal` 指向外层函数的变量。",
			Help:     "在外层函数里给 `{0}` 赋值；如果是模块的变量，用 `global`。",
		},
	},
}

var resolvePhrases = []Phrase{
	{"did-you-mean", "did you mean `{0}`?", "是不是想写 `{0}`？"},
	{"first-assigned-here", "`{0}` is first assigned here", "`{0}` 在这里第一次赋值"},
	{"add-import", "import `{0}`", "导入 `{0}`"},
}
