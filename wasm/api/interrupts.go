package api

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// interrupts end calls that a StopRequest names.
type interrupts struct {
	mutex   sync.Mutex
	running map[int]context.CancelFunc // by call
	skip    atomic.Bool                // the rest of the sweep that is measured
}

// begin is the context of a call, until done is called.
func (i *interrupts) begin(call int) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if i.running == nil {
		i.running = map[int]context.CancelFunc{}
	}
	i.running[call] = cancel
	return ctx, func() {
		cancel()
		i.mutex.Lock()
		defer i.mutex.Unlock()
		delete(i.running, call)
	}
}

// stop does what a StopRequest asks of a call, if it is running.
func (i *interrupts) stop(call int, r *StopRequest) {
	if r.Sweep {
		i.skip.Store(true)
		return
	}
	i.mutex.Lock()
	defer i.mutex.Unlock()
	if cancel := i.running[call]; cancel != nil {
		cancel()
	}
}

// pauses suspends a launch now and then: only then does the worker take messages, StopRequests among them.
func pauses() func() {
	var last atomic.Int64
	last.Store(time.Now().UnixNano())
	return func() {
		now, before := time.Now().UnixNano(), last.Load()
		if now-before >= int64(pauseInterval) && last.CompareAndSwap(before, now) {
			time.Sleep(pauseLength)
		}
	}
}
