package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/runner/fleet/census"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// Gateway gives the jobs of a scheduler to the workers of a fleet.
//
// Gateway.mu guards its state. The scheduler may hold its own lock while it calls a Gateway, so the Gateway never calls
// the scheduler with mu held.
type Gateway struct {
	id      string
	options Options
	limits  protocol.Limits
	link    *link
	started time.Time
	stop    context.CancelFunc
	over    sync.WaitGroup

	mu       sync.Mutex
	sched    *sched.Scheduler
	pools    map[string]*pool
	workers  map[string]*member // by workerKey
	gateways map[string]*peer
	own      gatewayPresence  // the last message
	clients  int              // of this gateway, with jobs that have not ended
	used     map[string]int64 // device time of clients that the other gateways were not told yet
	jobs     map[string]*job
	leases   map[string]*job
	counts   map[string]int64 // of events
	events   []func()         // to be called without the lock

	// An outcome is decoded without the lock, by a goroutine that has a slot. Tests replace decode.
	decode    func(text []byte, o *outcome) error
	decodings chan struct{}
}

// member is a worker as a gateway sees it.
type member struct {
	workerPresence
	pools   []string
	heardAt time.Time
	shunned time.Time // until when it gets no jobs: it has sent what it must not
}

// peer is another gateway.
type peer struct {
	gatewayPresence
	heardAt time.Time
}

// shunTime is how long a worker gets no jobs after it has broken the rules.
const shunTime = time.Minute

// NewGateway connects a gateway. The limits are those of its scheduler.
func NewGateway(o Options, limits protocol.Limits) (*Gateway, error) {
	g := &Gateway{
		id: newID(), options: o, limits: limits, started: time.Now(), counts: map[string]int64{},
		pools: map[string]*pool{}, workers: map[string]*member{}, gateways: map[string]*peer{},
		used: map[string]int64{}, jobs: map[string]*job{}, leases: map[string]*job{},
		decode:    func(text []byte, o *outcome) error { return json.Unmarshal(text, o) },
		decodings: make(chan struct{}, runtime.GOMAXPROCS(0)),
	}
	g.own = gatewayPresence{Gateway: g.id, Name: o.Name, Newt: o.Version}
	var err error
	if g.link, err = connect(o, true, g.reconnected); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), g.link.times.connect)
	defer cancel()
	if err := g.link.openStream(ctx); err != nil {
		g.link.Close()
		return nil, err
	}
	handlers := map[string]nats.MsgHandler{
		workersSubject + "*": g.hearWorker,
		gossipSubject:        g.hearGateway,
		usageSubject:         g.hearUsage,
	}
	for verb, handle := range verbs {
		handlers[gatewaySubject+g.id+"."+verb+".*"] = func(m *nats.Msg) { g.serve(m, handle) }
	}
	for subject, handle := range handlers {
		if _, err := g.link.Subscribe(subject, handle); err != nil {
			g.link.Close()
			return nil, err
		}
	}
	// The server drops what nobody has subscribed to: a gateway that is there hears its workers.
	if err := g.link.FlushWithContext(ctx); err != nil {
		g.link.Close()
		return nil, err
	}
	return g, nil
}

// Attach gives the gateway the scheduler whose jobs it runs, which gets a device for each pool of workers. Charged must
// be the scheduler's option of that name.
func (g *Gateway) Attach(s *sched.Scheduler) {
	g.mu.Lock()
	g.sched = s
	g.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	g.stop = cancel
	g.over.Go(func() {
		tick := time.NewTicker(g.link.times.alive)
		defer tick.Stop()
		for {
			g.refresh()
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	})
}

// AwaitWorkers waits until a worker is heard of, a little longer than the time between two of its messages at most. A
// gateway that has just started has no devices to offer otherwise.
func (g *Gateway) AwaitWorkers() {
	g.mu.Lock()
	s := g.sched
	g.mu.Unlock()
	for end := time.Now().Add(g.link.times.alive * 3 / 2); len(s.Devices()) == 0 && time.Now().Before(end); {
		time.Sleep(g.link.times.alive / 100)
	}
}

// Charged collects the device time of a client, for the other gateways.
func (g *Gateway) Charged(owner string, took time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used[owner] += int64(took)
}

// JetStream is the gateway's connection to what the fleet stores.
func (g *Gateway) JetStream() jetstream.JetStream { return g.link.js }

// Close tells the other gateways and disconnects. The scheduler must have been closed before.
func (g *Gateway) Close() {
	if g.stop != nil {
		g.stop()
	}
	g.over.Wait()
	g.link.Publish(gossipSubject, encodePacket(gatewayPresence{Gateway: g.id, Stops: true}, nil))
	g.link.FlushTimeout(requestTimeout)
	g.link.Close()
}

// unlock releases the lock, and then does what must be done without it.
func (g *Gateway) unlock() {
	events := g.events
	g.events = nil
	g.mu.Unlock()
	for _, do := range events {
		do()
	}
}

// refresh announces the gateway, forgets members that are gone, and looks after jobs.
func (g *Gateway) refresh() {
	now := census.Of(g.sched)
	g.mu.Lock()
	defer g.unlock()
	g.clients = now.Clients
	own := g.own
	own.Clients, own.Queues, own.People, own.More = now.Clients, now.Queues, now.People, now.MorePeople
	own.UpS = int64(time.Since(g.started).Seconds())
	g.own = own
	g.events = append(g.events, func() { g.link.Publish(gossipSubject, encodePacket(own, nil)) })
	g.tellUsage()
	if !g.link.IsConnected() {
		return // nobody is heard of, which says nothing about the others
	}
	at := time.Now()
	maps.DeleteFunc(g.workers, func(_ string, w *member) bool { return at.Sub(w.heardAt) > g.link.times.presence })
	maps.DeleteFunc(g.gateways, func(_ string, p *peer) bool { return at.Sub(p.heardAt) > g.link.times.presence })
	for _, j := range g.jobs {
		g.look(j, at)
	}
	g.events = append(g.events, g.sched.Wake)
}

// maxUsage bounds the clients in one message about device time, so that their names fit into maxHead.
const maxUsage = 400

// tellUsage tells the other gateways what device time clients took, in as many messages as that needs. The lock is
// held.
func (g *Gateway) tellUsage() {
	for part := range slices.Chunk(slices.Collect(maps.Keys(g.used)), maxUsage) {
		used := map[string]int64{}
		for _, owner := range part {
			used[owner] = g.used[owner]
		}
		g.events = append(g.events, func() {
			g.link.Publish(usageSubject, encodePacket(usageMessage{g.id, used}, nil))
		})
	}
	clear(g.used)
}

// reconnected is called when the connection to NATS is back. While it was lost no worker could be heard.
func (g *Gateway) reconnected() {
	g.mu.Lock()
	defer g.unlock()
	now := time.Now()
	for _, j := range g.jobs {
		j.heardAt, j.ticketAt = now, time.Time{} // the server may have lost its streams: tickets are put again
	}
	for _, w := range g.workers {
		w.heardAt = now
	}
	for _, p := range g.gateways {
		p.heardAt = now
	}
	for name := range g.pools {
		g.events = append(g.events, func() { g.openPool(name) })
	}
}

// hearGateway takes the message of another gateway.
func (g *Gateway) hearGateway(m *nats.Msg) {
	var p gatewayPresence
	_, err := decodePacket(m.Data, &p)
	if err != nil || p.check() != nil || p.Gateway == g.id {
		return
	}
	g.mu.Lock()
	defer g.unlock()
	if g.sched == nil {
		return
	}
	if g.gateways[p.Gateway] = (&peer{p, time.Now()}); p.Stops {
		delete(g.gateways, p.Gateway)
	}
}

// hearUsage charges clients for the device time that they took through another gateway.
func (g *Gateway) hearUsage(m *nats.Msg) {
	var u usageMessage
	if _, err := decodePacket(m.Data, &u); err != nil || u.Gateway == g.id || len(u.Used) > maxUsage {
		return
	}
	g.mu.Lock()
	s := g.sched
	g.mu.Unlock()
	for owner, ns := range u.Used {
		if s != nil && ns > 0 && ns <= int64(time.Hour) && len(owner) <= maxOwner {
			s.Charge(owner, time.Duration(ns))
		}
	}
}

// maxOwner bounds the name of a client.
const maxOwner = 128

// maxMembers bounds the workers that a gateway knows.
const maxMembers = 10_000

// hearWorker takes the message of a worker.
func (g *Gateway) hearWorker(m *nats.Msg) {
	var p workerPresence
	if _, err := decodePacket(m.Data, &p); err != nil || p.check() != nil {
		return
	}
	g.mu.Lock()
	defer g.unlock()
	key := workerKey(userOf(m.Subject), p.Worker)
	w := g.workers[key]
	switch {
	case g.sched == nil, w == nil && (p.State == workerStopped || len(g.workers) >= maxMembers):
		return
	case p.State == workerStopped:
		delete(g.workers, key)
		return
	case w == nil:
		w = &member{}
		g.workers[key] = w
		g.link.log.Info("worker", "worker", keyForLog(key), "name", p.Name, "device", p.Device.Name, "newt", p.Newt)
	}
	more, isNew := w.State != p.State || w.Slots < p.Slots, w.State == ""
	w.workerPresence, w.pools, w.heardAt = p, pools(poolArch(p.Device), p.Labels), time.Now()
	for _, name := range w.pools {
		if g.pools[name] == nil && len(g.pools) < maxPools {
			one := &pool{gateway: g, name: name}
			g.pools[name] = one
			g.events = append(g.events, func() { g.sched.AddRemote(one.describe(p.Device), one) })
		}
		one := g.pools[name]
		if isNew || one != nil && !one.isOpen { // NATS drops a queue that nobody has asked for consumerIdle
			g.events = append(g.events, func() { g.openPool(name) })
		}
	}
	if more {
		g.events = append(g.events, g.sched.Wake)
	}
}

// maxPools bounds the devices that a gateway offers.
const maxPools = 256

// poolArch is the architecture of a device, which names its pool.
func poolArch(d protocol.Device) string { return cmp.Or(d.Arch, "cpu") }

// openPool makes the consumer of a pool. Workers wait until it is there; where it fails, it is tried again at the next
// message of one of them.
func (g *Gateway) openPool(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), requestTimeout)
	defer cancel()
	err := g.link.openStream(ctx)
	if err == nil {
		err = g.link.openConsumer(ctx, name)
	}
	if err != nil {
		g.link.log.Error("a pool's queue cannot be opened", "pool", name, "err", err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.pools[name]; p != nil {
		p.isOpen = err == nil
	}
}

// check returns an error if a gateway's message is not one.
func (p *gatewayPresence) check() error {
	if !idForm.MatchString(p.Gateway) || p.Clients < 0 || p.More < 0 || !printable(p.Name, p.Newt) {
		return errPacket
	}
	return nil
}

// check returns an error if a worker's message is not one.
func (p *workerPresence) check() error {
	states := []string{workerReady, workerDraining, workerNoDevice, workerStopped}
	switch d := p.Device; {
	case !idForm.MatchString(p.Worker), len(p.Name) > maxOwner, len(p.Newt) > maxOwner, len(d.Name) > maxOwner,
		len(p.Labels) > maxLabels, CheckLabels(p.Labels) != nil, !slices.Contains(states, p.State),
		!architecture.MatchString(poolArch(d)), d.Arch == "cpu", d.MemoryBytes < 0,
		len(d.DTypes) > int(num.NumDTypes), len(d.Driver) > maxOwner, len(d.FLOPs) > 32, d.Processors < 0,
		p.Slots < 1, p.Slots > sched.RemoteTurns, p.Running < 0, p.Running > p.Slots:
		return errPacket
	}
	for _, t := range p.Device.DTypes {
		if _, ok := num.Parse(t); !ok {
			return errPacket
		}
	}
	if !printable(p.Name, p.Newt, p.Device.Name, p.Device.Driver) {
		return errPacket
	}
	return nil
}

// printable reports whether texts can be printed on a terminal as they are.
func printable(texts ...string) bool {
	return !strings.ContainsFunc(strings.Join(texts, ""), func(r rune) bool { return !unicode.IsPrint(r) })
}

// pool is the sched.Remote for the workers of an architecture, or for those of them that have a label.
type pool struct {
	gateway *Gateway
	name    string
	isOpen  bool // it has a consumer; the gateway's lock guards it
}

// describe is the pool as a device of the protocol. Buffers would tie a session to one worker, so a gateway's limits
// have none.
func (p *pool) describe(d protocol.Device) protocol.Device {
	d.ID = p.name
	return d
}

// Capacity implements sched.Remote: the gateway's share of the slots of workers that take jobs, by the clients that it
// has jobs of, and as many jobs of one session as its share of the workers. Every gateway may have a job in progress.
func (p *pool) Capacity() (jobs, ofSession int) {
	g := p.gateway
	g.mu.Lock()
	defer g.mu.Unlock()
	workers, slots, all := 0, 0, max(1, g.clients)
	for _, w := range g.workers {
		if w.takesJobs(p.name, time.Now()) {
			workers++
			slots += w.Slots
		}
	}
	for _, other := range g.gateways {
		all += other.Clients
	}
	share := float64(max(1, g.clients)) / float64(all)
	of := func(n int) int { return int(math.Ceil(share * float64(n))) }
	return of(slots), of(workers)
}

// takesJobs reports whether a worker takes jobs of a pool.
func (w *member) takesJobs(pool string, now time.Time) bool {
	return w.State == workerReady && now.After(w.shunned) && slices.Contains(w.pools, pool)
}
