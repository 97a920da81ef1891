package fleet

import "testing"

// TestStoppedJobGivenBack: a job that was stopped ends when its worker gives it back, and any other waits for the next
// worker.
func TestStoppedJobGivenBack(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		j := &job{stopped: stopped, lease: &lease{key: "lease", worker: "worker"}, done: make(chan struct{})}
		g := &Gateway{leases: map[string]*job{"lease": j}}
		g.giveBack(j, request{})
		if j.ended != stopped || j.lease != nil || len(g.leases) != 0 {
			t.Errorf("stopped %v: ended %v, lease %v", stopped, j.ended, j.lease)
		}
	}
}
