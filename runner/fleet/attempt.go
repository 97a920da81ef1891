package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// attempt is a job that a worker has claimed, or is about to.
type attempt struct {
	worker  *Worker
	ticket  ticket
	message jetstream.Msg
	lease   string
	owner   string // an alias of the client
	tenant  string // whose processes it may use
	ctx     context.Context
	cancel  context.CancelCauseFunc

	// The worker's lock guards these.
	progress *protocol.Progress
	running  bool // the device has begun
}

func newAttempt(w *Worker, t ticket, m jetstream.Msg) *attempt {
	a := &attempt{worker: w, ticket: t, message: m}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	return a
}

// Why an attempt stops.
var (
	errCancelled = errors.New("the gateway does not want the job any more")
	errGone      = errors.New("the lease has ended")
	errDraining  = errors.New("the worker stops")
	errRefused   = errors.New("the gateway refused the answer")
	errNoRoom    = errors.New("the jobs that the worker has leave no memory for this one")
)

// stop stops an attempt, whatever it does.
func (a *attempt) stop(why error) { a.cancel(why) }

// orphanTime is how long a worker goes on with a job whose gateway does not answer: as long as the gateway keeps a job
// whose client is away, by default. absentTime is how long it waits with nothing to do for a gateway that is not
// connected to NATS: a little more than it takes to connect again.
const (
	orphanTime = 30 * time.Second
	absentTime = 5 * time.Second
)

// request sends a request of this attempt to its gateway.
func (a *attempt) request(ctx context.Context, verb string, q request, body []byte) (reply, []byte, error) {
	q.Worker, q.Lease = a.worker.id, a.lease
	return a.worker.link.request(ctx, gatewaySubject+a.ticket.Gateway+"."+verb+"."+a.worker.link.user, q, body)
}

// insist sends a request again until it is answered, the attempt stops, or the gateway is silent for orphanTime or not
// connected for absentTime. A reply other than yes is an error.
func (a *attempt) insist(ctx context.Context, verb string, q request, body []byte) (reply, []byte, error) {
	for since := time.Now(); ; {
		r, piece, err := a.request(ctx, verb, q, body)
		switch {
		case err == nil && r.State == stateYes:
			return r, piece, nil
		case err == nil && r.State == stateRefused:
			return r, nil, errRefused
		case err == nil:
			return r, nil, errGone
		case ctx.Err() != nil:
			return r, nil, context.Cause(ctx)
		case time.Since(since) > orphanTime,
			errors.Is(err, nats.ErrNoResponders) && time.Since(since) > absentTime:
			return r, nil, errGone
		}
		select {
		case <-time.After(retryInterval):
		case <-ctx.Done():
		}
	}
}

// run runs a job that was claimed; first is the beginning of its payload.
func (a *attempt) run(claim reply, first []byte) {
	w := a.worker
	w.mu.Lock()
	a.lease, a.owner, a.tenant = claim.Lease, claim.Owner, claim.Tenant
	w.mu.Unlock()
	keeping, done := make(chan struct{}), make(chan struct{})
	go func() { a.keepAlive(keeping); close(done) }()
	defer func() { close(keeping); <-done }()
	begin := time.Now()
	state, err := a.work(claim, first)
	line := []any{"job", a.ticket.Job[:8], "state", state, "ms", time.Since(begin).Milliseconds()}
	if err != nil {
		line = append(line, "err", err)
	}
	w.log.Info("job", line...)
	switch {
	case err == nil:
		a.message.Ack()
	case errors.Is(err, errGone): // the ticket may be another worker's by now
	case errors.Is(err, errRefused):
		a.message.NakWithDelay(heldWait)
	default:
		a.giveBack(!errors.Is(err, errDraining) && !errors.Is(err, errNoRoom))
	}
}

// giveBack lets another worker have the job at once. unable says that this one is the wrong one for it.
func (a *attempt) giveBack(unable bool) {
	a.request(context.Background(), returnVerb, request{Unable: unable}, nil)
	a.message.NakWithDelay(heldWait)
}

// keepAlive tells JetStream and the gateway every times.alive that the job is being worked on.
func (a *attempt) keepAlive(until <-chan struct{}) {
	tick := time.NewTicker(a.worker.link.times.alive)
	defer tick.Stop()
	begun, heard := false, time.Now()
	for {
		select {
		case <-tick.C:
		case <-until:
			return
		}
		a.message.InProgress()
		a.worker.mu.Lock()
		q := request{Progress: a.progress, Started: a.running && !begun}
		begun = begun || a.running
		a.worker.mu.Unlock()
		r, _, err := a.request(a.ctx, aliveVerb, q, nil)
		if err == nil {
			heard = time.Now()
		}
		if err == nil && r.State != stateYes || time.Since(heard) > orphanTime {
			a.stop(errGone)
		}
	}
}

// work fetches the job, runs it, and answers. It returns the state in which the job ended.
func (a *attempt) work(claim reply, first []byte) (state string, err error) {
	payload, err := a.fetch(claim, first)
	if err != nil {
		return "", err
	}
	o, err := a.execute(payload)
	if err != nil {
		return "", err
	}
	return o.Done.State, a.answer(o)
}

// payload is what a job brings.
type payload struct {
	submit  protocol.Submit
	ir      []byte
	tensors []byte // those that the client sent, one after another
}

// fetch reads the whole payload.
func (a *attempt) fetch(claim reply, first []byte) (*payload, error) {
	l := a.worker.options.Limits
	most := int64(l.MessageBytes) + int64(l.IRBytes) + l.JobBytes
	// Head and IR are each at most what is left of Total: their sum could overflow.
	if claim.Head <= 0 || claim.IR < 0 || claim.Total > most || claim.Head > claim.Total ||
		claim.IR > claim.Total-claim.Head {
		return nil, errors.New("the job is larger than the limits of this worker")
	}
	data := append(make([]byte, 0, min(claim.Total, 1<<20)), first...)
	for int64(len(data)) < claim.Total {
		_, piece, err := a.insist(a.ctx, fetchVerb, request{At: int64(len(data))}, nil)
		if err != nil {
			return nil, err
		}
		if len(piece) == 0 {
			return nil, errors.New("the gateway's payload is shorter than it said")
		}
		data = append(data, piece...)
	}
	p := &payload{ir: data[claim.Head : claim.Head+claim.IR], tensors: data[claim.Head+claim.IR:]}
	if err := json.Unmarshal(data[:claim.Head], &p.submit); err != nil {
		return nil, err
	}
	sent := 0
	for _, t := range p.submit.Tensors {
		if t.Sent() {
			sent += t.Bytes
		}
	}
	if int64(len(data)) != claim.Total || sent != len(p.tensors) || p.submit.IRBytes != len(p.ir) {
		return nil, errors.New("the gateway's payload is not of the size that the job says")
	}
	p.submit.Job, p.submit.Device = 1, "" // the only job of a session of its own, on the only device
	return p, nil
}

// answer sends an outcome, in pieces. A part that was lost is sent again.
func (a *attempt) answer(o *sched.Outcome) error {
	text, err := json.Marshal(outcomeOf(o))
	if err != nil {
		return err // a device reported a number that JSON cannot write
	}
	var all pieces
	all.add(text)
	for _, one := range o.Results {
		all.add(one...)
	}
	// Cancelling the job does not cancel its answer; losing the lease makes it of no use.
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	defer context.AfterFunc(a.ctx, func() {
		if why := context.Cause(a.ctx); errors.Is(why, errGone) {
			cancel(why)
		}
	})()
	for at := int64(0); at < all.total; {
		piece := all.read(at, a.worker.link.pieceBytes())
		r, _, err := a.insist(ctx, answerVerb, request{At: at, Head: int64(len(text)), Total: all.total}, piece)
		if err != nil {
			return err
		}
		if r.Next <= at {
			return errors.New("the gateway does not take the answer")
		}
		at = r.Next
	}
	return nil
}
