package tile

import (
	"context"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
)

// TestOneValueStartsTwo: a value that dies at a loop starts two of its carried values. One takes
// its slot over; the other must still be copied from there.
func TestOneValueStartsTwo(t *testing.T) {
	fn, err := ir.Parse(`func @f(%in: *fp64, %out: *fp64) {
  %lo = const {value=i32(2)} : i32
  %one = const {value=i32(1)} : i32
  %s = load %in : fp64
  %a, %b = for %lo, %lo, %one, %s, %s : fp64, fp64 do (%i: i32, %x: fp64, %y: fp64) {
    yield %x, %x
  }
  store %out, %b
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	k, err := Plan(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, out := zeros(num.Float64, 1), zeros(num.Float64, 1)
	num.Store(num.Float64, in.Data, num.Vec{F64: []float64{5}})
	if _, fault := k.Run(context.Background(), Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{in, out}}); fault != nil {
		t.Fatal(fault)
	}
	v := num.MakeVec(num.ClassF64, 1)
	if num.Load(num.Float64, v, out.Data); v.F64[0] != 5 {
		t.Errorf("the second carried value started as %v, want 5", v.F64[0])
	}
}
