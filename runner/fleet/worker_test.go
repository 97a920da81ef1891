package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// unreliable is a CPU whose launches can be held up, and that can be lost.
type unreliable struct {
	device.Device
	mu       sync.Mutex
	hold     chan struct{} // launches wait for it to be closed; nil: they do not
	launched chan struct{} // a token for each launch
	lost     bool
}

var errLost = errors.New("the device fell off the bus")

func newUnreliable() *unreliable {
	return &unreliable{Device: cpu.New(cpu.Options{}), launched: make(chan struct{}, 100)}
}

func (u *unreliable) set(hold chan struct{}, lost bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.hold, u.lost = hold, lost
}

func (u *unreliable) state() (chan struct{}, bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.hold, u.lost
}

func (u *unreliable) Alloc(bytes int) (device.Memory, error) {
	if _, lost := u.state(); lost {
		return nil, errLost
	}
	return u.Device.Alloc(bytes)
}

func (u *unreliable) Load(fn *ir.Func, o device.Options) (device.Kernel, error) {
	k, err := u.Device.Load(fn, o)
	return held{u, k}, err
}

type held struct {
	device *unreliable
	device.Kernel
}

func (k held) Launch(ctx context.Context, l device.Launch) (*device.Report, error) {
	k.device.launched <- struct{}{}
	if hold, _ := k.device.state(); hold != nil {
		select {
		case <-hold:
		case <-ctx.Done():
		}
	}
	return k.Kernel.Launch(ctx, l)
}

// startWorkerOn is startWorker with a device and credentials.
func startWorkerOn(t *testing.T, url, credentials string, d device.Device) (w *Worker, stop func()) {
	t.Helper()
	w, err := NewWorker(t.Context(), WorkerOptions{
		Options: Options{URL: url, Name: t.Name(), Log: testLog(t), Credentials: credentials, times: testTimes},
		Device:  sched.Device{ID: "cpu", Device: d}, Limits: protocol.DefaultLimits(), Drain: 100 * time.Millisecond,
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

// A worker that drains gives a job that does not end to another worker, and one that is idle ends at once.
func TestDrain(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	u := newUnreliable()
	hold := make(chan struct{})
	defer close(hold)
	u.set(hold, false)
	_, stop := startWorkerOn(t, s.ClientURL(), "", u)
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	<-u.launched
	_, stopOther := startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 2)
	stop()
	wantAnswer(t, c.wait(t, job)) // it is given back: the lease of one that is not outlasts wait
	g.offers(t, "cpu", 1)
	stopOther()
	g.offers(t, "cpu", 0)
	eventually(t, "the fleet is one gateway", func() bool {
		census, err := TakeCensus(t.Context(), Options{URL: s.ClientURL(), times: testTimes})
		return err == nil && len(census.Workers) == 0 && len(census.Gateways) == 1
	})
}

// TestDrainWhileClaiming: a worker that is told to stop while its claim is not answered yet hears the answer, and gives
// the job back.
func TestDrainWhileClaiming(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	_, stop := startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	id := newID() // of a gateway that the test is
	heard, err := g.link.SubscribeSync(gatewaySubject + id + ".>")
	if err != nil {
		t.Fatal(err)
	}
	offer, err := json.Marshal(ticket{newID(), id})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.link.js.Publish(t.Context(), jobSubject+"cpu", offer); err != nil {
		t.Fatal(err)
	}
	claim, err := heard.NextMsg(patience)
	if err != nil {
		t.Fatal(err)
	}
	go stop()
	eventually(t, "the worker drains", func() bool { return g.Workers()["cpu"][workerDraining] == 1 })
	lease := newID()
	if err := claim.Respond(encodePacket(reply{State: stateYes, Lease: lease, Head: 1, Total: 2}, nil)); err != nil {
		t.Fatal(err)
	}
	for {
		m, err := heard.NextMsg(patience)
		if err != nil {
			t.Fatal("the worker does not give the job back")
		}
		var q request
		if _, err := decodePacket(m.Data, &q); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(m.Subject, "."+fetchVerb+".") {
			m.Respond(encodePacket(reply{State: stateYes}, nil))
		}
		if strings.Contains(m.Subject, "."+returnVerb+".") {
			if q.Lease != lease || q.Unable {
				t.Errorf("the worker gives back %+v", q)
			}
			return
		}
	}
}

// A worker whose device is lost gives its job to another one and takes none until the device is back.
func TestDeviceLost(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	u := newUnreliable()
	_, _ = startWorkerOn(t, s.ClientURL(), "", u)
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	u.set(nil, true)
	job := c.send(t, "cpu", increment, 41, 0)
	eventually(t, "the worker says that its device is lost", func() bool { return g.Workers()["cpu"][workerNoDevice] == 1 })
	startWorker(t, s.ClientURL())
	wantAnswer(t, c.wait(t, job))
	for range 3 {
		wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
	}
	if len(u.launched) > 0 {
		t.Error("a worker without a device launched a kernel")
	}
	u.set(nil, false)
	g.offers(t, "cpu", 2)
}

// A job that its client cancels stops on its worker, which is then free.
func TestCancel(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	u := newUnreliable()
	hold := make(chan struct{})
	defer close(hold)
	u.set(hold, false)
	startWorkerOn(t, s.ClientURL(), "", u)
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	<-u.launched
	c.Cancel(job)
	a := c.wait(t, job)
	if a.done.State != protocol.StateCancelled || a.done.Reason == nil || a.done.Reason.Code != "runner-cancelled" {
		t.Errorf("the job ended with %+v", a.done)
	}
	u.set(nil, false)
	wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
}

// TestTwoTickets: a worker with several slots runs a job once that has two tickets.
func TestTwoTickets(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	u := newUnreliable()
	hold := make(chan struct{})
	u.set(hold, false)
	startWorkerOn(t, s.ClientURL(), "", u)
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	job := c.send(t, "cpu", increment, 41, 0)
	<-u.launched
	g.mu.Lock()
	jobs := slices.Collect(maps.Values(g.jobs))
	g.mu.Unlock()
	g.putTicket(t.Context(), jobs[0])
	consumer, err := g.link.js.Consumer(t.Context(), streamName, "cpu")
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the second ticket is handled", func() bool {
		info, err := consumer.Info(t.Context())
		return err == nil && info.NumRedelivered > 0 || g.Events()[eventClaim] > 1
	})
	close(hold)
	wantAnswer(t, c.wait(t, job))
	if claims := g.Events()[eventClaim]; claims != 1 || len(u.launched) > 0 {
		t.Errorf("%d claims, %d more launches", claims, len(u.launched))
	}
	eventually(t, "both tickets are gone", func() bool { return queued(t, g.link.js) == 0 })
}

// A worker with its own credentials, and a gateway with its own, can do what they must.
func TestCredentials(t *testing.T) {
	t.Parallel()
	all := filepath.Join(t.TempDir(), "all")
	if err := os.WriteFile(all, []byte("gateway:0123456789abcdef\nlab-3:fedcba9876543210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(t.TempDir(), "own")
	if err := os.WriteFile(own, []byte("lab-3:fedcba9876543210\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := testServer(t, all)
	g := newTestGatewayOf(t, Options{URL: s.ClientURL(), Credentials: all}, nil)
	u := newUnreliable()
	startWorkerOn(t, s.ClientURL(), own, u)
	g.offers(t, "cpu", 1)
	c := g.connect(t, "here")
	wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
	numbers := make([]int32, 1<<19)
	numbers[0] = 41
	if a := c.wait(t, c.send(t, "cpu", increment, numbers...)); a.done.State != protocol.StateDone || a.numbers[0] != 42 {
		t.Errorf("a large job: %+v", a.done)
	}
	// A ticket is not delivered again while its worker says that it is at it.
	atIt, err := g.link.SubscribeSync("$JS.ACK." + streamName + ".>")
	if err != nil {
		t.Fatal(err)
	}
	hold := make(chan struct{})
	u.set(hold, false)
	job := c.send(t, "cpu", increment, 41, 0)
	for said := 0; said < 2; {
		m, err := atIt.NextMsg(patience)
		if err != nil {
			t.Fatal(err)
		}
		if string(m.Data) == "+WPI" { // the others acknowledge earlier jobs
			said++
		}
	}
	close(hold)
	wantAnswer(t, c.wait(t, job))
	if n := len(u.launched); n != 3 {
		t.Errorf("%d launches for 3 jobs", n)
	}
	for want, o := range map[Problem]Options{
		NoProblem: {URL: s.ClientURL(), Credentials: own}, Unauthorized: {URL: s.ClientURL()},
		Unreachable: {URL: "nats://127.0.0.1:1"},
	} {
		if h := Examine(t.Context(), o); h.Problem != want {
			t.Errorf("the servers are %+v, want %q", h, want)
		}
	}
}

// TestNotReplicated: streams that are on one server are named, those that there are not yet are not.
func TestNotReplicated(t *testing.T) {
	g := newTestGateway(t, testServer(t, "").ClientURL(), nil)
	if _, err := g.JetStream().CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "links"}); err != nil {
		t.Fatal(err)
	}
	want := []string{streamName, "KV_links"}
	if got := g.link.notReplicated(t.Context(), append(want, "KV_none")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Gateways share workers by the clients that they have jobs of, and know what a client used at another one.
func TestGatewaysShare(t *testing.T) {
	s := testServer(t, "")
	a, b := newTestGateway(t, s.ClientURL(), nil), newTestGateway(t, s.ClientURL(), nil)
	for range 4 {
		startWorker(t, s.ClientURL())
	}
	a.offers(t, "cpu", 4)
	b.offers(t, "cpu", 4)
	capacity := func(g *testGateway) int {
		g.mu.Lock()
		p := g.pools["cpu"]
		g.mu.Unlock()
		jobs, ofSession := p.Capacity()
		if jobs != (suspendingSlots+nextSlots)*ofSession {
			t.Errorf("%d jobs, %d of one client", jobs, ofSession)
		}
		return ofSession
	}
	if n := capacity(a); n != 4 {
		t.Errorf("a gateway alone may use %d of 4 workers", n)
	}
	a.mu.Lock()
	a.clients, a.gateways[b.id] = 1, &peer{gatewayPresence{Clients: 3}, time.Now()}
	a.mu.Unlock()
	b.mu.Lock()
	b.clients, b.gateways[a.id] = 3, &peer{gatewayPresence{Clients: 1}, time.Now()}
	b.mu.Unlock()
	if n, m := capacity(a), capacity(b); n != 1 || m != 3 {
		t.Errorf("with 1 and 3 clients the gateways may use %d and %d workers", n, m)
	}
	c := a.connect(t, sched.Person("ada"))
	b.connect(t, sched.Person("ada"))
	wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
	eventually(t, "the other gateway hears what was used", func() bool {
		usage := b.sched.PeopleUsage()
		return len(usage) == 1 && usage[0].Seconds > 0
	})
}

// TestManyPeople: a gateway with more people than fit into a message tells of as many as do, and how many it leaves out.
func TestManyPeople(t *testing.T) {
	t.Parallel()
	const people = 800
	s := testServer(t, "")
	a, b := newTestGateway(t, s.ClientURL(), nil), newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	a.offers(t, "cpu", 1)
	for i := range people {
		a.connect(t, sched.Person(fmt.Sprintf("%s-%d", strings.Repeat("ada", 20), i)))
	}
	eventually(t, "the other gateway hears of them", func() bool {
		for _, g := range b.Census().Gateways {
			if n := len(g.People); n > 0 && g.MorePeople > 0 && n+g.MorePeople == people {
				return true
			}
		}
		return false
	})
}

// endlessKernel does not end.
const endlessKernel = `func @endless(%z: *i32) {
  %zero = const {value=i32(0)} : i32
  %r = while %zero : i32 cond (%a: i32) {
    %t = eq %a, %a : i1
    condition %t, %a
  } do (%b: i32) {
    yield %b
  }
  return
}
`

// A client whose jobs do not end does not keep another one waiting: the jobs take turns on each worker.
func TestTurns(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	greedy, small := g.connect(t, "greedy"), g.connect(t, "small")
	var endless []int64
	for range 5 {
		endless = append(endless, greedy.send(t, "cpu", endlessKernel, 0, 0))
	}
	eventually(t, "the endless job runs", func() bool { return g.Events()[eventClaim] > 0 })
	wantAnswer(t, small.wait(t, small.send(t, "cpu", increment, 41, 0)))
	for _, job := range endless {
		greedy.Cancel(job)
	}
	if a := greedy.wait(t, endless[0]); a.done.State != protocol.StateCancelled {
		t.Errorf("the endless job ended by itself: %+v", a.done)
	}
}

// Nor do those of many sessions, of the same client too.
func TestTurnsOfSessions(t *testing.T) {
	t.Parallel()
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	startWorker(t, s.ClientURL())
	g.offers(t, "cpu", 1)
	greedy := make([]*client, 3*suspendingSlots)
	endless := make([]int64, len(greedy))
	for i := range greedy {
		greedy[i] = g.connect(t, "greedy")
		endless[i] = greedy[i].send(t, "cpu", endlessKernel, 0, 0)
	}
	small := g.connect(t, "greedy")
	wantAnswer(t, small.wait(t, small.send(t, "cpu", increment, 41, 0)))
	eventually(t, "the worker has them all", func() bool { return g.Events()[eventClaim] == int64(len(greedy))+1 })
	for i, job := range endless {
		greedy[i].Cancel(job)
	}
	for i, job := range endless {
		if a := greedy[i].wait(t, job); a.done.State != protocol.StateCancelled {
			t.Errorf("an endless job ended by itself: %+v", a.done)
		}
	}
}

// divided is a CPU that notes for whom parts of it are taken.
type divided struct {
	device.Device
	mu      sync.Mutex
	tenants []string
}

func (d *divided) Part(tenant string) (device.Part, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tenants = append(d.tenants, tenant)
	return wholePart{d.Device}, nil
}

type wholePart struct{ device.Device }

func (wholePart) Keep() error { return nil }

// TestTenants: a worker learns which jobs may find what others have kept, and not from whom they are.
func TestTenants(t *testing.T) {
	s := testServer(t, "")
	g := newTestGateway(t, s.ClientURL(), nil)
	d := &divided{Device: cpu.New(cpu.Options{})}
	startWorkerOn(t, s.ClientURL(), "", d)
	g.offers(t, "cpu", 1)
	clients := []*client{
		g.connect(t, sched.Person("ann")), g.connect(t, "here"), g.connect(t, "here"), g.connect(t, sched.Person("ann")),
	}
	for range 2 {
		for _, c := range clients {
			wantAnswer(t, c.wait(t, c.send(t, "cpu", increment, 41, 0)))
		}
	}
	if len(d.tenants) != 8 || !slices.Equal(d.tenants[:4], d.tenants[4:]) {
		t.Fatalf("the jobs of four sessions, twice, are of %q", d.tenants)
	}
	if d.tenants[0] != d.tenants[3] || d.tenants[1] == d.tenants[2] || d.tenants[0] == d.tenants[1] {
		t.Errorf("the jobs of a person, two strangers and the person again are of %q", d.tenants[:4])
	}
	for _, name := range d.tenants {
		if len(name) != 64 {
			t.Errorf("the worker is told of %q", name)
		}
	}
}
