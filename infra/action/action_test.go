// Package action holds the action of GitHub that has newt look at a repository's kernels.
package action

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestScript: the words of the command reach newt as they are, with the format, and its status is the script's.
func TestScript(t *testing.T) {
	script, err := filepath.Abs("newt.sh")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	newt := filepath.Join(folder, "newt")
	said := "#!/bin/sh\nprintf '<%s>' \"$@\"\nexit 3\n"
	if err := os.WriteFile(newt, []byte(said), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		command, sarif, out, file string
		status                    int
	}{
		{command: "check .", out: "<check><--format><github><.>", status: 3},
		{command: "judge  a.py --against b*.py $HOME", status: 3,
			out: "<judge><--format><github><a.py><--against><b*.py><$HOME>"},
		{command: "check .", sarif: "found.sarif", file: "<check><--format><sarif><.>", status: 3},
		{command: "serve", out: "::error title=newt::the command is check, judge or replay, not serve\n", status: 2},
		{command: "check;false", out: "::error title=newt::the command is check, judge or replay, not check;false\n", status: 2},
	} {
		run := exec.CommandContext(t.Context(), "sh", script)
		run.Dir = folder
		run.Env = append(os.Environ(), "NEWT="+newt, "NEWT_COMMAND="+c.command, "NEWT_SARIF="+c.sarif)
		out, _ := run.Output()
		file := ""
		if c.sarif != "" {
			text, err := os.ReadFile(filepath.Join(folder, c.sarif))
			if err != nil {
				t.Error(err)
			}
			file = string(text)
		}
		if string(out) != c.out || file != c.file || run.ProcessState.ExitCode() != c.status {
			t.Errorf("%q: status %d, %s, %s", c.command, run.ProcessState.ExitCode(), out, file)
		}
	}
}

// TestDescription: the description passes on what the script reads, by the environment alone: what an input holds is
// never part of a script's text.
func TestDescription(t *testing.T) {
	text, err := os.ReadFile("action.yml")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, "${{ inputs.") && !strings.HasPrefix(strings.TrimSpace(line), "NEWT_") {
			t.Errorf("an input is used outside of the environment: %s", line)
		}
	}
}
