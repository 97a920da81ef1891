package sched

import (
	"slices"
	"time"

	"github.com/newtlab/newt/runner/protocol"
)

// queue is the jobs that wait for one device. Clients take turns; each client's own jobs keep
// their order.
type queue struct {
	device    Device
	described protocol.Device
	clients   []*line // each with at least one job; the first is next
	length    int
	running   *job
	stuck     int
}

// line is the jobs of one client.
type line struct {
	session *Session
	jobs    []*job
}

func (q *queue) find(c *Session) int {
	return slices.IndexFunc(q.clients, func(l *line) bool { return l.session == c })
}

func (q *queue) push(j *job) {
	i := q.find(j.session)
	if i < 0 {
		i = len(q.clients)
		q.clients = append(q.clients, &line{session: j.session})
	}
	q.clients[i].jobs = append(q.clients[i].jobs, j)
	q.length++
}

// pop takes the next job; its client goes to the end.
func (q *queue) pop() *job {
	l := q.clients[0]
	j := l.jobs[0]
	l.jobs = l.jobs[1:]
	q.clients = q.clients[1:]
	if len(l.jobs) > 0 {
		q.clients = append(q.clients, l)
	}
	q.length--
	return j
}

func (q *queue) remove(j *job) {
	i := q.find(j.session)
	if i < 0 {
		return
	}
	l := q.clients[i]
	if k := slices.Index(l.jobs, j); k >= 0 {
		l.jobs = slices.Delete(l.jobs, k, k+1)
		q.length--
	}
	if len(l.jobs) == 0 {
		q.clients = slices.Delete(q.clients, i, i+1)
	}
}

// each calls visit with every job in the order in which they will run, the one that runs first.
func (q *queue) each(visit func(position int, j *job)) {
	position := 0
	if q.running != nil {
		position++
	}
	for round, left := 0, q.length; left > 0; round++ {
		for _, l := range q.clients {
			if round < len(l.jobs) {
				visit(position, l.jobs[round])
				position++
				left--
			}
		}
	}
}

// positionsEvery is how often clients are told how the queue moves.
const positionsEvery = 100 * time.Millisecond

// moved tells clients of their new positions, soon and all at once: telling each of them of each
// move would take time that grows with the square of the queue.
func (s *Scheduler) moved() {
	if s.ticking {
		return
	}
	s.ticking = true
	time.AfterFunc(positionsEvery, func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		s.ticking = false
		for _, q := range s.queues {
			q.each(func(position int, j *job) {
				if j.position != position {
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
	q.push(j)
	j.enter(queued, millis(s.options.Limits.QueueMS))
	q.each(func(position int, other *job) {
		if other == j {
			j.position, j.news = position, true
		}
	})
	s.work.Broadcast()
	j.session.wake()
}
