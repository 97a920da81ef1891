package device

import (
	"context"
	"slices"
	"time"
)

// Timer is a Kernel whose device can measure it.
type Timer interface {
	Kernel
	// Time launches the kernel again and again by the protocol of triton.testing.do_bench: an
	// estimate from five launches, launches for warming up, then launches that are measured one by
	// one with caches flushed before each where the device has any to flush. Memory is changed by
	// each launch. The options of l that observe or check are left out of account.
	Time(ctx context.Context, l Launch, r TimingRequest) (*Timings, error)
}

// TimingRequest says how long to measure. Zero values mean do_bench's 25 and 100 milliseconds.
type TimingRequest struct{ Warmup, Measure time.Duration }

// The times of triton.testing.do_bench, and how many samples there are at most.
const (
	DefaultWarmup  = 25 * time.Millisecond
	DefaultMeasure = 100 * time.Millisecond
	MaxSamples     = 10000
)

// Rounds says how often to launch for warming up and for measuring where a launch takes about
// estimate: at least once each, at most MaxSamples times.
func (r TimingRequest) Rounds(estimate time.Duration) (warmup, measure int) {
	rounds := func(total, usual time.Duration) int {
		if total <= 0 {
			total = usual
		}
		return int(min(max(1, total/max(1, estimate)), MaxSamples))
	}
	return rounds(r.Warmup, DefaultWarmup), rounds(r.Measure, DefaultMeasure)
}

// Sample measures so many calls of once, which says how long it took. Where a call is shorter than a step of the clock,
// which in a browser has 5 to 100 µs, each of at most a hundred samples is the mean of several calls.
func Sample(rounds int, once func() (time.Duration, error)) ([]time.Duration, error) {
	for calls := 1; ; calls *= 64 {
		samples := make([]time.Duration, rounds)
		for i := range samples {
			for range calls {
				took, err := once()
				if err != nil {
					return nil, err
				}
				samples[i] += took
			}
			samples[i] /= time.Duration(calls)
		}
		if calls > 1<<12 || slices.Min(samples) > 0 {
			return samples, nil
		}
		rounds = min(rounds, 100)
	}
}

// Timings are measured launches and what they were measured on.
type Timings struct {
	Samples   []time.Duration // in the order of measurement
	Clock     string          // the clock that measured: "wall", "events"
	Driver    string          // the driver's version; empty if there is none
	SMClock   int             // of the processors while measuring, in MHz; 0 if not known
	MemClock  int             // of the memory, in MHz
	FlushedKB int             // of cache, before each sample
}

// Summary is the spread of samples.
type Summary struct {
	N                                         int
	Min, LowerQuartile, Median, UpperQuartile time.Duration
}

// Summary gives the spread of the samples; quartiles are interpolated linearly between samples,
// as torch.quantile does.
func (t *Timings) Summary() Summary {
	s := slices.Sorted(slices.Values(t.Samples))
	if len(s) == 0 {
		return Summary{}
	}
	at := func(quarter int) time.Duration {
		scaled := quarter * (len(s) - 1)
		i, rest := scaled/4, time.Duration(scaled%4)
		if rest == 0 {
			return s[i]
		}
		return s[i] + (s[i+1]-s[i])*rest/4
	}
	return Summary{len(s), s[0], at(1), at(2), at(3)}
}
