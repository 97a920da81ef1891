package endpoint

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/pipetest"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

const token = "a-token-for-tests"

// patience is how long a test waits for what must come: only a runner that is broken needs it, however busy the machine is.
const patience = 2 * time.Minute

// desk is a runner for one test. When the test ends, nothing of it may be left.
type desk struct {
	t      testing.TB
	runner *Runner
	url    string
	dialer websocket.Dialer
	gate   *gate
}

// gate is a CPU device whose launches can be held up, and made to go wrong.
type gate struct {
	device.Device
	lock  sync.Mutex
	hold  chan struct{} // launches wait for it to be closed, nil: they do not
	deaf  bool          // they wait even where they were told to stop
	panic bool
}

func (g *gate) set(hold chan struct{}, deaf, panics bool) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.hold, g.deaf, g.panic = hold, deaf, panics
}

// Capabilities of a gate say that it cannot suspend: held up, it does not poll.
func (g *gate) Capabilities() device.Capabilities {
	c := g.Device.Capabilities()
	c.Suspends = false
	return c
}

func (g *gate) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	k, err := g.Device.Load(fn, o)
	if err != nil {
		return nil, err
	}
	return gated{g, k.(device.Timer)}, nil
}

type gated struct {
	gate *gate
	device.Timer
}

func (k gated) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	k.gate.lock.Lock()
	hold, deaf, panics := k.gate.hold, k.gate.deaf, k.gate.panic
	k.gate.lock.Unlock()
	if panics {
		panic("a device's mistake")
	}
	if hold != nil {
		gone := ctx.Done()
		if deaf {
			gone = nil
		}
		select {
		case <-hold:
		case <-gone:
		}
	}
	return k.Timer.Launch(ctx, l)
}

// open starts a runner whose limits change has changed, and checks at the end of the test that it
// leaves no goroutine, file or byte behind.
func open(t testing.TB, change func(*protocol.Limits)) *desk {
	t.Helper()
	http.DefaultClient.CloseIdleConnections()
	goroutines, files := runtime.NumGoroutine(), openFiles()
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		eventually(t, "goroutines and files go away", func() bool {
			return runtime.NumGoroutine() <= goroutines && openFiles() <= files
		})
	})
	return openFor(t, Options{Limits: testLimits(change), Access: Access{Token: token}})
}

// testLimits are those of a test, which change has changed; it may be nil. A device stops in time, however busy the machine is.
func testLimits(change func(*protocol.Limits)) protocol.Limits {
	limits := protocol.DefaultLimits()
	limits.CancelGraceMS = int(patience.Milliseconds())
	if change != nil {
		change(&limits)
	}
	return limits
}

// openFor starts a runner with a gate until the end of the test.
func openFor(t testing.TB, o Options) *desk {
	return serve(t, o, func(h http.Handler) (*httptest.Server, websocket.Dialer) {
		return httptest.NewServer(h), websocket.Dialer{}
	})
}

// openInBubble is open in a bubble of synctest: the connections are pipes, and the clock stands still while anything of
// the test or the runner can go on, so that nothing comes too early or too late, however busy the machine is. A kernel
// that does not end lets no time pass.
func openInBubble(t testing.TB, change func(*protocol.Limits)) *desk {
	t.Helper()
	return openForInBubble(t, Options{Limits: testLimits(change), Access: Access{Token: token}})
}

func openForInBubble(t testing.TB, o Options) *desk {
	return serve(t, o, func(h http.Handler) (*httptest.Server, websocket.Dialer) {
		s, network := pipetest.Serve(h)
		return s, websocket.Dialer{NetDialContext: network.Dial}
	})
}

// serve starts a runner with a gate. In the end, no session and no byte is left.
func serve(t testing.TB, o Options, start func(http.Handler) (*httptest.Server, websocket.Dialer)) *desk {
	g := &gate{Device: cpu.New(cpu.Options{})}
	o.Devices = []sched.Device{{ID: "cpu", Device: g}}
	r := New(o)
	mux := http.NewServeMux()
	mux.Handle(protocol.Path, r)
	mux.Handle(MetricsPath, r.Metrics())
	mux.Handle(AdminPath, r.Admin())
	s, dialer := start(mux)
	t.Cleanup(func() {
		r.Shutdown(time.Second)
		s.Close()
		eventually(t, "no session and no byte is left", func() bool {
			sessions, bytes := r.sched.Usage()
			return sessions == 0 && bytes == 0
		})
	})
	return &desk{t, r, s.URL, dialer, g}
}

// as connects with a token; of a refusal, the hello has the code.
func (d *desk) as(token string, resume *protocol.Resume) *wire {
	w := d.silent()
	w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token, Resume: resume}})
	m, _ := w.next()
	if w.hello = m.Hello; w.hello == nil {
		w.hello = &protocol.ServerHello{Newt: m.Error.Diagnostic.Code}
	}
	return w
}

// openFiles counts this process's files, where the system says.
func openFiles() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(entries)
}

func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Errorf("%s: not within %v; %d goroutines, %d files", what, patience, runtime.NumGoroutine(), openFiles())
}

// wire is a client that says what a test wants it to say.
type wire struct {
	t     testing.TB
	conn  *websocket.Conn
	hello *protocol.ServerHello
}

// bytes is what jobs hold.
func (d *desk) bytes() int64 {
	_, bytes := d.runner.sched.Usage()
	return bytes
}

// from is the header of a request that a proxy on this machine passes on for a client.
func from(client string) http.Header { return http.Header{"X-Forwarded-For": {client}} }

// clientFrom connects through a proxy and says hello.
func (d *desk) clientFrom(client string) *wire {
	d.t.Helper()
	w, answer, err := d.dial(from(client))
	if err != nil {
		d.t.Fatalf("%s: %v %v", client, err, answer)
	}
	w.greet(nil)
	return w
}

// dial connects without a word.
func (d *desk) dial(header http.Header) (*wire, *http.Response, error) {
	conn, answer, err := d.dialer.Dial("ws"+strings.TrimPrefix(d.url, "http")+protocol.Path, header)
	if err != nil {
		return nil, answer, err
	}
	d.t.Cleanup(func() { conn.Close() })
	return &wire{t: d.t, conn: conn}, answer, nil
}

func (d *desk) silent() *wire {
	d.t.Helper()
	w, _, err := d.dial(nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return w
}

// client connects and says hello, or resumes.
func (d *desk) client(resume *protocol.Resume) *wire {
	d.t.Helper()
	w := d.silent()
	w.greet(resume)
	return w
}

// greet says hello, or resumes.
func (w *wire) greet(resume *protocol.Resume) {
	w.t.Helper()
	w.say(protocol.ClientMessage{Hello: &protocol.ClientHello{Version: protocol.Version, Token: token, Resume: resume}})
	m, _ := w.next()
	if m == nil || m.Hello == nil {
		w.t.Fatalf("the runner says %+v instead of hello", m)
	}
	w.hello = m.Hello
}

func (w *wire) say(m protocol.ClientMessage) {
	w.t.Helper()
	if err := w.conn.WriteJSON(m); err != nil {
		w.t.Error(err)
	}
}

func (w *wire) text(text string) { w.conn.WriteMessage(websocket.TextMessage, []byte(text)) }
func (w *wire) raw(data []byte)  { w.conn.WriteMessage(websocket.BinaryMessage, data) }

func frame(h protocol.Header, payload []byte) []byte {
	data := make([]byte, protocol.HeaderBytes, protocol.HeaderBytes+len(payload))
	h.Put(data)
	return append(data, payload...)
}

// next is the next frame: a message, or a result's header and payload.
func (w *wire) next() (*protocol.ServerMessage, []byte) {
	w.t.Helper()
	w.conn.SetReadDeadline(time.Now().Add(patience))
	kind, data, err := w.conn.ReadMessage()
	if err != nil {
		w.t.Fatalf("the connection ended: %v", err)
	}
	if kind == websocket.BinaryMessage {
		return nil, data
	}
	var m protocol.ServerMessage
	if err := json.Unmarshal(data, &m); err != nil {
		w.t.Fatal(err)
	}
	return &m, nil
}

// until reads to the first message that is wanted.
func (w *wire) until(what string, want func(*protocol.ServerMessage) bool) *protocol.ServerMessage {
	w.t.Helper()
	for {
		if m, _ := w.next(); m != nil && want(m) {
			return m
		} else if m != nil && (m.Error != nil && m.Error.Fatal || m.Done != nil) {
			w.t.Fatalf("waiting for %s: the runner says %s", what, show(m))
		}
	}
}

func show(m *protocol.ServerMessage) string {
	text, _ := json.Marshal(m)
	return string(text)
}

// done reads to the end of a job, and gives its results put together and its outcome.
func (w *wire) done(number int64) ([]byte, *protocol.Done) {
	w.t.Helper()
	var got []byte
	for seq := 1; ; {
		m, data := w.next()
		switch {
		case data != nil:
			h, err := protocol.ReadHeader(data)
			if err != nil {
				w.t.Fatal(err)
			}
			if h.Job == number {
				got = append(got, data[protocol.HeaderBytes:]...)
				seq = max(seq, h.Seq)
			}
		case m.Error != nil && (m.Job == number || m.Error.Fatal):
			return nil, &protocol.Done{State: "error", Reason: &m.Error.Diagnostic}
		case m.Job == number && m.Done != nil:
			if m.Seq <= seq && len(got) > 0 {
				w.t.Errorf("job %d ends with event %d after event %d", number, m.Seq, seq)
			}
			return got, m.Done
		}
	}
}

// why is the code of what ended a job, or of the runner's error.
func why(d *protocol.Done) string {
	for _, reason := range []*protocol.Diagnostic{d.Reason, d.Fault} {
		if reason != nil {
			if reason.En.Headline == "" || reason.Zh.Headline == "" || reason.En.Headline == reason.Code {
				return reason.Code + " without words"
			}
			return reason.Code
		}
	}
	return d.State
}

// fill is z[i] = 7 for the 256 elements of z.
const fill = `func @fill(%z: *i32) {
  %r = arange {start=0, end=256} : i32[256]
  %zs = splat %z {shape=[256]} : *i32[256]
  %zp = addptr %zs, %r : *i32[256]
  %seven = const {value=i32(7), shape=[256]} : i32[256]
  store %zp, %seven @10:20
  return
}
`

func kernel(t testing.TB, text string) []byte {
	t.Helper()
	fn, err := ir.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return ir.Encode(fn)
}

// submission is a job on one tensor of i32 that begins as zeros and comes back.
func submission(number int64, wire []byte, elements int) protocol.Submit {
	zero := 0
	return protocol.Submit{
		Job: number, IRBytes: len(wire), Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
		Tensors: []protocol.Tensor{{Bytes: 4 * elements, Zero: true, Return: true}},
	}
}

// submit sends a whole job of that kind.
func (w *wire) submit(number int64, text string, change func(*protocol.Submit)) {
	w.t.Helper()
	wire := kernel(w.t, text)
	s := submission(number, wire, 256)
	if change != nil {
		change(&s)
	}
	w.say(protocol.ClientMessage{Submit: &s})
	w.raw(frame(protocol.Header{Kind: protocol.IRFrame, Job: number}, wire))
}

// works checks that a client gets what it should.
func (w *wire) works(number int64) {
	w.t.Helper()
	w.submit(number, fill, nil)
	got, done := w.done(number)
	if done.State != protocol.StateDone || done.Programs != 1 || string(got) != strings.Repeat("\x07\x00\x00\x00", 256) {
		w.t.Errorf("a good job is %s (%s) with %d bytes", done.State, why(done), len(got))
	}
}

func TestJob(t *testing.T) {
	d := open(t, nil)
	w := d.client(nil)
	if h := w.hello; len(h.Session) != 32 || len(h.Devices) != 1 || h.Devices[0].ID != "cpu" || h.Limits != testLimits(nil) {
		t.Errorf("hello is %+v", h)
	}
	w.works(1)
	w.say(protocol.ClientMessage{Release: &protocol.JobRef{Job: 1}})
	eventually(t, "a released job takes no memory", func() bool { _, bytes := d.runner.sched.Usage(); return bytes == 0 })

	w.submit(2, fill, func(s *protocol.Submit) { s.Timing = &protocol.TimingRequest{WarmupMS: 1, MeasureMS: 1} })
	m := w.until("timings", func(m *protocol.ServerMessage) bool { return m.Timings != nil })
	if m.Timings.N == 0 || m.Timings.N != len(m.Timings.Samples) || m.Timings.Median < m.Timings.Min || m.Timings.Clock != "wall" {
		t.Errorf("timings are %+v", m.Timings)
	}
	if _, done := w.done(2); done.State != protocol.StateDone {
		t.Errorf("a timed job is %s", why(done))
	}
}

func TestOutOfBounds(t *testing.T) {
	d := open(t, nil)
	w, other := d.client(nil), d.client(nil)
	w.submit(1, fill, func(s *protocol.Submit) {
		s.Tensors[0].Bytes = 40
		s.Args[0].Name = "output"
	})
	m := w.until("diagnostics", func(m *protocol.ServerMessage) bool { return m.Diagnostics != nil })
	got := m.Diagnostics.List[0]
	if got.Code != "out-of-bounds-store" || got.Start != 10 || got.Runtime == nil || got.Runtime.Tensor != "output" || got.Runtime.Index != 10 || got.Runtime.Count != 246 {
		t.Errorf("the diagnostic is %+v", got)
	}
	if !strings.Contains(got.En.Headline, "output") || !strings.Contains(got.Zh.Headline, "越界") {
		t.Errorf("its words are %+v and %+v", got.En, got.Zh)
	}
	if _, done := w.done(1); done.State != protocol.StateDone {
		t.Errorf("the job is %s", why(done))
	}
	other.works(1)
}

func TestManyClients(t *testing.T) {
	if testing.Short() {
		t.Skip("200 clients")
	}
	d := open(t, nil)
	var all sync.WaitGroup
	problems := make(chan string, 1000)
	begin := make(chan struct{})
	for client := range 200 {
		w := d.client(nil)
		all.Go(func() {
			<-begin
			for job := range int64(5) {
				w.submit(job+1, fill, nil)
				got, done := w.done(job + 1)
				if done.State != protocol.StateDone || len(got) != 1024 || got[0] != 7 {
					problems <- fmt.Sprintf("client %d, job %d: %s", client, job+1, why(done))
				}
			}
		})
	}
	close(begin)
	all.Wait()
	close(problems)
	for p := range problems {
		t.Error(p)
	}
}
