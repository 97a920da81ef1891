//go:build cuda

package main

import (
	"time"

	"gorgonia.org/cu"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/gpu/wire"
)

// The protocol of triton.testing.do_bench: an estimate from five launches, each after the cache was
// flushed by clearing 256 MB; then warming up without flushing; then measured launches, the cache
// flushed before each, an event on either side.
const (
	estimates  = 5
	flushBytes = 256 << 20
)

func (w *gpu) time(m *wire.Message) (*wire.Message, error) {
	k, err := w.kernel(m)
	if err != nil {
		return nil, err
	}
	flush, err := newFlusher()
	if err != nil {
		return nil, err
	}
	defer flush.close()
	total, err := w.between(func() error { return repeat(estimates, flush.do, k.start) })
	if err != nil {
		return nil, err
	}
	request := device.TimingRequest{Warmup: time.Duration(k.Warmup), Measure: time.Duration(k.Measure)}
	warmup, measure := request.Rounds(total / estimates)
	if err := repeat(warmup, k.start); err != nil {
		return nil, err
	}
	samples, err := w.samples(measure, flush, k)
	if err != nil {
		return nil, err
	}
	sm, memory := w.meter.clocks()
	t := wire.Times{SMClock: sm, MemClock: memory, Flushed: uint64(flush.bytes), Samples: samples}
	return t.Message(), nil
}

func repeat(times int, steps ...func() error) error {
	for range times {
		for _, step := range steps {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// samples are the nanoseconds of n launches, all of them queued before any is waited for.
func (w *gpu) samples(n int, flush *flusher, k *kernel) ([]uint64, error) {
	events := make([]cu.Event, 2*n)
	defer func() {
		for i := range events {
			cu.DestroyEvent(&events[i])
		}
	}()
	for i := range events {
		var err error
		if events[i], err = cu.MakeEvent(cu.DefaultEvent); err != nil {
			events = events[:i]
			return nil, err
		}
	}
	for i := range n {
		mark := func(e cu.Event) func() error { return func() error { return e.Record(cu.NoStream) } }
		if err := repeat(1, flush.do, mark(events[2*i]), k.start, mark(events[2*i+1])); err != nil {
			return nil, err
		}
	}
	if err := cu.Synchronize(); err != nil {
		return nil, err
	}
	samples := make([]uint64, n)
	for i := range samples {
		took, err := elapsed(events[2*i], events[2*i+1])
		if err != nil {
			return nil, err
		}
		samples[i] = uint64(took)
	}
	return samples, nil
}

// flusher evicts what a kernel left in the L2 cache, by clearing more memory than the cache holds.
type flusher struct {
	at    cu.DevicePtr
	bytes int64
}

func newFlusher() (*flusher, error) {
	at, err := cu.MemAlloc(flushBytes)
	return &flusher{at, flushBytes}, err
}

func (f *flusher) do() error { return cu.MemsetD32Async(f.at, 0, f.bytes/4, cu.NoStream) }

func (f *flusher) close() { cu.MemFree(f.at) }
