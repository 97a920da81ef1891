package fleet

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/protocol"
)

// wantAnswer fails unless a job ran once, to its end, with 41 incremented.
func wantAnswer(t *testing.T, a *clientAnswer) {
	t.Helper()
	if a.done.State != protocol.StateDone || !slices.Equal(a.numbers, []int32{42, 1}) || a.starts != 1 {
		t.Errorf("the job ended with %+v, numbers %v, %d starts", a.done, a.numbers, a.starts)
	}
}

// wantRefused fails unless a job was refused for a reason.
func wantRefused(t *testing.T, a *clientAnswer, code string) {
	t.Helper()
	if a.done.State != protocol.StateRefused || a.done.Reason == nil || a.done.Reason.Code != code {
		t.Errorf("the job ended with %+v", a.done)
	}
}

// Who has no lease, another worker's, or one that has ended changes nothing, and nor does who is no worker.
func TestForgedIdentity(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	f := joinFake(t, g, s.ClientURL())
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, m, r := f.claim()
	lie := text(t, outcome{Done: &protocol.Done{State: protocol.StateDone}, Results: true})
	whole := append(slices.Clone(lie), 1, 2, 3, 4, 5, 6, 7, 8)
	size := request{Head: int64(len(lie)), Total: int64(len(whole))}
	for name, one := range map[string]struct {
		verb string
		q    request
		want string
	}{
		"a stranger claims":       {claimVerb, request{Worker: newID(), Job: of.Job}, stateHeld},
		"no worker":               {claimVerb, request{Worker: "x", Job: of.Job}, stateRefused},
		"a guessed lease":         {answerVerb, request{Lease: newID(), Head: size.Head, Total: size.Total}, stateGone},
		"no lease":                {answerVerb, request{Head: size.Head, Total: size.Total}, stateGone},
		"another worker's lease":  {answerVerb, request{Worker: newID(), Lease: r.Lease, Head: size.Head, Total: size.Total}, stateGone},
		"a job of nobody":         {claimVerb, request{Job: newID()}, stateGone},
		"bytes before the first":  {fetchVerb, request{Lease: r.Lease, At: -1}, stateRefused},
		"bytes beyond the last":   {fetchVerb, request{Lease: r.Lease, At: 1 << 40}, stateRefused},
		"another's job, returned": {returnVerb, request{Worker: newID(), Lease: r.Lease, Unable: true}, stateGone},
	} {
		if got, _ := f.ask(of, one.verb, one.q, whole...); got.State != one.want {
			t.Errorf("%s: the gateway says %q, want %q", name, got.State, one.want)
		}
	}
	startWorker(t, s.ClientURL())
	f.ask(of, returnVerb, request{Lease: r.Lease, Unable: true})
	m.Nak()
	wantAnswer(t, c.wait(t, job))
}

// The embedded server lets in those whom the credentials name, and a worker does what workers do, and no more.
func TestPermissions(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const gateway, lab, other = "gateway:0123456789abcdef", "lab-3:fedcba9876543210", "lab-4:aaaabbbbccccdddd"
	all := file("all", gateway+"\n# the machines\n"+lab+"\n"+other+"\n")
	s := testServer(t, all)
	for name, path := range map[string]string{
		"none": "", "a wrong password": file("wrong", "lab-3:0000000000000000"), "a stranger": file("stranger", "lab-9:fedcba9876543210"),
	} {
		if l, err := connect(Options{URL: s.ClientURL(), Credentials: path}, false, func() {}); err == nil {
			l.Close()
			t.Errorf("with credentials %q a worker is let in", name)
		}
	}
	g, err := connect(Options{URL: s.ClientURL(), Credentials: all}, true, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if err := g.openStream(t.Context()); err != nil {
		t.Fatal(err)
	}
	w, err := connect(Options{URL: s.ClientURL(), Credentials: file("lab", lab)}, false, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := w.js.Publish(ctx, jobSubject+"cpu", []byte("{}")); err == nil {
		t.Error("a worker puts a job into the queue")
	}
	for _, subject := range []string{inboxOf("lab-4") + ".>", inboxOf("gateway") + ".>", gossipSubject, gatewaySubject + ">", jobSubject + ">", "_INBOX.>"} {
		sub, err := w.SubscribeSync(subject)
		if err != nil {
			t.Fatal(err)
		}
		w.Flush()
		g.Publish(strings.ReplaceAll(subject, ">", "x"), []byte("secret"))
		g.Flush()
		w.Flush() // what the server had sent before is here
		if m, err := sub.NextMsg(time.Millisecond); err == nil {
			t.Errorf("a worker reads %s on %s", m.Data, subject)
		}
	}
	if _, err := connect(Options{URL: s.ClientURL(), Credentials: file("lab", lab)}, true, func() {}); err == nil {
		t.Error("a worker's credentials make a gateway")
	}
	for _, bad := range []string{"", "lab-3:short", "lab 3:0123456789abcdef", "lab>:0123456789abcdef", "0123456789abcdef"} {
		if _, err := readUsers(file("bad", bad)); err == nil {
			t.Errorf("the credentials %q are accepted", bad)
		}
	}
}

// An answer whose parts come twice and in the wrong order is put together as it was meant, and one that comes again
// changes nothing. A ticket that comes again runs nothing.
func TestReplay(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	f := joinFake(t, g, s.ClientURL())
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, m, r := f.claim()
	head := text(t, good())
	whole := binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(slices.Clone(head), 42), 1)
	n, cut := int64(len(whole)), int64(len(head))+2
	part := func(from, to int64) reply {
		q := request{Lease: r.Lease, At: from, Head: int64(len(head)), Total: n}
		got, _ := f.ask(of, answerVerb, q, whole[from:to]...)
		return got
	}
	for _, one := range []struct{ from, to, next int64 }{
		{cut, n, 0}, {0, 10, 10}, {0, 10, 10}, {cut, n, 10}, {5, cut, cut}, {0, cut, cut}, {cut - 1, n, n},
	} {
		if got := part(one.from, one.to); got.State != stateYes || got.Next != one.next {
			t.Errorf("bytes %d to %d: the gateway says %+v, want to go on from %d", one.from, one.to, got, one.next)
		}
	}
	wantAnswer(t, c.wait(t, job))
	if got := part(0, n); got.State != stateGone {
		t.Errorf("the same answer again: %+v", got)
	}
	m.Ack()
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 2)
	if _, err := f.js.Publish(t.Context(), jobSubject+"cpu", m.Data()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.js.Publish(t.Context(), jobSubject+"cpu", []byte("no ticket")); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the old ticket is dropped", func() bool { return queued(t, f.js) == 0 })
	if frame, ok := c.Next(); ok {
		t.Errorf("the client hears %s", frame.Message)
	}
}

// queued is how many tickets there are.
func queued(t *testing.T, js jetstream.JetStream) uint64 {
	t.Helper()
	stream, err := js.Stream(t.Context(), streamName)
	if err != nil {
		t.Fatal(err)
	}
	return stream.CachedInfo().State.Msgs
}

// A worker that sends what cannot be an outcome loses the job, and gets no other one for a while.
func TestLiar(t *testing.T) {
	done := func(change func(*outcome)) outcome {
		o := good()
		change(&o)
		return o
	}
	for name, lie := range map[string]struct {
		o       any
		results int
	}{
		"results of another size":  {good(), 4},
		"no results":               {done(func(o *outcome) { o.Results = false }), 0},
		"results that do not come": {good(), 0},
		"no end":                   {done(func(o *outcome) { o.Done = nil }), 8},
		"an unknown state":         {done(func(o *outcome) { o.Done.State = "splendid" }), 8},
		"a fault that is done":     {done(func(o *outcome) { o.Done.Fault = &protocol.Diagnostic{Code: "loop-budget"} }), 8},
		"negative time":            {done(func(o *outcome) { o.DeviceNS = -1 }), 8},
		"timings unasked":          {done(func(o *outcome) { o.Timings = &protocol.Timings{} }), 8},
		"machine code unasked":     {done(func(o *outcome) { o.SASS = &protocol.SASS{} }), 8},
		"too many diagnostics":     {done(func(o *outcome) { o.Diagnostics = &protocol.Diagnostics{List: make([]protocol.Diagnostic, 101)} }), 8},
		"too long prints": {done(func(o *outcome) {
			o.Prints = &protocol.Prints{Prints: []protocol.Print{{Text: strings.Repeat("x", 2<<20)}}}
		}), 8},
		"a kernel that it cannot read": {outcome{Done: &protocol.Done{
			State: protocol.StateRefused, Reason: &protocol.Diagnostic{Code: "runner-ir"}}}, 0},
		"no JSON": {nil, 8},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testServer(t, "")
			g := newTestGateway(t, s.ClientURL(), nil)
			f := joinFake(t, g, s.ClientURL())
			c := g.connect(t, "here")
			job := c.send(t, "cpu", increment, 41, 0)
			of, m, r := f.claim()
			head := []byte("{")
			if o, ok := lie.o.(outcome); ok {
				head = text(t, o)
			}
			whole := append(slices.Clone(head), make([]byte, lie.results)...)
			q := request{Lease: r.Lease, Head: int64(len(head)), Total: int64(len(whole))}
			var got reply
			for q.At < q.Total {
				piece := whole[q.At:min(q.Total, q.At+f.pieceBytes())]
				if got, _ = f.ask(of, answerVerb, q, piece...); got.State != stateYes {
					break
				}
				q.At = got.Next
			}
			if got.State != stateRefused {
				t.Errorf("the gateway says %+v", got)
			}
			m.Nak()
			if again, _ := f.ask(of, claimVerb, request{Job: of.Job}); again.State != stateHeld {
				t.Errorf("the liar claims the job again: %+v", again)
			}
			startWorker(t, s.ClientURL())
			wantAnswer(t, c.wait(t, job))
		})
	}
}

// A worker that goes silent half-way through its answer loses the job, which the next one runs from the start. What the
// first one says when it is back is too late.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGatewayOf(t, Options{URL: s.ClientURL(), times: shortAckWait}, nil)
	f := joinFake(t, g, s.ClientURL())
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, _, r := f.claim()
	head := text(t, good())
	whole := append(slices.Clone(head), 9, 9, 9, 9, 9, 9, 9, 9)
	q := request{Lease: r.Lease, Head: int64(len(head)), Total: int64(len(whole))}
	f.ask(of, answerVerb, q, whole[:len(whole)-4]...)
	g.silence()
	startWorker(t, s.ClientURL())
	wantAnswer(t, c.wait(t, job))
	q.At = q.Total - 4
	if got, _ := f.ask(of, answerVerb, q, whole[q.At:]...); got.State != stateGone {
		t.Errorf("the dead worker's answer is taken: %+v", got)
	}
}

// A job that loses one worker after another ends, since it may be what ends them.
func TestPoisonedJob(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	var c *client
	var job int64
	for range maxWorkersLost {
		f := joinFake(t, g, s.ClientURL())
		if c == nil {
			c = g.connect(t, "here")
			job = c.send(t, "cpu", increment, 41, 0)
		}
		of, m, r := f.claim()
		f.ask(of, returnVerb, request{Lease: r.Lease, Unable: true})
		m.Nak()
		f.leave(g)
	}
	wantRefused(t, c.wait(t, job), "runner-worker-lost")
}

// TestAllUnable: a job that no worker can run ends, however few they are.
func TestAllUnable(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	f := joinFake(t, g, s.ClientURL())
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, m, r := f.claim()
	f.ask(of, returnVerb, request{Lease: r.Lease, Unable: true})
	m.Nak()
	g.silence()
	wantRefused(t, c.wait(t, job), "runner-worker-lost")
}

// A queue that is full keeps jobs waiting in their gateway; they run when there is room.
func TestFullStream(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	l, err := connect(Options{URL: s.ClientURL()}, true, func() {})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	stream, err := l.js.CreateStream(t.Context(), jetstream.StreamConfig{
		Name: streamName, Subjects: []string{jobSubject + "*"}, Retention: jetstream.WorkQueuePolicy,
		Discard: jetstream.DiscardNew, MaxMsgs: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.js.Publish(t.Context(), jobSubject+"sm_99", []byte("in the way")); err != nil {
		t.Fatal(err)
	}
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	eventually(t, "the gateway has tried twice", func() bool { return g.Events()[eventFull] > 1 })
	if frame, ok := c.Next(); ok && strings.Contains(string(frame.Message), "done") {
		t.Errorf("the job ended with %s", frame.Message)
	}
	if err := stream.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantAnswer(t, c.wait(t, job))
}

// A stream that somebody removes is made again, and the job that needed it runs.
func TestStreamRemoved(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	if err := g.link.js.DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	c := g.connect(t, "here")
	wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
}

// The NATS server ends in the middle, and another one takes its place: with its streams, or with an empty disk.
func TestServerRestarts(t *testing.T) {
	for name, keep := range map[string]bool{"with its streams": true, "with an empty disk": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := t.TempDir()
			first, err := StartServer(ServerOptions{Addr: "127.0.0.1:0", Store: store})
			if err != nil {
				t.Fatal(err)
			}
			url, addr := first.ClientURL(), first.Addr().String()
			g := newTestGateway(t, url, nil)
			startWorker(t, url)
			g.offers(t, "cpu", 1)
			c := g.connect(t, "here")
			wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
			first.Stop()
			job := c.send(t, "cpu", increment, 41, 0)
			if !keep {
				store = t.TempDir()
			}
			second, err := StartServer(ServerOptions{Addr: addr, Store: store})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(second.Stop)
			wantAnswer(t, c.wait(t, job))
		})
	}
}

// cable forwards connections until it is cut, and again when it is mended.
type cable struct {
	listener net.Listener
	to       string
	mu       sync.Mutex
	isCut    bool
	conns    []net.Conn
}

func newCable(t *testing.T, to string) *cable {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: l, to: to}
	t.Cleanup(func() { l.Close(); c.set(true) })
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			c.forward(near)
		}
	}()
	return c
}

func (c *cable) forward(near net.Conn) {
	c.mu.Lock()
	defer c.mu.Unlock()
	far, err := net.Dial("tcp", c.to)
	if c.isCut || err != nil {
		near.Close()
		return
	}
	c.conns = append(c.conns, near, far)
	go func() { io.Copy(near, far); near.Close() }()
	go func() { io.Copy(far, near); far.Close() }()
}

func (c *cable) set(cut bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isCut = cut; cut {
		for _, one := range c.conns {
			one.Close()
		}
		c.conns = nil
	}
}

// A worker that is cut off keeps working on a job that another one gets meanwhile; the client hears one answer. When it
// is back it is a worker as before.
func TestPartition(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGatewayOf(t, Options{URL: s.ClientURL(), times: shortAckWait}, nil)
	wire := newCable(t, s.Addr().String())
	f := joinFake(t, g, "nats://"+wire.listener.Addr().String())
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	of, _, r := f.claim()
	wire.set(true)
	g.silence(f)
	startWorker(t, s.ClientURL())
	wantAnswer(t, c.wait(t, job))
	wire.set(false)
	eventually(t, "the connection is back", f.IsConnected)
	if got, _ := f.ask(of, aliveVerb, request{Lease: r.Lease}); got.State != stateGone {
		t.Errorf("the lease still holds: %+v", got)
	}
	g.offers(t, "cpu", 2)
}

// A gateway that is cut off keeps its jobs, and its leases: nobody could be heard meanwhile.
func TestGatewayPartition(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	wire := newCable(t, s.Addr().String())
	g := newTestGateway(t, "nats://"+wire.listener.Addr().String(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	wire.set(true)
	job := c.send(t, "cpu", increment, 41, 0)
	eventually(t, "the gateway is cut off", func() bool { return !g.link.IsConnected() })
	wire.set(false)
	wantAnswer(t, c.wait(t, job))
}

// No message holds a time of day, so it does not matter what the clocks say.
func TestNoClock(t *testing.T) {
	var walk func(reflect.Type, string)
	walk = func(of reflect.Type, path string) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem(), path)
		case reflect.Struct:
			if of == reflect.TypeFor[time.Time]() {
				t.Errorf("%s is a time of day", path)
			}
			for i := range of.NumField() {
				walk(of.Field(i).Type, path+"."+of.Field(i).Name)
			}
		}
	}
	for _, m := range []any{ticket{}, request{}, reply{}, outcome{}, workerPresence{}, gatewayPresence{}, stopMessage{}} {
		walk(reflect.TypeOf(m), reflect.TypeOf(m).Name())
	}
}

// Members of another version are not heard, and fields that this version does not know are no mistake.
func TestVersions(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	if err := g.link.FlushTimeout(patience); err != nil { // the server knows what it subscribes to
		t.Fatal(err)
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	say := func(subject, extra string) {
		head := `{"worker":"` + newID() + `","name":"old","device":{"name":"CPU","dtypes":["i32"]},"state":"ready","slots":1` + extra + `}`
		packet := append(binary.LittleEndian.AppendUint32(nil, uint32(len(head))), head...)
		conn.Publish(subject, packet)
	}
	for _, other := range []string{"newt.1.", "newt.3."} {
		say(strings.Replace(workersSubject, prefix, other, 1)+openWorker, "")
	}
	for _, bad := range []string{`,"state":"busy"`, `,"labels":["lab"]`, `,"labels":["a=1","b.>=2"]`, `,"device":{"arch":"sm.>"}`,
		`,"device":{"dtypes":["fp31"]}`, `,"worker":"short"`, `,"name":"\u001b[31m"`, `,"running":"x"`, `,"slots":0`,
		`,"slots":1000`, `,"running":2`} {
		say(workersSubject+openWorker, bad)
	}
	conn.Publish(workersSubject+openWorker, []byte{1})
	conn.Publish(workersSubject+openWorker, []byte{255, 255, 255, 255, '{'})
	say(workersSubject+openWorker, `,"color":"green"`)
	g.offers(t, "cpu", 1)
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.workers) != 1 || len(g.pools) != 1 {
		t.Errorf("the gateway knows %d workers of %d pools", len(g.workers), len(g.pools))
	}
}
