// Package systemd holds newt's service file and the test of what it promises.
package systemd

import (
	"bytes"
	"os"
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

// The command of the service is one that newt takes, and keeps newt to the machine itself: the
// proxy is what others reach.
func TestUnitCommand(t *testing.T) {
	for _, start := range []string{
		unit(t, "newt.service")["Service.ExecStart"][0],
		unit(t, "gpu.conf")["Service.ExecStart"][1],
	} {
		serves(t, strings.Fields(start))
	}
}

// serves checks that a command is newt's, on this machine's own address, and has flags that newt takes.
func serves(t *testing.T, words []string) {
	t.Helper()
	if words[0] != "/usr/local/bin/newt" || words[1] != "serve" || !slices.Contains(words, "127.0.0.1:8080") {
		t.Errorf("ExecStart: %q", words)
	}
	takes(t, words)
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

// The addition for a worker replaces the command with one that opens no port, and lets it connect to the fleet.
func TestWorker(t *testing.T) {
	more := unit(t, "worker.conf")
	start := more["Service.ExecStart"]
	if len(start) != 2 || start[0] != "" || !strings.HasPrefix(start[1], "/usr/local/bin/newt worker ") {
		t.Fatalf("ExecStart: %q", start)
	}
	takes(t, strings.Fields(start[1]))
	may := []string{"LoadCredential", "ExecStart", "IPAddressAllow", "Restart", "TimeoutStopSec"}
	for key := range more {
		if !slices.Contains(may, strings.TrimPrefix(key, "Service.")) {
			t.Errorf("%s is changed", key)
		}
	}
}

// The addition for GPUs replaces the command, opens the GPUs' devices alone, and takes nothing else
// back than it says.
func TestGPU(t *testing.T) {
	base, more := unit(t, "newt.service"), unit(t, "gpu.conf")
	if start := more["Service.ExecStart"]; len(start) != 2 || start[0] != "" ||
		!strings.HasSuffix(start[1], " --device cuda:0 --token-file ${CREDENTIALS_DIRECTORY}/token") {
		t.Errorf("ExecStart: %q", start)
	}
	for _, device := range more["Service.DeviceAllow"] {
		if !strings.HasPrefix(device, "char-nvidia") {
			t.Errorf("DeviceAllow=%s", device)
		}
	}
	if base["Service.DevicePolicy"][0] != "closed" {
		t.Error("devices are open")
	}
	may := []string{"LoadCredential", "ExecStart", "CacheDirectory", "Environment", "MemoryMax", "TasksMax", "PrivateDevices",
		"DeviceAllow", "ProcSubset", "ExecPaths", "MemoryDenyWriteExecute"}
	for key := range more {
		if !slices.Contains(may, strings.TrimPrefix(key, "Service.")) {
			t.Errorf("%s is changed", key)
		}
	}
}
