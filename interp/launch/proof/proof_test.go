package proof_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/launch/proof"
)

const head = `import triton
import triton.language as tl


@triton.jit
def k(x, z, N, M, B: tl.constexpr):
    p = tl.program_id(0)
    i = p * B + tl.arange(0, B)
    j = tl.arange(0, B)
`

func tensor(elements int) *launch.Tensor {
	return &launch.Tensor{DType: num.Float32, Data: make([]byte, 4*elements)}
}

// TestCounterexamples: the smallest sizes at which the load of x leaves it; none where it does not, or where x has no
// size that follows from arguments.
func TestCounterexamples(t *testing.T) {
	for _, c := range []struct {
		name, body string
		elements   int
		want       string // at N = 60, M = 20, B = 16
	}{
		{"mask", "tl.load(x + i, mask=i < N)", 60, ""},
		{"no mask", "tl.load(x + i)", 60, "N = 1, grid (1, 1, 1), lane 1 of program (0, 0, 0) accesses index 1"},
		{"<=", "tl.load(x + i, mask=i <= N)", 60, "N = 1, grid (1, 1, 1), lane 1 of program (0, 0, 0) accesses index 1"},
		{"a block too many", "tl.load(x + i, mask=i < tl.maximum(N, 2 * B))", 60, "N = 1, grid (1, 1, 1), lane 1 of"},
		{"after two blocks", "tl.load(x + i + N // 33, mask=i < N)", 60,
			"N = 33, grid (3, 1, 1), lane 0 of program (2, 0, 0) accesses index 33, and the tensor has 33 elements"},
		{"wrong stride", "tl.load(x + i * N + p % M, mask=(i < N) & (p < M))", 1200, "M = 1, N = 2, grid (1, 1, 1)"},
		{"unrelated size", "tl.load(x + i, mask=i < N)", 59, ""},
	} {
		file := source.NewFile("k.py", head+"    tl.store(z + i, "+c.body+", mask=i < N)\n")
		args := []launch.Arg{{Tensor: tensor(c.elements)}, {Tensor: tensor(60)}, {Value: int64(60)}, {Value: int64(20)},
			{Value: int64(16), Constexpr: true}}
		k, list := launch.Compile(file, "k", args, false)
		if k == nil {
			t.Fatal(c.name, list)
		}
		text := proof.Of(k, args, [3]int{4, 1, 1}, nil).Text(diag.English)
		if strings.Contains(text, "counterexample") != (c.want != "") || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s\nwant: %s", c.name, text, c.want)
		}
	}
}

// TestSharedMemory: what is written through one pointer and read through another into the same memory is not taken for
// two tensors.
func TestSharedMemory(t *testing.T) {
	file := source.NewFile("k.py", head+"    tl.store(z + i, tl.load(x + i + 1, mask=i + 1 < N), mask=i < N)\n")
	args := []launch.Arg{{Tensor: tensor(60)}, {Tensor: tensor(60)}, {Value: int64(60)}, {Value: int64(20)},
		{Value: int64(16), Constexpr: true}}
	for _, shared := range []bool{false, true} {
		if shared {
			args[1].Tensor = args[0].Tensor
		}
		k, list := launch.Compile(file, "k", args, false)
		if k == nil {
			t.Fatal(list)
		}
		want := map[bool]string{false: "size", true: "no"}[shared]
		if got := proof.Of(k, args, [3]int{4, 1, 1}, nil).Tensors[0].RaceFree; got != want {
			t.Errorf("shared %v: race-free: %s, want %s", shared, got, want)
		}
	}
}

// TestValues: what a kernel loads from a tensor of integers that it does not change is one of that tensor's elements,
// where the load's mask lets it through.
func TestValues(t *testing.T) {
	const masked = "at = tl.load(ids + j, mask=j < 5)\n    "
	for _, c := range []struct {
		name, body string
		largest    uint32
		want       string // of the last load of x, which has 12 rows of 16
	}{
		{"a row", "tl.load(x + tl.load(ids + p) * 16 + j)", 11, "grid"},
		{"a row too many", "tl.load(x + tl.load(ids + p) * 16 + j)", 12, "no"},
		{"a negative row", "tl.load(x + tl.load(ids + p) * 16 + j)", 1<<32 - 1, "no"},
		{"under the load's mask", masked + "tl.load(x + at, mask=j < 5)", 11, "grid"},
		{"under a weaker mask", masked + "tl.load(x + at, mask=j < 6)", 11, "no"},
		{"other is too large", "tl.load(x + tl.load(ids + j, mask=j < 5, other=200))", 11, "no"},
		{"other is small enough", "tl.load(x + tl.load(ids + j, mask=j < 5, other=191))", 11, "grid"},
		{"as rows of a tile", masked + "tl.load(x + at[:, None] + j[None, :], mask=(j < 5)[:, None])", 11, "grid"},
		{"as columns of a tile", masked + "tl.load(x + at[None, :] + j[:, None], mask=(j < 5)[None, :])", 11, "grid"},
		{"as columns under the mask of rows", masked + "tl.load(x + at[None, :] + j[:, None], mask=(j < 5)[:, None])", 11, "no"},
		{"by way of two tensors", "at = tl.load(ids + tl.load(ids + p) // 4)\n    tl.load(x + at)", 11, "grid"},
		{"of memory that the kernel changes", "tl.store(ids + p, 100)\n    tl.load(x + tl.load(ids + p) * 16 + j)", 11, "no"},
	} {
		text := strings.Replace(head, "k(x, z, N, M,", "k(x, ids,", 1) + "    " + c.body + "\n"
		ids := &launch.Tensor{DType: num.Int32, Data: make([]byte, 4*5)}
		binary.LittleEndian.PutUint32(ids.Data[8:], c.largest)
		args := []launch.Arg{{Tensor: tensor(12 * 16)}, {Tensor: ids}, {Value: int64(16), Constexpr: true}}
		k, list := launch.Compile(source.NewFile("k.py", text), "k", args, false)
		if k == nil {
			t.Fatal(c.name, list[0].In(diag.English).Headline)
		}
		found := proof.Of(k.Observable(), args, [3]int{5, 1, 1}, nil).Accesses
		if last := found[len(found)-1]; last.Tensor != "x" || last.InBounds != c.want {
			t.Errorf("%s: %s in bounds: %s, want %s", c.name, last.Tensor, last.InBounds, c.want)
		}
	}
}

// TestOverflows: an integer that wraps in the launch is a warning with a fix, after which none wraps; one that wraps at
// larger sizes is a line of the report, once for each expression of a line and size.
func TestOverflows(t *testing.T) {
	const text = `import triton
import triton.language as tl


@triton.jit
def k(x_ptr, M, N, s, B: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, B)
    tl.store(x_ptr + (row * s + i), 0.0, mask=(i < M * N) & (row < M * N))
`
	report := func(text string, s int64) *proof.Report {
		file := source.NewFile("k.py", text)
		x := &launch.Tensor{Name: "x_ptr", DType: num.Float32, Data: make([]byte, 4*800)}
		args := []launch.Arg{{Name: "x_ptr", Tensor: x}, {Name: "M", Value: int64(8)}, {Name: "N", Value: int64(100)},
			{Name: "s", Value: s}, {Name: "B", Value: int64(16), Constexpr: true}}
		k, list := launch.Compile(file, "k", args, false)
		if k == nil {
			t.Fatal(list)
		}
		return proof.Of(k, args, [3]int{8, 1, 1}, nil)
	}
	here := report(text, 1<<29)
	if list := here.Warnings(); len(list) != 1 || len(list[0].Fixes) != 1 {
		t.Fatalf("of this launch it warns %d times, with %+v", len(list), list[0])
	}
	d := here.Warnings()[0]
	if got, want := d.In(diag.English).Headline, "`row * s` wraps: in program (7, 0, 0) it would be 3758096384, and int32 has -536870912"; got != want {
		t.Errorf("it says %q, not %q", got, want)
	}
	fixed := diag.Apply(source.NewFile("k.py", text), d.Fixes[0].Edits)
	if list := report(fixed, 1<<29).Warnings(); len(list) > 0 {
		t.Errorf("once fixed it warns %v:\n%s", list, fixed)
	}
	var lines []string
	for _, o := range report(text, 100).Overflows {
		lines = append(lines, o.Expression+" "+o.Size)
	}
	if got := strings.Join(lines, ", "); got != "M * N M, M * N N" {
		t.Errorf("at larger sizes these wrap: %s", got)
	}
}
