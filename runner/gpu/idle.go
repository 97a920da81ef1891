package gpu

import (
	"slices"
	"sync"
	"time"
)

// IdleLimits bound the processes that wait for the next job of the tenant that they served.
type IdleLimits struct {
	PerDevice int           // on one GPU, where its memory allows as many
	Total     int           // on all GPUs: each also takes a few hundred megabytes of the host
	Timeout   time.Duration // until a process that waits is ended
}

// DefaultIdleLimits are those of a runner.
var DefaultIdleLimits = IdleLimits{PerDevice: 16, Total: 32, Timeout: 5 * time.Minute}

// contextBytes is about what a CUDA context takes of a GPU's memory. Those of idle processes may take an idleShare-th
// part of it.
const (
	contextBytes = 512 << 20
	idleShare    = 16
)

// Idle holds the processes that wait, of all devices that were opened with it. Where a limit is reached, the one that
// has waited for longest makes room for the next.
type Idle struct {
	limits  IdleLimits
	lock    sync.Mutex
	waiting []*idleProcess // the longest first
}

type idleProcess struct {
	*process
	pool   *pool
	tenant string
	expiry *time.Timer
}

// NewIdle makes an empty set of idle processes.
func NewIdle(limits IdleLimits) *Idle { return &Idle{limits: limits} }

// most is how many processes may wait on a GPU.
func (l IdleLimits) most(memoryBytes uint64) int {
	return min(l.PerDevice, int(memoryBytes/idleShare/contextBytes))
}

// take removes and returns the process that waits for a tenant on a GPU, nil if there is none.
func (s *Idle) take(on *pool, tenant string) *process {
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, w := range s.waiting {
		if w.pool == on && w.tenant == tenant && !w.isLost() {
			s.remove(w)
			return w.process
		}
	}
	return nil
}

// put lets a process wait for a tenant, in the place of one that does so already on that GPU.
func (s *Idle) put(on *pool, tenant string, p *process) {
	s.lock.Lock()
	defer s.lock.Unlock()
	w := &idleProcess{process: p, pool: on, tenant: tenant}
	w.expiry = time.AfterFunc(s.limits.Timeout, func() { s.end(func(other *idleProcess) bool { return other == w }) })
	s.evictOldest(0, func(other *idleProcess) bool { return other.pool == on && other.tenant == tenant })
	s.waiting = append(s.waiting, w)
	s.evictOldest(on.mostIdle(), func(other *idleProcess) bool { return other.pool == on })
	s.evictOldest(s.limits.Total, func(*idleProcess) bool { return true })
}

// evictOldest leaves at most a number of the processes that match, those that came last. The lock is held.
func (s *Idle) evictOldest(most int, match func(*idleProcess) bool) {
	for _, w := range slices.Backward(slices.Clone(s.waiting)) {
		if !match(w) {
			continue
		}
		if most--; most < 0 {
			s.remove(w)
			w.pool.closing.Go(w.Close) // in the background: the driver takes a while to clean up
		}
	}
}

// remove takes a process out of those that wait. The lock is held.
func (s *Idle) remove(w *idleProcess) {
	w.expiry.Stop()
	s.waiting = slices.DeleteFunc(s.waiting, func(other *idleProcess) bool { return other == w })
}

// end ends the processes that match, waits until they have exited, and reports whether there were any.
func (s *Idle) end(match func(*idleProcess) bool) bool {
	var exits sync.WaitGroup
	s.lock.Lock()
	before := len(s.waiting)
	for _, w := range slices.Clone(s.waiting) {
		if match(w) {
			s.remove(w)
			exits.Go(w.Close)
		}
	}
	ended := before > len(s.waiting)
	s.lock.Unlock()
	exits.Wait()
	return ended
}

// endAll ends the processes that wait on a GPU.
func (s *Idle) endAll(on *pool) bool { return s.end(func(w *idleProcess) bool { return w.pool == on }) }
