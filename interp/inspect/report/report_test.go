package report_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/inspect"
	"github.com/newtlab/newt/interp/inspect/report"
	"github.com/newtlab/newt/interp/launch"
)

const head = `import triton
import triton.language as tl

@triton.jit
def k(x, z, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
`

// inspected is a launch of head and body over fp32 tensors of the given shapes, B = 8.
func inspected(t *testing.T, body string, grid [3]int, shapes ...[]int) *inspect.Launch {
	t.Helper()
	var args []launch.Arg
	var list []launch.Shape
	for i, shape := range shapes {
		s := launch.Shape{Sizes: shape}
		args = append(args, launch.Arg{Name: []string{"x", "z"}[i],
			Tensor: &launch.Tensor{DType: num.Float32, Data: make([]byte, 4*s.Len())}})
		list = append(list, s)
	}
	args = append(args, launch.Arg{Name: "B", Value: int64(8), Constexpr: true})
	k, wrong := launch.Compile(source.NewFile("k.py", head+body), "k", args, false)
	if k == nil {
		t.Fatal(wrong[0].In(diag.English).Headline)
	}
	l, why := inspect.New(k, args, list, device.Launch{Grid: grid})
	if why != nil {
		t.Fatal(why.In(diag.English))
	}
	return l
}

// TestPictures: each cell shows the most telling of what a program does to its elements, also before and past a vector.
func TestPictures(t *testing.T) {
	for _, c := range []struct {
		name, body string
		program    int
		shape      []int
		want       []string
	}{
		{"read, written and both", "    tl.store(x + i + 4, tl.load(x + i))\n", 0, []int{16}, []string{"|rrrrbbbbwwww....|"}},
		{"masked off", "    tl.load(x + i, mask=i < 12)\n", 1, []int{12}, []string{"|........rrrr|mmmm"}},
		{"past the end", "    tl.load(x + i)\n", 1, []int{12}, []string{"|........rrrr|!!!!"}},
		{"before the beginning", "    tl.load(x + i - 3)\n", 0, []int{8}, []string{"!!!|rrrrr...|"}},
		{"atomic", "    tl.atomic_add(x + i, 1.0)\n", 0, []int{16}, []string{"|bbbbbbbb........|"}},
		{"far away", "    tl.load(x + i * 1000, mask=i < 1)\n", 0, []int{4}, []string{"|r...|"}},
		{"a matrix", "    tl.load(x + i)\n", 0, []int{3, 4}, []string{"|rrrr|", "|rrrr|", "|....|"}},
		{"four elements a cell", "    tl.load(x + i)\n", 1, []int{200}, []string{"|..rr" + strings.Repeat(".", 46) + "|"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			z := []int{8}
			l := inspected(t, c.body, [3]int{2, 1, 1}, c.shape, z)
			r := report.Of(context.Background(), l, report.Options{Program: &[3]int{c.program}})
			if len(r.Tensors) != 1 || !slices.Equal(r.Tensors[0].Picture, c.want) {
				t.Errorf("%+v, want %q", r.Tensors, c.want)
			}
		})
	}
}

// TestProgram: the program of the first problem is reported unless another one is asked for, and lines narrow it.
func TestProgram(t *testing.T) {
	l := inspected(t, "    a = tl.load(x + i)\n    tl.store(z + i, a)\n", [3]int{3, 1, 1}, []int{20}, []int{24})
	for _, c := range []struct {
		options report.Options
		program int
		lines   string
		text    string
	}{
		{report.Options{}, 2, "6 6 6 6 7 7 8 8", "program 2 reads x[16:24]; 4 lanes lie past the end"},
		{report.Options{Program: &[3]int{1}}, 1, "6 6 6 6 7 7 8 8", "program 1 reads x[8:16]\n"},
		{report.Options{Line: 8}, 2, "8 8", "program 2 writes z[16:24]\n"},
		{report.Options{Line: 7, Lang: diag.Chinese}, 2, "7 7", "网格 3 中的程序 2"},
		{report.Options{Program: &[3]int{3}}, 0, "", "k: there is no program 3 in a grid of 3\n"},
	} {
		r := report.Of(context.Background(), l, c.options)
		var lines []string
		for _, s := range r.Steps {
			lines = append(lines, string(rune('0'+s.Line)))
		}
		if got := strings.Join(lines, " "); got != c.lines || r.Program[0] != c.program {
			t.Errorf("%+v: lines %s of program %v", c.options, got, r.Program)
		}
		if text := r.Text(c.options.Lang); !strings.Contains(text, c.text) {
			t.Errorf("%+v: no %q in\n%s", c.options, c.text, text)
		}
	}
}
