package cli

import (
	"strings"
	"testing"
)

// TestOutOfResources: what Triton refuses for want of shared memory is reported in its words. A launch is made with fewer
// stages, or refused under --strict; triton.autotune passes over such a config.
func TestOutOfResources(t *testing.T) {
	const file = "testdata/out_of_resources.py"
	const words = "out of resource: shared memory, Required: 491520, Hardware limit: 232448. Reducing block sizes or `num_stages` may help."
	stdout, stderr, status := newt(t, "run", file, "--device", "cpu")
	if status != exitOK || stdout != "2\n196608 16777216.0\n" {
		t.Errorf("status %d: %s", status, stdout)
	}
	for _, said := range []string{"warning[triton-shared-memory]: Triton refuses this launch of `product` on sm_90a", words,
		"hint[metadata-shared]"} {
		if strings.Count(stderr, said) != 1 {
			t.Errorf("%q is not said once:\n%s", said, stderr)
		}
	}
	if stdout, stderr, status := newt(t, "run", "--strict", file, "--device", "cpu"); status != exitOK || stdout != "2\n"+words+"\n" {
		t.Errorf("status %d: %s%s", status, stdout, stderr)
	}
	if _, stderr, _ := newt(t, "tune", file, "--device", "cpu"); strings.Count(stderr, "needs too much") != 1 {
		t.Error(stderr)
	}
}
