package client_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/sched"
)

const token = "a token for tests"

// patience is how long a test waits for what must come.
const patience = time.Minute

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// runs waits until a runner's device has a job.
func runs(t *testing.T, r *endpoint.Runner) {
	t.Helper()
	eventually(t, "the job runs", func() bool { _, body := r.Health(); return strings.Contains(body, "running") })
}

// open starts a runner with a CPU device and connects to it.
func open(t testing.TB, o endpoint.Options) (*client.Client, *httptest.Server) {
	t.Helper()
	if o.Devices == nil {
		o.Devices = []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}
	}
	o.Access.Token = token
	runner := endpoint.New(o)
	s := httptest.NewServer(runner)
	t.Cleanup(func() { runner.Shutdown(time.Second); s.Close() })
	c, err := client.Connect(context.Background(), "ws"+strings.TrimPrefix(s.URL, "http"), client.Options{Token: token})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, s
}

// The suite that every device passes, over a websocket.
func TestDevice(t *testing.T) {
	c, _ := open(t, endpoint.Options{})
	devicetest.Run(t, func() device.Device {
		d, err := c.Device("")
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}
