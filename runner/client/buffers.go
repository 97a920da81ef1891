package client

import (
	"context"
	"slices"

	"github.com/newtlab/newt/runner/client/codec"
	"github.com/newtlab/newt/runner/protocol"
)

// runner is the Client as devices use it.
type runner struct{ *Client }

var _ codec.Runner = runner{}

// Run implements codec.Runner.
func (r runner) Run(ctx context.Context, j *codec.Job, event func(*protocol.ServerMessage)) (*codec.Answer, error) {
	return r.Client.Run(ctx, Job{Submit: j.Submit, IR: j.IR, Tensors: j.Tensors, Event: event})
}

// Session implements codec.Runner.
func (r runner) Session() string { return r.Hello().Session }

// Limits implements codec.Runner.
func (r runner) Limits() protocol.Limits { return r.Hello().Limits }

// NewBuffer implements codec.Runner.
func (r runner) NewBuffer() int64 { return r.lastBuffer.Add(1) }

// Kept notes that the session has a buffer.
func (r runner) Kept(number int64) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.buffers[number] = true
}

// Free frees a buffer of the session. A connection that is lost takes the message along: the buffer then lives as long
// as the session.
func (r runner) Free(number int64) {
	r.lock.Lock()
	l, kept := r.link, r.buffers[number]
	delete(r.buffers, number)
	r.lock.Unlock()
	if kept && l != nil {
		l.send(protocol.ClientMessage{Free: &protocol.Buffers{Buffers: []int64{number}}})
	}
}

// holds reports whether a job needs buffers that only its session has: a new session cannot run it.
func (j *Job) holds() bool {
	return slices.ContainsFunc(j.Submit.Tensors, func(t protocol.Tensor) bool { return t.Held })
}
