package diag

var resolvePhrases = []Phrase{
	{"did-you-mean", "did you mean `{0}`?", "是不是想写 `{0}`？"},
	{"first-assigned-here", "`{0}` is first assigned here", "`{0}` 在这里第一次赋值"},
	{"add-import", "import `{0}`", "导入 `{0}`"},
}
