package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
	"github.com/newtlab/newt/runner/sched"
)

// execute runs a job with the worker's scheduler, as a session with nothing else: what bounds a job there bounds it
// here. Its error means that the job has no outcome, and that another worker should run it.
func (a *attempt) execute(p *payload) (*sched.Outcome, error) {
	w := a.worker
	stream, why := w.sched.OpenFor(a.tenant, a.owner)
	if why != nil {
		return nil, errors.New(why.Code)
	}
	defer stream.Close()
	if why := stream.Submit(&p.submit); why != nil {
		return sched.Refused(why), nil
	}
	if err := upload(stream, p, w.options.Limits.ChunkBytes); err != nil {
		return nil, err
	}
	o, err := a.collect(stream, p)
	if err != nil {
		return nil, err
	}
	o.DeviceTime = stream.DeviceTime()
	if why := o.Done.Reason; why != nil && why.Code == "runner-total-memory" && a.hasCompany() {
		return nil, errNoRoom
	}
	if a.doubtful(o) {
		if err := probe(w.options.Device.Device); err != nil {
			w.loseDevice(err)
			return nil, fmt.Errorf("the device was lost: %w", err)
		}
	}
	stream.Release(p.submit.Job)
	return o, nil
}

// hasCompany reports whether the worker has other jobs.
func (a *attempt) hasCompany() bool {
	a.worker.mu.Lock()
	defer a.worker.mu.Unlock()
	return len(a.worker.current) > 1
}

// upload gives the kernel and the tensors to the scheduler.
func upload(stream *sched.Stream, p *payload, chunk int) error {
	if err := uploadPart(stream, protocol.Header{Kind: protocol.IRFrame, Job: p.submit.Job}, p.ir); err != nil {
		return err
	}
	at := 0
	for i, t := range p.submit.Tensors {
		if !t.Sent() {
			continue
		}
		h := protocol.Header{Kind: protocol.TensorFrame, Tensor: i, Job: p.submit.Job}
		if err := uploadPart(stream, h, p.tensors[at:at+t.Bytes]); err != nil {
			return err
		}
		at += t.Bytes
	}
	return nil
}

func uploadPart(stream *sched.Stream, h protocol.Header, data []byte) error {
	for len(data) > 0 {
		into, why := stream.UploadBuffer(h, len(data))
		if why != nil {
			return errors.New(why.Code)
		}
		if into == nil {
			return nil // the job has ended: its kernel was refused, or its memory
		}
		n := copy(into, data)
		stream.Uploaded(h, n)
		data, h.Offset = data[n:], h.Offset+int64(n)
	}
	return nil
}

// collect reads the events of a job to its end.
func (a *attempt) collect(stream *sched.Stream, p *payload) (*sched.Outcome, error) {
	o, cancelled := &sched.Outcome{}, a.ctx.Done()
	results := make([][][]byte, len(p.submit.Tensors))
	for {
		for f, ok := stream.Next(); ok; f, ok = stream.Next() {
			if f.Message == nil {
				results[f.Header.Tensor] = append(results[f.Header.Tensor], f.Payload)
				o.Results = results
				continue
			}
			var m protocol.ServerMessage
			if err := json.Unmarshal(f.Message, &m); err != nil {
				return nil, err
			}
			if a.add(o, &m); m.Done != nil {
				if m.Done.State == protocol.StateDone {
					o.Results = results // none of them may have a byte
				}
				return o, a.noOutcome()
			}
		}
		select {
		case <-stream.Wake():
		case <-cancelled:
			cancelled = nil
			stream.Cancel(p.submit.Job)
		}
	}
}

// noOutcome is why the end of a job is not its outcome.
func (a *attempt) noOutcome() error {
	if why := context.Cause(a.ctx); errors.Is(why, errDraining) || errors.Is(why, errGone) {
		return why
	}
	return nil
}

// add adds an event to an outcome.
func (a *attempt) add(o *sched.Outcome, m *protocol.ServerMessage) {
	switch {
	case m.Started != nil:
		a.worker.mu.Lock()
		a.running = true
		a.worker.mu.Unlock()
	case m.Progress != nil:
		a.worker.mu.Lock()
		a.progress = m.Progress
		a.worker.mu.Unlock()
	case m.Compiled != nil:
		o.Compiled = m.Compiled
	case m.Diagnostics != nil:
		o.Diagnostics = m.Diagnostics
	case m.Prints != nil:
		o.Prints = m.Prints
	case m.Timings != nil:
		o.Timings = m.Timings
	case m.SASS != nil:
		o.SASS = m.SASS
	case m.Done != nil:
		o.Done = *m.Done
	}
}

// doubtfulCodes are the faults that may come from the device and not from the kernel.
var doubtfulCodes = []string{"device-lost", "runner-internal", "runner-stuck"}

// doubtful reports whether a job ended as it would if the device were broken.
func (a *attempt) doubtful(o *sched.Outcome) bool {
	for _, why := range []*protocol.Diagnostic{o.Done.Fault, o.Done.Reason} {
		if why != nil && slices.Contains(doubtfulCodes, why.Code) {
			return true
		}
	}
	return false
}

// probeBytes is the memory that probe writes and reads back.
const probeBytes = 4 << 10

// probe returns an error if a device does not keep what is written to its memory.
func probe(d device.Device) error {
	if divisible, ok := d.(device.Divisible); ok {
		part, err := divisible.Part("")
		if err != nil {
			return err
		}
		defer part.Close()
		d = part
	}
	m, err := d.Alloc(probeBytes)
	if err != nil {
		return err
	}
	defer m.Free()
	written, read := make([]byte, probeBytes), make([]byte, probeBytes)
	for i := range written {
		written[i] = byte(i*7 + 1)
	}
	if err := m.Write(0, written); err != nil {
		return err
	}
	if err := m.Read(0, read); err != nil {
		return err
	}
	if !slices.Equal(written, read) {
		return errors.New("its memory does not keep what is written to it")
	}
	return nil
}
