package bounds_test

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ops"
	"github.com/newtlab/newt/compiler/ptx/axis"
	"github.com/newtlab/newt/compiler/ptx/bounds"
	"github.com/newtlab/newt/compiler/source"
)

// grouped are ways to number the tiles of a matrix so that a group of rows is done at a time.
var grouped = map[string]string{
	"min": `
    size = min(num_m - first, GROUP)`,
	"where": `
    size = tl.where(num_m - first < GROUP, num_m - first, GROUP)`,
	"where, a remainder": `
    size = tl.where(first + GROUP > num_m, num_m % GROUP, GROUP)`,
	"where, the other way round": `
    size = tl.where(num_m - first >= GROUP, GROUP, num_m - first)`,
}

// TestGroupedTiles: rows and columns of tiles are bounded by their numbers, also in a last group that is smaller.
func TestGroupedTiles(t *testing.T) {
	for name, size := range grouped {
		text := "import triton\nimport triton.language as tl\n\n@triton.jit" + `
def grouped(rows_ptr, cols_ptr, num_m, num_n, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    per_group = GROUP * num_n
    group = pid // per_group
    first = group * GROUP` + size + `
    pid_m = first + (pid % per_group) % size
    pid_n = (pid % per_group) // size
    tl.store(rows_ptr + pid_m, pid)
    tl.store(cols_ptr + pid_n, pid)
`
		args, err := compiler.ParseSignature("*i32, *i32, i32, i32, 8")
		if err != nil {
			t.Fatal(err)
		}
		art, list := compiler.Compile(source.NewFile("grouped.py", text), compiler.Options{Args: args})
		if art == nil {
			t.Fatalf("%s: %v", name, list)
			return
		}
		art.Func.Number()
		prover := bounds.New(art.Func, axis.Analyze(art.Func))
		for i := range int64(20 * 6) {
			tiles := [2]int64{1 + i/6, 1 + i%6}
			proved := func(m, n int64) (all []bool) {
				proof := prover.Prove(bounds.Args{Grid: [3]int{int(tiles[0] * tiles[1]), 1, 1}, Args: []bounds.Arg{
					{Count: m}, {Count: n}, {Value: num.FromInt(num.Int32, tiles[0])},
					{Value: num.FromInt(num.Int32, tiles[1])}}})
				art.Func.Body.Walk(func(in *ir.Instr) {
					if axis.Accesses(in) {
						all = append(all, proof.InRange(in))
					}
				})
				return all
			}
			if p := proved(tiles[0], tiles[1]); !p[0] || !p[1] {
				t.Errorf("%s, %v tiles: rows and columns found in range: %v", name, tiles, p)
			}
			if p := proved(tiles[0]-1, tiles[1]-1); p[0] || p[1] {
				t.Errorf("%s, %v tiles: too many found in range: %v", name, tiles, p)
			}
		}
	}
}

// TestPitchOfGroupedTiles: tiles of a last group that is smaller are a matrix's, too: the rows that wrap around its end
// are not reached.
func TestPitchOfGroupedTiles(t *testing.T) {
	for _, u := range uses {
		if u.name != "matmul, a last group of two" {
			continue
		}
		fn := u.compile(t)
		proof := bounds.New(fn, axis.Analyze(fn)).Prove(u.launch(fn, -1))
		var pitches []int64
		fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.Load {
				pitch, _ := proof.Pitch(in)
				pitches = append(pitches, pitch)
			}
		})
		if want := []int64{256, 512}; !slices.Equal(pitches, want) {
			t.Errorf("%s: pitches %d, want %d", u.name, pitches, want)
		}
	}
}
