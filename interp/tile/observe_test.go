package tile

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/trace"
)

// TestObservedOrders: an observer learns the memory order of each access, and what a compare-and-swap compares with.
func TestObservedOrders(t *testing.T) {
	k := plan(t, `func @k(%x: *i32) {
  %one = const {value=i32(1)} : i32
  %two = const {value=i32(2)} : i32
  %a = load %x : i32
  %b = load %x {volatile=true} : i32
  %c = atomic_rmw %x, %one {rmw=add, sem=acquire, scope=sys} : i32
  %d = atomic_rmw %x, %one {rmw=add, sem=release, scope=cta} : i32
  %e = atomic_rmw %x, %one {rmw=add, sem=relaxed, scope=gpu} : i32
  %f = atomic_cas %x, %two, %one {sem=acq_rel, scope=gpu} : i32
  store %x, %one
  return
}
`)
	r := &trace.Recorder{MaxLanes: 100}
	k.Run(context.Background(), Launch{Grid: [3]int{1, 1, 1}, Args: []Arg{Buffer{DType: num.Int32, Data: make([]byte, 4)}}, Observer: r})
	want := []trace.Order{
		{}, {Strong: true}, {Strong: true, Acquire: true}, {Strong: true, Release: true, CTA: true}, {Strong: true},
		{Strong: true, Acquire: true, Release: true}, {},
	}
	var got []trace.Order
	for _, a := range r.Accesses {
		got = append(got, a.Order)
		if (len(a.Compare.I32) == 1 && a.Compare.I32[0] == 2) != (len(got) == 6) {
			t.Errorf("access %d compares with %v", len(got), a.Compare)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}

// TestLastFirst: the programs run in the opposite order, each with its own index.
func TestLastFirst(t *testing.T) {
	k := plan(t, "func @k(%x: *i32) {\n  %one = const {value=i32(1)} : i32\n  store %x, %one\n  return\n}\n")
	r := &trace.Recorder{MaxLanes: 100}
	k.Run(context.Background(), Launch{
		Grid: [3]int{2, 1, 2}, Args: []Arg{Buffer{DType: num.Int32, Data: make([]byte, 4)}}, Observer: r, LastFirst: true,
	})
	var got []string
	for _, a := range r.Accesses {
		got = append(got, fmt.Sprint(a.Program))
	}
	if s := strings.Join(got, " "); s != "[1 0 1] [1 0 0] [0 0 1] [0 0 0]" {
		t.Error(s)
	}
}
