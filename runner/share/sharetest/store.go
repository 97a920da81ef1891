package sharetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/newtlab/newt/runner/share"
)

// Store holds a Store to its contract. It must be empty, with room for 200 small values.
func Store(t *testing.T, s share.Store) {
	ctx := t.Context()
	get := func(id, want string) {
		t.Helper()
		value, err := s.Get(ctx, id)
		if string(value) != want || (want == "") != errors.Is(err, share.ErrNotFound) {
			t.Errorf("Get(%q) = %q, %v, want %q", id, value, err, want)
		}
	}
	put := func(id, value string, want bool) {
		t.Helper()
		if created, err := s.Put(ctx, id, []byte(value), time.Time{}); created != want || err != nil {
			t.Errorf("Put(%q) = %v, %v, want %v", id, created, err, want)
		}
	}
	get("a", "")
	put("a", "one", true)
	put("a", "two", false)
	get("a", "one")
	put("A", "another", true)
	get("a", "one")
	if err := s.Delete(ctx, "a"); err != nil {
		t.Error(err)
	}
	if err := s.Delete(ctx, "a"); err != nil {
		t.Errorf("a second deletion: %v", err)
	}
	get("a", "")
	put("a", "three", true)
	put("'; DROP TABLE shares; --", "\x00\xff", true)
	get("'; DROP TABLE shares; --", "\x00\xff")
	onePutWins(t, s)
}

// onePutWins: of many at once, one is told that it created the value.
func onePutWins(t *testing.T, s share.Store) {
	const writers = 16
	var wins atomic.Int32
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			created, err := s.Put(t.Context(), "contended", fmt.Append(nil, i), time.Now().Add(time.Hour))
			if err != nil {
				t.Error(err)
			}
			if created {
				wins.Add(1)
			}
		})
	}
	wait.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d of %d writers of one id created it", wins.Load(), writers)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Get(gone, "nothing"); err == nil {
		t.Error("a value that is not there was found")
	}
}
