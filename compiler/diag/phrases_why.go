package diag

// whyPhrases say what wrote an element of a tensor, or why nothing did, and what each operation that its value comes
// from gave.
var whyPhrases = []Phrase{
	{"why.program", "program {0}", "程序 {0}"},
	{"why.lane-of", "{0}, lane {1}", "{0} 的通道 {1}"},
	{"why.stored", "{0} = {1} was stored by {2}: the value of `{3}`", "{0} = {1} 由{2} 写入：`{3}` 的值"},
	{"why.updated", "{0} = {1} was last updated by an atomic operation of {2}, with the value of `{3}`", "{0} = {1} 最后由{2} 的原子操作更新，所用的值是 `{3}`"},
	{"why.times", "it was written {0} times, and this is the last", "它被写入了 {0} 次，这是最后一次"},
	{"why.programs", "it was written {0} times, by programs {1}, and this is the last", "它被程序 {1} 写入了 {0} 次，这是最后一次"},
	{"why.masked", "no program writes {0}: {1} points at it, but its mask is False", "没有程序写入 {0}：{1} 指向它，但掩码为 False"},
	{"why.stopped", "no program writes {0} before the launch stops: {1}", "在 kernel 启动停止之前，没有程序写入 {0}：{1}"},
	{"why.nearest", "no program's store points at {0}; the nearest element that is written is {1}, by {2}", "没有程序的写入指向 {0}；最近的被写入的元素是 {1}，由{2} 写入"},
	{"why.nowhere", "no program writes to {0}", "没有程序写入 {0}"},
	{"why.value", "`{0}` = {1}", "`{0}` = {1}"},
	{"why.named", "{0} = {1}, from `{2}`", "{0} = {1}，来自 `{2}`"},
	{"why.argument", "{0} = {1}, an argument of the kernel", "{0} = {1}，kernel 的参数"},
	{"why.reads", "it reads {0}", "它读取 {0}"},
	{"why.reads-outside", "it reads {0}, outside of the tensor", "它读取 {0}，在张量之外"},
	{"why.reads-other", "it is masked off, and has the value of `other`", "它被掩码屏蔽，取 `other` 的值"},
	{"why.reads-nothing", "it is masked off, and its value is undefined", "它被掩码屏蔽，值是未定义的"},
	{"why.more", "{0} more operands are not listed", "另有 {0} 个操作数没有列出"},
	{"why.at", "{0} ({1})", "{0}（{1}）"},
	{"why.and", "{0}, {1}", "{0}，{1}"},
	{"why.lane", "lane {0}", "通道 {0}"},
	{"why.expected", "test {0}: {1} is {2}, and should be {3}", "测试 {0}：{1} 是 {2}，应为 {3}"},
	{"why.line", "line {0}", "第 {0} 行"},
	{"why.no-element", "there is no such element", "没有这个元素"},
	{"why.iteration", "iteration {0}", "第 {0} 次迭代"},
}
