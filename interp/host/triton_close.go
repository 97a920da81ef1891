package host

import (
	"fmt"

	"github.com/newtlab/newt/compiler/python"
)

// assertAllClose is triton.testing.assert_close: numpy's comparison, with a tolerance of 0.01 unless one is given.
func assertAllClose(m *machine, a arguments) Value {
	p := bindParams("assert_close", a, keyword{"x", nil}, keyword{"y", nil}, keyword{"atol", none},
		keyword{"rtol", none}, keyword{"err_msg", python.Str("")})
	x, y := asFloats(m, p["x"]), asFloats(m, p["y"])
	tolerance := func(v Value, otherwise float64) Value {
		switch {
		case v == none:
			return python.Float(otherwise)
		case callable(v):
			return m.callValue(v, arguments{positional: []Value{m.attrOf(x, "dtype")}})
		}
		return v
	}
	atol, rtol := tolerance(p["atol"], 0.01), tolerance(p["rtol"], 0)
	if Repr(m.attrOf(x, "shape")) != Repr(m.attrOf(y, "shape")) && x.Numel() > 1 && y.Numel() > 1 {
		raise("AssertionError", "\nNot equal to tolerance rtol=%s, atol=%s\n%s\n(shapes %s, %s mismatch)",
			general(rtol), general(atol), m.strOf(p["err_msg"]), shapeText(m, x), shapeText(m, y))
	}
	close := callTorchWith(m, "isclose", []Value{x, y}, keyword{"atol", atol}, keyword{"rtol", rtol},
		keyword{"equal_nan", python.Bool(true)}).(Tensor)
	if m.truthOf(m.tensorMethod(m.tensorMethod(close, "all").(Tensor), "item")) {
		return none
	}
	if x.Numel() <= 1 && y.Numel() <= 1 {
		raise("AssertionError", "%s %s is not close to %s (atol=%s, rtol=%s)",
			m.strOf(p["err_msg"]), m.strOf(m.tensorMethod(x, "item")), m.strOf(m.tensorMethod(y, "item")),
			m.strOf(atol), m.strOf(rtol))
	}
	raise("AssertionError", "%s", mismatchMessage(m, x, y, close, general(atol), general(rtol), m.strOf(p["err_msg"])))
	return nil
}

// asFloats is a tensor of float64 with the numbers of a tensor or a sequence.
func asFloats(m *machine, v Value) Tensor {
	t, ok := v.(Tensor)
	if !ok {
		t = m.callTorch("tensor", v).(Tensor)
	}
	return m.tensorMethod(m.tensorMethod(m.tensorMethod(t, "detach").(Tensor), "cpu").(Tensor), "double").(Tensor)
}

// callTorchWith runs an operation of torch with keywords.
func callTorchWith(m *machine, name string, args []Value, keywords ...keyword) Value {
	return m.callValue(m.libraryModule("torch").members[name], arguments{args, keywords})
}

func shapeText(m *machine, t Tensor) string { return m.reprOf(Size(t.Shape()).tuple()) }

// general is a number as %g writes it.
func general(v Value) string {
	f, _, _ := python.AsFloat(v)
	return fmt.Sprintf("%g", f)
}

// mismatchMessage is numpy's message for arrays that differ: how many elements, and by how much.
func mismatchMessage(m *machine, x, y, close Tensor, atol, rtol, message string) string {
	total := max(x.Numel(), y.Numel())
	good := asIndex(m.tensorMethod(m.tensorMethod(close, "sum").(Tensor), "item"))
	diff := m.tensorMethod(m.binaryOp("-", x, y).(Tensor), "abs").(Tensor)
	worst := func(t Tensor) string { return general(m.tensorMethod(m.tensorMethod(t, "max").(Tensor), "item")) }
	relative := m.binaryOp("/", diff, m.tensorMethod(y, "abs")).(Tensor)
	bad := int64(total) - good
	return fmt.Sprintf("\nNot equal to tolerance rtol=%s, atol=%s\n%s\nMismatched elements: %d / %d (%.3g%%)\n"+
		"Max absolute difference among violations: %s\nMax relative difference among violations: %s",
		rtol, atol, message, bad, total, 100*float64(bad)/float64(total), worst(diff), worst(relative))
}
