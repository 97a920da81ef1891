package endpoint

import (
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/runner/sched"
)

// handshakeGrace is the age from which on an unauthenticated connection can be evicted.
const handshakeGrace = time.Second

// register adds a connection. If there are too many, of its client or in all, an idle one is evicted; it returns false
// if none is idle.
func (r *Runner) register(p *peer) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed || !r.makeRoom(p) {
		return false
	}
	r.conns[p] = true
	r.peers.Add(1)
	return true
}

// makeRoom evicts a connection if p would exceed a limit, and reports whether there is room now.
func (r *Runner) makeRoom(p *peer) bool {
	all, unauthenticated, by := 0, 0, map[string]int{}
	for o := range r.conns {
		if o.evicted {
			continue // it is closing, so it counts no more
		}
		all++
		by[o.client]++
		if o.client == p.client && !o.authenticated {
			unauthenticated++
		}
	}
	most := by[p.client]
	for _, n := range by {
		most = max(most, n)
	}
	l := r.limits
	switch {
	case unauthenticated >= l.MaxUnauthenticated:
		return r.evictOne(func(o *peer) bool { return o.client == p.client && !o.authenticated })
	case by[p.client] >= l.ClientConnections:
		return r.evictOne(func(o *peer) bool { return o.client == p.client })
	case all >= l.Connections:
		// The client with the most connections gives way first, whoever connects.
		busiest := func(o *peer) bool { return by[o.client] == most }
		return r.evictOne(busiest) || r.evictOne(func(*peer) bool { return true })
	}
	return true
}

// evictOne closes one idle connection of those that eligible accepts: an unauthenticated one if there is one, and the
// one that has been connected for longest. It reports whether there was one.
func (r *Runner) evictOne(eligible func(*peer) bool) bool {
	var victim *peer
	for o := range r.conns {
		if o.evicted || !eligible(o) || !o.isIdle() {
			continue
		}
		if victim == nil || o.evictsBefore(victim) {
			victim = o
		}
	}
	if victim == nil {
		return false
	}
	victim.evicted = true
	if victim.authenticated {
		victim.stream.Evict(refusal("runner-evicted"))
		time.AfterFunc(closeTimeout, func() { victim.conn.Close() }) // if it does not read the reason
	} else if victim.conn != nil {
		victim.conn.Close()
	}
	return true
}

// evictsBefore orders idle connections for eviction: unauthenticated ones first, then the oldest.
func (p *peer) evictsBefore(o *peer) bool {
	if p.authenticated != o.authenticated {
		return !p.authenticated
	}
	return p.connectedAt.Before(o.connectedAt)
}

// isIdle reports whether a connection can be evicted: it has no unfinished job, or did not authenticate in time.
func (p *peer) isIdle() bool {
	if !p.authenticated {
		return time.Since(p.connectedAt) > handshakeGrace
	}
	return p.stream.Idle()
}

// setConn makes the connection available to evictOne and Shutdown; it returns false if it has to be closed at once.
func (r *Runner) setConn(p *peer, conn *websocket.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.conn = conn
	return !r.closed && !p.evicted
}

// authenticate records that a connection's hello was accepted, with the stream of its session; it returns false if the
// connection was evicted during the handshake.
func (r *Runner) authenticate(p *peer, stream *sched.Stream) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	p.stream, p.authenticated = stream, true
	return !p.evicted
}

// unregister removes a connection that has ended.
func (r *Runner) unregister(p *peer) {
	r.mu.Lock()
	delete(r.conns, p)
	r.mu.Unlock()
	r.peers.Done()
}

func (r *Runner) connectionCount() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.conns)
}

// tokenFailures counts the wrong tokens of a client.
type tokenFailures struct {
	n    int
	last time.Time
}

// The answer to a wrong token is delayed, twice as long after each failure of the same client, until it had none for
// tokenFailureTTL. A right token is accepted at once: failures of others behind the same address lock nobody out.
const (
	firstTokenDelay   = 100 * time.Millisecond
	maxTokenDelay     = 5 * time.Second
	tokenFailureTTL   = time.Minute
	maxFailingClients = 1 << 12
)

// tokenDelay counts a wrong token and returns how long to delay its answer.
func (r *Runner) tokenDelay(client string, now time.Time) time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.wrongTokens[client]
	if now.Sub(g.last) > tokenFailureTTL {
		g.n = 0
	}
	if len(r.wrongTokens) >= maxFailingClients { // drop expired entries, and any others that are too many
		for other, o := range r.wrongTokens {
			if now.Sub(o.last) > tokenFailureTTL || len(r.wrongTokens) >= maxFailingClients {
				delete(r.wrongTokens, other)
			}
		}
	}
	wait := min(firstTokenDelay<<min(g.n, 10), maxTokenDelay)
	r.wrongTokens[client] = tokenFailures{g.n + 1, now}
	return wait
}

// delayWrongToken counts a wrong token and waits before its answer, unless the runner stops or the client disconnects.
func (r *Runner) delayWrongToken(client string, gone <-chan struct{}) {
	r.metrics.wrongTokens.Inc()
	wait := time.NewTimer(r.tokenDelay(client, time.Now()))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.closing.Done():
	case <-gone:
	}
}
