package protocol

import (
	"time"

	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// FromCompiled converts compiled code to its message.
func FromCompiled(c *device.Compiled) *Compiled {
	out := &Compiled{
		PTX: c.PTX, Lines: make([]int, 0, 2*len(c.Lines)),
		Registers: c.Registers, SpillBytes: c.SpillBytes, SharedBytes: c.SharedBytes,
		ToPTXMS: MS(c.ToPTX), ToSASSMS: MS(c.ToSASS), CacheHit: c.CacheHit, Log: c.Log,
	}
	for _, s := range c.Lines {
		out.Lines = append(out.Lines, int(s.Start), int(s.End))
	}
	return out
}

// Device converts the message back.
func (c *Compiled) Device() *device.Compiled {
	out := &device.Compiled{
		PTX: c.PTX, Registers: c.Registers, SpillBytes: c.SpillBytes, SharedBytes: c.SharedBytes,
		ToPTX: FromMS(c.ToPTXMS), ToSASS: FromMS(c.ToSASSMS), CacheHit: c.CacheHit, Log: c.Log,
		Lines: make([]source.Span, len(c.Lines)/2),
	}
	for i := range out.Lines {
		out.Lines[i] = span(c.Lines[2*i], c.Lines[2*i+1])
	}
	return out
}

// MS converts a duration to milliseconds.
func MS(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// FromMS converts milliseconds to a duration.
func FromMS(ms float64) time.Duration { return time.Duration(ms * float64(time.Millisecond)) }

// FromTimings converts timings to their message, which has the quartiles as well.
func FromTimings(t *device.Timings) *Timings {
	s := t.Summary()
	out := &Timings{
		Samples: make([]int64, len(t.Samples)), N: s.N, Min: int64(s.Min), LowerQuartile: int64(s.LowerQuartile),
		Median: int64(s.Median), UpperQuartile: int64(s.UpperQuartile), Clock: t.Clock, Driver: t.Driver,
		SMClock: t.SMClock, MemClock: t.MemClock, FlushedKB: t.FlushedKB,
	}
	for i, d := range t.Samples {
		out.Samples[i] = int64(d)
	}
	return out
}

// Device converts the message back.
func (t *Timings) Device() *device.Timings {
	out := &device.Timings{
		Samples: make([]time.Duration, len(t.Samples)), Clock: t.Clock, Driver: t.Driver,
		SMClock: t.SMClock, MemClock: t.MemClock, FlushedKB: t.FlushedKB,
	}
	for i, ns := range t.Samples {
		out.Samples[i] = time.Duration(ns)
	}
	return out
}

// Device converts the message back.
func (p *Print) Device() device.Print {
	return device.Print{Program: Triple(p.Program), Span: span(p.Start, p.End), Text: p.Text}
}
