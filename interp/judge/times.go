package judge

import (
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/host"
)

// timedCalls is how many calls are timed, after one for which the kernels are compiled. Each launch of a call is warmed
// up and measured for so long.
const (
	timedCalls  = 7
	warmup      = 5 * time.Millisecond
	measurement = 20 * time.Millisecond
)

// Times are how long a device runs the kernels of a call, each call with inputs of its own. Of each launch it is the
// median of launches as those of triton.testing.do_bench; after them its tensors are what they were, it is made once
// more, and what the call returns is compared as in every test. They are no part of the verdict.
type Times struct {
	Sizes    map[string]any `json:"sizes"` // of the calls
	Device   string         `json:"device"`
	Calls    int            `json:"calls"`
	Launches int            `json:"launches"` // of a call
	// Seconds is the median of the calls, of which a fifth of the calls are below Fast, and a fifth above Slow.
	Seconds float64 `json:"seconds"`
	Fast    float64 `json:"fast"`
	Slow    float64 `json:"slow"`
}

// Text says it in a sentence.
func (t *Times) Text(lang diag.Lang) string {
	return diag.Text{Key: "judge-report.times", Args: []any{sizesArg(t.Sizes), t.Device, microseconds(t.Seconds),
		t.Calls, microseconds(t.Fast), microseconds(t.Slow)}}.In(lang)
}

// time times calls of a submission that nothing is wrong with at the point with the most work. It finds what is wrong
// with the results there. The reason says why nothing can be judged.
func (j *judging) time() *diag.Text {
	s, p := j.submission, j.heaviest.point
	if j.o.Timed == nil || j.heaviest.work == 0 || j.report.Diagnostics.HasErrors() {
		return nil
	}
	if ok, reason := j.constructAt(p, false); !ok {
		return reason
	}
	defer s.launcher.moveTo(j.o.Timed)()
	s.launcher.times = true
	defer func() { s.launcher.times = false }()
	var seconds []float64
	for i := range timedCalls + 1 {
		args, d := j.makeInputs(p)
		if d != nil {
			return j.unpromised(p, d, false)
		}
		test, _, reason := j.try(p, Timed, args, nil, false)
		if reason != nil || test.Outcome != Passed {
			return reason
		}
		if i > 0 {
			seconds = append(seconds, s.launcher.elapsed.Seconds())
		}
	}
	slices.Sort(seconds)
	at := func(part float64) float64 { return seconds[int(part*float64(len(seconds)-1)+0.5)] }
	j.report.Times = &Times{Sizes: p.sizes(), Device: j.o.Timed.Capabilities().Name, Calls: len(seconds),
		Launches: s.launcher.launches, Seconds: at(0.5), Fast: at(0.2), Slow: at(0.8)}
	return nil
}

// heaviest is the point with the most work that has passed.
type heaviest struct {
	point point
	work  int64
}

// time measures a launch on its device, and leaves its tensors as they are. Not ok where the device does not measure.
func (l *launcher) time(of host.Launch) (took time.Duration, ok bool) {
	var data, before [][]byte
	for _, v := range of.Args {
		if t, is := host.AsTensor(v); is {
			bytes, _ := t.Storage().Read()
			data, before = append(data, bytes), append(before, slices.Clone(bytes))
		}
	}
	samples, ok, failed := l.Launcher.Time(of, warmup, measurement)
	for i := range data {
		copy(data[i], before[i])
	}
	if !ok || failed != nil || len(samples) == 0 {
		return 0, false
	}
	slices.Sort(samples)
	return samples[len(samples)/2], true
}
