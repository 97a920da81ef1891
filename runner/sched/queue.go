package sched

import (
	"cmp"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// queue is the jobs that wait for one device, and the one that runs. The next job is one of the session that is
// before all others; each session's own jobs keep their order.
type queue struct {
	device    Device
	described protocol.Device
	suspends  bool
	lines     []*line // each with at least one job; of two with equal rights the earlier one is next
	length    int
	running   *job
	stuck     int
}

// line is the jobs of one session.
type line struct {
	session *Session
	jobs    []*job
}

// before reports whether the next turn is rather c's than d's: clients are ranked first, then the sessions of each.
func (c *Session) before(d *Session, at time.Duration) bool {
	if c.client != d.client {
		return c.client.account.rank(at) < d.client.account.rank(at)
	}
	return c.account.rank(at) < d.account.rank(at)
}

func (q *queue) find(c *Session) int {
	return slices.IndexFunc(q.lines, func(l *line) bool { return l.session == c })
}

// line finds or makes the line of a session.
func (q *queue) line(c *Session) *line {
	if i := q.find(c); i >= 0 {
		return q.lines[i]
	}
	l := &line{session: c}
	q.lines = append(q.lines, l)
	return l
}

func (q *queue) push(j *job) {
	l := q.line(j.session)
	l.jobs = append(l.jobs, j)
	q.length++
}

// pushFront puts a job that was suspended before the others of its session.
func (q *queue) pushFront(j *job) {
	l := q.line(j.session)
	l.jobs = slices.Insert(l.jobs, 0, j)
	q.length++
}

// next is the place of the line whose first job is next, -1 where none waits.
func (q *queue) next(at time.Duration) int {
	best := -1
	for i, l := range q.lines {
		if best < 0 || l.session.before(q.lines[best].session, at) {
			best = i
		}
	}
	return best
}

// pop takes the next job; its session's line goes to the end.
func (q *queue) pop(at time.Duration) *job {
	i := q.next(at)
	l := q.lines[i]
	j := l.jobs[0]
	l.jobs = l.jobs[1:]
	q.lines = slices.Delete(q.lines, i, i+1)
	if len(l.jobs) > 0 {
		q.lines = append(q.lines, l)
	}
	q.length--
	return j
}

func (q *queue) remove(j *job) {
	i := q.find(j.session)
	if i < 0 {
		return
	}
	l := q.lines[i]
	if k := slices.Index(l.jobs, j); k >= 0 {
		l.jobs = slices.Delete(l.jobs, k, k+1)
		q.length--
	}
	if len(l.jobs) == 0 {
		q.lines = slices.Delete(q.lines, i, i+1)
	}
}

// displaced is the job that gives way to another one of session c in a full queue: the last one of who has most jobs in
// it, of the clients first and then of the client's sessions. It is nil where c would then have as many.
func (q *queue) displaced(c *Session) *job {
	waiting := map[*client]int{}
	for _, l := range q.lines {
		waiting[l.session.client] += len(l.jobs)
	}
	var longest *line
	own := 0
	for _, l := range q.lines {
		if l.session == c {
			own = len(l.jobs)
		}
		if l.jobs[len(l.jobs)-1].state != queued { // but suspended
			continue
		}
		if longest == nil || cmp.Or(
			cmp.Compare(waiting[l.session.client], waiting[longest.session.client]), cmp.Compare(len(l.jobs), len(longest.jobs)),
		) > 0 {
			longest = l
		}
	}
	switch {
	case longest == nil:
		return nil
	case longest.session.client != c.client && waiting[longest.session.client] <= waiting[c.client]+1:
		return nil
	case longest.session.client == c.client && len(longest.jobs) <= own+1:
		return nil
	}
	return longest.jobs[len(longest.jobs)-1]
}

// crowded says that the queue has no room for another job of session c, nil where it has.
func (s *Scheduler) crowded(c *Session, q *queue) *diag.Diagnostic {
	if q.length < s.options.Limits.QueuedJobs || q.displaced(c) != nil {
		return nil
	}
	return refusal("runner-queue-full", q.length)
}

// each calls visit with every job in about the order in which they will run, the one that runs first: clients take
// turns, and the sessions of each. Times, which change the order, are not known before.
func (q *queue) each(at time.Duration, visit func(position int, j *job)) {
	lines := slices.Clone(q.lines)
	slices.SortStableFunc(lines, func(a, b *line) int {
		switch {
		case a.session.before(b.session, at):
			return -1
		case b.session.before(a.session, at):
			return 1
		}
		return 0
	})
	of, order := map[*client]int{}, [][][]*job{}
	for _, l := range lines {
		i, ok := of[l.session.client]
		if !ok {
			i = len(order)
			of[l.session.client], order = i, append(order, nil)
		}
		order[i] = append(order[i], l.jobs)
	}
	var clients [][]*job
	for _, sessions := range order {
		clients = append(clients, interleave(sessions))
	}
	position := 0
	if q.running != nil {
		position++
	}
	for i, j := range interleave(clients) {
		visit(position+i, j)
	}
}

// interleave takes one from each list in turn.
func interleave(lists [][]*job) []*job {
	var out []*job
	for round := 0; ; round++ {
		before := len(out)
		for _, list := range lists {
			if round < len(list) {
				out = append(out, list[round])
			}
		}
		if len(out) == before {
			return out
		}
	}
}

// positionsEvery is how often clients are told how the queue moves.
const positionsEvery = 100 * time.Millisecond

// moved tells clients of their new positions, soon and all at once: telling each of them of each
// move would take time that grows with the square of the queue.
func (s *Scheduler) moved() {
	if s.moving != nil {
		return
	}
	s.after(&s.moving, positionsEvery, func() {
		for _, q := range s.queues {
			q.each(s.now(), func(position int, j *job) {
				if j.position != position && j.state == queued {
					j.position, j.news = position, true
					j.session.wake()
				}
			})
		}
	})
}

// enter puts a job that has arrived into its device's queue.
func (s *Scheduler) enter(j *job) {
	q := j.queue
	if why := s.crowded(j.session, q); why != nil {
		j.end(refused(why))
		return
	}
	if q.length >= s.options.Limits.QueuedJobs {
		victim := q.displaced(j.session)
		victim.cancel(refusal("runner-queue-displaced", q.length))
	}
	q.push(j)
	j.enter(queued, millis(s.options.Limits.QueueMS))
	j.position = -1
	s.dispatch(q)
	s.moved()
}
