package diag

var hostPhrases = []Phrase{
	{"host.called-here", "called here", "在这里被调用"},
	{"host.raised-here", "raised here", "在这里抛出"},
	{"host.launched-here", "launched here", "在这里启动 kernel"},
	{"output.cut", "the output of this cell is too long; what follows is left out", "这个单元格的输出太长，后面的内容没有显示"},
	{"nearest-in-newt", "the closest name that newt has is `{0}`", "newt 里最接近的名字是 `{0}`"},
}
