package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/protocol"
)

const testToken = "a-token-for-tests"

func flagsOf(devices, tokenFile, origins, limits string) runnerFlags {
	none, empty := noNATS, ""
	return runnerFlags{&devices, &tokenFile, &empty, &origins, &limits, oidcFlags{issuer: &empty}, natsFlags{reach: reachFlags{url: &none}},
		toolFlags{&empty, &empty}, nil}
}

// A runner opens with good flags, and says what is wrong with others.
func TestRunnerFlags(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := write("token", testToken+"\n")
	for _, c := range []struct {
		name  string
		flags runnerFlags
		want  string // in the error
	}{
		{"good", flagsOf("cpu", good, "https://a.example, https://b.example", "jobBytes=5,clientJobs=1"), ""},
		{"no token", flagsOf("cpu", "", "", ""), ""},
		{"no device", flagsOf("none", filepath.Join(dir, "absent"), "", ""), ""},
		{"unknown device", flagsOf("tpu", "", "", ""), `"tpu"`},
		{"absent token", flagsOf("cpu", filepath.Join(dir, "absent"), "", ""), "absent"},
		{"short token", flagsOf("cpu", write("short", "hunter2"), "", ""), "16 characters"},
		{"two tokens", flagsOf("cpu", write("two", testToken+"\n"+testToken), "", ""), "16 characters"},
		{"unknown limit", flagsOf("cpu", "", "", "jobBites=5"), "jobBites"},
		{"no number", flagsOf("cpu", "", "", "jobBytes=many"), "jobBytes=many"},
		{"no limit at all", flagsOf("cpu", "", "", "jobBytes=0"), "jobBytes=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			e := &Env{Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }}
			r, _, close, err := c.flags.open(t.Context(), e, slog.New(slog.DiscardHandler))
			defer close()
			if r != nil {
				r.Shutdown(0)
			}
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	if limits, err := parseLimits("jobBytes=5,clientJobs=1"); err != nil || limits.JobBytes != 5 || limits.ClientJobs != 1 || limits.QueuedJobs != protocol.DefaultLimits().QueuedJobs {
		t.Errorf("limits are %+v, %v", limits, err)
	}
}

// What `newt serve` puts together works together: the log's recorder lets the websocket through,
// health and metrics answer, a device opens by the server's address, and all of it stops.
func TestRunnerIsServed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(testToken), 0o600); err != nil {
		t.Fatal(err)
	}
	e := &Env{Stdout: io.Discard, Stderr: io.Discard, Getenv: func(name string) string { return map[string]string{tokenVariable: testToken}[name] }}
	log := slog.New(slog.DiscardHandler)
	runner, _, close, err := flagsOf("cpu", file, "", "").open(t.Context(), e, log)
	if err != nil {
		t.Fatal(err)
	}
	defer close()
	bounded, err := observed(log, runner, withRunner(runner, http.NotFoundHandler(), http.NotFoundHandler()))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	status := make(chan int)
	go func() { status <- serveCommand.serveUntil(ctx, e, listener, bounded, runner) }()

	name, d, err := openDevice(t.Context(), e, "ws://"+listener.Addr().String(), forSelf)
	if err != nil || name != "ws://"+listener.Addr().String() || d.Capabilities().Name != "CPU" {
		t.Fatalf("%s, %v", name, err)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
	if _, err := client.Connect(ctx, listener.Addr().String(), client.Options{}); err == nil {
		t.Error("a client without the token is served")
	}
	for path, want := range map[string]int{"/healthz": 200, "/metrics": 401, "/admin": 401, "/api/runner": 400, "/else": 404} {
		answer, err := http.Get("http://" + listener.Addr().String() + path)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: status %d, want %d", path, answer.StatusCode, want)
		}
	}
	stop()
	select {
	case got := <-status:
		if got != exitOK {
			t.Errorf("serve ends with %d", got)
		}
	case <-time.After(patience):
		t.Error("serve does not stop")
	}
}
