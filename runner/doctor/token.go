package doctor

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/newtlab/newt/runner/endpoint"
)

// checkToken checks the token file of the runner.
func checkToken(_ context.Context, s System, o Options) Finding {
	if o.Token == "" {
		return Finding{}
	}
	fix := localized(
		"Create one: `(umask 077; openssl rand -hex 16 > %s)`.",
		"请生成一个：`(umask 077; openssl rand -hex 16 > %s)`。", printable(o.Token))
	name := strings.TrimPrefix(o.Token, "/")
	text, err := fs.ReadFile(s, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Finding{State: Lack, Says: localized(
			"There is no token file %s.",
			"令牌文件 %s 不存在。", printable(o.Token)), Do: fix}
	case err != nil:
		return Finding{State: Lack,
			Says: localized("This user cannot read the token file %s.", "当前用户无法读取令牌文件 %s。", printable(o.Token)),
			Do: localized(
				"Make the file readable for the user that newt runs as; "+
					"the service gets it through LoadCredential.",
				"请把文件交给运行 newt 的用户；服务则通过 LoadCredential 得到它。")}
	}
	if _, ok := endpoint.ParseToken(text); !ok {
		return Finding{State: Lack, Says: localized(
			"The token file %s has no valid token: "+
				"it needs at least %d characters, at least %d different ones, and no spaces.",
			"令牌文件 %s 中没有可用的令牌：至少 %d 个字符，其中至少 %d 种不同字符，不含空格。",
			printable(o.Token), endpoint.MinToken, endpoint.MinDifferent), Do: fix}
	}
	if info, err := fs.Stat(s, name); err == nil && s.OS() != "windows" && info.Mode().Perm()&0o077 != 0 {
		return Finding{State: Warn,
			Says: localized(
				"Other users of this machine can read the token file %s.",
				"这台机器的其他用户也能读取令牌文件 %s。", printable(o.Token)),
			Do: localized("Run `chmod 600 %s`.", "请运行 `chmod 600 %s`。", printable(o.Token))}
	}
	return Finding{State: OK, Says: localized("The token file %s is valid.", "令牌文件 %s 没有问题。", printable(o.Token))}
}
