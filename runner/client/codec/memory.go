package codec

import (
	"bytes"
	"context"

	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

// returnedBytes is the size up to which a tensor that a launch may have written to is sent back with it: asking for it
// later would take longer than that.
const returnedBytes = 256 << 10

// memory is a buffer of the session on the runner, from the first launch on, and a copy here. At least one of them has
// the newest bytes, unless all are zeros. A runner that keeps no buffers is sent the copy with each launch.
type memory struct {
	owner  *Device
	use    *device.Guard // held by whoever uses the fields below
	number int64
	bytes  int
	copy   []byte // nil if the buffer is newer, or all bytes are zeros
	held   bool   // the runner's buffer has the newest bytes
	// session is the one that has or had the buffer. A session that the runner forgets takes its buffers along.
	session string
}

func (m *memory) Bytes() int {
	m.use.RLock()
	defer m.use.RUnlock()
	return m.bytes
}

func (m *memory) Write(at int, data []byte) error {
	m.use.Lock()
	defer m.use.Unlock()
	if err := m.checkRange(at, len(data)); err != nil {
		return err
	}
	if len(data) == m.bytes {
		m.copy = bytes.Clone(data)
	} else {
		// Tensors travel as a whole.
		if err := m.fetch(); err != nil {
			return err
		}
		copy(m.copy[at:], data)
	}
	m.held = false
	return nil
}

func (m *memory) Read(at int, into []byte) error {
	m.use.Lock()
	defer m.use.Unlock()
	if err := m.checkRange(at, len(into)); err != nil {
		return err
	}
	if err := m.fetch(); err != nil {
		return err
	}
	copy(into, m.copy[at:])
	// A large copy is the caller's now; asked again, the runner sends it again.
	if m.held && m.bytes > returnedBytes {
		m.copy = nil
	}
	return nil
}

func (m *memory) checkRange(at, n int) error {
	if at < 0 || at > m.bytes || n > m.bytes-at {
		return Failed("copy-out-of-range", at, n, m.bytes)
	}
	return nil
}

// fetch makes the copy the newest bytes.
func (m *memory) fetch() error {
	switch {
	case m.copy != nil:
		return nil
	case !m.held:
		m.copy = make([]byte, m.bytes)
		return nil
	case m.session != m.owner.runner.Session():
		return Failed("runner-buffer-unknown")
	}
	tensor := protocol.Tensor{Bytes: m.bytes, Buffer: m.number, Held: true, Return: true}
	j := &Job{Tensors: [][]byte{nil}, Submit: protocol.Submit{
		Device: m.owner.of.ID, Grid: []int{1, 1, 1}, Args: []protocol.Arg{}, Tensors: []protocol.Tensor{tensor}}}
	out, err := m.owner.runner.Run(context.Background(), j, nil)
	if err != nil {
		return err
	}
	m.copy = out.Results[0]
	return nil
}

// contents says how the memory travels with a launch.
func (m *memory) contents() (t protocol.Tensor, data []byte) {
	switch {
	case m.held:
		t = protocol.Tensor{Bytes: m.bytes, Held: true}
	case m.copy == nil:
		t = protocol.Tensor{Bytes: m.bytes, Zero: true}
	default:
		t, data = Whole(m.copy), m.copy
	}
	if m.owner.runner.Limits().Buffers > 0 {
		t.Buffer = m.number
	}
	return t, data
}

// ranIn notes what a job did to the memory, which was its i-th tensor. Where it never ran, nothing.
func (m *memory) ranIn(t *protocol.Tensor, written bool, out *Answer, i int, err error) {
	ran := err == nil || out.Done.State == protocol.StateFault || out.Done.Programs > 0
	if !ran || out.Results == nil { // or it was not answered as it should have been
		return
	}
	if t.Buffer > 0 {
		m.owner.runner.Kept(m.number)
		m.held, m.session = true, m.owner.runner.Session()
	}
	switch {
	case !written:
	case t.Return && out.Results != nil:
		m.copy = out.Results[i]
	case t.Buffer > 0:
		m.copy = nil
	}
	if m.held && m.bytes > returnedBytes {
		m.copy = nil
	}
}

func (m *memory) Free() {
	m.use.Lock()
	defer m.use.Unlock()
	m.owner.runner.Free(m.number)
	m.owner.lock.Lock()
	defer m.owner.lock.Unlock()
	m.owner.used -= m.bytes
	m.bytes, m.copy, m.held = 0, nil, false
}
