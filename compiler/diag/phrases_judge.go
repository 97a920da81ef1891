package diag

var judgePhrases = []Phrase{
	{"judge.pass", "Solved: all {0} tests pass.", "通过：{0} 个测试全部正确。"},
	{"judge.pass-goals", "Right: all {0} tests pass.", "正确：{0} 个测试全部通过。"},
	{"judge.pass-refused", "Solved here: all {0} tests pass. Triton's own compiler refuses this kernel, though: see the warning.", "在这里通过：{0} 个测试全部正确。但 Triton 自己的编译器会拒绝这个 kernel，见警告。"},
	{"judge.no-compile", "The kernel does not compile, so nothing ran.", "kernel 没有编译成功，所以什么都没有运行。"},
	{"judge.classic-fails", "Not yet: test 1 of {0} fails.", "还不对：{0} 个测试中的第 1 个没有通过。"},
	{"judge.strict-fails", "Nearly: test 1 passes. Later tests that fail: {0} of {1}.", "就差一点：第 1 个测试通过了，但后面的 {1} 个测试里有 {0} 个没有通过。"},
	{"judge.spec-fails", "the reference of the puzzle could not be computed", "题目的参考结果无法计算"},
	{"judge.case-no-compile", "the kernel does not compile for these sizes", "kernel 在这组尺寸下无法编译"},
	{"judge.stopped", "the kernel was stopped before it finished", "kernel 没有运行到底就停下了"},
	{"judge.out-of-bounds", "out-of-bounds accesses (places in the source: {0})", "源代码里有 {0} 处越界访问"},
	{"judge.right-but-out-of-bounds", "every element is correct, but the kernel makes out-of-bounds accesses (places in the source: {0})", "每个元素都正确，但 kernel 有越界访问：源代码里有 {0} 处"},
	{"judge.input-changed", "the kernel changed its input `{0}`", "kernel 改动了输入 `{0}`"},
	{"judge.writes-nothing", "no program writes to `{2}`", "没有程序写入 `{2}`"},
	{"judge.same-programs", "{0} of {1} elements are wrong or unwritten: all {2} programs along axis {3} do the same, because nothing depends on `tl.program_id({3})`", "{1} 个元素里有 {0} 个不对或未写入：第 {3} 轴上的 {2} 个程序做的都一样，因为没有什么取决于 `tl.program_id({3})`"},
	{"judge.unwritten-range", "no program writes `{3}`, {2} of {1} elements", "没有程序写入 `{3}`：{1} 个元素中的 {2} 个"},
	{"judge.unwritten", "{2} of {1} elements were never written", "{1} 个元素里有 {2} 个从未被写入"},
	{"judge.unused", "no value of `{2}` reaches `{3}`", "`{2}` 的值没有一个进入 `{3}`"},
	{"judge.unread-range", "no program reads `{3}`, {2} of {4} elements", "没有程序读取 `{3}`：{4} 个元素中的 {2} 个"},
	{"judge.wrong", "{0} of {1} elements are wrong", "{1} 个元素里有 {0} 个不对"},
	{"judge.tf32", "{0} of {1} elements are wrong, each within the rounding error of tf32: `tl.dot` rounds fp32 operands to 11 bits of precision unless it is given `input_precision=\"ieee\"`", "{1} 个元素里有 {0} 个不对，但误差都在 tf32 的舍入范围内：`tl.dot` 会把 fp32 操作数舍入到 11 位精度，除非写上 `input_precision=\"ieee\"`"},
	{"judge.transposed", "`{2}` is transposed: every element is right once its last two axes are exchanged", "`{2}` 转置了：交换最后两个轴之后，每个元素都正确"},
	{"judge.constant", "{0} of {1} elements are wrong: every value written is {2}", "{1} 个元素里有 {0} 个不对：写入的值全是 {2}"},
	{"judge.nan", "{0} of {1} elements are NaN where a number belongs", "{1} 个元素里有 {0} 个是 NaN，而应该是数"},
	{"judge.off-by", "every element differs from the expected one by the same amount, {2}", "每个元素与应有的值都相差 {2}"},
	{"judge.truncated", "{0} of {1} elements are wrong, and every value written is an integer: was a float converted to an integer somewhere?", "{1} 个元素里有 {0} 个不对，而且写入的值全是整数：中途是不是把浮点数转换成了整数？"},
	{"judge.test", "test {0} of {1}: {2} ({3})", "测试 {0}/{1}：{2}（{3}）"},
	{"judge.element", "{0}  got {1}  want {2}  (written by program {3})", "{0}  得到 {1}  应为 {2}  （由程序 {3} 写入）"},
	{"judge.sizes-pass", "Also right at {0} other sizes ({1}).", "在另外 {0} 组尺寸下也正确（{1}）。"},
	{"judge.sizes-fail", "It passes its tests, but fails at {0}: {1}.", "能通过测试，但在 {0} 时不对：{1}。"},
	{"judge.range", "{0} from {1} to {2}", "{0} 从 {1} 到 {2}"},
	{"judge.comma", ", ", "，"},
	{"judge.finding", "{0}", "{0}"},
	{"judge.in-program", "{0} (program {1})", "{0}（程序 {1}）"},
	{"judge.first-wrong", "{0}; the first wrong element is `{1}`: got {2}, want {3}", "{0}；第一个不对的是 `{1}`：得到 {2}，应为 {3}"},
	{"judge.show-change", "show the change", "显示改法"},
	{"judge.element-unwritten", "{0}  unwritten  want {1}", "{0}  未写入  应为 {1}"},
}

// puzzlePhrases are parts of what is said of a puzzle's files.
var puzzlePhrases = []Phrase{
	{"puzzle.object", "an object, `{…}`", "对象 `{…}`"},
	{"puzzle.list", "a list, `[…]`", "列表 `[…]`"},
	{"puzzle.text", "a text, `\"…\"`", "文字 `\"…\"`"},
	{"puzzle.integer", "an integer", "整数"},
	{"puzzle.number", "a number", "数字"},
	{"puzzle.bool", "`true` or `false`", " `true` 或 `false`"},
	{"puzzle.constant", "`null`, `true`, `false`, a number or a text", " `null`、`true`、`false`、数字或文字"},
	{"puzzle.name", "`{0}` is neither a size nor an integer", "`{0}` 既不是尺寸也不是整数"},
	{"puzzle.remainder", "{0} / {1} leaves a remainder", "{0} / {1} 有余数"},
	{"puzzle.bracket", "a bracket is not closed", "括号没有闭合"},
	{"puzzle.cdiv", "`cdiv` takes two values", "`cdiv` 有两个参数"},
	{"puzzle.value", "`{0}` is {1}, not between 1 and {2}", "`{0}` 是 {1}，不在 1 和 {2} 之间"},
	{"puzzle.passes", "the value is larger than {0}", "值超过 {0}"},
	{"puzzle.long", "it is longer than {0} letters", "超过 {0} 个字母"},
	{"puzzle.elements", "{0} elements", "{0} 个元素"},
	{"puzzle.launch", "{0}, launched as `{1}`", "{0}，启动方式是 `{1}`"},
	{"puzzle.programs", "{0} programs", "{0} 个程序"},
}

// freePhrases are the texts of the free page's form.
var freePhrases = []Phrase{
	{"free.field", "{0}: {1}", "{0}：{1}"},
	{"free.not-expression", "{0}: `{1}` is not a Python expression", "{0}：`{1}` 不是一个 Python 表达式"},
	{"free.not-name", "`{0}` cannot be the name of an argument", "`{0}` 不能作参数名"},
	{"free.not-tensor", "{0}: unknown dtype or fill of this tensor", "{0}：不认识这个张量的 dtype 或填充方式"},
	{"free.not-constant", "{0}: a kernel argument cannot have type {1}", "{0}：kernel 不接受 {1} 类型的参数"},
	{"free.unknown-name", "{0}: there is no argument `{1}`; the arguments are: {2}", "{0}：没有名为 `{1}` 的参数；已有的参数：{2}"},
	{"free.circular", "{0}: its value depends on itself", "{0}：它的值取决于它自己"},
	{"free.not-grid", "the {0} must be one to three integers of at least 1, not {1}", "{0} 必须是一到三个不小于 1 的整数，而不是 {1}"},
}

// authorPhrases say why no puzzle can be made of a kernel.
var authorPhrases = []Phrase{
	{"author.fails", "a puzzle can be made only of a kernel that runs without errors, and this one does not: {0}", "只能从运行不出错的 kernel 生成题目，而这个 kernel 运行时出错了：{0}"},
	{"author.no-output", "the kernel writes to none of its tensors, so there is no output to compare", "这个 kernel 没有写入任何张量，没有可以比较的输出"},
	{"author.outputs", "a puzzle compares a single output, and this kernel writes to several tensors: {0}", "一道题只比较一个输出，而这个 kernel 写入了多个张量：{0}"},
	{"author.dtype", "the tensors of a puzzle cannot have the dtype {1} of `{0}`", "题目的张量不支持 `{0}` 的元素类型 {1}"},
	{"author.constant", "the value of `{0}` cannot be written to puzzle.json: only None, bools, numbers and strings can", "`{0}` 的值无法写进 puzzle.json：只能写入 None、布尔值、数字和字符串"},
}
