package device

import (
	"runtime"
	"unsafe"
)

// Storage is memory with a copy in this process and one on a device, of which at least one has the newest bytes.
// Looking at one side copies from the other where that is ahead, once: what stays on one side is never copied. It is
// for one goroutine.
//
// The copy on the device is freed by Release, or when the Storage is garbage.
type Storage struct {
	bytes  int
	host   []byte // nil as long as it would be zeros, or nobody has looked at it
	remote Memory // nil as long as no launch has asked for it
	on     Device // that remote belongs to

	// Undefined says that nobody has written to the memory since it was made without a value, as by torch.empty. Write
	// and Changed clear it.
	Undefined bool

	hostStale, remoteStale bool // the other side has newer bytes; never both
	free                   runtime.Cleanup
}

// NewStorage is memory of zeros. It takes none before somebody looks at it.
func NewStorage(bytes int) *Storage { return &Storage{bytes: bytes} }

// StorageOf is memory whose copy in this process is data, which the caller shares until it is cleared.
func StorageOf(data []byte) *Storage { return &Storage{bytes: len(data), host: data} }

// Len is the number of bytes.
func (s *Storage) Len() int { return s.bytes }

// IsBlank reports whether the memory is zeros that nobody has looked at.
func (s *Storage) IsBlank() bool { return s.host == nil && s.remote == nil }

// Read gives the newest bytes, which the caller must not change. They begin at a multiple of 8. The error is the
// device's, and the bytes are then those that were last copied here.
func (s *Storage) Read() (data []byte, err error) {
	if s.host == nil {
		s.host = alignedBytes(s.bytes)
	}
	if s.hostStale {
		if err = s.remote.Read(0, s.host); err == nil {
			s.hostStale = false
		}
	}
	return s.host, err
}

// alignedBytes are zeros at a multiple of 8: a GPU's memory is aligned as well, so that kernels specialize alike.
func alignedBytes(n int) []byte {
	words := make([]uint64, (n+7)/8)
	if len(words) == 0 {
		return []byte{}
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// Write is Read for a caller who changes the bytes before anything else happens to the Storage.
func (s *Storage) Write() ([]byte, error) {
	data, err := s.Read()
	s.remoteStale = s.remote != nil && err == nil
	s.Undefined = false
	return data, err
}

// Clear makes all bytes zero, and copies nothing: both sides begin anew.
func (s *Storage) Clear() {
	s.Release()
	s.host, s.Undefined = nil, false
}

// On gives memory of d with the newest bytes, for a launch; Changed says afterwards that the launch has written to it.
// A device that launches in place is given this process's copy.
func (s *Storage) On(d Device) (Memory, error) {
	if in, ok := d.(InPlace); ok {
		data, err := s.Write()
		return in.Wrap(data), err
	}
	if s.remote != nil && s.on != d {
		if _, err := s.Read(); err != nil {
			return nil, err
		}
		s.Release()
	}
	if s.remote == nil {
		if err := s.allocate(d); err != nil {
			return nil, err
		}
	}
	if s.remoteStale {
		if err := s.remote.Write(0, s.host); err != nil {
			return nil, err
		}
		s.remoteStale = false
	}
	return s.remote, nil
}

// allocate makes the copy on d, of zeros: it is stale where this process has other bytes.
func (s *Storage) allocate(d Device) error {
	m, err := d.Alloc(s.bytes)
	// Other Storages are freed when the collector finds them to be garbage, so it is asked before a launch is refused.
	for try := 0; err != nil && try < 3; try++ {
		runtime.GC()
		runtime.Gosched()
		m, err = d.Alloc(s.bytes)
	}
	if err != nil {
		return err
	}
	s.remote, s.on, s.remoteStale = m, d, s.host != nil
	s.free = runtime.AddCleanup(s, Memory.Free, m)
	return nil
}

// Changed says that a launch has written to the memory that On gave.
func (s *Storage) Changed() { s.hostStale, s.Undefined = s.remote != nil, false }

// Release frees the copy on the device, and what only that copy had.
func (s *Storage) Release() {
	if s.remote == nil {
		return
	}
	s.free.Stop()
	s.remote.Free()
	s.remote, s.on, s.hostStale, s.remoteStale = nil, nil, false, false
}
