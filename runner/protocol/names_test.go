package protocol

import (
	"encoding/json"
	"testing"
)

// TestLimitNames: limits of time and of connections have the names that servers usually give them.
func TestLimitNames(t *testing.T) {
	text, err := json.Marshal(DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	var limits map[string]int64
	if err := json.Unmarshal(text, &limits); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"handshakeTimeoutMs", "uploadIdleTimeoutMs", "disconnectGraceMs", "resultTtlMs", "cancelGraceMs", "maxUnauthenticated",
	} {
		if limits[name] <= 0 {
			t.Errorf("no limit is called %s", name)
		}
	}
}
