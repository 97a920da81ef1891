package ptx_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx"
	"github.com/newtlab/newt/interp/tile"
)

// TestProgramOrder: programs whose loops make the most iterations run first, whichever they are, and give what they
// would in the other order.
func TestProgramOrder(t *testing.T) {
	const text = `def kernel(x_ptr, z_ptr, n):
    pid = tl.program_id(0)
    i = tl.arange(0, 16)
    s = tl.zeros((16,), tl.int32)
    for k in range(0, END):
        s += tl.load(x_ptr + k * 16 + i) * (k + 1)
    tl.store(z_ptr + (pid + 4 * tl.program_id(1)) * 16 + i, s)
`
	for _, c := range []struct {
		name, old, new string
		reversed       bool
	}{
		{"as long as its number", "END", "pid + 1", true},
		{"of a causal mask", "END", "tl.minimum((pid + 1) * 2, n)", true},
		{"blocks of it", "END", "tl.cdiv(pid * 3, 2)", true},
		{"shorter and shorter", "END", "4 - pid", false},
		{"the rest", "0, END", "pid, n", false},
		{"from further and further before", "0, END", "3 - pid, 4", true},
		{"a window", "0, END", "pid, pid + 2", false},
		{"by the number of programs", "END", "tl.num_programs(0)", false},
		{"along the second axis", "END", "tl.program_id(1) + 1", false},
		{"up and down", "END", "(pid * 2) % 3", false},
		{"by what is loaded", "END", "tl.load(x_ptr + pid)", false},
		{"all alike", "END", "n", false},
		{"with a while loop", "    s = tl.zeros", "    n += 1\n    while n > 5:\n        n -= 1\n    s = tl.zeros", false},
		{"with an atomic", "END):", "pid + 1):\n        tl.atomic_add(z_ptr + 150, 1)", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			kernel := strings.ReplaceAll(strings.Replace(text, c.old, c.new, 1), "END", "pid + 1")
			fn := compiled(t, c.name, "\n"+kernel, "*i32:16, *i32:16, i32")
			args := func() []tile.Arg {
				x := make([]byte, 4*256)
				for i := range 256 {
					x[4*i] = byte(i * 7 % 5)
				}
				return []tile.Arg{tile.Buffer{DType: num.Int32, Data: x}, tile.Buffer{DType: num.Int32, Data: make([]byte, 4*256)},
					tile.Scalar{Scalar: num.FromInt(num.Int32, 4)}}
			}
			opt, grid := ptx.Options{Target: "sm_90a", NumWarps: 1}, [3]int{4, 2, 1}
			m, err := ptx.Compile(fn, opt)
			if err != nil {
				t.Fatal(err)
			}
			block, _, _ := strings.Cut(m.Text[strings.Index(m.Text, "%ctaid.x"):], "mul")
			if got := strings.Contains(block, "%nctaid.x"); got != c.reversed {
				t.Errorf("reversed: %v\n%s", got, m.Text)
			}
			compare(t, c.name, fn, grid, args, opt, 1)
		})
	}
}

// TestReversedProgramsReport: a report names the program as its author numbers it.
func TestReversedProgramsReport(t *testing.T) {
	const pidAt = 8 // in a site's record
	m := dotModule(t, `
def kernel(x_ptr):
    pid = tl.program_id(0)
    s = 0
    for k in range(0, pid):
        s += k
    tl.store(x_ptr + pid * 3, s)
`, "*i32:16", ptx.Options{NumWarps: 1})
	// of programs 0 to 5, the last one stores past the end
	r, err := launchDot(t, m, 6, 1, []matrix{{num.Int32, make([]int64, 15)}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if at := slices.IndexFunc(r.sites, func(b byte) bool { return b != 0 }); at < 0 || r.sites[at/64*64+pidAt] != 5 {
		t.Errorf("the sites' records are %v", r.sites)
	}
}
