package main

import (
	"context"
	_ "embed"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/newtlab/newt/compiler"
	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/ir"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/ptx/arch"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
	"github.com/newtlab/newt/interp/device/model"
	"github.com/newtlab/newt/interp/document"
	"github.com/newtlab/newt/interp/host"
	"github.com/newtlab/newt/interp/script"
	"github.com/newtlab/newt/interp/tensor"
)

//go:embed cases.py
var casesScript string

// launchJob is a configuration of a case: see cases.py, which makes it.
type launchJob struct {
	Case      int                `json:"case"`
	Kernel    string             `json:"kernel"`
	Label     string             `json:"label"`
	Size      string             `json:"size"`
	Config    map[string]int     `json:"config"`
	Contest   bool               `json:"contest"` // Triton runs it, too
	Signature string             `json:"signature"`
	Grid      [3]int             `json:"grid"`
	Values    map[string]float64 `json:"values"`  // of numbers, and the elements of tensors
	Indices   map[string]any     `json:"indices"` // of integer tensors: all elements' value, or "arange"
}

// launchJobs are the jobs of a file's CASES.
func launchJobs(ctx context.Context, file *source.File) (jobs []launchJob, err error) {
	text := file.Text + "\n" + casesScript + "\nimport json\nprint(json.dumps(jobs(CASES)))\n"
	doc := document.New(file.Name, document.Python, &document.Cell{Kind: document.Code, Source: text, Line: 1})
	run := script.New(doc, script.Options{Script: true, MaxOutput: math.MaxInt,
		Host: host.Options{Tensors: tensor.New(tensor.Options{})}, Launcher: &script.Launcher{}})
	run.All(ctx)
	printed := ""
	for _, o := range doc.Cells[0].Outputs {
		if o.Message != "" {
			return nil, fmt.Errorf("%s: %s", file.Name, o.Message)
		}
		printed += o.Text
	}
	return jobs, json.Unmarshal([]byte(printed), &jobs)
}

func (j *launchJob) options() (compiler.Options, error) {
	args, err := compiler.ParseSignature(j.Signature)
	return compiler.Options{Kernel: j.Kernel, Args: args, NumWarps: j.Config["num_warps"],
		NumStages: j.Config["num_stages"]}, err
}

// cases compiles the file's CASES.
func (w *writer) cases(ctx context.Context) error {
	jobs, err := launchJobs(ctx, w.file)
	if err != nil {
		return err
	}
	for i := range jobs {
		if j := &jobs[i]; w.wants(j.Label) {
			if err := w.add(w.compileCase(ctx, j, fmt.Sprintf("%s_%d", j.Label, i))); err != nil {
				return err
			}
		}
	}
	return nil
}

// compileCase compiles a job as a launch of it does.
func (w *writer) compileCase(ctx context.Context, j *launchJob, name string) (entry, string) {
	e := entry{Name: name, Kernel: j.Label, Config: j.Config, Case: j.Case, Size: j.Size, Contest: j.Contest,
		Grid: j.Grid}
	o, err := j.options()
	if err != nil {
		e.Problem = err.Error()
		return e, ""
	}
	start := time.Now()
	art, list := compiler.Compile(w.file, o)
	if art == nil {
		e.Problem = diag.Printer{}.Print(w.file, list)
		return e, ""
	}
	e.IRMs = time.Since(start).Seconds() * 1e3
	m, err := j.simulate(ctx, w.file, art.Func)
	if err != nil {
		e.Problem = err.Error()
		return e, ""
	}
	e.describe(art.Func, m.Module)
	for i, p := range e.Params {
		if p.Tensor != nil {
			p.Tensor.Pitch = int(m.Launch.Params[i])
		}
	}
	e.Cost = m.Expect(j.deviceOptions(), j.tensorBytes(art.Func)).Seconds()
	return e, m.Module.Text
}

// simulate launches a function as the job says. Tensors are zero, but for its indices.
func (j *launchJob) simulate(ctx context.Context, file *source.File, fn *ir.Func) (*model.Sample, error) {
	m := model.New(&arch.GPUs[0])
	defer m.Close()
	launch := device.Launch{Grid: j.Grid}
	for _, p := range fn.Params {
		arg, err := j.argument(m, p)
		if err != nil {
			return nil, err
		}
		launch.Args = append(launch.Args, arg)
	}
	k, err := m.Load(fn, j.deviceOptions())
	if err != nil {
		return nil, err
	}
	report, err := k.Launch(ctx, launch)
	switch {
	case err != nil:
		return nil, err
	case len(report.Diagnostics) > 0:
		return nil, errors.New(diag.Printer{}.Print(file, report.Diagnostics))
	}
	return m.Last(), nil
}

func (j *launchJob) deviceOptions() device.Options {
	return device.Options{NumWarps: j.Config["num_warps"], NumStages: j.Config["num_stages"]}
}

// tensorBytes is the size of all tensors.
func (j *launchJob) tensorBytes(fn *ir.Func) (bytes float64) {
	for _, p := range fn.Params {
		if t := p.Value.Type; t.Pointer {
			bytes += j.Values[p.Name] * float64(t.DType.Info().Bytes)
		}
	}
	return bytes
}

func (j *launchJob) argument(d device.Device, p *ir.Param) (device.Arg, error) {
	t, value := p.Value.Type, j.Values[p.Name]
	switch {
	case !t.Pointer && t.DType.Info().Float:
		return device.Scalar{Scalar: num.FromFloat(t.DType, value)}, nil
	case !t.Pointer:
		return device.Scalar{Scalar: num.FromInt(t.DType, int64(value))}, nil
	}
	size := t.DType.Info().Bytes
	m, err := d.Alloc(int(value) * size)
	if err != nil {
		return nil, err
	}
	if fill, ok := j.Indices[p.Name]; ok {
		err = m.Write(0, indices(fill, int(value), size))
	}
	return device.Pointer{Memory: m, DType: t.DType}, err
}

// indices are n integers of size bytes: all are fill, or 0, 1, 2 … where that is no number.
func indices(fill any, n, size int) []byte {
	data := make([]byte, 0, n*size)
	for i := range n {
		value := int64(i)
		if f, ok := fill.(float64); ok {
			value = int64(f)
		}
		data = append(data, binary.LittleEndian.AppendUint64(nil, uint64(value))[:size]...)
	}
	return data
}
