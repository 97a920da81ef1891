package cli

import (
	"os/exec"
	"strings"
	"testing"
)

// TestCompletion: bash completes commands and flags by the script; the others name each command.
func TestCompletion(t *testing.T) {
	script, _, status := newt(t, "completion", "bash")
	if status != exitOK {
		t.Fatalf("status %d", status)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip(err)
	}
	for words, want := range map[string]string{
		"newt ch":             "check\n",
		"newt run --san":      "--sanitize\n",
		"newt tune --top":     "--top\n",
		"newt compile --emit": "--emit\n",
	} {
		fields := strings.Fields(words)
		text := script + "COMP_WORDS=(" + words + "); COMP_CWORD=" + string(rune('0'+len(fields)-1)) +
			"; _newt; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
		got, err := exec.CommandContext(t.Context(), bash, "-c", text).CombinedOutput()
		if err != nil || string(got) != want {
			t.Errorf("%s: %v, %q, want %q", words, err, got, want)
		}
	}
	for _, shell := range []string{"zsh", "fish"} {
		script, _, _ := newt(t, "completion", shell)
		for _, c := range commands {
			if !strings.Contains(script, c.name) {
				t.Errorf("%s: no %s", shell, c.name)
			}
		}
	}
	if _, stderr, status := newt(t, "completion", "tcsh"); status != exitUsage || !strings.Contains(stderr, "bash, fish, zsh") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
