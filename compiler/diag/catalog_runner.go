package diag

// runnerEntries are what a runner says to its clients, and a client of a runner that it lost.
var runnerEntries = []Entry{
	{
		Code: "runner-version",
		En: Message{
			Headline: "the runner uses version {0} of the protocol, and this client uses version {1}",
			Why:      "Different versions cannot understand each other's messages.",
			Help:     "Use the same version of newt on both sides.",
		},
		Zh: Message{
			Headline: "运行器使用协议的第 {0} 版，而这个客户端使用第 {1} 版",
			Why:      "版本不同，双方会误解对方的消息。",
			Help:     "请在两边使用相同版本的 newt。",
		},
	},
	{
		Code: "runner-token",
		En: Message{
			Headline: "the runner does not accept this token",
			Why:      "The runner accepts only clients that have its token.",
			Help:     "Ask the administrator of the runner for the token in its token file.",
		},
		Zh: Message{
			Headline: "运行器不接受这个令牌",
			Why:      "运行器只接受持有其令牌的客户端。",
			Help:     "请向管理员索取令牌文件中的令牌。",
		},
	},
	{
		Code: "runner-token-missing",
		En: Message{
			Headline: "the runner asks for a token, and none was sent",
			Why:      "The runner accepts only clients that have its token.",
			Help:     "Enter the token in the page's device menu, or put it into the variable NEWT_TOKEN for the command line. The administrator of the runner has it in its token file.",
		},
		Zh: Message{
			Headline: "运行器要求令牌，但没有收到令牌",
			Why:      "运行器只接受持有其令牌的客户端。",
			Help:     "在页面的设备菜单里输入令牌；命令行则放进环境变量 NEWT_TOKEN。令牌在运行器管理员的令牌文件中。",
		},
	},
	{
		Code: "runner-hello",
		En: Message{
			Headline: "the connection did not begin with a hello message",
			Why:      "A client must identify itself within {0} seconds, before any other message.",
			Help:     "Send hello first.",
		},
		Zh: Message{
			Headline: "连接没有以 hello 开始",
			Why:      "客户端必须在 {0} 秒内先说明自己的身份，然后才能做别的事。",
			Help:     "请先发送 hello。",
		},
	},
	{
		Code: "runner-connections",
		En: Message{
			Headline: "the runner has {0} connections and accepts no more",
			Why:      "Each connection uses memory.",
			Help:     "Try again later.",
		},
		Zh: Message{
			Headline: "运行器已有 {0} 个连接，不再接受新的连接",
			Why:      "每个连接都会占用内存。",
			Help:     "请稍后再试。",
		},
	},
	{
		Code: "runner-message",
		En: Message{
			Headline: "the runner cannot read a message from this client",
			Why:      "The reason is: {0}.",
			Help:     "Compare with the description of the protocol; in a browser, reload the page.",
		},
		Zh: Message{
			Headline: "运行器无法读取这个客户端发来的消息",
			Why:      "详细原因（英文）：{0}。",
			Help:     "请对照协议说明；如果是网页，请刷新后再试。",
		},
	},
	{
		Code: "runner-request",
		En: Message{
			Headline: "the runner does not accept `{0}` = {1}",
			Why:      "It accepts {2}.",
			Help:     "Change the value, or ask the administrator of the runner for other limits.",
		},
		Zh: Message{
			Headline: "运行器不接受 `{0}` = {1}",
			Why:      "它接受的范围是 {2}。",
			Help:     "请修改这个值，或请管理员调整限制。",
		},
	},
	{
		Code: "runner-job-number",
		En: Message{
			Headline: "job {0} comes after job {1}",
			Why:      "The jobs of a session must have increasing numbers.",
			Help:     "Number the jobs in increasing order.",
		},
		Zh: Message{
			Headline: "任务 {0} 出现在任务 {1} 之后",
			Why:      "同一会话中，每个任务的编号都必须大于之前的任务。",
			Help:     "请让编号递增。",
		},
	},
	{
		Code: "runner-job-unknown",
		En: Message{
			Headline: "there is no job {0}",
			Why:      "It was not submitted in this session, or it was released.",
			Help:     "Submit it first.",
		},
		Zh: Message{
			Headline: "没有任务 {0}",
			Why:      "本会话中没有提交过它，或它已被释放。",
			Help:     "请先提交这个任务。",
		},
	},
	{
		Code: "runner-ir",
		En: Message{
			Headline: "the runner cannot read this kernel",
			Why:      "Its IR is damaged, or was made by an incompatible version of newt.",
			Help:     "Compile the kernel again with the version of newt that the runner has.",
		},
		Zh: Message{
			Headline: "运行器无法读取这个 kernel",
			Why:      "它的 IR 已损坏，或由不匹配的 newt 版本生成。",
			Help:     "请用与运行器版本相同的 newt 重新编译 kernel。",
		},
	},
	{
		Code: "runner-job-memory",
		En: Message{
			Headline: "the tensors of this job have {0} bytes; the runner accepts {1}",
			Why:      "One job must leave memory for the others.",
			Help:     "Use smaller tensors.",
		},
		Zh: Message{
			Headline: "这个任务的张量共有 {0} 个字节；运行器最多接受 {1} 个",
			Why:      "一个任务不能占用其他任务所需的内存。",
			Help:     "请使用更小的张量。",
		},
	},
	{
		Code: "runner-total-memory",
		En: Message{
			Headline: "the runner has no memory left for this job",
			Why:      "The tensors of other jobs use it.",
			Help:     "Try again later.",
		},
		Zh: Message{
			Headline: "运行器没有剩余内存来接收这个任务",
			Why:      "其他任务的张量占用了内存。",
			Help:     "请稍后再试。",
		},
	},
	{
		Code: "runner-queue-full",
		En: Message{
			Headline: "the runner has {0} jobs waiting and accepts no more",
			Why:      "A longer queue would only make everyone wait longer.",
			Help:     "Try again later.",
		},
		Zh: Message{
			Headline: "运行器已有 {0} 个任务在等待，不再接受新的任务",
			Why:      "队列更长只会让所有人等得更久。",
			Help:     "请稍后再试。",
		},
	},
	{
		Code: "runner-client-full",
		En: Message{
			Headline: "this client has {0} unfinished jobs and may have no more",
			Why:      "Every client has the same share of the runner.",
			Help:     "Wait for a job to end, or cancel one.",
		},
		Zh: Message{
			Headline: "这个客户端已有 {0} 个未结束的任务，不能再多",
			Why:      "每个客户端使用运行器的份额相同。",
			Help:     "请等待某个任务结束，或取消一个。",
		},
	},
	{
		Code: "runner-queue-displaced",
		En: Message{
			Headline: "the queue was full, and this job was removed to make room for another client",
			Why:      "{0} jobs were waiting, most of them from this client.",
			Help:     "Submit it again later, and fewer jobs at a time.",
		},
		Zh: Message{
			Headline: "队列已满，为了给其他客户端的任务腾出位置，这个任务被移出了队列",
			Why:      "当时有 {0} 个任务在等待，其中这个客户端的最多。",
			Help:     "请稍后重新提交，并减少同时提交的任务。",
		},
	},
	{
		Code: "runner-client-sessions",
		En: Message{
			Headline: "this client's address has {0} connected sessions and may have no more",
			Why:      "Every client has the same share of the runner.",
			Help:     "Close a session, or ask the administrator of the runner for other limits.",
		},
		Zh: Message{
			Headline: "这个客户端地址已有 {0} 个保持连接的会话，不能再多",
			Why:      "每个客户端使用运行器的份额相同。",
			Help:     "请关闭一个会话，或请管理员调整限制。",
		},
	},
	{
		Code: "runner-evicted",
		En: Message{
			Headline: "the runner ended this connection or session to make room for another client",
			Why:      "The runner had reached a limit, and this connection or session was idle or had no client.",
			Help:     "Connect again when you have something to run.",
		},
		Zh: Message{
			Headline: "运行器为了给其他客户端腾出位置，结束了这个连接或会话",
			Why:      "运行器已达到上限，而这个连接或会话处于空闲状态或没有客户端。",
			Help:     "需要运行时请重新连接。",
		},
	},
	{
		Code: "runner-upload-deadline",
		En: Message{
			Headline: "the job was not uploaded within {0} seconds",
			Why:      "An upload uses memory for as long as it lasts.",
			Help:     "Use a faster connection or smaller tensors, or generate the inputs in the kernel.",
		},
		Zh: Message{
			Headline: "任务没有在 {0} 秒内上传完",
			Why:      "上传期间会一直占用内存。",
			Help:     "请使用更快的连接或更小的张量，或让 kernel 自己生成输入。",
		},
	},
	{
		Code: "runner-device-unknown",
		En: Message{
			Headline: "the runner has no device `{0}`",
			Why:      "Its devices are {1}.",
			Help:     "Choose one of these.",
		},
		Zh: Message{
			Headline: "运行器没有设备 `{0}`",
			Why:      "它的设备有 {1}。",
			Help:     "请从中选择一个。",
		},
	},
	{
		Code: "runner-deadline",
		En: Message{
			Headline: "the job did not finish within {0} seconds",
			Why:      "A job that runs too long would keep everyone else waiting.",
			Help:     "Check that every loop ends; for a large problem, try smaller sizes or ask for more time.",
		},
		Zh: Message{
			Headline: "任务没有在 {0} 秒内结束",
			Why:      "一个任务一直运行会让其他人无法使用。",
			Help:     "检查每个循环是否都会结束；若问题规模确实很大，请缩小规模或申请更长的时间。",
		},
	},
	{
		Code: "runner-queue-deadline",
		En: Message{
			Headline: "the job waited {0} seconds in the queue and was dropped",
			Why:      "The runner is overloaded.",
			Help:     "Try again later.",
		},
		Zh: Message{
			Headline: "任务在队列中等待了 {0} 秒，已被放弃",
			Why:      "运行器的任务太多，处理不过来。",
			Help:     "请稍后再试。",
		},
	},
	{
		Code: "runner-upload-stalled",
		En: Message{
			Headline: "the upload of the job's tensors stalled",
			Why:      "The runner waits at most {0} seconds for the next part of an upload.",
			Help:     "Check the connection, and submit the job again.",
		},
		Zh: Message{
			Headline: "任务的张量上传中断",
			Why:      "运行器最多等待 {0} 秒来接收下一部分。",
			Help:     "请检查网络连接，然后重新提交任务。",
		},
	},
	{
		Code: "runner-upload-lost",
		En: Message{
			Headline: "the connection was lost before the job was uploaded",
			Why:      "A job whose tensors are incomplete cannot run.",
			Help:     "Submit it again.",
		},
		Zh: Message{
			Headline: "任务尚未上传完，连接就中断了",
			Why:      "张量不完整的任务无法运行。",
			Help:     "请重新提交。",
		},
	},
	{
		Code: "runner-cancelled",
		En: Message{
			Headline: "the job was cancelled",
			Why:      "Its client cancelled it.",
			Help:     "Submit it again to run it.",
		},
		Zh: Message{
			Headline: "任务已被取消",
			Why:      "是它的客户端取消的。",
			Help:     "如需运行，请重新提交。",
		},
	},
	{
		Code: "runner-vanished",
		En: Message{
			Headline: "the job was cancelled because its client was disconnected for {0} seconds",
			Why:      "No one was waiting for its result.",
			Help:     "Submit it again.",
		},
		Zh: Message{
			Headline: "客户端断开超过 {0} 秒，任务已被取消",
			Why:      "没有人在等待它的结果。",
			Help:     "请重新提交。",
		},
	},
	{
		Code: "runner-stopping",
		En: Message{
			Headline: "the runner is shutting down; this job has not run",
			Why:      "The administrator is stopping or updating the runner.",
			Help:     "Submit the job again later, or to another runner.",
		},
		Zh: Message{
			Headline: "运行器正在停止；这个任务没有运行",
			Why:      "管理员正在停止或更新运行器。",
			Help:     "请稍后重新提交，或提交到另一个运行器。",
		},
	},
	{
		Code: "runner-stopped",
		En: Message{
			Headline: "the runner was shut down while this job was running",
			Why:      "It waited {0} seconds for the job to finish.",
			Help:     "Submit the job again later, or to another runner.",
		},
		Zh: Message{
			Headline: "任务运行时，运行器被停止了",
			Why:      "运行器已为这个任务等待了 {0} 秒。",
			Help:     "请稍后重新提交，或提交到另一个运行器。",
		},
	},
	{
		Code: "runner-session-unknown",
		En: Message{
			Headline: "the runner no longer knows this session",
			Why:      "Results are kept only for a while, and not across a restart.",
			Help:     "Connect again, and submit the jobs again.",
		},
		Zh: Message{
			Headline: "运行器已没有这个会话的记录",
			Why:      "结果只保留一段时间，重启后也不再保留。",
			Help:     "请重新连接，并重新提交任务。",
		},
	},
	{
		Code: "runner-buffer-unknown",
		En: Message{
			Headline: "the runner no longer has the tensors of this session",
			Why:      "They stay on its device between launches, and are lost if its process ends, or if the memory is needed while the session is idle.",
			Help:     "Run the program again.",
		},
		Zh: Message{
			Headline: "运行器上已没有这个会话的张量",
			Why:      "张量在 kernel 启动之间一直保留在设备上；设备进程结束，或会话空闲时内存不足，它们就会丢失。",
			Help:     "请重新运行程序。",
		},
	},
	{
		Code: "runner-buffers-full",
		En: Message{
			Headline: "too many clients keep tensors on device {0}",
			Why:      "{1} sessions have tensors there, and all of them are at work.",
			Help:     "Try again later.",
		},
		Zh: Message{
			Headline: "在设备 {0} 上保留张量的客户端太多",
			Why:      "已有 {1} 个会话在上面保留张量，而且都在运行。",
			Help:     "请稍后再试。",
		},
	},
	{
		Code: "runner-session-taken",
		En: Message{
			Headline: "another connection has taken over this session",
			Why:      "A session has one connection at a time.",
			Help:     "Use the newer connection.",
		},
		Zh: Message{
			Headline: "另一个连接接管了这个会话",
			Why:      "一个会话同时只能有一个连接。",
			Help:     "请使用较新的连接。",
		},
	},
	{
		Code: "runner-no-workers",
		En: Message{
			Headline: "no worker has joined this fleet yet",
			Why:      "The runner passes jobs on to workers, which connect to it on their own.",
			Help:     "Start `newt worker` on a machine with a device, or ask the administrator of the runner.",
		},
		Zh: Message{
			Headline: "还没有任何工作节点加入这个集群",
			Why:      "运行器把任务交给工作节点，由它们自行连接过来。",
			Help:     "请在有设备的机器上运行 `newt worker`，或联系运行器的管理员。",
		},
	},
	{
		Code: "runner-worker-lost",
		En: Message{
			Headline: "no worker could run this job to its end ({0} tried)",
			Why: "A job is given to another worker when its worker is lost or cannot run it, " +
				"but not for ever: it may be what ends them.",
			Help: "Submit it again, or ask the administrator of the runner what happened to the workers.",
		},
		Zh: Message{
			Headline: "没有工作节点能运行完这个任务（已尝试 {0} 个）",
			Why:      "工作节点失联或无法运行任务时，任务会交给下一个，但不会无限次：可能正是这个任务使它们退出。",
			Help:     "请重新提交，或向运行器的管理员询问工作节点发生了什么。",
		},
	},
	{
		Code: "runner-revoked",
		En: Message{
			Headline: "this token was revoked",
			Why:      "The runner ends all connections and jobs of a token that its administrator revokes.",
			Help:     "Ask the administrator of the runner for another token.",
		},
		Zh: Message{
			Headline: "这个令牌已被撤销",
			Why:      "管理员撤销令牌后，运行器会结束它的所有连接和任务。",
			Help:     "请向运行器的管理员索取新的令牌。",
		},
	},
	{
		Code: "runner-internal",
		En: Message{
			Headline: "internal error in the runner while it handled this job",
			Why:      "The kernel may be correct; the log of the runner has the details.",
			Help:     "Please report it as an issue of newt, with the source of the kernel.",
		},
		Zh: Message{
			Headline: "处理这个任务时运行器发生内部错误",
			Why:      "kernel 本身可能没有问题；运行器的日志中有更多信息。",
			Help:     "请在 newt 的 issue 中报告，并附上 kernel 源码。",
		},
	},
	{
		Code: "runner-sass",
		En: Message{
			Headline: "the runner could not print the machine code of the kernel",
			Why:      "A tool of the CUDA toolkit failed, or took too long; the log of the runner has the details.",
			Help:     "Ask the administrator of the runner whether its ptxas and nvdisasm are those of one toolkit.",
		},
		Zh: Message{
			Headline: "运行器没能打印 kernel 的机器码",
			Why:      "CUDA 工具包中的一个工具失败或超时；运行器的日志中有更多信息。",
			Help:     "请询问运行器的管理员，它的 ptxas 和 nvdisasm 是否来自同一个工具包。",
		},
	},
	{
		Code: "runner-stuck",
		En: Message{
			Headline: "the device did not stop the job at its deadline",
			Why:      "The runner stopped waiting for it and continued with other jobs.",
			Help:     "Please report it as an issue of newt, with the source of the kernel.",
		},
		Zh: Message{
			Headline: "到了截止时间，设备却没有停止这个任务",
			Why:      "运行器不再等待，已继续处理其他任务。",
			Help:     "请在 newt 的 issue 中报告，并附上 kernel 源码。",
		},
	},
	{
		Code: "runner-lost",
		En: Message{
			Headline: "the connection to the runner was lost",
			Why:      "The runner ended or cannot be reached any more; whether the launch ran is not known.",
			Help:     "Check the network, and that the runner is running.",
		},
		Zh: Message{
			Headline: "与运行器的连接已中断",
			Why:      "运行器已结束，或再也无法连接；这次 kernel 启动是否运行过，无从得知。",
			Help:     "请检查网络，并确认运行器正在运行。",
		},
	},
	{
		Code: "protocol-error",
		En: Message{
			Headline: "this client cannot read the answer of the runner",
			Why:      "The reason is: {0}.",
			Help:     "Use the same version of newt on both sides.",
		},
		Zh: Message{
			Headline: "这个客户端无法读取运行器的回答",
			Why:      "详细原因（英文）：{0}。",
			Help:     "请在两边使用相同版本的 newt。",
		},
	},
}
