package fleet

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/runner/fleet/census"
)

// TakeCensus listens to a fleet for a little longer than the time between two messages of a member. It needs the
// credentials of a gateway.
func TakeCensus(ctx context.Context, o Options) (*census.Report, error) {
	l, err := connect(o, true, func() {})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	var mu sync.Mutex
	workers, gateways := map[string]census.Worker{}, map[string]census.Gateway{}
	for subject, hear := range map[string]nats.MsgHandler{
		workersSubject + "*": func(m *nats.Msg) {
			var p workerPresence
			if _, err := decodePacket(m.Data, &p); err == nil && p.check() == nil {
				mu.Lock()
				defer mu.Unlock()
				workers[workerKey(userOf(m.Subject), p.Worker)] = p.info()
			}
		},
		gossipSubject: func(m *nats.Msg) {
			var p gatewayPresence
			_, err := decodePacket(m.Data, &p)
			if err == nil && p.check() == nil {
				mu.Lock()
				defer mu.Unlock()
				gateways[p.Gateway] = p.info()
			}
		},
	} {
		if _, err := l.Subscribe(subject, hear); err != nil {
			return nil, err
		}
	}
	select {
	case <-time.After(l.times.alive * 3 / 2):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	mu.Lock()
	defer mu.Unlock()
	c := census.New(maps.Values(gateways), maps.Values(workers))
	if stream, err := l.js.Stream(ctx, streamName); err == nil {
		c.Tickets = stream.CachedInfo().State.Msgs
	}
	return c, nil
}

// Census are the members that a gateway knows, itself among them, without the tickets.
func (g *Gateway) Census() *census.Report {
	g.mu.Lock()
	defer g.mu.Unlock()
	gateways, workers := []census.Gateway{g.own.info()}, []census.Worker{}
	for _, p := range g.gateways {
		gateways = append(gateways, p.info())
	}
	for _, w := range g.workers {
		workers = append(workers, w.info())
	}
	return census.New(slices.Values(gateways), slices.Values(workers))
}

func (p *workerPresence) info() census.Worker {
	return census.Worker{
		ID: p.Worker[:8], Machine: p.Name, Newt: p.Newt, Device: p.Device.Name, State: p.State, Running: p.Running,
		Pools: pools(poolArch(p.Device), p.Labels), Jobs: p.Jobs, UpS: p.UpS,
	}
}

func (p *gatewayPresence) info() census.Gateway {
	return census.Gateway{
		ID: p.Gateway[:8], Machine: p.Name, Newt: p.Newt, Clients: p.Clients, UpS: p.UpS, Queues: p.Queues,
		People: p.People, MorePeople: p.More,
	}
}

// Workers are the numbers of workers that a gateway knows, by pool and state, for metrics.
func (g *Gateway) Workers() map[string]map[string]int {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := map[string]map[string]int{}
	for name := range g.pools {
		out[name] = map[string]int{workerReady: 0}
	}
	for _, w := range g.workers {
		state := w.State
		if time.Now().Before(w.shunned) {
			state = "shunned"
		}
		for _, name := range w.pools {
			if out[name] != nil {
				out[name][state]++
			}
		}
	}
	return out
}

// The events that a gateway counts.
const (
	eventTicket  = "ticket"   // a ticket was put into the queue
	eventClaim   = "claim"    // a worker got a job
	eventLost    = "lost"     // a job lost its worker
	eventShunned = "shunned"  // a worker broke the rules
	eventFull    = "unqueued" // a ticket could not be put
)

// Events are the numbers of a gateway's events since its start, for metrics.
func (g *Gateway) Events() map[string]int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := map[string]int64{}
	for _, name := range []string{eventTicket, eventClaim, eventLost, eventShunned, eventFull} {
		out[name] = g.counts[name]
	}
	return out
}

// Problem says what is wrong with a NATS server for a fleet, "" for nothing.
type Problem string

// The problems that Examine finds.
const (
	NoProblem     Problem = ""
	Unreachable   Problem = "unreachable"
	Unauthorized  Problem = "unauthorized"
	Untrusted     Problem = "untrusted" // a certificate of an unknown authority
	NoJetStream   Problem = "no JetStream"
	SmallMessages Problem = "small messages"
	NotReplicated Problem = "not replicated" // streams are on fewer servers of a cluster than they should be
)

// minReplicas is how many servers of a cluster must have a stream so that it survives the loss of one.
const minReplicas = 3

// minPayload is the least size of messages that a fleet works well with.
const minPayload = 256 << 10

// Health is what Examine found.
type Health struct {
	Problem   Problem
	Detail    string // of the error, in English
	RoundTrip time.Duration
	Servers   int
	Streams   []string // that are not replicated
}

// Examine checks NATS servers for a fleet, with the credentials of a gateway, or of a worker where there are no others.
// Streams are those that gateways keep besides the queue of jobs.
func Examine(ctx context.Context, o Options, streams ...string) Health {
	_, _, err := authentication(o, true)
	asGateway := err == nil
	l, err := connect(o, asGateway, func() {})
	if err != nil {
		if isUnauthorized(err) {
			return Health{Problem: Unauthorized, Detail: err.Error()}
		}
		if isUntrusted(err) {
			return Health{Problem: Untrusted}
		}
		return Health{Problem: Unreachable, Detail: err.Error()}
	}
	defer l.Close()
	h := Health{Servers: max(1, len(l.DiscoveredServers()))}
	if h.RoundTrip, err = l.RTT(); err != nil {
		return Health{Problem: Unreachable, Detail: err.Error()}
	}
	if l.MaxPayload() < minPayload {
		h.Problem = SmallMessages
		return h
	}
	_, err = l.js.Stream(ctx, streamName)
	switch {
	case isAbsent(err): // the first gateway makes it
		if _, err := l.js.AccountInfo(ctx); err != nil && asGateway {
			h.Problem, h.Detail = NoJetStream, err.Error()
		}
	case err != nil:
		h.Problem, h.Detail = NoJetStream, err.Error()
	}
	if h.Problem != NoProblem || h.Servers < minReplicas {
		return h
	}
	if streams = append([]string{streamName}, streams...); !asGateway { // workers may ask about the queue alone
		streams = streams[:1]
	}
	if h.Streams = l.notReplicated(ctx, streams); h.Streams != nil {
		h.Problem = NotReplicated
	}
	return h
}

// notReplicated lists those of some streams that there are, and that would not survive the loss of a server.
func (l *link) notReplicated(ctx context.Context, streams []string) (names []string) {
	for _, name := range streams {
		if s, err := l.js.Stream(ctx, name); err == nil && s.CachedInfo().Config.Replicas < minReplicas {
			names = append(names, name)
		}
	}
	return names
}

func isAbsent(err error) bool { return errors.Is(err, jetstream.ErrStreamNotFound) }

func isUnauthorized(err error) bool {
	return errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) ||
		errors.Is(err, nats.ErrAuthRevoked)
}
