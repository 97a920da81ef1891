package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// oldDriver is the oldest driver branch that newt's GPU support is tested with: 550 is CUDA 12.4's, against
// whose headers newt-cuda is built. It reads PTX 8.4, and newt writes 8.1 at most. CUDA's release
// notes, table 3; PTX ISA, release history.
const oldDriver = 550

func checkCard(_ context.Context, s System, _ Options) Finding {
	names, cards := cardNames(s), pciCards(s)
	switch {
	case len(names) > 0:
		return Finding{State: OK, Says: localized("NVIDIA cards: %s.", "NVIDIA 显卡：%s。", strings.Join(names, ", "))}
	case cards > 0:
		return Finding{State: Note, Says: localized("NVIDIA cards on the bus: %d.", "总线上的 NVIDIA 显卡数量：%d。", cards)}
	case wsl(s):
		return Finding{}
	}
	return Finding{State: Note, Says: localized(
		"No NVIDIA card was found. newt works without one.",
		"没有找到 NVIDIA 显卡。没有显卡 newt 也能正常使用。")}
}

// cardNames returns the names of the GPUs that the driver manages.
func cardNames(s System) []string {
	count, order := map[string]int{}, []string(nil)
	files, _ := fs.Glob(s, "proc/driver/nvidia/gpus/*/information")
	for _, file := range files {
		text, _ := fs.ReadFile(s, file)
		for line := range strings.Lines(string(text)) {
			if name, ok := strings.CutPrefix(line, "Model:"); ok {
				name = printable(name)
				if count[name]++; count[name] == 1 {
					order = append(order, name)
				}
			}
		}
	}
	for i, name := range order {
		if n := count[name]; n > 1 {
			order[i] = fmt.Sprintf("%d × %s", n, name)
		}
	}
	return order
}

// pciCards counts NVIDIA's display controllers on the PCI bus: vendor 10de, class 03.
func pciCards(s System) int {
	vendors, _ := fs.Glob(s, "sys/bus/pci/devices/*/vendor")
	return len(slices.DeleteFunc(vendors, func(file string) bool {
		vendor, _ := fs.ReadFile(s, file)
		class, _ := fs.ReadFile(s, strings.TrimSuffix(file, "vendor")+"class")
		return strings.TrimSpace(string(vendor)) != "0x10de" || !strings.HasPrefix(string(class), "0x03")
	}))
}

// wsl reports whether this is WSL 2, which uses the driver of Windows.
func wsl(s System) bool {
	_, err := fs.Stat(s, "dev/dxg")
	return err == nil
}

var driverVersion = regexp.MustCompile(`Kernel Module\b.*?\s(\d{2,4})((?:\.\d+)+)`)

// driver returns the version of the kernel's NVIDIA driver, such as "550.54.15", its branch, 550, and whether it is
// loaded. A version that cannot be read is "".
func driver(s System) (version string, line int, loaded bool) {
	text, err := fs.ReadFile(s, "proc/driver/nvidia/version")
	if err != nil {
		return "", 0, false
	}
	m := driverVersion.FindStringSubmatch(string(text))
	if m == nil {
		return "", 0, true
	}
	line, _ = strconv.Atoi(m[1]) // two to four digits
	return m[1] + m[2], line, true
}

func checkDriver(_ context.Context, s System, _ Options) Finding {
	version, line, loaded := driver(s)
	_, nouveau := fs.Stat(s, "sys/module/nouveau")
	switch {
	case loaded && version == "":
		return Finding{State: Note, Says: localized(
			"An NVIDIA driver is loaded, but its version cannot be read.",
			"NVIDIA 驱动已加载，但读不出版本号。")}
	case loaded && line < oldDriver:
		return Finding{State: Warn,
			Says: localized(
				"The NVIDIA driver is %s, older than %d (CUDA 12.4), which newt is built for.",
				"NVIDIA 驱动版本是 %s，低于 %d（CUDA 12.4），而 newt 是按后者编译的。", version, oldDriver),
			Do: localized("Update the driver before you run kernels on the GPU.", "在 GPU 上运行 kernel 之前，请升级驱动。")}
	case loaded:
		return Finding{State: OK, Says: localized("The NVIDIA driver %s is loaded.", "已加载 NVIDIA 驱动 %s。", version)}
	case wsl(s):
		return Finding{State: Note, Says: localized(
			"This is Linux on Windows (WSL): the NVIDIA driver, if any, is the one of Windows.",
			"这是 Windows 里的 Linux（WSL）：如果有 NVIDIA 驱动，用的是 Windows 的驱动。")}
	case pciCards(s) == 0:
		return Finding{}
	case nouveau == nil:
		return Finding{State: Warn,
			Says: localized(
				"The nouveau driver uses the card, so NVIDIA's own driver is not loaded.",
				"显卡正由 nouveau 驱动占用，NVIDIA 官方驱动没有加载。"),
			Do: localized(
				"On Ubuntu: `sudo ubuntu-drivers install`, then restart.",
				"在 Ubuntu 上运行 `sudo ubuntu-drivers install`，然后重启。")}
	}
	return Finding{State: Warn,
		Says: localized("There is an NVIDIA card, but its driver is not loaded.", "有 NVIDIA 显卡，但驱动没有加载。"),
		Do: localized(
			"On Ubuntu: `sudo ubuntu-drivers install`, then restart. "+
				"If it is installed, `sudo modprobe nvidia` shows why it does not load; "+
				"Secure Boot may prevent it.",
			"在 Ubuntu 上运行 `sudo ubuntu-drivers install`，然后重启。"+
				"如果已经安装，`sudo modprobe nvidia` 会说明为什么没有加载；也可能是被安全启动（Secure Boot）拒绝。")}
}

func checkDevices(_ context.Context, s System, _ Options) Finding {
	if _, _, loaded := driver(s); !loaded {
		return Finding{}
	}
	nodes, cards, complete := deviceNodes(s)
	switch {
	case !complete && inContainer(s):
		return Finding{State: Warn,
			Says: localized(
				"The driver is loaded on the host, but its devices are not available in this container.",
				"宿主机已加载驱动，但这个容器里没有显卡设备。"),
			Do: localized(
				"Install the NVIDIA Container Toolkit on the host, and start the container with `--gpus all`.",
				"请在宿主机上安装 NVIDIA Container Toolkit，并用 `--gpus all` 启动容器。")}
	case !complete:
		return Finding{State: Warn,
			Says: localized(
				"The driver is loaded, but devices such as /dev/nvidia0 and /dev/nvidia-uvm are missing.",
				"驱动已加载，但缺少 /dev/nvidia0、/dev/nvidia-uvm 之类的设备文件。"),
			Do: localized(
				"Run `sudo nvidia-modprobe -c 0 -u`. "+
					"If newt runs as a service with PrivateDevices=yes, that setting hides them.",
				"请运行 `sudo nvidia-modprobe -c 0 -u`。如果 newt 是以 PrivateDevices=yes 的服务运行的，设备就是被它隐藏的。")}
	}
	for _, node := range nodes {
		if err := s.Use("/" + node); err != nil {
			return openFailure(s, "/"+node, err)
		}
	}
	return Finding{State: OK, Says: localized(
		"This user may open the GPU devices; cards: %d.",
		"当前用户可以打开 GPU 设备；显卡数量：%d。", cards)}
}

// deviceNodes returns the device files: one for each GPU, and two for the driver. complete says that all exist, with at
// least one GPU.
func deviceNodes(s System) (nodes []string, cards int, complete bool) {
	found, _ := fs.Glob(s, "dev/nvidia[0-9]*")
	nodes = append([]string{"dev/nvidiactl", "dev/nvidia-uvm"}, found...)
	complete = len(found) > 0
	for _, node := range nodes {
		_, err := fs.Stat(s, node)
		complete = complete && err == nil
	}
	return nodes, len(found), complete
}

// inContainer reports whether this process runs in a container, by the files that container engines and systemd create.
func inContainer(s System) bool {
	marks := []string{".dockerenv", "run/.containerenv", "run/systemd/container"}
	return slices.ContainsFunc(marks, func(mark string) bool {
		_, err := fs.Stat(s, mark)
		return err == nil
	})
}

// openFailure explains why an existing device file cannot be opened.
func openFailure(s System, node string, err error) Finding {
	f := Finding{State: Warn, Says: localized("This user may not open %s.", "当前用户无权打开 %s。", node)}
	switch group := s.Group(node); {
	case errors.Is(err, syscall.EPERM):
		f.Says = localized(
			"The system denies this process access to %s, whichever user runs it.",
			"系统禁止这个进程访问 %s，换用户也一样。", node)
		f.Do = localized(
			"Allow the device: `--gpus all` for a container, DeviceAllow for a service, "+
				"a GPU request for a batch system.",
			"请放行该设备：容器用 `--gpus all`，服务用 DeviceAllow，作业调度系统则要申请 GPU。")
	case errors.Is(err, fs.ErrPermission) && group != "" && group != "root":
		f.Do = localized(
			"Put the user into the group %[1]s: `sudo usermod -aG %[1]s USER`, then log in again.",
			"请把用户加入 %[1]s 组：`sudo usermod -aG %[1]s 用户名`，然后重新登录。", group)
	case errors.Is(err, fs.ErrPermission):
		f.Do = localized(
			"These permissions are set by the driver (NVreg_DeviceFileMode of the module nvidia, "+
				"0666 by default) or by a udev rule.",
			"这些权限由驱动设定：nvidia 模块的 NVreg_DeviceFileMode，默认是 0666；也可能由 udev 规则设定。")
	default:
		f.Says = localized("%s exists, but cannot be opened.", "%s 存在，但无法打开。", node)
		f.Do = localized(
			"See the messages of the driver: `sudo dmesg | grep NVRM`.",
			"请查看驱动的日志：`sudo dmesg | grep NVRM`。")
	}
	return f
}

// libraryFolders are searched for libcuda.so.1 if the linker's cache does not list it.
var libraryFolders = []string{"usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu", "usr/lib64", "usr/lib", "usr/local/nvidia/lib64", "usr/lib/wsl/lib"}

func checkLibrary(_ context.Context, s System, _ Options) Finding {
	if _, _, loaded := driver(s); !loaded && !wsl(s) {
		return Finding{}
	}
	for _, folder := range libraryFolders {
		if _, err := fs.Stat(s, folder+"/libcuda.so.1"); err == nil {
			return Finding{State: OK, Says: localized(
				"The driver's library libcuda.so.1 is in /%s.",
				"驱动的库 libcuda.so.1 位于 /%s。", folder)}
		}
	}
	if list, _ := fs.ReadFile(s, "etc/ld.so.cache"); strings.Contains(string(list), "libcuda.so.1\x00") {
		return Finding{State: OK, Says: localized(
			"The linker finds the driver's library libcuda.so.1.",
			"链接器能找到驱动的库 libcuda.so.1。")}
	}
	return Finding{State: Warn,
		Says: localized("The driver is loaded, but its library libcuda.so.1 is missing.", "驱动已加载，但缺少它的库 libcuda.so.1。"),
		Do: localized(
			"Install the driver's compute package (on Ubuntu, libnvidia-compute of the same version); "+
				"a container gets it from the NVIDIA Container Toolkit.",
			"请安装驱动的计算组件（Ubuntu 上是同版本的 libnvidia-compute）；容器里的由 NVIDIA Container Toolkit 提供。")}
}

func checkSMI(ctx context.Context, s System, _ Options) Finding {
	// nvidia-smi would create missing device files, and doctor must not change the machine.
	if _, _, complete := deviceNodes(s); !complete && !wsl(s) {
		return Finding{}
	}
	programs := []string{"nvidia-smi", "/usr/local/nvidia/bin/nvidia-smi", "/usr/lib/wsl/lib/nvidia-smi"}
	output, err := runFirst(ctx, s, programs,
		"--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
	switch {
	case missing(err):
		return Finding{State: Note, Says: localized(
			"nvidia-smi is not installed; newt does not need it.",
			"没有安装 nvidia-smi；newt 不需要它。")}
	case err != nil && strings.Contains(output, "version mismatch"):
		return Finding{State: Warn,
			Says: localized(
				"nvidia-smi reports that the driver and its library differ in version: "+
					"an update was installed and the old driver is still loaded.",
				"nvidia-smi 提示驱动与库的版本不一致：安装了新版本，但旧驱动仍在运行。"),
			Do: localized("Restart the machine.", "请重启机器。")}
	case err != nil:
		return Finding{State: Warn,
			Says: localized("nvidia-smi fails: %s", "nvidia-smi 运行失败：%s", cut(printable(output))),
			Do: localized(
				"Fix the problems above first; then run nvidia-smi as root.",
				"请先处理上面的问题，再以 root 身份运行 nvidia-smi。")}
	}
	return Finding{State: OK, Says: localized("nvidia-smi sees %s.", "nvidia-smi 看到：%s。", cut(printable(output)))}
}

var toolkitRelease = regexp.MustCompile(`release (\d+\.\d+)`)

func checkToolkit(ctx context.Context, s System, _ Options) Finding {
	output, err := runFirst(ctx, s, []string{"nvcc", "/usr/local/cuda/bin/nvcc"}, "--version")
	if m := toolkitRelease.FindStringSubmatch(output); err == nil && m != nil {
		return Finding{State: Note, Says: localized(
			"The CUDA toolkit %s is installed; newt does not use it.",
			"已安装 CUDA 工具包 %s；newt 不使用它。", m[1])}
	}
	if _, _, loaded := driver(s); !loaded {
		return Finding{}
	}
	return Finding{State: Note, Says: localized(
		"There is no CUDA toolkit; newt does not need one.",
		"没有安装 CUDA 工具包，newt 也不需要。")}
}

// runFirst runs the first of the programs that exists.
func runFirst(ctx context.Context, s System, programs []string, args ...string) (output string, err error) {
	for _, p := range programs {
		if output, err = s.Exec(ctx, p, args...); !missing(err) {
			break
		}
	}
	return output, err
}

func missing(err error) bool {
	return errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
}

// printable removes control characters other than line feeds.
func printable(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || strconv.IsPrint(r) {
			return r
		}
		return -1
	}, strings.ReplaceAll(text, "\t", " ")))
}

// cut shortens a text to the length of a sentence.
func cut(text string) string {
	const most = 300
	runes := []rune(strings.ReplaceAll(text, "\n", "; "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
