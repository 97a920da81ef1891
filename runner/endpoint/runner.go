// Package endpoint is where clients reach a runner: a websocket, with the question of who may use
// it, and metrics. What the page itself needs is in package server, which other programs use
// without all of this.
package endpoint

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/runner/clientaddr"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/version"
)

// Options make a Runner.
type Options struct {
	Devices []sched.Device
	Limits  protocol.Limits // DefaultLimits where it is zero
	Access  Access
	Build   version.Info
	Log     *slog.Logger
}

// Runner lets clients run kernels on this machine's devices: a websocket at protocol.Path. It
// receives IR and tensors, never anybody's program.
type Runner struct {
	options  Options
	limits   protocol.Limits
	sched    *sched.Scheduler
	metrics  *metrics
	upgrader websocket.Upgrader
	peers    sync.WaitGroup

	lock    sync.Mutex
	conns   map[*peer]bool
	guesses map[string]guesses // by client
	over    bool
	closing chan struct{} // closed when Shutdown begins
	close   sync.Once     // of closing
}

// New starts the devices' queues; Shutdown ends them.
func New(o Options) *Runner {
	if o.Limits == (protocol.Limits{}) {
		o.Limits = protocol.DefaultLimits()
	}
	o.Limits = o.Limits.Consistent()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runner{options: o, limits: o.Limits, conns: map[*peer]bool{}, guesses: map[string]guesses{}, closing: make(chan struct{})}
	r.metrics = newMetrics(r)
	r.sched = sched.New(sched.Options{Devices: o.Devices, Limits: o.Limits, Log: o.Log, JobEnded: r.metrics.ended})
	r.upgrader = websocket.Upgrader{
		HandshakeTimeout: protocol.Millis(o.Limits.HandshakeTimeoutMS), Subprotocols: []string{protocol.Subprotocol},
		ReadBufferSize: readBytes, WriteBufferPool: &sync.Pool{},
		CheckOrigin: func(*http.Request) bool { return true }, // Access has checked it, and says why
	}
	return r
}

// readBytes is how much of a frame is read from the system at once.
const readBytes = 16 << 10

// ServeHTTP answers a websocket's request, and serves it until it ends.
func (r *Runner) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if problem := r.options.Access.refuses(request); problem != "" {
		http.Error(w, problem, http.StatusForbidden)
		return
	}
	p := &peer{runner: r, client: clientaddr.Of(request), since: time.Now()}
	if !r.enter(p) {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "the runner accepts no more connections", http.StatusServiceUnavailable)
		return
	}
	defer r.leave(p)
	conn, err := r.upgrader.Upgrade(w, request, nil)
	if err != nil {
		return // Upgrade has answered
	}
	if r.keep(p, conn) {
		p.serve()
	}
	conn.Close()
}

// flushTime is what clients have to fetch their last events when the runner stops.
const flushTime = 200 * time.Millisecond

// Shutdown hands back the jobs that wait, lets those that run end within the grace, gives clients
// a moment to hear of it, and closes all connections.
func (r *Runner) Shutdown(grace time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	r.close.Do(func() { close(r.closing) })
	r.sched.Stop(ctx, int(grace.Seconds()))
	r.lock.Lock()
	r.over = true
	r.lock.Unlock()
	flushed, done := context.WithTimeout(context.Background(), flushTime)
	defer done()
	r.sched.Flush(flushed)
	r.sched.Close(flushed)
	r.hangUp()
}

// hangUp waits for connections to end, and ends those that do not: clients that never said hello,
// or do not read.
func (r *Runner) hangUp() {
	over := make(chan struct{})
	go func() { r.peers.Wait(); close(over) }()
	patience := time.NewTimer(flushTime)
	defer patience.Stop()
	select {
	case <-over:
		return
	case <-patience.C:
	}
	r.lock.Lock()
	for p := range r.conns {
		if p.conn != nil {
			p.conn.Close()
		}
	}
	r.lock.Unlock()
	<-over
}

// hello is the runner's.
func (r *Runner) hello(st *sched.Stream, resumed bool) *protocol.ServerHello {
	h := &protocol.ServerHello{
		Version: protocol.Version, Newt: r.options.Build.Version, Session: st.Key(), Resumed: resumed,
		Jobs: []protocol.JobState{}, Devices: r.sched.Devices(), Limits: r.limits,
	}
	if resumed {
		h.Jobs = st.Jobs()
	}
	return h
}

func refusal(code string, args ...any) *diag.Diagnostic {
	return diag.New(code, source.Span{}, args...)
}

// gone reports whether an error of a connection only says that its other end is no longer there.
func gone(err error) bool {
	if _, closed := err.(*websocket.CloseError); closed || err == io.EOF {
		return true
	}
	_, network := err.(net.Error)
	return network
}
