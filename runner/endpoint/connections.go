package endpoint

import (
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/runner/sched"
)

// handshakeAge is how long a connection without an accepted hello keeps its place where others want it.
const handshakeAge = time.Second

// enter counts a connection. Where there are too many, of its client or in all, one that does nothing gives way; it is
// false where there is none.
func (r *Runner) enter(p *peer) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	if r.over || !r.makeRoom(p) {
		return false
	}
	r.conns[p] = true
	r.peers.Add(1)
	return true
}

func (r *Runner) makeRoom(p *peer) bool {
	all, unauthenticated, by := 0, 0, map[string]int{}
	for o := range r.conns {
		if o.evicted {
			continue
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
		return r.evict(func(o *peer) bool { return o.client == p.client && !o.authenticated })
	case by[p.client] >= l.ClientConnections:
		return r.evict(func(o *peer) bool { return o.client == p.client })
	case all >= l.Connections:
		return r.evict(func(o *peer) bool { return by[o.client] == most }) || r.evict(func(*peer) bool { return true })
	}
	return true
}

// evict ends the connection that has done nothing for longest, of those that from accepts, those without an accepted
// hello before others. It reports whether there was one.
func (r *Runner) evict(from func(*peer) bool) bool {
	var victim *peer
	for o := range r.conns {
		if o.evicted || !from(o) || !o.spare() {
			continue
		}
		if victim == nil || o.authenticated == victim.authenticated && o.since.Before(victim.since) || !o.authenticated && victim.authenticated {
			victim = o
		}
	}
	if victim == nil {
		return false
	}
	victim.evicted = true
	if victim.authenticated {
		victim.stream.Evict(refusal("runner-evicted"))
		time.AfterFunc(closeTimeout, func() { victim.conn.Close() }) // where it does not read what it is told
	} else if victim.conn != nil {
		victim.conn.Close()
	}
	return true
}

// spare reports whether a connection does nothing.
func (p *peer) spare() bool {
	if !p.authenticated {
		return time.Since(p.since) > handshakeAge
	}
	return p.stream.Idle()
}

// keep lets others reach a connection; it is false where it has to end already.
func (r *Runner) keep(p *peer, conn *websocket.Conn) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	p.conn = conn
	return !r.over && !p.evicted
}

// authenticate says that a connection's hello was accepted, and which session it has; it is false where the connection
// has given way to another one meanwhile.
func (r *Runner) authenticate(p *peer, stream *sched.Stream) bool {
	r.lock.Lock()
	defer r.lock.Unlock()
	p.stream, p.authenticated = stream, true
	return !p.evicted
}

func (r *Runner) leave(p *peer) {
	r.lock.Lock()
	delete(r.conns, p)
	r.lock.Unlock()
	r.peers.Done()
}

func (r *Runner) connections() int {
	r.lock.Lock()
	defer r.lock.Unlock()
	return len(r.conns)
}

// guesses are the wrong tokens that came from a client.
type guesses struct {
	n    int
	last time.Time
}

// A wrong token is answered after a time that doubles with each that came from the same client, until the client was
// quiet for a while. A right one is accepted at once, so that nobody is locked out by a neighbour.
const (
	firstPenalty = 100 * time.Millisecond
	mostPenalty  = 5 * time.Second
	forgiven     = time.Minute
	maxGuessers  = 1 << 12
)

// penalty counts a wrong token and says how long its answer is to wait.
func (r *Runner) penalty(client string, now time.Time) time.Duration {
	r.lock.Lock()
	defer r.lock.Unlock()
	g := r.guesses[client]
	if now.Sub(g.last) > forgiven {
		g.n = 0
	}
	if len(r.guesses) >= maxGuessers {
		for other, o := range r.guesses {
			if now.Sub(o.last) > forgiven || len(r.guesses) >= maxGuessers {
				delete(r.guesses, other)
			}
		}
	}
	wait := min(firstPenalty<<min(g.n, 10), mostPenalty)
	r.guesses[client] = guesses{g.n + 1, now}
	return wait
}

// refuseToken waits as long as the answer to a wrong token is to wait.
func (r *Runner) refuseToken(client string, gone <-chan struct{}) {
	r.metrics.wrongTokens.Inc()
	wait := time.NewTimer(r.penalty(client, time.Now()))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-r.closing:
	case <-gone:
	}
}
