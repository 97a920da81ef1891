package sched

import (
	"cmp"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/runner/protocol"
)

// queue holds the jobs that wait for one device, and those that run on it. The next job is the first one of the
// session with the lowest rank; the jobs of a session run in the order of submission.
type queue struct {
	id          string
	device      Device // of this process; none where the executor is a Remote
	description protocol.Device
	executor    executor
	suspends    bool           // the device can suspend a launch, so it is preempted
	sessions    []*sessionJobs // each with at least one job; of two with equal rank the earlier one is next
	length      int            // waiting jobs, including suspended ones
	running     []*job         // at most the executor's capacity
	residents   map[*Session]*resident
	stuck       int // jobs that were given up, and have not returned from the device
}

// sessionJobs are the waiting jobs of one session.
type sessionJobs struct {
	session *Session
	jobs    []*job
}

// ranksBefore reports whether c has a lower rank than d, and so gets the device first: sessions of different clients
// compare by client, those of one client among themselves.
func (c *Session) ranksBefore(d *Session, at time.Duration) bool {
	if c.client != d.client {
		return c.client.account.rank(at) < d.client.account.rank(at)
	}
	return c.account.rank(at) < d.account.rank(at)
}

// indexOf returns the index of a session in q.sessions, -1 if no job of it waits.
func (q *queue) indexOf(c *Session) int {
	return slices.IndexFunc(q.sessions, func(l *sessionJobs) bool { return l.session == c })
}

// sessionOf finds or adds the entry of a session.
func (q *queue) sessionOf(c *Session) *sessionJobs {
	if i := q.indexOf(c); i >= 0 {
		return q.sessions[i]
	}
	l := &sessionJobs{session: c}
	q.sessions = append(q.sessions, l)
	return l
}

// pushBack adds a job behind the others of its session.
func (q *queue) pushBack(j *job) {
	l := q.sessionOf(j.session)
	l.jobs = append(l.jobs, j)
	q.length++
}

// pushFront adds a suspended job before the others of its session: it resumes before the next one starts.
func (q *queue) pushFront(j *job) {
	l := q.sessionOf(j.session)
	l.jobs = slices.Insert(l.jobs, 0, j)
	q.length++
}

// nextSession returns the index of the session with the lowest rank that may have another job in progress, -1 if there
// is none.
func (q *queue) nextSession(at time.Duration) int {
	best := -1
	for i, l := range q.sessions {
		if q.isFull(l.session, at) {
			continue
		}
		if best < 0 || l.session.ranksBefore(q.sessions[best].session, at) {
			best = i
		}
	}
	return best
}

// isFull reports whether a session, or its client, has as many jobs in progress as it may. A client leaves as much room
// to others as a session has, and all together leave it to a client that has none and has used the device least. On a
// device that has one job at a time, the next one is chosen while that runs.
func (q *queue) isFull(c *Session, at time.Duration) bool {
	if len(q.running) < 2 {
		return false
	}
	jobs, ofSession := q.executor.capacity()
	most := max(ofSession, jobs-ofSession)
	session, client := 0, 0
	for _, j := range q.running {
		if j.session == c {
			session++
		}
		if j.session.client == c.client {
			client++
		}
	}
	if session >= ofSession || client >= most {
		return true
	}
	return len(q.running) >= most && (client > 0 || !q.usedLeast(c.client, at))
}

// usedLeast reports whether no client that has a job in progress ranks before c.
func (q *queue) usedLeast(c *client, at time.Duration) bool {
	rank := c.account.rank(at)
	return !slices.ContainsFunc(q.running, func(j *job) bool { return j.session.client.account.rank(at) < rank })
}

// pop removes and returns the next job; nil where no session may have one more in progress. Its session moves to the
// end, behind others of equal rank: round robin.
func (q *queue) pop(at time.Duration) *job {
	i := q.nextSession(at)
	if i < 0 {
		return nil
	}
	l := q.sessions[i]
	j := l.jobs[0]
	l.jobs = l.jobs[1:]
	q.sessions = slices.Delete(q.sessions, i, i+1)
	if len(l.jobs) > 0 {
		q.sessions = append(q.sessions, l)
	}
	q.length--
	return j
}

// remove takes a job out of the queue, if it is there.
func (q *queue) remove(j *job) {
	i := q.indexOf(j.session)
	if i < 0 {
		return
	}
	l := q.sessions[i]
	if k := slices.Index(l.jobs, j); k >= 0 {
		l.jobs = slices.Delete(l.jobs, k, k+1)
		q.length--
	}
	if len(l.jobs) == 0 {
		q.sessions = slices.Delete(q.sessions, i, i+1)
	}
}

// displacedBy returns the job that is evicted from a full queue for a new job of session c: the last job of the client,
// and of its session, with the most jobs waiting. It returns nil if c itself would then have as many.
func (q *queue) displacedBy(c *Session) *job {
	waiting := map[*client]int{}
	for _, l := range q.sessions {
		waiting[l.session.client] += len(l.jobs)
	}
	var longest *sessionJobs
	own := 0
	for _, l := range q.sessions {
		if l.session == c {
			own = len(l.jobs)
		}
		if l.jobs[len(l.jobs)-1].state != queued {
			continue // its only job is suspended: it has started, and is not evicted
		}
		if longest == nil || cmp.Or(
			cmp.Compare(waiting[l.session.client], waiting[longest.session.client]),
			cmp.Compare(len(l.jobs), len(longest.jobs)),
		) > 0 {
			longest = l
		}
	}
	// "+1" is the new job. Without it two equal clients would evict each other's jobs in turn.
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

// checkQueueRoom returns why the queue has no room for another job of session c, nil if it has room.
func (s *Scheduler) checkQueueRoom(c *Session, q *queue) *diag.Diagnostic {
	if q.length < s.options.Limits.QueuedJobs || q.displacedBy(c) != nil {
		return nil
	}
	return refusal("runner-queue-full", q.length)
}

// eachInOrder calls visit with each waiting job and its position, in the expected order: round robin between clients
// and between the sessions of each, those with the lowest rank first. The order is an estimate, since how long jobs
// will run, which changes the ranks, is not known.
func (q *queue) eachInOrder(at time.Duration, visit func(position int, j *job)) {
	sorted := slices.Clone(q.sessions)
	slices.SortStableFunc(sorted, func(a, b *sessionJobs) int {
		switch {
		case a.session.ranksBefore(b.session, at):
			return -1
		case b.session.ranksBefore(a.session, at):
			return 1
		}
		return 0
	})
	index, byClient := map[*client]int{}, [][][]*job{} // the lists of jobs of each client's sessions
	for _, l := range sorted {
		i, ok := index[l.session.client]
		if !ok {
			i = len(byClient)
			index[l.session.client], byClient = i, append(byClient, nil)
		}
		byClient[i] = append(byClient[i], l.jobs)
	}
	var clients [][]*job
	for _, sessions := range byClient {
		clients = append(clients, interleave(sessions))
	}
	position := len(q.running)
	for i, j := range interleave(clients) {
		visit(position+i, j)
	}
}

// interleave merges lists, one job of each in turn.
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

// positionInterval is the least time between two updates of queue positions.
const positionInterval = 100 * time.Millisecond

// queueChanged schedules an update of the queue positions. Updates are batched: one for each change would take time
// quadratic in the length of the queue.
func (s *Scheduler) queueChanged() {
	if s.positionTimer != nil {
		return
	}
	s.startTimer(&s.positionTimer, positionInterval, func() {
		for _, q := range s.queues {
			q.eachInOrder(s.now(), func(position int, j *job) {
				if j.position != position && j.state == queued {
					j.position, j.statusChanged = position, true
					j.session.wakeStream()
				}
			})
		}
	})
}

// enqueue adds a job whose upload is complete to its device's queue. The queue may have filled up since the job was
// submitted, so room is checked again.
func (s *Scheduler) enqueue(j *job) {
	q := j.queue
	if why := s.checkQueueRoom(j.session, q); why != nil {
		j.finish(refused(why))
		return
	}
	if q.length >= s.options.Limits.QueuedJobs {
		victim := q.displacedBy(j.session)
		victim.cancel(refusal("runner-queue-displaced", q.length))
	}
	q.pushBack(j)
	j.setState(queued, millis(s.options.Limits.QueueMS))
	j.position = -1 // unknown: the next update sends it, whatever it is
	s.dispatchNext(q)
	s.queueChanged()
}
