package diag

var syntaxPhrases = []Phrase{
	{"opened-here", "opened here", "从这里打开"},
	{"insert", "insert `{0}`", "插入 `{0}`"},
	{"remove", "remove `{0}`", "删掉 `{0}`"},
	{"replace", "replace `{0}` with `{1}`", "把 `{0}` 换成 `{1}`"},
	{"line-up", "align it with the block", "与代码块对齐"},
	{"indent-with-spaces", "indent with spaces", "改用空格缩进"},
	{"keep-code", "keep the code alone", "只保留代码"},
	{"comment-out", "comment out the line", "把这一行改成注释"},
	{"add-parentheses", "add parentheses", "加上圆括号"},
	{"keyword-here", "keyword argument here", "关键字参数在这里"},
	{"first-here", "first here", "第一次出现在这里"},
	{"default-here", "has a default", "这里有默认值"},
	{"block-of", "the block of this `{0}`", "这个 `{0}` 的代码块"},
}
