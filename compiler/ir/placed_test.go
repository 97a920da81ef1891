package ir_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
)

// placed has each operation that wants its values in layouts that follow from each other. #1 is a row of #0, #2 a row
// in other threads, #3 and #6 the transposed and the joined #0, #4 a column, #5 as #2 under the shape of a row.
const placed = `
#0 = [2, 64] reg (1,0) lane (0,1) (0,2) (0,4) (0,8) (0,16) warp (0,32)
#1 = [64] lane 1 2 4 8 16 warp 32
#2 = [64] reg 1 lane 2 4 8 16 32 warp -
#3 = [64, 2] reg (0,1) lane (1,0) (2,0) (4,0) (8,0) (16,0) warp (32,0)
#4 = [2] reg 1 lane - - - - - warp -
#5 = [1, 64] lane (0,1) (0,2) (0,4) (0,8) (0,16) warp (0,32)
#6 = [2, 64, 2] reg (0,0,1) (1,0,0) lane (0,1,0) (0,2,0) (0,4,0) (0,8,0) (0,16,0) warp (0,32,0)
func @kernel(%p: *fp32, %n: i32) {
  %i = arange {start=0, end=64} : i32[64] #1
  %ptr = splat %p {shape=[64]} : *fp32[64] #1
  %at = addptr %ptr, %i : *fp32[64] #1
  %x = load %at : fp32[64] #1
  %row = expand_dims %x {axis=0} : fp32[1, 64] #5
  %tile = broadcast %row {shape=[2, 64]} : fp32[2, 64] #0
  %column = trans %tile {perm=[1, 0]} : fp32[64, 2] #3
  %both = join %tile, %tile : fp32[2, 64, 2] #6
  %left, %right = split %both : fp32[2, 64] #0, fp32[2, 64] #0
  %sum = reduce %left {axis=0} : fp32[64] #1 combine (%a: fp32, %b: fp32) {
    %ab = add %a, %b : fp32
    yield %ab
  }
  %lines = reduce %left {axis=1} : fp32[2] #4 combine (%c: fp32, %d: fp32) {
    %cd = add %c, %d : fp32
    yield %cd
  }
  %moved = convert_layout %sum : fp32[64] #2
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %loop = for %zero, %n, %one, %sum : fp32[64] #1 do (%k: i32, %acc: fp32[64] #1) {
    %next = add %acc, %x : fp32[64] #1
    yield %next
  }
  store %at, %loop
  return
}`

// TestVerifyPlacedRefuses: layouts that do not fit each other are refused, with the values and both layouts.
func TestVerifyPlacedRefuses(t *testing.T) {
	if _, err := ir.Parse(placed); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, old, new, want string }{
		{"elementwise", "addptr %ptr, %i : *fp32[64] #1", "addptr %ptr, %i : *fp32[64] #2",
			"addptr: operand 0 is in layout [64] lane 1 2 4 8 16 warp 32; from that of result 0 follows [64] reg 1 lane 2 4 8 16 32 warp -"},
		{"store", "store %at, %loop", "store %at, %moved", "store: operand 1 is in layout [64] reg 1"},
		{"broadcast", "%row {shape=[2, 64]} : fp32[2, 64] #0", "%row {shape=[2, 64]} : fp32[2, 64] #7",
			"broadcast: operand 0 is in layout [1, 64]"},
		{"trans", "fp32[64, 2] #3", "fp32[64, 2] #8", "trans: operand 0 is in layout [2, 64]"},
		{"join", "join %tile, %tile : fp32[2, 64, 2] #6", "join %tile, %tile : fp32[2, 64, 2] #9",
			"line 22: join: result 0 is in layout [2, 64, 2] reg (1,0,0) (0,32,0) lane (0,0,1)"},
		{"reduce", "reduce %left {axis=0} : fp32[64] #1", "reduce %left {axis=0} : fp32[64] #2",
			"reduce: result 0 is in layout [64] reg 1"},
		{"loop", "%n, %one, %sum", "%n, %one, %moved", "for: operand 3 is in layout [64] reg 1"},
		{"carried", "yield %next", "yield %moved", "for: region do's result 0 is in layout [64] reg 1"},
		{"warps", "%moved = convert_layout %sum : fp32[64] #2", "%moved = convert_layout %sum : fp32[64] #10",
			"a tile is on 4 warps, those before it on 2"},
		{"lanes", "%moved = convert_layout %sum : fp32[64] #2", "%moved = convert_layout %sum : fp32[64] #11",
			"a tile's layout: 4 lane bases, want 5"},
		{"no layout", "%moved = convert_layout %sum : fp32[64] #2", "%moved = convert_layout %sum : fp32[64]",
			"a tile has no layout of its shape"},
	}
	const more = `
#7 = [2, 64] reg (0,32) lane (1,0) (0,1) (0,2) (0,4) (0,8) warp (0,16)
#8 = [64, 2] reg (1,0) lane (2,0) (4,0) (8,0) (16,0) (32,0) warp (0,1)
#9 = [2, 64, 2] reg (1,0,0) (0,32,0) lane (0,0,1) (0,1,0) (0,2,0) (0,4,0) (0,8,0) warp (0,16,0)
#10 = [64] lane 1 2 4 8 16 warp 32 -
#11 = [64] reg 16 lane 1 2 4 8 warp 32
func`
	for _, c := range cases {
		text := strings.Replace(strings.Replace(placed, "\nfunc", more, 1), c.old, c.new, 1)
		if _, err := ir.Parse(text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
