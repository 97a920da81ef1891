package soak

import (
	"runtime"
	"testing"
)

func TestTiers(t *testing.T) {
	short := testing.Short() || runtime.GOARCH == "wasm"
	for _, c := range []struct {
		soak         string
		times, least uint64 // in place of 50 times; where tests are short or interpreted
		taken, few   int    // of 12 cases, one of two
		variants     int    // of two
		skipped      bool   // a test for the soak alone
	}{
		{"", 50, 5, 6, 2, 1, true},
		{"1", 500, 500, 12, 12, 2, false},
	} {
		t.Setenv("NEWT_SOAK", c.soak)
		if short {
			c.times, c.taken = c.least, c.few
		}
		if got := Times(50); got != c.times {
			t.Errorf("%+v: %d times", c, got)
		}
		taken := 0
		for i := range 12 {
			if !Skips(i, 2) {
				taken++
			}
		}
		if taken != c.taken {
			t.Errorf("%+v: %d cases", c, taken)
		}
		if got := len(Variants("en", "zh")); got != c.variants {
			t.Errorf("%+v: %d variants", c, got)
		}
		ran := false
		t.Run("only", func(t *testing.T) {
			Only(t, "nothing")
			ran = true
		})
		if ran == c.skipped {
			t.Errorf("%+v: a test for the soak alone ran: %v", c, ran)
		}
	}
}
