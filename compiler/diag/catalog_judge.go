package diag

// What the judge of puzzles says.

var judgeEntries = []Entry{
	{
		Code: "puzzle-broken",
		En:   Message{Headline: "this puzzle cannot be checked: {0}", Why: "its own files are wrong; your kernel was not run", Help: "tell whoever made the puzzle"},
		Zh:   Message{Headline: "这道题无法检查：{0}", Why: "题目自己的文件有错，你的 kernel 没有运行", Help: "请告诉出题的人"},
	},
}

var judgePhrases = []Phrase{
	{"judge.pass", "Solved: the classic check passes, and so do all {0} launches of the strict one.", "通过：经典检查正确，严格检查的 {0} 次启动也全部正确。"},
	{"judge.no-compile", "The kernel does not compile, so nothing ran.", "kernel 没有编译成功，所以什么都没有运行。"},
	{"judge.classic-fails", "Not yet: the classic check fails.", "还不对：经典检查没有通过。"},
	{"judge.strict-fails", "Nearly: the classic check passes, but {0} of the {1} launches of the strict one fail.", "就差一点：经典检查通过了，但严格检查的 {1} 次启动里有 {0} 次不对。"},
	{"judge.spec-fails", "the puzzle's own specification could not be computed", "题目自己的规格没有算出来"},
	{"judge.case-no-compile", "the kernel does not compile for these sizes", "kernel 在这组尺寸下无法编译"},
	{"judge.stopped", "the launch was stopped before its end", "启动没有运行到底就停下了"},
	{"judge.out-of-bounds", "{0} memory accesses in the source reach outside their tensors", "源代码里有 {0} 处内存访问越过了张量的边界"},
	{"judge.input-changed", "the kernel changed its input `{0}`", "kernel 改动了输入 `{0}`"},
	{"judge.unwritten", "{0} of {1} elements were never written", "{1} 个元素里有 {0} 个从未被写入"},
	{"judge.wrong", "{0} of {1} elements are wrong", "{1} 个元素里有 {0} 个不对"},
	{"judge.solution-fails", "a solution must pass both checks, and this one does not: {0}", "解答必须通过两种检查，而这一份没有：{0}"},
	{"judge.starter-stuck", "the starter must compile and run: {0}", "起始代码必须能编译、能运行：{0}"},
	{"judge.starter-passes", "the starter already passes a check, so there is nothing left to solve", "起始代码已经能通过检查，这道题没有什么要解的了"},
	{"judge.written-by", "  (written by program {0})", "  （由程序 {0} 写入）"},
}

// What the free page says of its form.
var freePhrases = []Phrase{
	{"free.field", "{0}: {1}", "{0}：{1}"},
	{"free.not-expression", "{0}: `{1}` is not a Python expression", "{0}：`{1}` 不是一个 Python 表达式"},
	{"free.not-name", "`{0}` cannot be the name of an argument", "`{0}` 不能作参数名"},
	{"free.not-tensor", "{0}: the dtype or the fill of this tensor is unknown", "{0}：不认识这个张量的 dtype 或填充方式"},
	{"free.not-constant", "{0}: a kernel takes no {1}", "{0}：kernel 不接受 {1} 类型的参数"},
	{"free.not-grid", "the grid is one to three whole numbers of at least 1, not {0}", "grid 是一到三个不小于 1 的整数，而不是 {0}"},
}
