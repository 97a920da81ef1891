package recorded

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/newtlab/newt/interp/device/cpu"
	"github.com/newtlab/newt/interp/device/gpu"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
)

// TestScript: the arguments of a launch are written as Python that makes the same ones.
func TestScript(t *testing.T) {
	whole := Tensor{DType: "float32", Shape: []int{6}, Strides: []int{1}}
	text := func(s string) *string { return &s }
	number := func(s string) *json.Number { n := json.Number(s); return &n }
	yes := true
	for _, c := range []struct {
		name     string
		args     []Arg
		storages []Storage
		source   string
		want     string
	}{
		{"a whole storage", []Arg{{"x", Value{Tensor: &whole}}}, []Storage{{24, "storages/x", "storages/x", ""}}, "",
			`x = torch.from_file('storages/x', size=6, dtype=torch.float32).cuda()
add[(2,)](x)
`},
		{"a part of one", []Arg{{"x", Value{Tensor: &Tensor{DType: "float16", Shape: []int{2, 2}, Strides: []int{4, 1}, Offset: 3}}}},
			[]Storage{{24, "storages/x", "storages/x", ""}}, "",
			`x = torch.from_file('storages/x', size=12, dtype=torch.float16).cuda().as_strided((2, 2), (4, 1), 3)
add[(2,)](x)
`},
		{"one storage for two dtypes", []Arg{{"x", Value{Tensor: &whole}},
			{"y", Value{Tensor: &Tensor{DType: "int32", Shape: []int{3, 2}, Strides: []int{2, 1}}}}},
			[]Storage{{24, "storages/x", "storages/x", ""}}, "",
			`storage0 = torch.from_file('storages/x', size=24, dtype=torch.uint8).cuda()
add[(2,)](storage0.view(torch.float32), storage0.view(torch.int32).view((3, 2)))
`},
		{"no elements", []Arg{{"x", Value{Tensor: &Tensor{DType: "float32", Shape: []int{0}, Strides: []int{1}}}}},
			[]Storage{{0, "storages/none", "storages/none", ""}}, "",
			`x = torch.empty(0, dtype=torch.float32, device="cuda")
add[(2,)](x)
`},
		{"a name that the source has", []Arg{{"torch", Value{Tensor: &whole}}, {"add", Value{None: true}}},
			[]Storage{{24, "storages/x", "storages/x", ""}}, "",
			`torch_2 = torch.from_file('storages/x', size=6, dtype=torch.float32).cuda()
add[(2,)](torch_2, add=None)
`},
		{"values", []Arg{{"a", Value{Int: number("-7")}}, {"b", Value{Float: text("1e-05")}}, {"c", Value{Float: text("nan")}},
			{"d", Value{Str: text("it's\n")}}, {"e", Value{DType: text("float8e5")}}, {"f", Value{Bool: &yes}},
			{"g", Value{Constexpr: &Value{Int: number("3")}}}, {"h", Value{Tuple: &[]Value{{None: true}}}},
			{"i", Value{Function: text("relu")}}, {"j", Value{Named: &Named{"Pair", []Value{{None: true}}}}}, {"k", Value{Float: text("-2.0")}}}, nil, "",
			`add[(2,)](a=-7, b=1e-05, c=float('nan'), d="it's\n", e=tl.float8e5, f=True, g=tl.constexpr(3), h=(None,), i=relu, j=Pair(None), k=-2.0)
`},
		{"a descriptor and another dtype", []Arg{{"x", Value{Descriptor: &Descriptor{Base: whole, Shape: []int{2, 3},
			Strides: []int{3, 1}, Block: []int{1, 4}, Padding: "nan"}}},
			{"y", Value{Tensor: &Tensor{DType: "uint8", Shape: []int{24}, Strides: []int{1}, Storage: 1, As: "float8e5"}}}},
			[]Storage{{24, "storages/x", "storages/x", ""}, {24, "storages/x", "storages/x", ""}}, "",
			`x = torch.from_file('storages/x', size=6, dtype=torch.float32).cuda()
y = torch.from_file('storages/x', size=24, dtype=torch.uint8).cuda()
add[(2,)](TensorDescriptor(x, [2, 3], [3, 1], [1, 4], padding='nan'), triton.reinterpret(y, tl.float8e5))
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, members := added()
			l := &m.Launches[0]
			l.Args, l.Storages, l.Options = c.args, c.storages, nil
			members["storages/none"] = ""
			f := mustRead(t, m, members)
			if got := f.script(&f.Launches[0]).launch; got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// TestDocument: the document of a recording runs, and fails where a launch does not compute what was recorded.
func TestDocument(t *testing.T) {
	for _, c := range []struct{ z, failed string }{
		{floats(2, 3, 4, 5, 6, 7), ""}, {floats(2, 3, 4, 5, 6, 8), "Mismatched elements: 1 / 6 (16.7%)"},
	} {
		m, members := added()
		members["storages/z"] = c.z
		m.Launches[0].Notes = []string{"two\nlines %% of it"}
		m.Launches = append(m.Launches, m.Launches[0])
		f := mustRead(t, m, members)
		doc := f.Document()
		d := cpu.New(cpu.Options{})
		defer d.Close()
		text := ""
		run := script.New(doc, script.Options{Launcher: &script.Launcher{Device: d}, Host: host.Options{Files: f.Files()},
			Emit: func(e script.Event) {
				if e.Kind == script.Failed {
					text += strings.Join(e.Output.Traceback, "\n")
				}
			}})
		status := run.All(t.Context())
		if failed := c.failed != ""; failed != (status != 0) || !strings.Contains(text, c.failed) {
			t.Errorf("status %d: %s\n%s", status, text, doc.Text())
		}
		if n := strings.Count(doc.Text(), "def add("); n != 1 {
			t.Errorf("the source of two launches of one kernel is there %d times", n)
		}
	}
}

// TestLongRecording: a document has the first launches of a long recording, and says how many more there are.
func TestLongRecording(t *testing.T) {
	m, members := added()
	members["storages/last"] = members["storages/z"]
	for range maxShown {
		m.Launches = append(m.Launches, m.Launches[0])
	}
	m.Launches[maxShown].Storages = []Storage{{24, "storages/x", "storages/x", ""}, {24, "storages/0", "storages/last", ""}}
	f := mustRead(t, m, members)
	text := f.Document().Text()
	if n := strings.Count(text, "add[(2,)]"); n != maxShown || !strings.Contains(text, "not shown: 1.") {
		t.Errorf("%d launches", n)
	}
	if len(f.Storages()) != 3 {
		t.Errorf("%d storages", len(f.Storages()))
	}
}

// TestReplayOnSimulator: what the interpreter computes, the simulator of PTX computes, from the same recording.
func TestReplayOnSimulator(t *testing.T) {
	m, members := added()
	f := mustRead(t, m, members)
	d := gpu.Open(gpu.NewSimulator(gpu.SimulatorOptions{}), gpu.Options{})
	defer d.Close()
	if r := f.Replay(t.Context(), 0, script.Options{Launcher: &script.Launcher{Device: d}}); r.Outcome != Identical {
		t.Errorf("%s: %v", r.Outcome, r.Diagnostics)
	}
}
