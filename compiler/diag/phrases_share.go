package diag

var sharePhrases = []Phrase{
	{"share.open", "Open in newt", "在 newt 中打开"},
	{"share.kernel", "A Triton kernel", "一个 Triton kernel"},
	{"share.puzzle", "Puzzle {0}: {1}", "第 {0} 题：{1}"},
	{"share.description", "Read, change and run it in the browser: no GPU, no install.", "在浏览器里阅读、修改、运行，不需要 GPU，也不用安装。"},
}
