// Package sched schedules jobs on devices: fair-share queues, preemption, deadlines, memory accounting
// and sessions that survive a lost connection. It knows neither sockets nor kinds of devices.
//
// # A job's life
//
// A job is uploaded in chunks (arriving), waits in its device's queue (queued), runs (running), and
// ends with a Done event (ended); states never go back. Its events are numbered and kept until the
// client releases the job or resultTtlMs has passed, so that a client whose connection was lost can
// read them again. Results are kept as the tensors themselves: a slow reader costs no more memory
// than a fast one, and everything that is kept is charged to the client.
//
// # Fairness
//
// A [Session] is one client program, with or without a connection; a [Stream] attaches a connection
// to it. Sessions of the same address belong to one client. Clients, and the sessions of each, are
// ranked by the device time that they used lately (account.go). A device that can suspend a launch
// is preempted at the end of each quantum if a session with a lower rank waits.
//
// # Where jobs run
//
// A queue's executor (executor.go) runs its jobs: a device of this process, one job at a time, or a [Remote],
// which has room for several and comes and goes while the scheduler runs.
//
// # Locking
//
// Scheduler.mu guards all state of sessions, queues and jobs. It is never held while bytes are
// copied, IR is decoded or a device works: those goroutines (run.go, verify.go, package endpoint)
// take it for each change of state, and must check that the job is still in the state that they
// left it in.
package sched

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
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

// Options configure a Scheduler.
type Options struct {
	Devices []Device // jobs that name no device get the first
	Limits  protocol.Limits
	Log     *slog.Logger
	// Disassembler prints the machine code of kernels; nil where there are no tools for it.
	Disassembler Disassembler
	JobEnded     func(Stats) // called for each job that ended, with the lock held; may be nil
	// Charged is called with each client's device time by its weight, with the lock held; may be nil.
	Charged func(owner string, took time.Duration)
}

// Device is a device and its ID in the protocol.
type Device struct {
	ID string
	device.Device
}

// Disassembler prints the machine code of kernels.
type Disassembler interface {
	// Disassembles reports whether it can for a device.
	Disassembles(c device.Capabilities) bool
	// Disassembly is the code of a kernel, of which made is what the device has made, nil where it has made nothing.
	Disassembly(ctx context.Context, fn *ir.Func, o device.Options, c device.Capabilities,
		made *device.Compiled) (*protocol.SASS, error)
}

// Stats are the metrics of a job that ended.
type Stats struct {
	Owner                    string // the client
	Device, State, Code      string // Code is that of the fault or the reason, empty in state "done"
	Queued, Load, Run        time.Duration
	DeviceTime               time.Duration // charged
	ReceivedBytes, SentBytes int64         // of tensors
}

// Status is the state of a device and its queue.
type Status struct {
	ID, Name string
	Queued   int
	Running  int // jobs in progress
	Capacity int // jobs that can be in progress
	Stuck    int // jobs that did not stop within cancelGraceMs after they were cancelled
}

// Activity is what the device does, in words.
func (s Status) Activity() string {
	switch {
	case s.Running == 0:
		return "idle"
	case s.Running == 1 && s.Capacity <= 1:
		return "running"
	}
	return fmt.Sprintf("%d running of %d", s.Running, s.Capacity)
}

// Scheduler runs jobs on devices. Its methods are safe for concurrent use.
type Scheduler struct {
	options Options
	workers sync.WaitGroup // the goroutines of runs
	started time.Time      // the zero of the times that accounts are charged at

	mu            sync.Mutex
	sessions      map[string]*Session
	clients       map[string]*client
	queues        []*queue
	ended         []*job // jobs whose results are kept, in the order of their end
	heldBytes     int64  // charged for all jobs
	smallGate     gate   // admits small kernels to verification
	largeGate     gate   // admits the others
	turns         map[*Turn]bool
	places        [2]places     // of turns that are not quick, and of those that are
	stopping      bool          // Stop was called: no new jobs
	drained       chan struct{} // closed by signalDrained when all queues and devices are empty
	positionTimer *time.Timer   // runs while changed queue positions wait to be sent
}

// New returns a scheduler that takes jobs until Stop is called.
func New(o Options) *Scheduler {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.Limits = o.Limits.Consistent()
	s := &Scheduler{
		options: o, started: time.Now(),
		sessions: map[string]*Session{}, clients: map[string]*client{}, turns: map[*Turn]bool{},
		smallGate: gate{freeBytes: smallMemory}, largeGate: gate{freeBytes: ir.MaxMemory}, drained: make(chan struct{}),
	}
	for _, d := range o.Devices {
		s.queues = append(s.queues, &queue{
			id: d.ID, device: d, description: s.describeDevice(d), suspends: d.Capabilities().Suspends,
			executor: localDevice{}, residents: map[*Session]*resident{},
		})
	}
	return s
}

// describeDevice returns the description of a device for the hello message.
func (s *Scheduler) describeDevice(d Device) protocol.Device {
	c := d.Capabilities()
	description := protocol.Device{
		ID: d.ID, Name: c.Name, MemoryBytes: c.MemoryBytes, DTypes: make([]string, 0, len(c.DTypes)),
		Deterministic: c.Deterministic, Poisons: c.Poisons, FindsRaces: c.FindsRaces, Times: c.Times,
		SASS: s.options.Disassembler != nil && s.options.Disassembler.Disassembles(c), Arch: c.Arch, Driver: c.Driver,
		Processors: c.Processors, BytesPerSecond: c.BytesPerSecond, FLOPs: c.FLOPs,
	}
	for _, t := range c.DTypes {
		description.DTypes = append(description.DTypes, t.Info().Short)
	}
	return description
}

// Devices returns the descriptions of the devices for a hello.
func (s *Scheduler) Devices() []protocol.Device {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]protocol.Device, 0, len(s.queues))
	for _, q := range s.offered() {
		out = append(out, q.description)
	}
	return out
}

// Status returns the state of each device, and whether the scheduler takes jobs.
func (s *Scheduler) Status() (devices []Status, open bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, q := range s.queues {
		capacity, _ := q.executor.capacity()
		devices = append(devices, Status{q.id, q.description.Name, q.length, len(q.running), capacity, q.stuck})
	}
	return devices, !s.stopping
}

// Usage returns the number of sessions and the bytes charged for jobs.
func (s *Scheduler) Usage() (sessions int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions), s.heldBytes
}

// refusal is a diagnostic of the runner: it has no span.
func refusal(code string, args ...any) *diag.Diagnostic {
	return diag.New(code, source.Span{}, args...)
}

// wholeSeconds is a limit in milliseconds, rounded up to seconds for messages.
func wholeSeconds(ms int) int { return (ms + 999) / 1000 }

// Open starts a session of the client with that address and attaches a stream to it. Its jobs may find what earlier
// ones have kept on a device (device.Part) if those were of the same person. An address may be that of many people, so
// without a person they find what is of this session alone.
func (s *Scheduler) Open(address string) (*Stream, *diag.Diagnostic) {
	key := newKey()
	tenant := address
	if PersonOf(address) == "" {
		tenant += " " + key
	}
	return s.open(address, key, tenant)
}

// OpenFor is Open for a session whose jobs find what earlier jobs of a tenant have kept; nothing if tenant is empty.
func (s *Scheduler) OpenFor(tenant, address string) (*Stream, *diag.Diagnostic) {
	return s.open(address, newKey(), tenant)
}

// newKey makes the key of a session: 128 random bits, for whoever knows it can resume the session.
func newKey() string {
	key := make([]byte, 16)
	rand.Read(key)
	return hex.EncodeToString(key)
}

func (s *Scheduler) open(address, key, tenant string) (*Stream, *diag.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return nil, refusal("runner-stopping")
	}
	owner := s.findClient(address)
	if len(s.queues) == 0 {
		return nil, refusal("runner-no-workers")
	}
	if why := s.admitSession(owner); why != nil {
		return nil, why
	}
	owner.sessions++
	c := &Session{sched: s, client: owner, tenant: tenant, key: key, jobs: map[int64]*job{},
		residents: map[*queue]*resident{}}
	s.sessions[c.key] = c
	return c.attach(), nil
}

// Resume attaches a stream to an existing session. Another stream that is still attached is closed first. On a network
// that loses connections a hello may come after that of a later connection, which the client is on: it is refused.
func (s *Scheduler) Resume(r protocol.Resume) (*Stream, *diag.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.sessions[r.Session]
	if c == nil {
		return nil, refusal("runner-session-unknown")
	}
	if r.Connection > 0 && r.Connection < c.connection {
		return nil, refusal("runner-session-taken")
	}
	c.connection = max(c.connection, r.Connection)
	if c.stream != nil {
		// The client often knows before the runner that its connection is lost: the newer one wins.
		c.detach(refusal("runner-session-taken"))
	}
	// Events after the last one that the client has are sent again; all of a job that it does not name.
	for _, j := range c.jobList {
		j.sent = 0
	}
	for _, seen := range r.Seen {
		if j := c.jobs[seen.Job]; j != nil {
			j.sent = max(0, min(seen.Seq, len(j.events)))
		}
	}
	return c.attach(), nil
}

// startTimer sets *timer to a timer that calls act, with the lock held, after d, and stops the one that was there.
// The caller holds the lock, which guards *timer as well.
func (s *Scheduler) startTimer(timer **time.Timer, d time.Duration, act func()) {
	stopTimer(timer)
	var t *time.Timer
	t = time.AfterFunc(d, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		// A timer that had fired already when it was stopped or replaced waits for the lock here, and must do nothing.
		if *timer == t {
			*timer = nil
			act()
		}
	})
	*timer = t
}

// stopTimer stops *timer, if it is set; its function will not run. The caller holds the lock.
func stopTimer(timer **time.Timer) {
	if *timer != nil {
		(*timer).Stop()
		*timer = nil
	}
}

// removeEnded takes a job off the list of those whose results are kept.
func (s *Scheduler) removeEnded(j *job) {
	if i := slices.Index(s.ended, j); i >= 0 {
		s.ended = slices.Delete(s.ended, i, i+1)
	}
}
