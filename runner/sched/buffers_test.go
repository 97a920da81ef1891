package sched

import (
	"context"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/runner/protocol"
)

// buffering is a scheduler with a CPU, until the end of the test.
func buffering(t *testing.T, limits protocol.Limits) *Scheduler {
	t.Helper()
	s := New(Options{Devices: []Device{{"cpu", cpu.New(cpu.Options{Workers: 1})}}, Limits: limits})
	t.Cleanup(func() {
		s.Stop(t.Context(), 0)
		s.Close(context.Background())
	})
	return s
}

// upload sends the contents of a job's first tensor, zeros.
func (p *program) upload(job int64, bytes int) {
	p.t.Helper()
	for at := 0; at < bytes; {
		h := protocol.Header{Kind: protocol.TensorFrame, Job: job, Offset: int64(at)}
		into, why := p.st.UploadBuffer(h, bytes-at)
		if why != nil || len(into) == 0 {
			p.t.Fatalf("job %d takes no contents from byte %d on: %+v", job, at, why)
		}
		p.st.Uploaded(h, len(into))
		at += len(into)
	}
}

// TestBufferCharge: a buffer that is sent with its contents is charged once; one that also returns is charged as a
// result, too, which the host keeps besides.
func TestBufferCharge(t *testing.T) {
	const bytes = 20_000
	for _, c := range []struct {
		returns bool
		state   string
		charged int64 // when the job is released
	}{{false, protocol.StateDone, bytes}, {true, protocol.StateRefused, 0}} {
		limits := protocol.DefaultLimits()
		limits.ClientBytes = bytes * 3 / 2
		s := buffering(t, limits)
		p := s.program(t, "10.0.0.1")
		job := p.submit(wireOf(t, nothing), func(s *protocol.Submit) {
			s.Tensors[0] = protocol.Tensor{Bytes: bytes, Buffer: 7, Return: c.returns}
		})
		p.upload(job, bytes)
		if done := p.done(job); done.State != c.state {
			t.Errorf("%+v: it ends in %+v", c, done)
		}
		p.st.Release(job)
		if _, charged := s.Usage(); charged != c.charged {
			t.Errorf("%+v: %d bytes are charged in the end", c, charged)
		}
	}
}

// TestSuspendedBuffer: a job whose tensor is a buffer, which takes most of what its client may have, gives way to
// another client's: it needs no more memory while it is suspended.
func TestSuspendedBuffer(t *testing.T) {
	limits := protocol.DefaultLimits()
	limits.ClientBytes = 100_000
	s := buffering(t, limits)
	long, short := s.program(t, "10.0.0.1"), s.program(t, "10.0.0.2")
	job := long.submit(wireOf(t, endless), func(s *protocol.Submit) {
		s.Tensors[0] = protocol.Tensor{Bytes: 80_000, Buffer: 7, Zero: true}
		s.DeadlineMS = 300_000
	})
	if done := short.done(short.submit(wireOf(t, nothing), nil)); done.State != protocol.StateDone {
		t.Errorf("the other client's job ends in %+v", done)
	}
	if long.st.Idle() {
		t.Error("the other client's job waits for the end of the one with the buffer")
	}
	long.st.Cancel(job)
	long.done(job)
}

// TestFreeBeforeEnd: a buffer that is freed before its job has made it goes when the last job that names it has ended.
func TestFreeBeforeEnd(t *testing.T) {
	tensor := protocol.Tensor{Bytes: 4, Buffer: 7}
	sent := func(s *protocol.Submit) { s.Tensors[0] = tensor }
	held := func(s *protocol.Submit) {
		s.Tensors = []protocol.Tensor{{Bytes: tensor.Bytes}, {Bytes: tensor.Bytes, Buffer: tensor.Buffer, Held: true}}
	}
	for name, c := range map[string]struct {
		before, after func(*protocol.Submit) // jobs before the one that is freed, and after the message
		stays         bool
	}{
		"new":           {},
		"replaces":      {before: sent},
		"used later":    {after: held},
		"made again":    {after: sent, stays: true},
		"replaced once": {before: sent, after: sent, stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := buffering(t, protocol.DefaultLimits())
			p := s.program(t, "10.0.0.1")
			if c.before != nil {
				job := p.submit(wireOf(t, nothing), c.before)
				p.upload(job, tensor.Bytes)
				p.done(job)
			}
			jobs := []int64{p.submit(wireOf(t, nothing), sent)} // it waits for the contents
			if why := p.st.Free([]int64{tensor.Buffer}); why != nil {
				t.Fatal(why.Code)
			}
			if c.after != nil {
				jobs = append(jobs, p.submit(wireOf(t, nothing), c.after))
			}
			for _, job := range jobs {
				p.upload(job, tensor.Bytes)
				if done := p.done(job); done.State != protocol.StateDone {
					t.Errorf("job %d ends in %+v", job, done)
				}
			}
			for job := range p.n {
				p.st.Release(job + 1)
			}
			if _, charged := s.Usage(); (charged != 0) != c.stays {
				t.Errorf("%d bytes are charged in the end", charged)
			}
		})
	}
}
