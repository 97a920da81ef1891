// Package sched gives the devices' time to clients: jobs arrive in parts, wait in a queue that is
// fair between clients, run one at a time on each device, and leave a list of events that a
// client reads as fast as it can and may read again after its connection was lost. It knows
// neither sockets nor what kind a device is.
//
// # How it hangs together
//
// A [Session] is a client, with or without a connection; a [Stream] is its connection's side of
// it. A job's events are kept with the job, results as the tensors themselves: a slow reader costs
// no more memory than a fast one. One lock guards all of it, and is never held while bytes are
// copied, IR is read or a device works.
package sched

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// Options make a Scheduler.
type Options struct {
	Devices []Device // at least one; the first is the one of jobs that name none
	Limits  protocol.Limits
	Log     *slog.Logger
	Ended   func(Stats) // is told of each job that ended, for metrics; may be nil
}

// Device is a device with the name that clients know it by.
type Device struct {
	ID string
	device.Device
}

// Stats is what is counted about a job that ended.
type Stats struct {
	Device, State, Code      string // Code: of the fault or the reason, empty in state "done"
	Queued, Load, Run        time.Duration
	ReceivedBytes, SentBytes int64 // of tensors
}

// Status is how a device stands.
type Status struct {
	ID, Name string
	Queued   int
	Running  bool
	Stuck    int // jobs that the device did not stop
}

// Scheduler runs jobs. Its methods may be called from several goroutines.
type Scheduler struct {
	options  Options
	decoding chan struct{} // holds a token for each kernel that is being decoded
	workers  sync.WaitGroup

	lock     sync.Mutex
	work     *sync.Cond // a queue has a job, or the scheduler stops
	sessions map[string]*Session
	queues   []*queue
	ended    []*job // that still hold bytes, in the order of their end
	bytes    int64  // reserved by jobs
	stopping bool
	drained  chan struct{} // closed when no job is in a queue or on a device any more
	ticking  bool
}

// New starts a scheduler; Stop ends it.
func New(o Options) *Scheduler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Scheduler{options: o, decoding: make(chan struct{}, runtime.GOMAXPROCS(0)), sessions: map[string]*Session{}, drained: make(chan struct{})}
	s.work = sync.NewCond(&s.lock)
	for _, d := range o.Devices {
		q := &queue{device: d, described: describe(d)}
		s.queues = append(s.queues, q)
		s.workers.Go(func() { s.serve(q) })
	}
	return s
}

// describe is a device as a hello has it.
func describe(d Device) protocol.Device {
	c := d.Capabilities()
	of := protocol.Device{
		ID: d.ID, Name: c.Name, MemoryBytes: c.MemoryBytes, DTypes: make([]string, 0, len(c.DTypes)), Deterministic: c.Deterministic,
		Poisons: c.Poisons, FindsRaces: c.FindsRaces, Times: c.Times, Arch: c.Arch, Driver: c.Driver,
		Processors: c.Processors, BytesPerSecond: c.BytesPerSecond, FLOPs: c.FLOPs,
	}
	for _, t := range c.DTypes {
		of.DTypes = append(of.DTypes, t.Info().Short)
	}
	return of
}

// Devices describes the devices for a hello.
func (s *Scheduler) Devices() []protocol.Device {
	out := make([]protocol.Device, 0, len(s.queues))
	for _, q := range s.queues {
		out = append(out, q.described)
	}
	return out
}

// Status says how the devices stand, and whether the scheduler takes jobs.
func (s *Scheduler) Status() (devices []Status, open bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, q := range s.queues {
		devices = append(devices, Status{q.device.ID, q.described.Name, q.length, q.running != nil, q.stuck})
	}
	return devices, !s.stopping
}

// Usage counts sessions and the bytes that jobs hold.
func (s *Scheduler) Usage() (sessions int, bytes int64) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.sessions), s.bytes
}

func refusal(code string, args ...any) *diag.Diagnostic {
	return diag.New(code, source.Span{}, args...)
}

// seconds is a limit as messages say it.
func seconds(ms int) int { return (ms + 999) / 1000 }

// Open starts a session and attaches to it.
func (s *Scheduler) Open() (*Stream, *diag.Diagnostic) {
	key := make([]byte, 16)
	rand.Read(key)
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopping {
		return nil, refusal("runner-stopping")
	}
	if len(s.sessions) >= s.options.Limits.Sessions {
		return nil, refusal("runner-connections", len(s.sessions))
	}
	c := &Session{sched: s, key: hex.EncodeToString(key), jobs: map[int64]*job{}}
	s.sessions[c.key] = c
	return c.attach(), nil
}

// Resume attaches to the session of a key. A connection that still has it loses it.
func (s *Scheduler) Resume(r protocol.Resume) (*Stream, *diag.Diagnostic) {
	s.lock.Lock()
	defer s.lock.Unlock()
	c := s.sessions[r.Session]
	if c == nil {
		return nil, refusal("runner-session-unknown")
	}
	if c.stream != nil {
		c.detach(refusal("runner-session-taken"))
	}
	for _, j := range c.order {
		j.sent = 0
	}
	for _, seen := range r.Seen {
		if j := c.jobs[seen.Job]; j != nil {
			j.sent = max(0, min(seen.Seq, len(j.events)))
		}
	}
	return c.attach(), nil
}

// reserve takes bytes for a job, at the cost of results that nobody is reading.
func (s *Scheduler) reserve(bytes int64) bool {
	limit := s.options.Limits.TotalBytes
	for i := 0; bytes > limit-s.bytes && i < len(s.ended); {
		if j := s.ended[i]; j.session.stream == nil || j.delivered() {
			j.session.forget(j)
			continue // it is no longer in the list
		}
		i++
	}
	if bytes > limit-s.bytes {
		return false
	}
	s.bytes += bytes
	return true
}

func (s *Scheduler) unlist(j *job) {
	if i := slices.Index(s.ended, j); i >= 0 {
		s.ended = slices.Delete(s.ended, i, i+1)
	}
}
