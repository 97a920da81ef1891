package client

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/newtlab/newt/runner/protocol"
)

// readLoop reads what the runner says, on one connection after another, until the client is closed or
// the runner cannot be reached any more.
func (c *Client) readLoop(l *link) {
	for {
		why := c.readConnection(l)
		l.conn.Close()
		if why != nil {
			c.fail(why)
			return
		}
		if l = c.reconnect(); l == nil {
			return
		}
	}
}

// readConnection reads one connection to its end; a Fault means that making it again is of no use.
func (c *Client) readConnection(l *link) *Fault {
	// The runner pings; a connection that has been silent for three pings is dead, whatever TCP thinks of it.
	silence := 3 * protocol.Millis(max(1, c.Hello().Limits.PingMS))
	l.conn.SetReadDeadline(time.Now().Add(silence))
	answer := l.conn.PingHandler()
	l.conn.SetPingHandler(func(data string) error {
		l.conn.SetReadDeadline(time.Now().Add(silence))
		return answer(data)
	})
	for {
		kind, data, err := l.conn.ReadMessage()
		if err != nil {
			return nil
		}
		l.conn.SetReadDeadline(time.Now().Add(silence))
		if kind == websocket.BinaryMessage {
			err = c.takeResult(data)
		} else {
			err = c.takeMessage(data)
		}
		var why *Fault
		if errors.As(err, &why) {
			return why
		}
	}
}

// reconnect resumes the session; nil means that there is no more to hope for.
func (c *Client) reconnect() *link {
	c.lock.Lock()
	c.link = nil
	c.lock.Unlock()
	ctx, cancel := context.WithTimeout(c.ctx, c.options.Patience)
	defer cancel()
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		l, hello, err := c.dial(ctx, c.resumeRequest())
		var why *Fault
		if errors.As(err, &why) && why.Diagnostic().Code == "runner-session-unknown" {
			// A new session: all jobs are submitted again.
			l, hello, err = c.dial(ctx, nil) // the runner was restarted, or we were away for too long
		}
		if err == nil {
			c.resumeOn(l, hello)
			return l
		}
		// What the runner refuses for good, such as a token, it will refuse again.
		if errors.As(err, &why) && !slices.Contains(passing, why.Diagnostic().Code) {
			c.fail(why)
			return nil
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			c.fail(fault("runner-lost"))
			return nil
		}
	}
}

func (c *Client) resumeRequest() *protocol.Resume {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.resumes++
	r := &protocol.Resume{Session: c.hello.Session, Seen: []protocol.Seen{}, Connection: c.resumes}
	for number, p := range c.jobs {
		r.Seen = append(r.Seen, protocol.Seen{Job: number, Seq: p.seq})
	}
	return r
}

// resumeOn takes a new connection into use. Jobs that the runner does not have are submitted again.
func (c *Client) resumeOn(l *link, hello *protocol.ServerHello) {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.hello, c.link = hello, l
	for number, p := range c.jobs {
		known := slices.ContainsFunc(hello.Jobs, func(j protocol.JobState) bool { return j.Job == number })
		if !known && !hello.Resumed && p.job.holds() {
			delete(c.jobs, number)
			p.fail(fault("runner-buffer-unknown"))
		} else if !known {
			c.resubmit(p)
		} else if p.cancelled {
			c.running.Go(func() { l.send(protocol.ClientMessage{Cancel: &protocol.JobRef{Job: number}}) })
		}
	}
	for _, p := range c.waiting {
		c.running.Go(func() { c.submitJob(p) })
	}
	c.waiting = nil
}

// resubmit submits a job anew, under a new number; one that was cancelled ends. The lock is held.
func (c *Client) resubmit(p *pending) {
	delete(c.jobs, p.number)
	if p.cancelled {
		p.fail(fault("launch-cancelled", 0, 0))
		return
	}
	p.reset()
	c.running.Go(func() { c.submitJob(p) })
}
