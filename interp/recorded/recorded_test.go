package recorded

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/script"
)

const addSource = `import triton
import triton.language as tl
STEP = tl.constexpr(1)


@triton.jit
def add(x_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) + STEP, mask=i < n)
`

func floats(list ...float32) string {
	data, _ := binary.Append(nil, binary.LittleEndian, list)
	return string(data)
}

// added is a recording of add over six elements.
func added() (Manifest, map[string]string) {
	n, block := json.Number("6"), json.Number("4")
	view := func(storage int) Value {
		return Value{Tensor: &Tensor{DType: "float32", Shape: []int{2, 3}, Strides: []int{3, 1}, Storage: storage}}
	}
	m := Manifest{Format: Format, Version: Version, Versions: map[string]string{"triton": "3.6.0"}, Launches: []Launch{{
		Kernel: "add", Source: "sources/add.py", At: "train.py:3", Grid: [3]int{2, 1, 1},
		Options:  map[string]json.RawMessage{"num_warps": json.RawMessage("4")},
		Args:     []Arg{{"x_ptr", view(0)}, {"z_ptr", view(1)}, {"n", Value{Int: &n}}, {"BLOCK", Value{Int: &block}}},
		Storages: []Storage{{24, "storages/x", "storages/x", ""}, {24, "storages/0", "storages/z", ""}},
	}}}
	return m, map[string]string{
		"sources/add.py": addSource, "storages/x": floats(1, 2, 3, 4, 5, 6), "storages/z": floats(2, 3, 4, 5, 6, 7),
		"storages/0": strings.Repeat("\x00", 24),
	}
}

// archive writes a file. A manifest that is no string is written as JSON.
func archive(t testing.TB, manifest any, members map[string]string) []byte {
	t.Helper()
	text, ok := manifest.(string)
	if !ok {
		data, err := json.Marshal(manifest)
		if err != nil {
			t.Fatal(err)
		}
		text = string(data)
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	write := func(name, data string) {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(data))
	}
	write(manifestName, text)
	for name, data := range members {
		write(name, data)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustRead(t *testing.T, manifest any, members map[string]string) *File {
	t.Helper()
	f, wrong := Read("run.launch", archive(t, manifest, members), MaxBytes)
	if wrong != nil {
		t.Fatal(wrong.In(diag.English).Headline)
	}
	return f
}

// replayOn makes the first launch of a file again, on the interpreter.
func replayOn(t *testing.T, f *File) *Result {
	t.Helper()
	d := cpu.New(cpu.Options{})
	defer d.Close()
	return f.Replay(t.Context(), 0, script.Options{Launcher: &script.Launcher{Device: d}})
}

// TestReplay: a launch is compared with its recording bit by bit, and floats by their distance.
func TestReplay(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name    string
		change  func(m *Manifest, members map[string]string)
		outcome Outcome
		at      string
	}{
		{"as recorded", nil, Identical, ""},
		{"one ulp off", func(m *Manifest, members map[string]string) {
			members["storages/z"] = floats(2, 3, 4, 5, math.Nextafter32(6, 7), 7)
		}, Close, "z_ptr[1, 1]"},
		{"far off", func(m *Manifest, members map[string]string) {
			members["storages/z"] = floats(math.Nextafter32(2, 3), 3, 4, 5, 6, 8)
		}, Differs, "z_ptr[1, 2]"},
		{"nan", func(m *Manifest, members map[string]string) { members["storages/z"] = floats(nan, 3, 4, 5, 6, 7) },
			Differs, "z_ptr[0, 0]"},
		{"an input that changed", func(m *Manifest, members map[string]string) {
			m.Launches[0].Storages[0].After = "storages/z"
		}, Differs, "x_ptr[0, 0]"},
		{"out of bounds", func(m *Manifest, members map[string]string) {
			n := json.Number("7")
			m.Launches[0].Args[2].Value.Int = &n
		}, Fault, ""},
		{"no kernel of that name", func(m *Manifest, members map[string]string) { m.Launches[0].Kernel = "sub" }, Refused, ""},
		{"a source that is none", func(m *Manifest, members map[string]string) { members["sources/add.py"] = "def" }, Refused, ""},
		{"a kernel that does not compile", func(m *Manifest, members map[string]string) {
			members["sources/add.py"] = strings.Replace(addSource, "+ STEP", "+ STEPS", 1)
		}, Refused, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, members := added()
			if c.change != nil {
				c.change(&m, members)
			}
			r := replayOn(t, mustRead(t, m, members))
			if r.Outcome != c.outcome || r.At != c.at {
				t.Errorf("%s at %q, want %s at %q", r.Outcome, r.At, c.outcome, c.at)
			}
			if failed := c.outcome == Fault || c.outcome == Refused; failed != r.Diagnostics.HasErrors() {
				t.Errorf("diagnostics: %v", r.Diagnostics)
			}
		})
	}
}

// TestAddresses: a kernel that makes a pointer of an integer reaches the storage whose address was recorded.
func TestAddresses(t *testing.T) {
	m, members := added()
	members["sources/add.py"] = `import triton
import triton.language as tl


@triton.jit
def through(table, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x_ptr = tl.load(table).to(tl.pointer_type(tl.float32))
    z_ptr = tl.load(table + 1).to(tl.pointer_type(tl.float32))
    tl.store(z_ptr + i, tl.load(x_ptr + i, mask=i < n) + 1, mask=i < n)
`
	members["storages/table"] = strings.Repeat("\x00\x01\x02\x03\x04\x05\x06\x07", 2)
	n, block := json.Number("5"), json.Number("8")
	members["storages/z"] = floats(3, 4, 5, 6, 7, 0)
	l := &m.Launches[0]
	l.Kernel, l.Grid, l.Options = "through", [3]int{1, 1, 1}, nil
	l.Args = []Arg{{"table", Value{Tensor: &Tensor{DType: "int64", Shape: []int{2}, Strides: []int{1}}}},
		{"n", Value{Int: &n}}, {"BLOCK", Value{Int: &block}}}
	l.Storages = []Storage{{16, "storages/table", "storages/table", ""}, {24, "storages/x", "storages/x", "float32"},
		{24, "storages/0", "storages/z", "float32"}}
	l.Addresses = []Address{{Storage: 0, At: 0, Of: 1, Offset: 4}, {Storage: 0, At: 1, Of: 2}}
	f := mustRead(t, m, members)
	if r := replayOn(t, f); r.Outcome != Identical {
		t.Errorf("%s at %s: %v\n%s", r.Outcome, r.At, r.Diagnostics, f.script(&f.Launches[0]).launch)
	}
	m.Launches[0].Addresses[1].Of = 3
	if _, wrong := Read("run.launch", archive(t, m, members), MaxBytes); wrong == nil || wrong.Code != "recorded-field" {
		t.Errorf("an address of a storage that is not there: %v", wrong)
	}
}

// TestRecordedOnGPU replays what newt_record recorded under Triton on an H200, from testdata/h200: every kind of argument
// and of global that a kernel may have. The script that the page opens holds, too.
func TestRecordedOnGPU(t *testing.T) {
	data, err := os.ReadFile("testdata/h200.launch")
	if err != nil {
		t.Fatal(err)
	}
	f, wrong := Read("h200.launch", data, MaxBytes)
	if wrong != nil {
		t.Fatal(wrong.In(diag.English).Headline)
	}
	o := script.Options{Launcher: &script.Launcher{Device: cpu.New(cpu.Options{})}}
	for i, l := range f.Launches {
		if r := f.Replay(t.Context(), i, o); r.Outcome != Identical && r.Outcome != Close || r.Worst.Magnified {
			t.Errorf("%s from %s: %s, %+v", l.Kernel, l.At, r.Outcome, r.Worst)
		}
	}
	if len(f.Launches) != 16 || len(f.Notes) > 0 {
		t.Errorf("%d launches, notes %q", len(f.Launches), f.Notes)
	}
	o.Host.Files = f.Files()
	d := f.Document()
	r := script.New(d, o)
	if r.All(t.Context()) != 0 {
		for _, c := range d.Cells {
			for _, out := range c.Outputs {
				if out.Exception != "" {
					t.Errorf("%s\n%s", c.Source, out.Text)
				}
			}
		}
	}
}
