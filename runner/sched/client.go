package sched

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/newtlab/newt/compiler/diag"
)

// client is an address, or a person with a token, with its sessions. Anybody can open more sessions, so device time,
// memory and the number of sessions are shared between clients first, and then between the sessions of each.
type client struct {
	address  string
	sessions int
	bytes    int64 // charged for its jobs
	account  account
	share    Share
}

// Share is what one client may use. The zero value is everybody's.
type Share struct {
	Weight float64 // of its device time: 2 gets twice what 1 does; 0 is 1
	Jobs   int     // that may be unfinished in all its sessions; 0: no limit
	Bytes  int64   // of memory for its jobs; 0: clientBytes
}

// weighted is device time as the client's account is charged for it.
func (c *client) weighted(took time.Duration) time.Duration {
	return time.Duration(float64(took) / cmp.Or(c.share.Weight, 1))
}

// hasTooManyJobs reports whether the client has as many unfinished jobs as it may.
func (s *Scheduler) hasTooManyJobs(owner *client) bool {
	if owner.share.Jobs == 0 {
		return false
	}
	n := 0
	for _, c := range s.sessions {
		if c.client == owner {
			n += c.unfinishedJobs()
		}
	}
	return n >= owner.share.Jobs
}

// SetShare says what a client with a session may use from now on; it is known as long as the client has one.
func (s *Scheduler) SetShare(owner string, share Share) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.findClient(owner).share = share
}

// Usage is what a person uses now.
type Usage struct {
	Person  string  `json:"person"`
	Jobs    int     `json:"jobs"`    // that have not ended
	Seconds float64 `json:"seconds"` // of device time lately: it halves every 20 s
	Bytes   int64   `json:"bytes"`   // of memory for jobs
}

// PeopleUsage is what people use that have a session, those who used most first.
func (s *Scheduler) PeopleUsage() []Usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	jobs := map[*client]int{}
	for _, c := range s.sessions {
		jobs[c.client] += c.unfinishedJobs()
	}
	var out []Usage
	for c, unfinished := range jobs {
		if person := PersonOf(c.address); person != "" {
			lately := c.account.used.seconds(s.now()) * cmp.Or(c.share.Weight, 1)
			out = append(out, Usage{person, unfinished, lately, c.bytes})
		}
	}
	slices.SortFunc(out, func(a, b Usage) int {
		return cmp.Or(-cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.Person, b.Person))
	})
	return out
}

// Revoke ends all sessions of a client with their jobs, those on a device included, and its turns.
func (s *Scheduler) Revoke(owner string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for t := range s.turns {
		if t.owner.address == owner {
			t.cancel(errRevoked)
		}
	}
	for _, c := range s.sessions {
		if c.client.address != owner {
			continue
		}
		if c.stream != nil {
			c.detach(refusal("runner-revoked"))
		}
		c.evict(refusal("runner-revoked"))
	}
}

// negligibleUsage is the device time, in seconds, below which the account of a client without sessions can be dropped.
const negligibleUsage = 0.001

// findClient finds or adds the client with an address.
func (s *Scheduler) findClient(address string) *client {
	c := s.clients[address]
	if c == nil {
		if len(s.clients) >= 2*s.options.Limits.Sessions {
			s.forgetClients()
		}
		c = &client{address: address}
		s.clients[address] = c
	}
	return c
}

// forgetClients drops clients that have no session and hardly used a device lately; if too many are left, all clients
// without a session. Clients outlive their sessions so that reconnecting does not clear an account.
func (s *Scheduler) forgetClients() {
	for _, limit := range []float64{negligibleUsage, math.Inf(1)} {
		for address, c := range s.clients {
			if c.sessions == 0 && s.turnsOf(c) == 0 && c.account.used.seconds(s.now()) < limit {
				delete(s.clients, address)
			}
		}
		if len(s.clients) < 2*s.options.Limits.Sessions {
			return
		}
	}
}

// now returns the time since the scheduler's start, which accounts are charged at.
func (s *Scheduler) now() time.Duration { return time.Since(s.started) }

// admitSession makes room for another session of a client by evicting detached sessions. It returns why there is no
// room, nil if there is.
func (s *Scheduler) admitSession(c *client) *diag.Diagnostic {
	l := s.options.Limits
	if c.sessions >= l.ClientSessions && !s.evictDetached(func(o *client) bool { return o == c }) {
		return refusal("runner-client-sessions", c.sessions)
	}
	if len(s.sessions) < l.Sessions {
		return nil
	}
	// The client with the most sessions gives way first; others only if none of its sessions is detached.
	most := c.sessions
	for _, o := range s.sessions {
		if o.stream == nil {
			most = max(most, o.client.sessions)
		}
	}
	largest, any := func(o *client) bool { return o.sessions >= most }, func(*client) bool { return true }
	if !s.evictDetached(largest) && !s.evictDetached(any) {
		return refusal("runner-connections", len(s.sessions))
	}
	return nil
}

// evictDetached evicts one session without a connection of the clients that eligible accepts. It reports whether there
// was one.
func (s *Scheduler) evictDetached(eligible func(*client) bool) bool {
	var victim *Session
	for _, c := range s.sessions {
		if c.stream != nil || !eligible(c.client) {
			continue
		}
		if victim == nil || c.evictsBefore(victim) {
			victim = c
		}
	}
	if victim == nil {
		return false
	}
	victim.evict(refusal("runner-evicted"))
	return true
}

// evictsBefore orders detached sessions for eviction: those without unfinished jobs first, then those that have been
// detached for longest.
func (c *Session) evictsBefore(d *Session) bool {
	if idle := c.unfinishedJobs() == 0; idle != (d.unfinishedJobs() == 0) {
		return idle
	}
	return c.detachedAt.Before(d.detachedAt)
}

// chargeBytes charges bytes to a job, its client and the scheduler, without checking a limit; negative bytes are given
// back. Whatever is charged is given back by forgetJob.
func (j *job) chargeBytes(bytes int64) {
	j.heldBytes += bytes
	j.session.client.bytes += bytes
	j.session.sched.heldBytes += bytes
}

// reserveBytes charges bytes to a job if its client has room for them, and reports whether it had.
func (j *job) reserveBytes(bytes int64) bool {
	if !j.session.sched.makeRoom(j.session.client, bytes) {
		return false
	}
	j.chargeBytes(bytes)
	return true
}

// dropChunks drops the host copy of a tensor, and gives back the bytes that were charged for it.
func (j *job) dropChunks(tensor int) {
	for _, piece := range j.tensors[tensor].chunks {
		j.chargeBytes(-int64(len(piece)))
	}
	j.tensors[tensor].chunks = nil
}

// makeRoom reports whether a client may be charged more bytes. Where totalBytes or the client's share of it is used up,
// it drops results, oldest first: those of detached sessions, then those that were delivered.
func (s *Scheduler) makeRoom(c *client, bytes int64) bool {
	withinShare := func() bool { return bytes <= s.shareBytes(c)-c.bytes }
	fits := func() bool { return withinShare() && bytes <= s.options.Limits.TotalBytes-s.heldBytes }
	// Results that nobody can fetch now go before those that a client has and might ask for again.
	for _, disposable := range []func(*job) bool{(*job).isDetached, (*job).isDelivered} {
		for i := 0; i < len(s.ended) && !fits(); {
			// A client that is over its own share costs other clients nothing.
			if j := s.ended[i]; disposable(j) && (j.session.client == c || withinShare()) {
				j.session.forgetJob(j) // removes it from s.ended
				continue
			}
			i++
		}
	}
	// Then buffers of idle sessions, unless the client is over its own share.
	for _, q := range s.queues {
		for withinShare() && !fits() && s.evictResident(q) {
		}
	}
	return fits()
}

// couldMakeRoom reports whether makeRoom could make room, and drops nothing: bytes that a client only announces take no
// memory from others.
func (s *Scheduler) couldMakeRoom(c *client, bytes int64) bool {
	own, all := s.shareBytes(c)-c.bytes, s.options.Limits.TotalBytes-s.heldBytes
	if bytes <= min(own, all) {
		return true
	}
	for _, j := range s.ended {
		if !j.isDetached() && !j.isDelivered() {
			continue
		}
		if all += j.heldBytes; j.session.client == c {
			own += j.heldBytes
		}
	}
	for _, q := range s.queues {
		for owner, r := range q.residents {
			if owner.unfinishedJobs() > 0 {
				continue
			}
			for _, b := range r.buffers {
				all += b.bytes
			}
		}
	}
	return bytes <= min(own, all)
}

// shareBytes is the memory that a client may be charged.
func (s *Scheduler) shareBytes(c *client) int64 {
	most := s.options.Limits.ClientBytes
	return min(most, cmp.Or(c.share.Bytes, most))
}

// isDetached reports whether no connection is attached that could fetch the job's result.
func (j *job) isDetached() bool { return j.session.stream == nil }

// isDelivered reports whether all events, results among them, were written to the client.
func (j *job) isDelivered() bool { return j.written == len(j.events) }

// personMark begins the address of a client that is a person with a token. No address of a network begins so.
const personMark = "@"

// Person is the client that a person is, whatever the network address.
func Person(name string) string { return personMark + name }

// PersonOf is the name of the person that a client is, "" if it is an address.
func PersonOf(owner string) string {
	name, ok := strings.CutPrefix(owner, personMark)
	if !ok {
		return ""
	}
	return name
}
