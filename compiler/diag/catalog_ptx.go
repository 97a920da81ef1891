package diag

// ptxEntries are the diagnostics of kernels that no GPU can run as they are.
var ptxEntries = []Entry{
	{
		Code: "tile-registers",
		En: Message{
			Headline: "a tile of {0} takes {1} registers of each thread, more than the {2} that newt compiles",
			Label:    "{1} registers a thread with `num_warps={3}`",
			Why:      "A tile lies in the registers of a program's threads, and a thread has 255. What does not fit is moved to slow memory.",
			Help:     "Use smaller blocks and a loop or more programs, or a larger `num_warps`.",
		},
		Zh: Message{
			Headline: "{0} 的块需要每个线程 {1} 个寄存器，超出了 newt 可编译的上限 {2}",
			Label:    "在 `num_warps={3}` 下每个线程需要 {1} 个寄存器",
			Why:      "块存放在程序各线程的寄存器中，而每个线程只有 255 个；放不下的部分会被移到慢速内存。",
			Help:     "改用更小的块并配合循环或更多程序，或增大 `num_warps`。",
		},
	},
}
