package codec

import (
	"slices"
	"testing"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/runner/protocol"
)

type plain struct {
	device.Memory
	data []byte
}

func read(m device.Memory) (t protocol.Tensor, data []byte, ok bool) {
	own, ok := m.(*plain)
	if !ok {
		return t, nil, false
	}
	return Whole(own.data), own.data, true
}

// TestJob: memory that two pointers point into travels once and comes back where one of them is written through; what
// cannot be read is passed as nothing.
func TestJob(t *testing.T) {
	fn, err := ir.Parse(`func @f(%x: *i32, %y: *i32, %z: *i32, %n: i32) {
  %v = load %x : i32
  store %y, %v
  return
}
`)
	if err != nil {
		t.Fatal(err)
	}
	both, zero := &plain{data: []byte{1, 2, 3, 4, 5, 6, 7, 8}}, &plain{data: make([]byte, 5000)}
	point := func(m device.Memory, offset int) device.Arg {
		return device.Pointer{Memory: m, DType: num.Int32, Offset: offset}
	}
	seven := device.Scalar{Scalar: num.FromInt(num.Int32, 7)}
	l := device.Launch{Grid: [3]int{3, 2, 1}, Args: []device.Arg{point(both, 0), point(both, 1), point(zero, 0), seven}, Budget: 9}
	j := Load(fn, device.Options{NumWarps: 8}).Job(l, read)
	want := []protocol.Tensor{{Bytes: 8, Return: true}, {Bytes: 5000, Zero: true}}
	if !slices.Equal(j.Submit.Tensors, want) || !slices.Equal(j.Submit.Grid, l.Grid[:]) || j.Submit.NumWarps != 8 || j.Submit.Budget != 9 {
		t.Errorf("%+v", j.Submit)
	}
	if a := j.Submit.Args; *a[0].Tensor != 0 || *a[1].Tensor != 0 || a[1].Offset != 1 || *a[2].Tensor != 1 || a[3].Bits != "7" {
		t.Errorf("%+v", a)
	}
	j = Load(fn, device.Options{}).Job(device.Launch{Args: []device.Arg{point(nil, 0), nil, point(both, 0)}}, read)
	if a := j.Submit.Args; len(j.Memories) != 1 || a[0].Tensor != nil || a[1].Tensor != nil || j.Submit.Tensors[0].Return {
		t.Errorf("%+v %+v", a, j.Submit.Tensors)
	}
}

func TestFault(t *testing.T) {
	d := func(code string) *protocol.Diagnostic { return &protocol.Diagnostic{Code: code} }
	for _, c := range []struct {
		name    string
		message protocol.ServerMessage
		code    string
	}{
		{"done", protocol.ServerMessage{Done: &protocol.Done{State: protocol.StateDone}}, ""},
		{"refused", protocol.ServerMessage{Error: &protocol.Error{Diagnostic: *d("runner-queue-full")}}, "runner-queue-full"},
		{"stopped", protocol.ServerMessage{Done: &protocol.Done{State: "cancelled", Reason: d("runner-too-long"), Fault: d("launch-cancelled")}}, "runner-too-long"},
		{"cancelled", protocol.ServerMessage{Done: &protocol.Done{State: "cancelled", Reason: d("runner-cancelled"), Fault: d("launch-cancelled")}}, "launch-cancelled"},
		{"cancelled before it began", protocol.ServerMessage{Done: &protocol.Done{State: "cancelled", Reason: d("runner-cancelled")}}, "runner-cancelled"},
		{"no reason", protocol.ServerMessage{Done: &protocol.Done{State: "x"}}, "protocol-error"},
		{"no end", protocol.ServerMessage{}, "protocol-error"},
	} {
		var out Outcome
		out.Add(&c.message)
		code := ""
		if f := out.Fault(); f != nil {
			code = f.Diagnostic().Code
		}
		if code != c.code {
			t.Errorf("%s: %q, want %q", c.name, code, c.code)
		}
	}
}
