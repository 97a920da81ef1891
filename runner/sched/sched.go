// Package sched gives the devices' time to clients: jobs arrive in parts, wait in a queue that is
// fair between clients by the time that they use, run one at a time on each device, and leave a
// list of events that a client reads as fast as it can and may read again after its connection was
// lost. It knows neither sockets nor what kind a device is.
//
// # How it hangs together
//
// A [Session] is a client program, with or without a connection; a [Stream] is its connection's side
// of it. Sessions from one machine are one client, and share what a client may have. A job's events
// are kept with the job, results as the tensors themselves: a slow reader costs no more memory than a
// fast one, and what is kept is counted. A job that runs for longer than a quantum is suspended, where
// the device can do that, for one of who used the device less. One lock guards all of it, and is
// never held while bytes are copied, IR is read or a device works.
package sched

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
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
	options Options
	workers sync.WaitGroup

	started time.Time

	lock     sync.Mutex
	sessions map[string]*Session
	clients  map[string]*client
	queues   []*queue
	ended    []*job // that are still kept, in the order of their end
	bytes    int64  // that jobs hold
	small    gate   // of small kernels that are verified
	large    gate   // of the others
	stopping bool
	drained  chan struct{} // closed when no job is in a queue or on a device any more
	moving   *time.Timer   // runs where positions are to be told
}

// New starts a scheduler; Stop ends it.
func New(o Options) *Scheduler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.Consistent()
	s := &Scheduler{
		options: o, started: time.Now(), sessions: map[string]*Session{}, clients: map[string]*client{},
		small: gate{free: smallMemory}, large: gate{free: ir.MaxMemory}, drained: make(chan struct{}),
	}
	for _, d := range o.Devices {
		s.queues = append(s.queues, &queue{device: d, described: describe(d), suspends: d.Capabilities().Suspends})
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

// Usage counts sessions, and the bytes that jobs hold.
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

// Open starts a session of a client, which name tells from other clients, and attaches to it.
func (s *Scheduler) Open(name string) (*Stream, *diag.Diagnostic) {
	key := make([]byte, 16)
	rand.Read(key)
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.stopping {
		return nil, refusal("runner-stopping")
	}
	owner := s.client(name)
	if why := s.admit(owner); why != nil {
		return nil, why
	}
	owner.sessions++
	c := &Session{sched: s, client: owner, key: hex.EncodeToString(key), jobs: map[int64]*job{}}
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

// after calls act with the lock held when d is over, unless stop was called for the timer before. The caller has the
// lock, which also guards the timer.
func (s *Scheduler) after(timer **time.Timer, d time.Duration, act func()) {
	stop(timer)
	var t *time.Timer
	t = time.AfterFunc(d, func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		if *timer == t {
			*timer = nil
			act()
		}
	})
	*timer = t
}

func stop(timer **time.Timer) {
	if *timer != nil {
		(*timer).Stop()
		*timer = nil
	}
}

func (s *Scheduler) unlist(j *job) {
	if i := slices.Index(s.ended, j); i >= 0 {
		s.ended = slices.Delete(s.ended, i, i+1)
	}
}
