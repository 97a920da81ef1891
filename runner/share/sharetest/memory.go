package sharetest

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/newtlab/newt/runner/share"
)

// Memory is a Store in memory. Its zero value is empty.
type Memory struct {
	mu     sync.Mutex
	values map[string][]byte
}

// Put implements share.Store; it forgets nothing.
func (m *Memory) Put(_ context.Context, id string, value []byte, _ time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil {
		m.values = map[string][]byte{}
	}
	if _, taken := m.values[id]; taken {
		return false, nil
	}
	m.values[id] = bytes.Clone(value)
	return true, nil
}

// Get implements share.Store.
func (m *Memory) Get(_ context.Context, id string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, ok := m.values[id]
	if !ok {
		return nil, share.ErrNotFound
	}
	return bytes.Clone(value), nil
}

// Delete implements share.Store.
func (m *Memory) Delete(_ context.Context, id string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.values, id)
	return nil
}

// Len is the number of values.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.values)
}
