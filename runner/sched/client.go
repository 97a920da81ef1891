package sched

import (
	"time"

	"github.com/newtlab/newt/compiler/diag"
)

// client is the machine at the other end of some sessions. Sessions cost nothing, so turns, memory and the number of
// sessions are shared out between clients first, and then between the sessions of each.
type client struct {
	name     string
	sessions int
	bytes    int64 // that its jobs hold
	account  account
}

// forgottenUsage is the device time, in seconds, below which a client without sessions is forgotten.
const forgottenUsage = 0.001

// client finds or makes the client of a name.
func (s *Scheduler) client(name string) *client {
	c := s.clients[name]
	if c == nil {
		if len(s.clients) >= 2*s.options.Limits.Sessions {
			s.forgetClients()
		}
		c = &client{name: name}
		s.clients[name] = c
	}
	return c
}

// forgetClients drops clients that have no session and used nothing to speak of of late, or, where there are none, all
// without a session.
func (s *Scheduler) forgetClients() {
	for _, least := range []float64{forgottenUsage, 1e9} {
		for name, c := range s.clients {
			if c.sessions == 0 && c.account.used.seconds(s.now()) < least {
				delete(s.clients, name)
			}
		}
		if len(s.clients) < 2*s.options.Limits.Sessions {
			return
		}
	}
}

// now is the time since the scheduler's start.
func (s *Scheduler) now() time.Duration { return time.Since(s.started) }

// admit makes room for another session of a client, at the cost of sessions without a connection, or says that there
// is none.
func (s *Scheduler) admit(c *client) *diag.Diagnostic {
	l := s.options.Limits
	if c.sessions >= l.ClientSessions && !s.dropDetached(func(o *client) bool { return o == c }) {
		return refusal("runner-client-sessions", c.sessions)
	}
	if len(s.sessions) < l.Sessions {
		return nil
	}
	most := c.sessions
	for _, o := range s.sessions {
		if o.stream == nil {
			most = max(most, o.client.sessions)
		}
	}
	if !s.dropDetached(func(o *client) bool { return o.sessions >= most }) && !s.dropDetached(func(*client) bool { return true }) {
		return refusal("runner-connections", len(s.sessions))
	}
	return nil
}

// dropDetached ends the session that has been without a connection for longest, of clients that from accepts; one
// without jobs that wait or run before one with some. It reports whether there was one.
func (s *Scheduler) dropDetached(from func(*client) bool) bool {
	var victim *Session
	for _, c := range s.sessions {
		if c.stream != nil || !from(c.client) {
			continue
		}
		if victim == nil || c.sooner(victim) {
			victim = c
		}
	}
	if victim == nil {
		return false
	}
	victim.drop(refusal("runner-evicted"))
	return true
}

// sooner reports whether a session without a connection is to be given up before another one.
func (c *Session) sooner(d *Session) bool {
	if idle := c.unended() == 0; idle != (d.unended() == 0) {
		return idle
	}
	return c.since.Before(d.since)
}

// charge counts bytes that a job holds, whatever the limits; a negative number gives bytes back.
func (j *job) charge(bytes int64) {
	j.held += bytes
	j.session.client.bytes += bytes
	j.session.sched.bytes += bytes
}

// reserve counts bytes that a job is to hold, unless there is no room for them.
func (j *job) reserve(bytes int64) bool {
	if !j.session.sched.room(j.session.client, bytes) {
		return false
	}
	j.charge(bytes)
	return true
}

// room reports whether a client may hold more bytes, and makes room at the cost of results: first of sessions without a
// connection, then of those that were delivered.
func (s *Scheduler) room(c *client, bytes int64) bool {
	l := s.options.Limits
	share := func() bool { return bytes <= l.ClientBytes-c.bytes }
	fits := func() bool { return share() && bytes <= l.TotalBytes-s.bytes }
	for _, spare := range []func(*job) bool{(*job).abandoned, (*job).delivered} {
		for i := 0; i < len(s.ended) && !fits(); {
			if j := s.ended[i]; spare(j) && (j.session.client == c || share()) {
				j.session.forget(j)
				continue // it is no longer in the list
			}
			i++
		}
	}
	return fits()
}

// abandoned reports whether nobody is connected who could fetch the job's result.
func (j *job) abandoned() bool { return j.session.stream == nil }

func (j *job) delivered() bool { return j.seen == len(j.events) }
