package doctor

import (
	"context"
	"strings"
	"time"

	"github.com/newtlab/newt/runner/fleet"
)

// slowRoundTrip is the time for a question and an answer of NATS beyond which small jobs mostly wait: each takes four.
const slowRoundTrip = 20 * time.Millisecond

// checkNATS checks the NATS servers of a fleet.
func checkNATS(ctx context.Context, _ System, o Options) Finding {
	if o.NATS == nil {
		return Finding{}
	}
	h := o.NATS(ctx)
	if f, ok := natsFindings[h.Problem]; ok {
		if h.Detail != "" {
			f.Says = localized(strings.TrimSuffix(f.Says.En, ".")+" (%s).", strings.TrimSuffix(f.Says.Zh, "。")+"（%s）。",
				printable(h.Detail))
		}
		if h.Streams != nil {
			const edit, times = "`nats stream edit ", " --replicas 3`"
			f.Do = localized("Make it replicated: %s.", "请增加副本：%s。",
				edit+strings.Join(h.Streams, times+", "+edit)+times)
		}
		return f
	}
	took := h.RoundTrip.Round(10 * time.Microsecond).String()
	if h.RoundTrip > slowRoundTrip {
		return Finding{State: Warn,
			Says: localized("The NATS servers answer in %s.", "NATS 服务器的响应时间是 %s。", took),
			Do: localized("Each job waits for about four answers: put a NATS server near the workers.",
				"每个任务大约要等待四次响应：请把 NATS 服务器放在离工作节点更近的地方。")}
	}
	return Finding{State: OK, Says: localized(
		"The NATS servers answer in %s, and have JetStream.",
		"NATS 服务器的响应时间是 %s，并启用了 JetStream。", took)}
}

// natsFindings are what the problems of NATS servers mean.
var natsFindings = map[fleet.Problem]Finding{
	fleet.Unreachable: {State: Lack,
		Says: Words{"The NATS servers cannot be reached.", "无法连接 NATS 服务器。"},
		Do: Words{"Check the address, that the server runs, and that a firewall lets this machine connect to it.",
			"请检查地址、服务器是否在运行，以及防火墙是否允许本机连接。"}},
	fleet.Unauthorized: {State: Lack,
		Says: Words{"The NATS servers refuse the credentials.", "NATS 服务器拒绝了凭据。"},
		Do: Words{"Compare the line of --nats-credentials with that of the server.",
			"请把 --nats-credentials 中的那一行与服务器上的核对。"}},
	fleet.Untrusted: {State: Lack,
		Says: Words{"The certificate of the NATS servers is of an authority that is not known here.",
			"NATS 服务器的证书由本机不认识的机构签发。"},
		Do: Words{"Name the file with the authority: `--nats-ca FILE`.", "请指定该机构的证书文件：`--nats-ca 文件`。"}},
	fleet.NoJetStream: {State: Lack,
		Says: Words{"The NATS servers have no JetStream for this account.", "NATS 服务器没有为这个账户启用 JetStream。"},
		Do: Words{"Start them with JetStream, and allow it for the account.",
			"请启用 JetStream，并允许这个账户使用。"}},
	fleet.SmallMessages: {State: Warn,
		Says: Words{"The NATS servers take small messages only, so large tensors take many of them.",
			"NATS 服务器只接受很小的消息，较大的张量要分成许多条。"},
		Do: Words{"Set max_payload to 1MB or more.", "请把 max_payload 设为 1MB 或更大。"}},
	fleet.NotReplicated: {State: Warn,
		Says: Words{"There are several NATS servers, but some of what newt keeps there is not on three of them.",
			"NATS 服务器有多台，但 newt 的部分数据没有保存在其中三台上。"}},
}
