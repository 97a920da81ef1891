package puzzles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
)

// The launches of the published notebooks: tensors, arguments and grid of the classic check.
func TestClassicInstances(t *testing.T) {
	for i, want := range []string{
		"x[32] -> z[32] N0=32 B0=32 on 1x1x1",
		"x[200] -> z[200] N0=200 B0=32 on 7x1x1",
		"x[32] y[32] -> z[32 32] N0=32 N1=32 B0=32 B1=32 on 1x1x1",
		"x[100] y[90] -> z[90 100] N0=100 N1=90 B0=32 B1=32 on 4x3x1",
		"x[100] y[90] -> z[90 100] N0=100 N1=90 B0=32 B1=32 on 4x3x1",
		"x[90 100] y[90] dz[90 100] -> dx[90 100] N0=100 N1=90 B0=32 B1=32 on 4x3x1",
		"x[4 200] -> z[4] N0=4 N1=32 T=200 B0=1 B1=32 on 4x1x1",
		"x[4 200] -> z[4 200] N0=4 N1=32 T=200 B0=1 B1=32 on 4x1x1",
		"q[200] k[200] v[200] -> z[200] N0=200 T=200 B0=64 B1=32? on 4x1x1",
		"x[4 8 8] k[4 4] -> z[4 8 8] N0=4 H=8 W=8 KH=4 KW=4 B0=1 on 4x1x1",
		"x[4 32 32] y[4 32 32] -> z[4 32 32] N0=32 N1=32 N2=4 MID=32 B0=16 B1=16 B2=1 B_MID=16? on 2x2x4",
		"scale[32 8] offset[32] weight[32 8] activation[64 32] -> z[32 32] N0=32 N1=32 MID=64 B0=16 B1=16 B_MID=64? on 2x2x1",
	} {
		p, ok := Get(i + 1)
		if !ok {
			t.Fatalf("puzzle %d is missing", i+1)
		}
		in, err := p.Instance(p.Classic)
		if err != nil {
			t.Fatal(err)
		}
		if got := describe(in); got != want {
			t.Errorf("puzzle %d:\n got %s\nwant %s", p.Number, got, want)
		}
	}
}

func describe(in Instance) string {
	var b strings.Builder
	for _, a := range in.Inputs {
		fmt.Fprintf(&b, "%s%v ", a.Name, a.Shape)
	}
	fmt.Fprintf(&b, "-> %s%v ", in.Output.Name, in.Output.Shape)
	for _, a := range in.Args {
		optional := ""
		if a.Optional {
			optional = "?"
		}
		fmt.Fprintf(&b, "%s=%d%s ", a.Name, a.Value, optional)
	}
	fmt.Fprintf(&b, "on %dx%dx%d", in.Grid[0], in.Grid[1], in.Grid[2])
	return b.String()
}

func TestArrayLen(t *testing.T) {
	if n := (Array{Shape: []int{4, 8, 8}}).Len(); n != 256 {
		t.Errorf("Len = %d", n)
	}
}

func TestInstanceRefuses(t *testing.T) {
	p, _ := Get(4)
	for _, c := range []struct {
		say    string
		change func(*Case)
	}{
		{"no value for `N0`", func(c *Case) { delete(c.Sizes, "N0") }},
		{"`N1` must be between 1", func(c *Case) { c.Sizes["N1"] = 0 }},
		{"the block `B0` is 24", func(c *Case) { c.Blocks["B0"] = 24 }},
		{"no value for `B1`", func(c *Case) { delete(c.Blocks, "B1") }},
		{"is not one of", func(c *Case) { c.Sizes["T"] = 3 }},
		{"is not one of", func(c *Case) { c.Blocks["B2"] = 4 }},
		{"elements", func(c *Case) { c.Sizes["N0"], c.Sizes["N1"] = 1<<12, 1<<11 }},
		{"programs", func(c *Case) { c.Sizes["N0"], c.Blocks["B0"] = 1<<17, 1; c.Sizes["N1"] = 1 }},
	} {
		broken := p.Classic
		broken.Sizes, broken.Blocks = maps.Clone(broken.Sizes), maps.Clone(broken.Blocks)
		c.change(&broken)
		if _, err := p.Instance(broken); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("sizes %v, blocks %v: error %v does not say %q", broken.Sizes, broken.Blocks, err, c.say)
		}
	}
}

// What the strict check promises: odd sizes, one smaller than a block, one of exactly a block,
// other seeds, inputs of both signs.
func TestStrictCasesCover(t *testing.T) {
	for _, p := range All() {
		var seeds []int64
		signs := !slices.ContainsFunc(p.Inputs, func(x Tensor) bool { return x.DType.DType == num.Float32 }) // integers have both
		for _, c := range p.Strict {
			seeds = append(seeds, c.Seed)
			signs = signs || c.Shift < 0
		}
		slices.Sort(seeds)
		if len(slices.Compact(seeds)) != len(p.Strict) || slices.Contains(seeds, p.Classic.Seed) {
			t.Errorf("puzzle %d: the strict cases' seeds are not their own", p.Number)
		}
		if !signs {
			t.Errorf("puzzle %d: no strict case has negative inputs", p.Number)
		}
		checkRelations(t, p)
	}
}

// walks names the size that a block iterates over and its block size, for the puzzles where it is not N0 over B0.
var walks = map[int][2]string{701: {"T", "B1"}, 702: {"T", "B1"}, 7: {"T", "B1"}, 8: {"T", "B1"}, 801: {"T", "B1"}, 10: {"W", "KW"}}

// oneBlock are the puzzles in which one block holds all of an axis.
var oneBlock = map[int]bool{601: true, 701: true, 702: true, 1001: true}

func checkRelations(t *testing.T, p *Puzzle) {
	if p.Number == 1 || p.Number == 3 { // a block is as long as its axis
		return
	}
	pair, ok := walks[p.Number]
	if !ok {
		pair = [2]string{"N0", "B0"}
	}
	var smaller, exact, ragged bool
	for _, c := range p.Strict {
		n, b := c.Sizes[pair[0]], c.Blocks[pair[1]]+c.Sizes[pair[1]]
		smaller = smaller || n < b
		exact = exact || n == b
		ragged = ragged || n > b && n%b != 0
	}
	if !smaller || !exact || ragged == oneBlock[p.Number] {
		t.Errorf("puzzle %d: %v smaller than a block %t, exactly one %t, not a multiple %t", p.Number, pair, smaller, exact, ragged)
	}
}
