package code

import (
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/runner/protocol"
)

// estimateRequest asks for an estimate of add_one on n elements, which are zeros, by programs of some warps.
func estimateRequest(t *testing.T, n, warps int, change func(*protocol.Submit)) string {
	return strings.Replace(lensRequest(t, n, change), `"launch":`, fmt.Sprintf(`"estimate":true,"numWarps":%d,"launch":`, warps), 1)
}

// TestEstimate: 128 MiB, read and written at an H100's 3.35 TB/s, take some 80 µs, though only a few programs are
// simulated; a few elements take next to nothing, and what a GPU refuses is said as a runner says it.
func TestEstimate(t *testing.T) {
	same := func(*protocol.Submit) {}
	small := ask(t, estimateRequest(t, 1000, 4, same))
	large := ask(t, estimateRequest(t, 1<<25, 4, same))
	for _, r := range []Reply{small, large} {
		if r.Expected == nil || r.Lens != nil || r.Error != "" || !strings.Contains(r.Ended, `"state":"done"`) {
			t.Fatalf("%+v", r)
		}
	}
	if x := large.Expected; x.MS < 0.04 || x.MS > 0.3 || x.Bound == "" {
		t.Errorf("%+v", x)
	}
	if x := small.Expected; x.MS <= 0 || x.MS > 0.01 || x.Bound != "latency" {
		t.Errorf("%+v", x)
	}
	for code, text := range map[string]string{
		"too-many-threads": estimateRequest(t, 1000, 128, func(s *protocol.Submit) { s.NumWarps = 128 }),
		"launch-arguments": estimateRequest(t, 1000, 4, func(s *protocol.Submit) { s.Args = s.Args[:1] }),
	} {
		r := ask(t, text)
		if r.Expected != nil || r.Error != "" || !strings.Contains(r.Ended, `"state":"fault","fault":{"code":"`+code) {
			t.Errorf("%s: %+v", code, r)
		}
	}
	if r := ask(t, estimateRequest(t, 1000, 4, func(s *protocol.Submit) { s.Grid = nil })); r.Error == "" {
		t.Errorf("%+v", r)
	}
}
