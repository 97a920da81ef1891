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
