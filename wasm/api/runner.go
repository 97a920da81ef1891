package api

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// pageRunner is a runner to which the page has a connection, for the device of a document's session: jobs go through
// the call that runs cells, and what they leave on the runner stays there for the cells after them.
type pageRunner struct {
	hello  protocol.ServerHello
	device device.Device
	call   *call           // that runs cells
	ctx    context.Context // ends with the call
	jobs   int

	mutex  sync.Mutex
	last   int64   // buffer
	unused []int64 // buffers that the next job frees
}

var _ codec.Runner = (*pageRunner)(nil)

// newPageRunner has the device that "cuda" is in a session.
func newPageRunner(to *RemoteDevice) *pageRunner {
	// Sessions of documents share the page's connection: the clock tells their buffers apart. A number fits into the 53
	// bits that JavaScript has.
	r := &pageRunner{last: time.Now().UnixMicro()}
	r.greet(to)
	for _, d := range r.hello.Devices {
		if d.ID == to.Device {
			r.device = codec.NewDevice(r, d)
		}
	}
	return r
}

// greet takes what the runner says of itself: a connection that was made anew may have another session.
func (r *pageRunner) greet(to *RemoteDevice) {
	var hello protocol.ServerHello
	if json.Unmarshal([]byte(to.Hello), &hello) == nil {
		r.hello = hello
	}
}

// serve has the session's runner, if there is one, use a call for as long as ctx.
func (s *session) serve(ctx context.Context, c *call, to *RemoteDevice) {
	if r := s.runner; r != nil && to != nil {
		r.greet(to)
		r.call, r.ctx, r.jobs = c, ctx, 0
	}
}

// Session implements codec.Runner.
func (r *pageRunner) Session() string { return r.hello.Session }

// Limits implements codec.Runner.
func (r *pageRunner) Limits() protocol.Limits { return r.hello.Limits }

// NewBuffer implements codec.Runner.
func (r *pageRunner) NewBuffer() int64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.last++
	return r.last
}

// Kept implements codec.Runner: the page notes what the session has.
func (r *pageRunner) Kept(int64) {}

// Free implements codec.Runner. Garbage is found between jobs, when no call may be there to tell of it.
func (r *pageRunner) Free(number int64) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.unused = append(r.unused, number)
}

func (r *pageRunner) takeUnused() []int64 {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	list := r.unused
	r.unused = nil
	return list
}

// Run implements codec.Runner. The page tells the user how the job goes.
func (r *pageRunner) Run(ctx context.Context, j *codec.Job, _ func(*protocol.ServerMessage)) (*codec.Answer, error) {
	none := &codec.Answer{}
	text, err := json.Marshal(&j.Submit)
	if err != nil {
		return none, codec.Failed("protocol-error", err.Error())
	}
	if r.ctx.Err() != nil {
		return none, codec.Failed("launch-cancelled", 0, 0)
	}
	answer := r.call.remotes.expect(r.call.id)
	to := &Launch{Number: r.jobs, Submit: string(text), Free: r.takeUnused()}
	r.jobs++
	r.call.send(Reply{ID: r.call.id, Launch: to}, buffers(j)...)
	select {
	case a := <-answer:
		return answerOf(j, a)
	case <-ctx.Done():
	case <-r.ctx.Done():
	}
	return none, codec.Failed("launch-cancelled", 0, 0)
}

// answerOf is what came of a job.
func answerOf(j *codec.Job, a *launched) (*codec.Answer, error) {
	if a.Lost != "" {
		return &codec.Answer{}, codec.Failed(a.Lost)
	}
	out, fault := read(a.Messages)
	answer := &codec.Answer{Outcome: *out}
	for i, t := range j.Submit.Tensors {
		if t.Return && (i >= len(a.tensors) || len(a.tensors[i]) != t.Bytes) {
			return answer, codec.Failed("protocol-error", "a tensor has another size than before the launch")
		}
	}
	answer.Results = a.tensors
	if fault == nil {
		fault = out.Fault()
	}
	if fault != nil {
		return answer, fault
	}
	return answer, nil
}
