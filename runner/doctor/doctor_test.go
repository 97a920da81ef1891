package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/fleet"
	"github.com/newtlab/newt/runner/gpu/wire"
	"github.com/newtlab/newt/runner/server"
)

// fake is a machine made up by a test.
type fake struct {
	Files
	os       string
	programs map[string]string // output by name; one that starts with "!" exits with a failure
	listen   error
	body     string // what answers at the address; "" is nobody
	use      map[string]error
	group    string
	write    map[string]error
	free     uint64
	freeErr  error
	files    uint64
	filesErr error
	now      time.Time
	synced   bool
	syncErr  error
}

func (f *fake) OS() string { return f.os }
func (f *fake) Exec(_ context.Context, name string, _ ...string) (string, error) {
	output, ok := f.programs[name]
	if !ok {
		return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
	}
	if failed, bad := strings.CutPrefix(output, "!"); bad {
		return failed, errors.New("exit status 9")
	}
	return output, nil
}
func (f *fake) Listen(string) error { return f.listen }
func (f *fake) Get(_ context.Context, url string) (string, error) {
	if f.body == "" || !strings.HasSuffix(url, ":8080"+server.HealthPath) {
		return "", errors.New("refused")
	}
	return f.body, nil
}
func (f *fake) Use(device string) error      { return f.use[device] }
func (f *fake) Group(string) string          { return f.group }
func (f *fake) Write(dir string) error       { return f.write[dir] }
func (f *fake) Space(string) (uint64, error) { return f.free, f.freeErr }
func (f *fake) OpenFiles() (uint64, error)   { return f.files, f.filesErr }
func (f *fake) Now() time.Time               { return f.now }
func (f *fake) Synced() (bool, error)        { return f.synced, f.syncErr }

const (
	proprietary = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue Mar  5 22:23:56 UTC 2024\nGCC version:  gcc version 12.3.0\n"
	open        = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build  (dvs-builder@U22-I3)\n"
	old         = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.256.02  Thu May  2 14:37:44 UTC 2024\n"
)

// gpuFiles are those of a machine with two cards whose driver says version.
func gpuFiles(version string) fstest.MapFS {
	m := fstest.MapFS{"proc/meminfo": {Data: []byte("MemTotal: 9 kB\nMemAvailable:   8388608 kB\n")}}
	for name, text := range map[string]string{
		"proc/driver/nvidia/version":                       version,
		"proc/driver/nvidia/gpus/0000:01:00.0/information": "Model: \t\t NVIDIA H200\nIRQ: 5\n",
		"proc/driver/nvidia/gpus/0000:02:00.0/information": "Model: \t\t NVIDIA H200\nIRQ: 6\n",
		"dev/nvidiactl": "", "dev/nvidia-uvm": "", "dev/nvidia0": "", "dev/nvidia1": "",
		"usr/lib/x86_64-linux-gnu/libcuda.so.1": "",
	} {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

// sound is a machine that lacks nothing, with a change.
func sound(change func(*fake, fstest.MapFS, *Options)) (*fake, Options) {
	files := gpuFiles(proprietary)
	f := &fake{
		Files: files, os: "linux", free: 100 << 30, files: 1 << 20, synced: true,
		now:      time.Date(2026, 12, 24, 18, 0, 0, 0, time.FixedZone("CST", 8*3600)),
		programs: map[string]string{"nvidia-smi": "NVIDIA H200, 143771 MiB, 550.54.15\n", "/usr/local/cuda/bin/nvcc": "Cuda compilation tools, release 12.4, V12.4.131\n"},
	}
	o := Options{Addr: "127.0.0.1:8080", Data: "/home/me/.local/share/newt", Page: true}
	worker(f, &o, wire.Info{Version: wire.Version, Name: "NVIDIA H200"}.Message())
	change(f, files, &o)
	return f, o
}

func remove(m fstest.MapFS, prefix string) {
	for name := range m {
		if strings.HasPrefix(name, prefix) {
			delete(m, name)
		}
	}
}

func file(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }

// machines are changes to a sound machine, and what the check that sees them says.
var machines = []struct {
	name   string
	change func(*fake, fstest.MapFS, *Options)
	check  string
	state  State // "" where the check keeps quiet
	says   string
	do     string
}{
	{"no page", func(_ *fake, _ fstest.MapFS, o *Options) { o.Page = false }, "page", Lack, "not built into", "make build"},
	{"address free", func(*fake, fstest.MapFS, *Options) {}, "address", OK, "127.0.0.1:8080", ""},
	{"port taken", func(f *fake, _ fstest.MapFS, _ *Options) { f.listen = ErrTaken }, "address", Lack, "Another program", "sport = :8080"},
	{"port taken by another server", func(f *fake, _ fstest.MapFS, _ *Options) { f.listen, f.body = ErrTaken, "<html>ok\n" }, "address", Lack, "Another program", "ss -ltnp"},
	{"port taken by newt", func(f *fake, _ fstest.MapFS, _ *Options) { f.listen, f.body = ErrTaken, server.Healthy }, "address", OK, "already", ""},
	{"low port", func(f *fake, _ fstest.MapFS, o *Options) { f.listen, o.Addr = syscall.EACCES, "127.0.0.1:80" }, "address", Lack, "port 80", "proxy"},
	{"foreign address", func(f *fake, _ fstest.MapFS, o *Options) { f.listen, o.Addr = ErrNoAddress, "192.0.2.1:8080" }, "address", Lack, "192.0.2.1 is not", "ip addr"},
	{"no port", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = "localhost" }, "address", Lack, "not an address", "HOST:PORT"},
	{"port 0", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = ":0" }, "address", Lack, "not an address", "HOST:PORT"},
	{"port too high", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = ":65536" }, "address", Lack, "not an address", "HOST:PORT"},
	{"other trouble", func(f *fake, _ fstest.MapFS, _ *Options) { f.listen = errors.New("odd") }, "address", Lack, "does not allow", "--addr"},
	{"no address, no reach", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = "localhost" }, "reach", "", "", ""},
	{"loopback", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = "[::1]:8080" }, "reach", Note, "Only this machine", ""},
	{"every address", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = ":8080" }, "reach", Warn, "without encryption", "TLS"},
	{"a name", func(_ *fake, _ fstest.MapFS, o *Options) { o.Addr = "lab.example:8080" }, "reach", Warn, "without encryption", "TLS"},

	{"data", func(*fake, fstest.MapFS, *Options) {}, "data", OK, "can write", ""},
	{"data not there yet", func(f *fake, _ fstest.MapFS, o *Options) {
		f.write = map[string]error{o.Data: fs.ErrNotExist, "/home/me/.local/share": fs.ErrNotExist}
	}, "data", OK, "can create", ""},
	{"data denied", func(f *fake, _ fstest.MapFS, o *Options) {
		f.write = map[string]error{o.Data: fs.ErrNotExist, "/home/me/.local/share": fs.ErrPermission}
	}, "data", Lack, "cannot write", "--data"},
	{"no file system at all", func(f *fake, _ fstest.MapFS, o *Options) {
		o.Data, f.write = "/", map[string]error{"/": fs.ErrNotExist}
	}, "data", Lack, "cannot write", "--data"},
	{"no home", func(_ *fake, _ fstest.MapFS, o *Options) { o.Data = "" }, "data", Lack, "no home", "--data"},
	{"no home, no space", func(_ *fake, _ fstest.MapFS, o *Options) { o.Data = "" }, "space", "", "", ""},
	{"no token wanted", func(*fake, fstest.MapFS, *Options) {}, "token", "", "", ""},
	{"token", token(0o600, "0123456789abcdef\n"), "token", OK, "/home/me/token is valid", ""},
	{"no token file", func(_ *fake, _ fstest.MapFS, o *Options) { o.Token = "/home/me/token" }, "token", Lack, "no token file", "openssl rand"},
	{"token is a folder", token(fs.ModeDir|0o700, ""), "token", Lack, "cannot read", "LoadCredential"},
	{"short token", token(0o600, "0123456789abcde\n"), "token", Lack, "16 characters", "openssl rand"},
	{"two tokens", token(0o600, "0123456789abcdef\n0123456789abcdef\n"), "token", Lack, "has no valid token", "openssl rand"},
	{"token for everyone", token(0o644, "0123456789abcdef\n"), "token", Warn, "Other users", "chmod 600 /home/me/token"},
	{"token on Windows", func(f *fake, m fstest.MapFS, o *Options) {
		token(0o666, "0123456789abcdef")(f, m, o)
		f.os = "windows"
	}, "token", OK, "is valid", ""},
	{"space", func(*fake, fstest.MapFS, *Options) {}, "space", OK, "100 GiB", ""},
	{"disk nearly full", func(f *fake, _ fstest.MapFS, _ *Options) { f.free = 500 << 20 }, "space", Warn, "500 MiB", "1 GiB"},
	{"disk full", func(f *fake, _ fstest.MapFS, _ *Options) { f.free = 0 }, "space", Lack, "0 B", "Free some"},
	{"disk unseen", func(f *fake, _ fstest.MapFS, _ *Options) { f.freeErr = errUnknown }, "space", Note, "cannot be determined", ""},

	{"memory", func(*fake, fstest.MapFS, *Options) {}, "memory", OK, "8 GiB", ""},
	{"little memory", func(_ *fake, m fstest.MapFS, _ *Options) { m["proc/meminfo"] = file("MemAvailable: 102400 kB\n") }, "memory", Warn, "100 MiB", "256 MiB"},
	{"service's limit", func(_ *fake, m fstest.MapFS, _ *Options) {
		m["proc/self/cgroup"] = file("0::/system.slice/newt.service\n")
		m["sys/fs/cgroup/system.slice/newt.service/memory.max"] = file("33554432\n")
	}, "memory", Lack, "limited to 32 MiB", "limit"},
	{"container's limit", func(_ *fake, m fstest.MapFS, _ *Options) { m["sys/fs/cgroup/memory.max"] = file("536870912\n") }, "memory", OK, "limited to 512 MiB", ""},
	{"no limit", func(_ *fake, m fstest.MapFS, _ *Options) { m["sys/fs/cgroup/memory.max"] = file("max\n") }, "memory", OK, "8 GiB", ""},
	{"memory unseen", func(_ *fake, m fstest.MapFS, _ *Options) { m["proc/meminfo"] = file("nonsense") }, "memory", Note, "cannot be determined", ""},
	{"not Linux", func(f *fake, _ fstest.MapFS, _ *Options) { f.os = "darwin" }, "memory", "", "", ""},

	{"files", func(*fake, fstest.MapFS, *Options) {}, "files", OK, "1048576", ""},
	{"few files", func(f *fake, _ fstest.MapFS, _ *Options) { f.files = 256 }, "files", Warn, "256", "ulimit -n 1024"},
	{"hardly any files", func(f *fake, _ fstest.MapFS, _ *Options) { f.files = 20 }, "files", Lack, "20", "LimitNOFILE"},
	{"no such limit", func(f *fake, _ fstest.MapFS, _ *Options) { f.filesErr = errUnknown }, "files", "", "", ""},

	{"clock", func(*fake, fstest.MapFS, *Options) {}, "clock", OK, "2026-12-24 10:00:00 UTC", ""},
	{"clock at its start", func(f *fake, _ fstest.MapFS, _ *Options) { f.now = time.Unix(0, 0) }, "clock", Lack, "1970", "timedatectl"},
	{"clock before the build", func(f *fake, _ fstest.MapFS, o *Options) { o.Built = f.now.AddDate(0, 1, 0) }, "clock", Lack, "2026-12-24", "timedatectl"},
	{"clock far ahead", func(f *fake, _ fstest.MapFS, _ *Options) { f.now = f.now.AddDate(70, 0, 0) }, "clock", Lack, "2096", "timedatectl"},
	{"synced", func(*fake, fstest.MapFS, *Options) {}, "time-sync", OK, "synchronized by", ""},
	{"not synced", func(f *fake, _ fstest.MapFS, _ *Options) { f.synced = false }, "time-sync", Warn, "drift", "timedatectl"},
	{"sync forbidden", func(f *fake, _ fstest.MapFS, _ *Options) { f.syncErr = syscall.EPERM }, "time-sync", Note, "cannot be determined", ""},
	{"synced by the stamp", func(f *fake, m fstest.MapFS, _ *Options) {
		f.syncErr, m["run/systemd/timesync/synchronized"] = syscall.EPERM, file("")
	}, "time-sync", OK, "is synchronized", ""},
	{"zone", func(*fake, fstest.MapFS, *Options) {}, "time-zone", Note, "CST (UTC+08:00)", ""},

	{"cards", func(*fake, fstest.MapFS, *Options) {}, "card", OK, "2 × NVIDIA H200", ""},
	{"card without driver", noDriver, "card", Note, "on the bus: 1", ""},
	{"no card", noCard, "card", Note, "No NVIDIA card", ""},
	{"driver", func(*fake, fstest.MapFS, *Options) {}, "driver", OK, "550.54.15", ""},
	{"open driver", func(_ *fake, m fstest.MapFS, _ *Options) { m["proc/driver/nvidia/version"] = file(open) }, "driver", OK, "570.86.15", ""},
	{"old driver", func(_ *fake, m fstest.MapFS, _ *Options) { m["proc/driver/nvidia/version"] = file(old) }, "driver", Warn, "470.256.02", "Update the driver"},
	{"strange driver", func(_ *fake, m fstest.MapFS, _ *Options) { m["proc/driver/nvidia/version"] = file("?") }, "driver", Note, "cannot be read", ""},
	{"driver not loaded", noDriver, "driver", Warn, "not loaded", "modprobe"},
	{"nouveau", func(f *fake, m fstest.MapFS, o *Options) {
		noDriver(f, m, o)
		m["sys/module/nouveau/refcnt"] = file("1")
	}, "driver", Warn, "nouveau", "ubuntu-drivers"},
	{"no card, no driver", noCard, "driver", "", "", ""},
	{"WSL", inWSL, "driver", Note, "Windows", ""},
	{"WSL's card", inWSL, "card", "", "", ""},
	{"WSL's library", inWSL, "libcuda", OK, "/usr/lib/wsl/lib", ""},
	{"WSL's nvidia-smi", inWSL, "nvidia-smi", OK, "RTX", ""},

	{"devices", func(*fake, fstest.MapFS, *Options) {}, "devices", OK, "cards: 2", ""},
	{"no driver, no devices", noDriver, "devices", "", "", ""},
	{"devices not made", func(_ *fake, m fstest.MapFS, _ *Options) { remove(m, "dev/nvidia") }, "devices", Warn, "missing", "nvidia-modprobe"},
	{"no uvm", func(_ *fake, m fstest.MapFS, _ *Options) { remove(m, "dev/nvidia-uvm") }, "devices", Warn, "missing", "nvidia-modprobe"},
	{"container without devices", func(_ *fake, m fstest.MapFS, _ *Options) {
		remove(m, "dev/nvidia")
		m[".dockerenv"] = file("")
	}, "devices", Warn, "not available in this container", "--gpus all"},
	{"devices of a group", func(f *fake, _ fstest.MapFS, _ *Options) {
		f.use, f.group = map[string]error{"/dev/nvidia1": &fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}}, "video"
	}, "devices", Warn, "may not open /dev/nvidia1", "usermod -aG video"},
	{"devices of root", func(f *fake, _ fstest.MapFS, _ *Options) {
		f.use, f.group = map[string]error{"/dev/nvidiactl": syscall.EACCES}, "root"
	}, "devices", Warn, "may not open /dev/nvidiactl", "NVreg_DeviceFileMode"},
	{"devices behind a rule", func(f *fake, _ fstest.MapFS, _ *Options) { f.use = map[string]error{"/dev/nvidia0": syscall.EPERM} }, "devices", Warn, "denies this process", "--gpus all"},
	{"broken device", func(f *fake, _ fstest.MapFS, _ *Options) { f.use = map[string]error{"/dev/nvidia0": syscall.EIO} }, "devices", Warn, "cannot be opened", "dmesg"},

	{"libcuda", func(*fake, fstest.MapFS, *Options) {}, "libcuda", OK, "/usr/lib/x86_64-linux-gnu", ""},
	{"libcuda by the linker", func(_ *fake, m fstest.MapFS, _ *Options) {
		remove(m, "usr/")
		m["etc/ld.so.cache"] = file("x\x00libcuda.so.1\x00y")
	}, "libcuda", OK, "linker", ""},
	{"no libcuda", func(_ *fake, m fstest.MapFS, _ *Options) { remove(m, "usr/") }, "libcuda", Warn, "missing", "libnvidia-compute"},
	{"no driver, no libcuda", noDriver, "libcuda", "", "", ""},
	{"nvidia-smi", func(*fake, fstest.MapFS, *Options) {}, "nvidia-smi", OK, "NVIDIA H200, 143771 MiB, 550.54.15.", ""},
	{"no nvidia-smi", func(f *fake, _ fstest.MapFS, _ *Options) { f.programs = nil }, "nvidia-smi", Note, "not installed", ""},
	{"update without restart", func(f *fake, _ fstest.MapFS, _ *Options) {
		f.programs["nvidia-smi"] = "!Failed to initialize NVML: Driver/library version mismatch\n"
	}, "nvidia-smi", Warn, "differ in version", "Restart"},
	{"nvidia-smi fails", func(f *fake, _ fstest.MapFS, _ *Options) {
		f.programs["nvidia-smi"] = "!No devices\x1b[31m were found\nReally"
	}, "nvidia-smi", Warn, "fails: No devices[31m were found; Really", "as root"},
	{"nvidia-smi floods", func(f *fake, _ fstest.MapFS, _ *Options) { f.programs["nvidia-smi"] = strings.Repeat("card\n", 1000) }, "nvidia-smi", OK, "card; card; ", ""},
	{"no devices, so no nvidia-smi", func(_ *fake, m fstest.MapFS, _ *Options) { remove(m, "dev/nvidia-uvm") }, "nvidia-smi", "", "", ""},
	{"no driver, no nvidia-smi", noDriver, "nvidia-smi", "", "", ""},
	{"toolkit", func(*fake, fstest.MapFS, *Options) {}, "toolkit", Note, "12.4", ""},
	{"no toolkit", func(f *fake, _ fstest.MapFS, _ *Options) { f.programs = nil }, "toolkit", Note, "does not need one", ""},
	{"worker", func(f *fake, _ fstest.MapFS, o *Options) {
		worker(f, o, wire.Info{Version: wire.Version, Name: "Some GPU"}.Message())
	}, "worker", OK, "can use the Some GPU", ""},
	{"worker of another build", func(f *fake, _ fstest.MapFS, o *Options) { worker(f, o, wire.Info{Version: 99}.Message()) }, "worker", Warn, "version differs", "same version"},
	{"worker without a GPU", func(f *fake, _ fstest.MapFS, o *Options) {
		worker(f, o, &wire.Message{Kind: wire.Failed, Blobs: [][]byte{[]byte("there is no GPU 0")}})
	}, "worker", Warn, "there is no GPU 0", "problems above"},
	{"worker without a driver", func(f *fake, _ fstest.MapFS, o *Options) {
		o.Worker, f.programs["newt-cuda"] = "newt-cuda", "!error while loading shared libraries"
	}, "worker", Warn, "shared libraries (exit status 9)", "problems above"},
	{"no worker", func(_ *fake, _ fstest.MapFS, o *Options) { o.Worker = "" }, "worker", Warn, "neither in the folder", "make cuda"},
	{"no driver, no worker", noDriver, "worker", "", "", ""},
	{"no fleet", func(*fake, fstest.MapFS, *Options) {}, "nats", "", "", ""},
	{"NATS", servers(fleet.Health{RoundTrip: time.Millisecond}), "nats", OK, "answer in 1ms", ""},
	{"NATS far away", servers(fleet.Health{RoundTrip: time.Second}), "nats", Warn, "answer in 1s", "near the workers"},
	{"NATS unreachable", servers(fleet.Health{Problem: fleet.Unreachable, Detail: "no route\x1b[31m"}), "nats", Lack, "cannot be reached (no route[31m).", "firewall"},
	{"NATS refuses", servers(fleet.Health{Problem: fleet.Unauthorized}), "nats", Lack, "refuse the credentials", "--nats-credentials"},
	{"NATS without streams", servers(fleet.Health{Problem: fleet.NoJetStream}), "nats", Lack, "no JetStream", "Start them"},
	{"NATS with small messages", servers(fleet.Health{Problem: fleet.SmallMessages}), "nats", Warn, "small messages", "max_payload"},
	{"NATS on one server of three", servers(fleet.Health{Problem: fleet.NotReplicated, Streams: []string{"jobs", "KV_links"}}), "nats", Warn, "not on three of them", "`nats stream edit jobs --replicas 3`, `nats stream edit KV_links --replicas 3`"},
	{"no driver, no toolkit", func(f *fake, m fstest.MapFS, o *Options) { noDriver(f, m, o); f.programs = nil }, "toolkit", "", "", ""},
}

// token is a token file with a mode and a text.
func token(mode fs.FileMode, text string) func(*fake, fstest.MapFS, *Options) {
	return func(_ *fake, m fstest.MapFS, o *Options) {
		o.Token, m["home/me/token"] = "/home/me/token", &fstest.MapFile{Mode: mode, Data: []byte(text)}
	}
}

// servers are NATS servers of a fleet.
func servers(h fleet.Health) func(*fake, fstest.MapFS, *Options) {
	return func(_ *fake, _ fstest.MapFS, o *Options) { o.NATS = func(context.Context) fleet.Health { return h } }
}

// worker is a program that says m.
func worker(f *fake, o *Options, m *wire.Message) {
	var said strings.Builder
	m.Send(&said)
	o.Worker, f.programs["newt-cuda"] = "newt-cuda", said.String()
}

// noDriver leaves a card on the bus, and a sound card of another maker.
func noDriver(_ *fake, m fstest.MapFS, _ *Options) {
	remove(m, "proc/driver")
	remove(m, "dev/")
	for name, id := range map[string][2]string{"a": {"0x10de\n", "0x030200\n"}, "b": {"0x10de\n", "0x040300\n"}, "c": {"0x8086\n", "0x030000\n"}} {
		m["sys/bus/pci/devices/"+name+"/vendor"], m["sys/bus/pci/devices/"+name+"/class"] = file(id[0]), file(id[1])
	}
}

func noCard(f *fake, m fstest.MapFS, _ *Options) {
	remove(m, "proc/driver")
	remove(m, "dev/")
	f.programs = nil
}

func inWSL(f *fake, m fstest.MapFS, o *Options) {
	noCard(f, m, o)
	remove(m, "usr/")
	m["dev/dxg"], m["usr/lib/wsl/lib/libcuda.so.1"] = file(""), file("")
	f.programs = map[string]string{"/usr/lib/wsl/lib/nvidia-smi": "RTX"}
}

func TestChecks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range machines {
		t.Run(c.name, func(t *testing.T) {
			s, o := sound(c.change)
			report := Examine(t.Context(), s, o)
			i := slices.IndexFunc(report, func(f Finding) bool { return f.Check == c.check })
			if i < 0 {
				if c.state != "" {
					t.Fatalf("%s says nothing", c.check)
				}
				return
			}
			f := report[i]
			if f.State != c.state || !strings.Contains(f.Says.En, c.says) || !strings.Contains(f.Do.En, c.do) || (c.do == "") != (f.Do.En == "") {
				t.Errorf("%s: %s, do %q", f.State, f.Says.En, f.Do.En)
			}
			for _, f := range report {
				well(t, f.Says, true)
				well(t, f.Do, false)
			}
			if report.Healthy() == (f.State == Lack) {
				t.Errorf("healthy: %v", report.Healthy())
			}
		})
		seen[c.check] = true
	}
	for _, c := range checks {
		if !seen[c.name] {
			t.Errorf("no machine tests %s", c.name)
		}
	}
}

// well looks for what a mistake in a text leaves behind: a verb without its argument, a language
// that is not there, and a GPU finding that stops newt.
func well(t *testing.T, w Words, must bool) {
	t.Helper()
	if !must && w == (Words{}) {
		return
	}
	chinese := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	if w.En == "" || chinese(w.En) || !chinese(w.Zh) || strings.Contains(w.En+w.Zh, "%!") || len(w.En) > 600 {
		t.Errorf("bad words: %q / %q", w.En, w.Zh)
	}
}

func TestSoundMachine(t *testing.T) {
	s, o := sound(func(*fake, fstest.MapFS, *Options) {})
	for _, f := range Examine(t.Context(), s, o) {
		if f.State != OK && f.State != Note {
			t.Errorf("%s: %s %s", f.Check, f.State, f.Says.En)
		}
	}
}

func TestPrint(t *testing.T) {
	report := Report{
		{"page", Serving, OK, localized("Here.", "有。"), Words{}},
		{"space", Serving, Lack, localized("Full.", "满。"), localized("Clean.", "清。")},
		{"driver", GPU, Warn, localized("Old.", "旧。"), localized("New.", "新。")},
	}
	for lang, want := range map[diag.Lang]string{
		diag.English: titles[0].words.En + "\n  ok    Here.\n  LACK  Full.\n        → Clean.\n\n" + titles[1].words.En + "\n  WARN  Old.\n        → New.\n\n" + verdicts[false].En + "\n",
		diag.Chinese: titles[0].words.Zh + "\n  正常  有。\n  缺少  满。\n        → 清。\n\n" + titles[1].words.Zh + "\n  注意  旧。\n        → 新。\n\n" + verdicts[false].Zh + "\n",
	} {
		var b bytes.Buffer
		if report.Print(&b, lang); b.String() != want {
			t.Errorf("got %s\nwant %s", b.String(), want)
		}
	}
	got, err := json.Marshal(report.JSON(diag.English))
	want := `{"healthy":false,"findings":[{"check":"page","area":"serving","state":"ok","says":"Here."},` +
		`{"check":"space","area":"serving","state":"lack","says":"Full.","do":"Clean."},{"check":"driver","area":"gpu","state":"warn","says":"Old.","do":"New."}]}`
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 999: "999 B", 1000: "0.977 KiB", 1 << 20: "1 MiB", 3 << 29: "1.5 GiB", 1<<64 - 1: "16 EiB"} {
		if got := size(n); got != want {
			t.Errorf("size(%d) = %s, want %s", n, got, want)
		}
	}
}
