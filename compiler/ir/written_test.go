package ir_test

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ops"
)

func TestWritten(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []bool
	}{
		{"plain", `func @f(%x: *i32, %n: i32, %z: *i32) {
  %v = load %x : i32
  store %z, %v
  return
}
`, []bool{false, false, true}},
		{"offsets and tiles", `func @f(%x: *i32, %z: *i32) {
  %r = arange {start=0, end=4} : i32[4]
  %xs = splat %x {shape=[4]} : *i32[4]
  %zs = splat %z {shape=[4]} : *i32[4]
  %zp = addptr %zs, %r : *i32[4]
  %v = load %xs : i32[4]
  %old = atomic_rmw %zp, %v {rmw=add, sem=relaxed, scope=gpu} : i32[4]
  return
}
`, []bool{false, true}},
		{"chosen in a branch", `func @f(%x: *i32, %y: *i32, %z: *i32, %c: i32) {
  %one = const {value=i32(1)} : i32
  %is = eq %c, %one : i1
  %p = if %is : *i32 then {
    yield %x
  } else {
    yield %y
  }
  %v = load %z : i32
  store %p, %v
  return
}
`, []bool{true, true, false, false}},
		{"carried by a loop", `func @f(%x: *i32, %z: *i32, %n: i32) {
  %zero = const {value=i32(0)} : i32
  %one = const {value=i32(1)} : i32
  %last = for %zero, %n, %one, %z : *i32 do (%i: i32, %p: *i32) {
    %v = load %x : i32
    %q = addptr %p, %one : *i32
    store %q, %v
    yield %q
  }
  return
}
`, []bool{false, true, false}},
		{"by the address of an argument", `func @f(%x: *i32, %y: *i32, %z: *i32) {
  %a = ptrtoint %z : i64
  %p = inttoptr %a {to=i32} : *i32
  %b = ptrtoint %y : i64
  %v = load %x : i32
  store %p, %v
  return
}
`, []bool{false, true, true}},
	} {
		fn, err := ir.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := fn.Written(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPointees: an access reaches the parameters that its pointer may come from, and any where addresses are numbers.
func TestPointees(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       [][]int
	}{
		{"chosen in a branch", `func @f(%x: *i32, %y: *i32, %z: *i32, %c: i1) {
  %p = if %c : *i32 then {
    yield %x
  } else {
    yield %z
  }
  %v = load %y : i32
  store %p, %v
  return
}
`, [][]int{{1}, {0, 2}}},
		{"by its address", `func @f(%x: *i32, %a: i64) {
  %p = inttoptr %a {to=i32} : *i32
  %v = load %x : i32
  store %p, %v
  return
}
`, [][]int{nil, nil}},
	} {
		fn, err := ir.Parse(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		of, n := fn.Pointees(), 0
		fn.Body.Walk(func(in *ir.Instr) {
			if in.Op == ops.Load || in.Op == ops.Store {
				if !slices.Equal(of[in], c.want[n]) {
					t.Errorf("%s: access %d reaches %v, want %v", c.name, n, of[in], c.want[n])
				}
				n++
			}
		})
	}
}
