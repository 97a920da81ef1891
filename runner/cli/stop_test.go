package cli

import (
	"bufio"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// asNewt is set in the environment of a process of this test that is to be newt itself.
const asNewt = "NEWT_TEST_IS_NEWT"

func TestMain(m *testing.M) {
	if role := chaosRoles[os.Getenv(chaosRole)]; role != nil {
		role()
	}
	if os.Getenv(asNewt) != "" {
		os.Exit(Main(System(), os.Args[1:]))
	}
	os.Exit(m.Run())
}

// patience is how long a test waits for a program to stop.
const patience = 20 * time.Second

// TestRunStops ends a script in the middle of one long step.
func TestRunStops(t *testing.T) {
	script := write(t, "import torch\na = torch.ones(6000, 6000)\nprint('started', flush=True)\na @ a\nprint('not reached')\n")
	newt := exec.Command(os.Args[0], "run", script, "--device", "cpu")
	newt.Env = append(os.Environ(), asNewt+"=1")
	out, err := newt.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := newt.Start(); err != nil {
		t.Fatal(err)
	}
	defer newt.Process.Kill()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "started" {
		t.Fatalf("printed %q", lines.Text())
	}
	if err := newt.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	asked := time.Now()
	if lines.Scan() {
		t.Errorf("went on to %q", lines.Text())
	}
	if newt.Wait() == nil {
		t.Error("exit status 0")
	}
	if took := time.Since(asked); took > patience {
		t.Errorf("ended %v after the signal", took)
	}
}
