package diag

// proofPhrases say what is proved of a kernel.
var proofPhrases = []Phrase{
	{"proof.kernel", "Proofs about `{0}`:", "关于 `{0}` 的证明："},
	{"proof.access", "line {0}: {1} {2} in bounds: {3}", "第 {0} 行：{1} {2} 不越界：{3}"},
	{"proof.counterexample", "counterexample: at {0}, grid {1}, lane {3} of program {2} accesses index {4}, and the tensor has {5} elements", "反例：{0}、网格 {1} 时，程序 {2} 的通道 {3} 访问下标 {4}，而张量有 {5} 个元素"},
	{"proof.races", "{0} free of races between programs: {1}", "{0} 上程序之间没有竞争：{1}"},
	{"proof.no", "not proved", "未能证明"},
	{"proof.launch", "proved for this launch", "对这次 kernel 启动已证明"},
	{"proof.grid", "proved for any grid at these sizes", "在这些尺寸下，对任意网格已证明"},
	{"proof.size", "proved for any size", "对任意尺寸已证明"},
	{"proof.if", "{0}, if {1}", "{0}，条件是 {1}"},
	{"proof.limits", "For any grid or size: sizes are at least 1{0}. Indices that a kernel reads from a tensor are those of this launch.", "任意网格或尺寸指：各尺寸至少为 1{0}。kernel 从张量中读取的下标是这次 kernel 启动时的值。"},
	{"proof.no-wrap", ", and no integer wraps", "，且整数不回绕"},
	{"proof.no-wrap-while", ", and no integer wraps, which holds while {0}", "，且整数不回绕（{0} 时即如此）"},
}
