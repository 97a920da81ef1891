package sched

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// state is where a job stands. It only ever grows.
type state uint8

const (
	arriving state = iota
	queued
	running
	ended
)

var stateNames = [...]string{protocol.StateArriving, protocol.StateQueued, protocol.StateRunning}

func millis(ms int) time.Duration { return protocol.Millis(ms) }

// job is one launch that a client asked for.
type job struct {
	session  *Session
	queue    *queue
	spec     *protocol.Submit
	fn       *ir.Func // nil until its bytes have arrived
	state    state
	outcome  string // the state of Done, once ended
	reserved int64  // bytes
	received int64

	// While it arrives, only the session's connection touches these.
	wire  []byte // the IR, as far as it arrived
	parts []part

	timer    *time.Timer // of the state that it is in
	since    time.Time   // when it entered the state
	waited   time.Duration
	stop     func(why *diag.Diagnostic) // ends the run
	position int                        // in the queue
	progress protocol.Progress
	news     bool // position or progress is to be told

	given  bool // results are among the events
	events []event
	sent   int // how many of events the stream has taken
	seen   int // how many of them were written to the client
}

// part is a tensor: before the launch as it arrives, afterwards the result.
type part struct {
	data []byte // nil where nothing has to be sent in either direction
	have int    // bytes that have arrived
}

// event is a message, or a range of a result.
type event struct {
	message  []byte
	tensor   int
	from, to int
}

func (j *job) delivered() bool { return j.seen == len(j.events) }

// enter changes the state; whatever has to happen when the job stays in it for longer than limit
// is in timeout.
func (j *job) enter(to state, limit time.Duration) {
	j.leave()
	j.state, j.since = to, time.Now()
	var timer *time.Timer
	timer = time.AfterFunc(limit, func() {
		s := j.session.sched
		s.lock.Lock()
		defer s.lock.Unlock()
		if j.timer == timer {
			j.timeout()
		}
	})
	j.timer = timer
}

func (j *job) leave() {
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
}

// timeout acts on a job that has been in its state for too long. Of running, the run itself
// takes care.
func (j *job) timeout() {
	l := j.session.sched.options.Limits
	switch j.state {
	case arriving:
		j.end(refused(refusal("runner-upload-stalled", seconds(l.ArriveMS))))
	case queued:
		j.queue.remove(j)
		j.end(cancelled(refusal("runner-queue-deadline", seconds(l.QueueMS))))
	case ended:
		j.session.forget(j)
	}
}

// say adds an event.
func (j *job) say(m protocol.ServerMessage) { j.add(encode(m)) }

// encode writes a message; it has no number yet.
func encode(m protocol.ServerMessage) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // messages hold nothing that JSON cannot; a device's NaN or infinity ends here
	}
	return text
}

// add numbers a message, which was written before the lock was taken: some are long.
func (j *job) add(text []byte) {
	if j.state == ended {
		return
	}
	numbered := fmt.Appendf(make([]byte, 0, len(text)+40), `{"job":%d,"seq":%d,`, j.spec.Job, len(j.events)+1)
	j.events = append(j.events, event{message: append(numbered, text[1:]...)})
	j.session.wake()
}

// give adds the results as events of at most chunk bytes.
func (j *job) give(chunk int) {
	for i, t := range j.spec.Tensors {
		if !t.Return {
			continue
		}
		for from := 0; from < t.Bytes; from += chunk {
			j.events = append(j.events, event{tensor: i, from: from, to: min(t.Bytes, from+chunk)})
		}
	}
	j.given = true
	j.session.wake()
}

func refused(why *diag.Diagnostic) protocol.Done {
	return protocol.Done{State: protocol.StateRefused, Reason: wire(why)}
}

func cancelled(why *diag.Diagnostic) protocol.Done {
	return protocol.Done{
		State: protocol.StateCancelled, Reason: wire(why),
		Fault: wire(refusal("launch-cancelled", 0, 0)),
	}
}

func wire(d *diag.Diagnostic) *protocol.Diagnostic {
	w := protocol.FromDiag(d)
	return &w
}

// end is the last that happens to a job: its event, what it no longer needs, and the time for
// which its result is kept.
func (j *job) end(done protocol.Done) {
	if j.state == ended {
		return
	}
	s := j.session.sched
	done.QueueMS = protocol.MS(j.waited)
	stats := Stats{
		Device: j.queue.device.ID, State: done.State, Queued: j.waited, ReceivedBytes: j.received,
		Load: protocol.FromMS(done.LoadMS), Run: protocol.FromMS(done.RunMS),
	}
	for _, why := range []*protocol.Diagnostic{done.Fault, done.Reason} {
		if why != nil {
			stats.Code = why.Code
		}
	}
	j.say(protocol.ServerMessage{Done: &done})
	j.outcome = done.State
	kept := int64(0)
	for i, t := range j.spec.Tensors {
		if t.Return && j.given {
			kept += int64(t.Bytes)
		} else {
			j.parts[i].data = nil
		}
	}
	j.wire, j.fn, j.stop, j.news = nil, nil, nil, false
	s.bytes -= j.reserved - kept
	j.reserved, stats.SentBytes = kept, kept
	j.enter(ended, millis(s.options.Limits.KeepMS))
	s.ended = append(s.ended, j)
	j.session.trim()
	s.settle()
	s.options.Log.Info("job", "device", stats.Device, "state", stats.State, "code", stats.Code, "queue_ms", done.QueueMS, "load_ms", done.LoadMS,
		"run_ms", done.RunMS, "received", stats.ReceivedBytes, "sent", stats.SentBytes)
	if s.options.Ended != nil {
		s.options.Ended(stats)
	}
}

// cancel ends a job that has not ended, for the reason given.
func (j *job) cancel(why *diag.Diagnostic) {
	switch j.state {
	case arriving:
		j.end(cancelled(why))
	case queued:
		j.waited = time.Since(j.since)
		j.queue.remove(j)
		j.session.sched.moved()
		j.end(cancelled(why))
	case running:
		j.stop(why)
	}
}

// launchArgs are the kernel's arguments, on memory that was allocated for the job's tensors.
func launchArgs(spec []protocol.Arg, memory []device.Memory) []device.Arg {
	args := make([]device.Arg, len(spec))
	for i, a := range spec {
		if value, ok := a.Scalar(); ok {
			args[i] = device.Scalar{Scalar: value}
		} else if a.Tensor != nil {
			args[i] = device.Pointer{Name: a.Name, Memory: memory[*a.Tensor], DType: a.PointsTo(), Offset: a.Offset}
		}
	}
	return args
}
