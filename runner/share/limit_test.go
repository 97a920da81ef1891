package share

import (
	"fmt"
	"testing"
	"time"
)

func TestBuckets(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBuckets(2, 3*time.Second)
	b.now = func() time.Time { return now }
	wait := func(client string, want time.Duration) {
		t.Helper()
		if got, err := b.Wait(t.Context(), client); got != want || err != nil {
			t.Errorf("%s waits %v, %v, want %v", client, got, err, want)
		}
	}
	wait("a", 0)
	wait("a", 0)
	wait("a", 3*time.Second)
	wait("b", 0)
	now = now.Add(time.Second)
	wait("a", 2*time.Second)
	now = now.Add(2 * time.Second)
	wait("a", 0)
	wait("a", 3*time.Second)
}

// TestBucketsAreBounded: many addresses take neither memory without end nor the turn of those known.
func TestBucketsAreBounded(t *testing.T) {
	now := time.Unix(0, 0)
	b := NewBuckets(2, time.Second)
	b.now = func() time.Time { return now }
	for i := range maxClients + 1000 {
		b.Wait(t.Context(), fmt.Sprint(i))
	}
	if len(b.clients) != maxClients {
		t.Errorf("%d clients are known", len(b.clients))
	}
	if wait, _ := b.Wait(t.Context(), "0"); wait != 0 {
		t.Errorf("a known client waits %v", wait)
	}
	now = now.Add(time.Minute)
	if wait, _ := b.Wait(t.Context(), "new"); wait != 0 || len(b.clients) != 1 {
		t.Errorf("after a minute a new client waits %v beside %d others", wait, len(b.clients))
	}
}
