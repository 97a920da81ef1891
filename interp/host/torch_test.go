package host

import "testing"

// TestTorchScripts compares the scripts of testdata/torch with what torch 2.11 is expected to print on a machine with an
// NVIDIA H200. Their .out files are read against torch's documentation and source, not recorded: what was recorded is
// in testdata/recorded.
func TestTorchScripts(t *testing.T) { compareScripts(t, "torch") }
