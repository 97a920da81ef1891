package doctor

import (
	"context"
	"errors"
	"strings"

	"github.com/newtlab/newt/runner/gpu/wire"
)

// checkWorker starts the GPU worker without a request: it creates a context, sends its greeting, and exits.
func checkWorker(ctx context.Context, s System, o Options) Finding {
	_, _, loaded := driver(s)
	switch {
	case !loaded && !wsl(s):
		return Finding{}
	case o.Worker == "":
		return Finding{State: Warn,
			Says: localized(
				"The program newt-cuda, which drives the GPU, is neither in the folder of newt nor on the PATH.",
				"驱动 GPU 的程序 newt-cuda 既不在 newt 所在的文件夹，也不在 PATH 上。"),
			Do: localized(
				"Put newt-cuda into the folder of newt; in a checkout, `make cuda` builds it.",
				"请把 newt-cuda 放到 newt 所在的文件夹；在源码目录中可用 `make cuda` 编译。")}
	}
	name, err := greeting(ctx, s, o.Worker)
	if err != nil {
		return Finding{State: Warn,
			Says: localized("newt-cuda cannot use the GPU: %s", "newt-cuda 无法使用 GPU：%s", cut(printable(err.Error()))),
			Do: localized(
				"Fix the problems above first; then check that %s has the same version as newt.",
				"请先处理上面的问题，再确认 %s 与 newt 版本一致。", printable(o.Worker))}
	}
	return Finding{State: OK, Says: localized("newt-cuda can use the %s.", "newt-cuda 可以使用 %s。", cut(printable(name)))}
}

// greeting starts a worker and returns the name of the GPU in its greeting.
func greeting(ctx context.Context, s System, worker string) (gpu string, err error) {
	output, failed := s.Exec(ctx, worker, "0")
	m, err := wire.Receive(strings.NewReader(output))
	switch {
	case err == nil && m.Kind == wire.Failed:
		return "", errors.New(string(m.Blob(0)))
	case err != nil && failed != nil:
		return "", errors.New(output + " (" + failed.Error() + ")")
	case err != nil:
		return "", err
	}
	info, err := wire.ParseInfo(m)
	if err == nil && info.Version != wire.Version {
		err = errors.New("its version differs from newt's")
	}
	return info.Name, err
}
