package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/judge"
)

// judgeData is where the judge's own submissions are, which interp/judge tests.
func judgeData(t *testing.T) string {
	folder, err := filepath.Abs("../../interp/judge/testdata")
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestJudge: the verdict comes first and decides the exit status.
func TestJudge(t *testing.T) {
	data := judgeData(t)
	broken := write(t, "import torch\n\n\ndef inputs(N):\n    raise RuntimeError('no inputs')\n\n\ndef add(x, y):\n    return x + y\n")
	for _, c := range []struct {
		submission, against string
		flags               []string
		status              int
		begins, has         string
	}{
		{"right/add.py", "add.py", nil, exitOK, "Right: ", ""},
		{"right/add.py", "add.py", []string{"--sizes", "N=1,128:dtype=bfloat16"}, exitOK, "Right: 9 tests pass", ""},
		{"wrong/off_by_one_less.py", "add.py", []string{"--sizes", "N=66"}, exitFail,
			"Wrong: a test fails.\n\nFAIL  N = 66, values\n", "at N = 66: result is wrong in 1 of 66 elements"},
		{"wrong/torch_computes.py", "add.py", []string{"--sizes", "N=66", "--allow-torch"}, exitOK,
			"Right: 5 tests pass. Torch has computed outputs, too", "hint[judge-torch-computes]"},
		{"wrong/half_precision_inside.py", "add.py", []string{"--tolerance", "0.01"}, exitOK, "Right: ", ""},
		{"right/linear_module.py", "linear_module.py", []string{"--sizes", "batch=1,5:features=7"}, exitOK,
			"Right: ", ""},
		{"wrong/module_without_bias.py", "linear_module.py", []string{"--sizes", "batch=3"}, exitFail,
			"Wrong: a test fails.", "at batch = 3: result is wrong in"},
		{"right/add.py", "add.py", []string{"--sizes", "M=3"}, exitUsage,
			"Nothing can be said: `inputs` has no parameter `M`", ""},
		{"right/add.py", "softmax.py", nil, exitUsage, "Nothing can be said: the submission has none", ""},
		{"right/add.py", "softmax.py", []string{"--function", "softmax"}, exitUsage, "Nothing can be said: ", ""},
		{"right/add.py", broken, []string{"--sizes", "N=3"}, exitUsage, "Nothing can be said: the reference fails at N = 3",
			"no inputs"},
		{"unjudged/looks_into_gc.py", "add.py", nil, exitUsage, "Nothing can be said: newt has no `gc.get_objects`", ""},
	} {
		against := c.against
		if !filepath.IsAbs(against) {
			against = filepath.Join(data, "references", against)
		}
		args := append([]string{"judge", filepath.Join(data, c.submission), "--against", against, "--seed", "7"}, c.flags...)
		out, stderr, status := newt(t, args...)
		if status != c.status || !strings.HasPrefix(out, c.begins) || !strings.Contains(out, c.has) {
			t.Errorf("%v: status %d\n%s%s", args, status, out, stderr)
		}
		text, _, again := newt(t, append(args, "--json")...)
		var r judge.Report
		if err := json.Unmarshal([]byte(text), &r); err != nil || again != status || r.Version != judge.ReportVersion ||
			!strings.Contains(out, strings.Trim(strings.TrimPrefix(r.Message, "Wrong: "), ".")) {
			t.Errorf("%v: %v, status %d\n%s", args, err, again, text)
		}
	}
	for _, sizes := range []string{"N", "N=", "=3", "N=x", "N=3;M=4"} {
		if _, stderr, status := newt(t, "judge", "x.py", "--against", "y.py", "--sizes", sizes); status != exitUsage {
			t.Errorf("--sizes %s: %s", sizes, stderr)
		}
	}
}

// TestJudgeLens: what a product of matrices moves and computes is what can be counted by hand: 2*M*N*K FLOPs; two blocks
// of rows read all of b, two of columns all of a; elements have two bytes.
func TestJudgeLens(t *testing.T) {
	data := judgeData(t)
	args := []string{"judge", filepath.Join(data, "right/matmul.py"), "--against", filepath.Join(data, "references/matmul.py"),
		"--seed", "7", "--lens", "--gpu", "H200", "--sizes", "M=64:N=64:K=64"}
	text, stderr, _ := newt(t, append(args, "--json")...)
	var r judge.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil || r.Bounds == nil || len(r.Bounds.Kernels) != 1 {
		t.Fatalf("%v %s%s", err, text, stderr)
	}
	b, k := r.Bounds, r.Bounds.Kernels[0]
	least := uint64(2 * (64*64 + 64*64 + 64*64))
	if b.LeastBytes != least || b.FLOPs != 2*64*64*64 || b.Bytes != 2*(2*64*64+2*64*64+64*64) || b.GPU != "H200 SXM" ||
		k.Touched != least || k.Launches != 1 || k.Bytes != b.Bytes || k.Seconds <= 0 || b.LeastSeconds != float64(least)/4.8e12 {
		t.Errorf("%+v", b)
	}
	if out, _, _ := newt(t, args...); !strings.Contains(out, "does 524288 FLOPs. The H200 SXM takes at least") {
		t.Error(out)
	}
	args[1], args[len(args)-1] = filepath.Join(data, "wrong/matmul_without_tail.py"), "M=64:N=64:K=33"
	if text, _, _ := newt(t, append(args, "--json")...); strings.Contains(text, `"bounds"`) {
		t.Error("bounds are given of what is wrong")
	}
}

// TestJudgeTask: a problem of GPU MODE has its sizes in a task.yml and its modules next to the reference, or where the
// task.yml says; the reference is none of them, and neither is a file that is no module.
func TestJudgeTask(t *testing.T) {
	project := t.TempDir()
	folder := filepath.Join(project, "problem")
	reference := strings.Replace(readFile(t, filepath.Join(judgeData(t), "references/sum_task.py")), "sizes = ", "_ = ", 1)
	for name, text := range map[string]string{
		"reference.py": "from task import kind\nfrom utils import seed\n" + reference,
		"task.py":      "import nested\n\nkind = nested.kind\n",
		"nested.py":    "kind = 1\n",
		"../utils.py":  "seed = 1\n",
		"../setup.py":  "", // a project, which its scripts can read
		"task.yml": "files:\n  - {\"name\": \"submission.py\", \"source\": \"@SUBMISSION@\"}\n" +
			"  - {\"name\": \"utils.py\", \"source\": \"../utils.py\"}\n" +
			"tests:\n  - {\"size\": 127, \"scale\": 1.5, \"seed\": 4242}\nbenchmarks:\n  - {\"size\": 513, \"scale\": 1, \"seed\": 1}\n",
		"right.py": "import task\n" + readFile(t, filepath.Join(judgeData(t), "right/sum_task.py")),
		"cheat.py": "from reference import ref_kernel as custom_kernel\n",
		"reads.py": "open('task.yml')\n",
	} {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, begins := range map[string]string{"right.py": "Right: ", "cheat.py": "Nothing can be said: there is no module",
		"reads.py": "Wrong: `FileNotFoundError`"} {
		out, stderr, _ := newt(t, "judge", filepath.Join(folder, name), "--against", filepath.Join(folder, "reference.py"), "--seed", "7")
		if !strings.HasPrefix(out, begins) {
			t.Errorf("%s: %s%s", name, out, stderr)
		}
	}
}

func readFile(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
