package code

import (
	"encoding/json"
	"errors"

	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/model"
	"github.com/newtlab/newt/runner/protocol"
)

// estimate asks the model about a launch. What a GPU refuses, such as too much shared memory, is no error: Ended says
// it, as a runner would.
func (out *Reply) estimate(r *Request, fn *ir.Func, tensors [][]byte) error {
	j, err := readLaunch(r, fn, tensors)
	if err != nil {
		return err
	}
	m := model.New(&arch.Find(r.Target).GPUs()[0])
	defer m.Close()
	done := protocol.Done{State: protocol.StateDone}
	err = j.on(m)
	var fault device.Fault
	switch {
	case errors.As(err, &fault):
		d := protocol.FromDiag(fault.Diagnostic())
		done = protocol.Done{State: protocol.StateFault, Fault: &d}
	case err != nil:
		return err
	default:
		x := m.Last().Expect(j.options(), float64(j.submit.TensorBytes()))
		out.Expected = &Expected{MS: x.Seconds() * 1e3, Bound: x.Bound()}
	}
	ended, err := json.Marshal(protocol.ServerMessage{Done: &done})
	out.Ended = string(ended)
	return err
}
