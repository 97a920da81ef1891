package inspect_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
)

// floats is a tensor argument of 64 float32, each its own index.
func floats(name string, undefined bool) launch.Arg {
	t := &launch.Tensor{Name: name, DType: num.Float32, Undefined: undefined}
	for i := range 64 {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, math.Float32bits(float32(i)))
	}
	return launch.Arg{Tensor: t}
}

// findings are those of a kernel with the body given, on vectors x and z of float32, z of them undefined, and n = 3.
func findings(t *testing.T, body string, grid [3]int, budget int64) (*source.File, *inspect.Launch, []inspect.Finding, diag.List) {
	t.Helper()
	file := source.NewFile("kernel.py", "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, z, n):\n"+body)
	args := []launch.Arg{floats("x", false), floats("z", true), {Value: int64(3)}}
	k, list := launch.Compile(file, "k", args, false)
	if k == nil {
		t.Fatal(list[0].In(diag.English))
	}
	l, why := inspect.New(k, args, []launch.Shape{vector, vector}, device.Launch{Grid: grid, Budget: budget})
	if why != nil {
		t.Fatal(why)
	}
	found, limits, err := l.Findings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return file, l, found, limits
}

// TestFindings: each finding has the step of its program, in the iteration that it is about, and the elements and the
// value of its lanes.
func TestFindings(t *testing.T) {
	one, two := [3]int{1, 1, 1}, [3]int{2, 1, 1}
	const block = "    i = tl.program_id(0) * 4 + tl.arange(0, 8)\n"
	for _, c := range []struct {
		name, body string
		grid       [3]int
		want       string
	}{
		{"nothing", block + "    tl.store(z + i, tl.load(x + i))\n", one, ""},
		{"out of bounds", block + "    v = tl.load(x + i + 60)\n", one,
			"out-of-bounds-load at tl.load(x + i + 60) []; program 0, lanes 4 to 7: x[64:68]; 0"},
		{"out of two tensors", block + "    v = tl.load(tl.where(i < 6, x + i + 60, z + i + 64))\n", one,
			"out-of-bounds-load at tl.load(tl.where(i < 6, x + i + 60, z + i + 64)) []; program 0, lanes 4 to 5: x[64:66]; 0\n" +
				"out-of-bounds-load at tl.load(tl.where(i < 6, x + i + 60, z + i + 64)) []; program 0, lanes 6 to 7: z[70:72]; 0"},
		{"a race", block + "    tl.store(z + i, tl.program_id(0))\n", two,
			"race-stores at tl.store(z + i, tl.program_id(0)) []; program 1, lanes 0 to 3: z[4:8]; 1"},
		{"undefined lanes of the last iteration",
			"    for k in range(n):\n        i = k * 8 + tl.arange(0, 8)\n        v = tl.load(x + i, mask=i < 20)\n        tl.store(z + i, v)\n",
			one, "undefined-lane-store at tl.store(z + i, v) [2]; program 0, lanes 4 to 7: z[20:24]; 0"},
		{"an undefined branch", "    for k in range(n):\n        v = tl.load(x + k, mask=k < 2)\n        if v > 9:\n            tl.store(z, v)\n",
			one, "undefined-lane-branch at v > 9 [2]; program 0; "},
		{"memory that nobody has written", "    tl.store(z + tl.arange(0, 4), 1.0)\n    v = tl.load(z + tl.arange(0, 8))\n",
			one, "read-unwritten at tl.load(z + tl.arange(0, 8)) []; program 0, lanes 4 to 7: z[4:8]; 4"},
		{"where a NaN begins", "    s = 0.0\n    for k in range(n):\n        s += tl.log(tl.load(x + k) - 1.0)\n        tl.store(z + k, s)\n",
			one, "nan-origin at tl.log(tl.load(x + k) - 1.0) [0]; program 0: z[0]; nan"},
		{"a hint", "    for k in range(n):\n        v = tl.load(x + tl.multiple_of(k * 6, 4))\n",
			one, "hint-divisibility at tl.multiple_of(k * 6, 4) [1]; program 0; "},
	} {
		file, l, found, limits := findings(t, c.body, c.grid, 1<<24)
		var got []string
		for _, f := range found {
			step := run(t, l, f.Program, 0).Steps[f.Step]
			got = append(got, fmt.Sprintf("%s at %s %v; %s; %s", f.Code, file.Slice(step.Span), step.Iterations,
				f.Where.In(diag.English), f.Value))
		}
		if all := strings.Join(got, "\n"); all != c.want || len(limits) > 0 {
			t.Errorf("%s:\n%s\nnot\n%s; %v", c.name, all, c.want, limits)
		}
	}
}

// TestFindingsWithinABudget: a launch that is larger is checked in part, and that is said.
func TestFindingsWithinABudget(t *testing.T) {
	for _, c := range []struct {
		body  string
		finds bool
	}{
		{"    i = tl.program_id(0) // 100 * 8 + tl.arange(0, 8)\n    tl.store(z + i, i.to(tl.float32), mask=i < 64)\n", true},
		// The work runs out in a loop, which the limit points at.
		{"    s = 0.0\n    for k in range(100):\n        s += k\n    tl.store(z + tl.program_id(0) % 8, s)\n", false},
	} {
		_, _, found, limits := findings(t, c.body, [3]int{800, 1, 1}, 1<<12)
		if len(limits) != 1 || limits[0].Code != "sanitize-budget" || (len(found) > 0) != c.finds {
			t.Errorf("%s\n%v, %d findings", c.body, limits, len(found))
		}
	}
}
