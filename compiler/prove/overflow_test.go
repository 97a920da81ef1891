package prove_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/prove"
)

// overflows are kernels with parameters x (and y), sizes M and N, and a stride s, launched on 37 × 100 elements; want are
// the expressions that wrap, each with the first number of a size at which it does.
var overflows = []struct {
	name, body string
	grid       [3]int
	want       []string
}{
	{"rows of a matrix", `
    row = tl.program_id(0)
    cols = tl.arange(0, 128)
    tl.store(x + row * s + cols, 0.0, mask=cols < N)`, [3]int{37, 1, 1},
		// 21,474,837 · 100 is 2³¹ + 52; for more columns than 128 a caller has larger blocks
		[]string{"row * s at grid[0] = 21474838"}},
	{"rows in a loop over columns", `
    row = tl.program_id(0)
    for k in range(0, N, 128):
        cols = k + tl.arange(0, 128)
        tl.store(x + (row * s + cols), 0.0, mask=cols < N)`, [3]int{37, 1, 1},
		// 36 · 59,652,321 + 59,652,320 is 2³¹ + 59,652,228
		[]string{"row * s + cols at N = 58040099", "row * s + cols at grid[0] = 21474837"}},
	{"rows in 64 bits", `
    row = tl.program_id(0).to(tl.int64)
    cols = tl.arange(0, 128)
    tl.store(x + row * s + cols, 0.0, mask=cols < N)`, [3]int{37, 1, 1}, nil},
	{"rows in a loop over rows", `
    cols = tl.arange(0, 128)
    for row in range(tl.program_id(0), M, 8):
        tl.store(x + row * s + cols, 0.0, mask=cols < N)`, [3]int{8, 1, 1},
		[]string{"row * s at M = 21474838"}}, // that row is not the last program's
	{"the sum in 32 bits", `
    row = tl.program_id(0)
    cols = tl.arange(0, 128)
    tl.store(x + (row * s + cols), 0.0, mask=(cols < N) & (row < M))`, [3]int{37, 1, 1},
		[]string{"row * s + cols at M = 21474837"}}, // 21,474,836 · 100 + 99 is 2³¹ + 51
	{"the sum in 64 bits, the product in 32", `
    row = tl.program_id(0)
    cols = tl.arange(0, 128).to(tl.int64)
    tl.store(x + (row * s + cols), 0.0, mask=(cols < N) & (row < M))`, [3]int{37, 1, 1},
		[]string{"row * s at M = 21474838"}},
	{"elements of a vector", `
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    tl.store(x + i, 0.0, mask=i < N)`, [3]int{1, 1, 1}, nil},
	{"bytes of a vector of words", `
    i = tl.program_id(0) * 128 + tl.arange(0, 128)
    tl.store(x + i * 4, 0.0, mask=i < N)`, [3]int{1, 1, 1},
		[]string{"i * 4 at N = 536870913"}},
	{"an offset that a loop adds to", `
    i = tl.arange(0, 128)
    for k in range(0, tl.cdiv(N, 128)):
        tl.store(x + (k * 128 + i) * 2, 0.0, mask=k * 128 + i < N)`, [3]int{1, 1, 1},
		[]string{"(k * 128 + i) * 2 at N = 1073741825"}},
	{"a difference that wraps back", `
    i = tl.arange(0, 128)
    far = s * 30000000
    tl.store(x + (far + i - far), 0.0, mask=i < N)`, [3]int{1, 1, 1}, nil},
	{"what no access rests on", `
    i = tl.arange(0, 128)
    far = s * 30000000
    tl.store(x + i, far.to(tl.float32), mask=i < N)`, [3]int{1, 1, 1}, nil},
	{"this launch", `
    i = tl.arange(0, 128)
    tl.store(x + (s * 30000000 + i), 0.0, mask=i < N)`, [3]int{1, 1, 1},
		[]string{"s * 30000000 here"}},
	{"a mask of this launch", `
    i = tl.arange(0, 128)
    tl.store(x + i, 0.0, mask=i * 100000000 < N)`, [3]int{1, 1, 1},
		[]string{"i * 100000000 here"}}, // lane 22 is let through, as its product is negative
	{"a mask of two parts", `
    i = tl.arange(0, 128)
    tl.store(x + i, 0.0, mask=(i * 100000000 < N) & (i < 22))`, [3]int{1, 1, 1}, nil}, // the lanes that wrap are left out
	{"a mask that 64 bits hold", `
    i = tl.arange(0, 128)
    tl.store(x + i, 0.0, mask=i.to(tl.int64) * 100000000 < N)`, [3]int{1, 1, 1}, nil},
	{"a mask of many programs", `
    i = tl.program_id(0) * s * 1000000 + tl.arange(0, 128)
    tl.store(x + i, 0.0, mask=i < N)`, [3]int{37, 1, 1}, []string{"tl.program_id(0) * s * 1000000 here"}},
	{"16 bits", `
    i = tl.arange(0, 128).to(tl.int16)
    tl.store(x + i * 300, 0.0, mask=i < N)`, [3]int{1, 1, 1},
		// an int16 times a literal stays one; 300 · 110 is 33,000
		[]string{"i * 300 at N = 111"}},
	{"unsigned", `
    i = tl.arange(0, 128).to(tl.uint32)
    tl.store(x + i * 300000000, 0.0, mask=i < 128)`, [3]int{1, 1, 1}, nil},
	{"a value from memory", `
    i = tl.arange(0, 128)
    at = tl.load(y + i, mask=i < N, other=0)
    tl.store(x + at * s, 0.0, mask=i < N)`, [3]int{1, 1, 1}, nil}, // it is not known
	{"behind a branch on memory", `
    i = tl.arange(0, 128)
    if tl.load(y) > 0:
        tl.store(x + (s * 30000000 + i), 0.0, mask=i < N)`, [3]int{1, 1, 1}, nil},
	{"tiles in groups", `
    pid = tl.program_id(0)
    wide = tl.cdiv(N, 32)
    group = pid // (4 * wide)
    high = min(tl.cdiv(M, 16) - group * 4, 4)
    m = (group * 4 + (pid % (4 * wide)) % high) * 16 + tl.arange(0, 16)
    n = (pid % (4 * wide)) // high * 32 + tl.arange(0, 32)
    tl.store(x + m[:, None] * s + n[None, :], 0.0, mask=(m[:, None] < M) & (n[None, :] < N))`, [3]int{12, 1, 1},
		[]string{"m[:, None] * s at M = 21474838", "m[:, None] * s at N = 59652324"}},
	{"a bound that is a product", `
    for k in range(0, M * N, 128):
        tl.store(x + k + tl.arange(0, 128), 0.0, mask=k + tl.arange(0, 128) < M * N)`, [3]int{1, 1, 1},
		[]string{"M * N at M = 21474837", "k + tl.arange(0, 128) at M = 21474837",
			"M * N at N = 58040099", "k + tl.arange(0, 128) at N = 58040099"}},
	{"batches of matrices", `
    b = tl.program_id(1)
    i = tl.program_id(0) * 16 + tl.arange(0, 16)
    j = tl.arange(0, 128)
    tl.store(x + b * M * N + i[:, None] * N + j[None, :], 0.0, mask=(i[:, None] < M) & (j[None, :] < N))`, [3]int{3, 7, 1},
		[]string{"b * M * N at M = 3579140"}},
	{"programs for the processors of a GPU", `
    for t in range(tl.program_id(0), tl.cdiv(M, 16) * 7, 8):
        r = t // 7 * 16 + tl.arange(0, 16)
        c = t % 7 * 16 + tl.arange(0, 16)
        tl.store(x + r[:, None] * s + c[None, :], 0.0, mask=(r[:, None] < M) & (c[None, :] < N))`, [3]int{8, 1, 1},
		nil}, // whether these programs come to all rows was not found
	{"batches that no argument counts, in tiles of more", `
    pid = tl.program_id(0)
    wide = tl.cdiv(N, 32)
    b = pid // (3 * wide)
    i = pid % (3 * wide) // wide * 16 + tl.arange(0, 16)
    j = pid % wide * 32 + tl.arange(0, 32)
    tl.store(x + b * M * N + i[:, None] * N + j[None, :], 0.0, mask=(i[:, None] < M) & (j[None, :] < N))`, [3]int{84, 1, 1},
		nil}, // what the grid follows cannot be told
}

// TestOverflowsOfEqualSizes looks for a square matrix: whether a stride is the rows' or the columns' number, and which of
// them is cut into which blocks, is not known from it, so both grow.
func TestOverflowsOfEqualSizes(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		grid int
		want prove.Overflow
	}{
		// 46,341² is the first square beyond 2³¹; the last row is one less than there are.
		"rows": {`
    row = tl.program_id(0)
    for k in range(0, N, 128):
        cols = k + tl.arange(0, 128)
        tl.store(x + row * s + cols, 0.0, mask=(cols < N) & (row < M))`, 100,
			prove.Overflow{Number: 46342, Exact: 46341 * 46342, Grid: [3]int{46342, 1, 1}}},
		"tiles": {`
    pid = tl.program_id(0)
    m = pid // tl.cdiv(N, 32) * 16 + tl.arange(0, 16)
    n = pid % tl.cdiv(N, 32) * 32 + tl.arange(0, 32)
    tl.store(x + (m[:, None] * s + n[None, :]), 0.0, mask=(m[:, None] < M) & (n[None, :] < N))`, 7 * 4,
			prove.Overflow{Number: 46341, Exact: 46340*46341 + 46340, Grid: [3]int{2897 * 1449, 1, 1}}},
	} {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, y, M, N, s):" + test.body + "\n"
		fn := compile(t, "k.py", text, "k", "*fp32, *i32, i32, i32, i32")
		u := use{grid: [3]int{test.grid, 1, 1}, args: []int64{10000, 1, 100, 100, 100}}
		found := prove.OverflowsBeyond(fn, u.launch(fn))
		if len(found) != 1 {
			t.Errorf("%s: %+v", name, found)
			continue
		}
		o := found[0]
		if o.Larger != (prove.Size{Param: 2, Axis: -1}) || !slices.Equal(o.Alike, []int{3}) ||
			o.Number != test.want.Number || o.Exact != test.want.Exact || o.Grid != test.want.Grid {
			t.Errorf("%s: %+v, want %+v", name, o, test.want)
		}
	}
}

// TestOverflowsBesideConstants: with a constexpr of 100, the stride may be that, and need not follow the columns; with
// one of 37, that may be what the programs are.
func TestOverflowsBesideConstants(t *testing.T) {
	const text = `import triton
import triton.language as tl


@triton.jit
def k(x, y, M, N, s):
    row = tl.program_id(0)
    for k in range(0, N, 128):
        cols = k + tl.arange(0, 128)
        tl.store(x + row * s + cols, 0.0, mask=cols < N)
`
	fn := compile(t, "k.py", text, "k", "*fp32, *i32, i32, i32, i32")
	for _, test := range []struct {
		constants []int64
		want      []prove.Size
	}{
		{nil, []prove.Size{{Param: 3, Axis: -1}, {Param: -1, Axis: 0}}},
		{[]int64{100}, []prove.Size{{Param: -1, Axis: 0}}},
		{[]int64{37, 100}, nil},
	} {
		l := use{grid: [3]int{37, 1, 1}, args: []int64{3700, 3700, 37, 100, 100}}.launch(fn)
		l.Constants = test.constants
		var got []prove.Size
		for _, o := range prove.OverflowsBeyond(fn, l) {
			got = append(got, o.Larger)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("constants %d: %v, want %v", test.constants, got, test.want)
		}
	}
}

func TestOverflows(t *testing.T) {
	for _, test := range overflows {
		text := "import triton\nimport triton.language as tl\n\n\n@triton.jit\ndef k(x, y, M, N, s):" + test.body + "\n"
		fn := compile(t, "k.py", text, "k", "*fp32, *i32, i32, i32, i32")
		u := use{grid: test.grid, args: []int64{3700, 3700, 37, 100, 100}}
		var got []string
		found := prove.Overflows(fn, u.launch(fn))
		if len(found) == 0 {
			found = prove.OverflowsBeyond(fn, u.launch(fn))
		}
		for _, o := range found {
			span := o.Value.Def.Span
			at := "here"
			switch {
			case o.Larger.Param >= 0:
				at = fmt.Sprintf("at %s = %d", fn.Params[o.Larger.Param].Name, o.Number)
			case o.Larger.Axis >= 0:
				at = fmt.Sprintf("at grid[%d] = %d", o.Larger.Axis, o.Number)
			}
			got = append(got, text[span.Start:span.End]+" "+at)
			if o.Exact >= math.MinInt32 && o.Exact <= math.MaxInt32 && o.Value.Type.DType.Info().Bits == 32 || o.Wrapped() == o.Exact {
				t.Errorf("%s: %d does not wrap", test.name, o.Exact)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, strings.Join(got, "; "), strings.Join(test.want, "; "))
		}
	}
}
