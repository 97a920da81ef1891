package sched

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// state is a step in the life of a job. It only increases.
type state uint8

const (
	arriving state = iota // its IR and tensors are being uploaded
	queued                // it waits for its device
	running               // it has started; it may be suspended
	ended                 // its Done event is among its events
)

// stateNames are the states that are not final, as the protocol names them.
var stateNames = [...]string{protocol.StateArriving, protocol.StateQueued, protocol.StateRunning}

func millis(ms int) time.Duration { return protocol.Millis(ms) }

// job is one launch that a client submitted, from submit to release.
type job struct {
	session       *Session
	queue         *queue
	spec          *protocol.Submit
	state         state
	outcome       string // the state of its Done event, once ended
	heldBytes     int64  // charged for it
	receivedBytes int64  // of the upload

	// The connection's goroutine fills the buffers in these without the lock while the job is arriving.
	wire         []byte // the IR, as far as it has been received; it is decoded again when the job runs
	verified     bool   // the IR is complete, and Decode accepted it
	cancelVerify func() // cancels verification; nil when it is not in progress
	tensors      []tensorData

	timer         *time.Timer // bounds the time in the current state
	submittedAt   time.Time
	stateSince    time.Time
	queuedFor     time.Duration
	run           *run // nil unless the job is running
	position      int  // in the queue
	progress      protocol.Progress
	statusChanged bool // position or progress has changed since it was last sent

	events       []event
	hasResults   bool  // chunks of results are among the events
	messageBytes int64 // of the messages among the events
	sent         int   // number of events that Next has returned to the current stream
	written      int   // number of events that were written to a connection
}

// tensorData is the host copy of a tensor: the input before the launch, the result after it. Its memory is allocated in
// chunks of chunkBytes as they arrive, so that an announced upload costs nothing.
type tensorData struct {
	chunks   [][]byte // nil if the tensor is neither sent nor returned
	received int      // bytes
	freed    bool     // the client has freed the buffer that the tensor becomes
}

// event is a message, or, where message is nil, one chunk of a result.
type event struct {
	message       []byte
	tensor, chunk int
}

// Approximate bytes of a job, an argument, a tensor and an event, apart from the data that they refer to.
const (
	jobOverhead    = 1024
	argOverhead    = 128
	tensorOverhead = 64
	eventOverhead  = 64
)

// descriptionBytes returns the memory that the job itself takes, without kernel, tensors and events.
func (j *job) descriptionBytes() int64 {
	n := jobOverhead + argOverhead*len(j.spec.Args) + tensorOverhead*len(j.spec.Tensors)
	for _, a := range j.spec.Args {
		n += len(a.Name)
	}
	return int64(n)
}

// setState changes the state and starts its timer: if the job is still in it after limit, onTimeout is called.
func (j *job) setState(to state, limit time.Duration) {
	j.state, j.stateSince = to, time.Now()
	j.session.sched.startTimer(&j.timer, limit, j.onTimeout)
}

// resetUploadTimeout restarts the timer for the next chunk of the upload. It never extends the deadline of the whole
// upload: a client that sends a byte now and then would hold its job's place forever.
func (j *job) resetUploadTimeout() {
	l := j.session.sched.options.Limits
	left := millis(l.UploadTimeoutMS) - time.Since(j.submittedAt)
	j.setState(arriving, max(0, min(left, millis(l.UploadIdleTimeoutMS))))
}

// onTimeout ends a job that has been in its state for too long, or drops its result. A running job has the run's own
// deadline instead, which does not advance while it is suspended.
func (j *job) onTimeout() {
	l := j.session.sched.options.Limits
	switch j.state {
	case arriving:
		if time.Since(j.submittedAt) >= millis(l.UploadTimeoutMS) {
			j.finish(refused(refusal("runner-upload-deadline", wholeSeconds(l.UploadTimeoutMS))))
			return
		}
		j.finish(refused(refusal("runner-upload-stalled", wholeSeconds(l.UploadIdleTimeoutMS))))
	case queued:
		j.queue.remove(j)
		j.finish(cancelled(refusal("runner-queue-deadline", wholeSeconds(l.QueueMS))))
	case ended:
		j.session.forgetJob(j)
	}
}

// addEvent appends a message to the job's events.
func (j *job) addEvent(m protocol.ServerMessage) { j.appendEvent(encodeMessage(m)) }

// encodeMessage writes a message as JSON, still without job and sequence number: a long one is encoded before the lock
// is taken.
func encodeMessage(m protocol.ServerMessage) []byte {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // JSON can write all fields of a message, unless a device reports NaN or infinity
	}
	return text
}

// appendEvent appends an encoded message, with the job's number and the next sequence number put in front.
func (j *job) appendEvent(text []byte) {
	if j.state == ended {
		return
	}
	numbered := fmt.Appendf(make([]byte, 0, len(text)+40), `{"job":%d,"seq":%d,`, j.spec.Job, len(j.events)+1)
	e := event{message: append(numbered, text[1:]...)}
	// Charged without a check: reportMessage has checked the long ones.
	bytes := int64(len(e.message) + eventOverhead)
	j.messageBytes += bytes
	j.chargeBytes(bytes)
	j.events = append(j.events, e)
	j.session.wakeStream()
}

// addResults appends the chunks of the results as events. Their bytes were charged before the launch.
func (j *job) addResults() {
	for i, t := range j.spec.Tensors {
		if !t.Return {
			continue
		}
		for piece := range j.tensors[i].chunks {
			j.events = append(j.events, event{tensor: i, chunk: piece})
		}
	}
	j.hasResults = true
	j.session.wakeStream()
}

// refused is the outcome of a job that never ran.
func refused(why *diag.Diagnostic) protocol.Done {
	return protocol.Done{State: protocol.StateRefused, Reason: wireDiagnostic(why)}
}

// cancelled is the outcome of a job that was cancelled before it ran.
func cancelled(why *diag.Diagnostic) protocol.Done {
	return protocol.Done{
		State: protocol.StateCancelled, Reason: wireDiagnostic(why),
		Fault: wireDiagnostic(refusal("launch-cancelled", 0, 0)),
	}
}

// wireDiagnostic converts a diagnostic to the protocol's form.
func wireDiagnostic(d *diag.Diagnostic) *protocol.Diagnostic {
	w := protocol.FromDiag(d)
	return &w
}

// finish ends a job: it appends the Done event, frees what is no longer needed, and starts the time for which results
// are kept. A second call has no effect.
func (j *job) finish(done protocol.Done) {
	if j.state == ended {
		return
	}
	if j.cancelVerify != nil {
		j.cancelVerify() // verifyKernel returns soon, and finds the job ended
	}
	s := j.session.sched
	done.QueueMS = protocol.MS(j.queuedFor)
	stats := Stats{
		Owner: j.session.client.address, Device: j.queue.id, State: done.State, Queued: j.queuedFor,
		ReceivedBytes: j.receivedBytes,
		Load:          protocol.FromMS(done.LoadMS), Run: protocol.FromMS(done.RunMS),
	}
	if j.run != nil {
		stats.DeviceTime = j.run.charged
	}
	for _, why := range []*protocol.Diagnostic{done.Fault, done.Reason} {
		if why != nil {
			stats.Code = why.Code
		}
	}
	j.addEvent(protocol.ServerMessage{Done: &done})
	j.outcome = done.State
	for i, t := range j.spec.Tensors {
		// A job that failed before its results were read keeps nothing but events.
		if t.Return && j.hasResults {
			stats.SentBytes += int64(t.Bytes)
		} else {
			j.tensors[i].chunks = nil
		}
	}
	j.spec = &protocol.Submit{Job: j.spec.Job, Tensors: j.spec.Tensors} // nextFrame and forgetJob need no more of it
	j.wire, j.run, j.statusChanged = nil, nil, false
	j.chargeBytes(j.descriptionBytes() + j.messageBytes + stats.SentBytes - j.heldBytes) // gives back all but these
	j.setState(ended, millis(s.options.Limits.ResultTTLMS))
	s.ended = append(s.ended, j)
	if own := j.session.residents[j.queue]; own != nil {
		own.usedAt = time.Now()
	}
	j.session.freeUnused()
	j.session.trimResults()
	s.signalDrained()
	s.options.Log.Info("job", "person", PersonOf(stats.Owner),
		"device", stats.Device, "state", stats.State, "code", stats.Code,
		"queue_ms", done.QueueMS, "load_ms", done.LoadMS, "run_ms", done.RunMS,
		"received", stats.ReceivedBytes, "sent", stats.SentBytes)
	if s.options.JobEnded != nil {
		s.options.JobEnded(stats)
	}
	if j.session.isUnregistered() {
		j.session.forgetJob(j)
	}
}

// cancel ends a job for a reason. A running one ends when its device has stopped, or after cancelGraceMs; one that has
// ended stays as it is.
func (j *job) cancel(why *diag.Diagnostic) {
	switch j.state {
	case arriving:
		j.finish(cancelled(why))
	case queued:
		j.queuedFor = time.Since(j.stateSince)
		j.queue.remove(j)
		j.session.sched.queueChanged()
		j.finish(cancelled(why))
	case running:
		j.run.cancel(why)
	}
}
