package diag

var runtimePhrases = []Phrase{
	{"runtime.program", "program {0}", "程序 {0}"},
	{"runtime.program-lane", "program {0}, lane {1} of {2}", "程序 {0} 的通道 {1}（共 {2} 个）"},
	{"runtime.program-lanes", "program {0}, lanes {1} to {2} of {3}", "程序 {0} 的通道 {1} 到 {2}（共 {3} 个）"},
	{"race-other-store", "the other program writes it here", "另一个程序在这里写入"},
	{"race-other-load", "the other program reads it here", "另一个程序在这里读取"},
	{"race-weak-acquire", "this atomic operation does not acquire from other programs (`sem`, `scope`), so it orders nothing that follows it",
		"这个原子操作不从其他程序获取（acquire，见 `sem` 和 `scope`），因此不约束其后操作的顺序"},
	{"race-weak-release", "this atomic operation does not release to other programs (`sem`, `scope`), so it orders nothing that comes before it",
		"这个原子操作不向其他程序释放（release，见 `sem` 和 `scope`），因此不约束其前操作的顺序"},
	{"undefined-origin", "this load leaves the lane undefined", "这次 load 使该通道未定义"},
	{"nonfinite-stored", "it is stored here", "在这里写入"},
	{"race-other-atomic", "the other program changes it here", "另一个程序在这里原子地修改"},
}
