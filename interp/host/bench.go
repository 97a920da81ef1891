package host

import (
	"math"
	"slices"
	"time"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/python"
	"github.com/newtlab/newt/interp/device"
)

// Timer is a Launcher that may run on a device with a clock of its own.
type Timer interface {
	// Time measures a launch by the protocol of triton.testing.do_bench: times of single launches after launches for
	// warming up. Zero times mean the protocol's own. Each launch changes the tensors, as under Triton. Not ok where
	// the device is this process, which is to be timed with everything else that it does.
	Time(l Launch, warmup, measure time.Duration) (samples []time.Duration, ok bool, failed *Failure)
}

// The times of triton.testing.do_bench.
const (
	defaultWarmup  = 25 * time.Millisecond
	defaultMeasure = 100 * time.Millisecond
)

// maxSamples bounds the calls of a function that is measured in this process.
const maxSamples = 1000

// millisecondsOf is a time that a script gives as a number of milliseconds; 0 for None.
func millisecondsOf(m *machine, v Value) time.Duration {
	if v == none {
		return 0
	}
	ms, ok, _ := python.AsFloat(v)
	if !ok || math.IsNaN(ms) {
		raise("TypeError", "'%s' object cannot be interpreted as a number of milliseconds", v.Type())
	}
	return time.Duration(min(max(ms, 0), 1e6) * float64(time.Millisecond))
}

// recordLaunches runs f and gives the launches that it makes.
func recordLaunches(m *machine, f func()) []Launch {
	var launches []Launch
	before := m.clock.record
	m.clock.record = &launches
	defer func() { m.clock.record = before }()
	f()
	return launches
}

// deviceSamples times launches on a device that has a clock of its own, in milliseconds: each sample is the time of all
// of them. Not ok where there are none, or the device is this process.
func deviceSamples(m *machine, launches []Launch, warmup, measure time.Duration) (samples []float64, ok bool) {
	timer, ok := m.options.Launcher.(Timer)
	if !ok || len(launches) == 0 {
		return nil, false
	}
	for i, l := range launches {
		times, ok, failed := timer.Time(l, warmup, measure)
		switch {
		case failed != nil:
			m.raiseFailure(failed, l.Span)
		case !ok || len(times) == 0:
			return nil, false
		case i == 0:
			samples = make([]float64, len(times))
		}
		samples = samples[:min(len(samples), len(times))]
		for j := range samples {
			samples[j] += float64(times[j]) / float64(time.Millisecond)
		}
	}
	return samples, true
}

// sampleTimes measures a function that has just run and took first, in milliseconds: as do_bench does, except that a
// function that takes longer than the whole measurement is to take is not called again.
func sampleTimes(m *machine, call func(), first, warmup, measure time.Duration) []float64 {
	if warmup == 0 {
		warmup = defaultWarmup
	}
	if measure == 0 {
		measure = defaultMeasure
	}
	once := func() time.Duration {
		began := m.clock.now()
		call()
		return m.clock.now() - began
	}
	samples := []time.Duration{first}
	if first < warmup+measure {
		for spent := time.Duration(0); spent < warmup; {
			spent += once()
		}
		rounds := int(min(max(1, measure/max(first, 1)), maxSamples))
		samples, _ = device.Sample(rounds, func() (time.Duration, error) { return once(), nil })
	}
	out := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = float64(s) / float64(time.Millisecond)
	}
	return out
}

// samples are the times of a function in milliseconds, as triton.testing.do_bench takes them.
func samples(m *machine, a arguments) Value {
	call := func() { m.callWith(a.positional[0]) }
	warmup, measure := millisecondsOf(m, a.positional[1]), millisecondsOf(m, a.positional[2])
	began, computed := m.clock.now(), m.tensors.Computed()
	launches := recordLaunches(m, call)
	took := m.clock.now() - began

	byTorch := !slices.ContainsFunc(launches, func(l Launch) bool { return !l.Internal })
	here := byTorch && (len(launches) == 0 || m.tensors.Computed() > computed)
	var samples []float64
	ok := !here
	if ok {
		samples, ok = deviceSamples(m, launches, warmup, measure)
	}
	if !ok {
		if here && deviceInfo(m).Apart {
			m.said.AddNew(advice(diag.New("measured-here", m.callerPlace(), deviceInfo(m).Name)))
		}
		samples = sampleTimes(m, call, took, warmup, measure)
	}
	return &List{floatValues(samples)}
}

func floatValues(list []float64) []Value {
	out := make([]Value, len(list))
	for i, f := range list {
		out[i] = python.Float(f)
	}
	return out
}

// Measurement is a result of a sweep, as soon as there is one: of a config that autotune has timed, or of a point that
// perf_report has measured.
type Measurement struct {
	Name          string // the kernel's, or the plot's
	Label         string // the config, or the line with its point: "triton, N=1024"
	Number, Total int
	Value         float64 // the median in milliseconds, infinity where the config cannot run; else what was returned
	Best          string  // the label of the fastest config so far; "" of a point
	Code          Code    // what the config was compiled to; zero where no kernel was launched
}

// SweepPoint is a point of a sweep by triton.testing.perf_report that is to be measured.
type SweepPoint struct {
	Name          string        // the plot's
	Number, Total int           // it is the Number-th of Total, from 1 on
	Elapsed       time.Duration // since the first began
}

// Left is what the points that are left may take if they go on like those before; 0 at the first.
func (p SweepPoint) Left() time.Duration {
	if p.Number < 2 {
		return 0
	}
	return p.Elapsed / time.Duration(p.Number-1) * time.Duration(p.Total-p.Number+1)
}

// firstFloat is a number, or the first of a sequence.
func firstFloat(m *machine, v Value) float64 {
	switch v.(type) {
	case *List, Tuple:
		v = m.itemsOf(v)[0]
	}
	return m.floatOf(v)
}
