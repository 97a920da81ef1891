package cpu

import (
	"context"
	"sync"
	"time"

	"github.com/newtlab/newt/interp/device"
)

// estimates is how many launches do_bench makes to learn how long one takes.
const estimates = 5

// Time measures launches by this machine's clock. No cache is flushed: interpreting takes far
// longer than reaching memory does.
func (k *kernel) Time(ctx context.Context, l device.Launch, r device.TimingRequest) (*device.Timings, error) {
	l.Races, l.Observer, l.Progress = false, nil, nil
	launch := func() (time.Duration, error) {
		report, err := k.Launch(ctx, l)
		return report.Elapsed, err
	}
	samples, err := device.Sample(estimates, launch)
	if err != nil {
		return nil, err
	}
	var total time.Duration
	for _, s := range samples {
		total += s
	}
	warmup, measure := r.Rounds(total / estimates)
	for range warmup {
		if _, err := launch(); err != nil {
			return nil, err
		}
	}
	if samples, err = device.Sample(measure, launch); err != nil {
		return nil, err
	}
	return &device.Timings{Samples: samples, Clock: "wall"}, nil
}

// stopwatch measures for how long at least one of a launch's workers was suspended.
type stopwatch struct {
	lock    sync.Mutex
	waiting int
	since   time.Time
	total   time.Duration
}

// around is yield, measured.
func (s *stopwatch) around(yield func()) func() {
	count := func(more int) {
		s.lock.Lock()
		defer s.lock.Unlock()
		now := time.Now()
		if s.waiting > 0 {
			s.total += now.Sub(s.since)
		}
		s.waiting, s.since = s.waiting+more, now
	}
	return func() {
		count(1)
		yield()
		count(-1)
	}
}
