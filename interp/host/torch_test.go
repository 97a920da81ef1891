package host

import "testing"

// TestTorchScripts compares the scripts of testdata/torch with what torch 2.11 prints on a machine with an NVIDIA H200.
// They are recorded, but for those whose first line says that they are not, and the ends of modules.py (from custom_fwd
// on) and of utils.py (from custom_op on).
func TestTorchScripts(t *testing.T) { compareScripts(t, "torch") }
