package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/newtlab/newt/compiler/diag"
	"github.com/newtlab/newt/compiler/num"
	"github.com/newtlab/newt/compiler/source"
	"github.com/newtlab/newt/interp/device"
)

// maxName is the most bytes of a name in a message of a client.
const maxName = 256

// maxExact is the largest integer up to which a JavaScript number is exact.
const maxExact = 1<<53 - 1

// ReadClient reads a text frame from a client. An unknown field is an error: a client that uses a feature that the
// runner does not have would wait for its effect in vain.
func ReadClient(text []byte) (*ClientMessage, error) {
	var m ClientMessage
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return nil, plain(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more than one JSON value in a frame")
	}
	set := 0
	for _, there := range []bool{m.Hello != nil, m.Submit != nil, m.Cancel != nil, m.Release != nil, m.Free != nil} {
		if there {
			set++
		}
	}
	if set != 1 {
		return nil, fmt.Errorf("a message with %d of its kinds", set)
	}
	return &m, nil
}

// ReadServer reads a text frame from a runner; unknown fields, of a newer runner, are ignored.
func ReadServer(text []byte) (*ServerMessage, error) {
	var m ServerMessage
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, plain(err)
	}
	return &m, nil
}

// plain returns an error of JSON without the names of Go types, which mean nothing to a client.
func plain(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		return fmt.Errorf("the field %q holds a %s", kind.Field, strings.Fields(kind.Value + " value")[0])
	case strings.HasPrefix(err.Error(), "json: unknown field "):
		name := strings.TrimPrefix(err.Error(), "json: unknown field ")
		return fmt.Errorf("the field %.*s is not known", maxName, name)
	}
	return errors.New("not a JSON object of this protocol")
}

// field is a number in a message and its valid range.
type field struct {
	name               string
	value, least, most int64
}

// Check returns what is invalid about a Submit, nil if it is valid. It does not check what depends on the device or on
// the kernel.
func (s *Submit) Check(l Limits) *diag.Diagnostic {
	fields := []field{
		{"job", s.Job, 1, math.MaxUint32},
		{"irBytes", int64(s.IRBytes), 0, int64(l.IRBytes)},
		{"grid", int64(len(s.Grid)), 3, 3},
		{"args", int64(len(s.Args)), 0, int64(l.Args)},
		{"tensors", int64(len(s.Tensors)), 0, int64(l.Tensors)},
		{"numWarps", int64(s.NumWarps), 0, 64},
		{"numStages", int64(s.NumStages), 0, 64},
		{"budget", s.Budget, 0, maxExact},
		{"deadlineMs", int64(s.DeadlineMS), 0, int64(l.MaxJobMS)},
		{"device", int64(len(s.Device)), 0, maxName},
	}
	if t := s.Timing; t != nil {
		fields = append(fields,
			field{"warmupMs", int64(t.WarmupMS), 0, int64(l.MeasureMS)},
			field{"measureMs", int64(t.MeasureMS), 0, int64(l.MeasureMS)})
	}
	if s.IRBytes == 0 { // there is no kernel
		fields = append(fields, field{"args", int64(len(s.Args)), 0, 0})
	}
	for _, a := range s.Args {
		fields = append(fields,
			field{"name", int64(len(a.Name)), 0, maxName},
			field{"offset", int64(a.Offset), 0, maxExact},
			field{"address", a.Address, 0, maxExact})
		if a.Tensor != nil {
			fields = append(fields, field{"tensor", int64(*a.Tensor), 0, int64(len(s.Tensors)) - 1})
		}
	}
	for _, f := range fields {
		if f.value < f.least || f.value > f.most {
			return refuse(f.name, f.value, fmt.Sprintf("%d … %d", f.least, f.most))
		}
	}
	return s.checkBytes(l)
}

func refuse(name string, value any, takes string) *diag.Diagnostic {
	return diag.New("runner-request", source.Span{}, name, value, takes)
}

func (s *Submit) checkBytes(l Limits) *diag.Diagnostic {
	for _, a := range s.Args {
		if _, _, err := a.scalar(); err != nil {
			return err
		}
	}
	named := map[int64]bool{}
	for _, t := range s.Tensors {
		switch {
		case t.Buffer < 0 || t.Buffer > maxExact || t.Buffer > 0 && l.Buffers == 0:
			return refuse("buffer", t.Buffer, fmt.Sprintf("0 … %d", min(maxExact, int64(min(1, l.Buffers))*maxExact)))
		case t.Buffer > 0 && named[t.Buffer]:
			return refuse("buffer", t.Buffer, "each buffer once")
		case t.Held && (t.Buffer == 0 || t.Zero):
			return refuse("held", t.Held, "a buffer that is not zero")
		}
		named[t.Buffer] = true
		if t.Bytes < 0 {
			return refuse("bytes", t.Bytes, fmt.Sprintf("0 … %d", l.JobBytes))
		}
		if int64(t.Bytes) > l.JobBytes {
			return diag.New("runner-job-memory", source.Span{}, t.Bytes, l.JobBytes)
		}
	}
	if total := s.TensorBytes(); total > l.JobBytes {
		return diag.New("runner-job-memory", source.Span{}, total, l.JobBytes)
	}
	return nil
}

// TensorBytes returns the size of all tensors of the job.
func (s *Submit) TensorBytes() int64 {
	total := int64(0)
	for _, t := range s.Tensors {
		total += int64(t.Bytes)
	}
	return total
}

// NewBytes returns the size of the tensors that the job brings or makes, those that the session has aside.
func (s *Submit) NewBytes() int64 {
	total := int64(0)
	for _, t := range s.Tensors {
		if !t.Held {
			total += int64(t.Bytes)
		}
	}
	return total
}

// Sent reports whether the client sends the tensor's bytes.
func (t *Tensor) Sent() bool { return !t.Zero && !t.Held }

// scalar checks the dtype and the digits of an argument, and returns its value if it is a scalar.
func (a *Arg) scalar() (value num.Scalar, isScalar bool, wrong *diag.Diagnostic) {
	if a.DType == "" && a.Tensor == nil && a.Bits == "" {
		return value, false, nil // neither pointer nor scalar: the device refuses it, with a better message
	}
	d, ok := num.Parse(a.DType)
	if !ok || len(a.DType) > maxName {
		return value, false, refuse("dtype", fmt.Sprintf("%.20q", a.DType), "i1 i8 … fp64")
	}
	if a.Tensor != nil {
		return value, false, nil
	}
	bits, err := strconv.ParseUint(a.Bits, 16, d.Info().Bytes*8)
	if err != nil {
		allowed := fmt.Sprintf("1 … %d hexadecimal digits", 2*d.Info().Bytes)
		return value, false, refuse("bits", fmt.Sprintf("%.20q", a.Bits), allowed)
	}
	return num.Scalar{DType: d, Bits: bits}, true, nil
}

// Scalar returns the value of a scalar argument; ok is false for any other. The Submit must have passed Check.
func (a *Arg) Scalar() (value num.Scalar, ok bool) {
	value, ok, _ = a.scalar()
	return value, ok
}

// ScalarArg returns the argument for a scalar.
func ScalarArg(s num.Scalar) Arg {
	return Arg{DType: s.DType.Info().Short, Bits: strconv.FormatUint(s.Bits, 16)}
}

// PointsTo returns the element dtype of a pointer argument. The Submit must have passed Check.
func (a *Arg) PointsTo() num.DType {
	d, _ := num.Parse(a.DType)
	return d
}

// LaunchArgs converts the arguments of a Submit that has passed Check; memory holds the allocation of each of the job's
// tensors.
func LaunchArgs(spec []Arg, memory []device.Memory) []device.Arg {
	args := make([]device.Arg, len(spec))
	for i, a := range spec {
		if value, ok := a.Scalar(); ok {
			args[i] = device.Scalar{Scalar: value}
		} else if a.Tensor != nil {
			args[i] = device.Pointer{Name: a.Name, Memory: memory[*a.Tensor], DType: a.PointsTo(), Offset: a.Offset,
				Address: a.Address}
		}
	}
	return args
}
