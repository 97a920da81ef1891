package sched

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/newtlab/newt/compiler/diag"
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
	state    state
	outcome  string // the state of Done, once ended
	held     int64  // bytes that are charged for it
	received int64

	// While it arrives, only the session's connection touches these.
	wire     []byte // the IR, as far as it arrived; the job is decoded again when it runs
	verified bool
	abandon  func() // stops verifying it; nil where nobody does
	parts    []part

	timer    *time.Timer // of the state that it is in
	begun    time.Time   // when it was submitted
	since    time.Time   // when it entered the state
	waited   time.Duration
	run      *run // nil before it starts, and after it has ended
	position int  // in the queue
	progress protocol.Progress
	news     bool // position or progress is to be told

	given  bool // results are among the events
	events []event
	told   int64 // bytes of messages among them
	sent   int   // how many of events the stream has taken
	seen   int   // how many of them were written to the client
}

// part is a tensor: before the launch as it arrives, afterwards the result. Its memory is in pieces of the size of a
// frame, so that what has not arrived takes none.
type part struct {
	pieces [][]byte // nil where nothing has to be sent in either direction
	have   int      // bytes that have arrived
}

// event is a message, or a piece of a result.
type event struct {
	message       []byte
	tensor, piece int
}

// The bytes that a job, an argument, a tensor and an event take beside what they hold, about.
const (
	jobOverhead    = 1024
	argOverhead    = 128
	tensorOverhead = 64
	eventOverhead  = 64
)

// overhead is what the job's description takes.
func (j *job) overhead() int64 {
	n := jobOverhead + argOverhead*len(j.spec.Args) + tensorOverhead*len(j.spec.Tensors)
	for _, a := range j.spec.Args {
		n += len(a.Name)
	}
	return int64(n)
}

// enter changes the state; whatever has to happen when the job stays in it for longer than limit
// is in timeout.
func (j *job) enter(to state, limit time.Duration) {
	j.state, j.since = to, time.Now()
	j.session.sched.after(&j.timer, limit, j.timeout)
}

// awaitPart bounds the time until the next part of the upload, and that of the whole upload.
func (j *job) awaitPart() {
	l := j.session.sched.options.Limits
	left := millis(l.UploadTimeoutMS) - time.Since(j.begun)
	j.enter(arriving, max(0, min(left, millis(l.UploadIdleTimeoutMS))))
}

// timeout acts on a job that has been in its state for too long. Of running, the run itself
// takes care.
func (j *job) timeout() {
	l := j.session.sched.options.Limits
	switch j.state {
	case arriving:
		if time.Since(j.begun) >= millis(l.UploadTimeoutMS) {
			j.end(refused(refusal("runner-upload-deadline", seconds(l.UploadTimeoutMS))))
			return
		}
		j.end(refused(refusal("runner-upload-stalled", seconds(l.UploadIdleTimeoutMS))))
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
	e := event{message: append(numbered, text[1:]...)}
	bytes := int64(len(e.message) + eventOverhead)
	j.told += bytes
	j.charge(bytes)
	j.events = append(j.events, e)
	j.session.wake()
}

// give adds the results as events.
func (j *job) give() {
	for i, t := range j.spec.Tensors {
		if !t.Return {
			continue
		}
		for piece := range j.parts[i].pieces {
			j.events = append(j.events, event{tensor: i, piece: piece})
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
	if j.abandon != nil {
		j.abandon()
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
	for i, t := range j.spec.Tensors {
		if t.Return && j.given {
			stats.SentBytes += int64(t.Bytes)
		} else {
			j.parts[i].pieces = nil
		}
	}
	j.spec = &protocol.Submit{Job: j.spec.Job, Tensors: j.spec.Tensors} // the rest is of use no more
	j.wire, j.run, j.news = nil, nil, false
	j.charge(j.overhead() + j.told + stats.SentBytes - j.held)
	j.enter(ended, millis(s.options.Limits.ResultTTLMS))
	s.ended = append(s.ended, j)
	j.session.trim()
	s.settle()
	s.options.Log.Info("job", "device", stats.Device, "state", stats.State, "code", stats.Code, "queue_ms", done.QueueMS, "load_ms", done.LoadMS,
		"run_ms", done.RunMS, "received", stats.ReceivedBytes, "sent", stats.SentBytes)
	if s.options.Ended != nil {
		s.options.Ended(stats)
	}
	if j.session.dropped() {
		j.session.forget(j)
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
		j.run.cancel(why)
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
