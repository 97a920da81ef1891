package inspect_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/launch"
)

// ints is a tensor argument of n int32, each its own index.
func ints(name string, n int) launch.Arg {
	t := &launch.Tensor{Name: name, DType: num.Int32}
	for i := range n {
		t.Data = binary.LittleEndian.AppendUint32(t.Data, uint32(i))
	}
	return launch.Arg{Tensor: t}
}

// kernel inspects a kernel with the body given, on int32 tensors of the shapes given, called x and z.
func kernel(t testing.TB, body string, grid [3]int, shapes ...launch.Shape) (*source.File, *inspect.Launch) {
	t.Helper()
	return inspected(t, body, device.Launch{Grid: grid}, shapes...)
}

// inspected is kernel for a launch that says more than its grid.
func inspected(t testing.TB, body string, with device.Launch, shapes ...launch.Shape) (*source.File, *inspect.Launch) {
	t.Helper()
	file := source.NewFile("kernel.py", "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef helper(v):\n"+
		"    return v * 2\n\n\n@triton.jit\ndef k(x, z, n):\n"+body)
	args := []launch.Arg{ints("x", 64), ints("z", 64), {Value: int64(3)}}
	k, list := launch.Compile(file, "k", args, false)
	if k == nil {
		for _, d := range list {
			t.Log(d.In(diag.English))
		}
		t.Fatal("does not compile")
	}
	l, why := inspect.New(k, args, shapes, with)
	if why != nil {
		t.Fatal(why)
	}
	return file, l
}

var vector, matrix = launch.Shape{Sizes: []int{64}}, launch.Shape{Sizes: []int{8, 8}}

// TestSentences: what an access does, in both languages.
func TestSentences(t *testing.T) {
	for _, c := range []struct {
		body   string
		grid   [3]int
		shape  launch.Shape
		en, zh string
	}{
		{"tl.load(x + 5)", [3]int{1, 1, 1}, vector, "program 0 reads x[5]", "程序 0 读取 x[5]"},
		{"tl.load(x + tl.arange(0, 8))", [3]int{1, 1, 1}, vector, "program 0 reads x[0:8]", "程序 0 读取 x[0:8]"},
		{"tl.load(x + 60 + tl.arange(0, 8))", [3]int{1, 1, 1}, vector, "program 0 reads x[60:68]; 4 lanes lie past the end", "程序 0 读取 x[60:68]；4 个通道越过了末尾"},
		{"tl.load(x - 1 + tl.arange(0, 8))", [3]int{1, 1, 1}, vector, "program 0 reads x[-1:7]; 1 lane lies before the beginning", "程序 0 读取 x[-1:7]；1 个通道在开头之前"},
		{"tl.load(x + tl.arange(0, 8), mask=tl.arange(0, 8) < 7)", [3]int{1, 1, 1}, vector, "program 0 reads x[0:7]; 1 lane is masked off", "程序 0 读取 x[0:7]；1 个通道被掩码屏蔽"},
		{"tl.load(x + tl.arange(0, 8), mask=tl.arange(0, 8) < 0)", [3]int{1, 1, 1}, vector, "program 0 reads no element of x; 8 lanes are masked off", "程序 0 读取 x 的 0 个元素；8 个通道被掩码屏蔽"},
		{"tl.load(x + tl.arange(0, 8) * 3)", [3]int{1, 1, 1}, vector, "program 0 reads 8 elements of x[0:22]", "程序 0 读取 x[0:22] 中的 8 个元素"},
		{"tl.store(z + tl.arange(0, 8), 1)", [3]int{2, 2, 1}, vector, "program (1, 0) writes z[0:8]", "程序 (1, 0) 写入 z[0:8]"},
		{"tl.atomic_add(z + tl.arange(0, 8), 1)", [3]int{2, 1, 2}, vector, "program (1, 0, 0) atomically updates z[0:8]", "程序 (1, 0, 0) 原子地更新 z[0:8]"},
		{"tl.store(z + tl.arange(0, 2)[:, None] * 8 + tl.arange(0, 4)[None, :] + 8, 1, mask=tl.arange(0, 4)[None, :] < 3)", [3]int{1, 1, 1}, matrix, "program 0 writes z[1:3, 0:3]; 2 lanes are masked off", "程序 0 写入 z[1:3, 0:3]；2 个通道被掩码屏蔽"},
		{"tl.load(x + 16 + tl.arange(0, 8))", [3]int{1, 1, 1}, matrix, "program 0 reads x[2, 0:8]", "程序 0 读取 x[2, 0:8]"},
		{"tl.load(x + 56 + tl.arange(0, 16))", [3]int{1, 1, 1}, matrix, "program 0 reads x[7, 0:8]; 8 lanes lie past the end", "程序 0 读取 x[7, 0:8]；8 个通道越过了末尾"},
	} {
		_, l := kernel(t, "    "+c.body+"\n", c.grid, c.shape, c.shape)
		r := run(t, l, [3]int{c.grid[0] - 1, 0, 0}, 0)
		last := r.Steps[len(r.Steps)-1]
		if last.Access == nil {
			t.Errorf("%s: the last step is %s", c.body, last.Op)
			continue
		}
		if got := last.Access.Sentence.In(diag.English); got != c.en {
			t.Errorf("%s: %q, not %q", c.body, got, c.en)
		}
		if got := last.Access.Sentence.In(diag.Chinese); got != c.zh {
			t.Errorf("%s: %q, not %q", c.body, got, c.zh)
		}
		if outside := strings.Contains(c.en, " lie"); outside != (last.Problem != nil) || outside != (r.Problem != nil) {
			t.Errorf("%s: the problems are %v and %v", c.body, last.Problem, r.Problem)
		}
	}
}

// TestStepsOfLanguage: how expressions of the language become steps.
func TestStepsOfLanguage(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a loop", "    s = n\n    for i in range(n):\n        s += i\n    tl.store(z, s)\n", `
13 [0] for  i int32: 0
14 [0] +=  s int32: 3
13 [1] for  i int32: 1
14 [1] +=  s int32: 4
13 [2] for  i int32: 2
14 [2] +=  s int32: 6
15 tl.store
    program 0 writes z[0]`},
		{"an unrolled loop", "    s = n\n    for i in tl.static_range(3):\n        s += i + n\n    tl.store(z, s)\n", `
14 i + n   int32: 3
14 +=  s int32: 6
14 i + n   int32: 4
14 +=  s int32: 10
14 i + n   int32: 5
14 +=  s int32: 15
15 tl.store
    program 0 writes z[0]`},
		{"one expression again and again", "    s = n\n    for i in tl.static_range(3):\n        s += n\n    tl.store(z, s)\n", `
14 +=  s int32: 6
14 +=  s int32: 9
14 +=  s int32: 12
15 tl.store
    program 0 writes z[0]`},
		{"while, and loops in loops", "    i = n\n    while i > 1:\n        for j in range(i):\n            i -= 1\n    tl.store(z, i)\n", `
13 [0] i > 1   int1: True
13 [0] while
14 [0 0] for  j int32: 0
15 [0 0] -=  i int32: 2
14 [0 1] for  j int32: 1
15 [0 1] -=  i int32: 1
14 [0 2] for  j int32: 2
15 [0 2] -=  i int32: 0
13 [1] i > 1   int1: False
16 tl.store
    program 0 writes z[0]`},
		{"functions of tl and of the user", "    v = tl.sum(tl.arange(0, 8))\n    w = helper(v)\n    tl.store(z, tl.where(w > 1, w, 0))\n", `
12 tl.arange   int32[8]: 0 1 … 7
12 tl.sum  v int32: 28
7 v * 2   int32: 56
14 w > 1   int1: True
14 tl.where   int32: 56
14 tl.store
    program 0 writes z[0]`},
		{"values", "    m = tl.arange(0, 8) < 3\n    f = tl.arange(0, 4) / 3\n    p = x + tl.arange(0, 8)\n    b = n > 5\n    tl.store(z, b.to(tl.int32))\n", `
12 tl.arange   int32[8]: 0 1 … 7
12 tl.arange(0, 8) < 3  m int1[8]: 3 of 8 true
13 tl.arange   int32[4]: 0 1 2 3
13 tl.arange(0, 4) / 3  f float32[4]: 0 0.333 0.667 1
14 tl.arange   int32[8]: 0 1 … 7
14 x + tl.arange(0, 8)  p pointer<int32>[8]: x[0] x[1] … x[7]
15 n > 5  b int1: False
16 b.to   int32: 0
16 tl.store
    program 0 writes z[0]`},
		{"an assertion that fails", "    tl.device_assert(n < 2)\n    tl.store(z, n)\n", `
12 n < 2   int1: False
12 tl.device_assert
    device assertion failed: n < 2`},
		{"conversions", "    v = tl.arange(0, 4) - tl.max(tl.arange(0, 4), 0)\n    f = tl.full((4,), 2, tl.int32)\n    w = f[:, None] + f[None, :]\n", `
12 tl.arange   int32[4]: 0 1 2 3
12 tl.arange   int32[4]: 0 1 2 3
12 tl.max   int32: 3
12 tl.arange(0, 4) - tl.max(tl.arange(…  v int32[4]: -3 -2 -1 0
13 tl.full  f int32[4]: 2 2 2 2
14 f[:, None]   int32[4, 1]: 2 2 2 2
14 f[None, :]   int32[1, 4]: 2 2 2 2
14 f[:, None] + f[None, :]  w int32[4, 4]: 4 4 … 4`},
	} {
		file, l := kernel(t, c.body, [3]int{1, 1, 1}, vector, vector)
		r := run(t, l, [3]int{}, 0)
		var got strings.Builder
		for i := range r.Steps {
			got.WriteString("\n" + stepText(file, &r.Steps[i], diag.English))
		}
		if got.String() != c.want {
			t.Errorf("%s: got%s\nwant%s", c.name, got.String(), c.want)
		}
	}
}

// TestArguments: what a call passes, as a person reads it; a number that is 1 is compiled in, and so is no int32 here.
func TestArguments(t *testing.T) {
	_, l := kernel(t, "    tl.store(z, tl.load(x) + n)\n", [3]int{1, 1, 1}, vector, vector)
	want := "[{x pointer<int32> x[0]} {z pointer<int32> z[0]} {n int32 3}]"
	if got := fmt.Sprint(run(t, l, [3]int{}, 0).Arguments); got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

// TestLoops: a step names the executions of the loops that it is in, with the number of the last iteration of each.
func TestLoops(t *testing.T) {
	body := "    s = n\n    for i in range(n):\n        for j in range(i):\n            s += j\n    while s > 2:\n        s -= 1\n    tl.store(z, s)\n"
	file, l := kernel(t, body, [3]int{1, 1, 1}, vector, vector)
	var got []string
	for _, step := range run(t, l, [3]int{}, 0).Steps {
		if step.Op != "+=" && step.Op != "-=" {
			continue
		}
		text := ""
		for d, loop := range step.Loops {
			text += fmt.Sprintf("%d:%d/%d ", file.Position(loop.Span.Start).Line, step.Iterations[d], loop.Last)
		}
		got = append(got, strings.TrimSpace(text))
	}
	want := "13:1/2 14:0/0, 13:2/2 14:0/1, 13:2/2 14:1/1, 16:0/2, 16:1/2"
	if strings.Join(got, ", ") != want {
		t.Errorf("%s, not %s", strings.Join(got, ", "), want)
	}
}

// TestInputs: reductions and matrix products have what they compute their values of, in a loop that of the iteration.
func TestInputs(t *testing.T) {
	body := `    i = tl.arange(0, 16)
    a = (i[:, None] + i[None, :]).to(tl.float32)
    acc = tl.zeros((16, 16), tl.float32)
    for k in range(2):
        acc += tl.dot(a * k, a)
    acc = tl.dot(a, a, acc)
    s = tl.sum(i, 0)
    r = tl.max(a, axis=1)
    tl.store(z + i, tl.sum(acc, axis=0).to(tl.int32) + s + tl.argmax(r, 0))
`
	file, l := kernel(t, body, [3]int{1, 1, 1}, vector, vector)
	var got []string
	for _, step := range run(t, l, [3]int{}, 0).Steps {
		if step.Inputs == nil {
			continue
		}
		text := fmt.Sprintf("%d %s %d:", file.Position(step.Span.Start).Line, step.Op, step.Inputs.Axis)
		for _, v := range step.Inputs.Values {
			text += fmt.Sprintf(" %s %s %s,", v.Name, v.TypeText(), v.In(diag.English))
		}
		got = append(got, text)
	}
	const zeros = "float32[16, 16] 0 0 … 0,"
	want := []string{
		"16 tl.dot -1:  " + zeros + " a float32[16, 16] 0 1 … 30,  " + zeros,
		"16 += -1:  " + zeros + " a float32[16, 16] 0 1 … 30, acc " + zeros, // the product adds to the accumulator itself
		"16 tl.dot -1:  float32[16, 16] 0 1 … 30, a float32[16, 16] 0 1 … 30,  " + zeros,
		"16 += -1:  float32[16, 16] 0 1 … 30, a float32[16, 16] 0 1 … 30, acc " + zeros,
		"17 tl.dot -1: a float32[16, 16] 0 1 … 30, a float32[16, 16] 0 1 … 30, acc float32[16, 16] 1.24e+03 1.36e+03 … 8.44e+03,",
		"18 tl.sum 0: i int32[16] 0 1 … 15,",
		"19 tl.max 1: a float32[16, 16] 0 1 … 30,",
		"20 tl.sum 0: acc float32[16, 16] 2.48e+03 2.72e+03 … 1.69e+04,",
		"20 tl.argmax 0: r float32[16] 15 16 … 30,  int32[16] 0 1 … 15,",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("%d: got\n%s\nwant\n%s", i, strings.Join(got, "\n"), strings.Join(want, "\n"))
			break
		}
	}
}

// TestStrides: the elements of a view are numbered in its own order, and what lies between them is not its own.
func TestStrides(t *testing.T) {
	transposed := launch.Shape{Sizes: []int{4, 8}, Strides: []int{1, 8}}
	_, l := kernel(t, "    tl.store(z + tl.arange(0, 8), tl.load(x + tl.arange(0, 8)))\n", [3]int{1, 1, 1}, transposed, vector)
	r := run(t, l, [3]int{}, 0)
	read := r.Steps[3].Access
	if read == nil {
		read = r.Steps[4].Access
	}
	if got := read.Sentence.In(diag.English); got != "program 0 reads x[0:4, 0]" || r.Problem != nil {
		t.Errorf("%q, %v", got, r.Problem)
	}
	if fmt.Sprint(read.Elements) != "[0 8 16 24 -1 -1 -1 -1]" || r.Tensors[0].Readers[8] != 0 || r.Tensors[0].Readers[1] != inspect.None {
		t.Errorf("%v, %v", read.Elements, r.Tensors[0].Readers)
	}
	if got := binary.LittleEndian.Uint32(r.Tensors[0].Before[4*9:]); got != 9 { // row 1, column 1
		t.Errorf("element 9 is %d", got)
	}
}

// TestEndlessLoop: the budget ends the launch, and what was seen until then is there.
func TestEndlessLoop(t *testing.T) {
	_, l := kernel(t, "    i = n\n    while i > 0:\n        i += 1\n    tl.store(z, i)\n", [3]int{1, 1, 1}, vector, vector)
	r := run(t, l, [3]int{}, 0)
	if len(r.Diagnostics) != 1 || len(r.Steps) != 2000 || r.Total < 10_000 || r.Problem == nil {
		t.Errorf("%v, %d steps of %d", r.Diagnostics, len(r.Steps), r.Total)
	}
	if again := run(t, l, [3]int{}, 5000); fmt.Sprint(again.Steps[0].Iterations) == "[0]" || again.Total != r.Total {
		t.Errorf("%v, %d steps", again.Steps[0].Iterations, again.Total)
	}
}

// TestCancelled: a launch that is not wanted any longer ends at once.
func TestCancelled(t *testing.T) {
	_, l := kernel(t, "    tl.store(z, n)\n", [3]int{1, 1, 1}, vector, vector)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if r, err := l.Run(ctx, [3]int{}, 0); err != nil || len(r.Diagnostics) != 1 {
		t.Errorf("%v, %+v", err, r)
	}
}
