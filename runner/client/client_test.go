package client_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/devicetest"
	"github.com/newtlab/newt/runner/client"
	"github.com/newtlab/newt/runner/endpoint"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"lab": "ws://lab/api/runner", "lab:8080": "ws://lab:8080/api/runner", "wss://lab/": "wss://lab/api/runner",
		"http://lab:1": "ws://lab:1/api/runner", "https://lab/other": "wss://lab/other", "[::1]:8080": "ws://[::1]:8080/api/runner",
		"": "", "ftp://lab": "", "ws://": "", "ws://a b": "",
	} {
		if got, err := client.Address(text); got != want || (err == nil) != (want != "") {
			t.Errorf("%q gives %q, %v; want %q", text, got, err, want)
		}
	}
}

func TestConnectFails(t *testing.T) {
	_, s := open(t, endpoint.Options{})
	address := "ws" + strings.TrimPrefix(s.URL, "http")
	_, err := client.Connect(context.Background(), address, client.Options{Token: "guess"})
	var fault device.Fault
	if !errors.As(err, &fault) || fault.Diagnostic().Code != "runner-token" {
		t.Errorf("a wrong token gives %v", err)
	}
	page := httptest.NewServer(nil)
	defer page.Close()
	for address, want := range map[string]string{"ws" + strings.TrimPrefix(page.URL, "http"): "404", "ws://127.0.0.1:1": "cannot reach", "gopher://x": "ws://"} {
		if _, err := client.Connect(context.Background(), address, client.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", address, err)
		}
	}
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer deaf.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := client.Connect(ctx, deaf.Addr().String(), client.Options{}); err == nil {
		t.Error("a server that says nothing is connected to")
	}
}

func TestDeviceUnknown(t *testing.T) {
	c, _ := open(t, endpoint.Options{})
	if _, err := c.Device("cuda:9"); err == nil || !strings.Contains(err.Error(), "cuda:9") {
		t.Errorf("an unknown device gives %v", err)
	}
	if d := c.Devices(); len(d) != 1 || d[0].ID != "cpu" || d[0].Name != "CPU" {
		t.Errorf("devices are %+v", d)
	}
}

// cable carries bytes between clients and a server, and can be cut.
type cable struct {
	listener net.Listener
	to       string
	lock     sync.Mutex
	conns    []net.Conn
	budget   int64 // bytes to the client until the cable is cut by itself, 0: never

	toRunner, toClient atomic.Int64 // bytes carried
}

// counter counts what passes through it.
type counter struct{ bytes *atomic.Int64 }

func (c counter) Write(p []byte) (int, error) { c.bytes.Add(int64(len(p))); return len(p), nil }

func lay(t *testing.T, to string) *cable {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: l, to: to}
	go func() {
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", c.target())
			if err != nil {
				a.Close()
				continue
			}
			c.lock.Lock()
			c.conns = append(c.conns, a, b)
			budget := c.budget
			c.lock.Unlock()
			go func() { io.Copy(b, io.TeeReader(a, counter{&c.toRunner})); b.Close() }()
			go func() {
				if budget > 0 {
					io.CopyN(a, b, budget)
					b.Close()
				} else {
					io.Copy(a, io.TeeReader(b, counter{&c.toClient}))
				}
				a.Close()
			}()
		}
	}()
	t.Cleanup(func() { l.Close(); c.cut(0, "") })
	return c
}

func (c *cable) target() string {
	c.lock.Lock()
	defer c.lock.Unlock()
	return c.to
}

// cut ends all connections; later ones are cut after budget bytes, and lead elsewhere where to says so.
func (c *cable) cut(budget int64, to string) {
	c.lock.Lock()
	defer c.lock.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns, c.budget = nil, budget
	if to != "" {
		c.to = to
	}
}

func connect(t *testing.T, address string, patience time.Duration) *client.Client {
	t.Helper()
	c, err := client.Connect(context.Background(), address, client.Options{Token: token, Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func load(t *testing.T, c *client.Client, text string) (device.Device, device.Kernel) {
	t.Helper()
	d, err := c.Device("")
	if err != nil {
		t.Fatal(err)
	}
	k, err := d.Load(parse(t, text), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d, k
}

// The connection is cut every few hundred kilobytes, in either direction; every launch gives the
// right result all the same.
func TestCutConnections(t *testing.T) {
	_, s := open(t, endpoint.Options{})
	wire := lay(t, strings.TrimPrefix(s.URL, "http://"))
	c := connect(t, wire.listener.Addr().String(), patience)
	const n = 1 << 17 // 1 MiB there, half of that back
	d, k := load(t, c, devicetest.VectorAdd)
	var all sync.WaitGroup
	for range 3 {
		l, z := sum(t, d, n)
		all.Go(func() {
			for range 4 {
				if _, err := k.Launch(context.Background(), l); err != nil {
					t.Error(err)
				}
			}
			got := read(t, z)
			for i, v := range got {
				if v != float32(i)+float32(i)*2 {
					t.Errorf("element %d is %v", i, v)
					break
				}
			}
		})
	}
	for i := range int64(40) {
		time.Sleep(15 * time.Millisecond)
		wire.cut((i+1)%4*200_000, "")
	}
	all.Wait()
}

// A runner that is replaced by another, which knows nothing of the session, runs the job anew.
func TestRestart(t *testing.T) {
	serve := func() (*endpoint.Runner, *httptest.Server) {
		r := endpoint.New(endpoint.Options{Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Access: endpoint.Access{Token: token}})
		s := httptest.NewServer(r)
		t.Cleanup(func() { r.Shutdown(0); s.Close() })
		return r, s
	}
	one, first := serve()
	other, second := serve()
	wire := lay(t, strings.TrimPrefix(first.URL, "http://"))
	c := connect(t, wire.listener.Addr().String(), patience)
	d, k := load(t, c, devicetest.Endless)
	m, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error)
	l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{device.Pointer{Memory: m, DType: num.Int32}}, Budget: 1 << 52}
	go func() { _, err := k.Launch(ctx, l); ran <- err }()
	runs(t, one)
	wire.cut(0, strings.TrimPrefix(second.URL, "http://"))
	add, err := d.Load(parse(t, devicetest.VectorAdd), device.Options{})
	if err != nil {
		t.Fatal(err)
	}
	runs(t, other)
	cancel()
	if err := <-ran; err == nil || err.(device.Fault).Diagnostic().Code != "launch-cancelled" {
		t.Errorf("a launch that was cancelled after a restart gives %v", err)
	}
	work, z := sum(t, d, 100)
	if _, err := add.Launch(context.Background(), work); err != nil || read(t, z)[99] != 297 {
		t.Errorf("after a restart: %v", err)
	}
}

// TestBuffersStay: tensors travel to the runner before the first launch that has them, and back when someone looks; a
// connection that is lost takes none along, a runner that was restarted takes all.
func TestBuffersStay(t *testing.T) {
	const n = 1 << 17
	_, first := open(t, endpoint.Options{})
	_, second := open(t, endpoint.Options{})
	wire := lay(t, strings.TrimPrefix(first.URL, "http://"))
	c := connect(t, wire.listener.Addr().String(), patience)
	d, k := load(t, c, devicetest.VectorAdd)
	l, z := sum(t, d, n)
	travelled := func(step string, up, down int64) {
		t.Helper()
		const tensor = 4 * n
		u, w := wire.toRunner.Swap(0), wire.toClient.Swap(0)
		if u < up*tensor || u > up*tensor+tensor/4 || w < down*tensor || w > down*tensor+tensor/4 {
			t.Errorf("%s: %.2f tensors to the runner, %.2f back; want %d and %d", step, float64(u)/tensor, float64(w)/tensor, up, down)
		}
	}
	run := func() error { _, err := k.Launch(t.Context(), l); return err }
	for i := range 4 {
		if i == 2 {
			wire.cut(0, "")
		}
		if err := run(); err != nil {
			t.Fatal(err)
		}
	}
	travelled("four launches", 2, 0)
	for range 2 {
		if got := read(t, z); got[n-1] != 3*(n-1) {
			t.Errorf("the sum is %v", got[n-1])
		}
	}
	travelled("looking twice", 0, 2)
	if err := z.Memory.Write(4, []byte{0, 0, 0, 0}); err != nil { // fetched, changed and sent again
		t.Fatal(err)
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	travelled("a part that was changed", 1, 1)
	wire.cut(0, strings.TrimPrefix(second.URL, "http://"))
	var lost device.Fault
	if err := run(); !errors.As(err, &lost) || lost.Diagnostic().Code != "runner-buffer-unknown" {
		t.Errorf("after a restart: %v", err)
	}
}

// When the runner is gone for good, launches fail after a while, in words.
func TestLost(t *testing.T) {
	_, s := open(t, endpoint.Options{})
	wire := lay(t, strings.TrimPrefix(s.URL, "http://"))
	c := connect(t, wire.listener.Addr().String(), 100*time.Millisecond)
	d, k := load(t, c, devicetest.VectorAdd)
	l, _ := sum(t, d, 10)
	wire.listener.Close()
	wire.cut(0, "")
	for range 2 {
		_, err := k.Launch(context.Background(), l)
		var fault device.Fault
		if !errors.As(err, &fault) || fault.Diagnostic().Code != "runner-lost" || fault.Diagnostic().In(diag.Chinese).Headline == fault.Error() {
			t.Errorf("a launch without a runner gives %v", err)
		}
	}
}

func TestDeadline(t *testing.T) {
	c, _ := open(t, endpoint.Options{})
	d, k := load(t, c, devicetest.Endless)
	m, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{device.Pointer{Memory: m, DType: num.Int32}}, Budget: 1 << 52}
	if _, err := k.Launch(ctx, l); err == nil {
		t.Error("an endless kernel ended")
	}
}

// Closing a client ends its launches, and leaves nothing behind.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	r := endpoint.New(endpoint.Options{Devices: []sched.Device{{ID: "cpu", Device: cpu.New(cpu.Options{})}}, Access: endpoint.Access{Token: token}})
	s := httptest.NewServer(r)
	c := connect(t, strings.TrimPrefix(s.URL, "http://"), patience)
	d, k := load(t, c, devicetest.Endless)
	m, err := d.Alloc(4)
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error)
	l := device.Launch{Grid: [3]int{1, 1, 1}, Args: []device.Arg{device.Pointer{Memory: m, DType: num.Int32}}, Budget: 1 << 52}
	go func() { _, err := k.Launch(context.Background(), l); ran <- err }()
	runs(t, r)
	c.Close()
	if err := <-ran; err == nil {
		t.Error("a launch outlives its client")
	}
	r.Shutdown(0)
	s.Close()
	eventually(t, "all goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// What the runner tells about a kernel reaches Progress and Compiled's user.
func TestEvents(t *testing.T) {
	c, _ := open(t, endpoint.Options{})
	var seen []string
	out, err := c.Run(context.Background(), client.Job{
		IR: encode(t, devicetest.VectorAdd), Tensors: [][]byte{make([]byte, 40), nil},
		Submit: protocol.Submit{
			Grid: []int{1, 1, 1}, Tensors: []protocol.Tensor{{Bytes: 40}, {Bytes: 40, Zero: true, Return: true}},
			Args: []protocol.Arg{pointer(0), pointer(0), pointer(1), protocol.ScalarArg(num.FromInt(num.Int32, 10))},
		},
		Event: func(m *protocol.ServerMessage) {
			switch {
			case m.Started != nil:
				seen = append(seen, "started on "+m.Started.Device)
			case m.Done != nil:
				seen = append(seen, m.Done.State)
			}
		},
	})
	if err != nil || strings.Join(seen, ", ") != "started on cpu, done" || len(out.Results[1]) != 40 || out.Results[0] != nil {
		t.Errorf("events %v, results %v, %v", seen, out.Results, err)
	}
}

func pointer(tensor int) protocol.Arg { return protocol.Arg{DType: "fp32", Tensor: &tensor} }
