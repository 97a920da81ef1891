package sched

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

func TestUsage(t *testing.T) {
	var a account
	a.charge(time.Second, 0)
	for at, want := range map[time.Duration]float64{0: 1, halfLife: 0.5, 3 * halfLife: 0.125} {
		if got := a.used.seconds(at); got < want*0.999 || got > want*1.001 {
			t.Errorf("after %v a second counts as %v", at, got)
		}
	}
	for i := range 100_000 {
		a.charge(time.Millisecond, time.Duration(i)*time.Hour)
	}
	if got := a.used.seconds(100_000 * time.Hour); got > 0.001 || got != got {
		t.Errorf("after eleven years, usage is %v", got)
	}
}

// TestTypicalTurn: the estimate follows the turns' length, but not a single one that is far longer than the others.
func TestTypicalTurn(t *testing.T) {
	var a account
	for range 20 {
		a.charge(200*time.Microsecond, 0)
	}
	if a.typicalTurn != 200*time.Microsecond {
		t.Errorf("turns of 200 µs are expected to take %v", a.typicalTurn)
	}
	if a.add(time.Microsecond, 0); a.typicalTurn != 200*time.Microsecond {
		t.Errorf("time that is no turn changes the estimate to %v", a.typicalTurn)
	}
	if a.charge(time.Second, 0); a.typicalTurn != 400*time.Microsecond {
		t.Errorf("one turn of a second is expected to be followed by one of %v", a.typicalTurn)
	}
	for range 20 {
		a.charge(quantum, 0)
	}
	if a.typicalTurn != quantum {
		t.Errorf("turns of a quantum are expected to take %v", a.typicalTurn)
	}
}

// simulation is a queue with a device of simulated time, whose jobs each take a constant time.
type simulation struct {
	q     queue
	now   time.Duration
	noise func() time.Duration // that a turn takes longer than its job
	takes map[*Session]time.Duration
}

func (s *simulation) submit(c *Session, takes time.Duration) *job {
	j := &job{session: c, spec: &protocol.Submit{}}
	s.takes[c] = takes
	s.q.pushBack(j)
	return j
}

// run runs the next job and returns it.
func (s *simulation) run() *job {
	j := s.q.pop(s.now)
	took := s.takes[j.session] + s.noise()
	s.now += took
	j.session.account.charge(took, s.now)
	j.session.client.account.charge(took, s.now)
	return j
}

// TestSmallJobsBesideGreedySessions: next to 200 sessions that always have jobs of a millisecond waiting, the small jobs
// of one more wait for a few of them, whether it is the same client's or not, though the machine sometimes interrupts a
// turn for ten milliseconds. The time is simulated.
func TestSmallJobsBesideGreedySessions(t *testing.T) {
	const jobs, think = 2000, time.Millisecond
	for _, same := range []bool{false, true} {
		random := rand.New(rand.NewPCG(1, 2))
		s := &simulation{takes: map[*Session]time.Duration{}, noise: func() time.Duration {
			if random.IntN(500) == 0 {
				return 10 * time.Millisecond
			}
			return 0
		}}
		greedy := &client{}
		for range 200 {
			c := &Session{client: greedy}
			s.submit(c, time.Millisecond)
			s.submit(c, time.Millisecond)
		}
		small := &Session{client: &client{}}
		if same {
			small.client = greedy
		}
		turns := map[*Session]int{}
		next := func() *job {
			j := s.run()
			if turns[j.session]++; j.session != small {
				s.q.pushBack(j)
			}
			return j
		}
		for range 2000 {
			next()
		}
		var waits []time.Duration
		for range jobs {
			for idle := s.now + think; s.now < idle; {
				next()
			}
			begin := s.now
			for j := s.submit(small, 20*time.Microsecond); next() != j; {
			}
			waits = append(waits, s.now-begin)
		}
		slices.Sort(waits)
		t.Logf("same client %v: median %v, p99 %v, longest %v", same, waits[jobs/2], waits[jobs*99/100], waits[jobs-1])
		if p99 := waits[jobs*99/100]; p99 > 20*time.Millisecond {
			t.Errorf("same client %v: the 99th percentile of small jobs is %v", same, p99)
		}
		least, most := 1<<30, 0
		for c, n := range turns {
			if c != small {
				least, most = min(least, n), max(most, n)
			}
		}
		t.Logf("the greedy sessions had %d to %d turns", least, most)
	}
}

// TestLongJobsAmongShortOnes: sessions with short jobs do not keep one with a long job from the device: it gets its
// share of the time.
func TestLongJobsAmongShortOnes(t *testing.T) {
	s := &simulation{takes: map[*Session]time.Duration{}, noise: func() time.Duration { return 0 }}
	owner := &client{}
	for range 40 {
		s.submit(&Session{client: owner}, 500*time.Microsecond)
	}
	long := &Session{client: owner}
	s.submit(long, quantum)
	had, from, span := time.Duration(0), 2*time.Second, 10*time.Second // until from the others may get a quantum ahead
	for s.now < from+span {
		j := s.run()
		if j.session == long && s.now > from {
			had += quantum
		}
		s.q.pushBack(j)
	}
	if fair := span / 41; had < fair*3/4 || had > fair*5/4 {
		t.Errorf("a session with a long job had %v of %v, its share is %v", had, span, fair)
	}
}

// TestChargeIsBounded: a job that was interrupted for long is charged what its work can have taken.
func TestChargeIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onCPU(t, nil)
		owner := &client{}
		c := &Session{sched: s, client: owner}
		r := &run{sched: s, job: &job{session: c, queue: s.queues[0], spec: &protocol.Submit{}}, spec: &protocol.Submit{}, wire: make([]byte, 100)}
		r.longest = r.longestTime(&device.Report{Work: 1000})
		for range 2 {
			r.turnStarted = time.Now().Add(-quantum)
			s.endTurn(r)
		}
		want := r.longest.Seconds()
		if got := c.account.used.sum; got < want*0.99 || got > want || want > 0.001 || owner.account.used.sum != got {
			t.Errorf("a job of a microsecond's work that was interrupted for %v is charged %v s, the most is %v s", 2*quantum, got, want)
		}
		for _, spec := range []*protocol.Submit{{Races: true}, {Timing: &protocol.TimingRequest{}}} {
			if r.spec = spec; r.longestTime(&device.Report{Work: 1000}) != 0 {
				t.Error("work that is not counted bounds the charge")
			}
		}
		if r.spec = (&protocol.Submit{}); r.longestTime(&device.Report{Work: 1 << 62}) < time.Minute {
			t.Error("much work bounds the charge to less than a minute")
		}
	})
}
