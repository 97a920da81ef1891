// Package kubernetes holds the manifests of a fleet and the test of what they promise.
package kubernetes

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/cli"
	"github.com/newtlab/newt/runner/fleet"
)

// TestCommands holds the commands of the manifests to the flags that newt has.
func TestCommands(t *testing.T) {
	text, err := os.ReadFile("fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, line := range regexp.MustCompile(`(?m)args: (\[.*\])$`).FindAllSubmatch(text, -1) {
		var args []string
		if err := json.Unmarshal(line[1], &args); err != nil {
			t.Fatalf("%s: %v", line[1], err)
		}
		if strings.HasPrefix(args[0], "-") {
			continue // the NATS server's
		}
		ran++
		var help bytes.Buffer
		e := &cli.Env{Stdout: &help, Stderr: &help, Getenv: func(string) string { return "" }}
		if status := cli.Main(e, []string{args[0], "--help"}); status != 0 {
			t.Fatalf("newt %s: %s", args[0], help.String())
		}
		for _, a := range args[1:] {
			if name, ok := strings.CutPrefix(a, "--"); ok && !regexp.MustCompile(`(?m)^  -`+name+`\b`).Match(help.Bytes()) {
				t.Errorf("newt %s has no %s", args[0], a)
			}
		}
	}
	if ran != 2 {
		t.Errorf("%d commands of newt are in the manifests", ran)
	}
}

// manifests are the documents of fleet.yaml, by kind and name.
func manifests(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, one := range strings.Split(string(text), "\n---\n") {
		kind := regexp.MustCompile(`(?m)^kind: (\w+)$`).FindStringSubmatch(one)
		name := regexp.MustCompile(`(?m)^metadata: \{name: ([\w-]+)\}$`).FindStringSubmatch(one)
		if kind == nil || name == nil {
			t.Fatalf("a document without a kind or a name: %s", one)
		}
		out[kind[1]+" "+name[1]] = one
	}
	return out
}

// TestManifests holds each program of the fleet to what a cluster asks of one.
func TestManifests(t *testing.T) {
	all := manifests(t)
	confined := []string{
		"automountServiceAccountToken: false", "runAsNonRoot: true", "seccompProfile: {type: RuntimeDefault}",
		"readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}", "limits: {memory: ",
	}
	probed := []string{"readinessProbe: {httpGet: ", "livenessProbe: {httpGet: "}
	for name, wants := range map[string][]string{
		"StatefulSet newt-nats":            append(probed, confined...),
		"Deployment newt-gateway":          append(probed, confined...),
		"Deployment newt-worker":           append([]string{"nvidia.com/gpu: 1}", "maxSurge: 0"}, confined...),
		"PodDisruptionBudget newt-gateway": {"minAvailable: 1", "{app: newt-gateway}"},
		"NetworkPolicy newt-nats":          {"app: newt-gateway}", "app: newt-worker}", "port: 4222", "egress: []"},
		"NetworkPolicy newt-gateway":       {"port: 8080"},
		"NetworkPolicy newt-worker":        {"ingress: []", "app: newt-nats}"},
	} {
		for _, want := range wants {
			if !strings.Contains(all[name], want) {
				t.Errorf("%s lacks %s", name, want)
			}
		}
	}
	// What gateways store is in NATS: a folder of a pod's own is lost with it, and no other gateway has it.
	if gateway := all["Deployment newt-gateway"]; strings.Contains(gateway, "/data") {
		t.Error("the gateways keep data of their own")
	}
}

// TestPermissions holds the users' permissions to those that the embedded server gives.
func TestPermissions(t *testing.T) {
	text, err := os.ReadFile("nats.conf")
	if err != nil {
		t.Fatal(err)
	}
	publish, subscribe := fleet.WorkerPermissions("worker")
	for key, list := range map[string][]string{"publish": publish, "subscribe": subscribe} {
		want := key + ` = ["` + strings.Join(list, `", "`) + `"]`
		if !strings.Contains(string(text), want) {
			t.Errorf("nats.conf does not have the line %s", want)
		}
	}
}
