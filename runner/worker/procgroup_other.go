//go:build !linux

package worker

import "os/exec"

// setProcessGroup does nothing here: a child ends when its standard input is closed.
func setProcessGroup(*exec.Cmd) {}
