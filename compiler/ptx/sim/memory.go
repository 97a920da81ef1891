package sim

import (
	"fmt"
	"slices"
	"sync"
)

const (
	firstAddress = 0x7f00_0000_0000
	guardBytes   = 1 << 32 // between allocations: a wild offset of 32 bits hits nothing
	lastAddress  = 1 << 62
	alignment    = 256 // of allocations, as cuMemAlloc has it
)

// Memory is a device's global memory: allocations at addresses that are never given out twice, so
// that a pointer that is too long, or freed, is always found. Launches on one Memory must not run at
// the same time.
type Memory struct {
	mu     sync.Mutex
	limit  int64
	used   int64
	next   uint64
	blocks []*allocation // by address
}

type allocation struct {
	base  uint64
	data  []byte
	pages map[int][]byte // of borrowed memory: those that were written to, as they were before
}

// pageBytes is how much of borrowed memory is kept at a time.
const pageBytes = 1 << 12

// NewMemory is empty memory that gives out up to limit bytes; 0 stands for 16 GiB.
func NewMemory(limit int64) *Memory {
	if limit <= 0 {
		limit = 16 << 30
	}
	return &Memory{limit: limit, next: firstAddress}
}

// Alloc gives the address of n zero bytes, a multiple of 256. It fails where the limit is reached
// or n is negative.
func (m *Memory) Alloc(n int64) (uint64, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n < 0 || n > m.limit-m.used || m.next >= lastAddress {
		return 0, fmt.Errorf("out of memory: %d bytes asked for, %d of %d in use", n, m.used, m.limit)
	}
	m.used += n
	return m.add(&allocation{data: make([]byte, n)}), nil
}

// add gives an allocation its address.
func (m *Memory) add(a *allocation) uint64 {
	a.base = m.next
	m.blocks = append(m.blocks, a)
	m.next += (uint64(len(a.data))+alignment-1)&^(alignment-1) + guardBytes
	return a.base
}

// Borrow gives an address to bytes of the caller's, until Restore undoes what launches have stored there.
func (m *Memory) Borrow(data []byte) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.add(&allocation{data: data, pages: map[int][]byte{}})
}

// Restore gives all that was borrowed back as it was.
func (m *Memory) Restore() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blocks = slices.DeleteFunc(m.blocks, func(a *allocation) bool {
		for i, page := range a.pages {
			copy(a.data[i*pageBytes:], page)
		}
		return a.pages != nil
	})
}

// keep keeps the pages of borrowed memory that n bytes at an address, which are about to be written to, lie in.
func (a *allocation) keep(address uint64, n int) {
	for i := int(address-a.base) / pageBytes; i*pageBytes < int(address-a.base)+n; i++ {
		if a.pages[i] == nil {
			a.pages[i] = slices.Clone(a.data[i*pageBytes : min((i+1)*pageBytes, len(a.data))])
		}
	}
}

// Free gives an allocation back. The address must be one that Alloc gave.
func (m *Memory) Free(address uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	i, ok := m.index(address)
	if !ok || m.blocks[i].base != address {
		return fmt.Errorf("%#x is not the address of an allocation", address)
	}
	m.used -= int64(len(m.blocks[i].data))
	m.blocks = slices.Delete(m.blocks, i, i+1)
	return nil
}

// Write copies data to the device.
func (m *Memory) Write(address uint64, data []byte) error {
	b, err := m.bytes(address, len(data))
	copy(b, data)
	return err
}

// Read copies len(data) bytes from the device.
func (m *Memory) Read(address uint64, data []byte) error {
	b, err := m.bytes(address, len(data))
	copy(data, b)
	return err
}

func (m *Memory) bytes(address uint64, n int) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	a := m.find(address)
	b := a.slice(address, n)
	if b == nil {
		return nil, fmt.Errorf("%d bytes at %#x are not within one allocation", n, address)
	}
	return b, nil
}

// index is the last allocation at or below the address.
func (m *Memory) index(address uint64) (int, bool) {
	i, found := slices.BinarySearchFunc(m.blocks, address, func(a *allocation, x uint64) int {
		switch {
		case a.base < x:
			return -1
		case a.base > x:
			return 1
		}
		return 0
	})
	if !found {
		i--
	}
	return i, i >= 0
}

func (m *Memory) find(address uint64) *allocation {
	if i, ok := m.index(address); ok {
		return m.blocks[i]
	}
	return nil
}

// slice is the n bytes at an address, nil where they are not all within the allocation.
func (a *allocation) slice(address uint64, n int) []byte {
	if a == nil || address < a.base {
		return nil
	}
	off := address - a.base
	if off > uint64(len(a.data)) || uint64(n) > uint64(len(a.data))-off {
		return nil
	}
	return a.data[off : off+uint64(n) : off+uint64(n)]
}
