package sched

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// turn is one that was admitted.
func turn(t *testing.T, s *Scheduler, owner string) *Turn {
	t.Helper()
	one, why := s.Admit(t.Context(), owner, 100)
	if why != nil {
		t.Fatal(why.Code)
	}
	t.Cleanup(one.End)
	return one
}

// TestTurns: as many turns of a kind begin as there are processors, and then the client is next that used least.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := onCPU(t, nil)
		var ends []func()
		for range runtime.GOMAXPROCS(0) {
			ends = append(ends, turn(t, s, "greedy").Start(t.Context(), false))
		}
		time.Sleep(time.Second)
		order := make(chan string, 3)
		for _, owner := range []string{"greedy", "greedy", "other"} {
			one := turn(t, s, owner)
			go func() {
				end := one.Start(t.Context(), false)
				order <- owner
				time.Sleep(time.Second)
				end()
			}()
			synctest.Wait()
		}
		turn(t, s, "other").Start(t.Context(), true)() // quick ones have places of their own
		if len(order) > 0 {
			t.Error("a turn began that had no place")
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if turn(t, s, "gone").Start(gone, false) != nil {
			t.Error("a turn began whose client has gone")
		}
		ends[0]()
		if first := <-order; first != "other" {
			t.Errorf("%s is next", first)
		}
		for _, end := range ends[1:] {
			end()
		}
		<-order
		<-order
		time.Sleep(2 * time.Second)
		for kind, p := range s.places {
			if p.taken != 0 || len(p.waiting) != 0 {
				t.Errorf("%d places of kind %d are taken, %d turns wait", p.taken, kind, len(p.waiting))
			}
		}
	})
}

// TestTurnLimits: a client has as many turns as its share, all together as many as is said, and none are left when the
// client is revoked or the scheduler closes.
func TestTurnLimits(t *testing.T) {
	s := onCPU(t, nil)
	s.SetShare(Person("ada"), Share{Jobs: 2})
	first := turn(t, s, Person("ada"))
	turn(t, s, Person("ada"))
	if _, why := s.Admit(t.Context(), Person("ada"), 100); why == nil || why.Code != "runner-client-full" {
		t.Errorf("a third turn: %v", why)
	}
	if _, why := s.Admit(t.Context(), "192.0.2.1", 2); why == nil || why.Code != "runner-queue-full" {
		t.Errorf("a turn of too many: %v", why)
	}
	other := turn(t, s, "192.0.2.1")
	if s.Revoke(Person("ada")); first.Err() == nil || other.Err() != nil {
		t.Errorf("after one client was revoked: %v, %v", first.Err(), other.Err())
	}
	s.Stop(t.Context(), 0)
	if s.Close(t.Context()); other.Err() == nil {
		t.Error("a turn goes on when the scheduler is closed")
	}
	if _, why := s.Admit(t.Context(), "192.0.2.1", 100); why == nil || why.Code != "runner-stopping" {
		t.Errorf("after the end: %v", why)
	}
}
