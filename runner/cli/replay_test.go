package cli

import (
	"archive/zip"
	"encoding/json"
	"github.com/newtlab/newt/runner/operation"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recording writes a recording of add_one, as source has it, over four elements; after is what it left.
func recording(t *testing.T, source, after string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "run.launch")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	defer z.Close()
	for member, text := range map[string]string{
		"manifest.json": `{"format": "newt.launch", "version": 1, "versions": {}, "notes": [], "launches": [{"kernel": "add_one",
"source": "sources/0.py", "at": "train.py:3", "grid": [1, 1, 1], "options": {"num_warps": 4}, "notes": [],
"args": [{"name": "x_ptr", "value": {"tensor": {"dtype": "float32", "shape": [4], "strides": [1], "offset": 0, "storage": 0}}},
{"name": "n", "value": {"int": 4}}, {"name": "B", "value": {"int": 4}}],
"storages": [{"bytes": 16, "before": "storages/before", "after": "storages/after"}]}]}`,
		"sources/0.py": source, "storages/before": strings.Repeat("\x00", 16), "storages/after": after,
	} {
		w, err := z.Create(member)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	return name
}

func TestReplay(t *testing.T) {
	const one = "\x00\x00\x80\x3f"
	ones := strings.Repeat(one, 4)
	right, wrong := recording(t, addOne, ones), recording(t, addOne, strings.Repeat(one, 3)+"\x00\x00\x00\x40")
	refused := recording(t, strings.Replace(addOne, "tl.store", "tl.stare", 1), ones)
	faulty := recording(t, strings.Replace(addOne, "tl.load(x_ptr", "tl.load(x_ptr + 99", 1), ones)
	for _, c := range []struct {
		name           string
		args           []string
		stdout, stderr string // parts
		status         int
	}{
		{"identical", []string{right}, "identical  add_one  run.launch from train.py:3\n", "", exitOK},
		{"differs", []string{wrong}, "x_ptr[3] is 1, recorded 2; 1 of 4 elements differ", "", exitFail},
		{"refused", []string{refused}, "refused    add_one", "tl.stare", exitFail},
		{"fault", []string{faulty, right}, "fault      add_one", "out-of-bounds-load", exitFail},
		{"both", []string{wrong, right}, "identical", "", exitFail},
		{"sanitized", []string{"--sanitize", right}, "identical", "", exitOK},
		{"no recording", []string{"testdata/vector_add.py"}, "", "recorded-archive", exitFail},
		{"in Chinese", []string{"--lang", "zh", "testdata/vector_add.py"}, "", "不是 zip 压缩包", exitFail},
		{"no file", []string{"none.launch"}, "", "none.launch", exitUsage},
		{"no argument", nil, "", "usage", exitUsage},
	} {
		t.Run(c.name, func(t *testing.T) {
			stdout, stderr, status := newt(t, append([]string{"replay", "--device", "cpu"}, c.args...)...)
			if status != c.status || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
		})
	}
	stdout, _, _ := newt(t, "replay", "--device", "cpu", "--json", wrong, right)
	var outcomes []string
	for line := range strings.Lines(stdout) {
		var r operation.Replayed
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err, line)
		}
		outcomes = append(outcomes, string(r.Outcome)+" "+r.Element)
	}
	if got := strings.Join(outcomes, ", "); got != "differs x_ptr[3], identical " {
		t.Errorf("%s\n%s", got, stdout)
	}
}

// TestRecord: the recorder that is printed writes the format that is read.
func TestRecord(t *testing.T) {
	stdout, _, status := newt(t, "record")
	if status != exitOK || !strings.Contains(stdout, `FORMAT, VERSION = "newt.launch", 1`) {
		t.Errorf("status %d\n%.200s", status, stdout)
	}
}
