package device

import (
	"context"
	"testing"
	"time"
)

func TestSummary(t *testing.T) {
	for _, c := range []struct {
		samples []time.Duration
		want    Summary
	}{
		{nil, Summary{}},
		{[]time.Duration{7}, Summary{1, 7, 7, 7, 7}},
		{[]time.Duration{40, 0}, Summary{2, 0, 10, 20, 30}},
		{[]time.Duration{50, 10, 30, 20, 40}, Summary{5, 10, 20, 30, 40}},
	} {
		timings := Timings{Samples: c.samples}
		if got := timings.Summary(); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.samples, got, c.want)
		}
	}
}

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		request         TimingRequest
		estimate        time.Duration
		warmup, measure int
	}{
		{TimingRequest{}, time.Millisecond, 25, 100},
		{TimingRequest{}, time.Hour, 1, 1},
		{TimingRequest{}, 0, MaxSamples, MaxSamples},
		{TimingRequest{time.Second, 2 * time.Second}, 10 * time.Millisecond, 100, 200},
		{TimingRequest{-1, -1}, 5 * time.Millisecond, 5, 20},
	} {
		warmup, measure := c.request.Rounds(c.estimate)
		if warmup != c.warmup || measure != c.measure {
			t.Errorf("%+v at %v: %d and %d rounds, want %d and %d", c.request, c.estimate, warmup, measure, c.warmup, c.measure)
		}
	}
}

// TestSample: a clock of steps, as a browser's is, gives no sample of 0, and means that are right.
func TestSample(t *testing.T) {
	const step, call = 5 * time.Microsecond, 800 * time.Nanosecond
	now := time.Duration(0)
	samples, err := Sample(1000, func() (time.Duration, error) {
		before := now / step * step
		now += call
		return now/step*step - before, nil
	})
	if err != nil || len(samples) != 100 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	for _, s := range samples {
		if s < call*9/10 || s > call*11/10 {
			t.Fatalf("a call of %v takes %v", call, s)
		}
	}
	if samples, err = Sample(3, func() (time.Duration, error) { return step, nil }); err != nil || len(samples) != 3 || samples[0] != step {
		t.Errorf("%v, %v", samples, err)
	}
	if _, err = Sample(3, func() (time.Duration, error) { return 0, context.Canceled }); err != context.Canceled {
		t.Errorf("the error is %v", err)
	}
}
