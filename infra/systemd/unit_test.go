// Package systemd holds newt's service file and the test of what it promises.
package systemd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/cli"
)

// unit reads a service file: for each section and key the values, in order.
func unit(t *testing.T, name string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	values, section := map[string][]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			section = strings.Trim(line, "[]")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || section == "" || key != strings.TrimSpace(key) {
			t.Fatalf("%s: not a setting: %q", name, line)
		}
		values[section+"."+key] = append(values[section+"."+key], value)
	}
	return values
}

// The service's promises: each setting as it must be, and no setting twice but the filter, whose
// second line takes away from the first.
func TestUnit(t *testing.T) {
	values := unit(t, "newt.service")
	for key, want := range map[string]string{
		"DynamicUser": "yes", "StateDirectory": "newt", "StateDirectoryMode": "0700", "UMask": "0077",
		"MemoryMax": "512M", "TasksMax": "128", "Restart": "on-failure",
		"RestrictAddressFamilies": "AF_INET AF_INET6", "IPAddressDeny": "any", "IPAddressAllow": "localhost",
		"ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "PrivateDevices": "yes", "PrivateMounts": "yes",
		"DevicePolicy": "closed", "ProtectProc": "invisible", "ProcSubset": "pid", "NoExecPaths": "/", "ExecPaths": "/usr/local/bin/newt",
		"NoNewPrivileges": "yes", "CapabilityBoundingSet": "", "AmbientCapabilities": "", "PrivateUsers": "yes",
		"ProtectClock": "yes", "ProtectControlGroups": "yes", "ProtectHostname": "yes", "ProtectKernelLogs": "yes",
		"ProtectKernelModules": "yes", "ProtectKernelTunables": "yes", "RestrictNamespaces": "yes", "RestrictRealtime": "yes",
		"RestrictSUIDSGID": "yes", "LockPersonality": "yes", "MemoryDenyWriteExecute": "yes", "RemoveIPC": "yes",
		"SystemCallArchitectures": "native", "SystemCallErrorNumber": "EPERM",
	} {
		if got := values["Service."+key]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	filter := values["Service.SystemCallFilter"]
	if !slices.Equal(filter, []string{"@system-service", "~@privileged @resources"}) {
		t.Errorf("SystemCallFilter: %q", filter)
	}
	for key, value := range values {
		if len(value) > 1 && key != "Service.SystemCallFilter" {
			t.Errorf("%s is set %d times", key, len(value))
		}
	}
}

// additions are the files beside the unit that replace its command.
var additions = []string{"token.conf", "gateway.conf", "worker.conf"}

// The command of the service, and of each addition that replaces it, is one that newt takes. Browsers come through the
// proxy alone: newt listens for them on the machine's own address, and a worker does not listen.
func TestCommands(t *testing.T) {
	starts := []string{unit(t, "newt.service")["Service.ExecStart"][0]}
	for _, name := range additions {
		start := unit(t, name)["Service.ExecStart"]
		if len(start) != 2 || start[0] != "" {
			t.Fatalf("%s: ExecStart: %q", name, start)
		}
		starts = append(starts, start[1])
	}
	for _, start := range starts {
		words := strings.Fields(start)
		if words[0] != "/usr/local/bin/newt" || (words[1] == "serve") != slices.Contains(words, "127.0.0.1:8080") {
			t.Errorf("ExecStart: %q", words)
		}
		takes(t, words)
	}
}

// takes checks that newt has a command's flags.
func takes(t *testing.T, words []string) {
	t.Helper()
	var help bytes.Buffer
	e := &cli.Env{Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" }}
	if status := cli.Main(e, []string{words[1], "--help"}); status != 0 {
		t.Fatal(help.String())
	}
	for _, word := range words[2:] {
		flag := strings.TrimPrefix(word, "--")
		if flag != word && !regexp.MustCompile(`(?m)^  -`+flag+`\b`).MatchString(help.String()) {
			t.Errorf("newt %s has no %s", words[1], word)
		}
	}
}

// Each addition changes what its purpose needs, and nothing else. That for GPUs opens their devices alone.
func TestAdditions(t *testing.T) {
	for name, may := range map[string][]string{
		"token.conf":   {"LoadCredential", "ExecStart"},
		"gateway.conf": {"LoadCredential", "ExecStart", "IPAddressAllow", "MemoryMax", "Environment", "TasksMax"},
		"worker.conf":  {"LoadCredential", "ExecStart", "IPAddressAllow", "Restart", "TimeoutStopSec"},
		"gpu.conf": {"CacheDirectory", "Environment", "MemoryMax", "TasksMax", "PrivateDevices", "DeviceAllow",
			"ProcSubset", "ExecPaths", "MemoryDenyWriteExecute"},
	} {
		more := unit(t, name)
		for key := range more {
			if !slices.Contains(may, strings.TrimPrefix(key, "Service.")) {
				t.Errorf("%s changes %s", name, key)
			}
		}
		for _, device := range more["Service.DeviceAllow"] {
			if !strings.HasPrefix(device, "char-nvidia") {
				t.Errorf("%s: DeviceAllow=%s", name, device)
			}
		}
	}
	if unit(t, "newt.service")["Service.DevicePolicy"][0] != "closed" {
		t.Error("devices are open")
	}
}

// installed are the additions that a block of the guide installs, and the files that it makes in /etc/newt.
func installed(block string) (confs []string, files map[string]bool) {
	files = map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^sudo install (?:-D )?-m \d+ (.+) (\S+)$`).FindAllStringSubmatch(block, -1) {
		for _, source := range strings.Fields(m[1]) {
			target := m[2]
			if strings.HasSuffix(target, "/") {
				target += filepath.Base(source)
			}
			if files[target] = true; strings.HasSuffix(source, ".conf") {
				confs = append(confs, filepath.Base(source))
			}
		}
	}
	return confs, files
}

// blocks are those of the guide that install additions to the unit.
func blocks(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?s)\n```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		if strings.Contains(m[1], "infra/systemd/") {
			out = append(out, m[1])
		}
	}
	return out
}

// The service starts as the guide says: each file that an addition names is made where the addition is installed. A
// credential that is missing fails the unit, and so does a file that newt cannot read.
func TestFilesAreMade(t *testing.T) {
	seen := map[string]bool{}
	for _, block := range blocks(t) {
		confs, files := installed(block)
		for _, name := range confs {
			seen[name] = true
			if !files["/etc/systemd/system/newt.service.d/"+name] {
				t.Errorf("%s is not installed beside the unit:\n%s", name, block)
			}
			for key, values := range unit(t, name) {
				for _, path := range regexp.MustCompile(`/etc/[\w./-]+`).FindAllString(strings.Join(values, " "), -1) {
					if !files[path] {
						t.Errorf("%s: %s names %s, which is not made:\n%s", name, key, path, block)
					}
				}
			}
		}
	}
	for _, name := range append(additions, "gpu.conf") {
		if !seen[name] {
			t.Errorf("the guide does not install %s", name)
		}
	}
}

// systemd accepts the unit alone, and with the additions that the guide installs together.
func TestVerify(t *testing.T) {
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("no systemd-analyze")
	}
	for _, block := range append(blocks(t), "") {
		confs, _ := installed(block)
		dir := t.TempDir()
		for _, name := range append(confs, "newt.service") {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			target := filepath.Join(dir, name)
			if name != "newt.service" {
				target = filepath.Join(dir, "newt.service.d", name)
			}
			if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
				t.Fatal(err)
			}
			// The program is not installed here.
			text = bytes.ReplaceAll(text, []byte("=/usr/local/bin/newt "), []byte("="+os.Args[0]+" "))
			if err := os.WriteFile(target, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		verify := exec.Command("systemd-analyze", "verify", "--man=no", filepath.Join(dir, "newt.service"))
		verify.Env = append(os.Environ(), "SYSTEMD_UNIT_PATH="+dir+":")
		if text, err := verify.CombinedOutput(); err != nil || len(text) > 0 {
			t.Errorf("with %v: %v\n%s", confs, err, text)
		}
	}
}
