// Package endpoint serves a runner over HTTP: the websocket endpoint of package protocol with access
// control and connection limits, health and metrics. Package server serves the page and does not
// depend on this one.
//
// Each connection is a peer with a reader and a writer goroutine; jobs, sessions and fairness are
// package sched's. Runner.mu guards the set of connections, and is never held while one is read,
// written or closed gracefully. It may be held while the scheduler's lock is taken, never the other
// way round.
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
	"github.com/newtlab/newt/runner/fleet/census"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
	"github.com/newtlab/newt/runner/version"
)

// Options configure a Runner.
type Options struct {
	Devices []sched.Device
	Fleet   Fleet           // runs jobs on other machines; may be nil
	Limits  protocol.Limits // the zero value means DefaultLimits
	Access  Access
	Proxies clientaddr.Proxies // besides those on this machine
	Build   version.Info
	Log     *slog.Logger
	// Disassembler prints the machine code of kernels; may be nil.
	Disassembler sched.Disassembler
}

// Fleet runs jobs on other machines: it adds its devices to the scheduler that it is attached to.
type Fleet interface {
	Attach(s *sched.Scheduler)
	Charged(owner string, took time.Duration) // see sched.Options
	Workers() map[string]map[string]int       // by device and state
	Events() map[string]int64                 // since the start
	Census() *census.Report
}

// Runner is the HTTP handler of protocol.Path: it lets clients run kernels on this machine's devices. It receives IR
// and tensors, never source code.
type Runner struct {
	options   Options
	startedAt time.Time
	limits    protocol.Limits
	sched     *sched.Scheduler
	metrics   *metrics
	upgrader  websocket.Upgrader
	peers     sync.WaitGroup // registered connections

	mu          sync.Mutex
	conns       map[*peer]bool
	wrongTokens map[string]tokenFailures // by client
	closed      bool

	closing context.Context // ends when Shutdown begins
	close   context.CancelFunc
}

// New returns a runner that takes connections until Shutdown.
func New(o Options) *Runner {
	if o.Limits == (protocol.Limits{}) {
		o.Limits = protocol.DefaultLimits()
	}
	o.Limits = o.Limits.Consistent()
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runner{
		options: o, startedAt: time.Now(), limits: o.Limits, conns: map[*peer]bool{},
		wrongTokens: map[string]tokenFailures{},
	}
	r.closing, r.close = context.WithCancel(context.Background())
	r.metrics = newMetrics(r)
	jobs := sched.Options{
		Devices: o.Devices, Limits: o.Limits, Log: o.Log, Disassembler: o.Disassembler, JobEnded: r.metrics.countJob,
	}
	if o.Fleet != nil {
		jobs.Charged = o.Fleet.Charged
	}
	r.sched = sched.New(jobs)
	if o.Fleet != nil {
		o.Fleet.Attach(r.sched)
	}
	if o.Access.People != nil {
		go o.Access.People.Watch(r.closing.Done(), r.revoke)
	}
	r.upgrader = websocket.Upgrader{
		HandshakeTimeout: protocol.Millis(o.Limits.HandshakeTimeoutMS), Subprotocols: []string{protocol.Subprotocol},
		ReadBufferSize: socketBufferBytes, WriteBufferPool: &sync.Pool{},
		CheckOrigin: func(*http.Request) bool { return true }, // Access has checked it, with a better message
	}
	return r
}

// revoke ends what people have here whose tokens are no longer accepted.
func (r *Runner) revoke(names []string) {
	for _, name := range names {
		r.sched.Revoke(sched.Person(name))
	}
}

// socketBufferBytes is the size of a connection's read buffer.
const socketBufferBytes = 16 << 10

// ServeHTTP upgrades a request to a websocket and serves it until it ends.
func (r *Runner) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	if problem := r.options.Access.checkRequest(request); problem != nil {
		http.Error(w, problem.In(diag.English).Headline, http.StatusForbidden)
		return
	}
	p := &peer{runner: r, client: r.options.Proxies.Of(request), connectedAt: time.Now()}
	if !r.register(p) {
		w.Header().Set("Retry-After", "10")
		http.Error(w, "the runner accepts no more connections", http.StatusServiceUnavailable)
		return
	}
	defer r.unregister(p)
	conn, err := r.upgrader.Upgrade(w, request, nil)
	if err != nil {
		return // Upgrade has answered
	}
	defer conn.Close() // after a panic as well: net/http leaves connections that were upgraded
	if r.setConn(p, conn) {
		p.serve()
	}
}

// flushTimeout bounds the time in which clients can read their last events when the runner stops.
const flushTimeout = 200 * time.Millisecond

// Shutdown cancels waiting jobs, lets running ones finish within grace, gives clients flushTimeout to read the outcome,
// and closes all connections. It returns when they have ended.
func (r *Runner) Shutdown(grace time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	r.close()
	devices, _ := r.sched.Status()
	waiting, running := 0, 0
	for _, d := range devices {
		waiting, running = waiting+d.Queued, running+d.Running
	}
	begin := time.Now()
	r.options.Log.Info("the runner stops", "waiting", waiting, "running", running, "connections", r.connectionCount())
	defer func() { r.options.Log.Info("the runner has stopped", "ms", time.Since(begin).Milliseconds()) }()
	r.sched.Stop(ctx, int(grace.Seconds()))
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	flushed, done := context.WithTimeout(context.Background(), flushTimeout)
	defer done()
	r.sched.Flush(flushed)
	r.sched.Close(flushed) // detaches all streams, which ends the connections that read
	r.closeConnections()
}

// closeConnections waits for connections to end, and closes those that do not: clients that did not send a hello or do
// not read.
func (r *Runner) closeConnections() {
	over := make(chan struct{})
	go func() { r.peers.Wait(); close(over) }()
	patience := time.NewTimer(flushTimeout)
	defer patience.Stop()
	select {
	case <-over:
		return
	case <-patience.C:
	}
	r.mu.Lock()
	for p := range r.conns {
		if p.conn != nil {
			p.conn.Close()
		}
	}
	r.mu.Unlock()
	<-over
}

// serverHello returns the hello for a session.
func (r *Runner) serverHello(st *sched.Stream, resumed bool) *protocol.ServerHello {
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

// isDisconnect reports whether an error means that the client has disconnected, so that it can be sent nothing.
func isDisconnect(err error) bool {
	if _, closed := err.(*websocket.CloseError); closed || err == io.EOF {
		return true
	}
	_, network := err.(net.Error)
	return network
}
