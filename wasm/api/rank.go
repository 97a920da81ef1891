package api

import (
	"context"
	"math"
	"slices"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/script"
)

const (
	// timedConfigs is how many ranked configs of a kernel are timed on a GPU, as by newt tune.
	timedConfigs = 3
	// maxModelBytes bounds the tensors of a launch that the model takes (wasm/ptx/code).
	maxModelBytes = 128 << 20
)

// model is a script.Model: the page passes the launch on to the program with the compiler to PTX, and the call waits
// for what that expects.
func (c *call) model(ctx context.Context, k *launch.Kernel, args []launch.Arg, o device.Options, grid [3]int) (
	none host.Estimate, fault *diag.Diagnostic) {
	if bytes := launch.Bytes(args); bytes > maxModelBytes {
		return none, diag.New("model-too-large", source.Span{}, bytes, maxModelBytes)
	}
	of := &inspected{kernel: k, args: args, with: device.Launch{Grid: grid}, options: o}
	job, tensors, fault := c.packed(of, k.Func)
	if fault != nil {
		return none, fault
	}
	answer := c.remotes.expect(c.id)
	c.send(Reply{ID: c.id, Estimate: job}, tensors...)
	select {
	case a := <-answer:
		return expected(a)
	case <-ctx.Done():
		return none, diag.New("launch-cancelled", source.Span{}, 0, 0)
	}
}

// expected is the answer of the model.
func expected(a *launched) (none host.Estimate, _ *diag.Diagnostic) {
	out, broken := read(a.Messages)
	fault := out.Fault()
	switch {
	case a.Lost != "" || broken != nil || fault == nil && a.Expected == nil:
		return none, diag.New("model-gone", source.Span{})
	case fault != nil:
		return none, fault.Diagnostic()
	}
	return host.Estimate{MS: a.Expected.MS, Bound: a.Expected.Bound}, nil
}

// rankings are those of the run of a cell.
type rankings struct {
	list []*host.Ranking
	news []int // indices of those that the page does not have as they are
}

// ranking tells how far a ranking is, and that the cell goes on after it.
func (s *stream) ranking(of script.Steps) {
	if of.Done == of.Total {
		s.call.progress("run", 0, 0)
		return
	}
	s.call.progress("rank", of.Done, of.Total)
}

// ranked takes an order of configs.
func (s *stream) ranked(r *host.Ranking) {
	s.rankings.list = append(s.rankings.list, r)
	s.rankings.changed()
	s.sendDue()
}

// measured takes a measurement, where it is of a config of the last ranking.
func (r *rankings) measured(m *host.Measurement) {
	if n := len(r.list); n > 0 && r.list[n-1].Measure(m) {
		r.changed()
	}
}

// changed notes that the last ranking is not what the page has.
func (r *rankings) changed() {
	if last := len(r.list) - 1; !slices.Contains(r.news, last) {
		r.news = append(r.news, last)
	}
}

// tell are the rankings that are new or have changed.
func (r *rankings) tell() (out []Ranking) {
	for _, n := range r.news {
		out = append(out, shownRanking(n, r.list[n]))
	}
	r.news = nil
	return out
}

// shownRanking is one as the page shows it. The config that is used is the fastest of those that were measured; until
// one was, it is the first.
func shownRanking(number int, r *host.Ranking) Ranking {
	out := Ranking{Number: number, Kernel: r.Kernel, Key: r.Key}
	used := 0
	for i, c := range r.Configs {
		if c.Measured > 0 && (r.Configs[used].Measured == 0 || c.Measured < r.Configs[used].Measured) {
			used = i
		}
	}
	for i, c := range r.Configs {
		config := RankedConfig{Label: c.Label, Kept: c.Kept, Failed: math.IsInf(c.Measured, 0), Used: i == used}
		if !math.IsInf(c.Expected.MS, 0) {
			config.Expected = &Expected{MS: c.Expected.MS, Bound: c.Expected.Bound}
		}
		if !config.Failed {
			config.Measured = c.Measured
		}
		out.Configs = append(out.Configs, config)
	}
	if x := r.Correlation(); !math.IsNaN(x) {
		out.Correlation = &x
	}
	return out
}
