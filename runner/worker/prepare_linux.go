package worker

import (
	"os/exec"
	"syscall"
)

// prepare gives the child a process group of its own, so that Ctrl+C reaches this process alone;
// the child ends with it all the same, because its input does.
func prepare(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
