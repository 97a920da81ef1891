package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func checkPage(_ context.Context, _ System, o Options) Finding {
	if o.Page {
		return Finding{State: OK, Says: localized(
			"The page of the playground is built into this program.",
			"网页已经内置在这个程序里。")}
	}
	return Finding{State: Lack,
		Says: localized(
			"The page of the playground was not built into this program, so there is nothing to serve.",
			"这个程序没有内置网页，无法提供服务。"),
		Do: localized(
			"Use a release, or run `make build` and build newt again.",
			"请使用发布版，或者先运行 `make build`，再重新编译 newt。")}
}

func checkAddress(ctx context.Context, s System, o Options) Finding {
	host, port, err := net.SplitHostPort(o.Addr)
	if n, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil || n == 0 {
		return Finding{State: Lack,
			Says: localized("%q is not an address that newt can listen on.", "%q 不是 newt 可以监听的地址。", o.Addr),
			Do: localized(
				"Write HOST:PORT with a port from 1 to 65535, for example 127.0.0.1:8080.",
				"请写成“主机:端口”的形式，端口为 1 到 65535，例如 127.0.0.1:8080。")}
	}
	switch err := s.Listen(o.Addr); {
	case err == nil:
		return Finding{State: OK, Says: localized("newt can listen on %s.", "newt 可以监听 %s。", o.Addr)}
	case errors.Is(err, ErrTaken) && running(ctx, s, o.Addr):
		return Finding{State: OK, Says: localized(
			"newt is serving on %s already, and answers.",
			"newt 已经在 %s 上运行，应答正常。", o.Addr)}
	case errors.Is(err, ErrTaken):
		return Finding{State: Lack,
			Says: localized("Another program is listening on %s.", "%s 已被其他程序占用。", o.Addr),
			Do: localized(
				"Stop it (on Linux, `sudo ss -ltnp 'sport = :%[1]s'` shows it), "+
					"or choose another address with --addr.",
				"请停止该程序（在 Linux 上可用 `sudo ss -ltnp 'sport = :%[1]s'` 查看是谁），或者用 --addr 换一个地址。", port)}
	case errors.Is(err, fs.ErrPermission):
		return Finding{State: Lack,
			Says: localized(
				"This user may not listen on port %s: low ports are reserved for the system.",
				"当前用户无权监听端口 %s：低位端口保留给系统使用。", port),
			Do: localized(
				"Let newt listen on 127.0.0.1:8080 and put a proxy with TLS in front of it (infra/proxy).",
				"让 newt 监听 127.0.0.1:8080，并在前面放一个带 TLS 的代理（见 infra/proxy）。")}
	case errors.Is(err, ErrNoAddress):
		return Finding{State: Lack,
			Says: localized("%s is not an address of this machine.", "%s 不是本机的地址。", host),
			Do: localized(
				"Use 127.0.0.1 for this machine only, or an address that `ip addr` lists.",
				"只在本机使用时写 127.0.0.1，否则请从 `ip addr` 列出的地址中选择。")}
	}
	return Finding{State: Lack,
		Says: localized("The system does not allow newt to listen on %s.", "系统拒绝让 newt 监听 %s。", o.Addr),
		Do:   localized("Choose another address with --addr.", "请用 --addr 换一个地址。")}
}

// healthPath and healthy are the health check of a running newt. A test compares them with those of package server.
const (
	healthPath = "/healthz"
	healthy    = "ok\n"
)

// Answer checks whether a newt that listens on addr is healthy; its State is OK or Lack.
func Answer(ctx context.Context, s System, addr string) Finding {
	if running(ctx, s, addr) {
		return Finding{State: OK, Says: localized("newt at %s answers.", "%s 上的 newt 应答正常。", addr)}
	}
	return Finding{State: Lack, Says: localized("No newt answers at %s.", "%s 上没有 newt 应答。", addr)}
}

func running(ctx context.Context, s System, addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	body, err := s.Get(ctx, "http://"+net.JoinHostPort(host, port)+healthPath)
	return err == nil && strings.HasPrefix(body, healthy)
}

func checkReach(_ context.Context, _ System, o Options) Finding {
	host, _, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return Finding{}
	}
	if ip, err := netip.ParseAddr(host); host == "localhost" || err == nil && ip.IsLoopback() {
		return Finding{State: Note, Says: localized(
			"Only this machine can reach %s; others need a proxy (infra/proxy) or an SSH tunnel.",
			"只有本机能访问 %s；其他人要通过代理（见 infra/proxy）或 SSH 隧道访问。", o.Addr)}
	}
	return Finding{State: Warn,
		Says: localized(
			"Anyone who can reach this machine over the network can open newt at %s, without encryption.",
			"任何能连到这台机器的人都可以打开 %s 上的 newt，而且没有加密。", o.Addr),
		Do: localized(
			"Listen on 127.0.0.1 and put a proxy with TLS in front (infra/proxy); "+
				"browsers allow some features of the page only with https.",
			"请监听 127.0.0.1，并在前面放一个带 TLS 的代理（见 infra/proxy）；浏览器只在 https 下开放网页的部分功能。")}
}

// nearestExisting calls try for dir, or for its nearest parent that exists.
func nearestExisting(dir string, try func(string) error) (string, error) {
	for {
		err := try(dir)
		above := filepath.Dir(dir)
		if !errors.Is(err, fs.ErrNotExist) || above == dir {
			return dir, err
		}
		dir = above
	}
}

func checkData(_ context.Context, s System, o Options) Finding {
	do := localized(
		"Use --data to name a folder that the user who runs newt can write to.",
		"请用 --data 指定一个运行 newt 的用户可以写入的文件夹。")
	if o.Data == "" {
		return Finding{State: Lack, Says: localized(
			"This user has no home folder, so newt does not know where to store short links; "+
				"it serves the page without them.",
			"当前用户没有主目录，newt 不知道该把短链接存在哪里；网页可以照常提供，但没有短链接功能。"), Do: do}
	}
	dir, err := nearestExisting(o.Data, s.Write)
	switch {
	case err == nil && dir == o.Data:
		return Finding{State: OK, Says: localized(
			"newt can write to %s, where it stores short links.",
			"newt 可以写入 %s，短链接就存放在那里。", o.Data)}
	case err == nil:
		return Finding{State: OK, Says: localized(
			"newt can create the folder %s, where it stores short links.",
			"newt 可以创建文件夹 %s，用来存放短链接。", o.Data)}
	}
	return Finding{State: Lack, Says: localized(
		"newt cannot write to %s, where it stores short links; it serves the page without them.",
		"newt 无法写入存放短链接的 %s；网页可以照常提供，但没有短链接功能。", o.Data), Do: do}
}

// The memory and disk space that newt needs, and that it should have, in bytes. Short links take at most 4 GiB by
// default.
const (
	needSpace  = 64 << 20
	likeSpace  = 1 << 30
	needMemory = 64 << 20
	likeMemory = 256 << 20
)

func checkSpace(_ context.Context, s System, o Options) Finding {
	if o.Data == "" {
		return Finding{}
	}
	var free uint64
	dir, err := nearestExisting(o.Data, func(dir string) (err error) {
		free, err = s.Space(dir)
		return err
	})
	if err != nil {
		return Finding{State: Note, Says: localized(
			"The free space at %s cannot be determined.",
			"无法得知 %s 的剩余空间。", o.Data)}
	}
	f := Finding{State: grade(free, needSpace, likeSpace),
		Says: localized("The disk of %s has %s free.", "%s 所在的磁盘还剩 %s。", dir, size(free))}
	if f.State != OK {
		f.Do = localized(
			"Free some space, or name a folder on another disk with --data; %s is enough.",
			"请清理磁盘，或者用 --data 指定另一块磁盘上的文件夹；有 %s 就很宽裕。", size(likeSpace))
	}
	return f
}

func checkMemory(_ context.Context, s System, _ Options) Finding {
	free, limited, ok := availableMemory(s)
	if !ok {
		return Finding{State: Note, Says: localized(
			"The memory of this machine cannot be determined.",
			"无法得知这台机器的内存情况。")}
	}
	f := Finding{State: grade(free, needMemory, likeMemory), Says: localized(
		"%s of memory is available.",
		"可用内存 %s。", size(free))}
	if limited {
		f.Says = localized("newt's memory is limited to %s here.", "newt 在这里的内存上限是 %s。", size(free))
	}
	if f.State != OK {
		f.Do = localized(
			"Give newt %s: stop other programs, or raise the limit of its service or container.",
			"请给 newt 留出 %s：停止其他程序，或者调高服务、容器的内存上限。", size(likeMemory))
	}
	return f
}

func grade(have, need, like uint64) State {
	switch {
	case have < need:
		return Lack
	case have < like:
		return Warn
	}
	return OK
}

// availableMemory returns the memory that a new process can use: what is available, or the limit of its control group
// if that is lower.
func availableMemory(s System) (bytes uint64, limited, ok bool) {
	text, _ := fs.ReadFile(s, "proc/meminfo")
	for line := range strings.Lines(string(text)) {
		var kib uint64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kib); n == 1 {
			bytes, ok = kib<<10, true
		}
	}
	groups, _ := fs.ReadFile(s, "proc/self/cgroup")
	files := []string{"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"}
	for line := range strings.Lines(string(groups)) {
		if own, found := strings.CutPrefix(strings.TrimSpace(line), "0::/"); found {
			files = append(files, filepath.ToSlash(filepath.Join("sys/fs/cgroup", own, "memory.max")))
		}
	}
	for _, name := range files {
		text, _ := fs.ReadFile(s, name)
		limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && (!ok || limit < bytes) {
			bytes, limited, ok = limit, true, true
		}
	}
	return bytes, limited, ok
}

// The files that newt needs open at once: each visitor has a few connections while the page loads.
const (
	needFiles = 64
	likeFiles = 1024
)

func checkFiles(_ context.Context, s System, _ Options) Finding {
	limit, err := s.OpenFiles()
	if err != nil {
		return Finding{} // a system without such a limit
	}
	f := Finding{State: grade(limit, needFiles, likeFiles),
		Says: localized("newt can have %d files and connections open at once.", "newt 最多可以同时打开 %d 个文件和连接。", limit)}
	if f.State != OK {
		f.Do = localized(
			"Raise the limit to %[1]d or more: `ulimit -n %[1]d`, or LimitNOFILE in the service.",
			"请把上限提高到 %[1]d 以上：`ulimit -n %[1]d`，或者在服务文件里设置 LimitNOFILE。", likeFiles)
	}
	return f
}

// earliestClock is a time in the past: a clock before it is wrong. It is used by builds without a date.
var earliestClock = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// maxClockAhead is how far after the build date a clock is plausible.
const maxClockAhead = 50 * 365 * 24 * time.Hour

func checkClock(_ context.Context, s System, o Options) Finding {
	now, from := s.Now(), earliestClock
	if !o.Built.IsZero() {
		from = o.Built
	}
	// A commit's date may be some hours ahead.
	if now.Before(from.Add(-24*time.Hour)) || now.After(from.Add(maxClockAhead)) {
		return Finding{State: Lack,
			Says: localized(
				"The clock shows %s, which cannot be right.",
				"时钟显示 %s，这不可能是对的。", now.UTC().Format(time.DateTime+" UTC")),
			Do: localized(
				"Set it with `sudo timedatectl set-ntp true`. "+
					"With a wrong clock, certificates fail and short links expire at the wrong time.",
				"请校准时钟：`sudo timedatectl set-ntp true`。时钟不对会让证书失效，短链接也会在错误的时间过期。")}
	}
	return Finding{State: OK, Says: localized(
		"The clock shows %s, which is plausible.",
		"时钟显示 %s，看起来正常。", now.UTC().Format(time.DateTime+" UTC"))}
}

func checkSync(_ context.Context, s System, _ Options) Finding {
	synced, err := s.Synced()
	if _, stamp := fs.Stat(s, "run/systemd/timesync/synchronized"); stamp == nil {
		synced, err = true, nil
	}
	switch {
	case err != nil:
		return Finding{State: Note, Says: localized(
			"It cannot be determined here whether the clock is synchronized.",
			"在这里看不出时钟是否由时间服务校准。")}
	case synced:
		return Finding{State: OK, Says: localized("The clock is synchronized by a time service.", "时钟由时间服务自动校准。")}
	}
	return Finding{State: Warn,
		Says: localized("The clock is not synchronized, so it will drift.", "没有时间服务校准时钟，时间会逐渐漂移。"),
		Do: localized(
			"Run `sudo timedatectl set-ntp true`; in a container or a virtual machine, do it on the host.",
			"请运行 `sudo timedatectl set-ntp true`；如果在容器或虚拟机里，请在宿主机上设置。")}
}

func checkZone(_ context.Context, s System, _ Options) Finding {
	name, _ := s.Now().Zone()
	return Finding{State: Note, Says: localized(
		"The time zone is %s (UTC%s); the times in the log include it.",
		"时区是 %s（UTC%s）；日志里的时间会注明时区。", name, s.Now().Format("-07:00"))}
}

// size formats a number of bytes with at most three digits.
func size(n uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	value, unit := float64(n), 0
	for value >= 1000 && unit < len(units)-1 {
		value, unit = value/1024, unit+1
	}
	return fmt.Sprintf("%.3g %s", value, units[unit])
}
