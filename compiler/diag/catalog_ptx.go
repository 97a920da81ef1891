package diag

// ptxEntries are the diagnostics of kernels that no GPU can run as they are.
var ptxEntries = []Entry{
	{
		Code: "tile-registers",
		En: Message{
			Headline: "a tile of {0} takes {1} registers of each thread, which has {2}: the rest spills",
			Label:    "{1} registers per thread with `num_warps={3}`",
			Why:      "A tile is held in the registers of a program's threads. The rest spills to local memory, which is slow, and the GPU's assembler may take minutes.",
			Help:     "Use smaller blocks and a loop or more programs, or a larger `num_warps`.",
		},
		Zh: Message{
			Headline: "{0} 的块需要每个线程 {1} 个寄存器，而每个线程只有 {2} 个：其余会溢出",
			Label:    "在 `num_warps={3}` 下每个线程需要 {1} 个寄存器",
			Why:      "块存放在程序各线程的寄存器中；放不下的部分会溢出到很慢的本地内存，GPU 汇编器也可能需要几分钟。",
			Help:     "改用更小的块并配合循环或更多程序，或增大 `num_warps`。",
		},
	},
	{
		Code: "ptx-too-long",
		En: Message{
			Headline: "this kernel unrolls to more than {0} PTX instructions",
			Label:    "the limit is reached here",
			Why:      "Each register of a tile needs its own instruction, and an unrolled loop repeats its body for each iteration. The GPU's assembler is very slow on so much code.",
			Help:     "Use `range` in place of `tl.static_range`, smaller blocks, or a larger `num_warps`.",
		},
		Zh: Message{
			Headline: "这个 kernel 展开后超过 {0} 条 PTX 指令",
			Label:    "到这里达到上限",
			Why:      "块的每个寄存器都需要一条指令，展开的循环每次迭代又会重复一遍循环体；这么多代码，GPU 汇编器要花很长时间。",
			Help:     "用 `range` 代替 `tl.static_range`，改用更小的块，或增大 `num_warps`。",
		},
	},
}
