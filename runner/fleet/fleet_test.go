package fleet

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// patience is how long a test waits for what must happen.
const patience = 2 * time.Minute

// testTimes have members hear of each other soon, and leases that outlast any test, however busy the machine is. A ticket
// that came when its worker no longer waited for it, and an answer that was lost, are made up for in time. Where JetStream
// has to deliver a ticket again by itself, tests have shortAckWait.
var (
	testTimes = times{
		alive: 100 * time.Millisecond, lease: 2 * patience, ackWait: patience / 8, presence: 2 * patience,
		fetch: time.Second, unclaimed: 2 * patience, probe: 10 * time.Millisecond,
		connect: patience, ping: patience, request: patience / 4,
	}
	shortAckWait = func() times { t := testTimes; t.ackWait = time.Second; return t }()
)

// silence has a gateway find that it has heard for too long neither of its jobs nor of some workers.
func (g *testGateway) silence(workers ...*fakeWorker) {
	g.mu.Lock()
	defer g.mu.Unlock()
	long := time.Now().Add(-2 * g.link.times.lease)
	for _, j := range g.jobs {
		j.heardAt = long
	}
	for _, f := range workers {
		g.workers[workerKey(f.user, f.id)].heardAt = long
	}
}

// increment adds one to each of two numbers.
const increment = `func @increment(%x: *i32) {
  %r = arange {start=0, end=2} : i32[2]
  %xs = splat %x {shape=[2]} : *i32[2]
  %p = addptr %xs, %r : *i32[2]
  %v = load %p : i32[2]
  %one = const {value=i32(1), shape=[2]} : i32[2]
  %s = add %v, %one : i32[2]
  store %p, %s
  return
}
`

// testServer is a NATS server of its own for a test.
func testServer(t testing.TB, credentials string) *Server {
	t.Helper()
	s, err := StartServer(ServerOptions{Addr: "127.0.0.1:0", Store: t.TempDir(), Credentials: credentials})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Stop)
	return s
}

// testGateway is a gateway with its scheduler.
type testGateway struct {
	*Gateway
	sched *sched.Scheduler
}

func newTestGateway(t testing.TB, url string, change func(*protocol.Limits)) *testGateway {
	t.Helper()
	return newTestGatewayOf(t, Options{URL: url}, change)
}

func newTestGatewayOf(t testing.TB, o Options, change func(*protocol.Limits)) *testGateway {
	t.Helper()
	o.Log, o.times = testLog(t), cmp.Or(o.times, testTimes)
	limits := protocol.DefaultLimits()
	limits.Buffers = 0
	if change != nil {
		change(&limits)
	}
	g, err := NewGateway(o, limits)
	if err != nil {
		t.Fatal(err)
	}
	s := sched.New(sched.Options{Limits: limits, Charged: g.Charged})
	g.Attach(s)
	t.Cleanup(func() {
		stopping, cancel := context.WithCancel(context.Background())
		cancel()
		s.Stop(stopping, 0)
		s.Close(context.Background())
		g.Close()
	})
	return &testGateway{g, s}
}

// testLog writes to the test's log, as long as the test runs.
func testLog(t testing.TB) *slog.Logger {
	return slog.New(slog.NewTextHandler(logWriter{t}, nil))
}

type logWriter struct{ t testing.TB }

func (w logWriter) Write(text []byte) (int, error) {
	if _, isBench := w.t.(*testing.B); !isBench && w.t.Context().Err() == nil {
		w.t.Logf("%s", text)
	}
	return len(text), nil
}

// startWorker runs a worker with the CPU until the test ends or stop is called, which waits for it.
func startWorker(t testing.TB, url string, labels ...string) (w *Worker, stop func()) {
	t.Helper()
	w, err := NewWorker(t.Context(), WorkerOptions{
		Options: Options{URL: url, Name: t.Name(), Log: testLog(t), times: testTimes}, Device: sched.Device{ID: "cpu", Device: cpu.New(cpu.Options{})},
		Labels: labels, Limits: protocol.DefaultLimits(), Drain: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { w.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return w, stop
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// offers waits until a gateway has workers of a pool.
func (g *testGateway) offers(t testing.TB, pool string, workers int) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d workers of %s", workers, pool), func() bool {
		g.mu.Lock()
		defer g.mu.Unlock()
		n := 0
		for _, w := range g.workers {
			if w.takesJobs(pool, time.Now()) {
				n++
			}
		}
		return n == workers && g.pools[pool] != nil
	})
	eventually(t, "the pool's device", func() bool {
		for _, d := range g.sched.Devices() {
			if d.ID == pool {
				return true
			}
		}
		return false
	})
}

// client is a session of a test.
type client struct {
	*sched.Stream
	last int64
}

func (g *testGateway) connect(t testing.TB, owner string) *client {
	t.Helper()
	st, why := g.sched.Open(owner)
	if why != nil {
		t.Fatal(why.Code)
	}
	return &client{Stream: st}
}

// send submits a job with one tensor of numbers, which returns.
func (c *client) send(t testing.TB, pool, kernel string, numbers ...int32) int64 {
	t.Helper()
	fn, err := ir.Parse(kernel)
	if err != nil {
		t.Fatal(err)
	}
	wire, zero, data := ir.Encode(fn), 0, []byte{}
	for _, n := range numbers {
		data = binary.LittleEndian.AppendUint32(data, uint32(n))
	}
	c.last++
	why := c.Submit(&protocol.Submit{
		Job: c.last, Device: pool, IRBytes: len(wire), Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
		Tensors: []protocol.Tensor{{Bytes: len(data), Return: true}},
	})
	if why != nil {
		t.Fatal(why.Code)
	}
	for kind, part := range [][]byte{protocol.IRFrame: wire, protocol.TensorFrame: data} {
		if err := uploadPart(c.Stream, protocol.Header{Kind: protocol.Kind(kind), Job: c.last}, part); err != nil {
			t.Fatal(err)
		}
	}
	return c.last
}

// clientAnswer is what a client got for a job.
type clientAnswer struct {
	done    *protocol.Done
	numbers []int32
	starts  int
	prints  int
}

// wait reads events until a job has ended, and fails if one has a second end.
func (c *client) wait(t testing.TB, job int64) *clientAnswer {
	t.Helper()
	a, data := &clientAnswer{}, []byte{}
	for end := time.After(patience); ; {
		for f, ok := c.Next(); ok; f, ok = c.Next() {
			var m protocol.ServerMessage
			if f.Message != nil {
				if err := json.Unmarshal(f.Message, &m); err != nil {
					t.Fatal(err)
				}
			} else if f.Header.Job == job {
				data = append(data, f.Payload...)
			}
			switch {
			case m.Job != job:
			case m.Started != nil:
				a.starts++
			case m.Prints != nil:
				a.prints++
			case m.Done != nil:
				for ; len(data) > 0; data = data[4:] {
					a.numbers = append(a.numbers, int32(binary.LittleEndian.Uint32(data)))
				}
				a.done = m.Done
				c.Release(job)
				return a
			}
		}
		select {
		case <-c.Wake():
		case <-end:
			t.Fatalf("job %d does not end", job)
		}
	}
}

// A job goes through the fleet: by architecture, and by a label.
func TestFleet(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL(), "lab=3")
	g.offers(t, "cpu", 1)
	g.offers(t, "cpu@lab=3", 1)
	c := g.connect(t, "here")
	for _, pool := range []string{"cpu", "cpu@lab=3", ""} {
		a := c.wait(t, c.send(t, pool, increment, 41, -1))
		if a.done.State != protocol.StateDone || len(a.numbers) != 2 || a.numbers[0] != 42 || a.numbers[1] != 0 || a.starts != 1 {
			t.Errorf("on %q: %+v", pool, a)
		}
	}
}

// Tensors that are larger than a message of NATS go through as well.
func TestLargeTensors(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	numbers := make([]int32, 1<<20+3)
	for i := range numbers {
		numbers[i] = int32(i)
	}
	a := c.wait(t, c.send(t, "cpu", increment, numbers...))
	if a.done.State != protocol.StateDone || len(a.numbers) != len(numbers) {
		t.Fatalf("%+v", a.done)
	}
	for i, n := range a.numbers {
		if want := int32(i); n != want && (i > 1 || n != want+1) {
			t.Fatalf("number %d is %d", i, n)
		}
	}
}

// TestUsageIsTold: other gateways hear of all device time at once, however many clients took it.
func TestUsageIsTold(t *testing.T) {
	url := testServer(t, "").ClientURL()
	g := newTestGateway(t, url, nil)
	l, err := connect(Options{URL: url}, true, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	heard, err := l.SubscribeSync(usageSubject)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.FlushTimeout(patience); err != nil {
		t.Fatal(err)
	}
	const clients = 2*maxUsage + 1
	for i := range clients {
		g.Charged(fmt.Sprintf("%0*d", maxOwner, i), time.Second)
	}
	g.refresh()
	for told := 0; told < clients; {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatalf("%d of %d clients: %v", told, clients, err)
		}
		var u usageMessage
		if _, err := decodePacket(m.Data, &u); err != nil || len(u.Used) == 0 || len(u.Used) > maxUsage {
			t.Fatalf("a message of %d bytes with %d clients: %v", len(m.Data), len(u.Used), err)
		}
		told += len(u.Used)
	}
}
