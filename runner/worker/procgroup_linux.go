package worker

import (
	"os/exec"
	"syscall"
)

// setProcessGroup starts the child in its own process group, so that Ctrl+C reaches only this process. The child still
// ends when this process does, since its standard input is closed then.
func setProcessGroup(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
