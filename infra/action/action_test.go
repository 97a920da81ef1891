// Package action holds the action of GitHub that has newt look at a repository's kernels.
package action

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"go.yaml.in/yaml/v3"
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
		command, sarif, page, out, file string
		status                          int
	}{
		{command: "check .", out: "<check><--format><github><.>", status: 3},
		{command: "judge  a.py --against b*.py $HOME", status: 3,
			out: "<judge><--format><github><a.py><--against><b*.py><$HOME>"},
		{command: "check\n.", sarif: "found.sarif", file: "<check><--format><sarif><.>", status: 3},
		{command: "serve", out: "::error title=newt::the command is check, judge or replay, not serve\n", status: 2},
		{command: "check;false", out: "::error title=newt::the command is check, judge or replay, not check;false\n", status: 2},
		{command: " ", out: "::error title=newt::the command is check, judge or replay, not empty\n", status: 2},
		{command: "check .", page: "newt.example\n::set-output", out: "::error title=newt::page is no address, such as " +
			"https://newt.example/\n", status: 2},
	} {
		run := exec.CommandContext(t.Context(), "sh", script)
		run.Dir = folder
		run.Env = append(os.Environ(), "NEWT="+newt, "NEWT_COMMAND="+c.command, "NEWT_SARIF="+c.sarif, "NEWT_PAGE="+c.page)
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

// description is action.yml, as GitHub's runner reads it.
type description struct {
	Inputs map[string]struct{ Default string }
	Runs   struct {
		Using string
		Steps []struct {
			Uses, Run, Shell string
			With, Env        map[string]string
		}
	}
}

// action is the action in a folder, with the inputs of a workflow.
type action struct {
	*testing.T
	folder string
	inputs map[string]string
	of     description
}

var expression = regexp.MustCompile(`\$\{\{ *([\w.]+) *\}\}`)

// evaluate is a text of action.yml with the values of its expressions.
func (a *action) evaluate(text string) string {
	a.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		path := expression.FindStringSubmatch(e)[1]
		name, isInput := strings.CutPrefix(path, "inputs.")
		input, known := a.of.Inputs[name]
		switch {
		case path == "github.action_path":
			return a.folder
		case !isInput || !known:
			a.Errorf("%s has no value", path)
		case a.inputs[name] != "":
			return a.inputs[name]
		}
		return input.Default
	})
}

// run runs the steps in a workspace as the runner does those of a composite action, and gives what they print, and the
// status of the one that failed.
func (a *action) run(workspace string, environment ...string) (out string, status int) {
	a.Helper()
	text, err := os.ReadFile(filepath.Join(a.folder, "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &a.of)
	}
	if err != nil || a.of.Runs.Using != "composite" {
		a.Fatalf("%v, %+v", err, a.of)
	}
	for _, step := range a.of.Runs.Steps {
		if step.Uses != "" {
			if file := a.evaluate(step.With["go-version-file"]); !strings.HasPrefix(step.Uses, "actions/setup-go@v") ||
				!regexp.MustCompile(`(?m)^go 1\.\d+`).MatchString(read(a.T, file)) {
				a.Errorf("%s sets up %s", step.Uses, file)
			}
			continue
		}
		if strings.Contains(step.Run, "${{") || step.Shell != "bash" {
			a.Errorf("the step is %+v: what an input holds is part of a script", step)
		}
		script := filepath.Join(a.TempDir(), "step.sh")
		if err := os.WriteFile(script, []byte(step.Run), 0o600); err != nil {
			a.Fatal(err)
		}
		bash := exec.CommandContext(a.Context(), "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script)
		bash.Dir = workspace
		bash.Env = append(os.Environ(), "CI=true", "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+workspace,
			"GITHUB_ACTION_PATH="+a.folder)
		bash.Env = append(bash.Env, environment...)
		for name, value := range step.Env {
			bash.Env = append(bash.Env, name+"="+a.evaluate(value))
		}
		printed, _ := bash.CombinedOutput()
		if out += string(printed); bash.ProcessState.ExitCode() != 0 {
			return out, bash.ProcessState.ExitCode()
		}
	}
	return out, 0
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const mistaken = `import torch
import triton
import triton.language as tl


@triton.jit
def clear(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr + tl.arrange(0, BLOCK), 0.0)


clear[(1,)](torch.zeros(8, device="cuda"), 8)
`

// TestAction runs the action on a repository, as GitHub's runner does: newt is built, its findings are annotated and
// listed, or written for code scanning, and the step fails where there are errors.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds newt")
	}
	folder, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	workspace, temp := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"kernels/clear.py": mistaken,
		"kernels/right.py": strings.Replace(mistaken, "arrange", "arange", 1)} {
		file := filepath.Join(workspace, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	summary := filepath.Join(temp, "summary.md")
	environment := []string{"RUNNER_TEMP=" + temp, "GITHUB_STEP_SUMMARY=" + summary, "GOFLAGS=-mod=vendor", "NEWT="}
	of := func(inputs map[string]string) *action { return &action{T: t, folder: folder, inputs: inputs} }

	out, status := of(map[string]string{"page": "https://newt.example/"}).run(workspace, environment...)
	if status != 1 || !strings.HasPrefix(out, "::error file=kernels/clear.py,line=8,endLine=8,col=25,endColumn=32,"+
		"title=newt%3A unknown-name::") || strings.Count(out, "\n") != 1 {
		t.Errorf("status %d\n%s", status, out)
	}
	if text := read(t, summary); !strings.Contains(text, "\nkernels/clear.py, [open in newt](https://newt.example/#l=") ||
		!strings.Contains(text, "\n| 8 | error | ") {
		t.Errorf("the summary is\n%s", text)
	}

	environment[len(environment)-1] = "NEWT=" + filepath.Join(temp, "newt") // as it was built
	out, status = of(map[string]string{"command": "check kernels/right.py"}).run(workspace, environment...)
	if status != 0 || out != "" {
		t.Errorf("status %d\n%s", status, out)
	}

	sarif := filepath.Join(workspace, "newt.sarif")
	out, status = of(map[string]string{"sarif": "newt.sarif", "page": "https://newt.example/"}).run(workspace, environment...)
	if status != 1 || out != "" {
		t.Errorf("status %d\n%s", status, out)
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(read(t, "../../runner/findings/testdata/sarif.schema.json")), &schema); err != nil {
		t.Fatal(err)
	}
	rules, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var log any
	if err := json.Unmarshal([]byte(read(t, sarif)), &log); err != nil {
		t.Fatal(err)
	}
	if err := rules.Validate(log); err != nil {
		t.Error(err)
	}
	if text := read(t, sarif); strings.Count(text, `"ruleId"`) != 1 || !strings.Contains(text, `"uri": "kernels/clear.py"`) ||
		!strings.Contains(text, `"hostedViewerUri": "https://newt.example/#l=`) {
		t.Errorf("the log is\n%s", text)
	}

	// What newt does not take leaves no file that cannot be uploaded.
	out, status = of(map[string]string{"command": "check --nonsense", "sarif": "newt.sarif"}).run(workspace, environment...)
	if _, err := os.Stat(sarif); status != 2 || !strings.Contains(out, "nonsense") || err == nil {
		t.Errorf("status %d, %v\n%s", status, err, out)
	}
}
