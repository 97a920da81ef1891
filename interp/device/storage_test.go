package device_test

import (
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/newtlab/newt/interp/device"
)

// far is a device that counts what is copied to its memory, and from it.
type far struct {
	device.Device
	room               atomic.Int64 // the collector frees, too
	toDevice, fromHere int
	lost               error
}

func newFar(room int64) *far {
	f := &far{}
	f.room.Store(room)
	return f
}

func (f *far) Alloc(bytes int) (device.Memory, error) {
	if f.room.Add(-int64(bytes)) < 0 {
		f.room.Add(int64(bytes))
		return nil, errors.New("no room")
	}
	return &farMemory{f, make([]byte, bytes)}, nil
}

type farMemory struct {
	of   *far
	data []byte
}

func (m *farMemory) Bytes() int { return len(m.data) }
func (m *farMemory) Write(at int, data []byte) error {
	m.of.toDevice += copy(m.data[at:], data)
	return m.of.lost
}
func (m *farMemory) Read(at int, into []byte) error {
	if m.of.lost == nil {
		m.of.fromHere += copy(into, m.data[at:])
	}
	return m.of.lost
}
func (m *farMemory) Free() { m.of.room.Add(int64(len(m.data))) }

// on launches a kernel that adds 1 to each byte, or one that only reads.
func on(t *testing.T, s *device.Storage, d device.Device, writes bool) {
	t.Helper()
	m, err := s.On(d)
	if err != nil {
		t.Fatal(err)
	}
	if writes {
		for i := range m.(*farMemory).data {
			m.(*farMemory).data[i]++
		}
		s.Changed()
	}
}

func read(t *testing.T, s *device.Storage) []byte {
	t.Helper()
	data, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestStorage: what a side has already is not copied to it, whatever launches and whoever looks how often.
func TestStorage(t *testing.T) {
	d, other := newFar(100), newFar(100)
	s := device.NewStorage(4)
	copied := func(to, from int) {
		t.Helper()
		if d.toDevice != to || d.fromHere != from {
			t.Errorf("%d bytes to the device and %d back, want %d and %d", d.toDevice, d.fromHere, to, from)
		}
	}
	on(t, s, d, true)
	on(t, s, d, true)
	copied(0, 0) // zeros need no copy
	for range 2 {
		if got := read(t, s); !slices.Equal(got, []byte{2, 2, 2, 2}) {
			t.Errorf("after two launches: %v", got)
		}
	}
	copied(0, 4)
	on(t, s, d, false)
	read(t, s)
	copied(0, 4)
	data, _ := s.Write()
	data[0] = 9
	on(t, s, d, true)
	copied(4, 4)
	on(t, s, d, false)
	copied(4, 4)
	on(t, s, other, false) // it moves
	if copied(4, 8); other.toDevice != 4 || d.room.Load() != 100 {
		t.Errorf("%d bytes to the other device; %d bytes free on the first", other.toDevice, d.room.Load())
	}
	if got := read(t, s); !slices.Equal(got, []byte{10, 3, 3, 3}) {
		t.Errorf("on the other device: %v", got)
	}
	s.Clear()
	on(t, s, d, true)
	if got := read(t, s); !slices.Equal(got, []byte{1, 1, 1, 1}) || d.toDevice != 4 {
		t.Errorf("cleared: %v after %d bytes to the device", got, d.toDevice)
	}
}

// TestStorageGarbage: a device without room is asked again once garbage has been freed.
func TestStorageGarbage(t *testing.T) {
	d := newFar(6)
	on(t, device.NewStorage(4), d, true)
	s := device.NewStorage(4)
	for range 100 { // the collector decides when
		if m, err := s.On(d); err == nil && m != nil {
			return
		}
		runtime.GC()
	}
	t.Error("memory that nobody has any more is never freed")
}

// TestStorageLost: a device that is lost takes the bytes with it that only it had.
func TestStorageLost(t *testing.T) {
	d := newFar(100)
	s, kept := device.NewStorage(4), device.StorageOf([]byte{1, 2})
	on(t, s, d, true)
	on(t, kept, d, false)
	d.lost = errors.New("lost")
	if _, err := s.Read(); !errors.Is(err, d.lost) {
		t.Errorf("reading gave %v", err)
	}
	if got := read(t, kept); !slices.Equal(got, []byte{1, 2}) {
		t.Errorf("%v", got)
	}
}
