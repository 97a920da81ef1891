package sched

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/runner/protocol"
)

// workers is a Remote whose jobs end when a test says so.
type workers struct {
	mu        sync.Mutex
	room      int
	ofSession int // 0: room
	tasks     chan *given
}

// given is a job that workers have.
type given struct {
	*Task
	ctx context.Context
	end chan *Outcome
}

func (w *workers) Capacity() (jobs, ofSession int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.room, cmp.Or(w.ofSession, w.room)
}

func (w *workers) setCapacity(room int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.room = room
}

func (w *workers) Run(ctx context.Context, t *Task) *Outcome {
	g := &given{t, ctx, make(chan *Outcome)}
	w.tasks <- g
	select {
	case o := <-g.end:
		return o
	case <-ctx.Done():
		return nil
	}
}

// remoteScheduler is a scheduler with workers of one device.
func remoteScheduler(t *testing.T, room int, limits protocol.Limits) (*Scheduler, *workers) {
	w := &workers{room: room, tasks: make(chan *given, 100)}
	s := New(Options{Limits: limits})
	s.AddRemote(protocol.Device{ID: "cpu", Name: "CPU"}, w)
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s.Stop(ctx, 0)
		s.Close(context.Background())
	})
	return s, w
}

// open opens a session.
func open(t *testing.T, s *Scheduler, owner string) *Stream {
	t.Helper()
	st, why := s.Open(owner)
	if why != nil {
		t.Fatal(why.Code)
	}
	return st
}

// submit sends a job with a tensor of four bytes, which returns.
func submit(t *testing.T, st *Stream, number int64) {
	t.Helper()
	fn, err := ir.Parse(nothing)
	if err != nil {
		t.Fatal(err)
	}
	wire, zero := ir.Encode(fn), 0
	spec := &protocol.Submit{
		Job: number, IRBytes: len(wire), Grid: []int{1, 1, 1}, Args: []protocol.Arg{{DType: "i32", Tensor: &zero}},
		Tensors: []protocol.Tensor{{Bytes: 4, Zero: true, Return: true}},
	}
	if why := st.Submit(spec); why != nil {
		t.Fatal(why.Code)
	}
	h := protocol.Header{Kind: protocol.IRFrame, Job: number}
	into, why := st.UploadBuffer(h, len(wire))
	if why != nil {
		t.Fatal(why.Code)
	}
	copy(into, wire)
	st.Uploaded(h, len(wire))
}

// next waits for a message of a session that want accepts.
func next(t *testing.T, st *Stream, want func(protocol.ServerMessage) bool) protocol.ServerMessage {
	t.Helper()
	for end := time.After(time.Minute); ; {
		for frame, ok := st.Next(); ok; frame, ok = st.Next() {
			var m protocol.ServerMessage
			if frame.Message == nil {
				continue
			}
			if err := json.Unmarshal(frame.Message, &m); err != nil {
				t.Fatal(err)
			}
			if want(m) {
				return m
			}
		}
		select {
		case <-st.Wake():
		case <-end:
			t.Fatal("the message does not come")
		}
	}
}

func isDone(m protocol.ServerMessage) bool { return m.Done != nil }

func done() *Outcome {
	return &Outcome{
		Done: protocol.Done{State: protocol.StateDone}, Results: [][][]byte{{{1, 2, 3, 4}}}, DeviceTime: time.Millisecond,
	}
}

// Several jobs are in progress at once, and those of a session end in the order in which they were sent.
func TestRemoteOrder(t *testing.T) {
	s, w := remoteScheduler(t, 3, protocol.DefaultLimits())
	st := open(t, s, "here")
	for number := range int64(3) {
		submit(t, st, number+1)
	}
	var jobs [4]*given
	for range 3 {
		g := <-w.tasks
		jobs[g.Submit.Job] = g
	}
	jobs[3].Started()
	jobs[3].end <- done()
	jobs[2].Started()
	jobs[2].end <- done()
	// The workers of jobs 2 and 3 are free, although those jobs have not ended for the client.
	submit(t, st, 4)
	if g := <-w.tasks; g.Submit.Job != 4 {
		t.Fatalf("job %d runs next", g.Submit.Job)
	}
	jobs[1].Started()
	jobs[1].end <- done()
	var order []int64
	for range 3 {
		next(t, st, isDone)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.ended {
		order = append(order, j.spec.Job)
	}
	if !slices.Equal(order, []int64{1, 2, 3}) {
		t.Errorf("the jobs end in the order %v", order)
	}
}

// Jobs wait where no worker is, and are given out when there is one.
func TestRemoteCapacity(t *testing.T) {
	s, w := remoteScheduler(t, 0, protocol.DefaultLimits())
	st := open(t, s, "here")
	submit(t, st, 1)
	submit(t, st, 2)
	select {
	case <-w.tasks:
		t.Fatal("a job was given out to no worker")
	default:
	}
	w.setCapacity(1)
	s.Wake()
	first := <-w.tasks
	devices, _ := s.Status()
	if d := devices[0]; d.Running != 1 || d.Queued != 1 || d.Capacity != 1 {
		t.Errorf("the status is %+v", d)
	}
	first.Started()
	first.end <- done()
	if m := next(t, st, isDone); m.Job != 1 || m.Done.State != protocol.StateDone {
		t.Errorf("job %d ended with %+v", m.Job, m.Done)
	}
	<-w.tasks
}

// A job that is cancelled while a worker has it ends for the reason that the runner knows.
func TestRemoteCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := protocol.DefaultLimits()
		limits.QueueMS = 10_000
		s, w := remoteScheduler(t, 1, limits)
		st := open(t, s, "here")
		submit(t, st, 1)
		if m := next(t, st, isDone); !isCancelled(m.Done, "runner-queue-deadline") {
			t.Errorf("the job that no worker took ended with %+v", m.Done)
		}
		<-w.tasks
		submit(t, st, 2)
		(<-w.tasks).Started()
		next(t, st, func(m protocol.ServerMessage) bool { return m.Started != nil })
		if why := st.Cancel(2); why != nil {
			t.Fatal(why.Code)
		}
		if m := next(t, st, isDone); !isCancelled(m.Done, "runner-cancelled") {
			t.Errorf("the cancelled job ended with %+v", m.Done)
		}
	})
}

// isCancelled reports whether a job was cancelled for a reason, and has no other fault.
func isCancelled(d *protocol.Done, reason string) bool {
	return d.State == protocol.StateCancelled && d.Fault != nil && d.Fault.Code == "launch-cancelled" &&
		d.Reason != nil && d.Reason.Code == reason
}

// A second worker that begins again is no second start for the client.
func TestRemoteRestart(t *testing.T) {
	s, w := remoteScheduler(t, 1, protocol.DefaultLimits())
	st := open(t, s, "here")
	submit(t, st, 1)
	g := <-w.tasks
	g.Started()
	g.Progress(protocol.Progress{Done: 5, Total: 9})
	g.Started()
	g.Progress(protocol.Progress{Done: 2, Total: 9})
	starts := 0
	next(t, st, func(m protocol.ServerMessage) bool {
		if m.Started != nil {
			starts++
		}
		return m.Progress != nil && m.Progress.Done == 5
	})
	g.end <- done()
	next(t, st, func(m protocol.ServerMessage) bool {
		if m.Started != nil {
			starts++
		}
		return m.Done != nil
	})
	if starts != 1 {
		t.Errorf("the client is told of %d starts", starts)
	}
}

// Without any worker a session cannot be opened; GPUs are offered before other devices.
func TestRemoteDevices(t *testing.T) {
	s := New(Options{Limits: protocol.DefaultLimits()})
	if _, why := s.Open("here"); why == nil || why.Code != "runner-no-workers" {
		t.Errorf("a runner without devices opens a session: %v", why)
	}
	for _, d := range []protocol.Device{{ID: "cpu"}, {ID: "sm_90a", Arch: "sm_90a"}, {ID: "sm_80", Arch: "sm_80"}} {
		s.AddRemote(d, &workers{room: len(d.Arch) - len("sm_80")}) // sm_80 has none, cpu less
	}
	if list := s.Devices(); len(list) != 1 || list[0].ID != "sm_90a" {
		t.Errorf("offered are %+v", list)
	}
}

// Device time is shared by weight, and what a client used elsewhere counts.
func TestWeights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := remoteScheduler(t, 0, protocol.DefaultLimits())
		clients := map[string]*Stream{Person("ada"): open(t, s, Person("ada")), Person("bob"): open(t, s, Person("bob"))}
		s.SetShare(Person("ada"), Share{Weight: 3})
		for number := range int64(16) {
			for _, st := range clients {
				submit(t, st, number+1)
			}
		}
		s.Charge(Person("bob"), 20*time.Millisecond)
		w.setCapacity(1)
		s.Wake()
		ran := map[string]int{}
		for range 16 {
			g := <-w.tasks
			ran[g.Owner]++
			g.Started()
			time.Sleep(10 * time.Millisecond) // no more than what passed is charged
			o := done()
			o.DeviceTime = 10 * time.Millisecond
			g.end <- o
		}
		// 16 jobs of 10 ms; bob begins with 20 ms: 3·(20 + 10·b) = 10·a and a + b = 16 give b = 2.5.
		if bob := ran[Person("bob")]; bob < 1 || bob > 4 {
			t.Errorf("the jobs ran: %v", ran)
		}
	})
}

// A session does not get all the room, and a client does not, however many sessions it has: a part is for others.
func TestRoomForOthers(t *testing.T) {
	s, w := remoteScheduler(t, 8, protocol.DefaultLimits())
	w.ofSession = 2
	for sessions, want := range []int{0, 2, 4, 6, 6, 6} {
		if sessions > 0 {
			greedy := open(t, s, "greedy")
			for number := range int64(3) {
				submit(t, greedy, number+1)
			}
		}
		if devices, _ := s.Status(); devices[0].Running != want {
			t.Errorf("%d sessions have %d jobs in progress, want %d", sessions, devices[0].Running, want)
		}
	}
	for range 6 {
		<-w.tasks
	}
	submit(t, open(t, s, "small"), 1)
	if g := <-w.tasks; g.Owner != "small" {
		t.Errorf("the room went to %s", g.Owner)
	}
}

// Clients with jobs in progress leave room for one that has none, too.
func TestRoomForTheLast(t *testing.T) {
	s, w := remoteScheduler(t, 8, protocol.DefaultLimits())
	w.ofSession = 2
	for i, want := range []int{2, 4, 6, 6} {
		greedy := open(t, s, fmt.Sprint("greedy ", i%2))
		for number := range int64(3) {
			submit(t, greedy, number+1)
		}
		if devices, _ := s.Status(); devices[0].Running != want {
			t.Errorf("%d sessions of two clients have %d jobs in progress, want %d", i+1, devices[0].Running, want)
		}
	}
	for range 6 {
		<-w.tasks
	}
	submit(t, open(t, s, "small"), 1)
	if g := <-w.tasks; g.Owner != "small" {
		t.Errorf("the room went to %s", g.Owner)
	}
}
