package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/protocol"
)

// fakeWorker speaks a worker's messages as a test wants.
type fakeWorker struct {
	*link
	t    *testing.T
	id   string
	stop func()
}

// joinFake connects a fake worker and waits until a gateway knows it.
func joinFake(t *testing.T, g *testGateway, url string) *fakeWorker {
	t.Helper()
	return joinFakeOf(t, g, Options{URL: url})
}

func joinFakeOf(t *testing.T, g *testGateway, o Options) *fakeWorker {
	t.Helper()
	o.times = testTimes
	l, err := connect(o, false, func() {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	var announcing sync.WaitGroup
	f := &fakeWorker{l, t, newID(), func() { cancel(); announcing.Wait() }}
	announcing.Go(func() {
		tick := time.NewTicker(testTimes.alive / 4)
		defer tick.Stop()
		for ctx.Err() == nil {
			f.announce(workerReady)
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	})
	g.offers(t, "cpu", 1)
	return f
}

// leave ends a fake worker.
func (f *fakeWorker) leave(g *testGateway) {
	f.stop()
	f.announce(workerStopped)
	g.offers(f.t, "cpu", 0)
}

func (f *fakeWorker) announce(state string) {
	f.Publish(workersSubject+f.user, encodePacket(workerPresence{
		Worker: f.id, Name: "fake", Device: protocol.Device{Name: "CPU", DTypes: []string{"i32"}}, State: state, Slots: 1,
	}, nil))
}

// take takes the next ticket.
func (f *fakeWorker) take() (ticket, jetstream.Msg) {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	// The gateway makes the consumer once it has heard of the worker, and the server lists it a little before it
	// listens to requests for its messages.
	m, err := f.nextMessage(ctx)
	for errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, nats.ErrNoResponders) {
		time.Sleep(testTimes.alive / 100)
		m, err = f.nextMessage(ctx)
	}
	if err != nil {
		f.t.Fatal(err)
	}
	var one ticket
	if err := json.Unmarshal(m.Data(), &one); err != nil {
		f.t.Fatal(err)
	}
	return one, m
}

func (f *fakeWorker) nextMessage(ctx context.Context) (jetstream.Msg, error) {
	consumer, err := f.js.Consumer(ctx, streamName, "cpu")
	if err != nil {
		return nil, err
	}
	return consumer.Next(jetstream.FetchContext(ctx))
}

// ask sends a request to the gateway of a ticket.
func (f *fakeWorker) ask(of ticket, verb string, q request, body ...byte) (reply, []byte) {
	f.t.Helper()
	if q.Worker == "" {
		q.Worker = f.id
	}
	r, piece, err := f.request(f.t.Context(), gatewaySubject+of.Gateway+"."+verb+"."+f.user, q, body)
	if err != nil {
		f.t.Fatal(err)
	}
	return r, piece
}

// claim takes the next ticket and claims its job.
func (f *fakeWorker) claim() (of ticket, m jetstream.Msg, r reply) {
	f.t.Helper()
	of, m = f.take()
	if r, _ = f.ask(of, claimVerb, request{Job: of.Job}); r.State != stateYes {
		f.t.Fatalf("the claim is answered with %+v", r)
	}
	return of, m, r
}

// text is the JSON of an outcome.
func text(t *testing.T, o outcome) []byte {
	t.Helper()
	out, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// good is the outcome of a job that is done.
func good() outcome {
	return outcome{Done: &protocol.Done{State: protocol.StateDone}, Results: true}
}
