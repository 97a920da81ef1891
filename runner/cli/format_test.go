package cli

import (
	"encoding/json"
	"strings"
	"testing"
)

// formatted is a script with an error that check finds, and one that a run does.
const formatted = `import torch, triton
import triton.language as tl

@triton.jit
def k(x_ptr, N: tl.constexpr):
    tl.store(x_ptr + tl.arange(0, N), 1.0)

k[(1,)](torch.zeros(7, device='cuda'), N=8)
tl.nothing
`

// TestFormats: each command writes its findings for tools, with names as the repository has them.
func TestFormats(t *testing.T) {
	tree(t, map[string]string{"kernels/a.py": formatted, "empty.py": "x = 1\n", "bad.launch": "no archive"})
	for _, c := range []struct {
		args   []string
		status int
		codes  []string // of the results
	}{
		{[]string{"check", "kernels/a.py"}, exitFail, []string{"not-in-newt"}},
		{[]string{"check", "kernels"}, exitFail, []string{"not-in-newt"}},
		{[]string{"check", "empty.py"}, exitOK, nil},
		{[]string{"check", "missing.py"}, exitUsage, nil},
		{[]string{"run", "kernels/a.py"}, exitFail, []string{"out-of-bounds-store"}},
		{[]string{"replay", "bad.launch"}, exitFail, []string{"recorded-archive"}},
	} {
		out, stderr, status := newt(t, append(c.args, "--format", "sarif")...)
		text := out
		if c.args[0] == "run" {
			text = stderr[max(0, strings.Index(stderr, "{\n")):]
		}
		var log struct {
			Runs []struct {
				Results []struct {
					RuleID    string
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
				}
				Invocations []struct{ ExecutionSuccessful bool }
			}
		}
		if err := json.Unmarshal([]byte(text), &log); err != nil || status != c.status {
			t.Errorf("%v: status %d, %v\n%s%s", c.args, status, err, out, stderr)
			continue
		}
		var codes []string
		for _, r := range log.Runs[0].Results {
			codes = append(codes, r.RuleID)
			if uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI; !strings.HasPrefix(uri, "kernels/") && uri != "bad.launch" {
				t.Errorf("%v: a finding is in %s", c.args, uri)
			}
		}
		if strings.Join(codes, " ") != strings.Join(c.codes, " ") ||
			log.Runs[0].Invocations[0].ExecutionSuccessful != (c.status != exitUsage) {
			t.Errorf("%v: %v\n%s", c.args, codes, text)
		}
		out, stderr, status = newt(t, append(c.args, "--format", "github")...)
		if lines := strings.Count(out+stderr, "::error "); status != c.status || lines < len(c.codes) {
			t.Errorf("%v: status %d\n%s%s", c.args, status, out, stderr)
		}
	}
	if _, stderr, status := newt(t, "check", "empty.py", "--format", "xml"); status != exitUsage {
		t.Error(stderr)
	}
	if _, stderr, status := newt(t, "check", "empty.py", "--all-versions", "--format", "sarif"); status != exitUsage {
		t.Error(stderr)
	}
}
