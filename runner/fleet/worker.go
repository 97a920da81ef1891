package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// WorkerOptions configure a Worker.
type WorkerOptions struct {
	Options
	Device sched.Device
	Labels []string // each a CheckLabels label
	Limits protocol.Limits
	// Drain is how long a job may run on when the worker stops; then another worker gets it.
	Drain time.Duration
	// Disassembler prints the machine code of kernels; may be nil.
	Disassembler sched.Disassembler
}

// Worker runs the jobs of a fleet on one device. A device that can suspend a launch has several at once, which take
// turns by the device time of their clients and sessions; others have one at a time.
type Worker struct {
	options WorkerOptions
	id      string
	pools   []string
	started time.Time
	link    *link
	sched   *sched.Scheduler
	log     *slog.Logger

	slots   chan struct{} // holds a token for each job that it can take
	working sync.WaitGroup
	ended   atomic.Int64
	lost    atomic.Bool     // the device does not work
	stopped context.Context // ends when no more jobs are taken
	drain   context.CancelFunc

	mu      sync.Mutex
	state   string
	current map[*attempt]bool // the jobs that it has
	more    int               // jobs that it has besides those with a slot
}

// A device that can suspend a launch has suspendingSlots jobs, which take turns. While all of these run, it takes one
// more every crowdedInterval, which no idle worker has taken by then: long jobs keep no short one waiting. Gateways
// hear of nextSlots more than are taken: one for the client whose jobs these are, and one for another.
const (
	suspendingSlots = 4
	nextSlots       = 2
	crowdedInterval = 20 * time.Millisecond
)

func (w *Worker) suspends() bool { return w.options.Device.Capabilities().Suspends }

// NewWorker connects a worker, as soon as the servers can be reached, unless ctx ends before. It takes jobs while Run
// runs.
func NewWorker(ctx context.Context, o WorkerOptions) (*Worker, error) {
	if err := CheckLabels(o.Labels); err != nil {
		return nil, err
	}
	if len(o.Labels) > maxLabels {
		return nil, errors.New("a worker can have at most 8 labels")
	}
	o.Limits = o.Limits.Consistent()
	o.Limits.Buffers = 0
	n := 1
	if o.Device.Capabilities().Suspends {
		n = suspendingSlots
	}
	w := &Worker{
		options: o, id: newID(), slots: make(chan struct{}, n), state: workerReady, started: time.Now(),
		current: map[*attempt]bool{},
	}
	for range n {
		w.slots <- struct{}{}
	}
	var err error
	if w.link, err = connectPatiently(ctx, o.Options, func() { w.announce() }); err != nil {
		return nil, err
	}
	w.log = w.link.log.With("worker", w.id[:8])
	w.sched = sched.New(sched.Options{
		Devices: []sched.Device{o.Device}, Limits: o.Limits, Disassembler: o.Disassembler,
	})
	w.pools = pools(poolArch(w.sched.Devices()[0]), o.Labels)
	if _, err := w.link.Subscribe(workerSubject+workerKey(w.link.user, w.id), w.hearStop); err != nil {
		w.link.Close()
		return nil, err
	}
	return w, nil
}

// Run takes jobs until ctx ends. Then it takes no more, and returns when the job that runs has ended, or was given back
// because it did not end within Drain.
func (w *Worker) Run(ctx context.Context) {
	w.stopped, w.drain = context.WithCancel(ctx)
	defer w.drain()
	over, end := context.WithCancel(context.Background())
	var announcing sync.WaitGroup
	announcing.Go(func() { w.keepAnnouncing(over) })
	for _, pool := range w.pools {
		for range cap(w.slots) {
			w.working.Go(func() { w.takeTickets(pool) })
		}
		if w.suspends() {
			w.working.Go(func() { w.takeMore(pool) })
		}
	}
	<-w.stopped.Done()
	w.setState(workerDraining)
	w.finishCurrent()
	w.working.Wait()
	w.setState(workerStopped)
	end()
	announcing.Wait()
	w.link.FlushTimeout(requestTimeout)
	w.link.Close()
	stopping, cancel := context.WithCancel(context.Background())
	cancel()
	w.sched.Stop(stopping, 0)
	w.sched.Close(stopping)
}

// finishCurrent lets the job that runs end within Drain, and gives it back otherwise.
func (w *Worker) finishCurrent() {
	done := make(chan struct{})
	go func() { w.working.Wait(); close(done) }()
	patience := time.NewTimer(w.options.Drain)
	defer patience.Stop()
	select {
	case <-done:
	case <-patience.C:
		w.mu.Lock()
		for a := range w.current {
			a.stop(errDraining)
		}
		w.mu.Unlock()
	}
}

// setState changes the state and announces it.
func (w *Worker) setState(state string) {
	w.mu.Lock()
	w.state = state
	w.mu.Unlock()
	w.log.Info("worker", "state", state)
	w.announce()
}

// keepAnnouncing announces the worker every times.alive.
func (w *Worker) keepAnnouncing(ctx context.Context) {
	tick := time.NewTicker(w.link.times.alive)
	defer tick.Stop()
	for {
		w.announce()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// announce tells the gateways about the worker.
func (w *Worker) announce() {
	w.mu.Lock()
	p := workerPresence{
		Worker: w.id, Name: w.options.Name, Newt: w.options.Version, Device: w.sched.Devices()[0],
		Labels: w.options.Labels, State: w.state, Jobs: w.ended.Load(),
		UpS: int64(time.Since(w.started).Seconds()),
	}
	p.Slots, p.Running = cap(w.slots)+w.more, len(w.current)
	if w.suspends() {
		p.Slots = min(p.Slots+nextSlots, sched.RemoteTurns)
	}
	w.mu.Unlock()
	w.link.Publish(workersSubject+w.link.user, encodePacket(p, nil))
}

// retryInterval is how long a worker waits after something failed: no gateway has made its pool yet, or NATS is away.
const retryInterval = 250 * time.Millisecond

// takeTickets takes the tickets of a pool, one at a time, while the device is free.
func (w *Worker) takeTickets(pool string) {
	for w.stopped.Err() == nil {
		consumer, err := w.link.js.Consumer(w.stopped, streamName, pool)
		for err == nil {
			err = w.takeTicket(consumer)
		}
		w.pause(retryInterval)
	}
}

// pause waits, unless the worker stops.
func (w *Worker) pause(d time.Duration) {
	select {
	case <-time.After(d):
	case <-w.stopped.Done():
	}
}

// takeTicket waits for a ticket and handles it. Its error means that NATS did not answer as it should.
func (w *Worker) takeTicket(consumer jetstream.Consumer) error {
	select { // no ticket is taken that would have to wait
	case token := <-w.slots:
		w.slots <- token
	case <-w.stopped.Done():
		return w.stopped.Err()
	}
	ctx, cancel := context.WithTimeout(w.stopped, w.link.times.fetch)
	defer cancel()
	batch, err := consumer.Fetch(1, jetstream.FetchContext(ctx))
	if err != nil {
		return err
	}
	for m := range batch.Messages() {
		select {
		case token := <-w.slots:
			w.handleTicket(m)
			w.awaitDevice()
			w.slots <- token
		default: // another pool's ticket came at the same time
			m.Nak()
		}
	}
	err = batch.Error()
	if err != nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return w.stopped.Err()
}

// takeMore takes a ticket of a pool every crowdedInterval while no slot is free.
func (w *Worker) takeMore(pool string) {
	for w.stopped.Err() == nil {
		consumer, err := w.link.js.Consumer(w.stopped, streamName, pool)
		for err == nil && w.stopped.Err() == nil {
			w.pause(crowdedInterval)
			err = w.takeOneMore(consumer)
		}
		w.pause(retryInterval)
	}
}

// changeMore changes the number of jobs without a slot, and reports whether the worker may have as many.
func (w *Worker) changeMore(by int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cap(w.slots)+w.more+by > sched.RemoteTurns {
		return false
	}
	w.more += by
	return true
}

// takeOneMore handles a ticket that is there now if no slot is free, and returns before its job ends. Its error means
// that NATS did not answer as it should.
func (w *Worker) takeOneMore(consumer jetstream.Consumer) error {
	if len(w.slots) > 0 || w.lost.Load() || !w.changeMore(1) {
		return nil
	}
	batch, err := consumer.FetchNoWait(1)
	if err == nil {
		if m, found := <-batch.Messages(); found {
			w.working.Go(func() {
				w.announce() // that there is room for the next
				w.handleTicket(m)
				w.changeMore(-1)
				w.announce()
			})
			return nil
		}
		err = batch.Error()
	}
	w.changeMore(-1)
	return err
}

// The waits before a ticket is delivered again.
const (
	heldWait    = 250 * time.Millisecond // another worker has the job
	orphanWait  = 2 * time.Second
	maxOrphaned = 10 // deliveries of a ticket whose gateway does not answer
)

// admit adds an attempt to the jobs that the worker has, unless it has that job already: a job may have several
// tickets, and the gateway answers a worker's second claim as if the answer to the first had been lost.
func (w *Worker) admit(a *attempt) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for other := range w.current {
		if other.ticket == a.ticket {
			return false
		}
	}
	w.current[a] = true
	return true
}

// dismiss takes an attempt from the jobs that the worker has.
func (w *Worker) dismiss(a *attempt) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.current, a)
}

// handleTicket claims a ticket's job and runs it.
func (w *Worker) handleTicket(m jetstream.Msg) {
	var t ticket
	if json.Unmarshal(m.Data(), &t) != nil || !t.valid() {
		m.Term()
		return
	}
	a := newAttempt(w, t, m)
	defer a.cancel(nil)
	if !w.admit(a) {
		m.NakWithDelay(heldWait)
		return
	}
	defer w.dismiss(a)
	if w.stopped.Err() != nil {
		m.Nak()
		return
	}
	// A worker that is told to stop meanwhile hears the answer: the job may be its own by now, and is given back.
	r, first, err := a.request(context.Background(), claimVerb, request{Job: t.Job}, nil)
	switch {
	case err != nil:
		// A gateway that is only cut off puts a new ticket when it is back.
		if meta, err := m.Metadata(); err == nil && meta.NumDelivered >= maxOrphaned {
			m.Term()
			return
		}
		m.NakWithDelay(orphanWait)
	case r.State == stateYes:
		a.run(r, first)
		w.ended.Add(1)
	case r.State == stateHeld:
		m.NakWithDelay(heldWait)
	default:
		m.Ack()
	}
}

// hearStop stops the job that a gateway names.
func (w *Worker) hearStop(m *nats.Msg) {
	var s stopMessage
	if _, err := decodePacket(m.Data, &s); err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for a := range w.current {
		if a.lease == s.Lease && s.Lease != "" {
			a.stop(errCancelled)
		}
	}
}

// loseDevice notes that the device does not work. The caller has the slot, which awaitDevice keeps until it does.
func (w *Worker) loseDevice(why error) {
	w.log.Error("the device was lost", "device", w.options.Device.ID, "err", why)
	w.setState(workerNoDevice)
	w.lost.Store(true)
}

// awaitDevice waits until a lost device works again, or the worker stops.
func (w *Worker) awaitDevice() {
	for w.lost.Load() && w.stopped.Err() == nil {
		w.pause(w.link.times.probe)
		if w.stopped.Err() == nil && probe(w.options.Device.Device) == nil {
			w.lost.Store(false)
			w.setState(workerReady)
		}
	}
}
