package diag

// runnerEntries are what a runner says to its clients, and a client of a runner that it lost.
var runnerEntries = []Entry{
	{
		Code: "runner-version",
		En:   Message{Headline: "the runner speaks version {0} of the protocol, and this client version {1}", Why: "the two would misunderstand each other", Help: "use the same newt on both sides"},
		Zh:   Message{Headline: "运行器使用协议的第 {0} 版，而这个客户端使用第 {1} 版", Why: "版本不同，双方会误解对方的消息", Help: "请在两边使用相同版本的 newt"},
	},
	{
		Code: "runner-token",
		En:   Message{Headline: "the runner does not take this token", Why: "it runs kernels only for those who have its token", Help: "ask whoever runs it for the token in its token file"},
		Zh:   Message{Headline: "运行器不接受这个令牌", Why: "它只为持有其令牌的人运行 kernel", Help: "请向管理员索取令牌文件中的令牌"},
	},
	{
		Code: "runner-hello",
		En:   Message{Headline: "the connection did not begin with a hello", Why: "a client says who it is before anything else, within {0} seconds", Help: "send hello first"},
		Zh:   Message{Headline: "连接没有以 hello 开始", Why: "客户端必须在 {0} 秒内先说明自己的身份，然后才能做别的事", Help: "请先发送 hello"},
	},
	{
		Code: "runner-connections",
		En:   Message{Headline: "the runner has {0} connections, and takes no more", Why: "each connection takes memory", Help: "try again in a while"},
		Zh:   Message{Headline: "运行器已有 {0} 个连接，不再接受新的连接", Why: "每个连接都会占用内存", Help: "请稍后再试"},
	},
	{
		Code: "runner-message",
		En:   Message{Headline: "the runner cannot read a message of this client", Why: "{0}", Help: "see the protocol's description; a page may need to be reloaded"},
		Zh:   Message{Headline: "运行器无法读懂这个客户端发来的消息", Why: "详细原因（英文）：{0}", Help: "请对照协议说明；如果是网页，请刷新后再试"},
	},
	{
		Code: "runner-request",
		En:   Message{Headline: "the runner does not take `{0}` = {1}", Why: "it takes {2}", Help: "change the value, or ask whoever runs it for other limits"},
		Zh:   Message{Headline: "运行器不接受 `{0}` = {1}", Why: "它接受的范围是 {2}", Help: "请修改这个值，或请管理员调整限制"},
	},
	{
		Code: "runner-job-number",
		En:   Message{Headline: "job {0} comes after job {1}", Why: "each job of a session has a greater number than those before it", Help: "count upwards"},
		Zh:   Message{Headline: "任务 {0} 出现在任务 {1} 之后", Why: "同一会话中，每个任务的编号都必须大于之前的任务", Help: "请让编号递增"},
	},
	{
		Code: "runner-job-unknown",
		En:   Message{Headline: "there is no job {0}", Why: "it was never submitted in this session, or was released", Help: "submit it"},
		Zh:   Message{Headline: "没有任务 {0}", Why: "本会话中没有提交过它，或它已被释放", Help: "请提交这个任务"},
	},
	{
		Code: "runner-ir",
		En:   Message{Headline: "the runner cannot read this kernel", Why: "its IR is damaged, or was made by a newt that does not fit this one", Help: "compile the kernel again with the runner's version of newt"},
		Zh:   Message{Headline: "运行器无法读取这个 kernel", Why: "它的 IR 已损坏，或由不匹配的 newt 版本生成", Help: "请用与运行器版本相同的 newt 重新编译 kernel"},
	},
	{
		Code: "runner-job-memory",
		En:   Message{Headline: "the tensors of this job have {0} bytes; the runner takes {1}", Why: "one job must leave memory to the others", Help: "use smaller tensors"},
		Zh:   Message{Headline: "这个任务的张量共有 {0} 个字节；运行器最多接受 {1} 个", Why: "一个任务不能占用其他任务所需的内存", Help: "请使用更小的张量"},
	},
	{
		Code: "runner-total-memory",
		En:   Message{Headline: "the runner has no memory left for this job", Why: "the tensors of other jobs take it", Help: "try again in a while"},
		Zh:   Message{Headline: "运行器没有剩余内存来接收这个任务", Why: "其他任务的张量占用了内存", Help: "请稍后再试"},
	},
	{
		Code: "runner-queue-full",
		En:   Message{Headline: "the runner has {0} jobs waiting, and takes no more", Why: "a longer queue would only make everybody wait", Help: "try again in a while"},
		Zh:   Message{Headline: "运行器已有 {0} 个任务在等待，不再接受新的任务", Why: "队列更长只会让所有人等得更久", Help: "请稍后再试"},
	},
	{
		Code: "runner-client-full",
		En:   Message{Headline: "this client has {0} jobs that have not ended, and may have no more", Why: "everybody has the same share of the runner", Help: "wait for a job to end, or cancel one"},
		Zh:   Message{Headline: "这个客户端已有 {0} 个未结束的任务，不能再多", Why: "每个客户端使用运行器的份额相同", Help: "请等待某个任务结束，或取消一个"},
	},
	{
		Code: "runner-queue-displaced",
		En:   Message{Headline: "the job gave its place in a full queue to another client's", Why: "{0} jobs waited, most of them of this client", Help: "submit it again in a while, and fewer jobs at a time"},
		Zh:   Message{Headline: "队列已满，这个任务把位置让给了其他客户端的任务", Why: "当时有 {0} 个任务在等待，其中这个客户端的最多", Help: "请稍后重新提交，并减少同时提交的任务"},
	},
	{
		Code: "runner-client-sessions",
		En:   Message{Headline: "this client's address has {0} sessions with a connection, and may have no more", Why: "everybody has the same share of the runner", Help: "close one, or ask whoever runs the runner for other limits"},
		Zh:   Message{Headline: "这个客户端地址已有 {0} 个保持连接的会话，不能再多", Why: "每个客户端使用运行器的份额相同", Help: "请关闭一个会话，或请管理员调整限制"},
	},
	{
		Code: "runner-evicted",
		En:   Message{Headline: "the runner ended this connection or session to make room for another client", Why: "it had reached a limit, and this one had nothing to do or nobody was connected", Help: "connect again when there is something to run"},
		Zh:   Message{Headline: "运行器为了给其他客户端腾出位置，结束了这个连接或会话", Why: "已达到上限，而它处于空闲状态或没有连接", Help: "需要运行时请重新连接"},
	},
	{
		Code: "runner-upload-deadline",
		En:   Message{Headline: "the job did not arrive within {0} seconds", Why: "an upload takes memory for as long as it lasts", Help: "use a faster connection or smaller tensors, or let the kernel make its inputs"},
		Zh:   Message{Headline: "任务没有在 {0} 秒内送达", Why: "上传期间会一直占用内存", Help: "请使用更快的连接或更小的张量，或让 kernel 自己生成输入"},
	},
	{
		Code: "runner-device-unknown",
		En:   Message{Headline: "the runner has no device `{0}`", Why: "it has {1}", Help: "choose one of these"},
		Zh:   Message{Headline: "运行器没有设备 `{0}`", Why: "它有 {1}", Help: "请从中选择一个"},
	},
	{
		Code: "runner-deadline",
		En:   Message{Headline: "the job did not end within {0} seconds", Why: "a job that runs on would keep everybody else waiting", Help: "check that every loop ends; for a large problem, try smaller sizes or ask for more time"},
		Zh:   Message{Headline: "任务没有在 {0} 秒内结束", Why: "一个任务一直运行会让其他人无法使用", Help: "检查每个循环是否都会结束；若问题规模确实很大，请缩小规模或申请更长的时间"},
	},
	{
		Code: "runner-queue-deadline",
		En:   Message{Headline: "the job waited {0} seconds for its turn, and was given up", Why: "the runner has more to do than it can", Help: "try again later"},
		Zh:   Message{Headline: "任务排队等待了 {0} 秒，已被放弃", Why: "运行器的任务太多，处理不过来", Help: "请稍后再试"},
	},
	{
		Code: "runner-upload-stalled",
		En:   Message{Headline: "the job's tensors did not arrive", Why: "the runner waits {0} seconds for the next part", Help: "check the connection, and submit the job again"},
		Zh:   Message{Headline: "任务的张量没有送达", Why: "运行器最多等待 {0} 秒来接收下一部分", Help: "请检查网络连接，然后重新提交任务"},
	},
	{
		Code: "runner-upload-lost",
		En:   Message{Headline: "the connection was lost before the job had arrived", Why: "a job whose tensors are incomplete cannot run", Help: "submit it again"},
		Zh:   Message{Headline: "任务尚未完整送达，连接就中断了", Why: "张量不完整的任务无法运行", Help: "请重新提交"},
	},
	{
		Code: "runner-cancelled",
		En:   Message{Headline: "the job was cancelled", Why: "its client asked for it", Help: "submit it again to run it"},
		Zh:   Message{Headline: "任务已被取消", Why: "这是客户端的要求", Help: "如需运行，请重新提交"},
	},
	{
		Code: "runner-vanished",
		En:   Message{Headline: "the job was cancelled because its client was gone for {0} seconds", Why: "nobody waited for its result", Help: "submit it again"},
		Zh:   Message{Headline: "客户端断开超过 {0} 秒，任务已被取消", Why: "没有人在等待它的结果", Help: "请重新提交"},
	},
	{
		Code: "runner-stopping",
		En:   Message{Headline: "the runner is stopping; this job has not run", Why: "whoever runs it is stopping or updating it", Help: "submit the job again in a while, or to another runner"},
		Zh:   Message{Headline: "运行器正在停止；这个任务没有运行", Why: "管理员正在停止或更新运行器", Help: "请稍后重新提交，或提交到另一个运行器"},
	},
	{
		Code: "runner-stopped",
		En:   Message{Headline: "the runner was stopped while this job ran", Why: "it waited {0} seconds for the job to end", Help: "submit the job again in a while, or to another runner"},
		Zh:   Message{Headline: "任务运行时，运行器被停止了", Why: "运行器已为这个任务等待了 {0} 秒", Help: "请稍后重新提交，或提交到另一个运行器"},
	},
	{
		Code: "runner-session-unknown",
		En:   Message{Headline: "the runner does not know this session any more", Why: "results are kept for a while only, and not over a restart", Help: "connect anew, and submit the jobs again"},
		Zh:   Message{Headline: "运行器已不再认识这个会话", Why: "结果只保留一段时间，重启后也不再保留", Help: "请重新连接，并重新提交任务"},
	},
	{
		Code: "runner-session-taken",
		En:   Message{Headline: "another connection has taken over this session", Why: "a session has one connection at a time", Help: "use the newer connection"},
		Zh:   Message{Headline: "另一个连接接管了这个会话", Why: "一个会话同时只能有一个连接", Help: "请使用较新的连接"},
	},
	{
		Code: "runner-internal",
		En:   Message{Headline: "the runner itself made a mistake with this job", Why: "the kernel may be right; the runner's log says more", Help: "please report it with the kernel's source"},
		Zh:   Message{Headline: "处理这个任务时运行器自身出错了", Why: "kernel 本身可能没有问题；运行器的日志中有更多信息", Help: "请附上 kernel 源码报告这个问题"},
	},
	{
		Code: "runner-stuck",
		En:   Message{Headline: "the device did not stop the job when its time was up", Why: "the runner gave up waiting and went on with other jobs", Help: "please report it with the kernel's source"},
		Zh:   Message{Headline: "时间已到，设备却没有停止这个任务", Why: "运行器不再等待，已继续处理其他任务", Help: "请附上 kernel 源码报告这个问题"},
	},
	{
		Code: "runner-lost",
		En:   Message{Headline: "the connection to the runner is lost", Why: "it could not be made again within {0} seconds", Help: "check the network and that the runner is running"},
		Zh:   Message{Headline: "与运行器的连接已中断", Why: "在 {0} 秒内没能重新连接", Help: "请检查网络，并确认运行器正在运行"},
	},
	{
		Code: "protocol-error",
		En:   Message{Headline: "the runner answers with what this client cannot read", Why: "{0}", Help: "use the same newt on both sides"},
		Zh:   Message{Headline: "这个客户端无法读懂运行器的回答", Why: "详细原因（英文）：{0}", Help: "请在两边使用相同版本的 newt"},
	},
}
