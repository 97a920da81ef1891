package cli

import (
	"context"
	"errors"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/launch"
	"github.com/newtlab/newt/interp/tile"
)

// engineOn makes launches on a device: tensors are copied there and back. A device that cannot be
// used is a fault of the launch.
func engineOn(d device.Device) launch.Engine {
	return func(ctx context.Context, k *launch.Kernel, args []launch.Arg, l tile.Launch) *launch.Outcome {
		report, err := launchOn(ctx, d, k, args, l)
		out := &launch.Outcome{Diagnostics: report.Diagnostics}
		for _, p := range report.Prints {
			out.Prints = append(out.Prints, tile.Print{Program: p.Program, Span: p.Span, Text: p.Text})
		}
		if err != nil {
			out.Fault = inWords(err)
		}
		return out
	}
}

// inWords is an error as a diagnostic.
func inWords(err error) *diag.Diagnostic {
	var fault device.Fault
	if errors.As(err, &fault) {
		return fault.Diagnostic()
	}
	return diag.New("protocol-error", source.Span{}, err.Error())
}

func launchOn(ctx context.Context, d device.Device, k *launch.Kernel, args []launch.Arg, l tile.Launch) (*device.Report, error) {
	none := &device.Report{}
	loaded, err := d.Load(k.Func, device.Options{NumWarps: k.NumWarps, NumStages: k.NumStages})
	if err != nil {
		return none, err
	}
	var m memories
	defer m.free()
	there := make([]device.Arg, 0, len(args))
	for _, a := range k.Bind(args) {
		switch a := a.(type) {
		case tile.Scalar:
			there = append(there, device.Scalar{Scalar: a.Scalar})
		case tile.Buffer:
			memory, err := m.upload(d, a.Data)
			if err != nil {
				return none, err
			}
			there = append(there, device.Pointer{Name: a.Name, Memory: memory, DType: a.DType, Offset: a.Offset})
		}
	}
	report, err := loaded.Launch(ctx, device.Launch{Grid: l.Grid, Args: there, Budget: l.Budget, Poison: l.Poison})
	if downloaded := m.download(); err == nil {
		err = downloaded
	}
	return report, err
}

// memories are storages of tensors and their copies on a device; tensors may share a storage.
type memories struct {
	here  [][]byte
	there []device.Memory
}

func (m *memories) upload(d device.Device, data []byte) (device.Memory, error) {
	for i, known := range m.here {
		if len(data) > 0 && len(known) == len(data) && &known[0] == &data[0] {
			return m.there[i], nil
		}
	}
	memory, err := d.Alloc(len(data))
	if err != nil {
		return nil, err
	}
	m.here, m.there = append(m.here, data), append(m.there, memory)
	return memory, memory.Write(0, data)
}

func (m *memories) download() error {
	var errs []error
	for i, memory := range m.there {
		errs = append(errs, memory.Read(0, m.here[i]))
	}
	return errors.Join(errs...)
}

func (m *memories) free() {
	for _, memory := range m.there {
		memory.Free()
	}
}
