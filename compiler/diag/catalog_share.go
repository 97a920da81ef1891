package diag

// shareEntries are what links and the share service say.
var shareEntries = []Entry{
	{
		Code: "link-corrupt",
		En: Message{
			Headline: "this link is damaged",
			Why:      "Its checksum is wrong, so it was changed on the way; nothing was loaded from it.",
			Help:     "Ask for the link again, and copy it instead of typing it.",
		},
		Zh: Message{
			Headline: "这个链接已损坏",
			Why:      "校验和不符，说明链接在传递过程中被改动过；newt 没有采用其中的任何内容。",
			Help:     "请对方重新发一次链接，并用复制的方式，不要手动输入。",
		},
	},
	{
		Code: "link-truncated",
		En: Message{
			Headline: "this link is truncated",
			Why:      "Its end is missing; mail and chat programs sometimes shorten long links.",
			Help:     "Ask for the complete link, or for a short link.",
		},
		Zh: Message{
			Headline: "这个链接不完整",
			Why:      "链接的末尾缺失了；邮件和聊天软件有时会截断长链接。",
			Help:     "请对方发送完整的链接，或者改用短链接。",
		},
	},
	{
		Code: "link-too-large",
		En: Message{
			Headline: "the content is too large for a link",
			Why:      "A link holds at most {0} KiB of text, and {1} KiB after compression.",
			Help:     "Leave out the results, or data written into the source.",
		},
		Zh: Message{
			Headline: "内容太大，放不进链接",
			Why:      "一个链接最多容纳 {0} KiB 文本，压缩后不超过 {1} KiB。",
			Help:     "不要附带运行结果，或者删掉写在源代码里的数据。",
		},
	},
	{
		Code: "link-newer",
		En: Message{
			Headline: "this link was made by a newer version of newt",
			Why:      "Its format is version {0}, and this newt reads versions up to {1}.",
			Help:     "Reload the page, or ask the administrator of this newt to update it.",
		},
		Zh: Message{
			Headline: "这个链接由更新版本的 newt 生成",
			Why:      "它的格式版本是 {0}，而当前的 newt 最高只能读取版本 {1}。",
			Help:     "刷新页面，或者请管理员更新 newt。",
		},
	},
	{
		Code: "link-unfit",
		En: Message{
			Headline: "`{0}` cannot be put into a link",
			Why:      "A link can hold only UTF-8 text and plain names.",
			Help:     "Save the text as UTF-8, or choose a plain name.",
		},
		Zh: Message{
			Headline: "`{0}` 无法放进链接",
			Why:      "链接里只能有 UTF-8 文本和普通的名称。",
			Help:     "把文本保存为 UTF-8，或者换一个普通的名称。",
		},
	},
	{
		Code: "share-not-found",
		En: Message{
			Headline: "this short link does not exist",
			Why:      "It was deleted or never existed; a new link may take a minute to be available everywhere.",
			Help:     "Check the address, or ask for the link again.",
		},
		Zh: Message{
			Headline: "没有这个短链接",
			Why:      "它已被删除，或者从未存在过；刚刚生成的链接可能要稍等片刻才能在各地打开。",
			Help:     "检查网址，或者请对方重新发送链接。",
		},
	},
	{
		Code: "share-expired",
		En: Message{
			Headline: "this short link has expired",
			Why:      "Its author set an expiry date, which has passed.",
			Help:     "Ask its author for a new one.",
		},
		Zh: Message{
			Headline: "这个短链接已过期",
			Why:      "作者为它设置了有效期，现在已经超过期限。",
			Help:     "请作者重新生成一个。",
		},
	},
	{
		Code: "share-type",
		En: Message{
			Headline: "the request has the content type `{0}`",
			Why:      "A link must be posted as `{1}`.",
			Help:     "Set the header `Content-Type: {1}`.",
		},
		Zh: Message{
			Headline: "请求的内容类型是 `{0}`",
			Why:      "提交链接要使用 `{1}`。",
			Help:     "设置请求头 `Content-Type: {1}`。",
		},
	},
	{
		Code: "share-days",
		En: Message{
			Headline: "`{0}` is not a valid number of days",
			Why:      "A short link is kept for 1 to {1} days, or until it is deleted.",
			Help:     "Give an integer, or leave out `days`.",
		},
		Zh: Message{
			Headline: "`{0}` 不是有效的天数",
			Why:      "短链接的有效期是 1 到 {1} 天，不设置则保留到被删除为止。",
			Help:     "填写一个整数，或者不填 `days`。",
		},
	},
	{
		Code: "share-origin",
		En: Message{
			Headline: "this request came from another site",
			Why:      "Links can be created and deleted only from newt's own page.",
			Help:     "Open newt and share from there.",
		},
		Zh: Message{
			Headline: "这个请求来自其他网站",
			Why:      "只能从 newt 自己的页面创建或删除链接。",
			Help:     "打开 newt 的页面，在那里分享。",
		},
	},
	{
		Code: "share-key",
		En: Message{
			Headline: "this key cannot delete this link",
			Why:      "A link can be deleted only with the key that its author received when it was created.",
			Help:     "Use that key, in the browser that created the link.",
		},
		Zh: Message{
			Headline: "这个密钥不能删除该链接",
			Why:      "只有创建链接时交给作者的那个密钥才能删除它。",
			Help:     "请使用当时的密钥，并在创建链接的浏览器中操作。",
		},
	},
	{
		Code: "share-rate",
		En: Message{
			Headline: "too many short links in a short time",
			Why:      "Each visitor may create a few short links a minute.",
			Help:     "Try again in {0} s; the long link needs no server and works at any time.",
		},
		Zh: Message{
			Headline: "生成链接过于频繁",
			Why:      "每位访客每分钟只能生成少量短链接。",
			Help:     "请在 {0} 秒后重试；长链接不需要服务器，随时可用。",
		},
	},
	{
		Code: "share-full",
		En: Message{
			Headline: "there is no space for more short links",
			Why:      "The storage for short links is full.",
			Help:     "Use the long link, and tell the administrator of this newt.",
		},
		Zh: Message{
			Headline: "没有空间存放更多短链接",
			Why:      "短链接的存储空间已满。",
			Help:     "改用长链接，并告知管理员。",
		},
	},
	{
		Code: "share-busy",
		En: Message{
			Headline: "the service for short links is slow right now",
			Why:      "The storage for short links did not answer in time.",
			Help:     "Try again in a moment, or use the long link.",
		},
		Zh: Message{
			Headline: "短链接服务暂时响应过慢",
			Why:      "短链接的存储没有及时响应。",
			Help:     "稍后重试，或者改用长链接。",
		},
	},
	{
		Code: "share-unavailable",
		En: Message{
			Headline: "the service for short links is unavailable right now",
			Why:      "The storage for short links cannot be read or written.",
			Help:     "Use the long link, and tell the administrator of this newt.",
		},
		Zh: Message{
			Headline: "短链接服务暂时不可用",
			Why:      "短链接的存储无法读写。",
			Help:     "改用长链接，并告知管理员。",
		},
	},
	{
		Code: "share-request",
		En: Message{
			Headline: "the request was incomplete",
			Why:      "The connection ended or was too slow before the whole link was received.",
			Help:     "Try again, or use the long link.",
		},
		Zh: Message{
			Headline: "请求没有完整送达",
			Why:      "链接内容传完之前，连接就断开了或者太慢。",
			Help:     "重试一次，或者改用长链接。",
		},
	},
	{
		Code: "share-method",
		En: Message{
			Headline: "`{0}` is not supported here",
			Why:      "This address supports {1}.",
			Help:     "Use one of those.",
		},
		Zh: Message{
			Headline: "这里不支持 `{0}`",
			Why:      "这个地址只支持 {1}。",
			Help:     "请使用其中之一。",
		},
	},
}

var sharePhrases = []Phrase{
	{"share.open", "Open in newt", "在 newt 中打开"},
	{"share.kernel", "A Triton kernel", "一个 Triton kernel"},
	{"share.puzzle", "Puzzle {0}: {1}", "第 {0} 题：{1}"},
	{"share.description", "Read, change and run it in the browser: no GPU, no install.", "在浏览器里阅读、修改、运行，不需要 GPU，也不用安装。"},
}
