package bounds_test

import (
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/ops"
)

// TestPitch is about a kernel that loads tiles of 16 × 32 elements of fp16 from rows that are %s apart, each program from
// rows and columns of its own, those below %n and the columns below %m.
func TestPitch(t *testing.T) {
	const kernel = `func @k(%p: *fp16 {div=16}, %s: i32 {div=16}, %n: i32, %m: i32 {div=16}) {
  %x = program_id {axis=0} : i32
  %sixteen = const {value=i32(16)} : i32
  %row0 = mul %x, %sixteen : i32
  %rows0 = splat %row0 {shape=[16]} : i32[16]
  %i = arange {start=0, end=16} : i32[16]
  %r1 = add %rows0, %i : i32[16]
  ROWS
  %r = expand_dims %r1w {axis=1} : i32[16, 1]
  %ss = splat %s {shape=[16, 1]} : i32[16, 1]
  %rs = mul %r, %ss : i32[16, 1]
  %j = arange {start=0, end=32} : i32[32]
  %c = expand_dims %j {axis=0} : i32[1, 32]
  %ps = splat %p {shape=[16, 1]} : *fp16[16, 1]
  %p1 = addptr %ps, %rs : *fp16[16, 1]
  %p2 = broadcast %p1 {shape=[16, 32]} : *fp16[16, 32]
  %c2 = broadcast %c {shape=[16, 32]} : i32[16, 32]
  %q = addptr %p2, %c2 : *fp16[16, 32]
  %ns = splat %n {shape=[16, 1]} : i32[16, 1]
  %mr = lt %r, %ns : i1[16, 1]
  %mr2 = broadcast %mr {shape=[16, 32]} : i1[16, 32]
  %ms = splat %m {shape=[1, 32]} : i32[1, 32]
  %mc = COLS : i1[1, 32]
  %mc2 = broadcast %mc {shape=[16, 32]} : i1[16, 32]
  %mask = and %mr2, %mc2 : i1[16, 32]
  %v = load %q, %mask : fp16[16, 32]
  return
}`
	const (
		asIs    = "%one = const {value=i32(1), shape=[16]} : i32[16]\n  %r1w = mul %r1, %one : i32[16]"
		wraps   = "%w = splat %n {shape=[16]} : i32[16]\n  %r1w = rem %r1, %w : i32[16]"
		squares = "%r1w = mul %r1, %r1 : i32[16]"
		below   = "lt %c, %ms"
		above   = "ge %c, %ms"
		twice   = "lt %c, %ms : i1[1, 32]\n  %m2 = lt %c, %ms : i1[1, 32]\n  %mc = and %m1, %m2"
	)
	for _, c := range []struct {
		name, rows, cols     string
		grid, n              int
		pitch, below, within int64
		want                 int64
	}{
		{"whole tiles", asIs, below, 4, 64 * 48, 48, 64, 32, 48},
		{"rows left over", asIs, below, 4, 56 * 48, 48, 56, 32, 48},
		{"wrap around that does not happen", wraps, below, 4, 64 * 48, 48, 64, 32, 48},
		{"wrap around", wraps, below, 4, 56 * 48, 48, 56, 32, 0},
		{"rows that are not equally far apart", squares, below, 1, 64 * 48, 48, 16, 32, 0},
		{"two limits of one dimension", asIs, twice, 4, 64 * 48, 48, 64, 32, 0},
		{"a mask from below", asIs, above, 4, 64 * 48, 48, 64, 16, 0},
		{"a pitch that is no multiple of 16 bytes", asIs, below, 4, 64 * 36, 36, 64, 32, 0},
		{"rows that are one", asIs, below, 4, 64, 0, 64, 32, 0},
		{"the first tile would begin before the storage", asIs, below, 4, 64 * 48, 48, 64, 16, 0},
		{"out of range", asIs, below, 4, 40 * 48, 48, 64, 32, 0},
	} {
		text := strings.Replace(strings.Replace(kernel, "ROWS", c.rows, 1), "COLS", c.cols, 1)
		if c.cols == twice {
			text = strings.Replace(text, "%mc = lt", "%m1 = lt", 1)
		}
		fn, proof := prove(t, text, c.grid, c.n, c.pitch, c.below, c.within)
		for _, in := range fn.Body.Instrs {
			if in.Op != ops.Load {
				continue
			}
			if got, ok := proof.Pitch(in); got != c.want || ok != (c.want > 0) {
				t.Errorf("%s: %d, %v, want %d", c.name, got, ok, c.want)
			}
		}
	}
}
